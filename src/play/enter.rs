//! Coming in: by the link to a seat, by a session's cookie, by the API's token.
//!
//! A session is one browser; it may hold many seats, both sides of one game too.

use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;

impl Play {
    /// The seat that a link opens.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a link that opens nothing (any more).
    pub async fn seat_of_link(&self, secret: &Secret) -> Result<Seat, PlayError> {
        let _ = secret;
        todo!()
    }

    /// Remembers a proven seat in a session; without one, or with one that is unknown, in a new one.
    /// Gives the session's secret for the cookie.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remember(&self, seat: &Seat, session: Option<&Secret>) -> Result<Secret, PlayError> {
        let _ = (seat, session);
        todo!()
    }

    /// The seat of a game that a session holds.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where it holds none, or the game does not exist.
    pub async fn seat_of_session(&self, session: &Secret, game: &GameId, side: Side) -> Result<Seat, PlayError> {
        let _ = (session, game, side);
        todo!()
    }

    /// The seat of a game that a token opens. The token is the secret of the seat's link.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where it opens another seat or none.
    pub async fn seat_of_token(&self, token: &Secret, game: &GameId, side: Side) -> Result<Seat, PlayError> {
        let _ = (token, game, side);
        todo!()
    }
}
