//! What an organiser reads over all games: lists a page at a time. No query here touches a table that keeps what somebody
//! has sealed, drafted, imagined or noted.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError};

/// In which state the games are that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeskState {
    /// Whatever it is.
    Any,
    /// A seat has never been taken.
    Open,
    /// Both sit, and it goes on.
    Running,
    /// It is over.
    Ended,
    /// Nothing is due for a while.
    Paused,
    /// It goes on, and something is wrong with it.
    Stuck,
}

/// In which order the games come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeskOrder {
    /// Opened last first.
    Opened,
    /// Due first first; others are left out.
    Due,
    /// Those first that have lain still for longest; ended ones are left out.
    Moved,
}

/// Which games are asked for.
#[derive(Clone, Copy, Debug)]
pub struct DeskQuery<'a> {
    /// In which state.
    pub state: DeskState,
    /// In which order.
    pub order: DeskOrder,
    /// On the board with this hash.
    pub board_hash: Option<&'a str>,
    /// Those due at a moment or later.
    pub due_from: Option<i64>,
    /// Those that are due before.
    pub due_before: Option<i64>,
    /// Those after this place of the list.
    pub after: Option<(i64, &'a str)>,
    /// Now.
    pub now: i64,
    /// Who is due since longer than this counts as stuck, and who has not moved since.
    pub late: (i64, i64),
    /// How many at most.
    pub most: i64,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeskGameRow {
    /// The id.
    pub id: String,
    /// Its place in the list.
    pub place: i64,
    /// Red's name.
    pub red: Option<String>,
    /// Blue's name.
    pub blue: Option<String>,
}

/// A letter in a list, without what it says and without a bare address.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeskLetterRow {
    /// The id.
    pub id: String,
    /// What it is, a word.
    pub kind: String,
    /// About which game.
    pub game_id: Option<String>,
    /// The turn that was awaited when it was queued.
    pub turn: Option<i64>,
    /// To which side.
    pub side: Option<String>,
    /// Whose it is.
    pub person_id: Option<String>,
    /// When it was queued.
    pub created_at: i64,
    /// When it is to be sent, or sent again.
    pub due_at: i64,
    /// How often it was tried.
    pub attempts: i64,
    /// When it was sent.
    pub sent_at: Option<i64>,
    /// When it was given up.
    pub failed_at: Option<i64>,
    /// What the mail server said.
    pub last_error: Option<String>,
    /// When it came back.
    pub returned_at: Option<i64>,
    /// When it came back for good.
    pub returned_hard_at: Option<i64>,
    /// Why.
    pub returned_why: Option<String>,
}

/// A mail in a list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeskMailRow {
    /// Its place among those of the same moment: one mail may be for several seats.
    pub place: String,
    /// To a seat of which game.
    pub game_id: String,
    /// To which side.
    pub side: String,
    /// What became of it.
    pub verdict: String,
    /// When it came.
    pub seen_at: i64,
}

/// A report in a list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct DeskReportRow {
    /// The id.
    pub id: String,
    /// From which game.
    pub game_id: String,
    /// From which side.
    pub side: String,
    /// Why.
    pub reason: String,
    /// The messages as they were, JSON.
    pub thread: String,
    /// When.
    pub made_at: i64,
}

/// How many there are of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct CountsRow {
    /// Games that wait for a second player.
    pub open: i64,
    /// Games that are played.
    pub running: i64,
    /// Games that are over.
    pub ended: i64,
    /// Games that are paused.
    pub paused: i64,
    /// Turns that have been resolved since the given moment.
    pub turns: i64,
    /// People.
    pub people: i64,
    /// Deadlines that are over and were not resolved.
    pub late: i64,
    /// Letters that wait.
    pub letters_waiting: i64,
    /// Letters that left since.
    pub letters_sent: i64,
    /// Letters that were given up since.
    pub letters_failed: i64,
    /// Letters that came back since.
    pub letters_returned: i64,
    /// Mails that came since.
    pub mails: i64,
    /// Messages that were reported since.
    pub reports: i64,
}

/// Which letters are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeskLetters<'a> {
    /// Those that wait.
    Waiting,
    /// Those that were given up.
    Failed,
    /// Those that came back.
    Returned,
    /// All about a game.
    Of(&'a str),
}

/// The columns of a [`DeskLetterRow`].
const LETTER: &str = "select id, kind, game_id, turn, side, person_id, created_at, due_at, attempts, sent_at, failed_at, \
                      last_error, returned_at, returned_hard_at, returned_why from outbox";

/// What is wrong with a running game: overdue, still for long, a side away, a seat without a player, letters that come back.
const STUCK: &str = "games.ended_at is null and games.seated_at is not null and games.one_device_at is null and \
     (games.paused_until is null or games.paused_until <= $1) and (games.due_at <= $2 \
     or (games.due_at is null and games.moved_at <= $3) or exists (select 1 from seats where seats.game_id = games.id \
     and (seats.absent_since is not null or seats.taken_at is null or seats.letters_back_at is not null)))";

impl Reader {
    /// Games for the desk.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_games(&mut self, query: &DeskQuery<'_>) -> Result<Vec<DeskGameRow>, StoreError> {
        let (place, direction, sign) = match query.order {
            DeskOrder::Opened => ("games.opened_at", "desc", "<"),
            DeskOrder::Due => ("games.due_at", "asc", ">"),
            DeskOrder::Moved => ("games.moved_at", "asc", ">"),
        };
        let mut sql = format!(
            "select games.id, {place} as place, red.name as red, blue.name as blue from games \
             join seats red on red.game_id = games.id and red.side = 'red' \
             join seats blue on blue.game_id = games.id and blue.side = 'blue' \
             where $1 > 0 and $2 > 0 and $3 > 0"
        );
        // The text is made of these pieces alone; whatever comes from outside is bound. Writing into a string does not fail.
        sql += match query.order {
            DeskOrder::Opened => "",
            DeskOrder::Due => " and games.due_at is not null",
            DeskOrder::Moved => " and games.ended_at is null",
        };
        match query.state {
            DeskState::Any => {}
            DeskState::Open => sql += " and games.ended_at is null and games.seated_at is null",
            DeskState::Running => {
                sql += " and games.ended_at is null and games.seated_at is not null \
                        and (games.paused_until is null or games.paused_until <= $1)";
            }
            DeskState::Ended => sql += " and games.ended_at is not null",
            DeskState::Paused => sql += " and games.ended_at is null and games.paused_until > $1",
            DeskState::Stuck => {
                let _ = write!(sql, " and {STUCK}");
            }
        }
        let mut number = 3;
        let mut next = || {
            number += 1;
            number
        };
        if query.board_hash.is_some() {
            let _ = write!(sql, " and games.board_hash = ${}", next());
        }
        if query.due_from.is_some() {
            let _ = write!(sql, " and games.due_at >= ${}", next());
        }
        if query.due_before.is_some() {
            let _ = write!(sql, " and games.due_at < ${}", next());
        }
        if query.after.is_some() {
            let _ = write!(sql, " and ({place}, games.id) {sign} (${}, ${})", next(), next());
        }
        let _ = write!(sql, " order by {place} {direction}, games.id {direction} limit ${}", next());
        let mut asked = sqlx::query_as(AssertSqlSafe(sql)).bind(query.now).bind(query.late.0).bind(query.late.1);
        if let Some(hash) = query.board_hash {
            asked = asked.bind(hash.to_owned());
        }
        if let Some(due) = query.due_from {
            asked = asked.bind(due);
        }
        if let Some(due) = query.due_before {
            asked = asked.bind(due);
        }
        if let Some((place, id)) = query.after {
            asked = asked.bind(place).bind(id.to_owned());
        }
        Ok(asked.bind(query.most).fetch_all(self.conn()).await?)
    }

    /// Whether a game is stuck.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_stuck(&mut self, game: &str, now: i64, late: (i64, i64)) -> Result<bool, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as(AssertSqlSafe(format!("select id from games where id = $4 and {STUCK}")))
                .bind(now)
                .bind(late.0)
                .bind(late.1)
                .bind(game)
                .fetch_optional(self.conn())
                .await?;
        Ok(row.is_some())
    }

    /// Letters for the desk after a place of the list, the last one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_letters(
        &mut self,
        which: DeskLetters<'_>,
        after: Option<(i64, &str)>,
        most: i64,
    ) -> Result<Vec<DeskLetterRow>, StoreError> {
        let state = match which {
            DeskLetters::Waiting => "sent_at is null and failed_at is null and $1 <> ''",
            DeskLetters::Failed => "failed_at is not null and $1 <> ''",
            DeskLetters::Returned => "returned_at is not null and $1 <> ''",
            DeskLetters::Of(_) => "game_id = $1",
        };
        let sql = format!(
            "{LETTER} where {state} and (created_at, id) < ($2, $3) order by created_at desc, id desc limit $4"
        );
        let (time, id) = after.unwrap_or((i64::MAX, ""));
        let game = if let DeskLetters::Of(game) = which { game } else { "-" };
        let asked = sqlx::query_as(AssertSqlSafe(sql)).bind(game.to_owned()).bind(time).bind(id.to_owned());
        Ok(asked.bind(most).fetch_all(self.conn()).await?)
    }

    /// A letter for the desk.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_letter(&mut self, id: &str) -> Result<Option<DeskLetterRow>, StoreError> {
        let sql = format!("{LETTER} where id = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(self.conn()).await?)
    }

    /// Mails that came, those to one game if it is given, after a place of the list, the last one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_mails(
        &mut self,
        game: Option<&str>,
        after: Option<(i64, &str)>,
        most: i64,
    ) -> Result<Vec<DeskMailRow>, StoreError> {
        let of = if game.is_some() { "game_id = $1" } else { "$1 = ''" };
        let sql = format!(
            "select message_hash || game_id || side as place, game_id, side, verdict, seen_at from mail_seen where {of} \
             and (seen_at, message_hash || game_id || side) < ($2, $3) order by seen_at desc, 1 desc limit $4"
        );
        let (time, hash) = after.unwrap_or((i64::MAX, ""));
        let asked = sqlx::query_as(AssertSqlSafe(sql)).bind(game.unwrap_or_default().to_owned());
        Ok(asked.bind(time).bind(hash.to_owned()).bind(most).fetch_all(self.conn()).await?)
    }

    /// Messages that were reported before the report with an id, the last one first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_reports(
        &mut self,
        token: &str,
        before: Option<&str>,
        most: i64,
    ) -> Result<Vec<DeskReportRow>, StoreError> {
        let until = if before.is_some() { "id < $1" } else { "$1 = ''" };
        let sql = format!(
            "select id, game_id, side, reason, thread, made_at from reports where {until} and not exists (select 1 \
             from seats join admin_tokens on admin_tokens.person_id = seats.person_id \
             where admin_tokens.id = $3 and seats.game_id = reports.game_id) order by id desc limit $2"
        );
        let asked = sqlx::query_as(AssertSqlSafe(sql)).bind(before.unwrap_or_default().to_owned());
        Ok(asked.bind(most).bind(token.to_owned()).fetch_all(self.conn()).await?)
    }

    /// People after the one with an id, by id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_people(&mut self, after: &str, most: i64) -> Result<Vec<(String, Option<String>)>, StoreError> {
        let rows = sqlx::query_as("select id, name from people where id > $1 order by id limit $2")
            .bind(after)
            .bind(most)
            .fetch_all(self.conn())
            .await?;
        Ok(rows)
    }

    /// How many there are of what; of what passes, since a moment.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_counts(&mut self, now: i64, since: i64) -> Result<CountsRow, StoreError> {
        let count = |what: &str| format!("cast((select count(*) from {what}) as bigint)");
        let sql = [
            ("open", "games where ended_at is null and seated_at is null"),
            ("running", "games where ended_at is null and seated_at is not null"),
            ("ended", "games where ended_at is not null"),
            ("paused", "games where ended_at is null and paused_until > $1"),
            ("turns", "turns where resolved_at >= $2"),
            ("people", "people"),
            ("late", "games where due_at is not null and due_at <= $1"),
            ("letters_waiting", "outbox where sent_at is null and failed_at is null"),
            ("letters_sent", "outbox where sent_at >= $2"),
            ("letters_failed", "outbox where failed_at >= $2"),
            ("letters_returned", "outbox where returned_at >= $2"),
            ("mails", "mail_seen where seen_at >= $2"),
            ("reports", "reports where made_at >= $2"),
        ]
        .map(|(name, what)| format!("{} as {name}", count(what)))
        .join(", ");
        let sql = AssertSqlSafe(format!("select {sql}"));
        Ok(sqlx::query_as(sql).bind(now).bind(since).fetch_one(self.conn()).await?)
    }
}
