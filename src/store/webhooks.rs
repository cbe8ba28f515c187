//! Webhooks: whom to tell that a game has changed. Of their secrets nothing is kept.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A webhook as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct WebhookRow {
    /// The id.
    pub id: String,
    /// The game, for a webhook of a seat.
    pub game_id: Option<String>,
    /// The seat's side.
    pub side: Option<String>,
    /// The generation of the seat for which it was set up.
    pub seat_generation: Option<i64>,
    /// Where it is.
    pub url: String,
    /// The kinds of event that are wanted, a space between them; empty for all.
    pub kinds: String,
    /// The generation of its secret.
    pub secret_generation: i64,
    /// When its secret was last renewed.
    pub renewed_at: Option<i64>,
    /// When it was set up.
    pub made_at: i64,
    /// Until when a worker has it, and of which process: what proves the claim.
    pub claimed_until: Option<i64>,
    /// See above; nobody where the claimer is known by no id.
    pub claimed_by: Option<String>,
    /// Before when nothing is tried.
    pub rest_until: Option<i64>,
    /// How many tries have failed running.
    pub failures: i64,
    /// Since when none has succeeded.
    pub failing_since: Option<i64>,
    /// When one last succeeded.
    pub delivered_at: Option<i64>,
    /// When it was switched off.
    pub off_at: Option<i64>,
    /// Why.
    pub off_why: Option<String>,
}

/// The columns of a [`WebhookRow`].
const COLUMNS: &str = "webhooks.id, webhooks.game_id, webhooks.side, webhooks.seat_generation, webhooks.url, \
                       webhooks.kinds, webhooks.secret_generation, webhooks.renewed_at, webhooks.made_at, \
                       webhooks.claimed_until, webhooks.claimed_by, webhooks.rest_until, webhooks.failures, \
                       webhooks.failing_since, webhooks.delivered_at, webhooks.off_at, webhooks.off_why";

impl Reader {
    /// The webhooks of a seat in one of its generations, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_of_seat(
        &mut self,
        game: &str,
        side: &str,
        generation: i64,
    ) -> Result<Vec<WebhookRow>, StoreError> {
        let sql = format!(
            "select {COLUMNS} from webhooks where game_id = $1 and side = $2 and seat_generation = $3 order by id"
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(game).bind(side).bind(generation).fetch_all(self.conn()).await?)
    }

    /// The organiser's webhooks, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_of_desk(&mut self) -> Result<Vec<WebhookRow>, StoreError> {
        let sql = format!("select {COLUMNS} from webhooks where game_id is null order by id");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).fetch_all(self.conn()).await?)
    }

    /// Who set each of the organiser's webhooks up, as the log of acts has it: an act and what it makes have one id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn makers_of_desk_webhooks(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "select webhooks.id, admin_acts.who from webhooks join admin_acts on admin_acts.id = webhooks.id \
                   where webhooks.game_id is null";
        Ok(sqlx::query_as(sql).fetch_all(self.conn()).await?)
    }

    /// The organiser's webhooks that were set up by a token.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_of_token(&mut self, token: &str) -> Result<Vec<String>, StoreError> {
        let sql = "select webhooks.id from webhooks join admin_acts on admin_acts.id = webhooks.id \
                   where webhooks.game_id is null and admin_acts.token_id = $1 order by webhooks.id";
        let rows: Vec<(String,)> = sqlx::query_as(sql).bind(token).fetch_all(self.conn()).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The webhooks that hear of a game: those of its seats as they are held now, and the organiser's; none that is
    /// switched off.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_that_hear(&mut self, game: &str) -> Result<Vec<WebhookRow>, StoreError> {
        let sql = format!(
            "select {COLUMNS} from webhooks left join seats on seats.game_id = webhooks.game_id \
             and seats.side = webhooks.side where (webhooks.game_id is null or (webhooks.game_id = $1 \
             and seats.link_generation = webhooks.seat_generation and seats.taken_at is not null)) \
             and webhooks.off_at is null order by webhooks.id"
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(game).fetch_all(self.conn()).await?)
    }

    /// The webhook with an id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook(&mut self, id: &str) -> Result<Option<WebhookRow>, StoreError> {
        let sql = format!("select {COLUMNS} from webhooks where id = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(self.conn()).await?)
    }

    /// Whether any webhook has something to be told now that nobody has claimed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_due(&mut self, now: i64) -> Result<bool, StoreError> {
        let sql = format!("select id from webhooks where {} limit 1", due("$1"));
        let found: Option<(String,)> = sqlx::query_as(AssertSqlSafe(sql)).bind(now).fetch_optional(self.conn()).await?;
        Ok(found.is_some())
    }
}

/// What a webhook is that may be claimed: a claim ends by itself, or with the process that made it.
fn due(now: &str) -> String {
    format!(
        "(claimed_until is null or claimed_until <= {now} or (claimed_by is not null \
         and not exists (select 1 from processes where processes.id = webhooks.claimed_by))) and (rest_until is null or rest_until <= {now}) \
         and exists (select 1 from webhook_events where webhook_events.webhook_id = webhooks.id \
         and webhook_events.delivered_at is null and webhook_events.given_up_at is null \
         and webhook_events.due_at <= {now})"
    )
}

impl Writer {
    /// Keeps a webhook.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_webhook(&mut self, row: &WebhookRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into webhooks (id, game_id, side, seat_generation, url, kinds, secret_generation, made_at, failures) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, 0)",
        )
        .bind(&row.id)
        .bind(&row.game_id)
        .bind(&row.side)
        .bind(row.seat_generation)
        .bind(&row.url)
        .bind(&row.kinds)
        .bind(row.secret_generation)
        .bind(row.made_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Renews the secret of a webhook.
    ///
    /// # Errors
    /// The store failed.
    pub async fn renew_webhook(&mut self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update webhooks set secret_generation = secret_generation + 1, renewed_at = $2 where id = $1")
            .bind(id)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lets a webhook rest no longer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn wake_webhook(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query("update webhooks set rest_until = null where id = $1").bind(id).execute(self.conn()).await?;
        Ok(())
    }

    /// Removes a webhook with all that it was told.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete_webhook(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query("delete from webhook_events where webhook_id = $1").bind(id).execute(self.conn()).await?;
        sqlx::query("delete from webhooks where id = $1").bind(id).execute(self.conn()).await?;
        Ok(())
    }

    /// The webhooks of seats that somebody else holds by now, and of games that ended before a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_without_use(&mut self, ended_before: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "select webhooks.id from webhooks join seats on seats.game_id = webhooks.game_id \
             and seats.side = webhooks.side join games on games.id = webhooks.game_id \
             where seats.link_generation <> webhooks.seat_generation or games.ended_at < $1",
        )
        .bind(ended_before)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Claims one webhook that has something to be told for a process: one that works before one that fails, and of those the
    /// one that was claimed longest ago, so that receivers that hang do not keep others waiting. The guard stands twice, since
    /// two workers may have chosen the same row before either has claimed it. A process that is taken for dead claims nothing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn claim_webhook(
        &mut self,
        now: i64,
        until: i64,
        by: Option<&str>,
    ) -> Result<Option<WebhookRow>, StoreError> {
        let due = due("$1");
        let sql = format!(
            "update webhooks set claimed_until = $2, claimed_by = $3 where id in (select id from webhooks where {due} \
             order by case when failures > 0 then 1 else 0 end, claimed_until nulls first, id limit 1) and {due} \
             and ($3 is null or exists (select 1 from processes where processes.id = $3)) returning {COLUMNS}"
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(now).bind(until).bind(by).fetch_optional(self.conn()).await?)
    }

    /// Gives a claimed webhook back at once, if the claim is still that one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn release_webhook(&mut self, claimed: &WebhookRow, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update webhooks set claimed_until = $4, claimed_by = null where id = $1 and claimed_until = $2 \
             and coalesce(claimed_by, '') = coalesce($3, '')",
        )
        .bind(&claimed.id)
        .bind(claimed.claimed_until)
        .bind(claimed.claimed_by.as_deref())
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps that something was told that was due at a moment: the webhook works, and is on, if it was not switched off
    /// after that.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_works(&mut self, id: &str, now: i64, due: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update webhooks set failures = 0, failing_since = null, rest_until = null, delivered_at = $2, \
             off_why = case when off_at > $3 then off_why end, off_at = case when off_at > $3 then off_at end where id = $1",
        )
        .bind(id)
        .bind(now)
        .bind(due)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps that a try has failed: nothing is tried until a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhook_rests(&mut self, id: &str, now: i64, until: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, $2), rest_until = $3 \
             where id = $1",
        )
        .bind(id)
        .bind(now)
        .bind(until)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Switches a webhook off.
    ///
    /// # Errors
    /// The store failed.
    pub async fn switch_off_webhook(&mut self, id: &str, now: i64, why: &str) -> Result<(), StoreError> {
        sqlx::query("update webhooks set off_at = $2, off_why = $3 where id = $1 and off_at is null")
            .bind(id)
            .bind(now)
            .bind(why)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
