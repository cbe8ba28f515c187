//! The tuner: weights are changed by chance, and a change is kept if it wins a match against the weights so far.
//!
//! A match is decided by its score, so a change that is kept by luck is possible; the next rounds play against it.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::arena::play_all;
use super::arena_game::Match;
use super::tally::Tally;
use crate::bot::{Thinker, Weights};
use crate::rules::field_command::maps::Map;
use crate::rules::{BySide, Side};

/// How many weights are changed at once.
const AT_ONCE: u64 = 3;

/// What is to be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The player whose weights are changed.
    pub player: Thinker,
    /// How many changes are tried.
    pub rounds: u32,
    /// How many games each is tried in.
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
        let (changed, said) = changed(&best, tuning.seed, round);
        let (new, old) = (Thinker { weights: changed, ..tuning.player }, Thinker { weights: best, ..tuning.player });
        let games: Vec<Match> = (0..tuning.games).map(|number| game(tuning.seed, round, number, new, old)).collect();
        let mut tally = Tally::default();
        for (game, played) in games.iter().zip(play_all(&games, tuning.threads, |_, _| Ok(()))?) {
            tally.count(game.first, &played);
        }
        // Half a deviation above even: about seven of ten useless changes are turned down.
        let kept = tally.score() > 0.5 + 0.25 / f64::from(tuning.games.max(1)).sqrt();
        if kept {
            best = changed;
        }
        let verdict = if kept { "kept" } else { "turned down" };
        writeln!(output, "{}: {}, score {:.1} %: {verdict}", round + 1, said.join(", "), 100.0 * tally.score())?;
        output.flush()?;
    }
    let mut first = tuning.player.weights;
    for ((name, old), (_, new)) in first.slots().into_iter().zip(best.slots()) {
        if old != new {
            writeln!(output, "{name}: {old} becomes {new}")?;
        }
    }
    Ok(())
}

/// A game of a round: boards and colours change in turn.
fn game(seed: u64, round: u32, number: u32, new: Thinker, old: Thinker) -> Match {
    let (first, players) = match number % 2 {
        0 => (Side::Red, BySide { red: new, blue: old }),
        _ => (Side::Blue, BySide { red: old, blue: new }),
    };
    let map = if (number / 2).is_multiple_of(2) { Map::Classic } else { Map::Ridge };
    Match { seed: seed.wrapping_add(u64::from(round) << 32), number, map, first, players }
}

/// The weights with some of them changed by up to two fifths, and by one at least.
fn changed(weights: &Weights, seed: u64, round: u32) -> (Weights, Vec<String>) {
    let mut changed = *weights;
    let mut slots = changed.slots();
    let mut said = Vec::new();
    for n in 0..AT_ONCE {
        let digest: [u8; 32] = Sha256::digest(format!("{seed}\n{round}\n{n}").as_bytes()).into();
        let mut draws =
            digest.chunks_exact(4).map(|four| four.iter().fold(0usize, |all, &byte| all << 8 | usize::from(byte)));
        let (which, by) = (draws.next().unwrap_or(0) % slots.len(), draws.next().unwrap_or(0));
        if let Some((name, number)) = slots.get_mut(which) {
            let step = i32::try_from(by % 81).unwrap_or(40) - 40;
            let old = **number;
            **number += if old.abs() * step.abs() >= 100 { old.abs() * step / 100 } else { step.signum() };
            said.push(format!("{name} {old} to {number}"));
        }
    }
    drop(slots);
    (changed, said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_few_and_repeat_themselves() {
        let before = Weights::TUNED;
        for round in 0..50 {
            let ((one, said), (again, _)) = (changed(&before, 7, round), changed(&before, 7, round));
            assert_eq!(one, again);
            assert_eq!(said.len(), 3);
            let (mut one, mut before) = (one, before);
            let differing = one.slots().into_iter().zip(before.slots()).filter(|(a, b)| a.1 != b.1).count();
            assert!(differing <= 3, "{said:?}");
        }
    }
}
