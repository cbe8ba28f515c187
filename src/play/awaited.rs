//! Telling a seat by letter what is awaited of it, where no report does: the game begins, or the address is new.

use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::Writer;

impl Play {
    /// Queues the letter that tells both seats of a game what is awaited; not for whom it has told already.
    pub(in crate::play) async fn tell_both_awaited(&self, tx: &mut Writer, game: &str) -> Result<(), PlayError> {
        for side in Side::BOTH {
            self.tell_one(tx, game, side, false).await?;
        }
        Ok(())
    }

    /// Queues the letter that tells a seat with a new address what is awaited, if something is, both seats are taken, and
    /// nothing is sealed.
    pub(in crate::play) async fn tell_awaited(&self, tx: &mut Writer, game: &str, side: Side) -> Result<(), PlayError> {
        self.tell_one(tx, game, side, true).await
    }

    async fn tell_one(&self, tx: &mut Writer, game: &str, side: Side, anew: bool) -> Result<(), PlayError> {
        let game = Game::read(&tx.game(game).await?.ok_or(PlayError::NotFound)?)?;
        let id = game.id.as_str();
        if game.ended.is_some() || game.device.is_some() || !*game.standing.awaits().get(side) {
            return Ok(());
        }
        let seats = tx.seats(id).await?;
        if seats.iter().any(|seat| seat.taken_at.is_none()) || tx.seal(id, side.word()).await?.is_some() {
            return Ok(());
        }
        let kind = LetterKind::Open;
        let told = tx.readers_of_kind(id, game.turn(), side.word(), kind.word()).await?;
        let reader = seats.into_iter().find(|seat| seat.side == side.word()).and_then(|seat| seat.person_id);
        if !anew && told.contains(&reader) {
            return Ok(());
        }
        // Who has taken the seat over within the turn has not read what the one before was told.
        let number = i64::try_from(told.len()).unwrap_or(i64::MAX);
        self.queue_letter(tx, &game, side, kind, number).await
    }
}
