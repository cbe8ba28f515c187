//! Games without deadlines that lie still: either side may close one as unfinished after 60 days.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::absence::DAY;
use crate::play::game::{Game, UNFINISHED};
use crate::play::{Play, PlayError, Seat};

/// After so many days in which no turn was resolved and no seat taken a game without deadlines may be closed.
pub const CLOSING_DAYS: i64 = 60;

/// From when a game may be closed as unfinished; `None` where it has deadlines or is over.
pub(in crate::play) fn closes_from(game: &Game) -> Option<Timestamp> {
    let open = game.pace == Pace::Open && game.ended.is_none();
    open.then(|| Timestamp(game.moved.0 + CLOSING_DAYS * DAY))
}

impl Play {
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
