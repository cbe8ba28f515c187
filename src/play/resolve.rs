//! What the last seal of a turn sets off: the turn is resolved, kept, and its letters are
//! queued, all in the transaction of that seal.

use crate::play::absence::clear_of;
use crate::play::game::{BY_BOARD, Game, read_sheet, write_standing};
use crate::play::letters::LetterKind;
use crate::play::proof::{chain_before, hash_of, kept_standing, link_of};
use crate::play::webhooks::EventKind;
use crate::play::{Play, PlayError};
use crate::record;
use crate::rules::{BySide, Sheet, Side};
use crate::store::{SheetRow, TurnRow, TurnSheet, Writer};

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
        let (id, begun) = (game.id.as_str(), self.clock.steady());
        let sheets: BySide<Sheet> = BySide {
            red: read_sheet(&game.standing, Side::Red, &used.red.body)?,
            blue: read_sheet(&game.standing, Side::Blue, &used.blue.body)?,
        };
        let (next, report) = game.standing.resolve(sheets.as_ref());
        let (now, standing) = (self.clock.now(), write_standing(&next)?);
        if !tx.advance_game(id, game.turn(), i64::from(next.turn()), &standing, now.0).await? {
            return Err(PlayError::GameOver);
        }
        let stalled = self.count_missed(tx, game, &used, &next).await?;
        let mut row = TurnRow {
            turn: game.turn(),
            red: used.red,
            blue: used.blue,
            standing: kept_standing(game.turn(), &standing),
            report_hash: hash_of(&report)?,
            chain: None,
            resolved_at: now.0,
        };
        let before = chain_before(tx, game, game.standing.turn()).await?;
        row.chain = Some(record::chain_of(id, &before, &link_of(&row)?));
        tx.insert_turn(id, &row).await?;
        tx.erase_sheets(id).await?;
        tx.erase_drafts(id).await?;
        tx.erase_questions(id).await?;
        tx.drop_offers(id).await?;
        self.tell_webhooks(tx, id, EventKind::TurnResolved, Some(game.turn())).await?;
        match next.ending().map(|(outcome, _)| (outcome, BY_BOARD)).or(stalled) {
            Some((outcome, ending)) => {
                tx.drop_reissues(id).await?;
                tx.end_game(id, Some(outcome.word()), ending, now.0).await?;
                self.tell_webhooks(tx, id, EventKind::GameOver, None).await?;
            }
            None => self.begin_span(tx, game, false).await?,
        }
        self.queue_letters(tx, game, LetterKind::Report).await?;
        self.metrics.resolved(self.clock.steady().saturating_sub(begun));
        Ok(())
    }

    /// Says when the awaited turn of a locked game is due, if its whole time begins now, or after the pause; computers begin
    /// to write.
    pub(in crate::play) async fn begin_span(&self, tx: &mut Writer, game: &Game, first: bool) -> Result<(), PlayError> {
        let now = self.clock.now();
        self.tell_webhooks(tx, game.id.as_str(), EventKind::TurnAwaited, None).await?;
        tx.call_computers(game.id.as_str(), now.0).await?;
        let due = game.pace.due(first, game.pause(now).unwrap_or(now));
        let absences = tx.absences(game.id.as_str()).await?;
        if due.is_none() {
            self.set_due(tx, game, None).await?;
            return self.set_nudge(tx, game).await;
        }
        self.set_due(tx, game, due.map(|due| clear_of(due, &absences))).await
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
