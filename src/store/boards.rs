//! Boards, keyed by the hash of their text. A board that is there is never changed.

use super::{StoreError, Writer};

impl Writer {
    /// Keeps a board, if it is not kept yet.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_board(&mut self, hash: &str, body: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into boards (hash, body, created_at) values ($1, $2, $3) on conflict (hash) do nothing")
            .bind(hash)
            .bind(body)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
