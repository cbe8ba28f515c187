//! Coming in: by the link to a seat, or by a game's address in a browser that holds a seat.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::play::view::SeatView;
use crate::play::{GameId, PlayError, Secret};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, hand_over_path, players, seat_path};
use crate::web::pages::session::{self, Visitor};
use crate::web::pages::spectator;

/// GET /s/{secret}: opens a seat in this browser, and moves on to an address without the secret.
pub async fn seat_link(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, PageError> {
    let seat = match state.play.seat_of_link(&Secret::sent(&secret)).await {
        Err(PlayError::NotFound) => {
            let message = "This link opens no seat. It may have lost its end on the way, or a newer link has replaced it. Signing in \
                 brings back every seat that letters go to.";
            return Err(PageError::new(StatusCode::NOT_FOUND, "No seat behind this link", message).with_sign_in());
        }
        seat => seat?,
    };
    let secret = state.play.remember(&seat, visitor.0.as_ref()).await?;
    Ok((session::cookie(&state, &secret), frame::see(&seat_path(seat.game(), seat.side()))).into_response())
}

#[derive(Template)]
#[template(path = "pages/choose.html")]
struct ChoosePage {
    frame: Frame,
    seats: Vec<HeldSeat>,
}

/// A seat to choose.
struct HeldSeat {
    path: String,
    side: Side,
    name: String,
}

impl ChoosePage {
    fn of(view: &SeatView) -> ChoosePage {
        let seat = |side: Side| HeldSeat {
            path: seat_path(&view.game, side),
            side,
            name: frame::name(&view.names, side).to_owned(),
        };
        ChoosePage { frame: Frame::plain(players(&view.names, Side::Red)), seats: Side::BOTH.map(seat).into() }
    }
}

/// GET /games/{id}
pub async fn game(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    if visitor.device(&state, &game).await?.is_some() {
        return Ok(frame::see(&hand_over_path(&game)));
    }
    match held(&state, &visitor, &game).await?.as_slice() {
        [] => spectator::game(&state, &game).await.map_err(|error| error.asking_for_code(&game)),
        [side] => Ok(frame::see(&seat_path(&game, *side))),
        [side, ..] => {
            let seat = visitor.seat(&state, &game, *side).await?;
            let view = state.play.view(&seat).await?;
            Ok(frame::page(StatusCode::OK, &ChoosePage::of(&view)))
        }
    }
}

/// GET /games/{id}/days/{n}
pub async fn day(
    State(state): State<WebState>,
    visitor: Visitor,
    Path((id, number)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    let number: u32 = number.parse().map_err(|_| PageError::not_found())?;
    let sides = held(&state, &visitor, &game).await?;
    let Some(&first) = sides.first() else {
        return spectator::day(&state, &game, number).await.map_err(|error| error.asking_for_code(&game));
    };
    // What has been resolved is open to both: at a shared device it is shown to whoever sits there.
    let sitting = visitor.device(&state, &game).await?.and_then(|device| device.sitting);
    Ok(frame::see(&format!("{}/days/{number}", seat_path(&game, sitting.unwrap_or(first)))))
}

/// GET /games/{id}/story
pub async fn story(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    let Some(&first) = held(&state, &visitor, &game).await?.first() else {
        return spectator::story(&state, &game).await;
    };
    let sitting = visitor.device(&state, &game).await?.and_then(|device| device.sitting);
    Ok(frame::see(&format!("{}/story", seat_path(&game, sitting.unwrap_or(first)))))
}

/// The sides of a game that the visitor holds.
async fn held(state: &WebState, visitor: &Visitor, game: &GameId) -> Result<Vec<Side>, PlayError> {
    let mut sides = Vec::new();
    for side in Side::BOTH {
        if visitor.holds(state, game, side).await? {
            sides.push(side);
        }
    }
    Ok(sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn who_holds_both_seats_chooses() {
        let html = ChoosePage::of(&samples::view()).render().unwrap();
        assert!(html.contains("/games/0123456789ab/red\"") && html.contains("/games/0123456789ab/blue\""));
    }
}
