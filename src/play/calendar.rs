//! The calendar of what a seat, or a person, still has to write: read by programs at a secret address.
//!
//! A seat's address names the seat and proves it by a secret of the seat's generation, so it dies with a reissue. A
//! person's is made when it is asked for, and again when the old one has got about; a newer one shuts the older out.

use subtle::ConstantTimeEq;

use crate::clock::Timestamp;
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::people::Person;
use crate::play::{GameId, Play, PlayError, Secret};
use crate::rules::{BySide, Side};
use crate::store::{Reader, SeatRow};

/// A deadline by which a seat still has to seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The game.
    pub game: GameId,
    /// Whose sheet is awaited.
    pub side: Side,
    /// The turn that is awaited.
    pub turn: u32,
    /// That turn in words.
    pub turn_name: String,
    /// The game's name, `Field Command`.
    pub game_name: &'static str,
    /// Both names.
    pub names: BySide<Option<String>>,
    /// When it is due.
    pub due: Timestamp,
    /// Since when the turn is awaited.
    pub since: Timestamp,
    /// Rises whenever the deadline moves, and with other changes that both players may know of.
    pub version: i64,
}

impl Play {
    /// The deadlines of the seat or the person that an address belongs to, in their order. A game that is paused, has no
    /// deadlines or is over adds none, and neither does a seat that has sealed.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for an address that opens nothing (any more).
    pub async fn calendar(&self, secret: &Secret) -> Result<Vec<Deadline>, PlayError> {
        let (play, secret) = (self.clone(), secret.clone());
        let mut deadlines = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let seats = match seat_named(&secret) {
                        Some((game, side)) => vec![play.seat_of_calendar(tx, &secret, &game, side).await?],
                        None => seats_of_person(tx, &secret).await?,
                    };
                    let mut deadlines = Vec::new();
                    for seat in seats {
                        deadlines.extend(deadline(tx, &seat, play.clock.now()).await?);
                    }
                    Ok::<_, PlayError>(deadlines)
                })
            })
            .await?;
        deadlines.sort_by(|one, other| {
            (one.due, one.game.as_str(), one.side).cmp(&(other.due, other.game.as_str(), other.side))
        });
        Ok(deadlines)
    }

    /// The secret of a seat's calendar.
    pub(in crate::play) fn calendar_of_seat(&self, game: &GameId, side: Side, generation: i64) -> Secret {
        let proof = self.key.derive(Purpose::Calendar, game, side, generation);
        Secret::sent(&format!("{game}-{}-{}", side.word(), proof.reveal()))
    }

    /// The seat of a calendar's secret. One that is wrong costs the same whether there is such a game or not.
    async fn seat_of_calendar(
        &self,
        tx: &mut Reader,
        secret: &Secret,
        game: &GameId,
        side: Side,
    ) -> Result<SeatRow, PlayError> {
        let row = tx.seat(game.as_str(), side.word()).await?;
        let generation = row.as_ref().map_or(0, |row| row.link_generation);
        let right = self.calendar_of_seat(game, side, generation);
        let proven: bool = right.reveal().as_bytes().ct_eq(secret.reveal().as_bytes()).into();
        row.filter(|row| proven && row.taken_at.is_some()).ok_or(PlayError::NotFound)
    }

    /// The secret of the calendar of all seats of who is signed in, if one was made.
    ///
    /// # Errors
    /// The store failed.
    pub async fn calendar_of(&self, person: &Person) -> Result<Option<Secret>, PlayError> {
        let id = person.id.clone();
        let kept = self.store.read(move |tx| Box::pin(async move { tx.calendar(&id).await })).await?;
        let open = kept.filter(|kept| kept.calendar_hash.is_some()).and_then(|kept| kept.calendar_generation);
        Ok(open.map(|generation| self.key.calendar_of_person(&person.id, generation)))
    }

    /// Makes an address of the calendar of who is signed in. One that there was opens nothing any more.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] if nobody is signed in.
    pub async fn renew_calendar(&self, session: &Secret) -> Result<(), PlayError> {
        let (play, hash) = (self.clone(), session.hash());
        self.store
            .write(move |tx| {
                let (play, hash) = (play.clone(), hash.clone());
                Box::pin(async move {
                    let person = tx.session_person(&hash).await?.ok_or(PlayError::NotFound)?;
                    let kept = tx.calendar(&person.id).await?;
                    let generation = kept.and_then(|kept| kept.calendar_generation).unwrap_or(0) + 1;
                    let secret = play.key.calendar_of_person(&person.id, generation);
                    Ok(tx.open_calendar(&person.id, generation, &secret.hash()).await?)
                })
            })
            .await
    }
}

/// The seat that a secret names, if it is not a person's.
pub(in crate::play) fn seat_named(secret: &Secret) -> Option<(GameId, Side)> {
    let (game, rest) = secret.reveal().split_once('-')?;
    let (side, _) = rest.split_once('-')?;
    Some((GameId::parse(game)?, Side::from_word(side)?))
}

/// The seats of a person in games that have a deadline.
async fn seats_of_person(tx: &mut Reader, secret: &Secret) -> Result<Vec<SeatRow>, PlayError> {
    let person = tx.person_of_calendar(&secret.hash()).await?.ok_or(PlayError::NotFound)?;
    let mut seats = Vec::new();
    for held in tx.due_seats_of_person(&person).await? {
        seats.extend(tx.seat(&held.game_id, &held.side).await?);
    }
    Ok(seats)
}

/// The deadline by which a seat has to seal, if there is one.
async fn deadline(tx: &mut Reader, seat: &SeatRow, now: Timestamp) -> Result<Option<Deadline>, PlayError> {
    let side = Side::from_word(&seat.side).ok_or_else(|| PlayError::Broken("seat".into()))?;
    let game = Game::read(&tx.game(&seat.game_id).await?.ok_or(PlayError::NotFound)?)?;
    let owed = game.ended.is_none() && game.pause(now).is_none() && *game.standing.awaits().get(side);
    let Some(due) = game.due.filter(|_| owed) else { return Ok(None) };
    if tx.seal(&seat.game_id, &seat.side).await?.is_some() {
        return Ok(None);
    }
    let seats = tx.seats(&seat.game_id).await?;
    let name = |side: Side| seats.iter().find(|row| row.side == side.word()).and_then(|row| row.name.clone());
    Ok(Some(Deadline {
        side,
        turn: game.standing.turn(),
        turn_name: game.standing.turn_name(),
        game_name: game.standing.setup().game_name(),
        names: BySide { red: name(Side::Red), blue: name(Side::Blue) },
        due,
        since: game.moved,
        version: game.version,
        game: game.id,
    }))
}
