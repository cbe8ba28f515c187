//! What a letter says, for each matter: subject, headline, a few paragraphs, one link, chapters of lists.
//!
//! The subject names the game, the turn and what is asked, never the result.

use crate::clock::Timestamp;
use crate::mail::people;
use crate::play::Secret;
use crate::play::letters::{Matter, TimeMatter};
use crate::play::mailed::MailedLink;
use crate::play::view::{SeatView, TurnView};
use crate::rules::{Chapter, Side};

/// The words of a letter.
#[derive(Clone, Debug)]
pub struct Words {
    /// The subject.
    pub subject: String,
    /// The first line.
    pub headline: String,
    /// What is asked, and by when.
    pub paragraphs: Vec<String>,
    /// Where it is answered.
    pub link: Option<Link>,
    /// Lists: what happened, what stands on the board.
    pub chapters: Vec<Chapter>,
    /// Why the letter goes to its reader.
    pub why: String,
    /// The page on which such letters are stopped.
    pub stop: Option<String>,
    /// The name of the thread that the letter belongs to, for `References`.
    pub thread: Option<String>,
}

/// A link and the words on its button.
#[derive(Clone, Debug)]
pub struct Link {
    /// The whole address.
    pub address: String,
    /// The button.
    pub button: &'static str,
}

/// Finds the words for a matter; `public_url` is the server's address without a slash at its end.
pub fn words(matter: &Matter, public_url: &str) -> Words {
    match matter {
        Matter::Report(view, turn) => report(view, turn, public_url),
        Matter::End(view) => end(view, public_url),
        Matter::Time(view, matter) => of_time(view, *matter, public_url),
        Matter::Confirm(link, secret) => confirm(link, secret, public_url),
        Matter::SignIn(secret) => people::sign_in(secret, public_url),
        Matter::Change(link, secret) => people::change(link, secret, public_url),
        Matter::Revert(link, secret) => people::revert(link, secret, public_url),
    }
}

fn report(view: &SeatView, turn: &TurnView, public_url: &str) -> Words {
    let asked = match &view.ended {
        Some(ended) => format!("The game is over. {}", ended.how),
        None => format!("{} is open: the server waits for what you write.", view.standing.turn_name()),
    };
    let wanted = match view.ended {
        Some(_) => String::new(),
        None => format!("; {} is open", view.standing.turn_name()),
    };
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    // What happened, then what stands on the board.
    let chapters = turn.story.iter().cloned().chain(view.standing.roll()).collect();
    Words {
        headline: format!("{} of your game as {seat} against {opponent} has been resolved.", turn.name),
        link: Some(Link {
            address: format!("{}/days/{}", seat_page(view, public_url), turn.turn),
            button: if view.ended.is_some() { "Look at the game" } else { "Look and answer" },
        }),
        chapters,
        ..about_seat(view, &format!("{} has been resolved{wanted}", turn.name), asked, public_url)
    }
}

fn end(view: &SeatView, public_url: &str) -> Words {
    let how = view.ended.as_ref().map(|ended| ended.how.as_str()).unwrap_or_default();
    Words {
        chapters: view.standing.roll(),
        ..about_seat(view, "the game is over", format!("The game is over. {how}"), public_url)
    }
}

fn of_time(view: &SeatView, matter: TimeMatter, public_url: &str) -> Words {
    let (turn, other) = (view.standing.turn_name(), view.side.other().name());
    let due = || view.due.map_or_else(|| "later".to_owned(), plain);
    let page = seat_page(view, public_url);
    let (what, asked, link) = match matter {
        TimeMatter::Reminder => (
            format!("{turn} is due {}", due()),
            "You have sealed nothing for it yet. The page says what will be used if it stays so.".to_owned(),
            page.clone(),
        ),
        TimeMatter::Nudge => (
            format!("{turn} still waits"),
            "Nothing has moved in this game for 14 days, and it waits for you. After 60 days either side may close it."
                .to_owned(),
            page.clone(),
        ),
        TimeMatter::PutOff => (
            format!("{turn} is due later, {}", due()),
            "The server was down when the turn was to be due, so everybody has more time.".to_owned(),
            page.clone(),
        ),
        TimeMatter::ClaimOpen => (
            format!("{other} stays away"),
            format!(
                "{other} has missed as many turns as this game allows. You may end it, wait, or seek a substitute."
            ),
            format!("{page}/absent"),
        ),
        TimeMatter::PauseOffer => (
            format!("{other} offers a pause"),
            match view.time.offer {
                Some(offer) => format!("Nothing would be due until {}. Accept it or decline it.", plain(offer.until)),
                None => "It has been answered or withdrawn meanwhile.".to_owned(),
            },
            format!("{page}/time"),
        ),
    };
    Words {
        link: Some(Link { address: link, button: "Look and answer" }),
        ..about_seat(view, &what, asked, public_url)
    }
}

/// A moment for a letter, in UTC: where its reader is, is not known here.
fn plain(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| "at an unknown time".to_owned(), |at| at.strftime("%-d %b %Y, %H:%M UTC").to_string())
}

fn confirm(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: is this your address?".into(),
        headline: "Is this your address?".into(),
        paragraphs: vec![
            format!("Somebody, probably you, wants letters about a game of Field Command to go to {}.", link.address),
            "If that is right, open this link within 7 days and press the button. If not, do nothing: no more letters \
             will come."
                .into(),
        ],
        link: Some(Link { address: format!("{public_url}/m/{}", secret.reveal()), button: "Confirm this address" }),
        chapters: Vec::new(),
        why: "This letter goes to you because somebody typed this address on the page of a game.".into(),
        stop: None,
        thread: None,
    }
}

/// A letter about one seat, with a link to its page.
fn about_seat(view: &SeatView, what: &str, asked: String, public_url: &str) -> Words {
    let (seat, opponent) = (view.side.name(), name(view, view.side.other()));
    let page = seat_page(view, public_url);
    Words {
        // A name that looks like an encoded word (RFC 2047) would be decoded by the reader's program.
        subject: format!(
            "{}, {} against {}: {what}",
            view.setup.game_name(),
            name(view, Side::Red),
            name(view, Side::Blue)
        )
        .replace("=?", "= ?"),
        headline: format!("Your game as {seat} against {opponent}: {what}."),
        paragraphs: vec![asked],
        link: Some(Link { address: page.clone(), button: "Look at the game" }),
        chapters: Vec::new(),
        why: format!(
            "This letter goes to you because this address stands on the seat of {seat} in game {}.",
            view.game
        ),
        stop: Some(page),
        thread: Some(format!("{}.{}", view.game, view.side.word())),
    }
}

fn seat_page(view: &SeatView, public_url: &str) -> String {
    format!("{public_url}/games/{}/{}", view.game, view.side.word())
}

/// A player's name, or the side's.
fn name(view: &SeatView, side: Side) -> &str {
    view.names.get(side).as_deref().unwrap_or(side.name())
}
