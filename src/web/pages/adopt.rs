//! Carrying on here what was begun on paper: a game is opened with the position that stands on the table.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::pace::{Pace, USUAL_HOURS};
use crate::play::PlayError;
use crate::play::open::{AdoptedPosition, Company, NewGame, SideChoice};
use crate::play::terms::Terms;
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::field_command::{self, BoardChoice, GREATEST_LIMIT, USUAL_LIMIT};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::session::{self, Visitor};

/// The spans to choose from: hours, or nothing for no deadlines, and words.
const SPANS: [(&str, &str); 5] =
    [("open", "No deadlines"), ("24", "1 day"), ("72", "3 days"), ("168", "7 days"), ("336", "14 days")];

/// The form with what was written into it, and what is wrong with that.
#[derive(Template)]
#[template(path = "pages/adopt.html")]
struct AdoptPage {
    frame: Frame,
    boards: Vec<BoardChoice>,
    name: String,
    address: String,
    side: String,
    board: String,
    limit: String,
    pace: String,
    day: String,
    red: String,
    blue: String,
    errors: Vec<(&'static str, String)>,
}

impl AdoptPage {
    fn empty() -> AdoptPage {
        AdoptPage {
            frame: Frame::plain("A game begun on paper"),
            boards: field_command::boards().to_vec(),
            name: String::new(),
            address: String::new(),
            side: "red".into(),
            board: field_command::boards().first().map_or_else(String::new, |board| board.key.clone()),
            limit: USUAL_LIMIT.to_string(),
            pace: USUAL_HOURS.to_string(),
            day: String::new(),
            red: String::new(),
            blue: String::new(),
            errors: Vec::new(),
        }
    }

    fn sent(fields: &Fields) -> AdoptPage {
        let text = |name| fields.text(name).trim().to_owned();
        AdoptPage {
            name: text("name"),
            address: text("address"),
            side: text("side"),
            board: text("board"),
            limit: text("limit"),
            pace: text("pace"),
            day: text("day"),
            red: text("red"),
            blue: text("blue"),
            ..AdoptPage::empty()
        }
    }

    /// The error at a field; the empty name stands for the form as a whole.
    fn error(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|(at, _)| *at == field).map(|(_, problem)| &**problem)
    }

    fn fail(&mut self, field: &'static str, problem: impl Into<String>) {
        self.errors.push((field, problem.into()));
    }

    /// The game that the form asks for; `None` if something is wrong, which is noted then.
    fn game(&mut self) -> Option<(NewGame, AdoptedPosition)> {
        let limit = self.limit.parse().ok().filter(|limit| *limit <= GREATEST_LIMIT);
        if limit.is_none() {
            self.fail("limit", format!("A whole number from 0 to {GREATEST_LIMIT}, please; 0 for no limit."));
        }
        let side = Side::from_word(&self.side).map(SideChoice::Side);
        if side.is_none() {
            self.fail("side", "Choose Red or Blue.");
        }
        let setup = field_command::setup_of(&self.boards, &self.board, limit.unwrap_or_default(), 0);
        if setup.is_none() {
            self.fail("board", "Choose one of these boards.");
        }
        let day = self.day.parse().ok().filter(|day| *day > 0);
        if day.is_none() {
            self.fail("day", "The number of the day that is to be played next, please, as in 7.");
        }
        let pace = match self.pace.parse() {
            Ok(hours) => Pace::Span { hours, first_hours: hours },
            Err(_) => Pace::Open,
        };
        if let Some((_, problem)) = pace.problem() {
            self.fail("pace", format!("This {problem}."));
        }
        let (setup, side) = (setup?, side?);
        let (name, address, terms) = (self.name.clone(), self.address.clone(), Terms::default());
        let company = Company::default();
        let game = NewGame { setup, side, name, address, pace, terms, company };
        let position = AdoptedPosition { turn: day?, red: self.red.clone(), blue: self.blue.clone() };
        self.errors.is_empty().then_some((game, position))
    }
}

/// GET /games/adopt
pub async fn get(State(state): State<WebState>) -> Result<Response, PageError> {
    let boards = field_command::choices(&state.play).await?;
    Ok(frame::page(StatusCode::OK, &AdoptPage { boards, ..AdoptPage::empty() }))
}

/// POST /games/adopt
pub async fn post(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let boards = field_command::choices(&state.play).await?;
    let mut page = AdoptPage { boards, ..AdoptPage::sent(&fields) };
    let Some((game, position)) = page.game() else {
        return Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page));
    };
    match state.play.adopt(game, &position).await {
        Err(PlayError::Field { field, problem }) => {
            let own = ["red", "blue"].into_iter().find(|own| *own == field);
            let known = ["name", "address"].into_iter().find(|known| *known == field);
            match (own, known) {
                (Some(side), _) => page.fail(side, format!("{problem}.")),
                (_, Some(known)) => page.fail(known, frame::field_problem(field, &problem)),
                _ => page.fail("", format!("{problem}. No game was opened.")),
            }
            Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        Err(error) => Err(error.into()),
        Ok(opened) => {
            let seat = state.play.seat_of_link(&opened.link).await?;
            let session = state.play.remember(&seat, visitor.0.as_ref()).await?;
            let path = seat_path(&opened.game, opened.side);
            Ok((session::cookie(&state, &session), frame::see(&path)).into_response())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_form_comes_back_filled() {
        let mut page = AdoptPage::sent(&Fields::of(&[("day", "0"), ("red", "GN <K1>"), ("side", "red")]));
        assert!(page.game().is_none());
        let html = page.render().unwrap();
        assert!(html.contains("id=\"day-error\"") && html.contains("GN &#60;K1&#62;"), "{html}");
    }
}
