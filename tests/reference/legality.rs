//! Which lines of one side's list are legal. The enemy's units never matter.

use super::Unit;
use super::board::{self, Position};

/// An order as understood: from one position to another.
pub type Order = (Position, Position);

/// How many positions a unit may move in a day.
fn allowance(code: &str) -> usize {
    match code {
        "GN" | "AR" => 1,
        "I1" | "I2" | "I3" => 2,
        _ => 3,
    }
}

/// Judges a list: for every line `None` when it is legal, else the reason.
///
/// `own` are the side's units at dawn.
pub fn judge(own: &[Unit], orders: &[Order]) -> Vec<Option<&'static str>> {
    let mut verdict: Vec<Option<&'static str>> = vec![None; orders.len()];

    // a. Each line by itself.
    for (i, order) in orders.iter().enumerate() {
        let mut mover = None;
        for unit in own {
            if unit.at == order.0 {
                mover = Some(unit);
            }
        }
        verdict[i] = match mover {
            None => Some("no_own_unit"),
            Some(_) if order.0 == order.1 => Some("not_a_move"),
            Some(unit) if board::distance(order.0, order.1) > allowance(&unit.code) => Some("too_far"),
            Some(_) => None,
        };
    }

    // b. Of those left, lines that share a start.
    let left = verdict.clone();
    for i in 0..orders.len() {
        for j in 0..orders.len() {
            if i != j && left[i].is_none() && left[j].is_none() && orders[i].0 == orders[j].0 {
                verdict[i] = Some("unit_ordered_twice");
            }
        }
    }

    // c. Of those left, lines that share a target. Counted once.
    let left = verdict.clone();
    for i in 0..orders.len() {
        for j in 0..orders.len() {
            if i != j && left[i].is_none() && left[j].is_none() && orders[i].1 == orders[j].1 {
                verdict[i] = Some("shared_destination");
            }
        }
    }

    // d. Of those left, strike a line whose target is taken by a friend that stays there;
    //    go round again until a whole round strikes nothing.
    loop {
        let mut struck = false;
        for i in 0..orders.len() {
            if verdict[i].is_some() {
                continue;
            }
            for unit in own {
                if unit.at == orders[i].1 && !leaves(unit, orders, &verdict) {
                    verdict[i] = Some("destination_held");
                    struck = true;
                }
            }
        }
        if !struck {
            return verdict;
        }
    }
}

/// Whether a line that is still legal moves the unit away.
fn leaves(unit: &Unit, orders: &[Order], verdict: &[Option<&'static str>]) -> bool {
    for (i, order) in orders.iter().enumerate() {
        if order.0 == unit.at && verdict[i].is_none() {
            return true;
        }
    }
    false
}
