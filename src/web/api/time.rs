//! A game's time: absences, pauses, and closing a game that lies still.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::{CloseProblems, DropProblems, EndProblems, OfferProblems, TimeProblems};
use super::schema;
use crate::clock::Timestamp;
use crate::play::absence;
use crate::play::time::TimeView;
use crate::rules::{BySide, Side};
use crate::web::WebState;

/// What stands of a game's time beside its deadline.
#[derive(Serialize, ToSchema)]
pub struct Time {
    absences: AbsencesBySide,
    /// How many days of absence each side has left to announce.
    days_left: DaysBySide,
    /// Until when the game is paused; `null` if it is not.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-04-01T00:00:00Z")]
    paused_until: Option<Timestamp>,
    /// The pause that one side offers; `null` if none is.
    #[schema(required)]
    pause_offer: Option<PauseOffer>,
    /// From when on either side may close the game as unfinished; `null` in games with deadlines.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-05-01T00:00:00Z")]
    closes_from: Option<Timestamp>,
    /// When this turn was due before an outage of the server put it off; `null` if none did.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T17:00:00Z")]
    put_off_from: Option<Timestamp>,
    /// The deployment that was kept for this seat when the game became void; `null` if none was.
    #[schema(required, example = "GN K11")]
    kept_deployment: Option<String>,
}

/// The absences of each side that are not over.
#[derive(Serialize, ToSchema)]
pub struct AbsencesBySide {
    red: Vec<Absence>,
    blue: Vec<Absence>,
}

/// A number of days for each side.
#[derive(Serialize, ToSchema)]
pub struct DaysBySide {
    #[schema(example = 14)]
    red: u32,
    #[schema(example = 9)]
    blue: u32,
}

/// An absence that was announced.
#[derive(Serialize, ToSchema)]
pub struct Absence {
    /// When it begins.
    #[schema(value_type = String, format = DateTime, example = "2026-03-20T00:00:00Z")]
    from_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime, example = "2026-03-25T00:00:00Z")]
    until_at: Timestamp,
}

/// A pause that one side offers.
#[derive(Serialize, ToSchema)]
pub struct PauseOffer {
    /// Who offers it.
    #[schema(value_type = schema::Side)]
    by: Side,
    /// Until when it would last.
    #[schema(value_type = String, format = DateTime, example = "2026-04-01T00:00:00Z")]
    until_at: Timestamp,
}

impl From<TimeView> for Time {
    fn from(time: TimeView) -> Time {
        let shown = |absence: absence::Absence| Absence { from_at: absence.from, until_at: absence.until };
        let BySide { red, blue } =
            time.absences.map(|absences| absences.into_iter().map(shown).collect::<Vec<Absence>>());
        Time {
            absences: AbsencesBySide { red, blue },
            days_left: DaysBySide { red: time.days_left.red, blue: time.days_left.blue },
            paused_until: time.paused_until,
            pause_offer: time.offer.map(|offer| PauseOffer { by: offer.by, until_at: offer.until }),
            closes_from: time.closes_from,
            put_off_from: time.put_off_from,
            kept_deployment: time.kept,
        }
    }
}

/// An absence to be announced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsenceToAnnounce {
    /// When it begins; now if that is left out or past.
    #[serde(default)]
    #[schema(format = DateTime, example = "2026-03-20T00:00:00Z")]
    from_at: Option<String>,
    /// When it ends.
    #[schema(format = DateTime, example = "2026-03-25T00:00:00Z")]
    until_at: String,
}

/// Which absence ends.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsenceToEnd {
    /// The moment at which it begins, as the game shows it.
    #[schema(format = DateTime, example = "2026-03-20T00:00:00Z")]
    from_at: String,
}

/// A pause: to be offered, or the one that is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// Until when it lasts, at most 60 days from now.
    #[schema(format = DateTime, example = "2026-04-01T00:00:00Z")]
    until_at: String,
}

/// Reads a moment as RFC 3339 writes it.
fn moment(field: &'static str, text: &str) -> Result<Timestamp, Problem> {
    text.parse::<jiff::Timestamp>().map(|moment| Timestamp(moment.as_millisecond())).map_err(|_| {
        let detail = format!("The {field} is not a moment as in 2026-03-20T00:00:00Z (RFC 3339).");
        Problem::new(&kinds::FIELD, detail).with_field(field)
    })
}

/// Names the member of the body as the body does.
fn named(problem: Problem) -> Problem {
    match problem.field() {
        Some("from") => problem.with_field("from_at"),
        Some("until") => problem.with_field("until_at"),
        _ => problem,
    }
}

/// Announce an absence
///
/// A deadline that falls into it moves to its end, now and when later ones are set. It takes a day of the seat's budget for
/// each day that it begins. Both sides see it.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/absences",
    tag = "playing",
    operation_id = "announce_absence",
    security(("seat" = [])),
    params(SeatPath),
    request_body = AbsenceToAnnounce,
    responses((status = 204, description = "It is announced"), TimeProblems)
)]
pub async fn announce(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<AbsenceToAnnounce>,
) -> Result<StatusCode, Problem> {
    let from = match &wanted.from_at {
        Some(from) => moment("from_at", from)?,
        None => web.play.clock().now(),
    };
    let until = moment("until_at", &wanted.until_at)?;
    web.play.announce_absence(&seat, from, until).await.map_err(|error| named(error.into()))?;
    Ok(StatusCode::NO_CONTENT)
}

/// End an absence
///
/// Or take it back, if it has not begun. Days that had not begun come back to the budget; deadlines stay as they were announced. One that has
/// moved the deadline of the awaited turn is refused (`field`): its days stay taken until that turn is resolved.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/absences/end",
    tag = "playing",
    operation_id = "end_absence",
    security(("seat" = [])),
    params(SeatPath),
    request_body = AbsenceToEnd,
    responses((status = 204, description = "It is over"), EndProblems)
)]
pub async fn end(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<AbsenceToEnd>,
) -> Result<StatusCode, Problem> {
    let from = moment("from_at", &wanted.from_at)?;
    web.play.end_absence(&seat, from).await.map_err(|error| named(error.into()))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Offer a pause
///
/// In place of one that this seat offered before. It lapses when the turn is resolved.
#[utoipa::path(
    put,
    path = "/games/{id}/{side}/pause",
    tag = "playing",
    operation_id = "offer_pause",
    security(("seat" = [])),
    params(SeatPath),
    request_body = Pause,
    responses((status = 204, description = "It is offered"), TimeProblems)
)]
pub async fn offer(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<Pause>,
) -> Result<StatusCode, Problem> {
    let until = moment("until_at", &wanted.until_at)?;
    web.play.offer_pause(&seat, until).await.map_err(|error| named(error.into()))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accept a pause
///
/// The one that the other side offers. Nothing is due until it ends; two seals still resolve a turn. At its end the turn has
/// what was left of its time, 12 hours at least.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/pause/accept",
    tag = "playing",
    operation_id = "accept_pause",
    security(("seat" = [])),
    params(SeatPath),
    request_body = Pause,
    responses((status = 204, description = "The game is paused"), OfferProblems)
)]
pub async fn accept(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<Pause>,
) -> Result<StatusCode, Problem> {
    let until = moment("until_at", &wanted.until_at)?;
    web.play.accept_pause(&seat, until).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Decline a pause, or withdraw it
///
/// The one that is offered, by whichever side.
#[utoipa::path(
    delete,
    path = "/games/{id}/{side}/pause",
    tag = "playing",
    operation_id = "drop_pause",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 204, description = "No pause is offered any more"), DropProblems)
)]
pub async fn drop(State(web): State<WebState>, Asker(seat): Asker) -> Result<StatusCode, Problem> {
    web.play.drop_pause(&seat).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Close a game as unfinished
///
/// Possible in a game without deadlines from `time.closes_from` on. It ends without a result.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/close",
    tag = "playing",
    operation_id = "close_game",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 204, description = "The game is over"), CloseProblems)
)]
pub async fn close(State(web): State<WebState>, Asker(seat): Asker) -> Result<StatusCode, Problem> {
    web.play.close_unfinished(&seat).await?;
    Ok(StatusCode::NO_CONTENT)
}
