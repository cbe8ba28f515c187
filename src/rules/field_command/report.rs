//! A day as JSON: the answer of `fieldcommand adjudicate`, and the form in which the
//! API gives the report of a day.
//!
//! Units and artillery: Red first, then Blue, each in board order. Confrontations and
//! hits: in board order. Orders: as they were written.

use serde::{Deserialize, Serialize};

use super::confrontation::{Confrontation, Removed};
use super::day::Day;
use super::order::Order;
use super::outcome::Ending;
use super::position::Position;
use super::unit::{Army, Unit};
use super::validate::{Lawful, Reason, Verdict};
use crate::rules::side::{BySide, Outcome, Side};

impl Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name().as_str())
    }
}

impl Serialize for Order {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Unit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// A day, ready to be serialised.
#[derive(Clone, Debug, Serialize)]
pub struct DayReport {
    /// Both lists, each order with its verdict.
    pub orders: BySide<Vec<OrderReport>>,
    /// Who met whom.
    pub confrontations: Vec<ConfrontationReport>,
    /// Guns that hit something.
    pub artillery: Vec<FireReport>,
    /// What stands after the day.
    pub units: Vec<UnitReport>,
    /// How the day ended the game, if it did.
    pub outcome: Option<Outcome>,
}

/// One order with its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct OrderReport {
    /// Canonical, `H7-F7`.
    pub order: Order,
    /// Whether it was carried out.
    pub legal: bool,
    /// Why not.
    pub reason: Option<Reason>,
}

/// One confrontation.
#[derive(Clone, Debug, Serialize)]
pub struct ConfrontationReport {
    /// Where.
    pub at: Position,
    /// Red's unit.
    pub red: Unit,
    /// Blue's unit.
    pub blue: Unit,
    /// Whose units were removed, Red first.
    pub removed: Vec<Side>,
}

/// One gun's fire.
#[derive(Clone, Debug, Serialize)]
pub struct FireReport {
    /// Whose gun.
    pub side: Side,
    /// Where it stands.
    pub at: Position,
    /// What it removed.
    pub hits: Vec<Position>,
}

/// One unit on the board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct UnitReport {
    /// Whose.
    pub side: Side,
    /// Its code.
    pub unit: Unit,
    /// Where.
    pub at: Position,
}

impl DayReport {
    /// The report of a day; `ending` adds what the house rules say, if they were asked.
    #[must_use]
    pub fn new(day: &Day, ending: Option<Ending>) -> DayReport {
        DayReport {
            orders: day.orders.as_ref().map(orders),
            confrontations: day.confrontations.iter().copied().map(confrontation).collect(),
            artillery: day
                .fires
                .iter()
                .map(|fire| FireReport { side: fire.side, at: fire.at, hits: fire.hits.iter().collect() })
                .collect(),
            units: units(&day.dusk),
            outcome: ending.map(|ending| ending.outcome),
        }
    }
}

/// Both armies as a list.
#[must_use]
pub fn units(armies: &BySide<Army>) -> Vec<UnitReport> {
    let mut list = Vec::with_capacity(armies.red.len() + armies.blue.len());
    for side in Side::BOTH {
        list.extend(armies.get(side).units().map(|(at, unit)| UnitReport { side, unit, at }));
    }
    list
}

fn orders(lawful: &Lawful) -> Vec<OrderReport> {
    let report = |verdict: &Verdict| OrderReport {
        order: verdict.order,
        legal: verdict.reason.is_none(),
        reason: verdict.reason,
    };
    lawful.verdicts().iter().map(report).collect()
}

fn confrontation(confrontation: Confrontation) -> ConfrontationReport {
    let removed = match confrontation.removed {
        Removed::First => vec![Side::Red],
        Removed::Second => vec![Side::Blue],
        Removed::Both => vec![Side::Red, Side::Blue],
    };
    ConfrontationReport { at: confrontation.at, red: confrontation.red, blue: confrontation.blue, removed }
}

/// Reads what the `Serialize` of the same type writes; `read` gives `None` for anything else.
struct Word<T> {
    read: fn(&str) -> Option<T>,
    expected: &'static str,
}

impl<T> serde::de::Visitor<'_> for Word<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<T, E> {
        (self.read)(word).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(word), &self))
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Word { read: Position::parse, expected: "a position, A1 to K11" })
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a unit's code: GN AR I1 I2 I3 C1 C2 C3 GU";
        deserializer.deserialize_str(Word { read: Unit::from_code, expected })
    }
}
