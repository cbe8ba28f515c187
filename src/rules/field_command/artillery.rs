//! Artillery fire: every gun that survived the confrontations fires at once.
//!
//! Rulebook, "Second Step – Assess Artillery Casualties". Nothing blocks fire, and
//! Guerrillas are never hit. Two guns in each other's range both fall.

use super::board::Board;
use super::position::{Position, PositionSet};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};

/// A gun that hit something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// Whose gun.
    pub side: Side,
    /// Where the gun stands.
    pub at: Position,
    /// The positions of the enemy units that it removed.
    pub hits: PositionSet,
}

/// Fires all guns, Red's listed first and each side's in board order, and removes what they hit.
/// A unit in range of two guns is listed with both.
pub fn assess(board: &Board, armies: &mut BySide<Army>) -> Vec<Fire> {
    let mut fires = Vec::new();
    let mut fallen = BySide { red: PositionSet::EMPTY, blue: PositionSet::EMPTY };
    for side in Side::BOTH {
        let targets = targets(armies.get(side.other()));
        for at in armies.get(side).positions_of(Unit::Artillery) {
            let hits = board.sight(at).and(targets);
            if !hits.is_empty() {
                let all = fallen.get_mut(side.other());
                *all = all.or(hits);
                fires.push(Fire { side, at, hits });
            }
        }
    }
    for side in Side::BOTH {
        for at in *fallen.get(side) {
            armies.get_mut(side).lift(at);
        }
    }
    fires
}

/// The units that a gun can hit: all but Guerrillas.
fn targets(army: &Army) -> PositionSet {
    army.held().without(army.positions_of(Unit::Guerrillas))
}
