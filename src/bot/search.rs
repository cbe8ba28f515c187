//! The search for a list that does well against what the other side may write.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::rules::field_command::validate::Move;
use crate::rules::field_command::{PositionSet, Unit};

use super::dice::Dice;
use super::field::{Force, Ground, Plan, fight, near};
use super::weights::Weights;
use super::worth::{Known, WIN, share, worth};

/// A day that is to be ordered, as one side sees it.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The board.
    pub ground: &'a Ground<'a>,
    /// How positions are weighed.
    pub weights: &'a Weights,
    /// The units of the side that is to order.
    pub own: Force,
    /// The other side's.
    pub enemy: Force,
    /// Days running without a removal.
    pub quiet: i32,
    /// After how many of them the game is a draw; 0 for never.
    pub limit: i32,
    /// Whether the game is a draw after this day, if no General is caught.
    pub last: bool,
}

/// A list that the other side may write, by where it leads.
#[derive(Clone, Copy)]
pub struct Reply {
    /// The other side's units after their moves.
    pub moved: Known,
    /// How much it counts among all replies.
    pub weight: i32,
}

/// How many days may still be computed.
pub struct Purse(pub u64);

impl Purse {
    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl<'a> Scene<'a> {
    /// The same day as the other side sees it.
    pub const fn turned(&self) -> Scene<'a> {
        Scene { own: self.enemy, enemy: self.own, ..*self }
    }

    /// What the day is worth to the own side once both sides have moved.
    pub fn payoff(&self, own: &Known, enemy: &Known, purse: &mut Purse) -> i32 {
        self.settle(*own.force(), own, enemy, purse)
    }

    /// The same, where what is known of the own side may be of a force that is a little different.
    fn settle(&self, mut own: Force, known: &Known, known_enemy: &Known, purse: &mut Purse) -> i32 {
        purse.0 = purse.0.saturating_sub(1);
        let mut enemy = *known_enemy.force();
        let before = own.held().len() + enemy.held().len();
        fight(self.ground, &mut own, &mut enemy);
        let worth = worth(self.ground, self.weights, (&own, known), (&enemy, known_enemy));
        if self.last && own.general().is_some() && enemy.general().is_some() {
            0
        } else if self.limit > 0 && before == own.held().len() + enemy.held().len() {
            share(worth, (self.limit - self.quiet - 1).max(0), self.limit)
        } else {
            worth
        }
    }

    /// What a list is worth against all replies together. What is known may be of a list that is a little different.
    pub fn against(&self, plan: &Plan, known: &Known, replies: &[Reply], purse: &mut Purse) -> i32 {
        let own = self.own.moved(plan);
        let (mut sum, mut weights) = (0i64, 0i64);
        for reply in replies {
            sum += i64::from(reply.weight) * i64::from(self.settle(own, known, &reply.moved, purse));
            weights += i64::from(reply.weight);
        }
        i32::try_from(sum / weights.max(1)).unwrap_or(0)
    }

    /// Everything that one unit can do, and what two can that change places.
    pub fn acts(&self) -> Vec<Act> {
        let mut acts = Vec::with_capacity(700);
        let threat = self.enemy.units().fold(PositionSet::EMPTY, |all, (at, unit)| all.or(near(at, unit.allowance())));
        let units: Vec<_> = self.own.units().collect();
        for &(from, unit) in &units {
            for to in near(from, unit.allowance()) {
                if to != from {
                    acts.push(Act { first: Move { unit, from, to }, second: None });
                }
            }
        }
        for (n, &(a, one)) in units.iter().enumerate() {
            for &(b, other) in units.iter().skip(n + 1) {
                let touched = threat.contains(a) || threat.contains(b);
                if one != other && touched && a.distance(b) <= one.allowance().min(other.allowance()) {
                    let first = Move { unit: one, from: a, to: b };
                    acts.push(Act { first, second: Some(Move { unit: other, from: b, to: a }) });
                }
            }
        }
        acts
    }
}

/// What is added to a list at once: an order, or two by which units change places.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    first: Move,
    second: Option<Move>,
}

impl Act {
    /// The list with the act, if that is legal.
    fn added_to(self, plan: &Plan, own: &Force) -> Option<Plan> {
        let longer = match self.second {
            None => plan.with(&[self.first]),
            Some(second) => plan.with(&[self.first, second]),
        };
        longer.filter(|plan| plan.is_legal(own))
    }

    /// Its orders.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// The acts worth looking at: those that do most by themselves, and everything that the General can do.
pub fn promising(scene: &Scene<'_>, acts: Vec<Act>, replies: &[Reply], most: usize, purse: &mut Purse) -> Vec<Act> {
    let empty = Plan::default();
    let known = Known::of(scene.own);
    let mut rated: Vec<(i32, Act)> = Vec::with_capacity(acts.len());
    for act in acts {
        let general = act.moves().any(|order| order.unit == Unit::General);
        let worth = match act.added_to(&empty, &scene.own) {
            Some(plan) => scene.against(&plan, &known, replies, purse),
            // Onto an own unit's place: worth a look only if that unit leaves, which is not known yet.
            None => -WIN,
        };
        rated.push((if general { WIN } else { worth }, act));
    }
    rated.sort_by_key(|(worth, _)| Reverse(*worth));
    rated.truncate(most);
    rated.into_iter().map(|(_, act)| act).collect()
}

/// Adds the acts that help most, one after the other, until none helps. An act's help is looked up again only when it
/// comes to the top, since it seldom grows by what is added before it. Returns the list and what it is worth.
pub fn grow(scene: &Scene<'_>, start: (Plan, i32), acts: &[Act], replies: &[Reply], purse: &mut Purse) -> (Plan, i32) {
    let (mut plan, mut value) = start;
    let mut known = Known::of(scene.own.moved(&plan));
    let mut heap = BinaryHeap::with_capacity(acts.len());
    for (n, act) in acts.iter().enumerate() {
        if purse.is_empty() {
            return (plan, value);
        }
        if let Some(longer) = act.added_to(&plan, &scene.own) {
            let gain = scene.against(&longer, &known, replies, purse) - value;
            if gain > 0 {
                heap.push((gain, Reverse(n)));
            }
        }
    }
    while let Some((_, Reverse(n))) = heap.pop() {
        if purse.is_empty() {
            break;
        }
        let Some(longer) = acts.get(n).and_then(|act| act.added_to(&plan, &scene.own)) else { continue };
        let gain = scene.against(&longer, &known, replies, purse) - value;
        if gain <= 0 {
            continue;
        }
        if heap.peek().is_none_or(|&(next, _)| gain >= next) {
            plan = longer;
            value += gain;
            known = Known::of(scene.own.moved(&plan));
        } else {
            heap.push((gain, Reverse(n)));
        }
    }
    (plan, value)
}

/// Takes out the orders without which the list does as well.
fn prune(scene: &Scene<'_>, start: (Plan, i32), replies: &[Reply], purse: &mut Purse) -> (Plan, i32) {
    let (mut plan, mut value) = start;
    let known = Known::of(scene.own.moved(&plan));
    for order in start.0.moves() {
        let shorter = plan.staying(order.from, &scene.own);
        if shorter.len() < plan.len() {
            let worth = scene.against(&shorter, &known, replies, purse);
            if worth >= value {
                (plan, value) = (shorter, worth);
            }
        }
    }
    (plan, value)
}

/// A good list against the replies: grown, pruned, and then `rounds` times torn open at chance and grown again.
pub fn answer(
    scene: &Scene<'_>,
    acts: &[Act],
    replies: &[Reply],
    rounds: usize,
    dice: &mut Dice,
    purse: &mut Purse,
) -> (Plan, i32) {
    let empty = Plan::default();
    let held = scene.against(&empty, &Known::of(scene.own), replies, purse);
    let grown = grow(scene, (empty, held), acts, replies, purse);
    let mut best = prune(scene, grown, replies, purse);
    for _ in 0..rounds {
        if purse.is_empty() {
            break;
        }
        let mut torn = best.0;
        for order in best.0.moves() {
            if dice.below(3) == 0 {
                torn = torn.staying(order.from, &scene.own);
            }
        }
        let some: Vec<Act> = acts.iter().filter(|_| dice.below(3) == 0).copied().collect();
        let value = scene.against(&torn, &Known::of(scene.own.moved(&torn)), replies, purse);
        let again = grow(scene, (torn, value), &some, replies, purse);
        if again.1 > best.1 {
            best = again;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::{Army, Position, maps};

    #[test]
    fn quiet_days_and_the_last_day_take_from_a_lead() {
        let force = |units: &[(&str, Unit)]| {
            let units = units.iter().map(|&(at, unit)| (Position::parse(at).unwrap(), unit));
            Force::of_army(&units.collect::<Army>())
        };
        let general = ("K11", Unit::General);
        let own = force(&[general, ("K1", Unit::Cavalry1), ("K2", Unit::Cavalry1)]);
        let (enemy, taken) = (force(&[("A1", Unit::General)]), force(&[general, ("A1", Unit::Cavalry1)]));
        let ground = Ground::new(maps::classic());
        let day = Scene { ground: &ground, weights: &Weights::TUNED, own, enemy, quiet: 0, limit: 0, last: false };
        let payoff = |scene: Scene<'_>, own| scene.payoff(&Known::of(own), &Known::of(enemy), &mut Purse(9));
        let lead = payoff(day, own);
        assert!(lead > 1000);
        assert_eq!(payoff(Scene { limit: 99, ..day }, own), lead * 98 / 99);
        assert_eq!(payoff(Scene { limit: 12, quiet: 11, ..day }, own), 0);
        let last = Scene { last: true, ..day };
        assert_eq!((payoff(last, own), payoff(last, taken)), (0, WIN));
    }
}
