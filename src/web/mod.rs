//! The web door: pages for people and a JSON API for programs, both over `play`.
//!
//! Handlers read the request, call one `play` function and show its answer. They have no
//! rules of their own, and what they show comes out of `play::view` alone.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
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
/// What requests cost.
mod cost;
/// How the server is.
pub mod health;
/// How much may come from one client.
pub mod limit;
/// A line in the log for each request.
mod log;
/// What the organiser should hear of in the log.
mod security;
/// What every answer carries.
mod shield;
/// Pages for people.
pub mod pages;

/// What the handlers need. Cheap to clone, which happens several times a request.
#[derive(Clone, Debug)]
pub struct WebState(Arc<Door>);

/// The door as it is set up.
#[derive(Debug)]
pub struct Door {
    /// The use cases.
    pub play: Play,
    /// The address under which people reach the server, without a slash at the end:
    /// `https://play.example.org`. Links and the Secure flag of cookies follow from it.
    pub public_url: String,
    /// Whether letters of this server can be answered.
    pub by_mail: bool,
    /// How much may come from one client.
    pub limits: Limits,
    /// Cancelled when the server stops, for answers that would go on for ever.
    pub stop: CancellationToken,
}

impl From<Door> for WebState {
    fn from(door: Door) -> WebState {
        WebState(Arc::new(door))
    }
}

impl std::ops::Deref for WebState {
    type Target = Door;

    fn deref(&self) -> &Door {
        &self.0
    }
}

/// How long a request may take, its body included.
const LIMIT: Duration = Duration::from_secs(30);

/// Answers an address that is not UTF-8, or has a NUL in it, as what it is: an address that leads nowhere; and a program
/// that asks with one is told so. One of the two databases takes no NUL.
async fn readable(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let by_program = path.starts_with("/api/");
    let text = percent_encoding::percent_decode_str(path).decode_utf8();
    if !text.is_ok_and(|text| !text.contains('\0')) {
        return if by_program { api::nowhere() } else { PageError::not_found().into_response() };
    }
    if request.uri().query().unwrap_or_default().contains("%00") {
        return if by_program { api::no_text() } else { PageError::not_found().into_response() };
    }
    next.run(request).await
}

/// Lets all that a request only reads be of one state of the database.
async fn at_one_moment(State(state): State<WebState>, request: Request, next: Next) -> Response {
    if request.method().is_safe() { state.play.at_one_moment(next.run(request)).await } else { next.run(request).await }
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

/// Adds to a whole server what every answer of it carries. Outermost: it stands before compression, and before what
/// answers for a handler that panicked.
pub fn shielded(router: Router, state: &WebState) -> Router {
    router.layer(from_fn_with_state(state.clone(), shield::headers))
}

/// The whole web door.
pub fn router(state: &WebState) -> Router {
    with(state, Router::new())
}

/// The whole web door, with something beside it that is counted and logged like the rest.
pub fn with(state: &WebState, beside: Router) -> Router {
    pages::router(state.clone())
        .merge(api::router(state.clone()))
        .layer(from_fn_with_state(state.clone(), at_one_moment))
        .merge(beside)
        .layer(from_fn_with_state(state.clone(), limit::clients))
        .layer(from_fn(readable))
        .layer(from_fn(in_time))
        .layer(from_fn_with_state(state.clone(), log::requests))
}
