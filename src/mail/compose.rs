//! From a due letter to a message: a plain text that is complete by itself, and the same as HTML.

use askama::Template;
use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, MultiPart, MultiPartBuilder, MultiPartKind, SinglePart};

use crate::mail::answers::Answers;
use crate::mail::board::{self, Picture};
use crate::mail::headers;
use crate::mail::reply::HowTo;
use crate::mail::words::{Reply, Words, words};
use crate::play::letters::DueLetter;

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

/// What the templates show, beside the words.
struct Shown {
    words: Words,
    /// How it is answered by mail.
    how_to: Option<HowTo>,
    /// The code that opens the seat, where the letter is about one.
    code: Option<String>,
    /// The page on which such letters are stopped.
    stop: Option<String>,
    /// The board in plain letters.
    board: Option<String>,
    /// The name of the picture of the board, and what it shows.
    picture: Option<(String, String)>,
}

/// A letter as plain text.
#[derive(Template)]
#[template(path = "mail/letter.txt")]
struct Text<'a> {
    shown: &'a Shown,
}

/// The same as HTML.
#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    shown: &'a Shown,
}

/// Writes a letter. It draws the board, which takes a while.
///
/// # Errors
/// There is nobody to send it to, or it cannot be made.
pub fn compose(letter: &DueLetter, sender: &Sender) -> Result<Message, ComposeError> {
    let to = letter.to.as_deref().ok_or(ComposeError::NoAddress)?;
    let to: Mailbox = to.parse().map_err(|_| ComposeError::Address)?;
    let words = words(letter, &sender.public_url);
    let made = |error: &dyn std::fmt::Display| ComposeError::Message(error.to_string());
    let envelope = headers::envelope(letter, &to, sender)?;
    let mut message = Message::builder().envelope(envelope).from(sender.from.clone()).to(to).subject(&words.subject);
    message = headers::list(headers::thread(message, letter, sender), letter, sender)?;
    let answer = headers::answer_address(letter, sender);
    if let Some(address) = &answer {
        message = message.reply_to(address.parse().map_err(|_| ComposeError::Address)?);
    }
    let picture = Picture::of(&letter.matter, words.board, &letter.id, sender.from.email.domain());
    let shown = Shown {
        how_to: letter
            .matter
            .view()
            .zip(answer)
            .and_then(|(view, address)| HowTo::of(&words, view, &address, &sender.public_url)),
        code: letter.code.as_deref().map(in_halves),
        stop: letter.unsubscribe.as_ref().map(|secret| headers::unsubscribe_page(&sender.public_url, secret.reveal())),
        board: board::plain(&letter.matter, words.board, letter.wishes.text_board),
        picture: picture.as_ref().map(|picture| (picture.id.clone(), picture.alt.clone())),
        words,
    };
    let text = Text { shown: &shown }.render().map_err(|error| made(&error))?;
    let html = Html { shown: &shown }.render().map_err(|error| made(&error))?;
    let body = parts(MultiPartKind::Alternative, "texts", &letter.id).singlepart(part(ContentType::TEXT_PLAIN, text));
    let html = part(ContentType::TEXT_HTML, html);
    let body = match picture.and_then(Picture::part) {
        Some(picture) => {
            body.multipart(parts(MultiPartKind::Related, "pictures", &letter.id).singlepart(html).singlepart(picture))
        }
        None => body.singlepart(html),
    };
    message
        .date(std::time::UNIX_EPOCH + std::time::Duration::from_millis(letter.ready_at.0.max(0).cast_unsigned()))
        // RFC 3834: this letter was not written by a person, and wants no automatic answer.
        .raw_header(headers::header("Auto-Submitted", "auto-generated".into()))
        .multipart(body)
        .map_err(|error| made(&error))
}

/// A code as it is easily typed: `7K3M-9QXT`.
fn in_halves(code: &str) -> String {
    code.split_at_checked(4).map_or_else(|| code.to_owned(), |(first, last)| format!("{first}-{last}"))
}

/// Several parts. What stands between them is made of the letter's id, so that a letter which is sent again is the same in
/// every byte; `=_` occurs in no part, encoded as they are.
fn parts(kind: MultiPartKind, name: &str, letter: &str) -> MultiPartBuilder {
    MultiPart::builder().kind(kind).boundary(format!("=_{name}_{letter}"))
}

fn part(kind: ContentType, body: String) -> SinglePart {
    SinglePart::builder().header(kind).body(body)
}
