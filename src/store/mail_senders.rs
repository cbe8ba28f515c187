//! Addresses from which a seat is written for besides its own.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// What is known of an address for a seat: nothing, or whether it was allowed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mail_sender(
        &mut self,
        game: &str,
        side: &str,
        generation: i64,
        address_key: &str,
    ) -> Result<Option<Option<i64>>, StoreError> {
        let row: Option<(Option<i64>,)> = sqlx::query_as(
            "select allowed_at from mail_senders where game_id = $1 and side = $2 and generation = $3 and address_key = $4",
        )
        .bind(game)
        .bind(side)
        .bind(generation)
        .bind(address_key)
        .fetch_optional(self.conn())
        .await?;
        Ok(row.map(|(allowed,)| allowed))
    }

    /// The addresses from which the holder of a seat is written for, with when they were allowed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn senders_of_seat(
        &mut self,
        game: &str,
        side: &str,
        generation: i64,
    ) -> Result<Vec<(String, Option<i64>)>, StoreError> {
        let rows = sqlx::query_as(
            "select address_key, allowed_at from mail_senders where game_id = $1 and side = $2 and generation = $3 \
             order by address_key",
        )
        .bind(game)
        .bind(side)
        .bind(generation)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The address that a mailed link would allow.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sender_of_link(&mut self, link: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("select address_key from mail_senders where link_id = $1")
            .bind(link)
            .fetch_optional(self.conn())
            .await?;
        Ok(row.map(|(address,)| address))
    }
}

impl Writer {
    /// Keeps that a seat is asked about an address by a mailed link, the last one counting.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ask_about_sender(
        &mut self,
        link: &str,
        game: &str,
        side: &str,
        generation: i64,
        address_key: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into mail_senders (link_id, game_id, side, generation, address_key) values ($1, $2, $3, $4, $5) \
             on conflict (game_id, side, generation, address_key) do update set link_id = excluded.link_id",
        )
        .bind(link)
        .bind(game)
        .bind(side)
        .bind(generation)
        .bind(address_key)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Allows the address that a mailed link is about. Says whether there was one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn allow_sender(&mut self, link: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("update mail_senders set allowed_at = $2 where link_id = $1")
            .bind(link)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() > 0)
    }

    /// Forgets the addresses that were asked about by links that are gone, and that nobody has allowed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_unanswered_senders(&mut self) -> Result<(), StoreError> {
        sqlx::query(
            "delete from mail_senders where allowed_at is null \
             and not exists (select 1 from mailed_links where mailed_links.id = mail_senders.link_id)",
        )
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Forgets from which addresses seats were written for in games that were over by `ended_by`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_senders_of_ended(&mut self, ended_by: i64) -> Result<(), StoreError> {
        sqlx::query(
            "delete from mail_senders where exists (select 1 from games where games.id = mail_senders.game_id \
             and games.ended_at <= $1)",
        )
        .bind(ended_by)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Forgets from which addresses a seat was written for, what it was asked, and what waits for it in answer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_mail(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        for sql in [
            "delete from mail_senders where game_id = $1 and side = $2",
            "delete from mail_questions where game_id = $1 and side = $2",
            "delete from mail_answers where game_id = $1 and side = $2",
        ] {
            sqlx::query(sql).bind(game).bind(side).execute(self.conn()).await?;
        }
        Ok(())
    }
}
