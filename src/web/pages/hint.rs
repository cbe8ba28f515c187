//! What the computer would have written in a turn of a game that is over.
//!
//! While a game goes on hints are had on the table of the seat.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::picture;
use crate::play::view::{SealedSheet, SeatView, TurnView};
use crate::play::{PlayError, hint::Hint};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::day::Number;
use crate::web::pages::frame::{self, Frame, mid_sentence};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

#[derive(Template)]
#[template(path = "pages/hint.html")]
struct HintPage {
    frame: Frame,
    side: Side,
    turn: u32,
    /// The turn in the middle of a sentence.
    name: String,
    picture: String,
    /// The computer's sheet.
    text: String,
    /// Its size in words.
    measure: String,
    /// What the seat had written.
    own: SealedSheet,
}

/// GET /games/{id}/{side}/days/{n}/hint: a suggestion is asked for by a form; the turn itself can be looked at.
pub async fn back(Held(seat): Held, Path(Number { n }): Path<Number>) -> Result<Response, PageError> {
    let turn: u32 = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    Ok(frame::see(&watch::day_path(&seat, turn)))
}

/// POST /games/{id}/{side}/days/{n}/hint
pub async fn post(
    State(state): State<WebState>,
    Held(seat): Held,
    Path(Number { n }): Path<Number>,
) -> Result<Response, PageError> {
    let number: u32 = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let turn = state.play.turn(&seat, number).await.map_err(at(&seat))?;
    if view.ended.is_none() {
        return Err(at(&seat)(PlayError::TurnOver { turn: number, name: turn.name }));
    }
    let hint = state.play.hint(&seat, number).await.map_err(at(&seat))?;
    Ok(frame::page(StatusCode::OK, &hint_page(&view, &turn, &hint)))
}

fn hint_page(view: &SeatView, turn: &TurnView, Hint { standing, sheet }: &Hint) -> HintPage {
    HintPage {
        frame: Frame::of_seat(view, &turn.name),
        side: view.side,
        turn: turn.turn,
        name: mid_sentence(&turn.name),
        picture: picture::sheet(standing, view.side, sheet),
        text: sheet.canonical(),
        measure: standing.check(view.side, sheet).measure,
        own: turn.sheets.get(view.side).clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standing;
    use crate::web::pages::samples;

    #[test]
    fn the_page_shows_both_sheets() {
        let (view, turn) = samples::fought();
        let standing = Standing::open(view.setup.clone());
        let ready = standing.entry_form(Side::Red).presets.remove(0).text;
        let sheet = standing.parse(Side::Red, &ready).unwrap();
        let html = hint_page(&view, &turn, &Hint { standing, sheet }).render().unwrap();
        assert!(html.contains("The computer: ") && html.contains("G8-F8 A1-A2") && html.contains("GN "), "{html}");
        assert!(html.contains("Back to day 1"));
    }
}
