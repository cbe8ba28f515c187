//! What one side offers the other and both can see; at most one of each kind in a game.

use sqlx::FromRow;

use super::seen::Beside;
use super::{Reader, StoreError, Writer};

/// An offer that stands.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct OfferRow {
    /// What is offered, in a word.
    pub kind: String,
    /// Who offers it.
    pub side: String,
    /// The turn in which it was made, and with which it lapses.
    pub turn: i64,
    /// The turn from which the game would go on anew, where that is offered.
    pub from_turn: Option<i64>,
    /// When it was made.
    pub made_at: i64,
}

impl Reader {
    /// The offers that stand in a game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offers(&mut self, game: &str) -> Result<Vec<OfferRow>, StoreError> {
        if self.lacks(Beside::Offers, game).await? {
            return Ok(Vec::new());
        }
        let rows =
            sqlx::query_as("select kind, side, turn, from_turn, made_at from offers where game_id = $1 order by kind")
                .bind(game)
                .fetch_all(self.conn())
                .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Makes an offer. Gives false, and changes nothing, if one of its kind stands.
    ///
    /// # Errors
    /// The store failed.
    pub async fn make_offer(&mut self, game: &str, offer: &OfferRow) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "insert into offers (game_id, kind, side, turn, from_turn, made_at) values ($1, $2, $3, $4, $5, $6) \
             on conflict (game_id, kind) do nothing",
        )
        .bind(game)
        .bind(&offer.kind)
        .bind(&offer.side)
        .bind(offer.turn)
        .bind(offer.from_turn)
        .bind(offer.made_at)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Takes an offer of a kind away.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_offer(&mut self, game: &str, kind: &str) -> Result<(), StoreError> {
        sqlx::query("delete from offers where game_id = $1 and kind = $2")
            .bind(game)
            .bind(kind)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Takes all offers of a game away, since its turn or the game is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_offers(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from offers where game_id = $1").bind(game).execute(self.conn()).await?;
        Ok(())
    }
}
