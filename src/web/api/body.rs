//! Reads the JSON body of a request, and says what is wrong with it and where.
//!
//! Stricter than serde alone: the body is an object, unknown members are refused, and what
//! was sent is not repeated in a problem but for the name of an unknown member.

use std::fmt;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserializer;
use serde::de::{self, DeserializeOwned, IgnoredAny, Unexpected, Visitor};

use super::problem::Problem;
use super::problem_kind as kinds;

/// The most bytes that a body may have. Twelve orders need a hundred.
pub const BODY_MAX: usize = 64 * 1024;

/// How much of the name of an unknown member is repeated.
const LONGEST_NAME: usize = 40;

/// The body of a request, read as a `T`.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(&request) {
            return Err(Problem::new(&kinds::MEDIA_TYPE, kinds::MEDIA_TYPE.about));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
                Problem::new(&kinds::TOO_LARGE, format!("A body may have {BODY_MAX} bytes."))
            } else {
                Problem::new(&kinds::MALFORMED, "The body broke off.")
            }
        })?;
        read(&bytes).map(Body)
    }
}

/// Whether the request says that its body is JSON, whatever follows the media type.
fn is_json(request: &Request) -> bool {
    let named = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    named.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("The body is not UTF-8: byte {} cannot be read.", error.valid_up_to() + 1);
        Problem::new(&kinds::MALFORMED, detail)
    })?;
    // By its shape alone first: JSON that breaks off is malformed, whatever stands in the rest.
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| malformed(&error))?;
    if !text.trim_start().starts_with('{') {
        return Err(Problem::new(&kinds::SHAPE, "The body is not an object."));
    }
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| {
        let path = error.path().to_string();
        let cause = error.into_inner();
        if cause.is_data() { wrong_shape(&path, &cause.to_string()) } else { malformed(&cause) }
    })
}

fn malformed(error: &serde_json::Error) -> Problem {
    let at = format!("line {}, column {}", error.line(), error.column());
    let message = error.to_string();
    // serde_json ends its messages with the place, which is said before.
    let what = message.split(" at line ").next().unwrap_or_default();
    Problem::new(&kinds::MALFORMED, format!("The body is not JSON; {at}: {what}."))
}

/// What serde says of members, up to the name, and what we say.
const MEMBERS: [(&str, &str); 3] = [
    ("missing field `", "is missing"),
    ("duplicate field `", "is there twice"),
    ("unknown field `", "is not known here"),
];

/// Says what serde found, without what was sent: of its messages only a member's name and
/// what was expected are used.
fn wrong_shape(path: &str, message: &str) -> Problem {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _place)| message);
    let (found, expected) =
        message.rsplit_once(", expected ").map_or((message, None), |(found, expected)| (found, Some(expected)));
    let member =
        MEMBERS.iter().find_map(|(begins, says)| Some((found.strip_prefix(begins)?.strip_suffix('`')?, *says)));
    let (field, says) = member.unwrap_or((path, "has the wrong type or value"));
    let field = shortened(field);
    let detail = match expected {
        Some(expected) => format!("The member “{field}” {says}: expected {expected}."),
        None => format!("The member “{field}” {says}."),
    };
    Problem::new(&kinds::SHAPE, detail).with_field(field)
}

/// Reads a whole number, for `deserialize_with`: JSON Schema counts `5.0` among them, serde does not.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(Whole)
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {}", u32::MAX)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u32, E> {
        u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<u32, E> {
        if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just looked at")]
            Ok(number as u32)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

/// A name that was sent, without control characters and not longer than need be.
fn shortened(name: &str) -> String {
    let mut shown: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    if name.chars().count() > LONGEST_NAME {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Sheet {
        #[serde(deserialize_with = "whole")]
        turn: u32,
        text: String,
        #[serde(default)]
        only_if_first: bool,
    }

    fn problem(body: impl AsRef<[u8]>) -> (String, String, Option<String>) {
        let problem = serde_json::to_value(read::<Sheet>(body.as_ref()).unwrap_err().json()).unwrap();
        let word = |member: &str| problem.get(member).and_then(Value::as_str).map(str::to_owned);
        let kind = word("type").unwrap().rsplit_once('/').unwrap().1.to_owned();
        (kind, word("detail").unwrap(), word("field"))
    }

    #[test]
    fn a_body_that_is_not_json_is_malformed_and_the_place_is_named() {
        for turn in ["1", "1.0", "4294967295", "4.294967295e9", "0", "-0.0"] {
            assert!(read::<Sheet>(format!(r#" {{"turn": {turn}, "text": ""}} "#).as_bytes()).is_ok(), "{turn}");
        }
        for (body, place) in [
            (&b""[..], "line 1, column 0: EOF while parsing a value"),
            (b"{\"turn\": 1,\n  \"text\" \"\"}", "line 2, column 10: expected `:`"),
            (b"{\"turn\": 1, \"text\": \"\"} x", "line 1, column 25: trailing characters"),
            (b"{\"turn\": 1, \"text\": \"\\ud800\"}", "line 1, column 28: unexpected end of hex escape"),
            (b"{\"turn\": 1, \"text\": \"H7-F\xff7\"}", "not UTF-8: byte 26 cannot be read"),
        ] {
            let (kind, detail, field) = problem(body);
            assert_eq!((kind.as_str(), field), ("malformed", None));
            assert!(detail.contains(place), "{detail}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(problem(deep).0, "malformed");
    }

    #[test]
    fn a_body_of_the_wrong_shape_names_the_member() {
        for (body, detail, field) in [
            (r#"{"text": ""}"#, "The member “turn” is missing.", "turn"),
            (r#"{"turn": 1, "turn": 2, "text": ""}"#, "The member “turn” is there twice.", "turn"),
            (
                r#"{"turn": 1, "text": "", "colour": 3}"#,
                "The member “colour” is not known here: expected one of `turn`, `text`, `only_if_first`.",
                "colour",
            ),
            (
                r#"{"turn": -1, "text": ""}"#,
                "The member “turn” has the wrong type or value: expected a whole number from 0 to 4294967295.",
                "turn",
            ),
            (
                r#"{"turn": 1.5, "text": ""}"#,
                "The member “turn” has the wrong type or value: expected a whole number from 0 to 4294967295.",
                "turn",
            ),
            (
                r#"{"turn": "secret", "text": ""}"#,
                "The member “turn” has the wrong type or value: expected a whole number from 0 to 4294967295.",
                "turn",
            ),
            (r#"{"turn": 1, "text": 7}"#, "The member “text” has the wrong type or value: expected a string.", "text"),
        ] {
            assert_eq!(problem(body), ("shape".to_owned(), detail.to_owned(), Some(field.to_owned())));
        }
        // serde would take a list for a struct.
        assert_eq!(problem(r#"[1, "", false]"#).1, "The body is not an object.");
        assert_eq!(problem("null").0, "shape");
    }

    #[test]
    fn a_long_name_is_not_repeated_whole() {
        let (_, detail, field) = problem(format!(r#"{{"{}": 1}}"#, "x".repeat(60_000)));
        assert_eq!(field.unwrap().chars().count(), LONGEST_NAME + 1);
        assert!(detail.len() < 200, "{detail}");
    }
}
