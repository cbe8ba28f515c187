//! Opening a game.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{Body, whole};
use super::computers::Level;
use super::links::{Links, invitation_url, seat_url};
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::OpenProblems;
use super::schema;
use super::settings::{self, BoardName, PaceChoice, TermsChoice, usual_limit};
use crate::play::PlayError;
use crate::play::open::{AdoptedPosition, Company, NewGame, SideChoice};
use crate::rules::Side;
use crate::web::WebState;

/// A game to be opened. Every member may be left out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"board": "classic", "side": "lot", "no_removal_limit": 12, "name": "Ann"}))]
pub struct GameToOpen {
    /// The board.
    #[serde(default)]
    board: BoardName,
    /// Which side the opener takes.
    #[serde(default)]
    side: WantedSide,
    /// After so many days running without a removal the game is a draw; 0 for never.
    #[serde(default = "usual_limit", deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 99, default = 12)]
    no_removal_limit: u32,
    /// After this day the game is a draw; 0 for no such limit.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 999, default = 0)]
    day_limit: u32,
    /// The opener's name, at most 40 characters; empty for none.
    #[serde(default)]
    #[schema(example = "Ann")]
    name: String,
    /// The e-mail address that the opener's reports go to; empty for none.
    #[serde(default)]
    address: String,
    /// Who sits opposite; left out, whoever takes the invitation.
    #[serde(default)]
    opponent: Option<WantedOpponent>,
    /// How fast it goes.
    #[serde(default)]
    pace: PaceChoice,
    /// Whether everybody may look on. Nobody changes this later.
    #[serde(default)]
    public: bool,
    /// For how many days anybody may take the other seat, 1 to 30: the game stands among the open challenges. `null` if it is for
    /// whoever gets the invitation.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 30, example = 7)]
    challenge_days: Option<u32>,
    /// The terms of its clock.
    #[serde(default)]
    terms: TermsChoice,
    /// What stands on the board of a game that was begun on paper and is carried on here; `null` for a new game. The opponent
    /// sees it on the invitation, and agrees to it by taking the seat.
    #[serde(default)]
    position: Option<PositionToAdopt>,
}

/// The dawn of a day of a game that was begun on paper.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"day": 7, "red": "GN K11\nI2 G8 H9", "blue": "GN A1\nC1 E4"}))]
pub struct PositionToAdopt {
    /// The day that is to be played next, from 1.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 9999, example = 7)]
    day: u32,
    /// Red's units: a line for each kind that is left, with its code and its positions.
    #[schema(example = "GN K11\nI2 G8 H9")]
    red: String,
    /// Blue's units.
    #[schema(example = "GN A1\nC1 E4")]
    blue: String,
}

/// Who shall sit opposite.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"computer": "hard"}))]
pub struct WantedOpponent {
    /// A computer that plays so well. Such a game is private and nobody is invited: `public` must be false and
    /// `challenge_days` left out.
    computer: Level,
}

/// Which side the opener takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WantedSide {
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Whatever the lot says.
    #[default]
    Lot,
}

/// A game that has been opened. This is the only answer that holds its two secrets.
#[derive(Serialize, ToSchema)]
pub struct OpenedGame {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// The side that the opener holds.
    #[schema(value_type = schema::Side)]
    side: Side,
    /// The token of the opener's seat. Whoever has it plays this side.
    #[schema(example = "m4zq6l3hb5xw2dktn7ruofyc4e")]
    token: String,
    /// The page on which a person opens the same seat. It holds the token.
    #[schema(format = "uri", example = "https://play.example.org/s/m4zq6l3hb5xw2dktn7ruofyc4e")]
    seat_url: String,
    /// The token of the invitation to the other seat; `null` where a computer sits there.
    #[schema(required, example = "k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    invitation_token: Option<String>,
    /// The page on which a person takes the other seat. It holds the invitation's token. `null` where a computer sits there.
    #[schema(required, format = "uri", example = "https://play.example.org/i/k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    invitation_url: Option<String>,
    /// Addresses of the opener's seat in the API.
    links: Links,
}

/// A problem of one side's units, named as the member that they stand in.
fn of_position(error: PlayError) -> Problem {
    match error {
        PlayError::Field { field: field @ ("red" | "blue"), problem } => {
            let (member, detail) = (format!("position.{field}"), format!("The units of {field}: {problem}."));
            Problem::new(&kinds::FIELD, detail.replace("..", ".")).with_field(member)
        }
        error => error.into(),
    }
}

/// Open a game
///
/// Seats the opener and makes an invitation to the other seat, or seats a computer there, which plays at once. Keep the token:
/// it is not shown again.
#[utoipa::path(
    post,
    path = "/games",
    tag = "joining",
    operation_id = "open_game",
    request_body = GameToOpen,
    responses(
        (status = 201, description = "The game is open", body = OpenedGame,
            headers(("Location" = String, description = "The game's state, as the opener sees it"))),
        OpenProblems,
    )
)]
pub async fn open(State(web): State<WebState>, Body(game): Body<GameToOpen>) -> Result<impl IntoResponse, Problem> {
    let side = match game.side {
        WantedSide::Red => SideChoice::Side(Side::Red),
        WantedSide::Blue => SideChoice::Side(Side::Blue),
        WantedSide::Lot => SideChoice::Lot,
    };
    let setup = settings::setup(&web.play, &game.board, game.no_removal_limit, game.day_limit).await?;
    let company = Company { public: game.public, challenge_days: game.challenge_days };
    let GameToOpen { name, address, pace, terms, opponent, position, .. } = game;
    let (pace, terms) = (pace.into(), terms.into());
    let new = NewGame { setup, side, name, address, pace, terms, company };
    let (game, side, link, invitation) = if let Some(WantedOpponent { computer }) = opponent {
        if position.is_some() {
            let problem = "must be left out: a computer carries on no game that was begun on paper".to_owned();
            return Err(PlayError::Field { field: "position", problem }.into());
        }
        let opened = web.play.open_against(new, computer.into()).await?;
        (opened.game, opened.side, opened.link, None)
    } else {
        let opened = match position {
            None => web.play.open(new).await?,
            Some(PositionToAdopt { day, red, blue }) => {
                web.play.adopt(new, &AdoptedPosition { turn: day, red, blue }).await.map_err(of_position)?
            }
        };
        (opened.game, opened.side, opened.link, Some(opened.invitation))
    };
    let links = Links::of(&game, side);
    let location = [(LOCATION, links.state.clone())];
    let answer = OpenedGame {
        game: game.to_string(),
        side,
        token: link.reveal().to_owned(),
        seat_url: seat_url(&web, &link),
        invitation_token: invitation.as_ref().map(|invitation| invitation.reveal().to_owned()),
        invitation_url: invitation.as_ref().map(|invitation| invitation_url(&web, invitation)),
        links,
    };
    Ok((StatusCode::CREATED, location, Json(answer)))
}
