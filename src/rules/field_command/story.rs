//! A turn in sentences: what moved, what failed and why, who met whom, which gun hit
//! what, and how it ended.

use super::artillery::Fire;
use super::board::Terrain;
use super::confrontation::{Confrontation, Removed, confront};
use super::day::Day;
use super::outcome::{Cause, Ending};
use super::standing::{Report, Setup};
use super::unit::{Arm, Army, Unit};
use super::validate::{Lawful, Reason, Verdict};
use crate::rules::side::{BySide, Side};
use crate::rules::story_line::{Chapter, StoryLine, Tone};

/// The story of a turn.
#[must_use]
pub fn tell(report: &Report, setup: &Setup) -> Vec<Chapter> {
    match report {
        Report::Deployed { armies } => vec![chapter(
            "Deployment",
            vec![StoryLine::new(
                Tone::Plain,
                format!(
                    "Both deployments are in: {} units of Red and {} of Blue stand on the board, open to both sides. \
                     Nothing fires before day 1.",
                    armies.red.len(),
                    armies.blue.len()
                ),
            )],
        )],
        Report::Day { number, dawn, day, ending, quiet_days, no_removal_limit, day_limit } => {
            let mut chapters = tell_day(setup, dawn, day, *ending, *quiet_days, *no_removal_limit);
            if let Some(last) = chapters.last_mut().filter(|_| ending.is_none() && *day_limit > 0)
                && number * 2 >= *day_limit
            {
                let line = format!("Day {number} of {day_limit} is over; after day {day_limit} the game is a draw.");
                last.lines.push(StoryLine::new(Tone::Plain, line));
            }
            chapters
        }
    }
}

/// A chapter.
pub(super) fn chapter(title: &str, lines: Vec<StoryLine>) -> Chapter {
    Chapter { title: title.to_owned(), lines }
}

fn tell_day(
    setup: &Setup,
    dawn: &BySide<Army>,
    day: &Day,
    ending: Option<Ending>,
    quiet_days: u32,
    limit: u32,
) -> Vec<Chapter> {
    let mut chapters = Vec::new();
    for side in Side::BOTH {
        let lines = orders(side, day.orders.get(side), dawn.get(side));
        chapters.push(chapter(&format!("{}'s orders", side.name()), lines));
    }
    let mut confrontations: Vec<StoryLine> =
        day.confrontations.iter().map(|&confrontation| confronted(confrontation, setup)).collect();
    if confrontations.is_empty() {
        confrontations.push(StoryLine::new(Tone::Plain, "No opposing units met."));
    }
    chapters.push(chapter("Confrontations", confrontations));

    let mut fires: Vec<StoryLine> = day.fires.iter().map(|fire| fired(fire, dawn, day)).collect();
    if fires.is_empty() {
        fires.push(StoryLine::new(Tone::Plain, "No gun had a target in range."));
    }
    chapters.push(chapter("Artillery", fires));

    let mut end = vec![StoryLine::new(
        Tone::Plain,
        format!("Red has {} left, Blue {}.", units(day.dusk.red.len()), day.dusk.blue.len()),
    )];
    if let Some(ending) = ending {
        end.push(StoryLine::new(Tone::End, ended(ending, quiet_days)));
    } else if limit > 0 && quiet_days * 2 >= limit {
        let days = if quiet_days == 1 { "day" } else { "days" };
        end.push(StoryLine::new(
            Tone::Plain,
            format!("No unit has been removed for {quiet_days} {days}; after {limit} the game is a draw."),
        ));
    }
    chapters.push(chapter("End of the day", end));
    chapters
}

/// How the game ended, in a sentence.
#[must_use]
pub fn ended(ending: Ending, quiet_days: u32) -> String {
    match (ending.cause, ending.outcome.winner()) {
        (Cause::GeneralRemoved, Some(winner)) => {
            format!("{}'s General has been removed: {} wins.", winner.other().name(), winner.name())
        }
        (Cause::LoneGenerals, _) => "Only the two Generals are left: the game is a draw.".into(),
        (Cause::NoRemoval, _) => {
            format!("No unit has been removed on {quiet_days} days running: the game is a draw.")
        }
        (Cause::DayLimit, _) => "The last day of this game is over: the game is a draw.".into(),
        (Cause::BothGeneralsRemoved | Cause::GeneralRemoved, _) => {
            "Both Generals have been removed: the game is a draw.".into()
        }
    }
}

/// Both armies, a line for each kind of unit. Nothing while no unit stands on the board.
#[must_use]
pub fn roll(armies: &BySide<Army>) -> Vec<Chapter> {
    if armies.red.is_empty() && armies.blue.is_empty() {
        return Vec::new();
    }
    let line = |army: &Army, unit: Unit| {
        let positions: Vec<String> = army.positions_of(unit).iter().map(|position| position.to_string()).collect();
        (!positions.is_empty())
            .then(|| StoryLine::new(Tone::Plain, format!("{} ({}): {}", unit.name(), unit.code(), positions.join(" "))))
    };
    Side::BOTH
        .into_iter()
        .map(|side| {
            let army = armies.get(side);
            let lines = Unit::ALL.into_iter().filter_map(|unit| line(army, unit)).collect();
            chapter(&format!("{}'s units on the board: {}", side.name(), army.len()), lines)
        })
        .collect()
}

/// `Red's` or `Blue's`.
pub(super) const fn whose(side: Side) -> &'static str {
    match side {
        Side::Red => "Red's",
        Side::Blue => "Blue's",
    }
}

/// `1 unit`, `9 units`.
pub(super) fn units(number: usize) -> String {
    if number == 1 { "1 unit".into() } else { format!("{number} units") }
}

fn orders(side: Side, lawful: &Lawful, army: &Army) -> Vec<StoryLine> {
    if lawful.verdicts().is_empty() {
        return vec![StoryLine::new(Tone::Plain, format!("{} gave no orders.", side.name()))];
    }
    lawful
        .verdicts()
        .iter()
        .map(|&verdict| {
            if let Some(failed) = not_carried_out(verdict, army, whose(side)) {
                return StoryLine::new(Tone::Failed, failed);
            }
            let unit = verdict.unit.map_or("moved", Unit::name);
            StoryLine::new(Tone::Plain, format!("{}: {unit}.", verdict.order))
        })
        .collect()
}

/// That an order was not carried out and why, as a sentence; nothing for one that was.
pub(super) fn not_carried_out(verdict: Verdict, army: &Army, owner: &str) -> Option<String> {
    let reason = verdict.reason?;
    Some(format!("{} was not carried out: {}.", verdict.order, because(reason, verdict, army, owner)))
}

/// The rule by which a meeting of two units ends: `in the forest Infantry removes Cavalry`.
#[must_use]
pub fn removal(first: Unit, second: Unit, terrain: Terrain) -> String {
    let (winner, loser) = match confront(first, second, terrain) {
        Removed::Both => return "two units of one kind remove each other".to_owned(),
        Removed::First => (second, first),
        Removed::Second => (first, second),
    };
    let ground = match terrain {
        Terrain::Forest => "in the forest",
        Terrain::Field => "in the open field",
    };
    let verb = if winner == Unit::Guerrillas { "remove" } else { "removes" };
    match (winner.arm(), loser.arm()) {
        (_, Arm::General) => "every unit removes the General".to_owned(),
        (_, Arm::Artillery) => format!("{} {verb} Artillery on any ground", winner.arm().name()),
        (same, other) if same == other => format!("{} removes {} on any ground", winner.name(), loser.name()),
        (arm, other) => format!("{ground} {} {verb} {}", arm.name(), other.name()),
    }
}

/// What a writer reads beside an order before sealing it.
#[must_use]
pub fn verdict_to_writer(verdict: Verdict, army: &Army) -> String {
    match (verdict.reason, verdict.unit) {
        (Some(reason), _) => because(reason, verdict, army, "yours"),
        (None, Some(unit)) => format!("{}; will be carried out", unit.name()),
        (None, None) => "will be carried out".into(),
    }
}

/// Why an order is illegal, as the end of a sentence.
fn because(reason: Reason, verdict: Verdict, army: &Army, owner: &str) -> String {
    let (from, to) = (verdict.order.from, verdict.order.to);
    match reason {
        Reason::NoOwnUnit => format!("no unit of {owner} stands on {from}"),
        Reason::NotAMove => format!("{from} is both start and destination"),
        Reason::TooFar => {
            let unit = verdict.unit.map_or("the unit", Unit::name);
            let allowance = verdict.unit.map_or(0, Unit::allowance);
            format!("{to} is too far, {} positions away; {unit} moves {} a day", from.distance(to), up_to(allowance))
        }
        Reason::UnitOrderedTwice => format!("the list orders the unit on {from} more than once"),
        Reason::SharedDestination => format!("the list sends more than one unit to {to}"),
        Reason::DestinationHeld => {
            let holder = army.at(to).map_or("a unit", Unit::name);
            format!("the {holder} on {to} stays there")
        }
    }
}

fn up_to(allowance: u8) -> String {
    if allowance == 1 { "one position".into() } else { format!("up to {allowance} positions") }
}

fn confronted(confrontation: Confrontation, setup: &Setup) -> StoryLine {
    let Confrontation { at, red, blue, removed } = confrontation;
    let terrain = setup.board.terrain(at).name();
    let result = match removed {
        Removed::First => "Red's is removed",
        Removed::Second => "Blue's is removed",
        Removed::Both => "both are removed",
    };
    StoryLine::new(Tone::Loss, format!("{at}, {terrain}: Red's {} meets Blue's {}; {result}.", red.name(), blue.name()))
}

fn fired(fire: &Fire, dawn: &BySide<Army>, day: &Day) -> StoryLine {
    let enemy = fire.side.other();
    let targets: Vec<String> = fire
        .hits
        .iter()
        .map(|at| format!("{} on {at}", day.before_fire(dawn, enemy, at).map_or("a unit", Unit::name)))
        .collect();
    StoryLine::new(
        Tone::Loss,
        format!("{}'s Artillery on {} removes {}'s {}.", fire.side.name(), fire.at, enemy.name(), join(&targets)),
    )
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
