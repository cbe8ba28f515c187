//! A record as a text for people: the story of the game with both sheets of each turn, and what its check says.

use std::fmt::Write;

use super::replay::{Replayed, ReplayedTurn};
use super::{Record, RecordedTurn};
use crate::rules::{Chapter, Side};

/// The widest line of a sheet in the text, in characters.
const WIDTH: usize = 76;

impl Replayed {
    /// What the check says, in lines: everything that does not hold, the sheets that were not committed to beforehand, and
    /// a last line with the verdict.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let findings = self.wrong.iter().chain(&self.not_committed);
        findings.map(|finding| finding.line.clone()).chain([self.verdict()]).collect()
    }

    /// The verdict in a line.
    #[must_use]
    pub fn verdict(&self) -> String {
        let turns = match self.turns.len() {
            0 => "No turn was resolved".to_owned(),
            1 => "1 turn was played again".to_owned(),
            n => format!("{n} turns were played again"),
        };
        match self.wrong.len() {
            0 => format!("{turns}: every seal, every result and the running hash hold."),
            1 => format!("{turns}: 1 thing does not hold."),
            n => format!("{turns}: {n} things do not hold."),
        }
    }
}

/// The whole game as a text.
#[must_use]
pub fn text(record: &Record, replayed: &Replayed) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write(&mut text, record, replayed);
    text
}

fn write(text: &mut String, record: &Record, replayed: &Replayed) -> std::fmt::Result {
    let setup = &replayed.setup;
    writeln!(
        text,
        "{}: {} (Red) against {} (Blue)",
        setup.game_name(),
        record.name(Side::Red),
        record.name(Side::Blue)
    )?;
    writeln!(text, "Game {}, opened {}, rules {}", record.game, record.opened_at, setup.rules_version())?;
    if let Some(board) = setup.board_name() {
        writeln!(text, "Board: {board}")?;
    }
    if let Some(continues) = &record.continues {
        writeln!(text, "It carries on game {continues}.")?;
    }
    for side in Side::BOTH {
        match record.computers.get(side) {
            Some(computer) if computer.from_turn > replayed.start.turn() => {
                let since = setup.turn_name(computer.from_turn).to_lowercase();
                writeln!(
                    text,
                    "{} was played by the computer from {since} on, level {}.",
                    side.name(),
                    computer.level
                )?;
            }
            Some(computer) => writeln!(text, "{} was played by the computer, level {}.", side.name(), computer.level)?,
            None => {}
        }
    }
    for rule in setup.house_rules() {
        writeln!(text, "- {rule}")?;
    }
    if record.start.is_some() {
        heading(text, &format!("The position at dawn of {}", replayed.start.turn_name().to_lowercase()))?;
        chapters(text, &replayed.start.roll())?;
    }
    for (turn, recorded) in replayed.turns.iter().zip(&record.turns) {
        write_turn(text, replayed, turn, recorded)?;
    }
    heading(text, "The end")?;
    match (&record.ending, &record.continued_in) {
        (None, _) => writeln!(text, "The game goes on.")?,
        (Some(ending), None) => writeln!(text, "{} ({})", ending.words, ending.at)?,
        (Some(ending), Some(next)) => writeln!(text, "{} ({}) It went on as game {next}.", ending.words, ending.at)?,
    }
    heading(text, "The check of this record")?;
    replayed.lines().iter().try_for_each(|line| writeln!(text, "{line}"))
}

fn write_turn(
    text: &mut String,
    replayed: &Replayed,
    turn: &ReplayedTurn,
    recorded: &RecordedTurn,
) -> std::fmt::Result {
    heading(text, &turn.name)?;
    for side in Side::BOTH {
        let sheet = recorded.sheet(side);
        let note = sheet.how.not_committed().map_or_else(|| format!("sealed {}", sheet.sealed_at), str::to_owned);
        writeln!(text, "{}’s sheet, {note}:", side.name())?;
        if sheet.text.is_empty() {
            writeln!(text, "  (no orders)")?;
        }
        for line in sheet.text.lines() {
            wrapped(text, line)?;
        }
    }
    chapters(text, &turn.report.story(&replayed.setup))?;
    writeln!(text, "\nResolved {}. Running hash {}", recorded.resolved_at, recorded.chain)
}

fn heading(text: &mut String, title: &str) -> std::fmt::Result {
    writeln!(text, "\n{title}\n{}", "-".repeat(title.chars().count()))
}

fn chapters(text: &mut String, chapters: &[Chapter]) -> std::fmt::Result {
    for chapter in chapters {
        writeln!(text, "\n{}", chapter.title)?;
        for line in &chapter.lines {
            writeln!(text, "- {}", line.text)?;
        }
    }
    Ok(())
}

/// A line of words, indented and broken where it grows too wide.
fn wrapped(text: &mut String, line: &str) -> std::fmt::Result {
    let mut width = 0;
    for word in line.split(' ') {
        if width > 0 && width + word.len() >= WIDTH {
            text.push('\n');
            width = 0;
        }
        text.push_str(if width == 0 { "  " } else { " " });
        text.push_str(word);
        width += word.len() + 1;
    }
    writeln!(text)
}
