//! Letters that are due: claiming them, and what became of them.
//!
//! What a letter says is asked of the projection of its seat when it is sent, so a letter
//! can never say more than its reader's pages.

use crate::clock::Timestamp;
use crate::play::resolve::LetterKind;
use crate::play::view::{SeatView, TurnView};
use crate::play::{GameId, Play, PlayError, Seat};
use crate::rules::Side;
use crate::store::Letter;

/// A letter that has been claimed, with all that it is about.
#[derive(Debug)]
pub struct DueLetter {
    /// Its id, which becomes its Message-ID.
    pub id: String,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// Where it goes; `None` if the seat has no address any more.
    pub to: Option<String>,
    /// The reader's view of the game.
    pub view: SeatView,
    /// The turn that it reports; `None` for the end of a game otherwise than on the board.
    pub turn: Option<TurnView>,
}

/// How long a claim lasts, in milliseconds: longer than any sending.
const CLAIM: i64 = 120_000;
/// How often a letter is tried: with the delays below, over about three days.
const ATTEMPTS: u32 = 20;
/// The first delay, in milliseconds; each further one is twice as long.
const FIRST_DELAY: i64 = 30_000;
/// The longest delay, in milliseconds.
const LONGEST_DELAY: i64 = 6 * 3_600_000;
/// The longest error that is kept of a letter, in characters.
const ERROR_MAX: usize = 300;

/// What became of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was handed over.
    Sent,
    /// It was not, but might be later.
    Delayed(String),
    /// It never will be.
    Failed(String),
}

impl Play {
    /// Claims up to `limit` letters that are due.
    ///
    /// # Errors
    /// The store failed.
    pub async fn claim_letters(&self, limit: u32) -> Result<Vec<ClaimedLetter>, PlayError> {
        let now = self.clock.now().0;
        // Looking first costs no write lock, and mostly nothing is due.
        if self.store.read(move |tx| Box::pin(async move { tx.letters_due(now).await })).await? == 0 {
            return Ok(Vec::new());
        }
        let letters: Vec<Letter> = self
            .store
            .write(move |tx| Box::pin(async move { tx.claim_letters(now, now + CLAIM, i64::from(limit)).await }))
            .await?;
        Ok(letters.into_iter().map(ClaimedLetter).collect())
    }

    /// Gathers what a claimed letter is about.
    ///
    /// # Errors
    /// The store failed, or its records cannot be read.
    pub async fn due_letter(&self, claimed: &ClaimedLetter) -> Result<DueLetter, PlayError> {
        let broken = || PlayError::Broken("letter".into());
        let letter = &claimed.0;
        let game = GameId::parse(&letter.game_id).ok_or_else(broken)?;
        let side = Side::from_word(&letter.side).ok_or_else(broken)?;
        let kind = LetterKind::from_word(&letter.kind).ok_or_else(broken)?;
        let turn = u32::try_from(letter.turn).map_err(|_| broken())?;
        let seat = self.seat_of_letter(game, side).await?;
        Ok(DueLetter {
            id: letter.id.clone(),
            queued_at: Timestamp(letter.created_at),
            turn: match kind {
                LetterKind::Report => Some(self.turn(&seat, turn).await?),
                LetterKind::End => None,
            },
            view: self.view(&seat).await?,
            to: self.address_of(&seat).await?,
        })
    }

    /// The seat that a letter goes to: the server itself proves it.
    async fn seat_of_letter(&self, game: GameId, side: Side) -> Result<Seat, PlayError> {
        let id = game.to_string();
        let row = self.store.read(move |tx| Box::pin(async move { tx.seat(&id, side.word()).await })).await?;
        let row = row.ok_or(PlayError::NotFound)?;
        Ok(Seat::new(game, side, row.link_generation))
    }

    /// Keeps what became of a claimed letter.
    ///
    /// # Errors
    /// The store failed; the letter will be sent again, with the same id.
    pub async fn letter_done(&self, claimed: &ClaimedLetter, fate: Fate) -> Result<(), PlayError> {
        let (id, now) = (claimed.0.id.clone(), self.clock.now().0);
        let attempts = u32::try_from(claimed.0.attempts).unwrap_or(u32::MAX);
        let delay = FIRST_DELAY.saturating_mul(1 << attempts.saturating_sub(1).min(20)).min(LONGEST_DELAY);
        self.store
            .write(move |tx| {
                let (id, fate) = (id.clone(), fate.clone());
                Box::pin(async move {
                    match fate {
                        Fate::Sent => tx.letter_sent(&id, now).await?,
                        Fate::Delayed(error) if attempts < ATTEMPTS => {
                            tx.letter_delayed(&id, now + delay, &short(&error)).await?;
                        }
                        Fate::Delayed(error) | Fate::Failed(error) => {
                            tx.letter_failed(&id, now, &short(&error)).await?;
                        }
                    }
                    Ok(())
                })
            })
            .await
    }

    /// How many letters wait, and since when the oldest of them does.
    ///
    /// # Errors
    /// The store failed.
    pub async fn letters_waiting(&self) -> Result<(u64, Option<Timestamp>), PlayError> {
        let (number, oldest) = self.store.read(|tx| Box::pin(async move { tx.letters_waiting().await })).await?;
        Ok((u64::try_from(number).unwrap_or(0), oldest.map(Timestamp)))
    }
}

/// A letter that nobody else will send for a while.
#[derive(Clone, Debug)]
pub struct ClaimedLetter(Letter);

impl ClaimedLetter {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }
}

fn short(error: &str) -> String {
    error.chars().filter(|c| *c != '\0').take(ERROR_MAX).collect()
}
