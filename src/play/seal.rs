//! Sealing a sheet: the one road on which a turn gets its sheets, whoever knocks.
//!
//! Until the opponent has sealed too, a sealed sheet may be replaced. The second seal and the
//! resolution are one transaction. Sealing the same sheet again changes nothing, also
//! when the turn has been resolved with it meanwhile.

use crate::clock::Timestamp;
use crate::play::game::{Game, seal_of};
use crate::play::proof::before;
use crate::play::view::Seal;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{Sheet, Standing};
use crate::store::{SheetRow, Writer};

/// Milliseconds of a minute.
const MINUTE: i64 = 60 * 1000;

/// A sheet to be sealed.
#[derive(Clone, Debug)]
pub struct ToSeal {
    /// The turn that it is for.
    pub turn: u32,
    /// The text.
    pub text: String,
    /// Whether an empty sheet is meant, if the text is empty.
    pub empty_is_meant: bool,
    /// Whether the writer knows that this seal may resolve the turn.
    pub may_resolve: bool,
    /// Whether the writer wants no time for second thoughts.
    pub is_final: bool,
}

/// A sealed sheet's receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The turn.
    pub turn: u32,
    /// The canonical text that was sealed.
    pub text: String,
    /// The seal.
    pub seal: Seal,
    /// The salt, 32 hexadecimal digits.
    pub salt: String,
    /// Whether the turn has been resolved with it.
    pub resolved: bool,
    /// Until when both may still replace their sheets, if both are in.
    pub settles: Option<Timestamp>,
}

impl Play {
    /// Seals a sheet, and resolves the turn if it was the last one awaited.
    ///
    /// # Errors
    /// [`PlayError::Text`], [`PlayError::EmptyNotMeant`], [`PlayError::WouldResolve`] (only without
    /// `may_resolve`), [`PlayError::TurnOver`], [`PlayError::TurnAhead`], [`PlayError::GameOver`];
    /// what was sealed before stays sealed.
    pub async fn seal(&self, seat: &Seat, sheet: ToSeal) -> Result<Receipt, PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        let receipt = self
            .store
            .write(move |tx| {
                let (play, seat, sheet) = (play.clone(), asker.clone(), sheet.clone());
                Box::pin(async move { play.seal_in(tx, &seat, &sheet).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(receipt)
    }

    pub(in crate::play) async fn seal_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        sheet: &ToSeal,
    ) -> Result<Receipt, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        let (id, side) = (game.id.as_str(), seat.side().word());
        let around = tx.about_to_seal(id, side).await?.ok_or(PlayError::NotFound)?;
        if around.generation != Some(seat.generation()) {
            return Err(PlayError::NotFound);
        }
        if sheet.turn < game.standing.turn() {
            return late(tx, &game, seat, sheet).await;
        }
        game.awaits(sheet.turn)?;
        let read = read(&game.standing, seat, sheet)?;
        let text = read.canonical();
        let other = around.other_seals > 0;
        let same = |sealed: &SheetRow| {
            sealed.turn == game.turn() && sealed.body == text && sealed.final_at.is_some() == sheet.is_final
        };
        // Whoever lost the answer and asks once more resolves nothing.
        let repeats = around.own.as_ref().is_some_and(same);
        // A computer seals as soon as it can, so that its opponent's seal mostly resolves the turn: that need not be asked about
        // each time.
        if other && !repeats && !sheet.may_resolve && around.computers == 0 {
            let minutes = if sheet.is_final { 0 } else { game.terms.second_thoughts };
            return Err(PlayError::WouldResolve { other: seat.side().other().name(), minutes });
        }
        let first = around.own.is_none();
        let row = match around.own {
            Some(sealed) if repeats => sealed,
            _ => {
                let sealed = self.sealed_row(&game, seat, text, sheet.is_final);
                tx.seal_sheet(id, &sealed).await?;
                tx.touch_game(id).await?;
                sealed
            }
        };
        if around.drafts > 0 {
            tx.erase_draft(id, side).await?;
        }
        // A YES to what was asked before does not put an older list in its place.
        if around.questions > 0 {
            tx.erase_question(id, side).await?;
        }
        let settles = if other { self.settles(tx, &game).await? } else { None };
        let resolved = other && settles.is_none() && self.resolve_if_complete(tx, &game).await?;
        // The opponent sees that a sheet was replaced, but need not be called for that.
        if first && !resolved && around.webhooks > 0 {
            self.tell_sealed(tx, id, seat.side()).await?;
        }
        // At a shared device the other side is to write now. A resolved turn is for both to look at.
        if !resolved && game.device.is_some_and(|device| device.sitting == Some(seat.side())) {
            tx.seat_at_device(id, None).await?;
        }
        Ok(receipt(sheet.turn, row, resolved, settles))
    }

    /// Until when both may still replace their sheets, now that both are in; `None` if the turn is to be resolved at once.
    /// The time runs from the last seal, and replacing does not begin it anew, so that it has an end. It is never past
    /// the deadline, and two sheets marked as final waive it.
    async fn settles(&self, tx: &mut Writer, game: &Game) -> Result<Option<Timestamp>, PlayError> {
        let (id, now) = (game.id.as_str(), self.clock.now());
        if game.terms.second_thoughts == 0 || game.device.is_some() || tx.both_final(id, game.turn()).await? {
            return Ok(None);
        }
        let whole = Timestamp(now.0 + i64::from(game.terms.second_thoughts) * MINUTE);
        let settles = game.settles.unwrap_or_else(|| game.due.map_or(whole, |due| due.min(whole)));
        tx.set_settle(id, Some(settles.0)).await?;
        Ok((settles > now).then_some(settles))
    }

    /// A seat that was reissued while the request was on its way seals nothing.
    pub(in crate::play) async fn still_held(&self, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
        let row = tx.seat(seat.game().as_str(), seat.side().word()).await?.ok_or(PlayError::NotFound)?;
        if row.taken_at.is_some() && row.link_generation == seat.generation() {
            Ok(())
        } else {
            Err(PlayError::NotFound)
        }
    }

    /// A freshly salted and sealed sheet.
    fn sealed_row(&self, game: &Game, seat: &Seat, text: String, is_final: bool) -> SheetRow {
        let now = self.clock.now().0;
        let salt = data_encoding::HEXLOWER.encode(&self.chance.bytes::<16>());
        SheetRow {
            side: seat.side().word().to_owned(),
            turn: game.turn(),
            seal: seal_of(&game.id, game.standing.turn(), seat.side(), &salt, &text),
            body: text,
            salt,
            sealed_at: now,
            final_at: is_final.then_some(now),
        }
    }
}

/// Reads the text of a sheet; an empty one must be meant.
fn read(standing: &Standing, seat: &Seat, sheet: &ToSeal) -> Result<Sheet, PlayError> {
    let read = standing.parse(seat.side(), &sheet.text)?;
    if read.is_empty() && !sheet.empty_is_meant && !read.text_says_empty(&sheet.text) {
        return Err(PlayError::EmptyNotMeant);
    }
    Ok(read)
}

/// A sheet for a turn that is over: whoever lost the answer to the seal that was used gets the
/// same receipt once more; anybody else is told that the turn is over.
async fn late(tx: &mut Writer, game: &Game, seat: &Seat, sheet: &ToSeal) -> Result<Receipt, PlayError> {
    let setup = game.standing.setup();
    let over = PlayError::TurnOver { turn: sheet.turn, name: setup.turn_name(sheet.turn) };
    let id = game.id.as_str();
    let Some(row) = tx.turn(id, i64::from(sheet.turn)).await? else { return Err(over) };
    let before = before(tx, game, sheet.turn).await?;
    let used = match seat.side() {
        crate::rules::Side::Red => row.red,
        crate::rules::Side::Blue => row.blue,
    };
    match read(&before, seat, sheet) {
        Ok(read) if read.canonical() == used.body => {
            let row = SheetRow {
                side: seat.side().word().to_owned(),
                turn: row.turn,
                body: used.body,
                salt: used.salt,
                seal: used.seal,
                sealed_at: used.sealed_at,
                final_at: None,
            };
            Ok(receipt(sheet.turn, row, true, None))
        }
        _ => Err(over),
    }
}

fn receipt(turn: u32, row: SheetRow, resolved: bool, settles: Option<Timestamp>) -> Receipt {
    Receipt {
        turn,
        text: row.body,
        seal: Seal { hash: row.seal, at: Timestamp(row.sealed_at) },
        salt: row.salt,
        resolved,
        settles,
    }
}
