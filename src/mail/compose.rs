//! What a letter says: a plain text that is complete by itself, and the same as HTML.
//!
//! The subject names the game, the turn and what is asked, never the result.

use askama::Template;
use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};

use crate::play::letters::DueLetter;
use crate::play::view::SeatView;
use crate::rules::{Chapter, Side};

/// Whom letters come from.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The `From` address.
    pub from: Mailbox,
    /// The public address of the server, for links.
    pub public_url: String,
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

/// The words of a letter.
#[derive(Template)]
#[template(path = "mail/report.txt")]
struct Text<'a> {
    headline: &'a str,
    asked: &'a str,
    link: &'a str,
    chapters: &'a [Chapter],
    side: &'a str,
    game: &'a str,
    seat_page: &'a str,
}

/// The same words as HTML.
#[derive(Template)]
#[template(path = "mail/report.html")]
struct Html<'a> {
    headline: &'a str,
    asked: &'a str,
    link: &'a str,
    button: &'a str,
    chapters: &'a [Chapter],
    side: &'a str,
    game: &'a str,
    seat_page: &'a str,
}

/// Writes a letter.
///
/// # Errors
/// There is nobody to send it to, or it cannot be made.
pub fn compose(letter: &DueLetter, sender: &Sender) -> Result<Message, ComposeError> {
    let to = letter.to.as_deref().ok_or(ComposeError::NoAddress)?;
    let to: Mailbox = to.parse().map_err(|_| ComposeError::Address)?;
    let words = Words::new(letter, sender);
    let made = |error: &dyn std::fmt::Display| ComposeError::Message(error.to_string());
    // What happened, then what stands on the board.
    let mut chapters = letter.turn.as_ref().map(|turn| turn.story.clone()).unwrap_or_default();
    chapters.extend(letter.view.standing.roll());
    let text = Text {
        headline: &words.headline,
        asked: &words.asked,
        link: &words.link,
        chapters: &chapters,
        side: letter.view.side.name(),
        game: letter.view.game.as_str(),
        seat_page: &words.seat_page,
    };
    let html = Html {
        headline: text.headline,
        asked: text.asked,
        link: text.link,
        button: words.button,
        chapters: &chapters,
        side: text.side,
        game: text.game,
        seat_page: text.seat_page,
    };
    let thread = format!("<{}.{}@{}>", letter.view.game, letter.view.side.word(), host(&sender.from));
    Message::builder()
        .from(sender.from.clone())
        .to(to)
        .subject(words.subject)
        .message_id(Some(format!("<{}@{}>", letter.id, host(&sender.from))))
        .references(thread)
        .date(std::time::UNIX_EPOCH + std::time::Duration::from_millis(letter.queued_at.0.max(0).cast_unsigned()))
        // RFC 3834: this letter was not written by a person, and wants no automatic answer.
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".into()))
        .multipart(
            MultiPart::alternative()
                .singlepart(part(ContentType::TEXT_PLAIN, text.render().map_err(|error| made(&error))?))
                .singlepart(part(ContentType::TEXT_HTML, html.render().map_err(|error| made(&error))?)),
        )
        .map_err(|error| made(&error))
}

fn part(kind: ContentType, body: String) -> SinglePart {
    SinglePart::builder().header(kind).body(body)
}

fn host(from: &Mailbox) -> &str {
    from.email.domain()
}

/// What changes from letter to letter.
struct Words {
    subject: String,
    headline: String,
    asked: String,
    button: &'static str,
    link: String,
    seat_page: String,
}

impl Words {
    fn new(letter: &DueLetter, sender: &Sender) -> Words {
        let view = &letter.view;
        let seat_page = format!("{}/games/{}/{}", sender.public_url, view.game, view.side.word());
        let opponent = name(view, view.side.other());
        let game = view.setup.game_name();
        let (headline, what, link) = match &letter.turn {
            Some(turn) => (
                format!("{} of your game as {} against {opponent} has been resolved.", turn.name, view.side.name()),
                format!("{} has been resolved", turn.name),
                format!("{seat_page}/days/{}", turn.turn),
            ),
            None => (
                format!("Your game as {} against {opponent} is over.", view.side.name()),
                "the game is over".to_owned(),
                seat_page.clone(),
            ),
        };
        let (asked, button, wanted) = match &view.ended {
            Some(ended) => (format!("The game is over. {}", ended.how), "Look at the game", String::new()),
            None => (
                format!("{} is open: the server waits for what you write.", view.standing.turn_name()),
                "Look and answer",
                format!("; {} is open", view.standing.turn_name()),
            ),
        };
        Words {
            // A name that looks like an encoded word (RFC 2047) would be decoded by the reader's program.
            subject: format!("{game}, {} against {}: {what}{wanted}", name(view, Side::Red), name(view, Side::Blue))
                .replace("=?", "= ?"),
            headline,
            asked,
            button,
            link,
            seat_page,
        }
    }
}

/// A player's name, or the side's.
fn name(view: &SeatView, side: Side) -> &str {
    view.names.get(side).as_deref().unwrap_or(side.name())
}
