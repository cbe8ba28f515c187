//! What may be done about an opponent who stays away.

use axum::extract::State;
use axum::http::StatusCode;

use super::asker::{Asker, SeatPath};
use super::problem::Problem;
use super::problem_sets::ClaimProblems;
use crate::web::WebState;

/// Claim the game
///
/// Open while `claim` of the game is not null: the opponent has missed as many turns as the game allows and has sealed
/// nothing since. The game ends as `claim` says. A claim that is not used is granted after as many further turns as may be
/// missed running.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/claim",
    tag = "playing",
    operation_id = "claim_game",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 204, description = "The game is over"), ClaimProblems)
)]
pub async fn claim(State(web): State<WebState>, Asker(seat): Asker) -> Result<StatusCode, Problem> {
    web.play.claim(&seat).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Seek a substitute
///
/// Possible while `claim` of the game says so. The opponent's seat is freed and what was written there is erased unread; the
/// game shows a new `invitation`. Nothing is due until somebody takes the seat, who then has a whole span.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/substitute",
    tag = "playing",
    operation_id = "seek_substitute",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 204, description = "The opponent's seat is free"), ClaimProblems)
)]
pub async fn substitute(State(web): State<WebState>, Asker(seat): Asker) -> Result<StatusCode, Problem> {
    web.play.seek_substitute(&seat).await?;
    Ok(StatusCode::NO_CONTENT)
}
