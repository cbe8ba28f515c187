//! The JSON API, version 1: the use cases of `play` for programs.
//!
//! Each operation stands beside its description, and the router and the document are made of the same list
//! (`operations!`): what is not described is not served. Within version 1 members and values may be
//! added, and nothing is taken away or given a new meaning.

use crate::web::WebState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// How handlers get to their addresses.
mod operations;
/// JSON in.
mod body;
/// The kinds of problem.
mod problem_kind;
/// Problem JSON out.
mod problem;
/// Which operation may answer which problem.
mod problem_sets;
/// The rules' types, described.
mod schema;
/// Who asks.
mod asker;
/// Addresses.
mod links;
/// A game's options.
mod settings;
/// The boards to choose from.
mod boards;
/// Opening a game.
mod games;
/// Filling the other seat.
mod invitations;
/// A game as a seat sees it.
mod state;
/// Sheets in the making.
mod drafts;
/// Writing sheets.
mod sheets;
/// The resolved turns.
mod days;
/// What the two agree on.
mod offers;
/// Public games.
mod public;
/// Open challenges.
mod challenges;
/// What the two players write to each other.
mod messages;
/// What became of letters.
mod letters;
/// Resigning, and the address for reports.
mod seat;
/// Opponents who stay away.
mod absent;
/// Computer players.
mod computers;
/// Absences, pauses, games that lie still.
mod time;
/// Webhooks of a seat.
mod webhooks;
/// What players see of the organiser's desk.
mod organiser;
/// The organiser's desk.
mod admin;
/// The OpenAPI document.
mod document;
/// The OpenAPI document, made of the operations.
#[cfg(test)]
mod described;
/// The page that shows the document.
mod docs;

use operations::operations;
use problem::Problem;

/// All routes under `/api/v1`.
pub fn router(state: WebState) -> Router {
    let operations = routes().nest("/admin", admin::routes());
    let inside = operations.merge(docs::router()).fallback(no_route).method_not_allowed_fallback(no_method);
    // Nested, since two routers that both have a fallback cannot be merged; the fallback of a nested
    // router does not answer for its root with a slash.
    Router::new()
        .nest(links::ROOT, inside)
        .route(&format!("{}/", links::ROOT), any(no_route))
        .layer(DefaultBodyLimit::max(body::BODY_MAX))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(SetResponseHeaderLayer::if_not_present(CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .layer(SetResponseHeaderLayer::overriding(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .with_state(state)
}

operations! {
    games::open,
    boards::list,
    public::list,
    public::game,
    messages::read,
    messages::send,
    challenges::list,
    challenges::take,
    public::days,
    public::day,
    invitations::look,
    invitations::take,
    invitations::withdraw,
    invitations::unseat,
    state::state,
    state::board,
    state::form,
    sheets::check,
    sheets::fill,
    sheets::seal,
    drafts::keep,
    drafts::retract,
    days::days,
    days::day,
    days::record,
    seat::set_address,
    seat::resign,
    letters::read,
    letters::set,
    offers::draw,
    offers::continue_elsewhere,
    absent::claim,
    absent::substitute,
    computers::finish,
    computers::hint,
    time::announce,
    time::end,
    time::offer,
    time::drop,
    time::accept,
    time::close,
    webhooks::list,
    webhooks::make,
    webhooks::read,
    webhooks::remove,
    webhooks::renew,
    webhooks::test,
    webhooks::resend,
    organiser::consent,
    document::openapi,
    document::problems,
    document::problem,
}

/// For addresses that the API does not have.
async fn no_route() -> Problem {
    Problem::new(&problem_kind::NO_ROUTE, problem_kind::NO_ROUTE.about)
}

/// For methods that an address does not take.
async fn no_method() -> Problem {
    Problem::new(&problem_kind::METHOD, problem_kind::METHOD.about)
}

/// For an address that cannot be read.
#[must_use]
pub fn nowhere() -> Response {
    Problem::new(&problem_kind::NO_ROUTE, problem_kind::NO_ROUTE.about).into_response()
}

/// For parameters with a NUL in them.
#[must_use]
pub fn no_text() -> Response {
    Problem::new(&problem_kind::FIELD, "The parameters hold a NUL, which stands in no text.").into_response()
}

/// For a request that took too long. It may still take effect, so whoever repeats it has to look first;
/// a repeated sheet gets the same receipt.
#[must_use]
pub fn unanswered() -> Response {
    let detail = "The server took too long. What you sent may still take effect: look before you send anything else.";
    Problem::new(&problem_kind::STORE, detail).into_response()
}

/// For what came too often from one client.
#[must_use]
pub fn too_many(detail: String) -> Response {
    Problem::new(&problem_kind::TOO_MANY, detail).into_response()
}

/// For a handler that panicked: the panic has been logged where it happened.
fn panicked(_cause: Box<dyn std::any::Any + Send>) -> Response {
    Problem::new(&problem_kind::BROKEN, problem_kind::BROKEN.about).into_response()
}

#[cfg(test)]
mod tests;
