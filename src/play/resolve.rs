//! What the last seal of a turn sets off: the turn is resolved, kept, and its letters are
//! queued, all in the transaction of that seal.

use crate::play::game::{BY_BOARD, Game, read_sheet, write_standing};
use crate::play::proof::{chain_before, hash_of, link_of};
use crate::play::{Play, PlayError};
use crate::record;
use crate::rules::{BySide, Sheet, Side};
use crate::store::{NewLetter, SheetRow, TurnRow, TurnSheet, Writer};

pub use crate::record::How;

impl Play {
    /// Resolves the awaited turn of a locked game if both sheets are in. Says whether it did.
    pub(in crate::play) async fn resolve_if_complete(&self, tx: &mut Writer, game: &Game) -> Result<bool, PlayError> {
        let id = game.id.as_str();
        let mut rows = tx.sheets_to_open(id, game.turn()).await?;
        let mut take = |side: Side| {
            let at = rows.iter().position(|row| row.side == side.word())?;
            Some(rows.swap_remove(at))
        };
        let (Some(red), Some(blue)) = (take(Side::Red), take(Side::Blue)) else { return Ok(false) };
        let sheets = BySide { red: turn_sheet(red), blue: turn_sheet(blue) };
        self.resolve_with(tx, game, sheets).await?;
        Ok(true)
    }

    /// Resolves the awaited turn of a locked game with these sheets, however they came about, and says when the next one is due.
    pub(in crate::play) async fn resolve_with(
        &self,
        tx: &mut Writer,
        game: &Game,
        used: BySide<TurnSheet>,
    ) -> Result<(), PlayError> {
        let id = game.id.as_str();
        let sheets: BySide<Sheet> = BySide {
            red: read_sheet(&game.standing, Side::Red, &used.red.body)?,
            blue: read_sheet(&game.standing, Side::Blue, &used.blue.body)?,
        };
        let (next, report) = game.standing.resolve(sheets.as_ref());
        let (now, standing) = (self.clock.now(), write_standing(&next)?);
        if !tx.advance_game(id, game.turn(), i64::from(next.turn()), &standing).await? {
            return Err(PlayError::GameOver);
        }
        let mut row = TurnRow {
            turn: game.turn(),
            red: used.red,
            blue: used.blue,
            standing,
            report_hash: hash_of(&report)?,
            chain: None,
            resolved_at: now.0,
        };
        let before = chain_before(tx, game, game.standing.turn()).await?;
        row.chain = Some(record::chain_of(id, &before, &link_of(&row)?));
        tx.insert_turn(id, &row).await?;
        tx.erase_sheets(id).await?;
        tx.erase_drafts(id).await?;
        tx.drop_offers(id).await?;
        match next.ending() {
            Some((outcome, _)) => {
                tx.end_game(id, Some(outcome.word()), BY_BOARD, now.0).await?;
            }
            None => tx.set_due(id, game.pace.due(false, now).map(|due| due.0)).await?,
        }
        self.queue_letters(tx, game, LetterKind::Report).await
    }

    /// Queues a letter about the awaited turn for each seat that has an address.
    pub(in crate::play) async fn queue_letters(
        &self,
        tx: &mut Writer,
        game: &Game,
        kind: LetterKind,
    ) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        for seat in tx.seats(game.id.as_str()).await?.iter().filter(|seat| seat.address.is_some()) {
            tx.queue_letter(&NewLetter {
                id: &self.sorted_id(),
                kind: kind.word(),
                game_id: game.id.as_str(),
                turn: game.turn(),
                side: &seat.side,
                now,
            })
            .await?;
        }
        Ok(())
    }
}

/// What a letter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterKind {
    /// A turn that has been resolved.
    Report,
    /// A game that ended otherwise than on the board.
    End,
}

impl LetterKind {
    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            LetterKind::Report => "report",
            LetterKind::End => "end",
        }
    }

    /// Reads what [`LetterKind::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<LetterKind> {
        [LetterKind::Report, LetterKind::End].into_iter().find(|kind| kind.word() == word)
    }
}

/// A sheet that was sealed, as its turn keeps it.
pub(in crate::play) fn turn_sheet(row: SheetRow) -> TurnSheet {
    TurnSheet {
        how: How::Sealed.word().to_owned(),
        body: row.body,
        salt: row.salt,
        seal: row.seal,
        sealed_at: row.sealed_at,
    }
}
