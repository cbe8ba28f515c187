//! Which other addresses a seat is written for from: allowed by a link that went to its own address.

use crate::play::mailed::MailedLink;
use crate::play::{Play, PlayError};
use crate::store::Writer;

impl Play {
    /// Allows the address that a followed link is about.
    pub(in crate::play) async fn allow_sender(
        &self,
        tx: &mut Writer,
        link_id: &str,
        link: &MailedLink,
    ) -> Result<(), PlayError> {
        let (game, side) = link.seat.as_ref().ok_or_else(|| PlayError::Broken("mailed link".into()))?;
        let seat = tx.seat(game.as_str(), side.word()).await?.ok_or(PlayError::NotFound)?;
        // Who was asked must still be who plays.
        if seat.confirmed_address.as_deref() != Some(&link.address) {
            return Err(PlayError::LinkOver);
        }
        if tx.allow_sender(link_id, self.clock.now().0).await? { Ok(()) } else { Err(PlayError::LinkOver) }
    }
}
