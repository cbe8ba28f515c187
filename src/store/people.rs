//! People: who has proven an address.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A person as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PersonRow {
    /// The id.
    pub id: String,
    /// The address, as it was typed.
    pub address: String,
    /// The name.
    pub name: Option<String>,
    /// What this person wants, JSON; `None` for the usual.
    pub settings: Option<String>,
    /// When the address was first confirmed.
    pub created_at: i64,
}

impl Reader {
    /// A person by id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person(&mut self, id: &str) -> Result<Option<PersonRow>, StoreError> {
        let row = sqlx::query_as("select id, address, name, settings, created_at from people where id = $1")
            .bind(id)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The person whose address has a key.
    ///
    /// # Errors
    /// The store failed.
    pub async fn person_by_address(&mut self, key: &str) -> Result<Option<PersonRow>, StoreError> {
        let row = sqlx::query_as("select id, address, name, settings, created_at from people where address_key = $1")
            .bind(key)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }
}

impl Writer {
    /// Keeps a person whose address has been confirmed. Does nothing if somebody has that address already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_person(&mut self, id: &str, address: &str, key: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into people (id, address, address_key, created_at) values ($1, $2, $3, $4) \
             on conflict (address_key) do nothing",
        )
        .bind(id)
        .bind(address)
        .bind(key)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
