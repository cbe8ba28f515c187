//! Builds the parts out of the settings, runs them, and stops them again.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::cli::settings::{ClientLimits, Settings, WebhooksTo};
use crate::cli::verify::Verdict;
use crate::clock::{Chance, Clock};
use crate::mail::inbound::lmtp;
use crate::mail::transport::SmtpServer;
use crate::mail::{Mailbox, Sender, Signing, Transport};
use crate::play::place::Quiet;
use crate::play::processes::{Part, Start};
use crate::play::proof;
use crate::play::webhooks::Reach;
use crate::play::{Play, PlayError, ServerKey};
use crate::runner;
use crate::store::{OpenError, Store, StoreError};
use crate::web::health::{self, Health, Leaving};
use crate::web::limit::Limits;
use crate::web::{self, Door, WebState};

/// The data folder.
mod folder;
/// Answering connections.
mod serving;
/// The mail door.
mod mail;
/// Tokens of organisers by the command line.
mod token;
/// Whether all is well.
pub mod doctor;
/// Games for measuring.
mod seed;
/// Backups, and letting a server go on.
pub mod operations;
/// That nobody else works on a database.
mod alone;
/// From one kind of database to the other.
mod migrating;

use folder::{Held, backups, database_file, erasures, given_key, hold_data, make_key};
pub use mail::deliver;
pub use migrating::migrate_data;
use operations::Played;
pub use seed::seed;
use serving::{Ports, serve};
pub use token::{list_tokens, make_token, revoke_token};

/// How long what is begun may take to finish when the server stops.
const GRACE: Duration = Duration::from_secs(8);
/// And how long the leave-taking from the database after that.
const FAREWELL: Duration = Duration::from_secs(2);

/// The server cannot start (or a command cannot run): one line that names the setting.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder cannot be used.
    #[error("--data {0}: {1}")]
    Data(PathBuf, io::Error),
    /// Another process holds the data folder.
    #[error(
        "--data {0}: another fieldcommand process is using this folder; several processes need a PostgreSQL database \
         (--database-url), a folder each, and the same key (--key, or a copy of server.key)"
    )]
    Locked(PathBuf),
    /// A SQLite database is served by one process, which does everything.
    #[error(
        "--{0}: a SQLite database is served by one process, which does everything; several processes share a PostgreSQL \
         database (--database-url)"
    )]
    Alone(&'static str),
    /// The database belongs to a key that is not here.
    #[error(
        "--data {0}: there is no server.key here, and the links in the database were made with one: copy it from the data \
         folder of another process or from its safe place, or set --key"
    )]
    NoKey(PathBuf),
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
    /// The port for who looks after the server is taken, or the address is not this machine's.
    #[error("--metrics-listen {0}: {1}")]
    Metrics(std::net::SocketAddr, io::Error),
    /// Mail is to be taken, and no address is known for it.
    #[error("--answers-to: mail can be taken only for an address, like play@example.org")]
    NoAnswers,
    /// The key for signing letters does not do.
    #[error("--dkim-key {0}: {1}")]
    Dkim(PathBuf, String),
    /// The database cannot be opened.
    #[error("{0}: {1}")]
    Database(&'static str, OpenError),
}

/// A server that has been built and is about to listen.
pub struct App {
    settings: Settings,
    part: Part,
    process: String,
    play: Play,
    store: Store,
    sender: Sender,
    transport: Transport,
    ports: Ports,
    quiet: Option<Quiet>,
    address: String,
    held: Held,
}

impl App {
    /// Builds a server that does everything: data folder, key, database, migrations, port.
    ///
    /// # Errors
    /// The setting that does not do, in one line.
    pub async fn build(settings: Settings, clock: Clock, chance: Chance) -> Result<App, StartError> {
        App::build_part(settings, Part::Whole, clock, chance).await
    }

    /// Builds a process that does a part of what a server does; others on the same database do the rest.
    ///
    /// # Errors
    /// The setting that does not do, in one line.
    pub async fn build_part(settings: Settings, part: Part, clock: Clock, chance: Chance) -> Result<App, StartError> {
        if part != Part::Whole && settings.database_url.is_none() {
            return Err(StartError::Alone(part.word()));
        }
        let mut held = hold_data(&settings.data)?;
        let key = given_key(&settings)?;
        let from: Mailbox = settings.mail_from.parse().map_err(|_| StartError::From(settings.mail_from.clone()))?;
        let transport = transport(&settings, &from)?;
        let answers = mail::answers(&settings)?;
        let ports = Ports::open(&settings, part, answers.as_ref()).await?;
        let address = ports.address().unwrap_or(settings.listen);
        let public_url = public_url(&settings, address)?;
        let store = open_store(&settings).await?;
        let now = clock.now().0;
        let (name, before) = (format!("before-update-{now}"), backups(&settings.data));
        let migrated = store.migrate(Some((&before, &name, now))).await;
        migrated.map_err(|error| StartError::Database(database_setting(&settings), error))?;
        let key = match key {
            Some(key) => key,
            None => first_key(&settings, &store, &chance).await?,
        };
        let play = Play::new(store.clone(), clock, chance, key)
            .standing_at(settings.public_url.as_deref())
            .reaching(reach(&settings));
        play.metrics().started(play.clock().now());
        let (process, quiet) = match join(&settings, part, &play, &mut held).await {
            Ok(joined) => joined,
            Err(error) => {
                // What went wrong matters more; the others miss this process by themselves.
                let _ = play.leave_processes().await;
                return Err(error);
            }
        };
        Ok(App {
            part,
            process,
            quiet,
            sender: Sender { from, public_url, answers },
            settings,
            play,
            store,
            transport,
            ports,
            address: format!("http://{address}"),
            held,
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

    /// Why the server stands still, if it does.
    #[must_use]
    pub const fn quiet(&self) -> Option<&Quiet> {
        self.quiet.as_ref()
    }

    /// The address on which mail is taken.
    #[must_use]
    pub fn mail_address(&self) -> Option<std::net::SocketAddr> {
        self.ports.mail.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// The address for who looks after the server.
    #[must_use]
    pub fn metrics_address(&self) -> Option<std::net::SocketAddr> {
        self.ports.metrics.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Serves until `stop`, then finishes what is begun. A process that answers players says first that it is not ready any
    /// more, and goes on answering for the time of `--drain`, so that proxies hear of it.
    pub async fn run(self, stop: CancellationToken) {
        let drain = Duration::from_secs(self.settings.drain.into());
        let (play, store, serves) = (self.play.clone(), self.store.clone(), self.part.serves());
        let (leaving, end) = (Leaving::default(), CancellationToken::new());
        let signs = tokio::spawn(runner::processes::run(play.clone()));
        let mut parts = JoinSet::new();
        // The folder is held until all is finished.
        let _held = self.start(&mut parts, &leaving, &stop, &end);
        stop.cancelled().await;
        leaving.set();
        if serves && !drain.is_zero() {
            tokio::time::sleep(drain).await;
        }
        end.cancel();
        // All parts finish beside each other, within one time.
        let finished = async { while parts.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, finished).await.is_err() {
            tracing::warn!("something was not finished in time; it is taken up again at the next start");
            parts.abort_all();
        }
        let left = async {
            signs.abort();
            let _ = signs.await;
            if let Err(error) = play.leave_processes().await {
                tracing::warn!(%error, "the process cannot say that it leaves; the others miss it after a while");
            }
            store.close().await;
        };
        if tokio::time::timeout(FAREWELL, left).await.is_err() {
            tracing::warn!("the database does not answer; the others miss this process after a while");
        }
    }

    /// Starts what the process does: what happens by itself until `stop`, what others ask for until `end`. Gives the hold on
    /// the data folder, which must last as long as any of it.
    fn start(
        self,
        parts: &mut JoinSet<()>,
        leaving: &Leaving,
        stop: &CancellationToken,
        end: &CancellationToken,
    ) -> Held {
        let App { part, settings, process, play, store, sender, transport, ports, held, .. } = self;
        let health = Health::new(play.clone(), settings.data.clone(), leaving.clone());
        if let Some(listener) = ports.metrics {
            parts.spawn(serve(listener, health::whole(health.clone()), leaving.clone(), end.clone()));
        }
        if let Some((listener, door)) = ports.mail.zip(mail::door(&play, &settings, &sender)) {
            parts.spawn(lmtp::run(listener, door, end.clone()));
        }
        if let Some(listener) = ports.players {
            let limits = match settings.limits {
                ClientLimits::On => Limits::on(play.clock(), settings.trusted_hops),
                ClientLimits::Off => Limits::off().behind(settings.trusted_hops),
            };
            let (public_url, by_mail) = (sender.public_url.clone(), sender.answers.is_some());
            let door = Door { play: play.clone(), public_url, by_mail, limits, stop: end.clone() };
            let state = WebState::from(door);
            parts.spawn(serve(listener, router(&state, health), leaving.clone(), end.clone()));
        }
        // The id changes if others take the process for dead; its first one serves to tell it from them.
        parts.spawn(runner::news::run(play.clone(), process, end.clone()));
        if part.works() {
            let connections = usize::from(settings.mail_connections);
            parts.spawn(runner::outbox::run(play.clone(), sender, transport, connections, stop.clone()));
            parts.spawn(runner::webhooks::run(play.clone(), stop.clone()));
            parts.spawn(runner::deadlines::run(play.clone(), stop.clone()));
            parts.spawn(runner::computers::run(play.clone(), stop.clone()));
            let (clock, folder) = (play.clock().clone(), backups(&settings.data));
            parts.spawn(runner::snapshot::run(store, clock, folder, stop.clone()));
            parts.spawn(runner::erasures::run(play.clone(), erasures(&settings.data), stop.clone()));
            parts.spawn(runner::tidy::run(play, stop.clone()));
        }
        held
    }
}

/// The key of a server that has none yet.
async fn first_key(settings: &Settings, store: &Store, chance: &Chance) -> Result<ServerKey, StartError> {
    let seats = store.read::<_, StoreError, _>(|tx| Box::pin(async move { tx.any_seat().await })).await;
    let seats = seats.map_err(|error| StartError::Unreadable(database_setting(settings), error.into()))?;
    if seats.is_some() {
        return Err(StartError::NoKey(settings.data.clone()));
    }
    make_key(&settings.data, chance)
}

/// Joins the processes of the database: its key must be theirs, and what outlives a backup is done again.
async fn join(
    settings: &Settings,
    part: Part,
    play: &Play,
    held: &mut Held,
) -> Result<(String, Option<Quiet>), StartError> {
    let unreadable = |error| StartError::Unreadable(database_setting(settings), error);
    let missed_after = Duration::from_secs(settings.missed_after.into());
    let start = Start { part, missed_after, former: held.former() };
    let process = play.join_processes(start).await.map_err(unreadable)?;
    held.note(&process);
    if !play.key_fits().await.map_err(unreadable)? || !play.take_key().await.map_err(unreadable)? {
        return Err(StartError::OtherKey(if settings.key.is_some() { "--key" } else { "server.key in --data" }));
    }
    let erasures = erasures(&settings.data);
    let again = runner::erasures::again(play, &erasures).await;
    again.map_err(|error| StartError::Data(erasures, error))?.map_err(unreadable)?;
    Ok((process, play.settle_in().await.map_err(unreadable)?))
}

/// The web door with what every answer gets.
pub fn router(state: &WebState, health: Health) -> Router {
    let whole = web::with(state, health::bare(health));
    web::shielded(whole.layer(CatchPanicLayer::custom(|_| mistake())).layer(CompressionLayer::new()), state)
}

/// The answer when a handler panicked. What it panicked about is for the log alone.
fn mistake() -> axum::response::Response {
    (http::StatusCode::INTERNAL_SERVER_ERROR, "The server made a mistake. Nothing was changed; please try again.\n")
        .into_response()
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
    let played = verify_store(&store, json, output).await?;
    store.close().await;
    if !json {
        writeln!(output, "{played}")?;
    }
    Ok(if played.wrong == 0 { Verdict::Holds } else { Verdict::Wrong })
}

/// Plays every game of a database again, and writes what does not hold.
async fn verify_store(store: &Store, json: bool, output: &mut impl Write) -> anyhow::Result<Played> {
    let (mut games, mut turns, mut wrong) = (0_u64, 0_usize, 0_u64);
    let mut last = String::new();
    loop {
        let ids = proof::games_after(store, &last, 100).await?;
        let Some(end) = ids.last() else { break };
        last.clone_from(end);
        for id in ids {
            let checked = proof::check_kept(store, &id).await?;
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
    Ok(Played { games, turns, wrong })
}

/// The database as it is kept; none is made.
async fn kept_store(settings: &Settings) -> Result<Store, StartError> {
    if settings.database_url.is_none() && !database_file(&settings.data).is_file() {
        let missing = io::Error::new(io::ErrorKind::NotFound, "there is no database here");
        return Err(StartError::Data(settings.data.clone(), missing));
    }
    open_store(settings).await
}

/// Whom webhooks let the server call.
const fn reach(settings: &Settings) -> Reach {
    match settings.webhooks_to {
        WebhooksTo::Public => Reach::Public,
        WebhooksTo::Private => Reach::Private,
    }
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

fn transport(settings: &Settings, from: &Mailbox) -> Result<Transport, StartError> {
    let signing = signing(settings, from)?;
    match &settings.smtp_url {
        Some(address) => {
            let server = SmtpServer::parse(address).map_err(StartError::Smtp)?;
            Ok(Transport::Smtp(server.signing(signing).greeted_as(name(settings, from))))
        }
        None => Ok(Transport::Folder(settings.data.join("mail"))),
    }
}

/// The name by which this server greets mail servers: its public one, or the domain that its letters are from. What has no
/// dot is a name among neighbours alone.
fn name(settings: &Settings, from: &Mailbox) -> Option<String> {
    let public = settings.public_url.as_deref().and_then(|address| url::Url::parse(address).ok());
    let public = public.as_ref().and_then(url::Url::domain).map(str::to_owned);
    let names = [public, Some(from.email.domain().to_owned())];
    names.into_iter().flatten().find(|name| name.is_ascii() && name.trim_end_matches('.').contains('.'))
}

/// The key by which letters are signed, if there is one.
fn signing(settings: &Settings, from: &Mailbox) -> Result<Option<Signing>, StartError> {
    let Some(file) = &settings.dkim_key else { return Ok(None) };
    let wrong = |error: String| StartError::Dkim(file.clone(), error);
    let pem = fs::read(file).map_err(|error| wrong(error.to_string()))?;
    let domain = settings.dkim_domain.as_deref().unwrap_or_else(|| from.email.domain());
    let Some(selector) = settings.dkim_selector.as_deref() else {
        return Err(wrong(
            "--dkim-selector is missing: the name under which the other half of the key stands in the DNS".into(),
        ));
    };
    Signing::read(&pem, domain, selector).map(Some).map_err(wrong)
}

/// The public address without a slash at its end. A server that listens everywhere is reached from its own machine at least.
fn public_url(settings: &Settings, listening: std::net::SocketAddr) -> Result<String, StartError> {
    let Some(address) = &settings.public_url else {
        let everywhere = listening.ip().is_unspecified();
        let host = if everywhere { format!("localhost:{}", listening.port()) } else { listening.to_string() };
        return Ok(format!("http://{host}"));
    };
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
