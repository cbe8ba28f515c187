//! How the server is, for who looks after it: what waits, what is late, and when the sweep last gave a sign of life.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::metrics::{Looked, Running};
use crate::play::deadline::HEARTBEAT;
use crate::play::{Play, PlayError};

/// As what the time of the last backup is remembered.
pub const BACKUP: &str = "backup";
/// As what the time of the last drill is remembered.
pub const DRILL: &str = "drill";
/// As what the number of games that did not hold in it is remembered.
pub const DRILL_WRONG: &str = "drill_wrong";

/// What is remembered in place of that number if the backup could not be restored at all.
pub const NOT_RESTORED: i64 = -1;

/// What is found when somebody asks how the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// Whether the database has seen exactly the migrations of this program.
    pub current: bool,
    /// How long the letter that has been due for longest has not been tried at all.
    pub untried_letter: Option<Duration>,
    /// The rest, as numbers.
    pub looked: Looked,
}

impl Play {
    /// Looks how the server is.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn pulse(&self) -> Result<Pulse, PlayError> {
        let (play, now) = (self.clone(), self.clock.now());
        let since = move |at: i64| Duration::from_millis(u64::try_from(now.0 - at).unwrap_or(0));
        let current = self.store.is_current().await?;
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let waiting = tx.outbox_pulse(now.0).await?;
                    let hooks = tx.webhooks_pulse().await?;
                    let (late, latest) = tx.late_games(now.0).await?;
                    let quiet = !play.awake(tx).await?;
                    let drill = tx.remembered(DRILL).await?.map(Timestamp);
                    let wrong = tx.remembered(DRILL_WRONG).await?.unwrap_or(0);
                    let mut processes = Running::default();
                    for process in tx.processes().await? {
                        processes.count(&process.part);
                    }
                    let looked = Looked {
                        processes,
                        letters: waiting.number,
                        oldest_letter: waiting.oldest.map_or(Duration::ZERO, since),
                        webhooks: hooks.waiting,
                        oldest_event: hooks.oldest.map_or(Duration::ZERO, since),
                        webhooks_off: hooks.off,
                        late,
                        latest: latest.map_or(Duration::ZERO, since),
                        computers: tx.calls_waiting(now.0).await?,
                        heartbeat: tx.remembered(HEARTBEAT).await?.map(since),
                        connections: play.store.connections(),
                        quiet,
                        backup: tx.remembered(BACKUP).await?.map(Timestamp),
                        drill: drill.map(|at| (at, wrong)),
                    };
                    Ok(Pulse { current, untried_letter: waiting.untried.map(since), looked })
                })
            })
            .await
    }
}
