//! The list of mails that came: when, for which seat, and what became of each. What they said is kept nowhere.

use crate::clock::Timestamp;
use crate::play::admin::letters::{SHOWN, read_place};
use crate::play::admin::{Admin, wrong};
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::{DeskMailRow, Reader};

/// A mail on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeskMail {
    /// For a seat of which game.
    pub game: GameId,
    /// For which side.
    pub side: Side,
    /// What became of it, a word.
    pub verdict: String,
    /// When it came.
    pub at: Timestamp,
}

/// A page of mails, the last one first.
#[derive(Clone, Debug)]
pub struct MailPage {
    /// The mails.
    pub mails: Vec<DeskMail>,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
}

impl DeskMail {
    fn read(row: DeskMailRow) -> Result<DeskMail, PlayError> {
        let broken = || PlayError::Broken("mail".into());
        Ok(DeskMail {
            game: GameId::parse(&row.game_id).ok_or_else(broken)?,
            side: Side::from_word(&row.side).ok_or_else(broken)?,
            verdict: row.verdict,
            at: Timestamp(row.seen_at),
        })
    }
}

/// The last mails to the seats of a game.
pub(super) async fn mails_of_game(tx: &mut Reader, game: &str, most: i64) -> Result<Vec<DeskMail>, PlayError> {
    let rows = tx.desk_mails(Some(game), None, most).await?;
    rows.into_iter().map(DeskMail::read).collect()
}

impl Play {
    /// A page of the mails that came.
    ///
    /// # Errors
    /// [`PlayError::Field`] for a place that is none.
    pub async fn desk_mails(&self, _admin: &Admin, after: Option<&str>) -> Result<MailPage, PlayError> {
        let place = |text| read_place(text).ok_or_else(|| wrong("after", "is not a place of this list"));
        let after = after.map(place).transpose()?;
        let mut rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let after = after.as_ref().map(|(time, hash)| (*time, hash.as_str()));
                    tx.desk_mails(None, after, SHOWN + 1).await
                })
            })
            .await?;
        let shown = usize::try_from(SHOWN).unwrap_or(usize::MAX);
        let more = rows.len() > shown;
        rows.truncate(shown);
        let next = rows.last().filter(|_| more).map(|row| format!("{}-{}", row.seen_at, row.place));
        Ok(MailPage { mails: rows.into_iter().map(DeskMail::read).collect::<Result<_, _>>()?, next })
    }
}
