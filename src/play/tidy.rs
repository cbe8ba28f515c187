//! Forgetting what has served its time: links by mail that ended long ago, with the addresses in them, other addresses that
//! wrote for seats of games that are over, old reports, and browsers that were not seen for longer than they keep a cookie. Sign-ins end here too.

use crate::play::admin::KEY_TIME;
use crate::play::admin::browsers::IDLE;
use crate::play::people::SIGN_IN_LIFE;
use crate::play::{Play, PlayError};

/// How long a mailed link that has ended is remembered, in milliseconds: 7 days, in which it says that it is over.
const LINKS: i64 = 7 * 24 * 3_600_000;
/// How long other addresses of a seat may write for it once the game is over, in milliseconds: 14 days.
const SENDERS: i64 = 14 * 24 * 3_600_000;
/// How long the organiser has a report, with the messages copied into it, in milliseconds: 90 days.
const REPORTS: i64 = 90 * 24 * 3_600_000;

/// How long a browser that enters no seat is remembered, in milliseconds: 400 days, as long as it keeps its cookie.
const BROWSERS: i64 = 400 * 24 * 3_600_000;

impl Play {
    /// Forgets what is kept for a limited time, and whose time is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tidy(&self) -> Result<(), PlayError> {
        let (play, now) = (self.clone(), self.clock.now().0);
        let given_up = self
            .store
            .write(move |tx| {
                let play = play.clone();
                Box::pin(async move {
                    tx.forget_mailed_links(now - LINKS).await?;
                    tx.forget_unanswered_senders().await?;
                    tx.forget_senders_of_ended(now - SENDERS).await?;
                    tx.forget_admin_sessions(now - IDLE).await?;
                    tx.forget_admin_requests(now - KEY_TIME).await?;
                    for session in tx.signed_in_before(now - SIGN_IN_LIFE).await? {
                        tx.sign_out_session(&session).await?;
                    }
                    tx.forget_sessions(now - BROWSERS).await?;
                    tx.forget_reports(now - REPORTS).await?;
                    play.tidy_webhooks(tx).await
                })
            })
            .await?;
        self.metrics().events_given_up(given_up);
        Ok(())
    }
}
