//! The boards that the organiser offers beside those that come with the server. Who may deploy where on them belongs to the
//! rules, and is the same as on any other.

use crate::clock::Timestamp;
use crate::play::admin::{Done, wrong};
use crate::play::open::hash_of_text;
use crate::play::{Play, PlayError};
use crate::rules::field_command::maps::Map;
use crate::rules::field_command::{self, Board};
use crate::rules::{BoardText, Setup};
use crate::store::{GameRow, OfferedBoardRow, Writer};

/// The shortest and the longest alias, in characters.
const ALIAS: std::ops::RangeInclusive<usize> = 2..=24;
/// The longest name, in characters.
const NAME: usize = 40;
/// The longest description, in characters.
const ABOUT: usize = 120;
/// How many may be offered at once.
const MOST: usize = 50;

/// A board that is offered, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedBoard {
    /// By this name it is chosen.
    pub alias: String,
    /// Its name for people.
    pub name: String,
    /// What it is like; empty for nothing.
    pub about: String,
    /// The board in writing.
    pub text: BoardText,
    /// Whether it is the same from both sides.
    pub even: bool,
    /// When it was offered.
    pub offered_at: Timestamp,
    /// When it was retired: it is offered for no new game, and games on it go on.
    pub retired_at: Option<Timestamp>,
}

/// By what a board is known, also once it is retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNames {
    /// What programs send and are sent.
    pub alias: String,
    /// What people read.
    pub name: String,
}

impl BoardNames {
    /// The names of a game's board: of one that comes with the server, or that the organiser offers or has offered.
    pub(in crate::play) fn of(setup: &Setup, row: &GameRow) -> Option<BoardNames> {
        let (alias, name) = match setup.board_name() {
            Some(own) => (own.to_owned(), own.to_owned()),
            None => (row.board_alias.clone()?, row.board_name.clone()?),
        };
        Some(BoardNames { alias, name })
    }

    /// What a game is played on, as a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        format!("The game is played on the {} board.", self.name)
    }
}

/// A board to be offered.
#[derive(Clone, Debug)]
pub struct NewBoard {
    /// By this name it is chosen.
    pub alias: String,
    /// Its name for people.
    pub name: String,
    /// What it is like; empty for nothing.
    pub about: String,
    /// The board in writing.
    pub text: BoardText,
}

impl OfferedBoard {
    fn read(row: OfferedBoardRow) -> Result<OfferedBoard, PlayError> {
        let text: BoardText = serde_json::from_str(&row.body).map_err(|error| PlayError::Broken(error.to_string()))?;
        let board = Board::from_text(&text).map_err(|error| PlayError::Broken(error.to_string()))?;
        Ok(OfferedBoard {
            text,
            even: board.is_even(),
            alias: row.alias,
            name: row.name,
            about: row.about,
            offered_at: Timestamp(row.offered_at),
            retired_at: row.retired_at.map(Timestamp),
        })
    }

    /// A game on it.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn setup(&self, no_removal_limit: u32, day_limit: u32) -> Result<Setup, PlayError> {
        setup_on(&self.text, no_removal_limit, day_limit).map_err(PlayError::Broken)
    }
}

/// A game on a written board.
///
/// # Errors
/// What is wrong with the board, and where.
pub fn setup_on(text: &BoardText, no_removal_limit: u32, day_limit: u32) -> Result<Setup, String> {
    let board = Board::from_text(text).map_err(|error| error.to_string())?;
    Ok(Setup::FieldCommand(field_command::Setup { board: board.into(), no_removal_limit, day_limit }))
}

impl Play {
    /// All boards that are offered beside those that come with the server, the retired ones too, by alias. One that cannot be
    /// read holds up none of the others: it is as good as retired, and stands in the server's log.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offered_boards(&self) -> Result<Vec<OfferedBoard>, PlayError> {
        let rows = self.store.read(|tx| Box::pin(async move { tx.offered_boards().await })).await?;
        let read = |row: OfferedBoardRow| {
            let alias = row.alias.clone();
            OfferedBoard::read(row)
                .inspect_err(
                    |error| tracing::error!(board = alias, cause = %error.cause(), "an offered board cannot be read"),
                )
                .ok()
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Offers a board.
    pub(in crate::play) async fn offer_board(&self, tx: &mut Writer, new: &NewBoard) -> Result<Done, PlayError> {
        let alias = checked_alias(&new.alias)?;
        let name = checked("name", &new.name, NAME)?;
        if name.is_empty() {
            return Err(wrong("name", "is missing"));
        }
        let about = checked("about", &new.about, ABOUT)?;
        let setup =
            setup_on(&new.text, 0, 0).map_err(|problem| wrong("board", format!("cannot be read: {problem}")))?;
        if let Some(known) = setup.board_name() {
            return Err(wrong("board", format!("is the one that is known as {known}")));
        }
        let before = tx.offered_boards().await?;
        if before.iter().filter(|row| row.retired_at.is_none()).count() >= MOST {
            return Err(wrong("board", format!("is one too many: {MOST} are offered already")));
        }
        let body = serde_json::to_string(&setup.board_text()).map_err(|error| PlayError::Broken(error.to_string()))?;
        let (board_hash, offered_at) = (hash_of_text(&body), self.clock.now().0);
        if let Some(other) = before.iter().find(|row| row.board_hash == board_hash && row.alias != alias) {
            return Err(wrong("board", format!("is there already, as {}", other.alias)));
        }
        tx.keep_board(&board_hash, &body, offered_at).await?;
        let row = OfferedBoardRow { alias, name, about, board_hash, body, offered_at, retired_at: None };
        if !tx.offer_board(&row).await? && !tx.offer_board_again(&row).await? {
            return Err(wrong("alias", "stands for a board already; give this one another"));
        }
        Ok(Done::elsewhere("board_offered", format!("board {}: {}", row.alias, row.name)))
    }

    /// Offers a board for no new game any more.
    pub(in crate::play) async fn retire_board(&self, tx: &mut Writer, alias: &str) -> Result<Done, PlayError> {
        if !tx.retire_board(alias, self.clock.now().0).await? {
            return Err(PlayError::NotFound);
        }
        Ok(Done::elsewhere("board_retired", format!("board {alias}")))
    }
}

fn checked_alias(alias: &str) -> Result<String, PlayError> {
    let alias = alias.trim();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !ALIAS.contains(&alias.len())
        || !alias.chars().all(plain)
        || !alias.starts_with(|c: char| c.is_ascii_lowercase())
    {
        return Err(wrong("alias", "has 2 to 24 small letters, digits and hyphens, and begins with a letter"));
    }
    if Map::by_name(alias).is_some() {
        return Err(wrong("alias", "is that of a board that comes with the server"));
    }
    Ok(alias.to_owned())
}

/// Some words in one line, without what nobody sees.
fn checked(field: &'static str, text: &str, most: usize) -> Result<String, PlayError> {
    let words: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > most {
        return Err(wrong(field, format!("is longer than {most} characters")));
    }
    Ok(words)
}
