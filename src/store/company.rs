//! Who may look at a game: the lists of public games, and the words by which their players are found.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, FromRow};

use super::{GameRow, Reader, StoreError, Writer};

/// What a game has to do with people beside its two players.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow)]
pub struct CompanyRow {
    /// Since when everybody may look at it; `None` for a private game.
    pub public_at: Option<i64>,
    /// Since when both seats are taken.
    pub seated_at: Option<i64>,
    /// The game that it is the rematch of.
    pub rematch_of: Option<String>,
}

/// Which public games are asked for.
#[derive(Clone, Copy, Debug)]
pub struct PublicQuery<'a> {
    /// Those that are over, and not those that go on.
    pub over: bool,
    /// Words of one player's name, folded.
    pub words: &'a [String],
    /// The hash of their board.
    pub board_hash: Option<&'a str>,
    /// How they ended.
    pub outcome: Option<&'a str>,
    /// Those that come after this one in the list: its time and id.
    pub after: Option<(i64, &'a str)>,
    /// How many at most.
    pub most: i64,
}

impl Reader {
    /// What a game has to do with other people.
    ///
    /// # Errors
    /// The store failed.
    pub async fn company(&mut self, game: &str) -> Result<Option<CompanyRow>, StoreError> {
        if self.in_a_moment() {
            let game = self.game(game).await?;
            return Ok(game.map(|GameRow { public_at, seated_at, rematch_of, .. }| CompanyRow {
                public_at,
                seated_at,
                rematch_of,
            }));
        }
        let row = sqlx::query_as("select public_at, seated_at, rematch_of from games where id = $1")
            .bind(game)
            .fetch_optional(self.conn())
            .await?;
        Ok(row)
    }

    /// The rematch of a game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn rematch(&mut self, game: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as("select id from games where rematch_of = $1").bind(game).fetch_optional(self.conn()).await?;
        Ok(row.map(|(id,)| id))
    }

    /// Public games in which both seats are taken: id, and the time by which they are sorted, newest first. That is when the
    /// second seat was taken, or for games that are over when they ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn public_games(&mut self, query: &PublicQuery<'_>) -> Result<Vec<(String, i64)>, StoreError> {
        let (time, state) = if query.over { ("ended_at", "is not null") } else { ("seated_at", "is null") };
        let mut sql = format!(
            "select games.id, games.{time} from games where games.public_at is not null and games.seated_at is not null \
             and games.ended_at {state}"
        );
        // The text is made of these pieces alone; whatever comes from outside is bound.
        // Writing into a string does not fail.
        let mut number = 0;
        let mut next = || {
            number += 1;
            number
        };
        if query.board_hash.is_some() {
            let _ = write!(sql, " and games.board_hash = ${}", next());
        }
        if query.outcome.is_some() {
            let _ = write!(sql, " and games.outcome = ${}", next());
        }
        if query.after.is_some() {
            let _ = write!(sql, " and (games.{time}, games.id) < (${}, ${})", next(), next());
        }
        if !query.words.is_empty() {
            sql += " and games.id in (select first.game_id from player_words first";
            for at in 1..query.words.len() {
                let _ = write!(
                    sql,
                    " join player_words word{at} on word{at}.game_id = first.game_id and word{at}.side = first.side \
                     and word{at}.word = ${}",
                    next()
                );
            }
            let _ = write!(sql, " where first.word = ${})", next());
        }
        let _ = write!(sql, " order by games.{time} desc, games.id desc limit ${}", next());
        let mut asked = sqlx::query_as(AssertSqlSafe(sql));
        for text in [query.board_hash, query.outcome].into_iter().flatten() {
            asked = asked.bind(text.to_owned());
        }
        if let Some((time, id)) = query.after {
            asked = asked.bind(time).bind(id.to_owned());
        }
        for word in query.words.iter().skip(1).chain(query.words.first()) {
            asked = asked.bind(word.clone());
        }
        Ok(asked.bind(query.most).fetch_all(self.conn()).await?)
    }
}

impl Writer {
    /// Makes a game public.
    ///
    /// # Errors
    /// The store failed.
    pub async fn make_public(&mut self, game: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("update games set public_at = $2 where id = $1 and public_at is null")
            .bind(game)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets since when both seats of a game are taken; `None` if one has been freed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_seated(&mut self, game: &str, since: Option<i64>) -> Result<(), StoreError> {
        sqlx::query("update games set seated_at = $2 where id = $1")
            .bind(game)
            .bind(since)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Sets which game a new one is the rematch of. The index refuses a second rematch.
    ///
    /// # Errors
    /// The store failed, or there is a rematch already.
    pub async fn set_rematch_of(&mut self, game: &str, before: &str) -> Result<(), StoreError> {
        sqlx::query("update games set rematch_of = $2 where id = $1")
            .bind(game)
            .bind(before)
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Keeps a word of the name of a seat's player.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_player_word(&mut self, game: &str, side: &str, word: &str) -> Result<(), StoreError> {
        sqlx::query(
            "insert into player_words (word, game_id, side) values ($1, $2, $3) \
             on conflict (word, game_id, side) do nothing",
        )
        .bind(word)
        .bind(game)
        .bind(side)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Forgets the words of the name of a seat's player.
    ///
    /// # Errors
    /// The store failed.
    pub async fn forget_player_words(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from player_words where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
