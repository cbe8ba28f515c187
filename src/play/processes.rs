//! Processes that share a database: each gives signs of life and watches those of the others. Of one that has given none
//! for a while the row is removed, and with it everything that it had claimed is free.
//!
//! Who watches counts by a clock of its own that never goes backwards, and only while it reaches the database itself: so
//! neither clocks that differ nor a database that was away make anybody dead. Each says after what time it wants to be missed,
//! since the setting may be changed one process at a time. A process that was taken for dead and lives
//! (it stood still, or did not reach the database) finds its row gone, goes on under another id, and looks at each claim of
//! before in the database before it acts on it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::play::{Play, PlayError};
use crate::store::{Kind, ProcessRow, Writer};

/// Into how many parts the time is divided after which a process is missed: it gives a sign of life in each.
const SIGNS: u32 = 4;
/// And as often as this at least: commands that must know whether anybody works look at the last sign alone.
const SELDOM: Duration = Duration::from_secs(5);

/// What a process runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Everything.
    #[default]
    Whole,
    /// What others ask for: pages, API, mail that is handed over.
    Web,
    /// What happens by itself: deadlines, letters, computers, tidying.
    Workers,
}

impl Part {
    /// The word that is kept.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Part::Whole => "whole",
            Part::Web => "web",
            Part::Workers => "workers",
        }
    }

    fn from_word(word: &str) -> Option<Part> {
        [Part::Whole, Part::Web, Part::Workers].into_iter().find(|part| part.word() == word)
    }

    /// What it runs, in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Whole => "everything",
            Part::Web => "pages and API",
            Part::Workers => "what happens by itself",
        }
    }

    /// Whether it answers players.
    #[must_use]
    pub const fn serves(self) -> bool {
        matches!(self, Part::Whole | Part::Web)
    }

    /// Whether it does what happens by itself.
    #[must_use]
    pub const fn works(self) -> bool {
        matches!(self, Part::Whole | Part::Workers)
    }
}

/// A process, for who looks after the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub id: String,
    /// What it runs.
    pub part: Part,
    /// Which version of the program it is.
    pub version: String,
    /// When it started.
    pub started: Timestamp,
    /// When it gave the last sign of life.
    pub seen: Timestamp,
    /// Whether it is the one that was asked.
    pub here: bool,
}

/// Whether another process resolves what is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// None does: what fell due since the last sign of life fell in an outage.
    Nobody,
    /// There is one, and it is not known yet whether it lives.
    Unknown,
    /// One does.
    Awake,
}

/// How a process starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// What it runs.
    pub part: Part,
    /// After what time without a sign another process is missed.
    pub missed_after: Duration,
    /// The process before, which is known to have ended.
    pub former: Option<String>,
}

/// What is watched of another process.
#[derive(Clone, Debug)]
struct Seen {
    beats: i64,
    /// For how long that number has stood still, as far as it was looked.
    silent: Duration,
    /// Whether it has ever risen meanwhile.
    moved: bool,
    /// Whether it resolves what is due.
    awake: bool,
    /// After what time it wants to be missed.
    missed_after: Duration,
}

/// What a process knows of itself and the others.
#[derive(Debug)]
struct Own {
    id: String,
    start: Start,
    started: i64,
    awake: Option<i64>,
    /// When its last sign was given, by the steady clock, before it was sent.
    signed: Duration,
    /// The same by the other clock: the steady one stands still while the machine does.
    signed_at: Timestamp,
    others: HashMap<String, Seen>,
}

/// Where the process stands among the others; commands and parts of a server in tests are not one of them.
#[derive(Debug, Default)]
pub(in crate::play) struct Present(Mutex<Option<Own>>);

impl Present {
    fn own(&self) -> MutexGuard<'_, Option<Own>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Own {
    fn row(&self, now: i64) -> ProcessRow {
        ProcessRow {
            id: self.id.clone(),
            part: self.start.part.word().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: self.started,
            beat_at: now,
            beats: 1,
            awake_at: self.awake,
            missed_after: i64::try_from(self.start.missed_after.as_millis()).unwrap_or(i64::MAX),
        }
    }

    /// Takes note of the signs of the others, so long after the last look. Gives those that are taken for dead.
    fn watch(&mut self, rows: &[ProcessRow], since: Duration) -> Vec<(String, i64)> {
        let mut silent = Vec::new();
        let mut others = HashMap::new();
        // Of a time in which nobody looked nothing is known.
        let since = since.min(self.start.missed_after / 2);
        for row in rows.iter().filter(|row| row.id != self.id) {
            let awake = row.awake_at.is_some();
            let theirs = Duration::from_millis(u64::try_from(row.missed_after).unwrap_or(0));
            let missed_after = theirs.max(self.start.missed_after);
            let seen = match self.others.get(&row.id) {
                Some(seen) if seen.beats == row.beats => {
                    Seen { silent: seen.silent.saturating_add(since), awake, missed_after, ..seen.clone() }
                }
                before => {
                    Seen { beats: row.beats, silent: Duration::ZERO, moved: before.is_some(), awake, missed_after }
                }
            };
            if seen.silent >= seen.missed_after {
                silent.push((row.id.clone(), row.beats));
            }
            others.insert(row.id.clone(), seen);
        }
        self.others = others;
        silent
    }
}

impl Play {
    /// Joins the processes that share the database. On SQLite there are no others: whatever was there before has ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn join_processes(&self, start: Start) -> Result<String, PlayError> {
        let (id, signed_at, signed) = (self.sorted_id(), self.clock.now(), self.clock.steady());
        let now = signed_at.0;
        let alone = self.store.kind() == Kind::Sqlite;
        let former = start.former.clone();
        let others = HashMap::new();
        let mut own = Own { id: id.clone(), start, started: now, awake: None, signed, signed_at, others };
        let row = own.row(now);
        let rows = self
            .store
            .write(move |tx| {
                let (row, former) = (row.clone(), former.clone());
                Box::pin(async move {
                    if alone {
                        tx.forget_processes().await?;
                    } else if let Some(former) = &former {
                        tx.forget_process(former).await?;
                    }
                    tx.add_process(&row).await?;
                    Ok::<_, PlayError>(tx.processes().await?)
                })
            })
            .await?;
        own.watch(&rows, Duration::ZERO);
        *self.present.own() = Some(own);
        Ok(id)
    }

    /// Leaves the others: what is still claimed is free.
    ///
    /// # Errors
    /// The store failed; the others miss this process after a while.
    pub async fn leave_processes(&self) -> Result<(), PlayError> {
        let Some(own) = self.present.own().take() else { return Ok(()) };
        self.store
            .write(move |tx| {
                let id = own.id.clone();
                Box::pin(async move { Ok(tx.forget_process(&id).await?) })
            })
            .await
    }

    /// What this process runs.
    #[must_use]
    pub fn part(&self) -> Part {
        self.present.own().as_ref().map_or(Part::Whole, |own| own.start.part)
    }

    /// How often this process gives a sign of life.
    #[must_use]
    pub fn signs_every(&self) -> Duration {
        // On SQLite nobody watches.
        let alone = self.store.kind() == Kind::Sqlite;
        let missed = self.present.own().as_ref().map(|own| own.start.missed_after);
        match missed {
            Some(missed) if !alone => (missed / SIGNS).min(SELDOM),
            _ => Duration::from_secs(15),
        }
    }

    /// Gives a sign of life, and looks at those of the others. Says how many of them are taken for dead.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign(&self) -> Result<usize, PlayError> {
        let (now, steady) = (self.clock.now().0, self.clock.steady());
        let Some(id) = self.claims_as() else { return Ok(0) };
        let (lives, rows) = self
            .store
            .write(move |tx| {
                let id = id.clone();
                Box::pin(async move { Ok::<_, PlayError>((tx.process_lives(&id, now).await?, tx.processes().await?)) })
            })
            .await?;
        if !lives {
            self.go_on_as_another(now).await?;
        }
        let silent = {
            let mut own = self.present.own();
            let Some(own) = own.as_mut() else { return Ok(0) };
            let since = steady.saturating_sub(own.signed);
            (own.signed, own.signed_at) = (steady, Timestamp(now));
            own.watch(&rows, since)
        };
        self.bury(silent).await
    }

    /// Goes on under another id: under its own it was taken for dead.
    async fn go_on_as_another(&self, now: i64) -> Result<(), PlayError> {
        tracing::warn!("this process was taken for dead by another; it goes on");
        let id = self.sorted_id();
        let Some(row) = self.present.own().as_ref().map(|own| ProcessRow { id: id.clone(), ..own.row(now) }) else {
            return Ok(());
        };
        self.store
            .write(move |tx| {
                let row = row.clone();
                Box::pin(async move { Ok::<_, PlayError>(tx.add_process(&row).await?) })
            })
            .await?;
        if let Some(own) = self.present.own().as_mut() {
            own.id = id;
        }
        Ok(())
    }

    /// Forgets those that are taken for dead, if they have given no sign meanwhile.
    async fn bury(&self, silent: Vec<(String, i64)>) -> Result<usize, PlayError> {
        let mut number = 0;
        for (id, beats) in silent {
            let silent = id.clone();
            let gone: bool = self
                .store
                .write(move |tx| {
                    let id = silent.clone();
                    Box::pin(async move { Ok::<_, PlayError>(tx.forget_silent_process(&id, beats).await?) })
                })
                .await?;
            if gone {
                tracing::warn!(process = id, "a process gives no sign of life any more; its work is taken over");
                number += 1;
            }
            if let Some(own) = self.present.own().as_mut() {
                own.others.remove(&id);
            }
        }
        Ok(number)
    }

    /// The id under which this process claims things, if it is one of those that are watched.
    pub(in crate::play) fn claims_as(&self) -> Option<String> {
        self.present.own().as_ref().map(|own| own.id.clone())
    }

    /// Whether what this process has claimed is certainly its own: nobody can have missed it since its last sign. Who is
    /// not watched keeps its claims until they end.
    pub(in crate::play) fn is_sure_of_claims(&self) -> bool {
        let (now, steady) = (self.clock.now(), self.clock.steady());
        match self.present.own().as_ref() {
            Some(own) if self.store.kind() == Kind::Postgres => {
                let half = own.start.missed_after / 2;
                let passed = u64::try_from(now.0 - own.signed_at.0).map(Duration::from_millis);
                steady.saturating_sub(own.signed) < half && passed.is_ok_and(|passed| passed < half)
            }
            _ => true,
        }
    }

    /// Whether another process resolves what is due, as far as this one has seen.
    #[must_use]
    pub fn others_awake(&self) -> Others {
        let own = self.present.own();
        let mut awake = own.iter().flat_map(|own| own.others.values()).filter(|seen| seen.awake).peekable();
        if awake.peek().is_none() {
            Others::Nobody
        } else if awake.any(|seen| seen.moved) {
            Others::Awake
        } else {
            Others::Unknown
        }
    }

    /// Lets the others know that this process resolves what is due.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_awake(&self) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        let id = self.present.own().as_mut().map(|own| {
            own.awake = Some(now);
            own.id.clone()
        });
        let Some(id) = id else { return Ok(()) };
        self.store
            .write(move |tx| {
                let id = id.clone();
                Box::pin(async move { Ok(tx.process_awake(&id, now).await?) })
            })
            .await
    }

    /// The processes that share the database, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn processes(&self) -> Result<Vec<Process>, PlayError> {
        let own = self.claims_as();
        let rows = self.store.read(|tx| Box::pin(async move { tx.processes().await })).await?;
        let shown = |row: ProcessRow| Process {
            here: own.as_deref() == Some(row.id.as_str()),
            // A word of a newer version is a process all the same.
            part: Part::from_word(&row.part).unwrap_or_default(),
            id: row.id,
            version: row.version,
            started: Timestamp(row.started_at),
            seen: Timestamp(row.beat_at),
        };
        Ok(rows.into_iter().map(shown).collect())
    }

    /// Keeps by which key the database's secrets are made, if it is not known, and says whether it is this one's. While
    /// nothing hangs on the key, and no other process works with it, another one may take its place.
    ///
    /// # Errors
    /// The store failed.
    pub async fn take_key(&self) -> Result<bool, PlayError> {
        let (mark, own, now) = (self.key.mark(), self.claims_as(), self.clock.now());
        self.store
            .write(move |tx| {
                let own = own.clone();
                Box::pin(async move { take_key(tx, mark, own.as_deref(), now).await })
            })
            .await
    }
}

/// Whether a process may still be there, as far as its last sign of life says: who is not watched by another keeps its row
/// when it is killed.
fn still_there(row: &ProcessRow, now: Timestamp) -> bool {
    (now.0 - row.beat_at).abs() < FORGOTTEN
}

/// After how long without a sign nobody is thought to be there, in milliseconds.
const FORGOTTEN: i64 = 60_000;

/// As what the mark of the key is remembered.
const KEY: &str = "key";

async fn take_key(tx: &mut Writer, mark: i64, own: Option<&str>, now: Timestamp) -> Result<bool, PlayError> {
    if tx.remember_first(KEY, mark).await? == mark {
        return Ok(true);
    }
    let others = tx.processes().await?;
    let mut others = others.iter().filter(|process| Some(process.id.as_str()) != own);
    let unused = !others.any(|process| still_there(process, now)) && tx.any_seat().await?.is_none();
    if unused {
        tx.remember(KEY, mark).await?;
    }
    Ok(unused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Own {
        let start = Start { part: Part::Whole, missed_after: Duration::from_secs(20), former: None };
        let (id, others) = ("own".to_owned(), HashMap::new());
        Own { id, start, started: 0, awake: None, signed: Duration::ZERO, signed_at: Timestamp(0), others }
    }

    fn other(beats: i64) -> Vec<ProcessRow> {
        vec![own().row(0), ProcessRow { id: "other".into(), beats, awake_at: Some(1), ..own().row(0) }]
    }

    #[test]
    fn a_process_is_missed_when_its_number_stands_still() {
        let (mut own, five) = (own(), Duration::from_secs(5));
        assert!(own.watch(&other(3), Duration::ZERO).is_empty());
        for _ in 0..3 {
            assert!(own.watch(&other(3), five).is_empty());
        }
        assert!(own.watch(&other(4), five).is_empty(), "it has given a sign");
        for _ in 0..3 {
            assert!(own.watch(&other(4), five).is_empty());
        }
        assert_eq!(own.watch(&other(4), five), [("other".to_owned(), 4)]);
    }

    #[test]
    fn who_wants_to_be_missed_later_is_missed_later() {
        let (mut own, five) = (own(), Duration::from_secs(5));
        let mut rows = other(3);
        rows[1].missed_after = 60_000;
        own.watch(&rows, Duration::ZERO);
        for _ in 0..11 {
            assert!(own.watch(&rows, five).is_empty());
        }
        assert_eq!(own.watch(&rows, five), [("other".to_owned(), 3)]);
    }

    #[test]
    fn a_time_in_which_nobody_looked_makes_nobody_dead() {
        let mut own = own();
        own.watch(&other(3), Duration::ZERO);
        assert!(own.watch(&other(3), Duration::from_hours(1)).is_empty());
        assert!(own.watch(&other(4), Duration::from_secs(5)).is_empty());
        assert!(own.watch(&[], Duration::from_secs(5)).is_empty() && own.others.is_empty());
    }
}
