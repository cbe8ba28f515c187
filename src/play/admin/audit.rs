//! The log of what organisers did: added to by every act, and changed by nothing.

use crate::clock::Timestamp;
use crate::play::admin::Admin;
use crate::play::{GameId, Play, PlayError};
use crate::rules::Side;
use crate::store::ActRow;

/// How many acts stand on a page.
pub const PAGE: usize = 50;

/// An act in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActLine {
    /// The id.
    pub id: String,
    /// When it was done.
    pub at: Timestamp,
    /// Whose token it was; a side's name for what a player did about it.
    pub who: String,
    /// What was done, a word.
    pub act: String,
    /// In which game.
    pub game: Option<GameId>,
    /// To which side.
    pub side: Option<Side>,
    /// What exactly, in words.
    pub about: String,
    /// Why, for the players.
    pub reason: String,
    /// What organisers alone read.
    pub note: Option<String>,
    /// The game's version afterwards.
    pub version: Option<i64>,
}

impl ActLine {
    pub(in crate::play) fn read(row: ActRow) -> Result<ActLine, PlayError> {
        let broken = || PlayError::Broken("act".into());
        let game = row.game_id.map(|id| GameId::parse(&id).ok_or_else(broken)).transpose()?;
        let side = row.side.map(|side| Side::from_word(&side).ok_or_else(broken)).transpose()?;
        Ok(ActLine {
            id: row.id,
            at: Timestamp(row.done_at),
            who: row.who,
            act: row.act,
            game,
            side,
            about: row.about,
            reason: row.reason,
            note: row.note,
            version: row.version,
        })
    }
}

/// A page of the log, the last act first.
#[derive(Clone, Debug)]
pub struct ActPage {
    /// The acts.
    pub acts: Vec<ActLine>,
    /// Where the list goes on, if it does.
    pub next: Option<String>,
}

impl Play {
    /// A page of the log: all acts, or those of one token, before the one with an id.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn admin_acts(
        &self,
        _admin: &Admin,
        token: Option<String>,
        before: Option<String>,
    ) -> Result<ActPage, PlayError> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let most = i64::try_from(PAGE).unwrap_or(i64::MAX) + 1;
                    let mut rows = tx.admin_acts(token.as_deref(), before.as_deref(), most).await?;
                    let more = rows.len() > PAGE;
                    rows.truncate(PAGE);
                    let next = rows.last().filter(|_| more).map(|row| row.id.clone());
                    let acts = rows.into_iter().map(ActLine::read).collect::<Result<_, _>>()?;
                    Ok::<_, PlayError>(ActPage { acts, next })
                })
            })
            .await
    }
}
