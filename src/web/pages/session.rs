//! Who visits: the one cookie, and the seat that an address names.
//!
//! The cookie is opaque; which seats it opens is kept by the server. It goes to this host
//! alone, never to scripts, and not with requests that other sites start (but for links).

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use crate::play::device::DeviceView;
use crate::play::people::Person;
use crate::play::{GameId, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame;

/// How long a browser keeps the cookie: 400 days, the most that browsers allow.
const MAX_AGE: u32 = 400 * 24 * 60 * 60;

/// The cookie's name. With https the prefix makes browsers refuse one that another host has set.
const fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-fieldcommand" } else { "fieldcommand" }
}

fn is_secure(state: &WebState) -> bool {
    state.public_url.starts_with("https://")
}

/// The header that gives a browser its session.
pub fn cookie(state: &WebState, session: &Secret) -> [(HeaderName, HeaderValue); 1] {
    // A secret that this server drew is base 32; one that could not stand in a header is not handed out.
    let value = HeaderValue::from_str(&cookie_text(is_secure(state), session));
    [(header::SET_COOKIE, value.unwrap_or(HeaderValue::from_static("")))]
}

fn cookie_text(secure: bool, session: &Secret) -> String {
    let (name, flag) = (cookie_name(secure), if secure { "; Secure" } else { "" });
    format!("{name}={}; Path=/; Max-Age={MAX_AGE}; HttpOnly; SameSite=Lax{flag}", session.reveal())
}

/// A visitor with the session that their browser sent.
#[derive(Debug)]
pub struct Visitor(pub Option<Secret>);

impl FromRequestParts<WebState> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Visitor, Infallible> {
        let jar = CookieJar::from_headers(&parts.headers);
        Ok(Visitor(jar.get(cookie_name(is_secure(state))).map(|cookie| Secret::sent(cookie.value()))))
    }
}

impl Visitor {
    /// The seat of a game that the visitor holds.
    pub async fn seat(&self, state: &WebState, game: &GameId, side: Side) -> Result<Seat, PlayError> {
        let session = self.0.as_ref().ok_or(PlayError::NotFound)?;
        state.play.seat_of_session(session, game, side).await
    }

    /// Whether the visitor holds a seat: not an error if not.
    pub async fn holds(&self, state: &WebState, game: &GameId, side: Side) -> Result<bool, PlayError> {
        match self.seat(state, game, side).await {
            Ok(_) | Err(PlayError::HandedOver(_)) => Ok(true),
            Err(PlayError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Who is signed in.
    pub async fn person(&self, state: &WebState) -> Result<Option<Person>, PlayError> {
        match &self.0 {
            Some(session) => state.play.person(session).await,
            None => Ok(None),
        }
    }

    /// The address to be offered for another seat.
    pub async fn offered_address(&self, state: &WebState) -> Result<Option<String>, PlayError> {
        match &self.0 {
            Some(session) => state.play.offered_address(session).await,
            None => Ok(None),
        }
    }

    /// The device that the visitor shares between both sides of a game; `None` where it is not so.
    pub async fn device(&self, state: &WebState, game: &GameId) -> Result<Option<DeviceView>, PlayError> {
        let Some(session) = &self.0 else { return Ok(None) };
        match state.play.device(session, game).await {
            Ok(device) => Ok(Some(device)),
            Err(PlayError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Lets times be written as whoever is signed in wants them, below what the organiser has announced.
pub async fn as_reader(State(state): State<WebState>, visitor: Visitor, request: Request, next: Next) -> Response {
    let wishes = match visitor.person(&state).await {
        Ok(person) => person.map(|person| person.wishes).filter(|wishes| wishes.zone.is_some()),
        Err(error) => return PageError::from(error).into_response(),
    };
    let announced = match state.play.announcements().await {
        Ok(announced) => announced,
        Err(error) => return PageError::from(error).into_response(),
    };
    let answer = frame::while_still(state.play.stands_still(), frame::written_for(wishes, next.run(request)));
    frame::announcing(announced, answer).await
}

/// Shows what the organiser has announced, and that the server stands still, above pages that are the same for everybody.
pub async fn below_announcements(State(state): State<WebState>, request: Request, next: Next) -> Response {
    let announced = match state.play.announcements().await {
        Ok(announced) => announced,
        Err(error) => return PageError::from(error).into_response(),
    };
    frame::announcing(announced, frame::while_still(state.play.stands_still(), next.run(request))).await
}

/// The seat that the address names, held by the visitor. To anybody else it does not exist, and at a device that
/// both sides share it exists only while this side sits there (the browser is sent to the hand-over).
#[derive(Debug)]
pub struct Held(pub Seat);

/// The beginning of every seat's address.
#[derive(Deserialize)]
struct SeatAddress {
    id: String,
    side: String,
}

impl FromRequestParts<WebState> for Held {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Held, PageError> {
        let Path(address) =
            Path::<SeatAddress>::from_request_parts(parts, state).await.map_err(|_| PageError::not_found())?;
        let (Some(game), Some(side)) = (GameId::parse(&address.id), Side::from_word(&address.side)) else {
            return Err(PageError::not_found());
        };
        let Ok(visitor) = Visitor::from_request_parts(parts, state).await;
        match visitor.seat(state, &game, side).await {
            // Who has come from a letter may have its code.
            Err(PlayError::NotFound) => Err(PageError::of_game(&game)),
            seat => Ok(Held(seat?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let secret = Secret::sent("secret");
        assert_eq!(
            cookie_text(false, &secret),
            "fieldcommand=secret; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            cookie_text(true, &secret),
            "__Host-fieldcommand=secret; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure"
        );
    }
}
