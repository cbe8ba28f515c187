//! Sessions: one for each browser, and the seats that it holds.

use sqlx::FromRow;

use super::{PersonRow, Reader, StoreError, Writer};

/// A seat that a session holds.
#[derive(Clone, Debug, FromRow)]
pub struct HeldSeat {
    /// The game.
    pub game_id: String,
    /// The side.
    pub side: String,
}

/// A browser that is signed in.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct SignInRow {
    /// The session's hash.
    pub hash: String,
    /// Since when.
    pub signed_in_at: i64,
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

    /// The person that a session is signed in as.
    ///
    /// # Errors
    /// The store failed.
    pub async fn session_person(&mut self, hash: &str) -> Result<Option<PersonRow>, StoreError> {
        if let Some(row) = self.seen("session's person", hash) {
            return Ok(row);
        }
        let row = sqlx::query_as(
            "select people.id, people.address, people.name, people.settings, people.created_at \
             from sessions join people on people.id = sessions.person_id where sessions.hash = $1",
        )
        .bind(hash)
        .fetch_optional(self.conn())
        .await?;
        self.saw("session's person", hash, &row);
        Ok(row)
    }

    /// The hashes of the sessions that are signed in as a person.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sessions_of_person(&mut self, person: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("select hash from sessions where person_id = $1 order by hash")
            .bind(person)
            .fetch_all(self.conn())
            .await?;
        Ok(rows.into_iter().map(|(hash,)| hash).collect())
    }

    /// The browsers that are signed in as a person, the latest sign-in first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_ins_of_person(&mut self, person: &str) -> Result<Vec<SignInRow>, StoreError> {
        let rows = sqlx::query_as(
            "select hash, signed_in_at from sessions where person_id = $1 and signed_in_at is not null \
             order by signed_in_at desc, hash",
        )
        .bind(person)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The sessions whose sign-in is older than a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn signed_in_before(&mut self, at: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("select hash from sessions where signed_in_at < $1 order by hash")
            .bind(at)
            .fetch_all(self.conn())
            .await?;
        Ok(rows.into_iter().map(|(hash,)| hash).collect())
    }

    /// The seats that a session holds, the one entered last first: those that it has entered by a link which nothing
    /// has replaced since, and all of the person that it is signed in as.
    ///
    /// # Errors
    /// The store failed.
    pub async fn held_seats(&mut self, hash: &str) -> Result<Vec<HeldSeat>, StoreError> {
        if let Some(rows) = self.seen("held seats", hash) {
            return Ok(rows);
        }
        let rows = sqlx::query_as(
            "select game_id, side from ( \
             select session_seats.game_id, session_seats.side, session_seats.entered_at \
             from session_seats join seats on seats.game_id = session_seats.game_id and seats.side = session_seats.side \
             and seats.link_generation = session_seats.link_generation where session_seats.session_hash = $1 \
             union all \
             select seats.game_id, seats.side, seats.taken_at as entered_at \
             from sessions join seats on seats.person_id = sessions.person_id \
             where sessions.hash = $1 and seats.taken_at is not null \
             ) as held group by game_id, side order by max(entered_at) desc, game_id, side",
        )
        .bind(hash)
        .fetch_all(self.conn())
        .await?;
        self.saw("held seats", hash, &rows);
        Ok(rows)
    }

    /// The generation of the link of a seat that a session holds, as in [`Reader::held_seats`]; `None` if it does not.
    ///
    /// # Errors
    /// The store failed.
    pub async fn holds_seat(&mut self, hash: &str, game: &str, side: &str) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as(
            "select seats.link_generation from seats where seats.game_id = $2 and seats.side = $3 and ( \
             exists (select 1 from session_seats where session_seats.session_hash = $1 \
             and session_seats.game_id = seats.game_id and session_seats.side = seats.side \
             and session_seats.link_generation = seats.link_generation) \
             or (seats.taken_at is not null and exists (select 1 from sessions where sessions.hash = $1 \
             and sessions.person_id = seats.person_id)))",
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

    /// Signs a session in as a person.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_in_session(&mut self, hash: &str, person: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update sessions set person_id = $2, signed_in_at = $3 where hash = $1")
            .bind(hash)
            .bind(person)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Forgets sessions that nobody is signed in in, that were begun before a moment and have entered no seat since.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_sessions(&mut self, before: i64) -> Result<(), StoreError> {
        sqlx::query(
            "delete from session_seats where session_hash in ( \
             select hash from sessions where person_id is null and created_at < $1 and not exists ( \
             select 1 from session_seats as seat where seat.session_hash = sessions.hash and seat.entered_at >= $1))",
        )
        .bind(before)
        .execute(self.conn())
        .await?;
        // Those that hold nothing any more, the ones of above among them.
        sqlx::query(
            "delete from sessions where person_id is null and created_at < $1 \
             and not exists (select 1 from session_seats as seat where seat.session_hash = sessions.hash)",
        )
        .bind(before)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Lets a session hold what another one held, which goes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn replace_session(&mut self, old: &str, new: &str) -> Result<(), StoreError> {
        sqlx::query("update session_seats set session_hash = $2 where session_hash = $1")
            .bind(old)
            .bind(new)
            .execute(self.conn())
            .await?;
        sqlx::query("delete from sessions where hash = $1").bind(old).execute(self.conn()).await?;
        Ok(())
    }

    /// Signs a session out: it goes on holding the seats alone that it entered by a link and that are not the person's.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_out_session(&mut self, hash: &str) -> Result<(), StoreError> {
        sqlx::query(
            "delete from session_seats where session_hash = $1 and exists ( \
             select 1 from seats join sessions on sessions.person_id = seats.person_id \
             where sessions.hash = $1 and seats.game_id = session_seats.game_id and seats.side = session_seats.side)",
        )
        .bind(hash)
        .execute(self.conn())
        .await?;
        sqlx::query("update sessions set person_id = null, signed_in_at = null where hash = $1")
            .bind(hash)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
