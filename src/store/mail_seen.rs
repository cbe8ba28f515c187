//! Mails that have been dealt with: never what they said, nor whom they were for.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// What became of a mail to a seat, named by the hash of its Message-ID, if it came before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mail_seen(&mut self, game: &str, side: &str, hash: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as("select verdict from mail_seen where game_id = $1 and side = $2 and message_hash = $3")
                .bind(game)
                .bind(side)
                .bind(hash)
                .fetch_optional(self.conn())
                .await?;
        Ok(row.map(|(verdict,)| verdict))
    }

    /// What became of the mails to a seat, and when they came, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mail_of_seat(&mut self, game: &str, side: &str) -> Result<Vec<(String, i64)>, StoreError> {
        let rows =
            sqlx::query_as("select verdict, seen_at from mail_seen where game_id = $1 and side = $2 order by seen_at")
                .bind(game)
                .bind(side)
                .fetch_all(self.conn())
                .await?;
        Ok(rows)
    }

    /// How many mails have come to a seat since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_mail(&mut self, game: &str, side: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from mail_seen where game_id = $1 and side = $2 and seen_at > $3",
        )
        .bind(game)
        .bind(side)
        .bind(since)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

impl Writer {
    /// Keeps what became of a mail.
    ///
    /// # Errors
    /// The store failed, or the mail came before.
    pub async fn insert_mail_seen(
        &mut self,
        game: &str,
        side: &str,
        hash: &str,
        verdict: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into mail_seen (game_id, side, message_hash, verdict, seen_at) values ($1, $2, $3, $4, $5)",
        )
        .bind(game)
        .bind(side)
        .bind(hash)
        .bind(verdict)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
