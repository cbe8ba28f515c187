//! What became of a seat's letters, for its player alone.

use crate::clock::Timestamp;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Setup;
use crate::store::LetterRecord;

/// How many letters are shown.
const SHOWN: i64 = 200;

/// A letter as its reader may know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterLine {
    /// What it is.
    pub kind: LetterKind,
    /// The turn that was awaited when it was queued.
    pub turn: Option<u32>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// What became of it.
    pub fate: LetterFate,
    /// How often it has been tried.
    pub attempts: u32,
}

/// What became of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LetterFate {
    /// It waits for its time.
    Waits {
        /// When it is tried (again).
        until: Timestamp,
        /// What went wrong at the last try.
        why: Option<String>,
    },
    /// The mail server has it.
    Sent(Timestamp),
    /// It was given up.
    GivenUp {
        /// When.
        at: Timestamp,
        /// Why.
        why: String,
    },
    /// It had left and came back.
    CameBack {
        /// When it had left.
        sent: Option<Timestamp>,
        /// When it came back.
        at: Timestamp,
        /// Whether for good.
        hard: bool,
        /// What the other side said.
        why: String,
    },
}

impl LetterFate {
    pub(in crate::play) fn of(row: &LetterRecord) -> LetterFate {
        let why = |text: &Option<String>| text.clone().unwrap_or_default();
        match (row.returned_at, row.sent_at, row.failed_at) {
            // The mail server refused its reader: it never left.
            (_, None, Some(at)) => LetterFate::GivenUp { at: Timestamp(at), why: why(&row.last_error) },
            (Some(at), sent, _) => LetterFate::CameBack {
                sent: sent.map(Timestamp),
                at: Timestamp(at),
                hard: row.returned_hard_at.is_some(),
                why: why(&row.returned_why),
            },
            (None, Some(at), _) => LetterFate::Sent(Timestamp(at)),
            (None, None, None) => LetterFate::Waits { until: Timestamp(row.due_at), why: row.last_error.clone() },
        }
    }

    /// The word in the API.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            LetterFate::Waits { .. } => "waits",
            LetterFate::Sent(_) => "sent",
            LetterFate::GivenUp { .. } => "given_up",
            LetterFate::CameBack { .. } => "came_back",
        }
    }

    /// When that was, or will be.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        match self {
            LetterFate::Waits { until: at, .. }
            | LetterFate::Sent(at)
            | LetterFate::GivenUp { at, .. }
            | LetterFate::CameBack { at, .. } => *at,
        }
    }

    /// What went wrong, if anything did.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            LetterFate::Waits { why, .. } => why.as_deref(),
            LetterFate::Sent(_) => None,
            LetterFate::GivenUp { why, .. } | LetterFate::CameBack { why, .. } => Some(why),
        }
    }
}

impl LetterLine {
    fn read(row: &LetterRecord) -> Result<LetterLine, PlayError> {
        let broken = || PlayError::Broken("letter".into());
        Ok(LetterLine {
            kind: LetterKind::from_word(&row.kind).ok_or_else(broken)?,
            turn: row.turn.and_then(|turn| u32::try_from(turn).ok()),
            queued_at: Timestamp(row.created_at),
            fate: LetterFate::of(row),
            attempts: u32::try_from(row.attempts).unwrap_or(0),
        })
    }

    /// The turn that it was about, in words.
    #[must_use]
    pub fn turn_name(&self, setup: &Setup) -> String {
        self.turn.map(|turn| setup.turn_name(turn)).unwrap_or_default()
    }
}

impl Play {
    /// The last letters about the game that were queued for the player of a seat, the newest first.
    ///
    /// # Errors
    /// The store failed, or its records cannot be read.
    pub async fn letters(&self, seat: &Seat) -> Result<Vec<LetterLine>, PlayError> {
        let seat = seat.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let rows = tx.letters_of_seat(seat.game().as_str(), seat.side().word(), SHOWN).await?;
                    rows.iter().map(LetterLine::read).collect()
                })
            })
            .await
    }
}
