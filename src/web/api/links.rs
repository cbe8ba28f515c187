//! Addresses: of a seat in the API, and of the pages that links with secrets lead to.

use serde::Serialize;
use utoipa::ToSchema;

use crate::play::{GameId, Secret};
use crate::rules::Side;
use crate::web::WebState;

/// Where the API lies.
pub const ROOT: &str = "/api/v1";

/// Addresses of a seat in the API, as paths on this server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    /// The game's state.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red")]
    pub state: String,
    /// The board as a picture.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red/board.svg")]
    pub board: String,
    /// The form in which the awaited sheet is written.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red/form")]
    pub form: String,
    /// Where a sheet is sealed.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red/sheet")]
    pub sheet: String,
    /// The resolved turns.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red/days")]
    pub days: String,
}

impl Links {
    /// The addresses of a seat.
    pub fn of(game: &GameId, side: Side) -> Links {
        let state = format!("{ROOT}/games/{game}/{}", side.word());
        Links {
            board: format!("{state}/board.svg"),
            form: format!("{state}/form"),
            sheet: format!("{state}/sheet"),
            days: format!("{state}/days"),
            state,
        }
    }
}

/// The page that opens a seat.
pub fn seat_url(web: &WebState, link: &Secret) -> String {
    format!("{}/s/{}", web.public_url, link.reveal())
}

/// The page on which an invitation is taken.
pub fn invitation_url(web: &WebState, invitation: &Secret) -> String {
    format!("{}/i/{}", web.public_url, invitation.reveal())
}
