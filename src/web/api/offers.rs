//! What the two agree on: a draw, or going on elsewhere.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::{Body, whole};
use super::problem::Problem;
use super::problem_sets::AgreeProblems;
use super::schema;
use crate::clock::Timestamp;
use crate::play::agree::{Carried, OfferAct, OfferKind, OfferView, ToAgree};
use crate::rules::Side;
use crate::web::WebState;

/// What is done about an offer.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferDo {
    /// It is offered.
    Offer,
    /// The opponent's offer is accepted.
    Accept,
    /// The opponent's offer is declined.
    Decline,
    /// The own offer is withdrawn.
    Withdraw,
}

impl From<OfferDo> for OfferAct {
    fn from(act: OfferDo) -> OfferAct {
        match act {
            OfferDo::Offer => OfferAct::Offer,
            OfferDo::Accept => OfferAct::Accept,
            OfferDo::Decline => OfferAct::Decline,
            OfferDo::Withdraw => OfferAct::Withdraw,
        }
    }
}

/// What is done about a draw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"turn": 5, "do": "offer"}))]
pub struct DrawAct {
    /// The turn that is awaited.
    #[serde(deserialize_with = "whole")]
    turn: u32,
    /// What is done.
    #[serde(rename = "do")]
    act: OfferDo,
}

/// What is done about going on elsewhere.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"turn": 5, "do": "offer", "from_turn": 3}))]
pub struct ContinueAct {
    /// The turn that is awaited.
    #[serde(deserialize_with = "whole")]
    turn: u32,
    /// What is done.
    #[serde(rename = "do")]
    act: OfferDo,
    /// The resolved day at whose dawn the new game begins; needed with an offer. With an acceptance it says which one is meant.
    #[serde(default)]
    #[schema(example = 3)]
    from_turn: Option<u32>,
}

/// An offer that stands until the turn is resolved.
#[derive(Serialize, ToSchema)]
pub struct StandingOffer {
    /// What is offered.
    kind: OfferedKind,
    /// Who offers it.
    #[schema(value_type = schema::Side)]
    by: Side,
    /// With `continue`: the day at whose dawn the new game would begin.
    #[schema(required, example = 3)]
    from_turn: Option<u32>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime, example = "2026-03-05T19:21:07Z")]
    offered_at: Timestamp,
}

/// What can be offered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferedKind {
    /// A draw.
    Draw,
    /// That the game ends here and goes on from an earlier dawn in a new one.
    Continue,
}

/// Where a game goes on.
#[derive(Serialize, ToSchema)]
pub struct CarriedOn {
    /// The new game's id.
    #[schema(example = "3m2k8q4nwz0v")]
    game: String,
    /// The token of this side's seat in it; `null` once that seat was given to somebody else.
    #[schema(required, example = "m4zq6l3hb5xw2dktn7ruofyc4e")]
    token: Option<String>,
}

impl From<OfferView> for StandingOffer {
    fn from(offer: OfferView) -> StandingOffer {
        let kind = match offer.kind {
            OfferKind::Draw => OfferedKind::Draw,
            OfferKind::Continue => OfferedKind::Continue,
        };
        StandingOffer { kind, by: offer.by, from_turn: offer.from_turn, offered_at: offer.at }
    }
}

impl From<Carried> for CarriedOn {
    fn from(carried: Carried) -> CarriedOn {
        let token = carried.link.map(|link| link.reveal().to_owned());
        CarriedOn { game: carried.game.to_string(), token }
    }
}

/// Offer a draw, or answer the offer
///
/// An offer stands until its turn is resolved. Accepting the opponent's ends the game in a draw at once.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/draw",
    tag = "playing",
    operation_id = "draw",
    security(("seat" = [])),
    params(SeatPath),
    request_body = DrawAct,
    responses((status = 204, description = "It is done"), AgreeProblems)
)]
pub async fn draw(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(DrawAct { turn, act }): Body<DrawAct>,
) -> Result<StatusCode, Problem> {
    let wanted = ToAgree { kind: OfferKind::Draw, turn, act: act.into(), from_turn: None };
    web.play.agree(&seat, wanted).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Offer to go on from an earlier day, or answer the offer
///
/// If the opponent accepts, this game ends without a winner, and a new one with the same seats and settings begins at the dawn of
/// that day; `continued_in` of this game's state leads there.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/continue",
    tag = "playing",
    operation_id = "continue_elsewhere",
    security(("seat" = [])),
    params(SeatPath),
    request_body = ContinueAct,
    responses((status = 204, description = "It is done"), AgreeProblems)
)]
pub async fn continue_elsewhere(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(ContinueAct { turn, act, from_turn }): Body<ContinueAct>,
) -> Result<StatusCode, Problem> {
    web.play.agree(&seat, ToAgree { kind: OfferKind::Continue, turn, act: act.into(), from_turn }).await?;
    Ok(StatusCode::NO_CONTENT)
}
