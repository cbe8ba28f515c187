//! The program as a process of its own, which can be killed, and whose disk can be full.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::Connection;
use tokio::net::TcpStream;

use super::ports;

/// How many connections the program has to the mail server, and so how many letters may be on their way when it dies.
pub const CONNECTIONS: usize = 2;

/// The program, as a service manager would start it again and again.
pub struct Program {
    pub data: PathBuf,
    database: Option<String>,
    pub listen: SocketAddr,
    mail: u16,
    child: Child,
}

impl Program {
    /// Starts it on a folder, or on a database, and waits until it answers.
    pub async fn start(data: &Path, database: Option<String>, mail: u16) -> Program {
        let listen = ports::own();
        let child = spawn(data, database.as_deref(), listen, mail);
        let program = Program { data: data.to_owned(), database, listen, mail, child };
        program.answers().await;
        program
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.listen)
    }

    /// Lets no file of it grow beyond so many bytes, as if the disk were full; `None` lifts that.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let mut prlimit = Command::new("prlimit");
        prlimit.args(["--pid", &self.child.id().to_string(), &format!("--fsize={limit}:")]);
        assert!(prlimit.status().unwrap().success());
    }

    /// Kills it without a word, and starts it again.
    pub async fn dies(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = spawn(&self.data, self.database.as_deref(), self.listen, self.mail);
        self.answers().await;
    }

    async fn answers(&self) {
        for _ in 0..3000 {
            if TcpStream::connect(self.listen).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the program does not start: {}", self.log());
    }

    /// Everything it has said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("log")).unwrap()
    }

    /// Whether it has run without a mistake.
    pub fn made_no_mistake(&self) {
        let log = self.log();
        assert!(!log.contains("the program made a mistake") && !log.contains("panicked"), "{log}");
    }

    /// The ids of the letters that it says to have sent.
    pub async fn sent(&self) -> Vec<String> {
        let file = || format!("sqlite://{}", self.data.join("fieldcommand.sqlite").display());
        sqlx::any::install_default_drivers();
        let mut conn = sqlx::AnyConnection::connect(&self.database.clone().unwrap_or_else(file)).await.unwrap();
        let sql = "select id from outbox where sent_at is not null and folded_into is null";
        let rows: Vec<(String,)> = sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap();
        rows.into_iter().map(|(id,)| id).collect()
    }

    /// Whether `verify` finds that everything that is kept holds.
    pub fn verifies(&self) -> bool {
        let mut verify = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
        verify.arg("verify").arg("--data").arg(&self.data).stdout(Stdio::null());
        if let Some(database) = &self.database {
            verify.arg("--database-url").arg(database);
        }
        verify.status().unwrap().success()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(data: &Path, database: Option<&str>, listen: SocketAddr, mail: u16) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(data.join("log")).unwrap();
    // A file that must not grow is an error like any other then, and does not end the program.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_fieldcommand")]);
    command.arg("--data").arg(data).arg("--listen").arg(listen.to_string()).args(["--limits", "off"]);
    command.args(["--smtp-url", &format!("smtp://127.0.0.1:{mail}?tls=none")]);
    command.args(["--mail-connections", &CONNECTIONS.to_string()]);
    if let Some(database) = database {
        command.args(["--database-url", database]);
    }
    command.stdout(Stdio::null()).stderr(log).spawn().unwrap()
}
