//! The medium level: the list that does best against two things that the other side may do: nothing, and what would be
//! best for it if this side did nothing.

use super::dice::Dice;
use super::field::Plan;
use super::search::{Purse, Reply, Scene, answer};
use super::worth::Known;

/// A list for one day.
pub fn plan(scene: &Scene<'_>, dice: &mut Dice, purse: &mut Purse) -> Plan {
    let other = scene.turned();
    let holds = Reply { moved: Known::of(scene.enemy), weight: 1 };
    let (theirs, _) =
        answer(&other, &other.acts(), &[Reply { moved: Known::of(scene.own), weight: 1 }], 0, dice, purse);
    let acts = Reply { moved: Known::of(scene.enemy.moved(&theirs)), weight: 1 };
    answer(scene, &scene.acts(), &[holds, acts], 0, dice, purse).0
}
