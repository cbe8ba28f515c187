//! A day in the steps in which it is watched: the chapters of its story, each at its time.
//!
//! It says nothing that the story does not say; only the moves, which the story tells with the
//! orders, have a step of their own.

use super::day::Day;
use super::standing::{Report, Setup};
use super::story;
use crate::rules::side::{BySide, Side};
use crate::rules::story_line::{Chapter, StoryStep};

/// The steps of a day; none for a deployment, in which nothing moves.
#[must_use]
pub fn tell(report: &Report, setup: &Setup) -> Vec<StoryStep> {
    let Report::Day { day, .. } = report else { return Vec::new() };
    let mut chapters = story::tell(report, setup).into_iter();
    let mut next = |number: usize| -> Vec<Chapter> { chapters.by_ref().take(number).collect() };
    let step = |key, title, now, chapters| StoryStep { key, title, now, chapters };
    vec![
        step("orders", "Orders", Some(orders(day)), next(2)),
        step("moves", "Moves", Some(moves(day)), Vec::new()),
        step("confrontations", "Confrontations", confrontations(day), next(1)),
        step("artillery", "Artillery", artillery(day), next(1)),
        step("end", "End", None, next(1)),
    ]
}

/// `Red gave 9 orders (2 illegal), Blue no orders.`
fn orders(day: &Day) -> String {
    let counted = |side: Side| {
        let verdicts = day.orders.get(side).verdicts();
        let number = match verdicts.len() {
            0 => "no orders".to_owned(),
            1 => "1 order".to_owned(),
            number => format!("{number} orders"),
        };
        match verdicts.iter().filter(|verdict| verdict.reason.is_some()).count() {
            0 => number,
            illegal => format!("{number} ({illegal} illegal)"),
        }
    };
    format!("Red gave {}, Blue {}.", counted(Side::Red), counted(Side::Blue))
}

fn moves(day: &Day) -> String {
    let moved = BySide::from_fn(|side| day.orders.get(side).legal().count());
    match (moved.red, moved.blue) {
        (0, 0) => "No unit moves.".to_owned(),
        (red, 0) => format!("Red moves {}; Blue stands still.", units(red)),
        (0, blue) => format!("Blue moves {}; Red stands still.", units(blue)),
        (red, blue) => format!("All at once: Red moves {}, Blue {blue}.", units(red)),
    }
}

fn confrontations(day: &Day) -> Option<String> {
    match day.confrontations.len() {
        0 => None,
        1 => Some("Opposing units meet on one position.".to_owned()),
        number => Some(format!("Opposing units meet on {number} positions.")),
    }
}

fn artillery(day: &Day) -> Option<String> {
    match day.fires.len() {
        0 => None,
        1 => Some("One gun fires.".to_owned()),
        number => Some(format!("{number} guns fire at once.")),
    }
}

fn units(number: usize) -> String {
    if number == 1 { "1 unit".into() } else { format!("{number} units") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standing;
    use crate::rules::field_command::{maps, ready, standing};
    use std::sync::Arc;

    #[test]
    fn the_steps_tell_the_whole_story_in_its_order() {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let sheets = BySide::from_fn(|side| standing::Sheet::Deployment(ready::ALL[0].deployment(side)));
        let (dawn, deployed) = standing::Standing::open(setup.clone()).resolve(sheets.as_ref());
        assert_eq!(tell(&deployed, &setup), []);
        let seam = Standing::FieldCommand(dawn.clone());
        let list = |side, text| match seam.parse(side, text).unwrap() {
            crate::rules::Sheet::FieldCommand(sheet) => sheet,
        };
        let (red, blue) = (list(Side::Red, "G8-F8 G9-F9 A1-A2"), list(Side::Blue, ""));
        let (_, report) = dawn.resolve(BySide { red: &red, blue: &blue });
        let steps = tell(&report, &setup);
        let told: Vec<Chapter> = steps.iter().flat_map(|step| step.chapters.clone()).collect();
        assert_eq!(told, story::tell(&report, &setup));
        let now: Vec<Option<&str>> = steps.iter().map(|step| step.now.as_deref()).collect();
        let said =
            [Some("Red gave 3 orders (1 illegal), Blue no orders."), Some("Red moves 2 units; Blue stands still.")];
        assert_eq!(now, [&said[..], &[None; 3]].concat());
    }
}
