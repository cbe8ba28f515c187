//! The page of a game's time: absences, pauses, and closing a game that lies still.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::absence::Absence;
use crate::play::pause::LONGEST_DAYS;
use crate::play::view::SeatView;
use crate::play::{PlayError, Seat};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::{PageError, at, status};
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown, seat_path};
use crate::web::pages::session::Held;
use crate::web::pages::watch;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;
/// So many days can be asked for at most; the game may allow fewer.
const MOST_DAYS: i64 = 366;

#[derive(Template)]
#[template(path = "pages/time.html")]
struct TimePage {
    frame: Frame,
    view: SeatView,
    /// What is wrong with what was just sent.
    problem: Option<String>,
}

impl TimePage {
    fn of(view: SeatView, problem: Option<String>) -> TimePage {
        TimePage { frame: Frame::of_seat(&view, "Absence and pause"), view, problem }
    }

    /// Whether a computer sits opposite.
    fn computer(&self) -> bool {
        self.view.computers.get(self.view.side.other()).is_some()
    }

    /// How many days of absence a side has left.
    fn left(&self, side: Side) -> u32 {
        *self.view.time.days_left.get(side)
    }

    /// How many the reader has.
    fn own_left(&self) -> u32 {
        self.left(self.view.side)
    }

    /// The reader's absences.
    fn own(&self) -> &[Absence] {
        self.view.time.absences.get(self.view.side)
    }

    /// Whether turns fall due in this game.
    fn timed(&self) -> bool {
        self.view.pace != Pace::Open && !self.view.one_device
    }
}

/// What can be said of absences and pauses on the seat's own page, the opponent first.
pub fn lines(view: &SeatView) -> Vec<(String, Timestamp)> {
    if view.ended.is_some() {
        return Vec::new();
    }
    let (other, time) = (view.side.other(), &view.time);
    let mut lines = Vec::new();
    lines.extend(time.paused_until.map(|until| ("The game is paused: nothing is due until".to_owned(), until)));
    for side in [other, view.side] {
        let whose = if side == view.side { "Your".to_owned() } else { format!("{}’s", side.name()) };
        let line = |absence: &Absence| (format!("{whose} announced absence ends on"), absence.until);
        lines.extend(time.absences.get(side).iter().map(line));
    }
    lines.extend(time.offer.map(|offer| {
        let who = if offer.by == view.side { "You offer" } else { "Your opponent offers" };
        (format!("{who} a pause until"), offer.until)
    }));
    lines.extend(
        time.put_off_from
            .map(|from| ("The server was down, so the deadline was put off. At first it was".into(), from)),
    );
    lines
}

/// GET /games/{id}/{side}/time
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if view.ended.is_some() {
        return Err(at(&seat)(PlayError::GameOver));
    }
    Ok(frame::page(StatusCode::OK, &TimePage::of(view, None)))
}

/// POST /games/{id}/{side}/time
pub async fn post(State(state): State<WebState>, Held(seat): Held, fields: Fields) -> Result<Response, PageError> {
    if let Some(to_watch) = watch::first(&state, &seat).await? {
        return Ok(to_watch);
    }
    match act(&state, &seat, &fields).await {
        Ok(()) if fields.text("do") == "close" => Ok(frame::see(&seat_path(seat.game(), seat.side()))),
        Ok(()) => Ok(frame::see(&format!("{}/time", seat_path(seat.game(), seat.side())))),
        Err(error) => {
            let problem = match &error {
                PlayError::Field { field: "until", problem } => format!("The end {problem}."),
                PlayError::Field { field: "from", problem } => format!("The beginning {problem}."),
                PlayError::Field { field, problem } => frame::field_problem(field, problem),
                PlayError::NoOffer | PlayError::NotIdle => error.to_string(),
                _ => return Err(at(&seat)(error)),
            };
            let view = state.play.view(&seat).await.map_err(at(&seat))?;
            Ok(frame::page(status(&error), &TimePage::of(view, Some(problem))))
        }
    }
}

/// Does what the form asks for.
async fn act(state: &WebState, seat: &Seat, fields: &Fields) -> Result<(), PlayError> {
    let now = state.play.clock().now();
    match fields.text("do") {
        "days" => state.play.announce_absence(seat, now, days_from(now, fields.text("days"), "days")?).await,
        "dates" => {
            let (from, until) = (date("from", fields.text("from"))?, date("until", fields.text("until"))?);
            // The last day is a day of absence.
            state.play.announce_absence(seat, from, Timestamp(until.0 + DAY)).await
        }
        "end" => state.play.end_absence(seat, instant(fields.text("from"))).await,
        "offer" => state.play.offer_pause(seat, days_from(now, fields.text("days"), "days")?).await,
        "accept" => state.play.accept_pause(seat, instant(fields.text("until"))).await,
        "drop" => state.play.drop_pause(seat).await,
        "close" => state.play.close_unfinished(seat).await,
        _ => Err(PlayError::Field { field: "form", problem: "does not say what to do".into() }),
    }
}

/// So many days from now.
fn days_from(now: Timestamp, text: &str, field: &'static str) -> Result<Timestamp, PlayError> {
    let days = text.trim().parse::<i64>().ok().filter(|days| (1..=MOST_DAYS).contains(days));
    let problem = || PlayError::Field { field, problem: format!("are a whole number from 1 to {MOST_DAYS}") };
    days.map(|days| Timestamp(now.0 + days * DAY)).ok_or_else(problem)
}

/// The beginning of a date in UTC.
fn date(field: &'static str, text: &str) -> Result<Timestamp, PlayError> {
    let problem = || PlayError::Field { field, problem: "is not a date as in 2026-03-20".into() };
    let date: Date = text.trim().parse().map_err(|_| problem())?;
    let begins = TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).map_err(|_| problem())?;
    Ok(Timestamp(begins.as_millisecond()))
}

/// A moment that a form of this page carries; what is none is no moment of any absence or offer.
fn instant(text: &str) -> Timestamp {
    Timestamp(text.parse().unwrap_or(i64::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::time::Offered;
    use crate::web::pages::samples::{self, NOON};

    #[test]
    fn the_page_shows_what_stands_and_what_can_be_done() {
        let (mut view, _) = samples::fought();
        view.pace = Pace::Span { hours: 24, first_hours: 24 };
        view.time.absences.blue = vec![Absence { from: NOON, until: Timestamp(NOON.0 + DAY) }];
        view.time.offer = Some(Offered { by: Side::Blue, until: NOON });
        view.time.days_left.red = 3;
        assert_eq!(lines(&view).len(), 2);
        let html = TimePage::of(view.clone(), Some("The end is wrong.".into())).render().unwrap();
        assert!(html.contains("Accept") && html.contains("3 days") && html.contains("The end is wrong."), "{html}");
        view.pace = Pace::Open;
        view.time = crate::play::time::TimeView { may_close: true, closes_from: Some(NOON), ..Default::default() };
        let html = TimePage::of(view, None).render().unwrap();
        assert!(html.contains("Close the game") && !html.contains("Announce"), "{html}");
    }

    #[test]
    fn dates_and_days_are_read_strictly() {
        assert_eq!(date("from", "2026-11-29"), Ok(Timestamp(NOON.0 - DAY / 2)));
        assert!(date("from", "29.11.2026").is_err() && date("from", "").is_err());
        assert_eq!(days_from(NOON, " 2 ", "days"), Ok(Timestamp(NOON.0 + 2 * DAY)));
        assert!(days_from(NOON, "0", "days").is_err() && days_from(NOON, "9999999999", "days").is_err());
    }
}
