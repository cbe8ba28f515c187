//! What answers to mails say, as long as they wait in the outbox. They quote orders: only the letter to who wrote those reads them.

use super::{Reader, StoreError, Writer};

impl Reader {
    /// The Message-ID that the answer of a number answers, and what it says. Only for the letter to that seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mail_answer(
        &mut self,
        game: &str,
        side: &str,
        number: i64,
    ) -> Result<Option<(Option<String>, String)>, StoreError> {
        let row =
            sqlx::query_as("select answers, body from mail_answers where game_id = $1 and side = $2 and number = $3")
                .bind(game)
                .bind(side)
                .bind(number)
                .fetch_optional(self.conn())
                .await?;
        Ok(row)
    }

    /// The highest number of a seat's answers, sent or not: that of the letters.
    ///
    /// # Errors
    /// The store failed.
    pub async fn last_mail_answer(&mut self, game: &str, side: &str) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(coalesce(max(revision), 0) as bigint) from outbox where game_id = $1 and side = $2 and kind = 'mail_answer'",
        )
        .bind(game)
        .bind(side)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

impl Writer {
    /// Keeps what an answer says until it is sent.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_mail_answer(
        &mut self,
        game: &str,
        side: &str,
        number: i64,
        answers: Option<&str>,
        body: &str,
    ) -> Result<(), StoreError> {
        sqlx::query("insert into mail_answers (game_id, side, number, answers, body) values ($1, $2, $3, $4, $5)")
            .bind(game)
            .bind(side)
            .bind(number)
            .bind(answers)
            .bind(body)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Erases what the answer says that a letter carried.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_mail_answer(&mut self, letter: &str) -> Result<(), StoreError> {
        sqlx::query(
            "delete from mail_answers where exists (select 1 from outbox where outbox.id = $1 and outbox.kind = 'mail_answer' \
             and outbox.game_id = mail_answers.game_id and outbox.side = mail_answers.side \
             and outbox.revision = mail_answers.number)",
        )
        .bind(letter)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
