//! What the API answers when it cannot do what was asked: RFC 9457 problem JSON.
//!
//! The one mapping from `PlayError` to a status. No token is ever repeated in a problem, and of a
//! sheet only the one word that could not be read.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::play::PlayError;
use crate::rules::TextError;

use super::problem_kind::{self as kinds, ProblemKind};

/// The media type of a problem.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Seconds after which a client may knock again when the database was busy.
const RETRY_SECONDS: &str = "5";

/// Why nothing was done.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: &'static ProblemKind,
    detail: String,
    line: Option<u32>,
    word: Option<String>,
    field: Option<String>,
}

/// Why nothing was done (RFC 9457, `application/problem+json`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemJson<'a> {
    /// What kind of problem it is. Stable: programs decide by this member or by the status.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference", example = "/api/v1/problems/text")]
    uri: String,
    /// The kind in a few words.
    #[schema(example = "The text cannot be read")]
    title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    status: u16,
    /// What is wrong this time, in a sentence for people.
    #[schema(example = "Line 2, “Z9”: is not a position of the board: rows are A to K, columns 1 to 11")]
    detail: &'a str,
    /// The line of the text that is wrong, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 2)]
    line: Option<u32>,
    /// The word that is wrong, as it was written, at most 41 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Z9")]
    word: Option<&'a str>,
    /// The member of the request's body that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "text")]
    field: Option<&'a str>,
}

impl Problem {
    /// A problem of a kind; `detail` says what is wrong this time.
    pub fn new(kind: &'static ProblemKind, detail: impl Into<String>) -> Problem {
        Problem { kind, detail: detail.into(), line: None, word: None, field: None }
    }

    /// The body of the answer.
    pub fn json(&self) -> ProblemJson<'_> {
        ProblemJson {
            uri: self.kind.uri(),
            title: self.kind.title,
            status: self.kind.status.as_u16(),
            detail: &self.detail,
            line: self.line,
            word: self.word.as_deref(),
            field: self.field.as_deref(),
        }
    }

    /// A problem with one member of the body.
    pub fn with_field(mut self, field: impl Into<String>) -> Problem {
        self.field = Some(field.into());
        self
    }

    /// The member of the body that is wrong.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// There is nothing here, or it is not the asker's.
    pub fn not_found() -> Problem {
        PlayError::NotFound.into()
    }

    fn of_text(error: TextError) -> Problem {
        let detail = error.to_string();
        let TextError { line, word, .. } = error;
        Problem { line, word, ..Problem::new(&kinds::TEXT, detail).with_field("text") }
    }
}

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Problem {
        let detail = error.to_string();
        let kind = match error {
            PlayError::Text(error) => return Problem::of_text(error),
            PlayError::Field { field, problem } => {
                return Problem::new(&kinds::FIELD, format!("The {field} {problem}.")).with_field(field);
            }
            // Programs keep drafts whatever is kept, so they never meet this.
            PlayError::DraftChanged => return Problem::new(&kinds::FIELD, detail).with_field("text"),
            PlayError::EmptyNotMeant => return Problem::new(&kinds::EMPTY_NOT_MEANT, detail).with_field("text"),
            // A token proves its seat whoever sits at the device, so programs never meet the second; mailed links are followed
            // by people.
            PlayError::NotFound | PlayError::HandedOver(_) | PlayError::LinkOver => &kinds::NOT_FOUND,
            PlayError::SeatTaken => &kinds::SEAT_TAKEN,
            PlayError::InvitationWithdrawn => &kinds::INVITATION_WITHDRAWN,
            PlayError::Begun => &kinds::BEGUN,
            PlayError::TurnOver { .. } => &kinds::TURN_OVER,
            PlayError::TurnAhead { .. } => &kinds::TURN_AHEAD,
            PlayError::WouldResolve { .. } => &kinds::WOULD_RESOLVE,
            PlayError::Offer(_) => &kinds::OFFER,
            PlayError::NoClaim => &kinds::NO_CLAIM,
            PlayError::NoHint => &kinds::NO_HINT,
            PlayError::NoDeadlines => &kinds::NO_DEADLINES,
            PlayError::NoOffer => &kinds::NO_OFFER,
            PlayError::NotIdle => &kinds::NOT_IDLE,
            PlayError::GameOver => &kinds::GAME_OVER,
            PlayError::NoToken => &kinds::ADMIN_TOKEN_UNKNOWN,
            PlayError::Scope(_) => &kinds::SCOPE,
            PlayError::OwnGame => &kinds::OWN_GAME,
            PlayError::Stale => &kinds::STALE,
            PlayError::KeyReused => &kinds::KEY_REUSED,
            PlayError::ChallengeOver => &kinds::CHALLENGE_OVER,
            PlayError::LooksLikeSheet => &kinds::LOOKS_LIKE_SHEET,
            PlayError::TooMany(_) => &kinds::TOO_MANY,
            // Nobody is blocked by a program, and none asks for a rematch.
            PlayError::NoAddressToBlock | PlayError::NoRematch => &kinds::FIELD,
            PlayError::Store(cause) => {
                tracing::error!(%cause, "a request was refused: the store failed");
                &kinds::STORE
            }
            PlayError::Broken(cause) => {
                tracing::error!(%cause, "a request was refused: a game cannot be read");
                &kinds::BROKEN
            }
        };
        Problem::new(kind, detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.kind.status, axum::Json(self.json())).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if *self.kind == kinds::TOKEN_MISSING {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"a seat\""));
        } else if *self.kind == kinds::ADMIN_TOKEN_MISSING {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"the desk\""));
        } else if *self.kind == kinds::ADMIN_TOKEN_UNKNOWN {
            let challenge = "Bearer realm=\"the desk\", error=\"invalid_token\"";
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        } else if *self.kind == kinds::SCOPE {
            let challenge = "Bearer realm=\"the desk\", error=\"insufficient_scope\"";
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        } else if *self.kind == kinds::TOKEN_UNKNOWN {
            let challenge = "Bearer realm=\"a seat\", error=\"invalid_token\"";
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        } else if *self.kind == kinds::STORE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS));
        }
        response
    }
}
