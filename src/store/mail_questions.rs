//! What seats have been asked by letter. As with drafts, nobody but who was asked reads it.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// What a seat has been asked in a turn, and when. Only the holder of that seat may be shown it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_question(
        &mut self,
        game: &str,
        side: &str,
        turn: i64,
    ) -> Result<Option<(String, i64)>, StoreError> {
        let row =
            sqlx::query_as("select body, asked_at from mail_questions where game_id = $1 and side = $2 and turn = $3")
                .bind(game)
                .bind(side)
                .bind(turn)
                .fetch_optional(self.conn())
                .await?;
        Ok(row)
    }
}

impl Writer {
    /// Keeps what a seat is asked, in place of what it was asked before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_question(
        &mut self,
        game: &str,
        side: &str,
        turn: i64,
        body: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into mail_questions (game_id, side, turn, body, asked_at) values ($1, $2, $3, $4, $5) \
             on conflict (game_id, side) do update set turn = excluded.turn, body = excluded.body, \
             asked_at = excluded.asked_at",
        )
        .bind(game)
        .bind(side)
        .bind(turn)
        .bind(body)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Erases what a seat was asked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_question(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from mail_questions where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Erases what both seats were asked, when the turn is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_questions(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from mail_questions where game_id = $1").bind(game).execute(self.conn()).await?;
        Ok(())
    }
}
