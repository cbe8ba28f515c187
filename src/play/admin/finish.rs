//! Ending a game by an organiser's word. Sheets and drafts of the awaited turn are erased unread.

use crate::play::admin::{Done, no_player_of};
use crate::play::game::{CANCELLED, DECLARED, Game};
use crate::play::{GameId, Play, PlayError};
use crate::rules::Outcome;
use crate::store::Writer;

impl Play {
    pub(super) async fn cancel_game(&self, tx: &mut Writer, game: &Game) -> Result<Done, PlayError> {
        self.finish(tx, game, None, CANCELLED).await?;
        Ok(Done::in_game("cancelled", game, None, "the game has no result"))
    }

    /// Ends a game that cannot be read, and so not told of by letters either. Its row is locked by whoever tried to read it.
    pub(super) async fn cancel_unreadable(
        &self,
        tx: &mut Writer,
        game: &GameId,
        person: Option<&str>,
    ) -> Result<Done, PlayError> {
        let id = game.as_str();
        no_player_of(tx, id, person).await?;
        self.end_known(tx, id, None, CANCELLED).await?;
        Ok(Done {
            game: Some(game.clone()),
            ..Done::elsewhere("cancelled", "the game, which cannot be read, has no result")
        })
    }

    pub(super) async fn declare_result(
        &self,
        tx: &mut Writer,
        game: &Game,
        outcome: Outcome,
    ) -> Result<Done, PlayError> {
        self.finish(tx, game, Some(outcome), DECLARED).await?;
        let about = match outcome.winner() {
            Some(winner) => format!("{} wins", winner.name()),
            None => "a draw".to_owned(),
        };
        Ok(Done::in_game("result_declared", game, None, about))
    }

    async fn finish(
        &self,
        tx: &mut Writer,
        game: &Game,
        outcome: Option<Outcome>,
        ending: &str,
    ) -> Result<(), PlayError> {
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        self.end_unannounced(tx, game, outcome, ending).await
    }
}
