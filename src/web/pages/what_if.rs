//! What-if: a day imagined with orders for both sides, by the real rules. The page keeps nothing
//! but what its writer asks to keep, and shows it to nobody else.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;

use crate::picture;
use crate::play::thoughts::{NewWhatIf, WhatIf, imagine};
use crate::play::view::SeatView;
use crate::play::{PlayError, Seat};
use crate::rules::{BySide, Chapter, Side};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::desk::{TablePart, asks_for_part};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Look as _, Shown, seat_path};
use crate::web::pages::seat;
use crate::web::pages::session::Held;
use crate::web::pages::table::{Handling, Laid, Table, act, sent};
use crate::web::pages::watch;

/// What the address may ask for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The id of a kept what-if to be opened.
    open: Option<String>,
}

/// A day as it would come out.
struct Outcome {
    before: String,
    after: String,
    story: Vec<Chapter>,
    own: String,
    other: String,
}

#[derive(Template)]
#[template(path = "pages/what_if.html")]
struct WhatIfPage {
    frame: Frame,
    view: SeatView,
    table: Table,
    imagined: Option<Outcome>,
    /// What is wrong with one of the texts.
    problem: Option<String>,
    kept: Vec<WhatIf>,
}

/// Both texts of the form, whose is being written, and how the table is looked at.
struct Thinking {
    /// Whose sheet lies on the table.
    side: Side,
    texts: BySide<String>,
    look: Handling,
    said: String,
    /// The text on the table before the act, if that changed it.
    before: Option<String>,
}

/// GET /games/{id}/{side}/what-if
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let asked = asked.map(|Query(asked)| asked).unwrap_or_default();
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let mut texts = BySide { red: String::new(), blue: String::new() };
    *texts.get_mut(view.side) = seat::written(&view);
    if let Some(id) = asked.open {
        let kept = state.play.what_ifs(&seat, view.standing.turn()).await.map_err(at(&seat))?;
        let opened = kept.into_iter().find(|kept| kept.id == id).ok_or_else(|| PageError::not_found().at(&seat))?;
        *texts.get_mut(view.side) = opened.own;
        *texts.get_mut(view.side.other()) = opened.other;
    }
    let side = view.side;
    let thinking = Thinking { side, texts, look: Handling::default(), said: String::new(), before: None };
    shown(&state, &seat, view, thinking, false).await
}

/// POST /games/{id}/{side}/what-if
pub async fn post(
    State(state): State<WebState>,
    Held(seat): Held,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, PageError> {
    let turn = fields.turn().map_err(|error| error.at(&seat))?;
    if let Some(to_watch) = watch::first_now(&state, &seat, turn).await? {
        return Ok(to_watch);
    }
    let here = format!("{}/what-if", seat_path(seat.game(), seat.side()));
    match fields.text("do") {
        "keep" => {
            let text = |name: &str| fields.text(name).to_owned();
            let new = NewWhatIf { turn, name: text("name"), own: text("own"), other: text("other") };
            state.play.keep_what_if(&seat, new).await.map_err(at(&seat))?;
            return Ok(frame::see(&here));
        }
        "delete" => {
            state.play.delete_what_if(&seat, fields.text("id")).await.map_err(at(&seat))?;
            let day = fields.text("back").parse().ok().map(|day| watch::day_path(&seat, day));
            return Ok(frame::see(&day.unwrap_or(here)));
        }
        _ => {}
    }
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if view.standing.turn() != turn {
        let over = PlayError::TurnOver { turn, name: view.setup.turn_name(turn) };
        return Err(at(&seat)(over).keeping(fields.text("text")));
    }
    let thinking = think(&view, &fields);
    if asks_for_part(&headers) && fields.text("do") != "play" {
        let table = lay(&state, &seat, &view, &thinking).await?;
        return Ok(frame::page(StatusCode::OK, &TablePart { table }));
    }
    let play = fields.text("do") == "play";
    shown(&state, &seat, view, thinking, play).await
}

/// Reads the form, carries its act out on the sheet that lies on the table, and lays the other one there if asked.
fn think(view: &SeatView, fields: &Fields) -> Thinking {
    let mut ask = fields.all("as").filter_map(Side::from_word);
    // The button that turns the table stands before the field that says how it lies.
    let first = ask.next().unwrap_or(view.side);
    let side = ask.next().unwrap_or(first);
    let mut texts = BySide { red: String::new(), blue: String::new() };
    let (sent, before) = sent(fields);
    let mut look = Handling::of(fields);
    let touched = view.standing.touched(side, &sent, &look.held, act(fields));
    look.held = touched.held;
    let before = before.filter(|before| *before != touched.text);
    *texts.get_mut(side) = touched.text;
    fields.text("rest").clone_into(texts.get_mut(side.other()));
    if first != side {
        look.held.clear();
    }
    Thinking { side: first, texts, look, said: touched.said, before: before.filter(|_| first == side) }
}

async fn lay(state: &WebState, seat: &Seat, view: &SeatView, thinking: &Thinking) -> Result<Table, PageError> {
    let past = seat::past(state, seat, view, &thinking.look).await?;
    let laid = Laid {
        standing: &view.standing,
        reader: view.side,
        side: thinking.side,
        text: thinking.texts.get(thinking.side),
        rest: Some(thinking.texts.get(thinking.side.other())),
        past: &past,
        action: format!("{}/what-if", seat_path(&view.game, view.side)),
    };
    let table = Table::lay(&laid, thinking.look.clone(), thinking.said.clone());
    Ok(Table { before: thinking.before.clone(), ..table })
}

async fn shown(
    state: &WebState,
    seat: &Seat,
    view: SeatView,
    thinking: Thinking,
    play: bool,
) -> Result<Response, PageError> {
    if view.ended.is_some() {
        return Err(at(seat)(PlayError::GameOver));
    }
    if view.standing.turn() == 0 {
        let message = "There is nothing to imagine before both armies stand on the board.";
        return Err(PageError::new(StatusCode::CONFLICT, "Not yet", message).at(seat));
    }
    let table = lay(state, seat, &view, &thinking).await?;
    let (imagined, problem) = if play { outcome(&view, &thinking.texts) } else { (None, None) };
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let kept = state.play.what_ifs(seat, view.standing.turn()).await.map_err(at(seat))?;
    let frame = Frame::of_seat(&view, "What if?");
    Ok(frame::page(status, &WhatIfPage { frame, view, table, imagined, problem, kept }))
}

/// The day with both texts, or which of them cannot be read and why.
fn outcome(view: &SeatView, texts: &BySide<String>) -> (Option<Outcome>, Option<String>) {
    match imagine(&view.standing, texts.as_ref().map(String::as_str)) {
        Ok(day) => {
            let outcome = Outcome {
                before: picture::before(&day.report, &view.setup, view.side),
                after: picture::after(&day.report, &view.setup, view.side),
                story: day.story,
                own: canonical(view, view.side, texts),
                other: canonical(view, view.side.other(), texts),
            };
            (Some(outcome), None)
        }
        Err(errors) => {
            let told = Side::BOTH.into_iter().filter_map(|side| {
                errors.get(side).as_ref().map(|error| format!("{}’s orders: {error}.", side.name()))
            });
            (None, Some(told.collect::<Vec<_>>().join(" ")))
        }
    }
}

/// A text as it is kept: in the notation in which it will be compared with what happens.
fn canonical(view: &SeatView, side: Side, texts: &BySide<String>) -> String {
    view.standing.draft(side, texts.get(side)).map(|draft| draft.text()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields::of(pairs)
    }

    #[test]
    fn an_act_changes_the_sheet_on_the_table_alone() {
        let (view, _) = samples::fought();
        let mine = view.standing.places(Side::Red, &view.standing.draft(Side::Red, "").unwrap(), Side::Red);
        let unit = mine.iter().flatten().find(|place| !place.goals.is_empty()).unwrap();
        let act = format!("add {}-{}", unit.name, unit.goals[0].place);
        let thinking = think(&view, &fields(&[("as", "red"), ("text", ""), ("rest", "A1-A2"), ("act", &act)]));
        assert_eq!(thinking.texts.red, act[4..]);
        assert_eq!((thinking.side, &*thinking.texts.blue), (Side::Red, "A1-A2"));
    }

    #[test]
    fn the_table_is_turned_with_both_texts_on_it() {
        let (view, _) = samples::fought();
        let sent = [("as", "blue"), ("held", "H7"), ("as", "red"), ("text", "H7-F7"), ("rest", "A1-A2")];
        let thinking = think(&view, &fields(&sent));
        assert_eq!((thinking.side, &*thinking.look.held), (Side::Blue, ""));
        assert_eq!((&*thinking.texts.red, &*thinking.texts.blue), ("H7-F7", "A1-A2"));
    }

    #[test]
    fn a_text_that_cannot_be_read_is_named_by_its_side() {
        let (view, _) = samples::fought();
        let texts = BySide { red: "nonsense".to_owned(), blue: String::new() };
        let (imagined, problem) = outcome(&view, &texts);
        assert!(imagined.is_none() && problem.unwrap().starts_with("Red’s orders: Line 1, “nonsense”"));
        let texts = BySide { red: String::new(), blue: String::new() };
        let (imagined, problem) = outcome(&view, &texts);
        assert!(problem.is_none() && !imagined.unwrap().story.is_empty());
    }
}
