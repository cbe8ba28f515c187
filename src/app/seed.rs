//! Fills an empty database with games for measuring.

use std::io::Write;

use super::{Settings, database_setting, given_key, hold_data, make_key, open_store};
use crate::cli::seed::{self, Options};
use crate::clock::{Chance, Clock};
use crate::play::Play;

/// Keeps the games that are asked for, and writes the seats of the running ones.
///
/// # Errors
/// A server uses the folder; there are games in the database; it fails.
pub async fn seed(settings: &Settings, options: &Options, output: &mut impl Write) -> anyhow::Result<()> {
    let _lock = hold_data(&settings.data)?;
    let key = match given_key(settings)? {
        Some(key) => key,
        None => make_key(&settings.data, &Chance::System)?,
    };
    let store = open_store(settings).await?;
    anyhow::ensure!(
        store.is_empty().await?,
        "{}: there are games in this database; games for measuring come into an empty one",
        database_setting(settings)
    );
    store.migrate(None).await?;
    let play = Play::new(store.clone(), Clock::System, Chance::System, key);
    play.key_fits().await?;
    let mut games = seed::played(options);
    loop {
        let next = tokio::task::spawn_blocking(move || (games.recv().ok(), games)).await?;
        games = next.1;
        let Some(batch) = next.0 else { break };
        seed::write(&play.keep_played(batch).await?, output)?;
    }
    store.close().await;
    Ok(())
}
