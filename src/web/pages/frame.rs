//! What all pages have in common: title, whose seat they show, addresses, times, and how a
//! template becomes an answer.

use std::fmt;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use crate::clock::Timestamp;
use crate::play::GameId;
use crate::play::admin::announce::Announcement;
use crate::play::computer::Computer;
use crate::play::view::{SeatView, Spectacle};
use crate::play::wishes::Wishes;
use crate::rules::{BySide, Setup, Side, Tone};

/// The frame of a page: its title, and the seat that it belongs to.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The title of the browser's tab.
    pub title: String,
    /// The heading of the page, without the side before it.
    pub heading: String,
    /// Whose seat the page shows.
    pub side: Option<Side>,
    /// The address of that seat's page; for whoever looks on, of the game's.
    pub seat: String,
    /// Whether it belongs to a device that changes hands: then no old copy of it may be shown.
    pub changes_hands: bool,
}

impl Frame {
    /// The frame of a page that belongs to nobody's seat.
    pub fn plain(title: impl Into<String>) -> Frame {
        let title = title.into();
        Frame {
            heading: title.clone(),
            title: format!("{title} · Field Command"),
            side: None,
            seat: String::new(),
            changes_hands: false,
        }
    }

    /// The same, with the number of games that wait before the title, if any do: `(6) Red · Day 5 …`.
    #[must_use]
    pub fn counting(mut self, waiting: usize) -> Frame {
        if waiting > 0 {
            self.title = format!("({waiting}) {}", self.title);
        }
        self
    }

    /// The frame of a seat's page: `Red · Day 5 · Ann against Ben`.
    pub fn of_seat(view: &SeatView, what: &str) -> Frame {
        let players = opponents(&view.names, view.side, view.opponent_present);
        Frame {
            title: format!("{} · {what} · {players}", view.side.name()),
            // Where the heading is too long for a line, the dot stays at the end of the first.
            heading: format!("{what}\u{a0}· {players}"),
            side: Some(view.side),
            seat: seat_path(&view.game, view.side),
            changes_hands: view.one_device,
        }
    }

    /// The frame of a public game's page, for whoever looks on: `Day 5 · Ann against Ben`.
    pub fn of_spectator(view: &Spectacle, what: &str) -> Frame {
        let players = players(&view.names, Side::Red);
        Frame {
            title: format!("{what} · {players}"),
            heading: format!("{what}\u{a0}· {players}"),
            side: None,
            seat: game_path(&view.game),
            changes_hands: false,
        }
    }
}

/// The address of a game, for everybody.
pub fn game_path(game: &GameId) -> String {
    format!("/games/{game}")
}

/// The players of a game, as one seat sees them.
pub fn opponents(names: &BySide<Option<String>>, side: Side, opponent_present: bool) -> String {
    match (opponent_present, names.get(side)) {
        (true, _) => players(names, side),
        (false, Some(name)) => format!("{name}, no opponent yet"),
        (false, None) => "no opponent yet".to_owned(),
    }
}

/// `Ann against Ben`, the player of `side` first; a side without a name stands for its player.
pub fn players(names: &BySide<Option<String>>, side: Side) -> String {
    format!("{} against {}", name(names, side), name(names, side.other()))
}

/// The name of a side's player, or of the side.
pub fn name(names: &BySide<Option<String>>, side: Side) -> &str {
    names.get(side).as_deref().unwrap_or(side.name())
}

/// Which seats are a computer's, in sentences: `Blue is played by the computer, level hard.`
pub fn computers(computers: &BySide<Option<Computer>>, setup: &Setup) -> Vec<String> {
    let words = |side: Side| {
        let Computer { level, since } = (*computers.get(side))?;
        let since = match since {
            0 => String::new(),
            turn => format!(" since {}", mid_sentence(&setup.turn_name(turn))),
        };
        Some(format!("{} is played by the computer{since}, level {}.", side.name(), level.word()))
    };
    Side::BOTH.into_iter().filter_map(words).collect()
}

/// The address of a seat's page.
pub fn seat_path(game: &GameId, side: Side) -> String {
    format!("/games/{game}/{}", side.word())
}

/// The address of the screen between the two sides of a game at one device.
pub fn hand_over_path(game: &GameId) -> String {
    format!("/games/{game}/hand-over")
}

/// A text in the middle of a sentence: `Day 5` becomes `day 5`.
pub fn mid_sentence(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_lowercase().chain(signs).collect())
}

/// What is wrong with a field, as a sentence: `The name is longer than 40 characters.`
pub fn field_problem(field: &str, problem: &str) -> String {
    format!("The {field} {problem}.")
}

/// What templates show of a moment.
pub trait Shown {
    /// The moment as an element.
    fn shown(self) -> Moment;
}

impl Shown for Timestamp {
    fn shown(self) -> Moment {
        Moment(self)
    }
}

/// A moment, displayed as a `time` element: exact for programs, to the minute for people.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub Timestamp);

tokio::task_local! {
    /// How whoever is signed in wants times to be written, for as long as a request of theirs is answered.
    static READER: Option<Wishes>;
    /// Whether the server stands still, since it was moved or restored.
    static STILL: bool;
}

/// Answers a request with pages that say whether the server stands still.
pub async fn while_still<T>(still: bool, answer: impl Future<Output = T>) -> T {
    STILL.scope(still, answer).await
}

/// Whether the pages of this request say that the server stands still.
pub fn stands_still() -> bool {
    STILL.try_with(|still| *still).unwrap_or(false)
}

/// Answers a request with times as somebody wants them; `None` for UTC, which a script puts into the browser's zone.
pub async fn written_for<T>(wishes: Option<Wishes>, answer: impl Future<Output = T>) -> T {
    READER.scope(wishes, answer).await
}

tokio::task_local! {
    /// What stands above the pages, for as long as a request is answered.
    static ANNOUNCED: Vec<Announcement>;
}

/// Answers a request with what stands above the pages.
pub async fn announcing<T>(announced: Vec<Announcement>, answer: impl Future<Output = T>) -> T {
    ANNOUNCED.scope(announced, answer).await
}

/// What stands above this page.
pub fn announced() -> Vec<Announcement> {
    ANNOUNCED.try_with(Vec::clone).unwrap_or_default()
}

impl Moment {
    /// The moment in words, without the element.
    pub fn plain(self) -> String {
        self.own().unwrap_or_else(|| Wishes::default().moment(self.0))
    }

    /// The moment as its reader wants it, if that is known.
    fn own(self) -> Option<String> {
        READER.try_with(|wishes| wishes.as_ref().map(|wishes| wishes.moment(self.0))).ok().flatten()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0.0) {
            Ok(moment) => {
                let own = if self.own().is_some() { " data-own" } else { "" };
                write!(f, r#"<time datetime="{moment:.0}"{own}>{}</time>"#, self.plain())
            }
            Err(_) => f.write_str("at an unknown time"),
        }
    }
}

// Nothing but digits, letters and the element's own signs is ever written.
impl askama::filters::HtmlSafe for Moment {}

/// The sign before a line of the story.
pub trait Look {
    /// Decorative: the line says in words what kind it is.
    fn sign(self) -> &'static str;
    /// The name of the line's look.
    fn look(self) -> &'static str;
}

impl Look for Tone {
    fn sign(self) -> &'static str {
        match self {
            Tone::Plain => "·",
            Tone::Failed => "✗",
            Tone::Loss => "†",
            Tone::End => "★",
        }
    }

    fn look(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Failed => "failed",
            Tone::Loss => "loss",
            Tone::End => "end",
        }
    }
}

/// A page made of a template.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => {
            let kind = HeaderValue::from_static("text/html; charset=utf-8");
            (status, [(header::CONTENT_TYPE, kind)], html).into_response()
        }
        // Writing into a string does not fail; if it ever does, the visitor is told.
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "The page could not be made.").into_response(),
    }
}

/// Sends the browser to another page, to be fetched with GET.
pub fn see(path: &str) -> Response {
    Redirect::to(path).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_for_programs_and_readable_for_people() {
        assert_eq!(
            Moment(Timestamp(1_795_995_240_123)).to_string(),
            r#"<time datetime="2026-11-29T23:34:00Z">29 Nov 2026, 23:34 UTC</time>"#
        );
    }

    #[tokio::test]
    async fn times_are_written_for_who_is_signed_in() {
        let wishes = Wishes { zone: Some("Europe/Berlin".into()), ..Wishes::default() };
        let moment = Moment(Timestamp(1_795_995_240_123));
        let written = written_for(Some(wishes), async { (moment.to_string(), moment.plain()) }).await;
        assert_eq!(written.0, r#"<time datetime="2026-11-29T23:34:00Z" data-own>30 Nov 2026, 00:34 CET</time>"#);
        assert_eq!(written.1, "30 Nov 2026, 00:34 CET");
        assert_eq!(moment.plain(), "29 Nov 2026, 23:34 UTC");
    }

    #[test]
    fn players_are_named_own_side_first() {
        let names = BySide { red: Some("Ann".to_owned()), blue: None };
        assert_eq!(players(&names, Side::Red), "Ann against Blue");
        assert_eq!(players(&names, Side::Blue), "Blue against Ann");
        assert_eq!(mid_sentence("Day 5"), "day 5");
    }
}
