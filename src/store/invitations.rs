//! Invitations: all that were ever made, so that an old link can say what became of it.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// An invitation as it is kept.
#[derive(Clone, Debug, FromRow)]
pub struct InvitationRow {
    /// The game.
    pub game_id: String,
    /// The side.
    pub side: String,
    /// When it was withdrawn.
    pub withdrawn_at: Option<i64>,
    /// When it was taken.
    pub taken_at: Option<i64>,
}

impl Reader {
    /// The invitation with a hash.
    ///
    /// # Errors
    /// The store failed.
    pub async fn invitation(&mut self, hash: &str) -> Result<Option<InvitationRow>, StoreError> {
        let row = sqlx::query_as("select game_id, side, withdrawn_at, taken_at from invitations where hash = $1")
            .bind(hash)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }
}

impl Writer {
    /// Keeps a new invitation.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_invitation(&mut self, hash: &str, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into invitations (hash, game_id, side, made_at) values ($1, $2, $3, $4)")
            .bind(hash)
            .bind(game)
            .bind(side)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Marks an invitation as taken. Gives false, and changes nothing, if it is not open.
    ///
    /// # Errors
    /// The store failed.
    pub async fn take_invitation(&mut self, hash: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update invitations set taken_at = $2 where hash = $1 and taken_at is null and withdrawn_at is null",
        )
        .bind(hash)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Withdraws what is open of a seat's invitations.
    ///
    /// # Errors
    /// The store failed.
    pub async fn withdraw_invitations(&mut self, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update invitations set withdrawn_at = $3 \
             where game_id = $1 and side = $2 and taken_at is null and withdrawn_at is null",
        )
        .bind(game)
        .bind(side)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
