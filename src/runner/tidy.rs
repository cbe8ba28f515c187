//! Forgets what has served its time, once an hour, until the server stops.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::play::Play;

/// How often.
const LOOK: Duration = Duration::from_hours(1);

/// Forgets until `stop`.
pub async fn run(play: Play, stop: CancellationToken) {
    loop {
        if let Err(error) = play.tidy().await {
            tracing::error!(error = %error.cause(), "what has served its time cannot be forgotten");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}
