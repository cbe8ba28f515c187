//! Letters as mail programs get them: threads, lists, how they are stopped and come back, signatures, and what each kind says.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use fieldcommand::mail::{Answers, Sender, Signing, Transport};
use fieldcommand::play::postmark::Postmark;
use fieldcommand::play::stopped::Stopped;
use fieldcommand::rules::Side;
use fieldcommand::runner::outbox::send_due;
use fieldcommand::web::limit::Limits;
use fieldcommand::web::{self, Door, WebState};
use mail_auth::common::parse::TxtRecordParser;
use mail_auth::common::verify::DomainKey;
use mail_auth::{AuthenticatedMessage, DkimResult, MessageAuthenticator, Parameters, ResolverCache, Txt};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::world::smtp::{Heard, Smtp, header as header_of};
use crate::world::{World, mailbox};

fn sender() -> Sender {
    Sender {
        from: "Field Command <games@example.org>".parse().unwrap(),
        public_url: "https://play.example.org".into(),
        answers: Some(Answers::parse("play@example.org").unwrap()),
    }
}

async fn send_by(world: &World, transport: &Transport) {
    send_due(&world.play, &sender(), transport, &CancellationToken::new()).await.unwrap();
}

/// Sends what is due and gives what arrived since, in the order of arrival.
async fn sent(world: &World, smtp: &Smtp) -> Vec<Heard> {
    let before = smtp.letters().len();
    send_by(world, &smtp.transport()).await;
    smtp.letters().split_off(before)
}

/// The letters of each seat form a thread of their own, whose first letter is its root.
#[tokio::test]
async fn each_seat_has_one_thread() {
    for world in World::both().await {
        let smtp = Smtp::willing().await;
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let mut threads: HashMap<String, Vec<Heard>> = HashMap::new();
        for _ in 0..3 {
            if table.red.sees().await.standing.turn() == 0 {
                table.deploy().await;
            } else {
                table.day("", "").await;
            }
            for letter in sent(&world, &smtp).await {
                threads.entry(letter.to.clone()).or_default().push(letter);
            }
            world.wait(60);
        }
        assert_eq!(threads.len(), 2);
        let game = table.red.seat.game();
        for letters in threads.values() {
            assert_eq!(letters.len(), 3);
            let ids: Vec<String> = letters.iter().map(|letter| letter.header("Message-ID").unwrap()).collect();
            // What the seat was told before this test looked is the root.
            let root = letters[0]
                .header("References")
                .map_or(ids[0].clone(), |before| before.split(' ').next().unwrap().to_owned());
            for (n, letter) in letters.iter().enumerate().skip(1) {
                let before = letter.header("References").unwrap();
                assert_eq!(letter.header("In-Reply-To").as_deref(), Some(&*ids[n - 1]));
                assert!(before.starts_with(&root) && before.ends_with(&ids[n - 1]), "{before}");
            }
            for letter in letters {
                assert_eq!(letter.header("List-Id").unwrap(), format!("<{game}.example.org>"));
                assert_eq!(letter.header("Auto-Submitted").as_deref(), Some("auto-generated"));
                assert_eq!(letter.header("Precedence"), None);
                assert_eq!(letter.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
                let ways = letter.header("List-Unsubscribe").unwrap();
                assert!(
                    ways.starts_with("<https://play.example.org/letters/") && ways.contains(", <mailto:play+"),
                    "{ways}"
                );
                assert!(letter.header("Reply-To").unwrap().starts_with("play+"));
            }
        }
        let of = |to: &str| threads[to][0].header("Message-ID").unwrap();
        assert!(!threads["ben@example.org"].iter().any(|letter| letter.text.contains(&of("ann@example.org"))));
        world.end().await;
    }
}

/// A letter that cannot be delivered comes back to an address of its own, which proves it; without answers it comes back to
/// the sender, and to nobody where nobody reads that.
#[tokio::test]
async fn letters_come_back_to_their_own_address() {
    let world = World::sqlite().await;
    let smtp = Smtp::willing().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;
    let letter = sent(&world, &smtp).await.remove(0);
    let mark = sender().answers.unwrap().mark(&letter.from).unwrap();
    assert!(
        matches!(&mark, Postmark::Returned { letter: id, .. } if letter.header("Message-ID").unwrap().contains(id))
    );
    assert!(world.play.returned(&mark).is_ok());

    for (from, back) in [("games@example.org", "games@example.org"), ("fieldcommand@localhost", "")] {
        table.day("", "").await;
        let sender = Sender { from: from.parse().unwrap(), answers: None, ..sender() };
        send_due(&world.play, &sender, &smtp.transport(), &CancellationToken::new()).await.unwrap();
        let letter = smtp.letters().pop().unwrap();
        assert_eq!(letter.from, back);
        assert_eq!(letter.header("Reply-To"), None);
        assert!(!letter.header("List-Unsubscribe").unwrap().contains("mailto"));
    }
    world.end().await;
}

/// A request without any cookie.
async fn ask(world: &World, method: Method, path: &str, kind: &str, body: &str) -> (StatusCode, String) {
    let state = WebState::from(Door {
        play: world.play.clone(),
        public_url: "https://play.example.org".into(),
        by_mail: true,
        limits: Limits::off(),
        stop: CancellationToken::new(),
    });
    let request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, kind);
    let answer = web::router(&state).oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = answer.status();
    let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// Looking at the address in a letter does nothing; the press of a mail program's button stops that game's letters.
#[tokio::test]
async fn letters_are_stopped_by_one_press_without_a_cookie() {
    for world in World::both().await {
        let smtp = Smtp::willing().await;
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        let letters = sent(&world, &smtp).await;
        let ways = letters.iter().find(|letter| letter.to == "ann@example.org").unwrap().header("List-Unsubscribe");
        let ways = ways.unwrap();
        let path = ways.split_once("https://play.example.org").unwrap().1.split_once('>').unwrap().0.to_owned();

        let (status, page) = ask(&world, Method::GET, &path, "", "").await;
        assert!(status == StatusCode::OK && page.contains("Stop the letters of this game"), "{status} {page}");
        table.day("", "").await;
        assert_eq!(sent(&world, &smtp).await.len(), 2, "looking does nothing");

        let parts = "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
        for (kind, body) in [
            ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
            ("multipart/form-data; boundary=x", parts),
        ] {
            table.play.resume_letters(&table.red.seat).await.unwrap();
            let (status, page) = ask(&world, Method::POST, &path, kind, body).await;
            assert!(status == StatusCode::OK && page.contains("No more letters"), "{status} {page}");
            assert!(matches!(table.blue.sees().await.stopped.red, Some(Stopped::Unwanted(_))), "the opponent sees it");
        }
        table.day("", "").await;
        let letters = sent(&world, &smtp).await;
        assert!(letters.iter().all(|letter| letter.to == "ben@example.org") && letters.len() == 1, "{letters:?}");

        let (_, page) = ask(&world, Method::POST, &path, "application/x-www-form-urlencoded", "do=resume").await;
        assert!(page.contains("Stop the letters of this game"));
        table.day("", "").await;
        assert_eq!(sent(&world, &smtp).await.len(), 2);
        let wrong = path.replace("-red-", "-blue-");
        assert_eq!(ask(&world, Method::POST, &wrong, "", "").await.0, StatusCode::NOT_FOUND);
        world.end().await;
    }
}

/// Three letters that came back for good stop a seat's letters; another address, or a word of the player's, lets them go.
#[tokio::test]
async fn letters_that_come_back_stop_the_seat() {
    for world in World::both().await {
        let smtp = Smtp::willing().await;
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        table.deploy().await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            let letter = sent(&world, &smtp).await.remove(0);
            let Some(Postmark::Returned { letter: id, .. }) = sender().answers.unwrap().mark(&letter.from) else {
                panic!()
            };
            ids.push(id);
            table.day("", "").await;
        }
        world.play.letter_bounced(&ids[0], false, "4.2.2 mailbox full").await.unwrap();
        for _ in 0..3 {
            world.play.letter_bounced(&ids[0], true, "5.1.1 no such user\r\nfor ever").await.unwrap();
        }
        world.play.letter_bounced(&ids[1], true, "5.1.1 no such user").await.unwrap();
        world.play.letter_bounced("nonsense", true, "5.1.1").await.unwrap();
        assert_eq!(table.red.sees().await.stopped.red, None, "each letter counts once");
        assert_eq!(sent(&world, &smtp).await.len(), 1);
        world.play.letter_bounced(&ids[2], true, "5.1.1 no such user").await.unwrap();
        let view = table.blue.sees().await;
        assert_eq!(view.stopped.red, Some(Stopped::Returned(world.now())));
        table.day("", "").await;
        assert_eq!(sent(&world, &smtp).await.len(), 0);

        world.wait(1);
        world.play.resume_letters(&table.red.seat).await.unwrap();
        table.day("", "").await;
        let letter = sent(&world, &smtp).await.remove(0);
        let Some(Postmark::Returned { letter: id, .. }) = sender().answers.unwrap().mark(&letter.from) else {
            panic!()
        };
        world.play.letter_bounced(&id, true, "5.1.1 no such user").await.unwrap();
        assert_eq!(table.red.sees().await.stopped.red, None, "they count anew");
        world.play.set_address(&table.red.seat, "other@example.org").await.unwrap();
        mailbox::confirm_all(&world.play, world.path()).await;
        assert_eq!(table.red.sees().await.stopped.get(Side::Red), &None);
        world.end().await;
    }
}

/// What stands in the DNS.
struct Dns(Mutex<HashMap<String, Txt>>);

impl ResolverCache<Box<str>, Txt> for Dns {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: std::borrow::Borrow<Q>,
        Q: std::hash::Hash + Eq + ?Sized,
    {
        let known = self.0.lock().unwrap();
        known
            .iter()
            .find(|(key, _)| {
                let key: Box<str> = key.as_str().into();
                std::borrow::Borrow::<Q>::borrow(&key) == name
            })
            .map(|(_, txt)| txt.clone())
    }

    fn remove<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: std::borrow::Borrow<Q>,
        Q: std::hash::Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: Txt, _: Instant) {}
}

/// Letters are signed, and what arrives after a conversation with a server holds before another program's eyes.
#[tokio::test]
async fn signatures_hold() {
    let rsa = include_bytes!("letters/dkim-test-rsa.pem");
    let rsa_record = include_str!("letters/dkim-test-rsa.txt");
    let ed25519 = include_bytes!("letters/dkim-test-ed25519.pem");
    let ed25519_record = include_str!("letters/dkim-test-ed25519.txt");
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;
    let resolver = MessageAuthenticator::new_cloudflare().unwrap();
    for (pem, record) in [(&rsa[..], rsa_record), (&ed25519[..], ed25519_record)] {
        let smtp = Smtp::willing().await;
        let signing = Signing::read(pem, "example.org", "games").unwrap();
        assert_eq!(format!("{signing:?}"), "Signing(…)");
        send_by(&world, &Transport::Smtp(smtp.server().signing(Some(signing)))).await;
        let letter = smtp.letters().pop().unwrap();
        let text = letter.text.replace('\n', "\r\n");
        let signature = header_of(&text, "DKIM-Signature").unwrap();
        assert!(signature.contains("List-Unsubscribe-Post") && signature.contains("d=example.org"), "{signature}");
        let key = DomainKey::parse(record.trim().as_bytes()).unwrap();
        let dns = Dns(Mutex::new(HashMap::from([("games._domainkey.example.org.".to_owned(), Txt::from(key))])));
        for (text, holds) in [(text.clone(), true), (text.replace("resolved", "res0lved"), false)] {
            let message = AuthenticatedMessage::parse(text.as_bytes()).unwrap();
            let results = resolver.verify_dkim(Parameters::new(&message).with_txt_cache(&dns)).await;
            assert_eq!(results.len(), 1);
            assert_eq!(results.iter().all(|result| *result.result() == DkimResult::Pass), holds, "{results:?}");
        }
        table.day("", "").await;
    }
    assert!(Signing::read(b"nonsense", "example.org", "games").is_err());
    assert!(Signing::read(rsa, "not a domain", "games").is_err());
    world.end().await;
}
