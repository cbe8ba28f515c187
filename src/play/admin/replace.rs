//! Giving a seat to somebody else, who is invited by letter. Whatever lies at the seat is dropped unread, and nothing is due
//! until somebody sits there.

use crate::play::address::checked_address;
use crate::play::admin::reissue::playable;
use crate::play::admin::{Done, wrong};
use crate::play::game::Game;
use crate::play::given_up::GivenUp;
use crate::play::invite_by_mail::BY_ORGANISER;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::{NewLetter, Writer};

impl Play {
    pub(super) async fn replace_seat(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        address: &str,
    ) -> Result<Done, PlayError> {
        playable(game)?;
        let address = checked_address(address)?.ok_or_else(|| wrong("address", "is missing"))?;
        self.not_blocked(tx, &address).await?;
        let (id, now) = (game.id.as_str(), self.clock.now().0);
        let seat = tx.seat(id, side.word()).await?.ok_or(PlayError::NotFound)?;
        if seat.computer.is_some() {
            return Err(wrong("side", "is a computer’s seat, which nobody takes over"));
        }
        let opposite = tx.seat(id, side.other().word()).await?.ok_or(PlayError::NotFound)?;
        if opposite.taken_at.is_none() {
            return Err(wrong("side", "cannot be given away while nobody sits opposite"));
        }
        if seat.taken_at.is_some() {
            self.vacate(tx, game, side, GivenUp::Organiser).await?;
        } else {
            self.invite_anew(tx, game, side, seat.invitation_generation).await?;
        }
        // Who is invited gets time to come, before the seat counts as one that nobody wants.
        tx.set_offered(id, side.word(), now).await?;
        let seat = tx.seat(id, side.word()).await?.ok_or(PlayError::NotFound)?;
        tx.queue_letter(&NewLetter {
            id: &self.sorted_id(),
            kind: LetterKind::Invitation.word(),
            seat: None,
            address: Some(&address),
            about: Some(&format!("{id} {} {} {BY_ORGANISER}", side.word(), seat.invitation_generation)),
            revision: 0,
            now,
        })
        .await?;
        let about = format!("somebody else is invited to {}’s seat", side.name());
        Ok(Done::in_game("seat_replaced", game, Some(side), about))
    }
}
