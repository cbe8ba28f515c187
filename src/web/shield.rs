//! What every answer carries whichever door it leaves by, also where a handler panicked; and what is not compressed.
//!
//! Pages and API say more of themselves (`pages/guard.rs`, `api/docs.rs`); what they have said stays.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::web::WebState;

/// What an answer may load that says nothing of it: nothing. A picture of a board, opened by itself, may have its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// What no page here needs of a device.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
                           hid=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), \
                           serial=(), usb=()";

/// A year of https alone, for this host. Hosts below it are not spoken for: nobody here knows what they are.
const HTTPS_ALONE: &str = "max-age=31536000";

/// The headers of every answer.
const ALWAYS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "strict-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
];

/// Adds the headers of every answer.
pub async fn headers(State(state): State<WebState>, mut request: Request, next: Next) -> Response {
    if may_be_measured(request.headers()) {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let mut response = next.run(request).await;
    for (name, value) in ALWAYS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if state.public_url.starts_with("https://") {
        let value = HeaderValue::from_static(HTTPS_ALONE);
        response.headers_mut().entry(header::STRICT_TRANSPORT_SECURITY).or_insert(value);
    }
    response
}

/// Whether another site made the browser ask. Then the length of a compressed answer could tell, question by question,
/// what stands beside the words that the question put into it (BREACH); so such an answer goes out as it is. A page that
/// is opened from a letter in a browser's mail is one of these, and is somewhat larger the first time.
fn may_be_measured(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    matches!(site, Some(b"cross-site" | b"same-site"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_site_asks_for_is_not_compressed() {
        let asked = |site: &'static str| {
            may_be_measured(&HeaderMap::from_iter([(
                HeaderName::from_static("sec-fetch-site"),
                HeaderValue::from_static(site),
            )]))
        };
        assert!(asked("cross-site") && asked("same-site") && !asked("same-origin") && !asked("none"));
        assert!(!may_be_measured(&HeaderMap::new()), "a program has no cookies that others could use");
    }
}
