//! What a seat has watched: a resolved turn is shown step by step first, and its result is kept
//! from the pages until then. It is kept with the seat, so it is the same on every device.
//!
//! Nothing here changes a game or tells the opponent anything. Turn 0 reveals what both sides
//! wrote and nothing moves, so there is nothing to watch.

use crate::play::view::{TurnView, turn_in};
use crate::play::{Play, PlayError, Seat};
use crate::store::{SeatRow, Writer};

/// The first turn that a seat has not watched, where `awaited` is the turn that a game waits for.
pub(in crate::play) fn unwatched(seat: &SeatRow, awaited: u32) -> Option<u32> {
    let seen = seat.seen_turn.and_then(|turn| u32::try_from(turn).ok()).unwrap_or(0);
    let first = seen.saturating_add(1);
    (seat.result_first_at.is_none() && first < awaited).then_some(first)
}

impl Play {
    /// The first turn that a seat has not watched; `None` if nothing is held back from it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn unwatched(&self, seat: &Seat) -> Result<Option<u32>, PlayError> {
        Ok(self.view(seat).await?.unwatched)
    }

    /// Marks the turns up to one as watched. Doing so again changes nothing, and what was watched stays so.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a turn that has not been resolved.
    pub async fn saw(&self, seat: &Seat, turn: u32) -> Result<(), PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), seat.clone());
                Box::pin(async move {
                    let game = play.lock(tx, seat.game().as_str()).await?;
                    play.still_held(tx, &seat).await?;
                    if turn >= game.standing.turn() {
                        return Err(PlayError::NotFound);
                    }
                    mark(tx, &seat, i64::from(turn)).await?;
                    // At a shared device both sides look at one screen.
                    if game.device.is_some() {
                        tx.mark_seen(game.id.as_str(), seat.side().other().word(), i64::from(turn)).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Sets whether a seat wants results at once, without watching. What is resolved by the time of either
    /// change is not held back afterwards.
    ///
    /// # Errors
    /// The store failed.
    pub async fn result_first(&self, seat: &Seat, wanted: bool) -> Result<(), PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), seat.clone());
                Box::pin(async move { play.result_first_in(tx, &seat, wanted).await })
            })
            .await
    }

    async fn result_first_in(&self, tx: &mut Writer, seat: &Seat, wanted: bool) -> Result<(), PlayError> {
        let (id, side) = (seat.game().as_str(), seat.side().word());
        let game = self.lock(tx, id).await?;
        self.still_held(tx, seat).await?;
        let before = tx.seat(id, side).await?.ok_or(PlayError::NotFound)?.result_first_at;
        if before.is_some() == wanted {
            return Ok(());
        }
        mark(tx, seat, game.turn() - 1).await?;
        tx.set_result_first(id, side, wanted.then(|| self.clock.now().0)).await?;
        Ok(())
    }

    /// All turns that a seat may read about: the resolved ones up to the first that it has not watched.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn watched_turns(&self, seat: &Seat) -> Result<Vec<TurnView>, PlayError> {
        let view = self.view(seat).await?;
        let end = view.unwatched.unwrap_or(view.standing.turn());
        let seat = seat.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut turns = Vec::new();
                    for turn in 0..end {
                        turns.push(turn_in(tx, seat.game(), turn).await?);
                    }
                    Ok::<_, PlayError>(turns)
                })
            })
            .await
    }
}

async fn mark(tx: &mut Writer, seat: &Seat, turn: i64) -> Result<(), PlayError> {
    tx.mark_seen(seat.game().as_str(), seat.side().word(), turn).await?;
    Ok(())
}
