//! What an organiser does to games and seats.

use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::body::{Body, whole};
use super::super::problem::Problem;
use super::super::problem_sets::{ActProblems, OpenForTwoProblems};
use super::super::settings::{BoardName, PaceChoice, TermsChoice, setup, usual_limit};
use super::asker::{Acts, KeyHeader, OfGameHeaders};
use super::shown::{Done, GameParam, SeatParam, done, made};
use crate::clock::Timestamp;
use crate::play::admin::Act;
use crate::play::admin::open::{GameForTwo, Invited};
use crate::rules::{BySide, Outcome};
use crate::web::WebState;

/// A game to be opened for two people.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "reason": "Autumn league, round 2.",
    "red": {"name": "Ann", "address": "ann@example.org"},
    "blue": {"name": "Ben", "address": "ben@example.org"},
    "pace": {"kind": "span", "hours": 72, "first_hours": 72}
}))]
pub struct GameForTwoToOpen {
    /// Why; both read it.
    #[schema(example = "Autumn league, round 2.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    red: PlayerToInvite,
    blue: PlayerToInvite,
    /// The board.
    #[serde(default)]
    board: BoardName,
    /// After so many days running without a removal the game is a draw; 0 for never.
    #[serde(default = "usual_limit", deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 99, default = 12)]
    no_removal_limit: u32,
    /// After this day the game is a draw; 0 for no such limit.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 999, default = 0)]
    day_limit: u32,
    /// How fast it goes. The time for the deployments runs at once.
    #[serde(default)]
    pace: PaceChoice,
    /// The terms of its clock.
    #[serde(default)]
    terms: TermsChoice,
    /// Whether everybody may look on.
    #[serde(default)]
    public: bool,
}

/// One of two people for whom a game is opened.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ann", "address": "ann@example.org"}))]
pub struct PlayerToInvite {
    /// The name on the seat, at most 40 characters; empty for none.
    #[serde(default)]
    #[schema(example = "Ann")]
    name: String,
    /// Where the way to the seat is mailed.
    #[schema(example = "ann@example.org")]
    address: String,
}

impl From<PlayerToInvite> for Invited {
    fn from(player: PlayerToInvite) -> Invited {
        Invited { name: player.name, address: player.address }
    }
}

/// Why something is done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Both have asked for it."}))]
pub struct ToAct {
    /// Why; the players read it. At most 1,000 characters.
    #[schema(example = "Both have asked for it.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
}

impl ToAct {
    /// The reason and the note.
    pub fn words(self) -> (String, Option<String>) {
        (self.reason, self.note)
    }
}

/// A deadline to be moved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Ann was in hospital.", "due_at": "2026-03-12T18:00:00Z"}))]
pub struct DeadlineToMove {
    /// Why; the players read it.
    #[schema(example = "Ann was in hospital.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// When the awaited turn is due from now on: 10 minutes to a year from now.
    #[schema(value_type = String, format = DateTime, example = "2026-03-12T18:00:00Z")]
    due_at: Timestamp,
}

/// A game to be paused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "The tournament rests over Easter.", "until": "2026-04-07T00:00:00Z"}))]
pub struct GameToPause {
    /// Why; the players read it.
    #[schema(example = "The tournament rests over Easter.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// Until when nothing is due, up to a year from now.
    #[schema(value_type = String, format = DateTime, example = "2026-04-07T00:00:00Z")]
    until: Timestamp,
}

/// A result to be declared.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Blue has left the tournament.", "outcome": "red_wins"}))]
pub struct ResultToDeclare {
    /// Why; the players read it.
    #[schema(example = "Blue has left the tournament.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// The result.
    outcome: DeclaredOutcome,
}

/// A result that can be declared.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeclaredOutcome {
    /// Red wins.
    RedWins,
    /// Blue wins.
    BlueWins,
    /// A draw.
    Draw,
}

/// A seat that is to get a new link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "The link was posted in a forum."}))]
pub struct SeatToReissue {
    /// Why; the players read it.
    #[schema(example = "The link was posted in a forum.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// Where the link goes if the seat has no confirmed address: then the opponent has to agree first.
    #[serde(default)]
    address: String,
}

/// A seat that somebody else is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "Ben has left the tournament.", "address": "dora@example.org"}))]
pub struct SeatToReplace {
    /// Why; the players read it.
    #[schema(example = "Ben has left the tournament.")]
    reason: String,
    /// What organisers alone read.
    #[serde(default)]
    note: Option<String>,
    /// Whom to invite.
    #[schema(example = "dora@example.org")]
    address: String,
}

/// Open a game for two people
///
/// Both sit at once, and each is mailed a link by which the seat opens and the address is proven.
#[utoipa::path(
    post,
    path = "/games",
    tag = "organising",
    operation_id = "admin_open_game",
    security(("admin" = [])),
    params(KeyHeader),
    request_body = GameForTwoToOpen,
    responses(
        (status = 201, description = "The game is open", body = super::shown::AdminActLine,
            headers(("Location" = String, description = "The game on the desk"),
                ("ETag" = String, description = "The game's version"))),
        OpenForTwoProblems,
    )
)]
pub async fn open(
    State(web): State<WebState>,
    acts: Acts,
    Body(game): Body<GameForTwoToOpen>,
) -> Result<Done, Problem> {
    let new = GameForTwo {
        setup: setup(&web.play, &game.board, game.no_removal_limit, game.day_limit).await?,
        players: BySide { red: game.red.into(), blue: game.blue.into() },
        pace: game.pace.into(),
        terms: game.terms.into(),
        public: game.public,
    };
    let cause = acts.cause(game.reason, game.note);
    Ok(made(web.play.act(&acts.admin, cause, Act::Open(Box::new(new))).await?.act))
}

/// Move a deadline
///
/// The awaited turn is due at another moment. Both are told.
#[utoipa::path(
    post,
    path = "/games/{id}/deadline",
    tag = "organising",
    operation_id = "admin_move_deadline",
    security(("admin" = [])),
    params(GameParam, OfGameHeaders),
    request_body = DeadlineToMove,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn deadline(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<GameParam>,
    Body(to): Body<DeadlineToMove>,
) -> Result<Done, Problem> {
    let act = Act::Deadline { game: param.game()?, due: to.due_at };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Pause a game
///
/// Nothing is due until a moment; what is left of the turn's time runs after it, 12 hours at least. Both are told.
#[utoipa::path(
    post,
    path = "/games/{id}/pause",
    tag = "organising",
    operation_id = "admin_pause_game",
    security(("admin" = [])),
    params(GameParam, OfGameHeaders),
    request_body = GameToPause,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn pause(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<GameParam>,
    Body(to): Body<GameToPause>,
) -> Result<Done, Problem> {
    let act = Act::Pause { game: param.game()?, until: to.until };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// End a pause
///
/// Also one that the two have agreed on. Both are told.
#[utoipa::path(
    post,
    path = "/games/{id}/resume",
    tag = "organising",
    operation_id = "admin_resume_game",
    security(("admin" = [])),
    params(GameParam, OfGameHeaders),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn resume(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<GameParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let act = Act::Resume { game: param.game()? };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Cancel a game
///
/// It ends without a result; what lies sealed is erased unread. Both are told.
#[utoipa::path(
    post,
    path = "/games/{id}/cancel",
    tag = "organising",
    operation_id = "admin_cancel_game",
    security(("admin" = [])),
    params(GameParam, OfGameHeaders),
    request_body = ToAct,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn cancel(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<GameParam>,
    Body(to): Body<ToAct>,
) -> Result<Done, Problem> {
    let act = Act::Cancel { game: param.game()? };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Declare the result of a game
///
/// The game ends with it; what lies sealed is erased unread. Both are told.
#[utoipa::path(
    post,
    path = "/games/{id}/result",
    tag = "organising",
    operation_id = "admin_declare_result",
    security(("admin" = [])),
    params(GameParam, OfGameHeaders),
    request_body = ResultToDeclare,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn result(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<GameParam>,
    Body(to): Body<ResultToDeclare>,
) -> Result<Done, Problem> {
    let outcome = match to.outcome {
        DeclaredOutcome::RedWins => Outcome::RedWins,
        DeclaredOutcome::BlueWins => Outcome::BlueWins,
        DeclaredOutcome::Draw => Outcome::Draw,
    };
    let act = Act::Declare { game: param.game()?, outcome };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Give a seat a new link
///
/// The old link, the token that it is, and all sessions that entered by it open nothing any more; what lies at the seat is
/// dropped unread. The new link is mailed to the seat's confirmed address. Without one the opponent is asked first, and the
/// link goes to the address in the request once they agree; the answer says which of both has happened.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/reissue",
    tag = "organising",
    operation_id = "admin_reissue_seat",
    security(("admin" = [])),
    params(SeatParam, OfGameHeaders),
    request_body = SeatToReissue,
    responses((status = 200, description = "It is done, or the opponent is asked", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn reissue(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<SeatParam>,
    Body(to): Body<SeatToReissue>,
) -> Result<Done, Problem> {
    let (game, side) = param.seat()?;
    let act = Act::Reissue { game, side, address: to.address };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}

/// Give a seat to somebody else
///
/// Its holder is out and told so; what lies at the seat is dropped unread; an invitation is mailed. Nothing is due until
/// somebody sits there.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/replace",
    tag = "organising",
    operation_id = "admin_replace_seat",
    security(("admin" = [])),
    params(SeatParam, OfGameHeaders),
    request_body = SeatToReplace,
    responses((status = 200, description = "It is done", body = super::shown::AdminActLine), ActProblems)
)]
pub async fn replace(
    State(web): State<WebState>,
    acts: Acts,
    Path(param): Path<SeatParam>,
    Body(to): Body<SeatToReplace>,
) -> Result<Done, Problem> {
    let (game, side) = param.seat()?;
    let act = Act::Replace { game, side, address: to.address };
    Ok(done(web.play.act(&acts.admin, acts.cause(to.reason, to.note), act).await?.act))
}
