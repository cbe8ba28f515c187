//! From a due letter to a message: a plain text that is complete by itself, and the same as HTML.

use askama::Template;
use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, MultiPart, SinglePart};

use crate::mail::answers::Answers;
use crate::mail::headers;
use crate::mail::words::{Words, words};
use crate::play::letters::{DueLetter, Matter};

/// Whom letters come from.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The `From` address.
    pub from: Mailbox,
    /// The public address of the server, for links.
    pub public_url: String,
    /// Where letters are answered and come back, if mail reaches the server.
    pub answers: Option<Answers>,
}

/// A letter cannot be written, in one line.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// The seat has no address any more.
    #[error("the seat has no address any more")]
    NoAddress,
    /// The address is none.
    #[error("the address is not one that mail can go to")]
    Address,
    /// The template or the message could not be made.
    #[error("the letter could not be written: {0}")]
    Message(String),
}

/// A letter as plain text.
#[derive(Template)]
#[template(path = "mail/letter.txt")]
struct Text<'a> {
    words: &'a Words,
    /// The code that opens the seat, where the letter is about one.
    code: Option<&'a str>,
    /// When what is asked for is due.
    due: Option<&'a str>,
}

/// The same words as HTML.
#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    words: &'a Words,
    code: Option<&'a str>,
    due: Option<&'a str>,
}

/// Writes a letter.
///
/// # Errors
/// There is nobody to send it to, or it cannot be made.
pub fn compose(letter: &DueLetter, sender: &Sender) -> Result<Message, ComposeError> {
    let to = letter.to.as_deref().ok_or(ComposeError::NoAddress)?;
    let to: Mailbox = to.parse().map_err(|_| ComposeError::Address)?;
    let words = words(&letter.matter, &sender.public_url);
    let made = |error: &dyn std::fmt::Display| ComposeError::Message(error.to_string());
    let envelope = headers::envelope(letter, &to, sender)?;
    let mut message = Message::builder().envelope(envelope).from(sender.from.clone()).to(to).subject(&words.subject);
    message = headers::list(headers::thread(message, letter, sender), letter, sender)?;
    if let Some(address) = headers::answer_address(letter, sender) {
        message = message.reply_to(address.parse().map_err(|_| ComposeError::Address)?);
    }
    let code = letter.code.as_deref().map(in_halves);
    let due = due(letter);
    let (code, due) = (code.as_deref(), due.as_deref());
    let (text, html) = (Text { words: &words, code, due }, Html { words: &words, code, due });
    message
        .date(std::time::UNIX_EPOCH + std::time::Duration::from_millis(letter.queued_at.0.max(0).cast_unsigned()))
        // RFC 3834: this letter was not written by a person, and wants no automatic answer.
        .raw_header(headers::header("Auto-Submitted", "auto-generated".into()))
        .multipart(
            MultiPart::alternative()
                .singlepart(part(ContentType::TEXT_PLAIN, text.render().map_err(|error| made(&error))?))
                .singlepart(part(ContentType::TEXT_HTML, html.render().map_err(|error| made(&error))?)),
        )
        .map_err(|error| made(&error))
}

/// A code as it is easily typed: `7K3M-9QXT`.
fn in_halves(code: &str) -> String {
    code.split_at_checked(4).map_or_else(|| code.to_owned(), |(first, last)| format!("{first}-{last}"))
}

/// When the turn that a report opens is due, as its reader writes times.
fn due(letter: &DueLetter) -> Option<String> {
    match &letter.matter {
        Matter::Report(view, _) => view.due.map(|due| letter.wishes.moment(due)),
        _ => None,
    }
}

fn part(kind: ContentType, body: String) -> SinglePart {
    SinglePart::builder().header(kind).body(body)
}
