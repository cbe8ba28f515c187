//! Opening a game.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::bot::Level;
use crate::pace::{DAYS, Pace, USUAL_HOURS, USUAL_REST};
use crate::play::challenge::{MOST_DAYS, USUAL_DAYS};
use crate::play::open::{Company, NAME_MAX, NewGame, SideChoice};
use crate::play::terms::{ABSENCE_MOST, MISSED_MOST, MissingDeployment, SECOND_THOUGHTS, Terms};
use crate::play::{PlayError, Secret};
use crate::rules::{BySide, Side};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::field_command::{self, BoardChoice, GREATEST_DAY_LIMIT, GREATEST_LIMIT, USUAL_LIMIT};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, seat_path};
use crate::web::pages::session::{self, Visitor};

/// The form with what was written into it, and what is wrong with that.
#[derive(Template)]
#[template(path = "pages/new.html")]
struct NewPage {
    frame: Frame,
    boards: Vec<BoardChoice>,
    /// Whether both sides sit at this device.
    one_device: bool,
    name: String,
    /// The other player's name, at one device.
    other_name: String,
    board: String,
    side: String,
    limit: String,
    /// The last day, 0 for none.
    day_limit: String,
    address: String,
    pace: PaceForm,
    /// Whether everybody may look on.
    public: bool,
    /// Whether anybody may take the other seat, and for how many days.
    challenge: bool,
    days: String,
    terms: TermsForm,
    errors: Vec<(&'static str, String)>,
}

/// The fields that say how fast a game goes.
struct PaceForm {
    /// `open`, a number of hours, or `fixed`.
    pace: String,
    /// The same for the deployment; empty for as long as any turn.
    first: String,
    zone: String,
    at: String,
    days: Vec<i8>,
    rest: String,
}

/// The fields that say what else there is to its time, as they were written.
struct TermsForm {
    missed_running: String,
    missed_all: String,
    second_thoughts: String,
    absence_days: String,
    missing_deployment: String,
}

/// What a deployment that is missing leads to: the word of the field.
const READY_MADE: &str = "ready_made";

impl TermsForm {
    fn usual() -> TermsForm {
        let terms = Terms::default();
        TermsForm {
            missed_running: terms.missed_running.to_string(),
            missed_all: terms.missed_all.to_string(),
            second_thoughts: terms.second_thoughts.to_string(),
            absence_days: terms.absence_days.to_string(),
            missing_deployment: String::new(),
        }
    }

    /// What was sent; a field that is not there stays as usual.
    fn sent(fields: &Fields) -> TermsForm {
        let usual = TermsForm::usual();
        let text = |name, usual| if fields.has(name) { fields.text(name).trim().to_owned() } else { usual };
        TermsForm {
            missed_running: text("missed_running", usual.missed_running),
            missed_all: text("missed_all", usual.missed_all),
            second_thoughts: text("second_thoughts", usual.second_thoughts),
            absence_days: text("absence_days", usual.absence_days),
            missing_deployment: text("missing_deployment", usual.missing_deployment),
        }
    }

    /// The terms; what cannot be read becomes what has a problem.
    fn read(&self) -> Terms {
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        Terms {
            missed_running: number(&self.missed_running),
            missed_all: number(&self.missed_all),
            second_thoughts: number(&self.second_thoughts),
            absence_days: number(&self.absence_days),
            missing_deployment: match &*self.missing_deployment {
                READY_MADE => MissingDeployment::ReadyMade,
                _ => MissingDeployment::Void,
            },
        }
    }

    /// The minutes to choose from, as they are written, and whether they are chosen.
    fn minutes(&self) -> Vec<(String, bool)> {
        SECOND_THOUGHTS
            .iter()
            .map(|minutes| (minutes.to_string(), minutes.to_string() == self.second_thoughts))
            .collect()
    }
}

/// The spans to choose from: hours and words.
pub(super) const SPANS: [(u32, &str); 9] = [
    (1, "1 hour"),
    (6, "6 hours"),
    (12, "12 hours"),
    (24, "1 day"),
    (48, "2 days"),
    (72, "3 days"),
    (168, "7 days"),
    (336, "14 days"),
    (720, "30 days"),
];

impl PaceForm {
    fn usual() -> PaceForm {
        PaceForm {
            pace: USUAL_HOURS.to_string(),
            first: String::new(),
            zone: "Europe/Berlin".into(),
            at: "20:00".into(),
            days: vec![1, 3, 5],
            rest: USUAL_REST.to_string(),
        }
    }

    fn sent(fields: &Fields) -> PaceForm {
        let text = |name| fields.text(name).trim().to_owned();
        PaceForm {
            pace: text("pace"),
            first: text("first"),
            zone: text("zone"),
            at: text("at"),
            days: fields.all("day").filter_map(|day| day.parse().ok()).collect(),
            rest: text("rest"),
        }
    }

    /// The pace; what cannot be read becomes what has a problem.
    fn read(&self) -> Pace {
        match &*self.pace {
            "" | "open" => Pace::Open,
            "fixed" => {
                let rest = self.rest.parse().unwrap_or(u32::MAX);
                Pace::fixed(self.zone.clone(), self.at.clone(), self.days.clone(), rest)
            }
            hours => {
                let hours = hours.parse().unwrap_or(0);
                let first_hours = if self.first.is_empty() { hours } else { self.first.parse().unwrap_or(0) };
                Pace::Span { hours, first_hours }
            }
        }
    }

    fn is(&self, hours: u32) -> bool {
        self.pace == hours.to_string()
    }

    fn first_is(&self, hours: u32) -> bool {
        self.first == hours.to_string()
    }
}

impl NewPage {
    fn empty() -> NewPage {
        NewPage {
            frame: Frame::plain("New game"),
            boards: field_command::boards().to_vec(),
            one_device: false,
            name: String::new(),
            other_name: String::new(),
            board: field_command::boards().first().map_or_else(String::new, |board| board.key.clone()),
            side: "lot".into(),
            limit: USUAL_LIMIT.to_string(),
            day_limit: "0".into(),
            address: String::new(),
            pace: PaceForm::usual(),
            public: false,
            challenge: false,
            days: USUAL_DAYS.to_string(),
            terms: TermsForm::usual(),
            errors: Vec::new(),
        }
    }

    fn sent(fields: &Fields) -> NewPage {
        let text = |name| fields.text(name).trim().to_owned();
        NewPage {
            one_device: fields.ticked("one_device"),
            name: text("name"),
            other_name: text("other_name"),
            board: text("board"),
            side: text("side"),
            limit: text("limit"),
            day_limit: if fields.has("day_limit") { text("day_limit") } else { "0".into() },
            address: text("address"),
            pace: PaceForm::sent(fields),
            public: fields.ticked("public"),
            challenge: fields.ticked("challenge"),
            days: text("days"),
            terms: TermsForm::sent(fields),
            ..NewPage::empty()
        }
    }

    /// Whether anything is wrong in the fields that fold away.
    fn terms_are_wrong(&self) -> bool {
        ["missed_running", "missed_all", "second_thoughts", "absence_days"]
            .iter()
            .any(|field| self.error(field).is_some())
    }

    /// The error at a field; the empty name stands for the form as a whole.
    fn error(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|(at, _)| *at == field).map(|(_, problem)| &**problem)
    }

    fn fail(&mut self, field: &'static str, problem: impl Into<String>) {
        self.errors.push((field, problem.into()));
    }

    /// The game that the form asks for; `None` if something is wrong, which is noted then.
    fn game(&mut self) -> Option<NewGame> {
        let limit = self.limit.parse().ok().filter(|limit| *limit <= GREATEST_LIMIT);
        if limit.is_none() {
            self.fail("limit", format!("A whole number from 0 to {GREATEST_LIMIT}, please; 0 for no limit."));
        }
        let side = match &*self.side {
            "lot" => Some(SideChoice::Lot),
            word => Side::from_word(word).map(SideChoice::Side),
        };
        if side.is_none() {
            self.fail("side", "Choose Red, Blue, or the lot.");
        }
        let last: Option<u32> = self.day_limit.parse().ok().filter(|last| *last <= GREATEST_DAY_LIMIT);
        if last.is_none() {
            self.fail("day_limit", format!("A whole number from 0 to {GREATEST_DAY_LIMIT}, please; 0 for no limit."));
        }
        let setup =
            field_command::setup_of(&self.boards, &self.board, limit.unwrap_or_default(), last.unwrap_or_default());
        if setup.is_none() {
            self.fail("board", "Choose one of these boards.");
        }
        for (field, name) in [("name", self.name.clone()), ("other_name", self.other_name.clone())] {
            if name.chars().count() > NAME_MAX {
                self.fail(field, format!("A name has up to {NAME_MAX} characters."));
            }
        }
        let pace = self.pace.read();
        if let Some((_, problem)) = pace.problem().filter(|_| !self.one_device) {
            self.fail("pace", format!("This {problem}."));
        }
        let terms = self.terms.read();
        if let Some((field, problem)) = terms.problem().filter(|_| !self.one_device) {
            self.fail(field, format!("This {problem}."));
        }
        let (setup, side) = (setup?, side?);
        let days = self.days.parse().ok().filter(|days| (1..=MOST_DAYS).contains(days));
        if days.is_none() && self.challenge {
            self.fail("days", format!("A whole number of days from 1 to {MOST_DAYS}, please."));
        }
        let company = Company { public: self.public, challenge_days: days.filter(|_| self.challenge) };
        let (name, address) = (self.name.clone(), self.address.clone());
        let game = NewGame { setup, side, name, address, pace, terms, company };
        self.errors.is_empty().then_some(game)
    }
}

/// GET /games/new
pub async fn get(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    let address = visitor.offered_address(&state).await?.unwrap_or_default();
    let name = visitor.person(&state).await?.and_then(|person| person.name).unwrap_or_default();
    let boards = field_command::choices(&state.play).await?;
    Ok(frame::page(StatusCode::OK, &NewPage { boards, name, address, ..NewPage::empty() }))
}

/// POST /games
pub async fn post(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    let boards = field_command::choices(&state.play).await?;
    let mut page = NewPage { boards, ..NewPage::sent(&fields) };
    let Some(game) = page.game() else { return Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page)) };
    // The address of who is signed in needs no confirmation: it is asked for nothing.
    let own = visitor.person(&state).await?.filter(|person| person.has_address(&game.address));
    let game = if own.is_some() { NewGame { address: String::new(), ..game } } else { game };
    let opened = if page.one_device {
        state.play.open_one_device(game, &page.other_name).await.map(|opened| {
            let link = |side: Side| opened.links.get(side).clone();
            (seat_path(&opened.game, opened.side), link(opened.side), Some(link(opened.side.other())))
        })
    } else {
        state.play.open(game).await.map(|opened| (seat_path(&opened.game, opened.side), opened.link, None))
    };
    match opened {
        Err(PlayError::Field { field, problem }) => {
            let known = ["name", "other_name", "address"].into_iter().find(|known| *known == field);
            let named = if field == "other_name" { "name" } else { field };
            page.fail(known.unwrap_or(""), frame::field_problem(named, &problem));
            Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        Err(error) => Err(error.into()),
        Ok((path, link, other)) => {
            // A game at one device is kept with a person if letters are wanted.
            let visitor = if other.is_none() || own.is_some() {
                let seat = state.play.seat_of_link(&link).await?;
                Visitor(Some(state.play.sit_down(&seat, visitor.0.as_ref()).await?))
            } else {
                visitor
            };
            enter(&state, &visitor, &path, &link, other.as_ref()).await
        }
    }
}

/// POST /play: a running game on the usual board, both sides at this device.
pub async fn play(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    let board = field_command::boards().first().map_or("", |board| &board.key);
    let setup = field_command::chosen_setup(board, USUAL_LIMIT, 0).ok_or_else(PageError::not_found)?;
    let opened = state.play.open_running(setup).await?;
    let BySide { red, blue } = opened.links;
    enter(&state, &visitor, &seat_path(&opened.game, opened.side), &red, Some(&blue)).await
}

/// POST /play/computer: a game against the computer on the usual board, in which the visitor deploys next.
pub async fn play_computer(
    State(state): State<WebState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, PageError> {
    let Some(level) = Level::from_word(fields.text("level")) else {
        return Err(PageError::odd_form("Choose how well the computer shall play: easy, medium or hard."));
    };
    let side = match fields.text("side") {
        "lot" => SideChoice::Lot,
        word => {
            SideChoice::Side(Side::from_word(word).ok_or_else(|| PageError::odd_form("Choose Red, Blue, or the lot."))?)
        }
    };
    let board = field_command::boards().first().map_or("", |board| &board.key);
    let setup = field_command::chosen_setup(board, USUAL_LIMIT, 0).ok_or_else(PageError::not_found)?;
    let name = visitor.person(&state).await?.and_then(|person| person.name).unwrap_or_default();
    let new = NewGame {
        setup,
        side,
        name,
        address: String::new(),
        pace: Pace::Open,
        terms: Terms::default(),
        company: Company::default(),
    };
    let opened = state.play.open_against(new, level).await?;
    let seat = state.play.seat_of_link(&opened.link).await?;
    let session = state.play.sit_down(&seat, visitor.0.as_ref()).await?;
    Ok((session::cookie(&state, &session), frame::see(&seat_path(&opened.game, opened.side))).into_response())
}

/// GET /play/computer: whoever reloads an answer goes to the first page.
pub async fn back_home() -> Response {
    frame::see("/")
}

/// Opens the seat behind a link in the visitor's browser, or both, and sends it to one of them.
async fn enter(
    state: &WebState,
    visitor: &Visitor,
    path: &str,
    link: &Secret,
    other: Option<&Secret>,
) -> Result<Response, PageError> {
    let seat = state.play.seat_of_link(link).await?;
    let mut session = state.play.remember(&seat, visitor.0.as_ref()).await?;
    if let Some(other) = other {
        let seat = state.play.seat_of_link(other).await?;
        session = state.play.remember(&seat, Some(&session)).await?;
    }
    Ok((session::cookie(state, &session), frame::see(path)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_form_comes_back_filled_with_the_error_at_its_field() {
        let mut page =
            NewPage { name: "x".repeat(41), limit: "twelve".into(), side: "green".into(), ..NewPage::empty() };
        assert!(page.game().is_none());
        let html = page.render().unwrap();
        assert!(html.contains("value=\"twelve\"") && html.contains("aria-describedby=\"limit-error limit-help\""));
        assert!(html.contains("up to 40 characters") && html.contains("Choose Red, Blue, or the lot."));
    }

    #[test]
    fn a_pace_is_read_and_a_wrong_one_named() {
        let of = |pairs: &[(&str, &str)]| PaceForm::sent(&Fields::of(pairs)).read();
        assert_eq!(of(&[]), Pace::Open);
        assert_eq!(of(&[("pace", "24"), ("first", "")]), Pace::Span { hours: 24, first_hours: 24 });
        assert_eq!(of(&[("pace", "24"), ("first", "168")]), Pace::Span { hours: 24, first_hours: 168 });
        let fixed = [("pace", "fixed"), ("zone", "UTC"), ("at", "20:00"), ("day", "5"), ("day", "1"), ("rest", "12")];
        assert_eq!(of(&fixed), Pace::fixed("UTC".into(), "20:00".into(), vec![1, 5], 12));
        let wrong = PaceForm { pace: "fixed".into(), zone: "Nowhere/City".into(), ..PaceForm::usual() };
        let mut page = NewPage { pace: wrong, ..NewPage::empty() };
        assert!(page.game().is_none());
        let html = page.render().unwrap();
        assert!(html.contains("This is not a time zone") && html.contains("value=\"Nowhere/City\""), "{html}");
        assert!(html.contains("<details open>"));
    }

    #[test]
    fn the_empty_form_opens_a_game() {
        let game = NewPage::empty().game().unwrap();
        assert_eq!(game.side, SideChoice::Lot);
        assert_eq!(game.setup.board_name(), Some("classic"));
    }
}
