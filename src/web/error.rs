//! What can go wrong, as a page: every error of `play` and of a request becomes a status
//! and a few plain words here, and nowhere else.
//!
//! Only what a player may fix themselves keeps its text: errors of a form are shown in the
//! form (by the page that has it), everything else on a page of its own.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::play::{GameId, PlayError, Seat};
use crate::web::pages::frame::{self, Frame};

/// A request that was not carried out, ready to be shown.
#[derive(Debug)]
pub struct PageError {
    status: StatusCode,
    title: &'static str,
    message: String,
    back: Option<String>,
    kept: Option<String>,
    way: Option<Box<Way>>,
}

/// The way on from what was not carried out.
#[derive(Debug)]
enum Way {
    /// The game of which a code may open a seat.
    Code(GameId),
    /// Signing in may help.
    SignIn,
    /// Where the browser is sent instead of being shown a page.
    Instead(String),
}

impl PageError {
    /// An error in words.
    pub fn new(status: StatusCode, title: &'static str, message: impl Into<String>) -> PageError {
        PageError { status, title, message: message.into(), back: None, kept: None, way: None }
    }

    /// A request that took too long.
    pub fn unanswered() -> PageError {
        let message = "The server took too long. What you sent may still take effect: look before you send it again.";
        PageError::new(StatusCode::SERVICE_UNAVAILABLE, "Not answered", message)
    }

    /// An address that leads nowhere, or nowhere for this visitor: the answer is the same.
    pub fn not_found() -> PageError {
        PlayError::NotFound.into()
    }

    /// A page of a game that is not this visitor's, or that does not exist: the answer is the same, and asks for the code
    /// of a letter.
    pub fn of_game(game: &GameId) -> PageError {
        PageError::not_found().asking_for_code(game)
    }

    /// Adds the form for the code of a letter about a game.
    #[must_use]
    pub fn asking_for_code(mut self, game: &GameId) -> PageError {
        self.way = Some(Box::new(Way::Code(game.clone())));
        self
    }

    /// Adds the way to sign in.
    #[must_use]
    pub fn with_sign_in(mut self) -> PageError {
        self.way = Some(Box::new(Way::SignIn));
        self
    }

    /// A form that no page of this server sends.
    pub fn odd_form(message: impl Into<String>) -> PageError {
        PageError::new(StatusCode::UNPROCESSABLE_ENTITY, "This form cannot be read", message)
    }

    /// Adds the way back to a seat.
    #[must_use]
    pub fn at(mut self, seat: &Seat) -> PageError {
        self.back = Some(frame::seat_path(seat.game(), seat.side()));
        self
    }

    /// Adds what the visitor wrote, so that it is not lost.
    #[must_use]
    pub fn keeping(mut self, text: &str) -> PageError {
        self.kept = Some(text.to_owned());
        self
    }
}

/// Turns an error of `play` into a page with the way back to the seat that met it.
pub fn at(seat: &Seat) -> impl FnOnce(PlayError) -> PageError + use<> {
    let seat = seat.clone();
    move |error| PageError::from(error).at(&seat)
}

/// The status of an error of `play`.
pub const fn status(error: &PlayError) -> StatusCode {
    match error {
        PlayError::NotFound => StatusCode::NOT_FOUND,
        PlayError::HandedOver(_) => StatusCode::SEE_OTHER,
        PlayError::InvitationWithdrawn | PlayError::LinkOver => StatusCode::GONE,
        PlayError::SeatTaken
        | PlayError::Begun
        | PlayError::TurnOver { .. }
        | PlayError::TurnAhead { .. }
        | PlayError::WouldResolve { .. }
        | PlayError::NoClaim
        | PlayError::NoHint
        | PlayError::NoDeadlines
        | PlayError::NoOffer
        | PlayError::NotIdle
        | PlayError::DraftChanged
        | PlayError::Offer(_)
        | PlayError::ChallengeOver
        | PlayError::LooksLikeSheet
        | PlayError::NoAddressToBlock
        | PlayError::NoRematch
        | PlayError::Stale
        | PlayError::GameOver => StatusCode::CONFLICT,
        PlayError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
        PlayError::NoToken => StatusCode::UNAUTHORIZED,
        PlayError::Scope(_) | PlayError::OwnGame => StatusCode::FORBIDDEN,
        PlayError::Text(_) | PlayError::EmptyNotMeant | PlayError::KeyReused | PlayError::Field { .. } => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        PlayError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        PlayError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<PlayError> for PageError {
    fn from(error: PlayError) -> PageError {
        let title = match &error {
            PlayError::NotFound => "Nothing here",
            PlayError::HandedOver(_) => "Handed over",
            PlayError::SeatTaken => "This seat is taken",
            PlayError::InvitationWithdrawn => "This invitation was withdrawn",
            PlayError::LinkOver => "This link is over",
            PlayError::Begun => "The game has begun",
            PlayError::TurnOver { .. } => "Too late for this sheet",
            PlayError::TurnAhead { .. } => "Too early for this sheet",
            PlayError::WouldResolve { .. } => "Look once more",
            PlayError::NoClaim => "Nothing to claim",
            PlayError::NoHint => "No hint here",
            PlayError::NoDeadlines => "No deadlines",
            PlayError::NoOffer => "No such offer",
            PlayError::NotIdle => "Not so soon",
            PlayError::DraftChanged => "Changed elsewhere",
            PlayError::Offer(_) => "Not agreed",
            PlayError::GameOver => "The game is over",
            PlayError::NoToken => "This token opens nothing",
            PlayError::Scope(_) => "This token is for less",
            PlayError::OwnGame => "Your own game",
            PlayError::Stale => "The game has changed",
            PlayError::KeyReused => "Used for something else",
            PlayError::ChallengeOver => "This challenge is over",
            PlayError::NoRematch => "Not this time",
            PlayError::NoAddressToBlock => "No address to block",
            PlayError::LooksLikeSheet => "This looks like orders",
            PlayError::TooMany(_) => "Too many at once",
            PlayError::Text(_) => "This text cannot be read",
            PlayError::EmptyNotMeant => "No orders",
            PlayError::Field { .. } => "This form needs a change",
            PlayError::Store(cause) => {
                tracing::error!(%cause, "a request was refused: the store failed");
                "Not kept"
            }
            PlayError::Broken(cause) => {
                tracing::error!(%cause, "a request was refused: a game cannot be read");
                "This game cannot be read"
            }
        };
        let way = match &error {
            PlayError::LinkOver => Some(Box::new(Way::SignIn)),
            PlayError::HandedOver(game) => Some(Box::new(Way::Instead(frame::hand_over_path(game)))),
            _ => None,
        };
        PageError { way, ..PageError::new(status(&error), title, error.to_string()) }
    }
}

/// The page that shows an error.
#[derive(askama::Template)]
#[template(path = "pages/error.html")]
struct ErrorPage {
    frame: Frame,
    message: String,
    missing: bool,
    back: Option<String>,
    kept: Option<String>,
    code_for: Option<GameId>,
    sign_in: bool,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let (code_for, sign_in) = match self.way.map(|way| *way) {
            Some(Way::Instead(path)) => return frame::see(&path),
            Some(Way::Code(game)) => (Some(game), false),
            Some(Way::SignIn) => (None, true),
            None => (None, false),
        };
        let page = ErrorPage {
            frame: Frame::plain(self.title),
            message: self.message,
            missing: self.status == StatusCode::NOT_FOUND,
            back: self.back,
            kept: self.kept,
            code_for,
            sign_in,
        };
        frame::page(self.status, &page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TextError;

    #[test]
    fn errors_have_the_status_that_programs_expect() {
        let field = PlayError::Field { field: "name", problem: "too long".into() };
        let over = PlayError::TurnOver { turn: 4, name: "Day 4".into() };
        for (error, expected) in [
            (PlayError::NotFound, 404),
            (PlayError::SeatTaken, 409),
            (PlayError::InvitationWithdrawn, 410),
            (PlayError::LinkOver, 410),
            (over, 409),
            (PlayError::WouldResolve { other: "Blue", minutes: 0 }, 409),
            (PlayError::GameOver, 409),
            (PlayError::Text(TextError::at(2, "H7-Z1", "is no position")), 422),
            (PlayError::EmptyNotMeant, 422),
            (field, 422),
            (PlayError::Broken("what".into()), 500),
        ] {
            assert_eq!(PageError::from(error).into_response().status().as_u16(), expected);
        }
    }

    #[test]
    fn what_was_written_is_given_back_harmless() {
        let error = PageError::from(PlayError::GameOver).keeping("<script>H7-F7");
        let page = ErrorPage {
            frame: Frame::plain(error.title),
            message: error.message,
            missing: false,
            back: error.back,
            kept: error.kept,
            code_for: None,
            sign_in: false,
        };
        let html = askama::Template::render(&page).unwrap();
        assert!(html.contains("&#60;script&#62;H7-F7"));
    }
}
