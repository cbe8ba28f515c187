//! What the server remembers of itself: numbers by name.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// A number that was remembered.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remembered(&mut self, name: &str) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("select number from memory where name = $1").bind(name).fetch_optional(self.conn()).await?;
        Ok(row.map(|(number,)| number))
    }
}

impl Writer {
    /// Remembers a number in place of the one before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remember(&mut self, name: &str, number: i64) -> Result<(), StoreError> {
        sqlx::query("insert into memory (name, number) values ($1, $2) on conflict (name) do update set number = excluded.number")
            .bind(name)
            .bind(number)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
