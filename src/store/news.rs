//! Which games have changed, told to the other processes on a PostgreSQL database (NOTIFY): their ids, and nothing of what
//! happened. Whoever misses some is no worse off than one who asks from time to time.
//!
//! Telling is no part of the transaction that changed the game: PostgreSQL lets such transactions commit only one after the
//! other. Hearing needs a connection of its own, which lasts; `sqlx::Any` has none that listens.

use std::time::Duration;

use sqlx::Executor;
use sqlx::postgres::PgListener;
use tokio::time::timeout;

use super::{Kind, Store, StoreError};

/// The channel.
const CHANNEL: &str = "fieldcommand_changes";
/// How many ids are told at once. What is told may have 8,000 bytes.
const AT_ONCE: usize = 400;
/// After how long a silence it is looked whether the connection is still one, and how long an answer may take.
const SILENCE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));

/// A connection that hears of changes.
#[derive(Debug)]
pub struct Listener {
    listener: PgListener,
    own: String,
}

impl Store {
    /// Begins to hear of what others tell; what `own` tells is left out. `None` on SQLite, which has no others.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn listen(&self, own: &str) -> Result<Option<Listener>, StoreError> {
        let Some(address) = self.address.as_ref().filter(|_| self.kind == Kind::Postgres) else { return Ok(None) };
        let mut listener = PgListener::connect(&address.0).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(Listener { listener, own: own.to_owned() }))
    }

    /// Tells the others which games have changed.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn tell(&self, own: &str, games: &[String]) -> Result<(), StoreError> {
        if self.kind != Kind::Postgres {
            return Ok(());
        }
        for some in games.chunks(AT_ONCE) {
            let told = format!("{own} {}", some.join(" "));
            let mut conn = self.bare().await?;
            sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(told).execute(&mut *conn).await?;
        }
        Ok(())
    }
}

impl Listener {
    /// Waits until others tell something, and gives the games; none where what was heard is its own.
    ///
    /// # Errors
    /// The connection is gone, and what was told meanwhile is lost: begin anew.
    pub async fn hear(&mut self) -> Result<Vec<String>, StoreError> {
        loop {
            let Ok(heard) = timeout(SILENCE.0, self.listener.try_recv()).await else {
                // A connection that is dead on the way says nothing either.
                let answer = timeout(SILENCE.1, self.listener.execute("select 1")).await;
                answer.map_err(|_| StoreError::new("the database does not answer"))??;
                continue;
            };
            let heard = heard?;
            let Some(heard) = heard else { return Err(StoreError::new("the connection that listens is gone")) };
            return Ok(match heard.payload().split_once(' ') {
                Some((own, games)) if own != self.own => games.split(' ').map(str::to_owned).collect(),
                _ => Vec::new(),
            });
        }
    }
}
