//! The connection to the database breaks at every single message, once before it arrives and once before it is answered.
//! Nobody is told that something was done that is not kept; whoever repeats what was not answered gets what the first try
//! would have given; and nothing is half done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use fieldcommand::clock::Chance;
use fieldcommand::pace::Pace;
use fieldcommand::play::{Play, PlayError, ServerKey};
use fieldcommand::store::Store;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::world::{HUNT, Table, World, exposed, mailbox, new_game, number};

/// When the connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// The message does not arrive.
    Before,
    /// It arrives, and its answer does not.
    After,
}

/// A way to the database that breaks when it is told to.
struct Wire {
    port: u16,
    /// How many more messages go through; negative if it does not count.
    left: Arc<AtomicI64>,
    after: Arc<AtomicBool>,
    broke: Arc<AtomicBool>,
}

impl Wire {
    async fn to(server: String) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let wire = Wire {
            port: listener.local_addr().unwrap().port(),
            left: Arc::new(AtomicI64::new(-1)),
            after: Arc::default(),
            broke: Arc::default(),
        };
        let (left, after, broke) = (Arc::clone(&wire.left), Arc::clone(&wire.after), Arc::clone(&wire.broke));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let database = TcpStream::connect(&server).await.unwrap();
                let (left, after, broke) = (Arc::clone(&left), Arc::clone(&after), Arc::clone(&broke));
                tokio::spawn(carry(client, database, left, after, broke));
            }
        });
        wire
    }

    /// From now on so many messages go through, and the next one breaks it.
    fn breaks(&self, number: i64, cut: Cut) {
        self.after.store(cut == Cut::After, Ordering::SeqCst);
        self.broke.store(false, Ordering::SeqCst);
        self.left.store(number, Ordering::SeqCst);
    }

    /// It is whole again. Says whether it broke.
    fn mend(&self) -> bool {
        self.left.store(-1, Ordering::SeqCst);
        self.broke.load(Ordering::SeqCst)
    }
}

/// Carries a connection until one end goes, or it is to break.
async fn carry(
    client: TcpStream,
    database: TcpStream,
    left: Arc<AtomicI64>,
    after: Arc<AtomicBool>,
    broke: Arc<AtomicBool>,
) {
    let _ = (client.set_nodelay(true), database.set_nodelay(true));
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_database, mut to_database) = database.into_split();
    let gone = CancellationToken::new();
    let back = {
        let gone = gone.clone();
        tokio::spawn(async move {
            let mut bytes = vec![0; 65536];
            loop {
                let number = tokio::select! {
                    () = gone.cancelled() => return,
                    number = from_database.read(&mut bytes) => number.unwrap_or(0),
                };
                if number == 0 || to_client.write_all(&bytes[..number]).await.is_err() {
                    return;
                }
            }
        })
    };
    let mut bytes = vec![0; 65536];
    while let Ok(number @ 1..) = from_client.read(&mut bytes).await {
        if left.load(Ordering::SeqCst) >= 0 && left.fetch_sub(1, Ordering::SeqCst) == 0 {
            gone.cancel();
            broke.store(true, Ordering::SeqCst);
            if after.load(Ordering::SeqCst) {
                let _ = to_database.write_all(&bytes[..number]).await;
            }
            break;
        }
        if to_database.write_all(&bytes[..number]).await.is_err() {
            break;
        }
    }
    gone.cancel();
    let _ = back.await;
}

/// What is tried.
#[derive(Clone, Copy, Debug)]
enum Scenario {
    Open,
    FirstSeal,
    LastSeal,
    LastDay,
    Due,
    Resign,
    Letters,
}

/// A server whose way to the database breaks, and one whose does not.
struct Trial {
    world: World,
    wire: Wire,
    breaking: Play,
}

impl Trial {
    async fn new() -> Trial {
        let world = World::postgres().await;
        let address = world.address();
        let (server, database) = address.rsplit_once('@').unwrap().1.split_once('/').unwrap();
        let wire = Wire::to(server.to_owned()).await;
        let through = format!("postgres://fieldcommand@127.0.0.1:{}/{database}", wire.port);
        let store = Store::open_postgres(&through).await.unwrap();
        let clock = world.play.clock().clone();
        let breaking = Play::new(store, clock, Chance::seeded(77), ServerKey::new([7; 32]));
        Trial { world, wire, breaking }
    }

    /// The table as the breaking server has it.
    fn behind(&self, table: &Table) -> Table {
        let mut behind = Table { play: self.breaking.clone(), red: table.red.clone(), blue: table.blue.clone() };
        behind.red.play = self.breaking.clone();
        behind.blue.play = self.breaking.clone();
        behind
    }

    /// The wire is whole again, and the database has done what it was told before. Says whether the wire broke.
    async fn mended(&self) -> bool {
        let broke = self.wire.mend();
        let busy =
            "pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()";
        while self.world.count(busy).await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        broke
    }

    /// Tries a scenario in which the wire breaks at message `number`. Says whether it came to that.
    async fn once(&self, scenario: Scenario, number: i64, cut: Cut) -> bool {
        let what = format!("{scenario:?}, message {number}, {cut:?}");
        let world = &self.world;
        match scenario {
            Scenario::Open => {
                let before = (world.count("games").await, world.count("seats").await);
                self.wire.breaks(number, cut);
                let opened = self.breaking.open(new_game(12, "")).await;
                let broke = self.mended().await;
                let after = (world.count("games").await, world.count("seats").await);
                assert!(after == before || after == (before.0 + 1, before.1 + 2), "{what}: {before:?} {after:?}");
                if let Ok(opened) = opened {
                    assert!(world.play.seat_of_link(&opened.link).await.is_ok(), "{what}");
                }
                broke
            }
            Scenario::FirstSeal => self.sealed(&what, number, cut, &[], exposed(), 0).await,
            Scenario::LastSeal => self.sealed(&what, number, cut, &["deploy"], exposed(), 1).await,
            Scenario::LastDay => {
                self.sealed(&what, number, cut, &["deploy", "both", "day", "order"], String::new(), 3).await
            }
            Scenario::Due => self.due(&what, number, cut).await,
            Scenario::Resign => {
                let table = world.table().await;
                let behind = self.behind(&table);
                self.wire.breaks(number, cut);
                let done = behind.play.resign(&behind.red.seat).await;
                let broke = self.mended().await;
                let ended = table.blue.sees().await.ended.is_some();
                match done {
                    Ok(()) => assert!(ended, "{what}"),
                    Err(_) if ended => assert_eq!(table.play.resign(&table.red.seat).await, Err(PlayError::GameOver)),
                    Err(_) => assert_eq!(table.play.resign(&table.red.seat).await, Ok(())),
                }
                broke
            }
            Scenario::Letters => self.letters(&what, number, cut).await,
        }
    }

    /// Blue seals while the wire breaks; `steps` have been taken before. Afterwards so many turns are over, whatever happened.
    async fn sealed(&self, what: &str, number: i64, cut: Cut, steps: &[&str], text: String, turns: usize) -> bool {
        let table = self.world.table().await;
        for step in steps {
            match *step {
                "deploy" => drop(table.red.deploys("balanced").await.unwrap()),
                "both" => drop(table.blue.submits_for(0, &exposed()).await.unwrap()),
                "day" => table.day(HUNT[0], "").await,
                _ => drop(table.red.submits(HUNT[1]).await.unwrap()),
            }
        }
        let behind = self.behind(&table);
        let turn = table.blue.sees().await.standing.turn();
        self.wire.breaks(number, cut);
        let first = behind.blue.submits_for(turn, &text).await;
        let broke = self.mended().await;
        let seen = table.blue.sees().await;
        if let Ok(receipt) = &first {
            let kept = seen.own.as_ref().map(|own| own.seal.hash.clone());
            let resolved = seen.resolved.contains(&turn);
            assert!(resolved == receipt.resolved && (resolved || kept.as_ref() == Some(&receipt.seal.hash)), "{what}");
        }
        let again = behind.blue.submits_for(turn, &text).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        if let Ok(first) = first {
            assert_eq!(again, first, "{what}");
        }
        let seen = table.red.sees().await;
        assert_eq!(seen.resolved.len(), turns, "{what}");
        assert_eq!(seen.ended.is_some(), turns == 3, "{what}");
        broke
    }

    /// A turn is due while the wire breaks.
    async fn due(&self, what: &str, number: i64, cut: Cut) -> bool {
        let pace = Pace::Span { hours: 24, first_hours: 24 };
        let table = self.world.table_at(pace).await;
        table.deploy().await;
        self.world.wait(25 * 3600);
        self.wire.breaks(number, cut);
        let done = self.breaking.resolve_due().await;
        let broke = self.mended().await;
        let over = table.red.sees().await.resolved.len();
        if done == Ok(1) {
            assert_eq!(over, 2, "{what}");
        }
        let again = self.breaking.resolve_due().await.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(again, 2 - over, "{what}");
        assert_eq!(table.red.sees().await.resolved.len(), 2, "{what}");
        // It is not due again in the trials that follow.
        table.play.resign(&table.red.seat).await.unwrap();
        broke
    }

    /// A day's letters leave while the wire breaks.
    async fn letters(&self, what: &str, number: i64, cut: Cut) -> bool {
        let table = self.world.table_with(12, ["ann@fault.example", "ben@fault.example"]).await;
        table.deploy().await;
        let folder = self.world.path();
        self.wire.breaks(number, cut);
        let first = mailbox::letters_so_far(&self.breaking, folder).await;
        let broke = self.mended().await;
        // A claim that nobody renews ends.
        self.world.wait(3600);
        let second = mailbox::letters(&self.breaking, folder).await;
        let ids = |letters: &[String]| -> Vec<String> {
            letters.iter().map(|letter| crate::world::smtp::header(letter, "Message-ID").unwrap()).collect()
        };
        let (first, second) = (ids(&first), ids(&second));
        let mut all: Vec<&String> = first.iter().chain(&second).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 2, "{what}: both are told: {first:?} {second:?}");
        let again = first.iter().filter(|id| second.contains(id)).count();
        assert!(again <= 1, "{what}: only the letter on its way may come again: {first:?} {second:?}");
        assert!(mailbox::letters(&self.world.play, folder).await.is_empty(), "{what}");
        broke
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_broken_connection_is_taken_for_a_success() {
    let seed = number("FIELDCOMMAND_SEED", 1);
    let step = i64::try_from(number("FIELDCOMMAND_EVERY", 3)).unwrap();
    let trial = Trial::new().await;
    let scenarios = [
        Scenario::Open,
        Scenario::FirstSeal,
        Scenario::LastSeal,
        Scenario::LastDay,
        Scenario::Due,
        Scenario::Resign,
        Scenario::Letters,
    ];
    for scenario in scenarios {
        for cut in [Cut::Before, Cut::After] {
            // Where the first break comes depends on the seed, so that all are tried in time.
            let mut at = i64::try_from(seed).unwrap() % step;
            while trial.once(scenario, at, cut).await {
                at += step;
            }
            assert!(at > 3, "{scenario:?} has {at} messages");
            println!("{scenario:?}, {cut:?}: of {at} messages one in {step} was tried");
        }
    }
    let Trial { world, breaking, .. } = trial;
    drop(breaking);
    world.end().await;
}
