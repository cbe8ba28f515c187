//! Codes that were typed for a game and opened nothing. A game that does not exist is counted like one that does.

use super::{StoreError, Writer};

impl Writer {
    /// Counts a try to open a seat of a game by a code, and gives how many there were since the first of them that was
    /// made after `since`, this one included.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_code_try(&mut self, game: &str, since: i64, now: i64) -> Result<i64, StoreError> {
        sqlx::query("delete from code_tries where began_at <= $1").bind(since).execute(self.conn()).await?;
        let (tries,) = sqlx::query_as(
            "insert into code_tries (game_id, began_at, tries) values ($1, $2, 1) \
             on conflict (game_id) do update set tries = code_tries.tries + 1 returning tries",
        )
        .bind(game)
        .bind(now)
        .fetch_one(self.conn())
        .await?;
        Ok(tries)
    }

    /// Takes the last try back: it was right.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forgive_code_try(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("update code_tries set tries = tries - 1 where game_id = $1")
            .bind(game)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
