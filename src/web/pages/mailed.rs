//! A link that came by mail: looking at it changes nothing, its button acts.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::Secret;
use crate::play::mailed::{Errand, MailedLink};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, seat_path};

/// What a link asks, or that it has been done.
#[derive(Template)]
#[template(path = "pages/mailed.html")]
struct MailedPage {
    frame: Frame,
    words: String,
    /// The button of what is still to be done.
    button: Option<&'static str>,
    action: String,
    /// The page of the seat that it was about.
    seat: Option<String>,
}

/// GET /m/{secret}
pub async fn get(State(state): State<WebState>, Path(secret): Path<String>) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let link = state.play.mailed_link(&secret).await?;
    let page = match link.errand {
        Errand::Confirm => MailedPage {
            frame: Frame::plain("Is this your address?"),
            words: format!("Letters about your game will go to {}.", link.address),
            button: Some("Yes, it is mine"),
            action: format!("/m/{}", secret.reveal()),
            seat: None,
        },
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /m/{secret}
pub async fn post(State(state): State<WebState>, Path(secret): Path<String>) -> Result<Response, PageError> {
    let link = state.play.follow(&Secret::sent(&secret)).await?;
    Ok(frame::page(StatusCode::OK, &done(link)))
}

fn done(link: MailedLink) -> MailedPage {
    match link.errand {
        Errand::Confirm => MailedPage {
            frame: Frame::plain("Thank you"),
            words: format!("{} is confirmed: letters about your game go there.", link.address),
            button: None,
            action: String::new(),
            seat: link.seat.map(|(game, side)| seat_path(&game, side)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::GameId;
    use crate::rules::Side;

    #[test]
    fn a_confirmed_address_leads_back_to_its_seat() {
        let seat = Some((GameId::parse("0123456789ab").unwrap(), Side::Red));
        let link = MailedLink { errand: Errand::Confirm, address: "ann@example.org".into(), seat };
        let html = done(link).render().unwrap();
        assert!(html.contains("ann@example.org is confirmed") && html.contains("href=\"/games/0123456789ab/red\""));
        assert!(!html.contains("<button"));
    }
}
