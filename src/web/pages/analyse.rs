//! Playing again a game of elsewhere, or a single day out of nothing: a record or a position is pasted or uploaded, shown day by
//! day, and checked as `fieldcommand verify` does. Nothing is kept: the text goes back and forth with each press.

use askama::Template;
use axum::extract::Multipart;
use axum::extract::multipart::MultipartError;
use axum::http::StatusCode;
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;

use crate::picture;
use crate::record::{self, LONGEST, Record, Replayed};
use crate::rules::field_command::imagined::{self, Written};
use crate::rules::{BySide, Chapter, Report, Setup, Sheet, Side, Standing, Tone};
use crate::web::error::PageError;
use crate::web::pages::field_command::{self, ArmyTable};
use crate::web::pages::frame::{self, Frame, Look, players};
use crate::web::pages::watch::Player;

/// The longest form, in bytes: the longest record, written in 64 signs, and what goes with it.
pub const MOST_BYTES: usize = LONGEST / 3 * 4 + 64 * 1024;
/// From where it is looked at.
const BOTTOM: Side = Side::Red;

/// The form, and what was sent with it.
#[derive(Template)]
#[template(path = "pages/analyse.html")]
struct AnalysePage {
    frame: Frame,
    /// What was pasted and cannot be read.
    text: String,
    problem: Option<String>,
    shown: Option<Shown>,
}

/// What is shown of a record or a day.
struct Shown {
    /// The text, as the next press sends it again.
    kept: String,
    /// What it is.
    about: Vec<String>,
    /// What its check says, with the verdict at the end; nothing for a day out of nothing.
    check: Vec<String>,
    holds: bool,
    /// The turns to choose from.
    turns: Vec<Choice>,
    /// Their neighbours.
    previous: Option<Choice>,
    next: Option<Choice>,
    /// The turn to be played; there is nothing to play in the first.
    player: Option<Player>,
    /// The board: after the turn, or as it stands.
    board: String,
    caption: &'static str,
    ending: Option<String>,
    /// What the player does not tell at dawn.
    told: Vec<Chapter>,
    /// Both sheets, in the words of their size.
    sheets: Vec<(Side, String, String)>,
    armies: Vec<ArmyTable>,
}

/// A turn to go to.
#[derive(Clone)]
struct Choice {
    number: usize,
    name: String,
    here: bool,
}

/// What was sent.
#[derive(Default)]
struct Sent {
    text: String,
    turn: Option<usize>,
}

impl AnalysePage {
    fn empty() -> AnalysePage {
        AnalysePage { frame: Frame::plain("Replay a record"), text: String::new(), problem: None, shown: None }
    }
}

/// GET /analyse
pub async fn get() -> Response {
    frame::page(StatusCode::OK, &AnalysePage::empty())
}

/// POST /analyse: nothing of it is kept.
pub async fn post(form: Multipart) -> Result<Response, PageError> {
    let sent = read(form).await.map_err(|error| unreadable(&error))?;
    let page = match show(&sent) {
        Ok((heading, shown)) => {
            AnalysePage { frame: Frame::plain(heading), shown: Some(shown), ..AnalysePage::empty() }
        }
        Err(problem) => {
            let page = AnalysePage { text: sent.text, problem: Some(problem), ..AnalysePage::empty() };
            return Ok(frame::page(StatusCode::UNPROCESSABLE_ENTITY, &page));
        }
    };
    Ok(frame::page(StatusCode::OK, &page))
}

/// A form that did not come whole, or is too long.
fn unreadable(error: &MultipartError) -> PageError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("A record may have {} KiB; this one is longer.", LONGEST / 1024);
            PageError::new(StatusCode::PAYLOAD_TOO_LARGE, "This record is too long", message)
        }
        status => {
            PageError::new(status, "This form did not arrive", "The form was not received whole. Please send it again.")
        }
    }
}

/// Reads the form: a file before what was pasted, and what was kept before both.
async fn read(mut form: Multipart) -> Result<Sent, MultipartError> {
    let mut sent = Sent::default();
    let (mut pasted, mut file, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(field) = form.next_field().await? {
        let name = field.name().unwrap_or_default().to_owned();
        let bytes = field.bytes().await?;
        match &*name {
            "record" => pasted = bytes.to_vec(),
            "file" => file = bytes.to_vec(),
            "kept" => kept = BASE64URL_NOPAD.decode(&bytes).unwrap_or_default(),
            "turn" => sent.turn = std::str::from_utf8(&bytes).ok().and_then(|turn| turn.parse().ok()),
            _ => {}
        }
    }
    let chosen = [kept, file, pasted].into_iter().find(|bytes| !bytes.is_empty()).unwrap_or_default();
    // What is not UTF-8 is no JSON either, and is shown as far as it can be.
    sent.text = String::from_utf8_lossy(&chosen).into_owned();
    Ok(sent)
}

/// Shows a text: as a record, if it looks like one, else as a day.
fn show(sent: &Sent) -> Result<(String, Shown), String> {
    let text = sent.text.trim();
    if text.is_empty() {
        return Err("Paste a record or a position, or choose a file.".into());
    }
    if text.len() > LONGEST {
        return Err(format!("A record may have {} KiB; this one is longer.", LONGEST / 1024));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| format!("This is not JSON: {error}."))?;
    if value.get("units").is_some() && value.get("format").is_none() {
        let written: Written = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
            .map_err(|error| format!("{}: {}.", error.path(), error.inner()))?;
        let day = imagined::read(written).map_err(|problem| format!("{problem}.").replace("..", "."))?;
        return Ok(("A position".to_owned(), of_day(text, day)));
    }
    let record = Record::read(text.as_bytes()).map_err(|error| format!("This record cannot be read. {error}."))?;
    let replayed = record::replay(&record).map_err(|error| format!("This record cannot be played. {error}."))?;
    Ok((players(&record.players, BOTTOM), of_record(&record, &replayed, sent.turn)?))
}

fn of_record(record: &Record, replayed: &Replayed, wanted: Option<usize>) -> Result<Shown, String> {
    let mut about = vec![format!("{}, game {}.", replayed.setup.game_name(), record.game)];
    about.extend(record.ending.as_ref().map(|ending| ending.words.clone()));
    if replayed.turns.len() < record.turns.len() {
        about.push(format!("Of its {} turns {} can be played.", record.turns.len(), replayed.turns.len()));
    }
    let last = replayed.turns.len().checked_sub(1);
    let here = wanted.filter(|wanted| Some(*wanted) <= last).or(last.map(|_| 0));
    let choices: Vec<Choice> = replayed
        .turns
        .iter()
        .enumerate()
        .map(|(number, turn)| Choice { number, name: turn.name.clone(), here: Some(number) == here })
        .collect();
    let neighbour = |number: Option<usize>| choices.get(number?).cloned();
    let kept = BASE64URL_NOPAD.encode(serde_json::to_string(record).map_err(|error| error.to_string())?.as_bytes());
    let shown = Shown {
        kept,
        about,
        check: replayed.lines(),
        holds: replayed.wrong.is_empty(),
        previous: neighbour(here.and_then(|here| here.checked_sub(1))),
        next: neighbour(here.map(|here| here + 1)),
        turns: choices,
        ..of_standing(&replayed.standing)
    };
    Ok(match here.and_then(|here| Some((here, replayed.turns.get(here)?))) {
        Some((here, turn)) => {
            let earlier = here.checked_sub(1).and_then(|before| replayed.turns.get(before));
            let before = earlier.map_or(&replayed.start, |turn| &turn.after);
            Shown { sheets: sheets(before, &turn.sheets), ..of_turn(shown, &replayed.setup, &turn.report, &turn.after) }
        }
        None => shown,
    })
}

fn of_day(text: &str, day: imagined::Imagined) -> Shown {
    let dawn = Standing::FieldCommand(day.dawn);
    let about = vec!["One day out of nothing: there is no game to be checked.".to_owned()];
    let shown = Shown { kept: BASE64URL_NOPAD.encode(text.as_bytes()), about, ..of_standing(&dawn) };
    let Some(both) = day.sheets.map(|sheets| sheets.map(Sheet::FieldCommand)) else { return shown };
    let (after, report) = dawn.resolve(both.as_ref());
    Shown { sheets: sheets(&dawn, &both), ..of_turn(shown, &dawn.setup(), &report, &after) }
}

/// A board as it stands, and nothing else.
fn of_standing(standing: &Standing) -> Shown {
    Shown {
        kept: String::new(),
        about: Vec::new(),
        check: Vec::new(),
        holds: true,
        turns: Vec::new(),
        previous: None,
        next: None,
        player: None,
        board: picture::standing(standing, BOTTOM),
        caption: "As it stands.",
        ending: None,
        told: Vec::new(),
        sheets: Vec::new(),
        armies: field_command::armies(standing, BOTTOM),
    }
}

/// The same with a turn that has been played.
fn of_turn(shown: Shown, setup: &Setup, report: &Report, after: &Standing) -> Shown {
    let story = report.story(setup);
    let ending = story.iter().flat_map(|chapter| &chapter.lines).find(|line| line.tone == Tone::End);
    let player = Player::of_report(setup, BOTTOM, report);
    Shown {
        board: picture::after(report, setup, BOTTOM),
        caption: "After.",
        ending: ending.map(|line| line.text.clone()),
        told: story.iter().skip(player.as_ref().map_or(0, |player| player.at_dawn().len())).cloned().collect(),
        player,
        armies: field_command::armies(after, BOTTOM),
        ..shown
    }
}

fn sheets(before: &Standing, sheets: &BySide<Sheet>) -> Vec<(Side, String, String)> {
    let told = |side: Side| {
        let sheet = sheets.get(side);
        (side, before.check(side, sheet).measure, sheet.canonical())
    };
    Side::BOTH.map(told).into()
}
