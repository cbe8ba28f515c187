//! The JSON API, version 1: the use cases of `play` for programs.
//!
//! Each operation stands beside its description, and the router is made of both
//! (`operations`): what is not described is not served. Within version 1 members and values may be
//! added, and nothing is taken away or given a new meaning.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::web::WebState;

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
/// The page that shows the document.
mod docs;

use problem::Problem;

/// All routes under `/api/v1`.
pub fn router(state: WebState) -> Router {
    let (operations, _described) = operations().split_for_parts();
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

/// The operations with their descriptions, without the root of their addresses.
fn operations() -> OpenApiRouter<WebState> {
    OpenApiRouter::new()
        .routes(routes!(games::open))
        .routes(routes!(boards::list))
        .routes(routes!(public::list))
        .routes(routes!(public::game))
        .routes(routes!(messages::read))
        .routes(routes!(messages::send))
        .routes(routes!(challenges::list))
        .routes(routes!(challenges::take))
        .routes(routes!(public::days))
        .routes(routes!(public::day))
        .routes(routes!(invitations::look))
        .routes(routes!(invitations::take))
        .routes(routes!(invitations::withdraw))
        .routes(routes!(invitations::unseat))
        .routes(routes!(state::state))
        .routes(routes!(state::board))
        .routes(routes!(state::form))
        .routes(routes!(sheets::check))
        .routes(routes!(sheets::fill))
        .routes(routes!(sheets::seal))
        .routes(routes!(drafts::keep))
        .routes(routes!(drafts::retract))
        .routes(routes!(days::days))
        .routes(routes!(days::day))
        .routes(routes!(days::record))
        .routes(routes!(seat::set_address))
        .routes(routes!(seat::resign))
        .routes(routes!(letters::read))
        .routes(routes!(letters::set))
        .routes(routes!(offers::draw))
        .routes(routes!(offers::continue_elsewhere))
        .routes(routes!(absent::claim))
        .routes(routes!(absent::substitute))
        .routes(routes!(computers::finish))
        .routes(routes!(computers::hint))
        .routes(routes!(time::announce))
        .routes(routes!(time::end))
        .routes(routes!(time::offer))
        .routes(routes!(time::drop))
        .routes(routes!(time::accept))
        .routes(routes!(time::close))
        .routes(routes!(webhooks::list, webhooks::make))
        .routes(routes!(webhooks::read, webhooks::remove))
        .routes(routes!(webhooks::renew))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::resend))
        .routes(routes!(organiser::consent))
        .nest("/admin", admin::operations())
        .routes(routes!(document::openapi))
        .routes(routes!(document::problems))
        .routes(routes!(document::problem))
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
