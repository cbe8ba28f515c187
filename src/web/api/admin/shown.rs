//! What the desk shows, as JSON.

use axum::Json;
use axum::http::header::{ETAG, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::computers::Computers;
use super::super::letters::Fate;
use super::super::links::ROOT;
use super::super::problem::Problem;
use super::super::schema;
use super::super::settings::{PaceChoice, Settings, TermsChoice};
use super::super::state::{End, LettersStopped, MissedTurns};
use crate::clock::Timestamp;
use crate::play::GameId;
use crate::play::admin::ActLine;
use crate::play::admin::game::{DeskGame, DeskSeat, DeskTurn};
use crate::play::admin::games::{DeskLine, DeskState};
use crate::play::admin::letters::DeskLetter;
use crate::play::admin::mails::DeskMail;
use crate::rules::{BySide, Side};

/// The part of an address that names a game.
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

/// The parts of an address that name a seat.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SeatParam {
    /// The game's id.
    #[param(example = "8q4nwz0v6m2k")]
    id: String,
    /// The side.
    #[param(value_type = schema::Side)]
    side: String,
}

impl SeatParam {
    /// The seat, if the texts can be one.
    pub fn seat(&self) -> Result<(GameId, Side), Problem> {
        GameId::parse(&self.id).zip(Side::from_word(&self.side)).ok_or_else(Problem::not_found)
    }
}

/// The part of an address that names something else.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IdParam {
    /// Its id.
    #[param(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    pub id: String,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameStateWord {
    /// A seat has never been taken.
    Open,
    /// It goes on.
    Running,
    /// Nothing is due for a while.
    Paused,
    /// It is over.
    Ended,
}

/// A game in a list of the desk.
#[derive(Serialize, ToSchema)]
pub struct AdminGameLine {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// Its address on the desk.
    #[schema(format = "uri-reference", example = "/api/v1/admin/games/8q4nwz0v6m2k")]
    href: String,
    #[schema(value_type = schema::Names)]
    names: BySide<Option<String>>,
    computers: Computers,
    state: GameStateWord,
    /// Whether something is wrong with it: a turn is late, a side stays away, a seat is free in a game that goes on, letters
    /// came back, or nothing has moved for 14 days.
    stuck: bool,
    /// Whether what is kept of it cannot be read; then it can only be cancelled.
    broken: bool,
    /// The turn that is awaited: 0 for the deployment, n for day n.
    #[schema(example = 5)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 5")]
    turn_name: String,
    /// When it is due; `null` where nothing is.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T18:00:00Z")]
    due_at: Option<Timestamp>,
    /// Until when nothing is due; `null` where it is not paused.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-04-01T00:00:00Z")]
    paused_until: Option<Timestamp>,
    /// When it was opened.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    opened_at: Timestamp,
    /// When its last turn was resolved, or its last seat taken.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    moved_at: Timestamp,
    /// How it ended; `null` while it goes on.
    #[schema(required)]
    ended: Option<End>,
}

impl From<DeskLine> for AdminGameLine {
    fn from(line: DeskLine) -> AdminGameLine {
        AdminGameLine {
            href: format!("{ROOT}/admin/games/{}", line.game),
            game: line.game.to_string(),
            names: line.names,
            computers: line.computers.into(),
            state: match line.state {
                DeskState::Open => GameStateWord::Open,
                DeskState::Paused => GameStateWord::Paused,
                DeskState::Ended => GameStateWord::Ended,
                DeskState::Running | DeskState::Any | DeskState::Stuck => GameStateWord::Running,
            },
            stuck: line.stuck,
            broken: line.broken,
            turn: line.turn,
            turn_name: line.turn_name,
            due_at: line.due,
            paused_until: line.paused_until,
            opened_at: line.opened_at,
            moved_at: line.moved_at,
            ended: line.ended.map(Into::into),
        }
    }
}

/// A game with all that happened around it. Of the open turn: whether each side has sealed, and nothing else.
#[derive(Serialize, ToSchema)]
pub struct AdminGame {
    #[serde(flatten)]
    line: AdminGameLine,
    /// Rises with each change; the entity tag is made of it.
    #[schema(example = 17)]
    version: i64,
    settings: Settings,
    pace: PaceChoice,
    terms: TermsChoice,
    /// Whether everybody may look on.
    public: bool,
    /// Whether both sides sit at one device.
    one_device: bool,
    /// When the awaited turn was due before an outage of the server put it off; `null` if none did.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T17:00:00Z")]
    put_off_from: Option<Timestamp>,
    seats: AdminSeats,
    /// The resolved turns, the first one first.
    turns: Vec<AdminTurn>,
    /// The last 100 letters about it, the newest first.
    letters: Vec<AdminLetter>,
    /// The last 100 mails to its seats, the newest first.
    mails: Vec<AdminMail>,
    /// What organisers did, the first act first.
    acts: Vec<AdminActLine>,
}

/// Both seats.
#[derive(Serialize, ToSchema)]
pub struct AdminSeats {
    red: AdminSeat,
    blue: AdminSeat,
}

/// A seat on the desk.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is something of its own that is so or not")]
pub struct AdminSeat {
    /// Whether somebody sits there.
    taken: bool,
    /// The id of its person; `null` where no address is confirmed.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    person: Option<String>,
    /// Whether an address was given and not confirmed yet.
    address_unconfirmed: bool,
    /// Whether the sheet for the awaited turn is sealed.
    sealed: bool,
    missed: MissedTurns,
    /// Whether its player stays away: too many turns were missed running.
    away: bool,
    /// Why no letters go there; `null` where they do.
    #[schema(required)]
    letters_stopped: Option<LettersStopped>,
    /// How many links it has had.
    #[schema(example = 1)]
    links: i64,
    /// Whether its player is an organiser too.
    organiser: bool,
    /// Since when a new link waits for the opponent's consent; `null` if none does.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-04T21:40:12Z")]
    reissue_asked_at: Option<Timestamp>,
}

impl From<DeskSeat> for AdminSeat {
    fn from(seat: DeskSeat) -> AdminSeat {
        AdminSeat {
            taken: seat.taken,
            person: seat.person,
            address_unconfirmed: seat.unconfirmed,
            sealed: seat.sealed,
            missed: seat.missed.into(),
            away: seat.away,
            letters_stopped: seat.stopped.map(LettersStopped::of),
            links: seat.link_generation,
            organiser: seat.organiser,
            reissue_asked_at: seat.reissue_asked,
        }
    }
}

/// A resolved turn on the desk.
#[derive(Serialize, ToSchema)]
pub struct AdminTurn {
    /// Its number: 0 for the deployment, n for day n.
    #[schema(example = 4)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 4")]
    name: String,
    /// How Red's sheet came about: `sealed`, `draft`, `missed`, `late` or `ready_made`.
    #[schema(value_type = String, example = "sealed")]
    red: &'static str,
    /// How Blue's did.
    #[schema(value_type = String, example = "missed")]
    blue: &'static str,
    /// When it was resolved.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    resolved_at: Timestamp,
}

impl From<DeskTurn> for AdminTurn {
    fn from(turn: DeskTurn) -> AdminTurn {
        let DeskTurn { turn, name, how, resolved_at } = turn;
        AdminTurn { turn, name, red: how.red.word(), blue: how.blue.word(), resolved_at }
    }
}

/// A letter on the desk, without what it says.
#[derive(Serialize, ToSchema)]
pub struct AdminLetter {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// What it is; more kinds may be added.
    #[schema(value_type = String, example = "report")]
    kind: &'static str,
    /// About which game; `null` for one about none.
    #[schema(required, example = "8q4nwz0v6m2k")]
    game: Option<String>,
    /// To which side.
    #[schema(required, value_type = Option<schema::Side>)]
    side: Option<Side>,
    /// The turn that was awaited when it was written.
    #[schema(required, example = 5)]
    turn: Option<u32>,
    /// The id of the person whose it is; `null` for one to an address that is nobody's yet.
    #[schema(required, example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    person: Option<String>,
    /// When it was written.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    queued_at: Timestamp,
    fate: Fate,
    /// When that was; of a letter that waits, when it is tried for the next time.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:13Z")]
    at: Timestamp,
    /// What went wrong; `null` where nothing did.
    #[schema(required, example = "permanent error (550): no such user")]
    why: Option<String>,
    /// How often it was tried.
    #[schema(example = 1)]
    attempts: u32,
}

impl From<DeskLetter> for AdminLetter {
    fn from(letter: DeskLetter) -> AdminLetter {
        AdminLetter {
            kind: letter.kind.word(),
            game: letter.game.as_ref().map(GameId::to_string),
            side: letter.side,
            turn: letter.turn,
            person: letter.person,
            queued_at: letter.queued_at,
            at: letter.fate.at(),
            why: letter.fate.why().map(str::to_owned),
            fate: Fate::of(&letter.fate),
            attempts: letter.attempts,
            id: letter.id,
        }
    }
}

/// A mail that came. What it said is kept nowhere.
#[derive(Serialize, ToSchema)]
pub struct AdminMail {
    /// For a seat of which game.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    #[schema(value_type = schema::Side)]
    side: Side,
    /// What became of it; more words may be added.
    #[schema(example = "answered")]
    verdict: String,
    /// When it came.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    at: Timestamp,
}

impl From<DeskMail> for AdminMail {
    fn from(mail: DeskMail) -> AdminMail {
        AdminMail { game: mail.game.to_string(), side: mail.side, verdict: mail.verdict, at: mail.at }
    }
}

/// What an organiser did, as it stands in the log.
#[derive(Serialize, ToSchema)]
pub struct AdminActLine {
    /// The id.
    #[schema(example = "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9aa")]
    id: String,
    /// When it was done.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    at: Timestamp,
    /// Whose token it was; a side's name for what a player did about it.
    #[schema(example = "Olga")]
    who: String,
    /// What was done; more words may be added.
    #[schema(example = "paused")]
    act: String,
    /// In which game; `null` for what concerns none.
    #[schema(required, example = "8q4nwz0v6m2k")]
    game: Option<String>,
    /// To which side; `null` for what concerns both or none.
    #[schema(required, value_type = Option<schema::Side>)]
    side: Option<Side>,
    /// What exactly, in words.
    #[schema(example = "nothing is due until 2026-04-01T00:00:00Z")]
    about: String,
    /// Why; the players read it.
    #[schema(example = "Both are at the tournament.")]
    reason: String,
    /// What organisers alone read.
    #[schema(required, example = "They asked by telephone.")]
    note: Option<String>,
    /// The game's version afterwards.
    #[schema(required, example = 18)]
    version: Option<i64>,
}

impl From<ActLine> for AdminActLine {
    fn from(act: ActLine) -> AdminActLine {
        AdminActLine {
            id: act.id,
            at: act.at,
            who: act.who,
            act: act.act,
            game: act.game.as_ref().map(GameId::to_string),
            side: act.side,
            about: act.about,
            reason: act.reason,
            note: act.note,
            version: act.version,
        }
    }
}

impl From<DeskGame> for AdminGame {
    fn from(game: DeskGame) -> AdminGame {
        AdminGame {
            line: game.line.into(),
            version: game.version,
            settings: Settings::of(&game.setup, game.board),
            pace: game.pace.into(),
            terms: game.terms.into(),
            public: game.public,
            one_device: game.one_device,
            put_off_from: game.put_off_from,
            seats: AdminSeats { red: game.seats.red.into(), blue: game.seats.blue.into() },
            turns: game.turns.into_iter().map(Into::into).collect(),
            letters: game.letters.into_iter().map(Into::into).collect(),
            mails: game.mails.into_iter().map(Into::into).collect(),
            acts: game.acts.into_iter().map(Into::into).collect(),
        }
    }
}

/// The header with the entity tag of a version.
pub fn tag(version: Option<i64>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(tag) = version.and_then(|version| HeaderValue::from_str(&format!("\"{version}\"")).ok()) {
        headers.insert(ETAG, tag);
    }
    headers
}

/// The answer to an act: its line in the log, with the entity tag of the game afterwards.
pub type Done = (StatusCode, HeaderMap, Json<AdminActLine>);

/// The answer to an act.
pub fn done(act: ActLine) -> Done {
    (StatusCode::OK, tag(act.version), Json(act.into()))
}

/// The answer to an act by which something came to be.
pub fn made(act: ActLine) -> Done {
    let mut headers = tag(act.version);
    let place = act.game.as_ref().and_then(|game| format!("{ROOT}/admin/games/{game}").parse().ok());
    if let Some(place) = place {
        headers.insert(LOCATION, place);
    }
    (StatusCode::CREATED, headers, Json(act.into()))
}
