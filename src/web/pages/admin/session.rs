//! Signing in with a token. The cookie is one of its own: it goes to this host alone, never to scripts, and not with
//! requests that other sites start, links included.

use askama::Template;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;

use crate::play::admin::Admin;
use crate::play::{PlayError, Secret};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame};

/// The cookie's name. With https the prefix makes browsers refuse one that another host has set.
fn cookie_name(state: &WebState) -> &'static str {
    if state.public_url.starts_with("https://") { "__Host-fieldcommand-desk" } else { "fieldcommand-desk" }
}

/// The header that gives a browser its cookie, or takes it away.
fn cookie(state: &WebState, value: &str, seconds: u32) -> HeaderValue {
    let secure = if state.public_url.starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", cookie_name(state));
    // A secret that this server drew is base 32; one that could not stand in a header is not handed out.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// The organiser who is signed in. Whoever is not is sent to sign in.
#[derive(Debug)]
pub struct Desk(pub Admin);

impl FromRequestParts<WebState> for Desk {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Desk, Response> {
        if let Some(browser) = browser(parts, state) {
            match state.play.admin_of_browser(&browser).await {
                Ok(admin) => return Ok(Desk(admin)),
                Err(PlayError::NoToken) => {}
                Err(error) => return Err(PageError::from(error).into_response()),
            }
        }
        if parts.method == Method::GET {
            return Err(frame::see("/admin/sign-in"));
        }
        let message = "You are not signed in at the desk any more. Nothing was done; sign in and send it again.";
        Err(PageError::new(StatusCode::UNAUTHORIZED, "Signed out", message).into_response())
    }
}

fn browser(parts: &Parts, state: &WebState) -> Option<Secret> {
    let jar = CookieJar::from_headers(&parts.headers);
    jar.get(cookie_name(state)).map(|cookie| Secret::sent(cookie.value()))
}

/// The form for the token.
#[derive(Template)]
#[template(path = "pages/admin/sign_in.html")]
struct SignInPage {
    frame: Frame,
    problem: Option<String>,
}

/// GET /admin/sign-in
pub async fn get() -> Response {
    frame::page(StatusCode::OK, &SignInPage { frame: Frame::plain("The organiser’s desk"), problem: None })
}

/// POST /admin/sign-in: a token for a cookie.
pub async fn post(State(state): State<WebState>, fields: Fields) -> Result<Response, PageError> {
    match state.play.sign_in_admin(&Secret::sent(fields.text("token").trim())).await {
        Ok(secret) => {
            let mut response = frame::see("/admin");
            response.headers_mut().insert(header::SET_COOKIE, cookie(&state, secret.reveal(), 12 * 60 * 60));
            Ok(response)
        }
        Err(error @ PlayError::NoToken) => {
            let page = SignInPage { frame: Frame::plain("The organiser’s desk"), problem: Some(error.to_string()) };
            Ok(frame::page(StatusCode::UNAUTHORIZED, &page))
        }
        Err(error) => Err(error.into()),
    }
}

/// POST /admin/sign-out
pub async fn out(State(state): State<WebState>, parts: Parts) -> Result<Response, PageError> {
    if let Some(browser) = browser(&parts, &state) {
        state.play.sign_out_admin(&browser).await?;
    }
    let mut response = frame::see("/admin/sign-in");
    response.headers_mut().insert(header::SET_COOKIE, cookie(&state, "", 0));
    Ok(response)
}
