//! The hard level: both sides' lists as a game of two choices made at once.
//!
//! Each side begins with a few lists. What each pair of lists leads to is computed, and regret matching finds how often
//! each list should be chosen, so that no choice of the other side can make much of it. Then each side looks for the list that does best against the other's mixture, and it
//! joins the game; and so on until the budget is used up. At the end one list is drawn from the mixture.

use super::dice::Dice;
use super::field::{Force, Plan};
use super::mixture::{Payoffs, solve};
use super::search::{Act, Purse, Reply, Scene, answer};

/// How many of the other side's lists one answer looks at.
const LOOKED_AT: usize = 6;
/// How many lists a side may have.
const LISTS: usize = 40;

/// One side's lists, and where they lead.
struct Book<'a> {
    scene: Scene<'a>,
    acts: Vec<Act>,
    plans: Vec<Plan>,
    moved: Vec<Force>,
}

impl<'a> Book<'a> {
    fn new(scene: Scene<'a>) -> Book<'a> {
        Book { scene, acts: scene.acts(), plans: vec![Plan::default()], moved: vec![scene.own] }
    }

    /// Adds a list, if it leads to anything new.
    fn add(&mut self, plan: Plan) -> bool {
        let moved = self.scene.own.moved(&plan);
        let new = self.plans.len() < LISTS && !self.moved.contains(&moved);
        if new {
            self.plans.push(plan);
            self.moved.push(moved);
        }
        new
    }

    /// The lists that are chosen most, with how often.
    fn replies(&self, shares: &[f32]) -> Vec<Reply> {
        let mut replies: Vec<Reply> = self
            .moved
            .iter()
            .zip(shares)
            .map(|(&moved, &share)| Reply { moved, weight: thousandths(share) })
            .filter(|reply| reply.weight >= 20)
            .collect();
        replies.sort_by_key(|reply| -reply.weight);
        replies.truncate(LOOKED_AT);
        replies
    }
}

/// A share in thousandths.
fn thousandths(share: f32) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1000")]
    let thousandths = (share * 1000.0) as i32;
    thousandths
}

/// A list for one day.
pub fn plan(scene: &Scene<'_>, dice: &mut Dice, purse: &mut Purse) -> Plan {
    let mut own = Book::new(*scene);
    let mut enemy = Book::new(scene.turned());
    let mut payoffs = Payoffs::default();
    let mut shares = (vec![1.0], vec![1.0]);
    let mut stale = 0;
    while !purse.is_empty() && stale < 3 && own.plans.len() < LISTS {
        let (ours, theirs) = (own.replies(&shares.0), enemy.replies(&shares.1));
        let (mine, _) = answer(&own.scene, &own.acts, &theirs, stale, dice, purse);
        let (other, _) = answer(&enemy.scene, &enemy.acts, &ours, stale, dice, purse);
        let (a, b) = (own.add(mine), enemy.add(other));
        stale = if a || b { 0 } else { stale + 1 };
        payoffs.fill(own.moved.len(), enemy.moved.len(), |row, column| {
            match (own.moved.get(row), enemy.moved.get(column)) {
                (Some(&ours), Some(&theirs)) => own.scene.payoff(ours, theirs, purse),
                _ => 0,
            }
        });
        shares = solve(&payoffs);
    }
    let mut draw = dice.share();
    // What is chosen hardly ever is mostly a remnant of the way to the mixture.
    let kept: f32 = shares.0.iter().filter(|&&share| share >= 0.04).sum();
    draw *= kept;
    for (plan, &share) in own.plans.iter().zip(&shares.0).filter(|(_, share)| **share >= 0.04) {
        draw -= share;
        if draw <= 0.0 {
            return *plan;
        }
    }
    own.plans.last().copied().unwrap_or_default()
}
