//! Reading letters, mails, people, reports, numbers and the log.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::super::problem::Problem;
use super::super::problem_sets::{AdminListProblems, AdminProblems};
use super::super::schema;
use super::super::state::LettersStopped;
use super::asker::Reads;
use super::games::{number, odd, query};
use super::shown::{AdminActLine, AdminGameLine, AdminLetter, AdminMail, IdParam};
use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::play::admin::letters::LetterState;
use crate::play::admin::people::{DeskPerson, PeoplePage, PersonSeat};
use crate::play::admin::reports::DeskReport;
use crate::play::admin::statistics::DAYS_MAX;
use crate::rules::Side;
use crate::web::WebState;

/// Where a list goes on.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct AfterParams {
    /// The `next` of the page before.
    #[param(example = "1772388000000-019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    after: Option<String>,
}

/// Which letters are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LetterParams {
    /// `waiting`, `failed` or `returned`; those that failed if it is left out.
    #[param(example = "failed")]
    state: Option<String>,
    /// The `next` of the page before.
    #[param(example = "1772388000000-019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    after: Option<String>,
}

/// A page of letters, the last one first.
#[derive(Serialize, ToSchema)]
pub struct AdminLetters {
    letters: Vec<AdminLetter>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "1772388000000-019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    next: Option<String>,
}

/// A page of mails, the last one first.
#[derive(Serialize, ToSchema)]
pub struct AdminMails {
    mails: Vec<AdminMail>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "1772388000000-9c56cc51b374c3ba")]
    next: Option<String>,
}

/// A problem with a member is here one with the query.
fn of_query(error: PlayError) -> Problem {
    match error {
        PlayError::Field { field, problem } => odd(field, &problem),
        error => error.into(),
    }
}

/// List letters
///
/// By what became of them. What a letter says is not shown.
#[utoipa::path(
    get,
    path = "/letters",
    tag = "organising",
    operation_id = "admin_list_letters",
    security(("admin" = [])),
    params(LetterParams),
    responses((status = 200, description = "A page of letters", body = AdminLetters), AdminListProblems)
)]
pub async fn letters(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<LetterParams>, QueryRejection>,
) -> Result<Json<AdminLetters>, Problem> {
    let params = query(params)?;
    let state = match params.state.as_deref() {
        Some("waiting") => LetterState::Waiting,
        None | Some("failed") => LetterState::Failed,
        Some("returned") => LetterState::Returned,
        Some(_) => return Err(odd("state", "is waiting, failed or returned")),
    };
    let page = web.play.desk_letters(&admin, state, params.after.as_deref()).await.map_err(of_query)?;
    Ok(Json(AdminLetters { letters: page.letters.into_iter().map(Into::into).collect(), next: page.next }))
}

/// List mails that came
///
/// When, for which seat, and what became of each. What a mail said is kept nowhere.
#[utoipa::path(
    get,
    path = "/mails",
    tag = "organising",
    operation_id = "admin_list_mails",
    security(("admin" = [])),
    params(AfterParams),
    responses((status = 200, description = "A page of mails", body = AdminMails), AdminListProblems)
)]
pub async fn mails(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<AfterParams>, QueryRejection>,
) -> Result<Json<AdminMails>, Problem> {
    let page = web.play.desk_mails(&admin, query(params)?.after.as_deref()).await.map_err(of_query)?;
    Ok(Json(AdminMails { mails: page.mails.into_iter().map(Into::into).collect(), next: page.next }))
}

/// Which people are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PeopleParams {
    /// The whole address of one.
    #[param(example = "ann@example.org")]
    address: Option<String>,
    /// Words of the name, where no address is given.
    #[param(example = "ann")]
    name: Option<String>,
    /// The `next` of the page before.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    after: Option<String>,
}

/// People who were found.
#[derive(Serialize, ToSchema)]
pub struct AdminPeople {
    people: Vec<AdminPerson>,
    /// What to send as `after` for the next page; `null` on the last. A page may be short.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    next: Option<String>,
    /// The block that the address is under which was asked for, where it belongs to nobody; `null` otherwise.
    #[schema(required)]
    block: Option<AdminBlock>,
}

/// A person.
#[derive(Serialize, ToSchema)]
pub struct AdminPerson {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// The confirmed address.
    #[schema(example = "ann@example.org")]
    address: String,
    /// The name for new games; `null` where none was given.
    #[schema(required, example = "Ann")]
    name: Option<String>,
    /// Since when the address is known.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    since: Timestamp,
    /// The block that the address is under; `null` if none.
    #[schema(required)]
    block: Option<AdminBlock>,
}

/// A block.
#[derive(Serialize, ToSchema)]
pub struct AdminBlock {
    /// The id, by which it is lifted.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    since: Timestamp,
}

impl From<(String, Timestamp)> for AdminBlock {
    fn from((id, since): (String, Timestamp)) -> AdminBlock {
        AdminBlock { id, since }
    }
}

impl From<DeskPerson> for AdminPerson {
    fn from(person: DeskPerson) -> AdminPerson {
        AdminPerson {
            id: person.id,
            address: person.address,
            name: person.name,
            since: person.since,
            block: person.blocked.map(Into::into),
        }
    }
}

/// Find people
///
/// By the whole address, or by words of the name. Of an address that belongs to nobody it is said whether it is blocked.
#[utoipa::path(
    get,
    path = "/people",
    tag = "organising",
    operation_id = "admin_find_people",
    security(("admin" = [])),
    params(PeopleParams),
    responses((status = 200, description = "The people", body = AdminPeople), AdminListProblems)
)]
pub async fn people(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<PeopleParams>, QueryRejection>,
) -> Result<Json<AdminPeople>, Problem> {
    let params = query(params)?;
    let PeoplePage { people, next, blocked } = match (params.address, params.name) {
        (Some(address), _) => web.play.desk_person_by_address(&admin, &address).await?,
        (None, Some(name)) => web.play.desk_people(&admin, &name, params.after.as_deref()).await.map_err(of_query)?,
        (None, None) => return Err(odd("address", "or name is missing")),
    };
    let people = people.into_iter().map(Into::into).collect();
    Ok(Json(AdminPeople { people, next, block: blocked.map(Into::into) }))
}

/// A person with all seats.
#[derive(Serialize, ToSchema)]
pub struct AdminPersonWithSeats {
    #[serde(flatten)]
    person: AdminPerson,
    seats: Vec<AdminPersonSeat>,
}

/// A seat of a person.
#[derive(Serialize, ToSchema)]
pub struct AdminPersonSeat {
    #[schema(value_type = schema::Side)]
    side: Side,
    /// Why no letters about the game go there; `null` where they do.
    #[schema(required)]
    letters_stopped: Option<LettersStopped>,
    game: AdminGameLine,
}

impl From<PersonSeat> for AdminPersonSeat {
    fn from(seat: PersonSeat) -> AdminPersonSeat {
        AdminPersonSeat {
            side: seat.side,
            letters_stopped: seat.stopped.map(LettersStopped::of),
            game: seat.line.into(),
        }
    }
}

/// Read about a person
#[utoipa::path(
    get,
    path = "/people/{id}",
    tag = "organising",
    operation_id = "admin_read_person",
    security(("admin" = [])),
    params(IdParam),
    responses((status = 200, description = "The person", body = AdminPersonWithSeats), AdminProblems)
)]
pub async fn person(
    State(web): State<WebState>,
    Reads(admin): Reads,
    Path(param): Path<IdParam>,
) -> Result<Json<AdminPersonWithSeats>, Problem> {
    let (person, seats) = web.play.desk_person(&admin, &param.id).await?;
    Ok(Json(AdminPersonWithSeats { person: person.into(), seats: seats.into_iter().map(Into::into).collect() }))
}

/// A page of reports, the last one first.
#[derive(Serialize, ToSchema)]
pub struct AdminReports {
    reports: Vec<AdminReport>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    next: Option<String>,
}

/// Messages that a player has reported.
#[derive(Serialize, ToSchema)]
pub struct AdminReport {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// From which game.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// Who reported.
    #[schema(value_type = schema::Side)]
    side: Side,
    /// Why, in the player's words.
    #[schema(example = "Insults.")]
    reason: String,
    /// The messages as they were then, the first one first.
    #[schema(value_type = Vec<Object>)]
    messages: Value,
    /// When it was reported.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    at: Timestamp,
}

impl From<DeskReport> for AdminReport {
    fn from(report: DeskReport) -> AdminReport {
        AdminReport {
            id: report.id,
            game: report.game.to_string(),
            side: report.side,
            reason: report.reason,
            messages: report.messages,
            at: report.at,
        }
    }
}

/// List reported messages
#[utoipa::path(
    get,
    path = "/reports",
    tag = "organising",
    operation_id = "admin_list_reports",
    security(("admin" = [])),
    params(AfterParams),
    responses((status = 200, description = "A page of reports", body = AdminReports), AdminListProblems)
)]
pub async fn reports(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<AfterParams>, QueryRejection>,
) -> Result<Json<AdminReports>, Problem> {
    let page = web.play.desk_reports(&admin, query(params)?.after).await?;
    Ok(Json(AdminReports { reports: page.reports.into_iter().map(Into::into).collect(), next: page.next }))
}

/// How many days are counted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DaysParams {
    /// What passes is counted for so many days, 1 to 366; 7 if it is left out.
    #[param(example = "7")]
    days: Option<String>,
}

/// Numbers: games and people as they are now; the rest of the last days.
#[derive(Serialize, ToSchema)]
pub struct AdminStatistics {
    /// Over how many days what passes is counted.
    #[schema(example = 7)]
    days: u32,
    /// Games in which a seat has never been taken.
    #[schema(example = 3)]
    open: i64,
    /// Games that go on.
    #[schema(example = 40)]
    running: i64,
    /// Of them, paused.
    #[schema(example = 1)]
    paused: i64,
    /// Games that are over.
    #[schema(example = 310)]
    ended: i64,
    /// People with a confirmed address.
    #[schema(example = 55)]
    people: i64,
    /// Turns that were due and are not resolved.
    #[schema(example = 0)]
    late: i64,
    /// Letters that wait to leave.
    #[schema(example = 2)]
    letters_waiting: i64,
    /// Turns that were resolved.
    #[schema(example = 120)]
    turns: i64,
    /// Letters that left.
    #[schema(example = 260)]
    letters_sent: i64,
    /// Letters that were given up.
    #[schema(example = 1)]
    letters_failed: i64,
    /// Letters that came back.
    #[schema(example = 1)]
    letters_returned: i64,
    /// Mails that came.
    #[schema(example = 80)]
    mails: i64,
    /// Messages that were reported.
    #[schema(example = 0)]
    reports: i64,
}

/// Read numbers
#[utoipa::path(
    get,
    path = "/statistics",
    tag = "organising",
    operation_id = "admin_read_statistics",
    security(("admin" = [])),
    params(DaysParams),
    responses((status = 200, description = "The numbers", body = AdminStatistics), AdminListProblems)
)]
pub async fn statistics(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<DaysParams>, QueryRejection>,
) -> Result<Json<AdminStatistics>, Problem> {
    let days = number("days", query(params)?.days.as_deref(), 7, DAYS_MAX)?;
    let counts = web.play.desk_counts(&admin, days).await?;
    Ok(Json(AdminStatistics {
        days,
        open: counts.open,
        running: counts.running,
        paused: counts.paused,
        ended: counts.ended,
        people: counts.people,
        late: counts.late,
        letters_waiting: counts.letters_waiting,
        turns: counts.turns,
        letters_sent: counts.letters_sent,
        letters_failed: counts.letters_failed,
        letters_returned: counts.letters_returned,
        mails: counts.mails,
        reports: counts.reports,
    }))
}

/// Which acts are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct AuditParams {
    /// The id of the token by which they were done.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    token: Option<String>,
    /// The `next` of the page before.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    after: Option<String>,
}

/// A page of the log, the last act first.
#[derive(Serialize, ToSchema)]
pub struct AdminAudit {
    acts: Vec<AdminActLine>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    next: Option<String>,
}

/// Read the log
///
/// What organisers did, the last act first. Nothing in it is ever changed or removed.
#[utoipa::path(
    get,
    path = "/audit",
    tag = "organising",
    operation_id = "admin_read_audit",
    security(("admin" = [])),
    params(AuditParams),
    responses((status = 200, description = "A page of the log", body = AdminAudit), AdminListProblems)
)]
pub async fn audit(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<AuditParams>, QueryRejection>,
) -> Result<Json<AdminAudit>, Problem> {
    let AuditParams { token, after } = query(params)?;
    let page = web.play.admin_acts(&admin, token, after).await?;
    Ok(Json(AdminAudit { acts: page.acts.into_iter().map(Into::into).collect(), next: page.next }))
}
