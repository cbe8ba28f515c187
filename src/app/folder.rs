//! The data folder: whose it is, what lies in it, and the key.

use std::fs;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::StartError;
use crate::cli::settings::Settings;
use crate::clock::Chance;
use crate::play::ServerKey;

pub(super) fn database_file(data: &Path) -> PathBuf {
    data.join("fieldcommand.sqlite")
}

pub(super) fn backups(data: &Path) -> PathBuf {
    data.join("backups")
}

/// The list of who had themselves removed, which outlives a restored backup.
pub(super) fn erasures(data: &Path) -> PathBuf {
    data.join("erasures.jsonl")
}

/// A data folder that nobody else uses as long as this is kept.
#[derive(Debug)]
pub(super) struct Held {
    lock: fs::File,
}

impl Held {
    /// The process that held this very folder before. It has ended, or the folder could not be held.
    pub(super) fn former(&mut self) -> Option<String> {
        let mut text = String::new();
        self.lock.read_to_string(&mut text).ok()?;
        let (place, process) = text.trim_end().split_once(' ')?;
        // A folder that was copied names a process that may well live.
        (place == self.place()?).then(|| process.to_owned())
    }

    /// Writes down which process holds the folder. What cannot be written only makes others wait longer one day.
    pub(super) fn note(&mut self, process: &str) {
        let Some(place) = self.place() else { return };
        let written = self
            .lock
            .rewind()
            .and_then(|()| self.lock.set_len(0))
            .and_then(|()| writeln!(self.lock, "{place} {process}"));
        if let Err(error) = written {
            tracing::warn!(%error, "which process holds the data folder cannot be written down");
        }
    }

    /// What tells this file from a copy of it.
    fn place(&self) -> Option<String> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = self.lock.metadata().ok()?;
            Some(format!("{:x}-{:x}", metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        None
    }
}

/// Makes the data folder, for its owner alone, and holds it: two servers on one folder would
/// migrate at once and send every letter twice.
pub(super) fn hold_data(data: &Path) -> Result<Held, StartError> {
    let failed = |error| StartError::Data(data.to_owned(), error);
    if !data.is_dir() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(data).map_err(failed)?;
    }
    let mut options = fs::OpenOptions::new();
    let lock = options.create(true).truncate(false).read(true).write(true).open(data.join("lock")).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(Held { lock }),
        Err(fs::TryLockError::WouldBlock) => Err(StartError::Locked(data.to_owned())),
        Err(fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The key of the setting, or of the file, if there is one of the two.
pub(super) fn given_key(settings: &Settings) -> Result<Option<ServerKey>, StartError> {
    if let Some(hex) = &settings.key {
        return ServerKey::from_hex(hex).map(Some).ok_or_else(|| StartError::Key("--key".into()));
    }
    let file = settings.data.join("server.key");
    match fs::read_to_string(&file) {
        Ok(hex) => ServerKey::from_hex(&hex).map(Some).ok_or_else(|| StartError::Key(file.display().to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StartError::Data(file, error)),
    }
}

/// Makes sure that the names in a folder are on the disk: a file that was synced may else be nowhere after a power cut.
fn sync_names(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Makes the file with the key.
pub(super) fn make_key(data: &Path, chance: &Chance) -> Result<ServerKey, StartError> {
    let file = data.join("server.key");
    let failed = |error| StartError::Data(file.clone(), error);
    let key = ServerKey::new(chance.bytes());
    // Whole or not at all: half a key would shut every seat.
    let mut made = tempfile::NamedTempFile::new_in(data).map_err(failed)?;
    writeln!(made, "{}", key.to_hex()).and_then(|()| made.as_file().sync_all()).map_err(failed)?;
    made.persist_noclobber(&file).map_err(|error| failed(error.error))?;
    sync_names(data).map_err(failed)?;
    Ok(key)
}
