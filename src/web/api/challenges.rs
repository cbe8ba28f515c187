//! Open challenges: free seats that anybody may take.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::Body;
use super::invitations::SeatTaken;
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::{ChallengeProblems, ListProblems};
use super::public::GameParam;
use super::schema;
use super::settings::{PaceChoice, Settings, TermsChoice};
use crate::clock::Timestamp;
use crate::play::challenge::ChallengeLine;
use crate::play::public::Cursor;
use crate::rules::Side;
use crate::web::WebState;

/// A page of open challenges, the one that stays open longest first.
#[derive(Serialize, ToSchema)]
pub struct Challenges {
    challenges: Vec<Challenge>,
    /// What to send as `after` for the next page; `null` on the last.
    #[schema(required, example = "1772388000000-8q4nwz0v6m2k")]
    next: Option<String>,
}

/// An open challenge, with all its settings.
#[derive(Serialize, ToSchema)]
pub struct Challenge {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// The side that is offered.
    #[schema(value_type = schema::Side)]
    side: Side,
    /// The challenger's name; `null` where none was given.
    #[schema(required, example = "Ann")]
    from: Option<String>,
    /// What the challenger has played before; `null` for somebody who is new here, or has no confirmed address.
    #[schema(required)]
    record: Option<PlayedBefore>,
    settings: Settings,
    pace: PaceChoice,
    terms: TermsChoice,
    /// The awaited turn. Where it is not the first, a substitute is sought.
    #[schema(example = 0)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Deployment")]
    turn_name: String,
    /// Whether everybody may look on.
    public: bool,
    /// From when on it is open no more.
    #[schema(value_type = String, format = DateTime, example = "2026-03-08T18:00:00Z")]
    ends_at: Timestamp,
}

/// What a person has played before, in numbers.
#[derive(Serialize, ToSchema)]
pub struct PlayedBefore {
    /// Games that are over.
    games_finished: u32,
    /// Turns missed in all games.
    turns_missed: u32,
}

impl From<ChallengeLine> for Challenge {
    fn from(line: ChallengeLine) -> Challenge {
        let record =
            line.record.map(|record| PlayedBefore { games_finished: record.finished, turns_missed: record.missed });
        Challenge {
            game: line.game.to_string(),
            side: line.side,
            from: line.from,
            record,
            settings: Settings::of(&line.setup, line.board),
            pace: line.pace.into(),
            terms: line.terms.into(),
            turn: line.turn,
            turn_name: line.turn_name,
            public: line.public,
            ends_at: line.ends_at,
        }
    }
}

/// Which challenges are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChallengeParams {
    /// The `next` of the page before.
    #[param(example = "1772388000000-8q4nwz0v6m2k")]
    after: Option<String>,
}

/// List open challenges
///
/// Players who wait for an opponent, 25 a page.
#[utoipa::path(
    get,
    path = "/challenges",
    tag = "joining",
    operation_id = "list_challenges",
    params(ChallengeParams),
    responses((status = 200, description = "A page of challenges", body = Challenges), ListProblems)
)]
pub async fn list(
    State(web): State<WebState>,
    params: Result<Query<ChallengeParams>, QueryRejection>,
) -> Result<Json<Challenges>, Problem> {
    let Query(params) = params.map_err(|_| Problem::new(&kinds::FIELD, "The parameters cannot be read."))?;
    let after = match params.after.as_deref() {
        None => None,
        Some(text) => Some(Cursor::parse(text).ok_or_else(|| {
            Problem::new(&kinds::FIELD, "The parameter after is the next of another page.").with_field("after")
        })?),
    };
    let page = web.play.challenges(None, after).await?;
    Ok(Json(Challenges {
        challenges: page.challenges.into_iter().map(Into::into).collect(),
        next: page.next.map(|next| next.to_string()),
    }))
}

/// Who takes the seat of a challenge.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Challenged {
    /// The taker's name, at most 40 characters; empty for none.
    #[serde(default)]
    #[schema(example = "Ben")]
    name: String,
}

/// Take the seat of an open challenge
///
/// Whoever comes first plays. Keep the token: it is not shown again.
#[utoipa::path(
    post,
    path = "/challenges/{id}/take",
    tag = "joining",
    operation_id = "take_challenge",
    params(GameParam),
    request_body = Challenged,
    responses(
        (status = 201, description = "The seat is yours", body = SeatTaken,
            headers(("Location" = String, description = "The game's state, as this seat sees it"))),
        ChallengeProblems,
    )
)]
pub async fn take(
    State(web): State<WebState>,
    Path(game): Path<GameParam>,
    Body(asked): Body<Challenged>,
) -> Result<impl IntoResponse, Problem> {
    let taken = web.play.take_challenge(&game.game()?, &asked.name, None).await?;
    let answer = SeatTaken::of(&web, &taken);
    Ok((StatusCode::CREATED, [(LOCATION, answer.location())], Json(answer)))
}
