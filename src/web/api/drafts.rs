//! Sheets in the making, and taking a sealed one back.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::{Body, whole};
use super::problem::Problem;
use super::problem_sets::{DraftProblems, RetractProblems};
use crate::play::draft::ToDraft;
use crate::web::WebState;

/// A draft that is kept.
#[derive(Serialize, ToSchema)]
pub struct KeptDraft {
    /// The text as it was sent.
    #[schema(example = "H7-F7\nI2 G8-F8")]
    text: String,
    /// What is wrong with it, if it cannot be read as a sheet; it is kept all the same.
    #[schema(required)]
    problem: Option<String>,
}

/// A draft to be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftToKeep {
    /// The turn that it is for.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 5)]
    turn: u32,
    /// The text, right or wrong.
    #[schema(example = "H7-F7\nI2 G8-F8")]
    text: String,
    /// Whether it shall be used if nothing is sealed when the turn is due. Without it an empty list is used, and the turn
    /// counts as late and not as missed; a deployment cannot be empty, and is missing then. Left out, nothing of that changes.
    #[serde(default)]
    #[schema(example = true)]
    use_when_due: Option<bool>,
}

/// Which sheet is taken back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetToRetract {
    /// The turn that it is for.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 5)]
    turn: u32,
}

/// Keep a draft
///
/// Keeps what the seat has written so far, right or wrong, on all its devices; `draft` of the game shows it.
/// The opponent cannot notice it. It is dropped when a sheet is sealed, and when the turn is over.
#[utoipa::path(
    put,
    path = "/games/{id}/{side}/draft",
    tag = "playing",
    operation_id = "keep_draft",
    security(("seat" = [])),
    params(SeatPath),
    request_body = DraftToKeep,
    responses((status = 200, description = "The draft is kept", body = KeptDraft), DraftProblems)
)]
pub async fn keep(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(sheet): Body<DraftToKeep>,
) -> Result<Json<KeptDraft>, Problem> {
    let DraftToKeep { turn, text, use_when_due } = sheet;
    let draft = ToDraft { turn, text, held: String::new(), act: None, base: None, use_when_due };
    let kept = web.play.draft(&seat, draft).await?;
    Ok(Json(KeptDraft { text: kept.text, problem: kept.problem.map(|problem| problem.to_string()) }))
}

/// Take a sealed sheet back
///
/// Possible as long as the turn has not been resolved. The sheet becomes the seat's draft; the opponent no longer sees a
/// seal. Where nothing is sealed the answer is `not_found`.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/sheet/retract",
    tag = "playing",
    operation_id = "retract_sheet",
    security(("seat" = [])),
    params(SeatPath),
    request_body = SheetToRetract,
    responses((status = 204, description = "Nothing of this seat is sealed any more"), RetractProblems)
)]
pub async fn retract(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(sheet): Body<SheetToRetract>,
) -> Result<StatusCode, Problem> {
    web.play.withdraw_sheet(&seat, sheet.turn).await?;
    Ok(StatusCode::NO_CONTENT)
}
