//! Playing again with sides changed: the same settings, both players, no invitation.
//!
//! Whoever asks first opens the new game and sits in it; the other seat is kept for the opponent, who takes it by asking for the same.
//! A computer sits in it at once.
//! The old game's row is the lock, so two who ask at once meet in one game.

use crate::play::challenge::blocked;
use crate::play::computer::Computer;
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::invite::Taken;
use crate::play::letters::LetterKind;
use crate::play::open::{Company, NewlyKept, OtherSeat};
use crate::play::{GameId, Play, PlayError, Seat};
use crate::rules::{BySide, Side};
use crate::store::{Reader, SeatRow, Writer};

/// How it stands with playing again, after the end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// It cannot be asked for: the game goes on, or both sit at one device, or the seat was given to somebody else, or one of
    /// both has blocked the other.
    #[default]
    No,
    /// Nobody has asked.
    Free,
    /// The opponent has asked, and waits in this game.
    Asked(GameId),
    /// This player sits in this game.
    Mine(GameId),
}

impl Play {
    /// Asks to play again with sides changed, or agrees to it, or finds the way to where that was done already.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] while the game goes on; [`PlayError::NoRematch`] where the two are not to meet again;
    /// [`PlayError::SeatTaken`] where the seat was given to somebody else at this moment.
    pub async fn play_again(&self, seat: &Seat) -> Result<Taken, PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        let taken = self
            .store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.play_again_in(tx, &seat).await })
            })
            .await?;
        self.announce(seat.game());
        self.announce(&taken.game);
        Ok(taken)
    }

    async fn play_again_in(&self, tx: &mut Writer, seat: &Seat) -> Result<Taken, PlayError> {
        let old = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        let mine = tx.seat(old.id.as_str(), seat.side().word()).await?.ok_or(PlayError::NotFound)?;
        let (id, side) = match again(tx, &old, seat.side()).await? {
            Again::No if old.ended.is_none() || old.device.is_some() => return Err(PlayError::NotFound),
            Again::No => return Err(PlayError::NoRematch),
            Again::Free => (self.open_rematch(tx, &old, seat.side(), &mine).await?, seat.side().other()),
            Again::Asked(id) => (self.join_rematch(tx, id, seat.side().other(), &mine).await?, seat.side().other()),
            Again::Mine(id) => (id, seat.side().other()),
        };
        let row = tx.seat(id.as_str(), side.word()).await?.ok_or(PlayError::NotFound)?;
        let link = self.key.derive(Purpose::Link, &id, side, row.link_generation);
        Ok(Taken { game: id, side, link })
    }

    /// Opens the new game and seats who asked.
    async fn open_rematch(&self, tx: &mut Writer, old: &Game, side: Side, mine: &SeatRow) -> Result<GameId, PlayError> {
        let company = tx.company(old.id.as_str()).await?.ok_or(PlayError::NotFound)?;
        let theirs = tx.seat(old.id.as_str(), side.other().word()).await?.ok_or(PlayError::NotFound)?;
        let computer = Computer::of(&theirs)?;
        let id = GameId::draw(&self.chance);
        let opener = side.other();
        let mut names = BySide { red: None, blue: None };
        names.get_mut(opener).clone_from(&mine.name);
        let new = NewlyKept {
            game: id.clone(),
            opener,
            setup: old.standing.setup(),
            pace: old.pace.clone(),
            start: None,
            terms: old.terms.clone(),
            names,
            address: None,
            other: computer.map_or(OtherSeat::Kept, |computer| OtherSeat::Computer(computer.level)),
            company: Company { public: company.public_at.is_some(), challenge_days: None },
        };
        self.keep_new(tx, new).await?;
        tx.set_address(id.as_str(), opener.word(), None, mine.person_id.as_deref()).await?;
        tx.set_rematch_of(id.as_str(), old.id.as_str()).await?;
        tx.touch_game(old.id.as_str()).await?;
        self.queue_letter(tx, old, side.other(), LetterKind::Rematch, 0).await?;
        Ok(id)
    }

    /// Takes the seat that was kept.
    async fn join_rematch(&self, tx: &mut Writer, id: GameId, side: Side, mine: &SeatRow) -> Result<GameId, PlayError> {
        let new = self.lock(tx, id.as_str()).await?;
        if new.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        let now = self.clock.now();
        if !tx.take_seat(id.as_str(), side.word(), mine.name.as_deref(), now.0).await? {
            return Err(PlayError::SeatTaken);
        }
        tx.set_address(id.as_str(), side.word(), None, mine.person_id.as_deref()).await?;
        self.begin_span(tx, &new, true).await?;
        tx.set_moved(id.as_str(), now.0).await?;
        self.seated(tx, id.as_str(), side, mine.name.as_deref()).await?;
        self.tell_both_awaited(tx, id.as_str()).await?;
        tx.touch_game(id.as_str()).await?;
        tx.touch_game(mine.game_id.as_str()).await?;
        Ok(id)
    }
}

/// Whether one of the two players has blocked the other. Neither learns which: it counts both ways, as for challenges.
async fn apart(tx: &mut Reader, old: &Game) -> Result<bool, PlayError> {
    let red = tx.seat(old.id.as_str(), Side::Red.word()).await?.ok_or(PlayError::NotFound)?;
    let blue = tx.seat(old.id.as_str(), Side::Blue.word()).await?.ok_or(PlayError::NotFound)?;
    Ok(blocked(tx, &red, &blue).await? == Some(true) || blocked(tx, &blue, &red).await? == Some(true))
}

/// How it stands with playing again, for the player of a side.
pub(in crate::play) async fn again(tx: &mut Reader, old: &Game, side: Side) -> Result<Again, PlayError> {
    let company = tx.company(old.id.as_str()).await?.ok_or(PlayError::NotFound)?;
    if old.ended.is_none() || old.device.is_some() || company.seated_at.is_none() {
        return Ok(Again::No);
    }
    let Some(id) = tx.rematch(old.id.as_str()).await?.as_deref().and_then(GameId::parse) else {
        return Ok(if apart(tx, old).await? { Again::No } else { Again::Free });
    };
    let game = tx.game(id.as_str()).await?.ok_or(PlayError::NotFound)?;
    if game.opener == side.other().word() {
        return Ok(Again::Mine(id));
    }
    // The seat was kept for this player, as long as no invitation to it was ever made.
    let row = tx.seat(id.as_str(), side.other().word()).await?.ok_or(PlayError::NotFound)?;
    Ok(match (row.invitation_generation, row.taken_at) {
        (0, Some(_)) => Again::Mine(id),
        (0, None) if game.ended_at.is_none() && !apart(tx, old).await? => Again::Asked(id),
        _ => Again::No,
    })
}
