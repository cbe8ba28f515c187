//! Mail that comes in: how it is read, and what it does in a game.

use std::fs;
use std::path::{Path, PathBuf};

use fieldcommand::mail::Answers;
use fieldcommand::mail::inbound::reader;
use fieldcommand::mail::inbound::{Door, NotTaken};
use fieldcommand::play::Seat;
use fieldcommand::play::ledger::LetterFate;
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::postmark::Postmark;
use fieldcommand::play::wishes::Wishes;
use fieldcommand::store::StoreError;
use proptest::prelude::*;

use crate::world::{HUNT, Player, Table, World, deployment, exposed, mailbox};

/// The mails of `cases/mail`, by name.
fn mails() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/mail");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "eml")).collect();
    files.sort();
    files
}

#[test]
fn every_program_s_answers_are_read_as_they_were_written() {
    let (mut wrong, mails) = (Vec::new(), mails());
    for file in &mails {
        let read = reader::read(&fs::read(file).unwrap(), Some("mx.example.org")).unwrap();
        let read = serde_json::to_value(&read).unwrap();
        let expected: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(file.with_extension("json")).unwrap()).unwrap();
        if read != expected {
            wrong.push(format!("{}:\n{read:#}\ninstead of\n{expected:#}", file.display()));
        }
    }
    assert!(mails.len() >= 60, "{} mails", mails.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_mail_that_is_too_large_or_nests_without_end_is_refused() {
    assert_eq!(reader::read(&vec![b'a'; reader::LONGEST + 1], None), Err(reader::Unreadable::TooLong));
    let nested = "Content-Type: message/rfc822\r\n\r\n".repeat(30_000);
    assert_eq!(reader::read(nested.as_bytes(), None), Err(reader::Unreadable::TooManyParts));
    // Nor does white space in a header's name hide it.
    let nested = "Content -\tType: message/rfc822\r\n\r\n".repeat(25_000);
    assert_eq!(reader::read(nested.as_bytes(), None), Err(reader::Unreadable::TooManyParts));
    assert_eq!(reader::read(b"", None), Err(reader::Unreadable::NoMessage));
}

/// Mails that hold a message which is encoded, though RFC 2046 (5.2.1) forbids it, and nests `levels` deep within.
fn encoded_nests(levels: usize) -> Vec<String> {
    let inner = "Content-Type:message/rfc822\n\n".repeat(levels) + "A: b\n\nH7-F7\n";
    let base64 = data_encoding::BASE64_MIME.encode(inner.as_bytes());
    // Eight octets of each level's 29 are kept, so that the mail stays within its bound.
    let quoted = inner.replace("Content-", "Con=74ent-");
    let head = "From: ann@example.com\r\nMessage-ID: <1@example.com>\r\n";
    let mut mails = Vec::new();
    for (encoding, body) in [("base64", &base64), ("quoted-printable", &quoted)] {
        let how = format!("Content-Transfer-Encoding: {encoding}\r\n");
        mails.push(format!("{head}Content-Type: message/rfc822\r\n{how}\r\n{body}"));
        mails.push(format!("{head}Content-Type: message/global\r\n{how}\r\n{body}"));
        mails.push(format!(
            "{head}Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n{how}\r\n{body}\r\n--b--\r\n"
        ));
        mails.push(format!(
            "{head}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nE5-E6\r\n\
             --b\r\nContent-Type: message/rfc822\r\n{how}\r\n{body}\r\n--b--\r\n"
        ));
    }
    mails
}

#[test]
fn an_encoded_message_within_a_mail_is_not_opened() {
    for levels in [1, 500, 25_000] {
        for mail in encoded_nests(levels) {
            // A stack that a few hundred levels would fill.
            let read = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || {
                let read = reader::read(mail.as_bytes(), None);
                (read.map(|read| read.text), reader::report::read(mail.as_bytes()))
            });
            let (text, report) = read.unwrap().join().unwrap();
            assert!(text.as_ref().is_ok_and(|text| !text.contains("H7")) || levels == 25_000, "{text:?}");
            assert!(report.as_ref().is_ok_and(Option::is_none) || levels == 25_000, "{report:?}");
        }
    }
}

#[test]
fn as_many_levels_as_a_mail_may_have_need_little_room() {
    let nested = "Content-Type: message/rfc822\r\n\r\n".repeat(100);
    let read = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || reader::read(nested.as_bytes(), None));
    assert!(read.unwrap().join().unwrap().is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// However a mail is mangled, it is read without a panic, and what comes out is bounded and plain.
    #[test]
    fn mangled_mails_are_read_without_a_panic(
        which in any::<prop::sample::Index>(),
        wounds in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::collection::vec(any::<u8>(), 0..8)), 1..6),
    ) {
        let mails = mails();
        let mut bytes = fs::read(which.get(&mails)).unwrap();
        for (at, cut, put) in wounds {
            let at = at.index(bytes.len() + 1);
            let end = (at + cut).min(bytes.len());
            drop(bytes.splice(at..end, put));
        }
        if let Ok(read) = reader::read(&bytes, Some("mx.example.org")) {
            prop_assert!(read.text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
        }
        let _ = reader::report::read(&bytes);
    }

    /// Whatever stands before an `@`: an address is read without a panic, and one that is read is written as it was read.
    #[test]
    fn any_address_is_read_without_a_panic(any in ".{0,80}", mark in "[0-9a-z]{0,14}[rbl][0-9]{0,7}[a-z2-7]{0,44}") {
        let answers = Answers::parse("play@example.org").unwrap();
        for address in [format!("{any}@example.org"), format!("play+{any}@example.org"), format!("PLAY+{mark}@Example.org"), mark, any] {
            if let Some(read) = answers.mark(&address) {
                prop_assert_eq!(answers.mark(&answers.to(&read)), Some(read));
            }
        }
    }
}

/// A game by mail: what is written to the server, and the letters that come of it.
struct Post<'w> {
    world: &'w World,
    table: Table,
    door: Door,
    number: std::cell::Cell<u32>,
}

const ANN: &str = "ann@example.com";
const BEN: &str = "ben@example.com";

impl<'w> Post<'w> {
    async fn begin(world: &'w World) -> Post<'w> {
        let table = world.table_with(12, [ANN, BEN]).await;
        let answers = Answers::parse("play@example.org").unwrap();
        let door = Door::new(world.play.clone(), answers, Some("mx.example.org"), "example.org");
        let post = Post { world, table, door, number: 0.into() };
        post.letters().await;
        post
    }

    /// The letters that are due, decoded: headers, then the plain text.
    async fn letters(&self) -> Vec<String> {
        let letters = mailbox::letters(&self.world.play, self.world.path()).await;
        letters.iter().map(|letter| decoded(letter)).collect()
    }

    /// The address for answers of a player's awaited turn.
    async fn address(&self, player: &Player) -> String {
        self.address_for(&player.seat, player.sees().await.standing.turn())
    }

    fn address_for(&self, seat: &Seat, turn: u32) -> String {
        Answers::parse("play@example.org").unwrap().to(&self.world.play.answer_mark(seat, turn))
    }

    /// Writes a mail with these headers more, and gives the letters that come of it.
    async fn sends(&self, from: &str, to: &str, more: &str, text: &str) -> Vec<String> {
        self.number.set(self.number.get() + 1);
        let id = format!("<mail-{}@example.com>", self.number.get());
        let mail = format!(
            "Return-Path: <{from}>\r\nFrom: {from}\r\nTo: {to}\r\nMessage-ID: {id}\r\nSubject: Re: Day\r\n{more}\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\r\nOn Mon, 30 Nov 2026, Field Command wrote:\r\n> old\r\n"
        );
        self.door.take(to, false, mail.as_bytes()).await.unwrap();
        self.letters().await
    }

    /// Writes as the player of a seat, and gives the one letter that comes in answer.
    async fn writes(&self, player: &Player, text: &str) -> String {
        let from = if player.seat == self.table.red.seat { ANN } else { BEN };
        let to = self.address(player).await;
        let mut letters = self.sends(from, &to, "", text).await;
        let answers = format!("In-Reply-To: <mail-{}@example.com>", self.number.get());
        let at = letters.iter().position(|letter| letter.contains(&answers)).expect("no answer comes");
        letters.remove(at)
    }
}

fn decoded(letter: &str) -> String {
    let head = letter.split("\n\n").next().unwrap();
    let read = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
    format!("{}\n\n{}", head.replace("\n ", " "), read.body_text(0).unwrap().replace("\r\n", "\n"))
}

#[tokio::test]
async fn a_game_is_deployed_and_fought_by_mail() {
    for world in World::both().await {
        let post = Post::begin(&world).await;
        let (red, blue) = (post.table.red.clone(), post.table.blue.clone());
        let receipt = post.writes(&red, &deployment(red.seat.side(), "balanced")).await;
        let own = red.sees().await.own.unwrap();
        assert!(receipt.contains("Deployment is sealed") && receipt.contains(&own.seal.hash), "{receipt}");
        assert!(receipt.contains("In-Reply-To: <mail-1@example.com>"), "{receipt}");
        assert_eq!(post.writes(&blue, "STATUS").await.matches("Ann has sealed").count(), 1);
        post.writes(&blue, &exposed()).await;
        for order in HUNT {
            let receipt = post.writes(&red, &format!("Hi,\n\n{order}\n\nBest wishes\nAnn")).await;
            assert!(receipt.contains(&format!("{order} (legal)")), "{receipt}");
            let report = post.writes(&blue, "hold").await;
            assert!(report.contains("resolved"), "{report}");
        }
        let over = red.sees().await;
        assert!(over.ended.is_some(), "the General is taken");
        let games = post.writes(&red, "STATUS ALL").await;
        assert!(games.contains("Day 1 can be watched"), "{games}");
        assert!(post.writes(&red, "H7-F7").await.contains("The game is over."));
        world.end().await;
    }
}

#[tokio::test]
async fn a_list_with_illegal_lines_waits_for_a_yes() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let red = &post.table.red;
    let asked = post.writes(red, "I4-G4\nE5-E6").await;
    assert!(asked.contains("answer YES to seal") && asked.contains("E5-E6 (not legal)"), "{asked}");
    assert_eq!(red.sees().await.own, None);
    assert_eq!(red.sees().await.draft.as_deref(), Some("I4-G4\nE5-E6"));
    let receipt = post.writes(red, "Yes!").await;
    assert!(receipt.contains("Day 1 is sealed") && receipt.contains("One line will not be carried out."), "{receipt}");
    assert_eq!(red.sees().await.own.unwrap().text, "I4-G4 E5-E6");
    assert!(post.writes(red, "YES").await.contains("nothing was asked"), "a yes is good once");
    // What cannot be read changes nothing, names line and word, and is quoted.
    let refused = post.writes(red, "I4-G4\nG8-L8").await;
    assert!(refused.contains("Line 2, “L8”") && refused.contains("2: G8-L8"), "{refused}");
    assert!(refused.contains("What you had sealed before stays sealed."), "{refused}");
    assert_eq!(red.sees().await.own.unwrap().text, "I4-G4 E5-E6");
    assert!(post.writes(red, "clear").await.contains("taken back"));
    assert_eq!((red.sees().await.own, red.sees().await.draft), (None, None));
    // A sure one asks nothing.
    assert!(post.writes(red, "E5-E6\nYES").await.contains("Day 1 is sealed"));
    let refused = post.writes(red, "HOLD\nI4-G4").await;
    assert!(refused.contains("Write one or the other"), "{refused}");
    let asked = post.writes(red, "I4-G4\n\nno, rather wait until tomorrow").await;
    assert!(asked.contains("could not be read") && asked.contains("no, rather wait"), "{asked}");
    world.end().await;
}

#[tokio::test]
async fn words_reach_the_opponent_by_say_alone() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, blue) = (&post.table.red, &post.table.blue);
    let heard = async || world.play.messages(&blue.seat, None).await.unwrap().messages;
    let said = post.writes(red, "SAY Good luck!\nMay it last.\n\nmy dog barks").await;
    assert!(said.contains("and nothing else of your mail") && said.contains("my dog barks"), "{said}");
    assert_eq!(heard().await.pop().unwrap().text, "Good luck!\nMay it last.");
    let asked = post.writes(red, "SAY I go I4-G4").await;
    assert!(asked.contains("has not got it"), "{asked}");
    assert_eq!(heard().await.len(), 1);
    assert!(post.writes(red, "YES").await.contains("gets your message"));
    assert_eq!(heard().await.pop().unwrap().text, "I go I4-G4");
    let unread = post.writes(red, "I will think about it.").await;
    assert!(unread.contains("could not be read"), "{unread}");
    assert_eq!(heard().await.len(), 2);
    // What the opponent writes is no part of it.
    world.play.send_message(&blue.seat, ToSend { text: "Hello".into(), all_the_same: false }).await.unwrap();
    world.end().await;
}

#[tokio::test]
async fn draws_are_offered_and_agreed_and_resigning_is_asked_about() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, blue) = (&post.table.red, &post.table.blue);
    assert!(post.writes(red, "DRAW").await.contains("is offered a draw"));
    assert_eq!(blue.sees().await.offers.len(), 1);
    assert!(post.writes(blue, "draw no").await.contains("No offer of a draw stands now."));
    assert!(blue.sees().await.offers.is_empty());
    assert!(post.writes(red, "RESIGN").await.contains("Answer YES to do so"));
    assert!(red.sees().await.ended.is_none());
    post.table.day("", "").await;
    post.letters().await;
    assert!(post.writes(red, "YES").await.contains("nothing was asked"), "the question ended with its day");
    post.writes(red, "resign").await;
    assert!(post.writes(red, "yes").await.contains("You have resigned"));
    assert!(red.sees().await.ended.unwrap().how.contains("Red has resigned"));
    assert!(post.writes(red, "HELP\nMAP").await.contains("HOLD: seals an empty list"));
    world.end().await;
}

#[tokio::test]
async fn an_old_letter_s_address_does_nothing_more() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, old) = (&post.table.red, post.address(&post.table.red).await);
    post.writes(red, "I4-G4").await;
    post.writes(&post.table.blue, "HOLD").await;
    let late = post.sends(ANN, &old, "", "G4-E4\nSAY hello").await;
    assert_eq!(late.len(), 1);
    assert!(late[0].contains("which is over") && late[0].contains("Day 2 is awaited"), "{late:?}");
    assert!(world.play.messages(&red.seat, None).await.unwrap().messages.is_empty());
    // Who lost the receipt gets it again.
    let again = post.sends(ANN, &old, "", "I4-G4").await;
    assert!(again[0].contains("Day 1 is sealed and has been resolved"), "{again:?}");
    let strange = post.address_for(&post.table.blue.seat, 2).replace("example.org", "example.com");
    assert!(matches!(post.door.take(&strange, false, b"From: a@b.c\r\n\r\nx").await, Err(NotTaken::NoSuchAddress)));
    let forged = old.replacen("r1", "r2", 1);
    assert!(matches!(post.door.knows(&forged).await, Err(NotTaken::NoSuchAddress)), "a day's secret is no other day's");
    world.end().await;
}

#[tokio::test]
async fn who_may_write_is_the_seat_s_address_and_those_that_it_allows() {
    for world in World::both().await {
        let post = Post::begin(&world).await;
        post.table.deploy().await;
        post.letters().await;
        let (red, to) = (&post.table.red, post.address(&post.table.red).await);
        let asked = post.sends("ann@work.example", &to, "", "I4-G4").await;
        assert_eq!(red.sees().await.own, None);
        assert_eq!(asked.len(), 1);
        assert!(asked[0].contains("To: ann@example.com") && asked[0].contains("ann@work.example"), "{asked:?}");
        let secret = mailbox::mailed_link(&asked[0]).unwrap();
        assert_eq!(world.play.mailed_link(&secret).await.unwrap().allows.as_deref(), Some("ann@work.example"));
        world.play.follow(&secret).await.unwrap();
        let answers = post.sends("Ann <Ann@Work.example>", &to, "", "I4-G4").await;
        assert!(answers[0].contains("To: ann@example.com") && answers[0].contains("is sealed"), "{answers:?}");
        // The server that took the mail says whether its sender is who it says.
        let failed = "Authentication-Results: mx.example.org; dmarc=fail header.from=example.com\r\n";
        let disowned = post.sends(ANN, &to, failed, "CLEAR").await;
        assert!(disowned[0].contains("disowns it"), "{disowned:?}");
        assert!(red.sees().await.own.is_some());
        let strangers = "Authentication-Results: mx.evil.example; dmarc=fail\r\n";
        assert!(post.sends(ANN, &to, strangers, "CLEAR").await[0].contains("taken back"));
        world.end().await;
    }
}

/// A mail that was held does what it asks for when it comes again, once its address is allowed; even with the same Message-ID.
#[tokio::test]
async fn a_mail_that_was_held_may_be_sent_again() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, to) = (&post.table.red, post.address(&post.table.red).await);
    let mail = format!("From: ann@work.example\r\nTo: {to}\r\nMessage-ID: <held@work.example>\r\n\r\nSAY again\r\n");
    let mut asked = Vec::new();
    for _ in 0..3 {
        post.door.take(&to, false, mail.as_bytes()).await.unwrap();
        asked.extend(post.letters().await);
    }
    assert_eq!(asked.len(), 1, "it is asked about once");
    world.play.follow(&mailbox::mailed_link(&asked[0]).unwrap()).await.unwrap();
    for _ in 0..3 {
        post.door.take(&to, false, mail.as_bytes()).await.unwrap();
    }
    assert_eq!(world.play.messages(&red.seat, None).await.unwrap().messages.len(), 1);
    world.end().await;
}

#[tokio::test]
async fn nothing_is_done_twice_and_no_program_is_answered() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, to) = (&post.table.red, post.address(&post.table.red).await);
    let mail = format!("From: {ANN}\r\nTo: {to}\r\nMessage-ID: <once@example.com>\r\n\r\nSAY once\r\n");
    for _ in 0..3 {
        post.door.take(&to, false, mail.as_bytes()).await.unwrap();
    }
    assert_eq!(world.play.messages(&red.seat, None).await.unwrap().messages.len(), 1);
    assert_eq!(post.letters().await.len(), 2, "one answer, and the opponent's letter");
    for more in ["Auto-Submitted: auto-replied\r\n", "Precedence: bulk\r\n", "List-Id: <a.example.com>\r\n"] {
        assert!(post.sends(ANN, &to, more, "RESIGN").await.is_empty(), "{more}");
    }
    post.door.take(&to, true, format!("From: {ANN}\r\nMessage-ID: <n@e>\r\n\r\nRESIGN\r\n").as_bytes()).await.unwrap();
    let ours =
        "From: ann@example.com\r\nMessage-ID: <01976f0e-8c6a-7000-8000-0123456789ab@example.org>\r\n\r\nRESIGN\r\n";
    post.door.take(&to, false, ours.as_bytes()).await.unwrap();
    assert!(post.letters().await.is_empty());
    for _ in 0..60 {
        post.sends(ANN, &to, "", "nothing").await;
    }
    assert!(post.sends(ANN, &to, "", "HELP").await.is_empty(), "a day has an end");
    world.wait(25 * 3600);
    assert_eq!(post.sends(ANN, &to, "", "HELP").await.len(), 1);
    world.end().await;
}

#[tokio::test]
async fn what_an_answer_quotes_is_kept_until_it_has_left() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let to = post.address(&post.table.red).await;
    let kept = async || {
        let id = post.table.red.seat.game().to_string();
        let read = world
            .store
            .read::<_, StoreError, _>(move |tx| Box::pin(async move { tx.mail_answer(&id, "red", 1).await }));
        read.await.unwrap()
    };
    let mail = format!("From: {ANN}\r\nTo: {to}\r\nMessage-ID: <a@example.com>\r\n\r\nI4-G4\r\n");
    post.door.take(&to, false, mail.as_bytes()).await.unwrap();
    assert!(kept().await.unwrap().1.contains("I4-G4"));
    post.letters().await;
    assert_eq!(kept().await, None);
    world.end().await;
}

#[tokio::test]
async fn a_press_on_the_program_s_button_stops_the_letters_of_the_game() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let to = post.address(&post.table.red).await;
    let mail = format!("From: {ANN}\r\nTo: {to}\r\nSubject: unsubscribe\r\nMessage-ID: <u@example.com>\r\n\r\n\r\n");
    post.door.take(&to, false, mail.as_bytes()).await.unwrap();
    let seen = post.table.red.sees().await;
    assert!(seen.stopped.get(seen.side).is_some());
    world.end().await;
}

#[tokio::test]
async fn a_letter_that_came_back_is_known() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    let (answers, red) = (Answers::parse("play@example.org").unwrap(), &post.table.red);
    let letter = post.writes(red, "HELP").await;
    let id = letter.lines().find_map(|line| line.strip_prefix("Message-ID: <")).unwrap().split('@').next().unwrap();
    let to = answers.to(&world.play.return_mark(id));
    post.door.knows(&to).await.unwrap();
    let newest = async || world.play.letters(&red.seat).await.unwrap().remove(0).fate;
    // Absent people's programs write there too.
    post.door.take(&to, false, b"From: a@b.c\r\nSubject: Out of office\r\n\r\nI am away.\r\n").await.unwrap();
    assert!(matches!(newest().await, LetterFate::Sent(_)), "{:?}", newest().await);
    let report = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/mail/auto_dsn.eml")).unwrap();
    post.door.take(&to, true, &report).await.unwrap();
    assert!(
        matches!(newest().await, LetterFate::CameBack { hard: true, why, .. } if why.contains("550 5.1.1 User unknown")),
        "{:?}",
        newest().await
    );
    let Postmark::Returned { secret, .. } = world.play.return_mark(id) else { panic!() };
    let forged = Postmark::Returned { letter: "01976f0e-8c6a-7000-8000-0123456789ac".into(), secret };
    assert!(post.door.knows(&answers.to(&forged)).await.is_err(), "no letter is another one");
    world.end().await;
}

#[tokio::test]
async fn who_wants_lists_sealed_at_once_is_not_asked() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    world.play.ask_sign_in(ANN).await.unwrap();
    let secret = mailbox::mailed_link(&post.letters().await[0]).unwrap();
    let session = world.play.follow_in_browser(&secret, None).await.unwrap().session.unwrap();
    world.play.set_person(&session, "Ann", Wishes { seal_at_once: true, ..Wishes::default() }).await.unwrap();
    assert!(post.writes(&post.table.red, "E5-E6").await.contains("Day 1 is sealed"));
    world.end().await;
}

/// Of what a mail asks for one thing is asked about; a YES does that, and nothing else.
#[tokio::test]
async fn a_yes_says_yes_to_one_thing() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, blue) = (&post.table.red, &post.table.blue);
    let asked = post.writes(red, "E5-E6\n\nSAY I go I4-G4 then\n\nRESIGN").await;
    assert!(asked.contains("answer YES to seal"), "{asked}");
    assert!(
        asked.contains("has not got it, and YES will not send it") && asked.contains("You have not resigned"),
        "{asked}"
    );
    assert_eq!(asked.matches("Answer YES").count(), 1, "{asked}");
    assert!(post.writes(red, "YES").await.contains("Day 1 is sealed"));
    assert!(world.play.messages(&blue.seat, None).await.unwrap().messages.is_empty());
    assert!(red.sees().await.ended.is_none());
    assert!(post.writes(red, "YES").await.contains("nothing was asked"));
    // Without a list the message comes first.
    let asked = post.writes(red, "RESIGN\n\nSAY I go I4-G4 then").await;
    assert!(asked.contains("Answer YES to send it") && asked.contains("You have not resigned"), "{asked}");
    post.writes(red, "YES").await;
    assert_eq!(world.play.messages(&blue.seat, None).await.unwrap().messages.len(), 1);
    assert!(red.sees().await.ended.is_none());
    world.end().await;
}

/// Who answers an older letter than the one that asked last means something else.
#[tokio::test]
async fn a_yes_to_an_older_letter_does_nothing() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let (red, to) = (&post.table.red, post.address(&post.table.red).await);
    let answering = |letter: &str| {
        let id = letter.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap().trim().to_owned();
        format!("In-Reply-To: {id}\r\nReferences: <nobody@example.net> {id}\r\n")
    };
    let first = post.writes(red, "E5-E6").await;
    world.wait(60);
    let second = post.writes(red, "RESIGN").await;
    world.wait(60);
    let done = post.sends(ANN, &to, &answering(&first), "YES").await.remove(0);
    assert!(done.contains("older than the last question"), "{done}");
    assert!(red.sees().await.ended.is_none() && red.sees().await.own.is_none());
    // A newer letter than the one that asked will do, and so will the one itself.
    let status = post.writes(red, "STATUS").await;
    world.wait(60);
    let third = post.writes(red, "E5-E6").await;
    assert!(post.sends(ANN, &to, &answering(&status), "YES").await[0].contains("older than the last question"));
    world.wait(60);
    let newer = post.writes(red, "STATUS").await;
    assert!(post.sends(ANN, &to, &answering(&newer), "YES").await[0].contains("Day 1 is sealed"));
    post.writes(red, "RESIGN").await;
    assert!(post.sends(ANN, &to, &answering(&third), "YES").await[0].contains("older than the last question"));
    assert!(post.sends(ANN, &to, &answering(&second), "YES").await[0].contains("older than the last question"));
    let asked = post.writes(red, "RESIGN").await;
    assert!(
        post.sends(ANN, &to, &answering(&asked), "YES").await.iter().any(|letter| letter.contains("You have resigned"))
    );
    world.end().await;
}

/// What was sealed on the page after a question is not replaced by a YES to it.
#[tokio::test]
async fn a_seal_on_the_page_answers_the_question() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let red = &post.table.red;
    post.writes(red, "E5-E6").await;
    red.submits("I4-G4").await.unwrap();
    assert!(post.writes(red, "YES").await.contains("nothing was asked"));
    assert_eq!(red.sees().await.own.unwrap().text, "I4-G4");
    post.writes(red, "E5-E6").await;
    world.play.withdraw_sheet(&red.seat, 1).await.unwrap();
    assert!(post.writes(red, "YES").await.contains("nothing was asked"));
    assert_eq!(red.sees().await.own, None);
    world.end().await;
}

/// HOLD beside other words is asked about once, and a draft outlasts it.
#[tokio::test]
async fn a_doubtful_hold_leaves_the_draft() {
    let world = World::sqlite().await;
    let post = Post::begin(&world).await;
    post.table.deploy().await;
    post.letters().await;
    let red = &post.table.red;
    post.writes(red, "I4-G4\nE5-E6").await;
    let asked = post.writes(red, "HOLD\n\nno, rather wait until tomorrow").await;
    assert!(asked.contains("Answer YES to seal an empty list"), "{asked}");
    assert_eq!(asked.matches("no, rather wait").count(), 1, "{asked}");
    assert_eq!(red.sees().await.draft.as_deref(), Some("I4-G4\nE5-E6"));
    assert!(post.writes(red, "YES").await.contains("nobody moves"));
    assert_eq!(red.sees().await.own.unwrap().text, "");
    world.end().await;
}

/// Who takes a seat over finds nothing of what the one before had asked for by mail.
#[tokio::test]
async fn who_takes_a_seat_over_is_asked_nothing() {
    for world in World::both().await {
        for resigns in [false, true] {
            let post = Post::begin(&world).await;
            let (red, blue) = (&post.table.red, &post.table.blue);
            let list = format!("{}\n\nno, rather wait until tomorrow", deployment(blue.seat.side(), "balanced"));
            let asked = post.writes(blue, if resigns { "RESIGN" } else { &list }).await;
            assert!(asked.contains("nswer YES"), "{asked}");
            let to = post.address(blue).await;
            post.sends("ben@work.example", &to, "", "HELP").await;
            world.play.unseat(&red.seat).await.unwrap();
            for table in ["mail_questions", "mail_answers", "mail_senders"] {
                assert_eq!(world.count(table).await, 0, "{table}");
            }
            let invitation = red.sees().await.invitation.unwrap();
            let taken = world.play.take_seat(&invitation, "Cleo").await.unwrap();
            let cleo = Player::new(&world.play, world.play.seat_of_link(&taken.link).await.unwrap());
            world.play.set_address(&cleo.seat, BEN).await.unwrap();
            mailbox::confirm_all(&world.play, world.path()).await;
            assert!(post.writes(&cleo, "YES").await.contains("nothing was asked"));
            assert_eq!((cleo.sees().await.own, cleo.sees().await.ended), (None, None));
        }
        world.end().await;
    }
}
