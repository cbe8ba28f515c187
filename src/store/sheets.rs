//! Sealed sheets of open turns, one for each seat at most.
//!
//! Three functions read them, and nothing else does: `Reader::own_sheet` and `Writer::about_to_seal` for the writer,
//! `Writer::sheets_to_open` for the resolution, which it gives both or none. What
//! the opponent may know of a seal comes from `Reader::seal`, without the text.

use sqlx::FromRow;

use super::{Reader, StoreError, Writer};

/// A sealed sheet as it is kept.
#[derive(Clone, FromRow)]
pub struct SheetRow {
    /// The side.
    pub side: String,
    /// The turn that it is for.
    pub turn: i64,
    /// The canonical text.
    pub body: String,
    /// The salt of the seal.
    pub salt: String,
    /// The seal.
    pub seal: String,
    /// When it was sealed.
    pub sealed_at: i64,
    /// When its writer marked it as final.
    pub final_at: Option<i64>,
}

impl std::fmt::Debug for SheetRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SheetRow").field("side", &self.side).field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl Reader {
    /// The sheet that the seat `side` has sealed, for its own eyes.
    ///
    /// # Errors
    /// The store failed.
    pub async fn own_sheet(&mut self, game: &str, side: &str) -> Result<Option<SheetRow>, StoreError> {
        let row = sqlx::query_as(
            "select side, turn, body, salt, seal, sealed_at, final_at from sheets where game_id = $1 and side = $2",
        )
        .bind(game)
        .bind(side)
        .fetch_optional(self.conn())
        .await?;
        Ok(row)
    }

    /// The seal of a seat's sheet and when it was sealed: what both players may know.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seal(&mut self, game: &str, side: &str) -> Result<Option<(String, i64)>, StoreError> {
        let about = format!("{game} {side}");
        if let Some(row) = self.seen("seal", &about) {
            return Ok(row);
        }
        let row = sqlx::query_as("select seal, sealed_at from sheets where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .fetch_optional(self.conn())
            .await?;
        self.saw("seal", &about, &row);
        Ok(row)
    }
}

/// What whoever is about to seal has to know, of one moment.
#[derive(Debug)]
pub struct AboutToSeal {
    /// The generation of the seat's link, if somebody has the seat.
    pub generation: Option<i64>,
    /// What the seat itself has sealed.
    pub own: Option<SheetRow>,
    /// How many sheets the opponent has sealed.
    pub other_seals: i64,
    /// How many computers sit opposite.
    pub computers: i64,
    /// How many drafts the seat has.
    pub drafts: i64,
    /// How many things the seat was asked by letter.
    pub questions: i64,
    /// How many webhooks of the opponent's may hear of it.
    pub webhooks: i64,
}

/// The same, as it comes.
#[derive(FromRow)]
struct Flat {
    taken_at: Option<i64>,
    link_generation: i64,
    turn: Option<i64>,
    body: Option<String>,
    salt: Option<String>,
    seal: Option<String>,
    sealed_at: Option<i64>,
    final_at: Option<i64>,
    other_seals: i64,
    computers: i64,
    drafts: i64,
    questions: i64,
    webhooks: i64,
}

impl Flat {
    fn own(&mut self, side: &str) -> Option<SheetRow> {
        Some(SheetRow {
            side: side.to_owned(),
            turn: self.turn?,
            body: self.body.take()?,
            salt: self.salt.take()?,
            seal: self.seal.take()?,
            sealed_at: self.sealed_at?,
            final_at: self.final_at,
        })
    }
}

impl Writer {
    /// What the seat `side` has to know before it seals; nothing where there is no such seat. The game must be locked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn about_to_seal(&mut self, game: &str, side: &str) -> Result<Option<AboutToSeal>, StoreError> {
        let row: Option<Flat> = sqlx::query_as(
            "select seats.taken_at, seats.link_generation, own.turn, own.body, own.salt, own.seal, own.sealed_at, own.final_at, \
             (select cast(count(*) as bigint) from sheets where sheets.game_id = $1 and sheets.side <> $2) as other_seals, \
             (select cast(count(*) as bigint) from seats as opposite where opposite.game_id = $1 and opposite.side <> $2 \
             and opposite.computer is not null) as computers, \
             (select cast(count(*) as bigint) from drafts where drafts.game_id = $1 and drafts.side = $2) as drafts, \
             (select cast(count(*) as bigint) from mail_questions where mail_questions.game_id = $1 \
             and mail_questions.side = $2) as questions, \
             (select cast(count(*) as bigint) from webhooks where webhooks.game_id = $1 and webhooks.side <> $2 \
             and webhooks.off_at is null) as webhooks \
             from seats left join sheets as own on own.game_id = seats.game_id and own.side = seats.side \
             where seats.game_id = $1 and seats.side = $2",
        )
        .bind(game)
        .bind(side)
        .fetch_optional(self.conn())
        .await?;
        Ok(row.map(|mut row| AboutToSeal {
            generation: row.taken_at.map(|_| row.link_generation),
            own: row.own(side),
            other_seals: row.other_seals,
            computers: row.computers,
            drafts: row.drafts,
            questions: row.questions,
            webhooks: row.webhooks,
        }))
    }

    /// Seals a sheet, in place of the one that the seat had sealed before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seal_sheet(&mut self, game: &str, sheet: &SheetRow) -> Result<(), StoreError> {
        sqlx::query(
            "insert into sheets (game_id, side, turn, body, salt, seal, sealed_at, final_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8) \
             on conflict (game_id, side) do update set turn = excluded.turn, body = excluded.body, salt = excluded.salt, \
             seal = excluded.seal, sealed_at = excluded.sealed_at, final_at = excluded.final_at",
        )
        .bind(game)
        .bind(&sheet.side)
        .bind(sheet.turn)
        .bind(&sheet.body)
        .bind(&sheet.salt)
        .bind(&sheet.seal)
        .bind(sheet.sealed_at)
        .bind(sheet.final_at)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// The sealed sheets of a turn if both are in, and none if not. The game must be locked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sheets_to_open(&mut self, game: &str, turn: i64) -> Result<Vec<SheetRow>, StoreError> {
        let rows: Vec<SheetRow> = sqlx::query_as(
            "select side, turn, body, salt, seal, sealed_at, final_at from sheets where game_id = $1 and turn = $2 \
             and (select count(*) from sheets as both_sides where both_sides.game_id = $1 and both_sides.turn = $2) = 2",
        )
        .bind(game)
        .bind(turn)
        .fetch_all(self.conn())
        .await?;
        Ok(rows)
    }

    /// Whether both sheets of a turn are in and marked as final. The game must be locked.
    ///
    /// # Errors
    /// The store failed.
    pub async fn both_final(&mut self, game: &str, turn: i64) -> Result<bool, StoreError> {
        let sql =
            "select cast(count(*) as bigint) from sheets where game_id = $1 and turn = $2 and final_at is not null";
        let (number,): (i64,) = sqlx::query_as(sql).bind(game).bind(turn).fetch_one(self.conn()).await?;
        Ok(number == 2)
    }

    /// Erases the sealed sheets of a game; unread, unless the turn keeps them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_sheets(&mut self, game: &str) -> Result<(), StoreError> {
        sqlx::query("delete from sheets where game_id = $1").bind(game).execute(self.conn()).await?;
        Ok(())
    }

    /// Erases one seat's sealed sheet unread.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_sheet(&mut self, game: &str, side: &str) -> Result<(), StoreError> {
        sqlx::query("delete from sheets where game_id = $1 and side = $2")
            .bind(game)
            .bind(side)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
