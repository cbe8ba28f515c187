//! A pause by agreement: one offers it, the other accepts, and nothing is due until it ends.
//!
//! Two seals still resolve a turn. An offer that is not accepted lapses when the turn is resolved. At the end of the pause
//! the turn has the time that was left of it, 12 hours at least.

use crate::clock::Timestamp;
use crate::play::absence::{DAY, clear_of};
use crate::play::game::Offered;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError, Seat};

/// The longest pause, in days.
pub const LONGEST_DAYS: i64 = 60;

fn wrong(problem: impl Into<String>) -> PlayError {
    PlayError::Field { field: "until", problem: problem.into() }
}

impl Play {
    /// Offers a pause, in place of one that this seat offered before.
    ///
    /// # Errors
    /// [`PlayError::Field`] of `until`, also where there is a pause or the other side offers one; [`PlayError::NoDeadlines`];
    /// [`PlayError::GameOver`].
    pub async fn offer_pause(&self, seat: &Seat, until: Timestamp) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_timed(tx, &seat).await?;
                    let (id, now) = (game.id.as_str(), play.clock.now());
                    let until = Timestamp(until.0 / 1000 * 1000);
                    if game.due.is_none() {
                        return Err(wrong("cannot be: nobody sits opposite, so nothing is due"));
                    }
                    let theirs = tx.seat(id, seat.side().other().word()).await?;
                    if theirs.is_some_and(|theirs| theirs.computer.is_some()) {
                        return Err(wrong("cannot be: the computer agrees to no pause; you may announce an absence"));
                    }
                    if game.pause(now).is_some() {
                        return Err(wrong("cannot be: the game is paused already"));
                    }
                    if game.offer(now).is_some_and(|offered| offered.by != seat.side()) {
                        return Err(wrong("cannot be: the other side offers a pause; accept or decline that first"));
                    }
                    if until <= now || until.0 - now.0 > LONGEST_DAYS * DAY {
                        return Err(wrong(format!("is not between now and {LONGEST_DAYS} days from now")));
                    }
                    tx.set_offer(id, Some((seat.side().word(), until.0))).await?;
                    play.queue_letter(tx, &game, seat.side().other(), LetterKind::PauseOffer, 0).await?;
                    Ok::<_, PlayError>(tx.touch_game(id).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Accepts the pause until `until` that the other side offers.
    ///
    /// # Errors
    /// [`PlayError::NoOffer`] where it offers none, or another; [`PlayError::NoDeadlines`]; [`PlayError::GameOver`].
    pub async fn accept_pause(&self, seat: &Seat, until: Timestamp) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_timed(tx, &seat).await?;
                    let (id, now) = (game.id.as_str(), play.clock.now());
                    let offered = Offered { by: seat.side().other(), until };
                    let due = game.due.filter(|_| game.offer(now) == Some(offered)).ok_or(PlayError::NoOffer)?;
                    tx.set_offer(id, None).await?;
                    tx.set_paused(id, Some(until.0)).await?;
                    let resumed = game.pace.resumed(until, due.0 - now.0);
                    let absences = tx.absences(id).await?;
                    play.set_due(tx, &game, resumed.map(|due| clear_of(due, &absences))).await?;
                    Ok::<_, PlayError>(tx.touch_game(id).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Drops the pause that is offered: declined by the other side, or withdrawn by its own.
    ///
    /// # Errors
    /// [`PlayError::NoOffer`] where none is offered; [`PlayError::NoDeadlines`]; [`PlayError::GameOver`].
    pub async fn drop_pause(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_timed(tx, &seat).await?;
                    game.offer(play.clock.now()).ok_or(PlayError::NoOffer)?;
                    tx.set_offer(game.id.as_str(), None).await?;
                    Ok::<_, PlayError>(tx.touch_game(game.id.as_str()).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }
}
