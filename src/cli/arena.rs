//! `fieldcommand arena`: the computer plays against itself, many games at once, and what comes of them is counted.
//!
//! The same seed gives the same games, on any number of threads; only the time that they take differs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::{Args, ValueEnum};

use super::arena_game::{Match, Played};
use super::tally::Tally;
use super::tune::{self, Tuning};
use crate::bot::{Budget, Level, Part, Style, Thinker, Weights};
use crate::clock::{Clock, Timestamp};
use crate::rules::field_command::maps::Map;
use crate::rules::{BySide, Side};

/// What `fieldcommand arena` can be told.
#[derive(Args)]
pub struct Options {
    /// Who plays Red
    #[arg(long, value_enum, default_value_t = Player::Hard)]
    red: Player,
    /// Who plays Blue
    #[arg(long, value_enum, default_value_t = Player::Medium)]
    blue: Player,
    /// How many games
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Another seed, other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Have both change sides after each game, so that the first named plays Red in half of them only
    #[arg(long)]
    both_colours: bool,
    /// The board; without it every second game is played on the other one
    #[arg(long, value_parser = board)]
    map: Option<Map>,
    /// How many days the hard level may compute for one sheet
    #[arg(long, default_value_t = Budget::USUAL.0)]
    budget: u64,
    /// How many games are played at once; without it as many as there are cores
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Instead of a match, try so many changes of Red's weights, each in a match against the weights so far, and keep what
    /// wins that and another one. What is found is only written out; the levels play with what stands in src/bot/weights.rs
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["blue", "records", "map", "both_colours"])]
    tune: Option<u32>,
    /// Which weights are tuned: by what positions are weighed, or how the army is deployed
    #[arg(long, value_enum, default_value_t = Tuned::Positions, requires = "tune")]
    tuned: Tuned,
    /// Write a record of each game into this folder, as `fieldcommand verify` reads them
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
}

/// What is tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tuned {
    /// By what positions are weighed
    Positions,
    /// What each kind of unit looks for when it is deployed
    Deployments,
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Player {
    /// The easy level
    Easy,
    /// The medium level
    Medium,
    /// The hard level
    Hard,
    /// The yardstick: what would be best if the other side did nothing
    Greedy,
}

impl Player {
    fn thinker(self, budget: Budget) -> Thinker {
        let style = match self {
            Player::Easy => Style::Level(Level::Easy),
            Player::Medium => Style::Level(Level::Medium),
            Player::Hard => Style::Level(Level::Hard),
            Player::Greedy => Style::Greedy,
        };
        Thinker { style, weights: Weights::TUNED, budget }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

fn board(name: &str) -> Result<Map, String> {
    Map::by_name(name).ok_or_else(|| "there are classic and ridge".into())
}

/// Plays the games and writes what came of them.
///
/// # Errors
/// A record or the result cannot be written.
pub fn run(options: &Options, clock: &Clock, output: &mut impl Write) -> io::Result<()> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or(cores, usize::from);
    if let Some(rounds) = options.tune {
        let player = options.red.thinker(Budget(options.budget));
        let part = match options.tuned {
            Tuned::Positions => Part::Positions,
            Tuned::Deployments => Part::Deployments,
        };
        let tuning = Tuning { player, part, rounds, games: options.games, seed: options.seed, threads };
        return tune::run(&tuning, output);
    }
    if let Some(folder) = &options.records {
        std::fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    }
    let budget = Budget(options.budget);
    let players = [options.red, options.blue];
    let thinkers = players.map(|player| player.thinker(budget));
    let now = clock.now();
    let games: Vec<Match> = (0..options.games).map(|number| pairing(options, &thinkers, number)).collect();
    let played = play_all(&games, threads, |game, played| keep(options, now, game, played))?;
    let mut tally = Tally::default();
    for (game, played) in games.iter().zip(&played) {
        tally.count(game.first, played);
    }
    tally.write(&players.map(Player::name), output)
}

/// The `number`th game of a match.
fn pairing(options: &Options, &[first, second]: &[Thinker; 2], number: u32) -> Match {
    let swapped = options.both_colours && number % 2 == 1;
    let first_side = if swapped { Side::Blue } else { Side::Red };
    let round = if options.both_colours { number / 2 } else { number };
    let map = options.map.unwrap_or(if round % 2 == 0 { Map::Classic } else { Map::Ridge });
    let players = match first_side {
        Side::Red => BySide { red: first, blue: second },
        Side::Blue => BySide { red: second, blue: first },
    };
    Match { seed: options.seed, number, map, first: first_side, players }
}

/// Plays games on several threads. `done` is called with each one as it ends.
pub(super) fn play_all(
    games: &[Match],
    threads: usize,
    done: impl Fn(&Match, &Played) -> io::Result<()> + Sync,
) -> io::Result<Vec<Played>> {
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<Vec<(usize, Played)>> {
        let mut mine = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(n) else { return Ok(mine) };
            let mut played = game.play();
            done(game, &played)?;
            // Of many games the sheets would be too much to keep.
            played.sheets = Vec::new();
            mine.push((n, played));
        }
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, games.len().max(1))).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::with_capacity(games.len());
        for worker in workers {
            let ended = worker.join().map_err(|_| io::Error::other("a game broke off"))?;
            all.extend(ended?);
        }
        Ok::<_, io::Error>(all)
    })?;
    all.sort_by_key(|(n, _)| *n);
    Ok(all.into_iter().map(|(_, played)| played).collect())
}

/// Writes the record of a game, if records are wanted.
fn keep(options: &Options, now: Timestamp, game: &Match, played: &Played) -> io::Result<()> {
    let Some(folder) = &options.records else { return Ok(()) };
    let names = match game.first {
        Side::Red => BySide { red: options.red, blue: options.blue },
        Side::Blue => BySide { red: options.blue, blue: options.red },
    };
    let record = game.record(played, &names.map(Player::name), now)?;
    let file = folder.join(format!("{:05}.json", game.number + 1));
    std::fs::write(&file, record.json()?).map_err(|error| named(&file, &error))
}

fn named(file: &std::path::Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}
