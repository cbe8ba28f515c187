//! Who stays away: turns missed are counted, and the opponent may claim the win, go on waiting, seek a substitute, or let
//! the computer finish.
//!
//! A side is absent from the turn by which it had missed as many as the game allows until it plays again. As long as it
//! is absent and has sealed nothing, the claim is open; its seal closes it. A claim that nobody uses is granted after as
//! many further turns as may be missed running. Where both sides are absent the game is abandoned.

use crate::bot::Level;
use crate::clock::Timestamp;
use crate::play::deadline::Missed;
use crate::play::game::{ABANDONED, BY_CLAIM, GRANTED, Game};
use crate::play::given_up::GivenUp;
use crate::play::ids::Purpose;
use crate::play::letters::LetterKind;
use crate::play::resolve::How;
use crate::play::webhooks::EventKind;
use crate::play::{Play, PlayError, Seat};
use crate::rules::{BySide, Outcome, Side, Standing};
use crate::store::{Reader, SeatRow, TurnSheet, Writer};

/// What a seat may do about an opponent who stays away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// How the game would end if it were claimed now.
    pub outcome: Outcome,
    /// Whether the opponent's seat can be freed for a substitute; not where it is free already. A computer may finish in
    /// both cases.
    pub substitute: bool,
}

/// How long somebody whom the organiser invites to a seat may take to come, in milliseconds: 14 days. Until then nobody
/// stays away.
const OFFERED: i64 = 14 * 24 * 3_600_000;

/// What a seat may claim now; `None` where no claim is open.
pub(in crate::play) async fn open_claim(
    tx: &mut Reader,
    game: &Game,
    side: Side,
    theirs: &SeatRow,
    now: Timestamp,
) -> Result<Option<Claim>, PlayError> {
    let begins = game.standing.turn() == game.first();
    if game.ended.is_some() || game.device.is_some() || theirs.computer.is_some() || begins {
        return Ok(None);
    }
    let free = theirs.taken_at.is_none();
    if free && theirs.offered_at.is_some_and(|at| now.0 - at < OFFERED) {
        return Ok(None);
    }
    let away = theirs.absent_since.is_some() && tx.seal(game.id.as_str(), &theirs.side).await?.is_none();
    Ok((free || away).then(|| Claim { outcome: claimed(&game.standing, side), substitute: !free }))
}

/// How a game ends for who claims it: with a win, or a draw where nothing is left to win with.
fn claimed(standing: &Standing, side: Side) -> Outcome {
    if standing.may_win(side) { Outcome::win_of(side) } else { Outcome::Draw }
}

impl Play {
    /// Ends the game as the open claim says.
    ///
    /// # Errors
    /// [`PlayError::NoClaim`] where none is open, [`PlayError::GameOver`].
    pub async fn claim(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let (game, claim) = play.lock_claim(tx, &seat).await?;
                    play.end(tx, &game, Some(claim.outcome), BY_CLAIM).await
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Frees the seat of an opponent who stays away, and makes an invitation to it. Nothing of theirs is read: sheet,
    /// draft, what-ifs and notes are erased. Nothing is due until somebody sits there; then a whole span begins.
    ///
    /// # Errors
    /// [`PlayError::NoClaim`] where no claim is open, or the seat is free already; [`PlayError::GameOver`].
    pub async fn seek_substitute(&self, seat: &Seat) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let (game, claim) = play.lock_claim(tx, &seat).await?;
                    if !claim.substitute {
                        return Err(PlayError::NoClaim);
                    }
                    play.vacate(tx, &game, seat.side().other(), GivenUp::Substitute).await
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Gives the seat of an opponent who stays away, or one that no substitute has taken, to a computer. Nothing of whoever
    /// sat there is read: sheet, draft, what-ifs and notes are erased. A whole span begins for the one who goes on.
    ///
    /// # Errors
    /// [`PlayError::NoClaim`] where no claim is open, [`PlayError::GameOver`].
    pub async fn let_computer_finish(&self, seat: &Seat, level: Level) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let (game, claim) = play.lock_claim(tx, &seat).await?;
                    let (id, side, now) = (game.id.as_str(), seat.side().other(), play.clock.now().0);
                    if claim.substitute {
                        play.give_up(tx, &game, side, GivenUp::Computer).await?;
                    }
                    tx.withdraw_invitations(id, side.word(), now).await?;
                    play.seat_computer(tx, &game.id, side, level).await?;
                    play.begin_span(tx, &game, false).await?;
                    tx.set_moved(id, now).await?;
                    play.seated(tx, id, side, None).await?;
                    Ok::<_, PlayError>(tx.touch_game(id).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    async fn lock_claim(&self, tx: &mut Writer, seat: &Seat) -> Result<(Game, Claim), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        let theirs = tx.seat(game.id.as_str(), seat.side().other().word()).await?.ok_or(PlayError::NotFound)?;
        let claim = open_claim(tx, &game, seat.side(), &theirs, self.clock.now()).await?.ok_or(PlayError::NoClaim)?;
        Ok((game, claim))
    }

    /// Frees a seat of a locked game and invites anew: whatever its holder wrote is erased unread.
    /// Whoever held it is told so, by letter.
    pub(in crate::play) async fn vacate(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        how: GivenUp,
    ) -> Result<(), PlayError> {
        let invited = self.give_up(tx, game, side, how).await?;
        // A game that has begun stays among those that are played.
        if game.standing.turn() <= game.first() {
            tx.set_seated(game.id.as_str(), None).await?;
        }
        self.invite_anew(tx, game, side, invited).await
    }

    /// Takes a seat of a locked game from its holder: whatever was written there is erased unread, and nothing is due. Gives
    /// the generation of its last invitation.
    async fn give_up(&self, tx: &mut Writer, game: &Game, side: Side, how: GivenUp) -> Result<i64, PlayError> {
        let id = game.id.as_str();
        let row = tx.seat(id, side.word()).await?.ok_or(PlayError::NotFound)?;
        if row.taken_at.is_none() {
            return Err(PlayError::NotFound);
        }
        self.seat_given_up(tx, game, &row, how).await?;
        let generation = row.link_generation + 1;
        let link = self.key.derive(Purpose::Link, &game.id, side, generation);
        tx.free_seat(id, side.word(), generation, &link.hash()).await?;
        self.set_due(tx, game, None).await?;
        tx.set_settle(id, None).await?;
        tx.set_offer(id, None).await?;
        tx.drop_offers(id).await?;
        tx.drop_reissues(id).await?;
        tx.forget_absences(id, side.word()).await?;
        tx.forget_player_words(id, side.word()).await?;
        // Who comes was no party to what these two wrote.
        tx.forget_messages(id).await?;
        tx.erase_sheet(id, side.word()).await?;
        tx.erase_draft(id, side.word()).await?;
        tx.forget_thoughts(id, side.word()).await?;
        // What was asked by letter is a list or a message too, and a YES would carry it out.
        tx.forget_mail(id, side.word()).await?;
        Ok(row.invitation_generation)
    }

    /// Ends a locked game otherwise than on the board: sheets and drafts are erased unread, invitations withdrawn.
    pub(in crate::play) async fn end(
        &self,
        tx: &mut Writer,
        game: &Game,
        outcome: Option<Outcome>,
        ending: &str,
    ) -> Result<(), PlayError> {
        self.end_unannounced(tx, game, outcome, ending).await?;
        self.queue_letters(tx, game, LetterKind::End).await
    }

    /// The same without letters.
    pub(in crate::play) async fn end_unannounced(
        &self,
        tx: &mut Writer,
        game: &Game,
        outcome: Option<Outcome>,
        ending: &str,
    ) -> Result<(), PlayError> {
        self.end_known(tx, game.id.as_str(), outcome, ending).await
    }

    /// The same for a game of which no more is known than its id, since it cannot be read. Its row is locked.
    pub(in crate::play) async fn end_known(
        &self,
        tx: &mut Writer,
        id: &str,
        outcome: Option<Outcome>,
        ending: &str,
    ) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        if !tx.end_game(id, outcome.map(Outcome::word), ending, now).await? {
            return Err(PlayError::GameOver);
        }
        self.tell_webhooks(tx, id, EventKind::GameOver, None).await?;
        tx.erase_sheets(id).await?;
        tx.erase_drafts(id).await?;
        tx.erase_questions(id).await?;
        tx.drop_offers(id).await?;
        tx.drop_reissues(id).await?;
        for side in Side::BOTH {
            tx.withdraw_invitations(id, side.word(), now).await?;
        }
        Ok(())
    }

    /// Counts who has missed the turn that was resolved with these sheets, and says how that ends the game, if it does.
    pub(in crate::play) async fn count_missed(
        &self,
        tx: &mut Writer,
        game: &Game,
        used: &BySide<TurnSheet>,
        next: &Standing,
    ) -> Result<Option<(Outcome, &'static str)>, PlayError> {
        let (id, terms) = (game.id.as_str(), &game.terms);
        let mut absent: BySide<Option<i64>> = BySide::default();
        for seat in tx.seats(id).await? {
            let Some(side) = Side::from_word(&seat.side) else { continue };
            // A computer that the server kept waiting has not stayed away.
            if seat.computer.is_some() {
                continue;
            }
            let Missed { mut all, mut running } = Missed::of(&seat);
            // A deployment that was missing is a missed turn, also where a ready-made one was used.
            let missed = matches!(How::from_word(&used.get(side).how), Some(How::Missed | How::ReadyMade));
            if missed {
                (all, running) = (all + 1, running + 1);
            } else {
                running = 0;
            }
            let too_many = running >= i64::from(terms.missed_running) || all >= i64::from(terms.missed_all);
            let since = (missed && too_many).then(|| seat.absent_since.unwrap_or(game.turn()));
            if (Missed { all, running }, since) != (Missed::of(&seat), seat.absent_since) {
                tx.set_missed(id, &seat.side, all, running, since).await?;
            }
            *absent.get_mut(side) = since;
        }
        if next.ending().is_none() {
            for side in Side::BOTH {
                // The first turn of an absence opens the claim.
                if *absent.get(side) == Some(game.turn()) && absent.get(side.other()).is_none() {
                    self.queue_letter(tx, game, side.other(), LetterKind::ClaimOpen, 0).await?;
                }
            }
        }
        let unused = |since: i64| game.turn() - since >= i64::from(terms.missed_running);
        Ok(match (absent.red, absent.blue) {
            (Some(_), Some(_)) => Some((Outcome::Draw, ABANDONED)),
            (Some(since), None) if unused(since) => Some((claimed(next, Side::Blue), GRANTED)),
            (None, Some(since)) if unused(since) => Some((claimed(next, Side::Red), GRANTED)),
            _ => None,
        })
    }
}
