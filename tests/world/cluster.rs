//! Several processes of the program on one PostgreSQL database, each with a folder and a port of its own.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fieldcommand::clock::{Chance, Clock};
use fieldcommand::play::{Play, ServerKey};
use tokio::net::TcpStream;

use super::{World, ports};

/// The key of all worlds.
pub const KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// One of the processes.
pub struct Member {
    arguments: Vec<String>,
    pub data: PathBuf,
    listen: SocketAddr,
    metrics: SocketAddr,
    child: Option<Child>,
}

impl Member {
    /// One on a database, which is not started yet: `serve` and more arguments.
    pub fn on(database: &str, data: PathBuf, more: &[&str]) -> Member {
        let (listen, metrics) = (ports::own(), ports::own());
        let own = ["--listen", &listen.to_string(), "--metrics-listen", &metrics.to_string()].map(str::to_owned);
        let arguments = ["--limits", "off", "--database-url", database];
        let arguments: Vec<String> =
            ["serve"].into_iter().chain(more.iter().copied()).chain(arguments).map(str::to_owned).collect();
        let arguments = [arguments, own.to_vec()].concat();
        std::fs::create_dir_all(&data).unwrap();
        Member { arguments, data, listen, metrics, child: None }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.listen)
    }

    /// Where it says how it is.
    pub fn own_url(&self) -> String {
        format!("http://{}", self.metrics)
    }

    /// Starts it, and does not wait.
    pub fn spawn(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.data.join("log")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
        command.args(&self.arguments).arg("--data").arg(&self.data);
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
    }

    /// Waits until it answers who looks after it.
    pub async fn lives(&mut self) {
        for _ in 0..3000 {
            if TcpStream::connect(self.metrics).await.is_ok()
                && reqwest::get(format!("{}/health/live", self.own_url())).await.is_ok()
            {
                return;
            }
            let ended = self.child.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "it does not start: {}", self.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it does not answer: {}", self.log());
    }

    pub async fn start(&mut self) {
        self.spawn();
        self.lives().await;
    }

    /// Kills it without a word.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Tells it to stop, as service managers do, and waits until it has.
    pub async fn stop(&mut self) {
        let mut child = self.child.take().unwrap();
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        let status = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
        assert!(status.success(), "{status}: {}", self.log());
    }

    /// Everything it has said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("log")).unwrap_or_default()
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Processes on one database.
pub struct Cluster {
    pub world: World,
    pub members: Vec<Member>,
}

impl Cluster {
    /// Starts one process for each list of arguments.
    pub async fn start(lists: &[&[&str]]) -> Cluster {
        let world = World::postgres().await;
        let mut members = Vec::new();
        for (number, more) in lists.iter().enumerate() {
            let more: Vec<&str> = more.iter().copied().chain(["--key", KEY]).collect();
            let mut member = Member::on(&world.address(), world.path().join(format!("process-{number}")), &more);
            member.spawn();
            members.push(member);
        }
        for member in &mut members {
            member.lives().await;
        }
        Cluster { world, members }
    }

    /// So many processes that do everything.
    pub async fn whole(number: usize, more: &[&str]) -> Cluster {
        Cluster::start(&vec![more; number]).await
    }

    /// Where they answer.
    pub fn urls(&self) -> Vec<String> {
        self.members.iter().map(Member::url).collect()
    }

    /// The use cases of yet another process, with the system's time.
    pub fn play(&self) -> Play {
        Play::new(self.world.store.clone(), Clock::System, Chance::System, ServerKey::new([7; 32]))
    }

    /// Stops all, and looks whether one of them made a mistake.
    pub async fn end(mut self) {
        for member in &mut self.members {
            if member.child.is_some() {
                member.stop().await;
            }
            assert!(!member.log().contains("panicked"), "{}", member.log());
            assert!(!member.log().contains("the program made a mistake"), "{}", member.log());
        }
        assert_eq!(self.world.count("processes").await, 0, "who stops leaves");
        self.world.end().await;
    }
}
