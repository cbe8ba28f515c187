//! The doors for mail from outside: LMTP as a mail server speaks it, `fieldcommand deliver` as it runs it, and a whole game by
//! mail alone through a mail server of other people's making.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use fieldcommand::mail::Answers;
use fieldcommand::play::ServerKey;
use fieldcommand::play::postmark::Postmark;
use fieldcommand::rules::Side;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::world::game::Game;
use crate::world::server::Server;
use crate::world::{HUNT, deployment, exposed};

/// A mail server's end of a dialogue.
struct Dialogue(BufReader<TcpStream>);

impl Dialogue {
    async fn begin(server: &Server) -> Dialogue {
        let mut dialogue = Dialogue(BufReader::new(TcpStream::connect(server.mail.unwrap()).await.unwrap()));
        assert!(dialogue.hears().await.starts_with("220 "));
        dialogue
    }

    /// One answer, of however many lines.
    async fn hears(&mut self) -> String {
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).await.unwrap();
            answer.push_str(&line);
            if line.as_bytes().get(3) != Some(&b'-') {
                return answer.trim_end().to_owned();
            }
        }
    }

    async fn says(&mut self, text: &str) -> String {
        self.0.get_mut().write_all(format!("{text}\r\n").as_bytes()).await.unwrap();
        self.hears().await
    }
}

async fn server(seed: u64) -> Server {
    Server::start_with(seed, |settings| {
        settings.answers_to = Some("play@example.org".into());
        settings.lmtp_listen = Some("127.0.0.1:0".parse().unwrap());
    })
    .await
}

/// The address to which a letter of the server's comes back.
fn back(server: &Server, letter: &str) -> String {
    let key = ServerKey::from_hex(&fs::read_to_string(server.data().join("server.key")).unwrap()).unwrap();
    let mark = Postmark::Returned { letter: letter.to_owned(), secret: key.returned(letter) };
    Answers::parse("play@example.org").unwrap().to(&mark)
}

#[tokio::test]
async fn a_mail_server_hands_over_one_answer_for_each_recipient() {
    let server = server(71).await;
    let mut mta = Dialogue::begin(&server).await;
    assert!(mta.says("EHLO mta.example.org").await.starts_with("500 "), "this is no SMTP");
    let greeting = mta.says("LHLO mta.example.org").await;
    assert!(greeting.contains("PIPELINING") && greeting.contains("SIZE 1048576"), "{greeting}");
    assert!(mta.says("DATA").await.starts_with("503 "));
    assert!(mta.says("RCPT TO:<play@example.org>").await.starts_with("503 "));
    assert!(mta.says("MAIL FROM:<ann@example.com> SIZE=99999999").await.starts_with("552 "));
    assert!(mta.says("MAIL FROM:<ann@example.com>").await.starts_with("250 "));
    assert!(mta.says("RCPT TO:<play@example.org>").await.starts_with("550 5.1.1"));
    assert!(
        mta.says("RCPT TO:<play+0bcdefghjkmnr5aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org>").await.starts_with("550 5.1.1")
    );
    assert!(mta.says("DATA").await.starts_with("503 "), "nobody is left to write to");
    assert!(mta.says("NONSENSE").await.starts_with("500 "));
    assert!(mta.says("QUIT").await.starts_with("221 "));
    server.stop().await;
}

#[tokio::test]
async fn dots_and_long_messages_are_read_as_they_are_meant() {
    let server = server(72).await;
    // A letter of the server's own may come back to anybody: its address is known without a game.
    let [one, two] = ["01976f0e-8c6a-7000-8000-0123456789ab", "01976f0e-8c6a-7000-8000-0123456789ac"]
        .map(|letter| back(&server, letter));
    let mut mta = Dialogue::begin(&server).await;
    mta.says("LHLO mta.example.org").await;
    for body in [
        ".\r\n".to_owned(),
        "Subject: x\r\n\r\n..\r\n.\r\n".into(),
        format!("Subject: x\r\n\r\n{}\r\n.\r\n", "a\r\n".repeat(500_000)),
    ] {
        assert!(mta.says("MAIL FROM:<>").await.starts_with("250 "));
        for to in [&one, &two] {
            assert!(mta.says(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
        }
        assert!(mta.says("DATA").await.starts_with("354 "));
        mta.0.get_mut().write_all(body.as_bytes()).await.unwrap();
        let expected = if body.len() > 1_048_576 {
            "552 5.3.4"
        } else if body.len() > 3 {
            "250 "
        } else {
            "554 5.6.0"
        };
        for _ in 0..2 {
            let answer = mta.hears().await;
            assert!(answer.starts_with(expected), "{answer} for {} octets", body.len());
        }
    }
    assert!(mta.says("NOOP").await.starts_with("250 "), "the dialogue goes on after all that");
    server.stop().await;
}

/// Only CR LF, dot, CR LF ends a message: a mail server that lets other ends through smuggles no mail past its own checks.
#[tokio::test]
async fn no_mail_is_smuggled_within_another() {
    let server = server(76).await;
    let to = back(&server, "01976f0e-8c6a-7000-8000-0123456789ab");
    let mut mta = Dialogue::begin(&server).await;
    mta.says("LHLO mta.example.org").await;
    for end in ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r\n\0.\r\n", "\n.\r"] {
        assert!(mta.says("MAIL FROM:<a@b.c>").await.starts_with("250 "));
        assert!(mta.says(&format!("RCPT TO:<{to}>")).await.starts_with("250 "));
        assert!(mta.says("DATA").await.starts_with("354 "));
        let text = format!(
            "Subject: x\r\n\r\none{end}MAIL FROM:<x@y.z>\r\nRCPT TO:<{to}>\r\nDATA\r\nSubject: y\r\n\r\ntwo\r\n."
        );
        assert!(mta.says(&text).await.starts_with("250 2.0.0 kept"), "{end:?}");
        assert!(
            mta.says("NOOP").await.starts_with("250 2.0.0 ok"),
            "{end:?}: there is one answer, and nothing was asked behind it"
        );
    }
    let long = mta.says(&format!("RCPT TO:<{}@example.org>", "a".repeat(4000))).await;
    assert!(long.starts_with('5'), "{long}");
    server.stop().await;
}

/// Runs `fieldcommand deliver` with a mail, and gives its status and what it complains of.
fn deliver(data: &Path, more: &[&str], mail: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
    command.arg("deliver").arg("--data").arg(data).args(more);
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Who is refused at once reads nothing.
    let _ = running.stdin.take().unwrap().write_all(mail.as_bytes());
    let done = running.wait_with_output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[tokio::test]
async fn deliver_takes_a_mail_while_the_server_runs() {
    let server = server(73).await;
    let to = back(&server, "01976f0e-8c6a-7000-8000-0123456789ab");
    let answers = ["--answers-to", "play@example.org"];
    let mail = |to: &str| format!("Delivered-To: {to}\r\nFrom: <>\r\nSubject: x\r\n\r\ny\r\n");
    assert_eq!(deliver(server.data(), &answers, &mail(&to)), (Some(0), String::new()));
    let (status, complaint) = deliver(server.data(), &answers, &mail("play@example.org"));
    assert!(status == Some(67) && complaint.contains("--recipient"), "{complaint}");
    let named = [answers[0], answers[1], "--recipient", to.as_str()];
    assert_eq!(deliver(server.data(), &named, &mail("play@example.org")).0, Some(0));
    assert_eq!(deliver(server.data(), &named, "").0, Some(65));
    assert_eq!(deliver(server.data(), &[], &mail(&to)).0, Some(78), "no address is set");
    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(deliver(nowhere.path(), &answers, &mail(&to)).0, Some(78), "there is no server");
    assert!(fs::read_dir(nowhere.path()).unwrap().next().is_none(), "nothing is made");
    server.stop().await;
}

/// A player with nothing but a mailbox, which a mail server fills.
struct Correspondent {
    address: &'static str,
    mailbox: PathBuf,
    mta: String,
    read: HashSet<PathBuf>,
    number: u32,
}

/// A letter as a mail program shows it.
struct Letter {
    subject: String,
    reply_to: String,
    text: String,
    raw: String,
}

impl Correspondent {
    fn new(address: &'static str, place: &Path, mta: &str) -> Correspondent {
        let mailbox = place.join(address.split('@').next().unwrap()).join("new");
        Correspondent { address, mailbox, mta: mta.to_owned(), read: HashSet::new(), number: 0 }
    }

    /// The next letter whose subject or text has these words; others are put aside.
    async fn gets(&mut self, words: &str) -> Letter {
        for _ in 0..600 {
            for entry in fs::read_dir(&self.mailbox).into_iter().flatten() {
                let path = entry.unwrap().path();
                let Ok(raw) = fs::read_to_string(&path) else { continue };
                let letter = letter(&raw);
                let own = raw.contains(self.address);
                if own && (letter.subject.contains(words) || letter.text.contains(words)) && self.read.insert(path) {
                    return letter;
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{} waits for a letter with “{words}” in vain", self.address);
    }

    /// Answers a letter as mail programs do: above the quoted text.
    async fn answers(&mut self, letter: &Letter, text: &str) {
        self.number += 1;
        let quoted = format!("> {}", letter.text.lines().collect::<Vec<_>>().join("\r\n> "));
        let id = format!("<{}.{}>", self.number, self.address);
        let mail = format!(
            "From: {}\r\nTo: {}\r\nSubject: Re: {}\r\nMessage-ID: {id}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
             {}\r\n\r\nOn Mon, 30 Nov 2026 at 11:00, Field Command wrote:\r\n{quoted}\r\n",
            self.address,
            letter.reply_to,
            letter.subject,
            text.replace('\n', "\r\n")
        );
        let mut smtp = Dialogue(BufReader::new(TcpStream::connect(&self.mta).await.unwrap()));
        smtp.hears().await;
        for line in [
            "EHLO player.example",
            &format!("MAIL FROM:<{}>", self.address),
            &format!("RCPT TO:<{}>", letter.reply_to),
            "DATA",
        ] {
            let answer = smtp.says(line).await;
            assert!(answer.starts_with('2') || answer.starts_with("354"), "{line}: {answer}");
        }
        let dotted =
            mail.lines().map(|line| if line.starts_with('.') { format!(".{line}\r\n") } else { format!("{line}\r\n") });
        let answer = smtp.says(&(dotted.collect::<String>() + ".")).await;
        assert!(answer.starts_with("250"), "{answer}");
    }
}

fn letter(raw: &str) -> Letter {
    let read = mail_parser::MessageParser::default().parse(raw.as_bytes()).unwrap();
    let reply_to = read.reply_to().and_then(|to| to.first()).and_then(|to| to.address()).unwrap_or_default().to_owned();
    Letter {
        subject: read.subject().unwrap_or_default().to_owned(),
        reply_to,
        text: read.body_text(0).unwrap_or_default().replace("\r\n", "\n"),
        raw: raw.to_owned(),
    }
}

/// Says that something was not tried. The handle itself is written to, since what `eprintln` says of a test that passes is
/// shown to nobody.
fn skipped(what: &str) {
    std::io::stderr().write_all(format!("skipped: {what}\n").as_bytes()).unwrap();
}

/// The mail server that `scripts/test` has started: where it listens, where its mailboxes are, and where it hands over.
fn mail_server() -> Option<(String, PathBuf, u16)> {
    let listens = std::env::var("FIELDCOMMAND_TEST_MTA")
        .expect("scripts/test starts a mail server and sets FIELDCOMMAND_TEST_MTA");
    if listens == "none" {
        return None;
    }
    let var = |name: &str| std::env::var(name).unwrap();
    Some((listens, var("FIELDCOMMAND_TEST_MTA_MAILBOXES").into(), var("FIELDCOMMAND_TEST_MTA_LMTP").parse().unwrap()))
}

#[tokio::test]
async fn a_whole_game_is_played_by_mail_alone_through_a_mail_server() {
    let Some((mta, mailboxes, lmtp)) = mail_server() else {
        skipped("a game through a mail server: none runs here (scripts/test says why)");
        return;
    };
    let server = Server::start_with(74, |settings| {
        settings.answers_to = Some("play@play.test".into());
        settings.mail_from = "Field Command <play@play.test>".into();
        settings.lmtp_listen = Some(([127, 0, 0, 1], lmtp).into());
        settings.smtp_url = Some(format!("smtp://{mta}?tls=none"));
    })
    .await;
    let mut ann = Correspondent::new("ann@players.test", &mailboxes, &mta);
    let mut ben = Correspondent::new("ben@players.test", &mailboxes, &mta);
    let game = Game::opened(&server).await;
    for (side, player) in [(Side::Red, &mut ann), (Side::Blue, &mut ben)] {
        let token = if side == Side::Red { &game.red } else { &game.blue };
        let path = format!("/games/{}/{}/address", game.id, side.word());
        assert!(server.program(token).put(&path, &json!({"address": player.address})).await.status.is_success());
        let asked = player.gets("Is this your address?").await;
        let secret = asked.text.split_once("/m/").unwrap().1.get(..26).unwrap().to_owned();
        server.browser().post(&format!("/m/{secret}"), &[]).await;
    }

    // From here on there is nothing but mail.
    let open = ann.gets("your deployment, please").await;
    ann.answers(&open, &format!("{}\n\nBest wishes\nAnn", deployment(Side::Red, "balanced"))).await;
    let receipt = ann.gets("Deployment is sealed").await;
    assert!(
        receipt.text.contains("Seal: ") && receipt.raw.contains("Auto-Submitted: auto-generated"),
        "{}",
        receipt.raw
    );
    let open = ben.gets("your deployment, please").await;
    ben.answers(&open, "STATUS").await;
    assert!(ben.gets("where the game stands").await.text.contains("Ann has sealed"));
    ben.answers(&open, &exposed()).await;

    let day = ann.gets("Deployment has been resolved").await;
    ann.answers(&day, &format!("{}\nE5-E6", HUNT[0])).await;
    let asked = ann.gets("answer YES to seal").await;
    assert!(asked.text.contains("E5-E6 (not legal)"), "{}", asked.text);
    ann.answers(&asked, "YES").await;
    ann.gets("Day 1 is sealed").await;
    ann.answers(&asked, "SAY Nice weather for it.").await;
    ann.gets("your message was sent").await;
    ben.gets("Nice weather for it.").await;
    let day = ben.gets("Deployment has been resolved").await;
    ben.answers(&day, "I surrender? No.").await;
    ben.gets("could not be read").await;
    ben.answers(&day, "HOLD").await;
    ben.gets("Day 1 is sealed").await;

    let report = ann.gets("Day 1 has been resolved").await;
    ann.answers(&report, HUNT[1]).await;
    ann.gets("Day 2 is sealed").await;
    // An answer to the day before does nothing, and says where the game stands.
    ben.answers(&day, "E3-G3").await;
    assert!(ben.gets("is over").await.text.contains("Day 2 is awaited"));
    let report = ben.gets("Day 1 has been resolved").await;
    ben.answers(&report, "RESIGN").await;
    ben.gets("answer YES to resign").await;
    ben.answers(&report, "HOLD").await;
    let end = ann.gets("Day 2 has been resolved").await;
    assert!(end.text.contains("The game is over."), "{}", end.text);
    ben.gets("Day 2 has been resolved").await;
    server.stop().await;
}

/// After a silence, or when the server stops, the connection is closed: what comes next is the rest of a message, and no
/// command.
#[tokio::test]
async fn half_a_message_is_followed_by_no_command() {
    let server = server(77).await;
    let to = back(&server, "01976f0e-8c6a-7000-8000-0123456789ab");
    let mut mta = Dialogue::begin(&server).await;
    mta.says("LHLO mta.example.org").await;
    mta.says("MAIL FROM:<>").await;
    mta.says(&format!("RCPT TO:<{to}>")).await;
    assert!(mta.says("DATA").await.starts_with("354 "));
    mta.0.get_mut().write_all(b"Subject: x\r\n\r\nhalf of it\r\n").await.unwrap();
    server.stop().await;
    let mut rest = String::new();
    mta.0.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "421 4.3.2 the server stops, or waited for too long\r\n");
}
