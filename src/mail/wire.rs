//! A letter as it stands in an SMTP dialogue (RFC 5321, 4.5.2): lines that end with CR LF, dots that begin a line doubled, and the
//! dot that ends it. It is made before the dialogue begins, so that the letter leaves in one piece.

use std::fmt;

/// The octets between the answer to `DATA` and the end of a letter.
///
/// # Errors
/// The letter has a line that ends otherwise: what one server takes for the end of a letter, another one does not.
pub(super) fn wire(message: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(message).map_err(|_| "the letter is not UTF-8".to_owned())?;
    if text.replace("\r\n", "").contains(['\r', '\n', '\0']) {
        return Err("the letter has a line that does not end as lines of letters do".into());
    }
    let mut wire = text.replace("\r\n.", "\r\n..");
    if wire.starts_with('.') {
        wire.insert(0, '.');
    }
    wire.push_str(if wire.ends_with("\r\n") { ".\r\n" } else { "\r\n.\r\n" });
    Ok(wire)
}

/// Octets that are said as they are.
pub(super) struct Verbatim<'t>(pub &'t str);

impl fmt::Display for Verbatim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_doubled_and_the_last_one_ends_the_letter() {
        for (letter, expected) in [
            ("a\r\n", "a\r\n.\r\n"),
            ("a", "a\r\n.\r\n"),
            ("", "\r\n.\r\n"),
            (".\r\n.\r\n..b\r\n", "..\r\n..\r\n...b\r\n.\r\n"),
            ("a.\r\nb", "a.\r\nb\r\n.\r\n"),
        ] {
            assert_eq!(wire(letter.into()).as_deref(), Ok(expected), "{letter:?}");
        }
    }

    #[test]
    fn a_letter_with_other_line_ends_does_not_leave() {
        for letter in ["a\nb\r\n", "a\rb\r\n", "a\r\n.\nMAIL FROM:<>\r\n", "a\r\n.\r", "a\n", "\0\r\n"] {
            assert!(wire(letter.into()).is_err(), "{letter:?}");
        }
        assert!(wire(vec![0xff]).is_err());
    }
}
