//! Letters to be sent, and what became of them. A row refers to what the letter is about; its text is composed when it is sent.
//!
//! A row is written in the transaction of the turn that it reports, and is never
//! removed. Any number of workers may claim rows: a claim ends by itself, so that a
//! worker that died holds nothing up. A letter may be sent twice, but never not at all.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A letter to be queued.
#[derive(Clone, Debug)]
pub struct NewLetter<'a> {
    /// Its id, which becomes its Message-ID.
    pub id: &'a str,
    /// What it is, a word of `play::letters`.
    pub kind: &'a str,
    /// The game, the awaited turn and the side of the seat that it goes to; `None` for a letter to a bare address.
    pub seat: Option<(&'a str, i64, &'a str)>,
    /// The address of a letter that goes to no seat.
    pub address: Option<&'a str>,
    /// The number of what it is about, where that has one.
    pub about: Option<&'a str>,
    /// Tells letters of one kind about one turn apart; 0 for the only one.
    pub revision: i64,
    /// Now; it is due at once.
    pub now: i64,
}

/// A letter that has been claimed for sending.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Letter {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// The game, for a letter to a seat.
    pub game_id: Option<String>,
    /// The turn that was awaited when it was queued.
    pub turn: Option<i64>,
    /// The side of the seat that it goes to.
    pub side: Option<String>,
    /// The address of a letter that goes to no seat.
    pub address: Option<String>,
    /// The number of what it is about.
    pub about: Option<String>,
    /// Tells letters of one kind about one turn apart.
    pub revision: i64,
    /// How often it has been tried, this time included.
    pub attempts: i64,
    /// When it was queued.
    pub created_at: i64,
    /// Until when it is claimed, and by which process: what proves the claim.
    pub claimed_until: Option<i64>,
    /// See above; nobody where the claimer is known by no id.
    pub claimed_by: Option<String>,
    /// Whose letter it is: the person who had the seat when it was queued, or the person of a digest.
    pub person_id: Option<String>,
    /// The generation of the seat's link when it was queued; `None` for a letter to no seat.
    pub seat_generation: Option<i64>,
    /// From when it was to leave: as of then it is written, however often it has to be tried.
    pub ready_at: i64,
}

/// Whether nobody has claimed a letter at the moment `$1`: a claim ends by itself, or with the process that made it.
const FREE: &str = "(claimed_until is null or claimed_until <= $1 or (claimed_by is not null \
                    and not exists (select 1 from processes where processes.id = outbox.claimed_by)))";

/// What waits in the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct OutboxPulse {
    /// How many letters have not left.
    pub number: i64,
    /// When the oldest of them was queued.
    pub oldest: Option<i64>,
    /// When the one was due that nobody has tried, of those the first.
    pub untried: Option<i64>,
}

impl Reader {
    /// What waits in the outbox.
    ///
    /// # Errors
    /// The store failed.
    pub async fn outbox_pulse(&mut self, now: i64) -> Result<OutboxPulse, StoreError> {
        let row = sqlx::query_as(
            "select cast(count(*) as bigint) as number, min(created_at) as oldest, \
             min(case when attempts = 0 and due_at <= $1 and folded_into is null then due_at end) as untried \
             from outbox where sent_at is null and failed_at is null",
        )
        .bind(now)
        .fetch_one(self.conn())
        .await?;
        Ok(row)
    }

    /// How many letters wait, and when the oldest of them was queued.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_waiting(&mut self) -> Result<(i64, Option<i64>), StoreError> {
        let row = sqlx::query_as(
            "select cast(count(*) as bigint), min(created_at) from outbox where sent_at is null and failed_at is null",
        )
        .fetch_one(self.conn())
        .await?;
        Ok(row)
    }
}

impl Reader {
    /// How many letters are due and not claimed; counting ends at `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_due(&mut self, now: i64, limit: i64) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(AssertSqlSafe(format!(
            "select cast(count(*) as bigint) from (select id from outbox where sent_at is null and failed_at is null \
             and due_at <= $1 and folded_into is null and {FREE} limit $2) as due",
        )))
        .bind(now)
        .bind(limit)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

/// A letter as its receiver is told of it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct LetterRecord {
    /// What it is.
    pub kind: String,
    /// The game, for a letter to a seat.
    pub game_id: Option<String>,
    /// The turn that was awaited when it was queued.
    pub turn: Option<i64>,
    /// When it was queued.
    pub created_at: i64,
    /// When it is tried for the next time, while it waits.
    pub due_at: i64,
    /// How often it has been tried.
    pub attempts: i64,
    /// When it left.
    pub sent_at: Option<i64>,
    /// When it was given up.
    pub failed_at: Option<i64>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it came back.
    pub returned_at: Option<i64>,
    /// When it came back for good.
    pub returned_hard_at: Option<i64>,
    /// Why it came back.
    pub returned_why: Option<String>,
}

/// The columns of a [`LetterRecord`].
const RECORD: &str = "outbox.kind, outbox.game_id, outbox.turn, outbox.created_at, outbox.due_at, outbox.attempts, \
                      outbox.sent_at, outbox.failed_at, outbox.last_error, outbox.returned_at, \
                      outbox.returned_hard_at, outbox.returned_why";

/// A letter that came back, before that is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReturnedLetter {
    /// The game, for a letter to a seat.
    pub game_id: Option<String>,
    /// The side of the seat that it went to.
    pub side: Option<String>,
    /// Whose seat that was.
    pub person_id: Option<String>,
    /// When it came back for good already.
    pub returned_hard_at: Option<i64>,
}

impl Reader {
    /// The letters of a person's seats, and those that carried links to the person's address, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_of_person(&mut self, person: &str) -> Result<Vec<LetterRecord>, StoreError> {
        let rows = sqlx::query_as(AssertSqlSafe(format!(
            "select {RECORD} from outbox where outbox.person_id = $1 union all select {RECORD} from mailed_links \
             join outbox on outbox.about = mailed_links.id where mailed_links.address_key = \
             (select address_key from people where people.id = $1) order by 4",
        )))
        .bind(person)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The last letters of a seat that went to the person who has it now, the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_of_seat(
        &mut self,
        game: &str,
        side: &str,
        limit: i64,
    ) -> Result<Vec<LetterRecord>, StoreError> {
        let rows = sqlx::query_as(AssertSqlSafe(format!(
            "select {RECORD} from outbox join seats on seats.game_id = outbox.game_id and seats.side = outbox.side \
             where outbox.game_id = $1 and outbox.side = $2 and outbox.person_id = seats.person_id \
             order by outbox.created_at desc, outbox.id desc limit $3",
        )))
        .bind(game)
        .bind(side)
        .bind(limit)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The letters that form the thread of one: the first of its seat and reader, and the last one before it, if there
    /// are any. Letters that were given up are in no thread, and those of another epoch in another one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn thread_of_letter(&mut self, id: &str) -> Result<(Option<String>, Option<String>), StoreError> {
        let row = sqlx::query_as(
            "select min(other.id), max(other.id) from outbox join outbox other on other.game_id = outbox.game_id \
             and other.side = outbox.side and other.person_id = outbox.person_id \
             and coalesce(other.epoch, 0) = coalesce(outbox.epoch, 0) \
             where outbox.id = $1 and other.id < outbox.id and other.failed_at is null and other.folded_into is null",
        )
        .bind(id)
        .fetch_one(self.conn())
        .await?;
        Ok(row)
    }

    /// Whose the letters of a kind were that have been queued about a turn of a seat, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn readers_of_kind(
        &mut self,
        game: &str,
        turn: i64,
        side: &str,
        kind: &str,
    ) -> Result<Vec<Option<String>>, StoreError> {
        let rows: Vec<(Option<String>,)> = sqlx::query_as(
            "select person_id from outbox where game_id = $1 and turn = $2 and side = $3 and kind = $4 order by created_at, id",
        )
        .bind(game)
        .bind(turn)
        .bind(side)
        .bind(kind)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(person,)| person).collect())
    }

    /// When a letter to a seat was queued.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seat_letter_queued_at(&mut self, game: &str, side: &str, id: &str) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("select created_at from outbox where id = $1 and game_id = $2 and side = $3")
                .bind(id)
                .bind(game)
                .bind(side)
                .fetch_optional(self.conn())
                .await?;
        Ok(row.map(|(at,)| at))
    }

    /// A letter that came back.
    ///
    /// # Errors
    /// The store failed.
    pub async fn returned_letter(&mut self, id: &str) -> Result<Option<ReturnedLetter>, StoreError> {
        let row = sqlx::query_as("select game_id, side, person_id, returned_hard_at from outbox where id = $1")
            .bind(id)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// How many letters to a seat and its person have come back for good, of those queued at a moment or later. What came
    /// in one digest came back once.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_come_back(
        &mut self,
        game: &str,
        side: &str,
        person: &str,
        since: i64,
    ) -> Result<i64, StoreError> {
        let (number,) = sqlx::query_as(
            "select cast(count(distinct coalesce(folded_into, id)) as bigint) from outbox \
             where game_id = $1 and side = $2 and person_id = $3 and created_at >= $4 and returned_hard_at is not null",
        )
        .bind(game)
        .bind(side)
        .bind(person)
        .bind(since)
        .fetch_one(self.conn())
        .await?;
        Ok(number)
    }
}

impl Reader {
    /// The letters that are folded into a digest, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn folded_letters(&mut self, digest: &str) -> Result<Vec<Letter>, StoreError> {
        let rows = sqlx::query_as(
            "select id, kind, game_id, turn, side, address, about, revision, attempts, created_at, person_id, \
             seat_generation, coalesce(ready_at, created_at) as ready_at, claimed_until, claimed_by from outbox \
             where folded_into = $1 and sent_at is null and failed_at is null order by created_at, id",
        )
        .bind(digest)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// The ids of all letters that were folded into a digest, whatever became of them; in the order in which games are locked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn folded_into(&mut self, digest: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> =
            sqlx::query_as("select id from outbox where folded_into = $1 order by game_id, created_at, id")
                .bind(digest)
                .fetch_all(self.conn())
                .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The bare address on a letter, while it waits, and what it is about.
    ///
    /// # Errors
    /// The store failed.
    pub async fn bare_letter(&mut self, id: &str) -> Result<Option<(Option<String>, Option<String>)>, StoreError> {
        let row = sqlx::query_as("select address, about from outbox where id = $1")
            .bind(id)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The ids of the letters that have not left and go to a bare address, with that address.
    ///
    /// # Errors
    /// The store failed.
    pub async fn bare_letters(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "select id, address from outbox where address is not null";
        Ok(sqlx::query_as(sql).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// Drops a letter that is not to leave any more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn drop_letter(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query("delete from outbox where id = $1").bind(id).execute(self.conn()).await?;
        Ok(())
    }

    /// Opens a digest of a person, named by `about`, or finds the one that is open. Gives its id; `None` if somebody has
    /// begun to send it. Until the transaction ends nobody can.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open_digest(
        &mut self,
        id: &str,
        kind: &str,
        person: &str,
        about: &str,
        now: i64,
        due_at: i64,
    ) -> Result<Option<String>, StoreError> {
        sqlx::query(
            "insert into outbox (id, kind, person_id, about, revision, created_at, due_at, ready_at, attempts, epoch) \
             values ($1, $2, $3, $4, 0, $5, $6, $6, 0, (select nullif(place.epoch, 0) from place)) on conflict do nothing",
        )
        .bind(id)
        .bind(kind)
        .bind(person)
        .bind(about)
        .bind(now)
        .bind(due_at)
        .execute(self.conn())
        .await?;
        // The update locks the row, so that a worker that claims it waits, and then finds all that was folded in.
        let row: Option<(String,)> = sqlx::query_as(
            "update outbox set revision = revision + 1 where kind = $1 and about = $2 and attempts = 0 \
             and sent_at is null and failed_at is null returning id",
        )
        .bind(kind)
        .bind(about)
        .fetch_optional(self.conn())
        .await?;
        Ok(row.map(|(id,)| id))
    }

    /// Folds a letter into a digest: it leaves with it, and not by itself.
    ///
    /// # Errors
    /// The store failed.
    pub async fn fold_letter(&mut self, id: &str, digest: &str) -> Result<(), StoreError> {
        sqlx::query("update outbox set folded_into = $2 where id = $1")
            .bind(id)
            .bind(digest)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Lets a letter that waits wait until `due_at` at least.
    ///
    /// # Errors
    /// The store failed.
    pub async fn hold_letter(&mut self, id: &str, due_at: i64) -> Result<(), StoreError> {
        sqlx::query("update outbox set due_at = $2, ready_at = $2 where id = $1 and due_at < $2")
            .bind(id)
            .bind(due_at)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Queues a letter; a second one for the same game, turn, seat, kind and revision is not queued.
    ///
    /// # Errors
    /// The store failed.
    pub async fn queue_letter(&mut self, letter: &NewLetter<'_>) -> Result<(), StoreError> {
        sqlx::query(
            "insert into outbox (id, kind, game_id, turn, side, address, about, revision, created_at, due_at, ready_at, \
             attempts, person_id, seat_generation, epoch) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9, 0, \
             (select seats.person_id from seats where seats.game_id = $3 and seats.side = $5), \
             (select seats.link_generation from seats where seats.game_id = $3 and seats.side = $5), \
             (select nullif(place.epoch, 0) from place)) \
             on conflict (game_id, turn, side, kind, revision) do nothing",
        )
        .bind(letter.id)
        .bind(letter.kind)
        .bind(letter.seat.map(|(game, ..)| game))
        .bind(letter.seat.map(|(_, turn, _)| turn))
        .bind(letter.seat.map(|(.., side)| side))
        .bind(letter.address)
        .bind(letter.about)
        .bind(letter.revision)
        .bind(letter.now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Claims up to `limit` letters that are due for a process, until `until`; those first that have been tried least, so
    /// that no letter waits for one that does not leave. The guard stands twice, since two workers may have chosen the same
    /// rows before either has claimed them. A process that is taken for dead claims nothing. What one left that is gone was
    /// mostly not tried, so taking it over counts as no try; what one has kept too long that lives was tried.
    ///
    /// # Errors
    /// The store failed.
    pub async fn claim_letters(
        &mut self,
        now: i64,
        until: i64,
        limit: i64,
        by: Option<&str>,
    ) -> Result<Vec<Letter>, StoreError> {
        let rows = sqlx::query_as(AssertSqlSafe(format!(
            "update outbox set claimed_until = $2, claimed_by = $4, \
             attempts = attempts + (case when claimed_by is not null and not exists (select 1 from processes \
             where processes.id = outbox.claimed_by) then 0 else 1 end) \
             where id in (select id from outbox where sent_at is null and failed_at is null and due_at <= $1 \
             and folded_into is null and {FREE} order by attempts, due_at, id limit $3) \
             and sent_at is null and failed_at is null and {FREE} \
             and ($4 is null or exists (select 1 from processes where processes.id = $4)) \
             returning id, kind, game_id, turn, side, address, about, revision, attempts, created_at, \
             person_id, seat_generation, coalesce(ready_at, created_at) as ready_at, claimed_until, claimed_by",
        )))
        .bind(now)
        .bind(until)
        .bind(limit)
        .bind(by)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// Makes a claim last until `until`, and a process's own. Gives false if it is another worker's by now, the letter is
    /// done, or the process is taken for dead.
    ///
    /// # Errors
    /// The store failed.
    pub async fn renew_claim(&mut self, letter: &Letter, until: i64, by: Option<&str>) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update outbox set claimed_until = $4, claimed_by = $5 where id = $1 and claimed_until = $2 \
             and coalesce(claimed_by, '') = coalesce($3, '') and sent_at is null and failed_at is null \
             and ($5 is null or exists (select 1 from processes where processes.id = $5))",
        )
        .bind(&letter.id)
        .bind(letter.claimed_until)
        .bind(letter.claimed_by.as_deref())
        .bind(until)
        .bind(by)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Whether a claim is still the one that was made; it stays so until the transaction ends.
    ///
    /// # Errors
    /// The store failed.
    pub async fn hold_claim(&mut self, letter: &Letter) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update outbox set claimed_until = claimed_until where id = $1 and claimed_until = $2 \
             and coalesce(claimed_by, '') = coalesce($3, '') and sent_at is null and failed_at is null",
        )
        .bind(&letter.id)
        .bind(letter.claimed_until)
        .bind(letter.claimed_by.as_deref())
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Gives a letter back that was claimed and not tried.
    ///
    /// # Errors
    /// The store failed.
    pub async fn release_letter(&mut self, letter: &Letter) -> Result<(), StoreError> {
        sqlx::query(
            "update outbox set claimed_until = null, claimed_by = null, attempts = attempts - 1 where id = $1 \
             and claimed_until = $2 and coalesce(claimed_by, '') = coalesce($3, '') \
             and sent_at is null and failed_at is null",
        )
        .bind(&letter.id)
        .bind(letter.claimed_until)
        .bind(letter.claimed_by.as_deref())
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Keeps that a letter came back, and why; it has left all the same. What came back for good stays so.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letter_returned(&mut self, id: &str, now: i64, hard: bool, why: &str) -> Result<(), StoreError> {
        sqlx::query(
            "update outbox set returned_at = $2, returned_hard_at = $3, returned_why = $4 \
             where id = $1 and returned_hard_at is null",
        )
        .bind(id)
        .bind(now)
        .bind(hard.then_some(now))
        .bind(why)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Marks a letter as sent, with those that are folded into it: the server said 250. The address is needed no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letter_sent(&mut self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update outbox set sent_at = $2, failed_at = null, claimed_until = null, claimed_by = null, last_error = null, \
             address = null where id = $1 or folded_into = $1",
        )
        .bind(id)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Gives a letter back, to be tried again at `due_at`, with what went wrong.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letter_delayed(&mut self, id: &str, due_at: i64, error: &str) -> Result<(), StoreError> {
        sqlx::query(
            "update outbox set due_at = $2, claimed_until = null, claimed_by = null, last_error = $3 where id = $1 and sent_at is null",
        )
        .bind(id)
        .bind(due_at)
        .bind(error)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Gives a letter up, with those that are folded into it and what went wrong. The address is needed no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letter_failed(&mut self, id: &str, now: i64, error: &str) -> Result<(), StoreError> {
        sqlx::query(
            "update outbox set failed_at = $2, claimed_until = null, claimed_by = null, last_error = $3, address = null \
             where (id = $1 or folded_into = $1) \
             and sent_at is null",
        )
        .bind(id)
        .bind(now)
        .bind(error)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Lets a letter leave once more, by itself and at once, to the bare address if one is given. Gives false, and changes
    /// nothing, if there is none or somebody sends it at this moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn resend_letter(&mut self, id: &str, address: Option<&str>, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(AssertSqlSafe(format!(
            "update outbox set due_at = $1, ready_at = $1, attempts = 0, sent_at = null, failed_at = null, last_error = null, \
             returned_at = null, returned_hard_at = null, returned_why = null, folded_into = null, claimed_until = null, \
             claimed_by = null, address = coalesce($3, address) where id = $2 and {FREE}",
        )))
        .bind(now)
        .bind(id)
        .bind(address)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }
}
