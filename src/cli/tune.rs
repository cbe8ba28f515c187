//! The tuner: weights are changed by chance, and a change is kept if it wins two matches against the weights so far.
//!
//! The first match is the same for all changes, with the same seeds: the side with the weights so far deploys as it did
//! against the change before, and each game is played twice with colours changed, so that a change which does nothing
//! scores exactly a half. So the search is one for the best response, of deployments above all. The second match has seeds
//! of its own, so that nothing is kept because it happens to suit the games of the first.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::arena::play_all;
use super::arena_game::Match;
use super::tally::Tally;
use crate::bot::{BOUNDS, Part, Thinker, Weights};
use crate::rules::field_command::maps::Map;
use crate::rules::{BySide, Side};

/// How many weights of positions are changed at once.
const AT_ONCE: usize = 3;
/// How many weights a kind of unit has that is deployed; they are changed together.
const WISHES: usize = 4;

/// What is to be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The player whose weights are changed.
    pub player: Thinker,
    /// Which of them.
    pub part: Part,
    /// How many changes are tried.
    pub rounds: u32,
    /// How many games a match has.
    pub games: u32,
    /// Another seed, other changes and games.
    pub seed: u64,
    /// How many games are played at once.
    pub threads: usize,
}

/// Tries changes and writes what came of each; at the end the weights that were changed for good.
///
/// # Errors
/// Writing failed.
pub fn run(tuning: &Tuning, output: &mut impl Write) -> io::Result<()> {
    let mut best = tuning.player.weights;
    for round in 0..tuning.rounds {
        let (changed, said) = change(&best, tuning.part, tuning.seed, round);
        let first = score(tuning, 0, &changed, &best)?;
        write!(output, "{}: {}, score {:.1} %", round + 1, said.join(", "), 100.0 * first)?;
        if is_clear(first, tuning.games) {
            let second = score(tuning, round + 1, &changed, &best)?;
            let kept = is_clear(second, tuning.games);
            writeln!(output, ", then {:.1} %: {}", 100.0 * second, if kept { "kept" } else { "turned down" })?;
            if kept {
                best = changed;
            }
        } else {
            writeln!(output, ": turned down")?;
        }
        output.flush()?;
    }
    let mut first = tuning.player.weights;
    for ((name, old), (_, new)) in first.slots(tuning.part).into_iter().zip(best.slots(tuning.part)) {
        if old != new {
            writeln!(output, "{name}: {old} becomes {new}")?;
        }
    }
    Ok(())
}

/// Whether a score lies a standard deviation above even: about one of six useless changes gets so far, and one of forty
/// twice.
fn is_clear(score: f64, games: u32) -> bool {
    score > 0.5 + 0.5 / f64::from(games.max(1)).sqrt()
}

/// How the changed weights score in a match against those so far.
fn score(tuning: &Tuning, series: u32, changed: &Weights, best: &Weights) -> io::Result<f64> {
    let [new, old] = [changed, best].map(|&weights| Thinker { weights, ..tuning.player });
    let seed = tuning.seed.wrapping_add(u64::from(series) << 32);
    let games: Vec<Match> = (0..tuning.games).map(|number| game(seed, number, new, old)).collect();
    let mut tally = Tally::default();
    for (game, played) in games.iter().zip(play_all(&games, tuning.threads, |_, _| Ok(()))?) {
        tally.count(game.first, &played);
    }
    Ok(tally.score())
}

/// A game of a match. Each is played twice with the same seed, the second time with colours changed; boards change in turn.
fn game(seed: u64, number: u32, new: Thinker, old: Thinker) -> Match {
    let (first, players) = match number % 2 {
        0 => (Side::Red, BySide { red: new, blue: old }),
        _ => (Side::Blue, BySide { red: old, blue: new }),
    };
    let map = if (number / 2).is_multiple_of(2) { Map::Classic } else { Map::Ridge };
    Match { seed, number: number / 2, map, first, players }
}

/// The weights with some of them changed, and what was changed: any three numbers of positions, or all that one kind of
/// unit looks for when it is deployed.
fn change(weights: &Weights, part: Part, seed: u64, round: u32) -> (Weights, Vec<String>) {
    let digest: [u8; 32] = Sha256::digest(format!("{seed}\n{round}").as_bytes()).into();
    let mut draws = digest.chunks_exact(4).map(|four| four.iter().fold(0, |all, &byte| all << 8 | usize::from(byte)));
    let mut draw = |below: usize| draws.next().unwrap_or(0) % below.max(1);
    let mut changed = *weights;
    let mut slots = changed.slots(part);
    let chosen: Vec<usize> = match part {
        Part::Positions => (0..AT_ONCE).map(|_| draw(slots.len())).collect(),
        Part::Deployments => {
            let first = draw(slots.len() / WISHES) * WISHES;
            (first..first + WISHES).collect()
        }
    };
    let mut said = Vec::new();
    for which in chosen {
        if let Some((name, number)) = slots.get_mut(which) {
            let old = **number;
            **number = stepped(old, draw(81));
            said.push(format!("{name} {old} to {number}"));
        }
    }
    drop(slots);
    (changed, said)
}

/// A number changed by up to two fifths, or by up to four where that is more; `by` is 0 to 80.
fn stepped(old: i32, by: usize) -> i32 {
    let step = i32::try_from(by).unwrap_or(40) - 40;
    let (least, most) = BOUNDS;
    old.saturating_add(old.abs().max(10).saturating_mul(step) / 100).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{Budget, Style};

    #[test]
    fn changes_are_few_and_repeat_themselves() {
        let mut before = Weights::TUNED;
        for (part, most) in [(Part::Positions, AT_ONCE), (Part::Deployments, WISHES)] {
            for round in 0..50 {
                let ((mut one, said), (again, _)) = (change(&before, part, 7, round), change(&before, part, 7, round));
                assert_eq!((one, said.len()), (again, most));
                let differing = |part: Part, one: &mut Weights, before: &mut Weights| {
                    one.slots(part).into_iter().zip(before.slots(part)).filter(|(a, b)| a.1 != b.1).count()
                };
                assert!(differing(part, &mut one, &mut before) <= most, "{said:?}");
                let other = if part == Part::Positions { Part::Deployments } else { Part::Positions };
                assert_eq!(differing(other, &mut one, &mut before), 0, "{said:?}");
            }
        }
        assert_eq!((stepped(0, 80), stepped(0, 0), stepped(-10, 80), stepped(200, 0)), (4, -4, -6, 120));
        assert_eq!((stepped(2000, 80), stepped(i32::MAX, 80)), (2000, 2000));
    }

    #[test]
    fn what_changes_nothing_scores_a_half() {
        let player = Thinker { style: Style::Greedy, weights: Weights::TUNED, budget: Budget::USUAL };
        let tuning = Tuning { player, part: Part::Deployments, rounds: 1, games: 4, seed: 3, threads: 2 };
        assert!((score(&tuning, 0, &Weights::TUNED, &Weights::TUNED).unwrap() - 0.5).abs() < 1e-9);
        assert!(!is_clear(0.5, 4) && !is_clear(0.74, 4) && is_clear(0.76, 4) && is_clear(0.54, 200));
    }
}
