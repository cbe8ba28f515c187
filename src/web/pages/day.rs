//! The report of a resolved turn: two pictures, the story, and both sheets with their seals.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::picture;
use crate::play::view::{SealedSheet, SeatView, TurnView};
use crate::rules::{Chapter, Side, Tone};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::frame::{self, Frame, Look, Shown};
use crate::web::pages::session::Held;

/// The end of the address.
#[derive(Debug, Deserialize)]
pub struct Number {
    n: String,
}

/// One side's sheet, open.
struct Opened {
    side: Side,
    sheet: SealedSheet,
    /// What a shell must be told to compute the seal again.
    command: String,
}

/// A neighbouring turn.
struct Neighbour {
    path: String,
    name: String,
}

#[derive(Template)]
#[template(path = "pages/day.html")]
struct DayPage {
    frame: Frame,
    turn: TurnView,
    /// The board before the turn; nothing stands on it before the first.
    before: Option<String>,
    after: String,
    /// What ended the game, if this turn did.
    ending: Option<String>,
    sheets: Vec<Opened>,
    previous: Option<Neighbour>,
    next: Option<Neighbour>,
    /// Whether the game goes on from here.
    latest: bool,
    over: bool,
}

/// GET /games/{id}/{side}/days/{n}
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    Path(Number { n }): Path<Number>,
) -> Result<Response, PageError> {
    let number = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let turn = state.play.turn(&seat, number).await.map_err(at(&seat))?;
    Ok(frame::page(StatusCode::OK, &day_page(&view, turn)))
}

fn day_page(view: &SeatView, turn: TurnView) -> DayPage {
    let frame = Frame::of_seat(view, &turn.name);
    let neighbour = |number: Option<u32>| {
        let number = number.filter(|number| view.resolved.contains(number))?;
        Some(Neighbour { path: format!("{}/days/{number}", frame.seat), name: view.setup.turn_name(number) })
    };
    let ending = turn.story.iter().flat_map(|chapter: &Chapter| &chapter.lines).find(|line| line.tone == Tone::End);
    let opened = |side: Side| Opened {
        side,
        command: command(view, turn.turn, side, turn.sheets.get(side)),
        sheet: turn.sheets.get(side).clone(),
    };
    DayPage {
        before: (turn.turn > 0).then(|| picture::before(&turn.report, &view.setup, view.side)),
        after: picture::after(&turn.report, &view.setup, view.side),
        ending: ending.map(|line| line.text.clone()),
        sheets: [view.side, view.side.other()].map(opened).into(),
        previous: neighbour(turn.turn.checked_sub(1)),
        next: neighbour(turn.turn.checked_add(1)),
        latest: view.resolved.last() == Some(&turn.turn),
        over: view.ended.is_some(),
        frame,
        turn,
    }
}

/// Computes a seal again in any shell that has `sha256sum`. A sheet holds letters, digits, `-`, spaces
/// and line ends only, so it needs no quoting.
fn command(view: &SeatView, turn: u32, side: Side, sheet: &SealedSheet) -> String {
    let text = sheet.text.replace('\n', "\\n");
    format!(
        "printf 'fieldcommand-seal/1\\n{}\\n{turn}\\n{}\\n{}\\n{text}' | sha256sum",
        view.game,
        side.word(),
        sheet.salt
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_day_is_told_with_both_sheets() {
        let (view, turn) = samples::fought();
        let html = day_page(&view, turn).render().unwrap();
        assert!(html.contains("<title>Red · Day 1 · Ann against Ben</title>"));
        assert!(html.contains("Red’s orders") || html.contains("Red&#39;s orders"));
        assert!(html.contains("/games/0123456789ab/red/days/0") && !html.contains("/red/days/2"));
        assert!(html.contains("printf &#39;fieldcommand-seal/1\\n0123456789ab\\n1\\nred\\n"));
    }
}
