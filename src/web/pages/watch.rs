//! Watching a resolved turn before its result is told: the page of the first unwatched turn, the way
//! to it, and the marks that it was watched.
//!
//! Looking marks nothing, since programs that check links look too. Only a form does: the
//! button "Straight to the result", which `static/watch.js` presses by itself at the end.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::picture;
use crate::play::Seat;
use crate::play::view::{SeatView, TurnView};
use crate::rules::{Chapter, Report, Setup, Side, StoryStep};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::day::{Listed, Neighbour, Number, Walk, listed};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Look, seat_path};
use crate::web::pages::session::Held;

/// A turn that a script can play.
pub struct Player {
    /// The board at dawn, which holds what will happen.
    pub picture: String,
    /// What is said in each step.
    pub steps: Vec<StoryStep>,
    /// Where it is reported that the turn was watched, if that is news.
    pub seen: Option<String>,
    /// Where a reader goes afterwards, if it was watched before.
    pub onward: Option<Neighbour>,
}

impl Player {
    /// The player of a turn; `None` where there is nothing to watch.
    pub fn of(setup: &Setup, bottom: Side, turn: &TurnView) -> Option<Player> {
        Player::of_report(setup, bottom, &turn.report)
    }

    /// The same of a turn of which nothing but its report is there.
    pub fn of_report(setup: &Setup, bottom: Side, report: &Report) -> Option<Player> {
        let steps = report.steps(setup);
        let picture = picture::watch(report, setup, bottom);
        (!steps.is_empty()).then_some(Player { picture, steps, seen: None, onward: None })
    }

    /// The chapters that are told at dawn, before anything moves.
    pub fn at_dawn(&self) -> &[Chapter] {
        self.steps.first().map_or(&[], |step| &step.chapters)
    }
}

#[derive(Template)]
#[template(path = "pages/watch.html")]
struct WatchPage {
    frame: Frame,
    number: u32,
    player: Player,
    walk: Walk,
    days: Vec<Listed>,
    result_first: bool,
}

/// The address of a turn's page.
pub fn day_path(seat: &Seat, turn: u32) -> String {
    format!("{}/days/{turn}", seat_path(seat.game(), seat.side()))
}

/// Where a seat is sent first if a turn has been resolved that it has not watched.
pub async fn first(state: &WebState, seat: &Seat) -> Result<Option<Response>, PageError> {
    let unwatched = state.play.unwatched(seat).await.map_err(at(seat))?;
    Ok(unwatched.map(|turn| frame::see(&day_path(seat, turn))))
}

/// The same for a form that is for the awaited turn, which no page offers before all is watched. Forms of older pages go
/// their way: they are told that their turn is over.
pub async fn first_now(state: &WebState, seat: &Seat, turn: u32) -> Result<Option<Response>, PageError> {
    let view = state.play.view(seat).await.map_err(at(seat))?;
    let now = view.standing.turn() == turn || view.ended.is_some();
    Ok(view.unwatched.filter(|_| now).map(|turn| frame::see(&day_path(seat, turn))))
}

/// The page of an unwatched turn; `None` where there is nothing to watch in it.
pub fn page(view: &SeatView, turn: &TurnView) -> Option<Response> {
    watch_page(view, turn).map(|page| frame::page(StatusCode::OK, &page))
}

fn watch_page(view: &SeatView, turn: &TurnView) -> Option<WatchPage> {
    let frame = Frame::of_seat(view, &turn.name);
    let (seen, days) = (format!("{}/days/{}/seen", frame.seat, turn.turn), listed(view, turn.turn));
    Some(WatchPage {
        number: turn.turn,
        player: Player { seen: Some(seen), ..Player::of(&view.setup, view.side, turn)? },
        walk: Walk::from(view, turn.turn, &days),
        days,
        result_first: view.result_first,
        frame,
    })
}

/// POST /games/{id}/{side}/days/{n}/seen
pub async fn seen(
    State(state): State<WebState>,
    Held(seat): Held,
    Path(Number { n }): Path<Number>,
) -> Result<Response, PageError> {
    let turn = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    state.play.saw(&seat, turn).await.map_err(at(&seat))?;
    Ok(frame::see(&format!("{}#result", day_path(&seat, turn))))
}

/// GET of that address, as after a reload: back to the turn.
pub async fn back(Held(seat): Held, Path(Number { n }): Path<Number>) -> Result<Response, PageError> {
    let turn = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    Ok(frame::see(&day_path(&seat, turn)))
}

/// POST /games/{id}/{side}/results: whether results are shown at once, `first=1` or `first=`.
pub async fn results(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    let turn = fields.turn().map_err(|error| error.at(&seat))?;
    state.play.result_first(&seat, fields.ticked("first")).await.map_err(at(&seat))?;
    Ok(frame::see(&day_path(&seat, turn)))
}

/// GET of that address: back to the seat.
pub async fn back_to_seat(Held(seat): Held) -> Response {
    frame::see(&seat_path(seat.game(), seat.side()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    /// The page without what only a script shows.
    fn without_templates(html: &str) -> String {
        html.split("<template").map(|part| part.split_once("</template>").map_or(part, |(_, rest)| rest)).collect()
    }

    #[test]
    fn an_unwatched_day_keeps_its_result_to_itself() {
        let (mut view, turn) = samples::fought();
        view.unwatched = Some(1);
        view.ended = Some(samples::ended());
        let html = watch_page(&view, &turn).unwrap().render().unwrap();
        assert!(html.contains("<title>Red · Day 1 · Ann against Ben</title>"));
        assert!(
            html.contains("action=\"/games/0123456789ab/red/days/1/seen\"") && html.contains("Straight to the result")
        );
        let shown = without_templates(&html);
        assert!(shown.contains("A1-A2 was not carried out"), "both sides’ orders are shown at dawn");
        for word in
            ["has been removed", "units left", "No gun had", "No opposing units", "after-title", "Salt", "On to"]
        {
            assert!(!shown.contains(word), "{word} is told too early");
        }
        assert!(html.contains("No gun had a target in range."), "the script has it");
        for step in turn.report.steps(&view.setup) {
            assert!(html.contains(&format!("data-tells=\"{}\"", step.key)));
            assert!(html.contains(&format!("data-step=\"{}\"", step.key)), "the picture lacks {}", step.key);
        }
    }
}
