//! Deployments of games that became void, kept for their writers' next ones. Nobody but the writer reads one.

use sqlx::FromRow;

use super::seen::Own;
use super::{Reader, StoreError, Writer};

/// A deployment that was kept.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct KeptRow {
    /// The game that became void.
    pub game_id: String,
    /// The side that it is for.
    pub side: String,
    /// The canonical text.
    pub body: String,
}

impl std::fmt::Debug for KeptRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptRow").field("game_id", &self.game_id).finish_non_exhaustive()
    }
}

impl Reader {
    /// What was kept for a seat. Only the holder of that seat may be shown it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_kept(&mut self, game: &str, side: &str) -> Result<Option<KeptRow>, StoreError> {
        if self.has_no(Own::Kept, game, side).await? {
            return Ok(None);
        }
        let sql = "select game_id, side, body from kept_sheets where game_id = $1 and side = $2";
        Ok(sqlx::query_as(sql).bind(game).bind(side).fetch_optional(self.conn()).await?)
    }

    /// What was kept for the seats that a session holds, in games on the same board as `game`; the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn kept_of_session(&mut self, session: &str, game: &str, most: i64) -> Result<Vec<KeptRow>, StoreError> {
        let rows = sqlx::query_as(
            "select kept_sheets.game_id, kept_sheets.side, kept_sheets.body from session_seats \
             join seats on seats.game_id = session_seats.game_id and seats.side = session_seats.side \
             and seats.link_generation = session_seats.link_generation \
             join kept_sheets on kept_sheets.game_id = seats.game_id and kept_sheets.side = seats.side \
             join games on games.id = kept_sheets.game_id \
             where session_seats.session_hash = $1 and games.id <> $2 \
             and games.board_hash = (select here.board_hash from games as here where here.id = $2) \
             order by kept_sheets.kept_at desc, kept_sheets.game_id limit $3",
        )
        .bind(session)
        .bind(game)
        .bind(most)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Keeps a deployment for a seat.
    ///
    /// # Errors
    /// The store failed, or one is kept for it.
    pub async fn keep_sheet(&mut self, row: &KeptRow, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into kept_sheets (game_id, side, body, kept_at) values ($1, $2, $3, $4)")
            .bind(&row.game_id)
            .bind(&row.side)
            .bind(&row.body)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
