//! Computers whose sheets are awaited.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A computer's seat whose sheet is awaited.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CallRow {
    /// The game.
    pub game_id: String,
    /// The side.
    pub side: String,
    /// The turn that was awaited when it was called.
    pub turn: i64,
}

/// Whether nobody computes for a call at the moment `$1`: a lease ends by itself, or with the process that has it.
const FREE: &str = "(leased_until is null or leased_until <= $1 or (claimed_by is not null \
                    and not exists (select 1 from processes where processes.id = computer_calls.claimed_by)))";

impl Reader {
    /// How many computers are called that nobody computes for.
    ///
    /// # Errors
    /// The store failed.
    pub async fn calls_waiting(&mut self, now: i64) -> Result<i64, StoreError> {
        let sql = AssertSqlSafe(format!("select cast(count(*) as bigint) from computer_calls where {FREE}"));
        let (number,): (i64,) = sqlx::query_as(sql).bind(now).fetch_one(self.conn()).await?;
        Ok(number)
    }
}

impl Writer {
    /// Gives a seat to a computer from the awaited turn on: its link becomes another, and nothing of who sat there before is
    /// left on it. The game must be locked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seat_computer(
        &mut self,
        game: &str,
        side: &str,
        (level, name): (&str, &str),
        (link_generation, link_hash): (i64, &str),
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set computer = $3, name = $4, link_generation = $5, link_hash = $6, taken_at = $7, \
             computer_since = (select turn from games where games.id = $1), \
             address = null, person_id = null, seen_turn = null, result_first_at = null, \
             missed = null, missed_running = null, absent_since = null where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .bind(level)
        .bind(name)
        .bind(link_generation)
        .bind(link_hash)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Calls the computers of a locked game to write for its awaited turn.
    ///
    /// # Errors
    /// The store failed.
    pub async fn call_computers(&mut self, game: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into computer_calls (game_id, side, turn, called_at) \
             select seats.game_id, seats.side, games.turn, $2 from seats join games on games.id = seats.game_id \
             where seats.game_id = $1 and seats.computer is not null \
             on conflict (game_id, side) do update set turn = excluded.turn, called_at = excluded.called_at, \
             leased_until = null, claimed_by = null",
        )
        .bind(game)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Leases the call that has waited longest and that nobody computes for to a process, until a moment. One whose lease is
    /// over, or whose process is gone, is leased again. A process that is taken for dead leases nothing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn lease_call(&mut self, now: i64, until: i64, by: Option<&str>) -> Result<Option<CallRow>, StoreError> {
        let row = sqlx::query_as(AssertSqlSafe(format!(
            "update computer_calls set leased_until = $2, claimed_by = $3 where (game_id, side) in (\
             select game_id, side from computer_calls where {FREE} \
             order by called_at, game_id, side limit 1) and {FREE} \
             and ($3 is null or exists (select 1 from processes where processes.id = $3)) \
             returning game_id, side, turn",
        )))
        .bind(now)
        .bind(until)
        .bind(by)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }

    /// Drops a call that is answered, or that nothing is to be answered to. A later turn's call stays.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_call(&mut self, call: &CallRow) -> Result<(), StoreError> {
        sqlx::query("delete from computer_calls where game_id = $1 and side = $2 and turn = $3")
            .bind(&call.game_id)
            .bind(&call.side)
            .bind(call.turn)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
