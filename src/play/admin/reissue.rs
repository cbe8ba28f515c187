//! A new link to a seat, for a player who has lost the old one, or has lost it to somebody else. It is mailed to the seat's
//! confirmed address; where there is none the opponent has to agree, since nobody can prove whose the seat is.
//!
//! Whatever lies at the seat is dropped unread: whoever comes in may be somebody else than who wrote it.

use crate::play::address::checked_address;
use crate::play::admin::{Cause, Done, wrong};
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Side;
use crate::store::{ReissueRow, Writer};

impl Play {
    pub(super) async fn reissue_seat(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        address: &str,
        reason: &str,
    ) -> Result<Done, PlayError> {
        playable(game)?;
        let id = game.id.as_str();
        let seat = tx.seat(id, side.word()).await?.ok_or(PlayError::NotFound)?;
        if seat.taken_at.is_none() || seat.computer.is_some() {
            return Err(wrong("side", "is nobody’s seat: it is free, or a computer’s"));
        }
        let given = checked_address(address)?;
        if let Some(confirmed) = &seat.confirmed_address {
            if given.is_some() {
                return Err(wrong(
                    "address",
                    "is not asked for: the seat has a confirmed one, and the link goes there",
                ));
            }
            self.renew_seat(tx, game, side, confirmed).await?;
            let about = format!("{} gets a new link, by letter to the confirmed address", side.name());
            return Ok(Done::in_game("seat_reissued", game, Some(side), about));
        }
        let address = given.ok_or_else(|| wrong("address", "is missing: the seat has no confirmed one"))?;
        self.not_blocked(tx, &address).await?;
        let opponent = tx.seat(id, side.other().word()).await?.ok_or(PlayError::NotFound)?;
        if opponent.taken_at.is_none() {
            return Err(wrong("side", "cannot get a new link: nobody sits opposite who could agree to it"));
        }
        if opponent.computer.is_some() {
            self.renew_seat(tx, game, side, &address).await?;
            let about = format!("{} gets a new link; a computer sits opposite", side.name());
            return Ok(Done::in_game("seat_reissued", game, Some(side), about));
        }
        let row =
            ReissueRow { side: side.word().into(), address, reason: reason.to_owned(), asked_at: self.clock.now().0 };
        tx.ask_reissue(id, &row).await?;
        let about = format!("{} is to get a new link, if {} agrees", side.name(), side.other().name());
        Ok(Done::in_game("reissue_asked", game, Some(side), about))
    }

    /// Gives a seat a new link and mails the way to it. Nothing of what lies there is read.
    pub(super) async fn renew_seat(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        address: &str,
    ) -> Result<(), PlayError> {
        let (id, word) = (game.id.as_str(), side.word());
        let seat = tx.seat(id, word).await?.ok_or(PlayError::NotFound)?;
        let generation = seat.link_generation + 1;
        let link = self.key.derive(Purpose::Link, &game.id, side, generation);
        tx.renew_link(id, word, generation, &link.hash()).await?;
        tx.set_settle(id, None).await?;
        tx.set_offer(id, None).await?;
        tx.drop_offers(id).await?;
        tx.erase_sheet(id, word).await?;
        tx.erase_draft(id, word).await?;
        tx.forget_thoughts(id, word).await?;
        tx.forget_mail(id, word).await?;
        tx.drop_reissue(id, word).await?;
        let seat = Seat::new(game.id.clone(), side, generation);
        self.seat_for_address(tx, &seat, address).await?;
        self.mail_seat(tx, &seat, address).await
    }

    /// Answers the organiser who wants to give the opponent's seat a new link.
    ///
    /// # Errors
    /// [`PlayError::Offer`] where nothing is asked; [`PlayError::GameOver`].
    pub async fn answer_reissue(&self, seat: &Seat, agrees: bool) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.answer_reissue_in(tx, &seat, agrees).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    async fn answer_reissue_in(&self, tx: &mut Writer, seat: &Seat, agrees: bool) -> Result<(), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        playable(&game)?;
        let side = seat.side().other();
        let asked = tx.reissue(game.id.as_str(), side.word()).await?;
        let asked =
            asked.ok_or_else(|| PlayError::Offer("The organiser does not ask for this, or not any more.".into()))?;
        let done = if agrees {
            self.renew_seat(tx, &game, side, &asked.address).await?;
            let about = format!("{} gets a new link; {} has agreed", side.name(), side.other().name());
            Done::in_game("seat_reissued", &game, Some(side), about)
        } else {
            tx.drop_reissue(game.id.as_str(), side.word()).await?;
            let about = format!("{} gets no new link; {} has not agreed", side.name(), side.other().name());
            Done::in_game("reissue_declined", &game, Some(side), about)
        };
        let cause = Cause { reason: asked.reason, ..Cause::default() };
        self.log_act(tx, &self.sorted_id(), (None, seat.side().name()), &cause, &done).await?;
        Ok(())
    }
}

/// A game that goes on, each side with its own device.
pub(super) fn playable(game: &Game) -> Result<(), PlayError> {
    if game.ended.is_some() {
        return Err(PlayError::GameOver);
    }
    if game.device.is_some() {
        return Err(wrong("game", "is played at one device, with both seats in one browser"));
    }
    Ok(())
}
