//! What the players of a game write to each other, and what they have reported of it.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct MessageRow {
    /// Its number in the game, from 1.
    pub number: i64,
    /// The side that wrote it.
    pub side: String,
    /// The text.
    pub body: String,
    /// When it was sent.
    pub sent_at: i64,
}

/// How a seat stands to the messages of its game.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct MailboxRow {
    /// The number of the last message.
    pub last: i64,
    /// How many of the other side's have not been read.
    pub unread: i64,
    /// Since when none are announced.
    pub muted_at: Option<i64>,
}

/// A report to be kept.
#[derive(Clone, Debug)]
pub struct NewReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// The game.
    pub game_id: &'a str,
    /// The side that reports.
    pub side: &'a str,
    /// Why.
    pub reason: &'a str,
    /// The messages as they are now, JSON.
    pub thread: &'a str,
    /// Now.
    pub now: i64,
}

impl Reader {
    /// The messages of a game before a number, the last one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn messages(&mut self, game: &str, before: i64, most: i64) -> Result<Vec<MessageRow>, StoreError> {
        let rows = sqlx::query_as(
            "select number, side, body, sent_at from messages where game_id = $1 and number < $2 \
             order by number desc limit $3",
        )
        .bind(game)
        .bind(before)
        .bind(most)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The messages that a side has written, the first one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn messages_of(&mut self, game: &str, side: &str) -> Result<Vec<MessageRow>, StoreError> {
        let sql = "select number, side, body, sent_at from messages where game_id = $1 and side = $2 and body <> '' order by number";
        Ok(sqlx::query_as(sql).bind(game).bind(side).fetch_all(self.conn()).await?)
    }

    /// When a side has reported messages, and why, the first report first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn reports_of(&mut self, game: &str, side: &str) -> Result<Vec<(i64, String)>, StoreError> {
        let sql = "select made_at, reason from reports where game_id = $1 and side = $2 order by made_at, id";
        Ok(sqlx::query_as(sql).bind(game).bind(side).fetch_all(self.conn()).await?)
    }

    /// How a seat stands to the messages of its game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mailbox(&mut self, game: &str, side: &str) -> Result<Option<MailboxRow>, StoreError> {
        let row = sqlx::query_as(
            "select cast(coalesce((select max(number) from messages where game_id = $1), 0) as bigint) as last, \
             cast((select count(*) from messages where game_id = $1 and side <> $2 and number > coalesce(seats.read_message, 0)) \
             as bigint) as unread, seats.muted_at from seats where seats.game_id = $1 and seats.side = $2",
        )
        .bind(game)
        .bind(side)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }

    /// How many messages a side has written since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_messages(&mut self, game: &str, side: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from messages where game_id = $1 and side = $2 and sent_at > $3",
        )
        .bind(game)
        .bind(side)
        .bind(since)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }

    /// How many reports a side has made since a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_reports(&mut self, game: &str, side: &str, since: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from reports where game_id = $1 and side = $2 and made_at > $3",
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
    /// Keeps a message. The key on game and number refuses a second one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_message(&mut self, game: &str, message: &MessageRow) -> Result<(), StoreError> {
        sqlx::query("insert into messages (game_id, number, side, body, sent_at) values ($1, $2, $3, $4, $5)")
            .bind(game)
            .bind(message.number)
            .bind(&message.side)
            .bind(&message.body)
            .bind(message.sent_at)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Marks the messages up to a number as read by a seat. What was read before stays so.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mark_read(&mut self, game: &str, side: &str, number: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set read_message = $3 where game_id = $1 and side = $2 \
             and (read_message is null or read_message < $3)",
        )
        .bind(game)
        .bind(side)
        .bind(number)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Sets since when a seat wants no messages announced; `None` if it wants them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_muted(&mut self, game: &str, side: &str, since: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update seats set muted_at = $3 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(since)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets the messages of a game, because a seat goes to somebody who was no party to them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_messages(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from messages where game_id = $1").bind(game).execute(self.conn()).await?;
        sqlx::query("update seats set read_message = null, muted_at = null where game_id = $1")
            .bind(game)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Empties the messages that a side has written; their numbers stay.
    ///
    /// # Errors
    /// The store failed.
    pub async fn empty_messages(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("update messages set body = '' where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets the reports that were made before a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_reports(&mut self, made_before: i64) -> Result<(), StoreError> {
        sqlx::query("delete from reports where made_at < $1").bind(made_before).execute(self.conn()).await?;
        Ok(())
    }

    /// Keeps a report.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_report(&mut self, report: &NewReport<'_>) -> Result<(), StoreError> {
        sqlx::query("insert into reports (id, game_id, side, reason, thread, made_at) values ($1, $2, $3, $4, $5, $6)")
            .bind(report.id)
            .bind(report.game_id)
            .bind(report.side)
            .bind(report.reason)
            .bind(report.thread)
            .bind(report.now)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
