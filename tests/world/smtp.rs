//! An SMTP server that follows a script: it refuses, hangs or drops the connection where it is told to, and keeps what it
//! was handed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fieldcommand::mail::Transport;
use fieldcommand::mail::transport::{Limits, SmtpServer};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Greeting,
    Hello,
    Mail,
    Reader,
    Data,
    /// While the letter itself is on its way.
    Body,
    /// After its last dot.
    Dot,
}

impl Stage {
    pub const ALL: [Stage; 7] =
        [Stage::Greeting, Stage::Hello, Stage::Mail, Stage::Reader, Stage::Data, Stage::Body, Stage::Dot];
}

/// What the server does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// What is usual.
    Go,
    /// It says this instead.
    Say(&'static str),
    /// It says this and closes the connection.
    Close(&'static str),
    /// What is usual, after a while.
    Wait(Duration),
    /// It says nothing for ever.
    Hang,
    /// It closes the connection without a word.
    Drop,
}

/// A letter that arrived whole.
#[derive(Clone, Debug)]
pub struct Heard {
    pub from: String,
    pub to: String,
    pub text: String,
    /// Whether the server has said so.
    pub taken: bool,
}

impl Heard {
    /// A header's value, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        header(&self.text, name)
    }
}

/// A header's value, unfolded.
pub fn header(letter: &str, name: &str) -> Option<String> {
    let letter = letter.replace("\r\n", "\n");
    let head = letter.split("\n\n").next()?.replace("\n ", " ").replace("\n\t", " ");
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned()))
}

type Rule = dyn Fn(Stage, &str, usize) -> Act + Send + Sync;

/// What the server has come to know.
#[derive(Default)]
struct Known {
    letters: Vec<Heard>,
    connections: usize,
    greetings: Vec<String>,
    reached: HashMap<(Stage, String), usize>,
}

/// The running server.
pub struct Smtp {
    pub port: u16,
    known: Arc<Mutex<Known>>,
    /// How long others wait for a step: little where a script may hang, and as long as a busy machine needs elsewhere.
    patience: Duration,
    running: tokio::task::JoinHandle<()>,
}

impl Drop for Smtp {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Smtp {
    /// Starts one. The rule is asked at each stage, with the reader as far as there is one, and how often that stage was
    /// reached for that reader before.
    pub async fn start(rule: impl Fn(Stage, &str, usize) -> Act + Send + Sync + 'static) -> Smtp {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let known = Arc::new(Mutex::new(Known::default()));
        let (rule, shared): (Arc<Rule>, _) = (Arc::new(rule), Arc::clone(&known));
        let running = tokio::spawn(async move {
            let mut talks = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().unwrap().connections += 1;
                stream.set_nodelay(true).unwrap();
                let talk = Talk::new(stream, Arc::clone(&rule), Arc::clone(&shared));
                talks.spawn(talk.run());
            }
        });
        Smtp { port, known, patience: Duration::from_secs(2), running }
    }

    /// One that takes everything.
    pub async fn willing() -> Smtp {
        let mut smtp = Smtp::start(|_, _, _| Act::Go).await;
        smtp.patience = Duration::from_mins(1);
        smtp
    }

    /// The way there.
    pub fn transport(&self) -> Transport {
        Transport::Smtp(self.server())
    }

    /// The same, to be changed.
    pub fn server(&self) -> SmtpServer {
        let limits = Limits { step: self.patience, whole: self.patience, letter: self.patience * 5 };
        SmtpServer::parse(&format!("smtp://127.0.0.1:{}", self.port)).unwrap().within(limits)
    }

    /// What has arrived whole.
    pub fn letters(&self) -> Vec<Heard> {
        self.known.lock().unwrap().letters.clone()
    }

    /// How it was greeted.
    pub fn greetings(&self) -> Vec<String> {
        self.known.lock().unwrap().greetings.clone()
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.known.lock().unwrap().connections
    }

    /// Waits until so many letters have arrived whole.
    pub async fn until(&self, number: usize) {
        for _ in 0..3000 {
            if self.letters().len() >= number {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{number} letters do not come: {:#?}", self.letters().len());
    }
}

/// One conversation.
struct Talk {
    lines: BufReader<tokio::net::tcp::OwnedReadHalf>,
    out: OwnedWriteHalf,
    rule: Arc<Rule>,
    known: Arc<Mutex<Known>>,
    from: String,
    to: String,
}

impl Talk {
    fn new(stream: TcpStream, rule: Arc<Rule>, known: Arc<Mutex<Known>>) -> Talk {
        let (read, out) = stream.into_split();
        Talk { lines: BufReader::new(read), out, rule, known, from: String::new(), to: String::new() }
    }

    async fn run(mut self) {
        let _ = self.converse().await;
    }

    async fn say(&mut self, text: &str) -> Option<()> {
        self.out.write_all(format!("{text}\r\n").as_bytes()).await.ok()
    }

    /// Does what the script has for a stage. True if it went as usual; `None` if the conversation is over.
    async fn at(&mut self, stage: Stage, usual: &str) -> Option<bool> {
        let reader = if matches!(stage, Stage::Greeting | Stage::Hello | Stage::Mail) { "" } else { &*self.to };
        let before = {
            let mut known = self.known.lock().unwrap();
            let times = known.reached.entry((stage, reader.to_owned())).or_default();
            *times += 1;
            *times - 1
        };
        match (self.rule)(stage, reader, before) {
            Act::Go if usual.is_empty() => Some(true),
            Act::Go => self.say(usual).await.map(|()| true),
            Act::Say(text) => self.say(text).await.map(|()| false),
            Act::Close(text) => {
                self.say(text).await?;
                None
            }
            Act::Wait(time) => {
                tokio::time::sleep(time).await;
                self.say(usual).await.map(|()| true)
            }
            Act::Hang => std::future::pending().await,
            Act::Drop => None,
        }
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.lines.read_line(&mut line).await.ok()? > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    async fn converse(&mut self) -> Option<()> {
        if !self.at(Stage::Greeting, "220 scripted").await? {
            return None;
        }
        loop {
            let line = self.line().await?;
            let inside = |line: &str| {
                let (_, rest) = line.split_once('<')?;
                rest.split_once('>').map(|(address, _)| address.to_owned())
            };
            match line.get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" | "HELO" => {
                    self.known.lock().unwrap().greetings.push(line);
                    self.at(Stage::Hello, "250 scripted").await?;
                }
                "MAIL" => {
                    (self.from, self.to) = (inside(&line)?, String::new());
                    self.at(Stage::Mail, "250 ok").await?;
                }
                "RCPT" => {
                    self.to = inside(&line)?;
                    self.at(Stage::Reader, "250 ok").await?;
                }
                "DATA" => {
                    if self.at(Stage::Data, "354 go on").await? {
                        self.letter().await?;
                    }
                }
                "QUIT" => {
                    self.say("221 bye").await?;
                    return None;
                }
                _ => self.say("250 ok").await?,
            }
        }
    }

    async fn letter(&mut self) -> Option<()> {
        let mut text = self.line().await? + "\n";
        self.at(Stage::Body, "").await?;
        loop {
            let line = self.line().await?;
            if line == "." {
                break;
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push('\n');
        }
        let heard = Heard { from: self.from.clone(), to: self.to.clone(), text, taken: false };
        let number = {
            let mut known = self.known.lock().unwrap();
            known.letters.push(heard);
            known.letters.len() - 1
        };
        if self.at(Stage::Dot, "250 taken").await? {
            self.known.lock().unwrap().letters[number].taken = true;
        }
        Some(())
    }
}
