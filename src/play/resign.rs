//! Giving up: the opponent wins at once; sealed sheets of the open turn are erased unread.

use crate::play::game::BY_RESIGNATION;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Outcome;
use crate::store::Writer;

impl Play {
    /// Resigns.
    ///
    /// # Errors
    /// [`PlayError::GameOver`].
    pub async fn resign(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.resign_in(tx, &seat).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    pub(in crate::play) async fn resign_in(&self, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        self.end(tx, &game, Some(Outcome::win_of(seat.side().other())), BY_RESIGNATION).await
    }
}
