//! Letters: queueing them, and what they are about; `play::sending` sends them.
//!
//! What a letter says is asked of the projection of its seat when it is sent, so a letter
//! can never say more than its reader's pages.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::admin::shown::ShownAct;
use crate::play::agree::OfferKind;
use crate::play::by_mail::reply::{self, Reply};
use crate::play::digest::{Digest, readable_line};
use crate::play::erase::own_seats;
use crate::play::game::Game;
use crate::play::given_up::GivenUpSeat;
use crate::play::idle::has_computer;
use crate::play::invite::InvitationView;
use crate::play::mailed::{Errand, MailedLink, look};
use crate::play::messages::Message;
use crate::play::postmark::Postmark;
use crate::play::sending::ClaimedLetter;
use crate::play::stopped::Stopped;
use crate::play::view::{GameLine, SeatView, TurnView};
use crate::play::wishes::{Topic, Wishes};
use crate::play::{GameId, Play, PlayError, Seat, Secret, code};
use crate::rules::Side;
use crate::store::{Letter, NewLetter, Writer};

/// What a letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterKind {
    /// A turn that has been resolved.
    Report,
    /// A game that ended otherwise than on the board.
    End,
    /// A turn that waits for its reader, who has not heard of it yet: the game begins, or the address is new.
    Open,
    /// The question whether an address is right.
    Confirm,
    /// That a turn will soon be due.
    Reminder,
    /// That a game without deadlines lies still.
    Nudge,
    /// That a deadline was put off, since the server was down.
    PutOff,
    /// That the server was moved or restored, and the game goes on.
    GoesOn,
    /// That the opponent stays away, and what can be done.
    ClaimOpen,
    /// To who had a seat: that it was given up.
    SeatGivenUp,
    /// That somebody has taken the seat that the opponent gave up.
    SubstituteCame,
    /// That the opponent offers a pause.
    PauseOffer,
    /// That the opponent offers a draw.
    DrawOffer,
    /// That the opponent offers to go on from an earlier day.
    ContinueOffer,
    /// That the opponent wants to play again.
    Rematch,
    /// An invitation.
    Invitation,
    /// What the opponent wrote.
    Message,
    /// The link by which a browser is signed in.
    SignIn,
    /// The question whether a new address of a person is right.
    Change,
    /// To the old address: that it was changed.
    Revert,
    /// All that may wait for a day, in one letter.
    Digest,
    /// What a mail has done, or why it did nothing.
    MailAnswer,
    /// The question whether another address may write for a seat.
    Allow,
    /// The way to a seat that an organiser has given to the reader.
    Seat,
    /// What the organiser did in a game.
    Organiser,
    /// That a webhook of the reader's was switched off.
    WebhookOff,
}

impl LetterKind {
    /// All of them.
    const ALL: [LetterKind; 26] = [
        LetterKind::Report,
        LetterKind::End,
        LetterKind::Open,
        LetterKind::Confirm,
        LetterKind::Reminder,
        LetterKind::Nudge,
        LetterKind::PutOff,
        LetterKind::GoesOn,
        LetterKind::ClaimOpen,
        LetterKind::SeatGivenUp,
        LetterKind::SubstituteCame,
        LetterKind::PauseOffer,
        LetterKind::DrawOffer,
        LetterKind::ContinueOffer,
        LetterKind::Rematch,
        LetterKind::Invitation,
        LetterKind::Message,
        LetterKind::SignIn,
        LetterKind::Change,
        LetterKind::Revert,
        LetterKind::Digest,
        LetterKind::MailAnswer,
        LetterKind::Allow,
        LetterKind::Seat,
        LetterKind::Organiser,
        LetterKind::WebhookOff,
    ];

    /// The word in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            LetterKind::Report => "report",
            LetterKind::End => "end",
            LetterKind::Open => "open",
            LetterKind::Confirm => "confirm",
            LetterKind::Reminder => "reminder",
            LetterKind::Nudge => "nudge",
            LetterKind::PutOff => "put_off",
            LetterKind::GoesOn => "goes_on",
            LetterKind::ClaimOpen => "claim_open",
            LetterKind::SeatGivenUp => "seat_given_up",
            LetterKind::SubstituteCame => "substitute_came",
            LetterKind::PauseOffer => "pause_offer",
            LetterKind::DrawOffer => "draw_offer",
            LetterKind::ContinueOffer => "continue_offer",
            LetterKind::Rematch => "rematch",
            LetterKind::Invitation => "invitation",
            LetterKind::Message => "message",
            LetterKind::SignIn => "sign_in",
            LetterKind::Change => "change",
            LetterKind::Revert => "revert",
            LetterKind::Digest => "digest",
            LetterKind::MailAnswer => "mail_answer",
            LetterKind::Allow => "allow",
            LetterKind::Seat => "seat",
            LetterKind::Organiser => "organiser",
            LetterKind::WebhookOff => "webhook_off",
        }
    }

    /// What it is, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LetterKind::Report => "Report",
            LetterKind::End => "The game is over",
            LetterKind::Open => "What is awaited",
            LetterKind::Confirm => "Question whether the address is right",
            LetterKind::Reminder => "Reminder",
            LetterKind::Nudge => "Reminder that the game lies still",
            LetterKind::PutOff => "A deadline was put off",
            LetterKind::GoesOn => "The server was moved or restored",
            LetterKind::ClaimOpen => "The opponent stays away",
            LetterKind::PauseOffer => "Offer of a pause",
            LetterKind::DrawOffer => "Offer of a draw",
            LetterKind::ContinueOffer => "Offer to go on from an earlier day",
            LetterKind::SeatGivenUp => "The seat was given up",
            LetterKind::SubstituteCame => "A substitute has come",
            LetterKind::Rematch => "Wish to play again",
            LetterKind::Invitation => "Invitation",
            LetterKind::Message => "Message",
            LetterKind::SignIn => "Link to sign in",
            LetterKind::Change => "Question whether the new address is right",
            LetterKind::Revert => "That the address was changed",
            LetterKind::MailAnswer => "Answer to your mail",
            LetterKind::Digest => "All of a day",
            LetterKind::Allow => "Question about another address",
            LetterKind::Seat => "The way to your seat",
            LetterKind::Organiser => "What the organiser did",
            LetterKind::WebhookOff => "A webhook was switched off",
        }
    }

    /// What it is about, if its reader may do without it.
    #[must_use]
    pub const fn topic(self) -> Option<Topic> {
        match self {
            LetterKind::Report
            | LetterKind::End
            | LetterKind::Open
            | LetterKind::SeatGivenUp
            | LetterKind::SubstituteCame => Some(Topic::Reports),
            LetterKind::Reminder | LetterKind::Nudge | LetterKind::PutOff => Some(Topic::Reminders),
            LetterKind::ClaimOpen
            | LetterKind::PauseOffer
            | LetterKind::DrawOffer
            | LetterKind::ContinueOffer
            | LetterKind::Rematch => Some(Topic::Offers),
            LetterKind::Message => Some(Topic::Messages),
            // What was sealed may be lost: nobody can do without this.
            LetterKind::GoesOn
            | LetterKind::Invitation
            | LetterKind::Confirm
            | LetterKind::SignIn
            | LetterKind::Change
            | LetterKind::Revert
            | LetterKind::Digest
            | LetterKind::MailAnswer
            | LetterKind::Allow
            | LetterKind::Seat
            | LetterKind::Organiser
            | LetterKind::WebhookOff => None,
        }
    }

    /// Whether it may wait for its reader's next digest: a reminder would come too late.
    #[must_use]
    pub const fn folds(self) -> bool {
        matches!(self.topic(), Some(Topic::Reports | Topic::Messages | Topic::Offers))
    }

    /// Reads what [`LetterKind::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<LetterKind> {
        LetterKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// What a letter is about, as its reader may know it when it is sent.
#[derive(Debug)]
pub enum Matter {
    /// A turn that has been resolved, and where the game stands.
    Report(Box<SeatView>, Box<TurnView>),
    /// A game that ended otherwise than on the board.
    End(Box<SeatView>),
    /// A turn that waits for its reader.
    Open(Box<SeatView>),
    /// Something of a game's time, or an offer that stands until the turn is over.
    Time(Box<SeatView>, TimeMatter),
    /// An address that somebody gave for letters.
    Confirm(MailedLink, Secret),
    /// What happened in all games of a person.
    Digest(Box<Digest>),
    /// A seat that was the reader's.
    GivenUp(GivenUpSeat),
    /// A game that is over, whose opponent wants to play again.
    Rematch(Box<SeatView>),
    /// A message of the opponent's.
    Message(Box<SeatView>, Message),
    /// An invitation and its secret.
    Invitation(Box<InvitationView>, Secret),
    /// Nothing any more: what the letter was about is over. It goes nowhere.
    Nothing,
    /// A browser that somebody wants to sign in.
    SignIn(Secret),
    /// A new address of a person.
    Change(MailedLink, Secret),
    /// An address that letters do not go to any more.
    Revert(MailedLink, Secret),
    /// A mail of the reader's, and what it has done.
    Answer(Box<SeatView>, Answered),
    /// Another address that may write for a seat.
    Allow(MailedLink, Secret),
    /// A seat that an organiser has given to the reader.
    Seat(MailedLink, Secret),
    /// What the organiser did in a game.
    Organiser(Box<SeatView>, ShownAct),
}

/// What is answered to a mail, with whatever else it asks about.
#[derive(Debug)]
pub struct Answered {
    /// The parts of the answer.
    pub replies: Vec<Reply>,
    /// The games of its person, if they were asked about.
    pub games: Vec<GameLine>,
    /// The Message-ID of the mail.
    pub to: Option<String>,
}

impl Matter {
    /// What the reader's seat sees, if the letter is about a game.
    #[must_use]
    pub fn view(&self) -> Option<&SeatView> {
        match self {
            Matter::Report(view, _)
            | Matter::End(view)
            | Matter::Open(view)
            | Matter::Time(view, _)
            | Matter::Rematch(view)
            | Matter::Message(view, _)
            | Matter::Answer(view, _)
            | Matter::Organiser(view, _) => Some(view),
            Matter::Confirm(..)
            | Matter::GivenUp(_)
            | Matter::Invitation(..)
            | Matter::Nothing
            | Matter::SignIn(_)
            | Matter::Change(..)
            | Matter::Revert(..)
            | Matter::Digest(_)
            | Matter::Allow(..)
            | Matter::Seat(..) => None,
        }
    }
}

/// What of a game's time, or of its offers, a letter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeMatter {
    /// A turn will soon be due, and the reader has not sealed.
    Reminder,
    /// The game has lain still for long.
    Nudge,
    /// The server was down, and the deadline was put off.
    PutOff,
    /// The server was moved or restored, and the game goes on.
    GoesOn,
    /// The opponent stays away.
    ClaimOpen,
    /// Somebody has taken the opponent's seat, which was free.
    SubstituteCame,
    /// The opponent offers a pause.
    PauseOffer,
    /// The opponent offers a draw, or to go on from an earlier day.
    Offer(OfferKind),
    /// A webhook of the reader's was switched off.
    WebhookOff,
}

impl TimeMatter {
    /// The matter of a kind of letter, if it is one of time.
    const fn of(kind: LetterKind) -> Option<TimeMatter> {
        match kind {
            LetterKind::Report
            | LetterKind::End
            | LetterKind::Open
            | LetterKind::Confirm
            | LetterKind::SignIn
            | LetterKind::Change
            | LetterKind::Revert
            | LetterKind::Digest
            | LetterKind::MailAnswer
            | LetterKind::Allow
            | LetterKind::Seat
            | LetterKind::Organiser
            | LetterKind::Rematch
            | LetterKind::Invitation
            | LetterKind::SeatGivenUp
            | LetterKind::Message => None,
            LetterKind::Reminder => Some(TimeMatter::Reminder),
            LetterKind::Nudge => Some(TimeMatter::Nudge),
            LetterKind::PutOff => Some(TimeMatter::PutOff),
            LetterKind::GoesOn => Some(TimeMatter::GoesOn),
            LetterKind::ClaimOpen => Some(TimeMatter::ClaimOpen),
            LetterKind::SubstituteCame => Some(TimeMatter::SubstituteCame),
            LetterKind::PauseOffer => Some(TimeMatter::PauseOffer),
            LetterKind::DrawOffer => Some(TimeMatter::Offer(OfferKind::Draw)),
            LetterKind::ContinueOffer => Some(TimeMatter::Offer(OfferKind::Continue)),
            LetterKind::WebhookOff => Some(TimeMatter::WebhookOff),
        }
    }

    /// Whether there is still a reason for the letter, now that it is sent.
    fn stands(self, view: &SeatView, turn: Option<i64>) -> bool {
        let same = turn == Some(i64::from(view.standing.turn()));
        let open = view.ended.is_none();
        match self {
            TimeMatter::Reminder | TimeMatter::Nudge => open && same && view.own.is_none(),
            TimeMatter::PutOff | TimeMatter::SubstituteCame => open && same,
            TimeMatter::GoesOn => open,
            TimeMatter::WebhookOff => true,
            TimeMatter::ClaimOpen => view.time.claim.is_some(),
            TimeMatter::PauseOffer => open && view.time.offer.is_some_and(|offer| offer.by != view.side),
            TimeMatter::Offer(kind) => {
                open && same && view.offers.iter().any(|offer| offer.kind == kind && offer.by != view.side)
            }
        }
    }
}

/// A letter that has been claimed, with all that it is about.
#[derive(Debug)]
pub struct DueLetter {
    /// Its id, which becomes its Message-ID.
    pub id: String,
    /// From when it was to leave.
    pub ready_at: Timestamp,
    /// Where it goes; `None` if the seat has no confirmed address any more, or the letter has lost its reason.
    pub to: Option<String>,
    /// What it is about.
    pub matter: Matter,
    /// Whether there is a reason for it still.
    pub wanted: bool,
    /// The code that opens the seat of a letter about a game.
    pub code: Option<String>,
    /// What stands for the turn of the seat in the address for answers, in a letter about a game.
    pub answer: Option<Postmark>,
    /// What stands for the letter in the address to which it comes back if it cannot be delivered.
    pub returned: Postmark,
    /// The letters about the same seat before it.
    pub thread: Thread,
    /// The Message-ID of the mail that it answers, `<…@…>`.
    pub in_reply_to: Option<String>,
    /// What stops the letters of a letter's seat.
    pub unsubscribe: Option<Secret>,
    /// How its reader wants times to be written.
    pub wishes: Wishes,
}

/// The ids of the letters that a letter follows in its thread: one thread for each seat and its reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The first of them.
    pub first: Option<String>,
    /// The last of them.
    pub last: Option<String>,
}

impl Play {
    /// Queues a letter about the awaited turn for each seat whose address is confirmed.
    pub(in crate::play) async fn queue_letters(
        &self,
        tx: &mut Writer,
        game: &Game,
        kind: LetterKind,
    ) -> Result<(), PlayError> {
        for side in Side::BOTH {
            self.queue_letter(tx, game, side, kind, 0).await?;
        }
        Ok(())
    }

    /// Queues a letter about the awaited turn for one seat, if its address is confirmed. A second one of the same kind
    /// about the same turn needs another `revision`.
    pub(in crate::play) async fn queue_letter(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        kind: LetterKind,
        revision: i64,
    ) -> Result<(), PlayError> {
        let seat = tx.seat(game.id.as_str(), side.word()).await?.ok_or(PlayError::NotFound)?;
        let Some(person) = seat.person_id.as_ref().filter(|_| Stopped::of(&seat).is_none()) else { return Ok(()) };
        // Who plays a computer without deadlines sits at the game and resolves each day by their own seal.
        if kind == LetterKind::Report && game.pace == Pace::Open && has_computer(tx, game).await? {
            return Ok(());
        }
        let wishes = self.letter_wishes(tx, person).await?;
        let topic = kind.topic();
        if topic.is_some_and(|topic| !wishes.wants(topic)) {
            return Ok(());
        }
        let (id, now) = (self.sorted_id(), self.clock.now());
        tx.queue_letter(&NewLetter {
            id: &id,
            kind: kind.word(),
            seat: Some((game.id.as_str(), game.turn(), side.word())),
            address: None,
            about: None,
            revision,
            now: now.0,
        })
        .await?;
        if kind.folds() && self.fold(tx, &id, person, &wishes).await? {
            return Ok(());
        }
        // A letter waits for the end of its reader's quiet hours, but for a reminder that would come too late then.
        if topic.is_some()
            && let Some(end) = wishes.quiet_until(now)
            && (topic != Some(Topic::Reminders) || game.due.is_none_or(|due| end.0 < due.0))
        {
            tx.hold_letter(&id, end.0).await?;
        }
        Ok(())
    }

    /// Gathers what a claimed letter is about.
    ///
    /// # Errors
    /// The store failed, or its records cannot be read.
    pub async fn due_letter(&self, claimed: &ClaimedLetter) -> Result<DueLetter, PlayError> {
        let letter = &claimed.0;
        let kind = LetterKind::from_word(&letter.kind).ok_or_else(broken)?;
        let (mut code, mut answer, mut unsubscribe, mut wishes) = (None, None, None, Wishes::default());
        let (to, matter) = match kind {
            LetterKind::Confirm
            | LetterKind::SignIn
            | LetterKind::Change
            | LetterKind::Revert
            | LetterKind::Allow
            | LetterKind::Seat => (letter.address.clone(), self.mailed_matter(letter).await?),
            LetterKind::Digest => self.digest_of(letter).await?,
            LetterKind::SeatGivenUp => (letter.address.clone(), Matter::GivenUp(self.given_up_of(letter).await?)),
            LetterKind::Invitation => match self.invitation_of(letter).await? {
                Some((view, secret)) => (letter.address.clone(), Matter::Invitation(Box::new(view), secret)),
                None => (None, Matter::Nothing),
            },
            _ => {
                let seat = self.seat_of_letter(letter).await?;
                let day = code::day(letter.ready_at);
                code = Some(self.key.code(seat.game(), seat.side(), seat.generation(), day));
                wishes = self.wishes_of_seat(&seat).await?;
                let (to, matter) = if self.is_still_readers(letter, &seat).await? {
                    self.seat_matter(kind, letter, &seat).await?
                } else {
                    (None, Matter::Nothing)
                };
                answer = matter.view().map(|view| self.answer_mark(&seat, view.standing.turn()));
                unsubscribe = Some(self.unsubscribe_secret(&seat));
                (to, matter)
            }
        };
        let epoch = self.epoch_of(&letter.id).await?;
        let stopped = matter.view().is_some_and(|view| view.stopped.get(view.side).is_some());
        let wanted = !stopped
            && match &matter {
                Matter::Nothing => false,
                Matter::Time(view, time) => time.stands(view, letter.turn),
                Matter::Open(view) => TimeMatter::Reminder.stands(view, letter.turn),
                _ => true,
            };
        Ok(DueLetter {
            id: in_epoch(letter.id.clone(), epoch),
            ready_at: Timestamp(letter.ready_at),
            to,
            in_reply_to: match &matter {
                Matter::Answer(_, answered) => answered.to.clone(),
                _ => None,
            },
            matter,
            wanted,
            code,
            answer,
            returned: self.return_mark(&letter.id),
            thread: self.thread_of(&letter.id, epoch).await?,
            unsubscribe,
            wishes,
        })
    }

    async fn thread_of(&self, id: &str, epoch: i64) -> Result<Thread, PlayError> {
        let id = id.to_owned();
        let read = self.store.read(move |tx| Box::pin(async move { tx.thread_of_letter(&id).await }));
        let (first, last) = read.await?;
        let named = |id: Option<String>| id.map(|id| in_epoch(id, epoch));
        Ok(Thread { first: named(first), last: named(last) })
    }

    async fn epoch_of(&self, id: &str) -> Result<i64, PlayError> {
        let id = id.to_owned();
        Ok(self.store.read(move |tx| Box::pin(async move { tx.epoch_of_letter(&id).await })).await?)
    }

    /// Whether a seat is still of whom a letter was for: who has taken it over reads no letter of the one before. A new
    /// address makes another person of the same player, and a new link another generation of the same person's seat.
    async fn is_still_readers(&self, letter: &Letter, seat: &Seat) -> Result<bool, PlayError> {
        if letter.seat_generation == Some(seat.generation()) {
            return Ok(true);
        }
        let (seat, person) = (seat.clone(), letter.person_id.clone());
        let read =
            self.store.read(move |tx| Box::pin(async move { tx.seat(seat.game().as_str(), seat.side().word()).await }));
        Ok(read.await?.is_some_and(|row| row.person_id == person))
    }

    /// What the person of a seat wants.
    async fn wishes_of_seat(&self, seat: &Seat) -> Result<Wishes, PlayError> {
        let (play, seat) = (self.clone(), seat.clone());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let row = tx.seat(seat.game().as_str(), seat.side().word()).await?;
                    match row.and_then(|row| row.person_id) {
                        Some(person) => play.letter_wishes(tx, &person).await,
                        None => Ok(Wishes::default()),
                    }
                })
            })
            .await
    }

    /// What a letter to a seat is about, and where it goes: nowhere if there is no reason for it any more.
    pub(in crate::play) async fn seat_matter(
        &self,
        kind: LetterKind,
        letter: &Letter,
        seat: &Seat,
    ) -> Result<(Option<String>, Matter), PlayError> {
        let view = Box::new(self.view(seat).await?);
        let to = view.address.clone();
        if let Some(time) = TimeMatter::of(kind) {
            let to = to.filter(|_| time.stands(&view, letter.turn));
            return Ok((to, Matter::Time(view, time)));
        }
        Ok(match kind {
            LetterKind::Report => {
                let turn = letter.turn.and_then(|turn| u32::try_from(turn).ok()).ok_or_else(broken)?;
                (to, Matter::Report(view, Box::new(self.turn(seat, turn).await?)))
            }
            LetterKind::Open => (to, Matter::Open(view)),
            LetterKind::Rematch => (to, Matter::Rematch(view)),
            LetterKind::MailAnswer => match self.answered(letter, seat).await? {
                Some(answered) => (to, Matter::Answer(view, answered)),
                None => (None, Matter::Nothing),
            },
            LetterKind::Organiser => {
                let act = view.organiser.acts.iter().find(|act| act.number == letter.revision).cloned();
                (to, Matter::Organiser(view, act.ok_or_else(broken)?))
            }
            LetterKind::Message => {
                let message = self.message(seat.game().as_str(), letter.revision).await?;
                // It may have been forgotten or muted meanwhile.
                match message.filter(|message| !view.company.mailbox.muted && !message.text.is_empty()) {
                    Some(message) => (to, Matter::Message(view, message)),
                    None => (None, Matter::Nothing),
                }
            }
            _ => (to, Matter::End(view)),
        })
    }

    /// What the answer to a mail says; nothing if it has been sent and erased.
    async fn answered(&self, letter: &Letter, seat: &Seat) -> Result<Option<Answered>, PlayError> {
        let (seat, number) = (seat.clone(), letter.revision);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let (id, side) = (seat.game().as_str(), seat.side().word());
                    let Some((to, body)) = tx.mail_answer(id, side, number).await? else { return Ok(None) };
                    let replies: Vec<Reply> = reply::read(&body)?;
                    let mut games = Vec::new();
                    let person = tx.seat(id, side).await?.and_then(|row| row.person_id);
                    if let Some(person) = person.filter(|_| replies.contains(&Reply::StatusOfAll)) {
                        for seat in own_seats(tx, &person).await? {
                            games.extend(readable_line(tx, &seat).await?);
                        }
                    }
                    Ok(Some(Answered { replies, games, to }))
                })
            })
            .await
    }

    /// The mailed link that a letter carries.
    async fn mailed_matter(&self, letter: &Letter) -> Result<Matter, PlayError> {
        let id = letter.about.clone().ok_or_else(broken)?;
        let secret = self.key.mailed(&id);
        let link = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let row = tx.mailed_link_by_id(&id).await?.ok_or_else(broken)?;
                    look(tx, &row).await
                })
            })
            .await?;
        Ok(match link.errand {
            Errand::Confirm => Matter::Confirm(link, secret),
            Errand::SignIn => Matter::SignIn(secret),
            Errand::Change => Matter::Change(link, secret),
            Errand::Revert => Matter::Revert(link, secret),
            Errand::Allow => Matter::Allow(link, secret),
            Errand::Seat => Matter::Seat(link, secret),
        })
    }

    /// The seat that a letter goes to: the server itself proves it.
    pub(in crate::play) async fn seat_of_letter(&self, letter: &Letter) -> Result<Seat, PlayError> {
        let id = letter.game_id.clone().ok_or_else(broken)?;
        let side = letter.side.as_deref().and_then(Side::from_word).ok_or_else(broken)?;
        let game = GameId::parse(&id).ok_or_else(broken)?;
        let row = self.store.read(move |tx| Box::pin(async move { tx.seat(&id, side.word()).await })).await?;
        let row = row.ok_or(PlayError::NotFound)?;
        Ok(Seat::new(game, side, row.link_generation))
    }
}

/// The id of a letter for its Message-ID. After a move or a restored backup it says so, so that no letter of before is
/// taken for one of now.
fn in_epoch(id: String, epoch: i64) -> String {
    if epoch == 0 { id } else { format!("{id}.{epoch}") }
}

/// A letter's row that cannot be read.
fn broken() -> PlayError {
    PlayError::Broken("letter".into())
}
