//! Reading games and deadlines on the desk.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::problem::Problem;
use super::super::problem_kind as kinds;
use super::super::problem_sets::{AdminListProblems, AdminProblems};
use super::super::settings::setup_of_board;
use super::asker::Reads;
use super::shown::{AdminGame, AdminGameLine, GameParam, tag};
use crate::clock::Timestamp;
use crate::play::Play;
use crate::play::admin::games::{DeskFilter, DeskOrder, DeskState, PAGE, PAGE_MAX};
use crate::play::public::{Cursor, hash_of_board};
use crate::web::WebState;

/// A page of games.
#[derive(Serialize, ToSchema)]
pub struct AdminGames {
    games: Vec<AdminGameLine>,
    /// What to send as `after` for the next page; `null` on the last. A page that looked for a name may be short.
    #[schema(required, example = "1772388000000-8q4nwz0v6m2k")]
    next: Option<String>,
}

/// Deadlines.
#[derive(Serialize, ToSchema)]
pub struct AdminDeadlines {
    /// Games whose turn was due and is not resolved, the longest due first.
    late: Vec<AdminGameLine>,
    /// Games whose turn will be due, the soonest first.
    soon: Vec<AdminGameLine>,
}

/// Which games are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct GamesParams {
    /// `open`, `running`, `paused`, `ended` or `stuck`; all if it is left out.
    #[param(example = "stuck")]
    state: Option<String>,
    /// `opened` (last first, as usual), `due` (first first) or `moved` (those first that have lain still for longest).
    #[param(example = "due")]
    order: Option<String>,
    /// Words of one player's name.
    #[param(example = "ann")]
    player: Option<String>,
    /// The board's name, or the alias of one that is offered or was.
    #[param(example = "classic")]
    board: Option<String>,
    /// Games that are due before this moment.
    #[param(format = DateTime, example = "2026-03-08T18:00:00Z")]
    due_before: Option<String>,
    /// The `next` of the page before.
    #[param(example = "1772388000000-8q4nwz0v6m2k")]
    after: Option<String>,
    /// How many games, 1 to 200; 50 if it is left out.
    #[param(example = "50")]
    limit: Option<String>,
}

/// A part of the query that does not do.
pub(super) fn odd(name: &str, problem: &str) -> Problem {
    Problem::new(&kinds::PAGE, format!("The parameter {name} {problem}.")).with_field(name)
}

/// The query, or the problem of one that cannot be read.
pub(super) fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Problem> {
    match query {
        Ok(Query(query)) => Ok(query),
        Err(_) => Err(Problem::new(&kinds::PAGE, "The query cannot be read.")),
    }
}

/// A number within bounds, or the usual one.
pub(super) fn number(name: &str, text: Option<&str>, usual: u32, most: u32) -> Result<u32, Problem> {
    let Some(text) = text else { return Ok(usual) };
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| odd(name, &format!("is not a number from 1 to {most}")))
}

impl GamesParams {
    async fn filter(self, play: &Play) -> Result<DeskFilter, Problem> {
        let state = match self.state.as_deref() {
            None => DeskState::Any,
            Some("open") => DeskState::Open,
            Some("running") => DeskState::Running,
            Some("paused") => DeskState::Paused,
            Some("ended") => DeskState::Ended,
            Some("stuck") => DeskState::Stuck,
            Some(_) => return Err(odd("state", "is open, running, paused, ended or stuck")),
        };
        let order = match self.order.as_deref() {
            None | Some("opened") => DeskOrder::Opened,
            Some("due") => DeskOrder::Due,
            Some("moved") => DeskOrder::Moved,
            Some(_) => return Err(odd("order", "is opened, due or moved")),
        };
        let board = match self.board.as_deref() {
            None => None,
            Some(name) => {
                let setup = setup_of_board(play, name).await?;
                let hash = setup.as_ref().and_then(hash_of_board);
                Some(hash.ok_or_else(|| odd("board", "is not the name of a board"))?)
            }
        };
        let due_before = match self.due_before.as_deref() {
            None => None,
            Some(text) => {
                let at: Option<jiff::Timestamp> = text.parse().ok();
                let at = at.ok_or_else(|| odd("due_before", "is not a moment, as in 2026-03-08T18:00:00Z"))?;
                Some(Timestamp(at.as_millisecond()))
            }
        };
        let after = match self.after.as_deref() {
            None => None,
            Some(text) => Some(Cursor::parse(text).ok_or_else(|| odd("after", "is not the next of another page"))?),
        };
        let (usual, most) = (u32::try_from(PAGE).unwrap_or(50), u32::try_from(PAGE_MAX).unwrap_or(200));
        let limit = number("limit", self.limit.as_deref(), usual, most)?;
        let limit = usize::try_from(limit).unwrap_or(PAGE);
        let player = self.player.unwrap_or_default();
        Ok(DeskFilter { state, order, player, board, due_from: None, due_before, after, limit })
    }
}

/// List games
///
/// All games, also private ones, filtered and sorted, a page at a time.
#[utoipa::path(
    get,
    path = "/games",
    tag = "organising",
    operation_id = "admin_list_games",
    security(("admin" = [])),
    params(GamesParams),
    responses((status = 200, description = "A page of games", body = AdminGames), AdminListProblems)
)]
pub async fn list(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<GamesParams>, QueryRejection>,
) -> Result<Json<AdminGames>, Problem> {
    let page = web.play.desk_games(&admin, query(params)?.filter(&web.play).await?).await?;
    Ok(Json(AdminGames {
        games: page.games.into_iter().map(Into::into).collect(),
        next: page.next.map(|next| next.to_string()),
    }))
}

/// Read a game
///
/// Settings, seats, deadlines, turns, letters, mails, what organisers did. Nothing of what lies sealed, is drafted, imagined
/// or noted. The entity tag may be sent as `If-Match` with an act.
#[utoipa::path(
    get,
    path = "/games/{id}",
    tag = "organising",
    operation_id = "admin_read_game",
    security(("admin" = [])),
    params(GameParam),
    responses(
        (status = 200, description = "The game", body = AdminGame,
            headers(("ETag" = String, description = "The game's version"))),
        AdminProblems,
    )
)]
pub async fn game(
    State(web): State<WebState>,
    Reads(admin): Reads,
    Path(param): Path<GameParam>,
) -> Result<(HeaderMap, Json<AdminGame>), Problem> {
    let game = web.play.desk_game(&admin, &param.game()?).await?;
    Ok((tag(Some(game.version)), Json(game.into())))
}

/// Which deadlines are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DeadlineParams {
    /// How many hours ahead, 1 to 8784; 24 if it is left out.
    #[param(example = "24")]
    hours: Option<String>,
}

/// List deadlines
///
/// What is late, and what is due soon; up to 200 games.
#[utoipa::path(
    get,
    path = "/deadlines",
    tag = "organising",
    operation_id = "admin_list_deadlines",
    security(("admin" = [])),
    params(DeadlineParams),
    responses((status = 200, description = "The deadlines", body = AdminDeadlines), AdminListProblems)
)]
pub async fn deadlines(
    State(web): State<WebState>,
    Reads(admin): Reads,
    params: Result<Query<DeadlineParams>, QueryRejection>,
) -> Result<Json<AdminDeadlines>, Problem> {
    let hours = number("hours", query(params)?.hours.as_deref(), 24, 8784)?;
    let due = web.play.desk_deadlines(&admin, hours).await?;
    let lines = |lines: Vec<_>| lines.into_iter().map(Into::into).collect();
    Ok(Json(AdminDeadlines { late: lines(due.late), soon: lines(due.soon) }))
}
