//! Pages for people.

use axum::Router;

use crate::web::WebState;

/// All pages.
pub fn router(state: WebState) -> Router {
    Router::new().with_state(state)
}
