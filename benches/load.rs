//! What a whole server bears, beside bare limits of the same run: `scripts/load` (or `cargo bench --bench load`, on SQLite
//! alone).
//!
//! The program is started as a process over games of `fieldcommand seed`, in a folder below `target`, so on the disk that is
//! measured. Each number stands beside one of something that cannot do less: one-row transactions of the same database,
//! made durable; an axum handler that says hello. The server and the hello run on one core (`taskset`), whoever asks on the
//! others, if `scripts/load` has started this. Both players of the games in which turns are resolved get their reports by
//! letter. `FIELDCOMMAND_LOAD_SECONDS=10` measures longer, `FIELDCOMMAND_LOAD_ENDED=99800` with more games that have ended;
//! `FIELDCOMMAND_LOAD_POSTGRES` names a PostgreSQL server.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use tokio::runtime::Runtime;
use tokio::time::Instant;

use catcher::Catcher;

/// Where letters end.
mod catcher;

/// How many games are running.
const RUNNING: u32 = 200;
/// How many have ended, unless another number is asked for.
const ENDED: u32 = 800;
/// How many games more are played by people who get letters.
const LETTERED: usize = 40;
/// How long each thing is measured, in seconds, unless another number is asked for.
const SECONDS: u64 = 4;
/// How many event streams are opened.
const STREAMS: usize = 5_000;
/// How many of them at a seat.
const A_SEAT: usize = 24;

/// A running game, as `seed` writes it.
#[derive(Clone, Debug, Deserialize)]
struct Seeded {
    game: String,
    turn: u32,
    red: String,
    blue: String,
}

/// A process that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// What it holds in memory, in KiB.
    fn memory(&self) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse()?)
    }
}

/// Runs a program on the first core.
fn pinned(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("FIELDCOMMAND_CONFIG", "");
    command
}

fn free_port() -> anyhow::Result<SocketAddr> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

async fn answers(address: SocketAddr) -> anyhow::Result<()> {
    for _ in 0..500 {
        if tokio::net::TcpStream::connect(address).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    anyhow::bail!("{address} does not answer")
}

/// A number that is asked for by the environment.
fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A server over seeded games.
struct Server {
    url: String,
    games: Vec<Seeded>,
    /// Those whose players get letters.
    lettered: Vec<Seeded>,
    catcher: Catcher,
    process: Process,
    /// What it held in memory before anybody had asked it for anything, in KiB.
    idle: u64,
    _data: tempfile::TempDir,
}

impl Server {
    async fn start(database: Option<&str>) -> anyhow::Result<Server> {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_fieldcommand"));
        let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let with_data = |command: &mut Command| {
            command.arg("--data").arg(data.path());
            if let Some(database) = database {
                command.arg("--database-url").arg(database);
            }
        };
        let mut seed = Command::new(&program);
        let number = u64::from(RUNNING) + asked("FIELDCOMMAND_LOAD_ENDED", ENDED.into());
        seed.arg("seed").args(["--games", &number.to_string(), "--running", &RUNNING.to_string()]);
        seed.env("FIELDCOMMAND_CONFIG", "");
        with_data(&mut seed);
        let seeded = seed.output()?;
        ensure!(seeded.status.success(), "seed: {}", String::from_utf8_lossy(&seeded.stderr));
        let games = String::from_utf8(seeded.stdout)?;
        let games = games.lines().map(serde_json::from_str).collect::<Result<Vec<Seeded>, _>>()?;
        let listen = free_port()?;
        let mut serve = pinned(&program);
        serve.args(["--limits", "off", "--listen", &listen.to_string()]);
        let catcher = Catcher::start()?;
        serve.args(["--smtp-url", &format!("smtp://{}?tls=none", catcher.address)]);
        with_data(&mut serve);
        let process = Process(serve.spawn()?);
        answers(listen).await?;
        let (url, lettered) = (format!("http://{listen}"), Vec::new());
        // It measures how fast it is first.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let idle = process.memory()?;
        let mut server = Server { url, games, lettered, catcher, process, idle, _data: data };
        server.open_games().await?;
        Ok(server)
    }

    /// Opens games whose players get letters, and that end by no number of quiet days.
    async fn open_games(&mut self) -> anyhow::Result<()> {
        let client = Client::new();
        let api = format!("{}/api/v1", self.url);
        let told = async |request: reqwest::RequestBuilder| -> anyhow::Result<serde_json::Value> {
            let answer = request.send().await?;
            let (status, body) = (answer.status(), answer.text().await?);
            ensure!(status.is_success(), "{status}: {body}");
            Ok(if body.is_empty() { serde_json::Value::Null } else { serde_json::from_str(&body)? })
        };
        let text = |value: &serde_json::Value, name: &str| -> anyhow::Result<String> {
            Ok(value.get(name).and_then(serde_json::Value::as_str).with_context(|| name.to_owned())?.to_owned())
        };
        for number in 0..LETTERED {
            let address = |name: &str| format!("{name}-{number}@example.org");
            let new = json!({"side": "red", "name": "Ann", "address": address("ann"), "no_removal_limit": 0});
            let opened = told(client.post(format!("{api}/games")).json(&new)).await?;
            let take = json!({"token": text(&opened, "invitation_token")?, "name": "Ben"});
            let taken = told(client.post(format!("{api}/invitations/take")).json(&take)).await?;
            let (game, red, blue) = (text(&opened, "game")?, text(&opened, "token")?, text(&taken, "token")?);
            let seat = format!("{api}/games/{game}/blue/address");
            told(client.put(seat).bearer_auth(&blue).json(&json!({"address": address("ben")}))).await?;
            for (side, token) in [("red", &red), ("blue", &blue)] {
                let seat = format!("{api}/games/{game}/{side}");
                let fill = client.post(format!("{seat}/fill")).bearer_auth(token);
                let filled = told(fill.json(&json!({"turn": 0, "text": ""}))).await?;
                let sheet = json!({"turn": 0, "text": text(&filled, "text")?});
                told(client.put(format!("{seat}/sheet")).bearer_auth(token).json(&sheet)).await?;
            }
            self.lettered.push(Seeded { game, turn: 1, red, blue });
        }
        let mut confirmed = 0;
        for _ in 0..600 {
            for letter in self.catcher.collect() {
                // A picture may hold any letters.
                let link = format!("{}/m/", self.url);
                let secret = letter.text.split_once(&link).and_then(|(_, rest)| rest.get(..26));
                if let Some(secret) = secret {
                    client.post(format!("{}/m/{secret}", self.url)).send().await?.error_for_status()?;
                    confirmed += 1;
                }
            }
            if confirmed == 2 * LETTERED {
                // The letters that say what is awaited leave now.
                tokio::time::sleep(Duration::from_secs(3)).await;
                self.catcher.collect();
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        anyhow::bail!("{confirmed} addresses were confirmed")
    }
}

/// Does something over and over on so many connections, and says how often a second.
async fn rate<F>(clients: usize, work: impl Fn(usize, u64) -> F) -> anyhow::Result<f64>
where
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    rate_in(Duration::from_secs(asked("FIELDCOMMAND_LOAD_SECONDS", SECONDS)), clients, work).await
}

/// The same for another time.
async fn rate_in<F>(length: Duration, clients: usize, work: impl Fn(usize, u64) -> F) -> anyhow::Result<f64>
where
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let (begin, done) = (Instant::now(), AtomicU64::new(0));
    let talks = (0..clients).map(|client| {
        let (work, done) = (&work, &done);
        async move {
            let mut number = 0;
            while begin.elapsed() < length {
                work(client, number).await?;
                number += 1;
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, anyhow::Error>(())
        }
    });
    futures_util::future::try_join_all(talks).await?;
    #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
    Ok(done.into_inner() as f64 / begin.elapsed().as_secs_f64())
}

/// One-row transactions a second, each durable before the next one on its connection begins.
async fn commits(database: Option<&str>, clients: usize) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let sqlite = format!("sqlite://{}?mode=rwc", folder.path().join("bare.sqlite").display());
    let address = database.unwrap_or(&sqlite);
    // SQLite has one writer, however many ask.
    let connections = if database.is_some() { clients } else { 1 };
    let mut pool = Vec::new();
    for _ in 0..connections {
        let mut one = AnyConnection::connect(address).await?;
        if database.is_none() {
            one.execute("pragma journal_mode = wal; pragma synchronous = full").await?;
        }
        one.execute("create table if not exists bare (number bigint)").await?;
        pool.push(Arc::new(tokio::sync::Mutex::new(one)));
    }
    let rate = rate(connections, |client, number| {
        let connection = pool.get(client).cloned();
        async move {
            let connection = connection.context("a connection")?;
            let mut connection = connection.lock().await;
            let sql = AssertSqlSafe(format!("insert into bare (number) values ({number})"));
            connection.execute(sqlx::raw_sql(sql)).await?;
            Ok(())
        }
    })
    .await?;
    for one in pool {
        if let Some(connection) = Arc::into_inner(one) {
            connection.into_inner().close().await?;
        }
    }
    Ok(rate)
}

/// Sheets sealed a second, each answered after its commit: each replaces the one before, so that no turn is resolved.
async fn seals(server: &Server, clients: usize) -> anyhow::Result<f64> {
    let client = Client::new();
    rate(clients, |number, round| {
        let (client, url, game) = (client.clone(), server.url.clone(), server.games.get(number).cloned());
        async move {
            let game = game.context("too few games")?;
            let sheet = json!({"turn": game.turn, "text": if round % 2 == 0 { "A1-A2" } else { "A2-A1" }});
            let seat = format!("{url}/api/v1/games/{}/red/sheet", game.game);
            let answer = client.put(seat).bearer_auth(&game.red).json(&sheet).send().await?;
            ensure!(answer.status() == StatusCode::OK, "{}", answer.text().await?);
            Ok(())
        }
    })
    .await
}

/// When each report was to be written: by game, side and turn.
type Asked = Arc<std::sync::Mutex<HashMap<String, Instant>>>;

/// Turns a second of the games whose players get letters: both sides seal, the day is resolved, kept with its report, and
/// two letters leave. With a `pause`, each client begins a turn so often at most, for half a minute, and they begin one after
/// the other.
async fn turns(server: &Server, clients: usize, pause: Duration, begun: &Asked) -> anyhow::Result<f64> {
    let client = Client::new();
    let turns: Arc<Vec<AtomicU64>> =
        Arc::new(server.lettered.iter().map(|game| AtomicU64::new(u64::from(game.turn))).collect());
    for (game, turn) in server.lettered.iter().zip(turns.iter()) {
        let state = format!("{}/api/v1/games/{}/red", server.url, game.game);
        let state: serde_json::Value = client.get(state).bearer_auth(&game.red).send().await?.json().await?;
        turn.store(state.get("turn").and_then(serde_json::Value::as_u64).context("a turn")?, Ordering::Relaxed);
    }
    let usual = Duration::from_secs(asked("FIELDCOMMAND_LOAD_SECONDS", SECONDS));
    let length = if pause.is_zero() { usual } else { Duration::from_secs(30) };
    let share = pause.as_secs_f64() / f64::from(u32::try_from(clients)?);
    rate_in(length, clients, |number, round| {
        let (client, url, game) = (client.clone(), server.url.clone(), server.lettered.get(number).cloned());
        #[expect(clippy::cast_precision_loss, reason = "some clients")]
        let late = if round == 0 { Duration::from_secs_f64(share * number as f64) } else { Duration::ZERO };
        let (turns, begun) = (Arc::clone(&turns), Arc::clone(begun));
        async move {
            let (game, turn) = game.zip(turns.get(number)).context("too few games")?;
            tokio::time::sleep(late).await;
            let (at, beginning) = (turn.load(Ordering::Relaxed), Instant::now());
            for (side, token) in [("red", &game.red), ("blue", &game.blue)] {
                let sheet = json!({"turn": at, "text": ""});
                let seat = format!("{url}/api/v1/games/{}/{side}/sheet", game.game);
                if side == "blue" {
                    let mut begun = begun.lock().map_err(|_| anyhow::anyhow!("a lock"))?;
                    for reader in ["red", "blue"] {
                        begun.insert(format!("/games/{}/{reader}/days/{at}\r", game.game), Instant::now());
                    }
                }
                let answer = client.put(seat).bearer_auth(token).json(&sheet).send().await?;
                ensure!(answer.status() == StatusCode::OK, "{}", answer.text().await?);
            }
            turn.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep_until(beginning + pause).await;
            Ok(())
        }
    })
    .await
}

/// How many letters a second leave that wait, until none does.
async fn letters_leave(server: &Server) -> anyhow::Result<f64> {
    server.catcher.collect();
    let (began, mut last, mut letters) = (Instant::now(), Instant::now(), 0_u32);
    while last.elapsed() < Duration::from_secs(3) {
        ensure!(began.elapsed() < Duration::from_mins(5), "letters still leave after five minutes");
        tokio::time::sleep(Duration::from_millis(100)).await;
        for letter in server.catcher.collect() {
            letters += 1;
            last = letter.at;
        }
    }
    Ok(f64::from(letters) / (last - began).as_secs_f64())
}

/// How long after the second submission each letter was handed over, the fastest first, in seconds; and how many never were.
async fn delays(server: &Server, begun: &Asked) -> anyhow::Result<(Vec<f64>, usize)> {
    let mut begun = std::mem::take(&mut *begun.lock().map_err(|_| anyhow::anyhow!("a lock"))?);
    let mut delays = Vec::new();
    for _ in 0..40 {
        for letter in server.catcher.collect() {
            let found = begun.keys().find(|link| letter.text.contains(link.as_str())).cloned();
            if let Some(since) = found.and_then(|link| begun.remove(&link)) {
                delays.push(letter.at.duration_since(since).as_secs_f64());
            }
        }
        if begun.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    delays.sort_by(f64::total_cmp);
    Ok((delays, begun.len()))
}

/// How often the disk was asked to keep something, a sealed sheet: counted by `strace`, or by PostgreSQL itself.
#[expect(clippy::cast_precision_loss, reason = "some thousands")]
async fn syncs(server: &Server, database: Option<&str>, clients: usize) -> anyhow::Result<f64> {
    let began = Instant::now();
    if let Some(address) = database {
        let mut conn = AnyConnection::connect(address).await?;
        let counted = async |conn: &mut AnyConnection| -> anyhow::Result<i64> {
            let (number,) = sqlx::query_as("select wal_sync from pg_stat_wal").fetch_one(conn).await?;
            Ok(number)
        };
        let before = counted(&mut conn).await?;
        let sheets = seals(server, clients).await? * began.elapsed().as_secs_f64();
        // Its processes tell what they did when they have nothing to do.
        tokio::time::sleep(Duration::from_secs(2)).await;
        return Ok((counted(&mut conn).await? - before) as f64 / sheets);
    }
    let list = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o"]).arg(list.path());
    let mut strace = strace.args(["-p", &server.process.0.id().to_string()]).stderr(Stdio::null()).spawn()?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    let sheets = seals(server, clients).await? * began.elapsed().as_secs_f64();
    Command::new("kill").args(["-INT", &strace.id().to_string()]).status()?;
    strace.wait()?;
    let lines = std::fs::read_to_string(list.path())?;
    Ok(lines.lines().filter(|line| line.contains("sync(")).count() as f64 / sheets)
}

/// Answers to GET a second.
async fn gets(client: &Client, clients: usize, address: &str, token: Option<&str>) -> anyhow::Result<f64> {
    rate(clients, |_, _| {
        let request = client.get(address);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        async move {
            let answer = request.send().await?;
            ensure!(answer.status() == StatusCode::OK, "{}", answer.status());
            answer.bytes().await?;
            Ok(())
        }
    })
    .await
}

/// This program again, as a server that says hello.
async fn hello() -> anyhow::Result<(String, Process)> {
    let listen = free_port()?;
    let mut command = pinned(&std::env::current_exe()?);
    command.env("FIELDCOMMAND_LOAD_HELLO", listen.to_string());
    let process = Process(command.spawn()?);
    answers(listen).await?;
    Ok((format!("http://{listen}"), process))
}

fn row(what: &str, measured: f64, limit: f64) {
    println!("| {what} | {measured:.0} | {limit:.0} | {:.3} |", measured / limit);
}

#[expect(clippy::cast_precision_loss, reason = "some gigabytes")]
async fn on(name: &str, database: Option<&str>) -> anyhow::Result<()> {
    println!("\n{name}\n\n| what | a second | bare limit | ratio |\n|---|---|---|---|");
    let server = Server::start(database).await?;
    let (bare, greeter) = hello().await?;
    let (bare_idle, lettered) = (greeter.memory()?, server.process.memory()?);
    for clients in [1, 64] {
        let limit = commits(database, 1).await?;
        row(
            &format!("sealed sheets, {clients} at once / one-row commits one by one"),
            seals(&server, clients).await?,
            limit,
        );
    }
    let begun = Asked::default();
    let most = turns(&server, 16, Duration::ZERO, &begun).await?;
    row("turns with two letters each, 16 at once / one-row commits one by one", most, commits(database, 1).await?);
    // What waits then is let go first, which tells how fast letters leave that nothing else is in the way of.
    let leave = letters_leave(&server).await?;
    begun.lock().map_err(|_| anyhow::anyhow!("a lock"))?.clear();
    let clients = 8_u8;
    let pause = Duration::from_secs_f64(f64::from(clients) / (most.min(leave / 2.0) / 2.0));
    let half = turns(&server, clients.into(), pause, &begun).await?;
    let (delays, never) = delays(&server, &begun).await?;
    let game = server.games.get(100).context("too few games")?;
    let client = Client::builder().cookie_store(true).build()?;
    client.get(format!("{}/s/{}", server.url, game.red)).send().await?.error_for_status()?;
    // Otherwise the page sends to the day that was not watched yet.
    let results = client.post(format!("{}/games/{}/red/results", server.url, game.game));
    let results = results.header("content-type", "application/x-www-form-urlencoded").body("first=1&turn=1");
    results.send().await?.error_for_status()?;
    let limit = gets(&client, 8, &bare, None).await?;
    let page = format!("{}/games/{}/red", server.url, game.game);
    row("pages of a seat with its board, 8 at once / hello", gets(&client, 8, &page, None).await?, limit);
    let state = format!("{}/api/v1/games/{}/red", server.url, game.game);
    row("states as JSON, 8 at once / hello", gets(&client, 8, &state, Some(&game.red)).await?, limit);
    let at = |part: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a list's length")]
        let index = (delays.len() as f64 * part) as usize;
        delays.get(index.min(delays.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    println!("\n{leave:.0} letters a second left, each with a picture of its board, while nothing else was asked.");
    println!(
        "At {half:.1} turns a second, {} letters: handed over {:.3} s after the second submission (median), {:.3} s (p99), {:.3} s \
         (slowest); {never} more had not come 20 seconds later.",
        delays.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    println!(
        "Syncs a sealed sheet: {:.2} with one client, {:.2} with 64.",
        syncs(&server, database, 1).await?,
        syncs(&server, database, 64).await?
    );
    println!("\n| memory | MiB | of the hello |\n|---|---|---|");
    let mib = |kib: u64| kib as f64 / 1024.0;
    for (what, held) in [("after the start", server.idle), ("after 40 games with letters", lettered)] {
        println!("| {what} | {:.1} | {:.1} times |", mib(held), held as f64 / bare_idle as f64);
    }
    let before = server.process.memory()?;
    println!("| after the load | {:.1} | |", mib(before));
    let mut streams = Vec::new();
    // A seat is looked at in so many places at most, so that they are spread over the seats.
    'all: for game in &server.games {
        for (side, token) in [("red", &game.red), ("blue", &game.blue)] {
            client.get(format!("{}/s/{token}", server.url)).send().await?.error_for_status()?;
            let address = format!("{}/games/{}/{side}/events", server.url, game.game);
            for _ in 0..A_SEAT {
                if streams.len() == STREAMS {
                    break 'all;
                }
                let stream = client.get(&address).send().await?;
                ensure!(stream.status() == StatusCode::OK, "{} after {} streams", stream.status(), streams.len());
                streams.push(stream);
            }
        }
    }
    // Each has been told where its game stands.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = server.process.memory()?;
    println!("| with {} event streams | {:.1} | |", streams.len(), mib(after));
    Ok(())
}

async fn greet(listen: &str) -> anyhow::Result<()> {
    let router = axum::Router::new().route("/", axum::routing::get(async || "hello"));
    Ok(axum::serve(tokio::net::TcpListener::bind(listen).await?, router).await?)
}

fn main() -> anyhow::Result<()> {
    if let Ok(listen) = std::env::var("FIELDCOMMAND_LOAD_HELLO") {
        return Runtime::new()?.block_on(greet(&listen));
    }
    // `cargo test --benches` only looks whether it builds.
    if std::env::args().any(|word| word == "--test") {
        return Ok(());
    }
    sqlx::any::install_default_drivers();
    let postgres = std::env::var("FIELDCOMMAND_LOAD_POSTGRES").ok();
    Runtime::new()?.block_on(async move {
        on("SQLite", None).await?;
        match &postgres {
            Some(address) => on("PostgreSQL", Some(address)).await,
            None => Ok(()),
        }
    })
}
