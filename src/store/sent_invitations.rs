//! Letters of invitation that have been sent: enough to count them, and no address.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// How many letters of invitation a seat has sent since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn invitations_from(&mut self, game: &str, side: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from sent_invitations where game_id = $1 and side = $2 and sent_at > $3",
        )
        .bind(game)
        .bind(side)
        .bind(since)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }

    /// How many letters of invitation went to an address, named by its hash, since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn invitations_to(&mut self, address_hash: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from sent_invitations where address_hash = $1 and sent_at > $2",
        )
        .bind(address_hash)
        .bind(since)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

impl Writer {
    /// Keeps that a letter of invitation was sent from a seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_sent_invitation(
        &mut self,
        id: &str,
        game: &str,
        side: &str,
        address_hash: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into sent_invitations (id, game_id, side, address_hash, sent_at) values ($1, $2, $3, $4, $5)",
        )
        .bind(id)
        .bind(game)
        .bind(side)
        .bind(address_hash)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
