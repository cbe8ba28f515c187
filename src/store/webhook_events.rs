//! What webhooks are told, or were.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// Something that a webhook is told, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct WebhookEventRow {
    /// The id, which sorts by time.
    pub id: String,
    /// Whom it is told.
    pub webhook_id: String,
    /// What happened.
    pub kind: String,
    /// In which game.
    pub game_id: Option<String>,
    /// In which turn.
    pub turn: Option<i64>,
    /// The game's version then.
    pub version: Option<i64>,
    /// When it happened.
    pub made_at: i64,
    /// Before when it is not tried.
    pub due_at: i64,
    /// How often it was tried.
    pub tries: i64,
    /// When it was tried last.
    pub tried_at: Option<i64>,
    /// The status of the last answer.
    pub status: Option<i64>,
    /// What was wrong with it, in a few words.
    pub why: Option<String>,
    /// When it was taken.
    pub delivered_at: Option<i64>,
    /// When it was given up.
    pub given_up_at: Option<i64>,
}

/// The columns of a [`WebhookEventRow`].
const COLUMNS: &str = "id, webhook_id, kind, game_id, turn, version, made_at, due_at, tries, tried_at, status, why, \
                       delivered_at, given_up_at";

/// How a try ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTry<'a> {
    /// The status of the answer, if there was one.
    pub status: Option<i64>,
    /// What was wrong.
    pub why: Option<&'a str>,
}

/// What waits for webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct WebhooksPulse {
    /// How many webhooks there are for which something waits.
    pub waiting: i64,
    /// When the oldest of it happened.
    pub oldest: Option<i64>,
    /// How many webhooks are switched off.
    pub off: i64,
}

impl Reader {
    /// What waits for webhooks.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_pulse(&mut self) -> Result<WebhooksPulse, StoreError> {
        let row = sqlx::query_as(
            "select cast(count(distinct webhook_id) as bigint) as waiting, min(made_at) as oldest, \
             cast((select count(*) from webhooks where off_at is not null) as bigint) as off from webhook_events \
             where delivered_at is null and given_up_at is null",
        )
        .fetch_one(self.conn())
        .await?;
        Ok(row)
    }

    /// The last things that a webhook was told, the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_events(&mut self, webhook: &str, most: i64) -> Result<Vec<WebhookEventRow>, StoreError> {
        let sql = format!("select {COLUMNS} from webhook_events where webhook_id = $1 order by id desc limit $2");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(webhook).bind(most).fetch_all(self.conn()).await?)
    }

    /// One thing that a webhook was told.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_event(&mut self, webhook: &str, id: &str) -> Result<Option<WebhookEventRow>, StoreError> {
        let sql = format!("select {COLUMNS} from webhook_events where webhook_id = $1 and id = $2");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(webhook).bind(id).fetch_optional(self.conn()).await?)
    }

    /// What a webhook is to be told next.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next_webhook_event(&mut self, webhook: &str, now: i64) -> Result<Option<WebhookEventRow>, StoreError> {
        let sql = format!(
            "select {COLUMNS} from webhook_events where webhook_id = $1 and delivered_at is null \
             and given_up_at is null and due_at <= $2 order by due_at, id limit 1"
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(webhook).bind(now).fetch_optional(self.conn()).await?)
    }

    /// How many things of a kind a webhook waits to be told.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_events_waiting(&mut self, webhook: &str, kind: &str) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(*) as bigint) from webhook_events where webhook_id = $1 and kind = $2 \
             and delivered_at is null and given_up_at is null",
        )
        .bind(webhook)
        .bind(kind)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }

    /// Whether a webhook was told something of a kind about the awaited turn of a game, or is to be. What was given up
    /// does not count.
    ///
    /// # Errors
    /// The store failed.
    pub async fn heard_of_turn(&mut self, webhook: &str, kind: &str, game: &str) -> Result<bool, StoreError> {
        let found: Option<(String,)> = sqlx::query_as(
            "select webhook_events.id from webhook_events join games on games.id = webhook_events.game_id \
             and games.turn = webhook_events.turn where webhook_events.webhook_id = $1 and webhook_events.kind = $2 \
             and webhook_events.game_id = $3 and webhook_events.given_up_at is null limit 1",
        )
        .bind(webhook)
        .bind(kind)
        .bind(game)
        .fetch_optional(self.conn())
        .await?;
        Ok(found.is_some())
    }
}

impl Writer {
    /// Queues something that a webhook is to be told. Of a game's event the version is the one of now, and the turn the
    /// awaited one where none is given.
    ///
    /// # Errors
    /// The store failed.
    pub async fn queue_webhook_event(&mut self, event: &WebhookEventRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into webhook_events (id, webhook_id, kind, game_id, turn, version, made_at, due_at, tries) \
             values ($1, $2, $3, $4, coalesce($5, (select games.turn from games where games.id = $4)), \
             (select games.version from games where games.id = $4), $6, $7, 0)",
        )
        .bind(&event.id)
        .bind(&event.webhook_id)
        .bind(&event.kind)
        .bind(&event.game_id)
        .bind(event.turn)
        .bind(event.made_at)
        .bind(event.due_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps that something was taken.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_event_taken(&mut self, id: &str, now: i64, how: &WebhookTry<'_>) -> Result<(), StoreError> {
        sqlx::query(
            "update webhook_events set tries = tries + 1, tried_at = $2, delivered_at = $2, status = $3, why = $4 \
             where id = $1",
        )
        .bind(id)
        .bind(now)
        .bind(how.status)
        .bind(how.why)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps that something was not taken, and that it is tried again later. Says whether it still waited: a process that
    /// comes late finds it taken, or given up.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_event_delayed(
        &mut self,
        id: &str,
        now: i64,
        due_at: i64,
        how: &WebhookTry<'_>,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update webhook_events set tries = tries + 1, tried_at = $2, due_at = $3, status = $4, why = $5 where id = $1 \
             and delivered_at is null and given_up_at is null",
        )
        .bind(id)
        .bind(now)
        .bind(due_at)
        .bind(how.status)
        .bind(how.why)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Gives up what was made before a moment and never taken; of one webhook, if it is given. Says how many events that were.
    ///
    /// # Errors
    /// The store failed.
    pub async fn give_up_webhook_events(
        &mut self,
        webhook: Option<&str>,
        made_before: i64,
        now: i64,
        why: &str,
    ) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "update webhook_events set given_up_at = $3, why = coalesce(why, $4) where made_at < $2 \
             and delivered_at is null and given_up_at is null and webhook_id = coalesce($1, webhook_id)",
        )
        .bind(webhook)
        .bind(made_before)
        .bind(now)
        .bind(why)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected())
    }

    /// Gives up all that waits, for whichever webhook, but for one kind of event.
    ///
    /// # Errors
    /// The store failed.
    pub async fn give_up_all_but(&mut self, kind: &str, now: i64, why: &str) -> Result<(), StoreError> {
        sqlx::query(
            "update webhook_events set given_up_at = $2, why = coalesce(why, $3) where kind <> $1 \
             and delivered_at is null and given_up_at is null",
        )
        .bind(kind)
        .bind(now)
        .bind(why)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Gives up the oldest of what waits for a webhook, so that no more than so many are left. Says how many events that were.
    ///
    /// # Errors
    /// The store failed.
    pub async fn give_up_beyond(&mut self, webhook: &str, most: i64, now: i64, why: &str) -> Result<u64, StoreError> {
        let waits = "webhook_id = $1 and delivered_at is null and given_up_at is null";
        let sql = format!("select cast(count(*) as bigint) from webhook_events where {waits}");
        let (waiting,): (i64,) = sqlx::query_as(AssertSqlSafe(sql)).bind(webhook).fetch_one(self.conn()).await?;
        if waiting <= most {
            return Ok(0);
        }
        let sql = format!(
            "update webhook_events set given_up_at = $3, why = coalesce(why, $4) where id in \
             (select id from webhook_events where {waits} order by id limit $2)"
        );
        let done = sqlx::query(AssertSqlSafe(sql))
            .bind(webhook)
            .bind(waiting - most)
            .bind(now)
            .bind(why)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected())
    }

    /// Lets a webhook be told something once more, at once.
    ///
    /// # Errors
    /// The store failed.
    pub async fn repeat_webhook_event(&mut self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update webhook_events set due_at = $2, tries = 0, status = null, why = null, delivered_at = null, \
             given_up_at = null where id = $1",
        )
        .bind(id)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Forgets what was made before a moment, and is waiting no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_webhook_events(&mut self, before: i64) -> Result<(), StoreError> {
        sqlx::query(
            "delete from webhook_events where made_at < $1 and (delivered_at is not null or given_up_at is not null)",
        )
        .bind(before)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
