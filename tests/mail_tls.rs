//! Letters that leave over protected connections, to a server of other people's making: which servers are believed, who is
//! let in, and that nothing ever leaves in the clear that was to be protected.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fieldcommand::mail::transport::{Limits, SmtpServer};
use fieldcommand::mail::{Sender, Transport};
use fieldcommand::play::ledger::LetterFate;
use fieldcommand::runner::outbox::send_due;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::world::{Table, World};

const PASSWORD: &str = "correct horse";

/// The servers of `tests/world/relay.py`, with a certificate for this machine and one for another, by an authority of their own.
struct Relay {
    folder: tempfile::TempDir,
    running: Child,
    ports: HashMap<String, u16>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

/// A certificate with its key; `by` is the authority's, or it is one itself.
pub fn certificate(folder: &Path, name: &str, for_whom: &str, by: Option<&str>) {
    let mut openssl = Command::new("openssl");
    openssl.current_dir(folder).args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    openssl.args(["-noenc", "-days", "2", "-subj", &format!("/CN={name}")]);
    openssl.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
    if let Some(by) = by {
        openssl.args(["-CA", &format!("{by}.pem"), "-CAkey", &format!("{by}.key")]);
        openssl.args([
            "-addext",
            &format!("subjectAltName={for_whom}"),
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ]);
    }
    let done = openssl.output().expect("openssl is installed");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

impl Relay {
    fn start() -> Relay {
        let folder = tempfile::tempdir().unwrap();
        certificate(folder.path(), "authority", "", None);
        certificate(folder.path(), "right", "DNS:localhost,IP:127.0.0.1", Some("authority"));
        certificate(folder.path(), "wrong", "DNS:mail.example.net", Some("authority"));
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/world/relay.py");
        let mut running = Command::new("/usr/bin/python3")
            .arg(program)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(running.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ports = serde_json::from_str(&line).expect("the servers listen (python3-aiosmtpd is installed)");
        Relay { folder, running, ports }
    }

    /// The way to one of them, as the setting names it: `{port}` and `{ca}` stand for what they are.
    fn by(&self, server: &str, setting: &str) -> Transport {
        let ca = self.folder.path().join("authority.pem");
        let setting = setting.replace("{port}", &self.ports[server].to_string()).replace("{ca}", ca.to_str().unwrap());
        impatient(&setting)
    }

    /// What has come to one of them, with how it came.
    fn mails(&self, server: &str) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let own = files.filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            path.extension().is_some_and(|end| end == "eml")
                && name.trim_end_matches(".eml").trim_end_matches(char::is_numeric) == server
        });
        own.map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}

fn impatient(setting: &str) -> Transport {
    let patience = Duration::from_secs(10);
    let limits = Limits { step: patience, whole: patience, letter: patience * 3 };
    Transport::Smtp(SmtpServer::parse(setting).unwrap().within(limits))
}

/// Tries the letter that waits, and gives what became of it.
async fn tried(world: &World, table: &Table, transport: &Transport) -> LetterFate {
    world.wait(7 * 3600);
    let sender = Sender {
        from: "Field Command <games@example.org>".parse().unwrap(),
        public_url: "https://play.example.org".into(),
        answers: None,
    };
    assert_eq!(send_due(&world.play, &sender, transport, &CancellationToken::new()).await.unwrap(), 1);
    world.play.letters(&table.red.seat).await.unwrap().remove(0).fate
}

async fn waits(world: &World, table: &Table, transport: &Transport, reason: &str) {
    let fate = tried(world, table, transport).await;
    let why = fate.why().unwrap_or_default();
    assert!(matches!(fate, LetterFate::Waits { .. }) && why.contains(reason), "{reason}: {fate:?}");
    assert!(!why.contains("horse") && !why.contains("secret") && !why.contains("Y29ycmVjdCBob3JzZQ"), "{why}");
}

#[tokio::test]
async fn only_the_right_server_gets_letters_and_only_over_a_protected_connection() {
    let relay = Relay::start();
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;

    let unproven = "no protected connection to the mail server";
    for (server, setting, reason) in [
        // Its authority is not one that browsers trust.
        ("upgraded", "smtp://localhost:{port}?tls=starttls", unproven),
        ("wrapped", "smtps://localhost:{port}", unproven),
        // It proves to be another server.
        ("upgraded_wrong", "smtp://localhost:{port}?tls=starttls&ca={ca}", unproven),
        ("wrapped_wrong", "smtps://localhost:{port}?ca={ca}", unproven),
        // It offers no protection, or does not speak before it is protected.
        ("clear", "smtp://localhost:{port}?tls=starttls&ca={ca}", "STARTTLS is not supported"),
        ("clear", "smtps://localhost:{port}?ca={ca}", unproven),
        // Nobody signs in, or with a wrong password.
        ("upgraded", "smtp://localhost:{port}?tls=starttls&ca={ca}", "530"),
        (
            "upgraded",
            "smtp://play%40example.org:secret@localhost:{port}?tls=starttls&ca={ca}",
            "does not let this server in",
        ),
        ("wrapped", "smtps://play%40example.org:secret@localhost:{port}?ca={ca}", "535"),
    ] {
        waits(&world, &table, &relay.by(server, setting), reason).await;
    }
    for server in relay.ports.keys() {
        assert_eq!(relay.mails(server), Vec::<String>::new(), "{server} has got nothing");
    }

    for (server, setting) in [
        ("upgraded", "smtp://play%40example.org:{password}@localhost:{port}?tls=starttls&ca={ca}"),
        ("wrapped", "smtps://play%40example.org:{password}@127.0.0.1:{port}?ca={ca}"),
    ] {
        let transport = relay.by(server, &setting.replace("{password}", &PASSWORD.replace(' ', "%20")));
        let fate = tried(&world, &table, &transport).await;
        assert!(matches!(fate, LetterFate::Sent(_)), "{server}: {fate:?}");
        let mails = relay.mails(server);
        let (how, letter) = mails[0].split_once('\n').unwrap();
        assert_eq!(how, r#"{"within": true, "user": "play@example.org"}"#);
        assert!(mails.len() == 1 && letter.contains("List-Unsubscribe"), "{letter}");
        table.day("", "").await;
    }
    world.end().await;
}

/// Somebody on the way puts answers behind that to `STARTTLS`: they are not taken for the server's.
#[tokio::test]
async fn what_was_said_in_the_clear_does_not_count_within() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let attacker = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 mail.example.org\r\n").await.unwrap();
        for answer in
            ["250-mail.example.org\r\n250 STARTTLS\r\n", "220 go on\r\n250 mail.example.org\r\n250 2.1.0 ok\r\n"]
        {
            let mut line = Vec::new();
            while !line.ends_with(b"\n") {
                line.push(stream.read_u8().await.unwrap());
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
        // What comes now is the beginning of TLS, or the end of the connection.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        rest
    });
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    table.deploy().await;
    waits(&world, &table, &impatient(&format!("smtp://localhost:{port}?tls=starttls")), "no protected connection")
        .await;
    let rest = attacker.await.unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("MAIL FROM"));
    world.end().await;
}
