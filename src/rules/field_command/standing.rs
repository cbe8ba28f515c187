//! A game of Field Command between two turns: what it was opened with, where the armies
//! stand, what is awaited, and how a turn carries it on.
//!
//! Turn 0 is the deployment; turn n is day n.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::{Board, BoardText};
use super::day::{self, Day};
use super::deployment::{Deployment, parse_part};
use super::order::{LIMIT, Orders};
use super::outcome::{Cause, Ending, Limits, house_rules};
use super::position::Position;
use super::report::{DayReport, UnitReport, units};
use super::unit::{Army, Unit};
use super::validate::validate;
use super::{parse, ready, story};
use crate::rules::entry::{Check, CheckedLine, EntryForm, Preset};
use crate::rules::side::{BySide, Outcome, Side};
use crate::rules::text_error::TextError;

/// What a game is opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub board: Arc<Board>,
    /// After so many days running without a removal the game is a draw; 0 = never.
    pub no_removal_limit: u32,
    /// After this day the game is a draw; 0 = never.
    pub day_limit: u32,
}

/// The usual limit of days without a removal.
pub const NO_REMOVAL_LIMIT: u32 = 12;
/// The greatest limit that can be chosen.
pub const NO_REMOVAL_LIMIT_MAX: u32 = 99;
/// The greatest limit of days that can be chosen.
pub const DAY_LIMIT_MAX: u32 = 999;

/// A game between two turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    setup: Setup,
    turn: u32,
    quiet_days: u32,
    armies: BySide<Army>,
    ending: Option<Ending>,
}

/// What a side writes for a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// For turn 0.
    Deployment(Deployment),
    /// For every day.
    Orders(Orders),
}

/// What a turn was.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// Both deployments were revealed.
    Deployed {
        /// Both armies.
        armies: Box<BySide<Army>>,
    },
    /// A day was fought.
    Day {
        /// Its number, from 1.
        number: u32,
        /// The armies before it.
        dawn: Box<BySide<Army>>,
        /// What happened.
        day: Box<Day>,
        /// How it ended the game, if it did.
        ending: Option<Ending>,
        /// Days running without a removal, this one included.
        quiet_days: u32,
        /// The limit of them that the game was opened with.
        no_removal_limit: u32,
        /// The limit of days in all that the game was opened with.
        day_limit: u32,
    },
}

impl Sheet {
    /// The canonical text; see [`Orders`] and [`Deployment`].
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Sheet::Deployment(deployment) => deployment.to_string(),
            Sheet::Orders(orders) => orders.to_string(),
        }
    }

    /// Whether the sheet asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Sheet::Orders(orders) if orders.is_empty())
    }

    /// The sheet's size in words: `9 orders`, `this deployment`.
    #[must_use]
    pub fn measure(&self) -> String {
        match self {
            Sheet::Deployment(_) => "this deployment".into(),
            Sheet::Orders(orders) => match orders.len() {
                0 => "an empty list".into(),
                1 => "1 order".into(),
                n => format!("{n} orders"),
            },
        }
    }
}

impl Standing {
    /// A new game: both deployments are awaited.
    #[must_use]
    pub fn open(setup: Setup) -> Standing {
        let armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
        Standing { setup, turn: 0, quiet_days: 0, armies, ending: None }
    }

    /// Day 1 with these armies, however they came there.
    #[must_use]
    pub(super) const fn on_day_one(setup: Setup, armies: &BySide<Army>) -> Standing {
        Standing::at_dawn(setup, 1, armies)
    }

    /// The dawn of day `turn` with these armies, on the word of both players.
    #[must_use]
    pub(super) const fn at_dawn(setup: Setup, turn: u32, armies: &BySide<Army>) -> Standing {
        Standing { setup, turn, quiet_days: 0, armies: *armies, ending: None }
    }

    /// What the game was opened with.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The turn that is awaited: 0 for the deployment, n for day n. After the end, the turn that will not be played.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Where the armies stand; both are empty before the deployments are revealed.
    #[must_use]
    pub const fn armies(&self) -> &BySide<Army> {
        &self.armies
    }

    /// How the game ended on the board.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether a side has more than its General, who cannot win alone; before the deployments are revealed it has.
    #[must_use]
    pub fn may_win(&self, side: Side) -> bool {
        let army = self.armies.get(side);
        self.turn == 0 || army.len() > army.generals()
    }

    /// Days running without a removal.
    #[must_use]
    pub const fn quiet_days(&self) -> u32 {
        self.quiet_days
    }

    /// How near a draw by a limit of days is, in a sentence for each limit, from half of it on.
    #[must_use]
    pub fn quiet(&self) -> Option<String> {
        let (quiet, limit) = (self.quiet_days, self.setup.no_removal_limit);
        let removal = (limit > 0 && quiet * 2 >= limit)
            .then(|| format!("{quiet} of {limit} days without a removal: at {limit} the game is a draw."));
        let (day, last) = (self.turn, self.setup.day_limit);
        let length =
            (last > 0 && day * 2 >= last).then(|| format!("Day {day} of {last}: after day {last} the game is a draw."));
        let near: Vec<String> = removal.into_iter().chain(length).collect();
        (self.ending.is_none() && !near.is_empty()).then(|| near.join(" "))
    }

    /// Whose sheet is awaited: both sides', until the game is over.
    #[must_use]
    pub const fn awaits(&self) -> BySide<bool> {
        let open = self.ending.is_none();
        BySide { red: open, blue: open }
    }

    /// Reads what a side wrote for the awaited turn.
    ///
    /// # Errors
    /// The line and word that cannot be read.
    pub fn parse(&self, side: Side, text: &str) -> Result<Sheet, TextError> {
        if self.turn == 0 {
            Deployment::parse(text, side).map(Sheet::Deployment)
        } else {
            parse::orders(text, self.armies.get(side)).map(Sheet::Orders)
        }
    }

    /// Tells the writer what will become of a sheet.
    #[must_use]
    pub fn check(&self, side: Side, sheet: &Sheet) -> Check {
        let lines = match sheet {
            Sheet::Deployment(deployment) => Unit::ALL.into_iter().map(|unit| placed(deployment, unit)).collect(),
            Sheet::Orders(orders) => {
                let army = self.armies.get(side);
                let lawful = validate(army, orders);
                lawful
                    .verdicts()
                    .iter()
                    .map(|verdict| CheckedLine {
                        text: verdict.order.to_string(),
                        legal: verdict.reason.is_none(),
                        reason: verdict.reason.map(|reason| reason.word().to_owned()),
                        note: story::verdict_to_writer(*verdict, army),
                    })
                    .collect()
            }
        };
        Check { lines, measure: sheet.measure() }
    }

    /// Carries the game on by one turn. A sheet of the wrong kind counts as an empty one,
    /// which [`Standing::parse`] never makes.
    #[must_use]
    pub fn resolve(&self, sheets: BySide<&Sheet>) -> (Standing, Report) {
        let mut next = self.clone();
        next.turn += 1;
        if self.turn == 0 {
            next.armies = sheets.map(|sheet| match sheet {
                Sheet::Deployment(deployment) => *deployment.army(),
                Sheet::Orders(_) => Army::EMPTY,
            });
            let armies = Box::new(next.armies);
            return (next, Report::Deployed { armies });
        }
        let none = Orders::default();
        let day = day::resolve(
            &self.setup.board,
            &self.armies,
            sheets.map(|sheet| match sheet {
                Sheet::Orders(orders) => orders,
                Sheet::Deployment(_) => &none,
            }),
        );
        next.armies = day.dusk;
        next.quiet_days = if day.removed_any() { 0 } else { self.quiet_days + 1 };
        let limit = self.setup.no_removal_limit;
        let day_limit = self.setup.day_limit;
        let limits = Limits { quiet_days: limit, days: day_limit };
        next.ending = day.ending.or_else(|| house_rules(&next.armies, next.quiet_days, self.turn, limits));
        let report = Report::Day {
            number: self.turn,
            dawn: Box::new(self.armies),
            day: Box::new(day),
            ending: next.ending,
            quiet_days: next.quiet_days,
            no_removal_limit: limit,
            day_limit,
        };
        (next, report)
    }

    /// The form in which a side writes the awaited sheet.
    #[must_use]
    pub fn entry_form(&self, side: Side) -> EntryForm {
        if self.turn == 0 {
            let presets = ready::ALL.iter().map(|ready| Preset {
                key: ready.key,
                name: ready.name,
                about: ready.about,
                text: ready.deployment(side).to_string(),
            });
            EntryForm {
                noun: "deployment",
                ask: "Place your 40 units behind your broken line.".into(),
                notation: "One line for each kind of unit: its code, then its positions. Everything after # is a comment.",
                example: example(side),
                rows: 10,
                empty: None,
                fills: true,
                presets: presets.collect(),
            }
        } else {
            EntryForm {
                noun: "orders",
                ask: format!("Write up to {LIMIT} orders for day {}.", self.turn),
                notation: "One order a line, or parted by commas: where the unit is, then where it shall go. \
                           Letters in either case; a dash, an arrow, x or a space between. A unit's code may stand before.",
                example: "H7-F7\nI2 G8-F8".into(),
                rows: 12,
                empty: Some("No orders: let the day pass"),
                fills: false,
                presets: Vec::new(),
            }
        }
    }

    /// Completes a half-written sheet by chance, where the game knows how: `pick(n)` chooses
    /// one of `n`.
    ///
    /// # Errors
    /// The line and word of the part that cannot be read, or that there is nothing to complete.
    pub fn fill(&self, side: Side, part: &str, pick: impl FnMut(usize) -> usize) -> Result<Sheet, TextError> {
        if self.turn > 0 {
            return Err(TextError::whole("orders are not filled in by chance"));
        }
        let part = parse_part(part, side)?;
        Ok(Sheet::Deployment(Deployment::fill(&part, side, pick)))
    }
}

/// The first two lines of a deployment, with positions of the side's own zone.
fn example(side: Side) -> String {
    let whole = ready::ALL.first().map(|ready| ready.deployment(side).to_string()).unwrap_or_default();
    whole.lines().take(2).collect::<Vec<_>>().join("\n")
}

/// One line of a deployment's check.
fn placed(deployment: &Deployment, unit: Unit) -> CheckedLine {
    let positions: Vec<String> =
        deployment.army().positions_of(unit).iter().map(|position| position.to_string()).collect();
    CheckedLine {
        text: format!("{} {}", unit.code(), positions.join(" ")),
        legal: true,
        reason: None,
        note: format!("{} × {}", positions.len(), unit.name()),
    }
}

/// What is kept of a [`Setup`] beside its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSetup {
    no_removal_limit: u32,
    /// Left out where there is none, so that games without it are written, and hashed, as ever.
    #[serde(default, skip_serializing_if = "is_none")]
    day_limit: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_none(limit: &u32) -> bool {
    *limit == 0
}

impl Setup {
    /// What is wrong with the settings: the setting's name and a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, String)> {
        let too_great = |most: u32| format!("is {most} days at most; 0 means that there is no limit");
        if self.no_removal_limit > NO_REMOVAL_LIMIT_MAX {
            return Some(("no_removal_limit", too_great(NO_REMOVAL_LIMIT_MAX)));
        }
        (self.day_limit > DAY_LIMIT_MAX).then(|| ("day_limit", too_great(DAY_LIMIT_MAX)))
    }

    /// What is kept, beside the board.
    #[must_use]
    pub fn kept(&self) -> KeptSetup {
        KeptSetup { no_removal_limit: self.no_removal_limit, day_limit: self.day_limit }
    }

    /// The board in writing.
    #[must_use]
    pub fn board_text(&self) -> BoardText {
        self.board.to_text()
    }

    /// A setup from what was kept of it.
    #[must_use]
    pub fn restore(kept: KeptSetup, board: Arc<Board>) -> Setup {
        Setup { board, no_removal_limit: kept.no_removal_limit, day_limit: kept.day_limit }
    }
}

/// What is kept of a [`Standing`] beside its setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptStanding {
    turn: u32,
    quiet_days: u32,
    red: String,
    blue: String,
    ending: Option<KeptEnding>,
}

/// An [`Ending`] as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptEnding {
    outcome: Outcome,
    cause: KeptCause,
}

/// A [`Cause`] as it is kept: the words may not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptCause {
    GeneralRemoved,
    BothGeneralsRemoved,
    LoneGenerals,
    NoRemoval,
    DayLimit,
}

impl Standing {
    /// What is kept, beside the setup.
    #[must_use]
    pub fn kept(&self) -> KeptStanding {
        let cause = |cause| match cause {
            Cause::GeneralRemoved => KeptCause::GeneralRemoved,
            Cause::BothGeneralsRemoved => KeptCause::BothGeneralsRemoved,
            Cause::LoneGenerals => KeptCause::LoneGenerals,
            Cause::NoRemoval => KeptCause::NoRemoval,
            Cause::DayLimit => KeptCause::DayLimit,
        };
        KeptStanding {
            turn: self.turn,
            quiet_days: self.quiet_days,
            red: keep_army(&self.armies.red),
            blue: keep_army(&self.armies.blue),
            ending: self.ending.map(|ending| KeptEnding { outcome: ending.outcome, cause: cause(ending.cause) }),
        }
    }

    /// A standing from what was kept of it; `None` if that cannot be read.
    #[must_use]
    pub fn restore(kept: &KeptStanding, setup: Setup) -> Option<Standing> {
        let cause = |cause| match cause {
            KeptCause::GeneralRemoved => Cause::GeneralRemoved,
            KeptCause::BothGeneralsRemoved => Cause::BothGeneralsRemoved,
            KeptCause::LoneGenerals => Cause::LoneGenerals,
            KeptCause::NoRemoval => Cause::NoRemoval,
            KeptCause::DayLimit => Cause::DayLimit,
        };
        Some(Standing {
            setup,
            turn: kept.turn,
            quiet_days: kept.quiet_days,
            armies: BySide { red: restore_army(&kept.red)?, blue: restore_army(&kept.blue)? },
            ending: kept.ending.map(|ending| Ending { outcome: ending.outcome, cause: cause(ending.cause) }),
        })
    }
}

/// An army in a line: `GUG8 I2G9 …`, code and position, in board order.
fn keep_army(army: &Army) -> String {
    let units: Vec<String> = army.units().map(|(position, unit)| format!("{}{position}", unit.code())).collect();
    units.join(" ")
}

fn restore_army(line: &str) -> Option<Army> {
    let unit = |word: &str| {
        let (code, position) = word.split_at_checked(2)?;
        Some((Position::parse(position)?, Unit::from_code(code)?))
    };
    line.split_whitespace().map(unit).collect()
}

/// A standing as the API gives it: what is open to both sides and to spectators.
#[derive(Clone, Debug, Serialize)]
pub struct StandingReport {
    units: Vec<UnitReport>,
    days_without_removal: u32,
    no_removal_limit: u32,
    day_limit: u32,
    board: BoardText,
}

impl Serialize for Standing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StandingReport {
            units: units(&self.armies),
            days_without_removal: self.quiet_days,
            no_removal_limit: self.setup.no_removal_limit,
            day_limit: self.setup.day_limit,
            board: self.setup.board_text(),
        }
        .serialize(serializer)
    }
}

/// The report of the deployment, as the API gives it.
#[derive(Serialize)]
struct DeployedReport {
    units: Vec<UnitReport>,
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Report::Deployed { armies } => DeployedReport { units: units(armies) }.serialize(serializer),
            Report::Day { day, ending, .. } => DayReport::new(day, *ending).serialize(serializer),
        }
    }
}
