//! The first page: what this is, and the visitor's own games.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::view::GameLine;
use crate::rules::Side;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::field_command;
use crate::web::pages::frame::{self, Frame, Shown, hand_over_path, opponents, seat_path};
use crate::web::pages::session::Visitor;

/// A game in a list.
struct Line {
    path: String,
    /// The visitor's side; nobody's while a shared device changes hands.
    side: Option<Side>,
    players: String,
    /// The awaited turn, or the one to be watched, or how the game ended.
    news: String,
}

impl From<GameLine> for Line {
    fn from(game: GameLine) -> Line {
        if game.one_device {
            return here(game);
        }
        let seat = seat_path(&game.game, game.side);
        let news = match game.unwatched {
            Some(_) => format!("{}: watch", game.turn_name),
            None => match (game.ended, game.due) {
                (Some(ended), _) => ended.how,
                (None, Some(due)) => format!("{}, due {}", game.turn_name, due.shown().plain()),
                (None, None) => game.turn_name,
            },
        };
        Line {
            path: game.unwatched.map_or_else(|| seat.clone(), |turn| format!("{seat}/days/{turn}")),
            side: Some(game.side),
            players: opponents(&game.names, game.side, game.opponent_present),
            news,
        }
    }
}

/// A game in which both sides sit at this device: one line for both.
fn here(game: GameLine) -> Line {
    let next = match game.sitting {
        _ if game.unwatched.is_some() => format!("{}: watch", game.turn_name),
        Some(side) => format!("{}: {} to write", game.turn_name, side.name()),
        None => format!("{}: hand over", game.turn_name),
    };
    Line {
        path: hand_over_path(&game.game),
        side: game.sitting,
        players: format!(
            "{} and {} on this device",
            frame::name(&game.names, Side::Red),
            frame::name(&game.names, Side::Blue)
        ),
        news: game.ended.map_or(next, |ended| ended.how),
    }
}

#[derive(Template)]
#[template(path = "pages/home.html")]
struct HomePage {
    frame: Frame,
    waiting: Vec<Line>,
    others: Vec<Line>,
    ended: Vec<Line>,
    has_games: bool,
    /// The address of who is signed in.
    signed_in: Option<String>,
    picture: &'static str,
}

/// GET /
pub async fn get(State(state): State<WebState>, visitor: Visitor) -> Result<Response, PageError> {
    let games = match &visitor.0 {
        Some(session) => state.play.games_of(session).await?,
        None => Vec::new(),
    };
    let signed_in = visitor.person(&state).await?.map(|person| person.address);
    Ok(frame::page(StatusCode::OK, &HomePage { signed_in, ..home(games) }))
}

fn home(games: Vec<GameLine>) -> HomePage {
    let has_games = !games.is_empty();
    let (ended, open): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.ended.is_some());
    let (waiting, others): (Vec<_>, Vec<_>) = open.into_iter().partition(|game| game.waits_for_me);
    let lines = |games: Vec<GameLine>| games.into_iter().map(Line::from).collect();
    let frame = Frame { title: "Field Command".into(), ..Frame::plain("Field Command") }.counting(waiting.len());
    HomePage {
        frame,
        waiting: lines(waiting),
        others: lines(others),
        ended: lines(ended),
        has_games,
        signed_in: None,
        picture: field_command::showpiece(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn games_that_wait_come_first() {
        let html = home(samples::game_lines()).render().unwrap();
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is missing"));
        assert!(
            at("Waiting for you") < at("Ben against Ann") && at("Ben against Ann") < at("Waiting for the other side")
        );
        assert!(at("Over") > at("Waiting for the other side"));
        assert!(html.contains("href=\"/games/0123456789ab/blue\""));
        let html = home(Vec::new()).render().unwrap();
        assert!(html.contains("New game") && !html.contains("Your games"));
        assert!(html.contains("href=\"/learn\""));
        assert!(html.contains("action=\"/play\"") && html.contains("Play now<b class=\"longer\"> on this device</b>"));
    }

    #[test]
    fn who_is_signed_in_is_told_and_others_may() {
        let html = home(samples::game_lines()).render().unwrap();
        assert!(html.contains("href=\"/sign-in\"") && html.contains("Your games on this device"));
        assert!(html.contains("<title>(1) Field Command</title>"), "{html}");
        let page = HomePage { signed_in: Some("ann@example.org".into()), ..home(samples::game_lines()) };
        let html = page.render().unwrap();
        assert!(
            html.contains("ann@example.org") && html.contains("action=\"/sign-out\"") && !html.contains("/sign-in")
        );
    }

    #[test]
    fn a_game_at_one_device_is_named_after_both() {
        let mut line = GameLine { one_device: true, sitting: Some(Side::Red), ..samples::game_lines().remove(2) };
        let html = home(vec![line.clone()]).render().unwrap();
        assert!(html.contains("Ann and Ben on this device") && html.contains("Day 5: Red to write"));
        assert!(html.contains("href=\"/games/0123456789ab/hand-over\""));
        line.sitting = None;
        assert!(home(vec![line]).render().unwrap().contains("Day 5: hand over"));
    }

    #[test]
    fn an_unwatched_day_is_to_be_watched_and_nothing_more() {
        let mut lines = samples::game_lines();
        lines.truncate(1);
        lines[0].waits_for_me = true;
        lines[0].unwatched = Some(5);
        let html = home(lines).render().unwrap();
        assert!(html.contains("Day 5: watch") && html.contains("Waiting for you"));
        assert!(html.contains("href=\"/games/0123456789ab/red/days/5\""));
    }
}
