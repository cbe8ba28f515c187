//! The report of a resolved turn: two pictures, the first of which can be played, the story, and both
//! sheets with their seals.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::picture;
use crate::play::GameId;
use crate::play::resolve::How;
use crate::play::thoughts::{About, WhatIf};
use crate::play::view::{SealedSheet, SeatView, TurnView};
use crate::rules::{Chapter, Side, Tone};
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::frame::{self, Frame, Look, Shown, mid_sentence, seat_path};
use crate::web::pages::session::Held;
use crate::web::pages::watch::{self, Player};

/// The end of the address.
#[derive(Debug, Deserialize)]
pub struct Number {
    /// The number of a turn, as it was written.
    pub n: String,
}

/// One side's sheet, open.
pub struct Opened {
    /// Whose it is.
    pub side: Side,
    /// The sheet.
    pub sheet: SealedSheet,
    /// What a shell must be told to compute the seal again.
    pub command: String,
}

impl Opened {
    /// A side's sheet of a resolved turn.
    pub fn of(game: &GameId, turn: &TurnView, side: Side) -> Opened {
        let sheet = turn.sheets.get(side);
        Opened { side, command: command(game, turn.turn, side, sheet), sheet: sheet.clone() }
    }
}

/// What the reader had expected of the opponent, beside what the opponent wrote.
struct Guess {
    id: String,
    /// The reader's name for it, or when it was kept.
    name: String,
    /// Each line, and whether the opponent wrote it too.
    lines: Vec<(String, bool)>,
}

impl Guess {
    fn of(what_if: &WhatIf, wrote: &str) -> Guess {
        let wrote: Vec<&str> = wrote.split_whitespace().collect();
        let lines = what_if.other.split_whitespace().map(|line| (line.to_owned(), wrote.contains(&line)));
        let name = if what_if.name.is_empty() { what_if.saved_at.shown().plain() } else { what_if.name.clone() };
        Guess { id: what_if.id.clone(), name, lines: lines.collect() }
    }

    /// How many lines were right.
    fn hits(&self) -> usize {
        self.lines.iter().filter(|(_, hit)| *hit).count()
    }
}

/// A neighbouring turn, or another place to go on to.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// Its address.
    pub path: String,
    /// What the link says.
    pub name: String,
}

/// The way from turn to turn.
pub struct Walk {
    /// The turn before.
    pub previous: Option<Neighbour>,
    /// The turn after.
    pub next: Option<Neighbour>,
    /// Whether the seat's page is open: it is not before everything was watched.
    pub to_seat: bool,
}

impl Walk {
    /// The way from a turn of the list.
    pub fn from(view: &SeatView, turn: u32, days: &[Listed]) -> Walk {
        let seat = seat_path(&view.game, view.side);
        let neighbour = |number: Option<u32>| {
            let day = days.iter().find(|day| Some(day.number) == number)?;
            Some(Neighbour { path: format!("{seat}/days/{}", day.number), name: day.name.clone() })
        };
        Walk {
            previous: neighbour(turn.checked_sub(1)),
            next: neighbour(turn.checked_add(1)),
            to_seat: view.unwatched.is_none(),
        }
    }
}

/// A turn in the list of a game's turns.
pub struct Listed {
    /// Its number, from 0.
    pub number: u32,
    /// Its name, `Day 5`.
    pub name: String,
    /// Whether it is the one on the page.
    pub here: bool,
    /// Whether it is still to be watched.
    pub unwatched: bool,
}

#[derive(Template)]
#[template(path = "pages/day.html")]
struct DayPage {
    frame: Frame,
    turn: TurnView,
    /// The turn to be played again; there is nothing to play in the first.
    player: Option<Player>,
    after: String,
    /// What ended the game, if this turn did.
    ending: Option<String>,
    sheets: Vec<Opened>,
    /// What the player does not tell at dawn.
    told: Vec<Chapter>,
    walk: Walk,
    /// What to do next.
    onward: Neighbour,
    days: Vec<Listed>,
    result_first: bool,
    guesses: Vec<Guess>,
    /// Whether the computer may be asked what it would have written.
    hints: bool,
    /// Which sheets were not sealed, in words.
    notes_of_how: Vec<String>,
    /// The reader's private note about the turn.
    note: String,
    /// Whether notes are shown: not where both sides read one screen.
    shows_notes: bool,
}

/// GET /games/{id}/{side}/days/{n}: the report, or for the first unwatched turn the page on which it is watched.
/// Later ones lead there.
pub async fn get(
    State(state): State<WebState>,
    Held(seat): Held,
    Path(Number { n }): Path<Number>,
) -> Result<Response, PageError> {
    let number: u32 = n.parse().map_err(|_| PageError::not_found().at(&seat))?;
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    if let Some(unwatched) = view.unwatched.filter(|&unwatched| unwatched < number && view.resolved.contains(&number)) {
        return Ok(frame::see(&watch::day_path(&seat, unwatched)));
    }
    let turn = state.play.turn(&seat, number).await.map_err(at(&seat))?;
    let to_watch = if view.unwatched == Some(number) { watch::page(&view, &turn) } else { None };
    if let Some(to_watch) = to_watch {
        return Ok(to_watch);
    }
    let mut page = day_page(&view, turn);
    // At a shared device both read this page; what one of them thinks is not laid open there.
    if !view.one_device {
        let wrote = page.turn.sheets.get(view.side.other()).text.clone();
        let what_ifs = state.play.what_ifs(&seat, number).await.map_err(at(&seat))?;
        page.guesses = what_ifs.iter().map(|what_if| Guess::of(what_if, &wrote)).collect();
        let notes = state.play.notes(&seat, &view.setup).await.map_err(at(&seat))?;
        let about = About::Turn(number);
        page.note = notes.into_iter().find(|note| note.about == about).map(|note| note.text).unwrap_or_default();
    }
    Ok(frame::page(StatusCode::OK, &page))
}

/// The turns that a seat may know of: those that it has watched, and the first that it has not.
pub fn listed(view: &SeatView, here: u32) -> Vec<Listed> {
    let known = view.resolved.iter().filter(|&&number| view.unwatched.is_none_or(|unwatched| number <= unwatched));
    let line = |&number: &u32| Listed {
        number,
        name: view.setup.turn_name(number),
        here: number == here,
        unwatched: view.unwatched == Some(number),
    };
    known.map(line).collect()
}

fn day_page(view: &SeatView, turn: TurnView) -> DayPage {
    let frame = Frame::of_seat(view, &turn.name);
    let days = listed(view, turn.turn);
    let ending = turn.story.iter().flat_map(|chapter: &Chapter| &chapter.lines).find(|line| line.tone == Tone::End);
    let opened = |side: Side| Opened::of(&view.game, &turn, side);
    let onward = onward(view, turn.turn);
    let player =
        Player::of(&view.setup, view.side, &turn).map(|player| Player { onward: Some(onward.clone()), ..player });
    DayPage {
        after: picture::after(&turn.report, &view.setup, view.side),
        ending: ending.map(|line| line.text.clone()),
        sheets: [view.side, view.side.other()].map(opened).into(),
        walk: Walk::from(view, turn.turn, &days),
        told: turn.story.iter().skip(player.as_ref().map_or(0, |player| player.at_dawn().len())).cloned().collect(),
        player,
        onward,
        result_first: view.result_first,
        guesses: Vec::new(),
        hints: view.hints && view.ended.is_some() && view.unwatched.is_none(),
        notes_of_how: Side::BOTH.into_iter().filter_map(|side| how(side, *turn.how.get(side))).collect(),
        note: String::new(),
        shows_notes: !view.one_device,
        days,
        frame,
        turn,
    }
}

/// How a sheet came about that was not sealed.
pub fn how(side: Side, how: How) -> Option<String> {
    match how {
        How::Sealed => None,
        How::Draft => Some(format!("{} had not sealed when the day was due; the draft was used.", side.name())),
        How::Late => Some(format!("{} had not sealed when the day was due; an empty list was used.", side.name())),
        How::ReadyMade => Some(format!("{}’s deployment was missing; a ready-made one was used.", side.name())),
        How::Missed => Some(format!("{} had written nothing when the day was due, and missed it.", side.name())),
    }
}

/// Where a reader goes from a turn that was told: on to the next unwatched one, or to the seat.
fn onward(view: &SeatView, turn: u32) -> Neighbour {
    let seat = seat_path(&view.game, view.side);
    match view.unwatched {
        Some(next) => Neighbour {
            path: format!("{seat}/days/{next}"),
            name: format!("Next: {}", mid_sentence(&view.setup.turn_name(next))),
        },
        None if view.ended.is_none() && view.resolved.last() == Some(&turn) => {
            Neighbour { path: seat, name: "On to the next turn".into() }
        }
        None => Neighbour { path: seat, name: "To your seat".into() },
    }
}

/// Computes a seal again in any shell that has `sha256sum`. A sheet holds letters, digits, `-`, spaces
/// and line ends only, so it needs no quoting.
fn command(game: &GameId, turn: u32, side: Side, sheet: &SealedSheet) -> String {
    let text = sheet.text.replace('\n', "\\n");
    format!("printf 'fieldcommand-seal/1\\n{}\\n{turn}\\n{}\\n{}\\n{text}' | sha256sum", game, side.word(), sheet.salt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_day_is_told_with_both_sheets() {
        let (view, turn) = samples::fought();
        let html = day_page(&view, turn).render().unwrap();
        assert!(html.contains("<title>Red · Day 1 · Ann against Ben</title>"));
        assert!(html.contains("Red’s orders") || html.contains("Red&#39;s orders"));
        assert!(html.contains("/games/0123456789ab/red/days/0") && !html.contains("/red/days/2"));
        assert!(html.contains("printf &#39;fieldcommand-seal/1\\n0123456789ab\\n1\\nred\\n"));
    }

    #[test]
    fn nothing_after_an_unwatched_day_is_listed() {
        let (mut view, turn) = samples::fought();
        view.resolved = (0..5).collect();
        let numbers = |view: &SeatView| listed(view, 1).iter().map(|day| day.number).collect::<Vec<_>>();
        assert_eq!(numbers(&view), [0, 1, 2, 3, 4]);
        view.unwatched = Some(2);
        assert_eq!(numbers(&view), [0, 1, 2]);
        let html = day_page(&view, turn).render().unwrap();
        assert!(html.contains("Next: day 2") && html.contains("/red/days/2") && !html.contains("/red/days/3"));
        assert!(html.contains("aria-current=\"page\"") && html.contains("data-player"));
        assert!(html.contains("Show results at once") && html.contains("/red/story#day-1"));
    }
}
