//! A public game as everybody may see it: the open board, the resolved days, the whole game in words.
//!
//! Whoever holds a seat of the game is sent to it by `enter`, which leads here for everybody else. Looking on marks nothing.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use crate::picture;
use crate::play::GameId;
use crate::play::view::{Spectacle, TurnView};
use crate::rules::{Chapter, Side, Tone};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::day::{Listed, Neighbour, Opened, Walk, how};
use crate::web::pages::field_command::{self, ArmyTable};
use crate::web::pages::frame::{self, Frame, Look, Shown, game_path};
use crate::web::pages::watch::Player;

/// From where spectators look.
const BOTTOM: Side = Side::Red;

#[derive(Template)]
#[template(path = "pages/spectator.html")]
struct GamePage {
    frame: Frame,
    view: Spectacle,
    /// Where the game stands.
    headline: String,
    picture: String,
    armies: Vec<ArmyTable>,
    days: Vec<Listed>,
}

#[derive(Template)]
#[template(path = "pages/spectator_day.html")]
struct DayPage {
    frame: Frame,
    turn: TurnView,
    /// The turn to be played; there is nothing to play in the first.
    player: Option<Player>,
    after: String,
    /// What ended the game, if this turn did.
    ending: Option<String>,
    /// What the player does not tell at dawn.
    told: Vec<Chapter>,
    walk: Walk,
    sheets: Vec<Opened>,
    /// Which sheets were not sealed, in words.
    notes_of_how: Vec<String>,
    days: Vec<Listed>,
}

#[derive(Template)]
#[template(path = "pages/story.html")]
struct StoryPage {
    frame: Frame,
    turns: Vec<TurnView>,
    unwatched: Option<(u32, String)>,
    ending: Option<String>,
}

impl GamePage {
    /// Who plays a side.
    fn player(&self, side: Side) -> &str {
        if *self.view.free.get(side) { "(the seat is free)" } else { frame::name(&self.view.names, side) }
    }
}

/// The page of a game.
pub async fn game(state: &WebState, game: &GameId) -> Result<Response, PageError> {
    let view = state.play.spectacle(game).await?;
    Ok(frame::page(StatusCode::OK, &game_page(view)))
}

/// The page of a resolved turn.
pub async fn day(state: &WebState, game: &GameId, number: u32) -> Result<Response, PageError> {
    let view = state.play.spectacle(game).await?;
    let turn = state.play.public_turn(game, number).await?;
    Ok(frame::page(StatusCode::OK, &day_page(&view, turn)))
}

/// The whole game in words.
pub async fn story(state: &WebState, game: &GameId) -> Result<Response, PageError> {
    let view = state.play.spectacle(game).await?;
    let turns = state.play.public_turns(game).await?;
    Ok(frame::page(StatusCode::OK, &story_page(&view, turns)))
}

fn game_page(view: Spectacle) -> GamePage {
    let headline = match &view.ended {
        Some(ended) => ended.how.clone(),
        None if !view.seated => "The other seat is still free.".to_owned(),
        None => format!("{} is being written, in secret.", view.standing.turn_name()),
    };
    let what = if view.ended.is_some() { "Game over".to_owned() } else { view.standing.turn_name() };
    GamePage {
        frame: Frame::of_spectator(&view, &what),
        headline,
        picture: picture::standing(&view.standing, BOTTOM),
        armies: field_command::armies(&view.standing, BOTTOM),
        days: listed(&view, None),
        view,
    }
}

fn day_page(view: &Spectacle, turn: TurnView) -> DayPage {
    let ending = turn.story.iter().flat_map(|chapter: &Chapter| &chapter.lines).find(|line| line.tone == Tone::End);
    let player = Player::of(&view.setup, BOTTOM, &turn);
    let days = listed(view, Some(turn.turn));
    let walk = walk(view, turn.turn, &days);
    let onward = walk.next.clone().unwrap_or(Neighbour { path: game_path(&view.game), name: "To the game".into() });
    DayPage {
        frame: Frame::of_spectator(view, &turn.name),
        after: picture::after(&turn.report, &view.setup, BOTTOM),
        ending: ending.map(|line| line.text.clone()),
        told: turn.story.iter().skip(player.as_ref().map_or(0, |player| player.at_dawn().len())).cloned().collect(),
        player: player.map(|player| Player { onward: Some(onward), ..player }),
        walk,
        sheets: Side::BOTH.map(|side| Opened::of(&view.game, &turn, side)).into(),
        notes_of_how: Side::BOTH.into_iter().filter_map(|side| how(side, *turn.how.get(side))).collect(),
        days,
        turn,
    }
}

fn story_page(view: &Spectacle, turns: Vec<TurnView>) -> StoryPage {
    let mut lines = turns.last().into_iter().flat_map(|turn| &turn.story).flat_map(|chapter| &chapter.lines);
    let told = lines.any(|line| line.tone == Tone::End);
    StoryPage {
        frame: Frame::of_spectator(view, "The whole game"),
        turns,
        unwatched: None,
        ending: view.ended.as_ref().filter(|_| !told).map(|ended| ended.how.clone()),
    }
}

fn listed(view: &Spectacle, here: Option<u32>) -> Vec<Listed> {
    let line = |&number: &u32| Listed {
        number,
        name: view.setup.turn_name(number),
        here: Some(number) == here,
        unwatched: false,
    };
    view.resolved.iter().map(line).collect()
}

fn walk(view: &Spectacle, turn: u32, days: &[Listed]) -> Walk {
    let neighbour = |number: Option<u32>| {
        let day = days.iter().find(|day| Some(day.number) == number)?;
        Some(Neighbour { path: format!("{}/days/{}", game_path(&view.game), day.number), name: day.name.clone() })
    };
    Walk { previous: neighbour(turn.checked_sub(1)), next: neighbour(turn.checked_add(1)), to_seat: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_spectator_sees_the_open_board_and_the_resolved_days() {
        let (view, turn) = samples::public();
        let html = game_page(view.clone()).render().unwrap();
        assert!(html.contains("Day 2 is being written, in secret.") && html.contains("Ann against Ben"));
        assert!(html.contains("href=\"/games/0123456789ab/days/1\"") && !html.contains("/games/0123456789ab/red"));
        let html = day_page(&view, turn.clone()).render().unwrap();
        assert!(html.contains("data-player") && !html.contains("data-seen") && html.contains("To the game"));
        assert!(html.contains("G8-F8 A1-A2") && html.contains("sha256sum") && !html.contains("<dt>Sealed</dt>"));
        let html = story_page(&view, vec![turn]).render().unwrap();
        assert!(html.contains("To the game") && html.contains("id=\"day-1\""));
    }
}
