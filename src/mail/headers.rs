//! The headers by which programs understand a letter: its thread, its list, how it is stopped, and where it comes back.

use lettre::address::Envelope;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};

use crate::mail::compose::{ComposeError, Sender};
use crate::play::letters::DueLetter;

/// The longest Message-ID of somebody else's that is repeated.
const ID_MAX: usize = 250;

/// The Message-ID of a letter of ours.
fn message_id(letter: &str, sender: &Sender) -> String {
    format!("<{letter}@{}>", sender.from.email.domain())
}

/// Adds who the letter is, what it answers, and which letters came before it (RFC 5322, 3.6.4). The first letter to a
/// seat's player is the root of the seat's thread.
pub(super) fn thread(message: MessageBuilder, letter: &DueLetter, sender: &Sender) -> MessageBuilder {
    let message = message.message_id(Some(message_id(&letter.id, sender)));
    let ours = [&letter.thread.first, &letter.thread.last].into_iter().flatten().map(|id| message_id(id, sender));
    let mut before: Vec<String> = ours.chain(letter.in_reply_to.clone().filter(|id| is_message_id(id))).collect();
    before.dedup();
    match before.last() {
        Some(last) => message.in_reply_to(last.clone()).references(before.join(" ")),
        None => message,
    }
}

/// Whether a text is a Message-ID that may be repeated in a header: it came from outside.
fn is_message_id(text: &str) -> bool {
    let inside = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    text.len() <= ID_MAX
        && inside.is_some_and(|id| {
            !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>'))
        })
}

/// Adds what a letter about a game tells mailing-list software: the game as a list (RFC 2919), and how its letters are
/// stopped, by one press where the address allows that (RFC 2369, RFC 8058).
pub(super) fn list(
    mut message: MessageBuilder,
    letter: &DueLetter,
    sender: &Sender,
) -> Result<MessageBuilder, ComposeError> {
    if let Some(view) = letter.matter.view() {
        message = message.raw_header(header("List-Id", format!("<{}.{}>", view.game, sender.from.email.domain())));
    }
    let Some(secret) = &letter.unsubscribe else { return Ok(message) };
    let page = unsubscribe_page(&sender.public_url, secret.reveal());
    let mut ways = format!("<{page}>");
    if let Some(address) = answer_address(letter, sender) {
        let address: Mailbox = address.parse().map_err(|_| ComposeError::Address)?;
        ways = format!("{ways}, <mailto:{}?subject=unsubscribe>", address.email);
    }
    message = message.raw_header(header("List-Unsubscribe", ways));
    if page.starts_with("https:") {
        message = message.raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".into()));
    }
    Ok(message)
}

/// The page on which the letters of a seat are stopped.
pub(super) fn unsubscribe_page(public_url: &str, secret: &str) -> String {
    format!("{public_url}/letters/{secret}")
}

/// Where a letter is answered, if it can be.
pub(super) fn answer_address(letter: &DueLetter, sender: &Sender) -> Option<String> {
    sender.answers.as_ref().zip(letter.answer.as_ref()).map(|(answers, mark)| answers.to(mark))
}

/// Where a letter comes from and goes to on its way. If it cannot be delivered it comes back to its own address; to the
/// sender where the server gets no mail; and nowhere where nobody reads the sender's either.
pub(super) fn envelope(letter: &DueLetter, to: &Mailbox, sender: &Sender) -> Result<Envelope, ComposeError> {
    let back = match &sender.answers {
        Some(answers) => Some(answers.to(&letter.returned).parse().map_err(|_| ComposeError::Address)?),
        None => Some(sender.from.email.clone()).filter(|from| from.domain() != "localhost"),
    };
    Envelope::new(back, vec![to.email.clone()]).map_err(|_| ComposeError::Address)
}

/// A header whose value is plain ASCII.
pub(super) fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_of_somebody_elses_is_a_message_id() {
        assert!(is_message_id("<CAF+x.y=z@mail.example.org>"));
        for text in ["", "<>", "a@b", "<a@b", "<a b@c>", "<a@b>\r\nBcc: <x@y>", "<a@b> <c@d>", "<ä@b>"] {
            assert!(!is_message_id(text), "{text}");
        }
        assert!(!is_message_id(&format!("<{}@b>", "a".repeat(260))));
    }
}
