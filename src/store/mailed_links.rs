//! Links that go by mail alone. The database keeps their hashes.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A link as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct MailedLinkRow {
    /// The id, from which the link is derived.
    pub id: String,
    /// The link's hash.
    pub hash: String,
    /// What it does, a word of `play::mailed`.
    pub purpose: String,
    /// The address that it was mailed to.
    pub address: String,
    /// The same, as it is found by.
    pub address_key: String,
    /// The game of the seat that it is about.
    pub game_id: Option<String>,
    /// That seat's side.
    pub side: Option<String>,
    /// The person that it is about.
    pub person_id: Option<String>,
    /// When it was made.
    pub made_at: i64,
    /// From when on it does nothing.
    pub ends_at: i64,
    /// When it was used.
    pub used_at: Option<i64>,
}

impl Reader {
    /// A link by its hash.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mailed_link(&mut self, hash: &str) -> Result<Option<MailedLinkRow>, StoreError> {
        let row = sqlx::query_as(
            "select id, hash, purpose, address, address_key, game_id, side, person_id, made_at, ends_at, used_at \
             from mailed_links where hash = $1",
        )
        .bind(hash)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }

    /// A link by its id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mailed_link_by_id(&mut self, id: &str) -> Result<Option<MailedLinkRow>, StoreError> {
        let row = sqlx::query_as(
            "select id, hash, purpose, address, address_key, game_id, side, person_id, made_at, ends_at, used_at \
             from mailed_links where id = $1",
        )
        .bind(id)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }

    /// How many links for a purpose went to an address, named by its key, since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_mailed_links(&mut self, key: &str, purpose: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from mailed_links where address_key = $1 and made_at >= $2 \
             and purpose = $3",
        )
        .bind(key)
        .bind(since)
        .bind(purpose)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

impl Writer {
    /// Keeps a new link.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_mailed_link(&mut self, link: &MailedLinkRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into mailed_links (id, hash, purpose, address, address_key, game_id, side, person_id, made_at, ends_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(&link.id)
        .bind(&link.hash)
        .bind(&link.purpose)
        .bind(&link.address)
        .bind(&link.address_key)
        .bind(&link.game_id)
        .bind(&link.side)
        .bind(&link.person_id)
        .bind(link.made_at)
        .bind(link.ends_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Uses a link. Gives false, and changes nothing, if it was used or has ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn use_mailed_link(&mut self, id: &str, now: i64) -> Result<bool, StoreError> {
        let done =
            sqlx::query("update mailed_links set used_at = $2 where id = $1 and used_at is null and ends_at > $2")
                .bind(id)
                .bind(now)
                .execute(self.conn())
                .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets the links that had ended by a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_mailed_links(&mut self, ended_by: i64) -> Result<(), StoreError> {
        sqlx::query("delete from mailed_links where ends_at < $1").bind(ended_by).execute(self.conn()).await?;
        Ok(())
    }

    /// Ends all links for a purpose that are about a person and have not been used.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_mailed_links(&mut self, person: &str, purpose: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update mailed_links set ends_at = $3 where person_id = $1 and purpose = $2 and ends_at > $3")
            .bind(person)
            .bind(purpose)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Ends all links for a purpose that are about a seat and have not been used.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_links_of_seat(
        &mut self,
        game: &str,
        side: &str,
        purpose: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "update mailed_links set ends_at = $4 where game_id = $1 and side = $2 and purpose = $3 and ends_at > $4",
        )
        .bind(game)
        .bind(side)
        .bind(purpose)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
