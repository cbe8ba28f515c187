//! What came of many games, in numbers.

use std::io::{self, Write};

use super::arena_game::Played;
use crate::rules::Side;

/// The results of a match, as the first named player sees them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
    turns: u32,
    thought: [f64; 2],
}

impl Tally {
    /// Counts a game, in which the first named player had the side `first`.
    pub fn count(&mut self, first: Side, played: &Played) {
        match played.outcome.winner() {
            Some(side) if side == first => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
        self.turns += played.turns;
        let (one, other) = (*played.thought.get(first), *played.thought.get(first.other()));
        let [mine, theirs] = &mut self.thought;
        *mine += one;
        *theirs += other;
    }

    /// How many games were played.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The first player's share of the points: a won game counts 1, a drawn one a half.
    #[must_use]
    pub fn score(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games().max(1))
    }

    /// Where the true score lies in 95 of 100 cases (Wilson's interval, for which draws count as if they were half won games and half
    /// lost ones, so that it is rather too wide).
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (n, p) = (f64::from(self.games().max(1)), self.score());
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
    }

    /// Writes the results.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write(&self, names: &[String; 2], output: &mut impl Write) -> io::Result<()> {
        let [first, second] = names;
        let games = f64::from(self.games().max(1));
        let (low, high) = self.interval();
        let [mine, theirs] = self.thought.map(|thought| thought / f64::from(self.turns.max(1)));
        writeln!(output, "{first} against {second}, {} games", self.games())?;
        writeln!(output, "  won {}, drawn {}, lost {}", self.won, self.drawn, self.lost)?;
        writeln!(
            output,
            "  score {:.1} % (95 % interval: {:.1} to {:.1} %)",
            100.0 * self.score(),
            100.0 * low,
            100.0 * high
        )?;
        writeln!(output, "  {:.1} days a game", f64::from(self.turns) / games - 1.0)?;
        writeln!(output, "  {mine:.2} ms a move for {first}, {theirs:.2} ms for {second}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        let tally = Tally { won: 80, drawn: 0, lost: 20, ..Tally::default() };
        let (low, high) = tally.interval();
        assert!((tally.score() - 0.8).abs() < 1e-9);
        assert!((low - 0.711).abs() < 0.001 && (high - 0.867).abs() < 0.001, "{low} {high}");
        let all = Tally { won: 200, ..Tally::default() };
        assert!(all.interval().0 > 0.98 && all.interval().1 > 0.999);
        let even = Tally { won: 1, drawn: 2, lost: 1, ..Tally::default() };
        assert!((even.score() - 0.5).abs() < 1e-9);
    }
}
