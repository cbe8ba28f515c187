//! The power fails. What the program writes to its database and asks the disk to keep is recorded (strace) while games are
//! played; at many moments of that record a disk is made as it might be found after the power had failed just then, and
//! looked at: it opens, everything in it holds, and every sheet that had been acknowledged is there.
//!
//! `kill -9` does not try that, since what a process has written outlives it. The disk of this test keeps what was synced;
//! of what was written later it keeps all, nothing, or some of the sectors.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use data_encoding::{BASE64_NOPAD, HEXLOWER};
use fieldcommand::clock::Clock;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sqlx::{AnyConnection, Connection};

use crate::world::players::{Players, SIDES};
use crate::world::{number, ports};

/// What a disk writes whole or not at all, in bytes.
const SECTOR: usize = 512;
/// The database and what belongs to it. Its index in shared memory is made anew.
const FILES: [&str; 2] = ["fieldcommand.sqlite", "fieldcommand.sqlite-wal"];

/// Something that was done to a file.
#[derive(Debug)]
enum Deed {
    Write { at: usize, bytes: Vec<u8> },
    Length(usize),
    Sync,
    Gone,
}

/// A deed, with its moment in microseconds since 1970 and its file.
#[derive(Debug)]
struct Line {
    at: u64,
    file: &'static str,
    deed: Deed,
}

/// What strace writes as `\x2f\x74`.
fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.split("\\x").skip(1).map(|pair| u8::from_str_radix(&pair[..2], 16).unwrap()).collect();
    digits
}

/// Which of the files a path is.
fn file_of(path: &str) -> Option<&'static str> {
    let path = String::from_utf8(bytes_of(path)).unwrap();
    let name = Path::new(&path).file_name()?.to_str()?;
    FILES.into_iter().find(|file| *file == name)
}

/// The path of `9<…>`, a file that is open.
fn open_file(text: &str) -> Option<&'static str> {
    file_of(text.split_once('<')?.1.split_once('>')?.0)
}

/// Reads what one thread did. `position` is where its files stand, for writes that do not say.
fn read(line: &str, positions: &mut BTreeMap<String, usize>) -> Option<Line> {
    let (moment, call) = line.split_once(' ')?;
    let (seconds, micros) = moment.split_once('.')?;
    let at = seconds.parse::<u64>().ok()? * 1_000_000 + micros.parse::<u64>().ok()?;
    let (name, rest) = call.split_once('(')?;
    let (arguments, result) = rest.rsplit_once(" = ")?;
    let result: i64 = result.split([' ', '<']).next()?.parse().ok()?;
    if result < 0 {
        return None;
    }
    let result = usize::try_from(result).unwrap();
    let descriptor = || arguments.split_once('<').unwrap().0.to_owned();
    let argument = |n: usize| arguments.trim_end_matches(')').split(", ").nth(n).unwrap();
    let (file, deed) = match name {
        "lseek" => {
            positions.insert(descriptor(), result);
            return None;
        }
        "pwrite64" | "write" => {
            let file = open_file(arguments)?;
            let mut bytes = bytes_of(arguments.split('"').nth(1)?);
            assert!(!arguments.contains("\"..."), "strace has cut a write short");
            bytes.truncate(result);
            let at = if name == "write" {
                let position = positions.entry(descriptor()).or_default();
                let at = *position;
                *position += result;
                at
            } else {
                argument(3).parse().unwrap()
            };
            (file, Deed::Write { at, bytes })
        }
        "ftruncate" => (open_file(arguments)?, Deed::Length(argument(1).parse().unwrap())),
        "fsync" | "fdatasync" => (open_file(arguments)?, Deed::Sync),
        "unlink" => (file_of(arguments.split('"').nth(1)?)?, Deed::Gone),
        _ => return None,
    };
    Some(Line { at, file, deed })
}

/// All that was done, in the order of time.
fn record(folder: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let mut positions = BTreeMap::new();
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        lines.extend(text.lines().filter_map(|line| read(line, &mut positions)));
    }
    lines.sort_by_key(|line| line.at);
    lines
}

/// What becomes of a write that the disk was not asked to keep.
#[derive(Clone, Copy, Debug)]
enum Unkept {
    All,
    None,
    Some,
}

/// One file of the disk: what is kept for certain, and what was done since.
#[derive(Default)]
struct OnDisk<'l> {
    kept: Vec<u8>,
    since: Vec<&'l Deed>,
    gone: bool,
}

fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    if file.len() < at + bytes.len() {
        file.resize(at + bytes.len(), 0);
    }
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

impl<'l> OnDisk<'l> {
    fn does(&mut self, deed: &'l Deed) {
        match deed {
            Deed::Sync => {
                self.kept = self.found(Unkept::All, &mut StdRng::seed_from_u64(0));
                self.since.clear();
            }
            Deed::Gone => *self = OnDisk { gone: true, ..OnDisk::default() },
            deed => {
                self.gone = false;
                self.since.push(deed);
            }
        }
    }

    /// As it is found afterwards.
    fn found(&self, unkept: Unkept, chance: &mut StdRng) -> Vec<u8> {
        let mut file = self.kept.clone();
        for deed in &self.since {
            match deed {
                Deed::Write { at, bytes } => {
                    // A write may be torn between two sectors of the disk.
                    let mut begin = 0;
                    while begin < bytes.len() {
                        let end = bytes.len().min(begin + SECTOR - (at + begin) % SECTOR);
                        let kept = match unkept {
                            Unkept::All => true,
                            Unkept::None => false,
                            Unkept::Some => chance.random_bool(0.5),
                        };
                        if kept {
                            put(&mut file, at + begin, &bytes[begin..end]);
                        }
                        begin = end;
                    }
                }
                Deed::Length(length) if !matches!(unkept, Unkept::None) => file.resize(*length, 0),
                _ => {}
            }
        }
        file
    }
}

/// The program under strace, which writes what each thread does into a file of its own.
struct Recorded {
    child: Child,
    listen: SocketAddr,
}

impl Recorded {
    async fn start(data: &Path, trace: &Path) -> Recorded {
        let listen = ports::own();
        let mut command = Command::new("strace");
        command.args(["-ff", "-qq", "--seccomp-bpf", "-ttt", "-y", "-xx", "-s", "1000000"]);
        command.args(["-e", "trace=lseek,write,pwrite64,ftruncate,fsync,fdatasync,unlink", "-o"]).arg(trace.join("of"));
        command.arg(env!("CARGO_BIN_EXE_fieldcommand")).arg("--data").arg(data);
        command.args(["--listen", &listen.to_string(), "--limits", "off"]).env("FIELDCOMMAND_CONFIG", "");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let program = Recorded { child, listen };
        for _ in 0..3000 {
            if tokio::net::TcpStream::connect(listen).await.is_ok() {
                return program;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the program does not start under strace");
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // strace lets what it watches go when it ends, so the program is killed itself.
        let children = format!("/proc/{0}/task/{0}/children", self.child.id());
        for child in fs::read_to_string(children).unwrap_or_default().split_whitespace() {
            let _ = Command::new("kill").args(["-9", child]).status();
        }
        let _ = self.child.wait();
    }
}

/// A sheet that was acknowledged, and when, in microseconds since 1970, rounded up.
struct Acknowledged {
    at: u64,
    seal: String,
}

async fn play(listen: SocketAddr, games: u64, turns: u32, seed: u64) -> Vec<Acknowledged> {
    let mut playing = tokio::task::JoinSet::new();
    for game in 0..games {
        playing.spawn(async move {
            let (mut acknowledged, mut chance) = (Vec::new(), StdRng::seed_from_u64(seed ^ (game << 32)));
            // Without addresses, so that no letters are awaited.
            let mut players = Players::sit_down(&[format!("http://{listen}")], game + 1).await;
            for _ in 0..turns {
                let turn = players.turn;
                players.turn(&mut chance).await;
                let at = u64::try_from(Clock::System.now().0 + 1).unwrap() * 1000;
                let seals = SIDES.map(|side| players.receipts[&(turn, side)].clone());
                acknowledged.extend(seals.map(|seal| Acknowledged { at, seal }));
            }
            acknowledged
        });
    }
    playing.join_all().await.into_iter().flatten().collect()
}

/// Looks at a disk as it was found: the program opens it and finds nothing wrong, and what was acknowledged is there.
async fn look(data: &Path, acknowledged: &[&Acknowledged], told: &str) {
    let mut verify = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
    let verified = verify.args(["verify", "--data"]).arg(data).env("FIELDCOMMAND_CONFIG", "").output().unwrap();
    assert!(verified.status.success(), "{told}: {verified:?}");
    let database = data.join(FILES[0]);
    let mut conn = AnyConnection::connect(&format!("sqlite://{}", database.display())).await.unwrap();
    let (whole,): (String,) = sqlx::query_as("pragma integrity_check").fetch_one(&mut conn).await.unwrap();
    assert_eq!(whole, "ok", "{told}");
    let sql = "select red_seal from turns union select blue_seal from turns union select seal from sheets";
    let seals: Vec<(String,)> = sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap();
    for sheet in acknowledged {
        // Those of turns that are resolved are kept in base 64.
        let resolved = BASE64_NOPAD.encode(&HEXLOWER.decode(sheet.seal.as_bytes()).unwrap());
        assert!(
            seals.iter().any(|(seal,)| [&sheet.seal, &resolved].contains(&seal)),
            "{told}: an acknowledged sheet is not there"
        );
    }
    conn.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_when_the_power_fails() {
    let (cuts, seed) = (number("FIELDCOMMAND_CUTS", 8), number("FIELDCOMMAND_SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let [data, trace] = ["data", "trace"].map(|name| folder.path().join(name));
    fs::create_dir(&trace).unwrap();
    let program = Recorded::start(&data, &trace).await;
    let acknowledged = play(program.listen, 3, u32::try_from(8 + cuts / 4).unwrap(), seed).await;
    drop(program);
    let lines = record(&trace);
    let syncs = lines.iter().filter(|line| matches!(line.deed, Deed::Sync)).count();
    assert!(syncs > acknowledged.len() / 4 && lines.len() > syncs, "{syncs} of {} are syncs", lines.len());
    let key = fs::read(data.join("server.key")).unwrap();

    sqlx::any::install_default_drivers();
    let (mut chance, mut promised) = (StdRng::seed_from_u64(seed), 0);
    // From the first game on: before that there is no database that anybody was promised anything of.
    let first = acknowledged.iter().map(|sheet| sheet.at).min().unwrap();
    let after = lines.iter().position(|line| line.at > first).unwrap();
    for cut in 0..cuts {
        // One cut is after all.
        let end = if cut == 0 { lines.len() } else { chance.random_range(after..lines.len()) };
        let mut disk: BTreeMap<&str, OnDisk<'_>> = BTreeMap::new();
        for line in &lines[..end] {
            disk.entry(line.file).or_default().does(&line.deed);
        }
        let moment = lines.get(end).map_or(u64::MAX, |line| line.at);
        let before: Vec<&Acknowledged> = acknowledged.iter().filter(|sheet| sheet.at < moment).collect();
        promised += before.len();
        for unkept in [Unkept::All, Unkept::None, Unkept::Some] {
            let found: PathBuf = folder.path().join(format!("found-{cut}-{unkept:?}"));
            fs::create_dir(&found).unwrap();
            fs::write(found.join("server.key"), &key).unwrap();
            for (name, file) in disk.iter().filter(|(_, file)| !file.gone) {
                fs::write(found.join(name), file.found(unkept, &mut chance)).unwrap();
            }
            look(
                &found,
                &before,
                &format!("seed {seed}, after {end} of {} deeds, kept of the rest: {unkept:?}", lines.len()),
            )
            .await;
            fs::remove_dir_all(&found).unwrap();
        }
    }
    println!("seed {seed}: {} deeds, {syncs} of them syncs; {cuts} cuts, {promised} sheets looked for", lines.len());
}
