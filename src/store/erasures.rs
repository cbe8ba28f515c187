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
    /// The removals that no file beside the database has yet, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erasures_to_write(&mut self) -> Result<Vec<ErasureRow>, StoreError> {
        let rows = sqlx::query_as(
            "select person_id, erased_at from erasures where written_at is null order by erased_at, person_id",
        )
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
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

    /// Marks a removal as written to the file.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erasure_written(&mut self, person: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update erasures set written_at = $2 where person_id = $1")
            .bind(person)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
