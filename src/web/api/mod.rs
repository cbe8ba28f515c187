//! The JSON API, version 1.

use axum::Router;

use crate::web::WebState;

/// All routes under `/api/v1`.
pub fn router(state: WebState) -> Router {
    Router::new().with_state(state)
}
