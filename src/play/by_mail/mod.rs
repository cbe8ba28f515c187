//! What a mail to a seat's address does: the third door beside pages and API, to the same functions.
//!
//! A mail is dealt with in one transaction: that it came, what it changed, and the answer that is queued. So it is never
//! dealt with twice, and an answer that is lost with its database was never promised. Of the mail itself nothing is kept;
//! what an answer quotes waits in a row of its own until the letter has left.

use crate::play::letters::LetterKind;
use crate::play::mailed::{Errand, address_key};
use crate::play::postmark::Postmark;
use crate::play::stopped::Stopped;
use crate::play::{Play, PlayError, Seat};
use crate::store::{SeatRow, Writer};

/// What the lines of a mail ask for.
mod asks;
/// Doing it.
mod acts;
/// What is answered.
pub mod reply;
/// Which other addresses a seat is written for from.
mod senders;

/// What can be written, for people.
mod verbs;

pub use reply::{Line, Reply};
pub use verbs::{VERBS, Written};

/// How many mails a seat is answered in a day; what comes above that is neither done nor answered.
const MOST_A_DAY: i64 = 50;
/// A day in milliseconds.
const DAY: i64 = 24 * 3_600_000;
/// The longest Message-ID that is repeated, in characters.
const ID_MAX: usize = 250;

/// A mail to a seat, as the door has read it.
#[derive(Clone)]
pub struct Mailed {
    /// What tells it from other mails: its Message-ID, or a hash of the whole of it.
    pub key: String,
    /// Its Message-ID with angle brackets, if it may be repeated in a header.
    pub message_id: Option<String>,
    /// The id of the newest of our letters that it answers, if it names one.
    pub answers: Option<String>,
    /// The one address that it is from.
    pub from: Option<String>,
    /// Whether nobody wrote it.
    pub automatic: bool,
    /// Whether the domain of its sender disowns it.
    pub disowned: bool,
    /// Whether it asks for no more letters.
    pub unsubscribes: bool,
    /// What was written.
    pub text: String,
}

/// Shows nothing of the mail.
impl std::fmt::Debug for Mailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailed").field("automatic", &self.automatic).finish_non_exhaustive()
    }
}

/// What became of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was done, or refused, and is answered.
    Answered,
    /// It came before, and was dealt with then.
    Repeated,
    /// Nobody wrote it: nothing was done.
    Automatic,
    /// It is from another address than the seat's, which is asked about that.
    Held,
    /// Too many have come within a day.
    TooMany,
    /// It stopped the letters of the seat.
    Stopped,
    /// It is from an address that the organiser has blocked: nothing was done.
    Blocked,
}

impl Verdict {
    /// The word in the database and in the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Answered => "answered",
            Verdict::Repeated => "repeated",
            Verdict::Automatic => "automatic",
            Verdict::Held => "held",
            Verdict::TooMany => "too_many",
            Verdict::Stopped => "stopped",
            Verdict::Blocked => "blocked",
        }
    }
}

impl Play {
    /// Deals with a mail to the address of a seat's turn. When this is done, it is kept.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for an address that is none, or none any more; the store failed, and nothing was done.
    pub async fn answer_by_mail(&self, mark: &Postmark, mail: Mailed) -> Result<Verdict, PlayError> {
        let (seat, turn) = self.answering(mark).await?;
        let (play, asker) = (self.clone(), seat.clone());
        let verdict = self
            .store
            .write(move |tx| {
                let (play, seat, mail) = (play.clone(), asker.clone(), mail.clone());
                Box::pin(async move { play.mail_in(tx, &seat, turn, &mail).await })
            })
            .await?;
        self.announce(seat.game());
        self.metrics.mail(verdict.word());
        tracing::info!(game = %seat.game(), side = seat.side().word(), verdict = verdict.word(), "a mail came");
        Ok(verdict)
    }

    async fn mail_in(&self, tx: &mut Writer, seat: &Seat, turn: u32, mail: &Mailed) -> Result<Verdict, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.device.is_some() {
            return Err(PlayError::NotFound);
        }
        let (id, side, now) = (game.id.as_str(), seat.side().word(), self.clock.now().0);
        let mut hash = self.key.blinded(&format!("mail|{}", mail.key));
        let row = tx.seat(id, side).await?.ok_or(PlayError::NotFound)?;
        if let Some(before) = tx.mail_seen(id, side, &hash).await? {
            // A mail that was held is sent again once its address is allowed, and some programs keep its Message-ID.
            let again = self.key.blinded(&format!("mail again|{}", mail.key));
            let held = before == Verdict::Held.word() && self.may_write(tx, seat, &row, mail).await?;
            if !held || tx.mail_seen(id, side, &again).await?.is_some() {
                return Ok(Verdict::Repeated);
            }
            hash = again;
        }
        let verdict = if mail.unsubscribes {
            // The address proves enough for this, whoever asks: the page of the same letter would do it too.
            tx.stop_letters(id, side, now).await?;
            tx.touch_game(id).await?;
            Verdict::Stopped
        } else if mail.automatic {
            Verdict::Automatic
        } else if self.is_from_blocked(tx, mail).await? {
            Verdict::Blocked
        } else if tx.count_mail(id, side, now - DAY).await? >= MOST_A_DAY {
            Verdict::TooMany
        } else if self.may_write(tx, seat, &row, mail).await? {
            self.answer(tx, seat, &row, turn, mail).await?;
            Verdict::Answered
        } else {
            self.ask_about(tx, seat, &row, mail).await?;
            Verdict::Held
        };
        tx.insert_mail_seen(id, side, &hash, verdict.word(), now).await?;
        Ok(verdict)
    }

    /// Whether a mail is from an address that the organiser has blocked.
    async fn is_from_blocked(&self, tx: &mut Writer, mail: &Mailed) -> Result<bool, PlayError> {
        match &mail.from {
            Some(from) => self.is_blocked(tx, from).await,
            None => Ok(false),
        }
    }

    /// Whether a mail is from an address of the seat's.
    async fn may_write(&self, tx: &mut Writer, seat: &Seat, row: &SeatRow, mail: &Mailed) -> Result<bool, PlayError> {
        let (Some(own), Some(from)) = (&row.confirmed_address, &mail.from) else { return Ok(false) };
        if mail.disowned {
            return Ok(false);
        }
        let from = address_key(from);
        if from == address_key(own) {
            return Ok(true);
        }
        let (id, side) = (seat.game().as_str(), seat.side().word());
        Ok(tx.mail_sender(id, side, seat.generation(), &from).await?.flatten().is_some())
    }

    /// Asks the seat's own address whether another one may write for it. The mail is not kept: it is to be sent again.
    async fn ask_about(&self, tx: &mut Writer, seat: &Seat, row: &SeatRow, mail: &Mailed) -> Result<(), PlayError> {
        let (Some(own), Some(from)) = (&row.confirmed_address, &mail.from) else { return Ok(()) };
        if Stopped::of(row).is_some() || self.has_enough(tx, Errand::Allow, own).await? {
            return Ok(());
        }
        if mail.disowned {
            // Allowing the address would not help: its own domain says that the mail is not from there.
            return self.queue_answer(tx, seat, row, None, &[Reply::Disowned { from: from.clone() }]).await;
        }
        let link = self.new_link(Errand::Allow, own, Some(seat), None);
        self.mail(tx, Errand::Allow, &link).await?;
        let (id, side) = (seat.game().as_str(), seat.side().word());
        tx.ask_about_sender(&link.id, id, side, seat.generation(), &address_key(from)).await?;
        Ok(())
    }

    /// Does what a mail asks for, and queues the answer.
    async fn answer(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        row: &SeatRow,
        turn: u32,
        mail: &Mailed,
    ) -> Result<(), PlayError> {
        let replies = self.carry_out_mail(tx, seat, row, turn, mail).await?;
        self.queue_answer(tx, seat, row, mail.message_id.as_deref(), &replies).await
    }

    async fn queue_answer(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        row: &SeatRow,
        answers: Option<&str>,
        replies: &[Reply],
    ) -> Result<(), PlayError> {
        if Stopped::of(row).is_some() {
            return Ok(());
        }
        let game = self.lock(tx, seat.game().as_str()).await?;
        let (id, side) = (game.id.as_str(), seat.side().word());
        let number = tx.last_mail_answer(id, side).await? + 1;
        let answers = answers.filter(|id| id.len() <= ID_MAX);
        tx.keep_mail_answer(id, side, number, answers, &reply::written(replies)?).await?;
        self.queue_letter(tx, &game, seat.side(), LetterKind::MailAnswer, number).await
    }
}
