//! Reading which processes work on the database.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::problem::Problem;
use super::super::problem_sets::AdminProblems;
use super::asker::Reads;
use crate::clock::Timestamp;
use crate::play::processes::{Part, Process};
use crate::web::WebState;

/// The processes that work on the database.
#[derive(Serialize, ToSchema)]
pub struct AdminProcesses {
    /// The oldest first.
    processes: Vec<AdminProcess>,
}

/// What a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessPart {
    /// Everything.
    Whole,
    /// Pages and API.
    Web,
    /// What happens by itself: turns that are due, letters, computers.
    Workers,
}

/// A process.
#[derive(Serialize, ToSchema)]
pub struct AdminProcess {
    /// Its id, another one at each start.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// What it runs.
    part: ProcessPart,
    /// Which version of the program it is.
    #[schema(example = "0.1.0")]
    version: String,
    /// When it started.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    started_at: Timestamp,
    /// When it gave its last sign of life. One that gives none for a while is forgotten, and others do its work.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    seen_at: Timestamp,
    /// Whether it is the one that answers.
    #[schema(example = true)]
    here: bool,
}

impl From<Process> for AdminProcess {
    fn from(process: Process) -> AdminProcess {
        let part = match process.part {
            Part::Whole => ProcessPart::Whole,
            Part::Web => ProcessPart::Web,
            Part::Workers => ProcessPart::Workers,
        };
        AdminProcess {
            id: process.id,
            part,
            version: process.version,
            started_at: process.started,
            seen_at: process.seen,
            here: process.here,
        }
    }
}

/// List the processes
///
/// Those that work on the server's database at the moment.
#[utoipa::path(
    get,
    path = "/processes",
    tag = "organising",
    operation_id = "admin_list_processes",
    security(("admin" = [])),
    responses((status = 200, description = "The processes", body = AdminProcesses), AdminProblems)
)]
pub async fn list(State(web): State<WebState>, Reads(admin): Reads) -> Result<Json<AdminProcesses>, Problem> {
    let processes = web.play.desk_processes(&admin).await?;
    Ok(Json(AdminProcesses { processes: processes.into_iter().map(Into::into).collect() }))
}
