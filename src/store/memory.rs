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
    /// What is remembered, and nobody else changes it until the transaction ends.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remembered_alone(&mut self, name: &str) -> Result<Option<i64>, StoreError> {
        let sql = "update memory set number = number where name = $1 returning number";
        let row: Option<(i64,)> = sqlx::query_as(sql).bind(name).fetch_optional(self.conn()).await?;
        Ok(row.map(|(number,)| number))
    }

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

impl Writer {
    /// Remembers a number, if none is remembered by that name, and gives the one that is.
    ///
    /// # Errors
    /// The store failed.
    pub async fn remember_first(&mut self, name: &str, number: i64) -> Result<i64, StoreError> {
        let sql = "insert into memory (name, number) values ($1, $2) on conflict (name) do update set number = memory.number \
                   returning number";
        let (number,) = sqlx::query_as(sql).bind(name).bind(number).fetch_one(self.conn()).await?;
        Ok(number)
    }
}
