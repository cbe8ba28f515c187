//! Sheets in the making, one for each seat. As with sealed sheets, nobody but the writer reads one.

use sqlx::FromRow;

use super::seen::Own;
use super::{Reader, StoreError, Writer};

/// A sheet in the making as it is kept.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct DraftRow {
    /// The turn that it is for.
    pub turn: i64,
    /// The text, as it was typed.
    pub body: String,
    /// When it was kept.
    pub saved_at: i64,
    /// Since when its writer wants it not to be used when the turn is due.
    pub withheld_at: Option<i64>,
}

impl std::fmt::Debug for DraftRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DraftRow").field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl Reader {
    /// A seat's own draft. Only the holder of that seat may be shown it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_draft(&mut self, game: &str, side: &str) -> Result<Option<DraftRow>, StoreError> {
        if self.has_no(Own::Draft, game, side).await? {
            return Ok(None);
        }
        let row =
            sqlx::query_as("select turn, body, saved_at, withheld_at from drafts where game_id = $1 and side = $2")
                .bind(game)
                .bind(side)
                .fetch_optional(self.conn())
                .await?;
        Ok(row)
    }
}

impl Writer {
    /// Keeps a seat's draft in place of the one before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_draft(&mut self, game: &str, side: &str, draft: &DraftRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into drafts (game_id, side, turn, body, saved_at, withheld_at) values ($1, $2, $3, $4, $5, $6) \
             on conflict (game_id, side) do update set turn = excluded.turn, body = excluded.body, \
             saved_at = excluded.saved_at, withheld_at = excluded.withheld_at",
        )
        .bind(game)
        .bind(side)
        .bind(draft.turn)
        .bind(&draft.body)
        .bind(draft.saved_at)
        .bind(draft.withheld_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Erases one seat's draft unread.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_draft(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from drafts where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Erases both seats' drafts unread, when their turn is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_drafts(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from drafts where game_id = $1").bind(game).execute(self.conn()).await?;
        Ok(())
    }
}
