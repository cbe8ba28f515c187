//! The page that shows the OpenAPI document: Swagger UI, its files part of the program.
//!
//! The page asks nobody but this server for anything, and its policy holds the browser to that.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;

use super::links::ROOT;
use super::problem::Problem;
use super::problem_kind as kinds;

/// The page itself, in place of the one that comes with Swagger UI.
const PAGE: &str = include_str!("docs.html");
/// Its script, which starts Swagger UI.
const SCRIPT: &str = include_str!("docs.js");

/// Swagger UI writes style attributes, and its pictures are data in its style sheet.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page and its files. They stand beside the operations and not among them.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    // The page's files are named relative to it, so its address ends with a slash.
    Router::new()
        .route("/docs", get(|| async { Redirect::permanent(&format!("{ROOT}/docs/")) }))
        .route("/docs/", get(page))
        .route("/docs/docs.js", get(script))
        .route("/docs/{file}", get(file))
}

async fn page() -> Response {
    with_policy(Html(PAGE), "no-cache")
}

async fn script() -> Response {
    with_policy(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT), "no-cache")
}

/// A file of Swagger UI.
async fn file(Path(file): Path<String>) -> Result<Response, Problem> {
    match utoipa_swagger_ui::serve(&file, Arc::default()) {
        Ok(Some(found)) => {
            let mut kind = found.content_type;
            if kind.starts_with("text/") && !kind.contains("charset") {
                kind.push_str("; charset=utf-8");
            }
            let content_type = [(CONTENT_TYPE, kind)];
            Ok(with_policy((content_type, found.bytes.into_owned()), "max-age=3600"))
        }
        Ok(None) => Err(Problem::not_found()),
        Err(cause) => {
            tracing::error!(%cause, "a file of the API's docs page cannot be written");
            Err(Problem::new(&kinds::BROKEN, kinds::BROKEN.about))
        }
    }
}

fn with_policy(answer: impl IntoResponse, caching: &'static str) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}
