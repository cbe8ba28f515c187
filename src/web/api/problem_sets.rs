//! Which problems an operation may answer with: what the OpenAPI document says of each.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::IntoResponses;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::problem::PROBLEM_JSON;
use super::problem_kind::{self as kinds, ProblemKind};

/// Some kinds of problem.
type Kinds = &'static [&'static ProblemKind];

/// What any operation that asks the store may answer.
const ANY: Kinds = &[&kinds::STORE, &kinds::BROKEN];
/// What any operation of a seat may answer.
const SEAT: Kinds = &[&kinds::TOKEN_MISSING, &kinds::TOKEN_UNKNOWN, &kinds::NOT_FOUND];
/// What any operation that reads a body may answer.
const BODY: Kinds = &[&kinds::MALFORMED, &kinds::SHAPE, &kinds::TOO_LARGE, &kinds::MEDIA_TYPE, &kinds::TOO_MANY];
/// The same of an operation that may answer too many by itself.
const BODY_OF_ACT: Kinds = &[&kinds::MALFORMED, &kinds::SHAPE, &kinds::TOO_LARGE, &kinds::MEDIA_TYPE];
/// What any operation that reads a sheet may answer.
const SHEET: Kinds = &[&kinds::TURN_OVER, &kinds::TURN_AHEAD, &kinds::GAME_OVER, &kinds::TEXT];
/// What any operation that is for one turn may answer.
const TURN: Kinds = &[&kinds::TURN_OVER, &kinds::TURN_AHEAD, &kinds::GAME_OVER];
/// What any operation of the desk may answer.
const ADMIN: Kinds = &[&kinds::ADMIN_TOKEN_MISSING, &kinds::ADMIN_TOKEN_UNKNOWN, &kinds::SCOPE, &kinds::TOO_MANY];
/// What any act of an organiser may answer.
const ACT: Kinds = &[&kinds::FIELD, &kinds::KEY_REUSED];
/// What an invitation's token may lead to.
const INVITATION: Kinds = &[&kinds::NOT_FOUND, &kinds::SEAT_TAKEN, &kinds::INVITATION_WITHDRAWN, &kinds::GAME_OVER];

/// Of opening a game.
pub struct OpenProblems;
/// Of looking at an invitation.
pub struct LookProblems;
/// Of taking a seat.
pub struct TakeProblems;
/// Of reading what a seat may see.
pub struct SeatProblems;
/// Of asking for the form.
pub struct FormProblems;
/// Of checking a sheet or filling it in.
pub struct CheckProblems;
/// Of keeping a draft.
pub struct DraftProblems;
/// Of taking a sealed sheet back.
pub struct RetractProblems;
/// Of sealing a sheet.
pub struct SealProblems;
/// Of offering a draw, or to go on elsewhere, and of answering.
pub struct AgreeProblems;
/// Of resigning.
pub struct ResignProblems;
/// Of announcing an absence, and of offering a pause.
pub struct TimeProblems;
/// Of ending an absence.
pub struct EndProblems;
/// Of answering an offered pause.
pub struct OfferProblems;
/// Of dropping an offered pause.
pub struct DropProblems;
/// Of closing a game as unfinished.
pub struct CloseProblems;
/// Of claiming, and of seeking a substitute.
pub struct ClaimProblems;
/// Of letting the computer finish.
pub struct FinishProblems;
/// Of asking for a hint.
pub struct HintProblems;
/// Of setting the address.
pub struct AddressProblems;
/// Of stopping letters.
pub struct LettersProblems;
/// Of withdrawing an invitation.
pub struct WithdrawProblems;
/// Of unseating the opponent.
pub struct UnseatProblems;
/// Of reading messages.
pub struct ThreadProblems;
/// Of sending a message.
pub struct MessageProblems;
/// Of taking an open challenge.
pub struct ChallengeProblems;
/// Of listing what is public.
pub struct ListProblems;
/// Of reading a public game.
pub struct PublicProblems;
/// Of reading about a kind of problem.
pub struct AboutProblems;
/// Of answering the organiser.
pub struct ConsentProblems;
/// Of reading one thing on the desk.
pub struct AdminProblems;
/// Of reading all of something on the desk.
pub struct AdminReadProblems;
/// Of reading a list on the desk.
pub struct AdminListProblems;
/// Of acting on a game.
pub struct ActProblems;
/// Of opening a game for two people.
pub struct OpenForTwoProblems;
/// Of sending a letter again.
pub struct ResendProblems;
/// Of acting on something that the address names.
pub struct MendProblems;
/// Of making something.
pub struct NewProblems;
/// Of listing boards.
pub struct BoardsProblems;
/// Of setting up a webhook.
pub struct WebhooksProblems;
/// Of doing something with a webhook.
pub struct WebhookProblems;

/// By status, an answer that shows each of its kinds.
type Answers = BTreeMap<String, RefOr<Response>>;

impl IntoResponses for OpenProblems {
    fn responses() -> Answers {
        answers(&[ANY, BODY, &[&kinds::FIELD]])
    }
}

impl IntoResponses for LookProblems {
    fn responses() -> Answers {
        answers(&[ANY, BODY, INVITATION])
    }
}

impl IntoResponses for TakeProblems {
    fn responses() -> Answers {
        answers(&[ANY, BODY, INVITATION, &[&kinds::FIELD]])
    }
}

impl IntoResponses for SeatProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT])
    }
}

impl IntoResponses for FormProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::GAME_OVER]])
    }
}

impl IntoResponses for DraftProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, TURN, &[&kinds::FIELD]])
    }
}

impl IntoResponses for RetractProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, TURN])
    }
}

impl IntoResponses for CheckProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, SHEET])
    }
}

impl IntoResponses for AgreeProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, TURN, &[&kinds::OFFER, &kinds::FIELD]])
    }
}

impl IntoResponses for SealProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, SHEET, &[&kinds::WOULD_RESOLVE]])
    }
}

impl IntoResponses for ResignProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD, &kinds::GAME_OVER]])
    }
}

impl IntoResponses for TimeProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD, &kinds::NO_DEADLINES, &kinds::GAME_OVER]])
    }
}

impl IntoResponses for EndProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD, &kinds::NO_DEADLINES, &kinds::GAME_OVER]])
    }
}

impl IntoResponses for OfferProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD, &kinds::NO_OFFER, &kinds::NO_DEADLINES, &kinds::GAME_OVER]])
    }
}

impl IntoResponses for DropProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::NO_OFFER, &kinds::NO_DEADLINES, &kinds::GAME_OVER, &kinds::TOO_MANY]])
    }
}

impl IntoResponses for CloseProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::NOT_IDLE, &kinds::GAME_OVER, &kinds::TOO_MANY]])
    }
}

impl IntoResponses for ClaimProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::NO_CLAIM, &kinds::GAME_OVER, &kinds::TOO_MANY]])
    }
}

impl IntoResponses for LettersProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY])
    }
}

impl IntoResponses for FinishProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::NO_CLAIM, &kinds::GAME_OVER]])
    }
}

impl IntoResponses for HintProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::TURN_OVER, &kinds::TURN_AHEAD, &kinds::NO_HINT]])
    }
}

impl IntoResponses for AddressProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD]])
    }
}

impl IntoResponses for WithdrawProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::SEAT_TAKEN, &kinds::GAME_OVER, &kinds::TOO_MANY]])
    }
}

impl IntoResponses for UnseatProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::BEGUN, &kinds::GAME_OVER, &kinds::TOO_MANY]])
    }
}

impl IntoResponses for ThreadProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::FIELD]])
    }
}

impl IntoResponses for MessageProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD, &kinds::LOOKS_LIKE_SHEET]])
    }
}

impl IntoResponses for ChallengeProblems {
    fn responses() -> Answers {
        answers(&[ANY, BODY, &[&kinds::NOT_FOUND, &kinds::CHALLENGE_OVER, &kinds::FIELD]])
    }
}

impl IntoResponses for ListProblems {
    fn responses() -> Answers {
        answers(&[ANY, &[&kinds::FIELD]])
    }
}

impl IntoResponses for PublicProblems {
    fn responses() -> Answers {
        answers(&[ANY, &[&kinds::NOT_FOUND]])
    }
}

impl IntoResponses for AboutProblems {
    fn responses() -> Answers {
        answers(&[&[&kinds::NOT_FOUND]])
    }
}

impl IntoResponses for ConsentProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::OFFER, &kinds::GAME_OVER, &kinds::FIELD]])
    }
}

impl IntoResponses for AdminProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, &[&kinds::NOT_FOUND]])
    }
}

impl IntoResponses for AdminReadProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN])
    }
}

impl IntoResponses for AdminListProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, &[&kinds::PAGE]])
    }
}

impl IntoResponses for ActProblems {
    fn responses() -> Answers {
        let of_game = &[&kinds::NOT_FOUND, &kinds::OWN_GAME, &kinds::STALE, &kinds::GAME_OVER, &kinds::NO_DEADLINES];
        answers(&[ANY, ADMIN, BODY_OF_ACT, ACT, of_game])
    }
}

impl IntoResponses for OpenForTwoProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, BODY_OF_ACT, ACT])
    }
}

impl IntoResponses for ResendProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, BODY_OF_ACT, ACT, &[&kinds::NOT_FOUND, &kinds::OWN_GAME, &kinds::STALE]])
    }
}

impl IntoResponses for MendProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, BODY_OF_ACT, ACT, &[&kinds::NOT_FOUND]])
    }
}

impl IntoResponses for NewProblems {
    fn responses() -> Answers {
        answers(&[ANY, ADMIN, BODY_OF_ACT, ACT])
    }
}

impl IntoResponses for BoardsProblems {
    fn responses() -> Answers {
        answers(&[ANY])
    }
}

impl IntoResponses for WebhooksProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, BODY, &[&kinds::FIELD]])
    }
}

impl IntoResponses for WebhookProblems {
    fn responses() -> Answers {
        answers(&[ANY, SEAT, &[&kinds::TOO_MANY]])
    }
}

/// The answers for some sets of kinds.
fn answers(sets: &[&[&'static ProblemKind]]) -> Answers {
    let mut by_status: BTreeMap<u16, Vec<&'static ProblemKind>> = BTreeMap::new();
    for &kind in sets.iter().copied().flatten() {
        by_status.entry(kind.status.as_u16()).or_default().push(kind);
    }
    by_status.into_iter().map(|(status, kinds)| (status.to_string(), RefOr::T(answer(status, &kinds)))).collect()
}

fn answer(status: u16, kinds: &[&ProblemKind]) -> Response {
    let titles: Vec<String> = kinds.iter().map(|kind| format!("{} (`{}`)", kind.title, kind.word)).collect();
    let examples = kinds.iter().map(|kind| (kind.word, example(kind)));
    let content =
        ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).examples_from_iter(examples).build();
    let response = ResponseBuilder::new().description(titles.join("; ")).content(PROBLEM_JSON, content);
    let header = |about: &str| HeaderBuilder::new().description(Some(about)).build();
    match status {
        401 => response.header("WWW-Authenticate", header("The scheme, `Bearer`")).build(),
        429 | 503 => response.header("Retry-After", header("Seconds to wait")).build(),
        _ => response.build(),
    }
}

fn example(kind: &ProblemKind) -> Example {
    let value = json!({
        "type": kind.uri(),
        "title": kind.title,
        "status": kind.status.as_u16(),
        "detail": kind.about,
    });
    ExampleBuilder::new().summary(kind.title).value(Some(value)).build()
}
