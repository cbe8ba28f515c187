//! How a letter leaves: into a folder as `.eml` files, or to an SMTP server.
//!
//! Each letter has a connection of its own here, so that no half-used one is ever used
//! again, and every letter has a time limit as a whole.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use url::Url;

/// How long a letter may take in all.
const LIMIT: Duration = Duration::from_mins(1);
/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(20);

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
    host: String,
    port: u16,
    tls: Tls,
    credentials: Option<Credentials>,
}

impl std::fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SmtpServer({}:{})", self.host, self.port)
    }
}

/// How a connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tls {
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
}

impl SmtpServer {
    /// Reads `smtp://user:password@host:587`, `smtps://…`; `?tls=none` sends in the clear, which
    /// is also the way to a server on the same machine.
    ///
    /// # Errors
    /// What is wrong with it, without the password.
    pub fn parse(address: &str) -> Result<SmtpServer, String> {
        let url = Url::parse(address).map_err(|error| format!("is not an address: {error}"))?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or("names no host")?.to_owned();
        let local = matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
        let clear = url.query_pairs().any(|(key, value)| key == "tls" && value == "none");
        let (tls, port) = match url.scheme() {
            "smtps" => (Tls::Wrapped, 465),
            "smtp" if clear || local => (Tls::None, 25),
            "smtp" => (Tls::Upgraded, 587),
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
        Ok(SmtpServer { host, port: url.port().unwrap_or(port), tls, credentials })
    }
}

impl Transport {
    /// Hands a letter over. `id` names the file in a folder.
    ///
    /// # Errors
    /// It did not leave, for now or for good.
    pub async fn send(&self, id: &str, message: &Message) -> Result<(), TransportError> {
        match self {
            Transport::Folder(folder) => {
                let (folder, id, bytes) = (folder.clone(), id.to_owned(), message.formatted());
                tokio::task::spawn_blocking(move || write_file(&folder, &id, &bytes))
                    .await
                    .map_err(|error| TransportError::ForNow(error.to_string()))?
                    .map_err(|error| TransportError::ForNow(format!("the mail folder: {error}")))
            }
            Transport::Smtp(server) => tokio::time::timeout(LIMIT, server.send(message))
                .await
                .unwrap_or_else(|_| Err(TransportError::ForNow("the mail server took too long".into()))),
        }
    }
}

/// Writes a file that is there whole or not at all, and that its owner alone can read.
fn write_file(folder: &Path, id: &str, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(format!("{id}.eml")))?;
    Ok(())
}

impl SmtpServer {
    async fn send(&self, message: &Message) -> Result<(), TransportError> {
        let mut connection = self.connect().await.map_err(|error| classify(&error))?;
        let sent = connection.send(message.envelope(), &message.formatted()).await.map_err(|error| classify(&error));
        match sent {
            Ok(_) => {
                // The server has the letter; a connection that ends badly changes nothing.
                let _ = connection.quit().await;
                Ok(())
            }
            Err(error) => {
                connection.abort().await;
                Err(error)
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let hello = ClientId::default();
        let address = (self.host.trim_matches(['[', ']']), self.port);
        let wrapped = match self.tls {
            Tls::Wrapped => Some(TlsParameters::new(self.host.clone())?),
            Tls::None | Tls::Upgraded => None,
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(address, Some(CONNECT), &hello, wrapped, None).await?;
        if self.tls == Tls::Upgraded {
            connection.starttls(TlsParameters::new(self.host.clone())?, &hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials).await?;
        }
        Ok(connection)
    }
}

/// A 5xx answer is for good; everything else may be better later.
fn classify(error: &lettre::transport::smtp::Error) -> TransportError {
    let text = match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    if error.is_permanent() { TransportError::ForGood(text) } else { TransportError::ForNow(text) }
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
        assert!(read("http://mail.example.org").is_err());
    }

    #[test]
    fn the_password_is_not_shown() {
        let server = SmtpServer::parse("smtp://ann:se%20cret@mail.example.org").unwrap();
        assert!(!format!("{server:?}").contains("cret"));
        assert_eq!(server.credentials, Some(Credentials::new("ann".into(), "se cret".into())));
    }
}
