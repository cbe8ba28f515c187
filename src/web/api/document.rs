//! The OpenAPI document, and the list of problem types.

use axum::Json;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::problem::Problem;
use super::problem_kind::{self as kinds, ProblemKind};
use super::problem_sets::AboutProblems;

/// The document: the copy that a test keeps the same as what the operations say.
static DOCUMENT: &str = include_str!("../../../docs/openapi.json");

/// Read this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "about",
    operation_id = "read_document",
    responses((status = 200, description = "The OpenAPI document", content_type = "application/json", body = Object))
)]
pub async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT)
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
