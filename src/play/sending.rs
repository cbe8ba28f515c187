//! Sending: letters are claimed by one worker at a time, and what became of each is kept.

use crate::clock::{Chance, Timestamp};
use crate::play::{Play, PlayError};
use crate::store::Letter;

/// How long a claim lasts, in milliseconds.
const CLAIM: i64 = 180_000;
/// How much of it must be left when a letter is begun, in milliseconds: longer than any sending.
const CLAIM_LEFT: i64 = 150_000;
/// How often a letter is tried: with the delays below, over about three days.
const ATTEMPTS: u32 = 20;
/// The first delay, in milliseconds; each further one is twice as long.
const FIRST_DELAY: i64 = 30_000;
/// The longest delay, in milliseconds.
const LONGEST_DELAY: i64 = 6 * 3_600_000;
/// The longest error that is kept of a letter, in characters.
const ERROR_MAX: usize = 300;

/// What is kept of a letter that nobody needs any more.
const NEEDLESS: &str = "its reason is gone";

/// What became of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was handed over.
    Sent,
    /// It was not, but might be later.
    Delayed(String),
    /// It never will be.
    Failed(String),
    /// It never will be, since the mail server knows no such address: that counts like a letter that came back for good.
    NoSuchReader(String),
    /// It never will be, and need not: its reason is gone.
    Needless,
}

impl Play {
    /// Claims up to `limit` letters that are due.
    ///
    /// # Errors
    /// The store failed.
    pub async fn claim_letters(&self, limit: u32) -> Result<Vec<ClaimedLetter>, PlayError> {
        let now = self.clock.now().0;
        // Looking first costs no write lock, and mostly nothing is due.
        let play = self.clone();
        let looking = self.store.read(move |tx| {
            Box::pin(async move { Ok::<_, PlayError>(play.awake(tx).await? && tx.letters_due(now, 1).await? > 0) })
        });
        if !looking.await? {
            return Ok(Vec::new());
        }
        let by = self.claims_as();
        let mut letters: Vec<Letter> = self
            .store
            .write(move |tx| {
                let by = by.clone();
                Box::pin(async move { tx.claim_letters(now, now + CLAIM, i64::from(limit), by.as_deref()).await })
            })
            .await?;
        // A database gives changed rows in any order.
        letters.sort_by(|one, other| (one.attempts, &one.id).cmp(&(other.attempts, &other.id)));
        Ok(letters.into_iter().map(ClaimedLetter).collect())
    }

    /// Keeps what became of a claimed letter. What somebody else has by now is theirs to judge, unless it has left.
    ///
    /// # Errors
    /// The store failed; the letter will be sent again, with the same id.
    pub async fn letter_done(&self, claimed: &ClaimedLetter, fate: Fate) -> Result<(), PlayError> {
        let (letter, now) = (claimed.0.clone(), self.clock.now().0);
        let attempts = u32::try_from(claimed.0.attempts).unwrap_or(u32::MAX);
        let delay = delay_after(attempts);
        let play = self.clone();
        let news = self
            .store
            .write(move |tx| {
                let (play, letter, fate) = (play.clone(), letter.clone(), fate.clone());
                Box::pin(async move {
                    if fate != Fate::Sent && !tx.hold_claim(&letter).await? {
                        return Ok(Vec::new());
                    }
                    let id = letter.id;
                    let news = match &fate {
                        Fate::NoSuchReader(why) => play.bounced_in(tx, &id, true, &short(why)).await?,
                        _ => Vec::new(),
                    };
                    // What an answer quotes is kept no longer than it is needed.
                    if !matches!(fate, Fate::Delayed(_)) || attempts >= ATTEMPTS {
                        tx.erase_mail_answer(&id).await?;
                    }
                    match fate {
                        Fate::Sent => tx.letter_sent(&id, now).await?,
                        Fate::Needless => tx.letter_failed(&id, now, NEEDLESS).await?,
                        Fate::Delayed(error) if attempts < ATTEMPTS => {
                            tx.letter_delayed(&id, now + delay, &short(&error)).await?;
                        }
                        Fate::Delayed(error) | Fate::Failed(error) | Fate::NoSuchReader(error) => {
                            tx.letter_failed(&id, now, &short(&error)).await?;
                        }
                    }
                    Ok::<_, PlayError>(news)
                })
            })
            .await?;
        for game in &news {
            self.announce(game);
        }
        Ok(())
    }

    /// How many letters wait, and since when the oldest of them does.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_waiting(&self) -> Result<(u64, Option<Timestamp>), PlayError> {
        let (number, oldest) = self.store.read(|tx| Box::pin(async move { tx.letters_waiting().await })).await?;
        Ok((u64::try_from(number).unwrap_or(0), oldest.map(Timestamp)))
    }

    /// Makes sure that a claim outlasts the sending of its letter, and is this process's own. Gives false if somebody else
    /// has the letter by now.
    ///
    /// # Errors
    /// The store failed.
    pub async fn keep_claim(&self, claimed: &mut ClaimedLetter) -> Result<bool, PlayError> {
        let (now, by) = (self.clock.now().0, self.claims_as());
        let lasts = claimed.0.claimed_until.is_some_and(|until| now + CLAIM_LEFT <= until);
        if lasts && claimed.0.claimed_by == by && self.is_sure_of_claims() {
            return Ok(true);
        }
        let (before, until) = (claimed.0.clone(), now + CLAIM);
        (claimed.0.claimed_until, claimed.0.claimed_by) = (Some(until), by.clone());
        self.store
            .write(move |tx| {
                let (before, by) = (before.clone(), by.clone());
                Box::pin(async move { Ok(tx.renew_claim(&before, until, by.as_deref()).await?) })
            })
            .await
    }

    /// Gives a letter back that was claimed and will not be tried.
    ///
    /// # Errors
    /// The store failed; the claim ends by itself.
    pub async fn release_letter(&self, claimed: &ClaimedLetter) -> Result<(), PlayError> {
        let letter = claimed.0.clone();
        self.store
            .write(move |tx| {
                let letter = letter.clone();
                Box::pin(async move { Ok(tx.release_letter(&letter).await?) })
            })
            .await
    }
}

/// How long a letter waits that could not leave, in milliseconds: twice as long each time, and a little less.
fn delay_after(attempts: u32) -> i64 {
    let whole = FIRST_DELAY.saturating_mul(1 << attempts.saturating_sub(1).min(20)).min(LONGEST_DELAY);
    a_little_less(whole)
}

/// Up to a quarter less than `whole` milliseconds, so that what failed together does not come back together. Nothing else
/// hangs on it: it takes nothing of the server's own chance, which would then depend on when letters leave.
pub(in crate::play) fn a_little_less(whole: i64) -> i64 {
    let less = Chance::System.below(usize::try_from(whole / 4).unwrap_or(0));
    whole - i64::try_from(less).unwrap_or(0)
}

/// A letter that nobody else will send for a while.
#[derive(Clone, Debug)]
pub struct ClaimedLetter(pub(in crate::play) Letter);

impl ClaimedLetter {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }
}

fn short(error: &str) -> String {
    error.chars().filter(|c| !c.is_control()).take(ERROR_MAX).collect()
}
