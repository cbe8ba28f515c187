//! Moving a deadline, nearer or farther. An organiser's word counts whatever absences say.

use crate::clock::Timestamp;
use crate::play::admin::{Done, checked_moment, wrong};
use crate::play::game::Game;
use crate::play::{Play, PlayError};
use crate::store::Writer;

/// How near a deadline may be moved, in milliseconds: 10 minutes.
const NEAREST: i64 = 10 * 60_000;

impl Play {
    pub(super) async fn move_deadline(&self, tx: &mut Writer, game: &Game, due: Timestamp) -> Result<Done, PlayError> {
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        if !game.has_deadlines() {
            return Err(PlayError::NoDeadlines);
        }
        let before = game.due.ok_or_else(|| wrong("due_at", "cannot be: nothing is due while a seat is free"))?;
        let now = self.clock.now();
        let due = checked_moment("due_at", due, now)?;
        if due.0 - now.0 < NEAREST {
            return Err(wrong("due_at", "is less than 10 minutes from now"));
        }
        if game.pause(now).is_some_and(|until| due < until) {
            return Err(wrong("due_at", "lies within the pause: let the game go on first"));
        }
        self.set_due(tx, game, Some(due)).await?;
        let about = format!("{} is due {due} instead of {before}", game.standing.turn_name());
        Ok(Done::in_game("deadline_moved", game, None, about))
    }
}
