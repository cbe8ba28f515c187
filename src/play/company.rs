//! What a seat has to do with people beside the turn that is awaited: part of its projection.

use crate::clock::Timestamp;
use crate::play::challenge::blocked;
use crate::play::game::Game;
use crate::play::messages::{Mailbox, mailbox_of};
use crate::play::public::keep_words;
use crate::play::rematch::{Again, again};
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::{Reader, SeatRow, Writer};

/// What a seat has to do with other people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatCompany {
    /// Whether everybody may look on.
    pub public: bool,
    /// Until when anybody may take the free seat; who invites sees that. It may be over.
    pub challenge: Option<Timestamp>,
    /// Whether that is over.
    pub challenge_over: bool,
    /// Whether the free seat is kept for the opponent of the game before.
    pub kept: bool,
    /// Whether the opponent is blocked; `None` where one of both has no confirmed address.
    pub blocked: Option<bool>,
    /// The game that this is the rematch of.
    pub rematch_of: Option<GameId>,
    /// How it stands with playing again.
    pub again: Again,
    /// How it stands to its messages.
    pub mailbox: Mailbox,
}

impl Play {
    /// Keeps that a seat was taken: when both are, the game has its players, and in a public one they are found by name.
    pub(in crate::play) async fn seated(
        &self,
        tx: &mut Writer,
        game: &str,
        side: Side,
        name: Option<&str>,
    ) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        let company = tx.company(game).await?.ok_or(PlayError::NotFound)?;
        if company.seated_at.is_none() {
            tx.set_seated(game, Some(now)).await?;
        }
        tx.close_challenge(game, now).await?;
        if company.public_at.is_some() {
            keep_words(tx, game, side, name).await?;
        }
        Ok(())
    }
}

impl SeatCompany {
    /// Reads it for a seat.
    pub(in crate::play) async fn read(
        tx: &mut Reader,
        game: &Game,
        side: Side,
        (mine, theirs): (&SeatRow, &SeatRow),
        now: Timestamp,
    ) -> Result<SeatCompany, PlayError> {
        let id = game.id.as_str();
        let row = tx.company(id).await?.ok_or(PlayError::NotFound)?;
        let free = theirs.taken_at.is_none() && game.ended.is_none();
        let challenge = if free { tx.challenge(id).await? } else { None };
        let challenge = challenge.filter(|challenge| challenge.closed_at.is_none());
        let challenge = challenge.map(|challenge| Timestamp(challenge.ends_at));
        Ok(SeatCompany {
            public: row.public_at.is_some(),
            challenge_over: challenge.is_some_and(|ends| ends <= now),
            challenge,
            kept: free && theirs.invitation_generation == 0,
            blocked: blocked(tx, mine, theirs).await?,
            rematch_of: row.rematch_of.as_deref().and_then(GameId::parse),
            again: again(tx, game, side).await?,
            mailbox: mailbox_of(tx, game, side, theirs.taken_at.is_some() && theirs.computer.is_none()).await?,
        })
    }
}
