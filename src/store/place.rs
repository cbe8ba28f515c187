//! Where the server stands: the public address, how often it went on after a move, and whether this is a copy.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// The one row.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PlaceRow {
    /// The public address that players know.
    pub address: Option<String>,
    /// How often the server went on after a move or from a copy.
    pub epoch: i64,
    /// When this copy was made, if the database came out of one.
    pub copied_at: Option<i64>,
}

impl Reader {
    /// Where the server stands.
    ///
    /// # Errors
    /// The store failed.
    pub async fn place(&mut self) -> Result<PlaceRow, StoreError> {
        let sql = "select address, epoch, copied_at from place where one = 1";
        Ok(sqlx::query_as(sql).fetch_one(self.conn()).await?)
    }

    /// The epoch in which a letter was queued.
    ///
    /// # Errors
    /// The store failed.
    pub async fn epoch_of_letter(&mut self, letter: &str) -> Result<i64, StoreError> {
        let sql = "select coalesce(epoch, 0) from outbox where id = $1";
        let row: Option<(i64,)> = sqlx::query_as(sql).bind(letter).fetch_optional(self.conn()).await?;
        Ok(row.map_or(0, |(epoch,)| epoch))
    }

    /// The ids of up to `most` games after `after` that have not ended, in order.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open_games(&mut self, after: &str, most: i64) -> Result<Vec<String>, StoreError> {
        let sql = "select id from games where ended_at is null and id > $1 order by id limit $2";
        let rows: Vec<(String,)> = sqlx::query_as(sql).bind(after).bind(most).fetch_all(self.conn()).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }
}

impl Writer {
    /// Keeps a public address, if none is kept.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_address(&mut self, address: &str) -> Result<(), StoreError> {
        sqlx::query("update place set address = $1 where one = 1 and address is null")
            .bind(address)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Marks the database as a copy that was made at a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mark_copied(&mut self, at: i64) -> Result<(), StoreError> {
        sqlx::query("update place set copied_at = $1 where one = 1").bind(at).execute(self.conn()).await?;
        Ok(())
    }

    /// Begins the next epoch, under another address or the same, and gives it. The database is no copy any more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin_epoch(&mut self, address: Option<&str>) -> Result<i64, StoreError> {
        let (epoch,) = sqlx::query_as(
            "update place set copied_at = null, epoch = epoch + 1, address = coalesce($1, address) where one = 1 returning epoch",
        )
        .bind(address)
        .fetch_one(self.conn())
        .await?;
        Ok(epoch)
    }

    /// Forgets the public address: none is known any more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_address(&mut self) -> Result<(), StoreError> {
        sqlx::query("update place set address = null where one = 1").execute(self.conn()).await?;
        Ok(())
    }

    /// Gives up every letter that has not left, with what went wrong, and says how many there were. What answers would have
    /// quoted is erased.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_waiting_letters(&mut self, now: i64, why: &str) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "update outbox set failed_at = $1, claimed_until = null, claimed_by = null, last_error = $2, address = null \
             where sent_at is null and failed_at is null",
        )
        .bind(now)
        .bind(why)
        .execute(self.conn())
        .await?;
        sqlx::query("delete from mail_answers").execute(self.conn()).await?;
        Ok(done.rows_affected())
    }
}
