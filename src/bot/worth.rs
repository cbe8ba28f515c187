//! What a position is worth to a side: how likely it seems to win.
//!
//! Three things are weighed: what both sides have left, what of it the other can attack on the next day, and how near the
//! Generals are to being caught. All of it is counted in whole numbers, so that it is the same on every machine.

use super::field::{Force, Ground, near, near_all};
use super::weights::Weights;
use crate::rules::field_command::{PositionSet, Unit};

/// A won game; a lost one is the negative of it, and a draw is 0.
pub const WIN: i32 = 10_000;

/// How many, as a weight.
#[inline]
fn count(set: PositionSet) -> i32 {
    i32::try_from(set.len()).unwrap_or(0)
}

/// A force, and where each kind of its units can be after the next day's moves: most units of a force are still where
/// they were when it is looked at again, and then this need not be found out anew.
#[derive(Clone, Copy)]
pub struct Known {
    force: Force,
    reach: [PositionSet; 9],
}

impl Known {
    /// What is to be known of a force.
    pub fn of(force: Force) -> Known {
        Known { force, reach: Unit::ALL.map(|unit| reach_of(unit, force.of(unit))) }
    }

    /// The force.
    pub const fn force(&self) -> &Force {
        &self.force
    }

    /// The reach of a force that is much like the known one.
    #[inline]
    fn reach(&self, force: &Force) -> Reach {
        let mut reach = self.reach;
        for (unit, slot) in Unit::ALL.into_iter().zip(&mut reach) {
            let units = force.of(unit);
            if units != self.force.of(unit) {
                *slot = reach_of(unit, units);
            }
        }
        let [general, guns, i1, i2, i3, c1, c2, c3, guerrillas] = reach;
        let (infantry, cavalry) = ([i1, i2, i3], [c1, c2, c3]);
        let any = all(infantry).or(all(cavalry)).or(guerrillas).or(general).or(guns);
        Reach { infantry, cavalry, guerrillas, any }
    }
}

#[inline]
fn reach_of(unit: Unit, units: PositionSet) -> PositionSet {
    let steps = near_all(unit.allowance());
    units.iter().fold(PositionSet::EMPTY, |all, at| all.or(steps.at(at)))
}

/// Where the units of a side can be after the next day's moves.
struct Reach {
    infantry: [PositionSet; 3],
    cavalry: [PositionSet; 3],
    guerrillas: PositionSet,
    /// Any unit.
    any: PositionSet,
}

#[inline]
const fn all([first, second, third]: [PositionSet; 3]) -> PositionSet {
    first.or(second).or(third)
}

impl Reach {
    /// Where each kind of the other side's units, in the order of the army table, would be met by one that removes it and
    /// stays. The rule behind it is that of `rules::…::confrontation`, and a test holds it against that.
    #[inline]
    fn removes(&self, ground: &Ground<'_>) -> [PositionSet; 9] {
        let Reach { infantry: [i1, i2, i3], cavalry: [c1, c2, c3], guerrillas, any } = *self;
        let (infantry, cavalry) = (all(self.infantry), all(self.cavalry));
        let in_field = cavalry.or(guerrillas).and(ground.open);
        let in_forest = infantry.or(guerrillas).and(ground.forest);
        let of_guerrillas = infantry.and(ground.forest).or(cavalry.and(ground.open));
        let of_guns = infantry.or(cavalry).or(guerrillas);
        [
            any,
            of_guns,
            i3.or(in_field),
            i1.or(in_field),
            i2.or(in_field),
            c3.or(in_forest),
            c1.or(in_forest),
            c2.or(in_forest),
            of_guerrillas,
        ]
    }
}

/// The worth of a position after a day to the side `own`, from −[`WIN`] to [`WIN`]. What is known of both sides may be of
/// forces that are a little different.
pub fn worth(
    ground: &Ground<'_>,
    weights: &Weights,
    (own, known_own): (&Force, &Known),
    (enemy, known_enemy): (&Force, &Known),
) -> i32 {
    match (own.general(), enemy.general()) {
        (None, None) => return 0,
        (None, Some(_)) => return -WIN,
        (Some(_), None) => return WIN,
        (Some(_), Some(_)) => {}
    }
    let (ours, theirs) = (known_own.reach(own), known_enemy.reach(enemy));
    let (our_fire, their_fire) = (fire(ground, own), fire(ground, enemy));
    let mine = strength(ground, weights, own, &theirs, our_fire, their_fire);
    let other = strength(ground, weights, enemy, &ours, their_fire, our_fire);
    let (my_pull, other_pull) = (pressure(weights, own, enemy), pressure(weights, enemy, own));
    let lead = mine.safe - other.safe + my_pull - other_pull;
    let scale = weights.scale + (mine.all + other.all) / weights.scale_part.max(1);
    let even = share(WIN, lead, lead.abs() + scale);
    // What would be left if nobody's General were caught, and what each catch changes in it.
    let (we_lose, they_lose) =
        (danger(weights, own, &theirs, enemy, their_fire), danger(weights, enemy, &ours, own, our_fire));
    let stays = (1000 - we_lose) * (1000 - they_lose) / 1000;
    (share(even, stays, 1000) + share(WIN, they_lose - we_lose, 1000)).clamp(-WIN, WIN)
}

/// `whole` times `part` by `of`, without fear of what a tuner makes of the weights.
#[inline]
pub fn share(whole: i32, part: i32, of: i32) -> i32 {
    let share = i64::from(whole) * i64::from(part) / i64::from(of.max(1));
    i32::try_from(share).unwrap_or(if share < 0 { -WIN } else { WIN })
}

/// What guns may cover on the next day.
#[inline]
fn fire(ground: &Ground<'_>, force: &Force) -> PositionSet {
    force.of(Unit::Artillery).iter().fold(PositionSet::EMPTY, |all, gun| all.or(ground.fire_next.at(gun)))
}

/// What a side has.
struct Strength {
    /// The worth of all units.
    all: i32,
    /// The same, less what is attacked.
    safe: i32,
}

#[inline]
fn strength(
    ground: &Ground<'_>,
    weights: &Weights,
    force: &Force,
    against: &Reach,
    own_fire: PositionSet,
    their_fire: PositionSet,
) -> Strength {
    let (mut all, mut lost) = (0, 0);
    for ((unit, value), removed) in Unit::ALL.into_iter().zip(weights.value).zip(against.removes(ground)).skip(1) {
        let units = force.of(unit);
        all += value * count(units);
        // Most kinds are in no danger, and counting takes time.
        let met = removed.and(units);
        if !met.is_empty() {
            lost += value * (count(met) * weights.met - count(met.and(own_fire)) * weights.avenged);
        }
        let hit = units.and(their_fire).without(met);
        if unit != Unit::Guerrillas && !hit.is_empty() {
            lost += value * count(hit) * weights.under_fire;
        }
    }
    Strength { all, safe: all - lost / 1000 }
}

/// How far a side's units have come towards the enemy General.
#[inline]
fn pressure(weights: &Weights, own: &Force, enemy: &Force) -> i32 {
    let Some(general) = enemy.general() else { return 0 };
    let [fast, infantry, slow] = own.by_pace();
    let ring = |units: PositionSet, rings: &[(u8, i32)]| -> i32 {
        rings.iter().map(|&(steps, weight)| weight * count(units.and(near(general, steps)))).sum()
    };
    let [f1, f2, f3, f4] = weights.fast_near;
    let [i1, i2, i3, i4] = weights.infantry_near;
    ring(fast, &[(4, f1), (7, f2), (10, f3), (13, f4)])
        + ring(infantry, &[(3, i1), (5, i2), (8, i3), (11, i4)])
        + ring(slow, &[(6, weights.slow_near), (12, weights.slow_near)])
}

/// How likely a side's General is to be caught on the next day, in thousandths.
#[inline]
fn danger(weights: &Weights, own: &Force, reach: &Reach, enemy: &Force, fire: PositionSet) -> i32 {
    let Some(general) = own.general() else { return 1000 };
    let places = near(general, 1);
    let [fast, infantry, slow] = enemy.by_pace();
    let hunters =
        count(fast.and(near(general, 4))) + count(infantry.and(near(general, 3))) + count(slow.and(near(general, 2)));
    let under_fire = fire.and(places);
    if hunters == 0 && under_fire.is_empty() {
        return 0;
    }
    let reached = reach.any.and(places);
    let covered = count(reached.or(under_fire));
    let caught = covered.min(hunters + count(under_fire.without(reached)).min(2));
    let all = count(places);
    if caught >= all { weights.certain } else { weights.danger * caught / all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::weights::{BOUNDS, Part};
    use crate::rules::field_command::confrontation::{Removed, confront};
    use crate::rules::field_command::{Army, Position, maps};

    #[test]
    fn who_can_be_met_is_what_the_rules_say() {
        let ground = Ground::new(maps::classic());
        for attacker in Unit::ALL {
            let from = Position::parse("F6").unwrap();
            let force = Force::of_army(&[(from, attacker)].into_iter().collect::<Army>());
            let removes = Known::of(force).reach(&force).removes(&ground);
            for (target, set) in Unit::ALL.into_iter().zip(removes) {
                for at in Position::all() {
                    let reaches = from.distance(at) <= attacker.allowance();
                    let general = target == Unit::General;
                    let wins = confront(attacker, target, ground.board.terrain(at)) == Removed::Second || general;
                    assert_eq!(set.contains(at), reaches && wins, "{attacker:?} to {target:?} on {at}");
                }
            }
        }
    }

    #[test]
    fn no_weights_make_it_more_than_a_game() {
        let all: Vec<Position> = Position::all().collect();
        let (own, enemy) = all.split_at(60);
        let force = |places: &[Position], kind: Unit| {
            let units = places.iter().enumerate().map(|(n, &at)| (at, if n == 0 { Unit::General } else { kind }));
            Force::of_army(&units.collect::<Army>())
        };
        let ground = Ground::new(maps::classic());
        for n in 0..64 {
            let mut weights = Weights::TUNED;
            for (slot, (_, number)) in weights.slots(Part::Positions).into_iter().enumerate() {
                *number = if n >> (slot % 6) & 1 == 0 { BOUNDS.0 } else { BOUNDS.1 };
            }
            for kinds in [[Unit::Cavalry1, Unit::Infantry2], [Unit::Artillery, Unit::Artillery]] {
                let (own, enemy) = (force(own, kinds[0]), force(enemy, kinds[1]));
                let worth = worth(&ground, &weights, (&own, &Known::of(own)), (&enemy, &Known::of(enemy)));
                assert!((-WIN..=WIN).contains(&worth), "{worth}");
            }
        }
    }
}
