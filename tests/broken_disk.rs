//! A disk on which a single write or sync fails, each in turn: whoever is told that a sheet is sealed can rely on it, and
//! whoever is not can send it again. The failures are put into the running program's system calls by strace.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio_util::sync::CancellationToken;

use crate::world::players::Players;
use crate::world::program::Program;
use crate::world::smtp::Smtp;
use crate::world::{World, number};

/// What may fail.
const CALLS: &str = "pwrite64,fdatasync,fsync";
/// More of them than one turn takes.
const MOST: u64 = 200;

/// The program, as long as one of its calls is to fail.
struct Broken {
    strace: Child,
}

impl Broken {
    /// The call with a number is to fail, counted by each thread; one thread alone writes to the database.
    async fn begin(program: u32, at: u64, list: &Path) -> Broken {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", &format!("trace={CALLS}"), "-o"]).arg(list);
        strace.args(["-e", &format!("inject={CALLS}:error=EIO:when={at}"), "-p", &program.to_string()]);
        let broken = Broken { strace: strace.stderr(Stdio::null()).spawn().unwrap() };
        let traced = || {
            let mut tasks = fs::read_dir(format!("/proc/{program}/task")).unwrap();
            tasks.all(|task| {
                let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap_or_default();
                !status.contains("TracerPid:\t0\n")
            })
        };
        for _ in 0..1000 {
            if traced() {
                return broken;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("strace does not come to the program");
    }

    /// Lets the program go as soon as a call has failed (a thread that begins to write then is counted anew), or all is over.
    /// Says whether one has.
    async fn ends(mut self, list: &Path, over: &CancellationToken) -> bool {
        let failed = || fs::read_to_string(list).unwrap_or_default().contains("(INJECTED)");
        while !over.is_cancelled() && !failed() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Command::new("kill").args(["-INT", &self.strace.id().to_string()]).status().unwrap();
        self.strace.wait().unwrap();
        failed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_write_that_fails_is_taken_for_a_success() {
    let (rounds, seed) = (number("FIELDCOMMAND_CUTS", 1).div_ceil(10), number("FIELDCOMMAND_SEED", 1));
    let world = World::sqlite().await;
    world.store.close().await;
    let smtp = Smtp::willing().await;
    let mut program = Program::start(world.path(), None, smtp.port).await;
    let list = world.path().join("strace");
    let mut chance = StdRng::seed_from_u64(seed);
    let mut players = Players::sit_down(&[program.url()], 1).await;
    players.patient = true;
    let (mut failed, mut at, mut round) = (0, 0, 0);
    while round < rounds {
        at += 1;
        assert!(at < MOST, "a turn takes fewer calls");
        let broken = Broken::begin(program.id(), at, &list).await;
        let over = CancellationToken::new();
        let turn = async {
            players.turn(&mut chance).await;
            over.cancel();
        };
        let (has_failed, ()) = tokio::join!(broken.ends(&list, &over), turn);
        if !has_failed {
            // No turn takes so many: each has failed once.
            (at, round) = (0, round + 1);
            continue;
        }
        failed += 1;
        // What the file holds counts, and not what the process remembers.
        program.dies().await;
        players.audit().await;
    }
    assert!(failed > 10 * rounds, "{failed} calls failed");
    assert!(players.refused > 0, "nobody was sent away");
    assert!(program.verifies());
    program.made_no_mistake();
    println!("seed {seed}: {failed} calls failed one by one, {} requests sent away", players.refused);
}
