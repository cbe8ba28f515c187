//! The boards that a game can be opened on.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use super::problem_sets::BoardsProblems;
use crate::play::boards::OfferedBoard;
use crate::rules::BoardText;
use crate::rules::field_command::maps;
use crate::web::WebState;

/// A board in writing: rows in order A to K.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenBoard {
    /// Eleven strings of eleven altitudes, 1 to 3.
    #[schema(min_items = 11, max_items = 11)]
    altitude: Vec<String>,
    /// Eleven strings of eleven signs: `f` for forest, `.` for open field.
    #[schema(min_items = 11, max_items = 11)]
    terrain: Vec<String>,
}

impl From<WrittenBoard> for BoardText {
    fn from(board: WrittenBoard) -> BoardText {
        BoardText { altitude: board.altitude, terrain: board.terrain }
    }
}

impl From<BoardText> for WrittenBoard {
    fn from(board: BoardText) -> WrittenBoard {
        WrittenBoard { altitude: board.altitude, terrain: board.terrain }
    }
}

/// The boards that a game can be opened on, the usual one first.
#[derive(Serialize, ToSchema)]
pub struct Boards {
    boards: Vec<BoardToChoose>,
}

/// A board that a game can be opened on.
#[derive(Serialize, ToSchema)]
pub struct BoardToChoose {
    /// What to send as `board`.
    #[schema(example = "classic")]
    board: String,
    /// What it is like, in words; empty for nothing.
    #[schema(example = "the printed board: much forest, hills everywhere")]
    about: String,
    /// Whether it is the same from both sides; on one that is not, one of them may have the better ground.
    even: bool,
    text: WrittenBoard,
}

impl From<OfferedBoard> for BoardToChoose {
    fn from(offered: OfferedBoard) -> BoardToChoose {
        let about =
            if offered.about.is_empty() { offered.name } else { format!("{}: {}", offered.name, offered.about) };
        BoardToChoose { board: offered.alias, about, even: offered.even, text: offered.text.into() }
    }
}

/// List the boards that a game can be opened on
///
/// Those that come with the server, and those that its organiser offers. Who may deploy where is the same on all.
#[utoipa::path(
    get,
    path = "/boards",
    tag = "joining",
    operation_id = "list_boards",
    responses((status = 200, description = "The boards", body = Boards), BoardsProblems)
)]
pub async fn list(State(web): State<WebState>) -> Result<Json<Boards>, Problem> {
    let own = maps::ALL.into_iter().map(|map| BoardToChoose {
        board: map.name().to_owned(),
        about: map.about().to_owned(),
        even: map.board().is_even(),
        text: map.board().to_text().into(),
    });
    let offered = web.play.offered_boards().await?.into_iter().filter(|offered| offered.retired_at.is_none());
    Ok(Json(Boards { boards: own.chain(offered.map(Into::into)).collect() }))
}
