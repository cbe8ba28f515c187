//! `fieldcommand adjudicate`: one day in, its result out, as JSON.
//!
//! Without `--lines` the input is one JSON object and anything wrong ends the program with
//! status 2. With `--lines` each line is a day and gets a line for an answer; a line that
//! is wrong is answered by `{"error": "…"}`. Memory stays constant however long the input.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::rules::field_command::board::BoardText;
use crate::rules::field_command::maps::Map;
use crate::rules::field_command::order::Orders;
use crate::rules::field_command::report::DayReport;
use crate::rules::field_command::{Army, Board, Position, Unit, parse, resolve};
use crate::rules::side::{BySide, Side};

/// The longest input of one day, in bytes. A day of 121 units is about 5,000.
const LONGEST: u64 = 1 << 20;

/// A day to be adjudicated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    map: InputMap,
    units: Vec<InputUnit>,
    orders: InputOrders,
}

/// A named board, or one written out.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a board, or an object with altitude and terrain")]
pub(super) enum InputMap {
    Name(String),
    Written(BoardText),
}

/// A unit at dawn.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputUnit {
    pub side: Side,
    pub unit: Unit,
    pub at: Position,
}

/// Both lists; each string is one order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InputOrders {
    red: Vec<String>,
    blue: Vec<String>,
}

/// The answer to a line that cannot be adjudicated.
#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

/// Reads one day from `input` and writes its result as one line.
///
/// # Errors
/// What is wrong and where, as one line; then nothing has been written.
pub fn one(input: impl Read, output: &mut impl Write) -> Result<(), String> {
    let mut json = Vec::new();
    input.take(LONGEST + 1).read_to_end(&mut json).map_err(|error| format!("standard input: {error}"))?;
    if json.len() as u64 > LONGEST {
        return Err(too_long());
    }
    let mut answer = Vec::new();
    Adjudicator::default().answer(&json, &mut answer)?;
    output.write_all(&answer).and_then(|()| output.flush()).map_err(|error| format!("standard output: {error}"))
}

/// Answers each line of `input`. What has been answered is passed on before the program
/// waits for more input.
///
/// # Errors
/// Reading or writing failed.
pub fn lines(input: impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut adjudicator = Adjudicator::default();
    each_line(input, output, |line, answers| adjudicator.answer(line, answers))
}

/// Has each line of `input` answered: `answer` appends a line, or appends nothing and says what is wrong.
pub(super) fn each_line(
    input: impl Read,
    output: &mut impl Write,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), String>,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let answered = if line.len() as u64 > LONGEST && line.last() != Some(&b'\n') {
            skip_line(&mut input)?;
            Err(too_long())
        } else if line.iter().all(u8::is_ascii_whitespace) {
            Ok(())
        } else {
            // The line's end is no part of it, or errors would name a second line.
            answer(line.trim_ascii_end(), &mut answers)
        };
        if let Err(error) = answered {
            serde_json::to_writer(&mut answers, &Refusal { error: &error })?;
            answers.push(b'\n');
        }
        if input.buffer().is_empty() || answers.len() >= 1 << 16 {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
    output.write_all(&answers)?;
    output.flush()
}

fn too_long() -> String {
    format!("the input is longer than {LONGEST} bytes")
}

/// Passes over the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        let (used, ended) = match available.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (available.len(), available.is_empty()),
        };
        input.consume(used);
        if ended {
            return Ok(());
        }
    }
}

/// Adjudicates days one after the other, and remembers the last written board, since
/// neighbouring days are mostly fought on the same one.
#[derive(Default)]
struct Adjudicator {
    boards: Boards,
}

/// The board of the last line, if it was a written one.
#[derive(Default)]
pub(super) struct Boards {
    last: Option<(BoardText, Arc<Board>)>,
}

impl Adjudicator {
    /// Appends the answer to one day, ended by LF, or appends nothing and says what is wrong.
    fn answer(&mut self, json: &[u8], answers: &mut Vec<u8>) -> Result<(), String> {
        let input: Input = read(json, "a day")?;
        let board = self.boards.board(input.map)?;
        let dawn = dawn(&input.units)?;
        let orders = BySide {
            red: list("red", &input.orders.red, &dawn.red)?,
            blue: list("blue", &input.orders.blue, &dawn.blue)?,
        };
        let day = resolve(&board, &dawn, orders.as_ref());
        serde_json::to_writer(&mut *answers, &DayReport::new(&day, day.ending)).map_err(|error| error.to_string())?;
        answers.push(b'\n');
        Ok(())
    }
}

impl Boards {
    /// The board that a line names or writes out.
    pub(super) fn board(&mut self, map: InputMap) -> Result<Arc<Board>, String> {
        match map {
            InputMap::Name(name) => Map::by_name(&name)
                .map(|map| Arc::clone(map.board()))
                .ok_or_else(|| format!("map: there is no board “{}”; there are classic and ridge", shown(&name))),
            InputMap::Written(text) => {
                if let Some((last, board)) = &self.last
                    && *last == text
                {
                    return Ok(Arc::clone(board));
                }
                let board = Arc::new(Board::from_text(&text).map_err(|error| format!("map: {error}"))?);
                self.last = Some((text, Arc::clone(&board)));
                Ok(board)
            }
        }
    }
}

/// Reads the JSON; only if that fails it is read once more, to say where.
pub(super) fn read<T: DeserializeOwned>(json: &[u8], what: &str) -> Result<T, String> {
    // Looked at once as a whole, which is quicker than string by string.
    let json =
        std::str::from_utf8(json).map_err(|error| format!("byte {}: not valid UTF-8", error.valid_up_to() + 1))?;
    // Structs are read from lists too, by the place of their members: too easily swapped.
    if json.trim_start().starts_with('[') {
        return Err(format!("{what} is a JSON object, not a list"));
    }
    serde_json::from_str(json).map_err(|first: serde_json::Error| {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
            // Where the JSON breaks off inside an object the path ends in a question mark, which says nothing.
            Err(error) if !matches!(error.path().to_string().as_str(), "." | "?") => {
                format!("{}: {}", error.path(), error.inner())
            }
            _ => first.to_string(),
        }
    })
}

/// Both armies at dawn.
pub(super) fn dawn(units: &[InputUnit]) -> Result<BySide<Army>, String> {
    let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
    for (n, &InputUnit { side, unit, at }) in units.iter().enumerate() {
        if armies.red.at(at).or(armies.blue.at(at)).is_some() {
            return Err(format!("units[{n}]: a unit stands on {at} already"));
        }
        armies.get_mut(side).place(at, unit);
    }
    Ok(armies)
}

/// Reads one side's list; each string holds one order.
fn list(side: &str, texts: &[String], army: &Army) -> Result<Orders, String> {
    let mut list = Orders::default();
    for (n, text) in texts.iter().enumerate() {
        let place = |error: &dyn std::fmt::Display| format!("orders.{side}[{n}], “{}”: {error}", shown(text));
        let one = parse::orders(text, army).map_err(|error| match &error.word {
            Some(word) if word != text => place(&format!("“{word}” {}", error.message)),
            _ => place(&error.message),
        })?;
        let [order] = *one.as_slice() else {
            return Err(place(&"each string holds one order, like H7-F7"));
        };
        list.push(order).map_err(|error| place(&error))?;
    }
    Ok(list)
}

/// A text short enough for an error, on one line.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
