//! Six small positions to learn by: each holds one idea, the learner plays Red, and what Blue does is
//! settled beforehand. Whether one is solved, and if not why, is read from the day as the real rules make it.

use std::sync::Arc;

use super::board::Board;
use super::day::Day;
use super::outlook::within;
use super::position::Position;
use super::standing::{Report, Setup, Sheet, Standing};
use super::story::{not_carried_out, removal};
use super::unit::{Army, Unit};
use super::{Orders, maps, parse};
use crate::rules::side::{BySide, Side};

/// A position with a task.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its name in addresses.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What is to be done, in a sentence or two.
    pub task: &'static str,
    /// How to go about it, for whoever asks.
    pub hint: &'static str,
    /// What it teaches, for whoever has solved it.
    pub learned: &'static str,
    red: &'static [(Unit, &'static str)],
    blue: &'static [(Unit, &'static str)],
    /// Blue's list. Where there are several, the orders must do for each of them.
    lists: &'static [&'static str],
    /// Where the units stand that must be removed.
    targets: &'static [&'static str],
    /// Whether Red may lose nothing.
    unharmed: bool,
    /// Orders that solve it.
    #[cfg(test)]
    solution: &'static str,
    /// What one tries first, and a word of the explanation why it fails.
    #[cfg(test)]
    wrong: (&'static str, &'static str),
}

/// All lessons, in their order.
pub const ALL: [Lesson; 6] = [
    Lesson {
        key: "terrain",
        name: "Terrain",
        task: "Two Blue Guerrillas stand before you: one in the forest on G3, one in the open field on G4. \
               Remove both and lose nothing.",
        hint: "In the forest Infantry removes Guerrillas; in the open field Cavalry does. Touch a unit of yours: \
               + marks where it would win, − where it would be removed.",
        learned: "Forest is for Infantry, the open field for Cavalry, and Guerrillas stand in between. \
                  It is the ground where they meet that decides, not the ground they come from.",
        red: &[(Unit::Cavalry2, "H3"), (Unit::Infantry2, "H4")],
        blue: &[(Unit::Guerrillas, "G3"), (Unit::Guerrillas, "G4")],
        lists: &[""],
        targets: &["G3", "G4"],
        unharmed: true,
        #[cfg(test)]
        solution: "H3-G4 H4-G3",
        #[cfg(test)]
        wrong: ("H3-G3 H4-G4", "in the open field Guerrillas remove Infantry"),
    },
    Lesson {
        key: "rank",
        name: "Rank",
        task: "Blue’s 1st Infantry holds F7 and the 3rd holds F6. Remove both and lose nothing: within an arm the \
               1st removes the 2nd, the 2nd the 3rd, and the 3rd the 1st.",
        hint: "Your own 1st and 3rd face units of their kind, and two of a kind remove each other. The 3rd removes the 1st.",
        learned: "No rank is the best: each removes one and is removed by another, on any ground. \
                  Rank counts within Infantry and within Cavalry alone.",
        red: &[(Unit::Infantry3, "G6"), (Unit::Infantry1, "G7"), (Unit::Infantry2, "H6")],
        blue: &[(Unit::Infantry3, "F6"), (Unit::Infantry1, "F7")],
        lists: &[""],
        targets: &["F6", "F7"],
        unharmed: true,
        #[cfg(test)]
        solution: "G6-F7 H6-F6",
        #[cfg(test)]
        wrong: ("G6-F6 G7-F7", "one kind"),
    },
    Lesson {
        key: "follow-on",
        name: "Follow-on",
        task: "Blue’s Guerrillas on E8 are about to come to G8, forest, where they would remove your Cavalry. Your Infantry \
               on H8 would win there. Let it follow as the Cavalry leaves.",
        hint: "First order the Cavalry on G8 away. Then touch the Infantry: a button offers to follow the Cavalry to G8.",
        learned: "All orders are carried out at once, so a unit may go where another leaves on the same day. \
                  If that one stays, neither moves.",
        red: &[(Unit::Cavalry2, "G8"), (Unit::Infantry2, "H8")],
        blue: &[(Unit::Infantry1, "D8"), (Unit::Guerrillas, "E8")],
        lists: &["E8-G8 D8-E8"],
        targets: &["E8"],
        unharmed: true,
        #[cfg(test)]
        solution: "G8-G9 H8-G8",
        #[cfg(test)]
        wrong: ("H8-G8", "the 2nd Cavalry on G8 stays there"),
    },
    Lesson {
        key: "swap",
        name: "Swap",
        task: "Blue’s Guerrillas on C8 and C9 will come straight at you. Your Infantry waits in the open on E8 and your Cavalry \
               in the forest on E9: the wrong way round. Let them change places.",
        hint: "Touch the Infantry on E8: a button offers to swap it with the Cavalry on E9.",
        learned: "Two orders that exchange units are legal, and so is a ring of more. Enemies that exchange positions pass \
                  each other: only where units end do they meet.",
        red: &[(Unit::Infantry2, "E8"), (Unit::Cavalry2, "E9")],
        blue: &[(Unit::Guerrillas, "C8"), (Unit::Guerrillas, "C9")],
        lists: &["C8-E8 C9-E9"],
        targets: &["C8", "C9"],
        unharmed: true,
        #[cfg(test)]
        solution: "E8-E9 E9-E8",
        #[cfg(test)]
        wrong: ("E8-E9", "E8-E9 was not carried out"),
    },
    Lesson {
        key: "guns",
        name: "Guns",
        task: "Guns fire by themselves when all have moved. Yours on F5 and Blue’s on E5 stand on one altitude and would remove \
               each other. Remove all three Blue units and lose nothing.",
        hint: "A gun does not reach up. F6 and G5 lie on altitude 3: from there it reaches 2 positions down to E5 and \
               3 down to D5. The gun on H9 needs no order.",
        learned: "A gun reaches 1 position on its own altitude, 2 one level down, 3 two levels down, and never up. \
                  So the higher gun fires and is not answered. Guerrillas are never hit.",
        red: &[(Unit::Artillery, "F5"), (Unit::Artillery, "H9")],
        blue: &[(Unit::Infantry2, "D5"), (Unit::Artillery, "E5"), (Unit::Cavalry2, "E9")],
        lists: &[""],
        targets: &["D5", "E5", "E9"],
        unharmed: true,
        #[cfg(test)]
        solution: "F5-F6",
        #[cfg(test)]
        wrong: ("F5-F4", "Your gun on F4 does not reach it"),
    },
    Lesson {
        key: "general",
        name: "Hunting the General",
        task: "Blue’s General on A1 moves one position at most: he can end on A1, A2 or B1. You do not know which. \
               Leave him none.",
        hint: "Every unit removes the General, on any ground. Send one to each of the three positions; the Cavalry alone \
               reaches A1.",
        learned: "A General is lost when all positions on which he can end are covered at once. That goes for yours too: \
                  whoever loses the General loses the game.",
        red: &[(Unit::Guerrillas, "B4"), (Unit::Infantry2, "C2"), (Unit::Cavalry2, "D1")],
        blue: &[(Unit::General, "A1"), (Unit::Infantry2, "A4")],
        lists: &["", "A1-A2", "A1-B1"],
        targets: &["A1"],
        unharmed: false,
        #[cfg(test)]
        solution: "B4-A2 C2-B1 D1-A1",
        #[cfg(test)]
        wrong: ("D1-A1", "none of your units"),
    },
];

/// What came of the learner's orders.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The day.
    pub report: Report,
    /// Whether the task is done.
    pub solved: bool,
    /// Why it is not, in sentences.
    pub why: Vec<String>,
}

impl Lesson {
    /// The lesson with a key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Lesson> {
        ALL.iter().find(|lesson| lesson.key == key)
    }

    /// Which of the six it is, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        ALL.iter().take_while(|other| other.key != self.key).count() + 1
    }

    /// The one that comes after it.
    #[must_use]
    pub fn next(&self) -> Option<&'static Lesson> {
        ALL.get(self.number())
    }

    /// The position: day 1, with nothing but the lesson's units on the printed board.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let army = |units: &[(Unit, &str)]| {
            units.iter().filter_map(|&(unit, at)| Some((Position::parse(at)?, unit))).collect::<Army>()
        };
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 0, day_limit: 0 };
        Standing::on_day_one(setup, &BySide { red: army(self.red), blue: army(self.blue) })
    }

    /// Carries Red's orders out against Blue's. Where Blue has several lists, the first that
    /// spoils Red's plan is shown, or the last.
    #[must_use]
    pub fn attempt(&self, orders: &Sheet) -> Attempt {
        let standing = self.standing();
        let mut attempt = self.against(&standing, orders, self.lists.first().unwrap_or(&""));
        for list in self.lists.iter().skip(1) {
            if !attempt.solved {
                break;
            }
            attempt = self.against(&standing, orders, list);
        }
        attempt
    }

    fn against(&self, standing: &Standing, red: &Sheet, list: &str) -> Attempt {
        let blue = parse::orders(list, &standing.armies().blue).unwrap_or_default();
        let (_, report) = standing.resolve(BySide { red, blue: &Sheet::Orders(blue) });
        let why = match &report {
            Report::Day { dawn, day, .. } => self.explain(&standing.setup().board, dawn, day),
            Report::Deployed { .. } => Vec::new(),
        };
        Attempt { report, solved: why.is_empty(), why }
    }

    /// Why the task is not done; nothing if it is.
    fn explain(&self, board: &Board, dawn: &BySide<Army>, day: &Day) -> Vec<String> {
        let left: Vec<(Position, Position, Unit)> = self.targets.iter().filter_map(|at| left(at, dawn, day)).collect();
        let losses = losses(board, dawn, day);
        if left.is_empty() && (losses.is_empty() || !self.unharmed) {
            return Vec::new();
        }
        let mut why = Vec::new();
        let verdicts = day.orders.red.verdicts();
        if verdicts.is_empty() {
            why.push("You gave no orders.".to_owned());
        }
        why.extend(verdicts.iter().filter_map(|&verdict| not_carried_out(verdict, &dawn.red, "yours")));
        why.extend(losses);
        why.extend(left.into_iter().map(|(from, at, unit)| still_there(board, day, from, at, unit)));
        why
    }
}

/// A target that is still on the board: where it was, where it is, and what it is.
fn left(at: &str, dawn: &BySide<Army>, day: &Day) -> Option<(Position, Position, Unit)> {
    let from = Position::parse(at)?;
    let unit = dawn.blue.at(from)?;
    let to = day.orders.blue.legal().find(|order| order.from == from).map_or(from, |order| order.to);
    (day.dusk.blue.at(to) == Some(unit)).then_some((from, to, unit))
}

/// What Red lost, and by which rule.
fn losses(board: &Board, dawn: &BySide<Army>, day: &Day) -> Vec<String> {
    let mut losses = Vec::new();
    for meeting in day.confrontations.iter().filter(|meeting| meeting.removed.by_side().red) {
        let rule = removal(meeting.red, meeting.blue, board.terrain(meeting.at));
        losses.push(format!("Your {} on {}: {rule}.", was_removed(meeting.red), meeting.at));
    }
    for fire in day.fires.iter().filter(|fire| fire.side == Side::Blue) {
        for at in fire.hits {
            let unit = day.before_fire(dawn, Side::Red, at).map_or_else(|| "unit was removed".to_owned(), was_removed);
            losses.push(format!("Your {unit} on {at} by Blue’s gun on {}: {}.", fire.at, reach(board, fire.at, at)));
        }
    }
    losses
}

/// `2nd Infantry was removed`.
fn was_removed(unit: Unit) -> String {
    format!("{} {} removed", unit.name(), if unit == Unit::Guerrillas { "were" } else { "was" })
}

/// How far a gun reaches a target, as a rule.
fn reach(board: &Board, gun: Position, target: Position) -> &'static str {
    let (above, below) = (board.ground(gun).altitude, board.ground(target).altitude);
    match above.checked_sub(below) {
        None => "a gun does not reach up",
        Some(0) => "on its own altitude a gun reaches 1 position",
        Some(1) => "one level down a gun reaches 2 positions",
        Some(_) => "two levels down a gun reaches 3 positions",
    }
}

/// A target that was not removed, and what Red's nearest gun has to do with it.
fn still_there(board: &Board, day: &Day, from: Position, at: Position, unit: Unit) -> String {
    if unit == Unit::General {
        let went = if from == at { format!("stayed on {at}") } else { format!("went to {at}") };
        return format!("Blue’s General {went}, and none of your units ended there.");
    }
    let verb = if unit == Unit::Guerrillas { "are" } else { "is" };
    let there = format!("Blue’s {} on {at} {verb} still there.", unit.name());
    let guns = day.dusk.red.positions_of(Unit::Artillery);
    let near = guns.iter().filter(|gun| within(*gun, 4).any(|near| near == at)).min_by_key(|gun| gun.distance(at));
    match near {
        Some(gun) => format!(
            "{there} Your gun on {gun} does not reach it: {}, and {at} lies {} away.",
            reach(board, gun, at),
            gun.distance(at)
        ),
        None => there,
    }
}

/// An empty list, for whoever only looks.
#[must_use]
pub fn no_orders() -> Sheet {
    Sheet::Orders(Orders::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(lesson: &Lesson, text: &str) -> Attempt {
        let standing = lesson.standing();
        lesson.attempt(&standing.parse(Side::Red, text).unwrap())
    }

    #[test]
    fn every_lesson_can_be_solved() {
        for lesson in &ALL {
            let attempt = attempt(lesson, lesson.solution);
            assert!(attempt.solved && attempt.why.is_empty(), "{}: {:?}", lesson.key, attempt.why);
        }
    }

    #[test]
    fn doing_nothing_solves_none() {
        for lesson in &ALL {
            let attempt = lesson.attempt(&no_orders());
            assert!(!attempt.solved && attempt.why[0] == "You gave no orders.", "{}: {:?}", lesson.key, attempt.why);
            assert!(attempt.why.len() > 1, "{} does not say why", lesson.key);
        }
    }

    #[test]
    fn what_one_tries_first_is_explained() {
        for lesson in &ALL {
            let (orders, words) = lesson.wrong;
            let attempt = attempt(lesson, orders);
            assert!(!attempt.solved, "{}", lesson.key);
            let why = attempt.why.join(" ");
            assert!(why.contains(words), "{}: {why}", lesson.key);
        }
    }

    #[test]
    fn every_unit_and_list_is_as_written() {
        for lesson in &ALL {
            let standing = lesson.standing();
            let armies = standing.armies();
            assert_eq!((armies.red.len(), armies.blue.len()), (lesson.red.len(), lesson.blue.len()), "{}", lesson.key);
            assert!((2..=6).contains(&lesson.red.len()) && (2..=6).contains(&lesson.blue.len()), "{}", lesson.key);
            assert!(armies.red.held().and(armies.blue.held()).is_empty());
            for list in lesson.lists {
                let sheet = standing.parse(Side::Blue, list).unwrap();
                assert_eq!(standing.check(Side::Blue, &sheet).warnings(), 0, "{}: {list}", lesson.key);
            }
            assert!(lesson.targets.iter().all(|at| armies.blue.at(Position::parse(at).unwrap()).is_some()));
            assert_eq!(Lesson::find(lesson.key).map(|found| found.name), Some(lesson.name));
        }
        assert_eq!((ALL[1].number(), ALL[1].next().map(|next| next.key)), (2, Some("follow-on")));
        assert!(ALL[5].next().is_none() && Lesson::find("chess").is_none());
    }

    #[test]
    fn the_ground_is_as_the_tasks_say() {
        let ground = |at: &str| maps::classic().ground(Position::parse(at).unwrap());
        for (forest, field) in [("G3", "G4"), ("E9", "E8"), ("G8", "G9")] {
            assert_eq!((ground(forest).terrain.name(), ground(field).terrain.name()), ("forest", "open field"));
        }
        assert_eq!(["F5", "E5", "F6", "G5", "D5"].map(|at| ground(at).altitude), [2, 2, 3, 3, 1]);
    }

    #[test]
    fn the_reasons_are_whole_sentences() {
        let why = |key: &str, orders: &str| attempt(Lesson::find(key).unwrap(), orders).why.join(" ");
        assert_eq!(
            why("terrain", "H4-G4"),
            "Your 2nd Infantry was removed on G4: in the open field Guerrillas remove Infantry. \
             Blue’s Guerrillas on G3 are still there. Blue’s Guerrillas on G4 are still there."
        );
        assert_eq!(
            why("guns", ""),
            "You gave no orders. Your Artillery was removed on F5 by Blue’s gun on E5: \
             on its own altitude a gun reaches 1 position."
        );
        assert_eq!(why("general", "D1-A1 C2-B1"), "Blue’s General went to A2, and none of your units ended there.");
        let guns = why("guns", "F5-F4 H9-H8");
        assert!(guns.contains("on its own altitude a gun reaches 1 position, and E5 lies 2 away"), "{guns}");
    }

    /// A learner may find another way; no way loses a unit where none may be lost.
    #[test]
    fn the_general_is_not_caught_by_luck() {
        let lesson = Lesson::find("general").unwrap();
        for one in ["D1-A1", "D1-B1", "B4-A2", "C2-B1 B4-A2", "D1-A1 B4-A2", "D1-A1 C2-B1"] {
            assert!(!attempt(lesson, one).solved, "{one}");
        }
        assert!(attempt(lesson, "D1-A1 C2-A2 B4-B1").solved);
    }
}
