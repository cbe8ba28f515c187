//! What a viewer may know: the one projection from which pages, JSON, letters and
//! pictures are made.
//!
//! A seat knows: the settings, both names, the open standing, all resolved turns, its own
//! sealed sheet, and of the opponent's only that it is sealed, since when, and the seal.

use crate::clock::Timestamp;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{BySide, Chapter, Outcome, Report, Setup, Side, Standing};

/// A game as the holder of one seat may see it.
#[derive(Clone, Debug)]
pub struct SeatView {
    /// The game.
    pub game: GameId,
    /// Whose view it is.
    pub side: Side,
    /// What the game was opened with.
    pub setup: Setup,
    /// The players' names; the opponent's is `None` until the seat is taken.
    pub names: BySide<Option<String>>,
    /// The open standing.
    pub standing: Standing,
    /// The seat's sheet for the awaited turn, if it is sealed.
    pub own: Option<SealedSheet>,
    /// What the opponent's seal shows, if there is one for the awaited turn.
    pub other: Option<Seal>,
    /// Whether the opponent's seat has been taken.
    pub opponent_present: bool,
    /// The open invitation to the opponent's seat; only its inviter sees it.
    pub invitation: Option<Secret>,
    /// Whether this seat invited the opponent and may still unseat them.
    pub may_unseat: bool,
    /// The link to this seat.
    pub link: Secret,
    /// The address that reports go to.
    pub address: Option<String>,
    /// How the game ended.
    pub ended: Option<Ended>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// Numbers of the resolved turns, from 0.
    pub resolved: Vec<u32>,
    /// Rises with every change of the game that this viewer may know of.
    pub version: i64,
}

/// A sheet that lies sealed, for its writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSheet {
    /// The canonical text.
    pub text: String,
    /// Its size in words, `9 orders`.
    pub measure: String,
    /// The seal, which the opponent sees too.
    pub seal: Seal,
    /// The salt of the seal, 32 hexadecimal digits; the opponent learns it with the sheet.
    pub salt: String,
}

/// A seal: proof that a sheet was written before the opponent's was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// SHA-256 in hexadecimal; docs/seals.md has the bytes.
    pub hash: String,
    /// When it was sealed.
    pub at: Timestamp,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it, in a sentence.
    pub how: String,
    /// When.
    pub at: Timestamp,
}

/// A turn that has been resolved.
#[derive(Clone, Debug)]
pub struct TurnView {
    /// Its number, from 0.
    pub turn: u32,
    /// Its name, `Deployment` or `Day 5`.
    pub name: String,
    /// What happened.
    pub report: Report,
    /// What happened, in sentences.
    pub story: Vec<Chapter>,
    /// Both sheets, now open.
    pub sheets: BySide<SealedSheet>,
    /// When it was resolved.
    pub resolved_at: Timestamp,
}

/// A line of "my games".
#[derive(Clone, Debug)]
pub struct GameLine {
    /// The game.
    pub game: GameId,
    /// The seat held in it.
    pub side: Side,
    /// The game's name, `Field Command`.
    pub game_name: &'static str,
    /// Both names.
    pub names: BySide<Option<String>>,
    /// The awaited turn in words.
    pub turn_name: String,
    /// Whether it waits for this seat.
    pub waits_for_me: bool,
    /// How it ended.
    pub ended: Option<Ended>,
}

impl Play {
    /// A game as a seat sees it.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn view(&self, seat: &Seat) -> Result<SeatView, PlayError> {
        let _ = seat;
        todo!()
    }

    /// A resolved turn as a seat sees it.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a turn that has not been resolved.
    pub async fn turn(&self, seat: &Seat, turn: u32) -> Result<TurnView, PlayError> {
        let _ = (seat, turn);
        todo!()
    }

    /// The games in which a session holds seats: those that wait for it first, then the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn games_of(&self, session: &Secret) -> Result<Vec<GameLine>, PlayError> {
        let _ = session;
        todo!()
    }
}
