//! What the two agree on: a draw, or to go on from the dawn of an earlier day in a new game. One offers, and the
//! other accepts or declines; nothing of it happens one-sidedly.
//!
//! At most one offer of a kind stands in a game: who would offer what the other has offered already is told so, and
//! accepts it or not, since two offers that cross are no agreement. An offer lapses when its turn is resolved.

use crate::clock::Timestamp;
use crate::play::game::{AGREED, CONTINUED, Game, write_standing};
use crate::play::ids::Purpose;
use crate::play::letters::LetterKind;
use crate::play::proof::before;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{Outcome, Side};
use crate::store::{OfferRow, SeatRow, Writer};

/// What can be agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// The game ends in a draw.
    Draw,
    /// The game ends here and goes on from an earlier dawn in a new one.
    Continue,
}

impl OfferKind {
    /// The word in the database and in addresses.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            OfferKind::Draw => "draw",
            OfferKind::Continue => "continue",
        }
    }

    /// The letter by which the opponent hears of it.
    const fn letter(self) -> LetterKind {
        match self {
            OfferKind::Draw => LetterKind::DrawOffer,
            OfferKind::Continue => LetterKind::ContinueOffer,
        }
    }

    fn from_word(word: &str) -> Option<OfferKind> {
        [OfferKind::Draw, OfferKind::Continue].into_iter().find(|kind| kind.word() == word)
    }
}

/// What is done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferAct {
    /// It is offered.
    Offer,
    /// The opponent's offer is accepted.
    Accept,
    /// The opponent's offer is declined.
    Decline,
    /// The own offer is withdrawn.
    Withdraw,
}

impl OfferAct {
    /// Reads the word of a form or a program.
    #[must_use]
    pub fn from_word(word: &str) -> Option<OfferAct> {
        Some(match word {
            "offer" => OfferAct::Offer,
            "accept" => OfferAct::Accept,
            "decline" => OfferAct::Decline,
            "withdraw" => OfferAct::Withdraw,
            _ => return None,
        })
    }
}

/// An offer that stands; both players see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferView {
    /// What is offered.
    pub kind: OfferKind,
    /// Who offers it.
    pub by: Side,
    /// The turn from which the game would go on anew.
    pub from_turn: Option<u32>,
    /// When it was made.
    pub at: Timestamp,
}

impl OfferView {
    fn read(row: &OfferRow) -> Result<OfferView, PlayError> {
        let broken = || PlayError::Broken("offer".into());
        Ok(OfferView {
            kind: OfferKind::from_word(&row.kind).ok_or_else(broken)?,
            by: Side::from_word(&row.side).ok_or_else(broken)?,
            from_turn: row.from_turn.map(u32::try_from).transpose().map_err(|_| broken())?,
            at: Timestamp(row.made_at),
        })
    }
}

/// The offers of a game that stand for its awaited turn.
pub(in crate::play) fn standing_offers(rows: &[OfferRow], game: &Game) -> Result<Vec<OfferView>, PlayError> {
    let stand = |row: &&OfferRow| game.ended.is_none() && row.turn == game.turn();
    rows.iter().filter(stand).map(OfferView::read).collect()
}

/// Where a game goes on, for the holder of one of its seats.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The new game.
    pub game: GameId,
    /// The link to the same side's seat in it, as long as it was not given to anybody else.
    pub link: Option<Secret>,
}

impl Play {
    /// The seat in the game that carries on this one.
    pub(in crate::play) fn carried(&self, game: &GameId, side: Side, seat: Option<&SeatRow>) -> Carried {
        let same = seat.is_some_and(|seat| seat.link_generation == 1);
        Carried { game: game.clone(), link: same.then(|| self.key.derive(Purpose::Link, game, side, 1)) }
    }
}

/// What a player wants.
#[derive(Clone, Copy, Debug)]
pub struct ToAgree {
    /// What about.
    pub kind: OfferKind,
    /// The awaited turn, as the player knows it.
    pub turn: u32,
    /// What is done.
    pub act: OfferAct,
    /// With an offer to continue: the day at whose dawn the new game begins. Accepting, if it is given, the one that is meant.
    pub from_turn: Option<u32>,
}

impl Play {
    /// Offers, accepts, declines or withdraws. Whoever repeats an offer or takes back what no longer stands changes nothing.
    ///
    /// # Errors
    /// [`PlayError::TurnOver`] and [`PlayError::TurnAhead`] for another turn, [`PlayError::GameOver`],
    /// [`PlayError::Offer`] for what cannot be done now, [`PlayError::Field`] for a day that there is not.
    pub async fn agree(&self, seat: &Seat, wanted: ToAgree) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.agree_in(tx, &seat, wanted).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    pub(in crate::play) async fn agree_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        wanted: ToAgree,
    ) -> Result<(), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        game.awaits(wanted.turn)?;
        let id = game.id.as_str();
        let offers = standing_offers(&tx.offers(id).await?, &game)?;
        let stands = offers.into_iter().find(|offer| offer.kind == wanted.kind);
        match (wanted.act, stands) {
            (OfferAct::Offer, None) => self.offer(tx, &game, seat, wanted).await,
            (OfferAct::Offer, Some(offer)) if offer.by == seat.side() && offer.from_turn == wanted.from_turn => Ok(()),
            (OfferAct::Offer, Some(offer)) if offer.by == seat.side() => {
                Err(PlayError::Offer("You have made such an offer already; withdraw it first.".into()))
            }
            (OfferAct::Offer, Some(offer)) => {
                Err(PlayError::Offer(format!("{} offers the same already: accept it or decline it.", offer.by.name())))
            }
            (OfferAct::Withdraw, Some(offer)) if offer.by == seat.side() => {
                tx.drop_offer(id, offer.kind.word()).await?;
                Ok(tx.touch_game(id).await?)
            }
            (OfferAct::Withdraw | OfferAct::Decline, None) => Ok(()),
            (OfferAct::Decline, Some(offer)) if offer.by != seat.side() => {
                tx.drop_offer(id, offer.kind.word()).await?;
                Ok(tx.touch_game(id).await?)
            }
            (OfferAct::Accept, Some(offer))
                if offer.by != seat.side() && wanted.from_turn.is_none_or(|from| Some(from) == offer.from_turn) =>
            {
                self.accept(tx, &game, &offer).await
            }
            (OfferAct::Accept, _) => Err(PlayError::Offer("This offer does not stand any more.".into())),
            (OfferAct::Withdraw | OfferAct::Decline, Some(_)) => {
                Err(PlayError::Offer("Who has made an offer withdraws it, and the other one declines it.".into()))
            }
        }
    }

    async fn offer(&self, tx: &mut Writer, game: &Game, seat: &Seat, wanted: ToAgree) -> Result<(), PlayError> {
        let id = game.id.as_str();
        let other = tx.seat(id, seat.side().other().word()).await?.ok_or(PlayError::NotFound)?;
        if other.taken_at.is_none() {
            return Err(PlayError::Offer("There is nobody to agree with yet.".into()));
        }
        if other.computer.is_some() {
            return self.computer_answers(tx, game, seat.side().other(), wanted.kind).await;
        }
        let from_turn = match wanted.kind {
            OfferKind::Draw => None,
            OfferKind::Continue => Some(dawn(game, wanted.from_turn)?),
        };
        let offer = OfferRow {
            kind: wanted.kind.word().to_owned(),
            side: seat.side().word().to_owned(),
            turn: game.turn(),
            from_turn: from_turn.map(i64::from),
            made_at: self.clock.now().0,
        };
        // One that lapsed by itself makes room.
        tx.drop_offer(id, wanted.kind.word()).await?;
        tx.make_offer(id, &offer).await?;
        // Who offers the same again and again sends one letter a turn.
        let revision = offer.from_turn.unwrap_or(0);
        self.queue_letter(tx, game, seat.side().other(), wanted.kind.letter(), revision).await?;
        Ok(tx.touch_game(id).await?)
    }

    /// A computer answers an offer at once: it agrees to a draw where it has nothing left to win with, and to nothing else.
    async fn computer_answers(
        &self,
        tx: &mut Writer,
        game: &Game,
        computer: Side,
        kind: OfferKind,
    ) -> Result<(), PlayError> {
        match kind {
            OfferKind::Draw if !game.standing.may_win(computer) => {
                self.end(tx, game, Some(Outcome::Draw), AGREED).await
            }
            OfferKind::Draw => Err(PlayError::Offer(
                "The computer declines: it agrees to a draw only where its General alone is left.".into(),
            )),
            OfferKind::Continue => {
                Err(PlayError::Offer("The computer declines: it plays on from where it stands.".into()))
            }
        }
    }

    async fn accept(&self, tx: &mut Writer, game: &Game, offer: &OfferView) -> Result<(), PlayError> {
        match offer.kind {
            OfferKind::Draw => self.end(tx, game, Some(Outcome::Draw), AGREED).await,
            OfferKind::Continue => {
                self.carry_on(tx, game, dawn(game, offer.from_turn)?).await?;
                self.end(tx, game, None, CONTINUED).await
            }
        }
    }

    /// Opens the game that carries a locked one on from the dawn of a day: the same settings, terms, seats, names and pace.
    async fn carry_on(&self, tx: &mut Writer, game: &Game, turn: u32) -> Result<(), PlayError> {
        let (next, now) = (GameId::draw(&self.chance), self.clock.now());
        let (id, next_id) = (game.id.as_str(), next.as_str());
        let standing = write_standing(&before(tx, game, turn).await?)?;
        tx.carry_game(id, next_id, i64::from(turn), &standing, now.0).await?;
        for side in Side::BOTH {
            let link = self.key.derive(Purpose::Link, &next, side, 1).hash();
            tx.carry_seat(id, next_id, side.word(), &link, i64::from(turn), now.0).await?;
            let name = tx.seat(id, side.word()).await?.and_then(|seat| seat.name);
            self.seated(tx, next_id, side, name.as_deref()).await?;
        }
        tx.carry_holders(id, next_id, now.0).await?;
        let carried = self.lock(tx, next_id).await?;
        self.begin_span(tx, &carried, false).await?;
        self.tell_both_awaited(tx, next_id).await?;
        Ok(tx.set_continued_in(id, next_id).await?)
    }
}

/// The day at whose dawn a game could go on anew: one that has been resolved.
fn dawn(game: &Game, turn: Option<u32>) -> Result<u32, PlayError> {
    let first = game.first().max(1);
    let fits = |turn: &u32| (first..game.standing.turn()).contains(turn);
    turn.filter(fits)
        .ok_or_else(|| PlayError::Field { field: "from_turn", problem: "must be a day that has been resolved".into() })
}
