//! Sessions: one for each browser, and the seats that it holds.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A seat that a session holds.
#[derive(Clone, Debug, FromRow)]
pub struct HeldSeat {
    /// The game.
    pub game_id: String,
    /// The side.
    pub side: String,
}

impl Reader {
    /// Whether there is a session with this hash.
    ///
    /// # Errors
    /// The store failed.
    pub async fn session_exists(&mut self, hash: &str) -> Result<bool, StoreError> {
        let (number,): (i64,) = sqlx::query_as("select cast(count(*) as bigint) from sessions where hash = $1")
            .bind(hash)
            .fetch_one(self.conn())
            .await?;
        Ok(number > 0)
    }

    /// The seats that a session holds, the one entered last first. A seat whose link was
    /// replaced since is held no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn held_seats(&mut self, hash: &str) -> Result<Vec<HeldSeat>, StoreError> {
        let rows = sqlx::query_as(
            "select session_seats.game_id, session_seats.side \
             from session_seats join seats on seats.game_id = session_seats.game_id and seats.side = session_seats.side \
             and seats.link_generation = session_seats.link_generation \
             where session_seats.session_hash = $1 \
             order by session_seats.entered_at desc, session_seats.game_id, session_seats.side",
        )
        .bind(hash)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The generation of the link by which a session holds a seat; `None` if it does not.
    ///
    /// # Errors
    /// The store failed.
    pub async fn holds_seat(&mut self, hash: &str, game: &str, side: &str) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as(
            "select seats.link_generation \
             from session_seats join seats on seats.game_id = session_seats.game_id and seats.side = session_seats.side \
             and seats.link_generation = session_seats.link_generation \
             where session_seats.session_hash = $1 and session_seats.game_id = $2 and session_seats.side = $3",
        )
        .bind(hash)
        .bind(game)
        .bind(side)
        .fetch_optional(self.conn())
        .await?;
        Ok(row.map(|(generation,)| generation))
    }
}

impl Writer {
    /// Keeps a new session.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_session(&mut self, hash: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("insert into sessions (hash, created_at) values ($1, $2)")
            .bind(hash)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lets a session hold a seat as it is linked now.
    ///
    /// # Errors
    /// The store failed.
    pub async fn hold_seat(&mut self, hash: &str, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into session_seats (session_hash, game_id, side, link_generation, entered_at) \
             select $1, game_id, side, link_generation, $4 from seats where game_id = $2 and side = $3 \
             on conflict (session_hash, game_id, side) \
             do update set link_generation = excluded.link_generation, entered_at = excluded.entered_at",
        )
        .bind(hash)
        .bind(game)
        .bind(side)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Lets every session that holds a seat of one game hold the same seat of another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn carry_holders(&mut self, from: &str, to: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into session_seats (session_hash, game_id, side, link_generation, entered_at) \
             select held.session_hash, carried.game_id, carried.side, carried.link_generation, $3 \
             from session_seats as held \
             join seats on seats.game_id = held.game_id and seats.side = held.side \
             and seats.link_generation = held.link_generation \
             join seats as carried on carried.game_id = $2 and carried.side = held.side \
             where held.game_id = $1",
        )
        .bind(from)
        .bind(to)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
