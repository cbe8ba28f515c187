//! Invitations: looking at one, taking its seat, withdrawing it, and unseating a wrong taker.
//!
//! An invitation is taken once. Looking changes nothing.

use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{Setup, Side};

/// What an invitation shows to whoever opens it.
#[derive(Clone, Debug)]
pub struct InvitationView {
    /// The game.
    pub game: GameId,
    /// The side that is free.
    pub side: Side,
    /// What the game was opened with.
    pub setup: Setup,
    /// The inviter's name.
    pub from: Option<String>,
    /// Whether the one who looks holds the inviter's seat: then it is for somebody else.
    pub own: bool,
}

/// A seat that has been taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The game.
    pub game: GameId,
    /// The side.
    pub side: Side,
    /// The secret of the seat: link and API token.
    pub link: Secret,
}

impl Play {
    /// Looks at an invitation. `session` tells whether the inviter himself looks.
    ///
    /// # Errors
    /// [`PlayError::SeatTaken`], [`PlayError::InvitationWithdrawn`], [`PlayError::NotFound`].
    pub async fn invitation(&self, secret: &Secret, session: Option<&Secret>) -> Result<InvitationView, PlayError> {
        let _ = (secret, session);
        todo!()
    }

    /// Takes the seat of an invitation.
    ///
    /// # Errors
    /// As [`Play::invitation`]; also a name that is too long.
    pub async fn take_seat(&self, secret: &Secret, name: &str) -> Result<Taken, PlayError> {
        let _ = (secret, name);
        todo!()
    }

    /// Withdraws the open invitation to the opponent's seat and makes a new one. The old link
    /// opens nothing any more.
    ///
    /// # Errors
    /// [`PlayError::SeatTaken`] when the seat is taken; [`PlayError::NotFound`] for who did not invite.
    pub async fn withdraw_invitation(&self, seat: &Seat) -> Result<(), PlayError> {
        let _ = seat;
        todo!()
    }

    /// Unseats the opponent, drops their sheet unread, and makes a new invitation.
    ///
    /// # Errors
    /// [`PlayError::Begun`] once the deployments are revealed; [`PlayError::NotFound`] for who did not invite.
    pub async fn unseat(&self, seat: &Seat) -> Result<(), PlayError> {
        let _ = seat;
        todo!()
    }
}
