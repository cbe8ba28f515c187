//! Letters that come back, and letters that are not wanted: what stops the letters of a seat, and what lets them go again.
//!
//! The game goes on without them. The opponent is told, since it says how soon an answer can be hoped for.

use subtle::ConstantTimeEq;

use crate::clock::Timestamp;
use crate::metrics::LetterFate;
use crate::play::calendar::seat_named;
use crate::play::ids::Purpose;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{SeatRow, Writer};

/// After how many letters that came back for good no more leave to a seat.
const MOST_BACK: i64 = 3;
/// The longest reason that is kept, in characters.
const WHY_MAX: usize = 300;

/// Why no letters go to a seat that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Its player wants none about this game.
    Unwanted(Timestamp),
    /// Too many came back.
    Returned(Timestamp),
}

impl Stopped {
    /// Why no letters go to a seat; what its player wants counts first.
    pub(in crate::play) fn of(row: &SeatRow) -> Option<Stopped> {
        let unwanted = row.letters_off_at.map(|at| Stopped::Unwanted(Timestamp(at)));
        unwanted.or_else(|| row.letters_back_at.map(|at| Stopped::Returned(Timestamp(at))))
    }

    /// The word in the API.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Stopped::Unwanted(_) => "unwanted",
            Stopped::Returned(_) => "returned",
        }
    }
}

impl Play {
    /// Keeps that a letter came back, with what the other side said; `hard` if no later letter will fare better. After
    /// the third such letter none leave to that seat until its player says so. A letter that is not known (any more),
    /// or that came back for good before, changes nothing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letter_bounced(&self, letter_id: &str, hard: bool, why: &str) -> Result<(), PlayError> {
        let why: String = why.chars().filter(|c| !c.is_control()).take(WHY_MAX).collect();
        let (play, id) = (self.clone(), letter_id.to_owned());
        let news = self
            .store
            .write(move |tx| {
                let (play, id, why) = (play.clone(), id.clone(), why.clone());
                Box::pin(async move { play.bounced_in(tx, &id, hard, &why).await })
            })
            .await?;
        self.metrics.mail("bounce");
        self.metrics.letter(LetterFate::Returned);
        for game in &news {
            self.announce(game);
        }
        Ok(())
    }

    /// The same, within a transaction. Gives the games whose players see something new. With a digest comes back what is
    /// folded into it.
    pub(super) async fn bounced_in(
        &self,
        tx: &mut Writer,
        id: &str,
        hard: bool,
        why: &str,
    ) -> Result<Vec<GameId>, PlayError> {
        let mut news = Vec::new();
        for letter in [vec![id.to_owned()], tx.folded_into(id).await?].concat() {
            news.extend(self.one_bounced(tx, &letter, hard, why).await?);
        }
        Ok(news)
    }

    async fn one_bounced(&self, tx: &mut Writer, id: &str, hard: bool, why: &str) -> Result<Option<GameId>, PlayError> {
        let Some(letter) = tx.returned_letter(id).await? else { return Ok(None) };
        let (now, seat) = (self.clock.now().0, letter.game_id.as_deref().zip(letter.side.as_deref()));
        if let Some((game, _)) = seat {
            // That its row cannot be read is no reason not to keep what became of a letter.
            tx.lock_game(game).await?.ok_or(PlayError::NotFound)?;
        }
        tx.letter_returned(id, now, hard, why).await?;
        let ((true, None), Some((game, side))) = ((hard, letter.returned_hard_at), seat) else { return Ok(None) };
        let row = tx.seat(game, side).await?.ok_or(PlayError::NotFound)?;
        let Some(person) = row.person_id.as_deref().filter(|_| row.letters_back_at.is_none()) else { return Ok(None) };
        if tx.letters_come_back(game, side, person, row.letters_since.unwrap_or(0)).await? < MOST_BACK {
            return Ok(None);
        }
        tx.bar_letters(game, side, now).await?;
        tx.touch_game(game).await?;
        Ok(GameId::parse(game))
    }

    /// Lets no more letters about the game go to a seat: its player wants none.
    ///
    /// # Errors
    /// The store failed; the seat is somebody else's by now.
    pub async fn stop_letters(&self, seat: &Seat) -> Result<(), PlayError> {
        self.set_letters(seat, false).await
    }

    /// Lets letters about the game go to a seat again.
    ///
    /// # Errors
    /// The store failed; the seat is somebody else's by now.
    pub async fn resume_letters(&self, seat: &Seat) -> Result<(), PlayError> {
        self.set_letters(seat, true).await
    }

    async fn set_letters(&self, seat: &Seat, on: bool) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let (id, side) = (seat.game().as_str(), seat.side().word());
                    play.lock(tx, id).await?;
                    play.still_held(tx, &seat).await?;
                    let now = play.clock.now().0;
                    if on {
                        tx.resume_letters(id, side, now).await?;
                    } else {
                        tx.stop_letters(id, side, now).await?;
                    }
                    Ok::<_, PlayError>(tx.touch_game(id).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// The secret of the page on which the letters of a seat are stopped. It does nothing else.
    #[must_use]
    pub fn unsubscribe_secret(&self, seat: &Seat) -> Secret {
        self.unsubscribe(seat.game(), seat.side(), seat.generation())
    }

    fn unsubscribe(&self, game: &GameId, side: Side, generation: i64) -> Secret {
        let proof = self.key.derive(Purpose::Unsubscribe, game, side, generation);
        Secret::sent(&format!("{game}-{}-{}", side.word(), proof.reveal()))
    }

    /// The seat whose letters a secret stops. One that is wrong costs the same whether there is such a game or not.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a secret that stops nothing (any more).
    pub async fn seat_of_unsubscribing(&self, secret: &Secret) -> Result<Seat, PlayError> {
        let (game, side) = seat_named(secret).ok_or(PlayError::NotFound)?;
        let id = game.to_string();
        let row = self.store.read(move |tx| Box::pin(async move { tx.seat(&id, side.word()).await })).await?;
        let generation = row.as_ref().map_or(0, |row| row.link_generation);
        let right = self.unsubscribe(&game, side, generation);
        let proven: bool = right.reveal().as_bytes().ct_eq(secret.reveal().as_bytes()).into();
        row.filter(|row| proven && row.taken_at.is_some()).ok_or(PlayError::NotFound)?;
        Ok(Seat::new(game, side, generation))
    }
}
