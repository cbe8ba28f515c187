//! The easy level: looks at each unit by itself, takes what stands still in its way, and does not think of tomorrow.

use crate::rules::field_command::confrontation::{Removed, confront};
use crate::rules::field_command::validate::Move;
use crate::rules::field_command::{PositionSet, Unit};

use super::dice::Dice;
use super::field::{Force, Ground, Plan, near};

/// How many units are ordered on a day, at most.
const ORDERS: usize = 8;

/// A list for one day.
pub fn plan(ground: &Ground<'_>, own: &Force, enemy: &Force, dice: &mut Dice) -> Plan {
    let covered = enemy.of(Unit::Artillery).iter().fold(PositionSet::EMPTY, |all, gun| all.or(ground.board.sight(gun)));
    let mut wishes: Vec<(i32, Move)> = Vec::new();
    for (from, unit) in own.units() {
        // A player who begins does not look at every unit on every day.
        if dice.below(5) < 2 {
            continue;
        }
        for to in near(from, unit.allowance()).without(own.held()) {
            let order = Move { unit, from, to };
            let wish = wish(ground, enemy, covered, order) + dice.weight(12);
            if wish > 8 {
                wishes.push((wish, order));
            }
        }
    }
    wishes.sort_by_key(|&(wish, order)| (std::cmp::Reverse(wish), order.from, order.to));
    let mut plan = Plan::default();
    for (_, order) in wishes {
        if plan.len() < ORDERS
            && let Some(longer) = plan.with(&[order])
        {
            plan = longer;
        }
    }
    plan
}

/// How much is to be said for an order, if nobody else moves.
fn wish(ground: &Ground<'_>, enemy: &Force, covered: PositionSet, order: Move) -> i32 {
    let Move { unit, from, to } = order;
    let nearer =
        enemy.general().map_or(0, |general| i32::from(from.distance(general)) - i32::from(to.distance(general)));
    if unit == Unit::General {
        let dangers = |at| enemy.units().filter(|&(there, unit)| there.distance(at) <= unit.allowance()).count();
        return 8 * i32::try_from(dangers(from)).unwrap_or(0) - 12 * i32::try_from(dangers(to)).unwrap_or(0);
    }
    let under_fire = unit != Unit::Guerrillas && covered.contains(to);
    let meeting = match enemy.at(to) {
        None => 0,
        Some(Unit::General) => 100,
        Some(other) => match confront(unit, other, ground.board.terrain(to)) {
            Removed::First => -20,
            Removed::Second => 14,
            Removed::Both => 4,
        },
    };
    meeting + 2 * nearer - if under_fire { 10 } else { 0 }
}
