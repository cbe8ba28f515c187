//! Mail for a server without a mail server: fetchmail takes it out of an ordinary mailbox and hands it to `fieldcommand
//! deliver`, by the recipe of docs/mail-in.md.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fieldcommand::rules::Side;
use serde_json::json;

use crate::world::deployment;
use crate::world::game::Game;
use crate::world::mailbox;
use crate::world::server::Server;

const ADDRESS: &str = "ann@players.test";
const PASSWORD: &str = "of-the-mailbox";

/// A mailbox that fetchmail can be pointed at.
struct Mailbox {
    folder: tempfile::TempDir,
    running: Child,
    port: u16,
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

impl Mailbox {
    fn start() -> Mailbox {
        let folder = tempfile::tempdir().unwrap();
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/world/mailbox.py");
        let mut running = Command::new("/usr/bin/python3")
            .arg(program)
            .args([folder.path().as_os_str(), PASSWORD.as_ref()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(running.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Mailbox { folder, running, port: line.trim().parse().unwrap() }
    }

    fn gets(&self, name: &str, mail: &str) {
        fs::write(self.folder.path().join(format!("{name}.eml")), mail).unwrap();
    }

    /// The mails that lie in it.
    fn holds(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| Path::new(name).extension().is_some_and(|end| end == "eml"));
        names.sort();
        names
    }

    /// Lets fetchmail take out what lies in it, for the server whose data folder this is.
    fn fetched_for(&self, data: &Path) {
        let settings = self.folder.path().join("fetchmailrc");
        let deliver = env!("CARGO_BIN_EXE_fieldcommand");
        let recipe = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mail-in.md")).unwrap();
        let mda =
            recipe.lines().find(|line| line.trim_start().starts_with("mda ")).expect("the recipe has an mda line");
        let mda = mda
            .replace("/srv/fieldcommand", data.to_str().unwrap())
            .replace(" fieldcommand deliver", &format!(" {deliver} deliver"));
        let port = self.port;
        let text = format!(
            "poll 127.0.0.1 service {port} protocol pop3\n  user \"play@example.org\" password \"{PASSWORD}\" sslproto ''\n  no rewrite\n{mda}\n"
        );
        fs::write(&settings, text).unwrap();
        fs::set_permissions(&settings, fs::Permissions::from_mode(0o600)).unwrap();
        let done = Command::new("fetchmail")
            .args(["--nodetach", "--nosyslog", "--fetchmailrc", settings.to_str().unwrap()])
            .args(["--pidfile", self.folder.path().join("pid").to_str().unwrap()])
            .args(["--idfile", self.folder.path().join("ids").to_str().unwrap()])
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        assert!(matches!(done.status.code(), Some(0 | 1)), "{said}");
    }
}

// Several threads: a server that stands still while fetchmail runs could hold the database all the while.
#[tokio::test(flavor = "multi_thread")]
async fn fetchmail_brings_an_answer_out_of_an_ordinary_mailbox() {
    if Command::new("fetchmail").arg("--version").output().is_err() {
        std::io::stderr().write_all(b"skipped: mail by fetchmail, which is not installed\n").unwrap();
        return;
    }
    let server = Server::start_with(75, |settings| settings.answers_to = Some("play@example.org".into())).await;
    let game = Game::opened(&server).await;
    let path = format!("/games/{}/{}/address", game.id, Side::Red.word());
    assert!(server.program(&game.red).put(&path, &json!({"address": ADDRESS})).await.status.is_success());
    let asked = mailbox::letters_of(server.data(), 1).await.remove(0);
    server.browser().post(&format!("/m/{}", mailbox::mailed_link(&asked).unwrap().reveal()), &[]).await;
    let letters = mailbox::letters_of(server.data(), 2).await;
    let open = letters.iter().find(|letter| letter.contains("\nReply-To: play+")).unwrap();
    let to = open.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap();

    // What a provider puts into the mailbox: the whole address stands in a header of its own.
    let provider = Mailbox::start();
    let mail = |to: &str, id: &str, text: &str| {
        format!(
            "Return-Path: <{ADDRESS}>\nDelivered-To: {to}\nFrom: Ann <{ADDRESS}>\nTo: Field Command <play@example.org>\n\
             Subject: Re: your deployment, please\nMessage-ID: <{id}@players.test>\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\n{text}\n\n> quoted\n"
        )
    };
    provider.gets("1-advertisement", &mail("play@example.org", "1", "Buy this."));
    provider.gets("2-deployment", &mail(to, "2", &deployment(Side::Red, "balanced")));

    // While the database cannot be opened, nothing is lost.
    let nowhere = tempfile::tempdir().unwrap();
    provider.fetched_for(nowhere.path());
    assert!(provider.holds().contains(&"2-deployment.eml".to_owned()), "{:?}", provider.holds());
    provider.fetched_for(server.data());
    // The receipt waits: it was queued by a process whose clock is not the fixed one of this server.
    let seat = server.program(&game.red).get(&format!("/games/{}/{}", game.id, Side::Red.word())).await.json();
    assert_eq!(seat["awaits"], json!({"red": false, "blue": true}), "{seat:#}");
    assert_eq!(provider.holds(), Vec::<String>::new(), "all has been taken out, what is for no game too");
    server.stop().await;
}
