//! Who had themselves removed is written beside the database, and removed again when a backup has brought them back.
//!
//! One line of JSON each, with nothing but the id that the person had and the time. Where several processes work on one
//! database, each keeps a whole file of its own: it writes what its file lacks, whoever removed it.

use std::collections::HashSet;
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

/// How far back it is looked each time, in milliseconds: an hour, for processes whose clocks differ.
const OVERLAP: i64 = 60 * 60 * 1000;
/// After how many looks all removals are gone through again: an hour. A removal that a restored backup had lost is kept with
/// its old time.
const WHOLE: u32 = 720;

/// What a file has.
#[derive(Debug, Default)]
pub struct Kept {
    /// The ids of the people.
    people: HashSet<String>,
    /// Since when removals are asked for.
    since: i64,
    looks: u32,
}

impl Kept {
    /// Reads a file; one that is not there has nothing.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(file: &Path) -> io::Result<Kept> {
        let people = lines(file)?.into_iter().map(|line| line.person).collect();
        Ok(Kept { people, ..Kept::default() })
    }
}

/// The lines of a file that can be read. One that broke off when the machine stopped is written anew, since it counts as
/// not there.
fn lines(file: &Path) -> io::Result<Vec<Line>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let read = |line: &str| {
        let read = serde_json::from_str::<Line>(line);
        if read.is_err() {
            tracing::warn!("a line of erasures.jsonl cannot be read");
        }
        read.ok()
    };
    Ok(text.lines().filter(|line| !line.is_empty()).filter_map(read).collect())
}

/// Removes again whom the file names and the database still has.
///
/// # Errors
/// The file cannot be read.
pub async fn again(play: &Play, file: &Path) -> io::Result<Result<usize, PlayError>> {
    let mut number = 0;
    for line in lines(file)? {
        match play.erase_again(&Erasure { person: line.person, at: Timestamp(line.at) }).await {
            Ok(there) => number += usize::from(there),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(number))
}

/// Writes removals into the file until `stop`, and what is left then.
pub async fn run(play: Play, file: PathBuf, stop: CancellationToken) {
    let mut kept = Kept::read(&file).unwrap_or_default();
    loop {
        let stopped = tokio::select! {
            () = stop.cancelled() => true,
            () = tokio::time::sleep(LOOK) => false,
        };
        if let Err(error) = write(&play, &file, &mut kept).await {
            tracing::error!(%error, "a removal cannot be written to erasures.jsonl");
        }
        if stopped {
            return;
        }
    }
}

/// Writes what the file lacks.
///
/// # Errors
/// The store or the file failed, in words.
pub async fn write(play: &Play, file: &Path, kept: &mut Kept) -> Result<(), String> {
    let now = play.clock().now();
    let since = if kept.looks.is_multiple_of(WHOLE) { 0 } else { kept.since };
    for erasure in play.erasures_since(Timestamp(since)).await.map_err(|error| error.to_string())? {
        if !kept.people.contains(&erasure.person) {
            append(file, &erasure).map_err(|error| error.to_string())?;
            kept.people.insert(erasure.person);
        }
    }
    kept.looks = kept.looks.wrapping_add(1);
    kept.since = now.0 - OVERLAP;
    Ok(())
}

fn append(at: &Path, erasure: &Erasure) -> io::Result<()> {
    let line = serde_json::to_string(&Line { person: erasure.person.clone(), at: erasure.at.0 })?;
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(at)?;
    let mut last = [b'\n'];
    let is_new = file.metadata()?.len() == 0;
    if !is_new {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let before = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{before}{line}\n").as_bytes())?;
    file.sync_all()?;
    // Its name too is to outlast a power cut.
    if is_new && let Some(folder) = at.parent() { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
