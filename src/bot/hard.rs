//! The hard level: both sides' lists as a game of two choices made at once.
//!
//! Each side begins with a few lists. What each pair of lists leads to is computed, and regret matching finds how often
//! each list should be chosen, so that no choice of the other side can make much of it. Then each side looks for the list that does best against the other's mixture, and it
//! joins the game; and so on until the budget is used up. At the end one list is drawn from the mixture.

use super::Budget;
use super::dice::Dice;
use super::field::{Force, Plan};
use super::mixture::{Payoffs, solve};
use super::search::{Act, Purse, Reply, Scene, answer, promising};
use super::worth::Known;

/// The least budget that is enough for a list.
pub const LEAST: Budget = Budget(5_000);
/// How many of the other side's lists one answer looks at.
const LOOKED_AT: usize = 6;
/// How many lists a side may have.
const LISTS: usize = 60;
/// How many rounds of regret matching a mixture takes.
const ROUNDS: u16 = 400;
/// The share below which a list is not chosen at all.
const HARDLY: f32 = 0.04;
/// How many acts are looked at for each answer.
const ACTS: usize = 160;

/// One side's lists, and where they lead.
struct Book<'a> {
    scene: Scene<'a>,
    acts: Vec<Act>,
    plans: Vec<Plan>,
    moved: Vec<Known>,
    /// How often at least each list is chosen, as the other side believes.
    given: Vec<f32>,
}

impl<'a> Book<'a> {
    fn new(scene: &Scene<'a>) -> Book<'a> {
        Book {
            scene: *scene,
            acts: scene.acts(),
            plans: vec![Plan::default()],
            moved: vec![Known::of(scene.own)],
            given: vec![0.0],
        }
    }

    /// Adds a list, if it leads to anything new.
    fn add(&mut self, plan: Plan) -> bool {
        let moved = self.scene.own.moved(&plan);
        let new = self.plans.len() < LISTS && self.moved.iter().all(|known| *known.force() != moved);
        if new {
            self.plans.push(plan);
            self.moved.push(Known::of(moved));
            self.given.push(0.0);
        }
        new
    }

    /// Believes that a list which stands in the book is chosen so often at least.
    fn believe(&mut self, plan: &Plan, share: f32) {
        let moved = self.scene.own.moved(plan);
        let slots = self.moved.iter().zip(&mut self.given);
        for (_, given) in slots.filter(|(known, _)| *known.force() == moved) {
            *given += share;
        }
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

/// A share from hundredths.
fn share(hundredths: i32) -> f32 {
    f32::from(u8::try_from(hundredths.clamp(0, 100)).unwrap_or(0)) / 100.0
}

/// A share in thousandths.
fn thousandths(share: f32) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1000")]
    let thousandths = (share * 1000.0) as i32;
    thousandths
}

/// A list for one day.
pub fn plan(scene: &Scene<'_>, dice: &mut Dice, purse: &mut Purse) -> Plan {
    let mut own = Book::new(scene);
    let mut enemy = Book::new(&scene.turned());
    open(&mut own, &mut enemy, dice, purse);
    let mut payoffs = Payoffs::default();
    let mut stale = 0;
    loop {
        payoffs.fill(own.moved.len(), enemy.moved.len(), |row, column| {
            match (own.moved.get(row), enemy.moved.get(column)) {
                (Some(ours), Some(theirs)) => own.scene.payoff(ours, theirs, purse),
                _ => 0,
            }
        });
        let shares = solve(&payoffs, &enemy.given, ROUNDS / 4);
        if purse.is_empty() || stale > 3 || own.plans.len() >= LISTS || enemy.plans.len() >= LISTS {
            break;
        }
        let (ours, theirs) = (own.replies(&shares.0), enemy.replies(&shares.1));
        let (mine, _) = answer(&own.scene, &own.acts, &theirs, stale, dice, purse);
        let (other, _) = answer(&enemy.scene, &enemy.acts, &ours, stale, dice, purse);
        let (a, b) = (own.add(mine), enemy.add(other));
        stale = if a || b { 0 } else { stale + 1 };
    }
    draw(&own, &solve(&payoffs, &enemy.given, ROUNDS).0, dice)
}

/// The first lists: each side's answer to one that does nothing, and to the other's first answer. What helps nothing
/// against these is not looked at any more.
fn open(own: &mut Book<'_>, enemy: &mut Book<'_>, dice: &mut Dice, purse: &mut Purse) {
    let hold = |force: Force| Reply { moved: Known::of(force), weight: 1 };
    let mut replies = (vec![hold(enemy.scene.own)], vec![hold(own.scene.own)]);
    let weights = own.scene.weights;
    enemy.believe(&Plan::default(), share(weights.naive) * 0.15);
    for round in 0..2 {
        if round == 0 {
            own.acts = promising(&own.scene, std::mem::take(&mut own.acts), &replies.0, ACTS, purse);
            enemy.acts = promising(&enemy.scene, std::mem::take(&mut enemy.acts), &replies.1, ACTS, purse);
        }
        let (mine, _) = answer(&own.scene, &own.acts, &replies.0, 0, dice, purse);
        let (other, _) = answer(&enemy.scene, &enemy.acts, &replies.1, 0, dice, purse);
        replies.0.push(hold(enemy.scene.own.moved(&other)));
        replies.1.push(hold(own.scene.own.moved(&mine)));
        own.add(mine);
        enemy.add(other);
        enemy.believe(&other, share(weights.naive) * if round == 0 { 0.35 } else { 0.5 });
    }
}

/// Draws one of the lists. What is chosen hardly ever is mostly a remnant of the way to the mixture, and left out.
fn draw(book: &Book<'_>, shares: &[f32], dice: &mut Dice) -> Plan {
    let most = shares.iter().copied().fold(0.0, f32::max);
    let kept = || book.plans.iter().zip(shares).filter(|(_, share)| **share >= most.min(HARDLY));
    let mut drawn = dice.share() * kept().map(|(_, share)| share).sum::<f32>();
    for (plan, &share) in kept() {
        drawn -= share;
        if drawn <= 0.0 {
            return *plan;
        }
    }
    kept().next_back().map(|(plan, _)| *plan).unwrap_or_default()
}
