//! Signing in by a letter, and out again.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::play::PlayError;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame};
use crate::web::pages::hand_over::FORGET;
use crate::web::pages::session::Visitor;
use crate::web::{WebState, security};

/// The form for an address, or that it was sent.
#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignInPage {
    frame: Frame,
    address: String,
    problem: Option<String>,
    asked: bool,
}

impl SignInPage {
    fn new() -> SignInPage {
        SignInPage { frame: Frame::plain("Sign in"), address: String::new(), problem: None, asked: false }
    }
}

/// What the address may bring.
#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    sent: String,
}

/// GET /sign-in
pub async fn get(Query(asked): Query<Asked>) -> Response {
    frame::page(StatusCode::OK, &SignInPage { asked: !asked.sent.is_empty(), ..SignInPage::new() })
}

/// POST /sign-in: the answer says nothing of the address.
pub async fn post(State(state): State<WebState>, fields: Fields) -> Result<Response, PageError> {
    let address = fields.text("address").trim();
    match state.play.ask_sign_in(address).await {
        Ok(()) => {
            security::noticed!(INFO, "a link to sign in was asked for");
            Ok(frame::see("/sign-in?sent=1"))
        }
        Err(PlayError::Field { field, problem }) => {
            let problem = Some(frame::field_problem(field, &problem));
            let page = SignInPage { address: address.into(), problem, ..SignInPage::new() };
            Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        Err(error) => Err(error.into()),
    }
}

/// POST /sign-out: the browser is asked to forget what it has seen, as at a device that changes hands.
pub async fn out(State(state): State<WebState>, visitor: Visitor, fields: Fields) -> Result<Response, PageError> {
    if let Some(session) = &visitor.0 {
        let everywhere = fields.ticked("everywhere");
        state.play.sign_out(session, everywhere).await?;
        security::noticed!(INFO, "signed out", everywhere);
    }
    Ok((FORGET, frame::see("/")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_says_what_is_wrong_and_the_answer_says_nothing_of_the_address() {
        let problem = Some("The address is missing.".to_owned());
        let html = SignInPage { problem, ..SignInPage::new() }.render().unwrap();
        assert!(html.contains("aria-describedby=\"address-error address-help\"") && html.contains("is missing"));
        let html = SignInPage { asked: true, ..SignInPage::new() }.render().unwrap();
        assert!(html.contains("If letters about games go to this address") && !html.contains("<form"));
    }
}
