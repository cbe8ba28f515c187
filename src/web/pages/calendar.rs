//! The calendar of deadlines (RFC 5545), for calendar programs: they come back every hour, and ask whether it has changed.
//!
//! A deadline is an event that takes no time, at the moment itself. No alarms: programs leave those of subscribed
//! calendars away or let their owners choose their own, and letters remind.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::headers::{ETag, HeaderMapExt, IfNoneMatch};
use data_encoding::BASE32_NOPAD;
use icalendar::{Calendar, Component, Event, Property, ValueType};
use sha2::{Digest, Sha256};

use crate::clock::Timestamp;
use crate::play::Secret;
use crate::play::calendar::Deadline;
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{mid_sentence, name, seat_path};

/// How often programs are asked to come back (RFC 5545, 3.3.6).
const REFRESH: &str = "PT1H";

/// GET /calendar/{secret}.ics
pub async fn get(
    State(state): State<WebState>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let secret = file.strip_suffix(".ics").map(Secret::sent).ok_or_else(PageError::not_found)?;
    let text = calendar(&state.play.calendar(&secret).await?, &state.public_url);
    // Weak, because the text may travel compressed.
    let tag: Option<ETag> = format!("W/\"{}\"", BASE32_NOPAD.encode(&Sha256::digest(&text))).parse().ok();
    let known = |tag: &ETag| headers.typed_get::<IfNoneMatch>().is_some_and(|known| !known.precondition_passes(tag));
    let mut response = if tag.as_ref().is_some_and(known) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8"))], text).into_response()
    };
    let own = response.headers_mut();
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    own.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow"));
    if let Some(tag) = tag {
        own.typed_insert(tag);
    }
    Ok(response)
}

/// Where a calendar is read.
pub fn address(public_url: &str, secret: &Secret) -> String {
    format!("{public_url}/calendar/{}.ics", secret.reveal())
}

/// The whole calendar, the same for the same deadlines.
fn calendar(deadlines: &[Deadline], public_url: &str) -> String {
    let host = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| "localhost".to_owned());
    let mut calendar = Calendar::empty();
    for (key, value) in [("VERSION", "2.0"), ("PRODID", "-//Field Command//Deadlines//EN"), ("CALSCALE", "GREGORIAN")] {
        calendar.append_property((key, value));
    }
    calendar.name("Field Command deadlines");
    let refresh = Property::new("REFRESH-INTERVAL", REFRESH).append_parameter(ValueType::Duration).done();
    calendar.append_property(refresh).append_property(("X-PUBLISHED-TTL", REFRESH));
    calendar.extend(deadlines.iter().map(|deadline| event(deadline, public_url, &host)));
    calendar.to_string()
}

fn event(deadline: &Deadline, public_url: &str, host: &str) -> Event {
    let Deadline { game, side, turn, .. } = deadline;
    let seat = format!("{public_url}{}", seat_path(game, *side));
    let opponent = plain(name(&deadline.names, side.other()));
    let sheet = format!("Nothing of yours is sealed for {} yet.", mid_sentence(&deadline.turn_name));
    Event::new()
        .uid(&format!("{game}-{}-{turn}@{host}", side.word()))
        .summary(&format!("{} against {opponent}: {} is due", deadline.game_name, deadline.turn_name))
        // Some programs show no URL of an event.
        .description(&format!("{} {sheet}\n{seat}", plays(*side)))
        .url(&seat)
        .add_property("DTSTART", utc(deadline.due))
        // Since when this is so, not when it was asked for: an unchanged calendar has an unchanged text.
        .add_property("DTSTAMP", utc(deadline.since))
        .sequence(u32::try_from(deadline.version.min(i64::from(i32::MAX))).unwrap_or(0))
        // Nobody is busy because something is due.
        .add_property("TRANSP", "TRANSPARENT")
        .done()
}

fn plays(side: Side) -> String {
    format!("You play {}.", side.name())
}

/// A name on one line.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A moment as RFC 5545, 3.3.5, form 2, writes it.
fn utc(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    moment.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::GameId;
    use crate::rules::BySide;
    use crate::web::pages::samples::NOON;

    fn deadline(opponent: &str) -> Deadline {
        Deadline {
            game: GameId::parse("0123456789ab").unwrap(),
            side: Side::Red,
            turn: 5,
            turn_name: "Day 5".into(),
            game_name: "Field Command",
            names: BySide { red: Some("Ann".into()), blue: Some(opponent.into()) },
            due: Timestamp(NOON.0 + 3_600_000),
            since: NOON,
            version: 17,
        }
    }

    #[test]
    fn a_deadline_is_an_event_of_no_length() {
        let text = calendar(&[deadline("Ben")], "https://play.example.org:8443");
        let unfolded = text.replace("\r\n ", "");
        let begin = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Field Command//Deadlines//EN\r\n";
        assert!(unfolded.starts_with(begin) && unfolded.ends_with("END:VEVENT\r\nEND:VCALENDAR\r\n"), "{text}");
        for line in [
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
            "X-PUBLISHED-TTL:PT1H",
            "UID:0123456789ab-red-5@play.example.org",
            "SUMMARY:Field Command against Ben: Day 5 is due",
            "DTSTART:20261129T130000Z",
            "DTSTAMP:20261129T120000Z",
            "SEQUENCE:17",
            "URL:https://play.example.org:8443/games/0123456789ab/red",
            "DESCRIPTION:You play Red. Nothing of yours is sealed for day 5 yet.\\nhttps://play.example.org:8443/games/0123456789ab/red",
        ] {
            assert!(unfolded.contains(&format!("\r\n{line}\r\n")), "{line} in {text}");
        }
        assert_eq!(text, calendar(&[deadline("Ben")], "https://play.example.org:8443"));
    }

    #[test]
    fn names_are_escaped_and_lines_are_short() {
        let name = "A,b;c\\d\r\nEND:VEVENT: Ünïcödé, ☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃";
        let text = calendar(&[deadline(name)], "https://play.example.org");
        assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']));
        let unfolded = text.replace("\r\n ", "");
        assert_eq!(unfolded.matches("\r\nEND:VEVENT").count(), 1);
        assert!(unfolded.contains("against A\\,b\\;c\\\\d  END:VEVENT: Ünïcödé\\, ☃☃"), "{unfolded}");
    }
}
