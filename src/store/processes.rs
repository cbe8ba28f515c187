//! Processes that work on this database.
//!
//! What a process has claimed is free as soon as its row is gone (see `claim_letters` and `lease_call`).

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ProcessRow {
    /// Its id, another one at each start.
    pub id: String,
    /// What it runs, a word of `play::processes`.
    pub part: String,
    /// Which version of the program it is.
    pub version: String,
    /// When it started.
    pub started_at: i64,
    /// When it gave the last sign of life, by its own clock.
    pub beat_at: i64,
    /// How many signs it has given.
    pub beats: i64,
    /// Since when it resolves what is due.
    pub awake_at: Option<i64>,
    /// After what time without a sign it wants to be missed, in milliseconds.
    pub missed_after: i64,
}

impl Reader {
    /// All processes, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn processes(&mut self) -> Result<Vec<ProcessRow>, StoreError> {
        let sql = "select id, part, version, started_at, beat_at, beats, awake_at, missed_after from processes \
                   order by started_at, id";
        Ok(sqlx::query_as(sql).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// Adds a process that starts.
    ///
    /// # Errors
    /// The store failed.
    pub async fn add_process(&mut self, process: &ProcessRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into processes (id, part, version, started_at, beat_at, beats, awake_at, missed_after) \
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&process.id)
        .bind(&process.part)
        .bind(&process.version)
        .bind(process.started_at)
        .bind(process.beat_at)
        .bind(process.beats)
        .bind(process.awake_at)
        .bind(process.missed_after)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// A sign of life. Gives false if the process is taken for dead.
    ///
    /// # Errors
    /// The store failed.
    pub async fn process_lives(&mut self, id: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("update processes set beats = beats + 1, beat_at = $2 where id = $1")
            .bind(id)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// From now on the process resolves what is due.
    ///
    /// # Errors
    /// The store failed.
    pub async fn process_awake(&mut self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update processes set awake_at = $2 where id = $1").bind(id).bind(now).execute(self.conn()).await?;
        Ok(())
    }

    /// Forgets a process that has ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_process(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query("delete from processes where id = $1").bind(id).execute(self.conn()).await?;
        Ok(())
    }

    /// Forgets a process that has given no sign since the one with a number. Gives false if it has, or is gone already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_silent_process(&mut self, id: &str, beats: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("delete from processes where id = $1 and beats = $2")
            .bind(id)
            .bind(beats)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets all processes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_processes(&mut self) -> Result<(), StoreError> {
        sqlx::query("delete from processes").execute(self.conn()).await?;
        Ok(())
    }
}
