//! Before sealing: reading a sheet, saying what will become of it, filling in what is missing.

use crate::play::game::Game;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Check;

/// A sheet that could be read, and what will become of it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The canonical text.
    pub text: String,
    /// The verdicts.
    pub check: Check,
    /// Whether the sheet asks for nothing and the text did not say that this is meant.
    pub empty_not_meant: bool,
}

impl Play {
    /// Reads a sheet for `turn` and says what will become of it. Nothing is kept.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`], [`PlayError::Text`].
    pub async fn check(&self, seat: &Seat, turn: u32, text: &str) -> Result<Checked, PlayError> {
        let game = self.game_at(seat, turn).await?;
        let sheet = game.standing.parse(seat.side(), text)?;
        Ok(Checked {
            text: sheet.canonical(),
            check: game.standing.check(seat.side(), &sheet),
            empty_not_meant: sheet.is_empty() && !sheet.text_says_empty(text),
        })
    }

    /// Completes a half-written sheet by chance, where the game knows how, and gives its text.
    ///
    /// # Errors
    /// As [`Play::check`].
    pub async fn fill(&self, seat: &Seat, turn: u32, text: &str) -> Result<String, PlayError> {
        let game = self.game_at(seat, turn).await?;
        let sheet = game.standing.fill(seat.side(), text, |n| self.chance.below(n))?;
        Ok(sheet.canonical())
    }

    /// The game, if it awaits `turn`.
    async fn game_at(&self, seat: &Seat, turn: u32) -> Result<Game, PlayError> {
        let id = seat.game().to_string();
        let row = self.store.read(move |tx| Box::pin(async move { tx.game(&id).await })).await?;
        let game = Game::read(&row.ok_or(PlayError::NotFound)?)?;
        game.awaits(turn)?;
        Ok(game)
    }
}

impl Game {
    /// Refuses a sheet for another turn than the awaited one.
    pub(in crate::play) fn awaits(&self, turn: u32) -> Result<(), PlayError> {
        let (setup, now) = (self.standing.setup(), self.standing.turn());
        if turn < now {
            Err(PlayError::TurnOver { turn, name: setup.turn_name(turn) })
        } else if self.ended.is_some() {
            Err(PlayError::GameOver)
        } else if turn > now {
            Err(PlayError::TurnAhead { name: setup.turn_name(turn), now: setup.turn_name(now) })
        } else {
            Ok(())
        }
    }
}
