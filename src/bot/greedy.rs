//! The yardstick: the list that would be best if the other side did nothing.

use super::dice::Dice;
use super::field::Plan;
use super::search::{Purse, Reply, Scene, answer};

/// A list for one day.
pub fn plan(scene: &Scene<'_>, dice: &mut Dice, purse: &mut Purse) -> Plan {
    let holds = [Reply { moved: scene.enemy, weight: 1 }];
    answer(scene, &scene.acts(), &holds, 0, dice, purse).0
}
