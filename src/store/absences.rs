//! Absences that players have announced. Both players see them.

use sqlx::FromRow;

use super::seen::Beside;
use super::{Reader, StoreError, Writer};

/// An absence as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct AbsenceRow {
    /// Whose it is.
    pub side: String,
    /// When it begins.
    pub from_at: i64,
    /// When it ends.
    pub until_at: i64,
}

impl Reader {
    /// The absences of both sides of a game, past ones too, in the order of their beginnings.
    ///
    /// # Errors
    /// The store failed.
    pub async fn absences(&mut self, game: &str) -> Result<Vec<AbsenceRow>, StoreError> {
        if self.lacks(Beside::Absences, game).await? {
            return Ok(Vec::new());
        }
        let sql = "select side, from_at, until_at from absences where game_id = $1 order by from_at, side";
        Ok(sqlx::query_as(sql).bind(game).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// Keeps an absence.
    ///
    /// # Errors
    /// The store failed, or the side has one that begins at the same moment.
    pub async fn keep_absence(&mut self, game: &str, absence: &AbsenceRow, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into absences (game_id, side, from_at, until_at, announced_at) values ($1, $2, $3, $4, $5)",
        )
        .bind(game)
        .bind(&absence.side)
        .bind(absence.from_at)
        .bind(absence.until_at)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Ends an absence at another moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_absence(&mut self, game: &str, absence: &AbsenceRow) -> Result<(), StoreError> {
        sqlx::query("update absences set until_at = $4 where game_id = $1 and side = $2 and from_at = $3")
            .bind(game)
            .bind(&absence.side)
            .bind(absence.from_at)
            .bind(absence.until_at)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets an absence that has not begun.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_absence(&mut self, game: &str, side: &str, from: i64) -> Result<(), StoreError> {
        sqlx::query("delete from absences where game_id = $1 and side = $2 and from_at = $3")
            .bind(game)
            .bind(side)
            .bind(from)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets all absences of a seat, when it is given to somebody else.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_absences(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from absences where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
