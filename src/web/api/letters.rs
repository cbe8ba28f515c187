//! What became of a seat's letters, and stopping them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_sets::{LettersProblems, SeatProblems};
use crate::clock::Timestamp;
use crate::play::ledger::{LetterFate, LetterLine};
use crate::web::WebState;

/// The last letters about the game to a seat's player, the newest first.
#[derive(Serialize, ToSchema)]
pub struct Letters {
    letters: Vec<LetterEntry>,
}

/// A letter and what became of it.
#[derive(Serialize, ToSchema)]
pub struct LetterEntry {
    /// What it is; more kinds may be added.
    #[schema(value_type = String, example = "report")]
    kind: &'static str,
    /// The turn that was awaited when it was written.
    #[schema(required, example = 5)]
    turn: Option<u32>,
    /// When it was written.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    queued_at: Timestamp,
    fate: Fate,
    /// When that was; of a letter that waits, when it is tried for the next time.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:13Z")]
    at: Timestamp,
    /// What went wrong; `null` where nothing did.
    #[schema(required, example = "permanent error (550): no such user")]
    why: Option<String>,
    /// How often it was tried.
    #[schema(example = 1)]
    attempts: u32,
}

/// What became of a letter.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It waits to leave.
    Waits,
    /// The next mail server has it.
    Sent,
    /// It was given up.
    GivenUp,
    /// It had left and came back.
    CameBack,
}

impl Fate {
    /// The word for what became of a letter.
    pub const fn of(fate: &LetterFate) -> Fate {
        match fate {
            LetterFate::Waits { .. } => Fate::Waits,
            LetterFate::Sent(_) => Fate::Sent,
            LetterFate::GivenUp { .. } => Fate::GivenUp,
            LetterFate::CameBack { .. } => Fate::CameBack,
        }
    }
}

impl From<LetterLine> for LetterEntry {
    fn from(line: LetterLine) -> LetterEntry {
        LetterEntry {
            kind: line.kind.word(),
            turn: line.turn,
            queued_at: line.queued_at,
            at: line.fate.at(),
            why: line.fate.why().map(str::to_owned),
            fate: Fate::of(&line.fate),
            attempts: line.attempts,
        }
    }
}

/// Whether letters are wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LettersToSet {
    /// Whether letters about this game come.
    #[schema(example = false)]
    wanted: bool,
}

/// Read what became of letters
///
/// Of the last 200 letters about this game that were written to this seat's player.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/letters",
    tag = "playing",
    operation_id = "read_letters",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The letters", body = Letters), SeatProblems)
)]
pub async fn read(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<Letters>, Problem> {
    let letters = web.play.letters(&seat).await?;
    Ok(Json(Letters { letters: letters.into_iter().map(Into::into).collect() }))
}

/// Stop the letters about a game, or let them come again
///
/// The game goes on, and the opponent sees that none come. Letters that were stopped because they came back are turned on
/// by this too.
#[utoipa::path(
    put,
    path = "/games/{id}/{side}/letters",
    tag = "playing",
    operation_id = "set_letters",
    security(("seat" = [])),
    params(SeatPath),
    request_body = LettersToSet,
    responses((status = 204, description = "It is so"), LettersProblems)
)]
pub async fn set(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(letters): Body<LettersToSet>,
) -> Result<StatusCode, Problem> {
    if letters.wanted {
        web.play.resume_letters(&seat).await?;
    } else {
        web.play.stop_letters(&seat).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
