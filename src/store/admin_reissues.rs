//! Seats whose new link waits for the opponent's consent.

use sqlx::FromRow;

use super::seen::Beside;
use super::{Reader, StoreError, Writer};

/// A new link that waits.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReissueRow {
    /// The seat's side.
    pub side: String,
    /// Where the link is to go.
    pub address: String,
    /// Why the organiser asks.
    pub reason: String,
    /// Since when.
    pub asked_at: i64,
}

impl Reader {
    /// What waits for the consent of the opponent of a side.
    ///
    /// # Errors
    /// The store failed.
    pub async fn reissue(&mut self, game: &str, side: &str) -> Result<Option<ReissueRow>, StoreError> {
        if self.lacks(Beside::Reissues, game).await? {
            return Ok(None);
        }
        let row = sqlx::query_as(
            "select side, address, reason, asked_at from admin_reissues where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }
}

impl Writer {
    /// Keeps that a seat's new link waits, in place of one that waited before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ask_reissue(&mut self, game: &str, row: &ReissueRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into admin_reissues (game_id, side, address, reason, asked_at) values ($1, $2, $3, $4, $5) \
             on conflict (game_id, side) do update set address = excluded.address, reason = excluded.reason, \
             asked_at = excluded.asked_at",
        )
        .bind(game)
        .bind(&row.side)
        .bind(&row.address)
        .bind(&row.reason)
        .bind(row.asked_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Drops what waits for consent about a seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_reissue(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from admin_reissues where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Drops what waits for consent in a game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_reissues(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from admin_reissues where game_id = $1").bind(game).execute(self.conn()).await?;
        Ok(())
    }

    /// Drops what waits for consent and would go to an address.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_reissues_to(&mut self, address: &str) -> Result<(), StoreError> {
        sqlx::query("delete from admin_reissues where address = $1").bind(address).execute(self.conn()).await?;
        Ok(())
    }
}
