//! Copies of a running database: consistent, and made while it is written to. A copy is a SQLite file, also of a PostgreSQL
//! database: the schema is the same, so that every backup can be looked at, checked and restored in the same way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::{AnyConnection, Connection};

use super::{Kind, Store, StoreError};

/// How many snapshots are kept.
const KEEP: usize = 7;
/// How the name of a copy begins that is not whole yet.
const PART: &str = ".fieldcommand-";

/// How long ago a copy was written to last that nobody is making any more.
const IN_THE_MAKING: Duration = Duration::from_hours(24);

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
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
    /// Writes a consistent copy of the whole database to `file`, readable by its owner alone. The copy knows that it is one,
    /// so that a server which is started on it stands still.
    ///
    /// # Errors
    /// The file is there already or cannot be written; a PostgreSQL database is of another version than the program.
    pub async fn backup(&self, file: &Path, now: i64) -> Result<(), BackupError> {
        let failed = |error| BackupError::File(file.to_owned(), error);
        if file.exists() {
            return Err(BackupError::Exists(file.to_owned()));
        }
        let folder = folder_of(file);
        clear_away(folder);
        // It gets its name when it is whole, and knows that it is a copy: what breaks off leaves no file that looks like a
        // backup. Its owner alone can read it from the beginning.
        let part = tempfile::Builder::new().prefix(PART).tempfile_in(folder).map_err(failed)?;
        match self.kind {
            Kind::Sqlite => self.copy_into(part.path()).await?,
            Kind::Postgres => self.copy_by_rows(part.path()).await?,
        }
        mark(part.path(), now).await?;
        fs::File::open(part.path()).and_then(|file| file.sync_all()).map_err(failed)?;
        part.persist_noclobber(file).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(file.to_owned()),
            _ => failed(error.error),
        })?;
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
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

    /// Copies row by row into a database beside the file, which is then written in one piece.
    async fn copy_by_rows(&self, file: &Path) -> Result<(), StoreError> {
        let failed = |error: &dyn std::fmt::Display| StoreError::new(format!("{}: {error}", file.display()));
        let beside =
            tempfile::Builder::new().prefix(PART).tempdir_in(folder_of(file)).map_err(|error| failed(&error))?;
        let copy = Store::open_sqlite(&beside.path().join("copy.sqlite")).await.map_err(|error| failed(&error))?;
        copy.make_schema().await.map_err(|error| failed(&error))?;
        self.copy_to(&copy).await?;
        copy.copy_into(file).await?;
        copy.close().await;
        Ok(())
    }

    /// Writes a snapshot `name` into `folder` and removes all but the last seven whose names begin alike, up to the first
    /// digit. A snapshot of that name that is there already is left as it is, and so is whatever else lies there.
    ///
    /// # Errors
    /// As [`Store::backup`].
    pub async fn snapshot(&self, folder: &Path, name: &str, now: i64) -> Result<(), BackupError> {
        let failed = |error| BackupError::File(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        match self.backup(&folder.join(format!("{name}.sqlite")), now).await {
            Ok(()) | Err(BackupError::Exists(_)) => {}
            Err(error) => return Err(error),
        }
        let kind = name.split(|c: char| c.is_ascii_digit()).next().unwrap_or(name);
        let mut snapshots = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let alike = entry.file_name().to_string_lossy().starts_with(kind);
            if alike && entry.path().extension().is_some_and(|extension| extension == "sqlite") {
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

/// Removes what copies have left behind that were broken off by the end of their process. Where that cannot be done, the next
/// copy may.
fn clear_away(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let is_left = modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > IN_THE_MAKING));
        if is_left && entry.file_name().to_string_lossy().starts_with(PART) {
            let _ =
                if entry.path().is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Marks a copy as one. A database from before there was such a mark is left as it is.
async fn mark(file: &Path, now: i64) -> Result<(), StoreError> {
    let mut conn = AnyConnection::connect(&format!("sqlite://{}?mode=rw", super::open::escaped(file))).await?;
    let sql = "select cast(count(*) as bigint) from sqlite_master where name = 'place'";
    let (there,): (i64,) = sqlx::query_as(sql).fetch_one(&mut conn).await?;
    if there > 0 {
        sqlx::query("update place set copied_at = $1 where one = 1").bind(now).execute(&mut conn).await?;
    }
    Ok(conn.close().await?)
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
