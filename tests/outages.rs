//! The database fails while players seal: its disk is full, another program holds it, the server that keeps it is restarted.
//! Players are told so in plain words, nothing is half-done, and as soon as the database is back so is the program, without
//! a restart.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::StatusCode;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};

use crate::world::players::Players;
use crate::world::program::Program;
use crate::world::smtp::Smtp;
use crate::world::{World, number, postgres};

/// How many games are played at once.
const GAMES: u64 = 3;

/// Players who sit down while all is well, and are patient.
async fn sit_down(program: &Program, seed: u64) -> Vec<(Players, StdRng)> {
    let mut games = Vec::new();
    for number in 1..=GAMES {
        let mut players = Players::sit_down(&[program.url()], number).await;
        let mut chance = StdRng::seed_from_u64(seed ^ (number << 32));
        players.turn(&mut chance).await;
        players.patient = true;
        games.push((players, chance));
    }
    games
}

/// All games go on by so many turns, beside `outage`.
async fn play(games: Vec<(Players, StdRng)>, turns: u32, outage: impl Future<Output = ()>) -> Vec<(Players, StdRng)> {
    let playing: Vec<_> = games
        .into_iter()
        .map(|(mut players, mut chance)| {
            tokio::spawn(async move {
                for _ in 0..turns {
                    players.turn(&mut chance).await;
                }
                (players, chance)
            })
        })
        .collect();
    outage.await;
    let mut played = Vec::new();
    for game in playing {
        played.push(tokio::time::timeout(Duration::from_mins(2), game).await.expect("the outage is over").unwrap());
    }
    played
}

/// Everything that was acknowledged is there, and nothing else. Gives how often the players were sent away.
async fn audited(program: &Program, games: &[(Players, StdRng)]) -> u64 {
    for (players, _) in games {
        players.audit().await;
    }
    assert!(program.verifies());
    program.made_no_mistake();
    games.iter().map(|(players, _)| players.refused).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    let (rounds, seed) = (number("FIELDCOMMAND_OUTAGES", 2), number("FIELDCOMMAND_SEED", 1));
    let world = World::sqlite().await;
    world.store.close().await;
    let smtp = Smtp::willing().await;
    let program = Program::start(world.path(), None, smtp.port).await;
    let mut games = sit_down(&program, seed).await;
    let mut chance = StdRng::seed_from_u64(seed);
    for _ in 0..rounds {
        let size = |ending: &str| {
            let file = world.path().join(format!("fieldcommand.sqlite{ending}"));
            std::fs::metadata(file).map_or(0, |metadata| metadata.len())
        };
        // A few pages later the log cannot grow, somewhere within a transaction.
        let left = chance.random_range(0..60_000);
        program.limit_files(Some(size("").max(size("-wal")) + left));
        let full = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            // What is kept can be read all the while.
            let seen = reqwest::get(format!("{}/games", program.url())).await.unwrap().status();
            assert_eq!(seen, StatusCode::OK);
            program.limit_files(None);
        };
        games = play(games, 30, full).await;
    }
    let refused = audited(&program, &games).await;
    assert!(refused > rounds, "{refused} refusals: the disk was never full");
    println!("seed {seed}: {rounds} times full, {refused} requests sent away");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_another_program_holds_is_waited_for() {
    let rounds = number("FIELDCOMMAND_OUTAGES", 1);
    let world = World::sqlite().await;
    world.store.close().await;
    let smtp = Smtp::willing().await;
    let program = Program::start(world.path(), None, smtp.port).await;
    let mut games = sit_down(&program, 1).await;
    let file = format!("sqlite://{}", world.path().join("fieldcommand.sqlite").display());
    // Longer than is waited, and shorter.
    for seconds in [12, 3].into_iter().cycle().take(usize::try_from(2 * rounds).unwrap()) {
        let before: u64 = games.iter().map(|(players, _)| players.refused).sum();
        let held = async {
            let mut conn = AnyConnection::connect(&file).await.unwrap();
            conn.execute("begin immediate").await.unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            conn.execute("rollback").await.unwrap();
        };
        games = play(games, 2, held).await;
        let refused = games.iter().map(|(players, _)| players.refused).sum::<u64>() - before;
        assert_eq!(refused > 0, seconds > 10, "{refused} sent away in {seconds} seconds");
    }
    audited(&program, &games).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_restarted_is_found_again() {
    let (rounds, seed) = (number("FIELDCOMMAND_OUTAGES", 2), number("FIELDCOMMAND_SEED", 1));
    let world = World::postgres().await;
    let smtp = Smtp::willing().await;
    let program = Program::start(world.path(), Some(world.address()), smtp.port).await;
    let mut games = sit_down(&program, seed).await;
    let mut chance = StdRng::seed_from_u64(seed);
    let name = world.address().rsplit('/').next().unwrap().to_owned();
    let mut admin = AnyConnection::connect(&postgres()).await.unwrap();
    for _ in 0..rounds {
        let away = Duration::from_millis(chance.random_range(200..3000));
        let restarted = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            for (allowed, cut) in [(false, true), (true, false)] {
                let sql = format!("alter database {name} with allow_connections {allowed}");
                admin.execute(AssertSqlSafe(sql)).await.unwrap();
                if cut {
                    let sql =
                        format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'");
                    admin.execute(AssertSqlSafe(sql)).await.unwrap();
                    tokio::time::sleep(away).await;
                }
            }
        };
        games = play(games, 20, restarted).await;
    }
    let refused = audited(&program, &games).await;
    assert!(refused > 0, "nobody noticed");
    let ready = reqwest::get(format!("{}/health/ready", program.url())).await.unwrap().status();
    assert_eq!(ready, StatusCode::OK);
    println!("seed {seed}: {rounds} restarts, {refused} requests sent away");
    drop(program);
    world.end().await;
}
