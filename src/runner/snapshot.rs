//! Makes a snapshot of a SQLite database every day and keeps the last seven. A PostgreSQL
//! database is left to its own tools.

use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::store::{Kind, Store};

/// How often it is looked whether today's snapshot is there.
const LOOK: Duration = Duration::from_mins(10);

/// Makes snapshots until `stop`.
pub async fn run(store: Store, clock: Clock, folder: PathBuf, stop: CancellationToken) {
    if store.kind() == Kind::Postgres {
        return;
    }
    loop {
        let now = clock.now();
        let today: String = now.to_string().chars().take(10).collect();
        if let Err(error) = store.snapshot(&folder, &format!("daily-{today}"), now.0).await {
            tracing::error!(%error, "today's snapshot was not made");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}
