//! A server that was moved or restored wakes quiet, and goes on when it is told to; backups under load lose nothing.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fieldcommand::app;
use fieldcommand::app::operations::{self, Destination};
use fieldcommand::bot::{Budget, Level};
use fieldcommand::cli::settings::Settings;
use fieldcommand::cli::verify::Verdict;
use fieldcommand::clock::Clock;
use fieldcommand::mail::Answers;
use fieldcommand::mail::inbound::{Door, NotTaken};
use fieldcommand::pace::Pace;
use fieldcommand::play::Play;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::place::{NotGoneOn, Quiet};
use fieldcommand::play::webhooks::{EventKind, NewWebhook, Reach};
use fieldcommand::rules::Side;
use fieldcommand::runner::computers;
use fieldcommand::runner::webhooks::{Caller, tell_due};
use fieldcommand::store::StoreError;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::receiver::Receiver;
use crate::world::server::{Program, Server, settings};
use crate::world::{BEGINNING, World, deployment, mailbox, new_game};

const HOUR: i64 = 60 * 60;
const PACE: Pace = Pace::Span { hours: 72, first_hours: 24 };

async fn mark(world: &World) {
    let now = world.now().0;
    let marked = world.store.write::<_, StoreError, _>(move |tx| Box::pin(async move { tx.mark_copied(now).await }));
    marked.await.unwrap();
}

/// What a whole header says.
fn header<'a>(letter: &'a str, name: &str) -> &'a str {
    letter.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name} in {letter}")).trim()
}

/// One game that cannot be read does not keep the others from going on.
#[tokio::test]
async fn a_restored_server_goes_on_without_what_cannot_be_read() {
    for world in World::both().await {
        let (table, other) = (world.table_at(PACE).await, world.table_at(PACE).await);
        world.spoil(other.red.seat.game().as_str()).await;
        mark(&world).await;
        world.play.settle_in().await.unwrap();
        let gone_on = world.play.go_on_restored().await.unwrap();
        assert_eq!((gone_on.games, gone_on.unreadable), (1, 1));
        assert!(!world.play.stands_still() && table.red.sees().await.due.is_some());
        world.end().await;
    }
}

/// Nothing leaves, nothing is resolved, no computer writes; then every turn has its whole time, and its players are told.
#[tokio::test]
async fn a_restored_server_stands_still_until_it_is_told_to_go_on() {
    for world in World::both().await {
        let play = &world.play;
        let table = world.seated(NewGame { pace: PACE, ..new_game(12, "ann@example.org") }, "ben@example.org").await;
        table.deploy().await;
        let (door, seat) = (door(play), table.red.seat.clone());
        let old = Answers::parse("play@example.org").unwrap().to(&play.answer_mark(&seat, 1));
        door.knows(&old).await.unwrap();
        assert_eq!(play.letters_waiting().await.unwrap().0, 2, "the reports of the deployment have not left");
        play.beat().await.unwrap();
        let against = play.open_against(new_game(12, ""), Level::Easy).await.unwrap();

        mark(&world).await;
        assert_eq!(play.settle_in().await.unwrap(), Some(Quiet::Restored { copied_at: world.now() }));
        world.wait(100 * HOUR);
        assert_eq!(play.wake().await.unwrap(), 0);
        play.beat().await.unwrap();
        assert_eq!(play.resolve_due().await.unwrap(), 0, "the turn is long due");
        assert!(mailbox::letters(play, world.path()).await.is_empty());
        assert_eq!(computers::answer_all(play, Budget(50), &CancellationToken::new()).await.unwrap(), 0);
        assert!(matches!(door.knows(&old).await, Err(NotTaken::StandsStill)));
        assert!(play.stands_still() && play.pulse().await.unwrap().looked.quiet);
        // Players may write; what they seal is kept.
        table.red.submits("J4-J5").await.unwrap();

        assert!(matches!(play.go_on_moved().await, Err(NotGoneOn::Restored(_))));
        let gone_on = play.go_on_restored().await.unwrap();
        assert_eq!((gone_on.dropped, gone_on.games, gone_on.epoch), (2, 2, 1));
        assert_eq!(play.go_on_restored().await, Err(NotGoneOn::Awake));
        assert!(!play.stands_still());
        let view = table.red.sees().await;
        assert_eq!(view.due.unwrap().0, world.now().0 + 72 * HOUR * 1000, "the whole time");
        assert!(view.own.is_some(), "what was sealed is there");
        assert_eq!(
            (play.wake().await.unwrap(), play.resolve_due().await.unwrap()),
            (0, 0),
            "nothing is put off once more"
        );
        assert_eq!(computers::answer_all(play, Budget(50), &CancellationToken::new()).await.unwrap(), 1);
        drop(against);

        let letters = mailbox::letters(play, world.path()).await;
        assert_eq!(letters.len(), 2);
        for letter in &letters {
            assert!(letter.contains("The server was moved, or brought back from a backup"), "{letter}");
            assert!(header(letter, "Message-ID:").contains(".1@example.org"), "{letter}");
            assert!(!letter.contains("References:"), "a new thread: {letter}");
        }
        assert!(matches!(door.knows(&old).await, Err(NotTaken::NoSuchAddress)), "an address of before is good no more");
        let new = Answers::parse("play@example.org").unwrap().to(&play.answer_mark(&seat, 1));
        door.knows(&new).await.unwrap();
        // The next letters are of the same thread, and the game goes on.
        table.blue.submits("").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        assert!(
            letters.len() == 2 && letters.iter().all(|letter| header(letter, "References:").contains(".1@example.org"))
        );
        world.end().await;
    }
}

/// A program that has seen versions of the time that was lost takes what it is told now for newer. One in a game without
/// deadlines is told again that its turn is awaited, and that a game is over is not forgotten.
#[tokio::test]
async fn programs_hear_again_of_games_that_go_on() {
    for world in World::both().await {
        let (open, over, receiver) = (world.table().await, world.table().await, Receiver::kind().await);
        let play = world.play.clone().reaching(Reach::Private);
        for table in [&open, &over] {
            let kinds = vec![EventKind::TurnAwaited, EventKind::GameOver];
            play.add_webhook(&table.red.seat, NewWebhook { url: receiver.url(), kinds }).await.unwrap();
        }
        let caller = Caller::new(Reach::Private).unwrap();
        let tell = async || tell_due(&play, &caller, &CancellationToken::new()).await.unwrap();
        open.deploy().await;
        play.resign(&over.red.seat).await.unwrap();
        let before = open.red.sees().await.version;
        mark(&world).await;
        play.settle_in().await.unwrap();
        assert_eq!(tell().await, 0, "it stands still");
        play.go_on_restored().await.unwrap();
        assert_eq!(tell().await, 2);
        let mut heard: Vec<_> = receiver.take().iter().map(|heard| (heard.kind(), heard.json())).collect();
        heard.sort_by(|one, other| one.0.cmp(&other.0));
        let [(first, _), (second, awaited)] = &heard[..] else { panic!("{heard:?}") };
        assert_eq!((&**first, &**second), ("game_over", "turn_awaited"));
        assert_eq!(awaited["data"]["game"], open.red.seat.game().as_str());
        assert!(awaited["data"]["version"].as_i64().unwrap() >= before + 1_000_000, "{awaited}");
        assert!(over.red.sees().await.version > 1_000_000, "those that are over, too");
        // Whoever returns to the same copy once more comes to other versions than the first time.
        world.wait(30 * 24 * HOUR);
        mark(&world).await;
        play.settle_in().await.unwrap();
        play.go_on_restored().await.unwrap();
        assert!(open.red.sees().await.version > 30 * 24 * HOUR);
        world.end().await;
    }
}

fn door(play: &Play) -> Door {
    Door::new(play.clone(), Answers::parse("play@example.org").unwrap(), None, "example.org")
}

/// The address is remembered; under another one a process stands still, and after that one was adopted the old one does.
#[tokio::test]
async fn a_moved_server_stands_still_until_it_is_adopted() {
    for world in World::both().await {
        let at = |address: Option<&str>| world.play.clone().standing_at(address);
        assert_eq!(at(None).settle_in().await.unwrap(), None, "a server at home is never moved");
        let old = at(Some("https://play.example.org"));
        assert_eq!(old.settle_in().await.unwrap(), None);
        let table = world.seated(NewGame { pace: PACE, ..new_game(12, "ann@example.org") }, "").await;
        table.deploy().await;
        for elsewhere in [None, Some("http://localhost:8080"), Some("https://new.example.org")] {
            assert!(matches!(at(elsewhere).settle_in().await.unwrap(), Some(Quiet::Moved { .. })), "{elsewhere:?}");
        }
        assert_eq!(at(Some("http://play.example.org:80")).settle_in().await.unwrap(), None, "https is no other place");

        let new = at(Some("https://new.example.org"));
        assert!(mailbox::letters(&new, world.path()).await.is_empty());
        assert!(matches!(new.go_on_restored().await, Err(NotGoneOn::Moved(_))));
        assert_eq!(old.go_on_moved().await, Err(NotGoneOn::Awake));
        assert_eq!(new.go_on_moved().await.unwrap().epoch, 1);
        assert_eq!(new.quiet().await.unwrap(), None);
        assert!(matches!(old.quiet().await.unwrap(), Some(Quiet::Moved { .. })), "the old server is held back");
        assert!(mailbox::letters(&old, world.path()).await.is_empty());
        assert_eq!(mailbox::letters(&new, world.path()).await.len(), 1);
        world.end().await;
    }
}

/// Pages say that the server stands still; so does its health.
#[tokio::test]
async fn pages_say_so() {
    let data = tempfile::tempdir().unwrap();
    let start = |url: &'static str| {
        let folder = data.path().to_owned();
        Server::start_with(1, move |settings| {
            settings.data = folder;
            settings.public_url = Some(url.into());
            settings.metrics_listen = Some("127.0.0.1:0".parse().unwrap());
        })
    };
    let banner = "deadlines stand still until the organiser goes on";
    let server = start("https://play.example.org").await;
    assert!(!server.browser().get("/").await.body.contains(banner));
    server.stop().await;
    let server = start("https://other.example.org").await;
    for page in ["/", "/games/new", "/games"] {
        assert!(server.browser().get(page).await.words().contains(banner), "{page}");
    }
    let ready = format!("{}/health/ready", server.metrics.as_ref().unwrap());
    let answer = reqwest::get(&ready).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.text().await.unwrap().contains("warn  sweep: stands still"));
    // The organiser adopts while the server runs; a second later it goes on.
    let mut other = settings(data.path());
    other.public_url = Some("https://other.example.org".into());
    operations::go_on(&other, true).await.unwrap();
    for _ in 0..300 {
        if !server.browser().get("/").await.body.contains(banner) {
            server.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it does not go on");
}

/// A game over the API between two programs.
struct Seats {
    game: String,
    red: Program,
    blue: Program,
}

async fn open(server: &Server, number: usize) -> Seats {
    let (ann, name) = (server.browser(), format!("Ann {number}"));
    let fields =
        [("name", &*name), ("board", "classic"), ("side", "red"), ("limit", "0"), ("pace", "72"), ("address", "")];
    let opened = ann.post("/games", &fields).await;
    let game = opened.location().trim_end_matches("/red").to_owned();
    let seat = ann.get(opened.location()).await;
    let red = server.program(seat.link("/s/").trim_start_matches("/s/"));
    let invitation = seat.link("/i/").trim_start_matches("/i/").to_owned();
    let taken = server.program("").post("/invitations/take", &json!({"token": invitation, "name": "Ben"})).await;
    let blue = server.program(taken.json()["token"].as_str().unwrap());
    for (program, side) in [(&red, Side::Red), (&blue, Side::Blue)] {
        program.seals(&format!("{game}/{}", side.word()), 0, &deployment(side, "balanced")).await;
    }
    Seats { game, red, blue }
}

/// A sheet that was acknowledged.
struct Acknowledged {
    /// The path of the seat.
    seat: String,
    token: String,
    turn: u32,
    seal: String,
}

/// Plays day after day until `stop`, counts the sheets that were acknowledged, and gives those from before `begun`.
async fn play_on(
    seats: Seats,
    begun: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    sealed: Arc<AtomicUsize>,
) -> Vec<Acknowledged> {
    let mut before = Vec::new();
    for turn in 1.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        for (program, side) in [(&seats.red, "red"), (&seats.blue, "blue")] {
            let seat = format!("{}/{side}", seats.game);
            let answer = program.seals(&seat, turn, "").await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            sealed.fetch_add(1, Ordering::SeqCst);
            if !begun.load(Ordering::SeqCst) {
                let seal = answer.json()["seal"].as_str().unwrap().to_owned();
                before.push(Acknowledged { seat, token: program.token.clone(), turn, seal });
            }
        }
    }
    before
}

/// The seal that a server keeps of a seat's sheet for a turn, resolved or open.
async fn kept_seal(server: &Server, sheet: &Acknowledged) -> Option<String> {
    let program = server.program(&sheet.token);
    let side = sheet.seat.rsplit('/').next().unwrap();
    let day = program.get(&format!("{}/days/{}", sheet.seat, sheet.turn)).await;
    if day.status == 200 {
        return day.json()["sheets"][side]["seal"].as_str().map(str::to_owned);
    }
    let state = program.get(&sheet.seat).await.json();
    assert_eq!(state["turn"], sheet.turn, "{state}");
    state["own"]["seal"].as_str().map(str::to_owned)
}

/// Backs up while games are played, restores into an empty place, and finds every sheet that was acknowledged before.
async fn backed_up_under_load(databases: [Option<String>; 2]) {
    let [from, to] = databases;
    let server = Server::start_with(21, |settings| settings.database_url.clone_from(&from)).await;
    let own = Settings { database_url: from, ..settings(server.data()) };
    let (begun, stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (sealed, mut games) = (Arc::new(AtomicUsize::new(0)), tokio::task::JoinSet::new());
    for number in 0..4 {
        let seats = open(&server, number).await;
        games.spawn(play_on(seats, Arc::clone(&begun), Arc::clone(&stop), Arc::clone(&sealed)));
    }
    while sealed.load(Ordering::SeqCst) < 12 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    begun.store(true, Ordering::SeqCst);
    let at_begin = sealed.load(Ordering::SeqCst);
    let (clock, folder, mut said) = (Clock::fixed(BEGINNING), tempfile::tempdir().unwrap(), Vec::new());
    let file = Destination::Folder(folder.path().to_owned());
    let file = operations::backup(&own, &file, true, &clock, &mut said).await.unwrap();
    let at_end = sealed.load(Ordering::SeqCst);
    stop.store(true, Ordering::SeqCst);
    let before: Vec<Acknowledged> = games.join_all().await.into_iter().flatten().collect();
    assert!(before.len() >= 12 && at_end > at_begin, "{} before, {at_begin} to {at_end} meanwhile", before.len());
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("4 games with") && said.contains(" 0 of the games do not hold"), "{said}");
    assert!(said.contains("server.key"), "{said}");
    let played = operations::drill(&own, Some(folder.path()), &clock, &mut Vec::new()).await.unwrap();
    assert_eq!((played.games, played.wrong), (4, 0));

    let refused = operations::restore(&own, &file, &clock, &mut Vec::new()).await.unwrap_err().to_string();
    assert!(refused.contains("another fieldcommand process"), "{refused}");
    let key = fs::read_to_string(server.data().join("server.key")).unwrap();
    let data = tempfile::tempdir().unwrap();
    server.stop_and(|| ()).await;
    let other = Settings { database_url: to, ..settings(data.path()) };
    let mut said = Vec::new();
    operations::restore(&other, &file, &clock, &mut said).await.unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("server.key") && said.contains("stands still"), "{said}");
    let refused = operations::restore(&other, &file, &clock, &mut Vec::new()).await.unwrap_err().to_string();
    assert!(refused.contains("already") || refused.contains("there are games"), "{refused}");

    fs::write(data.path().join("server.key"), key).unwrap();
    let place = |settings: &mut Settings| *settings = other.clone();
    let server = Server::start_with(22, place).await;
    assert!(server.browser().get("/").await.body.contains("deadlines stand still"));
    for sheet in &before {
        assert_eq!(kept_seal(&server, sheet).await.as_ref(), Some(&sheet.seal), "{} turn {}", sheet.seat, sheet.turn);
    }
    let gone_on = operations::go_on(&other, false).await.unwrap();
    assert_eq!((gone_on.games, gone_on.epoch), (4, 1));
    let state = server.program(&before[0].token).get(&before[0].seat).await.json();
    let due: jiff::Timestamp = state["due_at"].as_str().unwrap().parse().unwrap();
    let left = due.as_millisecond() - Clock::System.now().0;
    assert!(left > 71 * HOUR * 1000, "the whole time from when it was resumed: {state}");
    let mut said = Vec::new();
    assert_eq!(app::verify_all(&other, false, &mut said).await.unwrap(), Verdict::Holds);
    server.stop().await;
}

#[tokio::test]
async fn a_backup_under_load_loses_nothing() {
    backed_up_under_load([None, None]).await;
}

/// A PostgreSQL database is backed up into a file and restored into another one.
#[tokio::test]
async fn a_backup_of_postgresql_under_load_loses_nothing() {
    let (one, other) = (World::postgres().await, World::postgres().await);
    // Nobody may be connected to what is replaced.
    other.store.close().await;
    backed_up_under_load([Some(one.address()), Some(other.address())]).await;
    one.end().await;
    other.end().await;
}

/// What cannot be restored says so, and leaves nothing behind.
#[tokio::test]
async fn what_is_no_backup_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("backup.sqlite"));
    let own = settings(&data);
    let restore = async || operations::restore(&own, &file, &Clock::System, &mut Vec::new()).await;
    assert!(restore().await.unwrap_err().to_string().contains("backup.sqlite"));
    fs::write(&file, []).unwrap();
    assert!(restore().await.unwrap_err().to_string().contains("is no backup of this program"));
    fs::write(&file, [7; 9000]).unwrap();
    assert!(restore().await.unwrap_err().to_string().contains("not a database"));
    assert!(!data.join("fieldcommand.sqlite").exists());
    let error = operations::drill(&own, Some(&data), &Clock::System, &mut Vec::new()).await.unwrap_err().to_string();
    assert!(error.contains("there is no backup here"), "{error}");
}
