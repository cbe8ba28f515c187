//! Letters: what they say, how they leave over a real SMTP conversation, and what happens when they do not.

use std::fs;
use std::path::PathBuf;

use fieldcommand::mail::transport::SmtpServer;
use fieldcommand::mail::{Answers, Sender, Transport};
use fieldcommand::play::PlayError;
use fieldcommand::runner::outbox::send_due;
use tokio_util::sync::CancellationToken;

use crate::world::{HUNT, World, exposed, mailbox, ports};

fn sender() -> Sender {
    Sender {
        from: "Field Command <play@example.org>".parse().unwrap(),
        public_url: "https://play.example.org".into(),
        answers: Some(Answers::parse("play@example.org").unwrap()),
    }
}

/// Sends what is due.
async fn send(world: &World, transport: &Transport) -> Result<usize, PlayError> {
    send_due(&world.play, &sender(), transport, &CancellationToken::new()).await
}

/// The files of a folder whose text names somebody.
fn files_for(folder: PathBuf, to: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).unwrap().replace("\r\n", "\n"))
        .filter(|text| text.contains(to))
        .collect()
}

/// The plain text of a letter, as a mail program shows it.
fn plain(letter: &str) -> String {
    let part = letter.split("Content-Type: text/plain").nth(1).unwrap();
    let (head, body) = part.split_once("\n\n").unwrap();
    let body = body.split("\n--").next().unwrap();
    if !head.contains("quoted-printable") {
        return body.to_owned();
    }
    let mut bytes = Vec::new();
    let joined = body.replace("=\n", "");
    let mut rest = joined.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'=' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn a_day_is_reported_over_smtp_to_both() {
    let world = World::sqlite().await;
    let smtp = std::env::var("FIELDCOMMAND_TEST_SMTP")
        .expect("scripts/test starts an SMTP server and sets FIELDCOMMAND_TEST_SMTP");
    let maildir = PathBuf::from(std::env::var("FIELDCOMMAND_TEST_MAILDIR").unwrap()).join("new");
    let transport = Transport::Smtp(SmtpServer::parse(&smtp).unwrap());
    let (ann, ben) = ("ann@smtp-test.example", "ben@smtp-test.example");
    let table = world.table_with(12, [ann, ben]).await;
    assert_eq!(send(&world, &transport).await, Ok(0), "nothing is sent before the reveal");
    table.red.deploys("balanced").await.unwrap();
    assert_eq!(send(&world, &transport).await, Ok(0), "one seal sends nothing");
    table.blue.submits_for(0, &exposed()).await.unwrap();
    assert_eq!(send(&world, &transport).await, Ok(2), "both are told");
    assert_eq!(send(&world, &transport).await, Ok(0), "a letter is sent once");
    for order in HUNT {
        // Letters of one moment have no order in their thread.
        world.wait(1);
        table.day(order, "E3-G3").await;
        assert_eq!(send(&world, &transport).await, Ok(2));
    }
    assert_eq!(world.play.letters_waiting().await, Ok((0, None)));

    for to in [ann, ben] {
        let letters = files_for(maildir.clone(), to);
        assert_eq!(letters.len(), 3, "{to}");
        for letter in &letters {
            for header in [
                "Auto-Submitted: auto-generated",
                "Message-ID: <",
                "Reply-To: play+",
                "References: <",
                "multipart/alternative",
                "text/html",
            ] {
                assert!(letter.contains(header), "{header} is missing:\n{letter}");
            }
            let head = letter.split_once("\n\n").unwrap().0;
            assert!(!head.contains("wins") && !head.contains("removed"), "the subject tells the result:\n{head}");
            let words = letter.split("Content-Type: image/png").next().unwrap();
            assert!(!words.contains("/s/") && !words.contains("/i/"), "no secret of a seat goes by letter");
        }
        let last = letters.iter().map(|letter| plain(letter)).find(|text| text.contains("Day 2 of your game")).unwrap();
        assert!(last.contains("Blue's General has been removed: Red wins."), "{last}");
        assert!(last.contains("- G4-E4: 2nd Infantry."), "{last}");
        assert!(last.contains("https://play.example.org/games/"), "{last}");
    }
    world.end().await;
}

#[tokio::test]
async fn a_letter_that_cannot_leave_waits_and_goes_later() {
    for world in World::both().await {
        let closed = format!("smtp://{}", ports::own());
        let down = Transport::Smtp(SmtpServer::parse(&closed).unwrap());
        let folder = world.path().join("mail");
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        table.deploy().await;
        assert_eq!(send(&world, &down).await, Ok(1));
        assert_eq!(world.play.letters_waiting().await.unwrap().0, 1, "it still waits");
        let up = Transport::Folder(folder.clone());
        assert_eq!(send(&world, &up).await, Ok(0), "not before its time");
        world.wait(31);
        assert_eq!(send(&world, &up).await, Ok(1));
        assert_eq!(files_for(folder, "ann@example.org").len(), 1);
        world.end().await;
    }
}

#[tokio::test]
async fn a_resignation_is_told_too() {
    let world = World::sqlite().await;
    let folder = world.path().join("mail");
    let transport = Transport::Folder(folder.clone());
    let table = world.table_with(12, ["", "ben@example.org"]).await;
    table.deploy().await;
    table.play.resign(&table.red.seat).await.unwrap();
    assert_eq!(send(&world, &transport).await, Ok(2));
    let texts: Vec<String> = files_for(folder, "ben@example.org").iter().map(|letter| plain(letter)).collect();
    assert!(texts.iter().any(|text| text.contains("Red has resigned: Blue wins.")), "{texts:?}");
    world.end().await;
}

/// Looking at the link changes nothing; following it makes the address count, once, and only while the seat still names it.
#[tokio::test]
async fn an_address_counts_once_its_link_was_followed() {
    for world in World::both().await {
        let table = world.table().await;
        let red = &table.red.seat;
        world.play.set_address(red, "Ann@Example.org").await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert!(letters[0].contains("To: Ann@Example.org"), "{}", letters[0]);
        assert!(letters[0].contains("Is this your address?") && letters[0].contains("button"), "{}", letters[0]);
        let secret = mailbox::mailed_link(&letters[0]).unwrap();
        assert_eq!(world.play.mailed_link(&secret).await.unwrap().address, "Ann@Example.org");
        assert_eq!(table.red.sees().await.address, None, "looking does nothing");
        table.deploy().await;
        assert!(mailbox::letters(&world.play, world.path()).await.is_empty(), "nothing goes to it yet");

        world.play.follow(&secret).await.unwrap();
        let view = table.red.sees().await;
        assert_eq!((view.address.as_deref(), view.unconfirmed), (Some("Ann@Example.org"), None));
        assert_eq!(world.play.follow(&secret).await, Err(PlayError::LinkOver), "it works once");
        assert_eq!(world.play.mailed_link(&secret).await, Err(PlayError::LinkOver));
        table.day("", "").await;
        assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 1);

        // The same address in other letters is the one that is confirmed; another one is not.
        world.play.set_address(red, "ann@example.org").await.unwrap();
        assert_eq!(table.red.sees().await.address.as_deref(), Some("Ann@Example.org"));
        world.play.set_address(red, "other@example.org").await.unwrap();
        let late = mailbox::mailed_link(&mailbox::letters(&world.play, world.path()).await[0]).unwrap();
        assert_eq!(table.red.sees().await.address, None);
        world.play.set_address(red, "third@example.org").await.unwrap();
        assert_eq!(world.play.follow(&late).await, Err(PlayError::LinkOver), "the seat has another address by now");
        world.wait(8 * 24 * 3600);
        let ended = mailbox::mailed_link(&mailbox::letters(&world.play, world.path()).await[0]).unwrap();
        assert_eq!(world.play.follow(&ended).await, Err(PlayError::LinkOver), "its time is over");
        world.end().await;
    }
}

/// Whoever types a stranger's address again and again sends five letters an hour at most.
#[tokio::test]
async fn nobody_is_flooded() {
    let world = World::sqlite().await;
    let table = world.table().await;
    for _ in 0..9 {
        world.play.set_address(&table.red.seat, "Victim@example.org").await.unwrap();
        world.play.set_address(&table.blue.seat, "victim@example.org").await.unwrap();
    }
    assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 5);
    world.wait(3601);
    world.play.set_address(&table.red.seat, "victim@example.org").await.unwrap();
    assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 1);
    world.end().await;
}

/// An address that is taken out gets nothing more, and the letter is given up, not tried for ever.
#[tokio::test]
async fn a_seat_without_an_address_gets_nothing() {
    let world = World::sqlite().await;
    let transport = Transport::Folder(world.path().join("mail"));
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;
    table.play.set_address(&table.red.seat, "").await.unwrap();
    assert_eq!(send(&world, &transport).await, Ok(1));
    assert_eq!(world.play.letters_waiting().await, Ok((0, None)));
    assert!(files_for(world.path().join("mail"), "ann@example.org").is_empty());
    world.end().await;
}
