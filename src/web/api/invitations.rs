//! Invitations: looking at one and taking its seat; and, for the inviter, withdrawing it and
//! unseating a wrong taker.
//!
//! The invitation's secret travels in the body, since addresses are written into logs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath, SentSecret};
use super::body::Body;
use super::links::{Links, invitation_url, seat_url};
use super::problem::Problem;
use super::problem_sets::{LookProblems, TakeProblems, UnseatProblems, WithdrawProblems};
use super::schema;
use super::settings::{PaceChoice, Settings, TermsChoice};
use crate::play::invite::Taken;
use crate::play::{Seat, Secret};
use crate::rules::Side;
use crate::web::WebState;

/// An invitation that somebody holds.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationToLookAt {
    /// The invitation's token: the last part of its link.
    #[schema(value_type = String, example = "k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    token: SentSecret,
}

/// An invitation whose seat somebody takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationToTake {
    /// The invitation's token: the last part of its link.
    #[schema(value_type = String, example = "k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    token: SentSecret,
    /// The taker's name, at most 40 characters; empty for none.
    #[serde(default)]
    #[schema(example = "Ben")]
    name: String,
}

/// What an invitation invites to.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationShown {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// The side that is free.
    #[schema(value_type = schema::Side)]
    side: Side,
    /// The inviter's name; `null` where none was given.
    #[schema(required, example = "Ann")]
    from: Option<String>,
    /// Whether everybody may look on.
    public: bool,
    /// What the game is played by, house rules included.
    settings: Settings,
    /// How fast it goes.
    pace: PaceChoice,
    /// The terms of its clock.
    terms: TermsChoice,
    /// The awaited turn. Where the game has begun, its seat was given up.
    #[schema(example = 0)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Deployment")]
    turn_name: String,
}

/// A seat that has been taken. This is the only answer that holds its token.
#[derive(Serialize, ToSchema)]
pub struct SeatTaken {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// The side.
    #[schema(value_type = schema::Side, example = "blue")]
    side: Side,
    /// The token of the seat. Whoever has it plays this side.
    #[schema(example = "p5dq2xk7wz3ynrt6hvbo4jsmfe")]
    token: String,
    /// The page on which a person opens the same seat. It holds the token.
    #[schema(format = "uri", example = "https://play.example.org/s/p5dq2xk7wz3ynrt6hvbo4jsmfe")]
    seat_url: String,
    /// Addresses of the seat in the API.
    links: Links,
}

impl SeatTaken {
    /// A seat that was just taken.
    pub fn of(web: &WebState, taken: &Taken) -> SeatTaken {
        SeatTaken {
            game: taken.game.to_string(),
            side: taken.side,
            token: taken.link.reveal().to_owned(),
            seat_url: seat_url(web, &taken.link),
            links: Links::of(&taken.game, taken.side),
        }
    }

    /// Where its state is read.
    pub fn location(&self) -> String {
        self.links.state.clone()
    }
}

/// An open invitation to the other seat.
#[derive(Serialize, ToSchema)]
pub struct OpenInvitation {
    /// The invitation's token.
    #[schema(example = "k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    token: String,
    /// The page on which a person takes the seat. It holds the token.
    #[schema(format = "uri", example = "https://play.example.org/i/k2vb7sxq5jwo3nrtz6hyfdm4ua")]
    url: String,
}

impl OpenInvitation {
    /// The invitation with this secret.
    pub fn of(web: &WebState, secret: &Secret) -> OpenInvitation {
        OpenInvitation { token: secret.reveal().to_owned(), url: invitation_url(web, secret) }
    }
}

/// Look at an invitation
///
/// Changes nothing.
#[utoipa::path(
    post,
    path = "/invitations/look",
    tag = "joining",
    operation_id = "look_at_invitation",
    request_body = InvitationToLookAt,
    responses((status = 200, description = "The seat is free", body = InvitationShown), LookProblems)
)]
pub async fn look(
    State(web): State<WebState>,
    Body(asked): Body<InvitationToLookAt>,
) -> Result<Json<InvitationShown>, Problem> {
    let view = web.play.invitation(&asked.token.0, None).await?;
    Ok(Json(InvitationShown {
        game: view.game.to_string(),
        side: view.side,
        from: view.from,
        public: view.public,
        settings: Settings::of(&view.setup, view.board),
        pace: view.pace.into(),
        terms: view.terms.into(),
        turn: view.now.turn(),
        turn_name: view.now.turn_name(),
    }))
}

/// Take the seat of an invitation
///
/// An invitation is taken once. Keep the token: it is not shown again.
#[utoipa::path(
    post,
    path = "/invitations/take",
    tag = "joining",
    operation_id = "take_seat",
    request_body = InvitationToTake,
    responses(
        (status = 201, description = "The seat is yours", body = SeatTaken,
            headers(("Location" = String, description = "The game's state, as this seat sees it"))),
        TakeProblems,
    )
)]
pub async fn take(
    State(web): State<WebState>,
    Body(asked): Body<InvitationToTake>,
) -> Result<impl IntoResponse, Problem> {
    let taken = web.play.take_seat(&asked.token.0, &asked.name).await?;
    let answer = SeatTaken::of(&web, &taken);
    Ok((StatusCode::CREATED, [(LOCATION, answer.location())], Json(answer)))
}

/// Withdraw the invitation
///
/// Its link opens nothing any more; the answer holds a new one.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/invitation/withdrawal",
    tag = "joining",
    operation_id = "withdraw_invitation",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The new invitation", body = OpenInvitation), WithdrawProblems)
)]
pub async fn withdraw(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<OpenInvitation>, Problem> {
    web.play.withdraw_invitation(&seat).await?;
    open_invitation(&web, &seat).await
}

/// Unseat the opponent
///
/// For an invitation that the wrong one took: until the deployments are revealed. The opponent's
/// sheet is dropped unread, their token opens nothing any more, and the answer holds a new invitation.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/unseating",
    tag = "joining",
    operation_id = "unseat_opponent",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The new invitation", body = OpenInvitation), UnseatProblems)
)]
pub async fn unseat(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<OpenInvitation>, Problem> {
    web.play.unseat(&seat).await?;
    open_invitation(&web, &seat).await
}

/// The invitation as it stands now: it may have been taken since.
async fn open_invitation(web: &WebState, seat: &Seat) -> Result<Json<OpenInvitation>, Problem> {
    let view = web.play.view(seat).await?;
    let secret = view.invitation.ok_or(crate::play::PlayError::SeatTaken)?;
    Ok(Json(OpenInvitation::of(web, &secret)))
}
