//! What can be wrong with a request, in the player's words. The doors map it once:
//! pages to a page, the API to problem JSON, mail to a refusal.

use crate::play::GameId;
use crate::rules::TextError;
use crate::store::StoreError;

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// There is no such game, day or seat, or it is not the asker's: the answer is the same.
    #[error("There is nothing here, or it is not yours to see.")]
    NotFound,
    /// Both sides of the game sit at one device, and the other one sits there now, or nobody.
    #[error("The device is with the other side, or on its way there.")]
    HandedOver(GameId),
    /// The invitation has been taken by somebody.
    #[error("This invitation has been taken already. If it was you, use the link to your seat.")]
    SeatTaken,
    /// The invitation was withdrawn.
    #[error("This invitation has been withdrawn. Ask your friend for the new link.")]
    InvitationWithdrawn,
    /// A link that was mailed has been used, or it has ended.
    #[error("This link has been used already, or its time is over. Ask for a new letter.")]
    LinkOver,
    /// A wrong taker can be unseated only before the deployments are revealed.
    #[error("The game has begun: nobody can be unseated any more.")]
    Begun,
    /// The sheet was for a turn that is over.
    #[error("{name} has been resolved; this sheet was not used.")]
    TurnOver {
        /// The number of the turn that was meant.
        turn: u32,
        /// The turn in words, `Day 5`.
        name: String,
    },
    /// The sheet was for a turn that has not come.
    #[error("{name} has not begun; {now} is awaited.")]
    TurnAhead {
        /// The turn that was meant, in words.
        name: String,
        /// The turn that is awaited, in words.
        now: String,
    },
    /// The text cannot be read as a sheet.
    #[error("{0}")]
    Text(TextError),
    /// The text holds nothing, and nobody said that this is meant.
    #[error("There are no orders in this text. To seal an empty list, say so: tick the box, or write HOLD.")]
    EmptyNotMeant,
    /// Sealing now would resolve the turn, and the writer did not know that.
    #[error("{other} has sealed: your seal resolves the turn{}. Look once more and confirm.", after(*.minutes))]
    WouldResolve {
        /// The opponent's name.
        other: &'static str,
        /// For how many minutes both may still replace their sheets then.
        minutes: u32,
    },
    /// The opponent does not stay away, or has come back.
    #[error("There is nothing to claim: your opponent has not missed as many turns as the game allows, or is back.")]
    NoClaim,
    /// A hint in a running game between two people.
    #[error(
        "There are hints in games against the computer, where both sides sit at one device, and after the end: not while two people play each other."
    )]
    NoHint,
    /// The game has no deadlines, so there are none to be moved.
    #[error("This game has no deadlines: nobody need announce an absence or agree on a pause.")]
    NoDeadlines,
    /// No pause is offered, or another one.
    #[error("This pause is not offered, or not any more.")]
    NoOffer,
    /// The game has not lain still for long enough.
    #[error("Only a game without deadlines that has lain still for 60 days can be closed as unfinished.")]
    NotIdle,
    /// Another device has changed the draft meanwhile.
    #[error("This sheet was changed on another device meanwhile; nothing was kept.")]
    DraftChanged,
    /// An offer that cannot be made or answered now.
    #[error("{0}")]
    Offer(String),
    /// An open challenge was taken, has ended or was withdrawn, or is not for the asker: the answer is the same.
    #[error("This challenge is open no more: somebody has taken the seat, or its time is over.")]
    ChallengeOver,
    /// There is no way from this game to another one between the same two, for whatever reason.
    #[error(
        "This game leads to no other one between the two of you. A new game, with an invitation to whomever you like, is open to you."
    )]
    NoRematch,
    /// Blocking goes from person to person, and somebody without a confirmed address is nobody that the server knows.
    #[error("Blocking needs a confirmed e-mail address on both seats of the game.")]
    NoAddressToBlock,
    /// A message to the opponent holds what could be read as a sheet, and nobody said that this is meant.
    #[error("This looks like orders or a deployment. Send it to your opponent all the same?")]
    LooksLikeSheet,
    /// Too much of something in too short a time.
    #[error("{0} Please try again later.")]
    TooMany(&'static str),
    /// No token of an organiser, or one that was revoked or has ended.
    #[error("This token opens nothing: it was mistyped, or revoked, or its time is over.")]
    NoToken,
    /// A token that is for less than what it was used for.
    #[error("This token is for less: that needs the scope “{0}”.")]
    Scope(&'static str),
    /// An organiser acts on a game of their own.
    #[error("You play in this game yourself: another organiser has to do this.")]
    OwnGame,
    /// The game is not what the asker has seen any more.
    #[error("The game has changed since you looked at it; nothing was done. Look again.")]
    Stale,
    /// The key of a request was used for another one.
    #[error("This key was used for another request. Give each request a key of its own.")]
    KeyReused,
    /// The game is over.
    #[error("The game is over.")]
    GameOver,
    /// A field is not as it should be.
    #[error("{field}: {problem}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The database did not do its part; nothing was changed.
    #[error("The server could not keep this just now; nothing was changed. Please try again.")]
    Store(#[from] StoreError),
    /// What was kept cannot be read any more.
    #[error("The server cannot read its own records of this game. Nothing was changed; the organiser has to look.")]
    Broken(String),
}

impl PlayError {
    /// What went wrong, for logs: what players read of a failure of the server's says nothing of its cause.
    #[must_use]
    pub fn cause(&self) -> &dyn std::fmt::Display {
        match self {
            PlayError::Store(cause) => cause,
            PlayError::Broken(cause) => cause,
            error => error,
        }
    }
}

/// The time for second thoughts, as the end of a sentence; nothing where there is none.
fn after(minutes: u32) -> String {
    if minutes == 0 { String::new() } else { format!(", {minutes} minutes later") }
}

impl From<TextError> for PlayError {
    fn from(error: TextError) -> Self {
        PlayError::Text(error)
    }
}

impl crate::store::WorkError for PlayError {
    fn store_error(&self) -> Option<&StoreError> {
        match self {
            PlayError::Store(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_say_what_players_are_not_told() {
        let said = |error: PlayError| (error.to_string(), error.cause().to_string());
        let (told, cause) = said(PlayError::Broken("standing: expected value at line 1".into()));
        assert!(!told.contains("line 1") && cause == "standing: expected value at line 1");
        let (told, cause) = said(PlayError::GameOver);
        assert_eq!(told, cause);
    }
}
