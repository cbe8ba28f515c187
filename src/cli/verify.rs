//! `fieldcommand verify`: records of whole games are played again, offline, and everything in them that can be
//! computed is computed.
//!
//! The status says the worst of all files: 0 where all holds, 1 where something does not, 2 for what cannot be read.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::record::{Finding, LONGEST, Record, Replayed, replay};
use crate::rules::Side;

/// What the program ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All holds.
    Holds,
    /// Something does not.
    Wrong,
    /// Something cannot be read.
    Unreadable,
}

impl Verdict {
    /// The status of the program.
    #[must_use]
    pub const fn status(self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Wrong => 1,
            Verdict::Unreadable => 2,
        }
    }
}

/// The answer about one file, for programs.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    game: Option<&'a str>,
    holds: bool,
    turns: usize,
    wrong: &'a [Finding],
    not_committed: &'a [Finding],
    error: Option<&'a str>,
}

/// Checks records and writes what was found; `-` is the standard input. With `json` each file gets a line of JSON.
///
/// # Errors
/// The answer cannot be written.
pub fn files(files: &[PathBuf], json: bool, mut input: impl Read, output: &mut impl Write) -> io::Result<Verdict> {
    let mut worst = Verdict::Holds;
    for file in files {
        let named = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
        let checked = bytes(file, &mut input).and_then(|bytes| check(&bytes));
        let verdict = match &checked {
            Ok((_, replayed)) if replayed.wrong.is_empty() => Verdict::Holds,
            Ok(_) => Verdict::Wrong,
            Err(_) => Verdict::Unreadable,
        };
        worst = worst.max(verdict);
        if json {
            as_json(&named, verdict, &checked, output)?;
        } else {
            as_lines(&named, &checked, output)?;
        }
    }
    output.flush()?;
    Ok(worst)
}

/// Reads a file, or as much of it as a record can have.
fn bytes(file: &Path, input: &mut impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = LONGEST as u64 + 1;
    let read = if file == Path::new("-") {
        input.take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| error.to_string())?;
    if bytes.len() > LONGEST { Err(format!("is longer than {LONGEST} bytes")) } else { Ok(bytes) }
}

fn check(bytes: &[u8]) -> Result<(Record, Replayed), String> {
    let record = Record::read(bytes).map_err(|error| error.to_string())?;
    let replayed = replay(&record).map_err(|error| error.to_string())?;
    Ok((record, replayed))
}

fn as_lines(file: &str, checked: &Result<(Record, Replayed), String>, output: &mut impl Write) -> io::Result<()> {
    match checked {
        Err(error) => writeln!(output, "{file}: cannot be read: {}", plain(error)),
        Ok((record, replayed)) => {
            let (red, blue) = (record.name(Side::Red), record.name(Side::Blue));
            writeln!(output, "{file}: game {}, {} (Red) against {} (Blue)", record.game, plain(red), plain(blue))?;
            replayed.lines().iter().try_for_each(|line| writeln!(output, "  {}", plain(line)))
        }
    }
}

fn as_json(
    file: &str,
    verdict: Verdict,
    checked: &Result<(Record, Replayed), String>,
    output: &mut impl Write,
) -> io::Result<()> {
    let replayed = checked.as_ref().ok().map(|(_, replayed)| replayed);
    let answer = Answer {
        file,
        game: checked.as_ref().ok().map(|(record, _)| record.game.as_str()),
        holds: verdict == Verdict::Holds,
        turns: replayed.map_or(0, |replayed| replayed.turns.len()),
        wrong: replayed.map_or(&[], |replayed| &replayed.wrong),
        not_committed: replayed.map_or(&[], |replayed| &replayed.not_committed),
        error: checked.as_ref().err().map(String::as_str),
    };
    serde_json::to_writer(&mut *output, &answer)?;
    writeln!(output)
}

/// A line that cannot move the cursor of a terminal, whatever a record holds.
fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
