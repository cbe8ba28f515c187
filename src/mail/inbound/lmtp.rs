//! The LMTP door (RFC 2033): a mail server on the same host hands over what comes for the addresses of this one.
//!
//! After the message there is one answer for each recipient: 250 once all of it is kept, 4xx when the server could not do
//! its part and the message is to be kept and tried again, 5xx for what no second try would mend.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use smtp_proto::request::receiver::{DataReceiver, RequestReceiver};
use smtp_proto::{Error, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::door::{Door, NotTaken};
use super::reader::LONGEST;

/// How many connections are served at once; more wait.
const CONNECTIONS: usize = 32;
/// How long the other side may be silent.
const SILENCE: Duration = Duration::from_mins(5);
/// How long the rest of a message is waited for while the server stops.
const LAST: Duration = Duration::from_secs(5);
/// How long a connection lasts at most.
const WHOLE: Duration = Duration::from_hours(1);
/// How many recipients a message has at most.
const RECIPIENTS: usize = 100;
/// How many commands in a row may be wrong.
const MISTAKES: u32 = 20;
/// How much of a message that is too long is read and thrown away before the connection is closed, in octets.
const PATIENCE: usize = 32 * LONGEST;

/// Serves until `stop`; then no new connections are accepted, and a message that is being dealt with is finished.
pub async fn run(listener: TcpListener, door: Door, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut sessions = JoinSet::new();
    loop {
        let place = tokio::select! {
            () = stop.cancelled() => break,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let Ok(place) = place else { break };
        let stream = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::error!(%error, "a mail connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let (door, stop) = (door.clone(), stop.clone());
        // Those that are over are let go.
        while sessions.try_join_next().is_some() {}
        sessions.spawn(async move {
            let session = Session { stream, door, stop, sender: None, recipients: Vec::new(), rest: Vec::new() };
            if let Ok(Err(error)) = timeout(WHOLE, session.serve()).await {
                tracing::debug!(%error, "a mail connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    while sessions.join_next().await.is_some() {}
}

/// Serves one connection, for tests and for [`run`].
struct Session {
    stream: TcpStream,
    door: Door,
    stop: CancellationToken,
    /// Whether the envelope names nobody as its sender, once it was given.
    sender: Option<bool>,
    recipients: Vec<String>,
    /// What was received and not read yet.
    rest: Vec<u8>,
}

/// What becomes of the connection.
#[derive(PartialEq, Eq)]
enum Next {
    Command,
    Wrong,
    Data,
    End,
}

impl Session {
    async fn serve(mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        self.say("220 fieldcommand LMTP").await?;
        let (mut receiver, mut mistakes) = (RequestReceiver::default(), 0);
        loop {
            let next = {
                let rest = std::mem::take(&mut self.rest);
                let mut bytes = rest.iter();
                let request = receiver.ingest(&mut bytes).map(Request::into_owned);
                self.rest = bytes.as_slice().to_vec();
                match request {
                    Err(Error::NeedsMoreData { .. }) => {
                        if !self.receive(Duration::ZERO).await? {
                            return Ok(());
                        }
                        continue;
                    }
                    request => self.command(request).await?,
                }
            };
            match next {
                Next::Command => mistakes = 0,
                Next::Wrong => mistakes += 1,
                // Whatever came next would be the rest of a message, and no command (RFC 5321, 3.8).
                Next::Data if !self.message().await? => return Ok(()),
                Next::Data => {}
                Next::End => return Ok(()),
            }
            if mistakes >= MISTAKES {
                return self.say("421 4.7.0 too many mistakes").await;
            }
        }
    }

    /// Receives more, for `last` also while the server stops. Says whether there is more.
    async fn receive(&mut self, last: Duration) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let stopped = async {
            self.stop.cancelled().await;
            tokio::time::sleep(last).await;
        };
        let read = tokio::select! {
            () = stopped => None,
            read = timeout(SILENCE, self.stream.read(&mut buffer)) => read.ok(),
        };
        let Some(read) = read else {
            self.say("421 4.3.2 the server stops, or waited for too long").await?;
            return Ok(false);
        };
        let length = read?;
        self.rest.extend_from_slice(buffer.get(..length).unwrap_or_default());
        Ok(length > 0)
    }

    async fn say(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\r\n").as_bytes()).await
    }

    async fn command(&mut self, request: Result<Request<String>, Error>) -> io::Result<Next> {
        let (line, next): (Cow<'_, str>, Next) = match request {
            Ok(Request::Lhlo { .. }) => {
                self.reset();
                let words =
                    "250-fieldcommand\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE ";
                (format!("{words}{LONGEST}").into(), Next::Command)
            }
            Ok(Request::Mail { from }) if from.size > LONGEST => {
                ("552 5.3.4 the message is too large".into(), Next::Command)
            }
            Ok(Request::Mail { from }) => {
                self.reset();
                self.sender = Some(from.address.is_empty());
                ("250 2.1.0 ok".into(), Next::Command)
            }
            Ok(Request::Rcpt { .. }) if self.sender.is_none() => ("503 5.5.1 MAIL first".into(), Next::Wrong),
            Ok(Request::Rcpt { .. }) if self.recipients.len() >= RECIPIENTS => {
                ("452 4.5.3 too many recipients".into(), Next::Command)
            }
            Ok(Request::Rcpt { to }) => match self.door.knows(&to.address).await {
                Ok(()) => {
                    self.recipients.push(to.address);
                    ("250 2.1.5 ok".into(), Next::Command)
                }
                Err(error) => (refusal(&error).into(), Next::Command),
            },
            Ok(Request::Data) if self.recipients.is_empty() => ("503 5.5.1 no valid recipients".into(), Next::Wrong),
            Ok(Request::Data) => ("354 go on, and end with a dot".into(), Next::Data),
            Ok(Request::Rset) => {
                self.reset();
                ("250 2.0.0 ok".into(), Next::Command)
            }
            Ok(Request::Noop { .. }) => ("250 2.0.0 ok".into(), Next::Command),
            Ok(Request::Vrfy { .. }) => ("252 2.5.0 try to deliver".into(), Next::Command),
            Ok(Request::Quit) => ("221 2.0.0 bye".into(), Next::End),
            Ok(Request::Helo { .. } | Request::Ehlo { .. }) => ("500 5.5.1 this is LMTP: say LHLO".into(), Next::Wrong),
            Err(Error::ResponseTooLong) => ("500 5.5.2 the line is too long".into(), Next::End),
            Err(Error::InvalidSenderAddress | Error::InvalidRecipientAddress) => {
                ("501 5.1.3 that is no address".into(), Next::Wrong)
            }
            Err(Error::SyntaxError { .. } | Error::InvalidParameter { .. } | Error::UnsupportedParameter { .. }) => {
                ("501 5.5.4 that cannot be read".into(), Next::Wrong)
            }
            Ok(_) | Err(_) => ("500 5.5.1 not here".into(), Next::Wrong),
        };
        self.say(&line).await?;
        Ok(next)
    }

    fn reset(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }

    /// Receives a message, and answers for each recipient. Says whether it came to its end.
    async fn message(&mut self) -> io::Result<bool> {
        let mut receiver = DataReceiver::new();
        let mut message = Vec::new();
        // The receiver would miss a dot that begins the first line: it is told that a line has ended.
        receiver.ingest(&mut b"\r\n".iter(), &mut message);
        message.clear();
        let (mut whole, mut thrown) = (false, 0);
        while !whole {
            if self.rest.is_empty() && !self.receive(LAST).await? {
                return Ok(false);
            }
            let rest = std::mem::take(&mut self.rest);
            let mut bytes = rest.iter();
            whole = receiver.ingest(&mut bytes, &mut message);
            self.rest = bytes.as_slice().to_vec();
            if thrown > 0 || message.len() > LONGEST {
                thrown += message.len();
                message.clear();
            }
            if thrown > PATIENCE {
                return Err(io::Error::other("a message without end"));
            }
        }
        let nobody = self.sender.unwrap_or(true);
        for recipient in std::mem::take(&mut self.recipients) {
            let taken = match thrown {
                0 => self.door.take(&recipient, nobody, &message).await,
                _ => Err(NotTaken::Unreadable(super::reader::Unreadable::TooLong)),
            };
            match taken {
                Ok(()) => self.say("250 2.0.0 kept").await?,
                Err(error) => self.say(&refusal(&error)).await?,
            }
        }
        self.reset();
        Ok(true)
    }
}

/// The answer for what is not taken.
fn refusal(error: &NotTaken) -> String {
    let code = match error {
        NotTaken::NoSuchAddress => "550 5.1.1",
        NotTaken::Unreadable(super::reader::Unreadable::TooLong) => "552 5.3.4",
        NotTaken::Unreadable(_) => "554 5.6.0",
        NotTaken::StandsStill => "451 4.3.2",
        NotTaken::Later(cause) => {
            tracing::error!(cause = %cause.cause(), "a mail could not be kept");
            "451 4.3.0"
        }
    };
    format!("{code} {error}")
}
