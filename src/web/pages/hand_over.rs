//! The screen between two sides at one device: it shows nothing of either, and who presses its button sits down.
//!
//! Each answer on this road asks the browser to forget the pages it has seen (`Clear-Site-Data`), so that
//! going back shows nothing of the other side either. Browsers obey that on https and on localhost; where they
//! do not, pages are `no-store` anyway, and `static/fresh.js` reloads one that comes back out of memory.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::play::device::DeviceView;
use crate::play::{GameId, PlayError};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, hand_over_path, seat_path};
use crate::web::pages::session::Visitor;

/// What makes a browser forget the pages that it keeps.
pub(super) const FORGET: [(HeaderName, HeaderValue); 1] =
    [(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""))];

/// What the address may say.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The side that is to get the device.
    to: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/hand_over.html")]
struct HandOverPage {
    frame: Frame,
    /// The side that is to get the device, with its player's name or its own.
    to: Side,
    to_name: String,
    /// The other one, who may still want something.
    from: Side,
    /// What is awaited, in a sentence.
    state: String,
    action: String,
}

/// GET /games/{id}/hand-over: the screen, or the page of the side that sits at the device.
pub async fn get(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    // Who holds one seat alone, or plays by link, has nothing to hand over.
    let Some(device) = visitor.device(&state, &game).await? else {
        return Ok(frame::see(&format!("/games/{game}")));
    };
    if let Some(side) = device.sitting {
        return Ok(frame::see(&seat_path(&game, side)));
    }
    let asked = asked.ok().and_then(|Query(asked)| asked.to).and_then(|word| Side::from_word(&word));
    Ok((FORGET, frame::page(StatusCode::OK, &hand_over_page(&device, asked))).into_response())
}

/// POST /games/{id}/hand-over: `side` sits down, or, without one, whoever sat there gets up.
pub async fn post(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    let session = visitor.0.as_ref().ok_or(PlayError::NotFound)?;
    let to = match fields.text("side") {
        "" => None,
        word => Some(Side::from_word(word).ok_or_else(|| PageError::odd_form("The field “side” is red or blue."))?),
    };
    let before = state.play.hand_over(session, &game, to).await?;
    let path = match (to, before) {
        (Some(side), _) => seat_path(&game, side),
        (None, Some(before)) => format!("{}?to={}", hand_over_path(&game), before.other().word()),
        (None, None) => hand_over_path(&game),
    };
    Ok((FORGET, frame::see(&path)).into_response())
}

/// The screen: the device goes to the side that alone has not sealed, else to the one that was asked for.
fn hand_over_page(device: &DeviceView, asked: Option<Side>) -> HandOverPage {
    let to = asked.or(device.next).unwrap_or(Side::Red);
    let name = |side: Side| frame::name(&device.names, side);
    let state = match (&device.turn_name, device.next) {
        _ if device.unwatched.is_some() => {
            format!("{} is to be watched.", device.unwatched.as_deref().unwrap_or_default())
        }
        (None, _) => "The game is over.".to_owned(),
        (Some(turn), Some(next)) if next == to => {
            format!("{}: {} has sealed, {} is to write.", turn, next.other().name(), next.name())
        }
        (Some(turn), Some(next)) => format!("{}: {} has sealed.", turn, next.other().name()),
        (Some(turn), None) => format!("{turn}: neither side has sealed yet."),
    };
    HandOverPage {
        frame: Frame {
            title: "Hand-over · Field Command".into(),
            changes_hands: true,
            ..Frame::plain(format!("{} and {}", name(Side::Red), name(Side::Blue)))
        },
        to,
        to_name: name(to).to_owned(),
        from: to.other(),
        state,
        action: hand_over_path(&device.game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BySide;

    fn device() -> DeviceView {
        DeviceView {
            game: GameId::parse("0123456789ab").unwrap(),
            names: BySide { red: Some("Ann".into()), blue: Some("<Ben>".into()) },
            sitting: None,
            next: Some(Side::Blue),
            unwatched: None,
            turn_name: Some("Day 3".into()),
        }
    }

    #[test]
    fn the_device_goes_to_who_is_to_write() {
        let html = hand_over_page(&device(), None).render().unwrap();
        assert!(html.contains("I am Blue") && html.contains("&#60;Ben&#62;") && html.contains("Red has sealed"));
        assert!(html.contains("action=\"/games/0123456789ab/hand-over\"") && html.contains("fresh.js"));
        assert!(!html.contains("0123456789ab/red") && !html.contains("0123456789ab/blue"));
    }

    #[test]
    fn who_gets_up_says_who_comes_next() {
        assert_eq!(hand_over_page(&device(), Some(Side::Red)).to, Side::Red);
        let fresh = DeviceView { next: None, ..device() };
        assert_eq!(hand_over_page(&fresh, None).to, Side::Red);
        assert_eq!(hand_over_page(&fresh, None).state, "Day 3: neither side has sealed yet.");
        let over = DeviceView { next: None, turn_name: None, ..device() };
        assert_eq!(hand_over_page(&over, Some(Side::Blue)).state, "The game is over.");
    }
}
