//! The blocks in force.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::problem::Problem;
use super::super::problem_sets::AdminListProblems;
use super::asker::Reads;
use super::games::query;
use super::shown::AdminActLine;
use crate::clock::Timestamp;
use crate::play::admin::block::DeskBlock;
use crate::web::WebState;

/// Where the list goes on.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct BlocksParams {
    /// The `next` of the page before.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    after: Option<String>,
}

/// A page of blocks, the last one first.
#[derive(Serialize, ToSchema)]
pub struct AdminBlocks {
    blocks: Vec<AdminBlockInForce>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    next: Option<String>,
}

/// A block in force. Whom it is for is not shown: of the address a hash is kept.
#[derive(Serialize, ToSchema)]
pub struct AdminBlockInForce {
    /// The id, by which it is lifted.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    since: Timestamp,
    /// The line in the log: who set it, and why. `null` where there is none.
    #[schema(required)]
    act: Option<AdminActLine>,
}

impl From<DeskBlock> for AdminBlockInForce {
    fn from(block: DeskBlock) -> AdminBlockInForce {
        AdminBlockInForce { id: block.id, since: block.since, act: block.act.map(Into::into) }
    }
}

/// List the blocks in force
///
/// Since when, and who set each and why. The addresses are kept as hashes and cannot be shown; whether one is blocked says
/// the search for people.
#[utoipa::path(
    get,
    path = "/blocks",
    tag = "organising",
    operation_id = "admin_list_blocks",
    security(("admin" = [])),
    params(BlocksParams),
    responses((status = 200, description = "A page of blocks", body = AdminBlocks), AdminListProblems)
)]
pub async fn list(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<BlocksParams>, QueryRejection>,
) -> Result<Json<AdminBlocks>, Problem> {
    let page = web.play.desk_blocks(&admin, query(params)?.after).await?;
    Ok(Json(AdminBlocks { blocks: page.blocks.into_iter().map(Into::into).collect(), next: page.next }))
}
