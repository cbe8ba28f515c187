//! What pages show of Field Command in particular: its boards to choose from, its armies as
//! tables, its rules. Everything else in `pages` knows only that there are turns and sheets.

use std::sync::{Arc, LazyLock};

use crate::picture;
use crate::play::boards::OfferedBoard;
use crate::play::{Play, PlayError};
use crate::rules::field_command::board::{Board, Terrain};
use crate::rules::field_command::confrontation::{Removed, confront};
use crate::rules::field_command::maps::{self, Map};
use crate::rules::field_command::ready;
use crate::rules::field_command::standing::{DAY_LIMIT_MAX, NO_REMOVAL_LIMIT, NO_REMOVAL_LIMIT_MAX, Sheet as OwnSheet};
use crate::rules::field_command::unit::{Army, Unit};
use crate::rules::field_command::{Setup as OwnSetup, VERSION};
use crate::rules::{BySide, Setup, Sheet, Side, Standing};

/// The usual limit of days without a removal.
pub const USUAL_LIMIT: u32 = NO_REMOVAL_LIMIT;
/// The greatest limit that can be chosen.
pub const GREATEST_LIMIT: u32 = NO_REMOVAL_LIMIT_MAX;
/// The greatest last day that can be chosen.
pub const GREATEST_DAY_LIMIT: u32 = DAY_LIMIT_MAX;

/// A board to choose.
#[derive(Clone, Debug)]
pub struct BoardChoice {
    /// Its name in the form.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// What it is like.
    pub about: String,
    /// The board.
    board: Arc<Board>,
}

/// The boards to choose from: those that come with the server, and those that the organiser offers.
pub async fn choices(play: &Play) -> Result<Vec<BoardChoice>, PlayError> {
    with_offered(play, |offered| offered.retired_at.is_none()).await
}

/// All boards that games are played on: those that were retired too.
pub async fn known_boards(play: &Play) -> Result<Vec<BoardChoice>, PlayError> {
    with_offered(play, |_| true).await
}

async fn with_offered(play: &Play, wanted: fn(&OfferedBoard) -> bool) -> Result<Vec<BoardChoice>, PlayError> {
    let mut all = boards().to_vec();
    for offered in play.offered_boards().await?.into_iter().filter(wanted) {
        let Setup::FieldCommand(setup) = offered.setup(USUAL_LIMIT, 0)?;
        let mut about = offered.about;
        if !offered.even {
            about = format!("{about}{}it is not the same from both sides", if about.is_empty() { "" } else { "; " });
        }
        all.push(BoardChoice { key: offered.alias, name: offered.name, about, board: setup.board });
    }
    Ok(all)
}

/// The setup that a form asks for among some boards; `None` for a board that is none of them.
pub fn setup_of(choices: &[BoardChoice], key: &str, no_removal_limit: u32, day_limit: u32) -> Option<Setup> {
    let choice = choices.iter().find(|choice| choice.key == key)?;
    Some(Setup::FieldCommand(OwnSetup { board: Arc::clone(&choice.board), no_removal_limit, day_limit }))
}

/// The picture of an empty board, and whether it is the same from both sides.
pub fn picture_of(setup: Setup) -> (String, bool) {
    let Setup::FieldCommand(own) = &setup;
    let even = own.board.is_even();
    (picture::standing(&Standing::open(setup), Side::Red), even)
}

/// The boards that come with the server.
pub fn boards() -> &'static [BoardChoice] {
    static BOARDS: LazyLock<Vec<BoardChoice>> = LazyLock::new(|| {
        let choice = |map: Map| BoardChoice {
            key: map.name().to_owned(),
            name: match map {
                Map::Classic => "Classic".to_owned(),
                Map::Ridge => "Ridge".to_owned(),
            },
            about: map.about().to_owned(),
            board: Arc::clone(map.board()),
        };
        maps::ALL.into_iter().map(choice).collect()
    });
    &BOARDS
}

/// The picture of an empty board, by the board's name; of one that was retired too, since games on it go on.
pub async fn board_picture(play: &Play, name: &str) -> Result<Option<String>, PlayError> {
    let setup = match chosen_setup(name, USUAL_LIMIT, 0) {
        Some(setup) => setup,
        None => match play.offered_boards().await?.into_iter().find(|offered| offered.alias == name) {
            Some(offered) => offered.setup(USUAL_LIMIT, 0)?,
            None => return Ok(None),
        },
    };
    Ok(Some(picture_of(setup).0))
}

/// The setup that a form asks for; `None` for a board that there is not.
pub fn chosen_setup(board: &str, limit: u32, day_limit: u32) -> Option<Setup> {
    Map::by_name(board).map(|map| setup(map, limit, day_limit))
}

fn setup(map: Map, no_removal_limit: u32, day_limit: u32) -> Setup {
    Setup::FieldCommand(OwnSetup { board: Arc::clone(map.board()), no_removal_limit, day_limit })
}

/// The picture of the first page: both armies drawn up on the printed board.
pub fn showpiece() -> &'static str {
    static PICTURE: LazyLock<String> = LazyLock::new(|| {
        let game = Standing::open(setup(Map::Classic, USUAL_LIMIT, 0));
        let sheet =
            |side| ready::ALL.first().map(|ready| Sheet::FieldCommand(OwnSheet::Deployment(ready.deployment(side))));
        let shown = match (sheet(Side::Red), sheet(Side::Blue)) {
            (Some(red), Some(blue)) => game.resolve(BySide { red: &red, blue: &blue }).0,
            _ => game,
        };
        picture::standing(&shown, Side::Red)
    });
    &PICTURE
}

/// One army as a table.
#[derive(Clone, Debug)]
pub struct ArmyTable {
    /// Whose.
    pub side: Side,
    /// How many units are left.
    pub left: usize,
    /// A row for each kind of unit.
    pub rows: Vec<ArmyRow>,
}

/// One kind of unit of an army.
#[derive(Clone, Debug)]
pub struct ArmyRow {
    /// Its code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many are left.
    pub left: usize,
    /// How many there were.
    pub of: usize,
    /// Where they stand, in board order.
    pub positions: String,
}

/// Both armies as tables, `first` before the other; none before they are on the board.
pub fn armies(standing: &Standing, first: Side) -> Vec<ArmyTable> {
    let Standing::FieldCommand(standing) = standing;
    let tables = [first, first.other()].map(|side| army(side, standing.armies().get(side)));
    if tables.iter().all(|table| table.left == 0) { Vec::new() } else { tables.into() }
}

fn army(side: Side, army: &Army) -> ArmyTable {
    let row = |unit: Unit| {
        let positions: Vec<String> = army.positions_of(unit).iter().map(|position| position.to_string()).collect();
        ArmyRow {
            code: unit.code(),
            name: unit.name(),
            left: positions.len(),
            of: unit.number(),
            positions: positions.join(" "),
        }
    };
    ArmyTable { side, left: army.len(), rows: Unit::ALL.into_iter().map(row).collect() }
}

/// A kind of unit as the page of rules lists it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many an army deploys.
    pub number: usize,
    /// How many positions it moves a day.
    pub allowance: u8,
}

/// The nine kinds of unit.
pub fn kinds() -> Vec<Kind> {
    let kind =
        |unit: Unit| Kind { code: unit.code(), name: unit.name(), number: unit.number(), allowance: unit.allowance() };
    Unit::ALL.into_iter().map(kind).collect()
}

/// Who removes whom on one terrain.
#[derive(Clone, Debug)]
pub struct Matchups {
    /// The terrain in words.
    pub terrain: &'static str,
    /// A row for each kind of unit, in the order of [`kinds`].
    pub rows: Vec<(Kind, Vec<Meeting>)>,
}

/// How a meeting ends for the unit of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It removes the other.
    Wins,
    /// It is removed.
    Loses,
    /// Both are removed.
    Both,
}

impl Meeting {
    /// The sign in the table.
    pub const fn sign(self) -> &'static str {
        match self {
            Meeting::Wins => "+",
            Meeting::Loses => "−",
            Meeting::Both => "=",
        }
    }

    /// The sign in words.
    pub const fn words(self) -> &'static str {
        match self {
            Meeting::Wins => "wins",
            Meeting::Loses => "is removed",
            Meeting::Both => "both are removed",
        }
    }

    /// The name of its look.
    pub const fn class(self) -> &'static str {
        match self {
            Meeting::Wins => "wins",
            Meeting::Loses => "loses",
            Meeting::Both => "both",
        }
    }
}

/// Both tables, computed from the rules themselves.
pub fn matchups() -> Vec<Matchups> {
    let table = |terrain: Terrain| {
        let row = |first: Unit| {
            let meetings = Unit::ALL.into_iter().map(|second| match confront(first, second, terrain) {
                Removed::First => Meeting::Loses,
                Removed::Second => Meeting::Wins,
                Removed::Both => Meeting::Both,
            });
            meetings.collect()
        };
        Matchups { terrain: terrain.name(), rows: kinds().into_iter().zip(Unit::ALL.into_iter().map(row)).collect() }
    };
    [Terrain::Forest, Terrain::Field].map(table).into()
}

/// The house rules of a game with the usual settings.
pub fn usual_house_rules() -> Vec<String> {
    setup(Map::Classic, USUAL_LIMIT, 0).house_rules()
}

/// The version of the rules.
pub const RULES_VERSION: &str = VERSION;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_appear_once_they_are_deployed() {
        let game = Standing::open(setup(Map::Ridge, 0, 0));
        assert!(armies(&game, Side::Blue).is_empty());
        let sheet = |side| Sheet::FieldCommand(OwnSheet::Deployment(ready::ALL[0].deployment(side)));
        let (game, _) = game.resolve(BySide { red: &sheet(Side::Red), blue: &sheet(Side::Blue) });
        let tables = armies(&game, Side::Blue);
        assert_eq!(
            tables.iter().map(|table| (table.side, table.left)).collect::<Vec<_>>(),
            [(Side::Blue, 40), (Side::Red, 40)]
        );
        assert_eq!(tables[1].rows[0].positions, "K11");
    }

    #[test]
    fn the_tables_are_the_rules() {
        let tables = matchups();
        let sign = |table: usize, row: usize, column: usize| tables[table].rows[row].1[column].sign();
        // General against anything; 1st Infantry against 1st Cavalry in forest and field.
        assert_eq!((sign(0, 0, 0), sign(0, 0, 1), sign(0, 1, 0)), ("=", "−", "+"));
        assert_eq!((sign(0, 2, 5), sign(1, 2, 5)), ("+", "−"));
    }
}
