//! The list of letters with what became of them, and sending one again. What a letter says is not shown.

use crate::clock::Timestamp;
use crate::play::admin::{Admin, Done, wrong};
use crate::play::ledger::LetterFate;
use crate::play::letters::LetterKind;
use crate::play::stopped::Stopped;
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::{DeskLetterRow, DeskLetters, LetterRecord, Reader, Writer};

/// How many letters stand on a page, and with a game.
pub(in crate::play) const SHOWN: i64 = 100;

/// Which letters are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterState {
    /// Those that wait.
    Waiting,
    /// Those that were given up.
    Failed,
    /// Those that came back.
    Returned,
}

/// A letter on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeskLetter {
    /// The id.
    pub id: String,
    /// What it is.
    pub kind: LetterKind,
    /// About which game.
    pub game: Option<GameId>,
    /// To which side.
    pub side: Option<Side>,
    /// The turn that was awaited when it was queued.
    pub turn: Option<u32>,
    /// The id of the person whose it is.
    pub person: Option<String>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// What became of it.
    pub fate: LetterFate,
    /// How often it has been tried.
    pub attempts: u32,
}

/// A page of letters, the last one first.
#[derive(Clone, Debug)]
pub struct LetterPage {
    /// The letters.
    pub letters: Vec<DeskLetter>,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
}

impl DeskLetter {
    fn read(row: DeskLetterRow) -> Result<DeskLetter, PlayError> {
        let broken = || PlayError::Broken("letter".into());
        let record = LetterRecord {
            kind: row.kind,
            game_id: row.game_id,
            turn: row.turn,
            created_at: row.created_at,
            due_at: row.due_at,
            attempts: row.attempts,
            sent_at: row.sent_at,
            failed_at: row.failed_at,
            last_error: row.last_error,
            returned_at: row.returned_at,
            returned_hard_at: row.returned_hard_at,
            returned_why: row.returned_why,
        };
        Ok(DeskLetter {
            id: row.id,
            kind: LetterKind::from_word(&record.kind).ok_or_else(broken)?,
            game: record.game_id.as_deref().map(|id| GameId::parse(id).ok_or_else(broken)).transpose()?,
            side: row.side.as_deref().map(|side| Side::from_word(side).ok_or_else(broken)).transpose()?,
            turn: row.turn.and_then(|turn| u32::try_from(turn).ok()),
            person: row.person_id,
            queued_at: Timestamp(row.created_at),
            fate: LetterFate::of(&record),
            attempts: u32::try_from(row.attempts).unwrap_or(0),
        })
    }
}

/// A place in a list of rows with a time and an id.
pub(super) fn read_place(text: &str) -> Option<(i64, String)> {
    let (time, id) = text.split_once('-')?;
    Some((time.parse().ok().filter(|time| *time >= 0)?, id.to_owned()))
}

/// The last letters about a game.
pub(super) async fn letters_of_game(tx: &mut Reader, game: &str, most: i64) -> Result<Vec<DeskLetter>, PlayError> {
    let rows = tx.desk_letters(DeskLetters::Of(game), None, most).await?;
    rows.into_iter().map(DeskLetter::read).collect()
}

impl Play {
    /// A page of letters in a state.
    ///
    /// # Errors
    /// [`PlayError::Field`] for a place that is none.
    pub async fn desk_letters(
        &self,
        _admin: &Admin,
        state: LetterState,
        after: Option<&str>,
    ) -> Result<LetterPage, PlayError> {
        let place = |text| read_place(text).ok_or_else(|| wrong("after", "is not a place of this list"));
        let after = after.map(place).transpose()?;
        let state = match state {
            LetterState::Waiting => DeskLetters::Waiting,
            LetterState::Failed => DeskLetters::Failed,
            LetterState::Returned => DeskLetters::Returned,
        };
        let mut rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let after = after.as_ref().map(|(time, id)| (*time, id.as_str()));
                    tx.desk_letters(state, after, SHOWN + 1).await
                })
            })
            .await?;
        let shown = usize::try_from(SHOWN).unwrap_or(usize::MAX);
        let more = rows.len() > shown;
        rows.truncate(shown);
        let next = rows.last().filter(|_| more).map(|row| format!("{}-{}", row.created_at, row.id));
        Ok(LetterPage { letters: rows.into_iter().map(DeskLetter::read).collect::<Result<_, _>>()?, next })
    }

    /// Lets a letter leave once more. One about a seat goes to whoever it was for, if that still is who sits there.
    pub(super) async fn resend(
        &self,
        tx: &mut Writer,
        id: &str,
        person: Option<&str>,
        version: Option<i64>,
    ) -> Result<Done, PlayError> {
        let row = tx.desk_letter(id).await?.ok_or(PlayError::NotFound)?;
        let (now, letter) = (self.clock.now(), DeskLetter::read(row)?);
        let was = match &letter.fate {
            LetterFate::Waits { .. } => "waited to leave".to_owned(),
            LetterFate::Sent(at) => format!("was sent on {at}"),
            LetterFate::GivenUp { at, .. } => format!("was given up on {at}"),
            LetterFate::CameBack { at, .. } => format!("came back on {at}"),
        };
        let about = format!("{} ({}), which {was}", letter.id, letter.kind.name());
        let (game, side, address) = match (&letter.game, letter.side) {
            (Some(game), Some(side)) => {
                let game = self.lock_for(tx, game.as_str(), person, version).await?;
                self.may_resend(tx, &letter, game.id.as_str(), side).await?;
                (Some(game.id), Some(side), None)
            }
            _ => (None, None, self.address_again(tx, id).await?),
        };
        if !tx.resend_letter(id, address.as_deref(), now.0).await? {
            return Err(wrong("letter", "is on its way at this moment"));
        }
        Ok(Done { act: "letter_resent", game, side, about, told: false })
    }

    /// Whether a letter about a seat may leave again, which lets letters go there again that were stopped because some came
    /// back.
    async fn may_resend(&self, tx: &mut Writer, letter: &DeskLetter, game: &str, side: Side) -> Result<(), PlayError> {
        let seat = tx.seat(game, side.word()).await?.ok_or(PlayError::NotFound)?;
        if seat.person_id.is_none() || seat.person_id != letter.person {
            return Err(wrong("letter", "was for somebody who does not sit there any more"));
        }
        match Stopped::of(&seat) {
            Some(Stopped::Unwanted(_)) => {
                Err(wrong("letter", "is not wanted: its reader has stopped the letters of this game"))
            }
            Some(Stopped::Returned(_)) => Ok(tx.resume_letters(game, side.word(), self.clock.now().0).await?),
            None => Ok(()),
        }
    }

    /// The address of a letter that is about no seat: on the letter until it leaves, and with the link that it carries.
    async fn address_again(&self, tx: &mut Writer, id: &str) -> Result<Option<String>, PlayError> {
        let gone = || wrong("letter", "went to an address that is not kept; let its sender send another one");
        let Some((address, about)) = tx.bare_letter(id).await? else { return Err(PlayError::NotFound) };
        if address.is_some() {
            return Ok(None);
        }
        let about = about.ok_or_else(gone)?;
        let link = tx.mailed_link_by_id(&about).await?.ok_or_else(gone)?;
        if link.used_at.is_some() || link.ends_at <= self.clock.now().0 {
            return Err(wrong("letter", "carries a link that has been used, or whose time is over"));
        }
        Ok(Some(link.address))
    }
}
