//! What the holder of a seat does beside writing sheets: resigning, and the address for reports.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::{AddressProblems, ResignProblems};
use crate::web::WebState;

/// That resigning is meant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"confirm": true}))]
pub struct Resignation {
    /// Must be `true`.
    confirm: bool,
}

/// Where reports go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressToSet {
    /// An e-mail address; empty for none.
    #[schema(example = "ann@example.org")]
    address: String,
}

/// Resign
///
/// The opponent wins at once, and the sheets of the open turn are erased unread.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/resignation",
    tag = "playing",
    operation_id = "resign",
    security(("seat" = [])),
    params(SeatPath),
    request_body = Resignation,
    responses((status = 204, description = "The game is over"), ResignProblems)
)]
pub async fn resign(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(resignation): Body<Resignation>,
) -> Result<StatusCode, Problem> {
    if !resignation.confirm {
        return Err(Problem::new(&kinds::FIELD, "Resigning ends the game; it must be confirmed.").with_field("confirm"));
    }
    web.play.resign(&seat).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set the address for reports
///
/// In place of the one before; an empty one removes it. A letter with a link goes there, and only when that has been followed do others.
#[utoipa::path(
    put,
    path = "/games/{id}/{side}/address",
    tag = "playing",
    operation_id = "set_address",
    security(("seat" = [])),
    params(SeatPath),
    request_body = AddressToSet,
    responses((status = 204, description = "Letters go there once it is confirmed"), AddressProblems)
)]
pub async fn set_address(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(wanted): Body<AddressToSet>,
) -> Result<StatusCode, Problem> {
    web.play.set_address(&seat, &wanted.address).await?;
    Ok(StatusCode::NO_CONTENT)
}
