//! Invitations: looking at one, taking its seat, withdrawing it, and unseating a wrong taker.
//!
//! An invitation is taken once. Looking changes nothing.

use crate::pace::Pace;
use crate::play::boards::BoardNames;
use crate::play::game::Game;
use crate::play::given_up::GivenUp;
use crate::play::ids::Purpose;
use crate::play::letters::LetterKind;
use crate::play::open::checked_name;
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Seat, Secret};
use crate::rules::{Setup, Side, Standing};
use crate::store::{InvitationRow, Reader, Writer};

/// What an invitation shows to whoever opens it.
#[derive(Clone, Debug)]
pub struct InvitationView {
    /// The game.
    pub game: GameId,
    /// The side that is free.
    pub side: Side,
    /// What the game was opened with.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// Where the game begins: before the deployments, or with a position that the inviter has brought along.
    pub start: Standing,
    /// Where it stands now: a seat of a game that goes on is offered to a substitute.
    pub now: Standing,
    /// How fast the game goes.
    pub pace: Pace,
    /// The terms of its clock.
    pub terms: Terms,
    /// Whether everybody may look on.
    pub public: bool,
    /// The inviter's name.
    pub from: Option<String>,
    /// Whether the one who looks holds the inviter's seat: then it is for somebody else.
    pub own: bool,
    /// Whether an organiser has sent it.
    pub by_organiser: bool,
}

impl InvitationView {
    /// Whether the seat was given up in a game that goes on.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.now.turn() > self.start.turn()
    }

    /// What the game is played by beside its house rules: board, pace and terms of the clock, in sentences.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.board.iter().map(BoardNames::words).chain(self.clock_words()).collect()
    }

    /// The same without the board.
    #[must_use]
    pub fn clock_words(&self) -> Vec<String> {
        let mut words = vec![self.pace.words()];
        words.extend(self.terms.words(self.pace != Pace::Open));
        words
    }
}

/// A seat that has been taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The game.
    pub game: GameId,
    /// The side.
    pub side: Side,
    /// The secret of the seat: link and API token.
    pub link: Secret,
}

impl Play {
    /// Looks at an invitation. `session` tells whether the inviter himself looks.
    ///
    /// # Errors
    /// [`PlayError::SeatTaken`], [`PlayError::InvitationWithdrawn`], [`PlayError::GameOver`], [`PlayError::NotFound`].
    pub async fn invitation(&self, secret: &Secret, session: Option<&Secret>) -> Result<InvitationView, PlayError> {
        let (hash, session) = (secret.hash(), session.map(Secret::hash));
        self.store.read(move |tx| Box::pin(async move { look(tx, &hash, session.as_deref()).await })).await
    }

    /// Takes the seat of an invitation.
    ///
    /// # Errors
    /// As [`Play::invitation`]; also a name that is too long.
    pub async fn take_seat(&self, secret: &Secret, name: &str) -> Result<Taken, PlayError> {
        let name = checked_name(name)?;
        let (play, hash) = (self.clone(), secret.hash());
        self.store
            .write(move |tx| {
                let (play, hash, name) = (play.clone(), hash.clone(), name.clone());
                Box::pin(async move { play.take_in(tx, &hash, name.as_deref()).await })
            })
            .await
            .inspect(|taken| self.announce(&taken.game))
    }

    pub(in crate::play) async fn take_in(
        &self,
        tx: &mut Writer,
        hash: &str,
        name: Option<&str>,
    ) -> Result<Taken, PlayError> {
        let row = tx.invitation(hash).await?.ok_or(PlayError::NotFound)?;
        // Locked before the invitation is looked at again: it may be withdrawn at this moment.
        let game = self.lock(tx, &row.game_id).await?;
        let (row, side) = open_invitation(tx, hash).await?;
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        let now = self.clock.now().0;
        if !tx.take_invitation(hash, now).await? || !tx.take_seat(&row.game_id, &row.side, name, now).await? {
            return Err(PlayError::SeatTaken);
        }
        // The time runs from when both are there.
        self.begin_span(tx, &game, game.standing.turn() == 0).await?;
        tx.set_moved(&row.game_id, now).await?;
        self.seated(tx, &row.game_id, side, name).await?;
        // Who takes over a game that goes on need not watch all that was before.
        if let Some(last) = game.turn().checked_sub(1) {
            tx.mark_seen(&row.game_id, &row.side, last).await?;
        }
        tx.touch_game(&row.game_id).await?;
        let seat = tx.seat(&row.game_id, &row.side).await?.ok_or(PlayError::NotFound)?;
        // Who has waited for a substitute is told; the number of the invitation tells one substitute from the next.
        if game.standing.turn() > game.first() {
            let number = seat.invitation_generation;
            self.queue_letter(tx, &game, side.other(), LetterKind::SubstituteCame, number).await?;
        } else {
            self.tell_both_awaited(tx, &row.game_id).await?;
        }
        let link = self.key.derive(Purpose::Link, &game.id, side, seat.link_generation);
        Ok(Taken { game: game.id, side, link })
    }

    /// Withdraws the open invitation to the opponent's seat and makes a new one. The old link
    /// opens nothing any more.
    ///
    /// # Errors
    /// [`PlayError::SeatTaken`] when the seat is taken; [`PlayError::NotFound`] where nobody can be invited.
    pub async fn withdraw_invitation(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_as_inviter(tx, &seat).await?;
                    let other = seat.side().other();
                    let row = tx.seat(game.id.as_str(), other.word()).await?.ok_or(PlayError::NotFound)?;
                    if row.taken_at.is_some() {
                        // Who was invited has nothing to do with invitations.
                        let invited = game.opener == seat.side();
                        return Err(if invited { PlayError::SeatTaken } else { PlayError::NotFound });
                    }
                    play.invite_anew(tx, &game, other, row.invitation_generation).await
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Unseats the opponent, drops their sheet unread, and makes a new invitation.
    ///
    /// # Errors
    /// [`PlayError::Begun`] once the deployments are revealed; [`PlayError::NotFound`] for who did not invite.
    pub async fn unseat(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.unseat_in(tx, &seat).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    async fn unseat_in(&self, tx: &mut Writer, seat: &Seat) -> Result<(), PlayError> {
        let game = self.lock_as_inviter(tx, seat).await?;
        // Who came along from another game is nobody's wrong guest.
        if game.standing.turn() > game.first() || game.continues.is_some() {
            return Err(PlayError::Begun);
        }
        let theirs = tx.seat(game.id.as_str(), seat.side().other().word()).await?.ok_or(PlayError::NotFound)?;
        if game.opener != seat.side() || theirs.computer.is_some() {
            return Err(PlayError::NotFound);
        }
        self.vacate(tx, &game, seat.side().other(), GivenUp::Unseated).await
    }

    /// Locks a game on behalf of who invites: the one that sits opposite a free seat. At one device there is nobody to
    /// invite.
    pub(in crate::play) async fn lock_as_inviter(&self, tx: &mut Writer, seat: &Seat) -> Result<Game, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.device.is_some() {
            return Err(PlayError::NotFound);
        }
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        Ok(game)
    }

    /// Withdraws what is open and makes the next invitation to a seat.
    pub(in crate::play) async fn invite_anew(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        generation: i64,
    ) -> Result<(), PlayError> {
        let (id, now, next) = (game.id.as_str(), self.clock.now().0, generation + 1);
        let invitation = self.key.derive(Purpose::Invitation, &game.id, side, next);
        tx.withdraw_invitations(id, side.word(), now).await?;
        tx.set_invitation_generation(id, side.word(), next).await?;
        tx.insert_invitation(&invitation.hash(), id, side.word(), now).await?;
        tx.touch_game(id).await?;
        Ok(())
    }

    /// Locks a game and reads it.
    pub(in crate::play) async fn lock(&self, tx: &mut Writer, game: &str) -> Result<Game, PlayError> {
        Game::read(&tx.lock_game(game).await?.ok_or(PlayError::NotFound)?)
    }
}

/// The invitation with a hash, if it is open.
async fn open_invitation(tx: &mut Reader, hash: &str) -> Result<(InvitationRow, Side), PlayError> {
    let row = tx.invitation(hash).await?.ok_or(PlayError::NotFound)?;
    if row.taken_at.is_some() {
        return Err(PlayError::SeatTaken);
    }
    if row.withdrawn_at.is_some() {
        return Err(PlayError::InvitationWithdrawn);
    }
    let side = Side::from_word(&row.side).ok_or_else(|| PlayError::Broken("side".into()))?;
    Ok((row, side))
}

pub(in crate::play) async fn look(
    tx: &mut Reader,
    hash: &str,
    session: Option<&str>,
) -> Result<InvitationView, PlayError> {
    let (row, side) = open_invitation(tx, hash).await?;
    let game = Game::read(&tx.game(&row.game_id).await?.ok_or(PlayError::NotFound)?)?;
    if game.ended.is_some() {
        return Err(PlayError::GameOver);
    }
    let inviter = tx.seat(&row.game_id, side.other().word()).await?.ok_or(PlayError::NotFound)?;
    let own = match session {
        Some(session) => tx.holds_seat(session, &row.game_id, side.other().word()).await?.is_some(),
        None => false,
    };
    let public = tx.company(&row.game_id).await?.is_some_and(|company| company.public_at.is_some());
    Ok(InvitationView {
        game: game.id,
        side,
        setup: game.standing.setup(),
        board: game.board,
        start: game.start,
        now: game.standing,
        pace: game.pace,
        terms: game.terms,
        public,
        from: inviter.name,
        own,
        by_organiser: false,
    })
}
