//! Browsers in which an organiser has signed in.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// The id of the token of a browser that signed in after a moment and was used after another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_session(
        &mut self,
        hash: &str,
        made_after: i64,
        used_after: i64,
    ) -> Result<Option<(String, i64)>, StoreError> {
        let row = sqlx::query_as(
            "select token_id, used_at from admin_sessions where hash = $1 and made_at > $2 and used_at > $3",
        )
        .bind(hash)
        .bind(made_after)
        .bind(used_after)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }
}

impl Writer {
    /// Remembers a browser.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_admin_session(&mut self, hash: &str, token: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into admin_sessions (hash, token_id, made_at, used_at) values ($1, $2, $3, $3)")
            .bind(hash)
            .bind(token)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Notes that a browser was used.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_session_used(&mut self, hash: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update admin_sessions set used_at = $2 where hash = $1")
            .bind(hash)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets a browser.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_admin_session(&mut self, hash: &str) -> Result<(), StoreError> {
        sqlx::query("delete from admin_sessions where hash = $1").bind(hash).execute(self.conn()).await?;
        Ok(())
    }

    /// Forgets browsers that were used last before a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_admin_sessions(&mut self, before: i64) -> Result<(), StoreError> {
        sqlx::query("delete from admin_sessions where used_at < $1").bind(before).execute(self.conn()).await?;
        Ok(())
    }
}
