//! Opening a database: connections as each kind needs them, and migrations.
//!
//! A connection that still believes itself in a transaction when it is wanted again is thrown
//! away. That happens when SQLite has rolled back by itself (the disk was full): the
//! connection's own count stays wrong for ever, and the one writer would refuse all work.

use std::path::Path;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, AnyPool, Connection, Executor};

use super::group::Group;
use super::{Address, Kind, Store, StoreError};

/// The migrations, part of the program.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// How long a connection is waited for.
const ACQUIRE: Duration = Duration::from_secs(10);
/// How long ago a connection to a server may have been used to be taken without asking whether it is still there.
const TRUSTED: Duration = Duration::from_millis(500);
/// Readers on SQLite; connections in all on PostgreSQL.
const CONNECTIONS: u32 = 8;

/// Why a database cannot be opened, in one line.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is neither of the two kinds.
    #[error("the database address must begin with sqlite: or postgres:")]
    Address,
    /// A newer server has used this database.
    #[error(
        "the database was used by a newer server (it has migration {0}); run that version or restore a snapshot from before it"
    )]
    Newer(i64),
    /// A migration does not apply.
    #[error("bringing the database up to date failed: {0}")]
    Migrate(MigrateError),
    /// The snapshot before a migration could not be made.
    #[error("the snapshot before bringing the database up to date failed: {0}")]
    Snapshot(super::BackupError),
    /// The database does not answer as it should.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl Store {
    /// Opens a SQLite file, made if it is not there. Nothing is migrated yet.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub async fn open_sqlite(file: &Path) -> Result<Store, OpenError> {
        sqlx::any::install_default_drivers();
        // Made beforehand, so that nobody but its owner can read it; the log beside it takes after it.
        if let Err(error) = super::backup::private_file(file)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(StoreError::new(format!("{}: {error}", file.display())).into());
        }
        let address = format!("sqlite://{}?mode=rwc", escaped(file));
        try_sqlite(&address).await.map_err(|error| StoreError::new(format!("{}: {error}", file.display())))?;
        // The writer comes first: it makes the file and turns on the write-ahead log.
        let writer = sqlite_pool(&address, 1, "").await?;
        let readers = sqlite_pool(&address, CONNECTIONS, "pragma query_only = on;").await?;
        Ok(Store { kind: Kind::Sqlite, writer, readers, group: Group::default(), address: None })
    }

    /// Opens a PostgreSQL database. Nothing is migrated yet.
    ///
    /// # Errors
    /// The address is none, or the server does not answer.
    pub async fn open_postgres(address: &str) -> Result<Store, OpenError> {
        if !address.starts_with("postgres:") && !address.starts_with("postgresql:") {
            return Err(OpenError::Address);
        }
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE)
            .test_before_acquire(false)
            .before_acquire(|conn, about| {
                Box::pin(async move {
                    if about.idle_for > TRUSTED {
                        conn.ping().await?;
                    }
                    Ok(!conn.is_in_transaction())
                })
            })
            .after_connect(|conn, _| {
                Box::pin(async move {
                    conn.execute(
                        "set statement_timeout = '10s'; set lock_timeout = '5s'; \
                         set idle_in_transaction_session_timeout = '30s'",
                    )
                    .await?;
                    Ok(())
                })
            })
            .connect(address)
            .await
            .map_err(StoreError::from)?;
        let address = Some(Address(address.to_owned()));
        Ok(Store { kind: Kind::Postgres, writer: pool.clone(), readers: pool, group: Group::default(), address })
    }

    /// Brings the database up to date. If a SQLite database is behind and holds anything, a
    /// snapshot is made in `backups` first.
    ///
    /// # Errors
    /// A newer server has used it, or a migration does not apply; then the snapshot is whole.
    pub async fn migrate(&self, backups: Option<(&Path, &str, i64)>) -> Result<(), OpenError> {
        let applied = self.applied().await?;
        let newest = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
        if let Some(&newer) = applied.iter().find(|&&version| version > newest) {
            return Err(OpenError::Newer(newer));
        }
        let behind = MIGRATIONS.iter().any(|migration| !applied.contains(&migration.version));
        if let Some((folder, name, now)) = backups
            && behind
            && self.kind == Kind::Sqlite
            && !applied.is_empty()
        {
            self.snapshot(folder, name, now).await.map_err(OpenError::Snapshot)?;
        }
        self.make_schema().await
    }

    /// Applies the migrations that are missing. Of several processes that start at once on PostgreSQL one does, and the
    /// others wait for it: sqlx holds an advisory lock meanwhile, on a connection of its own here, since those of the pool
    /// wait for no lock and no statement that long, and a lock would stay with one that failed.
    pub(super) async fn make_schema(&self) -> Result<(), OpenError> {
        let Some(Address(address)) = &self.address else {
            return MIGRATIONS.run(&self.writer).await.map_err(OpenError::Migrate);
        };
        let patient = AnyPoolOptions::new().max_connections(1).acquire_timeout(ACQUIRE).after_connect(|conn, _| {
            Box::pin(async move {
                conn.execute(PATIENT).await?;
                Ok(())
            })
        });
        let alone = patient.connect(address).await.map_err(StoreError::from)?;
        let migrated = MIGRATIONS.run(&alone).await.map_err(OpenError::Migrate);
        alone.close().await;
        migrated
    }

    /// Whether the database has seen exactly the migrations of this program.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_current(&self) -> Result<bool, StoreError> {
        let mut applied = self.applied().await?;
        let mut own: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        applied.sort_unstable();
        own.sort_unstable();
        Ok(applied == own)
    }

    /// Whether no server has ever used the database.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_bare(&self) -> Result<bool, StoreError> {
        Ok(self.applied().await?.is_empty())
    }

    /// The migrations that the database has seen; none if it is new.
    pub(super) async fn applied(&self) -> Result<Vec<i64>, StoreError> {
        // By a reader: whoever asks how the server is does not wait for the one who writes.
        let mut conn = self.bare().await?;
        let table = match self.kind {
            Kind::Sqlite => "select cast(count(*) as bigint) from sqlite_master where name = '_sqlx_migrations'",
            Kind::Postgres => "select cast(count(*) as bigint) from pg_tables where tablename = '_sqlx_migrations'",
        };
        let (tables,): (i64,) = sqlx::query_as(table).fetch_one(&mut *conn).await?;
        if tables == 0 {
            return Ok(Vec::new());
        }
        let versions: Vec<(i64,)> =
            sqlx::query_as("select version from _sqlx_migrations order by version").fetch_all(&mut *conn).await?;
        Ok(versions.into_iter().map(|(version,)| version).collect())
    }
}

/// What a connection to PostgreSQL is told that brings the schema up to date: a large table takes its time.
const PATIENT: &str =
    "set statement_timeout = 0; set lock_timeout = '15min'; set idle_in_transaction_session_timeout = 0";

/// What every connection to SQLite is told.
const PRAGMAS: &str = "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; \
                       pragma foreign_keys = on;";

/// Opens the file once by itself: a pool would go on trying, and hide why it cannot be opened.
async fn try_sqlite(address: &str) -> Result<(), sqlx::Error> {
    let mut conn = AnyConnection::connect(address).await?;
    conn.execute(PRAGMAS).await?;
    conn.execute("select count(*) from sqlite_master").await?;
    conn.close().await
}

async fn sqlite_pool(address: &str, connections: u32, more: &'static str) -> Result<AnyPool, StoreError> {
    let pool = AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE)
        // There is nobody at the other end who could have gone.
        .test_before_acquire(false)
        .before_acquire(|conn, _| Box::pin(async move { Ok(!conn.is_in_transaction()) }))
        .after_connect(move |conn, _| {
            Box::pin(async move {
                conn.execute(PRAGMAS).await?;
                if !more.is_empty() {
                    conn.execute(more).await?;
                }
                Ok(())
            })
        })
        .connect(address)
        .await?;
    Ok(pool)
}

/// A path as a part of an address.
pub(super) fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3F").replace('#', "%23")
}
