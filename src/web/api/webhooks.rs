//! A seat's webhooks: programs that are told when the game has changed, instead of asking again and again.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_sets::{SeatProblems, WebhookProblems, WebhooksProblems};
use crate::clock::Timestamp;
use crate::play::webhooks::{self, EventKind, Told};
use crate::web::WebState;

/// What may happen.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookEvent {
    /// A turn is awaited from now on.
    TurnAwaited,
    /// A turn was resolved.
    TurnResolved,
    /// The opponent has sealed for the awaited turn. The seat's own webhooks alone are told.
    OpponentSealed,
    /// The game is over.
    GameOver,
}

impl From<WebhookEvent> for EventKind {
    fn from(event: WebhookEvent) -> EventKind {
        match event {
            WebhookEvent::TurnAwaited => EventKind::TurnAwaited,
            WebhookEvent::TurnResolved => EventKind::TurnResolved,
            WebhookEvent::OpponentSealed => EventKind::OpponentSealed,
            WebhookEvent::GameOver => EventKind::GameOver,
        }
    }
}

/// What is told, or a test.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookType {
    /// A turn is awaited from now on.
    TurnAwaited,
    /// A turn was resolved.
    TurnResolved,
    /// The opponent has sealed for the awaited turn.
    OpponentSealed,
    /// The game is over.
    GameOver,
    /// Nothing: somebody wants to see whether the webhook works.
    Test,
}

impl From<EventKind> for WebhookType {
    fn from(kind: EventKind) -> WebhookType {
        match kind {
            EventKind::TurnAwaited => WebhookType::TurnAwaited,
            EventKind::TurnResolved => WebhookType::TurnResolved,
            EventKind::OpponentSealed => WebhookType::OpponentSealed,
            EventKind::GameOver => WebhookType::GameOver,
            EventKind::Test => WebhookType::Test,
        }
    }
}

/// A webhook to be set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://bot.example.org/hook", "events": ["turn_awaited", "game_over"]}))]
pub struct WebhookToMake {
    /// Where it is: `https://…`, at an address of the public network, at most 500 characters.
    #[schema(example = "https://bot.example.org/hook")]
    url: String,
    /// What it wants to hear of; nothing, or an empty list, for all.
    #[serde(default)]
    #[schema(max_items = 16)]
    events: Vec<WebhookEvent>,
}

impl WebhookToMake {
    fn read(self) -> webhooks::NewWebhook {
        webhooks::NewWebhook { url: self.url, kinds: self.events.into_iter().map(Into::into).collect() }
    }
}

/// A webhook.
#[derive(Serialize, ToSchema)]
pub struct WebhookLine {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// Where it is.
    #[schema(example = "https://bot.example.org/hook")]
    url: String,
    /// What it wants to hear of; empty for all.
    events: Vec<WebhookType>,
    /// Whose token it was set up by, for one of the organiser's; `null` for a seat's. Where that token is revoked, the webhook
    /// is switched off.
    #[schema(required, example = json!(null))]
    made_by: Option<String>,
    /// When it was set up.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    made_at: Timestamp,
    /// When its secret was last renewed; for a day after that the one before counts too.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-02T18:00:00Z")]
    renewed_at: Option<Timestamp>,
    /// When it last took something; `null` if it never did.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-04T21:40:13Z")]
    delivered_at: Option<Timestamp>,
    /// Since when it has taken nothing, though it was tried; `null` while it works.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-04T21:40:13Z")]
    failing_since: Option<Timestamp>,
    /// When it was switched off; `null` while it is on. A test that it takes switches it on again.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-09T21:40:13Z")]
    off_at: Option<Timestamp>,
    /// Why it was switched off.
    #[schema(required, example = "nothing was taken for five days")]
    off_why: Option<String>,
}

impl From<webhooks::Webhook> for WebhookLine {
    fn from(hook: webhooks::Webhook) -> WebhookLine {
        let (off_at, off_why) = hook.off.unzip();
        WebhookLine {
            id: hook.id,
            url: hook.url,
            events: hook.kinds.into_iter().map(Into::into).collect(),
            made_by: hook.maker,
            made_at: hook.made_at,
            renewed_at: hook.renewed_at,
            delivered_at: hook.delivered_at,
            failing_since: hook.failing_since,
            off_at,
            off_why,
        }
    }
}

/// Some webhooks, the oldest first.
#[derive(Serialize, ToSchema)]
pub struct Webhooks {
    webhooks: Vec<WebhookLine>,
}

impl From<Vec<webhooks::Webhook>> for Webhooks {
    fn from(hooks: Vec<webhooks::Webhook>) -> Webhooks {
        Webhooks { webhooks: hooks.into_iter().map(Into::into).collect() }
    }
}

/// A webhook with its secret.
#[derive(Serialize, ToSchema)]
pub struct WebhookWithSecret {
    /// The secret by which the receiver knows who tells it something. It is shown in this one answer.
    #[schema(example = "whsec_aQ2rlqHgbZu2cFpK5sWm1oPqJ1mXn3yTq0Q1bZ7n0aQ=")]
    secret: String,
    webhook: WebhookLine,
}

/// A webhook, with the last of what it was told, the newest first.
#[derive(Serialize, ToSchema)]
pub struct WebhookLedger {
    webhook: WebhookLine,
    deliveries: Vec<WebhookDelivery>,
}

impl From<webhooks::Ledger> for WebhookLedger {
    fn from((hook, told): webhooks::Ledger) -> WebhookLedger {
        WebhookLedger { webhook: hook.into(), deliveries: told.into_iter().map(Into::into).collect() }
    }
}

/// What became of something that was to be told.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It waits for its next try.
    Waiting,
    /// The receiver has taken it.
    Delivered,
    /// It was given up.
    GivenUp,
}

/// Something that a webhook was told, or is to be told.
#[derive(Serialize, ToSchema)]
pub struct WebhookDelivery {
    /// The id, which is the header `webhook-id` at each try.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9ab")]
    id: String,
    #[serde(rename = "type")]
    kind: WebhookType,
    /// The game.
    #[schema(required, example = "8q4nwz0v6m2k")]
    game: Option<String>,
    /// The turn.
    #[schema(required, example = 5)]
    turn: Option<u32>,
    /// The game's version then.
    #[schema(required, example = 17)]
    version: Option<i64>,
    /// When it happened.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    made_at: Timestamp,
    state: DeliveryState,
    /// When that was; of what waits, when it is tried for the next time at the earliest.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:13Z")]
    at: Timestamp,
    /// How often it was tried.
    #[schema(example = 1)]
    tries: u32,
    /// When it was tried last.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-04T21:40:13Z")]
    tried_at: Option<Timestamp>,
    /// The status of the last answer; `null` where there was none.
    #[schema(required, example = 204)]
    status: Option<u16>,
    /// What was wrong with it; `null` where nothing was.
    #[schema(required, example = "it took too long")]
    why: Option<String>,
}

impl From<webhooks::Delivery> for WebhookDelivery {
    fn from(delivery: webhooks::Delivery) -> WebhookDelivery {
        let (state, at) = match delivery.told {
            Told::Waits(at) => (DeliveryState::Waiting, at),
            Told::Taken(at) => (DeliveryState::Delivered, at),
            Told::GivenUp(at) => (DeliveryState::GivenUp, at),
        };
        WebhookDelivery {
            id: delivery.id,
            kind: delivery.kind.into(),
            game: delivery.game,
            turn: delivery.turn,
            version: delivery.version,
            made_at: delivery.made_at,
            state,
            at,
            tries: delivery.tries,
            tried_at: delivery.tried_at,
            status: delivery.status,
            why: delivery.why,
        }
    }
}

/// The part of an address that names a webhook.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct HookParam {
    /// The webhook's id.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    hook: String,
}

/// The parts of an address that name something that a webhook was told.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DeliveryParam {
    /// The webhook's id.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    hook: String,
    /// The id of what it was told.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9ab")]
    event: String,
}

/// List a seat's webhooks
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/webhooks",
    tag = "playing",
    operation_id = "list_webhooks",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The webhooks", body = Webhooks), SeatProblems)
)]
pub async fn list(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<Webhooks>, Problem> {
    Ok(Json(web.play.webhooks(&seat).await?.into()))
}

/// Set up a webhook
///
/// Instead of asking again and again a program is told when the game has changed: ids, turn and version, and nothing that
/// anybody has written. The requests are those of Standard Webhooks, as this document describes under `webhooks`. A seat has
/// three at most; whoever is put out of the seat is told nothing more.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/webhooks",
    tag = "playing",
    operation_id = "make_webhook",
    security(("seat" = [])),
    params(SeatPath),
    request_body = WebhookToMake,
    responses((status = 201, description = "The webhook, and its secret", body = WebhookWithSecret), WebhooksProblems)
)]
pub async fn make(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(new): Body<WebhookToMake>,
) -> Result<(StatusCode, Json<WebhookWithSecret>), Problem> {
    let (hook, secret) = web.play.add_webhook(&seat, new.read()).await?;
    let made = WebhookWithSecret { secret: secret.reveal().to_owned(), webhook: hook.into() };
    Ok((StatusCode::CREATED, Json(made)))
}

/// Read what became of a webhook's events
///
/// The last 50 of them.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/webhooks/{hook}",
    tag = "playing",
    operation_id = "read_webhook",
    security(("seat" = [])),
    params(SeatPath, HookParam),
    responses((status = 200, description = "The webhook", body = WebhookLedger), SeatProblems)
)]
pub async fn read(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<HookParam>,
) -> Result<Json<WebhookLedger>, Problem> {
    Ok(Json(web.play.webhook(&seat, &param.hook).await?.into()))
}

/// Remove a webhook
///
/// With all that is kept of it.
#[utoipa::path(
    delete,
    path = "/games/{id}/{side}/webhooks/{hook}",
    tag = "playing",
    operation_id = "remove_webhook",
    security(("seat" = [])),
    params(SeatPath, HookParam),
    responses((status = 204, description = "It is gone"), WebhookProblems)
)]
pub async fn remove(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<HookParam>,
) -> Result<StatusCode, Problem> {
    web.play.remove_webhook(&seat, &param.hook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Renew the secret of a webhook
///
/// For a day each request carries two signatures, of the new secret and of the one before. Within that day it is not renewed
/// again: whoever asks is given the new one.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/webhooks/{hook}/renew",
    tag = "playing",
    operation_id = "renew_webhook",
    security(("seat" = [])),
    params(SeatPath, HookParam),
    responses((status = 200, description = "The new secret", body = WebhookWithSecret), WebhookProblems)
)]
pub async fn renew(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<HookParam>,
) -> Result<Json<WebhookWithSecret>, Problem> {
    let (hook, secret) = web.play.renew_webhook(&seat, &param.hook).await?;
    Ok(Json(WebhookWithSecret { secret: secret.reveal().to_owned(), webhook: hook.into() }))
}

/// Send a test to a webhook
///
/// It leaves at once. A webhook that was switched off is on again once it takes one.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/webhooks/{hook}/test",
    tag = "playing",
    operation_id = "test_webhook",
    security(("seat" = [])),
    params(SeatPath, HookParam),
    responses((status = 202, description = "It is on its way", body = WebhookDelivery), WebhookProblems)
)]
pub async fn test(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<HookParam>,
) -> Result<(StatusCode, Json<WebhookDelivery>), Problem> {
    let told = web.play.test_webhook(&seat, &param.hook).await?;
    Ok((StatusCode::ACCEPTED, Json(told.into())))
}

/// Tell a webhook something once more
///
/// At once, with the same `webhook-id`.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/webhooks/{hook}/events/{event}/resend",
    tag = "playing",
    operation_id = "resend_webhook_event",
    security(("seat" = [])),
    params(SeatPath, DeliveryParam),
    responses((status = 202, description = "It is on its way", body = WebhookDelivery), WebhookProblems)
)]
pub async fn resend(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<DeliveryParam>,
) -> Result<(StatusCode, Json<WebhookDelivery>), Problem> {
    let told = web.play.retell(&seat, &param.hook, &param.event).await?;
    Ok((StatusCode::ACCEPTED, Json(told.into())))
}
