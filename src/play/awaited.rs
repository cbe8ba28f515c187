//! Telling a seat by letter what is awaited of it, where no report does: the game begins, or the address is new.

use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::Writer;

impl Play {
    /// Queues the letter that tells both seats of a game what is awaited.
    pub(in crate::play) async fn tell_both_awaited(&self, tx: &mut Writer, game: &str) -> Result<(), PlayError> {
        for side in Side::BOTH {
            self.tell_awaited(tx, game, side).await?;
        }
        Ok(())
    }

    /// Queues the letter that tells a seat what is awaited, if something is, both seats are taken, and nothing is sealed.
    pub(in crate::play) async fn tell_awaited(&self, tx: &mut Writer, game: &str, side: Side) -> Result<(), PlayError> {
        let game = Game::read(&tx.game(game).await?.ok_or(PlayError::NotFound)?)?;
        let id = game.id.as_str();
        if game.ended.is_some() || game.device.is_some() || !*game.standing.awaits().get(side) {
            return Ok(());
        }
        let all_taken = tx.seats(id).await?.iter().all(|seat| seat.taken_at.is_some());
        if !all_taken || tx.seal(id, side.word()).await?.is_some() {
            return Ok(());
        }
        self.queue_letter(tx, &game, side, LetterKind::Open, 0).await
    }
}
