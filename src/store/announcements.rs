//! What stands above all pages for a while.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// An announcement as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct AnnouncementRow {
    /// The id.
    pub id: String,
    /// What it says.
    pub body: String,
    /// When it was made.
    pub made_at: i64,
    /// Until when it stands.
    pub ends_at: i64,
}

impl Reader {
    /// What stands above the pages now, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn announcements(&mut self, now: i64) -> Result<Vec<AnnouncementRow>, StoreError> {
        let rows = sqlx::query_as(
            "select id, body, made_at, ends_at from announcements where ends_at > $1 and withdrawn_at is null order by id",
        )
        .bind(now)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Keeps an announcement.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_announcement(&mut self, row: &AnnouncementRow) -> Result<(), StoreError> {
        sqlx::query("insert into announcements (id, body, made_at, ends_at) values ($1, $2, $3, $4)")
            .bind(&row.id)
            .bind(&row.body)
            .bind(row.made_at)
            .bind(row.ends_at)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Withdraws an announcement. Gives false, and changes nothing, if none with this id stands.
    ///
    /// # Errors
    /// The store failed.
    pub async fn withdraw_announcement(&mut self, id: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update announcements set withdrawn_at = $2 where id = $1 and withdrawn_at is null and ends_at > $2",
        )
        .bind(id)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }
}
