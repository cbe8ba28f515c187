//! A turn as one side lived through it: what became of its own orders and units. The whole story tells both sides'.

use super::confrontation::Removed;
use super::day::Day;
use super::standing::Report;
use super::story::{chapter, join, not_carried_out, units, whose};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};
use crate::rules::story_line::{Chapter, StoryLine, Tone};

/// What happened to a side's units, addressed to its player.
#[must_use]
pub fn tell(report: &Report, side: Side) -> Chapter {
    let lines = match report {
        Report::Deployed { armies } => {
            let text = format!("All your {} stand where you deployed them.", units(armies.get(side).len()));
            vec![StoryLine::new(Tone::Plain, text)]
        }
        Report::Day { dawn, day, .. } => tell_day(dawn, day, side),
    };
    chapter("Your units", lines)
}

fn tell_day(dawn: &BySide<Army>, day: &Day, side: Side) -> Vec<StoryLine> {
    let mut lines = orders(dawn.get(side), day, side);
    lines.extend(met(day, side));
    lines.extend(under_fire(dawn, day, side));
    let lost = |side: Side| dawn.get(side).len().saturating_sub(day.dusk.get(side).len());
    let other = side.other();
    let own = match lost(side) {
        0 => "You lost no unit".to_owned(),
        number => format!("You lost {}", units(number)),
    };
    lines.push(StoryLine::new(
        Tone::Plain,
        format!(
            "{own} and have {} left; {} lost {} and has {}.",
            day.dusk.get(side).len(),
            other.name(),
            lost(other),
            day.dusk.get(other).len()
        ),
    ));
    lines
}

/// How many of the orders were carried out, and why the others were not.
fn orders(army: &Army, day: &Day, side: Side) -> Vec<StoryLine> {
    let verdicts = day.orders.get(side).verdicts();
    let failed: Vec<StoryLine> = verdicts
        .iter()
        .filter_map(|&verdict| not_carried_out(verdict, army, "yours"))
        .map(|text| StoryLine::new(Tone::Failed, text))
        .collect();
    let text = match (verdicts.len(), verdicts.len() - failed.len()) {
        (0, _) => "You gave no orders.".to_owned(),
        (1, 1) => "Your order was carried out.".to_owned(),
        (1, _) => "Your order was not carried out.".to_owned(),
        (all, done) if all == done => format!("All your {all} orders were carried out."),
        (all, done) => format!("Of your {all} orders {done} {} carried out.", if done == 1 { "was" } else { "were" }),
    };
    [StoryLine::new(Tone::Plain, text)].into_iter().chain(failed).collect()
}

/// Whom the own units met.
fn met(day: &Day, side: Side) -> impl Iterator<Item = StoryLine> + '_ {
    day.confrontations.iter().map(move |meeting| {
        let units = BySide { red: meeting.red, blue: meeting.blue };
        let (mine, theirs) = (units.get(side).name(), units.get(side.other()).name());
        let result = match meeting.removed {
            Removed::Both => "both were removed",
            _ if *meeting.removed.by_side().get(side) => "yours was removed",
            _ => "theirs was removed",
        };
        let at = meeting.at;
        let whose = whose(side.other());
        StoryLine::new(Tone::Loss, format!("Your {mine} met {whose} {theirs} on {at}: {result}."))
    })
}

/// What the enemy's guns removed, and what the own ones did.
fn under_fire(dawn: &BySide<Army>, day: &Day, side: Side) -> Vec<StoryLine> {
    let mut lines = Vec::new();
    for victim in [side, side.other()] {
        for (at, unit) in dawn_and_moved(dawn, day, victim) {
            let guns = day.fires.iter().filter(|fire| fire.side != victim && fire.hits.contains(at));
            let guns: Vec<String> = guns.map(|fire| fire.at.to_string()).collect();
            if guns.is_empty() {
                continue;
            }
            let (whose_unit, gunner) = if victim == side {
                ("Your".to_owned(), format!("{} Artillery", whose(side.other())))
            } else {
                (whose(victim).to_owned(), "your Artillery".to_owned())
            };
            let text = format!("{whose_unit} {} on {at} was removed by {gunner} on {}.", unit.name(), join(&guns));
            lines.push(StoryLine::new(Tone::Loss, text));
        }
    }
    lines
}

/// The units of a side that a gun hit, where they stood then.
fn dawn_and_moved<'a>(
    dawn: &'a BySide<Army>,
    day: &'a Day,
    side: Side,
) -> impl Iterator<Item = (super::position::Position, Unit)> + 'a {
    let hit = day.fires.iter().filter(move |fire| fire.side != side);
    let hit = hit.fold(super::position::PositionSet::EMPTY, |all, fire| all.or(fire.hits));
    hit.iter().filter_map(move |at| Some((at, day.before_fire(dawn, side, at)?)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::field_command::{self, maps};
    use crate::rules::{Setup, Sheet, Standing};

    /// What a side reads of a day between two small armies.
    fn told(armies: BySide<&str>, orders: BySide<&str>, side: Side) -> Vec<String> {
        let setup = field_command::Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let standing = Standing::adopt(Setup::FieldCommand(setup), 1, armies).unwrap();
        let sheets: BySide<Sheet> = BySide {
            red: standing.parse(Side::Red, orders.red).unwrap(),
            blue: standing.parse(Side::Blue, orders.blue).unwrap(),
        };
        let (_, report) = standing.resolve(sheets.as_ref());
        report.own(side).lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn each_side_reads_what_became_of_its_own() {
        let armies = BySide { red: "GN K1\nI2 F6", blue: "GN A1\nC1 E6" };
        let orders = BySide { red: "F6-E6 K1-K5", blue: "" };
        assert_eq!(
            told(armies, orders, Side::Red),
            [
                "Of your 2 orders 1 was carried out.",
                "K1-K5 was not carried out: K5 is too far, 4 positions away; General moves one position a day.",
                "Your 2nd Infantry met Blue's 1st Cavalry on E6: theirs was removed.",
                "You lost no unit and have 2 left; Blue lost 1 and has 1.",
            ]
        );
        assert_eq!(
            told(armies, orders, Side::Blue),
            [
                "You gave no orders.",
                "Your 1st Cavalry met Red's 2nd Infantry on E6: yours was removed.",
                "You lost 1 unit and have 1 left; Red lost 0 and has 2.",
            ]
        );
    }

    #[test]
    fn guns_are_named_from_both_sides() {
        // A gun reaches what stands beside it on the same altitude: E5 and E6 are forest, altitude 2.
        let armies = BySide { red: "GN K1\nAR E5", blue: "GN A1\nC1 E6" };
        let orders = BySide { red: "", blue: "" };
        let red = told(armies, orders, Side::Red);
        assert!(red.contains(&"Blue's 1st Cavalry on E6 was removed by your Artillery on E5.".to_owned()), "{red:?}");
        let blue = told(armies, orders, Side::Blue);
        assert!(blue.contains(&"Your 1st Cavalry on E6 was removed by Red's Artillery on E5.".to_owned()), "{blue:?}");
    }
}
