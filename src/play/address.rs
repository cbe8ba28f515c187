//! The address that a seat's letters go to. It counts once the link in the letter that goes there was followed.

use crate::play::mailed::{Errand, address_key};
use crate::play::{Play, PlayError, Seat, Secret};
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
        self.set_address_in_browser(seat, address, None).await
    }

    /// The same, on behalf of a browser's session. The address of who is signed in there needs no confirmation. The
    /// browser goes on holding the seat, whoever's it is now.
    ///
    /// # Errors
    /// As [`Play::set_address`].
    pub async fn set_address_in_browser(
        &self,
        seat: &Seat,
        address: &str,
        session: Option<&Secret>,
    ) -> Result<(), PlayError> {
        let address = checked_address(address)?;
        let (play, seat, session) = (self.clone(), seat.clone(), session.map(Secret::hash));
        self.store
            .write(move |tx| {
                let (play, seat, address, session) = (play.clone(), seat.clone(), address.clone(), session.clone());
                Box::pin(async move { play.set_address_in(tx, &seat, address.as_deref(), session.as_deref()).await })
            })
            .await
    }

    async fn set_address_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        address: Option<&str>,
        session: Option<&str>,
    ) -> Result<(), PlayError> {
        self.still_held(tx, seat).await?;
        let (game, side) = (seat.game().as_str(), seat.side().word());
        let row = tx.seat(game, side).await?.ok_or(PlayError::NotFound)?;
        let mut person = None;
        if let Some(session) = session
            && tx.holds_seat(session, game, side).await?.is_some()
        {
            person = tx.session_person(session).await?;
            tx.hold_seat(session, game, side, self.clock.now().0).await?;
        }
        let Some(address) = address else { return Ok(tx.set_address(game, side, None, None).await?) };
        self.not_blocked(tx, address).await?;
        // Whoever gives an address wants letters.
        tx.resume_letters(game, side, self.clock.now().0).await?;
        let key = address_key(address);
        if row.confirmed_address.as_deref().map(address_key).as_ref() == Some(&key) {
            Ok(tx.set_address(game, side, None, row.person_id.as_deref()).await?)
        } else if let Some(person) = person.filter(|person| address_key(&person.address) == key) {
            tx.set_address(game, side, None, Some(&person.id)).await?;
            self.tell_awaited(tx, game, seat.side()).await
        } else {
            tx.set_address(game, side, Some(address), None).await?;
            self.mail_link(tx, Errand::Confirm, address, Some(seat)).await
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
