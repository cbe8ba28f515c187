//! `fieldcommand bot`: a position a line in, the computer's sheet for it a line out, as JSON.
//!
//! For arenas outside: the same request always gets the same answer.

use std::fmt::Write as _;
use std::io::{self, Read, Write};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::adjudicate::{Boards, InputMap, InputUnit, dawn, each_line, read};
use crate::bot::{self, Budget, Level};
use crate::rules::field_command::standing::NO_REMOVAL_LIMIT;
use crate::rules::field_command::{self, Position, Setup, Unit};
use crate::rules::side::{BySide, Side};
use crate::rules::{Sheet, Standing};

/// What `fieldcommand bot` can be told.
#[derive(Args)]
pub struct Options {
    /// How many days the hard level may compute for one sheet, unless the request has a "budget" of its own
    #[arg(long, default_value_t = Budget::USUAL.0)]
    budget: u64,
}

/// A sheet that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    side: Side,
    level: String,
    seed: u64,
    map: InputMap,
    /// A deployment is asked for, and not orders.
    #[serde(default)]
    deploy: bool,
    units: Option<Vec<InputUnit>>,
    budget: Option<u64>,
}

/// The answer to a request for a deployment.
#[derive(Serialize)]
struct Deployed {
    units: Vec<Placed>,
}

/// A unit of a deployment.
#[derive(Serialize)]
struct Placed {
    unit: Unit,
    at: Position,
}

/// The answer to a request for orders.
#[derive(Serialize)]
struct Ordered {
    orders: Vec<String>,
}

/// Answers each line of `input`.
///
/// # Errors
/// Reading or writing failed.
pub fn lines(options: &Options, input: impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut boards = Boards::default();
    each_line(input, output, |line, answers| {
        let answer = answer(options, line, &mut boards)?;
        answers.extend_from_slice(answer.as_bytes());
        answers.push(b'\n');
        Ok(())
    })
}

fn answer(options: &Options, line: &[u8], boards: &mut Boards) -> Result<String, String> {
    let request: Request = read(line, "a request")?;
    let level = Level::from_word(&request.level).ok_or("level: there are easy, medium and hard")?;
    let setup = Setup { board: boards.board(request.map)?, no_removal_limit: NO_REMOVAL_LIMIT, day_limit: 0 };
    let standing = match (request.deploy, request.units) {
        (true, None) => field_command::Standing::open(setup),
        (false, Some(units)) => adopt(setup, &units)?,
        (true, Some(_)) => return Err("units: none stand on the board before the deployment".into()),
        (false, None) => return Err("units: missing; or is it \"deploy\": true?".into()),
    };
    let budget = Budget(request.budget.unwrap_or(options.budget));
    let sheet = bot::sheet(&Standing::FieldCommand(standing), request.side, level, seed(request.seed), budget);
    let Sheet::FieldCommand(sheet) = sheet;
    match sheet {
        field_command::Sheet::Deployment(deployment) => {
            let units = deployment.army().units().map(|(at, unit)| Placed { unit, at }).collect();
            serde_json::to_string(&Deployed { units })
        }
        field_command::Sheet::Orders(orders) => {
            let orders = orders.as_slice().iter().map(ToString::to_string).collect();
            serde_json::to_string(&Ordered { orders })
        }
    }
    .map_err(|error| error.to_string())
}

/// The day that begins with these units.
fn adopt(setup: Setup, units: &[InputUnit]) -> Result<field_command::Standing, String> {
    let armies = dawn(units)?;
    let texts = armies.map(|army| {
        army.units().fold(String::new(), |mut text, (at, unit)| {
            let _ = writeln!(text, "{} {at}", unit.code());
            text
        })
    });
    let texts = BySide { red: texts.red.as_str(), blue: texts.blue.as_str() };
    field_command::Standing::adopt(setup, 1, texts).map_err(|(side, error)| {
        let side = side.map_or(String::new(), |side| format!("{}: ", side.word()));
        format!("units: {side}{}", error.message)
    })
}

/// The seed of a number: the number itself, its lowest byte first.
fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    for (slot, byte) in seed.iter_mut().zip(number.to_le_bytes()) {
        *slot = byte;
    }
    seed
}
