//! Backups and what is done with them, and letting a server go on that was moved or restored.
//!
//! A backup is a SQLite file, whichever database it is of, and knows that it is a copy. It is checked by the road that a
//! real restore takes: put aside, brought up to date, every game played again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{
    Settings, StartError, backups, database_file, database_setting, given_key, hold_data, kept_store, open_store,
    verify_store,
};
use crate::clock::{Chance, Clock, Timestamp};
use crate::play::place::GoneOn;
use crate::play::{Play, PlayError, ServerKey, pulse};
use crate::store::{Store, StoreError};

/// Where a backup goes.
#[derive(Clone, Debug)]
pub enum Destination {
    /// A file that is not there yet.
    File(PathBuf),
    /// A folder, in which the file gets a name by its time.
    Folder(PathBuf),
}

/// What was found by playing the games of a database again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How many games.
    pub games: u64,
    /// How many turns.
    pub turns: usize,
    /// How many of the games do not hold.
    pub wrong: u64,
}

impl std::fmt::Display for Played {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Played { games, turns, wrong } = self;
        write!(f, "{games} games with {turns} turns were played again; {wrong} of the games do not hold.")
    }
}

/// A backup that was put aside and brought up to date. It goes when this is dropped.
struct Aside {
    store: Store,
    _folder: tempfile::TempDir,
}

impl Aside {
    async fn put(file: &Path, within: &Path) -> anyhow::Result<Aside> {
        let folder = tempfile::Builder::new().prefix(".fieldcommand-").tempdir_in(within)?;
        let copy = folder.path().join("fieldcommand.sqlite");
        fs::copy(file, &copy).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?;
        let store = Store::open_sqlite(&copy).await?;
        // An empty file would be made into an empty database.
        anyhow::ensure!(!store.is_bare().await?, "{}: is no backup of this program", file.display());
        store.migrate(None).await?;
        Ok(Aside { store, _folder: folder })
    }

    async fn play_again(&self, output: &mut impl Write) -> anyhow::Result<Played> {
        verify_store(&self.store, false, output).await
    }

    async fn end(self) {
        self.store.close().await;
    }
}

/// Backs the database up, also while a server runs on it, and plays every game of the backup again.
///
/// # Errors
/// There is no database; the backup cannot be made, or does not hold.
pub async fn backup(
    settings: &Settings,
    to: &Destination,
    verify: bool,
    clock: &Clock,
    output: &mut impl Write,
) -> anyhow::Result<PathBuf> {
    let store = kept_store(settings).await?;
    let now = clock.now();
    let file = match to {
        Destination::File(file) => file.clone(),
        Destination::Folder(folder) => {
            fs::create_dir_all(folder).map_err(|error| anyhow::anyhow!("--dir {}: {error}", folder.display()))?;
            let stamp: String = now.to_string().chars().filter(char::is_ascii_alphanumeric).collect();
            folder.join(format!("fieldcommand-{stamp}.sqlite"))
        }
    };
    store.backup(&file, now.0).await?;
    writeln!(output, "Backed up to {}", file.display())?;
    if verify {
        let aside = Aside::put(&file, parent(&file)).await?;
        let played = aside.play_again(output).await?;
        aside.end().await;
        writeln!(output, "{played}")?;
        anyhow::ensure!(played.wrong == 0, "the backup is as the database is, and not all of its games hold");
    }
    remember(&store, [(pulse::BACKUP, now.0)]).await?;
    store.close().await;
    writeln!(output, "{}", about_key(settings))?;
    Ok(file)
}

/// The key is in no backup, since whoever has both can open every seat.
fn about_key(settings: &Settings) -> String {
    let place = match &settings.key {
        Some(_) => "in the setting --key".to_owned(),
        None => format!("in {}", settings.data.join("server.key").display()),
    };
    format!(
        "The server's key is not in the backup. It is {place}: keep a copy of it in another place, since without it no \
         player's link opens anything."
    )
}

fn parent(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

async fn remember<const N: usize>(store: &Store, numbers: [(&'static str, i64); N]) -> Result<(), StoreError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                for (name, number) in numbers {
                    tx.remember(name, number).await?;
                }
                Ok(())
            })
        })
        .await
}

/// Puts a backup in the place of a database that is not there (any more). Nothing is overwritten.
///
/// # Errors
/// There is a database already; the backup cannot be read.
pub async fn restore(settings: &Settings, file: &Path, clock: &Clock, output: &mut impl Write) -> anyhow::Result<()> {
    let _lock = hold_data(&settings.data)?;
    let target = if settings.database_url.is_some() {
        let store = open_store(settings).await?;
        super::alone::nobody_connected("--database-url", &store).await?;
        anyhow::ensure!(
            store.is_empty().await?,
            "--database-url: there are games in this database; restore into an empty one"
        );
        Some(store)
    } else {
        let there = database_file(&settings.data);
        let beside = |ending: &str| settings.data.join(format!("fieldcommand.sqlite{ending}"));
        for file in [there, beside("-wal"), beside("-shm")] {
            anyhow::ensure!(!file.exists(), "{} is there already: move it away first", file.display());
        }
        None
    };
    let aside = Aside::put(file, &settings.data).await?;
    let played = aside.play_again(output).await?;
    let copied_at = mark(&aside.store, clock.now()).await?;
    match &target {
        Some(store) => {
            store.migrate(None).await?;
            aside.store.copy_to(store).await?;
            store.close().await;
        }
        None => aside.store.backup(&database_file(&settings.data), copied_at).await?,
    }
    writeln!(output, "Restored what was kept when the backup was made, {}. {played}", Timestamp(copied_at))?;
    writeln!(output, "{}", key_for(settings, &aside.store).await)?;
    writeln!(
        output,
        "A server that is started on it stands still: pages work, and nothing is mailed or resolved by itself. Look at it, \
         and then let it go on by `fieldcommand resume` (or, under another address, `fieldcommand adopt`)."
    )?;
    aside.end().await;
    Ok(())
}

/// Makes sure that a database knows that it is a copy, and of when. A backup of an older version may not say.
async fn mark(store: &Store, now: Timestamp) -> Result<i64, StoreError> {
    store
        .write(move |tx| {
            Box::pin(async move {
                let at = tx.place().await?.copied_at.unwrap_or(now.0);
                tx.mark_copied(at).await?;
                Ok(at)
            })
        })
        .await
}

/// Whether the key that is there belongs to a database.
async fn key_for(settings: &Settings, store: &Store) -> String {
    let Some(key) = kept_key(settings) else {
        return format!(
            "The key of the server that this was is missing: put its server.key into {} before a server is started, or no \
             player's link opens anything.",
            settings.data.display()
        );
    };
    match Play::new(store.clone(), Clock::System, Chance::System, key).key_fits().await {
        Ok(true) => "The server's key belongs to this database.".to_owned(),
        Ok(false) => {
            "The server's key is not the one that belongs to this database: put back the right one.".to_owned()
        }
        Err(error) => format!("Whether the server's key belongs to this database cannot be found out: {error}"),
    }
}

/// The key, if there is one that can be read. None is made.
pub(super) fn kept_key(settings: &Settings) -> Option<ServerKey> {
    given_key(settings).ok().flatten()
}

/// Restores the newest backup aside, plays every game of it again, and keeps in the database when that was and what came
/// of it.
///
/// # Errors
/// There is no backup; the database fails.
pub async fn drill(
    settings: &Settings,
    folder: Option<&Path>,
    clock: &Clock,
    output: &mut impl Write,
) -> anyhow::Result<Played> {
    let folder = folder.map_or_else(|| backups(&settings.data), Path::to_owned);
    let file = newest(&folder)?.ok_or_else(|| anyhow::anyhow!("{}: there is no backup here", folder.display()))?;
    writeln!(output, "The newest backup is {}.", file.display())?;
    let (store, begun) = (kept_store(settings).await?, clock.steady());
    let played = match Aside::put(&file, &std::env::temp_dir()).await {
        Ok(aside) => {
            let played = aside.play_again(output).await;
            aside.end().await;
            played
        }
        Err(error) => Err(error),
    };
    let wrong = played.as_ref().map_or(pulse::NOT_RESTORED, |played| i64::try_from(played.wrong).unwrap_or(i64::MAX));
    remember(&store, [(pulse::DRILL, clock.now().0), (pulse::DRILL_WRONG, wrong)]).await?;
    store.close().await;
    let played = played?;
    let took = clock.steady().saturating_sub(begun);
    writeln!(output, "It was restored aside and looked through in {:.1} s. {played}", took.as_secs_f64())?;
    Ok(played)
}

/// The backup in a folder that was written last.
fn newest(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    let mut newest = None;
    let entries = fs::read_dir(folder).map_err(|error| anyhow::anyhow!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sqlite") {
            newest = newest.max(Some((fs::metadata(&path)?.modified()?, path)));
        }
    }
    Ok(newest.map(|(_, path)| path))
}

/// Lets a server go on that was moved (`adopts`) or restored, also while it runs.
///
/// # Errors
/// There is nothing to go on from, in words; the database fails.
pub async fn go_on(settings: &Settings, adopts: bool) -> anyhow::Result<GoneOn> {
    let Some(key) = kept_key(settings) else {
        anyhow::bail!(
            "--data {}: there is no server.key here, and it belongs to the database",
            settings.data.display()
        );
    };
    let store = kept_store(settings).await?;
    anyhow::ensure!(
        store.is_current().await?,
        "{}: this database is of another version; start this version's server on it once",
        database_setting(settings)
    );
    let play = Play::new(store.clone(), Clock::System, Chance::System, key).standing_at(settings.public_url.as_deref());
    let fits = play.key_fits().await.map_err(|error: PlayError| anyhow::anyhow!("{error}"))?;
    if !fits {
        return Err(StartError::OtherKey(if settings.key.is_some() { "--key" } else { "server.key in --data" }).into());
    }
    let gone_on = if adopts { play.go_on_moved().await } else { play.go_on_restored().await };
    // A server that does not hear of it looks by itself.
    let _ = play.tell_others("resume").await;
    store.close().await;
    Ok(gone_on?)
}
