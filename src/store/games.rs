//! Games. A game's row is its lock: see `Writer::lock_game`.

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A game as it is kept, with its board.
#[derive(Clone, Debug, FromRow)]
pub struct GameRow {
    /// The id.
    pub id: String,
    /// What it was opened with, JSON.
    pub setup: String,
    /// The board, JSON.
    pub board: String,
    /// The alias of the board, if it is or was one that the organiser offers.
    pub board_alias: Option<String>,
    /// Its name for people.
    pub board_name: Option<String>,
    /// The side of who opened it.
    pub opener: String,
    /// Rises with each change.
    pub version: i64,
    /// The awaited turn.
    pub turn: i64,
    /// The open standing, JSON.
    pub standing: String,
    /// When it was opened.
    pub opened_at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
    /// How it ended, a word of `rules::Outcome`.
    pub outcome: Option<String>,
    /// What ended it: `board` or `resignation`.
    pub ending: Option<String>,
    /// When it was opened for one device; `None` if each side has its own.
    pub one_device_at: Option<i64>,
    /// The side that sits at that device; `None` while it changes hands.
    pub sitting: Option<String>,
    /// How fast it goes, JSON; `None` without deadlines.
    pub pace: Option<String>,
    /// When the awaited turn is due.
    pub due_at: Option<i64>,
    /// What it was opened with for its clock, JSON; `None` where all is as usual.
    pub settings: Option<String>,
    /// Until when both may still replace what they have sealed.
    pub settle_at: Option<i64>,
    /// When the last turn was resolved, or the last seat taken.
    pub moved_at: Option<i64>,
    /// When somebody may have to be reminded.
    pub remind_at: Option<i64>,
    /// Until when nothing is due.
    pub paused_until: Option<i64>,
    /// The side that offers a pause.
    pub pause_by: Option<String>,
    /// Until when the pause that is offered would last.
    pub pause_until: Option<i64>,
    /// When the awaited turn was due before an outage put it off.
    pub put_off_from: Option<i64>,
    /// Where it began, JSON; `None` before the deployments.
    pub start: Option<String>,
    /// The game that it carries on.
    pub continues: Option<String>,
    /// The game in which it was carried on.
    pub continued_in: Option<String>,
    /// Since when everybody may look at it; `None` for a private game.
    pub public_at: Option<i64>,
    /// Since when both seats are taken.
    pub seated_at: Option<i64>,
    /// The game that it is the rematch of.
    pub rematch_of: Option<String>,
}

/// The one device of a game.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeviceRow {
    /// The side that sits at it; `None` while it changes hands.
    pub sitting: Option<String>,
}

/// A game to be kept.
#[derive(Clone, Debug)]
pub struct NewGameRow<'a> {
    /// The id.
    pub id: &'a str,
    /// The board's hash.
    pub board_hash: &'a str,
    /// What it is opened with, JSON.
    pub setup: &'a str,
    /// The side of who opens it.
    pub opener: &'a str,
    /// The awaited turn.
    pub turn: i64,
    /// The standing, JSON.
    pub standing: &'a str,
    /// Now.
    pub opened_at: i64,
    /// The side that sits down first at the one device of both; `None` if each side has its own.
    pub sitting: Option<&'a str>,
    /// How fast it goes, JSON; `None` without deadlines.
    pub pace: Option<&'a str>,
    /// What it is opened with for its clock, JSON; `None` where all is as usual.
    pub settings: Option<&'a str>,
    /// Where it begins, JSON; `None` before the deployments.
    pub start: Option<&'a str>,
}

/// A game with its board.
const GAME: &str = "select games.id, games.setup, boards.body as board, offered_boards.alias as board_alias, \
     offered_boards.name as board_name, games.opener, games.version, games.turn, games.standing, games.opened_at, \
     games.ended_at, games.outcome, games.ending, games.one_device_at, games.sitting, games.pace, games.due_at, \
     games.settings, games.settle_at, games.moved_at, games.remind_at, games.paused_until, games.pause_by, \
     games.pause_until, games.put_off_from, games.start, games.continues, games.continued_in, \
     games.public_at, games.seated_at, games.rematch_of from games join boards on boards.hash = games.board_hash \
     left join offered_boards on offered_boards.board_hash = games.board_hash where games.id = $1";

impl Reader {
    /// A game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn game(&mut self, id: &str) -> Result<Option<GameRow>, StoreError> {
        if let Some(row) = self.seen("game", id) {
            return Ok(row);
        }
        let row = sqlx::query_as(GAME).bind(id).fetch_optional(self.conn()).await?;
        self.saw("game", id, &row);
        Ok(row)
    }

    /// The one device of a game; `None` if there is no such game, or each side has its own.
    ///
    /// # Errors
    /// The store failed.
    pub async fn device(&mut self, id: &str) -> Result<Option<DeviceRow>, StoreError> {
        if self.in_a_moment() {
            // Whoever asks wants the game next.
            let game = self.game(id).await?.filter(|game| game.one_device_at.is_some());
            return Ok(game.map(|game| DeviceRow { sitting: game.sitting }));
        }
        let row = sqlx::query_as("select sitting from games where id = $1 and one_device_at is not null")
            .bind(id)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }
}

impl Reader {
    /// The games in which something falls due: the awaited turn, the end of second thoughts, a reminder. The one that has
    /// waited longest comes first. A game that has ended stands in none of the three indexes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn due_games(&mut self, now: i64, most: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "select id from (\
             select id, due_at as moment from games where due_at is not null and due_at <= $1 \
             union all select id, settle_at from games where settle_at is not null and settle_at <= $1 \
             union all select id, remind_at from games where remind_at is not null and remind_at <= $1\
             ) as waiting group by id order by min(moment), id limit $2",
        )
        .bind(now)
        .bind(most)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// How many games have an awaited turn that was due before `now`, and when the first of them was.
    ///
    /// # Errors
    /// The store failed.
    pub async fn late_games(&mut self, now: i64) -> Result<(i64, Option<i64>), StoreError> {
        let sql = "select cast(count(*) as bigint), min(due_at) from games where due_at is not null and due_at < $1";
        Ok(sqlx::query_as(sql).bind(now).fetch_one(self.conn()).await?)
    }

    /// The ids of up to `most` games after `after`, in order, for who goes through all of them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn game_ids(&mut self, after: &str, most: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("select id from games where id > $1 order by id limit $2")
            .bind(after)
            .bind(most)
            .fetch_all(self.conn())
            .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// A game's version alone.
    ///
    /// # Errors
    /// The store failed.
    pub async fn game_version(&mut self, id: &str) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("select version from games where id = $1").bind(id).fetch_optional(self.conn()).await?;
        Ok(row.map(|(version,)| version))
    }
}

impl Writer {
    /// Keeps a new game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn insert_game(&mut self, game: &NewGameRow<'_>) -> Result<(), StoreError> {
        sqlx::query(
            "insert into games (id, board_hash, setup, opener, version, turn, standing, opened_at, moved_at, one_device_at, sitting, \
             pace, settings, start) values ($1, $2, $3, $4, 1, $5, $6, $7, $7, $8, $9, $10, $11, $12)",
        )
        .bind(game.id)
        .bind(game.board_hash)
        .bind(game.setup)
        .bind(game.opener)
        .bind(game.turn)
        .bind(game.standing)
        .bind(game.opened_at)
        .bind(game.sitting.map(|_| game.opened_at))
        .bind(game.sitting)
        .bind(game.pace)
        .bind(game.settings)
        .bind(game.start)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Locks a game until the end of the transaction and reads it. Whoever changes a game begins
    /// with this: two who seal at the same moment would otherwise both see the other's sheet missing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn lock_game(&mut self, id: &str) -> Result<Option<GameRow>, StoreError> {
        // On SQLite nobody else writes until this transaction ends.
        if self.conn().backend_name() == "SQLite" {
            return self.game(id).await;
        }
        // As strong as the lock of a change, and no stronger: rows that name the game may be added meanwhile.
        let sql = AssertSqlSafe(format!("{GAME} for no key update of games"));
        Ok(sqlx::query_as(sql).bind(id).fetch_optional(self.conn()).await?)
    }

    /// Marks a locked game as changed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn touch_game(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query("update games set version = version + 1 where id = $1").bind(id).execute(self.conn()).await?;
        Ok(())
    }

    /// Raises the version of each game by a leap, and at least to a number.
    ///
    /// # Errors
    /// The store failed.
    pub async fn leap_versions(&mut self, by: i64, at_least: i64) -> Result<(), StoreError> {
        sqlx::query("update games set version = case when version + $1 < $2 then $2 else version + $1 end")
            .bind(by)
            .bind(at_least)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Seats a side at the one device of a game, or nobody. Does nothing where each side has its own.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seat_at_device(&mut self, id: &str, side: Option<&str>) -> Result<(), StoreError> {
        sqlx::query("update games set sitting = $2 where id = $1 and one_device_at is not null")
            .bind(id)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Moves a game from `turn` on to the next; what was said of the old turn's time is over. Gives false, and changes nothing, if it does not stand at `turn`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn advance_game(
        &mut self,
        id: &str,
        turn: i64,
        next_turn: i64,
        standing: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update games set version = version + 1, turn = $3, standing = $4, moved_at = $5, settle_at = null, \
             pause_by = null, pause_until = null, put_off_from = null \
             where id = $1 and turn = $2 and ended_at is null",
        )
        .bind(id)
        .bind(turn)
        .bind(next_turn)
        .bind(standing)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Sets until when both may still replace what they have sealed; `None` while a sheet is missing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_settle(&mut self, id: &str, settle: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update games set settle_at = $2 where id = $1 and ended_at is null")
            .bind(id)
            .bind(settle)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Notes that a game has moved.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_moved(&mut self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update games set moved_at = $2 where id = $1").bind(id).bind(now).execute(self.conn()).await?;
        Ok(())
    }

    /// Keeps the pause that a side offers until a moment, or none.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_offer(&mut self, id: &str, offer: Option<(&str, i64)>) -> Result<(), StoreError> {
        sqlx::query("update games set pause_by = $2, pause_until = $3 where id = $1 and ended_at is null")
            .bind(id)
            .bind(offer.map(|(side, _)| side))
            .bind(offer.map(|(_, until)| until))
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets until when a game is paused.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_paused(&mut self, id: &str, until: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update games set paused_until = $2 where id = $1 and ended_at is null")
            .bind(id)
            .bind(until)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets when somebody of a game may have to be reminded.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_remind(&mut self, id: &str, remind: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update games set remind_at = $2 where id = $1 and ended_at is null")
            .bind(id)
            .bind(remind)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets when the awaited turn of a game is due.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_due(&mut self, id: &str, due: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update games set due_at = $2 where id = $1 and ended_at is null")
            .bind(id)
            .bind(due)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Keeps a new game that carries another on from the beginning of a turn, opened as that one was.
    ///
    /// # Errors
    /// The store failed.
    pub async fn carry_game(
        &mut self,
        from: &str,
        to: &str,
        turn: i64,
        standing: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "insert into games (id, board_hash, setup, opener, version, turn, standing, opened_at, moved_at, one_device_at, sitting, \
             pace, settings, public_at, start, continues) \
             select $2, board_hash, setup, opener, 1, $3, $4, $5, $5, one_device_at, sitting, pace, settings, public_at, $4, id \
             from games where id = $1",
        )
        .bind(from)
        .bind(to)
        .bind(turn)
        .bind(standing)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Notes in which game a locked one is carried on.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_continued_in(&mut self, id: &str, next: &str) -> Result<(), StoreError> {
        sqlx::query("update games set continued_in = $2 where id = $1")
            .bind(id)
            .bind(next)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Puts off by `by` milliseconds every deadline from `from` to `to`, and says in which games. When a turn was due at
    /// first is kept.
    ///
    /// # Errors
    /// The store failed.
    pub async fn put_off(&mut self, from: i64, to: i64, by: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "update games set version = version + 1, put_off_from = coalesce(put_off_from, due_at), due_at = due_at + $3 \
             where due_at >= $1 and due_at <= $2 returning id",
        )
        .bind(from)
        .bind(to)
        .bind(by)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Puts off by `by` milliseconds the end of second thoughts that fell from `from` to `to`, though not past a deadline.
    ///
    /// # Errors
    /// The store failed.
    pub async fn put_off_settling(&mut self, from: i64, to: i64, by: i64) -> Result<(), StoreError> {
        sqlx::query(
            "update games set version = version + 1, \
             settle_at = case when due_at < settle_at + $3 then due_at else settle_at + $3 end \
             where settle_at >= $1 and settle_at <= $2",
        )
        .bind(from)
        .bind(to)
        .bind(by)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Ends a game; without an outcome it is void. Gives false, and changes nothing, if it has ended already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_game(
        &mut self,
        id: &str,
        outcome: Option<&str>,
        ending: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update games set version = version + 1, ended_at = $2, outcome = $3, ending = $4, due_at = null, settle_at = null, \
             remind_at = null \
             where id = $1 and ended_at is null",
        )
        .bind(id)
        .bind(now)
        .bind(outcome)
        .bind(ending)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }
}
