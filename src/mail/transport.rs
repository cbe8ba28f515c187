//! Where letters leave to: a folder of `.eml` files, or an SMTP server; [`crate::mail::courier::Courier`] takes them there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::Message;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use url::Url;

use crate::mail::Signing;
use crate::mail::stream::Trust;
use crate::mail::wire::wire;

/// Where letters go.
#[derive(Clone, Debug)]
pub enum Transport {
    /// A folder of `.eml` files.
    Folder(PathBuf),
    /// An SMTP server.
    Smtp(SmtpServer),
}

/// An SMTP server as the setting names it.
#[derive(Clone)]
pub struct SmtpServer {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) tls: Tls,
    pub(super) credentials: Option<Credentials>,
    pub(super) trust: Trust,
    signing: Option<Signing>,
    /// The host name that this server greets with; its loopback address where it has none.
    name: Option<String>,
    pub(super) limits: Limits,
}

/// How long a mail server may take. A letter is through, or given back, long before its claim ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For each answer.
    pub step: Duration,
    /// For the answer to a whole letter, which it may have to hand on first.
    pub whole: Duration,
    /// For a conversation about a letter in all, connecting included.
    pub letter: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { step: Duration::from_secs(30), whole: Duration::from_mins(1), letter: Duration::from_mins(2) }
    }
}

impl std::fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SmtpServer({}:{})", self.host, self.port)
    }
}

/// How a connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tls {
    /// Not at all: for a server on the same machine.
    None,
    /// By STARTTLS, or the letter does not leave.
    Upgraded,
    /// From the first byte.
    Wrapped,
}

/// Why a letter did not leave.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// It may leave later.
    #[error("{0}")]
    ForNow(String),
    /// It never will.
    #[error("{0}")]
    ForGood(String),
    /// It never will, and no other letter to its reader either: the mail server knows no such address.
    #[error("{0}")]
    NoSuchReader(String),
}

impl SmtpServer {
    /// Reads `smtp://user:password@host:587`, `smtps://…`. `?tls=none` sends in the clear, which is also the way to a server
    /// on the same machine; `?tls=starttls` protects that too. `?ca=file` trusts the authorities in that file and no others.
    ///
    /// # Errors
    /// What is wrong with it, without the password.
    pub fn parse(address: &str) -> Result<SmtpServer, String> {
        let url = Url::parse(address).map_err(|error| format!("is not an address: {error}"))?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or("names no host")?.to_owned();
        let local = matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
        let (mut wish, mut trust) = (None, Trust::default());
        for (key, value) in url.query_pairs() {
            match (&*key, &*value) {
                ("tls", "none") => wish = Some(Tls::None),
                ("tls", "starttls") => wish = Some(Tls::Upgraded),
                ("ca", file) => trust = Trust::read(Path::new(file))?,
                _ => return Err(format!("knows ?tls=none, ?tls=starttls and ?ca=file, and not {key}")),
            }
        }
        let (tls, port) = match (url.scheme(), wish) {
            ("smtps", None) => (Tls::Wrapped, 465),
            ("smtps", Some(_)) => {
                return Err("says smtps, which is TLS from the first byte, and ?tls=… beside it".into());
            }
            ("smtp", Some(Tls::None)) => (Tls::None, 25),
            ("smtp", None) if local => (Tls::None, 25),
            ("smtp", _) => (Tls::Upgraded, 587),
            _ => return Err("must begin with smtp:// or smtps://".into()),
        };
        let decoded = |part: &str| {
            percent_encoding::percent_decode_str(part)
                .decode_utf8()
                .map(std::borrow::Cow::into_owned)
                .map_err(|_| "the user or password is not UTF-8")
        };
        let credentials = match url.password() {
            Some(password) => Some(Credentials::new(decoded(url.username())?, decoded(password)?)),
            None => None,
        };
        let port = url.port().unwrap_or(port);
        Ok(SmtpServer { host, port, tls, credentials, trust, signing: None, name: None, limits: Limits::default() })
    }
}

impl SmtpServer {
    /// The same server, with letters signed on their way there.
    #[must_use]
    pub fn signing(self, signing: Option<Signing>) -> SmtpServer {
        SmtpServer { signing, ..self }
    }

    /// The same server, greeted with a name. A relay may look for the client's name (RFC 5321, 4.1.4).
    #[must_use]
    pub fn greeted_as(self, name: Option<String>) -> SmtpServer {
        SmtpServer { name, ..self }
    }

    /// How this server greets it.
    pub(super) fn hello(&self) -> ClientId {
        self.name.clone().map_or_else(ClientId::default, ClientId::Domain)
    }

    /// The same server, with less patience.
    #[must_use]
    pub fn within(self, limits: Limits) -> SmtpServer {
        SmtpServer { limits, ..self }
    }
}

/// A letter as it is handed over.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its id, which names the file in a folder.
    pub(super) id: String,
    pub(super) envelope: Envelope,
    /// The message: for a folder as it is, for a server as it stands in the dialogue.
    pub(super) text: String,
}

impl Outgoing {
    /// The address to which it comes back.
    #[must_use]
    pub fn back(&self) -> Option<&str> {
        self.envelope.from().map(AsRef::as_ref)
    }
}

impl Transport {
    /// A message as it is handed over: signed where there is a key, and for a server as it stands in the dialogue.
    ///
    /// # Errors
    /// It cannot be signed, or not be said in a dialogue.
    pub fn prepare(&self, id: &str, message: &Message) -> Result<Outgoing, TransportError> {
        let bytes = message.formatted();
        let text = match self {
            Transport::Smtp(server) => {
                let signed = match &server.signing {
                    Some(signing) => signing.signed(&bytes).map_err(TransportError::ForNow)?,
                    None => bytes,
                };
                wire(signed).map_err(TransportError::ForGood)?
            }
            Transport::Folder(_) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        Ok(Outgoing { id: id.to_owned(), envelope: message.envelope().clone(), text })
    }
}

/// Writes a file that is there whole or not at all, and that its owner alone can read.
pub(super) fn write_file(folder: &Path, id: &str, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(format!("{id}.eml")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_says_how_a_connection_is_protected() {
        let read = |address| SmtpServer::parse(address).map(|server| (server.host, server.port, server.tls));
        assert_eq!(read("smtp://mail.example.org"), Ok(("mail.example.org".into(), 587, Tls::Upgraded)));
        assert_eq!(read("smtp://127.0.0.1:2525"), Ok(("127.0.0.1".into(), 2525, Tls::None)));
        assert_eq!(read("smtps://mail.example.org"), Ok(("mail.example.org".into(), 465, Tls::Wrapped)));
        assert_eq!(read("smtp://mail.example.org?tls=none"), Ok(("mail.example.org".into(), 25, Tls::None)));
        assert_eq!(read("smtp://localhost?tls=starttls"), Ok(("localhost".into(), 587, Tls::Upgraded)));
        for wrong in [
            "http://mail.example.org",
            "smtps://mail.example.org?tls=none",
            "smtp://mail.example.org?tls=perhaps",
            "smtp://mail.example.org?ca=/nowhere.pem",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_password_is_not_shown() {
        let server = SmtpServer::parse("smtp://ann:se%20cret@mail.example.org").unwrap();
        assert!(!format!("{server:?}").contains("cret"));
        assert_eq!(server.credentials, Some(Credentials::new("ann".into(), "se cret".into())));
    }
}
