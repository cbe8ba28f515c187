//! The web door: pages for people and a JSON API for programs, both over `play`.
//!
//! Handlers read the request, call one `play` function and show its answer. They have no
//! rules of their own, and what they show comes out of `play::view` alone.

use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tokio_util::sync::CancellationToken;

use crate::play::Play;
use crate::web::error::PageError;
use crate::web::limit::Limits;

/// The JSON API, version 1.
pub mod api;
/// What can go wrong, as a page.
mod error;
/// How much may come from one client.
pub mod limit;
/// A line in the log for each request.
mod log;
/// Pages for people.
pub mod pages;

/// What the handlers need. Cheap to clone.
#[derive(Clone, Debug)]
pub struct WebState {
    /// The use cases.
    pub play: Play,
    /// The address under which people reach the server, without a slash at the end:
    /// `https://play.example.org`. Links and the Secure flag of cookies follow from it.
    pub public_url: String,
    /// How much may come from one client.
    pub limits: Limits,
    /// Cancelled when the server stops, for answers that would go on for ever.
    pub stop: CancellationToken,
}

/// How long a request may take, its body included.
const LIMIT: Duration = Duration::from_secs(30);

/// Answers an address that is not UTF-8 as what it is: an address that leads nowhere.
async fn readable(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if percent_encoding::percent_decode_str(path).decode_utf8().is_ok() {
        next.run(request).await
    } else if path.starts_with("/api/") {
        api::nowhere()
    } else {
        PageError::not_found().into_response()
    }
}

/// Answers a request that takes too long, each in its door's way.
async fn in_time(request: Request, next: Next) -> Response {
    let by_program = request.uri().path().starts_with("/api/");
    match tokio::time::timeout(LIMIT, next.run(request)).await {
        Ok(response) => response,
        Err(_) if by_program => api::unanswered(),
        Err(_) => PageError::unanswered().into_response(),
    }
}

/// The whole web door.
pub fn router(state: &WebState) -> Router {
    pages::router(state.clone())
        .merge(api::router(state.clone()))
        .layer(from_fn_with_state(state.clone(), limit::clients))
        .layer(from_fn(readable))
        .layer(from_fn(in_time))
        .layer(from_fn(log::requests))
}
