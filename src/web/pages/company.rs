//! What a player does about other people: offering the free seat, sending the invitation, playing again, blocking.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::{PlayError, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::invite::enter;
use crate::web::pages::people::ConfirmPage;
use crate::web::pages::session::{Held, Visitor};

fn back(seat: &Seat) -> String {
    seat_path(seat.game(), seat.side())
}

/// POST /games/{id}/{side}/challenge: `do=open` with `days`, or `do=close`.
pub async fn challenge(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let days = match fields.text("do") {
        // What is no number is no number of days.
        "open" => Some(fields.text("days").trim().parse().unwrap_or(0)),
        "close" => None,
        _ => return Err(PageError::odd_form("The field “do” is open or close.").at(&seat)),
    };
    state.play.set_challenge(&seat, days).await.map_err(in_words(&seat))?;
    Ok(frame::see(&format!("{}#invitation-card", back(&seat))))
}

/// POST /games/{id}/{side}/invitation/send
pub async fn send(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let address = fields.text("address").trim();
    let done = state.play.mail_invitation(&seat, address).await;
    done.map_err(|error| in_words(&seat)(error).keeping(address))?;
    Ok(frame::see(&format!("{}?sent=1#invitation-card", back(&seat))))
}

/// POST /games/{id}/{side}/again
pub async fn again(State(state): State<WebState>, visitor: Visitor, Held(seat): Held) -> Result<Response, PageError> {
    let taken = state.play.play_again(&seat).await.map_err(at(&seat))?;
    enter(&state, &visitor, &taken).await
}

/// GET /games/{id}/{side}/block
pub async fn ask_block(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let who = frame::name(&view.names, view.side.other()).to_owned();
    let (question, explanation, button) = match view.company.blocked {
        None => return Err(at(&seat)(PlayError::NoAddressToBlock)),
        Some(false) => (
            "Block this player?",
            "Neither of you will find the other’s challenges, or be asked by the other to play again. This game goes on, and nobody is told.".to_owned(),
            format!("Block {who}"),
        ),
        Some(true) => (
            "Unblock this player?",
            format!(
                "You and {who} will find each other’s challenges and may play again, unless {who} has blocked you."
            ),
            format!("Unblock {who}"),
        ),
    };
    let action = format!("{}/block", back(&seat));
    // The form says what it wants, so that pressing twice does the same as once.
    let carries = Some(("block", if view.company.blocked == Some(true) { "0" } else { "1" }));
    let page = ConfirmPage { frame: Frame::of_seat(&view, "Block"), question, explanation, action, button, carries };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /games/{id}/{side}/block: `block=1` or `block=0`.
pub async fn block(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let wanted = match fields.text("block") {
        "1" => true,
        "0" => false,
        _ => return Err(PageError::odd_form("The field “block” is 1 or 0.").at(&seat)),
    };
    state.play.block(&seat, wanted).await.map_err(at(&seat))?;
    Ok(frame::see(&format!("{}#seat-card", back(&seat))))
}

/// An error of a field as a sentence, on a page with the way back.
fn in_words(seat: &Seat) -> impl FnOnce(PlayError) -> PageError + use<> {
    let seat = seat.clone();
    move |error| match error {
        PlayError::Field { field, problem } => {
            let message =
                frame::field_problem(if field == "challenge_days" { "number of days" } else { field }, &problem);
            PageError::new(StatusCode::UNPROCESSABLE_ENTITY, "This form needs a change", message).at(&seat)
        }
        error => at(&seat)(error),
    }
}
