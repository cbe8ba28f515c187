//! A whole game as a document, and the proof of it: what a record holds, the hashes that tie it together, and
//! the check that everything in it comes out as it says.
//!
//! Pure functions over rules and hashes: nothing here knows of databases, files or the network, so that anybody can
//! check a game without the server that it was played on. docs/records.md has the format, docs/seals.md the bytes.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::rules::field_command::board::BoardText;
use crate::rules::{BySide, KeptSetup, KeptStanding, Outcome};

/// How a sheet came about.
mod how;
/// Seals, report hashes and the running hash.
mod hashes;
/// Playing a record again, and all that does not hold in it.
mod replay;
/// A record and its check in words.
mod words;

pub use hashes::{Link, board_hash, chain_of, chain_start, report_hash, seal_of};
pub use how::How;
pub use replay::{Finding, Replayed, ReplayedTurn, replay};
pub use words::text;

/// The format that is written here, and the only one that is read.
pub const FORMAT: u32 = 1;
/// The longest record that is read, in bytes. A game of fifty days has about forty thousand.
pub const LONGEST: usize = 1 << 20;
/// What ended a game on the board.
pub const BY_BOARD: &str = "board";

/// A whole game: its settings, both sheets of each resolved turn, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this format, 1.
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// The rules and the house rules.
    pub setup: KeptSetup,
    /// The board.
    pub board: BoardText,
    /// Where the game began, if not before the deployments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<KeptStanding>,
    /// The players' names.
    pub players: BySide<Option<String>>,
    /// The computers that played a seat; `None` where people did, or the whole game long nobody but people.
    #[serde(default, skip_serializing_if = "no_computer")]
    pub computers: BySide<Option<RecordedComputer>>,
    /// How fast it went.
    #[serde(default = "open_pace")]
    pub pace: Pace,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The game that this one carries on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// The game in which this one was carried on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_in: Option<String>,
    /// The resolved turns, the first one first.
    pub turns: Vec<RecordedTurn>,
    /// How the game ended; `None` while it runs.
    pub ending: Option<RecordedEnding>,
}

fn no_computer(computers: &BySide<Option<RecordedComputer>>) -> bool {
    computers.red.is_none() && computers.blue.is_none()
}

fn open_pace() -> Pace {
    Pace::Open
}

/// A computer that played a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedComputer {
    /// How well it plays: `easy`, `medium`, `hard`, or in the arena `greedy`.
    pub level: String,
    /// The first turn that it wrote. Those before were a person's.
    pub from_turn: u32,
}

/// A resolved turn of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedTurn {
    /// Its number: 0 for the deployment, n for day n.
    pub turn: u32,
    /// Red's sheet.
    pub red: RecordedSheet,
    /// Blue's sheet.
    pub blue: RecordedSheet,
    /// SHA-256 of the report.
    pub report_hash: String,
    /// The running hash over this turn and all before it.
    pub chain: String,
    /// When it was resolved.
    pub resolved_at: Timestamp,
}

/// One side's sheet of a resolved turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedSheet {
    /// How it came about.
    pub how: How,
    /// The canonical text.
    pub text: String,
    /// The salt of its seal, 32 hexadecimal digits.
    pub salt: String,
    /// Its seal.
    pub seal: String,
    /// When it was sealed.
    pub sealed_at: Timestamp,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEnding {
    /// What ended it, in a word: `board`, `resignation`, `agreement` …
    pub cause: String,
    /// Who won; `None` where nobody did and it is no draw.
    pub outcome: Option<Outcome>,
    /// The same in a sentence.
    pub words: String,
    /// When.
    pub at: Timestamp,
}

/// Why a text is no record that can be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is too long.
    #[error("a record may have {LONGEST} bytes; this one has {0}")]
    TooLong(usize),
    /// It is not JSON, or lacks something.
    #[error("{0}")]
    Shape(String),
    /// It is of another format.
    #[error("format: this program reads format {FORMAT}, and the record has format {0}")]
    Format(u64),
    /// A member says what cannot be.
    #[error("{member}: {problem}")]
    Member {
        /// The member.
        member: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl Record {
    /// Reads a record. Whether it holds is another question: see [`replay()`].
    ///
    /// # Errors
    /// What cannot be read, and where.
    pub fn read(json: &[u8]) -> Result<Record, ReadError> {
        if json.len() > LONGEST {
            return Err(ReadError::TooLong(json.len()));
        }
        let text = std::str::from_utf8(json)
            .map_err(|error| ReadError::Shape(format!("byte {}: not valid UTF-8", error.valid_up_to() + 1)))?;
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| ReadError::Shape(error.to_string()))?;
        // Structs are read from lists too, by the place of their members: too easily swapped.
        let serde_json::Value::Object(members) = value else {
            return Err(ReadError::Shape("a record is a JSON object".into()));
        };
        match members.get("format").map(serde_json::Value::as_u64) {
            Some(Some(format)) if format == u64::from(FORMAT) => {}
            Some(Some(format)) => return Err(ReadError::Format(format)),
            _ => return Err(ReadError::Shape("this is no record: the member “format” is missing".into())),
        }
        let record: Record = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
            .map_err(|error| ReadError::Shape(format!("{}: {}", error.path(), error.inner())))?;
        let odd = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit());
        if record.game.len() != 12 || record.game.contains(odd) {
            return Err(ReadError::Member { member: "game", problem: "is not the id of a game".into() });
        }
        Ok(record)
    }

    /// Writes the record as JSON, indented, ended by a line end.
    ///
    /// # Errors
    /// It cannot be written, which does not happen.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }

    /// The name of a side's player, or of the side.
    #[must_use]
    pub fn name(&self, side: crate::rules::Side) -> &str {
        self.players.get(side).as_deref().unwrap_or(side.name())
    }
}

impl RecordedTurn {
    /// A side's sheet.
    #[must_use]
    pub const fn sheet(&self, side: crate::rules::Side) -> &RecordedSheet {
        match side {
            crate::rules::Side::Red => &self.red,
            crate::rules::Side::Blue => &self.blue,
        }
    }
}
