//! What is answered to a mail, and what a seat is asked by it. Words are for the letter to find.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::play::seal::Receipt;
use crate::rules::{Check, Side, Standing};

/// A line of a sheet, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The canonical text.
    pub text: String,
    /// Whether it is carried out.
    pub legal: bool,
    /// What will become of it, in a sentence.
    pub note: String,
}

impl Line {
    /// The lines of a checked sheet.
    pub(super) fn of(check: &Check) -> Vec<Line> {
        let line = |line: &crate::rules::CheckedLine| Line {
            text: line.text.clone(),
            legal: line.legal,
            note: line.note.clone(),
        };
        check.lines.iter().map(line).collect()
    }
}

/// A part of an answer. All of it is for the writer of the mail alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// A sheet is sealed.
    Sealed {
        /// The turn in words.
        turn: String,
        /// Its lines.
        lines: Vec<Line>,
        /// What was sealed, in canonical writing.
        text: String,
        /// The seal.
        hash: String,
        /// The salt of the seal.
        salt: String,
        /// When it was sealed, UTC milliseconds.
        at: i64,
        /// Whether the turn was resolved with it.
        resolved: bool,
        /// Until when it may still be replaced, where both are in.
        settles: Option<i64>,
    },
    /// A sheet waits for a `YES`; it is kept as the draft.
    Asks {
        /// The turn in words.
        turn: String,
        /// Its lines.
        lines: Vec<Line>,
        /// What of the mail could not be read.
        unread: Vec<String>,
        /// Whether another sheet is sealed and stays so meanwhile.
        sealed_before: bool,
    },
    /// Nothing was done.
    Refused {
        /// Why.
        problem: String,
        /// What was written, to be corrected.
        text: String,
        /// Whether a sheet was sealed before and stays so.
        sealed_before: bool,
    },
    /// Nothing of the mail could be read, or some lines could not.
    Unread(Vec<String>),
    /// The seal was taken back, if there was one, and the draft emptied.
    Cleared {
        /// Whether there was a seal.
        sealed_before: bool,
    },
    /// The opponent reads it.
    Said(String),
    /// It looks like a sheet: whether it is to go to the opponent all the same.
    AsksToSay(String),
    /// Whether the game is to be given up.
    AsksToResign,
    /// That another question is to be answered before a message goes to the opponent that looks like a sheet.
    SayWaits(String),
    /// That another question is to be answered before the game is given up.
    ResignWaits,
    /// It is given up.
    Resigned,
    /// A draw is offered.
    DrawOffered,
    /// The draw that was offered is agreed.
    DrawAgreed,
    /// The draw that was offered is declined, or the offer withdrawn.
    DrawDeclined,
    /// There is nothing to say yes to.
    NothingAsked,
    /// The `YES` answers a letter from before what was asked last.
    OlderLetter,
    /// The turn that the mail answers is over.
    Late {
        /// That turn in words.
        turn: String,
    },
    /// Where the game stands.
    Status,
    /// Where all games of the person stand.
    StatusOfAll,
    /// The board.
    Map,
    /// What can be written.
    Help,
    /// The domain of the sender disowns a mail.
    Disowned {
        /// The sender.
        from: String,
    },
}

impl Reply {
    /// The receipt of a sealed sheet. `standing` is the one that it was sealed for.
    pub(super) fn sealed(standing: &Standing, side: Side, receipt: Receipt) -> Reply {
        let check = standing.parse(side, &receipt.text).ok().map(|sheet| standing.check(side, &sheet));
        Reply::Sealed {
            turn: standing.setup().turn_name(receipt.turn),
            lines: check.as_ref().map(Line::of).unwrap_or_default(),
            text: receipt.text,
            hash: receipt.seal.hash,
            salt: receipt.salt,
            at: receipt.seal.at.0,
            resolved: receipt.resolved,
            settles: receipt.settles.map(|Timestamp(at)| at),
        }
    }
}

/// What a seat answers by `YES`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    /// Whether this sheet is to be sealed.
    Seal(String),
    /// Whether the opponent is to read this.
    Say(String),
    /// Whether the game is to be given up.
    Resign,
}

/// Writes what [`read`] reads.
pub(super) fn written<T: Serialize + ?Sized>(what: &T) -> Result<String, PlayError> {
    serde_json::to_string(what).map_err(|error| PlayError::Broken(error.to_string()))
}

/// Reads what is kept of questions and answers.
pub(in crate::play) fn read<T: DeserializeOwned>(kept: &str) -> Result<T, PlayError> {
    serde_json::from_str(kept).map_err(|_| PlayError::Broken("answer".into()))
}
