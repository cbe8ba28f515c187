//! The kinds of problem: one table of their words, statuses and meanings, from which
//! the answers, the OpenAPI document and `/api/v1/problems` are made.
//!
//! A word never changes its meaning; new ones may be added.

use axum::http::StatusCode;

/// Where the descriptions of the kinds of problem stand; a kind's word follows.
const PATH: &str = "/api/v1/problems/";

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// The word by which programs know it.
    pub word: &'static str,
    /// The HTTP status.
    pub status: StatusCode,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it means, and what a client can do about it.
    pub about: &'static str,
}

impl ProblemKind {
    /// The `type` of a problem: a URI reference, at which the kind is described.
    pub fn uri(&self) -> String {
        format!("{PATH}{}", self.word)
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<&'static ProblemKind> {
        ALL.into_iter().find(|kind| kind.word == word)
    }
}

/// All kinds: requests that cannot be read, seats, sheets, and the server's own failures.
pub static ALL: [&ProblemKind; 37] = [
    &NO_ROUTE,
    &METHOD,
    &MEDIA_TYPE,
    &TOO_LARGE,
    &MALFORMED,
    &SHAPE,
    &FIELD,
    &TOKEN_MISSING,
    &TOKEN_UNKNOWN,
    &NOT_FOUND,
    &SEAT_TAKEN,
    &INVITATION_WITHDRAWN,
    &BEGUN,
    &TEXT,
    &EMPTY_NOT_MEANT,
    &TURN_OVER,
    &TURN_AHEAD,
    &WOULD_RESOLVE,
    &OFFER,
    &NO_CLAIM,
    &NO_HINT,
    &NO_DEADLINES,
    &NO_OFFER,
    &NOT_IDLE,
    &GAME_OVER,
    &CHALLENGE_OVER,
    &TOO_MANY,
    &LOOKS_LIKE_SHEET,
    &ADMIN_TOKEN_MISSING,
    &ADMIN_TOKEN_UNKNOWN,
    &SCOPE,
    &OWN_GAME,
    &STALE,
    &KEY_REUSED,
    &PAGE,
    &STORE,
    &BROKEN,
];

/// No such address of the API.
pub static NO_ROUTE: ProblemKind = ProblemKind {
    word: "no_route",
    status: StatusCode::NOT_FOUND,
    title: "There is no such address in the API",
    about: "/api/v1/openapi.json describes all there are.",
};
/// The address does not take this method.
pub static METHOD: ProblemKind = ProblemKind {
    word: "method",
    status: StatusCode::METHOD_NOT_ALLOWED,
    title: "The address does not take this method",
    about: "The header Allow names the methods that it takes.",
};
/// The body is not sent as JSON.
pub static MEDIA_TYPE: ProblemKind = ProblemKind {
    word: "media_type",
    status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
    title: "The body is not sent as JSON",
    about: "Send the header Content-Type: application/json.",
};
/// The body is too large.
pub static TOO_LARGE: ProblemKind = ProblemKind {
    word: "too_large",
    status: StatusCode::PAYLOAD_TOO_LARGE,
    title: "The body is too large",
    about: "A body may have 65,536 bytes.",
};
/// The body is not JSON.
pub static MALFORMED: ProblemKind = ProblemKind {
    word: "malformed",
    status: StatusCode::BAD_REQUEST,
    title: "The body is not JSON",
    about: "The detail says where reading it failed.",
};
/// The body is JSON of the wrong shape.
pub static SHAPE: ProblemKind = ProblemKind {
    word: "shape",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "The body does not have the right shape",
    about: "A member is missing, unknown, there twice or of the wrong type; `field` names it.",
};
/// A member of the body is not as it should be.
pub static FIELD: ProblemKind = ProblemKind {
    word: "field",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "A value is not as it should be",
    about: "`field` names the member of the body, and the detail says what is wrong with it.",
};
/// No token was sent, or none that could be one.
pub static TOKEN_MISSING: ProblemKind = ProblemKind {
    word: "token_missing",
    status: StatusCode::UNAUTHORIZED,
    title: "A seat's token is needed",
    about: "Send the header Authorization: Bearer, followed by the token of the seat.",
};
/// The token opens no seat.
pub static TOKEN_UNKNOWN: ProblemKind = ProblemKind {
    word: "token_unknown",
    status: StatusCode::UNAUTHORIZED,
    title: "This token opens no seat",
    about: "It was mistyped, or the seat has got a new one since, or its holder was unseated.",
};
/// Nothing here, or not the asker's.
pub static NOT_FOUND: ProblemKind = ProblemKind {
    word: "not_found",
    status: StatusCode::NOT_FOUND,
    title: "Not found",
    about: "There is no such game, seat, day or invitation, or the token opens another seat: the answer is the same.",
};
/// The invitation's seat is taken.
pub static SEAT_TAKEN: ProblemKind = ProblemKind {
    word: "seat_taken",
    status: StatusCode::CONFLICT,
    title: "The seat is taken",
    about: "An invitation is taken once. Whoever took it goes on with the token of the seat.",
};
/// The invitation was withdrawn.
pub static INVITATION_WITHDRAWN: ProblemKind = ProblemKind {
    word: "invitation_withdrawn",
    status: StatusCode::GONE,
    title: "The invitation was withdrawn",
    about: "The inviter has a new one.",
};
/// Too late to unseat anybody.
pub static BEGUN: ProblemKind = ProblemKind {
    word: "begun",
    status: StatusCode::CONFLICT,
    title: "The game has begun",
    about: "The opponent can be unseated only until the deployments are revealed.",
};
/// The text cannot be read as a sheet.
pub static TEXT: ProblemKind = ProblemKind {
    word: "text",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "The text cannot be read",
    about: "`line` and `word` say where, as far as one is to blame. What was sealed before stays sealed.",
};
/// An empty sheet was not meant.
pub static EMPTY_NOT_MEANT: ProblemKind = ProblemKind {
    word: "empty_not_meant",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "The text holds no orders",
    about: "An empty list of orders has to be meant.",
};
/// The sheet's turn is over.
pub static TURN_OVER: ProblemKind = ProblemKind {
    word: "turn_over",
    status: StatusCode::CONFLICT,
    title: "The turn is over",
    about: "The sheet was not used. Read the game's state and write one for the awaited turn.",
};
/// The sheet's turn has not come.
pub static TURN_AHEAD: ProblemKind = ProblemKind {
    word: "turn_ahead",
    status: StatusCode::CONFLICT,
    title: "The turn has not begun",
    about: "Read the game's state: its `turn` is the one that is awaited.",
};
/// The seal would resolve the turn, and the sender did not want that.
pub static WOULD_RESOLVE: ProblemKind = ProblemKind {
    word: "would_resolve",
    status: StatusCode::CONFLICT,
    title: "The seal would resolve the turn",
    about: "The opponent has sealed, and `only_if_first` was asked for. Nothing was sealed.",
};
/// An offer that cannot be made or answered now.
pub static OFFER: ProblemKind = ProblemKind {
    word: "offer",
    status: StatusCode::CONFLICT,
    title: "Not agreed",
    about: "Such an offer stands already, or it does not stand any more, or there is nobody to agree with. Nothing was changed.",
};
/// There is nothing to claim.
pub static NO_CLAIM: ProblemKind = ProblemKind {
    word: "no_claim",
    status: StatusCode::CONFLICT,
    title: "There is nothing to claim",
    about: "The opponent has not missed as many turns as the game allows, or has sealed and is back: `claim` of the game is null.",
};
/// No hint in this game.
pub static NO_HINT: ProblemKind = ProblemKind {
    word: "no_hint",
    status: StatusCode::CONFLICT,
    title: "There is no hint in this game",
    about: "Hints are given in games against the computer, in games at one device, and after the end of any game.",
};
/// There are no deadlines to move.
pub static NO_DEADLINES: ProblemKind = ProblemKind {
    word: "no_deadlines",
    status: StatusCode::CONFLICT,
    title: "The game has no deadlines",
    about: "Absences and pauses move deadlines, and this game has none.",
};
/// No such pause is offered.
pub static NO_OFFER: ProblemKind = ProblemKind {
    word: "no_offer",
    status: StatusCode::CONFLICT,
    title: "No such pause is offered",
    about: "It was withdrawn, replaced, accepted, or lapsed with its turn. Read the game's state: `time.pause_offer`.",
};
/// The game may not be closed yet.
pub static NOT_IDLE: ProblemKind = ProblemKind {
    word: "not_idle",
    status: StatusCode::CONFLICT,
    title: "The game has not lain still for long enough",
    about: "Games without deadlines may be closed from `time.closes_from` on; others not at all.",
};
/// The game is over.
pub static GAME_OVER: ProblemKind = ProblemKind {
    word: "game_over",
    status: StatusCode::CONFLICT,
    title: "The game is over",
    about: "Nothing more can be done in it.",
};
/// A challenge is open no more.
pub static CHALLENGE_OVER: ProblemKind = ProblemKind {
    word: "challenge_over",
    status: StatusCode::CONFLICT,
    title: "The challenge is over",
    about: "Somebody has taken the seat, the challenger has withdrawn it, or its time is over.",
};
/// A message holds what could be read as a sheet.
pub static LOOKS_LIKE_SHEET: ProblemKind = ProblemKind {
    word: "looks_like_sheet",
    status: StatusCode::CONFLICT,
    title: "The message looks like orders or a deployment",
    about: "Nothing was sent. Send it again with `all_the_same` if the opponent is to read it.",
};
/// Too much of something in too short a time.
pub static TOO_MANY: ProblemKind = ProblemKind {
    word: "too_many",
    status: StatusCode::TOO_MANY_REQUESTS,
    title: "Too many at once",
    about: "The detail says of what. Nothing was done; try again later, after the seconds in Retry-After where it stands.",
};
/// No token of an organiser was sent.
pub static ADMIN_TOKEN_MISSING: ProblemKind = ProblemKind {
    word: "admin_token_missing",
    status: StatusCode::UNAUTHORIZED,
    title: "An organiser's token is needed",
    about: "Send the header Authorization: Bearer, followed by a token that `fieldcommand token make` has made.",
};
/// The token is no organiser's.
pub static ADMIN_TOKEN_UNKNOWN: ProblemKind = ProblemKind {
    word: "admin_token_unknown",
    status: StatusCode::UNAUTHORIZED,
    title: "This token opens nothing",
    about: "It was mistyped, or it was revoked, or its time is over.",
};
/// The token is for less.
pub static SCOPE: ProblemKind = ProblemKind {
    word: "scope",
    status: StatusCode::FORBIDDEN,
    title: "The token is for less",
    about: "A token of scope `read` looks, one of scope `act` acts as well, one of scope `owner` makes and revokes tokens too.",
};
/// The organiser plays in the game.
pub static OWN_GAME: ProblemKind = ProblemKind {
    word: "own_game",
    status: StatusCode::FORBIDDEN,
    title: "The organiser plays in this game",
    about: "The person whom the token belongs to has a seat there. Another organiser has to do it.",
};
/// The game has changed.
pub static STALE: ProblemKind = ProblemKind {
    word: "stale",
    status: StatusCode::PRECONDITION_FAILED,
    title: "The game has changed",
    about: "If-Match does not name the game as it is now. Nothing was done; read the game again.",
};
/// A key was used for another request.
pub static KEY_REUSED: ProblemKind = ProblemKind {
    word: "key_reused",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "The key was used for another request",
    about: "An Idempotency-Key stands for one request of one token, for 48 hours. Nothing was done.",
};
/// A part of the query is not as it should be.
pub static PAGE: ProblemKind = ProblemKind {
    word: "query",
    status: StatusCode::UNPROCESSABLE_ENTITY,
    title: "A part of the query is not as it should be",
    about: "The detail says which. Lists go on at what stands in `next`.",
};
/// The database was busy or away.
pub static STORE: ProblemKind = ProblemKind {
    word: "store",
    status: StatusCode::SERVICE_UNAVAILABLE,
    title: "The server could not keep this just now",
    about: "Nothing was changed. Send the same again after the seconds in Retry-After.",
};
/// The server failed.
pub static BROKEN: ProblemKind = ProblemKind {
    word: "broken",
    status: StatusCode::INTERNAL_SERVER_ERROR,
    title: "The server failed",
    about: "It is the server's fault and not the request's; the organiser has to look.",
};
