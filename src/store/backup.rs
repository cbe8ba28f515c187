//! Copies of a running SQLite database: consistent, and made while it is written to.
//!
//! PostgreSQL has its own tools for that (`pg_dump`); the server does not imitate them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Kind, Store, StoreError};

/// How many snapshots are kept.
const KEEP: usize = 7;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// PostgreSQL is copied with its own tools.
    #[error("a PostgreSQL database is backed up with pg_dump")]
    Postgres,
    /// Nothing is overwritten.
    #[error("{0} is there already")]
    Exists(PathBuf),
    /// The file system refused.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The database refused.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl Store {
    /// Writes a consistent copy of the whole database to `file`, readable by its owner alone.
    ///
    /// # Errors
    /// The file is there already or cannot be written, or the database is not SQLite's.
    pub async fn backup(&self, file: &Path) -> Result<(), BackupError> {
        if self.kind == Kind::Postgres {
            return Err(BackupError::Postgres);
        }
        let failed = |error| BackupError::File(file.to_owned(), error);
        // Claiming the name first: the copy is never written over something, nor readable by others for a moment.
        private_file(file).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(file.to_owned()),
            _ => failed(error),
        })?;
        let copied = self.copy_into(file).await;
        if copied.is_err() {
            let _ = fs::remove_file(file);
        }
        copied?;
        fs::File::open(file).and_then(|file| file.sync_all()).map_err(failed)
    }

    async fn copy_into(&self, file: &Path) -> Result<(), StoreError> {
        let mut conn = self.bare().await?;
        // VACUUM INTO reads one state and counts as no write to this database; the target may be an empty file.
        sqlx::raw_sql("pragma query_only = off").execute(&mut *conn).await?;
        let copied = sqlx::query("vacuum into $1").bind(file.to_string_lossy().into_owned()).execute(&mut *conn).await;
        sqlx::raw_sql("pragma query_only = on").execute(&mut *conn).await?;
        copied?;
        Ok(())
    }

    /// Writes a snapshot `name` into `folder` and removes all but the last seven. A snapshot
    /// of that name that is there already is left as it is.
    ///
    /// # Errors
    /// As [`Store::backup`].
    pub async fn snapshot(&self, folder: &Path, name: &str) -> Result<(), BackupError> {
        let failed = |error| BackupError::File(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        match self.backup(&folder.join(format!("{name}.sqlite"))).await {
            Ok(()) | Err(BackupError::Exists(_)) => {}
            Err(error) => return Err(error),
        }
        let mut snapshots = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.path().extension().is_some_and(|extension| extension == "sqlite") {
                let modified = entry.metadata().and_then(|metadata| metadata.modified()).map_err(failed)?;
                snapshots.push((modified, entry.path()));
            }
        }
        snapshots.sort();
        let surplus = snapshots.len().saturating_sub(KEEP);
        for (_, path) in snapshots.into_iter().take(surplus) {
            fs::remove_file(&path).map_err(|error| BackupError::File(path, error))?;
        }
        Ok(())
    }
}

/// Makes an empty file that its owner alone can read; it must not be there yet.
pub(super) fn private_file(file: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(file)
}
