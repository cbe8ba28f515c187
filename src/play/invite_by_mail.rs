//! Sending an invitation to an address: the link and the inviter's name, and no word of anybody's own.
//!
//! The address stands in the letter's row alone; for counting, a hash of it is kept that only this server can make.

use crate::play::address::checked_address;
use crate::play::game::Game;
use crate::play::ids::Purpose;
use crate::play::invite::{InvitationView, look};
use crate::play::letters::LetterKind;
use crate::play::mailed::address_key;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{Letter, NewLetter, Writer};

/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;
/// How many letters of invitation a seat sends in a day.
const MOST_FROM_A_SEAT: i64 = 5;
/// How many go to one address in a day, whoever sends them. Who sends more is answered as before, and no letter leaves.
const MOST_TO_AN_ADDRESS: i64 = 5;

/// What a letter of invitation says of itself that an organiser has sent.
pub(in crate::play) const BY_ORGANISER: &str = "organiser";

impl Play {
    /// Sends the open invitation to an address.
    ///
    /// # Errors
    /// What is no address; [`PlayError::TooMany`]; [`PlayError::SeatTaken`]; [`PlayError::NotFound`] for who did not invite.
    pub async fn mail_invitation(&self, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let address = checked_address(address)?
            .ok_or_else(|| PlayError::Field { field: "address", problem: "is missing".into() })?;
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, address) = (play.clone(), asker.clone(), address.clone());
                Box::pin(async move { play.mail_invitation_in(tx, &seat, &address).await })
            })
            .await
    }

    async fn mail_invitation_in(&self, tx: &mut Writer, seat: &Seat, address: &str) -> Result<(), PlayError> {
        let game: Game = self.lock_as_inviter(tx, seat).await?;
        self.still_held(tx, seat).await?;
        let (id, side, other) = (game.id.as_str(), seat.side().word(), seat.side().other());
        let row = tx.seat(id, other.word()).await?.ok_or(PlayError::NotFound)?;
        if row.taken_at.is_some() {
            return Err(PlayError::SeatTaken);
        }
        if row.invitation_generation == 0 {
            return Err(PlayError::NotFound);
        }
        let now = self.clock.now().0;
        if tx.invitations_from(id, side, now - DAY).await? >= MOST_FROM_A_SEAT {
            return Err(PlayError::TooMany("Five letters of invitation have left this seat within a day."));
        }
        let hash = self.key.blinded(&address_key(address));
        let may =
            tx.invitations_to(&hash, now - DAY).await? < MOST_TO_AN_ADDRESS && !self.is_blocked(tx, address).await?;
        tx.insert_sent_invitation(&self.sorted_id(), id, side, &hash, now).await?;
        if may {
            tx.queue_letter(&NewLetter {
                id: &self.sorted_id(),
                kind: LetterKind::Invitation.word(),
                seat: None,
                address: Some(address),
                about: Some(&format!("{id} {} {}", other.word(), row.invitation_generation)),
                revision: 0,
                now,
            })
            .await?;
        }
        Ok(())
    }

    /// What a letter of invitation is about: the invitation and its secret; `None` once it is open no more.
    pub(in crate::play) async fn invitation_of(
        &self,
        letter: &Letter,
    ) -> Result<Option<(InvitationView, Secret)>, PlayError> {
        let broken = || PlayError::Broken("letter".into());
        let mut about = letter.about.as_deref().unwrap_or_default().split(' ');
        let game = about.next().and_then(GameId::parse).ok_or_else(broken)?;
        let side = about.next().and_then(Side::from_word).ok_or_else(broken)?;
        let generation = about.next().and_then(|text| text.parse().ok()).ok_or_else(broken)?;
        let by_organiser = about.next() == Some(BY_ORGANISER);
        let secret = self.key.derive(Purpose::Invitation, &game, side, generation);
        let hash = secret.hash();
        let looked = self.store.read(move |tx| Box::pin(async move { look(tx, &hash, None).await })).await;
        match looked {
            Ok(invitation) => Ok(Some((InvitationView { by_organiser, ..invitation }, secret))),
            Err(PlayError::SeatTaken | PlayError::InvitationWithdrawn | PlayError::GameOver) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
