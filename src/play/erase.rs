//! Removing a person. What both players made together stays: orders, results and seals are the opponent's too. What told
//! who it was goes: the name, the address, what was wished, notes, what-ifs, sessions, links by mail.
//!
//! Of the person nothing is kept but the bare id, so that a backup which is put back forgets them again.

use crate::clock::Timestamp;
use crate::play::game::Game;
use crate::play::mailed::address_key;
use crate::play::people::{person_in, proven_lately, sign_out_everywhere, stale};
use crate::play::view::{GameLine, game_line};
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{ErasureRow, Reader, Writer};

/// What stands in place of the name.
pub const FORMER: &str = "former player";

/// What becomes of games that are still played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// They are resigned.
    Resign,
    /// They go on, without a name and without letters, by the links to their seats.
    Keep,
}

/// A person who was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The id that the person had.
    pub person: String,
    /// When.
    pub at: Timestamp,
}

impl Play {
    /// The games of who is signed in that are still played, as far as their player has watched them.
    ///
    /// # Errors
    /// The store failed; [`PlayError::NotFound`] if nobody is signed in.
    pub async fn running_games(&self, session: &Secret) -> Result<Vec<GameLine>, PlayError> {
        let hash = session.hash();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let person = person_in(tx, &hash).await?.ok_or(PlayError::NotFound)?;
                    let mut lines = Vec::new();
                    for seat in own_seats(tx, &person.id).await? {
                        lines.push(game_line(tx, seat.game(), seat.side(), None).await?);
                    }
                    lines.retain(|line| line.ended.is_none());
                    Ok(lines)
                })
            })
            .await
    }

    /// Removes who is signed in. Gives the browser a new session, which holds the games that go on.
    ///
    /// # Errors
    /// [`PlayError::Field`] with the field `running` if games are still played and nothing is said of them, with `sign-in`
    /// where that is not of [lately](Play::is_proven_lately); [`PlayError::NotFound`] if nobody is signed in.
    pub async fn erase(&self, session: &Secret, running: Option<Running>) -> Result<Secret, PlayError> {
        let (play, hash, fresh) = (self.clone(), session.hash(), Secret::draw(&self.chance));
        let new = fresh.clone();
        let games = self
            .store
            .write(move |tx| {
                let (play, hash, new) = (play.clone(), hash.clone(), new.hash());
                Box::pin(async move {
                    let person = person_in(tx, &hash).await?.ok_or(PlayError::NotFound)?;
                    let now = play.clock.now().0;
                    proven_lately(tx, &hash, now).await?.ok_or_else(stale)?;
                    let seats = play.erase_in(tx, &person.id, running, now).await?;
                    tx.insert_session(&new, now).await?;
                    tx.replace_session(&hash, &new).await?;
                    for seat in &seats {
                        if tx.game(seat.game().as_str()).await?.is_some_and(|game| game.ended_at.is_none()) {
                            tx.hold_seat(&new, seat.game().as_str(), seat.side().word(), now).await?;
                        }
                    }
                    Ok::<_, PlayError>(seats)
                })
            })
            .await?;
        for seat in games {
            self.announce(seat.game());
        }
        Ok(fresh)
    }

    /// Removes a person once more whom a backup has brought back. Says whether there was anybody.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erase_again(&self, erasure: &Erasure) -> Result<bool, PlayError> {
        let (play, erasure) = (self.clone(), erasure.clone());
        self.store
            .write(move |tx| {
                let (play, erasure) = (play.clone(), erasure.clone());
                Box::pin(async move {
                    let there = tx.person(&erasure.person).await?.is_some();
                    if there {
                        play.erase_in(tx, &erasure.person, Some(Running::Keep), erasure.at.0).await?;
                    } else {
                        tx.keep_erasure(&ErasureRow { person_id: erasure.person.clone(), erased_at: erasure.at.0 })
                            .await?;
                    }
                    Ok(there)
                })
            })
            .await
    }

    /// The removals since a time, for the files beside the database.
    ///
    /// # Errors
    /// The store failed.
    pub async fn erasures_since(&self, at: Timestamp) -> Result<Vec<Erasure>, PlayError> {
        let rows = self.store.read(move |tx| Box::pin(async move { tx.erasures_since(at.0).await })).await?;
        Ok(rows.into_iter().map(|row| Erasure { person: row.person_id, at: Timestamp(row.erased_at) }).collect())
    }

    /// Removes a person and gives the seats that were theirs.
    async fn erase_in(
        &self,
        tx: &mut Writer,
        person: &str,
        running: Option<Running>,
        at: i64,
    ) -> Result<Vec<Seat>, PlayError> {
        let row = tx.person(person).await?.ok_or(PlayError::NotFound)?;
        // First, while it can be told which seats were held as the person's.
        sign_out_everywhere(tx, person).await?;
        let seats = own_seats(tx, person).await?;
        for seat in &seats {
            self.forget_webhooks(tx, seat).await?;
            self.leave(tx, seat, running).await?;
        }
        tx.forget_typed_address(&row.address).await?;
        tx.forget_reissues_to(&row.address).await?;
        // Letters to the bare address that have not left, as invitations.
        for (letter, address) in tx.bare_letters().await? {
            if address_key(&address) == address_key(&row.address) {
                tx.drop_letter(&letter).await?;
            }
        }
        tx.forget_blocks(person).await?;
        tx.delete_person(person).await?;
        tx.keep_erasure(&ErasureRow { person_id: person.to_owned(), erased_at: at }).await?;
        Ok(seats)
    }

    /// Takes a person out of a seat, and out of its game if that is to be resigned.
    async fn leave(&self, tx: &mut Writer, seat: &Seat, running: Option<Running>) -> Result<(), PlayError> {
        let (id, side) = (seat.game().as_str(), seat.side().word());
        let game: Game = self.lock(tx, id).await?;
        // Before anything else: no letter goes there any more.
        tx.set_address(id, side, None, None).await?;
        if game.ended.is_none() {
            match running {
                Some(Running::Resign) => self.resign_in(tx, seat).await?,
                Some(Running::Keep) => {}
                None => {
                    let problem = "are still played: say whether they are resigned or go on without your name".into();
                    return Err(PlayError::Field { field: "running", problem });
                }
            }
        }
        tx.set_seat_name(id, side, Some(FORMER)).await?;
        tx.forget_thoughts(id, side).await?;
        tx.forget_mail(id, side).await?;
        tx.forget_player_words(id, side).await?;
        tx.empty_messages(id, side).await?;
        // The other side sees another name.
        tx.touch_game(id).await?;
        Ok(())
    }
}

/// The seats of a person.
pub(in crate::play) async fn own_seats(tx: &mut Reader, person: &str) -> Result<Vec<Seat>, PlayError> {
    let mut seats = Vec::new();
    for held in tx.seats_of_person(person).await? {
        let broken = || PlayError::Broken("seat".into());
        let row = tx.seat(&held.game_id, &held.side).await?.ok_or_else(broken)?;
        let game = GameId::parse(&held.game_id).ok_or_else(broken)?;
        seats.push(Seat::new(game, Side::from_word(&held.side).ok_or_else(broken)?, row.link_generation));
    }
    Ok(seats)
}
