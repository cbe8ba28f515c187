//! The whole game in words: every turn that the seat has watched, on one page.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::play::view::{SeatView, TurnView};
use crate::rules::Tone;
use crate::web::WebState;
use crate::web::error::{PageError, at};
use crate::web::pages::frame::{self, Frame, Look, Shown, mid_sentence};
use crate::web::pages::session::Held;

#[derive(Template)]
#[template(path = "pages/story.html")]
struct StoryPage {
    frame: Frame,
    turns: Vec<TurnView>,
    /// The first turn that is still to be watched: its number and its name.
    unwatched: Option<(u32, String)>,
    /// How the game ended, if no turn tells it, and once nothing is left to be watched.
    ending: Option<String>,
}

/// GET /games/{id}/{side}/story
pub async fn get(State(state): State<WebState>, Held(seat): Held) -> Result<Response, PageError> {
    let view = state.play.view(&seat).await.map_err(at(&seat))?;
    let turns = state.play.watched_turns(&seat).await.map_err(at(&seat))?;
    Ok(frame::page(StatusCode::OK, &story_page(&view, turns)))
}

fn story_page(view: &SeatView, turns: Vec<TurnView>) -> StoryPage {
    let mut lines = turns.last().into_iter().flat_map(|turn| &turn.story).flat_map(|chapter| &chapter.lines);
    let told = lines.any(|line| line.tone == Tone::End);
    let ended = view.ended.as_ref().filter(|_| view.unwatched.is_none() && !told);
    StoryPage {
        frame: Frame::of_seat(view, "The whole game"),
        turns,
        unwatched: view.unwatched.map(|turn| (turn, mid_sentence(&view.setup.turn_name(turn)))),
        ending: ended.map(|ended| ended.how.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn each_day_has_its_anchor_and_nothing_unwatched_is_told() {
        let (mut view, turn) = samples::fought();
        view.ended = Some(samples::ended());
        let page = |view: &SeatView| story_page(view, vec![turn.clone()]).render().unwrap();
        let html = page(&view);
        assert!(html.contains("id=\"day-1\"") && html.contains("href=\"#day-1\""));
        assert!(html.contains("A1-A2 was not carried out") && html.contains("Red wins."));
        view.unwatched = Some(2);
        let html = page(&view);
        assert!(html.contains("Watch day 2") && !html.contains("Red wins."));
    }
}
