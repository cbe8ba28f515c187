//! What the players of a game see of the organiser's desk, and their consent to a new link for the opponent's seat.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_sets::ConsentProblems;
use super::schema;
use crate::clock::Timestamp;
use crate::play::admin::shown::{OrganiserView, ShownAct};
use crate::rules::{BySide, Side};
use crate::web::WebState;

/// What a seat sees of the organiser.
#[derive(Serialize, ToSchema)]
pub struct Organiser {
    /// What the organiser did in this game, the first act first.
    acts: Vec<OrganiserAct>,
    /// Why the opponent's seat is to get a new link, if this seat is asked to agree to that; `null` if not.
    #[schema(required, example = "Ben has lost his link and has no confirmed address.")]
    asks: Option<String>,
    /// Which sides are played by somebody who is an organiser too.
    #[schema(value_type = schema::Flags)]
    plays: BySide<bool>,
}

/// What the organiser did.
#[derive(Serialize, ToSchema)]
pub struct OrganiserAct {
    /// When.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    at: Timestamp,
    /// What; more words may be added.
    #[schema(example = "paused")]
    act: String,
    /// The same for people.
    #[schema(value_type = String, example = "The organiser has paused the game")]
    name: &'static str,
    /// To which side; `null` for both.
    #[schema(required, value_type = Option<schema::Side>)]
    side: Option<Side>,
    /// Why.
    #[schema(example = "Both are at the tournament.")]
    reason: String,
}

impl From<ShownAct> for OrganiserAct {
    fn from(act: ShownAct) -> OrganiserAct {
        let ShownAct { at, act, name, side, reason, .. } = act;
        OrganiserAct { at, act, name, side, reason }
    }
}

impl From<OrganiserView> for Organiser {
    fn from(view: OrganiserView) -> Organiser {
        Organiser { acts: view.acts.into_iter().map(Into::into).collect(), asks: view.asks, plays: view.plays }
    }
}

/// Whether a seat agrees.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Whether the opponent's seat shall get a new link.
    #[schema(example = true)]
    agree: bool,
}

/// Answer the organiser
///
/// Who wants to give the opponent's seat a new link, because its player has lost the old one and has no confirmed address.
/// What lies at that seat is dropped unread.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/consent",
    tag = "playing",
    operation_id = "answer_organiser",
    security(("seat" = [])),
    params(SeatPath),
    request_body = Consent,
    responses((status = 204, description = "It is so"), ConsentProblems)
)]
pub async fn consent(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(consent): Body<Consent>,
) -> Result<StatusCode, Problem> {
    web.play.answer_reissue(&seat, consent.agree).await?;
    Ok(StatusCode::NO_CONTENT)
}
