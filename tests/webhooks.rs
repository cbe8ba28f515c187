//! Webhooks: who is told what, that nobody makes this server call where it must not, and that nothing is lost when a
//! receiver fails.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use fieldcommand::cli::settings::WebhooksTo;
use fieldcommand::play::webhooks::telling;
use fieldcommand::play::webhooks::{Delivery, EventKind, NewWebhook, Reach, Told};
use fieldcommand::play::{Play, PlayError, Secret};
use fieldcommand::rules::Side;
use fieldcommand::runner::webhooks::{self, Caller, tell_due};
use fieldcommand::store::{StoreError, WebhookEventRow};
use hmac::{Hmac, KeyInit, Mac};
use rustls_pki_types::pem::PemObject;
use sha2::Sha256;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tokio_util::sync::CancellationToken;

use crate::mail_tls::certificate;
use crate::world::game::Game;
use crate::world::receiver::{Act, Heard, Receiver};
use crate::world::server::{Answer, Browser, Server};
use crate::world::{HUNT, Player, World, mailbox};

fn new(url: &str, kinds: &[EventKind]) -> NewWebhook {
    NewWebhook { url: url.to_owned(), kinds: kinds.to_vec() }
}

/// The use cases on a server that calls anybody.
fn private(world: &World) -> Play {
    world.play.clone().reaching(Reach::Private)
}

/// Sets a webhook of a seat up, and gives its id and secret.
async fn hook(world: &World, player: &Player, url: &str) -> (String, Secret) {
    let (hook, secret) = private(world).add_webhook(&player.seat, new(url, &[])).await.unwrap();
    (hook.id, secret)
}

async fn tell(world: &World, reach: Reach) -> usize {
    let caller = Caller::new(reach).unwrap().within(Duration::from_millis(1500));
    tell_due(&world.play.clone().reaching(reach), &caller, &CancellationToken::new()).await.unwrap()
}

fn kinds(heard: &[Heard]) -> Vec<String> {
    heard.iter().map(Heard::kind).collect()
}

async fn ledger(world: &World, player: &Player, hook: &str) -> Vec<Delivery> {
    world.play.webhook(&player.seat, hook).await.unwrap().1
}

/// Whether one of a request's signatures is that of a secret, as Standard Webhooks says.
fn signed_by(heard: &Heard, secret: &Secret) -> bool {
    signed_by_text(heard, secret.reveal())
}

/// The same of a secret as it is shown.
fn signed_by_text(heard: &Heard, secret: &str) -> bool {
    let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes()).unwrap();
    assert_eq!(key.len(), 32);
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let (id, time) = (heard.header("webhook-id"), heard.header("webhook-timestamp"));
    mac.update(format!("{id}.{time}.{}", heard.body).as_bytes());
    let expected = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
    heard.header("webhook-signature").split(' ').any(|signature| signature == expected)
}

#[tokio::test]
async fn a_seat_hears_what_happens_and_nothing_that_was_written() {
    for world in World::both().await {
        let table = world.table().await;
        let (red, blue) = (Receiver::kind().await, Receiver::kind().await);
        let (_, secret) = hook(&world, &table.red, &red.url()).await;
        let few = new(&blue.url(), &[EventKind::GameOver]);
        private(&world).add_webhook(&table.blue.seat, few).await.unwrap();
        let before = table.red.sees().await.version;
        table.blue.deploys("balanced").await.unwrap();
        table.blue.deploys("hook").await.unwrap();
        assert_eq!(tell(&world, Reach::Private).await, 1, "replacing a sheet calls nobody");
        let sealed = red.take();
        assert_eq!(kinds(&sealed), ["opponent_sealed"]);
        table.red.deploys("balanced").await.unwrap();
        table.day("H7-F7", "E4-G4").await;
        tell(&world, Reach::Private).await;
        let heard = red.take();
        assert_eq!(
            kinds(&heard),
            ["turn_resolved", "turn_awaited", "turn_resolved", "turn_awaited"],
            "in order; the seal that resolves a turn is told by that"
        );
        let said = heard[2].json();
        assert_eq!(
            said["data"],
            serde_json::json!({"game": table.red.seat.game().as_str(), "side": "red", "turn": 1,
                "version": said["data"]["version"]})
        );
        assert_eq!(heard[3].json()["data"]["turn"], 2);
        assert!(said["data"]["version"].as_i64().unwrap() > before);
        assert_eq!((said["format"].as_i64(), said.as_object().unwrap().len()), (Some(1), 4));
        for heard in &heard {
            assert!(heard.head.starts_with("POST /hook?of=test HTTP/1.1\r\n"), "{}", heard.head);
            assert!(signed_by(heard, &secret), "{}", heard.head);
            assert_eq!(heard.header("content-type"), "application/json");
            assert!(!heard.body.contains("F7") && !heard.body.contains("G4"), "{}", heard.body);
        }
        let mut ids: Vec<&str> = heard.iter().map(|heard| heard.header("webhook-id")).collect();
        ids.dedup();
        assert_eq!(ids.len(), 4);
        world.play.resign(&table.red.seat).await.unwrap();
        tell(&world, Reach::Private).await;
        assert_eq!(kinds(&red.heard()), ["game_over"]);
        assert_eq!(kinds(&blue.heard()), ["game_over"], "that alone was wanted");
        drop(table);
        world.end().await;
    }
}

/// Taking a sheet back and sealing again calls the opponent no second time, however often.
#[tokio::test]
async fn that_the_opponent_has_sealed_is_told_once_a_turn() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::kind().await;
        hook(&world, &table.red, &receiver.url()).await;
        for round in 0..3 {
            table.blue.deploys("balanced").await.unwrap();
            if round == 1 {
                tell(&world, Reach::Private).await;
            }
            world.play.withdraw_sheet(&table.blue.seat, 0).await.unwrap();
        }
        table.blue.deploys("hook").await.unwrap();
        tell(&world, Reach::Private).await;
        assert_eq!(kinds(&receiver.take()), ["opponent_sealed"]);
        table.red.deploys("balanced").await.unwrap();
        table.blue.submits("").await.unwrap();
        tell(&world, Reach::Private).await;
        assert_eq!(kinds(&receiver.take()), ["turn_resolved", "turn_awaited", "opponent_sealed"], "the next turn's");
        drop(table);
        world.end().await;
    }
}

/// Each fault at the first try: the event waits, and is taken at the next one, with the same id.
#[tokio::test]
async fn no_fault_costs_an_event() {
    let elsewhere = Receiver::kind().await;
    let faults = [
        Act::Say(500),
        Act::Say(429),
        Act::Redirect(elsewhere.port),
        Act::Hang,
        Act::Drop,
        Act::Babble,
        Act::EndlessHead,
    ];
    let mut tries = Vec::new();
    for fault in faults {
        tries.push(tokio::spawn(async move {
            let world = World::sqlite().await;
            let table = world.table().await;
            let receiver = Receiver::start(move |number| if number == 0 { fault } else { Act::Say(200) }).await;
            let (id, _) = hook(&world, &table.red, &receiver.url()).await;
            table.blue.deploys("balanced").await.unwrap();
            assert_eq!(tell(&world, Reach::Private).await, 1, "{fault:?}");
            let [waiting] = &ledger(&world, &table.red, &id).await[..] else { panic!("{fault:?}") };
            assert!(matches!(waiting.told, Told::Waits(at) if at > world.now()), "{fault:?}: {waiting:?}");
            assert!(waiting.why.is_some() && waiting.tries == 1, "{fault:?}: {waiting:?}");
            assert_eq!(tell(&world, Reach::Private).await, 0, "{fault:?}: not before its time");
            world.wait(31);
            assert_eq!(tell(&world, Reach::Private).await, 1, "{fault:?}");
            let heard = receiver.heard();
            assert_eq!(heard.len(), 2, "{fault:?}");
            assert_eq!(heard[0].header("webhook-id"), heard[1].header("webhook-id"), "{fault:?}");
            assert_ne!(heard[0].header("webhook-timestamp"), heard[1].header("webhook-timestamp"), "{fault:?}");
            let [taken] = &ledger(&world, &table.red, &id).await[..] else { panic!("{fault:?}") };
            assert_eq!((taken.told, taken.status, taken.tries), (Told::Taken(world.now()), Some(200), 2), "{fault:?}");
            let hook = world.play.webhooks(&table.red.seat).await.unwrap().remove(0);
            assert_eq!((hook.failing_since, hook.delivered_at), (None, Some(world.now())));
            world.end().await;
        }));
    }
    for tried in tries {
        tried.await.unwrap();
    }
    assert!(elsewhere.heard().is_empty(), "redirects are not followed");
}

/// Who has too much to do says for how long, and is left alone so long, but not for more than an hour.
#[tokio::test]
async fn a_receiver_that_asks_for_time_has_it() {
    // What it says when it is told something at the beginning of 2026, and for how many seconds it is left alone then.
    let answers = [
        (Act::Busy(503, "120"), 120),
        (Act::Busy(429, "Thu, 01 Jan 2026 00:10:00 GMT"), 600),
        (Act::Busy(429, "86400"), 3600),
        (Act::Busy(503, "Fri, 01 Jan 2027 00:00:00 GMT"), 3600),
        (Act::Busy(503, "99999999999999999999999999"), 3600),
        // Less than it would have rested anyway, or nothing that can be read, or not asked for by this status.
        (Act::Busy(503, "0"), 5),
        (Act::Busy(503, "Wed, 31 Dec 2025 00:00:00 GMT"), 5),
        (Act::Busy(429, "after lunch"), 5),
        (Act::Busy(500, "3600"), 5),
    ];
    for (answer, rest) in answers {
        let world = World::sqlite().await;
        let table = world.table().await;
        let receiver = Receiver::start(move |number| if number == 0 { answer } else { Act::Say(200) }).await;
        let (id, _) = hook(&world, &table.red, &receiver.url()).await;
        table.blue.deploys("balanced").await.unwrap();
        assert_eq!(tell(&world, Reach::Private).await, 1, "{answer:?}");
        // What comes after it waits as long, whatever the event's own delay.
        table.red.deploys("balanced").await.unwrap();
        if rest > 5 {
            world.wait(rest - 1);
            assert_eq!(tell(&world, Reach::Private).await, 0, "{answer:?}");
            world.wait(1);
        } else {
            world.wait(rest);
        }
        assert!(tell(&world, Reach::Private).await >= 2, "{answer:?}");
        assert_eq!(ledger(&world, &table.red, &id).await.len(), 3, "{answer:?}");
        world.end().await;
    }
}

/// What is counted of webhooks for who looks after the server.
#[tokio::test]
async fn calls_are_counted_and_what_waits_is_looked_up() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::start(|number| match number {
            0 => Act::Say(204),
            1 => Act::Say(500),
            2 => Act::Drop,
            _ => Act::Say(410),
        })
        .await;
        hook(&world, &table.red, &receiver.url()).await;
        let numbers = async || {
            let looked = world.play.pulse().await.unwrap().looked;
            world.play.metrics().text(Some(&looked))
        };
        let says = |text: &str, lines: &[&str]| {
            for line in lines {
                assert!(text.contains(&format!("\nfieldcommand_{line}\n")), "{line} is not in\n{text}");
            }
        };
        says(&numbers().await, &["webhooks_waiting 0", "webhooks_oldest_seconds 0.0", "webhooks_off 0"]);
        table.blue.deploys("balanced").await.unwrap();
        tell(&world, Reach::Private).await;
        table.red.deploys("balanced").await.unwrap();
        world.wait(20);
        tell(&world, Reach::Private).await;
        says(
            &numbers().await,
            &[
                "webhook_calls_total{fate=\"taken\"} 1",
                "webhook_calls_total{fate=\"not_taken\"} 1",
                "webhooks_waiting 1",
                "webhooks_oldest_seconds 20.0",
                "webhooks_off 0",
            ],
        );
        for _ in 0..2 {
            world.wait(31);
            tell(&world, Reach::Private).await;
        }
        says(
            &numbers().await,
            &[
                "webhook_calls_total{fate=\"taken\"} 1",
                "webhook_calls_total{fate=\"not_taken\"} 2",
                "webhook_calls_total{fate=\"unreachable\"} 1",
                "webhook_events_given_up_total 2",
                "webhooks_waiting 0",
                "webhooks_oldest_seconds 0.0",
                "webhooks_off 1",
            ],
        );
        drop(table);
        world.end().await;
    }
}

#[tokio::test]
async fn a_body_without_an_end_is_not_read() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let receiver = Receiver::start(|_| Act::Endless).await;
    hook(&world, &table.red, &receiver.url()).await;
    table.blue.deploys("balanced").await.unwrap();
    table.red.deploys("balanced").await.unwrap();
    assert_eq!(tell(&world, Reach::Private).await, 3, "each was taken at the first try");
    world.end().await;
}

/// What fails does not hold up what comes after it, and one receiver does not hold up another.
#[tokio::test]
async fn nothing_waits_for_what_is_not_taken() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let picky = Receiver::start(|number| if number % 2 == 0 { Act::Say(500) } else { Act::Say(200) }).await;
    let good = Receiver::kind().await;
    hook(&world, &table.red, &picky.url()).await;
    hook(&world, &table.red, &good.url()).await;
    table.blue.deploys("balanced").await.unwrap();
    table.red.deploys("balanced").await.unwrap();
    assert_eq!(tell(&world, Reach::Private).await, 4);
    assert_eq!((picky.heard().len(), good.heard().len()), (1, 3));
    world.wait(6);
    assert_eq!(tell(&world, Reach::Private).await, 2, "the second is taken, and the third is not");
    assert_eq!(kinds(&picky.take()), ["opponent_sealed", "turn_resolved", "turn_awaited"]);
    world.end().await;
}

/// Receivers that hang, however many anybody sets up, keep neither others waiting nor the server from stopping; what they were
/// told just then is told again.
#[tokio::test]
async fn receivers_that_hang_hold_up_nobody() {
    let world = World::sqlite().await;
    let (hanging, good) = (Receiver::start(|_| Act::Hang).await, Receiver::kind().await);
    for number in 0..4 {
        let table = world.table().await;
        let urls = if number < 3 { vec![hanging.url(); 3] } else { vec![good.url()] };
        for url in urls {
            hook(&world, &table.red, &url).await;
        }
        table.blue.deploys("balanced").await.unwrap();
    }
    let stop = CancellationToken::new();
    let running = tokio::spawn(webhooks::run(private(&world), stop.clone()));
    while good.heard().is_empty() || hanging.heard().len() < 9 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(world.count("webhooks where failures > 0").await, 0, "nobody waited until one was given up");
    stop.cancel();
    running.await.unwrap();
    assert_eq!(world.count("webhook_events where tries > 0 and delivered_at is null").await, 0);
    let claimed = format!("webhooks where claimed_until > {}", world.now().0);
    assert_eq!(world.count(&claimed).await, 0, "whoever starts next tells them at once");
    world.end().await;
}

/// A name or an address that leads home is called neither when a webhook is set up nor later.
#[tokio::test]
async fn nobody_makes_the_server_call_its_neighbours() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let receiver = Receiver::kind().await;
    for url in [
        format!("https://127.0.0.1:{}/", receiver.port),
        format!("https://localhost:{}/", receiver.port),
        format!("https://[::ffff:127.0.0.1]:{}/", receiver.port),
        format!("http://localhost:{}/", receiver.port),
        "https://10.0.0.7/".into(),
        "https://169.254.169.254/latest/meta-data".into(),
        "https://nobody.invalid/".into(),
    ] {
        let refused = world.play.add_webhook(&table.red.seat, new(&url, &[])).await;
        assert!(matches!(&refused, Err(PlayError::Field { field: "url", .. })), "{url}: {refused:?}");
    }
    // By the name, or public address, of this server it would call itself, on whatever port.
    let here = world.play.clone().standing_at(Some("https://8.8.4.4"));
    for (url, called) in [("https://8.8.8.8/", true), ("https://8.8.4.4/", false), ("https://8.8.4.4:8443/", false)] {
        let added = here.add_webhook(&table.red.seat, new(url, &[])).await;
        assert_eq!(added.is_ok(), called, "{url}: {added:?}");
        if let Ok((hook, _)) = added {
            here.remove_webhook(&table.red.seat, &hook.id).await.unwrap();
        }
    }
    // One that was set up while that was allowed: its name is looked up again.
    let (id, _) = hook(&world, &table.red, &format!("http://localhost:{}/", receiver.port)).await;
    let (over_tls, _) = hook(&world, &table.red, &format!("https://localhost:{}/", receiver.port)).await;
    table.blue.deploys("balanced").await.unwrap();
    assert_eq!(tell(&world, Reach::Public).await, 2);
    for id in [&id, &over_tls] {
        let [waiting] = &ledger(&world, &table.red, id).await[..] else { panic!() };
        assert_eq!((waiting.status, waiting.tries), (None, 1));
        let why = waiting.why.as_deref().unwrap();
        assert!(!why.contains("127.0.0.1") && !why.contains("::1"), "{why}");
    }
    assert!(receiver.heard().is_empty());
    world.end().await;
}

/// The server stops between telling and keeping that it was told.
#[tokio::test]
async fn what_was_told_and_not_kept_is_told_again_with_the_same_id() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::kind().await;
        let (id, _) = hook(&world, &table.red, &receiver.url()).await;
        table.blue.deploys("balanced").await.unwrap();
        let claimed = world.play.claim_webhook().await.unwrap().unwrap();
        let telling = private(&world).next_telling(&claimed).await.unwrap().unwrap();
        assert_eq!(Caller::new(Reach::Private).unwrap().call(&telling).await, telling::Answer::Status(204));
        assert!(world.play.claim_webhook().await.unwrap().is_none(), "nobody else has it meanwhile");
        world.wait(121);
        assert_eq!(tell(&world, Reach::Private).await, 1);
        let heard = receiver.heard();
        assert_eq!(heard[0].header("webhook-id"), heard[1].header("webhook-id"));
        assert_eq!((heard.len(), ledger(&world, &table.red, &id).await.len()), (2, 1));
        drop(table);
        world.end().await;
    }
}

#[tokio::test]
async fn what_takes_nothing_for_days_is_switched_off_until_a_test_is_taken() {
    let world = World::sqlite().await;
    let table = world.table().await;
    let (day, open) = (24 * 3600, std::sync::atomic::AtomicBool::new(false));
    let open = Arc::new(open);
    let opened = Arc::clone(&open);
    let receiver =
        Receiver::start(
            move |_| {
                if opened.load(std::sync::atomic::Ordering::SeqCst) { Act::Say(200) } else { Act::Say(503) }
            },
        )
        .await;
    let (id, _) = hook(&world, &table.red, &receiver.url()).await;
    let off = async || world.play.webhooks(&table.red.seat).await.unwrap().remove(0).off;
    table.blue.deploys("balanced").await.unwrap();
    for _ in 0..14 {
        tell(&world, Reach::Private).await;
        assert_eq!(off().await, None);
        world.wait(6 * 3600);
    }
    let [given_up] = &ledger(&world, &table.red, &id).await[..] else { panic!() };
    assert!(matches!(given_up.told, Told::GivenUp(_)), "after three days: {given_up:?}");
    world.wait(2 * day);
    table.red.deploys("balanced").await.unwrap();
    tell(&world, Reach::Private).await;
    assert_eq!(off().await.unwrap().1, "nothing was taken for five days");
    table.day("H7-F7", "").await;
    let heard = receiver.take().len();
    world.wait(day);
    assert_eq!((tell(&world, Reach::Private).await, receiver.heard().len()), (0, 0), "{heard}");
    open.store(true, std::sync::atomic::Ordering::SeqCst);
    private(&world).test_webhook(&table.red.seat, &id).await.unwrap();
    assert_eq!(tell(&world, Reach::Private).await, 1);
    assert_eq!(off().await, None, "it works again");
    // What was given up can be told all the same.
    let lost = ledger(&world, &table.red, &id).await.pop().unwrap();
    private(&world).retell(&table.red.seat, &id, &lost.id).await.unwrap();
    assert_eq!(tell(&world, Reach::Private).await, 1);
    assert_eq!(kinds(&receiver.heard()), ["test", "opponent_sealed"]);
    world.play.tidy().await.unwrap();
    assert_eq!(ledger(&world, &table.red, &id).await.len(), 4);
    world.wait(15 * day);
    world.play.tidy().await.unwrap();
    assert!(ledger(&world, &table.red, &id).await.is_empty(), "two weeks later nobody needs it");
    world.end().await;
}

#[tokio::test]
async fn a_receiver_that_says_gone_is_left_alone() {
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    mailbox::confirm_all(&world.play, world.path()).await;
    let receiver = Receiver::start(|_| Act::Say(410)).await;
    hook(&world, &table.red, &receiver.url()).await;
    table.deploy().await;
    assert_eq!(tell(&world, Reach::Private).await, 1);
    let hook = world.play.webhooks(&table.red.seat).await.unwrap().remove(0);
    assert_eq!(hook.off.unwrap().1, "the receiver wants nothing any more");
    let letters = mailbox::letters(&world.play, world.path()).await;
    let told = letters.iter().filter(|letter| letter.contains("Your webhook was switched off"));
    assert_eq!(told.count(), 1, "{letters:?}");
    world.wait(24 * 3600);
    assert_eq!(tell(&world, Reach::Private).await, 0);
    world.end().await;
}

/// A test of a webhook that is off is tried once, and a game that cannot be read keeps none on.
#[tokio::test]
async fn what_is_off_is_tried_once() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::start(|_| Act::Say(410)).await;
        let (id, _) = hook(&world, &table.red, &receiver.url()).await;
        table.blue.deploys("balanced").await.unwrap();
        world.spoil(table.red.seat.game().as_str()).await;
        assert_eq!(tell(&world, Reach::Private).await, 1);
        assert!(world.play.webhooks(&table.red.seat).await.unwrap()[0].off.is_some());
        assert_eq!(world.count("webhooks where off_at is not null and rest_until is not null").await, 1);
        let play = private(&world);
        let mut others = Vec::new();
        for _ in 0..2 {
            others.push(world.table().await);
        }
        for (other, act) in others.iter().zip([Act::Say(410), Act::Say(500)]) {
            let receiver = Receiver::start(move |number| if number == 0 { Act::Say(410) } else { act }).await;
            let (id, _) = hook(&world, &other.red, &receiver.url()).await;
            other.blue.deploys("balanced").await.unwrap();
            tell(&world, Reach::Private).await;
            for _ in 0..2 {
                play.test_webhook(&other.red.seat, &id).await.unwrap();
            }
            assert_eq!(tell(&world, Reach::Private).await, 1, "the other test is given up with the first");
            let tests = ledger(&world, &other.red, &id).await;
            assert!(tests[..2].iter().all(|test| matches!(test.told, Told::GivenUp(_))), "{tests:?}");
            world.wait(24 * 3600);
            assert_eq!(tell(&world, Reach::Private).await, 0);
        }
        assert_eq!(receiver.heard().len(), 1, "{id}");
        drop((table, others));
        world.end().await;
    }
}

/// Whoever gets the seat while a call is on its way reads nothing of somebody else's webhook; and of a game that is over no
/// letter says that it goes on.
#[tokio::test]
async fn the_letter_goes_to_whom_the_webhook_was() {
    let world = World::sqlite().await;
    let open = world.table_with(12, ["ann@example.org", ""]).await;
    let over = world.table_with(12, ["ben@example.org", ""]).await;
    let lost = world.table_with(12, ["cleo@example.org", ""]).await;
    mailbox::confirm_all(&world.play, world.path()).await;
    let receiver = Receiver::start(|_| Act::Say(410)).await;
    for table in [&open, &over] {
        hook(&world, &table.red, &receiver.url()).await;
    }
    open.blue.deploys("balanced").await.unwrap();
    world.play.resign(&over.blue.seat).await.unwrap();
    assert_eq!(tell(&world, Reach::Private).await, 2);
    hook(&world, &lost.red, &receiver.url()).await;
    lost.blue.deploys("balanced").await.unwrap();
    let claimed = world.play.claim_webhook().await.unwrap().unwrap();
    let telling = private(&world).next_telling(&claimed).await.unwrap().unwrap();
    let game = lost.red.seat.game().to_string();
    let renewed = world.store.write::<_, StoreError, _>(move |tx| {
        let game = game.clone();
        Box::pin(async move { tx.renew_link(&game, "red", 7, "hash").await })
    });
    renewed.await.unwrap();
    world.play.told(&claimed, &telling, telling::Answer::Status(410)).await.unwrap();
    let letters = mailbox::letters(&world.play, world.path()).await;
    let told = |to: &str| {
        let told = |letter: &&String| letter.contains(to) && letter.contains("Your webhook was switched off");
        letters.iter().filter(told).map(|letter| letter.contains("The game goes on.")).collect::<Vec<_>>()
    };
    assert_eq!(told("ann@example.org"), [true], "{letters:?}");
    assert_eq!(told("ben@example.org"), [false], "{letters:?}");
    assert!(told("cleo@example.org").is_empty(), "{letters:?}");
    world.end().await;
}

/// A process that was away for longer than its claim finds that another one has told it, and undoes nothing.
#[tokio::test]
async fn who_comes_late_undoes_nothing() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::kind().await;
        let (id, _) = hook(&world, &table.red, &receiver.url()).await;
        table.blue.deploys("balanced").await.unwrap();
        let claimed = world.play.claim_webhook().await.unwrap().unwrap();
        let telling = private(&world).next_telling(&claimed).await.unwrap().unwrap();
        world.wait(121);
        assert_eq!(tell(&world, Reach::Private).await, 1);
        let before = ledger(&world, &table.red, &id).await;
        assert!(!world.play.told(&claimed, &telling, telling::Answer::None("it took too long")).await.unwrap());
        assert_eq!(ledger(&world, &table.red, &id).await, before);
        let hook = world.play.webhooks(&table.red.seat).await.unwrap().remove(0);
        assert_eq!((hook.failing_since, before[0].told), (None, Told::Taken(world.now())));
        drop(table);
        world.end().await;
    }
}

/// The organiser removes a webhook at the moment at which something is queued for it: what happened in the game stands.
#[tokio::test]
async fn a_webhook_that_goes_meanwhile_stops_nothing() {
    // On SQLite one writes at a time.
    let world = World::postgres().await;
    let table = world.table().await;
    let (id, _) = hook(&world, &table.red, "http://127.0.0.1:9/").await;
    table.blue.deploys("balanced").await.unwrap();
    let (read, gone) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (reads, goes, game) = (Arc::clone(&read), Arc::clone(&gone), table.red.seat.game().to_string());
    let store = world.store.clone();
    let queueing = tokio::spawn(async move {
        let work = store.write::<_, StoreError, _>(move |tx| {
            let (reads, goes, game) = (Arc::clone(&reads), Arc::clone(&goes), game.clone());
            Box::pin(async move {
                let hooks = tx.webhooks_that_hear(&game).await?;
                for hook in &hooks {
                    let first = tx.webhook_events(&hook.id, 1).await?.remove(0);
                    reads.notify_one();
                    goes.notified().await;
                    tx.queue_webhook_event(&WebhookEventRow { id: "e2".into(), ..first }).await?;
                }
                Ok(hooks.len())
            })
        });
        work.await
    });
    read.notified().await;
    world.play.remove_webhook(&table.red.seat, &id).await.unwrap();
    gone.notify_one();
    assert_eq!(queueing.await.unwrap().unwrap(), 0, "it was looked again");
    drop(table);
    world.end().await;
}

/// Whoever is put out of a seat hears nothing more of it, and nobody has another one's webhook.
#[tokio::test]
async fn a_webhook_is_its_owners_alone() {
    for world in World::both().await {
        let table = world.table().await;
        let receiver = Receiver::kind().await;
        let (id, secret) = hook(&world, &table.blue, &receiver.url()).await;
        let play = private(&world);
        let (red, blue) = (&table.red.seat, &table.blue.seat);
        assert_eq!(play.webhook(red, &id).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(play.test_webhook(red, &id).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(play.renew_webhook(red, &id).await.unwrap_err(), PlayError::NotFound);
        assert_eq!(play.remove_webhook(red, &id).await, Err(PlayError::NotFound));
        // Two secrets for a day.
        let (_, renewed) = play.renew_webhook(blue, &id).await.unwrap();
        world.wait(60);
        let (_, again) = play.renew_webhook(blue, &id).await.unwrap();
        assert_eq!(again.reveal(), renewed.reveal(), "who asks twice cuts no secret off that is in use");
        play.test_webhook(blue, &id).await.unwrap();
        tell(&world, Reach::Private).await;
        let both = receiver.take().remove(0);
        assert!(signed_by(&both, &secret) && signed_by(&both, &renewed));
        world.wait(25 * 3600);
        play.test_webhook(blue, &id).await.unwrap();
        tell(&world, Reach::Private).await;
        let one = receiver.take().remove(0);
        assert!(!signed_by(&one, &secret) && signed_by(&one, &renewed));
        assert_ne!(play.renew_webhook(blue, &id).await.unwrap().1.reveal(), renewed.reveal());
        for _ in 0..3 {
            play.test_webhook(blue, &id).await.unwrap();
        }
        assert!(matches!(play.test_webhook(blue, &id).await, Err(PlayError::TooMany(_))));
        for _ in 0..2 {
            hook(&world, &table.blue, &receiver.url()).await;
        }
        let fourth = play.add_webhook(blue, new(&receiver.url(), &[])).await;
        assert!(matches!(fourth, Err(PlayError::Field { field: "url", .. })));
        world.play.unseat(red).await.unwrap();
        tell(&world, Reach::Private).await;
        assert!(receiver.heard().is_empty(), "not even the tests that waited");
        assert_eq!(world.count("webhooks").await, 2, "the one with something to tell is gone at once");
        world.play.tidy().await.unwrap();
        assert_eq!((world.count("webhooks").await, world.count("webhook_events").await), (0, 0));
        drop(table);
        world.end().await;
    }
}

/// The page of a seat's webhooks, in a browser without scripts.
#[tokio::test]
async fn a_seat_has_a_page_for_its_webhooks() {
    let server = Server::start_with(41, |settings| settings.webhooks_to = WebhooksTo::Private).await;
    let game = Game::opened(&server).await;
    let (ann, ben) = (server.browser(), server.browser());
    ann.get(&format!("/s/{}", game.red)).await;
    ben.get(&format!("/s/{}", game.blue)).await;
    let page = format!("/games/{}/red/webhooks", game.id);
    assert!(ann.get(&format!("/games/{}/red", game.id)).await.body.contains(&page), "the seat leads there");
    assert_eq!(ben.get(&page).await.status, 404, "it is Red's alone");
    assert_eq!(
        ben.post(&page, &[("do", "add"), ("url", "https://x.example.org/"), ("event", "game_over")]).await.status,
        404
    );
    assert!(ann.get(&page).await.words().contains("Set one up"));

    let receiver = Receiver::kind().await;
    let refused = ann.post(&page, &[("do", "add"), ("url", "nonsense"), ("event", "game_over")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("The URL") && refused.body.contains("value=\"nonsense\""), "{}", refused.words());
    assert_eq!(refused.body.matches(" checked>").count(), 1);
    let url = receiver.url();
    let refused = ann.post(&page, &[("do", "add"), ("url", &url)]).await;
    assert!(refused.status == 422 && refused.words().contains("Choose what it is to hear."));
    let add = [("do", "add"), ("url", &*url), ("event", "game_over"), ("event", "opponent_sealed")];
    let made = ann.post(&page, &add).await;
    assert_eq!(made.status, 200, "{}", made.words());
    let secret = |answer: &Answer| {
        let (_, rest) = answer.body.split_once("whsec_").unwrap();
        format!("whsec_{}", rest.split('<').next().unwrap())
    };
    let (first, again) = (secret(&made), secret(&ann.post(&page, &add).await));
    assert_eq!(first, again, "a form that is sent twice sets up one");
    let shown = ann.get(&page).await;
    assert!(!shown.body.contains("whsec_") && shown.body.matches("Webhook 1</h2>").count() == 1);
    assert!(!shown.body.contains("Webhook 2</h2>") && shown.words().contains("The game is over; Blue has sealed"));

    let hook = hidden(&shown.body, "webhook").to_owned();
    assert_eq!(ann.post(&page, &[("do", "test"), ("webhook", &hook)]).await.location(), page);
    let told = says(&ann, &page, "Taken").await;
    assert!(told.words().contains("A test") && told.words().contains("It took something"), "{}", told.words());
    assert!(signed_by_text(&receiver.take()[0], &first));
    let event = hidden(&told.body, "event").to_owned();
    let renewed = ann.post(&page, &[("do", "renew"), ("webhook", &hook)]).await;
    assert!(renewed.words().contains("signed with the one before, too"), "{}", renewed.words());
    assert_ne!(secret(&renewed), first);
    assert_eq!(ann.post(&page, &[("do", "retell"), ("webhook", &hook), ("event", &event)]).await.location(), page);
    for _ in 0..200 {
        if !receiver.heard().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let again = receiver.take().remove(0);
    assert!(again.header("webhook-id") == event && signed_by_text(&again, &secret(&renewed)));

    // Of another seat nothing is done; what is gone is gone.
    let theirs = format!("/games/{}/blue/webhooks", game.id);
    assert_eq!(ben.post(&theirs, &[("do", "remove"), ("webhook", &hook)]).await.location(), theirs);
    assert!(ann.get(&page).await.body.contains(&hook));
    for _ in 0..2 {
        assert_eq!(ann.post(&page, &[("do", "remove"), ("webhook", &hook)]).await.location(), page);
        assert!(!ann.get(&page).await.body.contains(&hook));
    }
    assert_eq!(ann.post(&page, &[("do", "something")]).await.status, 422);
    for number in 0..4 {
        let url = format!("{url}&number={number}");
        let made = ann.post(&page, &[("do", "add"), ("url", &*url), ("event", "game_over")]).await;
        assert_eq!(made.status.as_u16(), if number < 3 { 200 } else { 422 }, "{}", made.words());
    }
    assert!(ann.get(&page).await.words().contains("A seat has 3 webhooks at most."));
    server.stop().await;
}

/// What a webhook was told does not tell before a day is watched that the game is over.
#[tokio::test]
async fn the_page_of_webhooks_tells_no_result_beforehand() {
    let server = Server::start_with(42, |settings| settings.webhooks_to = WebhooksTo::Private).await;
    let (game, receiver) = (Game::deployed(&server).await, Receiver::kind().await);
    let page = format!("/games/{}/blue/webhooks", game.id);
    let blue = server.program(&game.blue);
    assert_eq!(blue.post(&page, &serde_json::json!({"url": receiver.url()})).await.status, 201);
    let ben = server.browser();
    ben.get(&format!("/s/{}", game.blue)).await;
    for (day, orders) in (1..).zip(HUNT) {
        game.seals(&server, Side::Red, day, orders).await;
        game.seals(&server, Side::Blue, day, "").await;
    }
    for _ in 0..200 {
        if kinds(&receiver.heard()).contains(&"game_over".to_owned()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let over = "<strong>The game is over</strong>";
    let before = ben.get(&page).await.body;
    assert!(before.contains("once you have watched") && !before.contains(over), "{before}");
    for day in 0..=HUNT.len() {
        ben.post(&format!("/games/{}/blue/days/{day}/seen", game.id), &[]).await;
    }
    let after = ben.get(&page).await.body;
    assert!(after.contains(over) && !after.contains("once you have watched"), "{after}");
    server.stop().await;
}

/// The value of a hidden field of a page.
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().unwrap()
}

/// A page, once it says something.
async fn says(browser: &Browser, path: &str, words: &str) -> Answer {
    for _ in 0..200 {
        let page = browser.get(path).await;
        if page.words().contains(words) {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} never says {words}")
}

/// Over TLS: an authority that is believed, one that is not, and a certificate of somebody else.
#[tokio::test]
async fn a_receiver_proves_who_it_is() {
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), "authority", "", None);
    certificate(folder.path(), "right", "DNS:localhost", Some("authority"));
    certificate(folder.path(), "wrong", "DNS:bot.example.net", Some("authority"));
    let acceptor = |name: &str| {
        let read = |what: &str| fs::read(folder.path().join(format!("{name}.{what}"))).unwrap();
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&read("pem")).collect();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain.unwrap(), PrivateKeyDer::from_pem_slice(&read("key")).unwrap());
        Some(TlsAcceptor::from(Arc::new(config.unwrap())))
    };
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.path().join("authority.pem")).unwrap()).unwrap();
    let world = World::sqlite().await;
    let table = world.table().await;
    let right = Receiver::start_within(acceptor("right"), |_| Act::Say(200)).await;
    let wrong = Receiver::start_within(acceptor("wrong"), |_| Act::Say(200)).await;
    let mut ids = Vec::new();
    let clear = Receiver::kind().await;
    // Nothing listens there any more.
    let closed = Receiver::kind().await.port;
    let play = private(&world);
    let mut others = Vec::new();
    for port in [clear.port, closed] {
        let url = format!("https://localhost:{port}/hook");
        others.push(play.add_webhook(&table.blue.seat, new(&url, &[])).await.unwrap().0.id);
    }
    for port in [right.port, wrong.port] {
        ids.push(hook(&world, &table.red, &format!("https://localhost:{port}/hook")).await.0);
    }
    for id in &others {
        play.test_webhook(&table.blue.seat, id).await.unwrap();
    }
    table.blue.deploys("balanced").await.unwrap();
    let stranger = Caller::new(Reach::Private).unwrap();
    let believer = Caller::believing(Reach::Private, roots).unwrap();
    for (caller, taken) in [(stranger, 0), (believer, 1)] {
        tell_due(&private(&world), &caller, &CancellationToken::new()).await.unwrap();
        assert_eq!((right.heard().len(), wrong.heard().len()), (taken, 0));
        world.wait(61);
    }
    let mut whys = vec![ledger(&world, &table.red, &ids[1]).await.remove(0).why.unwrap()];
    for id in &others {
        whys.push(ledger(&world, &table.blue, id).await.remove(0).why.unwrap());
    }
    whys.dedup();
    assert_eq!(whys, ["no connection came about, or its certificate, or its TLS, does not do"], "ports look alike");
    world.end().await;
}
