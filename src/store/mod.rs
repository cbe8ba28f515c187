//! WHAT IS KEPT: SQL and nothing else, one file per table.
//!
//! The same SQL runs on SQLite and PostgreSQL (migrations/README.md has the dialect).
//! `Store::write` is the only way to write: it begins the transaction so that it can
//! lock, runs it in a task of its own (a client that goes away cannot leave it
//! half-done), tries again when the database was busy, and commits before it answers.
//! On SQLite those who wait for each other share a commit.

use std::future::Future;
use std::pin::Pin;

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Transaction};
use tracing::Instrument;

/// Opening a database: connections, pragmas, migrations.
mod open;
/// Copies of a running database.
mod backup;
/// All rows from one database to another.
mod transfer;
/// Several pieces of work in one commit.
mod group;
/// Several readings of one state of the database.
mod moment;
/// What a moment has shown already.
mod seen;
/// News for other processes.
mod news;
/// Boards by content.
mod boards;
/// Games.
mod games;
/// People.
mod people;
/// Links that go by mail alone.
mod mailed_links;
/// Who may look at a game.
mod company;
/// Free seats that anybody may take.
mod challenges;
/// What players write to each other.
mod messages;
/// Letters of invitation, counted.
mod sent_invitations;
/// Seats.
mod seats;
/// Invitations.
mod invitations;
/// Sealed sheets of open turns.
mod sheets;
/// Sheets in the making.
mod drafts;
/// Days imagined.
mod what_ifs;
/// Private notes.
mod notes;
/// What one side offers the other.
mod offers;
/// Absences that were announced.
mod absences;
/// Deployments that outlive their game.
mod kept;
/// Resolved turns.
mod turns;
/// Browsers, and the seats that they hold.
mod sessions;
/// Codes that were typed and opened nothing.
mod code_tries;
/// People who had themselves removed.
mod erasures;
/// Letters to be sent.
mod outbox;
/// Computers whose sheets are awaited.
mod computers;
/// Processes that work on this database.
mod processes;
/// Mails that have been dealt with.
mod mail_seen;
/// What seats have been asked by letter.
mod mail_questions;
/// What answers to mails say, until they leave.
mod mail_answers;
/// Addresses from which a seat is written for.
mod mail_senders;
/// What the server remembers of itself.
mod memory;
/// Tokens of organisers.
mod admin_tokens;
/// Browsers in which an organiser has signed in.
mod admin_sessions;
/// What organisers did.
mod admin_acts;
/// Requests of organisers that may come twice.
mod admin_requests;
/// Addresses that organisers have blocked.
mod admin_blocks;
/// Seats whose new link waits for the opponent's consent.
mod admin_reissues;
/// What stands above all pages.
mod announcements;
/// Boards that the organiser offers.
mod offered_boards;
/// Whom to tell that a game has changed.
mod webhooks;
/// What they are told.
mod webhook_events;
/// What an organiser reads over all games.
mod desk;
/// Where the server stands.
mod place;

pub use absences::AbsenceRow;
pub use admin_acts::ActRow;
pub use admin_blocks::BlockRow;
pub use admin_reissues::ReissueRow;
pub use admin_tokens::TokenRow;
pub use announcements::AnnouncementRow;
pub use backup::BackupError;
pub use challenges::ChallengeRow;
pub use company::{CompanyRow, PublicQuery};
pub use computers::CallRow;
pub use desk::{
    CountsRow, DeskGameRow, DeskLetterRow, DeskLetters, DeskMailRow, DeskOrder, DeskQuery, DeskReportRow, DeskState,
};
pub use drafts::DraftRow;
pub use erasures::ErasureRow;
pub use games::{DeviceRow, GameRow, NewGameRow};
pub use invitations::InvitationRow;
pub use kept::KeptRow;
pub use mailed_links::MailedLinkRow;
pub use messages::{MailboxRow, MessageRow, NewReport};
pub use news::Listener;
pub use notes::NoteRow;
pub use offered_boards::OfferedBoardRow;
pub use offers::OfferRow;
pub use open::OpenError;
pub use outbox::{Letter, LetterRecord, NewLetter, OutboxPulse, ReturnedLetter};
pub use people::{CalendarRow, PersonRow};
pub use place::PlaceRow;
pub use processes::ProcessRow;
pub use seats::{NewSeat, SeatRow};
pub use sessions::{HeldSeat, SignInRow};
pub use sheets::{AboutToSeal, SheetRow};
pub use transfer::Carried;
pub use turns::{TurnRow, TurnSheet};
pub use webhook_events::{WebhookEventRow, WebhookTry, WebhooksPulse};
pub use webhooks::WebhookRow;
pub use what_ifs::WhatIfRow;

/// Which database it is; the few differences (locking, copying) ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One file, one writer.
    Sqlite,
    /// A server.
    Postgres,
}

/// The kept games. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    kind: Kind,
    writer: AnyPool,
    readers: AnyPool,
    /// Who waits to write, on SQLite.
    group: group::Group,
    /// Where a server's database is.
    address: Option<Address>,
}

/// An address that may hold a password.
#[derive(Clone)]
struct Address(String);

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Address(…)")
    }
}

/// The database did not do its part; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("database: {message}")]
pub struct StoreError {
    message: String,
    /// Whether it is worth trying again at once.
    busy: bool,
    /// Whether something else held a row for too long.
    held: bool,
}

impl StoreError {
    fn new(message: impl Into<String>) -> StoreError {
        StoreError { message: message.into(), busy: false, held: false }
    }

    /// Whether something else held what was wanted for longer than is waited for: other rows may be free.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code =
            error.as_database_error().and_then(sqlx::error::DatabaseError::code).unwrap_or_default().into_owned();
        // SQLITE_BUSY and SQLITE_LOCKED with their extended codes; PostgreSQL's serialization failure and deadlock, and a
        // foreign key without its row: somebody has removed it since this transaction read it, which SQLite's one writer at a
        // time leaves no room for.
        let busy = matches!(code.as_str(), "5" | "6" | "261" | "262" | "517" | "773" | "40001" | "40P01" | "23503");
        // PostgreSQL's lock_timeout.
        StoreError { message: error.to_string(), busy, held: code == "55P03" }
    }
}

/// The error of a piece of work, which may be the store's.
pub trait WorkError: From<StoreError> + Send + 'static {
    /// The store's error, if it is one.
    fn store_error(&self) -> Option<&StoreError>;
}

impl WorkError for StoreError {
    fn store_error(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// A piece of work on a transaction.
pub type Work<'t, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 't>>;

/// How often a piece of work is tried when the database is busy.
const TRIES: u32 = 5;
/// How long a piece of work on a server's database may take.
const LONGEST: std::time::Duration = std::time::Duration::from_mins(2);

/// Reads one state of the database, or by [`Store::look_up`] with one statement.
#[derive(Debug)]
pub struct Reader {
    by: By,
    /// What has been read so far, within a moment.
    seen: Option<seen::Seen>,
}

/// By what is read.
#[derive(Debug)]
enum By {
    Transaction(Transaction<'static, Any>),
    /// One statement, which is a transaction by itself.
    Statement(PoolConnection<Any>),
}

/// A transaction that may write; reads as a [`Reader`] does.
#[derive(Debug)]
pub struct Writer {
    reader: Reader,
}

impl std::ops::Deref for Writer {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl std::ops::DerefMut for Writer {
    fn deref_mut(&mut self) -> &mut Reader {
        &mut self.reader
    }
}

impl Reader {
    fn conn(&mut self) -> &mut AnyConnection {
        match &mut self.by {
            By::Transaction(tx) => tx,
            By::Statement(conn) => conn,
        }
    }
}

impl Writer {
    const fn new(tx: Transaction<'static, Any>) -> Writer {
        Writer { reader: Reader { by: By::Transaction(tx), seen: None } }
    }

    fn conn(&mut self) -> &mut AnyConnection {
        self.reader.conn()
    }

    async fn commit(self) -> Result<(), StoreError> {
        match self.reader.by {
            By::Transaction(tx) => Ok(tx.commit().await?),
            By::Statement(_) => Err(StoreError::new("there is no transaction to commit")),
        }
    }

    /// Undoes what was done. A refusal matters more than a rollback that fails, which dropping repeats.
    async fn undo(self) {
        if let By::Transaction(tx) = self.reader.by {
            let _ = tx.rollback().await;
        }
    }
}

impl Store {
    /// Which database it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Reads one state of the database: that of the moment, within [`Store::at_one_moment`].
    ///
    /// # Errors
    /// The work's own, or the store's.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: WorkError,
        F: for<'t> FnOnce(&'t mut Reader) -> Work<'t, T, E> + Send + 'static,
    {
        self.read_by(work, true).await
    }

    /// The same by one statement alone: outside of a moment no transaction is begun for it.
    ///
    /// # Errors
    /// The work's own, or the store's.
    pub async fn look_up<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: WorkError,
        F: for<'t> FnOnce(&'t mut Reader) -> Work<'t, T, E> + Send + 'static,
    {
        self.read_by(work, false).await
    }

    async fn read_by<T, E, F>(&self, work: F, several: bool) -> Result<T, E>
    where
        T: Send + 'static,
        E: WorkError,
        F: for<'t> FnOnce(&'t mut Reader) -> Work<'t, T, E> + Send + 'static,
    {
        let (store, shared) = (self.clone(), moment::shared());
        let work = in_time(self.kind, async move {
            let mut held = match shared {
                Some(shared) => Some(shared.lock_owned().await),
                None => None,
            };
            let mut reader = match held.as_mut().and_then(|held| held.take()) {
                Some(reader) => reader,
                None if held.is_some() => Reader { seen: Some(seen::Seen::default()), ..store.begin_to_read().await? },
                None if several => store.begin_to_read().await?,
                None => Reader { by: By::Statement(store.bare().await?), seen: None },
            };
            let done = work(&mut reader).await;
            // After a failure of the database's a transaction may be of no more use. Dropped, it is rolled back.
            let whole = done.as_ref().err().is_none_or(|error| error.store_error().is_none());
            if let Some(held) = held.as_mut().filter(|_| whole) {
                **held = Some(reader);
            }
            done
        });
        // Its lines in the log belong to whoever asked for it.
        joined(tokio::spawn(work.in_current_span()).await)
    }

    async fn begin_to_read(&self) -> Result<Reader, StoreError> {
        let begin = match self.kind {
            Kind::Sqlite => "begin",
            Kind::Postgres => "begin isolation level repeatable read, read only",
        };
        Ok(Reader { by: By::Transaction(self.readers.begin_with(begin).await?), seen: None })
    }

    /// Does a piece of work as one transaction, and commits it if it succeeds. It may run
    /// more than once.
    ///
    /// # Errors
    /// The work's own, or the store's; then nothing was changed.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: WorkError,
        F: for<'t> Fn(&'t mut Writer) -> Work<'t, T, E> + Send + Sync + 'static,
    {
        moment::end().await;
        let store = self.clone();
        let work = async move {
            match store.kind {
                Kind::Sqlite => store.write_together(work).await,
                Kind::Postgres => in_time(store.kind, store.write_alone(work)).await,
            }
        };
        joined(tokio::spawn(work.in_current_span()).await)
    }

    async fn write_alone<T, E, F>(self, work: F) -> Result<T, E>
    where
        E: WorkError,
        F: for<'t> Fn(&'t mut Writer) -> Work<'t, T, E> + Send + Sync,
    {
        let mut tries = 1;
        loop {
            let done = self.write_once(&work).await;
            match &done {
                Err(error) if tries < TRIES && error.store_error().is_some_and(|error| error.busy) => tries += 1,
                _ => return done,
            }
        }
    }

    async fn write_once<T, E, F>(&self, work: &F) -> Result<T, E>
    where
        E: WorkError,
        F: for<'t> Fn(&'t mut Writer) -> Work<'t, T, E> + Send + Sync,
    {
        let mut writer = Writer::new(self.writer.begin_with("begin").await.map_err(StoreError::from)?);
        match work(&mut writer).await {
            Ok(done) => {
                writer.commit().await?;
                Ok(done)
            }
            Err(error) => {
                writer.undo().await;
                Err(error)
            }
        }
    }

    /// How many connections are in use, and how many wait to be.
    #[must_use]
    pub fn connections(&self) -> (u32, u32) {
        let of = |pool: &AnyPool| (pool.size(), u32::try_from(pool.num_idle()).unwrap_or(u32::MAX).min(pool.size()));
        let ((size, idle), (more, idle_too)) = (of(&self.readers), of(&self.writer));
        // On PostgreSQL both are one pool.
        let (size, idle) = if self.kind == Kind::Postgres { (size, idle) } else { (size + more, idle + idle_too) };
        (size - idle, idle)
    }

    /// A connection outside any transaction, for what cannot run inside one.
    async fn bare(&self) -> Result<PoolConnection<Any>, StoreError> {
        Ok(self.readers.acquire().await?)
    }

    /// What time it is where the database is; `None` for one that is only a file here.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn clock(&self) -> Result<Option<i64>, StoreError> {
        if self.kind == Kind::Sqlite {
            return Ok(None);
        }
        let mut conn = self.bare().await?;
        let sql = "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
        let (now,): (i64,) = sqlx::query_as(sql).fetch_one(&mut *conn).await?;
        Ok(Some(now))
    }

    /// How many connections of others there are to a server's database; to a file none that could be known.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn others_connected(&self) -> Result<i64, StoreError> {
        if self.kind == Kind::Sqlite {
            return Ok(0);
        }
        let mut conn = self.bare().await?;
        // Who tidies tables up is nobody. Of other users' connections some columns cannot be read, but not these.
        let sql = "select cast(count(*) as bigint) from pg_stat_activity where datname = current_database() \
                   and pid <> pg_backend_pid() and coalesce(backend_type, '') not like 'autovacuum%'";
        let (others,): (i64,) = sqlx::query_as(sql).fetch_one(&mut *conn).await?;
        Ok(others)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.bare().await?.ping().await?)
    }

    /// Closes all connections; what is begun is finished first.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// A piece of work within the time that one may take: a server that is gone without a word answers never, and nothing here
/// would notice.
async fn in_time<T, E: From<StoreError>>(kind: Kind, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    match kind {
        Kind::Sqlite => work.await,
        Kind::Postgres => tokio::time::timeout(LONGEST, work)
            .await
            .unwrap_or_else(|_| Err(StoreError::new("it has not answered for two minutes").into())),
    }
}

/// The result of a task; one that panicked is an error and not a panic here.
fn joined<T, E: From<StoreError>>(result: Result<Result<T, E>, tokio::task::JoinError>) -> Result<T, E> {
    // What a panic says may quote what was being read.
    result.unwrap_or_else(|_| Err(StoreError::new("the work was not finished").into()))
}
