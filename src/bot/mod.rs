//! What a computer player would write: pure functions over the rules.
//!
//! A sheet follows from the open standing, the side, the level, a seed and a budget, and from nothing else: what the other
//! side has written is not in a standing. docs/computer.md says how the levels think and how strong they are.

use crate::rules::{Sheet, Side, Standing, field_command};

/// Chance from a seed.
mod dice;
/// The board and a day on it, in short.
mod field;
/// Deployments.
mod deploy;
/// What counts how much.
mod weights;
/// What a position is worth.
mod worth;
/// Good lists against given ones.
mod search;
/// How often each list should be chosen.
mod mixture;
/// The easy level.
mod easy;
/// The yardstick.
mod greedy;
/// The medium level.
mod medium;
/// The hard level.
mod hard;

use dice::Dice;
use field::{Force, Ground, Plan};
use search::{Purse, Scene};
pub use weights::{BOUNDS, Part, Weights};

/// How well the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For a first game.
    Easy,
    /// Sees what is open to attack, and what is left open.
    Medium,
    /// Weighs many lists of both sides against each other.
    Hard,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The word in settings, addresses and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }

    /// Reads what [`Level::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.word() == word)
    }
}

/// How many days may be computed and weighed for one sheet of the hard level. The others are quick and not bound by it; with
/// less than some thousand days the hard level writes what the medium one would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(pub u64);

impl Budget {
    /// What is computed where nobody says otherwise: about a tenth of a second of one core.
    pub const USUAL: Budget = Budget(120_000);
}

/// The sheet that a computer player writes for the awaited turn, a deployment or orders. It is always legal, and the same
/// for the same standing, side, level, seed and budget. After the end of a game it is an empty list.
#[must_use]
pub fn sheet(standing: &Standing, side: Side, level: Level, seed: [u8; 32], budget: Budget) -> Sheet {
    Thinker { style: Style::Level(level), weights: Weights::TUNED, budget }.sheet(standing, side, seed)
}

/// Finds a list as the medium level does, and says how many days were computed and weighed for it: what a machine can do in
/// a given time is measured by that.
#[must_use]
pub fn sample(standing: &Standing, side: Side) -> u64 {
    let mut purse = Purse(u64::MAX);
    let _ = write(standing, side, &Weights::TUNED, [0; 32], |scene, dice| medium::plan(scene, dice, &mut purse));
    u64::MAX - purse.0
}

/// How a list is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As one of the levels finds it.
    Level(Level),
    /// What would be best if the other side did nothing: the yardstick of the arena.
    Greedy,
}

/// A computer player of the arena, whose weights may be others than those of the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinker {
    /// How it finds its lists.
    pub style: Style,
    /// How it weighs positions.
    pub weights: Weights,
    /// How many days it may compute for one sheet.
    pub budget: Budget,
}

impl Thinker {
    /// The sheet for the awaited turn; see [`sheet()`].
    #[must_use]
    pub fn sheet(&self, standing: &Standing, side: Side, seed: [u8; 32]) -> Sheet {
        let purse = &mut Purse(self.budget.0);
        write(standing, side, &self.weights, seed, |scene, dice| match self.style {
            Style::Level(Level::Easy) => easy::plan(scene.ground, &scene.own, &scene.enemy, dice),
            Style::Level(Level::Hard) if self.budget >= hard::LEAST => hard::plan(scene, dice, purse),
            Style::Level(Level::Medium | Level::Hard) => medium::plan(scene, dice, &mut Purse(u64::MAX)),
            Style::Greedy => greedy::plan(scene, dice),
        })
    }
}

/// A deployment, or what `plan` makes of a day.
fn write(
    standing: &Standing,
    side: Side,
    weights: &Weights,
    seed: [u8; 32],
    plan: impl FnOnce(&Scene<'_>, &mut Dice) -> Plan,
) -> Sheet {
    let Standing::FieldCommand(standing) = standing;
    let setup = standing.setup();
    let mut dice = Dice::new(seed);
    Sheet::FieldCommand(if standing.turn() == 0 {
        field_command::Sheet::Deployment(deploy::deployment(&setup.board, side, &weights.layout, &mut dice))
    } else if standing.ending().is_some() {
        field_command::Sheet::Orders(field_command::Orders::default())
    } else {
        let days = |days: u32| i32::try_from(days).unwrap_or(i32::MAX);
        let scene = Scene {
            ground: &Ground::new(&setup.board),
            weights,
            own: Force::of_army(standing.armies().get(side)),
            enemy: Force::of_army(standing.armies().get(side.other())),
            quiet: days(standing.quiet_days()),
            limit: days(setup.no_removal_limit),
            last: setup.day_limit > 0 && standing.turn() >= setup.day_limit,
        };
        field_command::Sheet::Orders(plan(&scene, &mut dice).orders())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::field_command::maps;
    use crate::rules::{BySide, Setup};

    const BUDGET: Budget = hard::LEAST;

    /// A seed for each number.
    fn seed(n: u8) -> [u8; 32] {
        [n; 32]
    }

    fn open(map: maps::Map) -> Standing {
        let board = Arc::clone(map.board());
        Standing::open(Setup::FieldCommand(field_command::Setup { board, no_removal_limit: 12, day_limit: 0 }))
    }

    #[test]
    fn every_sheet_is_read_as_it_is_written_and_all_of_it_is_legal() {
        for (n, level) in (0u8..).zip([Level::ALL, Level::ALL].concat()) {
            let mut standing = open(maps::ALL[usize::from(n % 2)]);
            while standing.ending().is_none() && standing.turn() < 12 {
                let sheets = BySide::from_fn(|side| sheet(&standing, side, level, seed(n), BUDGET));
                for side in Side::BOTH {
                    let text = sheets.get(side).canonical();
                    assert_eq!(standing.parse(side, &text).as_ref(), Ok(sheets.get(side)));
                    let check = standing.check(side, sheets.get(side));
                    assert!(check.lines.iter().all(|line| line.legal), "{level:?}, {}: {text}", standing.turn_name());
                }
                standing = standing.resolve(sheets.as_ref()).0;
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_sheet_and_another_one_another_deployment() {
        for level in Level::ALL {
            let standing = open(maps::Map::Classic);
            let sheets: Vec<Sheet> = (0..4).map(|n| sheet(&standing, Side::Red, level, seed(n % 3), BUDGET)).collect();
            assert_eq!(sheets[0], sheets[3]);
            assert!(sheets[0] != sheets[1] && sheets[1] != sheets[2]);
            let blue = sheet(&standing, Side::Blue, level, seed(9), BUDGET);
            let (day_1, _) = standing.resolve(BySide { red: &sheets[0], blue: &blue });
            let twice = [0, 0].map(|n| sheet(&day_1, Side::Red, level, seed(n), BUDGET));
            assert_eq!(twice[0], twice[1]);
        }
    }

    #[test]
    fn medium_beats_easy() {
        let mut won = 0;
        for n in 0..10 {
            let mut standing = open(maps::ALL[usize::from(n % 2)]);
            let medium = if n % 4 < 2 { Side::Red } else { Side::Blue };
            while standing.ending().is_none() {
                let level = |side| if side == medium { Level::Medium } else { Level::Easy };
                let sheets = BySide::from_fn(|side| sheet(&standing, side, level(side), seed(n), BUDGET));
                standing = standing.resolve(sheets.as_ref()).0;
            }
            won += usize::from(standing.ending().unwrap().0.winner() == Some(medium));
        }
        assert!(won >= 7, "{won} of 10");
    }

    #[test]
    fn a_sample_counts_its_days() {
        let open = open(maps::Map::Classic);
        let sheets = BySide::from_fn(|side| sheet(&open, side, Level::Easy, seed(1), BUDGET));
        let (day_1, _) = open.resolve(sheets.as_ref());
        let days = sample(&day_1, Side::Red);
        assert!((100..50_000).contains(&days), "{days}");
        assert_eq!((sample(&day_1, Side::Red), sample(&open, Side::Red)), (days, 0));
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in Level::ALL {
            assert_eq!(Level::from_word(level.word()), Some(level));
        }
        assert_eq!(Level::from_word("Easy"), None);
    }
}
