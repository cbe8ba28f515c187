//! The OpenAPI document, made of the operations and of what webhooks are told.

use serde::Serialize;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, PathItem, Paths, PathsBuilder, Ref, Required, ResponseBuilder, ResponsesBuilder, schema as openapi,
};
use utoipa::{Modify, OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::links::ROOT;
use super::problem::ProblemJson;
use super::schema;
use super::webhooks::WebhookType;
use crate::clock::Timestamp;
use crate::play::webhooks::EventKind;
use crate::rules::Side;

/// What the document says beside the operations.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Field Command",
        version = "1",
        description = include_str!("about.md"),
        license(name = "MIT OR Apache-2.0"),
    ),
    servers((url = "/", description = "This server")),
    components(schemas(ProblemJson, WebhookMessage)),
    modifiers(&Tokens, &Told),
    tags(
        (name = "joining", description = "Opening a game, and filling its other seat"),
        (name = "playing", description = "What the holder of a seat may see and do"),
        (name = "looking on", description = "Public games, which everybody may see"),
        (name = "organising", description = "The organiser's desk: everything but secrets"),
        (name = "about", description = "This document, and the types of problem"),
    )
)]
struct Document;

/// The security schemes: the token of a seat, or of an organiser, as bearer.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token of a seat: the last part of the link to it."))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("seat", SecurityScheme::Http(scheme));
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token of an organiser, `fca_…`: made by `fieldcommand token make`."))
            .build();
        components.add_security_scheme("admin", SecurityScheme::Http(scheme));
    }
}

/// What webhooks are told.
struct Told;

impl Modify for Told {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        document.webhooks = Some(told());
    }
}

/// The document.
pub fn document() -> utoipa::openapi::OpenApi {
    let operations = super::described().nest("/admin", super::admin::described());
    OpenApiRouter::with_openapi(Document::openapi()).nest(ROOT, operations).into_openapi()
}

/// What a webhook is told.
#[derive(Serialize, ToSchema)]
struct WebhookMessage {
    /// The form of this object: within it members may be added.
    #[schema(example = 1)]
    format: u32,
    #[serde(rename = "type")]
    kind: WebhookType,
    /// When it happened.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    timestamp: Timestamp,
    data: WebhookData,
}

/// Where it happened. What happened is read with the token of the seat.
#[derive(Serialize, ToSchema)]
struct WebhookData {
    /// The game; `null` in a test of a webhook that hears of all games.
    #[schema(required, example = "8q4nwz0v6m2k")]
    game: Option<String>,
    /// The side whose webhook it is; `null` for one that hears of all games.
    #[schema(required, value_type = Option<schema::Side>)]
    side: Option<Side>,
    /// The turn: the one that is awaited, or was resolved, or was awaited when the game ended.
    #[schema(required, example = 5)]
    turn: Option<u32>,
    /// The version that the game has had at least since then.
    #[schema(required, example = 17)]
    version: Option<i64>,
}

/// The requests that the server makes, for the document.
fn told() -> Paths {
    let header = |name: &str, about: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some(about))
            .schema(Some(openapi::Object::with_type(openapi::Type::String)))
            .build()
    };
    let taken = ResponseBuilder::new()
        .description("It was taken. Any other answer, and none within 15 seconds, lets it come again.")
        .build();
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("WebhookMessage"))).build();
    let told = |kind: EventKind, about: &str| {
        let operation = OperationBuilder::new()
            .operation_id(Some(format!("told_{}", kind.word())))
            .tag("playing")
            .summary(Some(about))
            .parameter(header("webhook-id", "The event's id, the same at each try"))
            .parameter(header("webhook-timestamp", "When it was sent, in seconds since 1970"))
            .parameter(header(
                "webhook-signature",
                "`v1,` and base 64 of HMAC-SHA256 over `id.timestamp.body`; several, with spaces between",
            ))
            .request_body(Some(
                RequestBodyBuilder::new()
                    .content("application/json", content.clone())
                    .required(Some(Required::True))
                    .build(),
            ))
            .responses(ResponsesBuilder::new().response("2XX", taken.clone()).build())
            .build();
        (kind.word(), PathItem::new(HttpMethod::Post, operation))
    };
    let all = [
        (EventKind::TurnAwaited, "A turn is awaited"),
        (EventKind::TurnResolved, "A turn was resolved"),
        (EventKind::OpponentSealed, "The opponent has sealed"),
        (EventKind::GameOver, "The game is over"),
        (EventKind::Test, "A test"),
    ];
    all.into_iter()
        .map(|(kind, about)| told(kind, about))
        .fold(PathsBuilder::new(), |paths, (name, item)| paths.path(name, item))
        .build()
}
