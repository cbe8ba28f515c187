//! A line in the log for each request: method, route, status, time. The route is the pattern
//! (`/s/{secret}`), never the address: some addresses hold secrets.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;

/// Logs a request when it has been answered.
pub async fn requests(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let (method, begun) = (request.method().clone(), Instant::now());
    let response = next.run(request).await;
    tracing::info!(
        %method,
        route = route.as_deref().unwrap_or("(none)"),
        status = response.status().as_u16(),
        milliseconds = begun.elapsed().as_millis(),
        "request"
    );
    response
}
