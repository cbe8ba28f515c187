//! Boards that the organiser offers beside those that come with the server.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// An offered board, with its text.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct OfferedBoardRow {
    /// By this name it is chosen.
    pub alias: String,
    /// Its name for people.
    pub name: String,
    /// What it is like.
    pub about: String,
    /// The hash of its text.
    pub board_hash: String,
    /// Its text.
    pub body: String,
    /// When it was offered.
    pub offered_at: i64,
    /// When it was retired.
    pub retired_at: Option<i64>,
}

impl Reader {
    /// All of them, the retired ones too, by alias.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offered_boards(&mut self) -> Result<Vec<OfferedBoardRow>, StoreError> {
        let rows = sqlx::query_as(
            "select offered_boards.alias, offered_boards.name, offered_boards.about, offered_boards.board_hash, \
             boards.body, offered_boards.offered_at, offered_boards.retired_at from offered_boards \
             join boards on boards.hash = offered_boards.board_hash order by offered_boards.alias",
        )
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Offers a board whose text is kept. Gives false, and changes nothing, where the alias or the board is there already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offer_board(&mut self, row: &OfferedBoardRow) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "insert into offered_boards (alias, name, about, board_hash, offered_at) values ($1, $2, $3, $4, $5) \
             on conflict do nothing",
        )
        .bind(&row.alias)
        .bind(&row.name)
        .bind(&row.about)
        .bind(&row.board_hash)
        .bind(row.offered_at)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Offers a retired board again, under its alias, with another name and description.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offer_board_again(&mut self, row: &OfferedBoardRow) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "update offered_boards set name = $3, about = $4, offered_at = $5, retired_at = null \
             where alias = $1 and board_hash = $2 and retired_at is not null",
        )
        .bind(&row.alias)
        .bind(&row.board_hash)
        .bind(&row.name)
        .bind(&row.about)
        .bind(row.offered_at)
        .execute(self.conn())
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Retires a board. Gives false, and changes nothing, where none is offered under this alias.
    ///
    /// # Errors
    /// The store failed.
    pub async fn retire_board(&mut self, alias: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("update offered_boards set retired_at = $2 where alias = $1 and retired_at is null")
            .bind(alias)
            .bind(now)
            .execute(self.conn())
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
