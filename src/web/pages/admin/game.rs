//! One game on the desk: its seats, its turns, its letters, what organisers did; and the forms to do something.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::players;
use super::session::Desk;
use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::admin::game::{DeskGame, DeskSeat, DeskTurn};
use crate::play::admin::games::DeskLine;
use crate::play::admin::{Admin, Scope};
use crate::play::ledger::LetterFate;
use crate::play::stopped::Stopped;
use crate::play::{GameId, PlayError};
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

#[derive(Template)]
#[template(path = "pages/admin/game.html")]
struct GamePage {
    frame: Frame,
    admin: Admin,
    game: DeskGame,
    /// What happened, the last thing first.
    timeline: Vec<Event>,
}

#[derive(Template)]
#[template(path = "pages/admin/unreadable.html")]
struct UnreadablePage {
    frame: Frame,
    admin: Admin,
    line: DeskLine,
    /// Whether the organiser may do anything.
    acts: bool,
}

/// Something that happened.
struct Event {
    at: Timestamp,
    text: String,
    /// Further words: an organiser's reason and note.
    more: Vec<String>,
}

impl GamePage {
    /// Whether the organiser may do anything.
    fn acts(&self) -> bool {
        self.admin.scope >= Scope::Act
    }

    /// Whether there is a deadline that can be moved.
    fn is_due(&self) -> bool {
        self.game.line.ended.is_none() && self.game.line.due.is_some()
    }

    /// Whether there is a clock that can be stopped, also while a seat is free.
    fn timed(&self) -> bool {
        self.game.line.ended.is_none() && self.game.pace != Pace::Open && !self.game.one_device
    }

    /// A seat in sentences.
    fn seat(&self, side: Side) -> Vec<String> {
        let (seat, name) = (self.game.seats.get(side), self.game.line.names.get(side).as_deref());
        let mut words = Vec::new();
        if let Some(computer) = self.game.line.computers.get(side) {
            words.push(format!("Played by the computer, level {}.", computer.level.word()));
        } else if seat.taken {
            words.push(format!("{} sits here.", name.unwrap_or("Somebody without a name")));
            words.push(address(seat).to_owned());
        } else {
            words.push("Nobody sits here yet.".to_owned());
        }
        if self.game.line.ended.is_none() {
            words.push(
                if seat.sealed { "Sealed for this turn." } else { "Nothing sealed for this turn yet." }.to_owned(),
            );
        }
        if seat.missed.all > 0 {
            words.push(format!("Missed {} turns, {} of them running.", seat.missed.all, seat.missed.running));
        }
        if seat.away {
            words.push("Has stayed away for as long as this game allows.".to_owned());
        }
        match &seat.stopped {
            Some(Stopped::Unwanted(_)) => words.push("Wants no letters about this game.".to_owned()),
            Some(Stopped::Returned(_)) => words.push("Letters came back, so none are sent.".to_owned()),
            None => {}
        }
        if seat.organiser {
            words.push("This player is an organiser too.".to_owned());
        }
        if seat.reissue_asked.is_some() {
            words.push("A new link waits for the opponent’s consent.".to_owned());
        }
        words
    }
}

fn address(seat: &DeskSeat) -> &'static str {
    match (&seat.person, seat.unconfirmed) {
        (Some(_), _) => "The address is confirmed.",
        (None, true) => "An address was given and is not confirmed.",
        (None, false) => "There is no address.",
    }
}

/// GET /admin/games/{id}
pub async fn get(
    State(state): State<WebState>,
    Desk(admin): Desk,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let id = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    let game = match state.play.desk_game(&admin, &id).await {
        Err(PlayError::Broken(_)) => return unreadable(&state, admin, &id).await,
        game => game?,
    };
    let frame = Frame::plain(format!("{}, {}", players(&game.line), game.line.turn_name));
    Ok(frame::page(StatusCode::OK, &GamePage { frame, admin, timeline: timeline(&game), game }))
}

/// A game that cannot be read, with the one thing that can be done to it.
async fn unreadable(state: &WebState, admin: Admin, id: &GameId) -> Result<Response, PageError> {
    let line = state.play.desk_line(&admin, id).await?;
    let (frame, acts) = (Frame::plain(players(&line)), admin.scope >= Scope::Act);
    Ok(frame::page(StatusCode::OK, &UnreadablePage { frame, admin, line, acts }))
}

/// All that happened, the last thing first.
fn timeline(game: &DeskGame) -> Vec<Event> {
    let event = |at: Timestamp, text: String| Event { at, text, more: Vec::new() };
    let mut events = vec![event(game.line.opened_at, "The game was opened.".to_owned())];
    events.extend(game.turns.iter().map(|turn| event(turn.resolved_at, resolved(turn))));
    for letter in &game.letters {
        let to = letter.side.map_or("somebody", Side::name);
        let text = match &letter.fate {
            LetterFate::Waits { why: Some(why), .. } => {
                format!("A letter to {to} ({}) waits: {why}.", letter.kind.name())
            }
            LetterFate::Waits { why: None, .. } => format!("A letter to {to} ({}) waits.", letter.kind.name()),
            LetterFate::Sent(_) => format!("A letter to {to} ({}) was sent.", letter.kind.name()),
            LetterFate::GivenUp { why, .. } => {
                format!("A letter to {to} ({}) was given up: {why}.", letter.kind.name())
            }
            LetterFate::CameBack { why, .. } => format!("A letter to {to} ({}) came back: {why}.", letter.kind.name()),
        };
        events.push(event(letter.fate.at(), text));
    }
    events.extend(
        game.mails
            .iter()
            .map(|mail| event(mail.at, format!("A mail for {} came: {}.", mail.side.name(), mail.verdict))),
    );
    for act in &game.acts {
        let mut more = vec![format!("Reason: {}", act.reason)];
        more.extend(act.note.as_ref().map(|note| format!("Note: {note}")));
        events.push(Event {
            at: act.at,
            text: format!("{} did “{}”: {}.", act.who, act.act.replace('_', " "), act.about),
            more,
        });
    }
    events.sort_by_key(|event| std::cmp::Reverse(event.at));
    events
}

/// A turn in a sentence.
fn resolved(turn: &DeskTurn) -> String {
    let how = |side: Side| format!("{} {}", side.name(), turn.how.get(side).word().replace('_', " "));
    format!("{} was resolved ({}, {}).", turn.name, how(Side::Red), how(Side::Blue))
}
