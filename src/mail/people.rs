//! The words of letters about a person: signing in, and addresses that are confirmed or change.

use crate::mail::words::{Link, Words, undecoded};
use crate::play::Secret;
use crate::play::given_up::{GivenUp, GivenUpSeat};
use crate::play::mailed::MailedLink;

/// A link by which a browser is signed in.
pub fn sign_in(secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: your link to sign in".into(),
        headline: "Your link to sign in".into(),
        paragraphs: vec![
            "Open this link in the browser in which you want to play, and press the button. It works once, for 15 minutes. \
             All your games are there afterwards, also those whose links you have lost."
                .into(),
            "If it was not you who asked for it, do nothing: nobody gets in without this letter.".into(),
        ],
        why: "This letter goes to you because somebody typed this address on the page for signing in.".into(),
        ..of_link(secret, "Sign in", public_url)
    }
}

/// The question whether an address is right.
pub fn confirm(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: is this your address?".into(),
        headline: "Is this your address?".into(),
        paragraphs: vec![
            format!("Somebody, probably you, wants letters about a game of Field Command to go to {}.", link.address),
            "If that is right, open this link within 7 days and press the button. If not, do nothing: no more letters \
             will come."
                .into(),
        ],
        why: "This letter goes to you because somebody typed this address on the page of a game.".into(),
        ..of_link(secret, "Confirm this address", public_url)
    }
}

/// The question whether a new address is right.
pub fn change(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: is this your new address?".into(),
        headline: "Is this your new address?".into(),
        paragraphs: vec![
            format!(
                "Somebody, probably you, wants to move the account of {} here, with its games and settings: to sign in by \
                 {} from now on and get all letters there.",
                link.before.as_deref().unwrap_or("another address"),
                link.address
            ),
            "If that account is yours, open this link within 7 days and press the button. If not, do nothing: nothing \
             changes."
                .into(),
        ],
        why: "This letter goes to you because somebody typed this address as their new one.".into(),
        ..of_link(secret, "Use this address", public_url)
    }
}

/// To the old address: it was changed, and how that is undone.
pub fn revert(link: &MailedLink, secret: &Secret, public_url: &str) -> Words {
    Words {
        subject: "Field Command: your address was changed".into(),
        headline: "Your address was changed".into(),
        paragraphs: vec![
            format!("Letters about your games do not go to {} any more, and nobody signs in by it.", link.address),
            "If that was you, there is nothing to do. If not, open this link within 7 days and press the button: your games \
             come back to this address, and all browsers are signed out."
                .into(),
        ],
        why: "This letter goes to you because letters about your games went to this address until now.".into(),
        ..of_link(secret, "Undo the change", public_url)
    }
}

/// To who had a seat: it was given up, and why.
pub fn given_up(seat: &GivenUpSeat) -> Words {
    let (side, opponent) = (seat.side.name(), seat.opponent.as_deref().unwrap_or(seat.side.other().name()));
    let missed = "More turns were missed there than the game allows, and so the opponent could choose how it goes on";
    let (what, next) = match seat.how {
        GivenUp::Substitute => (
            format!("{missed}: the seat is offered to a substitute."),
            "Nobody sees what you had written for it: it was erased.",
        ),
        GivenUp::Computer => (
            format!("{missed}: a computer plays on in your place."),
            "Nobody sees what you had written for it: it was erased.",
        ),
        GivenUp::Organiser => (
            "The organiser of this server has given the seat to somebody else.".to_owned(),
            "Nobody sees what you had written for it: it was erased. If you do not know why, ask the organiser.",
        ),
        GivenUp::Unseated => (
            format!("{opponent} had invited to the game and freed the seat before it began."),
            "If that was a mistake, ask for another invitation.",
        ),
    };
    Words {
        subject: undecoded(&format!(
            "{}, your game as {side} against {opponent}: the seat was given up",
            seat.game_name
        )),
        headline: format!("Your seat as {side} against {opponent} was given up."),
        paragraphs: vec![what, format!("{next} No more letters about this game will come.")],
        why: format!("This letter goes to you because this address stood on the seat of {side} in game {}.", seat.game),
        ..Words::default()
    }
}

/// A letter that carries a mailed link and belongs to no thread.
fn of_link(secret: &Secret, button: &'static str, public_url: &str) -> Words {
    Words { link: Some(Link { address: format!("{public_url}/m/{}", secret.reveal()), button }), ..Words::default() }
}
