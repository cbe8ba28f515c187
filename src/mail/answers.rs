//! The addresses that come back to the server: one ordinary address, with a postmark before or behind its name.

use lettre::Address;

use crate::play::postmark::Postmark;

/// The longest local part of an address (RFC 5321, 4.5.3.1.1), in octets.
const LOCAL_MAX: usize = 64;
/// The longest postmark, in octets.
const MARK_MAX: usize = 45;

/// Where answers and returned letters go: `play@example.org` stands for `play+…@example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    name: String,
    domain: String,
}

impl Answers {
    /// Reads the setting.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(address: &str) -> Result<Answers, String> {
        let read: Address = address.parse().map_err(|_| "is not an e-mail address".to_owned())?;
        let (name, domain) = (read.user().to_owned(), read.domain().to_owned());
        if name.contains('+') {
            return Err("must have no + before the @: that is where the server puts what an answer is for".into());
        }
        let room = LOCAL_MAX - MARK_MAX - 1;
        if name.len() > room {
            return Err(format!("may have at most {room} characters before the @"));
        }
        Ok(Answers { name, domain })
    }

    /// The address that carries a postmark.
    #[must_use]
    pub fn to(&self, mark: &Postmark) -> String {
        format!("{}+{}@{}", self.name, mark.text(), self.domain)
    }

    /// The postmark of an address, written `play+mark@example.org` or `mark@example.org`; `None` for any other address.
    #[must_use]
    pub fn mark(&self, recipient: &str) -> Option<Postmark> {
        let (local, domain) = recipient.trim().rsplit_once('@')?;
        if !domain.eq_ignore_ascii_case(&self.domain) {
            return None;
        }
        let mark = match local.split_once('+') {
            Some((name, mark)) if name.eq_ignore_ascii_case(&self.name) => mark,
            Some(_) => return None,
            None => local,
        };
        Postmark::parse(mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ids::{GameId, ServerKey};
    use crate::rules::Side;

    #[test]
    fn an_address_carries_a_postmark_with_the_name_or_alone() {
        let answers = Answers::parse("play@example.org").unwrap();
        let game = GameId::parse("0bcdefghjkmn").unwrap();
        let secret = ServerKey::new([7; 32]).answer(&game, Side::Red, 1, 5);
        let mark = Postmark::Answer { game, side: Side::Red, turn: 5, secret };
        let to = answers.to(&mark);
        assert!(to.starts_with("play+0bcdefghjkmnr5") && to.ends_with("@example.org"), "{to}");
        assert_eq!(answers.mark(&to), Some(mark.clone()));
        assert_eq!(answers.mark(&to.to_uppercase()), Some(mark.clone()));
        assert_eq!(answers.mark(to.trim_start_matches("play+")), Some(mark));
        assert_eq!(answers.mark(&to.replace("example.org", "example.com")), None);
        assert_eq!(answers.mark(&to.replace("play+", "pray+")), None);
        assert_eq!(answers.mark("play@example.org"), None);
    }

    #[test]
    fn a_setting_that_does_not_do_is_told() {
        assert!(Answers::parse("nobody").is_err());
        assert!(Answers::parse("play+games@example.org").is_err());
        assert!(Answers::parse("the-field-command-server@example.org").is_err());
        assert!(Answers::parse("field-command-org@example.org").is_ok());
    }
}
