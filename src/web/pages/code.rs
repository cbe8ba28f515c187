//! A code out of a letter, typed on the page of a game that this browser holds no seat in.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::play::GameId;
use crate::play::code::Typed;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, seat_path};
use crate::web::pages::session::{self, Visitor};
use crate::web::{WebState, security};

/// GET /games/{id}/code: the form stands on the page of the game.
pub async fn back(Path(id): Path<String>) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    Ok(frame::see(&format!("/games/{game}")))
}

/// POST /games/{id}/code: the same answers whether there is such a game or not.
pub async fn post(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    match state.play.type_code(&game, fields.text("code")).await? {
        Typed::Right(seat) => {
            security::noticed!(INFO, "a code opened a seat", game = %game);
            let session = state.play.remember(&seat, visitor.0.as_ref()).await?;
            let path = seat_path(seat.game(), seat.side());
            Ok((session::cookie(&state, &session), frame::see(&path)).into_response())
        }
        Typed::Wrong => {
            security::noticed!(INFO, "a code opened nothing");
            let message = "Codes are eight characters long and work for 7 days. Take the one of your newest letter.";
            Err(PageError::new(StatusCode::UNPROCESSABLE_ENTITY, "This code opens no seat", message)
                .asking_for_code(&game))
        }
        Typed::TooMany => {
            security::noticed!(WARN, "too many codes opened nothing");
            let message =
                "For an hour no code is looked at here. The link to your seat, or signing in, opens it still.";
            Err(PageError::new(StatusCode::TOO_MANY_REQUESTS, "Too many codes were wrong", message))
        }
    }
}
