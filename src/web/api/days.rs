//! The resolved turns: a list of them, and each with its report and both sheets.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asker::{Asker, SeatPath};
use super::links::Links;
use super::problem::Problem;
use super::problem_sets::SeatProblems;
use super::schema;
use super::state::OwnSheet;
use crate::clock::Timestamp;
use crate::play::resolve::How;
use crate::record::Record;
use crate::rules::{Chapter, Report, StoryLine, Tone};
use crate::web::WebState;

/// The resolved turns of a game, the first one first.
#[derive(Serialize, ToSchema)]
pub struct Days {
    days: Vec<DayLine>,
}

/// A resolved turn, by name.
#[derive(Serialize, ToSchema)]
pub struct DayLine {
    /// Its number: 0 for the deployment, n for day n.
    #[schema(example = 4)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 4")]
    name: String,
    /// Its address in the API.
    #[schema(format = "uri-reference", example = "/api/v1/games/8q4nwz0v6m2k/red/days/4")]
    href: String,
}

/// A turn that has been resolved.
#[derive(Serialize, ToSchema)]
pub struct Day {
    /// Its number: 0 for the deployment, n for day n.
    #[schema(example = 4)]
    turn: u32,
    /// The same in words.
    #[schema(example = "Day 4")]
    name: String,
    /// What happened, for programs.
    #[schema(value_type = schema::Report)]
    report: Report,
    /// What happened, in sentences.
    story: Vec<StoryChapter>,
    /// Both sheets, now open.
    sheets: OpenSheets,
    /// How each sheet came about; only a sealed one was committed to beforehand.
    how: HowBySide,
    /// The running hash over this turn and all before it, SHA-256 in hexadecimal; docs/seals.md has the bytes.
    #[schema(example = "4f2d1c0b9a8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c6b5a4938271605f4e")]
    chain: String,
    /// When it was resolved.
    #[schema(value_type = String, format = DateTime, example = "2026-03-04T21:40:12Z")]
    resolved_at: Timestamp,
}

/// Both sheets of a resolved turn. Whoever has noted the seal can make sure that it is this sheet's.
#[derive(Serialize, ToSchema)]
pub struct OpenSheets {
    red: OwnSheet,
    blue: OwnSheet,
}

/// How both sheets of a turn came about.
#[derive(Serialize, ToSchema)]
pub struct HowBySide {
    red: SheetHow,
    blue: SheetHow,
}

/// How a sheet came about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SheetHow {
    /// Its writer sealed it.
    Sealed,
    /// It was not sealed when the turn was due, and the draft was used.
    Draft,
    /// Nothing was there when the turn was due, and an empty list was used.
    Missed,
    /// The writer did not want the draft to be used, and an empty list was.
    Late,
    /// A deployment was missing, and a ready-made one was used.
    ReadyMade,
}

impl From<How> for SheetHow {
    fn from(how: How) -> SheetHow {
        match how {
            How::Sealed => SheetHow::Sealed,
            How::Draft => SheetHow::Draft,
            How::Missed => SheetHow::Missed,
            How::Late => SheetHow::Late,
            How::ReadyMade => SheetHow::ReadyMade,
        }
    }
}

/// A part of a turn's story.
#[derive(Serialize, ToSchema)]
pub struct StoryChapter {
    /// The heading.
    #[schema(example = "Confrontations")]
    title: String,
    lines: Vec<Sentence>,
}

/// One thing that happened.
#[derive(Serialize, ToSchema)]
pub struct Sentence {
    /// The sentence.
    #[schema(example = "F7, forest: Red's 2nd Infantry meets Blue's 1st Cavalry; Blue's is removed.")]
    text: String,
    tone: SentenceTone,
}

/// What kind of thing happened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SentenceTone {
    /// Something was done.
    Plain,
    /// Something was not carried out.
    Failed,
    /// Something was removed.
    Loss,
    /// The game is over.
    End,
}

impl From<Chapter> for StoryChapter {
    fn from(chapter: Chapter) -> StoryChapter {
        StoryChapter { title: chapter.title, lines: chapter.lines.into_iter().map(Into::into).collect() }
    }
}

impl From<StoryLine> for Sentence {
    fn from(line: StoryLine) -> Sentence {
        let tone = match line.tone {
            Tone::Plain => SentenceTone::Plain,
            Tone::Failed => SentenceTone::Failed,
            Tone::Loss => SentenceTone::Loss,
            Tone::End => SentenceTone::End,
        };
        Sentence { text: line.text, tone }
    }
}

/// List the resolved turns
///
/// The first one first; none before both deployments are in.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/days",
    tag = "playing",
    operation_id = "list_days",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The turns", body = Days), SeatProblems)
)]
pub async fn days(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<Days>, Problem> {
    let view = web.play.view(&seat).await?;
    let links = Links::of(&view.game, view.side);
    let line = |turn| DayLine { turn, name: view.setup.turn_name(turn), href: format!("{}/{turn}", links.days) };
    Ok(Json(Days { days: view.resolved.iter().copied().map(line).collect() }))
}

/// The part of an address that names a turn.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DayParam {
    /// The number of the turn: 0 for the deployment, n for day n.
    #[param(value_type = u32, example = 4)]
    n: String,
}

impl DayParam {
    /// The number, if it is written as numbers are: no sign, no zeros before it.
    pub fn turn(&self) -> Option<u32> {
        self.n.parse().ok().filter(|turn: &u32| turn.to_string() == self.n)
    }
}

/// Read a resolved turn
///
/// What happened, for programs and in sentences, and both sheets with their seals and salts.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/days/{n}",
    tag = "playing",
    operation_id = "read_day",
    security(("seat" = [])),
    params(SeatPath, DayParam),
    responses((status = 200, description = "The turn", body = Day), SeatProblems)
)]
pub async fn day(
    State(web): State<WebState>,
    Asker(seat): Asker,
    Path(param): Path<DayParam>,
) -> Result<Json<Day>, Problem> {
    let turn = param.turn().ok_or_else(Problem::not_found)?;
    let view = web.play.turn(&seat, turn).await?;
    Ok(Json(Day {
        turn: view.turn,
        name: view.name,
        report: view.report,
        story: view.story.into_iter().map(Into::into).collect(),
        sheets: OpenSheets { red: view.sheets.red.into(), blue: view.sheets.blue.into() },
        how: HowBySide { red: view.how.red.into(), blue: view.how.blue.into() },
        chain: view.chain,
        resolved_at: view.resolved_at,
    }))
}

/// Read the record
///
/// The whole game, to keep and to prove: board, settings, names, both sheets of every resolved turn with salts, seals and running
/// hashes, and how it ended. Nothing of the awaited turn is in it. `docs/record.schema.json` describes it, and `fieldcommand verify`
/// plays it again.
#[utoipa::path(
    get,
    path = "/games/{id}/{side}/record",
    tag = "playing",
    operation_id = "read_record",
    security(("seat" = [])),
    params(SeatPath),
    responses((status = 200, description = "The record", body = serde_json::Value), SeatProblems)
)]
pub async fn record(State(web): State<WebState>, Asker(seat): Asker) -> Result<Json<Record>, Problem> {
    Ok(Json(web.play.record(&seat).await?))
}
