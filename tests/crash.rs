//! The program is killed (SIGKILL) while players seal and letters leave, and started again. What it has acknowledged is
//! there, nothing is double, and no letter is lost. Clients that reset their connection harm nobody.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::StatusCode;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::world::players::{Players, confirm};
use crate::world::program::{CONNECTIONS, Program};
use crate::world::smtp::Smtp;
use crate::world::{World, number};

/// How many games are played at once; letters are sent about the first of them.
const GAMES: u64 = 6;
async fn killed_under_load(world: &World, database: Option<String>, kills: u64, seed: u64) {
    let smtp = Smtp::willing().await;
    let mut program = Program::start(world.path(), database, smtp.port).await;
    let url = program.url();
    let mut games = Vec::new();
    for number in 0..GAMES {
        games.push(Players::sit_down(std::slice::from_ref(&url), number).await);
    }
    confirm(&smtp, &url).await;
    let (stop, turns) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
    let playing: Vec<_> = (0..)
        .zip(games)
        .map(|(number, mut players)| {
            let (stop, turns) = (stop.clone(), Arc::clone(&turns));
            let mut chance = StdRng::seed_from_u64(seed ^ (number << 32));
            tokio::spawn(async move {
                // The letters of the first game stay few enough to be listed.
                while !stop.is_cancelled() && (number > 0 || players.turn < 80) {
                    players.turn(&mut chance).await;
                    turns.fetch_add(1, Ordering::Relaxed);
                }
                players
            })
        })
        .collect();
    let mut chance = StdRng::seed_from_u64(seed);
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.random_range(20..400))).await;
        program.dies().await;
    }
    stop.cancel();
    let mut ended = Vec::new();
    for game in playing {
        ended.push(game.await.unwrap());
    }
    for players in &ended {
        players.audit().await;
    }
    for (side, name) in ["ann", "ben"].into_iter().enumerate() {
        let (reported, sent) = ended[0].told(side).await;
        assert_eq!(reported.len(), ended[0].turn as usize, "each turn is reported to {name}");
        let to = format!("{name}@crash.example");
        let letters: Vec<_> = smtp.letters().into_iter().filter(|letter| letter.to == to).collect();
        let ids: HashSet<_> = letters.iter().map(|letter| letter.header("Message-ID").unwrap()).collect();
        // The one that asked whether the address is right went to no seat.
        assert!(sent < ids.len(), "{sent} letters to {name} are said to be sent, {} have come", ids.len());
    }
    let letters = smtp.letters();
    let ids: HashSet<_> = letters.iter().map(|letter| letter.header("Message-ID").unwrap()).collect();
    // What is said to be sent has come.
    let came: HashSet<_> = ids.iter().map(|id| id.trim_start_matches('<').split('@').next().unwrap()).collect();
    let noted = program.sent().await;
    let lost: Vec<_> = noted.iter().filter(|id| !came.contains(id.as_str())).collect();
    assert!(!noted.is_empty() && lost.is_empty(), "{lost:?} are said to be sent and have not come");
    let repeated = letters.len() - ids.len();
    let most = usize::try_from(kills).unwrap() * CONNECTIONS;
    assert!(repeated <= most, "{repeated} letters came again, {most} were on their way at most");
    assert!(program.verifies());
    program.made_no_mistake();
    println!(
        "seed {seed}: {kills} kills, {} turns, {} letters, {repeated} of them again",
        turns.load(Ordering::Relaxed),
        ids.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_by_kill_9() {
    let (kills, seed) = (number("FIELDCOMMAND_KILLS", 8), number("FIELDCOMMAND_SEED", 1));
    let world = World::sqlite().await;
    // The world's own connection ends, so that the program is alone with the file.
    world.store.close().await;
    killed_under_load(&world, None, kills, seed).await;
    let world = World::postgres().await;
    killed_under_load(&world, Some(world.address()), kills, seed).await;
    world.end().await;
}

/// A request that is cut off at any moment is done or not done, and nobody else notices.
#[tokio::test(flavor = "multi_thread")]
async fn clients_that_reset_harm_nobody() {
    let (resets, seed) = (number("FIELDCOMMAND_RESETS", 200), number("FIELDCOMMAND_SEED", 1));
    let world = World::sqlite().await;
    world.store.close().await;
    let smtp = Smtp::willing().await;
    let program = Program::start(world.path(), None, smtp.port).await;
    let mut players = Players::sit_down(&[program.url()], 1).await;
    let mut chance = StdRng::seed_from_u64(seed);
    players.turn(&mut chance).await;
    let path = format!("/api/v1/games/{}/red/sheet", players.game);
    for reset in 0..resets {
        let body = json!({"turn": 1, "text": if reset % 2 == 0 { "I4-I5" } else { "" }}).to_string();
        let request = format!(
            "PUT {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            program.listen,
            players.tokens[0],
            body.len()
        );
        let mut client = TcpStream::connect(program.listen).await.unwrap();
        let length = if chance.random_bool(0.3) { chance.random_range(1..request.len()) } else { request.len() };
        client.write_all(&request.as_bytes()[..length]).await.unwrap();
        tokio::time::sleep(Duration::from_micros(chance.random_range(0..2000))).await;
        client.set_zero_linger().unwrap();
        drop(client);
    }
    for _ in 0..50 {
        let (status, state) = players.asks(0, None, "").await;
        assert_eq!((status, &state["turn"]), (StatusCode::OK, &json!(1)), "{state}");
    }
    // One of the cut requests may have sealed for Red, so Red's sheet comes first now.
    players.seals(0, "E4-E5").await;
    players.seals(1, "").await;
    players.turn += 1;
    players.audit().await;
    assert!(program.verifies());
    program.made_no_mistake();
}
