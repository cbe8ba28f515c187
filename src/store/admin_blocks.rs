//! Addresses that organisers have blocked, as hashes that only this server can make.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A block that is in force.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct BlockRow {
    /// The id, which sorts by time.
    pub id: String,
    /// Since when.
    pub made_at: i64,
    /// The line in the log that says who set it and why.
    pub act_id: Option<String>,
}

impl Reader {
    /// The blocks in force before the one with an id, the last one first. The log names a block by its id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_blocks(&mut self, before: Option<&str>, most: i64) -> Result<Vec<BlockRow>, StoreError> {
        let until = if before.is_some() { "admin_blocks.id < $1" } else { "$1 = ''" };
        let sql = format!(
            "select admin_blocks.id, admin_blocks.made_at, admin_acts.id as act_id from admin_blocks left join admin_acts \
             on admin_acts.act = 'blocked' and admin_acts.about = 'block ' || admin_blocks.id \
             where admin_blocks.lifted_at is null and {until} order by admin_blocks.id desc limit $2"
        );
        let asked = sqlx::query_as(AssertSqlSafe(sql)).bind(before.unwrap_or_default().to_owned());
        Ok(asked.bind(most).fetch_all(self.conn()).await?)
    }

    /// The block that an address is under, and since when.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_block(&mut self, address_hash: &str) -> Result<Option<(String, i64)>, StoreError> {
        let row = sqlx::query_as(
            "select id, made_at from admin_blocks where address_hash = $1 and lifted_at is null order by id limit 1",
        )
        .bind(address_hash)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }
}

impl Writer {
    /// Blocks an address.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_admin_block(&mut self, id: &str, address_hash: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into admin_blocks (id, address_hash, made_at) values ($1, $2, $3)")
            .bind(id)
            .bind(address_hash)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lifts a block. Gives false, and changes nothing, if there is none.
    ///
    /// # Errors
    /// The store failed.
    pub async fn lift_admin_block(&mut self, id: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("update admin_blocks set lifted_at = $2 where id = $1 and lifted_at is null")
            .bind(id)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
