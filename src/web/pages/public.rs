//! The lists of public games: those that are being played, and those that are over.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::play::public::{Cursor, PublicFilter, PublicLine, PublicPage};
use crate::rules::{Outcome, Side};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::field_command::{self, BoardChoice, USUAL_LIMIT};
use crate::web::pages::frame::{self, Frame, Shown, game_path, players};

/// What the address of a list asks for. What cannot be read is taken as not asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// Words of a player's name.
    #[serde(default)]
    player: String,
    /// A board's key.
    #[serde(default)]
    board: String,
    /// How the games ended.
    #[serde(default)]
    outcome: String,
    /// Where the list goes on.
    #[serde(default)]
    after: String,
}

/// A game in a list.
struct Line {
    path: String,
    players: String,
    board: String,
    news: String,
}

impl Line {
    fn of(game: PublicLine) -> Line {
        let news = match (&game.ended, game.due) {
            (Some(ended), _) => format!("{} {}", ended.how, ended.at.shown().plain()),
            (None, Some(due)) => format!("{}, due {}", game.turn_name, due.shown().plain()),
            (None, None) => game.turn_name,
        };
        Line {
            path: game_path(&game.game),
            players: players(&game.names, Side::Red),
            board: game.board.map_or_else(|| "own board".to_owned(), |board| board.name),
            news,
        }
    }
}

/// The outcomes to choose from: words and names.
const OUTCOMES: [(&str, &str); 3] = [("red_wins", "Red has won"), ("blue_wins", "Blue has won"), ("draw", "A draw")];

#[derive(Template)]
#[template(path = "pages/public.html")]
struct ListPage {
    frame: Frame,
    over: bool,
    boards: Vec<BoardChoice>,
    asked: Asked,
    games: Vec<Line>,
    /// The address of the next page.
    next: Option<String>,
}

impl ListPage {
    fn path(&self) -> &'static str {
        if self.over { "/games/archive" } else { "/games" }
    }

    /// Whether anything narrows the list.
    fn narrowed(&self) -> bool {
        !(self.asked.player.is_empty() && self.asked.board.is_empty() && self.asked.outcome.is_empty())
    }
}

/// GET /games
pub async fn running(
    State(state): State<WebState>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    list(&state, asked, false).await
}

/// GET /games/archive
pub async fn archive(
    State(state): State<WebState>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    list(&state, asked, true).await
}

async fn list(
    state: &WebState,
    asked: Result<Query<Asked>, QueryRejection>,
    over: bool,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let boards = field_command::known_boards(&state.play).await?;
    let filter = PublicFilter {
        over,
        player: asked.player.clone(),
        board: field_command::setup_of(&boards, &asked.board, USUAL_LIMIT, 0),
        outcome: Outcome::from_word(&asked.outcome).filter(|_| over),
        after: Cursor::parse(&asked.after),
    };
    let found = state.play.public_games(filter).await?;
    Ok(frame::page(StatusCode::OK, &list_page(asked, over, found, boards)))
}

fn list_page(asked: Asked, over: bool, found: PublicPage, boards: Vec<BoardChoice>) -> ListPage {
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut page = ListPage {
        frame: Frame::plain(if over { "Finished games" } else { "Games being played" }),
        over,
        asked,
        games: found.games.into_iter().map(Line::of).collect(),
        boards,
        next: None,
    };
    page.next = found.next.map(|next| {
        let asked = &page.asked;
        format!(
            "{}?player={}&board={}&outcome={}&after={next}",
            page.path(),
            encoded(&asked.player),
            encoded(&asked.board),
            encoded(&asked.outcome)
        )
    });
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_list_names_players_and_leads_on() {
        let asked = Asked { player: "Ann & <Ben>".into(), ..Asked::default() };
        let boards = || field_command::boards().to_vec();
        let html = list_page(asked.clone(), true, samples::public_page(), boards()).render().unwrap();
        assert!(html.contains("Ann against Ben") && html.contains("href=\"/games/0123456789ab\""));
        assert!(html.contains("value=\"Ann &#38; &#60;Ben&#62;\""));
        assert!(html.contains("/games/archive?player=Ann%20%26%20%3CBen%3E"), "{html}");
        let none = PublicPage { games: Vec::new(), next: None };
        let html = list_page(asked, false, none, boards()).render().unwrap();
        assert!(html.contains("Nothing here fits") && !html.contains("Further games"));
    }
}
