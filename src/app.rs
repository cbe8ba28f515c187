//! Builds the parts out of the settings, runs them, and stops them again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::cli::settings::{ClientLimits, Settings};
use crate::cli::verify::Verdict;
use crate::clock::{Chance, Clock};
use crate::mail::inbound::lmtp;
use crate::mail::transport::SmtpServer;
use crate::mail::{Mailbox, Sender, Signing, Transport};
use crate::play::proof;
use crate::play::{Play, PlayError, ServerKey};
use crate::runner;
use crate::store::{BackupError, OpenError, Store};
use crate::web::limit::{Limits, Peer};
use crate::web::{self, WebState};

/// The mail door.
mod mail;

pub use mail::deliver;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// How long what is begun may take to finish when the server stops.
const GRACE: Duration = Duration::from_secs(10);

/// The server cannot start (or a command cannot run): one line that names the setting.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder cannot be used.
    #[error("--data {0}: {1}")]
    Data(PathBuf, io::Error),
    /// Another process holds the data folder.
    #[error("--data {0}: another fieldcommand process is using this folder")]
    Locked(PathBuf),
    /// The database's links were made with another key.
    #[error("{0}: the links in this database were made with another key; put back the server.key that belongs to it")]
    OtherKey(&'static str),
    /// The database opens, but what it keeps cannot be read.
    #[error("{0}: {1}")]
    Unreadable(&'static str, PlayError),
    /// The key cannot be read.
    #[error("{0}: must be 64 hexadecimal digits")]
    Key(String),
    /// The port is taken, or the address is not this machine's.
    #[error("--listen {0}: {1}")]
    Listen(std::net::SocketAddr, io::Error),
    /// The public address is none.
    #[error("--public-url {0}: must be like https://play.example.org, without a path")]
    PublicUrl(String),
    /// The mail server's address is none.
    #[error("--smtp-url {0}")]
    Smtp(String),
    /// The sender's address is none.
    #[error("--mail-from {0}: is not an e-mail address")]
    From(String),
    /// The address for answers does not do.
    #[error("--answers-to {0}: {1}")]
    Answers(String, String),
    /// The port for mail is taken, or the address is not this machine's.
    #[error("--lmtp-listen {0}: {1}")]
    Lmtp(std::net::SocketAddr, io::Error),
    /// Mail is to be taken, and no address is known for it.
    #[error("--answers-to: mail can be taken only for an address, like play@example.org")]
    NoAnswers,
    /// The key for signing letters does not do.
    #[error("--dkim-key {0}: {1}")]
    Dkim(PathBuf, String),
    /// The database cannot be opened.
    #[error("{0}: {1}")]
    Database(&'static str, OpenError),
    /// A backup could not be made.
    #[error("{0}")]
    Backup(#[from] BackupError),
}

/// A server that has been built and is about to listen.
pub struct App {
    settings: Settings,
    play: Play,
    store: Store,
    sender: Sender,
    transport: Transport,
    listener: TcpListener,
    mail: Option<TcpListener>,
    address: String,
    _lock: fs::File,
}

impl App {
    /// Builds a server: data folder, key, database, migrations, port.
    ///
    /// # Errors
    /// The setting that does not do, in one line.
    pub async fn build(settings: Settings, clock: Clock, chance: Chance) -> Result<App, StartError> {
        let lock = hold_data(&settings.data)?;
        let key = server_key(&settings, &chance)?;
        let from: Mailbox = settings.mail_from.parse().map_err(|_| StartError::From(settings.mail_from.clone()))?;
        let transport = transport(&settings, &from)?;
        let answers = mail::answers(&settings)?;
        let mail = mail::mail_listener(&settings, answers.as_ref()).await?;
        let listener =
            TcpListener::bind(settings.listen).await.map_err(|error| StartError::Listen(settings.listen, error))?;
        let address = listener.local_addr().unwrap_or(settings.listen);
        let public_url = public_url(&settings, address)?;
        let store = open_store(&settings).await?;
        let name = format!("before-update-{}", clock.now().0);
        let backups = backups(&settings.data);
        store
            .migrate(Some((&backups, &name)))
            .await
            .map_err(|error| StartError::Database(database_setting(&settings), error))?;
        let play = Play::new(store.clone(), clock, chance, key);
        if !play.key_fits().await.map_err(|error| StartError::Unreadable(database_setting(&settings), error))? {
            return Err(StartError::OtherKey(if settings.key.is_some() { "--key" } else { "server.key in --data" }));
        }
        let erasures = erasures(&settings.data);
        let again = runner::erasures::again(&play, &erasures).await;
        again
            .map_err(|error| StartError::Data(erasures, error))?
            .map_err(|error| StartError::Unreadable(database_setting(&settings), error))?;
        Ok(App {
            sender: Sender { from, public_url, answers },
            settings,
            play,
            store,
            transport,
            listener,
            mail,
            address: format!("http://{address}"),
            _lock: lock,
        })
    }

    /// The address that the server itself listens on, as a URL.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address under which people reach the server.
    #[must_use]
    pub fn public_url(&self) -> &str {
        &self.sender.public_url
    }

    /// The address on which mail is taken.
    #[must_use]
    pub fn mail_address(&self) -> Option<std::net::SocketAddr> {
        self.mail.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Serves until `stop`, then finishes what is begun.
    pub async fn run(self, stop: CancellationToken) {
        let limits = match self.settings.limits {
            ClientLimits::On => Limits::on(self.play.clock(), self.settings.trusted_hops),
            ClientLimits::Off => Limits::off(),
        };
        let public_url = self.sender.public_url.clone();
        let state = WebState { play: self.play.clone(), public_url, limits, stop: stop.clone() };
        let door = mail::door(&self.play, &self.settings, &self.sender);
        let mail = self.mail.zip(door).map(|(listener, door)| tokio::spawn(lmtp::run(listener, door, stop.clone())));
        let connections = usize::from(self.settings.mail_connections);
        let outbox = runner::outbox::run(self.play.clone(), self.sender, self.transport, connections, stop.clone());
        let letters = tokio::spawn(outbox);
        let deadlines = tokio::spawn(runner::deadlines::run(self.play.clone(), stop.clone()));
        let computers = tokio::spawn(runner::computers::run(self.play.clone(), stop.clone()));
        let snapshots = tokio::spawn(runner::snapshot::run(
            self.store.clone(),
            self.play.clock().clone(),
            backups(&self.settings.data),
            stop.clone(),
        ));
        let erasures =
            tokio::spawn(runner::erasures::run(self.play.clone(), erasures(&self.settings.data), stop.clone()));
        let tidy = tokio::spawn(runner::tidy::run(self.play.clone(), stop.clone()));
        serve(self.listener, router(&state), stop).await;
        let _ = tokio::time::timeout(GRACE, deadlines).await;
        let _ = tokio::time::timeout(GRACE, computers).await;
        if let Some(mail) = mail {
            let _ = tokio::time::timeout(GRACE, mail).await;
        }
        let _ = tokio::time::timeout(GRACE, letters).await;
        let _ = tokio::time::timeout(GRACE, snapshots).await;
        let _ = tokio::time::timeout(GRACE, erasures).await;
        let _ = tokio::time::timeout(GRACE, tidy).await;
        self.store.close().await;
    }
}

/// The web door with what every answer gets.
pub fn router(state: &WebState) -> Router {
    web::router(state).layer(CatchPanicLayer::custom(|_| mistake())).layer(CompressionLayer::new())
}

/// The answer when a handler panicked. What it panicked about is for the log alone.
fn mistake() -> axum::response::Response {
    (http::StatusCode::INTERNAL_SERVER_ERROR, "The server made a mistake. Nothing was changed; please try again.\n")
        .into_response()
}

/// Answers connections until `stop`; then those that are answered at the moment are finished.
async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Mostly too many open files: a moment later there are fewer.
                    tracing::error!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let _ = stream.set_nodelay(true);
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(
                TokioIo::new(stream),
                TowerToHyperService::new(AddExtension::new(router.clone(), Peer(peer.ip()))),
            );
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}

/// Copies the database of the data folder to `file`, also while a server runs on it.
///
/// # Errors
/// There is no database, or the copy cannot be made.
pub async fn backup(settings: &Settings, file: &Path) -> Result<(), StartError> {
    if settings.database_url.is_some() {
        return Err(StartError::Backup(BackupError::Postgres));
    }
    let store = kept_store(settings).await?;
    let done = store.backup(file).await;
    store.close().await;
    Ok(done?)
}

/// Checks every game that is kept: all turns are played again from the beginning. Reads only, also while a server runs.
///
/// # Errors
/// There is no database, or it fails, or the answer cannot be written.
pub async fn verify_all(settings: &Settings, json: bool, output: &mut impl Write) -> anyhow::Result<Verdict> {
    let store = kept_store(settings).await?;
    if !store.is_current().await? {
        anyhow::bail!(
            "{}: this database is of another version; start this version's server on it once",
            database_setting(settings)
        );
    }
    let (mut games, mut turns, mut wrong) = (0_u64, 0_usize, 0_u64);
    let mut last = String::new();
    loop {
        let ids = proof::games_after(&store, &last, 100).await?;
        let Some(end) = ids.last() else { break };
        last.clone_from(end);
        for id in ids {
            let checked = proof::check_kept(&store, &id).await?;
            games += 1;
            turns += checked.turns;
            wrong += u64::from(!checked.wrong.is_empty());
            if json {
                serde_json::to_writer(&mut *output, &checked)?;
                writeln!(output)?;
            } else {
                checked.wrong.iter().try_for_each(|line| writeln!(output, "Game {id}: {line}"))?;
            }
        }
    }
    store.close().await;
    if !json {
        writeln!(output, "{games} games with {turns} turns were played again; {wrong} of the games do not hold.")?;
    }
    Ok(if wrong == 0 { Verdict::Holds } else { Verdict::Wrong })
}

/// The database as it is kept; none is made.
async fn kept_store(settings: &Settings) -> Result<Store, StartError> {
    if settings.database_url.is_none() && !database_file(&settings.data).is_file() {
        let missing = io::Error::new(io::ErrorKind::NotFound, "there is no database here");
        return Err(StartError::Data(settings.data.clone(), missing));
    }
    open_store(settings).await
}

fn database_file(data: &Path) -> PathBuf {
    data.join("fieldcommand.sqlite")
}

fn backups(data: &Path) -> PathBuf {
    data.join("backups")
}

/// The list of who had themselves removed, which outlives a restored backup.
fn erasures(data: &Path) -> PathBuf {
    data.join("erasures.jsonl")
}

const fn database_setting(settings: &Settings) -> &'static str {
    if settings.database_url.is_some() { "--database-url" } else { "--data" }
}

async fn open_store(settings: &Settings) -> Result<Store, StartError> {
    let opened = match &settings.database_url {
        Some(address) => Store::open_postgres(address).await,
        None => Store::open_sqlite(&database_file(&settings.data)).await,
    };
    opened.map_err(|error| StartError::Database(database_setting(settings), error))
}

/// Makes the data folder, for its owner alone, and holds it: two servers on one folder would
/// migrate at once and send every letter twice.
fn hold_data(data: &Path) -> Result<fs::File, StartError> {
    let failed = |error| StartError::Data(data.to_owned(), error);
    if !data.is_dir() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(data).map_err(failed)?;
    }
    let lock =
        fs::OpenOptions::new().create(true).truncate(false).write(true).open(data.join("lock")).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(fs::TryLockError::WouldBlock) => Err(StartError::Locked(data.to_owned())),
        Err(fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The key of the setting, or of the file, which is made if it is not there.
fn server_key(settings: &Settings, chance: &Chance) -> Result<ServerKey, StartError> {
    if let Some(hex) = &settings.key {
        return ServerKey::from_hex(hex).ok_or_else(|| StartError::Key("--key".into()));
    }
    let file = settings.data.join("server.key");
    let failed = |error| StartError::Data(file.clone(), error);
    match fs::read_to_string(&file) {
        Ok(hex) => ServerKey::from_hex(&hex).ok_or_else(|| StartError::Key(file.display().to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = ServerKey::new(chance.bytes());
            // Whole or not at all: half a key would shut every seat.
            let mut made = tempfile::NamedTempFile::new_in(&settings.data).map_err(failed)?;
            writeln!(made, "{}", key.to_hex()).and_then(|()| made.as_file().sync_all()).map_err(failed)?;
            made.persist_noclobber(&file).map_err(|error| failed(error.error))?;
            Ok(key)
        }
        Err(error) => Err(failed(error)),
    }
}

fn transport(settings: &Settings, from: &Mailbox) -> Result<Transport, StartError> {
    let signing = signing(settings, from)?;
    match &settings.smtp_url {
        Some(address) => {
            let server = SmtpServer::parse(address).map_err(StartError::Smtp)?;
            Ok(Transport::Smtp(server.signing(signing)))
        }
        None => Ok(Transport::Folder(settings.data.join("mail"))),
    }
}

/// The key by which letters are signed, if there is one.
fn signing(settings: &Settings, from: &Mailbox) -> Result<Option<Signing>, StartError> {
    let Some(file) = &settings.dkim_key else { return Ok(None) };
    let wrong = |error: String| StartError::Dkim(file.clone(), error);
    let pem = fs::read(file).map_err(|error| wrong(error.to_string()))?;
    let domain = settings.dkim_domain.as_deref().unwrap_or_else(|| from.email.domain());
    let selector = settings.dkim_selector.as_deref().unwrap_or_default();
    Signing::read(&pem, domain, selector).map(Some).map_err(wrong)
}

/// The public address without a slash at its end.
fn public_url(settings: &Settings, listening: std::net::SocketAddr) -> Result<String, StartError> {
    let Some(address) = &settings.public_url else { return Ok(format!("http://{listening}")) };
    let url = url::Url::parse(address).ok();
    let plain = url.as_ref().is_some_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.host_str().is_some()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    });
    if plain { Ok(address.trim_end_matches('/').to_owned()) } else { Err(StartError::PublicUrl(address.clone())) }
}
