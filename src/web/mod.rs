//! The web door: pages for people and a JSON API for programs, both over `play`.
//!
//! Handlers read the request, call one `play` function and show its answer. They have no
//! rules of their own, and what they show comes out of `play::view` alone.

use axum::Router;

use crate::play::Play;

/// The JSON API, version 1.
pub mod api;
/// What can go wrong, as a page.
mod error;
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
}

/// The whole web door.
pub fn router(state: &WebState) -> Router {
    pages::router(state.clone()).merge(api::router(state.clone())).layer(axum::middleware::from_fn(log::requests))
}
