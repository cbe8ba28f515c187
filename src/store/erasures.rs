//! People who had themselves removed, so that a restored backup forgets them again.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A removal.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ErasureRow {
    /// The id that the person had.
    pub person_id: String,
    /// When it was removed.
    pub erased_at: i64,
}

impl Reader {
    /// The removals since a time, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erasures_since(&mut self, at: i64) -> Result<Vec<ErasureRow>, StoreError> {
        let sql = "select person_id, erased_at from erasures where erased_at >= $1 order by erased_at, person_id";
        Ok(sqlx::query_as(sql).bind(at).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// Keeps a removal; once is enough.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_erasure(&mut self, erasure: &ErasureRow) -> Result<(), StoreError> {
        sqlx::query("insert into erasures (person_id, erased_at) values ($1, $2) on conflict (person_id) do nothing")
            .bind(&erasure.person_id)
            .bind(erasure.erased_at)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
