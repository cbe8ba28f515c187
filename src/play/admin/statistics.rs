//! Numbers for the desk.

use crate::play::admin::Admin;
use crate::play::processes::Process;
use crate::play::{Play, PlayError};

pub use crate::store::CountsRow;

/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;
/// The most days that are counted.
pub const DAYS_MAX: u32 = 366;

impl Play {
    /// The processes that work on the database, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_processes(&self, _admin: &Admin) -> Result<Vec<Process>, PlayError> {
        self.processes().await
    }

    /// How many there are of what; of what passes, in the last days.
    ///
    /// # Errors
    /// The store failed.
    pub async fn desk_counts(&self, _admin: &Admin, days: u32) -> Result<CountsRow, PlayError> {
        let now = self.clock.now().0;
        let since = now - i64::from(days.min(DAYS_MAX)) * DAY;
        self.store.read(move |tx| Box::pin(async move { Ok(tx.desk_counts(now, since).await?) })).await
    }
}
