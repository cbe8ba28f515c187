//! Several processes on one database: how they start, what each of them does, and how they hear of each other.

use std::path::Path;
use std::time::Duration;

use fieldcommand::clock::{Chance, Timestamp};
use fieldcommand::play::processes::{Others, Part, Start};
use fieldcommand::play::webhooks::{NewWebhook, Reach};
use fieldcommand::play::{GameId, Play, ServerKey};
use fieldcommand::runner;
use fieldcommand::store::Store;
use sqlx::Connection;
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use crate::command_line::run;
use crate::world::cluster::{Cluster, KEY, Member};
use crate::world::smtp::Smtp;
use crate::world::{Player, World, mailbox, new_game, postgres};

/// What several processes do under load, at once, and when one of them is killed.
mod trials;
/// Everything from one kind of database to the other.
mod migrated;
/// Restarting one after the other.
mod rolling;

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What `/health/ready` says to who looks after a process.
async fn ready(member: &Member) -> (u16, String) {
    let answer = reqwest::get(format!("{}/health/ready", member.own_url())).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Waits until a process is ready, and says this of itself.
async fn says(member: &Member, words: &str) {
    for _ in 0..200 {
        let (status, said) = ready(member).await;
        if status == 200 && said.contains(words) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it never says {words}: {}", ready(member).await.1);
}

/// An empty database, which nobody has brought up to date.
async fn empty_database(name: &str) -> (String, sqlx::AnyConnection) {
    let name = format!("test_{name}_{}", std::process::id());
    sqlx::any::install_default_drivers();
    let mut admin = sqlx::AnyConnection::connect(&postgres()).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("create database {name}"))).execute(&mut admin).await.unwrap();
    (format!("{}/{name}", postgres().rsplit_once('/').unwrap().0), admin)
}

async fn drop_database(address: &str, mut admin: sqlx::AnyConnection) {
    let sql = format!("drop database {} with (force)", address.rsplit_once('/').unwrap().1);
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut admin).await.unwrap();
}

/// Started at the same moment on an empty database, with one key, all come up: one of them makes the tables.
#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_once_make_one_database() {
    let (database, admin) = empty_database("at_once").await;
    let folder = tempfile::tempdir().unwrap();
    let mut members: Vec<Member> =
        (0..4).map(|number| Member::on(&database, folder.path().join(number.to_string()), &["--key", KEY])).collect();
    members.iter_mut().for_each(Member::spawn);
    for member in &mut members {
        member.lives().await;
    }
    let store = Store::open_postgres(&database).await.unwrap();
    assert!(store.is_current().await.unwrap());
    let play = Play::new(store.clone(), fieldcommand::clock::Clock::System, Chance::System, ServerKey::new([7; 32]));
    assert_eq!(play.processes().await.unwrap().len(), 4);
    for member in &members {
        says(member, "4 do everything").await;
    }
    for member in &mut members {
        member.stop().await;
    }
    assert_eq!(play.processes().await.unwrap(), []);
    store.close().await;
    drop_database(&database, admin).await;
}

/// One key for all of them, and a folder each: whoever gets it wrong is told what to do, and makes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn processes_share_the_key_and_not_the_folder() {
    let mut cluster = Cluster::whole(1, &[]).await;
    let (database, folder) = (cluster.world.address(), tempfile::tempdir().unwrap());
    let start = |data: &Path, more: &[&str]| {
        let data = data.display().to_string();
        let common = ["serve", "--listen", "127.0.0.1:0", "--data", &data];
        let output = run(&[&common, more].concat(), b"");
        assert!(!output.status.success());
        text(&output.stderr).to_owned()
    };
    // Nothing hangs on the key yet, and another one is refused all the same while the first process lives.
    let other = KEY.replace('7', "8");
    let said = start(folder.path(), &["--database-url", &database, "--key", &other]);
    assert!(said.contains("--key: the links in this database were made with another key"), "{said}");
    let said = start(&cluster.members[0].data, &["--database-url", &database, "--key", KEY]);
    assert!(said.contains("a folder each, and the same key"), "{said}");
    cluster.play().open(new_game(12, "")).await.unwrap();
    let fresh = folder.path().join("fresh");
    let said = start(&fresh, &["--database-url", &database]);
    assert!(said.contains("there is no server.key here") && said.contains("copy it"), "{said}");
    assert!(!fresh.join("server.key").exists(), "a key that opens nothing helps nobody");
    for part in ["--web", "--workers"] {
        let said = start(&folder.path().join("sqlite"), &[part]);
        assert!(said.contains(part) && said.contains("a SQLite database is served by one process"), "{said}");
    }
    // A copy of the key does as well as the setting.
    std::fs::write(fresh.join("server.key"), KEY).unwrap();
    let mut second = Member::on(&database, fresh, &[]);
    second.start().await;
    second.stop().await;
    cluster.members[0].stop().await;
    // A key on which nothing hangs any more could be replaced; here something does.
    let said = start(folder.path(), &["--database-url", &database, "--key", &other]);
    assert!(said.contains("another key"), "{said}");
    cluster.end().await;
}

/// One process answers, one works. Who only answers is ready though nobody works, and says so to who looks after it.
#[tokio::test(flavor = "multi_thread")]
async fn one_process_answers_and_another_works() {
    let smtp = Smtp::willing().await;
    let to = format!("smtp://127.0.0.1:{}?tls=none", smtp.port);
    let web: &[&str] = &["--web", "--smtp-url", &to];
    let mut cluster = Cluster::start(&[web]).await;
    says(&cluster.members[0], "warn  processes: 1 answer, and none resolves turns").await;
    let play = cluster.play();
    play.open(new_game(12, "ann@example.org")).await.unwrap();
    assert_eq!(play.letters_waiting().await.unwrap().0, 1);
    let key = ["--workers", "--smtp-url", &to, "--key", KEY];
    let mut workers = Member::on(&cluster.world.address(), cluster.world.path().join("workers"), &key);
    workers.start().await;
    assert!(reqwest::get(workers.url()).await.is_err(), "it answers nobody");
    smtp.until(1).await;
    says(&workers, "ok    processes: 1 does pages and API, 1 does what happens by itself").await;
    let numbers = reqwest::get(format!("{}/metrics", workers.own_url())).await.unwrap().text().await.unwrap();
    for line in ["fieldcommand_processes{part=\"web\"} 1", "fieldcommand_processes{part=\"workers\"} 1"] {
        assert!(numbers.contains(line), "{line} is not in\n{numbers}");
    }
    says(&cluster.members[0], "ok    sweep").await;
    workers.stop().await;
    cluster.members[0].stop().await;
    cluster.end().await;
}

/// What one process changes is heard by who listens at another, and nobody hears an echo of its own.
#[tokio::test(flavor = "multi_thread")]
async fn news_reach_the_other_processes() {
    let world = World::postgres().await;
    let (stop, mut running) = (CancellationToken::new(), Vec::new());
    let start = async || {
        let store = Store::open_postgres(&world.address()).await.unwrap();
        Play::new(store, world.play.clock().clone(), Chance::seeded(9), ServerKey::new([7; 32]))
    };
    let plays = [start().await, start().await];
    for (play, own) in plays.iter().zip(["one", "other"]) {
        running.push(tokio::spawn(runner::news::run(play.clone(), own.into(), stop.clone())));
    }
    let (mut here, mut there) = (plays[0].listen(), plays[1].listen());
    let table = world.table().await;
    let red = Player::new(&plays[0], table.red.seat.clone());
    // Listening begins a moment after the start: until it is heard, something happens.
    let mut changes = 0;
    heard(&red, &mut there, &mut changes).await;
    // The connections that listen are cut; they come again by themselves.
    let mut conn = sqlx::AnyConnection::connect(&world.address()).await.unwrap();
    let listening = "from pg_stat_activity where datname = current_database() and query like 'LISTEN%'";
    let cut = format!("select cast(count(pg_terminate_backend(pid)) as bigint) {listening}");
    let (cut,): (i64,) = sqlx::query_as(sqlx::AssertSqlSafe(cut)).fetch_one(&mut conn).await.unwrap();
    assert_eq!(cut, 2);
    heard(&red, &mut there, &mut changes).await;
    // An echo would come within the same time.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(std::iter::from_fn(|| here.try_recv().ok()).count(), changes);
    stop.cancel();
    for part in running {
        part.await.unwrap();
    }
    drop(plays);
    world.end().await;
}

/// Lets something happen until it is heard elsewhere, and forgets what else was heard there.
async fn heard(red: &Player, there: &mut Receiver<GameId>, changes: &mut usize) {
    while there.try_recv().is_ok() {}
    for _ in 0..300 {
        red.deploys(["hook", "balanced"][*changes % 2]).await.unwrap();
        *changes += 1;
        tokio::select! {
            heard = there.recv() => {
                assert_eq!(&heard.unwrap(), red.seat.game());
                return;
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }
    panic!("the others hear nothing");
}

/// A webhook of a seat that is to be told something.
async fn with_something_to_tell(world: &World, player: &Player) {
    let play = world.play.clone().reaching(Reach::Private);
    let new = NewWebhook { url: "http://127.0.0.1:9/".into(), kinds: Vec::new() };
    let (hook, _) = play.add_webhook(&player.seat, new).await.unwrap();
    play.test_webhook(&player.seat, &hook.id).await.unwrap();
}

/// A process is missed when it gives no sign of life, and only by one that looked all the time; what it had claimed is
/// another's then. If it lives all the same, it finds out before it sends what it had claimed.
#[tokio::test]
async fn the_claims_of_a_dead_process_are_taken_over() {
    let world = World::postgres().await;
    let process = async |seed: u64| {
        let store = Store::open_postgres(&world.address()).await.unwrap();
        let play = Play::new(store, world.play.clock().clone(), Chance::seeded(seed), ServerKey::new([7; 32]));
        let start = Start { part: Part::Whole, missed_after: Duration::from_secs(20), former: None };
        play.join_processes(start).await.unwrap();
        play
    };
    let (dead, alive) = (process(2).await, process(3).await);
    assert_eq!(dead.others_awake(), Others::Nobody);
    dead.set_awake().await.unwrap();
    alive.sign().await.unwrap();
    assert_eq!(alive.others_awake(), Others::Unknown, "it may have died a moment ago");
    let table = world.table().await;
    world.play.set_address(&table.red.seat, "ann@example.org").await.unwrap();
    let mut claimed = dead.claim_letters(9).await.unwrap().remove(0);
    assert!(alive.claim_letters(9).await.unwrap().is_empty());
    dead.sign().await.unwrap();
    alive.sign().await.unwrap();
    assert_eq!(alive.others_awake(), Others::Awake);
    // An hour in which the survivor did not look says nothing.
    world.wait(3600);
    assert_eq!(alive.sign().await.unwrap(), 0);
    assert!(dead.keep_claim(&mut claimed).await.unwrap(), "it is still its own");
    with_something_to_tell(&world, &table.red).await;
    let hook = dead.claim_webhook().await.unwrap().unwrap();
    assert!(alive.claim_webhook().await.unwrap().is_none());
    assert!(dead.next_telling(&hook).await.unwrap().is_some());
    let mut buried = 0;
    for _ in 0..4 {
        world.wait(5);
        buried += alive.sign().await.unwrap();
    }
    assert_eq!((buried, alive.others_awake()), (1, Others::Nobody));
    let taken = alive.claim_letters(9).await.unwrap();
    assert_eq!((taken.len(), taken[0].id()), (1, claimed.id()));
    let taken = alive.claim_webhook().await.unwrap().unwrap();
    // It only stood still.
    assert!(!dead.keep_claim(&mut claimed).await.unwrap(), "the letter is another's now");
    assert!(dead.next_telling(&hook).await.unwrap().is_none(), "and so is the webhook");
    dead.release_webhook(&hook).await.unwrap();
    assert!(dead.claim_webhook().await.unwrap().is_none(), "it gives back nothing that is not its own");
    assert!(alive.next_telling(&taken).await.unwrap().is_some());
    dead.sign().await.unwrap();
    assert_eq!(dead.processes().await.unwrap().len(), 2, "it goes on under another id");
    dead.leave_processes().await.unwrap();
    alive.leave_processes().await.unwrap();
    drop((dead, alive));
    world.end().await;
}

/// A second process that starts while the first resolves what is due takes that for no outage, and resolves what fell due
/// since the first one's last sign of life; one that starts alone puts it off.
#[tokio::test]
async fn only_an_outage_puts_deadlines_off() {
    let world = World::postgres().await;
    let table = world.table_at(fieldcommand::pace::Pace::Span { hours: 72, first_hours: 24 }).await;
    let start = || Start { part: Part::Whole, missed_after: Duration::from_secs(20), former: None };
    let first = world.play.clone();
    first.join_processes(start()).await.unwrap();
    assert_eq!(first.others_awake(), Others::Nobody);
    first.wake().await.unwrap();
    first.set_awake().await.unwrap();
    table.deploy().await;
    let another = async |seed| {
        let store = Store::open_postgres(&world.address()).await.unwrap();
        let play = Play::new(store, world.play.clock().clone(), Chance::seeded(seed), ServerKey::new([7; 32]));
        play.join_processes(start()).await.unwrap();
        play
    };
    // What is due falls between the last sign of life and the start of another process.
    let falls = async |signs: &Play| {
        signs.beat().await.unwrap();
        world.fall_due(Timestamp(world.now().0 + 10_000)).await;
        world.wait(20);
    };
    let looks = async |play: &Play| {
        let stop = CancellationToken::new();
        let running = tokio::spawn(runner::deadlines::run(play.clone(), stop.clone()));
        tokio::time::sleep(Duration::from_millis(2500)).await;
        stop.cancel();
        running.await.unwrap();
        table.red.sees().await.standing.turn()
    };

    falls(&first).await;
    let second = another(5).await;
    second.sign().await.unwrap();
    assert_eq!((second.others_awake(), looks(&second).await), (Others::Unknown, 1));
    first.sign().await.unwrap();
    second.sign().await.unwrap();
    assert_eq!((second.others_awake(), looks(&second).await), (Others::Awake, 2));
    first.leave_processes().await.unwrap();
    second.leave_processes().await.unwrap();
    falls(&second).await;
    let third = another(6).await;
    assert_eq!((third.others_awake(), looks(&third).await), (Others::Nobody, 2));
    third.leave_processes().await.unwrap();
    drop((second, third));
    world.end().await;
}

/// On SQLite whoever starts has the folder alone: what was claimed before is free at once.
#[tokio::test]
async fn on_sqlite_a_start_frees_every_claim() {
    let world = World::sqlite().await;
    let start = || Start { part: Part::Whole, missed_after: Duration::from_secs(20), former: None };
    world.play.join_processes(start()).await.unwrap();
    let table = world.table().await;
    world.play.set_address(&table.red.seat, "ann@example.org").await.unwrap();
    assert_eq!(world.play.claim_letters(9).await.unwrap().len(), 1);
    with_something_to_tell(&world, &table.red).await;
    assert!(world.play.claim_webhook().await.unwrap().is_some());
    let next = Play::new(world.store.clone(), world.play.clock().clone(), Chance::seeded(4), ServerKey::new([7; 32]));
    assert!(next.claim_letters(9).await.unwrap().is_empty());
    assert!(next.claim_webhook().await.unwrap().is_none());
    next.join_processes(start()).await.unwrap();
    assert_eq!(next.claim_letters(9).await.unwrap().len(), 1);
    assert!(next.claim_webhook().await.unwrap().is_some());
    assert_eq!(next.processes().await.unwrap().len(), 1);
    assert_eq!(mailbox::letters_so_far(&next, world.path()).await.len(), 0, "claimed, and not sent twice");
    world.end().await;
}
