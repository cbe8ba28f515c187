//! A link that came by mail: looking at it changes nothing, its button acts.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::play::Secret;
use crate::play::mailed::{Errand, MailedLink};
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::session::{self, Visitor};
use crate::web::{WebState, security};

/// What a link asks, or that it has been done.
#[derive(Template)]
#[template(path = "pages/mailed.html")]
struct MailedPage {
    frame: Frame,
    words: String,
    /// The button of what is still to be done.
    button: Option<&'static str>,
    action: String,
    /// Where to go on, and its words.
    next: Option<(String, &'static str)>,
}

/// GET /m/{secret}
pub async fn get(State(state): State<WebState>, Path(secret): Path<String>) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let link = state.play.mailed_link(&secret).await?;
    let (heading, words, button) = match link.errand {
        Errand::Confirm => (
            "Is this your address?",
            format!("Letters about your game will go to {}.", link.address),
            "Yes, it is mine",
        ),
        Errand::SignIn => (
            "Sign in",
            format!("This browser will be signed in as {}, with all games of that address.", link.address),
            "Sign in here",
        ),
        Errand::Change => (
            "Is this your new address?",
            format!(
                "The account of {}, its games and settings, moves to {}: you will sign in by that from now on, and all \
                 letters go there. All other browsers are signed out. For 7 days the address before can undo this, also \
                 for games that come meanwhile. If you have no such account, do nothing.",
                before(&link),
                link.address
            ),
            "Yes, move it here",
        ),
        Errand::Revert => (
            "Undo the change?",
            format!("Your games come back to {}, and all browsers are signed out.", link.address),
            "Undo the change",
        ),
        Errand::Allow => (
            "May this address write for you?",
            format!(
                "Mail from {} will count as yours in this game: orders, messages, resigning. Allow it only if the address \
                 is your own. What came from there before was not kept: send it again afterwards.",
                allows(&link)
            ),
            "Yes, it is mine too",
        ),
        Errand::Seat => (
            "A seat for you",
            format!(
                "The organiser has given the seat of {} to {}. It is yours once you press the button, and letters about the \
                 game come to this address.{}",
                link.seat.as_ref().map_or("a side", |(_, side)| side.name()),
                link.address,
                link.reason.as_ref().map(|reason| format!(" The organiser writes: “{reason}”")).unwrap_or_default()
            ),
            "Take the seat",
        ),
    };
    let page = MailedPage {
        frame: Frame::plain(heading),
        words,
        button: Some(button),
        action: format!("/m/{}", secret.reveal()),
        next: None,
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /m/{secret}
pub async fn post(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, PageError> {
    let followed = state.play.follow_in_browser(&Secret::sent(&secret), visitor.0.as_ref()).await?;
    match followed.link.errand {
        Errand::SignIn => security::noticed!(INFO, "signed in"),
        Errand::Change => security::noticed!(WARN, "an address was changed; all other browsers are signed out"),
        Errand::Revert => security::noticed!(WARN, "a change of address was undone; all browsers are signed out"),
        Errand::Seat => security::noticed!(INFO, "a seat was entered by its new link"),
        Errand::Confirm | Errand::Allow => security::noticed!(INFO, "an address was confirmed"),
    }
    Ok(match followed.session {
        Some(session) => {
            let next = match (&followed.link.errand, &followed.link.seat) {
                (Errand::Seat, Some((game, side))) => seat_path(game, *side),
                _ => "/".to_owned(),
            };
            (session::cookie(&state, &session), frame::see(&next)).into_response()
        }
        None => frame::page(StatusCode::OK, &done(followed.link)),
    })
}

/// The address that may write for a seat.
fn allows(link: &MailedLink) -> &str {
    link.allows.as_deref().unwrap_or("the other address")
}

/// The address that is to become another one.
fn before(link: &MailedLink) -> &str {
    link.before.as_deref().unwrap_or("the address before")
}

fn done(link: MailedLink) -> MailedPage {
    let (heading, words, next) = match link.errand {
        Errand::Confirm => (
            "Thank you",
            format!("{} is confirmed: letters about your game go there.", link.address),
            link.seat.map(|(game, side)| (seat_path(&game, side), "To the game")),
        ),
        Errand::SignIn => ("Signed in", format!("You are {}.", link.address), Some(("/".to_owned(), "To your games"))),
        Errand::Change => (
            "Thank you",
            format!(
                "The account of {} is yours by {} now: you sign in by that. The address before has been told, and all \
                 other browsers are signed out.",
                before(&link),
                link.address
            ),
            Some(("/me".to_owned(), "To your settings")),
        ),
        Errand::Revert => (
            "Undone",
            format!(
                "Letters go to {} again, and every browser is signed out. Sign in anew by this address.",
                link.address
            ),
            Some(("/sign-in".to_owned(), "Sign in")),
        ),
        Errand::Allow => (
            "Thank you",
            format!("Mail from {} counts as yours in this game. Send your mail once more now.", allows(&link)),
            link.seat.map(|(game, side)| (seat_path(&game, side), "To the game")),
        ),
        Errand::Seat => (
            "The seat is yours",
            format!("Letters about the game go to {}.", link.address),
            link.seat.map(|(game, side)| (seat_path(&game, side), "To the game")),
        ),
    };
    MailedPage { frame: Frame::plain(heading), words, button: None, action: String::new(), next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_confirmed_address_leads_back_to_its_seat() {
        let html = done(samples::mailed_link()).render().unwrap();
        assert!(html.contains("ann@example.org is confirmed") && html.contains("href=\"/games/0123456789ab/red\""));
        assert!(!html.contains("<button"));
    }
}
