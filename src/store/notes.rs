//! Private notes of a seat: about the game, a turn or a place. Nobody but their writer reads them.

use sqlx::FromRow;

use super::seen::Own;
use super::{Reader, StoreError, Writer};

/// A note as it is kept.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct NoteRow {
    /// What it is about: `game`, `turn 5` or `place H7`.
    pub about: String,
    /// The text.
    pub body: String,
    /// When it was kept.
    pub saved_at: i64,
}

impl std::fmt::Debug for NoteRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NoteRow").field("about", &self.about).finish_non_exhaustive()
    }
}

impl Reader {
    /// A seat's own notes, by what they are about. Only the holder of that seat may be shown them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_notes(&mut self, game: &str, side: &str) -> Result<Vec<NoteRow>, StoreError> {
        if self.has_no(Own::Notes, game, side).await? {
            return Ok(Vec::new());
        }
        let rows =
            sqlx::query_as("select about, body, saved_at from notes where game_id = $1 and side = $2 order by about")
                .bind(game)
                .bind(side)
                .fetch_all(self.conn())
                .await?;
        Ok(rows)
    }
}

impl Writer {
    /// Keeps a note in place of the one about the same.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_note(&mut self, game: &str, side: &str, note: &NoteRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into notes (game_id, side, about, body, saved_at) values ($1, $2, $3, $4, $5) \
             on conflict (game_id, side, about) do update set body = excluded.body, saved_at = excluded.saved_at",
        )
        .bind(game)
        .bind(side)
        .bind(&note.about)
        .bind(&note.body)
        .bind(note.saved_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Deletes a note.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete_note(&mut self, game: &str, side: &str, about: &str) -> Result<(), StoreError> {
        sqlx::query("delete from notes where game_id = $1 and side = $2 and about = $3")
            .bind(game)
            .bind(side)
            .bind(about)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
