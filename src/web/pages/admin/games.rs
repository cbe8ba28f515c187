//! The list of games.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::session::Desk;
use crate::play::admin::Admin;
use crate::play::admin::games::{DeskFilter, DeskLine, DeskState};
use crate::play::public::Cursor;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

/// The states to choose from, with their names.
const STATES: [(&str, &str, DeskState); 6] = [
    ("any", "all", DeskState::Any),
    ("stuck", "stuck", DeskState::Stuck),
    ("open", "waiting for a second player", DeskState::Open),
    ("running", "running", DeskState::Running),
    ("paused", "paused", DeskState::Paused),
    ("ended", "over", DeskState::Ended),
];

/// What is asked for.
#[derive(Clone, Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    state: String,
    #[serde(default)]
    player: String,
    #[serde(default)]
    after: String,
}

#[derive(Template)]
#[template(path = "pages/admin/games.html")]
struct GamesPage {
    frame: Frame,
    admin: Admin,
    asked: Asked,
    games: Vec<DeskLine>,
    /// The address of the next page.
    next: Option<String>,
}

/// GET /admin/games?state=…&player=…&after=…
pub async fn get(
    State(state): State<WebState>,
    Desk(admin): Desk,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let wanted = STATES.iter().find(|(word, ..)| *word == asked.state).map_or(DeskState::Any, |(.., state)| *state);
    let after = match &*asked.after {
        "" => None,
        text => Some(Cursor::parse(text).ok_or_else(PageError::not_found)?),
    };
    let filter = DeskFilter { state: wanted, player: asked.player.clone(), after, ..DeskFilter::default() };
    let page = state.play.desk_games(&admin, filter).await?;
    let next = page.next.map(|next| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("state", &asked.state)
            .append_pair("player", &asked.player)
            .append_pair("after", &next.to_string())
            .finish();
        format!("/admin/games?{query}")
    });
    let page = GamesPage { frame: Frame::plain("Games on the desk"), admin, asked, games: page.games, next };
    Ok(frame::page(StatusCode::OK, &page))
}
