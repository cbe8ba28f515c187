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

    async fn seal_in(&self, tx: &mut Writer, seat: &Seat, sheet: &ToSeal) -> Result<Receipt, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if sheet.turn < game.standing.turn() {
            return late(tx, &game, seat, sheet).await;
        }
        game.awaits(sheet.turn)?;
        let read = read(&game.standing, seat, sheet)?;
        let text = read.canonical();
        let other = tx.seal(game.id.as_str(), seat.side().other().word()).await?.is_some();
        if other && !sheet.may_resolve {
            return Err(PlayError::WouldResolve(seat.side().other().name()));
        }
        let row = match tx.own_sheet(game.id.as_str(), seat.side().word()).await? {
            Some(sealed) if sealed.turn == game.turn() && sealed.body == text => {
                tx.erase_draft(game.id.as_str(), seat.side().word()).await?;
                sealed
            }
            _ => {
                let sealed = self.sealed_row(&game, seat, text);
                tx.seal_sheet(game.id.as_str(), &sealed).await?;
                tx.erase_draft(game.id.as_str(), seat.side().word()).await?;
                tx.touch_game(game.id.as_str()).await?;
                sealed
            }
        };
        let resolved = self.resolve_if_complete(tx, &game).await?;
        // At a shared device the other side is to write now. A resolved turn is for both to look at.
        if !resolved && game.device.is_some_and(|device| device.sitting == Some(seat.side())) {
            tx.seat_at_device(game.id.as_str(), None).await?;
        }
        Ok(receipt(sheet.turn, row, resolved))
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
    fn sealed_row(&self, game: &Game, seat: &Seat, text: String) -> SheetRow {
        let salt = data_encoding::HEXLOWER.encode(&self.chance.bytes::<16>());
        SheetRow {
            side: seat.side().word().to_owned(),
            turn: game.turn(),
            seal: seal_of(&game.id, game.standing.turn(), seat.side(), &salt, &text),
            body: text,
            salt,
            sealed_at: self.clock.now().0,
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
            };
            Ok(receipt(sheet.turn, row, true))
        }
        _ => Err(over),
    }
}

fn receipt(turn: u32, row: SheetRow, resolved: bool) -> Receipt {
    Receipt {
        turn,
        text: row.body,
        seal: Seal { hash: row.seal, at: Timestamp(row.sealed_at) },
        salt: row.salt,
        resolved,
    }
}
