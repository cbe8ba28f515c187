//! The organiser's webhooks, which hear of all games: for those whose token is of scope `owner`.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::body::Body;
use super::super::problem::Problem;
use super::super::problem_sets::{AdminProblems, AdminReadProblems, MendProblems, NewProblems};
use super::super::webhooks::{WebhookEvent, WebhookLedger, Webhooks};
use super::acts::ToAct;
use super::asker::{KeyHeader, Owns, Reads};
use super::shown::{AdminActLine, Done, IdParam, done};
use crate::play::admin::Act;
use crate::play::webhooks::NewWebhook;
use crate::web::WebState;

/// A webhook to be set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "The league's table.", "url": "https://league.example.org/hook", "events": ["game_over"]}))]
pub struct AdminWebhookToMake {
    /// Why, for the log.
    #[schema(example = "The league's table.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// Where it is: `https://…`, at an address of the public network, at most 500 characters.
    #[schema(example = "https://league.example.org/hook")]
    url: String,
    /// What it wants to hear of; nothing, or an empty list, for all. `opponent_sealed` is for the two players alone.
    #[serde(default)]
    #[schema(max_items = 16)]
    events: Vec<WebhookEvent>,
}

/// A webhook's secret.
#[derive(Serialize, ToSchema)]
pub struct AdminWebhookSecret {
    /// The secret by which the receiver knows who tells it something. It is shown in this answer, and once more where the
    /// request comes a second time with the same key; `null` there, if it was renewed meanwhile.
    #[schema(required, example = "whsec_aQ2rlqHgbZu2cFpK5sWm1oPqJ1mXn3yTq0Q1bZ7n0aQ=")]
    secret: Option<String>,
    /// What was done. Its `about` names the webhook.
    act: AdminActLine,
}

/// The parts of an address that name something that a webhook was told.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct EventParam {
    /// The webhook's id.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// The id of what it was told.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9ab")]
    event: String,
}

/// List the organiser's webhooks
///
/// Below scope `owner` their URLs end behind the host: `https://hooks.example.org/…`.
#[utoipa::path(
    get,
    path = "/webhooks",
    tag = "organising",
    operation_id = "admin_list_webhooks",
    security(("admin" = [])),
    responses((status = 200, description = "The webhooks", body = Webhooks), AdminReadProblems)
)]
pub async fn list(State(web): State<WebState>, Reads(admin): Reads) -> Result<Json<Webhooks>, Problem> {
    Ok(Json(web.play.desk_webhooks(&admin).await?.into()))
}

/// Read what became of a webhook's events
///
/// The last 50 of them. Below scope `owner` the URL ends behind the host.
#[utoipa::path(
    get,
    path = "/webhooks/{id}",
    tag = "organising",
    operation_id = "admin_read_webhook",
    security(("admin" = [])),
    params(IdParam),
    responses((status = 200, description = "The webhook", body = WebhookLedger), AdminProblems)
)]
pub async fn read(
    State(web): State<WebState>,
    Reads(admin): Reads,
    Path(param): Path<IdParam>,
) -> Result<Json<WebhookLedger>, Problem> {
    Ok(Json(web.play.desk_webhook(&admin, &param.id).await?.into()))
}

/// Set up a webhook for all games
///
/// It is told when a turn is awaited or was resolved, and when a game is over: ids, turn and version, as this document
/// describes under `webhooks`. There are five at most.
#[utoipa::path(
    post,
    path = "/webhooks",
    tag = "organising",
    operation_id = "admin_make_webhook",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = AdminWebhookToMake,
    responses((status = 201, description = "The secret", body = AdminWebhookSecret), NewProblems)
)]
pub async fn make(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Body(to): Body<AdminWebhookToMake>,
) -> Result<(StatusCode, Json<AdminWebhookSecret>), Problem> {
    let new = NewWebhook { url: to.url, kinds: to.events.into_iter().map(Into::into).collect() };
    let acted = web.play.act(&acts.admin, acts.cause(to.reason, to.note), Act::AddWebhook(new)).await?;
    let secret = acted.secret.map(|secret| secret.reveal().to_owned());
    Ok((StatusCode::CREATED, Json(AdminWebhookSecret { secret, act: acted.act.into() })))
}

/// Renew the secret of a webhook
///
/// For a day each request carries two signatures, of the new secret and of the one before. Within that day it is not renewed
/// again: whoever asks is given the new one.
#[utoipa::path(
    post,
    path = "/webhooks/{id}/renew",
    tag = "organising",
    operation_id = "admin_renew_webhook",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "The new secret", body = AdminWebhookSecret), MendProblems)
)]
pub async fn renew(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Json<AdminWebhookSecret>, Problem> {
    let ((reason, note), act) = (to.words(), Act::RenewWebhook { webhook: param.id });
    let acted = web.play.act(&acts.admin, acts.cause(reason, note), act).await?;
    let secret = acted.secret.map(|secret| secret.reveal().to_owned());
    Ok(Json(AdminWebhookSecret { secret, act: acted.act.into() }))
}

/// Send a test to a webhook
///
/// It leaves at once. A webhook that was switched off is on again once it takes one.
#[utoipa::path(
    post,
    path = "/webhooks/{id}/test",
    tag = "organising",
    operation_id = "admin_test_webhook",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is on its way", body = AdminActLine), MendProblems)
)]
pub async fn test(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::TestWebhook { webhook: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}

/// Tell a webhook something once more
///
/// At once, with the same `webhook-id`.
#[utoipa::path(
    post,
    path = "/webhooks/{id}/events/{event}/resend",
    tag = "organising",
    operation_id = "admin_resend_webhook_event",
    security(("admin" = [])),
    params(EventParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is on its way", body = AdminActLine), MendProblems)
)]
pub async fn resend(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Path(param): Path<EventParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::Retell { webhook: param.id, event: param.event });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}

/// Remove a webhook
///
/// With all that is kept of it.
#[utoipa::path(
    post,
    path = "/webhooks/{id}/remove",
    tag = "organising",
    operation_id = "admin_remove_webhook",
    security(("admin" = [])),
    params(IdParam, KeyHeader),
    request_body = ToAct,
    responses((status = 200, description = "It is gone", body = AdminActLine), MendProblems)
)]
pub async fn remove(
    State(web): State<WebState>,
    Owns(acts): Owns,
    Path(param): Path<IdParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let ((reason, note), act) = (to.words(), Act::RemoveWebhook { webhook: param.id });
    Ok(done(web.play.act(&acts.admin, acts.cause(reason, note), act).await?.act))
}
