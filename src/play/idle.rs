//! Games without deadlines that lie still: either side may close one as unfinished after 60 days. One against a computer
//! is closed by itself then.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::absence::DAY;
use crate::play::game::{Game, UNFINISHED};
use crate::play::{Play, PlayError, Seat};
use crate::store::{Reader, Writer};

/// After so many days in which no turn was resolved and no seat taken a game without deadlines may be closed.
pub const CLOSING_DAYS: i64 = 60;

/// From when a game may be closed as unfinished; `None` where it has deadlines or is over.
pub(in crate::play) fn closes_from(game: &Game) -> Option<Timestamp> {
    let open = game.pace == Pace::Open && game.ended.is_none();
    open.then(|| Timestamp(game.moved.0 + CLOSING_DAYS * DAY))
}

/// Whether a computer plays in a game.
pub(in crate::play) async fn has_computer(tx: &mut Reader, game: &Game) -> Result<bool, PlayError> {
    Ok(tx.seats(game.id.as_str()).await?.iter().any(|seat| seat.computer.is_some()))
}

impl Play {
    /// Closes a locked game against a computer that has lain still, without a letter: nobody waits for it. Says whether it did.
    pub(in crate::play) async fn close_forgotten(&self, tx: &mut Writer, game: &Game) -> Result<bool, PlayError> {
        let forgotten = closes_from(game).is_some_and(|from| from <= self.clock.now());
        if !forgotten || !has_computer(tx, game).await? {
            return Ok(false);
        }
        self.end_unannounced(tx, game, None, UNFINISHED).await?;
        Ok(true)
    }

    /// Closes a game that has lain still, without a result.
    ///
    /// # Errors
    /// [`PlayError::NotIdle`] before its time and in games with deadlines, [`PlayError::GameOver`].
    pub async fn close_unfinished(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock(tx, seat.game().as_str()).await?;
                    play.still_held(tx, &seat).await?;
                    if game.ended.is_some() {
                        return Err(PlayError::GameOver);
                    }
                    if closes_from(&game).is_none_or(|from| from > play.clock.now()) {
                        return Err(PlayError::NotIdle);
                    }
                    play.end(tx, &game, None, UNFINISHED).await
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }
}
