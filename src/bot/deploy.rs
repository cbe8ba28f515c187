//! Deployments: never the same twice, and never without sense.
//!
//! Each unit goes to the free position of its zone that suits it best, with chance in it: the General to the rear, guns to
//! heights in front and one beside the General, Infantry into forest, Cavalry to open ground.

use crate::rules::Side;
use crate::rules::field_command::board::Terrain;
use crate::rules::field_command::deployment::{Deployment, zone};
use crate::rules::field_command::unit::Arm;
use crate::rules::field_command::{Army, Board, Position, Unit};

use super::dice::Dice;

/// How far a position lies from the enemy's corner of the board, 0 to 20.
pub fn depth(at: Position, side: Side) -> i32 {
    let from_a1 = i32::from(at.row()) + i32::from(at.column());
    match side {
        Side::Red => from_a1,
        Side::Blue => 20 - from_a1,
    }
}

/// The order in which units choose.
const CHOOSING: [Unit; 9] = [
    Unit::General,
    Unit::Artillery,
    Unit::Infantry1,
    Unit::Cavalry1,
    Unit::Infantry3,
    Unit::Cavalry3,
    Unit::Guerrillas,
    Unit::Infantry2,
    Unit::Cavalry2,
];

/// A whole deployment.
pub fn deployment(board: &Board, side: Side, dice: &mut Dice) -> Deployment {
    let mut army = Army::EMPTY;
    let mut general = None;
    for unit in CHOOSING {
        for number in 0..unit.number() {
            let free = zone(side).without(army.held());
            let best = free.iter().max_by_key(|&at| suits(board, side, unit, number, at, general) + dice.weight(9));
            if let Some(at) = best {
                army.place(at, unit);
                if unit == Unit::General {
                    general = Some(at);
                }
            }
        }
    }
    // The army is whole by now, so nothing is left to chance here.
    Deployment::fill(&army, side, |_| 0)
}

/// How well a position suits a unit, the `number`th of its kind.
fn suits(board: &Board, side: Side, unit: Unit, number: usize, at: Position, general: Option<Position>) -> i32 {
    let ground = board.ground(at);
    let forest = ground.terrain == Terrain::Forest;
    let to_general = general.map_or(0, |general| i32::from(general.distance(at)));
    let front = 20 - depth(at, side);
    match unit.arm() {
        Arm::General => 3 * depth(at, side).min(18),
        Arm::Artillery if number < 2 => 2 * i32::from(ground.altitude) - 4 * (to_general - 2).abs(),
        Arm::Artillery => 3 * i32::from(ground.altitude) + front,
        Arm::Infantry => front + if forest { 4 } else { 0 },
        Arm::Cavalry => front / 2 + if forest { 0 } else { 4 },
        Arm::Guerrillas => front / 2,
    }
}
