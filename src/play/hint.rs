//! A hint: what the computer would order for a side, in a game against it, at one device, and after the end.
//!
//! It takes the open position and nothing else. In a running game between two people there is none: both would have to
//! rely on the other's not asking.

use crate::bot::{self, Budget, Level};
use crate::play::game::Game;
use crate::play::proof::before;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{Sheet, Standing};
use crate::store::{Reader, SeatRow};

/// The level that gives hints: good ones, in a few milliseconds, without a budget to keep to.
const LEVEL: Level = Level::Medium;
/// How many hints are computed at the same time; further ones wait.
pub(in crate::play) const AT_ONCE: usize = 1;

/// What the computer would write, and where.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The position that it took.
    pub standing: Standing,
    /// Its sheet.
    pub sheet: Sheet,
}

/// Whether the holder of a seat may have a hint.
pub(in crate::play) fn may_ask(game: &Game, theirs: &SeatRow) -> bool {
    game.ended.is_some() || game.device.is_some() || theirs.computer.is_some()
}

impl Play {
    /// What the computer would order on this seat: for the awaited turn, or after the end for any that was played. Nothing
    /// is kept, and asked again it may have another idea.
    ///
    /// # Errors
    /// [`PlayError::NoHint`] in a running game between two people; [`PlayError::TurnOver`] and [`PlayError::TurnAhead`]
    /// for a turn that is not awaited; after the end [`PlayError::NotFound`] for one that was not played.
    pub async fn hint(&self, seat: &Seat, turn: u32) -> Result<Hint, PlayError> {
        let asker = seat.clone();
        let standing = self.store.read(move |tx| Box::pin(async move { at(tx, &asker, turn).await })).await?;
        let (side, seed) = (seat.side(), self.chance.bytes());
        let Ok(_turn) = self.hints.acquire().await else { return Err(PlayError::TooMany("No hint can be had now.")) };
        let thought = tokio::task::spawn_blocking(move || {
            let sheet = bot::sheet(&standing, side, LEVEL, seed, Budget::USUAL);
            Hint { standing, sheet }
        });
        thought.await.map_err(|_| PlayError::Broken("hint".into()))
    }
}

/// The standing that a hint is asked about.
async fn at(tx: &mut Reader, seat: &Seat, turn: u32) -> Result<Standing, PlayError> {
    let (id, side) = (seat.game().as_str(), seat.side());
    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
    let theirs = tx.seat(id, side.other().word()).await?.ok_or(PlayError::NotFound)?;
    if !may_ask(&game, &theirs) {
        return Err(PlayError::NoHint);
    }
    if game.ended.is_none() {
        game.awaits(turn)?;
        return Ok(game.standing);
    }
    tx.turn(id, i64::from(turn)).await?.ok_or(PlayError::NotFound)?;
    before(tx, &game, turn).await
}
