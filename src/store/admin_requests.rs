//! Requests of organisers that may come twice, by the key that the asker gave them.

use super::{StoreError, Writer};

impl Writer {
    /// Keeps a request and the act that comes of it. Gives false, and keeps nothing, if the key has been used; another
    /// transaction that uses it at this moment is waited for.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_admin_request(
        &mut self,
        token: &str,
        key: &str,
        hash: &str,
        act: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "insert into admin_requests (token_id, request_key, request_hash, act_id, made_at) \
             values ($1, $2, $3, $4, $5) on conflict (token_id, request_key) do nothing",
        )
        .bind(token)
        .bind(key)
        .bind(hash)
        .bind(act)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The hash of the request with a key, and the act that came of it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_request(&mut self, token: &str, key: &str) -> Result<Option<(String, String)>, StoreError> {
        let row =
            sqlx::query_as("select request_hash, act_id from admin_requests where token_id = $1 and request_key = $2")
                .bind(token)
                .bind(key)
                .fetch_optional(self.conn())
                .await?;
        Ok(row)
    }

    /// Forgets the requests that were made before a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_admin_requests(&mut self, before: i64) -> Result<(), StoreError> {
        sqlx::query("delete from admin_requests where made_at < $1").bind(before).execute(self.conn()).await?;
        Ok(())
    }
}
