//! `fieldcommand seed`: games for measuring, played by the easy level against itself.
//!
//! The same seed gives the same games, on any number of threads; only ids, salts and links are drawn anew.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use clap::Args;
use serde_json::json;

use super::arena_game::Match;
use crate::bot::{Budget, Level, Style, Thinker, Weights};
use crate::play::seed::{PlayedGame, SeededGame};
use crate::rules::field_command::maps::Map;
use crate::rules::{BySide, Side};

/// How many games are kept in one transaction.
const BATCH: usize = 50;
/// Every so-manieth game is public.
const PUBLIC: u32 = 10;
/// A day, in milliseconds.
const DAY: i64 = 24 * 3_600_000;
/// Over so many days the ends of the games are spread.
const SPREAD: i64 = 730;

/// What `fieldcommand seed` can be told.
#[derive(Args)]
pub struct Options {
    /// How many games
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// How many of them are running still, about half-way; the rest have ended
    #[arg(long, default_value_t = 100)]
    pub running: u32,
    /// Another seed, other games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Plays the games beside whoever reads them, on as many threads as there are cores. They come in batches, in no order.
pub fn played(options: &Options) -> Receiver<Vec<PlayedGame>> {
    let threads = u32::try_from(thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1);
    let (sender, receiver) = sync_channel(2);
    for first in 0..threads {
        let (sender, games, running, seed) = (sender.clone(), options.games, options.running, options.seed);
        thread::spawn(move || {
            let step = usize::try_from(threads).unwrap_or(1);
            let numbers: Vec<u32> = (first..games).step_by(step).collect();
            for batch in numbers.chunks(BATCH) {
                let games = batch.iter().map(|number| play(seed, *number, *number < running)).collect();
                // Nobody reads any more once keeping them has failed.
                if sender.send(games).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// Plays one game; one that is to be running still ends half-way.
fn play(seed: u64, number: u32, running: bool) -> PlayedGame {
    let thinker = Thinker { style: Style::Level(Level::Easy), weights: Weights::TUNED, budget: Budget(0) };
    let map = if number.is_multiple_of(2) { Map::Classic } else { Map::Ridge };
    let game = Match { seed, number, map, first: Side::Red, players: BySide { red: thinker, blue: thinker } };
    let mut sheets = game.play().sheets;
    if running {
        sheets.truncate(sheets.len().div_ceil(2));
    }
    PlayedGame {
        setup: game.open().setup(),
        sheets,
        names: BySide { red: format!("Ann {number}"), blue: format!("Ben {}", number / 7) },
        public: number.is_multiple_of(PUBLIC),
        ago: if running { DAY } else { (i64::from(number) * 7919 % SPREAD + 1) * DAY },
    }
}

/// Writes a line of JSON for each running game: its id, the awaited turn, and the secrets of both seats.
///
/// # Errors
/// They cannot be written.
pub fn write(games: &[SeededGame], output: &mut impl Write) -> io::Result<()> {
    for game in games.iter().filter(|game| game.running) {
        let SeededGame { game, turn, links, .. } = game;
        let line = json!({"game": game.as_str(), "turn": turn, "red": links.red.reveal(), "blue": links.blue.reveal()});
        writeln!(output, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_comes_once_and_ends_or_runs() {
        let options = Options { games: 3, running: 1, seed: 7 };
        let games: Vec<PlayedGame> = played(&options).into_iter().flatten().collect();
        let mut names: Vec<_> = games.iter().map(|game| game.names.red.clone()).collect();
        names.sort();
        assert_eq!(names, ["Ann 0", "Ann 1", "Ann 2"]);
        for game in &games {
            let mut standing = crate::rules::Standing::open(game.setup.clone());
            for sheets in &game.sheets {
                standing = standing.resolve(sheets.as_ref()).0;
            }
            assert_eq!(standing.ending().is_none(), game.names.red == "Ann 0");
        }
    }
}
