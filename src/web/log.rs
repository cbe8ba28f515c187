//! A line in the log for each request: method, route, status, time. The route is the pattern
//! (`/s/{secret}`), never the address: some addresses hold secrets.
//!
//! Every line that is written on behalf of a request carries its id, which the answer tells in `X-Request-Id`. Behind a
//! trusted proxy it is the proxy's, so that the logs of both can be laid side by side; anybody else's is not taken.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;
use tracing::Instrument;

use crate::clock::Chance;
use crate::web::WebState;

/// The header of the id.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest id that is taken from a proxy, in characters.
const LONGEST: usize = 64;

/// Logs and counts a request when it has been answered.
pub async fn requests(State(state): State<WebState>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.as_deref().unwrap_or("(none)");
    let sent = request.headers().get(&ID).filter(|_| state.limits.trusts_proxies());
    let id = sent.and_then(readable).unwrap_or_else(made);
    let (method, begun) = (request.method().clone(), Instant::now());
    let span = tracing::info_span!("request", id);
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status(), begun.elapsed());
    state.play.metrics().request(route, &method, status, took);
    let _inside = span.enter();
    let milliseconds = took.as_millis();
    // Programs that watch the server ask all day long.
    if route.starts_with("/health/") {
        tracing::debug!(%method, route, status = status.as_u16(), milliseconds, "request");
    } else {
        tracing::info!(%method, route, status = status.as_u16(), milliseconds, "request");
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(ID, id);
    }
    response
}

/// A proxy's id, if it is one: letters, digits and a few signs.
fn readable(id: &HeaderValue) -> Option<String> {
    let id = id.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (!id.is_empty() && id.len() <= LONGEST && id.chars().all(plain)).then(|| id.to_owned())
}

/// An id of our own. Nothing hangs on it, so that it takes nothing of the server's own chance.
fn made() -> String {
    data_encoding::HEXLOWER.encode(&Chance::System.bytes::<16>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_plain() {
        let read = |id: &str| readable(&HeaderValue::from_str(id).unwrap());
        assert_eq!(read("7b0c-4.a:1_X").as_deref(), Some("7b0c-4.a:1_X"));
        for id in ["", "a b", "a\"b", &"a".repeat(65)] {
            assert_eq!(read(id), None, "{id}");
        }
        assert_eq!(made().len(), 32);
    }
}
