//! Seats: who plays a side, by which link, and where letters go.

use sqlx::{AssertSqlSafe, FromRow};

use super::{HeldSeat, Reader, StoreError, Writer};

/// A seat as it is kept.
#[derive(Clone, Debug, FromRow)]
pub struct SeatRow {
    /// The game.
    pub game_id: String,
    /// The side.
    pub side: String,
    /// The player's name.
    pub name: Option<String>,
    /// An address that was given for letters and that nobody has confirmed yet.
    pub address: Option<String>,
    /// Who has confirmed the address that letters go to.
    pub person_id: Option<String>,
    /// That address.
    pub confirmed_address: Option<String>,
    /// When it was taken; a free seat has none.
    pub taken_at: Option<i64>,
    /// The generation of its link.
    pub link_generation: i64,
    /// The hash of its link.
    pub link_hash: String,
    /// The generation of its newest invitation; 0 if there never was one.
    pub invitation_generation: i64,
    /// The last turn that was watched.
    pub seen_turn: Option<i64>,
    /// Since when results are shown at once.
    pub result_first_at: Option<i64>,
    /// Turns missed in all; `None` for none.
    pub missed: Option<i64>,
    /// Turns missed one after the other, up to now; `None` for none.
    pub missed_running: Option<i64>,
    /// The turn by which it had missed as many as the game allows; `None` while it plays.
    pub absent_since: Option<i64>,
    /// Since when its player wants no letters about the game.
    pub letters_off_at: Option<i64>,
    /// Since when none leave, because too many came back.
    pub letters_back_at: Option<i64>,
    /// From when on letters that come back count.
    pub letters_since: Option<i64>,
    /// When the organiser invited somebody to it, while it is free.
    pub offered_at: Option<i64>,
    /// The level of the computer that plays it; `None` on the seat of a person.
    pub computer: Option<String>,
    /// The first turn that this computer writes.
    pub computer_since: Option<i64>,
}

/// A seat to be kept.
#[derive(Clone, Debug)]
pub struct NewSeat<'a> {
    /// The game.
    pub game_id: &'a str,
    /// The side.
    pub side: &'a str,
    /// The player's name.
    pub name: Option<&'a str>,
    /// An address for letters, not yet confirmed.
    pub address: Option<&'a str>,
    /// When it was taken; `None` for a free seat.
    pub taken_at: Option<i64>,
    /// The hash of its link, generation 1.
    pub link_hash: &'a str,
    /// 1 if it is invited to, 0 if not.
    pub invitation_generation: i64,
}

/// Seats with the addresses of their people.
const SEATS: &str = "select seats.game_id, seats.side, seats.name, seats.address, seats.person_id, \
                     people.address as confirmed_address, seats.taken_at, seats.link_generation, seats.link_hash, \
                     seats.invitation_generation, seats.seen_turn, seats.result_first_at, seats.missed, \
                     seats.missed_running, seats.absent_since, seats.computer, seats.computer_since, \
                     seats.letters_off_at, seats.letters_back_at, seats.letters_since, seats.offered_at \
                     from seats left join people on people.id = seats.person_id";

impl Reader {
    /// Any seat at all, if there is one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn any_seat(&mut self) -> Result<Option<SeatRow>, StoreError> {
        let row = sqlx::query_as(AssertSqlSafe(format!("{SEATS} limit 1"))).fetch_optional(self.conn()).await?;
        Ok(row)
    }

    /// Both seats of a game, Red's last (they come in the order of their words).
    ///
    /// # Errors
    /// The store failed.
    pub async fn seats(&mut self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        if let Some(rows) = self.seen("seats", game) {
            return Ok(rows);
        }
        let rows = sqlx::query_as(AssertSqlSafe(format!("{SEATS} where seats.game_id = $1 order by seats.side")))
            .bind(game)
            .fetch_all(self.conn())
            .await?;
        self.saw("seats", game, &rows);
        Ok(rows)
    }

    /// One seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seat(&mut self, game: &str, side: &str) -> Result<Option<SeatRow>, StoreError> {
        if self.in_a_moment() {
            return Ok(self.seats(game).await?.into_iter().find(|seat| seat.side == side));
        }
        let row = sqlx::query_as(AssertSqlSafe(format!("{SEATS} where seats.game_id = $1 and seats.side = $2")))
            .bind(game)
            .bind(side)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The seat that a link opens.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seat_by_link(&mut self, hash: &str) -> Result<Option<SeatRow>, StoreError> {
        let row = sqlx::query_as(AssertSqlSafe(format!("{SEATS} where seats.link_hash = $1")))
            .bind(hash)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The game and side of each seat of a person in games that have a deadline, in the order of games.
    ///
    /// # Errors
    /// The store failed.
    pub async fn due_seats_of_person(&mut self, person: &str) -> Result<Vec<HeldSeat>, StoreError> {
        let rows = sqlx::query_as(
            "select seats.game_id, seats.side from seats join games on games.id = seats.game_id \
             where seats.person_id = $1 and games.due_at is not null order by seats.game_id, seats.side",
        )
        .bind(person)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The game and side of each seat of a person, in the order of games.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seats_of_person(&mut self, person: &str) -> Result<Vec<HeldSeat>, StoreError> {
        let rows = sqlx::query_as("select game_id, side from seats where person_id = $1 order by game_id, side")
            .bind(person)
            .fetch_all(self.conn())
            .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Seats the player of a side of one game on the same side of another, which carries it on. All turns before
    /// `first` count as watched.
    ///
    /// # Errors
    /// The store failed.
    pub async fn carry_seat(
        &mut self,
        from: &str,
        to: &str,
        side: &str,
        link_hash: &str,
        first: i64,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into seats (game_id, side, name, person_id, taken_at, link_generation, link_hash, \
             invitation_generation, seen_turn, result_first_at) \
             select $2, side, name, person_id, $6, 1, $4, 0, $5, result_first_at from seats where game_id = $1 and side = $3",
        )
        .bind(from)
        .bind(to)
        .bind(side)
        .bind(link_hash)
        .bind(first - 1)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps a new seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_seat(&mut self, seat: &NewSeat<'_>) -> Result<(), StoreError> {
        sqlx::query(
            "insert into seats (game_id, side, name, address, taken_at, link_generation, link_hash, invitation_generation) \
             values ($1, $2, $3, $4, $5, 1, $6, $7)",
        )
        .bind(seat.game_id)
        .bind(seat.side)
        .bind(seat.name)
        .bind(seat.address)
        .bind(seat.taken_at)
        .bind(seat.link_hash)
        .bind(seat.invitation_generation)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Takes a free seat. Gives false, and changes nothing, if it is taken.
    ///
    /// # Errors
    /// The store failed.
    pub async fn take_seat(
        &mut self,
        game: &str,
        side: &str,
        name: Option<&str>,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update seats set name = $3, taken_at = $4, offered_at = null where game_id = $1 and side = $2 and taken_at is null",
        )
        .bind(game)
        .bind(side)
        .bind(name)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Notes that the organiser has invited somebody to a free seat.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_offered(&mut self, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update seats set offered_at = $3 where game_id = $1 and side = $2 and taken_at is null")
            .bind(game)
            .bind(side)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Frees a seat: name, address, what was watched and what was missed go, and its link becomes another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn free_seat(
        &mut self,
        game: &str,
        side: &str,
        link_generation: i64,
        link_hash: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set name = null, address = null, person_id = null, taken_at = null, seen_turn = null, result_first_at = null, \
             missed = null, missed_running = null, absent_since = null, computer = null, computer_since = null, \
             letters_off_at = null, letters_back_at = null, letters_since = null, offered_at = null, \
             link_generation = $3, link_hash = $4 where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .bind(link_generation)
        .bind(link_hash)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Gives a taken seat a new link; the old one, and the sessions that entered by it, open nothing any more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn renew_link(
        &mut self,
        game: &str,
        side: &str,
        link_generation: i64,
        link_hash: &str,
    ) -> Result<(), StoreError> {
        sqlx::query("update seats set link_generation = $3, link_hash = $4 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(link_generation)
            .bind(link_hash)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets the generation of a seat's invitation.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_invitation_generation(
        &mut self,
        game: &str,
        side: &str,
        generation: i64,
    ) -> Result<(), StoreError> {
        sqlx::query("update seats set invitation_generation = $3 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(generation)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets where a seat's letters go: to an address that is to be confirmed, to a person's, or nowhere.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_address(
        &mut self,
        game: &str,
        side: &str,
        address: Option<&str>,
        person: Option<&str>,
    ) -> Result<(), StoreError> {
        sqlx::query("update seats set address = $3, person_id = $4 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(address)
            .bind(person)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lets no more letters about the game go to a seat: its player wants none.
    ///
    /// # Errors
    /// The store failed.
    pub async fn stop_letters(&mut self, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update seats set letters_off_at = $3 where game_id = $1 and side = $2 and letters_off_at is null")
            .bind(game)
            .bind(side)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lets no more letters about the game go to a seat: they come back.
    ///
    /// # Errors
    /// The store failed.
    pub async fn bar_letters(&mut self, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set letters_back_at = $3 where game_id = $1 and side = $2 and letters_back_at is null",
        )
        .bind(game)
        .bind(side)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Lets letters about the game go to a seat again. Those that were queued before do not count when they come back.
    ///
    /// # Errors
    /// The store failed.
    pub async fn resume_letters(&mut self, game: &str, side: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set letters_off_at = null, letters_back_at = null, letters_since = $3 \
             where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Lets letters go to all seats of a person again from which they came back: the person has another address.
    ///
    /// # Errors
    /// The store failed.
    pub async fn resume_letters_of_person(&mut self, person: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update seats set letters_back_at = null, letters_since = $2 where person_id = $1")
            .bind(person)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets how many turns a seat has missed, in all and running, and since when that is as many as the game allows.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_missed(
        &mut self,
        game: &str,
        side: &str,
        all: i64,
        running: i64,
        since: Option<i64>,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set missed = $3, missed_running = $4, absent_since = $5 where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .bind(all)
        .bind(running)
        .bind(since)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Marks the turns up to one as watched. What was watched before stays so.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mark_seen(&mut self, game: &str, side: &str, turn: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update seats set seen_turn = $3 where game_id = $1 and side = $2 and (seen_turn is null or seen_turn < $3)",
        )
        .bind(game)
        .bind(side)
        .bind(turn)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Sets since when a seat wants results at once; `None` if it wants to watch.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_result_first(&mut self, game: &str, side: &str, since: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update seats set result_first_at = $3 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(since)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets the name of a seat's player.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_seat_name(&mut self, game: &str, side: &str, name: Option<&str>) -> Result<(), StoreError> {
        sqlx::query("update seats set name = $3 where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .bind(name)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Takes an address out of all seats on which it waits to be confirmed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_typed_address(&mut self, address: &str) -> Result<(), StoreError> {
        sqlx::query("update seats set address = null where address = $1").bind(address).execute(self.conn()).await?;
        Ok(())
    }
}
