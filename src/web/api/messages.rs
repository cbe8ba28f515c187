//! What the two players of a game write to each other.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asker::{Asker, SeatPath};
use super::body::Body;
use super::problem::Problem;
use super::problem_kind as kinds;
use super::problem_sets::{MessageProblems, ThreadProblems};
use super::schema;
use crate::clock::Timestamp;
use crate::play::messages::{Message, ToSend};
use crate::rules::Side;
use crate::web::WebState;

/// A page of a game's messages, the oldest first.
#[derive(Serialize, ToSchema)]
pub struct Messages {
    messages: Vec<WrittenMessage>,
    /// Whether there are earlier ones: ask for those `before` the first of these.
    earlier: bool,
}

/// A message.
#[derive(Serialize, ToSchema)]
pub struct WrittenMessage {
    /// Its number in the game, from 1.
    #[schema(minimum = 1, example = 7)]
    number: i64,
    /// The side that wrote it.
    #[schema(value_type = schema::Side)]
    side: Side,
    /// The text, plain.
    #[schema(example = "Well played!")]
    text: String,
    /// When it was sent.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    sent_at: Timestamp,
}

impl From<Message> for WrittenMessage {
    fn from(message: Message) -> WrittenMessage {
        let Message { number, side, text, at } = message;
        WrittenMessage { number, side, text, sent_at: at }
    }
}

/// Which messages are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ThreadParams {
    /// Those before this number; without it, the last 50.
    #[param(example = 51)]
    before: Option<i64>,
}

/// A message to be sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageToSend {
    /// The text, plain, up to 2,000 characters.
    #[schema(example = "Well played!")]
    text: String,
    /// Whether it goes out though it could be read as orders or a deployment.
    #[serde(default)]
    all_the_same: bool,
}

/// Read the messages
///
/// Both players' messages of this game. Reading marks nothing.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/messages",
    tag = "playing",
    operation_id = "read_messages",
    security(("seat" = [])),
    params(SeatPath, ThreadParams),
    responses((status = 200, description = "The messages", body = Messages), ThreadProblems)
)]
pub async fn read(
    State(web): State<WebState>,
    Asker(seat): Asker,
    params: Result<Query<ThreadParams>, QueryRejection>,
) -> Result<Json<Messages>, Problem> {
    let Query(params) = params.map_err(|_| {
        Problem::new(&kinds::FIELD, "The parameter before is the number of a message.").with_field("before")
    })?;
    let thread = web.play.messages(&seat, params.before).await?;
    Ok(Json(Messages { messages: thread.messages.into_iter().map(Into::into).collect(), earlier: thread.earlier }))
}

/// Send a message to the opponent
///
/// At most 20 an hour.
#[utoipa::path(
    post,
    path = "/games/{id}/{side}/messages",
    tag = "playing",
    operation_id = "send_message",
    security(("seat" = [])),
    params(SeatPath),
    request_body = MessageToSend,
    responses((status = 201, description = "It is sent", body = WrittenMessage), MessageProblems)
)]
pub async fn send(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Body(message): Body<MessageToSend>,
) -> Result<impl IntoResponse, Problem> {
    let MessageToSend { text, all_the_same } = message;
    let written = web.play.send_message(&seat, ToSend { text, all_the_same }).await?;
    Ok((StatusCode::CREATED, Json(WrittenMessage::from(written))))
}
