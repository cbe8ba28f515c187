//! Pausing a game, and letting it go on. Two seals still resolve a turn.

use crate::clock::Timestamp;
use crate::play::admin::{Done, checked_moment, wrong};
use crate::play::game::Game;
use crate::play::{Play, PlayError};
use crate::store::Writer;

impl Play {
    /// What is left of the turn's time runs after the pause, 12 hours at least.
    pub(super) async fn pause_game(&self, tx: &mut Writer, game: &Game, until: Timestamp) -> Result<Done, PlayError> {
        timed(game)?;
        let (id, now) = (game.id.as_str(), self.clock.now());
        if game.pause(now).is_some() {
            return Err(wrong("until", "cannot be: the game is paused already; let it go on first"));
        }
        let until = checked_moment("until", until, now)?;
        tx.set_offer(id, None).await?;
        tx.set_paused(id, Some(until.0)).await?;
        if let Some(due) = game.due {
            self.set_due(tx, game, game.pace.resumed(until, due.0 - now.0)).await?;
        }
        Ok(Done::in_game("paused", game, None, format!("nothing is due until {until}")))
    }

    /// The turn has the time that it would have had after the pause.
    pub(super) async fn resume_game(&self, tx: &mut Writer, game: &Game) -> Result<Done, PlayError> {
        timed(game)?;
        let now = self.clock.now();
        let until = game.pause(now).ok_or_else(|| wrong("game", "is not paused"))?;
        tx.set_paused(game.id.as_str(), None).await?;
        let due = game.due.and_then(|due| game.pace.resumed(now, due.0 - until.0));
        self.set_due(tx, game, due).await?;
        let about = match due {
            Some(due) => format!("the pause is over; {} is due {due}", game.standing.turn_name()),
            None => "the pause is over".to_owned(),
        };
        Ok(Done::in_game("resumed", game, None, about))
    }
}

/// A game that goes on and has deadlines.
fn timed(game: &Game) -> Result<(), PlayError> {
    if game.ended.is_some() {
        return Err(PlayError::GameOver);
    }
    if game.has_deadlines() { Ok(()) } else { Err(PlayError::NoDeadlines) }
}
