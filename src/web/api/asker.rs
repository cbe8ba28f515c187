//! Who asks: the seat that the address names, proven by the bearer token.
//!
//! A token that opens no seat at all gets 401; one that opens another seat gets the same
//! 404 as an unknown game, so that games do not exist for whoever has no seat in them.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum_extra::headers::HeaderMapExt;
use axum_extra::headers::authorization::{Authorization, Bearer};
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use super::problem::Problem;
use super::problem_kind as kinds;
use super::schema;
use crate::play::{GameId, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::web::{WebState, security};

/// The seat of the address, held by the one who asks.
#[derive(Debug)]
pub struct Asker(pub Seat);

/// The parts of an address that name a seat.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SeatPath {
    /// The game's id.
    #[param(example = "8q4nwz0v6m2k")]
    id: String,
    /// The side that the token plays.
    #[param(value_type = schema::Side)]
    side: String,
}

impl FromRequestParts<WebState> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Self, Problem> {
        let token = token(parts)?;
        let Path(path) = Path::<SeatPath>::from_request_parts(parts, state).await.map_err(|_| Problem::not_found())?;
        if let (Some(game), Some(side)) = (GameId::parse(&path.id), Side::from_word(&path.side)) {
            match state.play.seat_of_token(&token, &game, side).await {
                Err(PlayError::NotFound) => {}
                found => return Ok(Asker(found?)),
            }
        }
        Err(match state.play.seat_of_link(&token).await {
            Ok(_other_seat) => {
                security::noticed!(INFO, "a token was shown for another seat");
                Problem::not_found()
            }
            Err(PlayError::NotFound) => Problem::new(&kinds::TOKEN_UNKNOWN, kinds::TOKEN_UNKNOWN.about),
            Err(error) => error.into(),
        })
    }
}

/// The bearer token of a request.
fn token(parts: &Parts) -> Result<Secret, Problem> {
    match parts.headers.typed_try_get::<Authorization<Bearer>>() {
        Ok(Some(Authorization(bearer))) => Ok(Secret::sent(bearer.token())),
        Ok(None) => Err(Problem::new(&kinds::TOKEN_MISSING, kinds::TOKEN_MISSING.about)),
        Err(_) => Err(Problem::new(&kinds::TOKEN_UNKNOWN, "The header Authorization does not hold a bearer token.")),
    }
}

/// A secret in a body. What cannot be one is not repeated in the problem.
#[derive(Debug)]
pub struct SentSecret(pub Secret);

impl<'de> Deserialize<'de> for SentSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| SentSecret(Secret::sent(&text)))
    }
}
