//! A game as the holder of a seat may see it, and the form of the sheet that is awaited.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::asker::{Asker, SeatPath};
use super::computers::Computers;
use super::invitations::OpenInvitation;
use super::links::Links;
use super::offers::{CarriedOn, StandingOffer};
use super::organiser::Organiser;
use super::problem::Problem;
use super::problem_sets::{FormProblems, SeatProblems};
use super::schema;
use super::settings::{PaceChoice, Settings, TermsChoice};
use super::time::Time;
use crate::clock::Timestamp;
use crate::picture;
use crate::play::PlayError;
use crate::play::deadline::Missed;
use crate::play::stopped::Stopped;
use crate::play::view::{Ended, Seal, SealedSheet, SeatView};
use crate::rules::{BySide, Outcome, Preset, Side, Standing};
use crate::web::WebState;

/// A picture opened by itself is drawn and does nothing else.
const PICTURE_POLICY: &str = "default-src 'none'";

/// A game as the holder of one seat may see it. Of the opponent's sheet only the seal is open.
#[derive(Serialize, ToSchema)]
pub struct GameState {
    /// The game's id.
    #[schema(example = "8q4nwz0v6m2k")]
    game: String,
    /// Whose view it is.
    #[schema(value_type = schema::Side)]
    side: Side,
    settings: Settings,
    #[schema(value_type = schema::Names)]
    names: BySide<Option<String>>,
    computers: Computers,
    /// Whether the computer may be asked what it would write here.
    hints: bool,
    /// The turn that is awaited: 0 for the deployment, n for day n. After the end, the turn that will not be played.
    #[schema(example = 5)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 5")]
    turn_name: String,
    /// Whose sheets for this turn are still missing; nobody's once the game is over.
    #[schema(value_type = schema::Flags)]
    awaits: BySide<bool>,
    /// The seat's own sheet for this turn, if it is sealed.
    #[schema(required)]
    own: Option<OwnSheet>,
    /// How fast the game goes.
    pace: PaceChoice,
    /// When this turn is due; `null` without deadlines, and until both seats are taken.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T18:00:00Z")]
    due_at: Option<Timestamp>,
    /// The terms of the game's clock.
    terms: TermsChoice,
    /// Until when both may still replace their sheets, since both are in; then the turn is resolved. `null` if not.
    #[schema(required, value_type = Option<String>, format = DateTime, example = "2026-03-08T17:10:00Z")]
    settles_at: Option<Timestamp>,
    /// What stands of its time beside the deadline.
    time: Time,
    /// How many turns each side has missed.
    missed: MissedBySide,
    /// What may be claimed now because the opponent stays away; `null` if nothing.
    #[schema(required)]
    claim: Option<OpenClaim>,
    /// What the seat has written so far for this turn and not sealed, as it was typed.
    #[schema(required, example = "H7-F7")]
    draft: Option<String>,
    /// Whether the draft shall be used if nothing is sealed when the turn is due. The seat alone sees this.
    use_when_due: bool,
    opponent: Opponent,
    #[schema(value_type = schema::Standing)]
    standing: Standing,
    /// How the game ended; `null` while it goes on.
    #[schema(required)]
    ended: Option<End>,
    /// What one side offers the other until this turn is resolved.
    offers: Vec<StandingOffer>,
    /// What the organiser did in this game, and asks.
    organiser: Organiser,
    /// The game that this one carries on.
    #[schema(required, example = "8q4nwz0v6m2k")]
    continues: Option<String>,
    /// Where this game goes on, if both agreed to that.
    #[schema(required)]
    continued_in: Option<CarriedOn>,
    /// The numbers of the resolved turns.
    #[schema(example = json!([0, 1, 2, 3, 4]))]
    days: Vec<u32>,
    /// The address that this seat's letters go to; its owner has confirmed it.
    #[schema(required, example = "ann@example.org")]
    address: Option<String>,
    /// Why no letters about the game go to a side that has an address; `null` where they do.
    letters_stopped: StoppedBySide,
    /// An address that was given and that nobody has confirmed yet; nothing but the question goes there.
    #[schema(required)]
    unconfirmed_address: Option<String>,
    /// The open invitation to the other seat; who sits opposite it alone sees it.
    #[schema(required)]
    invitation: Option<OpenInvitation>,
    /// Whether this seat may unseat the opponent.
    may_unseat: bool,
    /// When the game was opened.
    #[schema(value_type = String, format = DateTime, example = "2026-03-01T18:00:00Z")]
    opened_at: Timestamp,
    /// Rises with every change of what this answer shows.
    #[schema(example = 17)]
    version: i64,
    links: Links,
}

/// A sealed sheet, for its writer.
#[derive(Serialize, ToSchema)]
pub struct OwnSheet {
    /// The sheet in canonical notation, which is what the seal is made of.
    #[schema(example = "H7-F7 G8-F8")]
    text: String,
    /// Its size in words.
    #[schema(example = "2 orders")]
    measure: String,
    #[serde(flatten)]
    seal: ShownSeal,
    /// The salt of the seal, 32 hexadecimal digits; the opponent learns it with the sheet.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    salt: String,
}

/// A seal: proof that a sheet was written before the other was seen.
#[derive(Serialize, ToSchema)]
pub struct ShownSeal {
    /// SHA-256 over game, turn, side, salt and sheet, 64 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab")]
    seal: String,
    /// When it was sealed.
    #[schema(value_type = String, format = DateTime, example = "2026-03-05T19:21:07Z")]
    sealed_at: Timestamp,
}

/// Why no letters about the game go to each side.
#[derive(Serialize, ToSchema)]
pub struct StoppedBySide {
    #[schema(required)]
    red: Option<LettersStopped>,
    #[schema(required)]
    blue: Option<LettersStopped>,
}

/// Why no letters go to a side.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LettersStopped {
    /// Its player wants none.
    Unwanted,
    /// Too many came back.
    Returned,
}

impl LettersStopped {
    pub const fn of(stopped: Stopped) -> LettersStopped {
        match stopped {
            Stopped::Unwanted(_) => LettersStopped::Unwanted,
            Stopped::Returned(_) => LettersStopped::Returned,
        }
    }
}

/// The turns that each side has missed.
#[derive(Serialize, ToSchema)]
pub struct MissedBySide {
    red: MissedTurns,
    blue: MissedTurns,
}

/// The turns that a side has missed.
#[derive(Serialize, ToSchema)]
pub struct MissedTurns {
    /// In all.
    #[schema(example = 2)]
    all: i64,
    /// One after the other, up to the last.
    #[schema(example = 1)]
    running: i64,
}

/// What may be claimed because the opponent stays away.
#[derive(Serialize, ToSchema)]
pub struct OpenClaim {
    /// How the game would end.
    #[schema(value_type = schema::Outcome)]
    outcome: Outcome,
    /// Whether a substitute can be sought; not where the opponent's seat is free already.
    substitute: bool,
}

impl From<Missed> for MissedTurns {
    fn from(missed: Missed) -> MissedTurns {
        MissedTurns { all: missed.all, running: missed.running }
    }
}

/// What is open of the opponent.
#[derive(Serialize, ToSchema)]
pub struct Opponent {
    /// Whether the opponent's seat is taken.
    present: bool,
    /// The seal of the opponent's sheet for this turn; `null` until there is one.
    #[schema(required)]
    sealed: Option<ShownSeal>,
}

/// How a game ended.
#[derive(Serialize, ToSchema)]
pub struct End {
    /// Who won; `null` where the game is void.
    #[schema(required, value_type = Option<schema::Outcome>)]
    outcome: Option<Outcome>,
    /// What decided it, in a sentence.
    #[schema(example = "Blue's General has been removed: Red wins.")]
    how: String,
    /// When.
    #[schema(value_type = String, format = DateTime, example = "2026-03-09T20:02:44Z")]
    at: Timestamp,
}

impl From<Seal> for ShownSeal {
    fn from(seal: Seal) -> ShownSeal {
        ShownSeal { seal: seal.hash, sealed_at: seal.at }
    }
}

impl From<SealedSheet> for OwnSheet {
    fn from(sheet: SealedSheet) -> OwnSheet {
        OwnSheet { text: sheet.text, measure: sheet.measure, seal: sheet.seal.into(), salt: sheet.salt }
    }
}

impl From<Ended> for End {
    fn from(ended: Ended) -> End {
        End { outcome: ended.outcome, how: ended.how, at: ended.at }
    }
}

impl GameState {
    fn of(web: &WebState, view: SeatView) -> GameState {
        let sealed = |side| if side == view.side { view.own.is_some() } else { view.other.is_some() };
        let open = view.standing.awaits();
        GameState {
            game: view.game.to_string(),
            side: view.side,
            settings: Settings::of(&view.setup, view.board),
            turn: view.standing.turn(),
            turn_name: view.standing.turn_name(),
            awaits: BySide::from_fn(|side| view.ended.is_none() && *open.get(side) && !sealed(side)),
            names: view.names,
            computers: view.computers.into(),
            hints: view.hints,
            own: view.own.map(Into::into),
            pace: view.pace.into(),
            due_at: view.due,
            terms: view.time.terms.clone().into(),
            settles_at: view.time.settles,
            missed: MissedBySide { red: view.missed.red.into(), blue: view.missed.blue.into() },
            claim: view.time.claim.map(|claim| OpenClaim { outcome: claim.outcome, substitute: claim.substitute }),
            use_when_due: !view.time.withheld,
            time: view.time.into(),
            draft: view.draft,
            opponent: Opponent { present: view.opponent_present, sealed: view.other.map(Into::into) },
            standing: view.standing,
            ended: view.ended.map(Into::into),
            offers: view.offers.into_iter().map(Into::into).collect(),
            organiser: view.organiser.into(),
            continues: view.continues.map(|game| game.to_string()),
            continued_in: view.continued_in.map(Into::into),
            days: view.resolved,
            address: view.address,
            letters_stopped: StoppedBySide {
                red: view.stopped.red.map(LettersStopped::of),
                blue: view.stopped.blue.map(LettersStopped::of),
            },
            unconfirmed_address: view.unconfirmed,
            invitation: view.invitation.map(|secret| OpenInvitation::of(web, &secret)),
            may_unseat: view.may_unseat,
            opened_at: view.opened_at,
            version: view.version,
            links: Links::of(&view.game, view.side),
        }
    }
}

/// Read a game
///
/// As the holder of this seat may see it. A client that waits for the opponent asks again
/// every few seconds and compares `version`.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}",
    tag = "playing",
    operation_id = "read_game",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The game", body = GameState), SeatProblems)
)]
pub async fn state(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<GameState>, Problem> {
    let view = web.play.view(&seat).await?;
    Ok(Json(GameState::of(&web, view)))
}

/// Draw the board
///
/// The standing as a picture, with the side's own edge at the bottom.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/board.svg",
    tag = "playing",
    operation_id = "draw_board",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The picture", content_type = "image/svg+xml", body = String), SeatProblems)
)]
pub async fn board(State(web): State<WebState>, Asker(seat): Asker) -> Result<impl IntoResponse, Problem> {
    let view = web.play.view(&seat).await?;
    let headers = [(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, PICTURE_POLICY)];
    Ok((headers, picture::standing(&view.standing, view.side)))
}

/// What is asked for, and how it is written.
#[derive(Serialize, ToSchema)]
pub struct Form {
    /// The turn that is awaited.
    #[schema(example = 5)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 5")]
    turn_name: String,
    /// What is asked for, as a noun.
    #[schema(value_type = String, example = "orders")]
    noun: &'static str,
    /// What to do, in a sentence.
    #[schema(example = "Write up to 12 orders for day 5.")]
    ask: String,
    /// How it is written.
    #[schema(value_type = String, example = "One order a line, or parted by commas.")]
    notation: &'static str,
    /// The beginning of one, to show the form.
    #[schema(example = "H7-F7\nI2 G8-F8")]
    example: String,
    /// Whether an empty sheet can be sealed.
    may_be_empty: bool,
    /// Whether what is missing can be filled in by chance.
    fills: bool,
    /// Ready-made sheets.
    presets: Vec<ReadySheet>,
}

/// A ready-made sheet.
#[derive(Serialize, ToSchema)]
pub struct ReadySheet {
    /// Its name for programs.
    #[schema(value_type = String, example = "balanced")]
    key: &'static str,
    /// Its name for people.
    #[schema(value_type = String, example = "Balanced")]
    name: &'static str,
    /// What it is good for.
    #[schema(value_type = String)]
    about: &'static str,
    /// The sheet.
    text: String,
}

impl From<Preset> for ReadySheet {
    fn from(preset: Preset) -> ReadySheet {
        ReadySheet { key: preset.key, name: preset.name, about: preset.about, text: preset.text }
    }
}

/// Ask what is awaited
///
/// The form of the sheet for the awaited turn: what to write, in which notation, with ready-made ones.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/form",
    tag = "playing",
    operation_id = "read_form",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The form", body = Form), FormProblems)
)]
pub async fn form(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<Form>, Problem> {
    let view = web.play.view(&seat).await?;
    if view.ended.is_some() {
        return Err(PlayError::GameOver.into());
    }
    let form = view.standing.entry_form(view.side);
    Ok(Json(Form {
        turn: view.standing.turn(),
        turn_name: view.standing.turn_name(),
        noun: form.noun,
        ask: form.ask,
        notation: form.notation,
        example: form.example,
        may_be_empty: form.empty.is_some(),
        fills: form.fills,
        presets: form.presets.into_iter().map(Into::into).collect(),
    }))
}
