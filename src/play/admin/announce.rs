//! What stands above all pages until a moment.

use crate::clock::Timestamp;
use crate::play::admin::{Done, checked_moment, checked_words, wrong};
use crate::play::{Play, PlayError};
use crate::store::{AnnouncementRow, Writer};

/// The longest announcement, in characters.
const LONGEST: usize = 300;
/// How many may stand at once.
const MOST: usize = 3;

/// Some words above all pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The id.
    pub id: String,
    /// The words.
    pub text: String,
    /// Until when they stand.
    pub until: Timestamp,
}

impl Play {
    /// What stands above the pages now, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn announcements(&self) -> Result<Vec<Announcement>, PlayError> {
        let now = self.clock.now().0;
        let rows = self.store.read(move |tx| Box::pin(async move { tx.announcements(now).await })).await?;
        let read = |row: AnnouncementRow| Announcement { id: row.id, text: row.body, until: Timestamp(row.ends_at) };
        Ok(rows.into_iter().map(read).collect())
    }

    pub(super) async fn put_up(&self, tx: &mut Writer, text: &str, until: Timestamp) -> Result<Done, PlayError> {
        let body = checked_words("text", text)?.replace('\n', " ");
        if body.is_empty() || body.chars().count() > LONGEST {
            return Err(wrong("text", format!("has 1 to {LONGEST} characters")));
        }
        let now = self.clock.now();
        let until = checked_moment("until", until, now)?;
        if tx.announcements(now.0).await?.len() >= MOST {
            return Err(wrong("text", format!("is one too many: {MOST} stand above the pages already")));
        }
        let row = AnnouncementRow { id: self.sorted_id(), body, made_at: now.0, ends_at: until.0 };
        tx.insert_announcement(&row).await?;
        Ok(Done::elsewhere("announced", format!("announcement {} until {until}: {}", row.id, row.body)))
    }

    pub(super) async fn take_down(&self, tx: &mut Writer, id: &str) -> Result<Done, PlayError> {
        if !tx.withdraw_announcement(id, self.clock.now().0).await? {
            return Err(PlayError::NotFound);
        }
        Ok(Done::elsewhere("announcement_withdrawn", format!("announcement {id}")))
    }
}
