//! What-ifs: days that a seat has imagined. Nobody but their writer reads them.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A what-if as it is kept.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct WhatIfRow {
    /// Its id.
    pub id: String,
    /// The turn that it imagines.
    pub turn: i64,
    /// The writer's name for it.
    pub name: String,
    /// The writer's own sheet in it.
    pub own_body: String,
    /// The sheet that the writer expects of the opponent.
    pub other_body: String,
    /// When it was kept.
    pub saved_at: i64,
}

impl std::fmt::Debug for WhatIfRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WhatIfRow").field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl Reader {
    /// A seat's own what-ifs of a turn, the oldest first. Only the holder of that seat may be shown them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_what_ifs(&mut self, game: &str, side: &str, turn: i64) -> Result<Vec<WhatIfRow>, StoreError> {
        let rows = sqlx::query_as(
            "select id, turn, name, own_body, other_body, saved_at from what_ifs \
             where game_id = $1 and side = $2 and turn = $3 order by saved_at, id",
        )
        .bind(game)
        .bind(side)
        .bind(turn)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// All what-ifs of a seat, for its writer.
    ///
    /// # Errors
    /// The store failed.
    pub async fn all_own_what_ifs(&mut self, game: &str, side: &str) -> Result<Vec<WhatIfRow>, StoreError> {
        let rows = sqlx::query_as(
            "select id, turn, name, own_body, other_body, saved_at from what_ifs \
             where game_id = $1 and side = $2 order by saved_at, id",
        )
        .bind(game)
        .bind(side)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// How many what-ifs a seat keeps of a turn.
    ///
    /// # Errors
    /// The store failed.
    pub async fn count_what_ifs(&mut self, game: &str, side: &str, turn: i64) -> Result<i64, StoreError> {
        let sql = "select cast(count(*) as bigint) from what_ifs where game_id = $1 and side = $2 and turn = $3";
        let (count,) = sqlx::query_as(sql).bind(game).bind(side).bind(turn).fetch_one(self.conn()).await?;
        Ok(count)
    }
}

impl Writer {
    /// Keeps a what-if.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_what_if(&mut self, game: &str, side: &str, row: &WhatIfRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into what_ifs (id, game_id, side, turn, name, own_body, other_body, saved_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&row.id)
        .bind(game)
        .bind(side)
        .bind(row.turn)
        .bind(&row.name)
        .bind(&row.own_body)
        .bind(&row.other_body)
        .bind(row.saved_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Deletes one of a seat's what-ifs. Gives false where the seat has none with this id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete_what_if(&mut self, game: &str, side: &str, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("delete from what_ifs where game_id = $1 and side = $2 and id = $3")
            .bind(game)
            .bind(side)
            .bind(id)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Deletes all what-ifs and notes of a seat, when it is given to somebody else.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_thoughts(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        for sql in [
            "delete from what_ifs where game_id = $1 and side = $2",
            "delete from notes where game_id = $1 and side = $2",
        ] {
            sqlx::query(sql).bind(game).bind(side).execute(self.conn()).await?;
        }
        Ok(())
    }
}
