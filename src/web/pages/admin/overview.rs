//! What wants attention: games that are stuck, deadlines that are late or near, letters that do not leave or came back.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::session::Desk;
use crate::clock::Timestamp;
use crate::play::admin::games::{DeskFilter, DeskLine, DeskState};
use crate::play::admin::letters::{DeskLetter, LetterState};
use crate::play::admin::reports::DeskReport;
use crate::play::admin::statistics::CountsRow;
use crate::play::admin::{Admin, Scope, announce::Announcement};
use crate::play::ledger::LetterFate;
use crate::play::processes::Process;
use crate::play::pulse::NOT_RESTORED;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

/// How many of each list stand here.
const MOST: usize = 10;
/// How far ahead deadlines are shown, in hours.
const HOURS: u32 = 24;
/// Over how many days is counted.
const DAYS: u32 = 7;

#[derive(Template)]
#[template(path = "pages/admin/overview.html")]
struct OverviewPage {
    frame: Frame,
    admin: Admin,
    counts: CountsRow,
    stuck: Vec<DeskLine>,
    soon: Vec<DeskLine>,
    failed: Vec<DeskLetter>,
    returned: Vec<DeskLetter>,
    reports: Vec<DeskReport>,
    announcements: Vec<Announcement>,
    processes: Vec<Process>,
    /// Webhooks that take nothing, or are switched off.
    failing: usize,
    /// Whether the organiser may do anything.
    acts: bool,
    /// Whether the server stands still because it was moved or restored.
    quiet: bool,
    /// When the last backup was made.
    backup: Option<Timestamp>,
    /// When the last drill was held, and how many of its games did not hold.
    drill: Option<(Timestamp, i64)>,
    /// How many days the counts go back.
    days: u32,
    hours: u32,
}

/// GET /admin
pub async fn get(State(state): State<WebState>, Desk(admin): Desk) -> Result<Response, PageError> {
    let stuck = DeskFilter { state: DeskState::Stuck, limit: MOST, ..DeskFilter::default() };
    let stuck = state.play.desk_games(&admin, stuck).await?.games;
    let mut soon = state.play.desk_deadlines(&admin, HOURS).await?.soon;
    soon.truncate(MOST);
    let mut failed = state.play.desk_letters(&admin, LetterState::Failed, None).await?.letters;
    failed.truncate(MOST);
    let mut returned = state.play.desk_letters(&admin, LetterState::Returned, None).await?.letters;
    returned.truncate(MOST);
    let mut reports = state.play.desk_reports(&admin, None).await?.reports;
    reports.truncate(MOST);
    let hooks = state.play.desk_webhooks(&admin).await?;
    let failing = hooks.iter().filter(|hook| hook.off.is_some() || hook.failing_since.is_some()).count();
    let looked = state.play.pulse().await?.looked;
    let page = OverviewPage {
        quiet: looked.quiet,
        backup: looked.backup,
        drill: looked.drill,
        failing,
        frame: Frame::plain("The organiser’s desk"),
        counts: state.play.desk_counts(&admin, DAYS).await?,
        announcements: state.play.announcements().await?,
        processes: state.play.desk_processes(&admin).await?,
        stuck,
        soon,
        failed,
        returned,
        reports,
        acts: admin.scope >= Scope::Act,
        admin,
        days: DAYS,
        hours: HOURS,
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// The messages of a report, with their writers.
pub(super) fn told(report: &DeskReport) -> Vec<(String, String)> {
    let text = |message: &serde_json::Value, member: &str| message[member].as_str().unwrap_or_default().to_owned();
    let messages = report.messages.as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().map(|message| (text(message, "side"), text(message, "text"))).collect()
}
