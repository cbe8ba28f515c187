//! The address that a seat's letters go to. It counts once the link in the letter that goes there was followed.

use crate::play::mailed::{Errand, address_key};
use crate::play::{Play, PlayError, Seat};
use crate::store::Writer;

/// The longest address that mail knows (RFC 5321, 4.5.3.1.3).
const ADDRESS_MAX: usize = 254;

impl Play {
    /// Sets the address, to be confirmed by the link in a letter, or removes it if `address` is empty. The one that is
    /// confirmed already is left as it is; one that waits to be confirmed gets another letter.
    ///
    /// # Errors
    /// [`PlayError::Field`] for what is no address.
    pub async fn set_address(&self, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let address = checked_address(address)?;
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, address) = (play.clone(), seat.clone(), address.clone());
                Box::pin(async move { play.set_address_in(tx, &seat, address.as_deref()).await })
            })
            .await
    }

    async fn set_address_in(&self, tx: &mut Writer, seat: &Seat, address: Option<&str>) -> Result<(), PlayError> {
        self.still_held(tx, seat).await?;
        let (game, side) = (seat.game().as_str(), seat.side().word());
        let row = tx.seat(game, side).await?.ok_or(PlayError::NotFound)?;
        let confirmed = row.confirmed_address.as_deref().map(address_key);
        match address {
            Some(address) if confirmed == Some(address_key(address)) => {
                Ok(tx.set_address(game, side, None, row.person_id.as_deref()).await?)
            }
            Some(address) => {
                tx.set_address(game, side, Some(address), None).await?;
                self.mail_link(tx, Errand::Confirm, address, Some(seat)).await
            }
            None => Ok(tx.set_address(game, side, None, None).await?),
        }
    }
}

/// An address as it is kept; `None` for an empty one. Only what cannot be an address at all is
/// refused here: whether somebody reads it shows when a letter is sent.
pub(in crate::play) fn checked_address(address: &str) -> Result<Option<String>, PlayError> {
    let address = address.trim();
    if address.is_empty() {
        return Ok(None);
    }
    let odd = |c: char| {
        c.is_control()
            || c.is_whitespace()
            || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '\\' | '"')
    };
    let plausible = address.len() <= ADDRESS_MAX
        && !address.contains(odd)
        && address.rsplit_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !local.contains('@')
                && local.len() <= 64
                && !local.starts_with('.')
                && !local.ends_with('.')
                && !local.contains("..")
                && domain.split('.').all(|label| {
                    !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-')
                })
        });
    if plausible {
        Ok(Some(address.to_owned()))
    } else {
        Err(PlayError::Field { field: "address", problem: "is not an e-mail address, as in ann@example.org".into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_address_is_refused() {
        for good in ["ann@example.org", " a.b+c@localhost ", "ünï@exämple.org"] {
            assert!(checked_address(good).is_ok_and(|address| address.is_some()), "{good}");
        }
        for bad in ["ann", "@b", "a@", "a@b@c", "a b@c", "a@b\r\nBcc: x@y", "<a@b>", "a@b..c", "a@-b", ".a@b"] {
            assert!(checked_address(bad).is_err(), "{bad}");
        }
        assert_eq!(checked_address("  "), Ok(None));
    }
}
