//! Public games, for whoever looks on: no token is asked for, and a private game does not exist.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::computers::Computers;
use super::days::{DayParam, StoryChapter};
use super::links::ROOT;
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::{ListProblems, PublicProblems};
use super::schema;
use super::settings::{PaceChoice, Settings, setup_of_board};
use super::state::End;
use crate::clock::Timestamp;
use crate::play::public::{Cursor, PublicFilter, PublicLine};
use crate::play::resolve::How;
use crate::play::view::{SealedSheet, Spectacle};
use crate::play::{GameId, Play};
use crate::rules::{BySide, Outcome, Report, Standing};
use crate::web::WebState;

/// A page of public games, newest first.
#[derive(Serialize, ToSchema)]
pub struct PublicGames {
    games: Vec<PublicGameLine>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "1772388000000-8q4nwz0v6m2k")]
    next: Option<String>,
}

/// A public game in a list.
#[derive(Serialize, ToSchema)]
pub struct PublicGameLine {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// Its address in the API.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k")]
    href: String,
    #[schema(value_type = schema::Names)]
    names: BySide<Option<String>>,
    computers: Computers,
    /// The board's name, the alias of one that is offered or was; `null` for one without a name.
    #[schema(required, example = "classic")]
    board: Option<String>,
    /// The turn that is awaited: 0 for the deployment, n for day n. After the end, the turn that will not be played.
    #[schema(example = 5)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 5")]
    turn_name: String,
    /// When this turn is due; `null` without deadlines.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T18:00:00Z")]
    due_at: Option<Timestamp>,
    /// When both seats were taken.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    begun_at: Timestamp,
    /// How the game ended; `null` while it goes on.
    #[schema(required)]
    ended: Option<End>,
}

/// A public game as everybody may see it: nothing of the open turn but when it is due.
#[derive(Serialize, ToSchema)]
pub struct PublicGame {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    settings: Settings,
    #[schema(value_type = schema::Names)]
    names: BySide<Option<String>>,
    computers: Computers,
    /// Whether both seats are taken.
    seated: bool,
    /// The turn that is awaited: 0 for the deployment, n for day n. After the end, the turn that will not be played.
    #[schema(example = 5)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 5")]
    turn_name: String,
    /// How fast the game goes.
    pace: PaceChoice,
    /// When this turn is due; `null` without deadlines, and until both seats are taken.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T18:00:00Z")]
    due_at: Option<Timestamp>,
    #[schema(value_type = schema::Standing)]
    standing: Standing,
    /// How the game ended; `null` while it goes on.
    #[schema(required)]
    ended: Option<End>,
    /// The numbers of the resolved turns.
    #[schema(example = json!([0, 1, 2, 3, 4]))]
    days: Vec<u32>,
    /// When the game was opened.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    opened_at: Timestamp,
    /// The public game that it is the rematch of.
    #[schema(required)]
    rematch_of: Option<String>,
}

/// The resolved turns of a public game, the first one first.
#[derive(Serialize, ToSchema)]
pub struct PublicDays {
    days: Vec<PublicDayLine>,
}

/// A resolved turn of a public game, by name.
#[derive(Serialize, ToSchema)]
pub struct PublicDayLine {
    /// Its number: 0 for the deployment, n for day n.
    #[schema(example = 4)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 4")]
    name: String,
    /// Its address in the API.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/days/4")]
    href: String,
}

/// A turn of a public game that has been resolved.
#[derive(Serialize, ToSchema)]
pub struct PublicDay {
    /// Its number: 0 for the deployment, n for day n.
    #[schema(example = 4)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 4")]
    name: String,
    /// What happened, for programs.
    #[schema(value_type = schema::Report)]
    report: Report,
    /// What happened, in sentences.
    story: Vec<StoryChapter>,
    /// Both sheets, now open.
    sheets: PublicSheets,
    /// When it was resolved.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    resolved_at: Timestamp,
}

/// Both sheets of a resolved turn of a public game.
#[derive(Serialize, ToSchema)]
pub struct PublicSheets {
    red: PublicSheet,
    blue: PublicSheet,
}

/// A sheet of a resolved turn of a public game.
#[derive(Serialize, ToSchema)]
pub struct PublicSheet {
    /// The sheet in canonical notation, which is what the seal is made of.
    #[schema(example = "H7-F7 G8-F8")]
    text: String,
    /// Its size in words.
    #[schema(example = "2 orders")]
    measure: String,
    /// How it came about: `sealed`, `draft` or `missed`. Only a sealed sheet was committed to beforehand.
    #[schema(value_type = String, example = "sealed")]
    how: &'static str,
    /// SHA-256 over game, turn, side, salt and sheet, 64 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab")]
    seal: String,
    /// The salt of the seal, 32 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    salt: String,
}

impl PublicSheet {
    fn of(sheet: SealedSheet, how: How) -> PublicSheet {
        let SealedSheet { text, measure, seal, salt } = sheet;
        PublicSheet { text, measure, how: how.word(), seal: seal.hash, salt }
    }
}

impl From<PublicLine> for PublicGameLine {
    fn from(line: PublicLine) -> PublicGameLine {
        PublicGameLine {
            href: format!("{ROOT}/games/{}", line.game),
            game: line.game.to_string(),
            names: line.names,
            computers: line.computers.into(),
            board: line.board.map(|board| board.alias),
            turn: line.turn,
            turn_name: line.turn_name,
            due_at: line.due,
            begun_at: line.begun_at,
            ended: line.ended.map(Into::into),
        }
    }
}

impl From<Spectacle> for PublicGame {
    fn from(view: Spectacle) -> PublicGame {
        PublicGame {
            game: view.game.to_string(),
            settings: Settings::of(&view.setup, view.board),
            names: view.names,
            computers: view.computers.into(),
            seated: view.seated,
            turn: view.standing.turn(),
            turn_name: view.standing.turn_name(),
            pace: view.pace.into(),
            due_at: view.due,
            standing: view.standing,
            ended: view.ended.map(Into::into),
            days: view.resolved,
            opened_at: view.opened_at,
            rematch_of: view.rematch_of.map(|game| game.to_string()),
        }
    }
}

/// Which public games are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    /// `running` (the usual) or `over`.
    #[param(example = "over")]
    state: Option<String>,
    /// Whole words of one player's name, in any case.
    #[param(example = "ann")]
    player: Option<String>,
    /// A board's name, or the alias of one that is offered or was.
    #[param(example = "classic")]
    board: Option<String>,
    /// How they ended: `red_wins`, `blue_wins` or `draw`. Only with `state=over`.
    #[param(example = "draw")]
    outcome: Option<String>,
    /// The `next` of the page before.
    #[param(example = "1772388000000-8q4nwz0v6m2k")]
    after: Option<String>,
}

impl ListParams {
    async fn filter(self, play: &Play) -> Result<PublicFilter, Problem> {
        let wrong = |field: &'static str, what: &str| {
            Problem::new(&kinds::FIELD, format!("The parameter {field} {what}.")).with_field(field)
        };
        let over = match self.state.as_deref() {
            None | Some("running") => false,
            Some("over") => true,
            Some(_) => return Err(wrong("state", "is running or over")),
        };
        let board = match self.board.as_deref() {
            None => None,
            Some(name) => Some(setup_of_board(play, name).await?.ok_or_else(|| wrong("board", "names no board"))?),
        };
        let outcome = match self.outcome.as_deref() {
            None => None,
            Some(_) if !over => return Err(wrong("outcome", "is for games that are over")),
            Some(word) => {
                Some(Outcome::from_word(word).ok_or_else(|| wrong("outcome", "is red_wins, blue_wins or draw"))?)
            }
        };
        let after = match self.after.as_deref() {
            None => None,
            Some(text) => Some(Cursor::parse(text).ok_or_else(|| wrong("after", "is the next of another page"))?),
        };
        Ok(PublicFilter { over, player: self.player.unwrap_or_default(), board, outcome, after })
    }
}

/// List public games
///
/// Those that go on, or those that are over, newest first, 25 a page.
#[utoipa::path(
    get,
    path = "/games",
    tag = "looking on",
    operation_id = "list_public_games",
    params(ListParams),
    responses((status = 200, description = "A page of games", body = PublicGames), ListProblems)
)]
pub async fn list(
    State(web): State<WebState>,
    params: Result<Query<ListParams>, QueryRejection>,
) -> Result<Json<PublicGames>, Problem> {
    let Query(params) = params.map_err(|_| Problem::new(&kinds::FIELD, "The parameters cannot be read."))?;
    let page = web.play.public_games(params.filter(&web.play).await?).await?;
    Ok(Json(PublicGames {
        games: page.games.into_iter().map(Into::into).collect(),
        next: page.next.map(|next| next.to_string()),
    }))
}

/// The part of an address that names a public game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GameParam {
    /// The game's id.
    #[param(example = "8q4nwz0v6m2k")]
    id: String,
}

impl GameParam {
    /// The game, if the text can be one.
    pub fn game(&self) -> Result<GameId, Problem> {
        GameId::parse(&self.id).ok_or_else(Problem::not_found)
    }
}

/// Read a public game
///
/// As everybody may see it. A private game does not exist here.
#[utoipa::path(
    get,
    path = "/games/{id}",
    tag = "looking on",
    operation_id = "read_public_game",
    params(GameParam),
    responses((status = 200, description = "The game", body = PublicGame), PublicProblems)
)]
pub async fn game(State(web): State<WebState>, Path(param): Path<GameParam>) -> Result<Json<PublicGame>, Problem> {
    Ok(Json(web.play.spectacle(&param.game()?).await?.into()))
}

/// List the resolved turns of a public game
#[utoipa::path(
    get,
    path = "/games/{id}/days",
    tag = "looking on",
    operation_id = "list_public_days",
    params(GameParam),
    responses((status = 200, description = "The turns", body = PublicDays), PublicProblems)
)]
pub async fn days(State(web): State<WebState>, Path(param): Path<GameParam>) -> Result<Json<PublicDays>, Problem> {
    let view = web.play.spectacle(&param.game()?).await?;
    let line = |turn| PublicDayLine {
        turn,
        name: view.setup.turn_name(turn),
        href: format!("{ROOT}/games/{}/days/{turn}", view.game),
    };
    Ok(Json(PublicDays { days: view.resolved.iter().copied().map(line).collect() }))
}

/// Read a resolved turn of a public game
///
/// What happened, for programs and in sentences, and both sheets with their seals and salts.
#[utoipa::path(
    get,
    path = "/games/{id}/days/{n}",
    tag = "looking on",
    operation_id = "read_public_day",
    params(GameParam, DayParam),
    responses((status = 200, description = "The turn", body = PublicDay), PublicProblems)
)]
pub async fn day(
    State(web): State<WebState>,
    Path(game): Path<GameParam>,
    Path(number): Path<DayParam>,
) -> Result<Json<PublicDay>, Problem> {
    let turn = number.turn().ok_or_else(Problem::not_found)?;
    let view = web.play.public_turn(&game.game()?, turn).await?;
    let how = view.how;
    Ok(Json(PublicDay {
        turn: view.turn,
        name: view.name,
        report: view.report,
        story: view.story.into_iter().map(Into::into).collect(),
        sheets: PublicSheets {
            red: PublicSheet::of(view.sheets.red, how.red),
            blue: PublicSheet::of(view.sheets.blue, how.blue),
        },
        resolved_at: view.resolved_at,
    }))
}
