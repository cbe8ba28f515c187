//! Computer players: games against one, the calls by which they are asked for a sheet, and their answers.
//!
//! A computer's seat is called in the transaction in which its turn begins to be awaited. Whoever runs computers leases the
//! call, computes the sheet outside any transaction, and seals it as a person would. A computer knows what its seat may
//! know, which is the open standing; what it chooses by follows from the server's key, so that nobody can replay it, and a
//! call that is answered twice is answered in the same way.

use crate::bot::Level;
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::open::{Company, NewGame, OtherSeat};
use crate::play::seal::ToSeal;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{BySide, Sheet, Side, Standing};
use crate::store::{CallRow, SeatRow, Writer};

/// How long a call is leased, in milliseconds: far longer than a sheet takes.
const LEASE: i64 = 60_000;
/// How a computer's name begins. No person may have such a name.
const NAME: &str = "Computer (";

/// The computer that plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computer {
    /// How well it plays.
    pub level: Level,
    /// The first turn that it writes.
    pub since: u32,
}

impl Computer {
    /// Reads it from a seat; `None` on the seat of a person, and on a free one.
    pub(in crate::play) fn of(seat: &SeatRow) -> Result<Option<Computer>, PlayError> {
        let Some(level) = &seat.computer else { return Ok(None) };
        let broken = || PlayError::Broken("computer".into());
        let since = seat.computer_since.and_then(|turn| u32::try_from(turn).ok()).ok_or_else(broken)?;
        Ok(Some(Computer { level: Level::from_word(level).ok_or_else(broken)?, since }))
    }

    /// The computers of a game's seats.
    pub(in crate::play) fn of_both(seats: &[SeatRow]) -> Result<BySide<Option<Computer>>, PlayError> {
        let of = |side: Side| match seats.iter().find(|row| row.side == side.word()) {
            Some(row) => Computer::of(row),
            None => Ok(None),
        };
        Ok(BySide { red: of(Side::Red)?, blue: of(Side::Blue)? })
    }
}

/// The name of a computer: `Computer (hard)`.
#[must_use]
pub fn name(level: Level) -> String {
    format!("{NAME}{})", level.word())
}

/// Whether a name could be taken for a computer's.
pub(in crate::play) fn like_a_computer(name: &str) -> bool {
    name.to_lowercase().starts_with(&NAME.to_lowercase())
}

/// A game against a computer that has been opened.
#[derive(Clone, Debug)]
pub struct OpenedAgainst {
    /// The game.
    pub game: GameId,
    /// The side that the opener holds.
    pub side: Side,
    /// The secret of the opener's seat: link and API token.
    pub link: Secret,
}

/// A computer's sheet that is awaited, and all that it is made of.
#[derive(Clone, Debug)]
pub struct Call {
    row: CallRow,
    seat: Seat,
    /// The open standing.
    pub standing: Standing,
    /// How well the computer plays.
    pub level: Level,
    /// What it chooses by.
    pub seed: [u8; 32],
}

impl Call {
    /// Whose sheet it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.seat.side()
    }

    /// The game, for the log.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        self.seat.game()
    }
}

impl Play {
    /// Opens a game against a computer: both seats are taken, and the opener may write at once. Such a game is private.
    ///
    /// # Errors
    /// As [`Play::open`]; also [`PlayError::Field`] of `public` or `challenge_days` for a game that others shall have to do with.
    pub async fn open_against(&self, new: NewGame, level: Level) -> Result<OpenedAgainst, PlayError> {
        let refused = |field, problem: &str| Err(PlayError::Field { field, problem: problem.into() });
        if new.company.public {
            return refused("public", "must be false: a game against the computer is private");
        }
        if new.company.challenge_days.is_some() {
            return refused("challenge_days", "must be left out: the computer has taken the other seat");
        }
        let mut kept = self.drawn(&NewGame { company: Company::default(), ..new }, None)?;
        let (game, side) = (kept.game.clone(), kept.opener);
        kept.other = OtherSeat::Computer(level);
        self.keep(kept).await?;
        self.announce(&game);
        Ok(OpenedAgainst { link: self.key.derive(Purpose::Link, &game, side, 1), game, side })
    }

    /// Gives a seat of a locked game to a computer, with a link that nobody has.
    pub(in crate::play) async fn seat_computer(
        &self,
        tx: &mut Writer,
        game: &GameId,
        side: Side,
        level: Level,
    ) -> Result<(), PlayError> {
        let row = tx.seat(game.as_str(), side.word()).await?.ok_or(PlayError::NotFound)?;
        let generation = row.link_generation + 1;
        let link = self.key.derive(Purpose::Link, game, side, generation).hash();
        let (name, now) = (name(level), self.clock.now().0);
        Ok(tx.seat_computer(game.as_str(), side.word(), (level.word(), &name), (generation, &link), now).await?)
    }

    /// Leases the call that has waited longest. `None` where no computer has anything to write.
    ///
    /// # Errors
    /// The store failed. A call whose game cannot be read is passed over, and comes again when its lease is over.
    pub async fn lease_call(&self) -> Result<Option<Call>, PlayError> {
        let now = self.clock.now().0;
        // Looking first costs no write lock, and mostly nobody is called.
        let play = self.clone();
        let looking = self.store.read(move |tx| {
            Box::pin(async move { Ok::<_, PlayError>(play.awake(tx).await? && tx.calls_waiting(now).await? > 0) })
        });
        if !looking.await? {
            return Ok(None);
        }
        let mut unreadable = Vec::new();
        loop {
            let by = self.claims_as();
            let leasing = self.store.write(move |tx| {
                let by = by.clone();
                Box::pin(async move { tx.lease_call(now, now + LEASE, by.as_deref()).await })
            });
            // None comes twice while its lease lasts, unless this process is taken for dead meanwhile.
            let Some(row) = leasing.await?.filter(|row| !unreadable.contains(row)) else { return Ok(None) };
            match self.leased(&row).await {
                Ok(Some(call)) => return Ok(Some(call)),
                Ok(None) => {}
                // One game that cannot be read does not hold up the others: it stays leased.
                Err(error) => {
                    tracing::error!(game = row.game_id, error = %error.cause(), "a computer's game cannot be read");
                    unreadable.push(row);
                }
            }
        }
    }

    /// What a leased call asks for. One that asks for nothing any more is dropped.
    async fn leased(&self, row: &CallRow) -> Result<Option<Call>, PlayError> {
        let (play, row) = (self.clone(), row.clone());
        self.store
            .write(move |tx| {
                let (play, row) = (play.clone(), row.clone());
                Box::pin(async move {
                    let call = play.call(tx, &row).await?;
                    if call.is_none() {
                        tx.drop_call(&row).await?;
                    }
                    Ok(call)
                })
            })
            .await
    }

    /// What a call asks for; `None` where nothing is awaited any more.
    async fn call(&self, tx: &mut Writer, row: &CallRow) -> Result<Option<Call>, PlayError> {
        let game = Game::read(&tx.game(&row.game_id).await?.ok_or(PlayError::NotFound)?)?;
        let seat = tx.seat(&row.game_id, &row.side).await?.ok_or(PlayError::NotFound)?;
        let side = Side::from_word(&row.side).ok_or_else(|| PlayError::Broken("seat".into()))?;
        let sealed = tx.seal(&row.game_id, &row.side).await?.is_some();
        let Some(computer) = Computer::of(&seat)? else { return Ok(None) };
        if game.ended.is_some() || game.turn() != row.turn || sealed {
            return Ok(None);
        }
        Ok(Some(Call {
            row: row.clone(),
            seed: self.key.computer_seed(&game.id, game.standing.turn(), side),
            seat: Seat::new(game.id, side, seat.link_generation),
            standing: game.standing,
            level: computer.level,
        }))
    }

    /// Seals what a computer has written. Where the turn is over meanwhile, or the game, nothing is done.
    ///
    /// # Errors
    /// The store failed; the call comes again when its lease is over.
    pub async fn answer_call(&self, call: &Call, sheet: &Sheet) -> Result<(), PlayError> {
        let sheet = ToSeal {
            turn: call.standing.turn(),
            text: sheet.canonical(),
            empty_is_meant: true,
            may_resolve: true,
            // It thinks once; what its opponent does with the time for second thoughts is another matter.
            is_final: true,
        };
        match self.seal(&call.seat, sheet).await {
            Ok(_) | Err(PlayError::TurnOver { .. } | PlayError::GameOver | PlayError::NotFound) => {}
            Err(error) => return Err(error),
        }
        let row = call.row.clone();
        self.store
            .write(move |tx| {
                let row = row.clone();
                Box::pin(async move { Ok(tx.drop_call(&row).await?) })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computer_is_named_by_its_level_and_nobody_else_is() {
        assert_eq!(name(Level::Hard), "Computer (hard)");
        assert!(like_a_computer("computer (Hard)") && !like_a_computer("Computer Lee"));
    }
}
