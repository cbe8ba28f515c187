//! Free seats that anybody may take, and who does not want to be found by whom.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, FromRow};

use super::{Reader, StoreError, Writer};

/// A challenge as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ChallengeRow {
    /// When it was made, or renewed.
    pub made_at: i64,
    /// From when on it is open no more.
    pub ends_at: i64,
    /// When it was taken or withdrawn.
    pub closed_at: Option<i64>,
}

impl Reader {
    /// The challenge of a game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn challenge(&mut self, game: &str) -> Result<Option<ChallengeRow>, StoreError> {
        let row = sqlx::query_as("select made_at, ends_at, closed_at from challenges where game_id = $1")
            .bind(game)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The open challenges, the one that stays open longest first: game and end. Left out are those of people who have blocked one
    /// of `people`, or were blocked by one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open_challenges(
        &mut self,
        people: &[String],
        now: i64,
        after: Option<(i64, &str)>,
        most: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let mut sql = "select challenges.game_id, challenges.ends_at from challenges \
             join games on games.id = challenges.game_id and games.ended_at is null \
             join seats on seats.game_id = games.id and seats.taken_at is not null \
             join seats free on free.game_id = games.id and free.taken_at is null \
             where challenges.closed_at is null and challenges.ends_at > $1"
            .to_owned();
        // The text is made of these pieces alone; whatever comes from outside is bound.
        // Writing into a string does not fail.
        let mut number = 1;
        let mut next = || {
            number += 1;
            format!("${number}")
        };
        if after.is_some() {
            let _ = write!(sql, " and (challenges.ends_at, challenges.game_id) < ({}, {})", next(), next());
        }
        if !people.is_empty() {
            let list: Vec<String> = people.iter().map(|_| next()).collect();
            let list = list.join(", ");
            let _ = write!(
                sql,
                " and not exists (select 1 from blocks where blocks.person_id = seats.person_id and blocks.blocked_id in ({list})) \
                 and not exists (select 1 from blocks where blocks.blocked_id = seats.person_id and blocks.person_id in ({list}))"
            );
        }
        let _ = write!(sql, " order by challenges.ends_at desc, challenges.game_id desc limit {}", next());
        let mut asked = sqlx::query_as(AssertSqlSafe(sql)).bind(now);
        if let Some((time, id)) = after {
            asked = asked.bind(time).bind(id.to_owned());
        }
        for person in people {
            asked = asked.bind(person.clone());
        }
        Ok(asked.bind(most).fetch_all(self.conn()).await?)
    }

    /// How many games with both players a person has seen to their end, and how many turns they have missed in all.
    ///
    /// # Errors
    /// The store failed.
    pub async fn record_of(&mut self, person: &str) -> Result<(i64, i64), StoreError> {
        let row = sqlx::query_as(
            "select cast(count(games.id) as bigint), cast(coalesce(sum(seats.missed), 0) as bigint) from seats \
             left join games on games.id = seats.game_id and games.ended_at is not null and games.seated_at is not null \
             where seats.person_id = $1 and not exists (select 1 from seats as theirs where theirs.game_id = seats.game_id \
             and theirs.computer_since = 0)",
        )
        .bind(person)
        .fetch_one(self.conn())
        .await?;
        Ok(row)
    }

    /// The person that a session is signed in as, and those whose confirmed addresses stand on the seats that it holds.
    ///
    /// # Errors
    /// The store failed.
    pub async fn people_of_session(&mut self, hash: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "select seats.person_id from session_seats \
             join seats on seats.game_id = session_seats.game_id and seats.side = session_seats.side \
             and seats.link_generation = session_seats.link_generation \
             where session_seats.session_hash = $1 and seats.person_id is not null \
             union select person_id from sessions where hash = $1 and person_id is not null order by 1 limit 20",
        )
        .bind(hash)
        .fetch_all(self.conn())
        .await?;
        Ok(rows.into_iter().map(|(person,)| person).collect())
    }

    /// Whether a person has blocked another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn blocks(&mut self, person: &str, other: &str) -> Result<bool, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as("select made_at from blocks where person_id = $1 and blocked_id = $2")
            .bind(person)
            .bind(other)
            .fetch_optional(self.conn())
            .await?;
        Ok(row.is_some())
    }

    /// Whom a person has blocked, as since when and a game in which the two have met, for each such game. The other person
    /// is not named.
    ///
    /// # Errors
    /// The store failed.
    pub async fn blocks_of(&mut self, person: &str) -> Result<Vec<(i64, Option<String>)>, StoreError> {
        let rows = sqlx::query_as(
            "select blocks.made_at, theirs.game_id from blocks \
             left join seats theirs on theirs.person_id = blocks.blocked_id and exists (select 1 from seats mine \
             where mine.game_id = theirs.game_id and mine.person_id = blocks.person_id) \
             where blocks.person_id = $1 order by blocks.made_at, theirs.game_id",
        )
        .bind(person)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Opens a challenge, or opens it again, until a time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open_challenge(&mut self, game: &str, now: i64, ends_at: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into challenges (game_id, made_at, ends_at) values ($1, $2, $3) \
             on conflict (game_id) do update set made_at = excluded.made_at, ends_at = excluded.ends_at, closed_at = null",
        )
        .bind(game)
        .bind(now)
        .bind(ends_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Closes the challenge of a game, if there is an open one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn close_challenge(&mut self, game: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update challenges set closed_at = $2 where game_id = $1 and closed_at is null")
            .bind(game)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Keeps that a person has blocked another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn block(&mut self, person: &str, other: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "insert into blocks (person_id, blocked_id, made_at) values ($1, $2, $3) \
             on conflict (person_id, blocked_id) do nothing",
        )
        .bind(person)
        .bind(other)
        .bind(now)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Forgets whom a person has blocked, and who has blocked them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_blocks(&mut self, person: &str) -> Result<(), StoreError> {
        sqlx::query("delete from blocks where person_id = $1 or blocked_id = $1")
            .bind(person)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Carries over what one person has blocked, and who has blocked them, to another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn carry_blocks(&mut self, from: &str, into: &str) -> Result<(), StoreError> {
        for (own, other) in [("person_id", "blocked_id"), ("blocked_id", "person_id")] {
            let sql = format!(
                "insert into blocks ({own}, {other}, made_at) select $2, {other}, made_at from blocks \
                 where {own} = $1 and {other} <> $2 on conflict (person_id, blocked_id) do nothing"
            );
            sqlx::query(AssertSqlSafe(sql)).bind(from).bind(into).execute(self.conn()).await?;
        }
        self.forget_blocks(from).await
    }

    /// Forgets that a person has blocked another.
    ///
    /// # Errors
    /// The store failed.
    pub async fn unblock(&mut self, person: &str, other: &str) -> Result<(), StoreError> {
        sqlx::query("delete from blocks where person_id = $1 and blocked_id = $2")
            .bind(person)
            .bind(other)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
