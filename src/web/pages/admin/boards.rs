//! The boards that the organiser offers beside those that come with the server.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::session::Desk;
use crate::play::admin::{Admin, Scope};
use crate::play::boards::OfferedBoard;
use crate::web::WebState;
use crate::web::error::PageError;
use crate::web::pages::frame::{self, Frame, Shown};

#[derive(Template)]
#[template(path = "pages/admin/boards.html")]
struct BoardsPage {
    frame: Frame,
    admin: Admin,
    boards: Vec<OfferedBoard>,
    /// Whether the organiser may do anything.
    acts: bool,
}

/// GET /admin/boards
pub async fn get(State(state): State<WebState>, Desk(admin): Desk) -> Result<Response, PageError> {
    let boards = state.play.offered_boards().await?;
    let page = BoardsPage { frame: Frame::plain("Boards"), acts: admin.scope >= Scope::Act, admin, boards };
    Ok(frame::page(StatusCode::OK, &page))
}
