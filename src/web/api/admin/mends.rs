//! What an organiser does elsewhere: letters, addresses, announcements.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::body::Body;
use super::super::problem::Problem;
use super::super::problem_sets::{AdminReadProblems, MendProblems, NewProblems, ResendProblems};
use super::acts::ToAct;
use super::asker::{Acts, KeyHeader, Reads};
use super::shown::{Done, IdParam, done};
use crate::clock::Timestamp;
use crate::play::admin::Act;
use crate::web::WebState;

/// Somebody to be blocked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Insults, after two warnings.", "address": "mallory@example.org"}))]
pub struct ToBlock {
    /// Why.
    #[schema(example = "Insults, after two warnings.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// The id of a person, whose address is blocked; left out where an address is given.
    #[serde(default)]
    #[schema(example = "")]
    person: String,
    /// The address; left out where a person is given.
    #[serde(default)]
    #[schema(example = "mallory@example.org")]
    address: String,
}

/// Words to be put above all pages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Update.", "text": "The server rests on Sunday from 8 to 9.", "until": "2026-03-08T09:00:00Z"}))]
pub struct ToAnnounce {
    /// Why, for the log.
    #[schema(example = "Update.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// The words, 1 to 300 characters.
    #[schema(example = "The server rests on Sunday from 8 to 9.")]
    text: String,
    /// Until when they stand.
    #[schema(value_type = String, format = DateTime, example = "2026-03-08T09:00:00Z")]
    until: Timestamp,
}

/// What stands above the pages now.
#[derive(Serialize, ToSchema)]
pub struct Announcements {
    announcements: Vec<ShownAnnouncement>,
}

/// Some words above all pages.
#[derive(Serialize, ToSchema)]
pub struct ShownAnnouncement {
    /// The id, by which they are withdrawn.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// The words.
    #[schema(example = "The server rests on Sunday from 8 to 9.")]
    text: String,
    /// Until when they stand.
    #[schema(value_type = String, format = DateTime, example = "2026-03-08T09:00:00Z")]
    until: Timestamp,
}

/// Send a letter again
///
/// At once, with the same Message-ID, to whoever it was for. Letters of the seat that were stopped because some came back go
/// there again.
#[utoipa::path(
    post,
    path = "/letters/{id}/resend",
    tag = "organising",
    operation_id = "admin_resend_letter",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ResendProblems)
)]
pub async fn resend(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::Resend { letter: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}

/// Block an address
///
/// From it nobody opens a game, takes part in a new one, signs in or sends mail, and no links go there. Games that are on
/// their way go on. The `about` of the answer names the block, by which it is lifted.
#[utoipa::path(
    post,
    path = "/blocks",
    tag = "organising",
    operation_id = "admin_block",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = ToBlock,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), NewProblems)
)]
pub async fn block(State(web): State<WebState>, acts: Acts, Body(to): Body<ToBlock>) -> Result<Done, Problem> {
    let act = Act::Block { person: to.person, address: to.address };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Lift a block
#[utoipa::path(
    post,
    path = "/blocks/{id}/lift",
    tag = "organising",
    operation_id = "admin_lift_block",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), MendProblems)
)]
pub async fn unblock(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::Unblock { block: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}

/// List announcements
///
/// What stands above all pages now.
#[utoipa::path(
    get,
    path = "/announcements",
    tag = "organising",
    operation_id = "admin_list_announcements",
    security(("admin" = [])),
    responses((status = 200, description = "The announcements", body = Announcements), AdminReadProblems)
)]
pub async fn announcements(State(web): State<WebState>, Reads(_admin): Reads) -> Result<Json<Announcements>, Problem> {
    let up = web.play.announcements().await?;
    let announcements =
        up.into_iter().map(|up| ShownAnnouncement { id: up.id, text: up.text, until: up.until }).collect();
    Ok(Json(Announcements { announcements }))
}

/// Announce something
///
/// Some words stand above all pages until a moment; three announcements at most stand there at once.
#[utoipa::path(
    post,
    path = "/announcements",
    tag = "organising",
    operation_id = "admin_announce",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = ToAnnounce,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), NewProblems)
)]
pub async fn announce(State(web): State<WebState>, acts: Acts, Body(to): Body<ToAnnounce>) -> Result<Done, Problem> {
    let act = Act::Announce { text: to.text, until: to.until };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Withdraw an announcement
#[utoipa::path(
    post,
    path = "/announcements/{id}/withdraw",
    tag = "organising",
    operation_id = "admin_withdraw_announcement",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), MendProblems)
)]
pub async fn withdraw(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::Withdraw { announcement: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}
