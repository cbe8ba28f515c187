//! A courier takes letters to where they leave, one after the other. To an SMTP server it has a connection of its own
//! that lasts.
//!
//! The connection is taken out for a letter and put back only when it is certain where the conversation stands: after the
//! server has taken the letter, or has refused it and forgotten it (`RSET`). Every step has a time limit. A letter about
//! which it is unknown whether the server has it goes again, with the same Message-ID: twice is better than never.

use std::time::Duration;

use lettre::Address;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Mechanism;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Noop, Rcpt, Rset};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use lettre::transport::smtp::{self};
use tokio::time::{Instant, timeout};

use crate::mail::refusal;
use crate::mail::stream;
use crate::mail::transport::{Outgoing, SmtpServer, Tls, Transport, TransportError, write_file};
use crate::mail::wire::Verbatim;

/// After how long a connection is asked whether it still stands before it is used.
const IDLE: Duration = Duration::from_secs(5);
/// After how long an unused connection is closed.
const REST: Duration = Duration::from_mins(1);
/// The code by which a server says that it closes the connection (RFC 5321, 3.8).
const CLOSING: u16 = 421;

/// Takes letters away.
pub struct Courier {
    transport: Transport,
    /// The connection, while no letter is on its way, and since when it rests.
    resting: Option<(AsyncSmtpConnection, Instant)>,
}

/// Why a step of a conversation failed.
enum Failed {
    /// The server refused, by a code; the conversation goes on.
    Refused(String, u16),
    /// The connection is of no use any more.
    Broken(String),
}

impl Failed {
    fn of(error: &smtp::Error) -> Failed {
        let text = error.to_string();
        match error.status().map(u16::from) {
            Some(code) if code != CLOSING => Failed::Refused(text, code),
            _ => Failed::Broken(text),
        }
    }

    fn text(self) -> String {
        match self {
            Failed::Refused(text, _) | Failed::Broken(text) => text,
        }
    }
}

/// How a conversation about a letter ended.
enum Ended {
    /// The server has the letter.
    Taken,
    /// It refused the letter at once or for its reader: for good if the code says so.
    Refused(TransportError),
    /// The connection broke before the letter was on its way.
    Early(String),
    /// It broke after that: whether the server has the letter is unknown.
    Unknown(String),
}

impl Courier {
    /// A courier who stands ready.
    #[must_use]
    pub const fn new(transport: Transport) -> Courier {
        Courier { transport, resting: None }
    }

    /// Hands a letter over.
    ///
    /// # Errors
    /// It did not leave, for now or for good, or it is unknown whether it did.
    pub async fn deliver(&mut self, letter: &Outgoing) -> Result<(), TransportError> {
        match &self.transport {
            Transport::Folder(folder) => {
                let (folder, letter) = (folder.clone(), letter.clone());
                tokio::task::spawn_blocking(move || write_file(&folder, &letter.id, letter.text.as_bytes()))
                    .await
                    .map_err(|error| TransportError::ForNow(error.to_string()))?
                    .map_err(|error| TransportError::ForNow(format!("the mail folder: {error}")))
            }
            Transport::Smtp(server) => {
                let server = server.clone();
                let slow = || TransportError::ForNow("the mail server took too long".into());
                let conversation = self.converse(&server, &letter.envelope, &letter.text);
                timeout(server.limits.letter, conversation).await.unwrap_or_else(|_| Err(slow()))
            }
        }
    }

    /// Where it takes letters.
    #[must_use]
    pub const fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Closes a connection that nobody has used for a while.
    pub async fn look_round(&mut self) {
        if self.resting.as_ref().is_some_and(|(_, since)| since.elapsed() > REST) {
            self.rest().await;
        }
    }

    /// Ends the conversation politely.
    pub async fn rest(&mut self) {
        if let Some((mut connection, _)) = self.resting.take() {
            let _ = timeout(Duration::from_secs(1), connection.quit()).await;
        }
    }

    /// Talks about one letter: over the connection that rests, or a new one if that has been closed meanwhile.
    async fn converse(&mut self, server: &SmtpServer, envelope: &Envelope, text: &str) -> Result<(), TransportError> {
        if let Some(mut connection) = self.take_resting(server).await {
            match hand_over(&mut connection, server, envelope, text).await {
                Ended::Early(_) => {}
                ended => return self.conclude(connection, server, ended).await,
            }
        }
        let mut connection = connect(server).await.map_err(TransportError::ForNow)?;
        let ended = hand_over(&mut connection, server, envelope, text).await;
        self.conclude(connection, server, ended).await
    }

    /// The connection that rests, if it still stands.
    async fn take_resting(&mut self, server: &SmtpServer) -> Option<AsyncSmtpConnection> {
        let (mut connection, since) = self.resting.take()?;
        if since.elapsed() > IDLE {
            step(server, connection.command(Noop)).await.ok()?;
        }
        Some(connection)
    }

    /// Puts the connection back where it is certain how the conversation stands.
    async fn conclude(
        &mut self,
        mut connection: AsyncSmtpConnection,
        server: &SmtpServer,
        ended: Ended,
    ) -> Result<(), TransportError> {
        match ended {
            Ended::Taken => {
                self.resting = Some((connection, Instant::now()));
                Ok(())
            }
            Ended::Refused(error) => {
                if step(server, connection.command(Rset)).await.is_ok() {
                    self.resting = Some((connection, Instant::now()));
                }
                Err(error)
            }
            Ended::Early(text) | Ended::Unknown(text) => Err(TransportError::ForNow(text)),
        }
    }
}

/// One step within its time.
async fn step(
    server: &SmtpServer,
    answer: impl Future<Output = Result<Response, smtp::Error>>,
) -> Result<Response, Failed> {
    within(server.limits.step, answer).await
}

async fn within(
    limit: Duration,
    answer: impl Future<Output = Result<Response, smtp::Error>>,
) -> Result<Response, Failed> {
    match timeout(limit, answer).await {
        Ok(answer) => answer.map_err(|error| Failed::of(&error)),
        Err(_) => Err(Failed::Broken("the mail server took too long".into())),
    }
}

/// Connects, protects the connection and signs in. Whatever goes wrong here is no fault of a letter's. A connection that is
/// to be protected and cannot be is given up.
async fn connect(server: &SmtpServer) -> Result<AsyncSmtpConnection, String> {
    let limit = server.limits.step;
    let slow = |_| "the mail server took too long".to_owned();
    let insecure = |error: String| format!("no protected connection to the mail server {}: {error}", server.host);
    let hello = server.hello();
    let stream = timeout(limit, stream::connect(&server.host, server.port)).await.map_err(slow)?;
    let stream = stream.map_err(|error| format!("no connection to the mail server: {error}"))?;
    let stream = match server.tls {
        Tls::None => stream::clear(stream),
        Tls::Upgraded => stream::careful(stream),
        Tls::Wrapped => {
            let wrapped = stream::wrapped(stream, &server.host, &server.trust);
            timeout(limit, wrapped).await.map_err(slow)?.map_err(insecure)?
        }
    };
    let connected = timeout(limit, AsyncSmtpConnection::connect_with_transport(stream, &hello)).await.map_err(slow)?;
    let mut connection = connected.map_err(|error| Failed::of(&error).text())?;
    if server.tls == Tls::Upgraded {
        let parameters = server.trust.upgrade(&server.host).map_err(insecure)?;
        let upgraded = timeout(limit, connection.starttls(parameters, &hello)).await.map_err(slow)?;
        upgraded.map_err(|error| insecure(Failed::of(&error).text()))?;
    }
    if let Some(credentials) = &server.credentials {
        let known = connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials);
        let known = within(limit, known).await;
        known.map_err(|failed| format!("the mail server does not let this server in: {}", failed.text()))?;
    }
    Ok(connection)
}

/// The conversation about a letter, from its sender to the answer to its last dot.
async fn hand_over(
    connection: &mut AsyncSmtpConnection,
    server: &SmtpServer,
    envelope: &Envelope,
    text: &str,
) -> Ended {
    let parameters = match parameters(connection, envelope, text) {
        Ok(parameters) => parameters,
        Err(why) => return Ended::Refused(TransportError::ForGood(why)),
    };
    let sender = step(server, connection.command(Mail::new(envelope.from().cloned(), parameters))).await;
    match sender {
        Ok(_) => {}
        // That the server takes nothing from this sender is for its admin to mend, and no fault of the letter's.
        Err(Failed::Refused(text, _)) => return Ended::Refused(TransportError::ForNow(text)),
        Err(Failed::Broken(text)) => return Ended::Early(text),
    }
    for reader in envelope.to() {
        match step(server, connection.command(Rcpt::new(reader.clone(), Vec::new()))).await {
            Ok(_) => {}
            Err(Failed::Refused(text, code)) if refusal::means_no_such_reader(code, &text) => {
                return Ended::Refused(TransportError::NoSuchReader(text));
            }
            Err(failed) => return early(failed),
        }
    }
    if let Err(failed) = step(server, connection.command(Data)).await {
        return early(failed);
    }
    match within(server.limits.whole, connection.command(Verbatim(text))).await {
        Ok(_) => Ended::Taken,
        Err(Failed::Refused(text, code)) => Ended::Refused(lasting(text, code)),
        Err(Failed::Broken(text)) => {
            Ended::Unknown(format!("it is unknown whether the mail server has the letter: {text}"))
        }
    }
}

fn early(failed: Failed) -> Ended {
    match failed {
        Failed::Refused(text, code) => Ended::Refused(lasting(text, code)),
        Failed::Broken(text) => Ended::Early(text),
    }
}

/// What a refusal that is not about a mailbox means for its letter.
fn lasting(text: String, code: u16) -> TransportError {
    if refusal::may_change(code, &text) { TransportError::ForNow(text) } else { TransportError::ForGood(text) }
}

/// What the server must know of a letter beforehand.
fn parameters(connection: &AsyncSmtpConnection, envelope: &Envelope, text: &str) -> Result<Vec<MailParameter>, String> {
    let mut parameters = Vec::new();
    let addresses = envelope.to().iter().chain(envelope.from());
    if addresses.into_iter().any(|address| !AsRef::<str>::as_ref(address).is_ascii()) {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err("the mail server takes no addresses with other letters than those of ASCII".into());
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    if !text.is_ascii() && connection.server_info().supports_feature(Extension::EightBitMime) {
        parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    Ok(parameters)
}

/// Asks a mail server whether it would take a letter, and hands none over.
pub(super) async fn ask(server: &SmtpServer, from: &Address, to: &Address) -> Result<(), String> {
    let mut connection = connect(server).await?;
    step(server, connection.command(Mail::new(Some(from.clone()), Vec::new()))).await.map_err(Failed::text)?;
    step(server, connection.command(Rcpt::new(to.clone(), Vec::new()))).await.map_err(Failed::text)?;
    let _ = step(server, connection.command(Rset)).await;
    let _ = timeout(Duration::from_secs(1), connection.quit()).await;
    Ok(())
}
