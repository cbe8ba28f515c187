//! What every page is wrapped in: headers that keep it to itself, and the refusal of
//! forms that another site sent.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::web::error::PageError;
use crate::web::{WebState, security};

/// What a page may load: this server's own styles, pictures and scripts, which may ask this server; nobody may frame it.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; \
                      object-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The headers of every page. The referrer policy keeps addresses, and the secrets in some of
/// them, from every other site and out of every `Referer`. It is not `no-referrer`, because then browsers
/// send forms with `Origin: null`, and on a plain http address nothing would tell them from a
/// stranger's.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "strict-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the headers of every page.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in ALWAYS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Adds the header of pages that differ from visitor to visitor.
pub async fn unstored(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Adds the headers of pages that are for one visitor only.
pub async fn private(request: Request, next: Next) -> Response {
    let mut response = unstored(request, next).await;
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow"));
    response
}

/// Refuses what another site makes a visitor's browser send.
pub async fn own_forms(State(state): State<WebState>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if reads || is_own(request.headers(), &state.public_url) {
        return next.run(request).await;
    }
    let route = request.extensions().get::<MatchedPath>().map_or("(none)", MatchedPath::as_str);
    security::noticed!(WARN, "a form of another site was refused", route);
    PageError::new(
        StatusCode::FORBIDDEN,
        "Sent from another site",
        "This form came from a page of another site, so nothing was done. Open the game here and send it again.",
    )
    .into_response()
}

/// Whether a form comes from a page of this server, or from no page at all.
///
/// Browsers say so by `Sec-Fetch-Site` on https addresses and on localhost, and by `Origin` everywhere.
fn is_own(headers: &HeaderMap, public_url: &str) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"));
    match text(&HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin" | "none") => return true,
        Some("cross-site") => return false,
        _ => {}
    }
    let Some(origin) = text(&header::ORIGIN) else { return true };
    let host = text(&header::HOST).unwrap_or("");
    let of_host = origin.split_once("://").is_some_and(|(_, origin_host)| !host.is_empty() && origin_host == host);
    of_host || origin.eq_ignore_ascii_case(public_url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_static(value));
        }
        is_own(&map, "https://play.example.org")
    }

    #[test]
    fn own_forms_pass() {
        assert!(own(&[]));
        assert!(own(&[("sec-fetch-site", "same-origin")]));
        assert!(own(&[("sec-fetch-site", "same-origin"), ("origin", "null")]));
        assert!(own(&[("sec-fetch-site", "none")]));
        assert!(own(&[("origin", "https://play.example.org")]));
        assert!(own(&[("origin", "http://192.168.1.5:8080"), ("host", "192.168.1.5:8080")]));
    }

    #[test]
    fn forms_of_other_sites_do_not() {
        assert!(!own(&[("sec-fetch-site", "cross-site")]));
        assert!(!own(&[("sec-fetch-site", "cross-site"), ("origin", "https://play.example.org")]));
        assert!(!own(&[("sec-fetch-site", "same-site"), ("origin", "https://evil.example.org")]));
        assert!(!own(&[("origin", "https://evil.example"), ("host", "play.example.org")]));
        assert!(!own(&[("origin", "null"), ("host", "play.example.org")]));
        assert!(!own(&[("origin", "https://"), ("host", "")]));
    }
}
