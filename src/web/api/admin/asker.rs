//! Who asks: an organiser, proven by a token in the header `Authorization` and nowhere else.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::IF_MATCH;
use axum::http::request::Parts;
use axum_extra::headers::HeaderMapExt;
use axum_extra::headers::authorization::{Authorization, Bearer};
use utoipa::IntoParams;

use super::super::problem::Problem;
use super::super::problem_kind as kinds;
use crate::play::admin::{Admin, Cause, Scope};
use crate::play::{PlayError, Secret};
use crate::web::WebState;

/// The header that names a request, so that it may be sent again.
const KEY: &str = "idempotency-key";

/// The headers of any act, for the document; [`Acts`] reads them.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "a description: no value is made of it")]
pub struct KeyHeader {
    /// Names the request: sent again, it is done once
    #[param(rename = "Idempotency-Key")]
    key: Option<String>,
}

/// The headers of an act on a game, for the document.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "a description: no value is made of it")]
pub struct OfGameHeaders {
    /// The game's entity tag: nothing is done to another version
    #[param(rename = "If-Match")]
    version: Option<String>,
    /// Names the request: sent again, it is done once
    #[param(rename = "Idempotency-Key")]
    key: Option<String>,
}

/// An organiser who may look.
#[derive(Debug)]
pub struct Reads(pub Admin);

/// An organiser who may act, and on which terms.
#[derive(Debug)]
pub struct Acts {
    /// Who it is.
    pub admin: Admin,
    key: Option<String>,
    version: Option<i64>,
}

/// An organiser who may make tokens, and on which terms.
#[derive(Debug)]
pub struct Owns(pub Acts);

impl Acts {
    /// Why something is done, with the terms of the request.
    pub fn cause(&self, reason: String, note: Option<String>) -> Cause {
        Cause { reason, note: note.unwrap_or_default(), key: self.key.clone(), version: self.version }
    }
}

/// The organiser of a request, if the token is for enough.
async fn admin(parts: &Parts, state: &WebState, needed: Scope) -> Result<Admin, Problem> {
    let token = match parts.headers.typed_try_get::<Authorization<Bearer>>() {
        Ok(Some(Authorization(bearer))) => Secret::sent(bearer.token()),
        Ok(None) => return Err(Problem::new(&kinds::ADMIN_TOKEN_MISSING, kinds::ADMIN_TOKEN_MISSING.about)),
        Err(_) => return Err(PlayError::NoToken.into()),
    };
    let admin = state.play.admin(&token).await?;
    if admin.scope < needed {
        return Err(PlayError::Scope(needed.word()).into());
    }
    Ok(admin)
}

/// The version of the game that an entity tag names: `"17"`. A tag that cannot be one names none that there is, and of
/// several (RFC 9110, 13.1.1; also in several lines, 5.3) at most the last one can be that of a game.
fn version(headers: &HeaderMap) -> Option<i64> {
    let lines: Vec<&str> = headers.get_all(IF_MATCH).iter().map(|line| line.to_str().unwrap_or_default()).collect();
    if lines.is_empty() || lines.iter().any(|line| line.trim() == "*") {
        return None;
    }
    let number = |tag: &str| tag.trim().strip_prefix('"')?.strip_suffix('"')?.parse().ok();
    Some(lines.into_iter().flat_map(|line| line.split(',')).filter_map(number).max().unwrap_or(-1))
}

impl FromRequestParts<WebState> for Reads {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Reads, Problem> {
        admin(parts, state, Scope::Read).await.map(Reads)
    }
}

impl FromRequestParts<WebState> for Acts {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Acts, Problem> {
        acting(parts, state, Scope::Act).await
    }
}

impl FromRequestParts<WebState> for Owns {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &WebState) -> Result<Owns, Problem> {
        acting(parts, state, Scope::Owner).await.map(Owns)
    }
}

async fn acting(parts: &Parts, state: &WebState, needed: Scope) -> Result<Acts, Problem> {
    let admin = admin(parts, state, needed).await?;
    // What is no text cannot be a key; play says so.
    let key = parts.headers.get(KEY).map(|key| key.to_str().unwrap_or("\u{1}").trim().to_owned());
    Ok(Acts { admin, key, version: version(&parts.headers) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_a_version_and_of_several_the_last_one() {
        let of = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(IF_MATCH, line.parse().unwrap());
            }
            version(&headers)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["*"]), None);
        assert_eq!(of(&["\"17\""]), Some(17));
        assert_eq!(of(&["\"3\", \"17\",\"5\""]), Some(17));
        assert_eq!(of(&["\"3\"", " \"17\" , nonsense"]), Some(17));
        for none in ["", "17", "W/\"17\"", "\"x\"", "\"17", ","] {
            assert_eq!(of(&[none]), Some(-1), "{none}");
        }
    }
}
