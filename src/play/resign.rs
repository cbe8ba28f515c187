//! Giving up: the opponent wins at once; sealed sheets of the open turn are erased unread.

use crate::play::{Play, PlayError, Seat};

impl Play {
    /// Resigns.
    ///
    /// # Errors
    /// [`PlayError::GameOver`].
    pub async fn resign(&self, seat: &Seat) -> Result<(), PlayError> {
        let _ = seat;
        todo!()
    }
}
