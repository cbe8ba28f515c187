//! Sealing a sheet: the one road on which a turn gets its sheets, whoever knocks.
//!
//! Until the opponent has sealed too, a sealed sheet may be replaced. The second seal and the
//! resolution are one transaction. Sealing the same sheet again changes nothing, also
//! when the turn has been resolved with it meanwhile.

use crate::play::view::Seal;
use crate::play::{Play, PlayError, Seat};

/// A sheet to be sealed.
#[derive(Clone, Debug)]
pub struct ToSeal {
    /// The turn that it is for.
    pub turn: u32,
    /// The text.
    pub text: String,
    /// Whether an empty sheet is meant, if the text is empty.
    pub empty_is_meant: bool,
    /// Whether the writer knows that this seal may resolve the turn.
    pub may_resolve: bool,
}

/// A sealed sheet's receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The turn.
    pub turn: u32,
    /// The canonical text that was sealed.
    pub text: String,
    /// The seal.
    pub seal: Seal,
    /// The salt, 32 hexadecimal digits.
    pub salt: String,
    /// Whether the turn has been resolved with it.
    pub resolved: bool,
}

impl Play {
    /// Seals a sheet, and resolves the turn if it was the last one awaited.
    ///
    /// # Errors
    /// [`PlayError::Text`], [`PlayError::EmptyNotMeant`], [`PlayError::WouldResolve`] (only without
    /// `may_resolve`), [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`];
    /// what was sealed before stays sealed.
    pub async fn seal(&self, seat: &Seat, sheet: ToSeal) -> Result<Receipt, PlayError> {
        let _ = (seat, sheet);
        todo!()
    }
}
