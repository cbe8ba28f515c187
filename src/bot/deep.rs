//! A look at the day after: what a position is worth once both sides have had one more day to use it.
//!
//! The evaluation only guesses what can be attacked and how likely a General is to be caught. Here the sharp moves of the
//! next day (attacks, escapes, guns that come into range, everything near the Generals) are tried for both sides, and the
//! value of that small game is the worth of the position.

use super::field::{Force, Plan, fight, near};
use super::mixture::{Payoffs, solve, value};
use super::search::{Act, Purse, Reply, Scene, grow};
use super::worth::{Known, Threats, WIN, threats};
use crate::rules::field_command::{PositionSet, Unit};

/// How many days one look costs, more or less.
pub const COST: u64 = 300;

/// What the day after is worth to the own side, once both sides have moved on this one.
pub fn look(scene: &Scene<'_>, own_moved: &Known, enemy_moved: &Known, purse: &mut Purse) -> i32 {
    let (mut own, mut enemy) = (*own_moved.force(), *enemy_moved.force());
    let before = own.held().len() + enemy.held().len();
    fight(scene.ground, &mut own, &mut enemy);
    let removed = before > own.held().len() + enemy.held().len();
    match (own.general(), enemy.general()) {
        (None, None) => return 0,
        (None, Some(_)) => return -WIN,
        (Some(_), None) => return WIN,
        (Some(_), Some(_)) => {}
    }
    let quiet = if removed { 0 } else { scene.quiet + 1 };
    if scene.limit > 0 && quiet >= scene.limit {
        return 0;
    }
    let next = Scene { own, enemy, quiet, ..*scene };
    let other = next.turned();
    let (our_acts, their_acts) = (sharp(&next), sharp(&other));
    let (mut ours, mut theirs) = (vec![hold(own)], vec![hold(enemy)]);
    for _ in 0..2 {
        let mine = best(&next, &our_acts, &theirs, purse);
        let yours = best(&other, &their_acts, &ours, purse);
        ours.push(hold(own.moved(&mine)));
        theirs.push(hold(enemy.moved(&yours)));
    }
    let mut payoffs = Payoffs::default();
    payoffs.fill(ours.len(), theirs.len(), |row, column| match (ours.get(row), theirs.get(column)) {
        (Some(mine), Some(yours)) => next.payoff(&mine.moved, &yours.moved, purse),
        _ => 0,
    });
    value(&payoffs, &solve(&payoffs, &[], 60))
}

fn hold(force: Force) -> Reply {
    Reply { moved: Known::of(force), weight: 1 }
}

fn best(scene: &Scene<'_>, acts: &[Act], replies: &[Reply], purse: &mut Purse) -> Plan {
    let empty = Plan::default();
    let held = scene.against(&empty, &Known::of(scene.own), replies, purse);
    grow(scene, (empty, held), acts, replies, purse).0
}

/// The acts that may change something at once.
fn sharp(scene: &Scene<'_>) -> Vec<Act> {
    let (own, enemy) = (&scene.own, &scene.enemy);
    let ours: Threats = threats(scene.ground, own);
    let theirs: Threats = threats(scene.ground, enemy);
    let around = |force: &Force| force.general().map_or(PositionSet::EMPTY, |at| near(at, 1));
    let prey = around(enemy);
    let targets = prey.or(ours.on(enemy));
    let attacked = theirs.on(own).or(around(own));
    let mut acts = scene.acts();
    acts.retain(|act| {
        act.moves().any(|order| {
            let escapes = attacked.contains(order.from) && !theirs.of(order.unit).contains(order.to);
            let fires =
                order.unit == Unit::Artillery && !scene.ground.board.sight(order.to).and(enemy.held()).is_empty();
            order.unit == Unit::General || targets.contains(order.to) || escapes || fires
        })
    });
    acts
}
