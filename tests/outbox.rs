//! What can go wrong between the outbox and a mail server: nothing is lost, nothing goes twice but what nobody can know to
//! have arrived, and no letter waits for another.

use std::time::Duration;

use fieldcommand::mail::{Answers, Sender, Transport};
use fieldcommand::play::ledger::LetterFate;
use fieldcommand::play::stopped::Stopped;
use fieldcommand::runner::outbox;
use fieldcommand::store::StoreError;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::server::Server;
use crate::world::smtp::{Act, Heard, Smtp, Stage};
use crate::world::{Player, Table, World, mailbox};

fn sender() -> Sender {
    Sender {
        from: "Field Command <play@example.org>".parse().unwrap(),
        public_url: "https://play.example.org".into(),
        answers: Some(Answers::parse("play@example.org").unwrap()),
    }
}

/// Sends what is due over one connection.
async fn send(world: &World, transport: &Transport) -> usize {
    outbox::send_due(&world.play, &sender(), transport, &CancellationToken::new()).await.unwrap()
}

/// Queues so many letters to a0@, a1@ …: questions whether an address is right.
async fn queue(world: &World, table: &Table, number: usize) {
    for n in 0..number {
        world.play.set_address(&table.red.seat, &format!("a{n}@example.org")).await.unwrap();
    }
}

fn ids(letters: &[Heard]) -> Vec<String> {
    letters.iter().map(|letter| letter.header("Message-ID").unwrap()).collect()
}

/// Each fault at each stage, at the first try of one letter.
#[tokio::test]
async fn no_fault_costs_a_letter() {
    let faults = [
        Act::Say("421 4.3.2 closing"),
        Act::Close("421 4.3.2 closing"),
        Act::Say("450 4.2.0 later"),
        Act::Hang,
        Act::Drop,
    ];
    let pairs = Stage::ALL.into_iter().flat_map(|stage| faults.map(|fault| (stage, fault)));
    // While a letter is on its way nothing is said.
    let pairs = pairs.filter(|(stage, fault)| *stage != Stage::Body || matches!(fault, Act::Hang | Act::Drop));
    let tries: Vec<_> = pairs
        .map(|(stage, fault)| {
            tokio::spawn(async move {
                let world = World::sqlite().await;
                let table = world.table().await;
                let smtp =
                    Smtp::start(move |at, _, before| if at == stage && before == 0 { fault } else { Act::Go }).await;
                queue(&world, &table, 1).await;
                assert_eq!(send(&world, &smtp.transport()).await, 1, "{stage:?} {fault:?}");
                assert_eq!(world.play.letters_waiting().await.unwrap().0, 1, "{stage:?} {fault:?}: it waits");
                assert_eq!(send(&world, &smtp.transport()).await, 0, "{stage:?} {fault:?}: not before its time");
                world.wait(31);
                assert_eq!(send(&world, &smtp.transport()).await, 1, "{stage:?} {fault:?}");
                assert_eq!(world.play.letters_waiting().await, Ok((0, None)), "{stage:?} {fault:?}");
                let letters = smtp.letters();
                assert_eq!(letters.iter().filter(|letter| letter.taken).count(), 1, "{stage:?} {fault:?}");
                assert_eq!(letters.len(), if stage == Stage::Dot { 2 } else { 1 }, "{stage:?} {fault:?}");
                let ids = ids(&letters);
                assert!(
                    ids.iter().all(|id| *id == ids[0]),
                    "{stage:?} {fault:?}: a repeated letter keeps its id: {ids:?}"
                );
                world.end().await;
            })
        })
        .collect();
    for tried in tries {
        tried.await.unwrap();
    }
}

/// The letter has left, and the process ends before that is kept.
#[tokio::test]
async fn a_letter_whose_process_was_killed_goes_once_more_with_the_same_id() {
    for world in World::both().await {
        let table = world.table().await;
        // The server has the first copy, and its answer is never heard.
        let smtp = Smtp::start(|at, _, before| if at == Stage::Dot && before == 0 { Act::Hang } else { Act::Go }).await;
        queue(&world, &table, 1).await;
        let outbox =
            tokio::spawn(outbox::run(world.play.clone(), sender(), smtp.transport(), 1, CancellationToken::new()));
        smtp.until(1).await;
        outbox.abort();
        let _ = outbox.await;
        assert_eq!(send(&world, &smtp.transport()).await, 0, "it is still claimed");
        world.wait(181);
        assert_eq!(send(&world, &smtp.transport()).await, 1);
        world.wait(24 * 3600);
        assert_eq!(send(&world, &smtp.transport()).await, 0);
        let ids = ids(&smtp.letters());
        assert!(ids.len() == 2 && ids[0] == ids[1], "{ids:?}");
        world.end().await;
    }
}

/// Of thirty letters one is refused for ever and one hangs at each try; all others are through before its first try ends.
#[tokio::test]
async fn one_bad_letter_delays_no_other() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let smtp = Smtp::start(|at, to, _| match (at, to) {
        (Stage::Reader, "a3@example.org") => Act::Say("550 5.1.1 <a3@example.org>: no such user"),
        (Stage::Dot, "a5@example.org") => Act::Hang,
        _ => Act::Go,
    })
    .await;
    queue(&world, &table, 30).await;
    let stop = CancellationToken::new();
    let outbox = tokio::spawn(outbox::run(world.play.clone(), sender(), smtp.transport(), 2, stop.clone()));
    smtp.until(29).await;
    let taken = smtp.letters().iter().filter(|letter| letter.taken).count();
    assert!(taken >= 27, "{taken}");
    // Both connections lasted, but for the one that hung; a refusal ends none.
    assert!(smtp.connections() <= 3, "{}", smtp.connections());
    tokio::time::sleep(Duration::from_millis(100)).await;
    stop.cancel();
    outbox.await.unwrap();
    assert_eq!(world.play.letters_waiting().await.unwrap().0, 1, "the one that hung");
    world.end().await;
}

/// A server that closes connections which rest is met again at once, and nothing of that is a failed try.
#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_made_anew() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let smtp = Smtp::start(|at, _, before| if at == Stage::Mail && before == 1 { Act::Drop } else { Act::Go }).await;
    queue(&world, &table, 3).await;
    assert_eq!(send(&world, &smtp.transport()).await, 3);
    assert_eq!(world.play.letters_waiting().await, Ok((0, None)));
    assert_eq!((smtp.letters().len(), smtp.connections()), (3, 2));
    world.end().await;
}

/// Two processes with two connections each, on one database.
#[tokio::test]
async fn any_number_of_workers_send_each_letter_once() {
    for world in World::both().await {
        let table = world.table().await;
        let smtp = Smtp::willing().await;
        queue(&world, &table, 60).await;
        let stop = CancellationToken::new();
        let run = || tokio::spawn(outbox::run(world.play.clone(), sender(), smtp.transport(), 2, stop.clone()));
        let processes = [run(), run()];
        smtp.until(60).await;
        stop.cancel();
        for process in processes {
            process.await.unwrap();
        }
        assert_eq!(world.play.letters_waiting().await, Ok((0, None)));
        let mut ids = ids(&smtp.letters());
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), smtp.letters().len()), (60, 60));
        world.end().await;
    }
}

/// A letter to a server that never takes it is given up after days, and its reader can see why.
#[tokio::test]
async fn tries_end_and_each_reader_sees_what_became_of_the_own_letters() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let smtp = Smtp::start(|at, to, _| match (at, to) {
            (Stage::Reader, "ann@example.org") => Act::Say("451 4.7.1 ann@example.org is full"),
            (Stage::Reader, "ben@example.org") => Act::Say("550 5.1.1 <ben@example.org>: no such user"),
            _ => Act::Go,
        })
        .await;
        table.deploy().await;
        assert_eq!(send(&world, &smtp.transport()).await, 2);
        let newest = async |player: &Player| world.play.letters(&player.seat).await.unwrap().remove(0);
        let (red, blue) = (newest(&table.red).await, newest(&table.blue).await);
        assert!(matches!(&red.fate, LetterFate::Waits { why: Some(why), .. } if why.contains("451")), "{red:?}");
        assert!(!red.fate.why().unwrap().contains("ann@example.org"), "{red:?}");
        assert!(matches!(&blue.fate, LetterFate::GivenUp { why, .. } if why.contains("no such user")), "{blue:?}");
        let mut tries = 1;
        for _ in 0..100 {
            world.wait(6 * 3600);
            tries += send(&world, &smtp.transport()).await;
        }
        assert_eq!(tries, 20);
        assert!(matches!(newest(&table.red).await.fate, LetterFate::GivenUp { .. }));

        // Whoever has the seat later sees none of that.
        world.play.set_address(&table.red.seat, "new@example.org").await.unwrap();
        mailbox::confirm_all(&world.play, world.path()).await;
        let lines = world.play.letters(&table.red.seat).await.unwrap();
        assert!(lines.len() == 1 && lines[0].queued_at == world.now(), "{lines:?}");
        world.end().await;
    }
}

/// An address that the mail server does not know counts like letters that came back: after three of them none leave.
#[tokio::test]
async fn an_address_that_is_none_stops_the_letters_of_its_seat() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let smtp = Smtp::start(|at, to, _| match (at, to) {
            (Stage::Reader, "ann@example.org") => Act::Say("550 5.1.1 <ann@example.org>: no such user"),
            _ => Act::Go,
        })
        .await;
        table.deploy().await;
        let newest = async |player: &Player| world.play.letters(&player.seat).await.unwrap().remove(0);
        for number in 1..=3 {
            assert_eq!(table.blue.sees().await.stopped.red, None, "before letter {number}");
            assert_eq!(send(&world, &smtp.transport()).await, 2);
            let fate = newest(&table.red).await.fate;
            assert!(matches!(&fate, LetterFate::GivenUp { why, .. } if why.contains("no such user")), "{fate:?}");
            table.day("", "").await;
        }
        assert_eq!(table.blue.sees().await.stopped.red, Some(Stopped::Returned(world.now())), "both see it");
        assert_eq!(send(&world, &smtp.transport()).await, 1, "none is queued any more");
        assert!(smtp.letters().iter().all(|letter| letter.to == "ben@example.org"));
        assert_eq!(table.red.sees().await.stopped.blue, None);

        // Another address begins anew.
        world.play.set_address(&table.red.seat, "new@example.org").await.unwrap();
        mailbox::confirm_all(&world.play, world.path()).await;
        assert_eq!(table.red.sees().await.stopped.red, None);
        world.end().await;
    }
}

/// What a server says about this one or about a letter is held against no player.
#[tokio::test]
async fn a_refusal_of_this_server_counts_against_nobody() {
    for (stage, says) in [
        (Stage::Mail, "550 5.1.1 who are you?"),
        (Stage::Mail, "530 5.7.0 authentication required"),
        (Stage::Reader, "550 5.7.1 relaying denied"),
        (Stage::Reader, "554 5.7.1 your address is on a list"),
        (Stage::Reader, "550 sender rejected"),
        (Stage::Reader, "552 5.2.2 mailbox full"),
        (Stage::Data, "554 5.5.1 no valid recipients"),
        (Stage::Dot, "550 5.7.1 this looks like spam"),
        (Stage::Dot, "554 5.6.0 5.1.1"),
    ] {
        let world = World::sqlite().await;
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        let smtp = Smtp::start(move |at, _, _| if at == stage { Act::Say(says) } else { Act::Go }).await;
        table.deploy().await;
        for _ in 0..4 {
            world.wait(7 * 3600);
            assert!(send(&world, &smtp.transport()).await > 0, "{says}");
            table.day("", "").await;
        }
        assert_eq!(table.red.sees().await.stopped.red, None, "{stage:?} {says}");
        world.end().await;
    }
}

/// What a relay refuses for its own reasons waits until its admin, or ours, has mended them: its permission had lapsed.
#[tokio::test]
async fn a_permission_that_lapses_costs_no_letter() {
    for (stage, says) in [
        (Stage::Reader, "554 5.7.1 <ann@example.org>: Relay access denied"),
        (Stage::Reader, "530 5.7.0 Must issue a STARTTLS command first"),
        (Stage::Reader, "553 5.7.1 <play@example.org>: Sender address rejected: not owned by user"),
        (Stage::Reader, "554 Service unavailable; client host blocked"),
        (Stage::Data, "554 5.7.1 not permitted"),
        (Stage::Dot, "550 5.7.26 unauthenticated mail"),
        (Stage::Reader, "450 5.1.1 try again"),
    ] {
        let world = World::sqlite().await;
        let table = world.table().await;
        let refuses = move |at, _: &str, before| if at == stage && before == 0 { Act::Say(says) } else { Act::Go };
        let smtp = Smtp::start(refuses).await;
        queue(&world, &table, 1).await;
        assert_eq!(send(&world, &smtp.transport()).await, 1);
        assert_eq!(world.play.letters_waiting().await.unwrap().0, 1, "{says}: it waits");
        world.wait(31);
        assert_eq!(send(&world, &smtp.transport()).await, 1);
        assert_eq!(smtp.letters().iter().filter(|letter| letter.taken).count(), 1, "{says}");
        world.end().await;
    }
}

/// A letter that is sent again by hand is a letter of now: its date, and the code in it, which is good for a week.
#[tokio::test]
async fn a_letter_that_is_sent_again_is_of_now() {
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;
    let sent = async || mailbox::letters(&world.play, world.path()).await.remove(0);
    let id = |letter: &str| letter.split_once("Message-ID: <").unwrap().1.split('@').next().unwrap().to_owned();
    let first = sent().await;
    assert!(first.contains("01 Jan 2026 00:00:00"), "{first}");
    world.wait(8 * 24 * 3600);
    let (letter, now) = (id(&first), world.now().0);
    let again = world.store.write::<_, StoreError, _>(move |tx| {
        let letter = letter.clone();
        Box::pin(async move { tx.resend_letter(&letter, None, now).await })
    });
    assert!(again.await.unwrap());
    let again = sent().await;
    assert_eq!(id(&again), id(&first));
    assert!(again.contains("09 Jan 2026 00:00:00"), "{again}");
    assert!(mailbox::code(&again).is_some() && mailbox::code(&again) != mailbox::code(&first));
    world.end().await;
}

/// A mail server may look for the name of who greets it.
#[tokio::test]
async fn mail_servers_are_greeted_with_a_name() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let smtp = Smtp::willing().await;
    queue(&world, &table, 1).await;
    send(&world, &Transport::Smtp(smtp.server().greeted_as(Some("play.example.org".into())))).await;
    assert_eq!(smtp.greetings(), ["EHLO play.example.org"]);
    world.end().await;

    for (public, from, greeting) in [
        (Some("https://play.example.org:8443/"), "games@example.com", "EHLO play.example.org"),
        (Some("http://192.0.2.7:8080"), "games@example.com", "EHLO example.com"),
        (None, "games@localhost", "EHLO [127.0.0.1]"),
    ] {
        let smtp = Smtp::willing().await;
        let address = format!("smtp://127.0.0.1:{}", smtp.port);
        let server = Server::start_with(61, |settings| {
            settings.smtp_url = Some(address);
            settings.public_url = public.map(str::to_owned);
            settings.mail_from = from.into();
        });
        let server = server.await;
        let game = json!({"side": "red", "name": "Ann", "address": "ann@example.org"});
        assert!(server.program("").post("/games", &game).await.status.is_success());
        smtp.until(1).await;
        assert_eq!(smtp.greetings(), [greeting]);
        server.stop().await;
    }
}
