//! A day: both lists judged, all units moved at once, confrontations, artillery, Generals.

use super::artillery::{self, Fire};
use super::board::Board;
use super::confrontation::{self, Confrontation};
use super::movement;
use super::order::Orders;
use super::outcome::{self, Ending};
use super::position::Position;
use super::unit::{Army, Unit};
use super::validate::{Lawful, validate};
use crate::rules::side::{BySide, Side};

/// Everything that happened on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// Each side's list with its verdicts.
    pub orders: BySide<Lawful>,
    /// Who met whom.
    pub confrontations: Vec<Confrontation>,
    /// Which guns hit what.
    pub fires: Vec<Fire>,
    /// The armies after all of it.
    pub dusk: BySide<Army>,
    /// Whether a General fell. House rules are no part of the day; see [`outcome::house_rules`].
    pub ending: Option<Ending>,
}

/// Resolves a day from the armies at dawn and both lists. A function: the same
/// position and lists give the same day, whatever the order of the lines.
#[must_use]
pub fn resolve(board: &Board, dawn: &BySide<Army>, lists: BySide<&Orders>) -> Day {
    let orders = BySide::from_fn(|side| validate(dawn.get(side), lists.get(side)));
    let mut armies = *dawn;
    for side in Side::BOTH {
        movement::carry_out(armies.get_mut(side), orders.get(side));
    }
    let confrontations = confrontation::assess(board, &mut armies);
    let fires = artillery::assess(board, &mut armies);
    let ending = outcome::generals(dawn, &armies);
    Day { orders, confrontations, fires, dusk: armies, ending }
}

impl Day {
    /// Whether any unit was removed.
    #[must_use]
    pub fn removed_any(&self) -> bool {
        !self.confrontations.is_empty() || !self.fires.is_empty()
    }

    /// The unit of a side that stood on a position when the guns fired: it moved there, or was there at dawn.
    #[must_use]
    pub fn before_fire(&self, dawn: &BySide<Army>, side: Side, at: Position) -> Option<Unit> {
        let moved = self.orders.get(side).legal().find(|order| order.to == at);
        moved.map(|order| order.unit).or_else(|| dawn.get(side).at(at))
    }
}
