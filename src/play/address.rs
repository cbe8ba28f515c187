//! The address that a seat's reports go to.

use crate::play::{Play, PlayError, Seat};

impl Play {
    /// Sets the address, or removes it if `address` is empty.
    ///
    /// # Errors
    /// [`PlayError::Field`] for what is no address.
    pub async fn set_address(&self, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let _ = (seat, address);
        todo!()
    }
}
