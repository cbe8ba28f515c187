//! Computer players: which seats are theirs, letting one finish, and hints.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::{Body, whole};
use super::problem::Problem;
use super::problem_sets::{FinishProblems, HintProblems};
use crate::bot;
use crate::play::computer::Computer;
use crate::rules::BySide;
use crate::web::WebState;

/// How well a computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// For a first game.
    Easy,
    /// In between.
    Medium,
    /// As well as it can.
    Hard,
}

impl From<Level> for bot::Level {
    fn from(level: Level) -> bot::Level {
        match level {
            Level::Easy => bot::Level::Easy,
            Level::Medium => bot::Level::Medium,
            Level::Hard => bot::Level::Hard,
        }
    }
}

impl From<bot::Level> for Level {
    fn from(level: bot::Level) -> Level {
        match level {
            bot::Level::Easy => Level::Easy,
            bot::Level::Medium => Level::Medium,
            bot::Level::Hard => Level::Hard,
        }
    }
}

/// The computers that play a seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Computers {
    /// `null` where a person plays, or nobody yet.
    #[schema(required)]
    red: Option<SeatComputer>,
    /// `null` where a person plays, or nobody yet.
    #[schema(required)]
    blue: Option<SeatComputer>,
}

/// The computer that plays a seat.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatComputer {
    level: Level,
    /// The first turn that it writes; those before were a person's.
    #[schema(example = 0)]
    from_turn: u32,
}

impl From<BySide<Option<Computer>>> for Computers {
    fn from(computers: BySide<Option<Computer>>) -> Computers {
        let of = |computer: Option<Computer>| {
            computer.map(|computer| SeatComputer { level: computer.level.into(), from_turn: computer.since })
        };
        Computers { red: of(computers.red), blue: of(computers.blue) }
    }
}

/// Which computer shall finish.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"level": "medium"}))]
pub struct Finisher {
    /// How well it plays.
    level: Level,
}

/// Let the computer finish
///
/// Possible while `claim` of the game is not null. The opponent's seat becomes a computer's from the awaited turn on, which
/// `computers` of the game shows; what was written there is erased unread, and an open invitation is withdrawn. A whole span
/// begins.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/computer",
    tag = "playing",
    operation_id = "let_computer_finish",
    security(("seat" = [])),
    params(SeatPath),
    request_body = Finisher,
    responses((status = 204, description = "The opponent's seat is a computer's"), FinishProblems)
)]
pub async fn finish(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(finisher): Body<Finisher>,
) -> Result<StatusCode, Problem> {
    web.play.let_computer_finish(&seat, finisher.level.into()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which turn a hint is wanted for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintToGive {
    /// The awaited turn; after the end any that was played.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 5)]
    turn: u32,
}

/// What the computer would write.
#[derive(Serialize, ToSchema)]
pub struct SuggestedSheet {
    /// The sheet in canonical notation.
    #[schema(example = "H7-F7 G8-F8")]
    text: String,
    /// Its size in words.
    #[schema(example = "2 orders")]
    measure: String,
}

/// Suggest a sheet
///
/// What the computer would write on this seat, at level medium and from the open position alone. Given in games against the
/// computer, in games at one device, and after the end of any game. Nothing is kept, and asked again it may have another idea.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/hint",
    tag = "playing",
    operation_id = "suggest_sheet",
    security(("seat" = [])),
    params(SeatPath),
    request_body = HintToGive,
    responses((status = 200, description = "A suggestion", body = SuggestedSheet), HintProblems)
)]
pub async fn hint(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<HintToGive>,
) -> Result<Json<SuggestedSheet>, Problem> {
    let hint = web.play.hint(&seat, wanted.turn).await?;
    let measure = hint.standing.check(seat.side(), &hint.sheet).measure;
    Ok(Json(SuggestedSheet { text: hint.sheet.canonical(), measure }))
}
