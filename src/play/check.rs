//! Before sealing: reading a sheet, saying what will become of it, filling in what is missing.

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
        let _ = (seat, turn, text);
        todo!()
    }

    /// Completes a half-written sheet by chance, where the game knows how, and gives its text.
    ///
    /// # Errors
    /// As [`Play::check`].
    pub async fn fill(&self, seat: &Seat, turn: u32, text: &str) -> Result<String, PlayError> {
        let _ = (seat, turn, text);
        todo!()
    }
}
