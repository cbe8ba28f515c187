//! What who looks after the server sees of it: health, numbers, logs, and how it stops.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use fieldcommand::play::admin::Scope;
use fieldcommand::rules::Side;
use fieldcommand::store::Store;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::mailbox::letters_of;
use crate::world::server::{Browser, Program, Server};
use crate::world::smtp::{Act, Smtp, Stage};
use crate::world::{deployment, ports};

async fn json_of(url: &str) -> (u16, Value) {
    let answer = reqwest::Client::new().get(url).header(ACCEPT, "application/json").send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn text_of(url: &str) -> (u16, String) {
    let answer = reqwest::get(url).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Waits until an address answers so.
async fn until(url: &str, status: u16) -> String {
    for _ in 0..300 {
        let (code, text) = text_of(url).await;
        if code == status {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{url} never answers {status}");
}

/// What `fieldcommand health` ends with and says about a server.
async fn health(url: &str) -> (Option<i32>, String) {
    let mut asked = std::process::Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
    asked.args(["health", "--listen", url.trim_start_matches("http://")]).env("FIELDCOMMAND_CONFIG", "");
    let answered = tokio::task::spawn_blocking(move || asked.output().unwrap()).await.unwrap();
    (answered.status.code(), String::from_utf8(answered.stderr).unwrap())
}

/// Opens a game of Ann against Ben, and gives its path with the programs of both.
async fn table(url: &str, ann: &Browser, address: &str) -> (String, Program, Program) {
    let fields =
        [("name", "Ann Onymous"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", address)];
    let opened = ann.post("/games", &fields).await;
    let game = opened.location().trim_end_matches("/red").to_owned();
    let seat = ann.get(opened.location()).await;
    let red = Program::new(url, seat.link("/s/").trim_start_matches("/s/"));
    let invitation = seat.link("/i/").trim_start_matches("/i/").to_owned();
    let taken =
        Program::new(url, "").post("/invitations/take", &json!({"token": invitation, "name": "Ben Trovato"})).await;
    let blue = Program::new(url, taken.json()["token"].as_str().unwrap());
    (game, red, blue)
}

async fn deploy(game: &str, red: &Program, blue: &Program) {
    for (program, side) in [(red, Side::Red), (blue, Side::Blue)] {
        let answer = program.seals(&format!("{game}/{}", side.word()), 0, &deployment(side, "balanced")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

/// Players' address gives the bare answer; the listener of its own says what is wrong, and counts.
#[tokio::test]
async fn the_server_says_how_it_is() {
    let server = Server::start_with(1, |settings| settings.metrics_listen = Some("127.0.0.1:0".parse().unwrap())).await;
    let (url, own) = (server.url.clone(), server.metrics.clone().unwrap());
    assert_eq!(text_of(&format!("{url}/health/live")).await, (200, "live\n".into()));
    assert_eq!(until(&format!("{url}/health/ready"), 200).await, "ready\n");
    assert_eq!(json_of(&format!("{url}/health/ready")).await, (200, json!({"status": "ready"})));
    assert_eq!(health(&url).await, (Some(0), String::new()));
    let ann = server.browser();
    let (game, red, blue) = table(&url, &ann, "").await;
    deploy(&game, &red, &blue).await;
    let mut news = ann.listen(&format!("{game}/red/events")).await;
    news.next().await.unwrap();

    let whole = until(&format!("{own}/health/ready"), 200).await;
    for line in [
        "ok    database: answers",
        "ok    migrations:",
        "ok    sweep:",
        "ok    letters: none waits",
        "ok    data folder:",
    ] {
        assert!(whole.contains(line), "{line} is not in\n{whole}");
    }
    let (status, found) = json_of(&format!("{own}/health/ready")).await;
    assert_eq!((status, &found["status"], &found["findings"][0]["level"]), (200, &json!("ready"), &json!("ok")));
    let (_, numbers) = text_of(&format!("{own}/metrics")).await;
    for line in [
        "fieldcommand_requests_total{route=\"/api/v1/games/{id}/{side}/sheet\",method=\"PUT\",class=\"2xx\"} 2",
        "fieldcommand_resolve_duration_seconds_count 1",
        "fieldcommand_event_streams 1",
        "fieldcommand_deadlines_late 0",
        "fieldcommand_start_time_seconds 1767225600.0",
        "fieldcommand_build_info{version=",
    ] {
        assert!(numbers.contains(line), "{line} is not in\n{numbers}");
    }
    let id = game.trim_start_matches("/games/");
    for secret in [id, "Ann", "Ben", &red.token, &blue.token] {
        assert!(!numbers.contains(secret) && !whole.contains(secret), "{secret}");
    }
    // Players' address tells neither.
    assert_eq!(text_of(&format!("{url}/metrics")).await.0, 404);
    let (_, bare) = text_of(&format!("{url}/health/ready")).await;
    assert_eq!(bare, "ready\n");

    // Without its folder the server is not ready, and says why to who may know.
    let aside = server.data().with_extension("aside");
    fs::rename(server.data(), &aside).unwrap();
    assert_eq!(until(&format!("{url}/health/ready"), 503).await, "not ready\n");
    let listen = url.trim_start_matches("http://");
    let unready = format!("fieldcommand: http://{listen}: not ready (503 Service Unavailable)\n");
    assert_eq!(health(&url).await, (Some(1), unready));
    let whole = until(&format!("{own}/health/ready"), 503).await;
    assert!(whole.contains("fail  data folder: cannot be written to"), "{whole}");
    assert!(!whole.contains(&*server.data().to_string_lossy()));
    assert_eq!(text_of(&format!("{url}/health/live")).await.0, 200, "it lives all the same");
    fs::rename(&aside, server.data()).unwrap();
    until(&format!("{url}/health/ready"), 200).await;
    server.stop().await;
}

/// Each answer tells the id of its request: the proxy's, where there is one.
#[tokio::test]
async fn a_request_has_an_id() {
    for (hops, taken) in [(0, false), (1, true)] {
        let server = Server::start_with(2, |settings| settings.trusted_hops = hops).await;
        let ask = |id: &'static str| {
            let request = reqwest::Client::new().get(format!("{}/rules", server.url)).header("x-request-id", id);
            async move { request.send().await.unwrap().headers()["x-request-id"].to_str().unwrap().to_owned() }
        };
        assert_eq!(ask("proxy-1").await == "proxy-1", taken);
        let (one, other) = (ask("no id").await, ask("no id").await);
        assert!(one.len() == 32 && one != other, "{one}");
        server.stop().await;
    }
}

/// The program as a process of its own, with all that it logs.
struct Process {
    child: Child,
    url: String,
    data: tempfile::TempDir,
    logged: std::thread::JoinHandle<String>,
}

impl Process {
    fn start(format: &str, more: &[&str]) -> Process {
        let data = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_fieldcommand"))
            .args(["--listen", "127.0.0.1:0", "--limits", "off", "--log-format", format, "--data"])
            .arg(data.path())
            .args(more)
            .env("FIELDCOMMAND_LOG", "debug")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let logged = std::thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            text
        });
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.split("open ").nth(1).unwrap_or_else(|| panic!("{line}")).split(' ').next().unwrap().to_owned();
        Process { child, url, data, logged }
    }

    /// Stops it as service managers do, and gives all that it has logged.
    fn stop(mut self) -> String {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(self.child.wait().unwrap().success());
        self.logged.join().unwrap()
    }
}

/// What in a text is as long as a secret and written like one.
fn secrets(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_lowercase() && !('2'..='7').contains(&c));
    words.filter(|word| word.len() == 26).map(str::to_owned).collect()
}

/// A letter's addresses hold their secrets behind other letters.
fn answer_secrets(letter: &str) -> BTreeSet<String> {
    let marks = letter.split("play+").skip(1).map(|rest| rest.split('@').next().unwrap());
    marks.filter_map(|mark| mark.get(mark.len().checked_sub(16)?..)).map(str::to_owned).collect()
}

async fn letters_so_far(data: &Path, number: usize, known: &mut BTreeSet<String>) -> Vec<String> {
    let letters = letters_of(data, number).await;
    for letter in &letters {
        known.extend(secrets(letter));
        known.extend(answer_secrets(letter));
        known.extend(letter.split("within 7 days: ").skip(1).filter_map(|rest| rest.get(..9)).map(str::to_owned));
    }
    letters
}

/// Hands a mail over by LMTP.
async fn hand_over(door: SocketAddr, to: &str, text: &str) -> String {
    let mut stream = TcpStream::connect(door).await.unwrap();
    let talk = format!(
        "LHLO test\r\nMAIL FROM:<ann@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\nFrom: ann@example.org\r\nTo: {to}\r\n\
         Message-ID: <1@example.org>\r\nSubject: orders\r\n\r\n{text}\r\n.\r\nQUIT\r\n"
    );
    stream.write_all(talk.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// A game is played through links, letters, a mail, the calendar, sign-in and unsubscribing, also by who mistypes; nothing
/// that opens anything is in the log, at a level that says much.
#[tokio::test]
async fn no_secret_is_logged() {
    for format in ["text", "json"] {
        let door = ports::own();
        let server = Process::start(format, &["--answers-to", "play@example.org", "--lmtp-listen", &door.to_string()]);
        let mut known = BTreeSet::new();
        let ann = Browser::new(&server.url);
        let (game, red, blue) = table(&server.url, &ann, "ann@example.org").await;
        known.extend([red.token.clone(), blue.token.clone()]);
        let page = ann.get(&format!("{game}/red")).await;
        known.extend(secrets(&page.body));
        assert!(!page.body.contains("/i/"), "the invitation is taken");
        Browser::new(&server.url).get(&format!("/s/{}", blue.token)).await;

        let asked = letters_so_far(server.data.path(), 1, &mut known).await.pop().unwrap();
        let link = asked.split("/m/").nth(1).unwrap()[..26].to_owned();
        ann.get(&format!("/m/{link}")).await;
        assert_eq!(ann.post(&format!("/m/{link}"), &[]).await.status, 200);
        // What is awaited is told by letter only as long as it is.
        letters_so_far(server.data.path(), 2, &mut known).await;
        deploy(&game, &red, &blue).await;
        let letters = letters_so_far(server.data.path(), 3, &mut known).await;
        let report = letters.iter().find(|letter| letter.contains("Reply-To: ")).unwrap();
        let to = report.split("\nReply-To: ").nth(1).unwrap().split("\r\n").next().unwrap().split('\n').next().unwrap();
        let answered = hand_over(door, to.trim_matches(['<', '>']), "J4-J5").await;
        assert!(answered.contains("250 2.0.0 kept"), "{answered}");
        assert!(hand_over(door, &to.replace("play+", "play+x"), "J4-J5").await.contains("550"));

        assert_eq!(ann.post("/sign-in", &[("address", "ann@example.org")]).await.status, 303);
        let letters = letters_so_far(server.data.path(), 5, &mut known).await;
        let letter = letters.iter().find(|letter| letter.contains("15 minutes")).unwrap();
        let link = letter.split("/m/").nth(1).unwrap()[..26].to_owned();
        assert_eq!(ann.post(&format!("/m/{link}"), &[]).await.status, 303);
        ann.get(&format!("/m/{link}")).await;
        let me = ann.post("/me/calendar", &[]).await;
        let calendar = me.body.split("/calendar/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        known.insert(calendar.split('.').next().unwrap().to_owned());
        assert_eq!(ann.get(&format!("/calendar/{calendar}")).await.status, 200);
        let stop = report.split("/letters/").nth(1).unwrap().split(['>', '"', '\n']).next().unwrap().trim().to_owned();
        ann.get(&format!("/letters/{stop}")).await;
        ann.post(&format!("/letters/{stop}"), &[("List-Unsubscribe", "One-Click")]).await;
        known.insert(stop);
        let code = known.iter().find(|word| word.contains('-')).expect("a code").clone();
        Browser::new(&server.url).post(&format!("{game}/code"), &[("side", "red"), ("code", &code)]).await;
        Browser::new(&server.url).get(&format!("/s/{}x", red.token)).await;
        let desk = crate::admin_api::token(server.data.path(), None, Scope::Act).await;
        known.insert(desk.clone());
        let organiser = Program::new(&server.url, &desk);
        let block = json!({"reason": "Insults.", "address": "mallory@example.org"});
        assert_eq!(organiser.post("/admin/blocks", &block).await.status, 200);
        let browser = Browser::new(&server.url);
        assert_eq!(browser.post("/admin/sign-in", &[("token", &desk)]).await.status, 303);
        assert_eq!(browser.get("/admin").await.status, 200);
        let bad = Program::new(&server.url, &format!("{}a", blue.token));
        assert!(bad.get(&format!("{game}/blue")).await.status.is_client_error());

        let logged = server.stop();
        assert!(known.len() > 12, "{known:?}");
        for secret in known.iter().map(String::as_str).chain([
            "ann@example.org",
            "mallory@",
            "Olga",
            "Onymous",
            "Trovato",
            "J4-J5",
        ]) {
            assert!(!logged.contains(secret), "{secret} is in the log:\n{logged}");
        }
        assert!(logged.contains("/m/{secret}") && logged.contains("/calendar/{secret}"), "{logged}");
        if format == "json" {
            let lines: Vec<Value> = logged.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let request = lines.iter().find(|line| line["route"] == "/m/{secret}").unwrap();
            assert_eq!(request["spans"][0]["id"].as_str().unwrap().len(), 32, "{request}");
        }
    }
}

/// What is begun is finished: a request whose body is on its way when the server is told to stop.
#[tokio::test]
async fn a_request_on_its_way_is_answered() {
    let server = Server::start(3).await;
    let (host, body) =
        (server.url.trim_start_matches("http://").to_owned(), "name=Ann&board=classic&side=red&limit=12");
    let mut stream = TcpStream::connect(&host).await.unwrap();
    let head = format!(
        "POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body.as_bytes()[..10]).await.unwrap();
    // The server has taken the connection up once it answers another.
    assert_eq!(text_of(&format!("{}/rules", server.url)).await.0, 200);
    let url = server.url.clone();
    let stopping = tokio::spawn(server.stop());
    // No new connection is accepted from now on.
    while TcpStream::connect(&host).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!stopping.is_finished(), "{url} did not wait");
    stream.write_all(&body.as_bytes()[10..]).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    stopping.await.unwrap();
}

/// A gate that the mail server waits at, so that a letter is on its way for as long as the test wants.
#[derive(Default)]
struct Gate {
    /// Whether somebody waits, and whether the gate is open.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 = true;
        while !state.1 {
            state = self.changed.wait(state).unwrap();
        }
    }

    fn is_reached(&self) -> bool {
        self.state.lock().unwrap().0
    }

    fn open(&self) {
        self.state.lock().unwrap().1 = true;
        self.changed.notify_all();
    }
}

/// A letter that the mail server has and has not answered for: it is waited for, and counts as sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_letter_on_its_way_is_finished() {
    let gate = Arc::new(Gate::default());
    let at = Arc::clone(&gate);
    let smtp = Smtp::start(move |stage, _, _| {
        if stage == Stage::Dot {
            at.pass();
        }
        Act::Go
    })
    .await;
    let address = format!("smtp://127.0.0.1:{}?tls=none", smtp.port);
    let server = Server::start_with(4, |settings| settings.smtp_url = Some(address)).await;
    table(&server.url, &server.browser(), "ann@example.org").await;
    for _ in 0..2000 {
        if gate.is_reached() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(gate.is_reached(), "the letter does not leave");
    let (file, url) = (server.data().join("fieldcommand.sqlite"), server.url.clone());
    let open = Arc::clone(&gate);
    let copy = tempfile::tempdir().unwrap();
    let kept = copy.path().join("fieldcommand.sqlite");
    let stopping = {
        let kept = kept.clone();
        tokio::spawn(server.stop_and(move || {
            fs::copy(file, kept).unwrap();
        }))
    };
    // Not for ever: somebody else may have got the port since.
    for _ in 0..100 {
        let asked = tokio::time::timeout(Duration::from_millis(200), reqwest::get(&url)).await;
        if !matches!(asked, Ok(Ok(_))) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!stopping.is_finished());
    open.open();
    stopping.await.unwrap();
    assert!(smtp.letters().iter().all(|letter| letter.taken) && smtp.letters().len() == 1);
    let store = Store::open_sqlite(&kept).await.unwrap();
    let waiting: Result<_, fieldcommand::store::StoreError> =
        store.read(|tx| Box::pin(async move { tx.letters_waiting().await })).await;
    assert_eq!(waiting.unwrap().0, 0, "the letter is not sent again");
}

/// A message that is on its way when the server stops is taken, and answered for.
#[tokio::test]
async fn a_mail_on_its_way_is_taken() {
    let server = Server::start_with(5, |settings| {
        settings.answers_to = Some("play@example.org".into());
        settings.lmtp_listen = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    let ann = server.browser();
    let (game, red, blue) = table(&server.url, &ann, "ann@example.org").await;
    let asked = letters_of(server.data(), 1).await.pop().unwrap();
    ann.post(&format!("/m/{}", &asked.split("/m/").nth(1).unwrap()[..26]), &[]).await;
    letters_of(server.data(), 2).await;
    deploy(&game, &red, &blue).await;
    let letters = letters_of(server.data(), 3).await;
    let report = letters.iter().find(|letter| letter.contains("has been resolved")).unwrap();
    let to = report.split("\nReply-To: ").nth(1).unwrap().lines().next().unwrap().trim_matches(['<', '>']).to_owned();

    let mail = server.mail.unwrap();
    let mut stream = TcpStream::connect(mail).await.unwrap();
    let idle = TcpStream::connect(mail).await.unwrap();
    let begin =
        format!("LHLO test\r\nMAIL FROM:<ann@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\nFrom: ann@example.org\r\n");
    stream.write_all(begin.as_bytes()).await.unwrap();
    let mut said = String::new();
    while !said.contains("354") {
        let mut buffer = [0; 1000];
        let read = stream.read(&mut buffer).await.unwrap();
        said.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        assert!(read > 0 && !said.contains("550"), "{to}: {said}");
    }
    let stopping = tokio::spawn(server.stop());
    for _ in 0..200 {
        if TcpStream::connect(mail).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let rest = format!("To: {to}\r\nMessage-ID: <1@example.org>\r\n\r\nSTATUS\r\n.\r\n");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("250 2.0.0 kept") && answer.contains("421"), "{answer}");
    let mut answer = String::new();
    { idle }.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("421"), "who has said nothing is told: {answer}");
    stopping.await.unwrap();
}
