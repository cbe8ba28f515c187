//! What organisers did. Rows are added; nothing here changes or removes one.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, FromRow};

use super::seen::Beside;
use super::{Reader, StoreError, Writer};

/// An act as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ActRow {
    /// The id, which sorts by time.
    pub id: String,
    /// When it was done.
    pub done_at: i64,
    /// The token by which it was done; `None` for the command line, and for what a player did about it.
    pub token_id: Option<String>,
    /// Whose token that was.
    pub who: String,
    /// What was done, a word.
    pub act: String,
    /// In which game.
    pub game_id: Option<String>,
    /// The number of the act in that game.
    pub number: Option<i64>,
    /// To which side.
    pub side: Option<String>,
    /// What exactly, in words.
    pub about: String,
    /// Why, for the players.
    pub reason: String,
    /// What organisers alone read.
    pub note: Option<String>,
    /// The game's version afterwards.
    pub version: Option<i64>,
}

/// The columns of an [`ActRow`].
const ACT: &str = "select id, done_at, token_id, who, act, game_id, number, side, about, reason, note, version \
                   from admin_acts";

impl Reader {
    /// The act with an id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_act(&mut self, id: &str) -> Result<Option<ActRow>, StoreError> {
        let sql = format!("{ACT} where id = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(self.conn()).await?)
    }

    /// All acts on a game, the first one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn acts_on_game(&mut self, game: &str) -> Result<Vec<ActRow>, StoreError> {
        if self.lacks(Beside::Acts, game).await? {
            return Ok(Vec::new());
        }
        let sql = format!("{ACT} where game_id = $1 order by number");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(game).fetch_all(self.conn()).await?)
    }

    /// Acts before the one with an id, the last one first; those of one token, if it is given.
    ///
    /// # Errors
    /// The store failed.
    pub async fn admin_acts(
        &mut self,
        token: Option<&str>,
        before: Option<&str>,
        most: i64,
    ) -> Result<Vec<ActRow>, StoreError> {
        let mut sql = format!("{ACT} where act <> ''");
        let mut bound = 0;
        // The text is made of these pieces alone. Writing into a string does not fail.
        for (column, value) in [("token_id = ", token), ("id < ", before)] {
            if value.is_some() {
                bound += 1;
                let _ = write!(sql, " and {column}${bound}");
            }
        }
        let _ = write!(sql, " order by id desc limit ${}", bound + 1);
        let mut asked = sqlx::query_as(AssertSqlSafe(sql));
        for value in [token, before].into_iter().flatten() {
            asked = asked.bind(value.to_owned());
        }
        Ok(asked.bind(most).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// The number of the next act on a locked game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next_act_number(&mut self, game: &str) -> Result<i64, StoreError> {
        let (number,) =
            sqlx::query_as("select cast(coalesce(max(number), 0) + 1 as bigint) from admin_acts where game_id = $1")
                .bind(game)
                .fetch_one(self.conn())
                .await?;
        Ok(number)
    }

    /// Keeps what was done.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_admin_act(&mut self, act: &ActRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into admin_acts (id, done_at, token_id, who, act, game_id, number, side, about, reason, note, version) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(&act.id)
        .bind(act.done_at)
        .bind(&act.token_id)
        .bind(&act.who)
        .bind(&act.act)
        .bind(&act.game_id)
        .bind(act.number)
        .bind(&act.side)
        .bind(&act.about)
        .bind(&act.reason)
        .bind(&act.note)
        .bind(act.version)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
