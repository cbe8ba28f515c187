//! `migrate-data`: all that a server keeps, from a SQLite file into a PostgreSQL database or back.
//!
//! Nobody may work on either meanwhile. What is written is there whole, and read back row by row, or not at all; the
//! database that it came from is marked as a copy afterwards, so that a server which is started on it by mistake stands still.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StartError;
use super::alone::{Gone, gone, nobody_connected};
use super::folder::{Held, hold_data};
use crate::cli::config::masked;
use crate::clock::Clock;
use crate::store::{Carried, Store, StoreError};

/// Where data are, or shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// A file, and the folder in which it lies.
    File { file: PathBuf, folder: PathBuf },
    /// A database's address.
    Database(String),
}

/// A place that nobody else works on.
struct Taken {
    store: Store,
    gone: Gone,
    _held: Option<Held>,
}

impl Place {
    fn parse(option: &str, address: &str) -> anyhow::Result<Place> {
        if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            return Ok(Place::Database(address.to_owned()));
        }
        let Some(path) = address.strip_prefix("sqlite://").or_else(|| address.strip_prefix("sqlite:")) else {
            anyhow::bail!("{option}: must be sqlite: and a file, or a PostgreSQL address, postgres://…");
        };
        anyhow::ensure!(
            !path.is_empty(),
            "{option}: the file is missing, as in sqlite:/var/lib/fieldcommand/fieldcommand.sqlite"
        );
        let path = PathBuf::from(path);
        let file = if path.is_dir() { super::database_file(&path) } else { path };
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Ok(Place::File { file, folder })
    }

    /// The same without a password.
    fn shown(&self) -> String {
        match self {
            Place::File { file, .. } => format!("sqlite:{}", file.display()),
            Place::Database(address) => masked(address),
        }
    }

    /// Takes what is there, brought up to date.
    async fn take_source(&self, clock: &Clock) -> anyhow::Result<Taken> {
        let now = clock.now();
        let (store, held) = match self {
            Place::File { file, folder } => {
                anyhow::ensure!(file.is_file(), "--from: there is no database at {}", file.display());
                let held = held("--from", folder)?;
                (Store::open_sqlite(file).await?, Some(held))
            }
            Place::Database(address) => {
                let store = Store::open_postgres(address).await.map_err(|error| anyhow::anyhow!("--from: {error}"))?;
                // Before it is brought up to date under a server that works on it.
                nobody_connected("--from", &store).await?;
                (store, None)
            }
        };
        let name = format!("before-update-{}", now.0);
        let backups = match self {
            Place::File { folder, .. } => super::backups(folder),
            Place::Database(_) => PathBuf::new(),
        };
        store.migrate(Some((&backups, &name, now.0))).await.map_err(|error| anyhow::anyhow!("--from: {error}"))?;
        Ok(Taken { gone: gone(&store).await?, store, _held: held })
    }
}

/// Holds a folder that nobody else may use.
fn held(option: &str, folder: &Path) -> anyhow::Result<Held> {
    hold_data(folder).map_err(|error| match error {
        StartError::Locked(_) => {
            anyhow::anyhow!("{option}: a fieldcommand process is using {}; stop it first", folder.display())
        }
        StartError::Data(folder, error) => anyhow::anyhow!("{option}: {}: {error}", folder.display()),
        error => error.into(),
    })
}

/// Carries everything over.
///
/// # Errors
/// One of the two places does not do, or is in use, or the target holds something; then nothing was carried over.
pub async fn migrate_data(from: &str, to: &str, clock: &Clock, output: &mut impl Write) -> anyhow::Result<()> {
    let (source, target) = (Place::parse("--from", from)?, Place::parse("--to", to)?);
    match (&source, &target) {
        (Place::File { .. }, Place::File { .. }) => {
            anyhow::bail!(
                "--to: from one file to another `backup` and `restore` lead; one of the two must be PostgreSQL"
            )
        }
        (Place::Database(_), Place::Database(_)) => {
            anyhow::bail!(
                "--to: from one PostgreSQL database to another pg_dump leads; one of the two must be a SQLite file"
            )
        }
        _ => {}
    }
    let taken = source.take_source(clock).await?;
    let carried = match &target {
        Place::Database(address) => into_database(&taken.store, address).await,
        Place::File { file, folder } => into_file(&taken.store, file, folder).await,
    };
    let carried = carried?;
    let marked = mark_as_copy(taken, clock).await;
    let Carried { tables, rows } = carried;
    writeln!(
        output,
        "Carried {rows} rows of {tables} tables from {} to {}. Each was read back and is the same.",
        source.shown(),
        target.shown()
    )?;
    let about = match marked {
        Ok(Marked::AtLast) => format!(
            "What stays at {} counts as a copy from now on: a server that is started on it by mistake stands still.",
            source.shown()
        ),
        Ok(Marked::Before) => {
            "It was a copy already, so a server that is started on the new one stands still until `fieldcommand \
                        resume`."
                .to_owned()
        }
        Ok(Marked::Late) => anyhow::bail!(
            "--from: a server has come to work on {} meanwhile, and what it wrote is not in what was carried. Stop it, empty the \
             database of --to, and begin again with: fieldcommand migrate-data",
            source.shown()
        ),
        Err(error) => format!("Start no server on {} again (it could not be marked: {error}).", source.shown()),
    };
    writeln!(output, "{about}")?;
    next_steps(&source, &target, output)?;
    Ok(())
}

/// How marking what was carried as a copy went.
enum Marked {
    /// It is one from now on.
    AtLast,
    /// It was one already.
    Before,
    /// Somebody worked on it meanwhile; it is as it was.
    Late,
}

/// Marks what was carried as a copy, so that a server stands still on it, if nobody has come to work on it meanwhile.
async fn mark_as_copy(taken: Taken, clock: &Clock) -> Result<Marked, StoreError> {
    let (gone, now) = (Arc::new(taken.gone), clock.now().0);
    let marked = taken.store.write::<_, StoreError, _>(move |tx| {
        let gone = Arc::clone(&gone);
        Box::pin(async move {
            if !gone.is_all(tx.processes().await?) {
                return Ok(Marked::Late);
            }
            let before = tx.place().await?.copied_at;
            tx.mark_copied(before.unwrap_or(now)).await?;
            Ok(if before.is_some() { Marked::Before } else { Marked::AtLast })
        })
    });
    let marked = marked.await;
    taken.store.close().await;
    marked
}

/// What to do now.
fn next_steps(source: &Place, target: &Place, output: &mut impl Write) -> std::io::Result<()> {
    match (source, target) {
        (Place::File { folder, .. }, _) => writeln!(
            output,
            "Now set database-url to the address of --to, keep the data folder {} (the key, server.key, and erasures.jsonl lie \
             there, and are not in the database), and start the server. `fieldcommand verify` plays every game again.",
            folder.display()
        ),
        (_, Place::File { folder, .. }) => writeln!(
            output,
            "Now make {} the data folder, with the server.key (or the setting key) and the erasures.jsonl of the server that \
             this was, take database-url out of the settings, and start one server. `fieldcommand verify` plays every game again.",
            folder.display()
        ),
        _ => Ok(()),
    }
}

async fn into_database(from: &Store, address: &str) -> anyhow::Result<Carried> {
    let to = Store::open_postgres(address).await.map_err(|error| anyhow::anyhow!("--to: {error}"))?;
    nobody_connected("--to", &to).await?;
    if let Some(table) = to.holds_something().await? {
        anyhow::bail!("--to: this database holds something already (in its table {table}); an empty one is needed");
    }
    to.migrate(None).await.map_err(|error| anyhow::anyhow!("--to: {error}"))?;
    let carried = from.carry_to(&to).await;
    to.close().await;
    Ok(carried?)
}

/// The file appears when everything is in it.
async fn into_file(from: &Store, file: &Path, folder: &Path) -> anyhow::Result<Carried> {
    let _held = held("--to", folder)?;
    for ending in ["", "-wal", "-shm"] {
        let there = PathBuf::from(format!("{}{ending}", file.display()));
        anyhow::ensure!(!there.exists(), "--to: {} is there already; move it away first", there.display());
    }
    let beside = tempfile::Builder::new().prefix(".fieldcommand-").tempdir_in(folder)?;
    let whole = beside.path().join("whole.sqlite");
    let to = Store::open_sqlite(&whole).await?;
    to.migrate(None).await?;
    let carried = from.carry_to(&to).await;
    to.close().await;
    let carried = carried?;
    anyhow::ensure!(
        !beside.path().join("whole.sqlite-wal").exists(),
        "--to: the file could not be written in one piece"
    );
    fs::File::open(&whole)?.sync_all()?;
    fs::rename(&whole, file)?;
    fs::File::open(folder)?.sync_all()?;
    Ok(carried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ProcessRow;

    #[tokio::test]
    async fn what_was_written_meanwhile_is_not_forgotten_in_silence() {
        let folder = tempfile::tempdir().unwrap();
        let open = async || {
            let store = Store::open_sqlite(&folder.path().join("fieldcommand.sqlite")).await.unwrap();
            store.migrate(None).await.unwrap();
            store
        };
        let add = async |store: &Store, id: &'static str| {
            let row = move || ProcessRow {
                id: id.into(),
                part: "whole".into(),
                version: "1".into(),
                started_at: 0,
                beat_at: 0,
                beats: 1,
                awake_at: None,
                missed_after: 20_000,
            };
            let adding = store.write::<_, StoreError, _>(move |tx| {
                let row = row();
                Box::pin(async move { tx.add_process(&row).await })
            });
            adding.await.unwrap();
        };
        let copied_at = async |store: &Store| {
            let reading = store.read::<_, StoreError, _>(|tx| Box::pin(async move { tx.place().await }));
            reading.await.unwrap().copied_at
        };
        let (store, clock) = (open().await, Clock::fixed(crate::clock::Timestamp(5)));
        add(&store, "killed").await;
        let taken = Taken { gone: gone(&store).await.unwrap(), store: store.clone(), _held: None };
        add(&store, "restarted").await;
        assert!(matches!(mark_as_copy(taken, &clock).await, Ok(Marked::Late)));
        let store = open().await;
        assert_eq!(copied_at(&store).await, None);
        // A row of one that was killed hinders nobody.
        let taken = Taken { gone: gone(&store).await.unwrap(), store, _held: None };
        assert!(matches!(mark_as_copy(taken, &clock).await, Ok(Marked::AtLast)));
        assert_eq!(copied_at(&open().await).await, Some(5));
    }
}
