//! Who had themselves removed is written beside the database, and removed again when a backup has brought them back.
//!
//! One line of JSON each, with nothing but the id that the person had and the time.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::clock::Timestamp;
use crate::play::erase::Erasure;
use crate::play::{Play, PlayError};

/// How often it is looked whether somebody had themselves removed.
const LOOK: Duration = Duration::from_secs(5);

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    person: String,
    /// UTC milliseconds since 1970.
    at: i64,
}

/// Removes again whom the file names and the database still has.
///
/// # Errors
/// The file cannot be read.
pub async fn again(play: &Play, file: &Path) -> io::Result<Result<usize, PlayError>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(0)),
        text => text?,
    };
    let mut number = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        // A line that broke off when the machine stopped is written anew: its removal is not marked as written.
        let Ok(line) = serde_json::from_str::<Line>(line) else {
            tracing::warn!("a line of erasures.jsonl cannot be read");
            continue;
        };
        match play.erase_again(&Erasure { person: line.person, at: Timestamp(line.at) }).await {
            Ok(there) => number += usize::from(there),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(number))
}

/// Writes removals into the file until `stop`, and what is left then.
pub async fn run(play: Play, file: PathBuf, stop: CancellationToken) {
    loop {
        let stopped = tokio::select! {
            () = stop.cancelled() => true,
            () = tokio::time::sleep(LOOK) => false,
        };
        if let Err(error) = write(&play, &file).await {
            tracing::error!(%error, "a removal cannot be written to erasures.jsonl");
        }
        if stopped {
            return;
        }
    }
}

/// Writes what is not written yet.
///
/// # Errors
/// The store or the file failed, in words.
pub async fn write(play: &Play, file: &Path) -> Result<(), String> {
    for erasure in play.erasures_to_write().await.map_err(|error| error.to_string())? {
        append(file, &erasure).map_err(|error| error.to_string())?;
        play.erasure_written(&erasure).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn append(file: &Path, erasure: &Erasure) -> io::Result<()> {
    let line = serde_json::to_string(&Line { person: erasure.person.clone(), at: erasure.at.0 })?;
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let before = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{before}{line}\n").as_bytes())?;
    file.sync_all()
}
