//! Tokens of organisers, by their hashes.

use sqlx::{AssertSqlSafe, FromRow};

use super::seen::Beside;
use super::{Reader, StoreError, Writer};

/// A token as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct TokenRow {
    /// The id.
    pub id: String,
    /// Whose it is, for the log of acts.
    pub name: String,
    /// What it may do.
    pub scope: String,
    /// The hash of its secret.
    pub hash: String,
    /// The person whom it belongs to, if that is known.
    pub person_id: Option<String>,
    /// When it was made.
    pub made_at: i64,
    /// Until when it opens anything.
    pub ends_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
    /// When it was used last, about.
    pub used_at: Option<i64>,
}

/// The columns of a [`TokenRow`].
const TOKEN: &str = "select id, name, scope, hash, person_id, made_at, ends_at, revoked_at, used_at from admin_tokens";

impl Reader {
    /// The token with a hash.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_token(&mut self, hash: &str) -> Result<Option<TokenRow>, StoreError> {
        let sql = format!("{TOKEN} where hash = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(hash).fetch_optional(self.conn()).await?)
    }

    /// The token with an id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_token_by_id(&mut self, id: &str) -> Result<Option<TokenRow>, StoreError> {
        let sql = format!("{TOKEN} where id = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(self.conn()).await?)
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_tokens(&mut self) -> Result<Vec<TokenRow>, StoreError> {
        let sql = format!("{TOKEN} order by made_at, id");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).fetch_all(self.conn()).await?)
    }

    /// The sides of a game that are played by people whom a token belongs to that opens something.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admins_at(&mut self, game: &str, now: i64) -> Result<Vec<String>, StoreError> {
        if self.lacks(Beside::Organisers, game).await? {
            return Ok(Vec::new());
        }
        let rows: Vec<(String,)> = sqlx::query_as(
            "select seats.side from seats where seats.game_id = $1 and exists (select 1 from admin_tokens \
             where admin_tokens.person_id = seats.person_id and admin_tokens.revoked_at is null \
             and (admin_tokens.ends_at is null or admin_tokens.ends_at > $2)) order by seats.side",
        )
        .bind(game)
        .bind(now)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(side,)| side).collect())
    }
}

impl Writer {
    /// Keeps a new token.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_admin_token(&mut self, token: &TokenRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into admin_tokens (id, name, scope, hash, person_id, made_at, ends_at) \
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&token.id)
        .bind(&token.name)
        .bind(&token.scope)
        .bind(&token.hash)
        .bind(&token.person_id)
        .bind(token.made_at)
        .bind(token.ends_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Revokes a token. Gives false, and changes nothing, if there is none that could be.
    ///
    /// # Errors
    /// The store failed.
    pub async fn revoke_admin_token(&mut self, id: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("update admin_tokens set revoked_at = $2 where id = $1 and revoked_at is null")
            .bind(id)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Notes that a token is used, if that was noted before `before` or never.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_token_used(&mut self, id: &str, now: i64, before: i64) -> Result<(), StoreError> {
        sqlx::query("update admin_tokens set used_at = $2 where id = $1 and (used_at is null or used_at < $3)")
            .bind(id)
            .bind(now)
            .bind(before)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
