//! WHAT IS TRUE: the rules of the games, as pure functions.
//!
//! Nothing here knows of time, chance, files, networks or databases; what depends on
//! them is passed in. This file is the seam through which everything else sees a game:
//! one closed enum for each thing, with one variant for each game, and the verbs
//! `open · awaits · parse · check · resolve`. Outside `rules` nobody knows that there
//! are days, deployments of forty or guns. What is open on the board of a game is what
//! its `Standing` holds: a secret sheet never becomes part of one before its turn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The two sides, and how a game ends.
pub mod side;
/// What is wrong with a text, and where.
pub mod text_error;
/// The form and the check of a sheet.
pub mod entry;
/// A report in sentences.
pub mod story_line;
/// Writing a sheet on the board itself.
pub mod table;
/// Field Command (1991).
pub mod field_command;

pub use entry::{Check, CheckedLine, EntryForm, Preset};
pub use side::{BySide, Outcome, Side};
pub use story_line::{Chapter, StoryLine, StoryStep, Tone};
pub use table::{Answer, DraftLine, DraftState, Edited, Goal, Layer, Offer, Place, Prospect, Touched, TrayItem};
pub use text_error::TextError;

pub use field_command::board::BoardText;

/// What a game is opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// A game of Field Command.
    FieldCommand(field_command::Setup),
}

/// The whole state of a game between two turns, without what is sealed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Standing {
    /// A game of Field Command.
    FieldCommand(field_command::Standing),
}

/// What one side writes for one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// A deployment or a list of orders.
    FieldCommand(field_command::Sheet),
}

/// A sheet in the making: what could be read of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// Some units of a deployment, or a list of orders.
    FieldCommand(field_command::Draft),
}

/// What happened in a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// The revealed deployments, or a day.
    FieldCommand(field_command::Report),
}

/// What is kept of a [`Setup`], beside its board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rules")]
pub enum KeptSetup {
    /// Version 1 of the rules of Field Command.
    #[serde(rename = "field_command/1")]
    FieldCommand(field_command::standing::KeptSetup),
}

/// What is kept of a [`Standing`], beside its setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rules")]
pub enum KeptStanding {
    /// Version 1 of the rules of Field Command.
    #[serde(rename = "field_command/1")]
    FieldCommand(field_command::standing::KeptStanding),
}

/// What was kept cannot be made into a game again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The board is none.
    #[error("the kept board: {0}")]
    Board(#[from] field_command::board::BoardError),
    /// The standing names a unit or a position that there is not.
    #[error("the kept standing cannot be read")]
    Standing,
}

impl Setup {
    /// The version of the rules by which the game is played, to its end.
    #[must_use]
    pub const fn rules_version(&self) -> &'static str {
        match self {
            Setup::FieldCommand(_) => field_command::VERSION,
        }
    }

    /// The game's name for people.
    #[must_use]
    pub const fn game_name(&self) -> &'static str {
        match self {
            Setup::FieldCommand(_) => "Field Command",
        }
    }

    /// The name of the board, if it is one of those that have names.
    #[must_use]
    pub fn board_name(&self) -> Option<&'static str> {
        match self {
            Setup::FieldCommand(setup) => field_command::maps::ALL
                .into_iter()
                .find(|map| **map.board() == *setup.board)
                .map(field_command::maps::Map::name),
        }
    }

    /// What is wrong with the settings: the setting's name and a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, String)> {
        match self {
            Setup::FieldCommand(setup) => setup.problem(),
        }
    }

    /// The house rules of this game in sentences, and what else is to be known beforehand, shown before anybody joins it.
    #[must_use]
    pub fn house_rules(&self) -> Vec<String> {
        let Setup::FieldCommand(setup) = self;
        let quiet = match setup.no_removal_limit {
            0 => "The game is never drawn for want of removals.".to_owned(),
            limit => format!("After {limit} days running on which no unit was removed, the game is a draw."),
        };
        let mut rules = vec![
            "Whoever loses the General loses the game; both on one day is a draw.".to_owned(),
            quiet,
            "If only the two Generals are left, the game is a draw at once.".to_owned(),
            "Either side may resign at any time.".to_owned(),
        ];
        if setup.day_limit > 0 {
            rules.insert(2, format!("The game ends as a draw after day {}.", setup.day_limit));
        }
        // Who did not choose the board is to know it as well.
        if !setup.board.is_even() {
            rules.push("The board is not the same from both sides: one may have the better ground.".to_owned());
        }
        rules
    }

    /// The board in writing.
    #[must_use]
    pub fn board_text(&self) -> BoardText {
        match self {
            Setup::FieldCommand(setup) => setup.board_text(),
        }
    }

    /// What is kept, beside the board.
    #[must_use]
    pub fn kept(&self) -> KeptSetup {
        match self {
            Setup::FieldCommand(setup) => KeptSetup::FieldCommand(setup.kept()),
        }
    }

    /// A setup from what was kept of it and its board.
    ///
    /// # Errors
    /// The board cannot be read.
    pub fn restore(kept: &KeptSetup, board: &BoardText) -> Result<Setup, RestoreError> {
        match kept {
            KeptSetup::FieldCommand(kept) => {
                let board = field_command::maps::ALL
                    .into_iter()
                    .map(field_command::maps::Map::board)
                    .find(|named| named.to_text() == *board)
                    .map_or_else(
                        || field_command::Board::from_text(board).map(Arc::new),
                        |named| Ok(Arc::clone(named)),
                    )?;
                Ok(Setup::FieldCommand(field_command::Setup::restore(*kept, board)))
            }
        }
    }
}

impl Standing {
    /// A new game.
    #[must_use]
    pub fn open(setup: Setup) -> Standing {
        match setup {
            Setup::FieldCommand(setup) => Standing::FieldCommand(field_command::Standing::open(setup)),
        }
    }

    /// A game that both players have begun elsewhere, at the beginning of a turn, with what they say stands on the board.
    ///
    /// # Errors
    /// The side whose text cannot be read, if it is one side's, and what is wrong: with line and word, or as a whole.
    pub fn adopt(setup: Setup, turn: u32, texts: BySide<&str>) -> Result<Standing, (Option<Side>, TextError)> {
        match setup {
            Setup::FieldCommand(setup) => {
                field_command::Standing::adopt(setup, turn, texts).map(Standing::FieldCommand)
            }
        }
    }

    /// Whether a game may begin with this standing.
    ///
    /// # Errors
    /// Why not, as the end of a sentence.
    pub fn may_begin(&self) -> Result<(), String> {
        match self {
            Standing::FieldCommand(standing) => standing.may_begin(),
        }
    }

    /// What the game was opened with.
    #[must_use]
    pub fn setup(&self) -> Setup {
        match self {
            Standing::FieldCommand(standing) => Setup::FieldCommand(standing.setup().clone()),
        }
    }

    /// The number of the awaited turn, from 0.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        match self {
            Standing::FieldCommand(standing) => standing.turn(),
        }
    }

    /// The awaited turn in words: `Deployment`, `Day 5`.
    #[must_use]
    pub fn turn_name(&self) -> String {
        self.setup().turn_name(self.turn())
    }

    /// Whose sheets are awaited; nobody's once the game is over.
    #[must_use]
    pub const fn awaits(&self) -> BySide<bool> {
        match self {
            Standing::FieldCommand(standing) => standing.awaits(),
        }
    }

    /// Whether a side has enough left to win on the board. Where it has not, an opponent who stays away costs it
    /// nothing more than a draw.
    #[must_use]
    pub fn may_win(&self, side: Side) -> bool {
        match self {
            Standing::FieldCommand(standing) => standing.may_win(side),
        }
    }

    /// How the game ended on the board, with what decided it in a sentence.
    #[must_use]
    pub fn ending(&self) -> Option<(Outcome, String)> {
        match self {
            Standing::FieldCommand(standing) => standing
                .ending()
                .map(|ending| (ending.outcome, field_command::story::ended(ending, standing.quiet_days()))),
        }
    }

    /// Reads a sheet for the awaited turn.
    ///
    /// # Errors
    /// The line and word that cannot be read; then nothing of the text counts.
    pub fn parse(&self, side: Side, text: &str) -> Result<Sheet, TextError> {
        match self {
            Standing::FieldCommand(standing) => standing.parse(side, text).map(Sheet::FieldCommand),
        }
    }

    /// Whether anything in a text could be read as a part of a sheet: asked before it is shown to the opponent.
    #[must_use]
    pub fn reads_as_sheet(&self, text: &str) -> bool {
        match self {
            Standing::FieldCommand(_) => field_command::parse::looks_like_sheet(text),
        }
    }

    /// Tells a writer what will become of a sheet, from the open standing alone.
    #[must_use]
    pub fn check(&self, side: Side, sheet: &Sheet) -> Check {
        match (self, sheet) {
            (Standing::FieldCommand(standing), Sheet::FieldCommand(sheet)) => standing.check(side, sheet),
        }
    }

    /// Completes a half-written sheet by chance: `pick(n)` chooses one of `n`.
    ///
    /// # Errors
    /// The line and word that cannot be read, or that this turn's sheet is not filled in by chance.
    pub fn fill(&self, side: Side, part: &str, pick: impl FnMut(usize) -> usize) -> Result<Sheet, TextError> {
        match self {
            Standing::FieldCommand(standing) => standing.fill(side, part, pick).map(Sheet::FieldCommand),
        }
    }

    /// Carries the game on by one turn. The same standing and sheets give the same result.
    #[must_use]
    pub fn resolve(&self, sheets: BySide<&Sheet>) -> (Standing, Report) {
        match self {
            Standing::FieldCommand(standing) => {
                let (next, report) = standing.resolve(sheets.map(|sheet| {
                    let Sheet::FieldCommand(sheet) = sheet;
                    sheet
                }));
                (Standing::FieldCommand(next), Report::FieldCommand(report))
            }
        }
    }

    /// A sentence for the players, if the awaited turn can bring nothing or little: who might come into contact.
    #[must_use]
    pub fn calm(&self) -> Option<String> {
        match self {
            Standing::FieldCommand(standing) => standing.calm(),
        }
    }

    /// A sentence for the players, if the game will soon be a draw because nothing happens in it.
    #[must_use]
    pub fn quiet(&self) -> Option<String> {
        match self {
            Standing::FieldCommand(standing) => standing.quiet(),
        }
    }

    /// What stands on the board, in sentences: a chapter for each side; none before anything stands there.
    #[must_use]
    pub fn roll(&self) -> Vec<Chapter> {
        match self {
            Standing::FieldCommand(standing) => field_command::story::roll(standing.armies()),
        }
    }

    /// The board in plain letters of one width, with `bottom`'s edge at the bottom.
    #[must_use]
    pub fn plain(&self, bottom: Side) -> String {
        match self {
            Standing::FieldCommand(standing) => field_command::plain::board(standing, bottom),
        }
    }

    /// The form in which a side writes the awaited sheet.
    #[must_use]
    pub fn entry_form(&self, side: Side) -> EntryForm {
        match self {
            Standing::FieldCommand(standing) => standing.entry_form(side),
        }
    }

    /// What is kept, beside the setup.
    #[must_use]
    pub fn kept(&self) -> KeptStanding {
        match self {
            Standing::FieldCommand(standing) => KeptStanding::FieldCommand(standing.kept()),
        }
    }

    /// A standing from what was kept of it and its setup.
    ///
    /// # Errors
    /// What was kept cannot be read.
    pub fn restore(kept: &KeptStanding, setup: Setup) -> Result<Standing, RestoreError> {
        let (KeptStanding::FieldCommand(kept), Setup::FieldCommand(setup)) = (kept, setup);
        let standing = field_command::Standing::restore(kept, setup).ok_or(RestoreError::Standing)?;
        Ok(Standing::FieldCommand(standing))
    }
}

impl Setup {
    /// The name of a place of the board, if the text names one.
    #[must_use]
    pub fn place(&self, text: &str) -> Option<String> {
        match self {
            Setup::FieldCommand(_) => {
                field_command::Position::parse(&text.trim().to_ascii_uppercase()).map(|position| position.to_string())
            }
        }
    }

    /// A turn in words: `Deployment`, `Day 5`.
    #[must_use]
    pub fn turn_name(&self, turn: u32) -> String {
        match self {
            Setup::FieldCommand(_) if turn == 0 => "Deployment".to_owned(),
            Setup::FieldCommand(_) => format!("Day {turn}"),
        }
    }
}

impl Draft {
    /// The text, in lines.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Draft::FieldCommand(draft) => draft.text(),
        }
    }
}

impl Sheet {
    /// The canonical text, which is what is sealed.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Sheet::FieldCommand(sheet) => sheet.canonical(),
        }
    }

    /// Whether the sheet asks for nothing: it is sealed only if that is meant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Sheet::FieldCommand(sheet) => sheet.is_empty(),
        }
    }

    /// Whether a text says in so many words that an empty sheet is meant.
    #[must_use]
    pub fn text_says_empty(&self, text: &str) -> bool {
        match self {
            Sheet::FieldCommand(_) => field_command::parse::says_hold(text),
        }
    }
}

impl Report {
    /// The report in sentences.
    #[must_use]
    pub fn story(&self, setup: &Setup) -> Vec<Chapter> {
        let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (self, setup);
        field_command::story::tell(report, setup)
    }

    /// What became of a side's own orders and units, addressed to its player.
    #[must_use]
    pub fn own(&self, side: Side) -> Chapter {
        let Report::FieldCommand(report) = self;
        field_command::own::tell(report, side)
    }

    /// The steps in which the turn is watched; none where there is nothing to watch.
    #[must_use]
    pub fn steps(&self, setup: &Setup) -> Vec<StoryStep> {
        let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (self, setup);
        field_command::steps::tell(report, setup)
    }
}
