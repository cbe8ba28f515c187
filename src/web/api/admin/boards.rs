//! The boards that the organiser offers beside those that come with the server.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::boards::WrittenBoard;
use super::super::body::Body;
use super::super::problem::Problem;
use super::super::problem_sets::{AdminReadProblems, MendProblems, NewProblems};
use super::acts::ToAct;
use super::asker::{Acts, KeyHeader, Reads};
use super::shown::{Done, done};
use crate::clock::Timestamp;
use crate::play::admin::Act;
use crate::play::boards::{NewBoard, OfferedBoard};
use crate::web::WebState;

/// The boards that are offered beside those that come with the server, or were, by alias.
#[derive(Serialize, ToSchema)]
pub struct AdminBoards {
    boards: Vec<AdminBoard>,
}

/// A board that is offered, or was.
#[derive(Serialize, ToSchema)]
pub struct AdminBoard {
    /// By this name it is chosen.
    #[schema(example = "marsh")]
    alias: String,
    /// Its name for players.
    #[schema(example = "Marsh")]
    name: String,
    /// What it is like; empty for nothing.
    #[schema(example = "low ground between two woods")]
    about: String,
    text: WrittenBoard,
    /// When it was offered.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    offered_at: Timestamp,
    /// When it was retired; `null` while it is offered.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-06-01T18:00:00Z")]
    retired_at: Option<Timestamp>,
}

impl From<OfferedBoard> for AdminBoard {
    fn from(board: OfferedBoard) -> AdminBoard {
        AdminBoard {
            alias: board.alias,
            name: board.name,
            about: board.about,
            text: board.text.into(),
            offered_at: board.offered_at,
            retired_at: board.retired_at,
        }
    }
}

/// A board to be offered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardToOffer {
    /// Why, for the log.
    #[schema(example = "For the autumn league.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// By this name it is chosen: 2 to 24 small letters, digits and hyphens, a letter first. It stays this board's for ever.
    #[schema(example = "marsh")]
    alias: String,
    /// Its name for players, at most 40 characters.
    #[schema(example = "Marsh")]
    name: String,
    /// What it is like, at most 120 characters; empty for nothing.
    #[serde(default)]
    #[schema(example = "low ground between two woods")]
    about: String,
    board: WrittenBoard,
}

/// The part of an address that names a board.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BoardParam {
    /// Its alias.
    #[param(example = "marsh")]
    id: String,
}

/// List the boards that are offered, or were
#[utoipa::path(
    get,
    path = "/boards",
    tag = "organising",
    operation_id = "admin_list_boards",
    security(("admin" = [])),
    responses((status = 200, description = "The boards", body = AdminBoards), AdminReadProblems)
)]
pub async fn list(State(web): State<WebState>, Reads(_admin): Reads) -> Result<Json<AdminBoards>, Problem> {
    let boards = web.play.offered_boards().await?;
    Ok(Json(AdminBoards { boards: boards.into_iter().map(Into::into).collect() }))
}

/// Offer a board for new games
///
/// Beside those that come with the server. One that was retired is offered again under its alias. Who may deploy where is
/// the same as on any board.
#[utoipa::path(
    post,
    path = "/boards",
    tag = "organising",
    operation_id = "admin_offer_board",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = BoardToOffer,
    responses((status = 200, description = "It is offered", body = super::shown::AdminActLine), NewProblems)
)]
pub async fn offer(State(web): State<WebState>, acts: Acts, Body(to): Body<BoardToOffer>) -> Result<Done, Problem> {
    let new = NewBoard { alias: to.alias, name: to.name, about: to.about, text: to.board.into() };
    let cause = acts.cause(to.reason, to.note);
    Ok(done(web.play.act(&acts.admin, cause, Act::OfferBoard(Box::new(new))).await?.act))
}

/// Retire a board
///
/// It is offered for no new game; games on it go on.
#[utoipa::path(
    post,
    path = "/boards/{id}/retire",
    tag = "organising",
    operation_id = "admin_retire_board",
    security(("admin" = [])),
    params(BoardParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), MendProblems)
)]
pub async fn retire(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<BoardParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::RetireBoard { board: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}
