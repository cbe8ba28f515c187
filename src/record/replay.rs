//! Playing a record again, turn by turn, from what it began with: every sheet, seal, report and running hash is
//! looked at, and the ending. All that does not hold is found, not only the first of it; only where a turn cannot be
//! resolved at all is the rest left alone.

use serde::Serialize;

use super::hashes::{Link, chain_of, chain_start, report_hash, seal_of};
use super::{BY_BOARD, ReadError, Record, RecordedTurn};
use crate::rules::{BySide, Outcome, Report, Setup, Sheet, Side, Standing};

/// Something that does not hold, or that is to be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The turn; `None` for the game as a whole.
    pub turn: Option<u32>,
    /// The side, where it is about one.
    pub side: Option<Side>,
    /// What, as the end of a sentence.
    pub what: String,
    /// The whole of it in a line.
    pub line: String,
}

/// A turn that has been played again.
#[derive(Clone, Debug)]
pub struct ReplayedTurn {
    /// Its number.
    pub turn: u32,
    /// Its name, `Day 5`.
    pub name: String,
    /// Both sheets.
    pub sheets: BySide<Sheet>,
    /// What happened.
    pub report: Report,
    /// The standing after it.
    pub after: Standing,
}

/// A record that has been played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What the game was opened with.
    pub setup: Setup,
    /// Where it began.
    pub start: Standing,
    /// The turns, as far as they can be resolved.
    pub turns: Vec<ReplayedTurn>,
    /// Where it stands.
    pub standing: Standing,
    /// What does not hold; nothing if all does.
    pub wrong: Vec<Finding>,
    /// Sheets that nobody committed to beforehand.
    pub not_committed: Vec<Finding>,
}

/// Plays a record again.
///
/// # Errors
/// What the game was opened with cannot be read, so that nothing can be played.
pub fn replay(record: &Record) -> Result<Replayed, ReadError> {
    let bad = |member, problem: String| ReadError::Member { member, problem };
    let setup = Setup::restore(&record.setup, &record.board).map_err(|error| bad("board", error.to_string()))?;
    let start = match &record.start {
        None => Standing::open(setup.clone()),
        Some(kept) => {
            let standing =
                Standing::restore(kept, setup.clone()).map_err(|_| bad("start", "names no position".to_owned()))?;
            standing.may_begin().map_err(|problem| bad("start", problem))?;
            if standing.kept() != *kept {
                return Err(bad("start", "is not written as positions are kept".to_owned()));
            }
            standing
        }
    };
    let chain =
        chain_start(&record.game, &setup, record.start.as_ref()).map_err(|error| bad("setup", error.to_string()))?;
    let mut player = Player {
        record,
        chain,
        replayed: Replayed {
            setup,
            standing: start.clone(),
            start,
            turns: Vec::with_capacity(record.turns.len()),
            wrong: Vec::new(),
            not_committed: Vec::new(),
        },
    };
    for turn in &record.turns {
        if !player.play(turn)? {
            return Ok(player.replayed);
        }
    }
    player.end();
    Ok(player.replayed)
}

/// A replay under way.
struct Player<'a> {
    record: &'a Record,
    /// The running hash so far.
    chain: String,
    replayed: Replayed,
}

impl Player<'_> {
    /// Plays one turn. Says whether the next one can be played.
    fn play(&mut self, recorded: &RecordedTurn) -> Result<bool, ReadError> {
        let before = self.replayed.standing.clone();
        let awaited = before.turn();
        if before.ending().is_some() {
            self.wrong(Some(recorded.turn), None, "stands here, though the game had ended on the board before");
            return Ok(false);
        }
        if recorded.turn != awaited {
            self.wrong(Some(recorded.turn), None, format!("stands where {} is expected", before.turn_name()));
            return Ok(false);
        }
        let sheets = BySide::from_fn(|side| self.sheet(&before, recorded, side));
        let BySide { red: Some(red), blue: Some(blue) } = sheets else { return Ok(false) };
        let sheets = BySide { red, blue };
        let (after, report) = before.resolve(sheets.as_ref());
        let written =
            report_hash(&report).map_err(|error| ReadError::Member { member: "turns", problem: error.to_string() })?;
        if written != recorded.report_hash {
            self.wrong(
                Some(awaited),
                None,
                "has another result than the record says: the report's hash is not the one that was kept",
            );
        }
        let link = Link {
            turn: awaited,
            sheets: BySide::from_fn(|side| (recorded.sheet(side).how, recorded.sheet(side).seal.as_str())),
            report_hash: &recorded.report_hash,
        };
        let chain = chain_of(&self.record.game, &self.chain, &link);
        if chain != recorded.chain {
            self.wrong(Some(awaited), None, "does not follow from what stands before it: the running hash is another");
        }
        // Goes on from what is written, so that one change is told once.
        self.chain.clone_from(&recorded.chain);
        self.replayed.standing = after.clone();
        self.replayed.turns.push(ReplayedTurn { turn: awaited, name: before.turn_name(), sheets, report, after });
        Ok(true)
    }

    /// Looks at one sheet; `None` where it cannot be read.
    fn sheet(&mut self, before: &Standing, recorded: &RecordedTurn, side: Side) -> Option<Sheet> {
        let (turn, sheet) = (recorded.turn, recorded.sheet(side));
        if let Some(what) = sheet.how.not_committed() {
            self.replayed.not_committed.push(finding(before, Some(turn), Some(side), what));
        }
        if seal_of(&self.record.game, turn, side, &sheet.salt, &sheet.text) != sheet.seal {
            self.wrong(
                Some(turn),
                Some(side),
                "has another seal than the record says: the sheet, its salt or the seal was changed",
            );
        }
        match before.parse(side, &sheet.text) {
            Ok(read) => {
                if read.canonical() != sheet.text {
                    self.wrong(Some(turn), Some(side), "is not written as sheets are kept");
                }
                Some(read)
            }
            Err(error) => {
                self.wrong(Some(turn), Some(side), format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Looks at how the game ended.
    fn end(&mut self) {
        let board = self.replayed.standing.ending();
        let what = match (&self.record.ending, board) {
            (None, None) => return,
            (None, Some((_, how))) => format!("says nothing of its end, but the board does: {how}"),
            (Some(ending), Some((outcome, how))) => {
                if ending.cause == BY_BOARD && ending.outcome == Some(outcome) {
                    return;
                }
                format!("ended otherwise than the record says: {how}")
            }
            (Some(ending), None) => match wrong_outcome(&ending.cause, ending.outcome) {
                Some(what) => what.to_owned(),
                None => return,
            },
        };
        self.wrong(None, None, what);
    }

    fn wrong(&mut self, turn: Option<u32>, side: Option<Side>, what: impl Into<String>) {
        let finding = finding(&self.replayed.standing, turn, side, what);
        self.replayed.wrong.push(finding);
    }
}

/// What is wrong with an end that the board does not show.
fn wrong_outcome(cause: &str, outcome: Option<Outcome>) -> Option<&'static str> {
    let won = outcome.is_some_and(|outcome| outcome.winner().is_some());
    match cause {
        BY_BOARD => Some("ended on the board, says the record, and on the board it goes on"),
        "resignation" if !won => Some("ended by a resignation, says the record, and nobody has won"),
        "claim" | "granted" if outcome.is_none() => {
            Some("was claimed or given away, says the record, and has no outcome")
        }
        "agreement" | "abandoned" if outcome != Some(Outcome::Draw) => {
            Some("ended by agreement or was abandoned, says the record, and not in a draw")
        }
        "void" | "unfinished" | "continued" | "cancelled" if outcome.is_some() => {
            Some("has an outcome, though it ended without one")
        }
        "declared" if outcome.is_none() => Some("has a declared result, says the record, and no outcome"),
        "resignation" | "claim" | "granted" | "agreement" | "abandoned" | "void" | "unfinished" | "continued"
        | "cancelled" | "declared" => None,
        _ => Some("ended by something that this program does not know"),
    }
}

/// A finding with its line: `Day 3, Red: the sheet …`.
fn finding(standing: &Standing, turn: Option<u32>, side: Option<Side>, what: impl Into<String>) -> Finding {
    let what = what.into();
    let line = match (turn, side) {
        (Some(turn), Some(side)) => format!("{}, {}: the sheet {what}.", standing.setup().turn_name(turn), side.name()),
        (Some(turn), None) => format!("{}: the turn {what}.", standing.setup().turn_name(turn)),
        _ => format!("The game {what}."),
    };
    // What a sentence quotes may end one.
    Finding { turn, side, what, line: line.replace("..", ".") }
}
