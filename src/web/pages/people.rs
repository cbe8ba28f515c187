//! What a seat's holder may do beside writing sheets: invite anew, unseat, resign, and say where reports go.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::{PlayError, Seat};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::seat::{AddressForm, with_address};
use crate::web::pages::session::{Held, Visitor};
use crate::web::pages::watch;

/// A page that asks once more before something that cannot be taken back.
#[derive(Template)]
#[template(path = "pages/confirm.html")]
pub struct ConfirmPage {
    pub frame: Frame,
    pub question: &'static str,
    pub explanation: String,
    pub action: String,
    pub button: String,
    /// What the form carries beside the press of its button: a name and a value.
    pub carries: Option<(&'static str, &'static str)>,
}

fn back(seat: &Seat) -> String {
    seat_path(seat.game(), seat.side())
}

/// GET /games/{id}/{side}/resign
pub async fn ask_resign(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if view.ended.is_some() {
        return Err(at(&seat)(PlayError::GameOver));
    }
    let other = view.side.other().name();
    let page = ConfirmPage {
        frame: Frame::of_seat(&view, "Resign"),
        question: "Resign this game?",
        explanation: format!(
            "{other} wins at once. Sheets that lie sealed are erased unread. This cannot be taken back."
        ),
        action: format!("{}/resign", back(&seat)),
        button: format!("Resign as {}", view.side.name()),
        carries: None,
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /games/{id}/{side}/resign
pub async fn resign(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    state.play.resign(&seat).await.map_err(at(&seat))?;
    Ok(frame::see(&back(&seat)))
}

/// GET /games/{id}/{side}/unseat
pub async fn ask_unseat(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if !view.may_unseat {
        return Err(at(&seat)(if view.resolved.is_empty() { PlayError::NotFound } else { PlayError::Begun }));
    }
    let (other, who) = (view.side.other().name(), frame::name(&view.names, view.side.other()));
    let page = ConfirmPage {
        frame: Frame::of_seat(&view, "Unseat"),
        question: "Free the other seat?",
        explanation: format!(
            "{who} loses {other}’s seat, and what {other} may have sealed is erased unread. You get a new invitation to send."
        ),
        action: format!("{}/unseat", back(&seat)),
        button: format!("Free {other}’s seat"),
        carries: None,
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /games/{id}/{side}/unseat
pub async fn unseat(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    state.play.unseat(&seat).await.map_err(at(&seat))?;
    Ok(frame::see(&back(&seat)))
}

/// POST /games/{id}/{side}/invitation/withdraw
pub async fn withdraw(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    match state.play.withdraw_invitation(&seat).await {
        Ok(()) => Ok(frame::see(&back(&seat))),
        Err(PlayError::SeatTaken) => {
            let message =
                "Somebody has taken the seat with this invitation. Until the game begins you may free it again.";
            Err(PageError::new(StatusCode::CONFLICT, "The seat is taken", message).at(&seat))
        }
        Err(error) => Err(at(&seat)(error)),
    }
}

/// POST /games/{id}/{side}/address
pub async fn address(
    State(state): State<WebState>,
    Held(seat): Held,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, PageError> {
    let text = fields.text("address");
    match state.play.set_address_in_browser(&seat, text, visitor.0.as_ref()).await {
        Ok(()) => Ok(frame::see(&format!("{}#seat-card", back(&seat)))),
        Err(PlayError::Field { field, problem }) => {
            if let Some(to_watch) = watch::first(&state, &seat).await? {
                return Ok(to_watch);
            }
            let form = AddressForm { text: text.to_owned(), problem: Some(frame::field_problem(field, &problem)) };
            with_address(&state, &seat, &visitor, form).await
        }
        Err(error) => Err(at(&seat)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn what_cannot_be_taken_back_is_asked_once_more() {
        let page = ConfirmPage {
            frame: Frame::of_seat(&samples::view(), "Resign"),
            question: "Resign this game?",
            explanation: "Blue wins at once.".into(),
            action: "/games/0123456789ab/red/resign".into(),
            button: "Resign as Red".into(),
            carries: None,
        };
        let html = page.render().unwrap();
        assert!(html.contains("Resign as Red") && html.contains("href=\"/games/0123456789ab/red\""));
    }
}
