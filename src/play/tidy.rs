//! Forgetting what has served its time: links by mail that ended long ago, with the addresses in them, and old reports.

use crate::play::{Play, PlayError};

/// How long a mailed link that has ended is remembered, in milliseconds: 7 days, in which it says that it is over.
const LINKS: i64 = 7 * 24 * 3_600_000;
/// How long the organiser has a report, with the messages copied into it, in milliseconds: 90 days.
const REPORTS: i64 = 90 * 24 * 3_600_000;

impl Play {
    /// Forgets what is kept for a limited time, and whose time is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tidy(&self) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.forget_mailed_links(now - LINKS).await?;
                    tx.forget_unanswered_senders().await?;
                    Ok(tx.forget_reports(now - REPORTS).await?)
                })
            })
            .await
    }
}
