//! The yardstick: the list that would be best if the other side did nothing.

use super::dice::Dice;
use super::field::Plan;
use super::search::{Purse, Reply, Scene, answer};
use super::worth::Known;

/// A list for one day.
pub fn plan(scene: &Scene<'_>, dice: &mut Dice) -> Plan {
    let purse = &mut Purse(u64::MAX);
    let holds = [Reply { moved: Known::of(scene.enemy), weight: 1 }];
    answer(scene, &scene.acts(), &holds, 0, dice, purse).0
}
