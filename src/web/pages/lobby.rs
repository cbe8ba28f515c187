//! Open challenges: free seats that anybody may take. Looking at one changes nothing, taking it needs a button.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::play::challenge::{ChallengeLine, ChallengePage, Record};
use crate::play::public::Cursor;
use crate::play::{GameId, PlayError};
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::form::Fields;
use crate::web::pages::frame::{self, Frame, Shown};
use crate::web::pages::invite::{InvitePage, enter};
use crate::web::pages::session::Visitor;

/// What the address of the list asks for.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// Where the list goes on.
    #[serde(default)]
    after: String,
}

/// A challenge in the list.
struct Line {
    challenge: ChallengeLine,
    path: String,
    from: String,
    record: String,
}

#[derive(Template)]
#[template(path = "pages/lobby.html")]
struct LobbyPage {
    frame: Frame,
    challenges: Vec<Line>,
    next: Option<String>,
}

/// What somebody has played before, in words.
pub fn record_words(record: Option<Record>) -> String {
    let counted = |number: u32, one: &str, many: &str| match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    match record {
        None => "new here".to_owned(),
        Some(Record { finished, missed }) => {
            format!("{} finished, {} missed", counted(finished, "game", "games"), counted(missed, "turn", "turns"))
        }
    }
}

/// GET /lobby
pub async fn list(
    State(state): State<WebState>,
    visitor: Visitor,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, PageError> {
    let Query(asked) = asked.unwrap_or_default();
    let found = state.play.challenges(visitor.0.as_ref(), Cursor::parse(&asked.after)).await?;
    Ok(frame::page(StatusCode::OK, &lobby(found)))
}

fn lobby(found: ChallengePage) -> LobbyPage {
    let line = |challenge: ChallengeLine| Line {
        path: path(&challenge.game),
        from: challenge.from.clone().unwrap_or_else(|| "Somebody".to_owned()),
        record: record_words(challenge.record),
        challenge,
    };
    LobbyPage {
        frame: Frame::plain("Open challenges"),
        challenges: found.challenges.into_iter().map(line).collect(),
        next: found.next.map(|next| format!("/lobby?after={next}")),
    }
}

fn path(game: &GameId) -> String {
    format!("/lobby/{game}")
}

/// GET /lobby/{id}
pub async fn get(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    Ok(frame::page(StatusCode::OK, &shown(&state, &visitor, &game).await?))
}

/// POST /lobby/{id}
pub async fn post(
    State(state): State<WebState>,
    visitor: Visitor,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    let game = GameId::parse(&id).ok_or_else(PageError::not_found)?;
    let name = fields.text("name").trim();
    match state.play.take_challenge(&game, name, visitor.0.as_ref()).await {
        Err(PlayError::Field { field, problem }) => {
            let page = shown(&state, &visitor, &game).await?.with_problem(name, field, &problem);
            Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        taken => enter(&state, &visitor, &taken?).await,
    }
}

async fn shown(state: &WebState, visitor: &Visitor, game: &GameId) -> Result<InvitePage, PageError> {
    let (invitation, line) = state.play.challenge(game, visitor.0.as_ref()).await?;
    let mut page = InvitePage::new(state, path(game), invitation);
    page.record = Some(record_words(line.record));
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::pages::samples;

    #[test]
    fn a_challenge_stands_there_with_all_its_settings() {
        let html = lobby(samples::challenges()).render().unwrap();
        assert!(html.contains("Ann offers") && html.contains("3 games finished, no turns missed"));
        assert!(html.contains("No deadlines.") && html.contains("Either side may resign at any time."));
        assert!(html.contains("href=\"/lobby/0123456789ab\"") && html.contains("private"));
        let html = lobby(ChallengePage { challenges: Vec::new(), next: None }).render().unwrap();
        assert!(html.contains("Nobody waits for an opponent"));
        assert_eq!(record_words(Some(Record { finished: 1, missed: 2 })), "1 game finished, 2 turns missed");
        assert_eq!(record_words(None), "new here");
    }
}
