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
use super::weights::Wish;

/// How far a position lies from the enemy's corner of the board, 0 to 20.
pub fn depth(at: Position, side: Side) -> i32 {
    let from_a1 = i32::from(at.row()) + i32::from(at.column());
    match side {
        Side::Red => from_a1,
        Side::Blue => 20 - from_a1,
    }
}

/// How much chance there is in each choice.
const CHANCE: i32 = 18;
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
pub fn deployment(board: &Board, side: Side, layout: &[Wish; 6], dice: &mut Dice) -> Deployment {
    let mut army = Army::EMPTY;
    let mut general = None;
    for unit in CHOOSING {
        for number in 0..unit.number() {
            let free = zone(side).without(army.held());
            let best = free
                .iter()
                .max_by_key(|&at| suits(board, side, wish(layout, unit, number), at, general) + dice.weight(CHANCE));
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

/// What the `number`th unit of a kind looks for.
const fn wish(layout: &[Wish; 6], unit: Unit, number: usize) -> Wish {
    let [general, guard, guns, infantry, cavalry, guerrillas] = *layout;
    match unit.arm() {
        Arm::General => general,
        Arm::Artillery if number < 2 => guard,
        Arm::Artillery => guns,
        Arm::Infantry => infantry,
        Arm::Cavalry => cavalry,
        Arm::Guerrillas => guerrillas,
    }
}

/// How well a position suits a unit.
fn suits(board: &Board, side: Side, wish: Wish, at: Position, general: Option<Position>) -> i32 {
    let ground = board.ground(at);
    let forest = if ground.terrain == Terrain::Forest { wish.forest } else { -wish.forest };
    let apart = general.map_or(0, |general| i32::from(general.distance(at)));
    wish.front * (20 - depth(at, side)) + forest - wish.general * apart + wish.height * i32::from(ground.altitude)
}
