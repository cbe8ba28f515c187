//! An invitation: looking at it changes nothing, taking its seat needs a button.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::picture;
use crate::play::invite::{InvitationView, Taken};
use crate::play::open::NAME_MAX;
use crate::play::{PlayError, Secret};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Look, seat_path};
use crate::web::pages::session::{self, Visitor};

#[derive(Template)]
#[template(path = "pages/invite.html")]
pub struct InvitePage {
    frame: Frame,
    invitation: InvitationView,
    /// The inviter's name, or that of their side.
    from: String,
    /// The link itself.
    link: String,
    /// Where its form goes.
    action: String,
    /// The address of the inviter's seat.
    own_seat: String,
    board_name: String,
    picture: String,
    name: String,
    error: Option<String>,
    /// What the challenger has played before, for an open challenge.
    pub record: Option<String>,
}

impl InvitePage {
    fn of(state: &WebState, secret: &Secret, invitation: InvitationView) -> InvitePage {
        InvitePage::new(state, format!("/i/{}", secret.reveal()), invitation)
    }

    /// The page of an invitation or an open challenge that is taken at `action`.
    pub fn new(state: &WebState, action: String, invitation: InvitationView) -> InvitePage {
        InvitePage {
            frame: Frame::plain(format!("{}’s seat", invitation.side.name())),
            from: invitation.from.clone().unwrap_or_else(|| invitation.side.other().name().to_owned()),
            link: format!("{}{action}", state.public_url),
            action,
            own_seat: seat_path(&invitation.game, invitation.side.other()),
            board_name: invitation.board.as_ref().map_or("own", |board| board.name.as_str()).to_owned(),
            picture: picture::standing(&invitation.now, invitation.side),
            invitation,
            name: String::new(),
            error: None,
            record: None,
        }
    }

    /// The same with what was written, and what is wrong with it.
    pub fn with_problem(self, name: &str, field: &str, problem: &str) -> InvitePage {
        InvitePage { name: name.to_owned(), error: Some(frame::field_problem(field, problem)), ..self }
    }
}

/// GET /i/{secret}
pub async fn get(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let invitation = state.play.invitation(&secret, visitor.0.as_ref()).await.map_err(gone)?;
    let name = visitor.person(&state).await?.and_then(|person| person.name).filter(|_| !invitation.own);
    let page = InvitePage { name: name.unwrap_or_default(), ..InvitePage::of(&state, &secret, invitation) };
    Ok(frame::page(StatusCode::OK, &page))
}

/// POST /i/{secret}
pub async fn post(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(secret): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let secret = Secret::sent(&secret);
    let name = fields.text("name").trim();
    let taken = match state.play.take_seat(&secret, name).await {
        Err(PlayError::Field { field, problem }) => {
            let invitation = state.play.invitation(&secret, visitor.0.as_ref()).await.map_err(gone)?;
            let page = InvitePage::of(&state, &secret, invitation).with_problem(name, field, &problem);
            return Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page));
        }
        taken => taken.map_err(gone)?,
    };
    enter(&state, &visitor, &taken).await
}

/// Opens a seat that was just taken in the visitor's browser, and sends it there.
pub async fn enter(state: &WebState, visitor: &Visitor, taken: &Taken) -> Result<Response, PageError> {
    let seat = state.play.seat_of_link(&taken.link).await?;
    let session = state.play.sit_down(&seat, visitor.0.as_ref()).await?;
    let path = format!("{}?welcome=1", seat_path(&taken.game, taken.side));
    Ok((session::cookie(state, &session), frame::see(&path)).into_response())
}

/// An invitation that leads nowhere, with what to do about it.
fn gone(error: PlayError) -> PageError {
    match error {
        PlayError::NotFound => {
            let message =
                "This link is no invitation. It may have lost its end on the way: ask your friend to send it again.";
            PageError::new(StatusCode::NOT_FOUND, "No invitation behind this link", message)
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    fn page(own: bool) -> String {
        sample(own).render().unwrap()
    }

    fn sample(own: bool) -> InvitePage {
        let invitation = InvitationView { own, ..samples::invitation() };
        InvitePage {
            frame: Frame::plain("Blue’s seat"),
            from: "Ann".into(),
            link: "https://play.example.org/i/secret".into(),
            action: "/i/secret".into(),
            own_seat: "/games/0123456789ab/red".into(),
            board_name: "classic".into(),
            picture: String::new(),
            invitation,
            name: "<Ben>".into(),
            error: Some("too long".into()),
            record: None,
        }
    }

    #[test]
    fn a_friend_finds_a_button_and_the_house_rules() {
        let html = page(false);
        assert!(html.contains("Take Blue’s seat") && html.contains("method=\"post\""));
        assert!(html.contains("Whoever loses the General") && html.contains("&#60;Ben&#62;"));
        assert!(html.contains("id=\"name-error\""));
    }

    #[test]
    fn a_substitute_finds_the_game_as_it_stands() {
        let (view, _) = samples::fought();
        let pace = crate::pace::Pace::Span { hours: 24, first_hours: 24 };
        let invitation = InvitationView { now: view.standing, pace, ..samples::invitation() };
        let html = InvitePage { invitation, ..sample(false) }.render().unwrap();
        assert!(html.contains("is awaited; the seat was given up") && html.contains("units on the board"), "{html}");
        assert!(html.contains("may claim it") && html.contains("14 days of absence"), "{html}");
    }

    #[test]
    fn the_inviter_finds_the_link() {
        let html = page(true);
        assert!(html.contains("for your friend") && html.contains("https://play.example.org/i/secret"));
        assert!(html.contains("Play both sides"));
    }
}
