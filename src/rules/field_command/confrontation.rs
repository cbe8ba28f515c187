//! Who is removed where two opposing units stand on one position.
//!
//! Rulebook, "First Step – Assess Confrontations". Rank counts only within an arm;
//! terrain only between arms.

use super::board::{Board, Terrain};
use super::position::{Position, PositionSet};
use super::unit::{Arm, Army, Unit};
use crate::rules::side::{BySide, Side};

/// Who is removed in a confrontation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// The unit named first.
    First,
    /// The unit named second.
    Second,
    /// Both units.
    Both,
}

impl Removed {
    /// Whether Red's unit goes, where Red's was named first, and whether Blue's does.
    #[must_use]
    pub const fn by_side(self) -> BySide<bool> {
        BySide {
            red: matches!(self, Removed::First | Removed::Both),
            blue: matches!(self, Removed::Second | Removed::Both),
        }
    }
}

/// Who is removed when `first` and `second` meet on `terrain`.
#[must_use]
pub const fn confront(first: Unit, second: Unit, terrain: Terrain) -> Removed {
    if first as u8 == second as u8 {
        Removed::Both
    } else if beats(first, second, terrain) {
        Removed::Second
    } else {
        Removed::First
    }
}

/// Whether `a` removes the different unit `b`. Exactly one of two different units removes the other.
const fn beats(a: Unit, b: Unit, terrain: Terrain) -> bool {
    let forest = matches!(terrain, Terrain::Forest);
    match (a.arm(), b.arm()) {
        // Two units of one arm: 1st > 2nd > 3rd > 1st.
        (Arm::Infantry, Arm::Infantry) | (Arm::Cavalry, Arm::Cavalry) => {
            matches!((a.rank(), b.rank()), (Some(1), Some(2)) | (Some(2), Some(3)) | (Some(3), Some(1)))
        }
        // Everything removes the General; of the rest everything removes Artillery.
        (Arm::General, _) => false,
        (_, Arm::General) => true,
        (Arm::Artillery, _) => false,
        (_, Arm::Artillery) => true,
        // Forest: Infantry > Guerrillas > Cavalry. Open field: the other way round.
        (Arm::Infantry, _) | (Arm::Guerrillas, Arm::Cavalry) => forest,
        (Arm::Cavalry | Arm::Guerrillas, _) => !forest,
    }
}

/// A confrontation that took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confrontation {
    /// Where.
    pub at: Position,
    /// Red's unit.
    pub red: Unit,
    /// Blue's unit.
    pub blue: Unit,
    /// Who was removed, Red's unit being the first.
    pub removed: Removed,
}

/// Assesses all confrontations after the moves, in board order, and removes the losers.
pub fn assess(board: &Board, armies: &mut BySide<Army>) -> Vec<Confrontation> {
    let meetings: PositionSet = armies.red.held().and(armies.blue.held());
    let mut confrontations = Vec::with_capacity(meetings.len());
    for at in meetings {
        let (Some(red), Some(blue)) = (armies.red.at(at), armies.blue.at(at)) else { continue };
        let removed = confront(red, blue, board.terrain(at));
        for side in Side::BOTH {
            if *removed.by_side().get(side) {
                armies.get_mut(side).lift(at);
            }
        }
        confrontations.push(Confrontation { at, red, blue, removed });
    }
    confrontations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_removed_does_not_depend_on_who_is_named_first() {
        for terrain in [Terrain::Forest, Terrain::Field] {
            for a in Unit::ALL {
                for b in Unit::ALL {
                    let turned = match confront(b, a, terrain) {
                        Removed::First => Removed::Second,
                        Removed::Second => Removed::First,
                        Removed::Both => Removed::Both,
                    };
                    assert_eq!(confront(a, b, terrain), turned, "{a:?} {b:?} {terrain:?}");
                }
            }
        }
    }
}
