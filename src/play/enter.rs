//! Coming in: by the link to a seat, by a session's cookie, by the API's token.
//!
//! A session is one browser; it may hold many seats, both sides of one game too.

use crate::play::device::shared_device;
use crate::play::ids::Purpose;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::SeatRow;

impl Play {
    /// Whether the server's key is the one by which the kept links were made. With another one every
    /// link that a page shows would be dead.
    ///
    /// # Errors
    /// The store failed.
    pub async fn key_fits(&self) -> Result<bool, PlayError> {
        let Some(row) = self.store.read(|tx| Box::pin(async move { tx.any_seat().await })).await? else {
            return Ok(true);
        };
        let (Some(game), Some(side)) = (GameId::parse(&row.game_id), Side::from_word(&row.side)) else {
            return Err(PlayError::Broken("seat".into()));
        };
        Ok(self.key.derive(Purpose::Link, &game, side, row.link_generation).has_hash(&row.link_hash))
    }

    /// The seat that a link opens.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a link that opens nothing (any more).
    pub async fn seat_of_link(&self, secret: &Secret) -> Result<Seat, PlayError> {
        let hash = secret.hash();
        let row = self.store.look_up(move |tx| Box::pin(async move { tx.seat_by_link(&hash).await })).await?;
        row.as_ref().and_then(taken_seat).ok_or(PlayError::NotFound)
    }

    /// Remembers a proven seat in a session; without one, or with one that is unknown, in a new one.
    /// Gives the session's secret for the cookie.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remember(&self, seat: &Seat, session: Option<&Secret>) -> Result<Secret, PlayError> {
        let fresh = Secret::draw(&self.chance);
        let (now, seat, session) = (self.clock.now().0, seat.clone(), session.cloned());
        self.store
            .write(move |tx| {
                let (fresh, seat, session) = (fresh.clone(), seat.clone(), session.clone());
                Box::pin(async move {
                    let known = match session {
                        Some(session) if tx.session_exists(&session.hash()).await? => session,
                        _ => {
                            tx.insert_session(&fresh.hash(), now).await?;
                            fresh
                        }
                    };
                    tx.hold_seat(&known.hash(), seat.game().as_str(), seat.side().word(), now).await?;
                    Ok(known)
                })
            })
            .await
    }

    /// The seat of a game that a session holds. Every page of a seat asks here, so this is the one place where
    /// a device that both sides share shows nothing to the side that does not sit at it.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where it holds none, or the game does not exist; [`PlayError::HandedOver`] where
    /// it holds both seats of a game at one device and this side does not sit there.
    pub async fn seat_of_session(&self, session: &Secret, game: &GameId, side: Side) -> Result<Seat, PlayError> {
        let (hash, game) = (session.hash(), game.clone());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let id = game.as_str();
                    let generation = tx.holds_seat(&hash, id, side.word()).await?.ok_or(PlayError::NotFound)?;
                    match shared_device(tx, &hash, id).await? {
                        Some(device) if device.sitting != Some(side) => Err(PlayError::HandedOver(game)),
                        _ => Ok(Seat::new(game, side, generation)),
                    }
                })
            })
            .await
    }

    /// The seat of a game that a token opens. The token is the secret of the seat's link.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where it opens another seat or none.
    pub async fn seat_of_token(&self, token: &Secret, game: &GameId, side: Side) -> Result<Seat, PlayError> {
        let id = game.to_string();
        let row = self.store.look_up(move |tx| Box::pin(async move { tx.seat(&id, side.word()).await })).await?;
        row.filter(|row| token.has_hash(&row.link_hash)).as_ref().and_then(taken_seat).ok_or(PlayError::NotFound)
    }
}

/// A seat that somebody holds; a free one opens to nobody, though its link is known to the server.
fn taken_seat(row: &SeatRow) -> Option<Seat> {
    row.taken_at?;
    Some(Seat::new(GameId::parse(&row.game_id)?, Side::from_word(&row.side)?, row.link_generation))
}
