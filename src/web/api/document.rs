//! The OpenAPI document, made from the routes themselves; and the list of problem types.

use std::sync::LazyLock;

use axum::Json;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::links::ROOT;
use super::problem::{Problem, ProblemJson};
use super::problem_kind::{self as kinds, ProblemKind};
use super::problem_sets::AboutProblems;
use super::webhooks::{WebhookMessage, told};

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

/// The document, written once.
static WRITTEN: LazyLock<Bytes> = LazyLock::new(|| {
    // Every key of the document is a string, so writing it cannot fail.
    serde_json::to_vec_pretty(&document()).unwrap_or_default().into()
});

/// The document.
pub fn document() -> utoipa::openapi::OpenApi {
    OpenApiRouter::with_openapi(Document::openapi()).nest(ROOT, super::operations()).into_openapi()
}

/// Read this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "about",
    operation_id = "read_document",
    responses((status = 200, description = "The OpenAPI document", content_type = "application/json", body = Object))
)]
pub async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], WRITTEN.clone())
}

/// All types of problem.
#[derive(Serialize, ToSchema)]
pub struct ProblemTypes {
    problems: Vec<ProblemType>,
}

/// A type of problem.
#[derive(Serialize, ToSchema)]
pub struct ProblemType {
    /// The `type` of such a problem.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference", example = "/api/v1/problems/text")]
    uri: String,
    /// The HTTP status.
    #[schema(example = 422)]
    status: u16,
    /// What it is, in a few words.
    #[schema(value_type = String, example = "The text cannot be read")]
    title: &'static str,
    /// What it means, and what a client can do about it.
    #[schema(value_type = String)]
    about: &'static str,
}

impl From<&ProblemKind> for ProblemType {
    fn from(kind: &ProblemKind) -> ProblemType {
        ProblemType { uri: kind.uri(), status: kind.status.as_u16(), title: kind.title, about: kind.about }
    }
}

/// List the types of problem
#[utoipa::path(
    get,
    path = "/problems",
    tag = "about",
    operation_id = "list_problem_types",
    responses((status = 200, description = "The types", body = ProblemTypes))
)]
pub async fn problems() -> Json<ProblemTypes> {
    Json(ProblemTypes { problems: kinds::ALL.iter().map(|kind| (*kind).into()).collect() })
}

/// The part of an address that names a type of problem.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProblemParam {
    /// The type's word: the last part of its address.
    #[param(example = "text")]
    word: String,
}

/// Read about a type of problem
#[utoipa::path(
    get,
    path = "/problems/{word}",
    tag = "about",
    operation_id = "read_problem_type",
    params(ProblemParam),
    responses((status = 200, description = "The type", body = ProblemType), AboutProblems)
)]
pub async fn problem(Path(param): Path<ProblemParam>) -> Result<Json<ProblemType>, Problem> {
    let kind = ProblemKind::from_word(&param.word).ok_or_else(Problem::not_found)?;
    Ok(Json(kind.into()))
}
