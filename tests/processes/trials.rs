//! One process and three: each turn is resolved once and each letter leaves once, whichever processes are asked at once; and
//! when one is killed, the others take over what it had begun.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fieldcommand::clock::{Clock, Timestamp};
use fieldcommand::pace::Pace;
use fieldcommand::play::Play;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::proof;
use fieldcommand::rules::Side;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::world::cluster::Cluster;
use crate::world::players::{Players, SIDES, confirm};
use crate::world::smtp::{Act, Smtp, Stage};
use crate::world::{deployment, new_game, number};

/// How many processes there are in each trial.
const SIZES: [usize; 2] = [1, 3];

/// A game with both seats taken, opened beside the processes.
#[derive(Clone)]
struct Game {
    id: String,
    tokens: [String; 2],
}

async fn open(play: &Play, new: NewGame) -> Game {
    let opened = play.open(new).await.unwrap();
    let taken = play.take_seat(&opened.invitation, "Ben").await.unwrap();
    Game { id: opened.game.to_string(), tokens: [opened.link.reveal().to_owned(), taken.link.reveal().to_owned()] }
}

impl Game {
    async fn seal(&self, client: &Client, url: &str, side: usize, turn: u32, text: &str) -> (StatusCode, Value) {
        let address = format!("{url}/api/v1/games/{}/{}/sheet", self.id, SIDES[side]);
        let sheet = json!({"turn": turn, "text": text});
        let answer = client.put(address).bearer_auth(&self.tokens[side]).json(&sheet).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    /// A day as it is kept, if it is.
    async fn day(&self, client: &Client, url: &str, turn: u32) -> Option<Value> {
        let address = format!("{url}/api/v1/games/{}/red/days/{turn}", self.id);
        let answer = client.get(address).bearer_auth(&self.tokens[0]).send().await.unwrap();
        if answer.status().is_success() { Some(answer.json().await.unwrap()) } else { None }
    }

    async fn deploy(&self, client: &Client, url: &str) {
        for (side, of) in [(0, Side::Red), (1, Side::Blue)] {
            let (status, answer) = self.seal(client, url, side, 0, &deployment(of, "balanced")).await;
            assert_eq!(status, StatusCode::OK, "{answer}");
        }
    }
}

/// Every game that is kept holds, and has so many turns in all.
async fn audit(cluster: &Cluster, turns: i64) {
    let ids = proof::games_after(&cluster.world.store, "", 10_000).await.unwrap();
    for id in ids {
        let checked = proof::check_kept(&cluster.world.store, &id).await.unwrap();
        assert!(checked.wrong.is_empty(), "{id}: {:?}", checked.wrong);
    }
    assert_eq!(cluster.world.count("turns").await, turns, "each turn once");
}

/// Both seal for the same turn at the same moment, each at two processes at once: it is resolved once, with what both were
/// told is sealed, and whoever asks again gets the same receipt.
#[tokio::test(flavor = "multi_thread")]
async fn seals_meet_at_different_processes() {
    let rounds = number("FIELDCOMMAND_RACES", 10);
    for size in SIZES {
        let cluster = Cluster::whole(size, &[]).await;
        let (urls, client, play) = (cluster.urls(), Client::new(), cluster.play());
        for round in 0..rounds {
            let game = open(&play, new_game(12, "")).await;
            for turn in 0..2 {
                let seals: Vec<_> = (0..4_usize)
                    .map(|post| {
                        let at = usize::try_from(round).unwrap() + post;
                        let (game, client, url) = (game.clone(), client.clone(), urls[at % size].clone());
                        let (side, of) = [(0, Side::Red), (1, Side::Blue)][post % 2];
                        let text = if turn == 0 { deployment(of, "balanced") } else { String::new() };
                        tokio::spawn(async move { (side, game.seal(&client, &url, side, turn, &text).await) })
                    })
                    .collect();
                let mut receipts = [HashSet::new(), HashSet::new()];
                for seal in seals {
                    let (side, (status, answer)) = seal.await.unwrap();
                    assert_eq!(status, StatusCode::OK, "{answer}");
                    receipts[side].insert(answer["seal"].as_str().unwrap().to_owned());
                }
                let day = game.day(&client, &urls[0], turn).await.expect("the turn is resolved");
                for (side, word) in SIDES.iter().enumerate() {
                    let used = day["sheets"][word]["seal"].as_str().unwrap().to_owned();
                    assert_eq!(receipts[side], HashSet::from([used]), "{day}");
                }
            }
        }
        audit(&cluster, i64::try_from(2 * rounds).unwrap()).await;
        println!("{size} processes: {rounds} games, both seal at once");
        cluster.end().await;
    }
}

/// Red replaces what is sealed while Blue's seal resolves the turn elsewhere: Red is told that the new sheet is in, and it was
/// used, or that the turn is over, and the old one was.
#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_that_is_replaced_while_its_turn_is_resolved() {
    let rounds = number("FIELDCOMMAND_RACES", 10);
    for size in SIZES {
        let cluster = Cluster::whole(size, &[]).await;
        let (urls, client, play) = (cluster.urls(), Client::new(), cluster.play());
        let (mut replaced, mut chance) = (0, StdRng::seed_from_u64(number("FIELDCOMMAND_SEED", 1)));
        for round in 0..usize::try_from(rounds).unwrap() {
            let game = open(&play, new_game(12, "")).await;
            let (red, blue) = (&urls[round % size], &urls[(round + 1) % size]);
            game.deploy(&client, red).await;
            let (_, first) = game.seal(&client, red, 0, 1, "I4-I5").await;
            let wait = [chance.random_range(0..4), chance.random_range(0..4)].map(Duration::from_millis);
            let (new, resolving) = tokio::join!(
                async {
                    tokio::time::sleep(wait[0]).await;
                    game.seal(&client, red, 0, 1, "E4-E5").await
                },
                async {
                    tokio::time::sleep(wait[1]).await;
                    game.seal(&client, blue, 1, 1, "").await
                },
            );
            assert_eq!(resolving.0, StatusCode::OK, "{}", resolving.1);
            let day = game.day(&client, blue, 1).await.expect("the turn is resolved");
            let used = &day["sheets"]["red"]["seal"];
            match new.0 {
                StatusCode::OK => {
                    replaced += 1;
                    assert_eq!(used, &new.1["seal"], "{day}");
                }
                StatusCode::CONFLICT => assert_eq!(used, &first["seal"], "{day}"),
                status => panic!("{status}: {}", new.1),
            }
        }
        audit(&cluster, i64::try_from(2 * rounds).unwrap()).await;
        println!("{size} processes: {rounds} sheets replaced while the turn is resolved, {replaced} of them in time");
        cluster.end().await;
    }
}

/// Many games fall due at one moment, with every process sweeping, while Red seals in the last second: the seal is in and used,
/// or refused and not used.
#[tokio::test(flavor = "multi_thread")]
async fn several_sweepers_meet_a_seal_of_the_last_second() {
    let (games, seed) = (number("FIELDCOMMAND_RACES", 12), number("FIELDCOMMAND_SEED", 1));
    for size in SIZES {
        let cluster = Cluster::whole(size, &[]).await;
        let (urls, client, play) = (cluster.urls(), Client::new(), cluster.play());
        let mut tables = Vec::new();
        for _ in 0..games {
            let pace = Pace::Span { hours: 72, first_hours: 72 };
            let game = open(&play, NewGame { pace, ..new_game(12, "") }).await;
            game.deploy(&client, &urls[0]).await;
            tables.push(game);
        }
        let mut chance = StdRng::seed_from_u64(seed);
        let due = Timestamp(Clock::System.now().0 + 1000);
        cluster.world.fall_due(due).await;
        let seals: Vec<_> = (0..)
            .zip(&tables)
            .map(|(number, game)| {
                let (game, client, url) = (game.clone(), client.clone(), urls[number % size].clone());
                // The sweeps begin within a second, and take a while for all of them.
                let at = due.0 + chance.random_range(-30..1000 + 40 * i64::try_from(games).unwrap());
                tokio::spawn(async move {
                    let wait = u64::try_from(at - Clock::System.now().0).unwrap_or(0);
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                    game.seal(&client, &url, 0, 1, "I4-I5").await
                })
            })
            .collect();
        let mut won = 0;
        for (game, seal) in tables.iter().zip(seals) {
            let (status, answer) = seal.await.unwrap();
            let day = loop {
                match game.day(&client, &urls[0], 1).await {
                    Some(day) => break day,
                    None => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            };
            let (how, red) = (&day["how"]["red"], &day["sheets"]["red"]);
            match status {
                StatusCode::OK => {
                    won += 1;
                    assert_eq!((how, &red["seal"]), (&json!("sealed"), &answer["seal"]), "{day}");
                }
                StatusCode::CONFLICT => assert_eq!(how, "missed", "{day}"),
                status => panic!("{status}: {answer}"),
            }
        }
        audit(&cluster, i64::try_from(2 * games).unwrap()).await;
        println!("{size} processes: {games} games due at once, {won} of the seals in time");
        cluster.end().await;
    }
}

/// Every process sends what is due: each letter leaves once.
#[tokio::test(flavor = "multi_thread")]
async fn each_letter_leaves_once_from_several_processes() {
    let letters = usize::try_from(number("FIELDCOMMAND_LETTERS", 60)).unwrap();
    for size in SIZES {
        let smtp = Smtp::willing().await;
        let to = format!("smtp://127.0.0.1:{}?tls=none", smtp.port);
        let cluster = Cluster::whole(size, &["--smtp-url", &to, "--mail-connections", "2"]).await;
        queue(&cluster.play(), letters).await;
        smtp.until(letters).await;
        let play = cluster.play();
        while play.letters_waiting().await.unwrap().0 > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let ids: HashSet<_> = smtp.letters().iter().map(|letter| letter.header("Message-ID").unwrap()).collect();
        assert_eq!((ids.len(), smtp.letters().len()), (letters, letters), "no letter twice, and none too few");
        println!("{size} processes: {letters} letters, each once");
        cluster.end().await;
    }
}

/// Queues so many letters: questions whether an address is right.
async fn queue(play: &Play, number: usize) {
    let opened = play.open(new_game(12, "")).await.unwrap();
    let seat = play.seat_of_link(&opened.link).await.unwrap();
    for n in 0..number {
        play.set_address(&seat, &format!("a{n}@example.org")).await.unwrap();
    }
}

/// One of three processes is killed again and again, while games are played at all of them and letters leave slowly: nothing
/// acknowledged is lost, and what it had claimed leaves by another, though the claim would last for minutes.
#[tokio::test(flavor = "multi_thread")]
async fn the_others_take_over_from_a_process_that_is_killed() {
    let (kills, seed) = (number("FIELDCOMMAND_DEATHS", 1), number("FIELDCOMMAND_SEED", 1));
    // A letter takes its time: whoever is killed has some on their way and many claimed.
    let smtp =
        Smtp::start(|at, _, _| if at == Stage::Dot { Act::Wait(Duration::from_millis(15)) } else { Act::Go }).await;
    let to = format!("smtp://127.0.0.1:{}?tls=none", smtp.port);
    let more = ["--smtp-url", &to, "--mail-connections", "2", "--missed-after", "3"];
    let mut cluster = Cluster::whole(3, &more).await;
    let (urls, play) = (cluster.urls(), cluster.play());
    let mut games = Vec::new();
    for number in 0..3_usize {
        let from: Vec<String> = (0..3).map(|at| urls[(number + at) % 3].clone()).collect();
        games.push(Players::sit_down(&from, u64::try_from(number).unwrap()).await);
    }
    confirm(&smtp, &urls[0]).await;
    let (stop, turns) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
    let playing: Vec<_> = (0..)
        .zip(games)
        .map(|(number, mut players)| {
            let (stop, turns) = (stop.clone(), Arc::clone(&turns));
            let mut chance = StdRng::seed_from_u64(seed ^ (number << 32));
            tokio::spawn(async move {
                while !stop.is_cancelled() && (number > 0 || players.turn < 80) {
                    players.turn(&mut chance).await;
                    turns.fetch_add(1, Ordering::Relaxed);
                }
                players
            })
        })
        .collect();
    let mut chance = StdRng::seed_from_u64(seed);
    for kill in 0..kills {
        queue(&play, 60).await;
        tokio::time::sleep(Duration::from_millis(chance.random_range(100..600))).await;
        let at = chance.random_range(0..3);
        cluster.members[at].kill();
        if kill + 1 < kills {
            // Either the others take over, or the one that starts again in the same folder does.
            while kill % 2 == 0 && cluster.world.count("processes").await > 2 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            cluster.members[at].start().await;
        }
    }
    stop.cancel();
    let mut ended = Vec::new();
    for players in playing {
        ended.push(players.await.unwrap());
    }
    for players in &ended {
        players.audit().await;
    }
    // What the dead had claimed leaves by the others, and not after the three minutes of a claim.
    let begun = Clock::System.steady();
    while play.letters_waiting().await.unwrap().0 > 0 {
        assert!(Clock::System.steady() < begun + Duration::from_mins(2), "nobody takes the letters over");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for side in 0..2 {
        let (reported, _) = ended[0].told(side).await;
        assert_eq!(reported.len(), ended[0].turn as usize, "each turn is reported");
    }
    let letters = smtp.letters();
    let ids: HashSet<_> = letters.iter().map(|letter| letter.header("Message-ID").unwrap()).collect();
    let repeated = letters.len() - ids.len();
    // A process that had no room to say that it lives was taken for dead too.
    let buried = cluster.members.iter().map(|member| member.log().matches("was taken for dead by another").count());
    let most = 2 * (usize::try_from(kills).unwrap() + buried.sum::<usize>());
    assert!(repeated <= most, "{repeated} letters came again, {most} were on their way at most");
    println!(
        "seed {seed}: {kills} kills, {} turns, {} letters, {repeated} of them again",
        turns.load(Ordering::Relaxed),
        ids.len()
    );
    while cluster.world.count("processes").await > 2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    cluster.end().await;
}
