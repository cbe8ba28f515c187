//! Giving up: the opponent wins at once; sealed sheets of the open turn are erased unread.

use crate::play::game::BY_RESIGNATION;
use crate::play::resolve::LetterKind;
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

    async fn resign_in(&self, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        let (id, now) = (game.id.as_str(), self.clock.now().0);
        let outcome = Outcome::win_of(seat.side().other());
        if !tx.end_game(id, Some(outcome.word()), BY_RESIGNATION, now).await? {
            return Err(PlayError::GameOver);
        }
        tx.erase_sheets(id).await?;
        tx.erase_drafts(id).await?;
        tx.drop_offers(id).await?;
        for side in crate::rules::Side::BOTH {
            tx.withdraw_invitations(id, side.word(), now).await?;
        }
        self.queue_letters(tx, &game, LetterKind::End).await
    }
}
