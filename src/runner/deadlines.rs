//! Resolves turns when they are due, until the server stops, and gives signs of life.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::play::Play;

/// How often it is looked whether turns are due.
const LOOK: Duration = Duration::from_secs(1);
/// After how many looks a sign of life is given: every 15 seconds.
const BEAT: u32 = 15;

/// Resolves what is due until `stop`. What fell due while the server was down is put off first.
pub async fn run(play: Play, stop: CancellationToken) {
    loop {
        match play.wake().await {
            Ok(0) => break,
            Ok(number) => {
                tracing::warn!(number, "deadlines that fell while the server was down were put off");
                break;
            }
            Err(error) => tracing::error!(%error, "deadlines cannot be looked through"),
        }
        if pause(&stop).await {
            return;
        }
    }
    for look in 1u32.. {
        if let Err(error) = play.resolve_due().await {
            tracing::error!(%error, "turns that are due cannot be resolved");
        }
        if look.is_multiple_of(BEAT)
            && let Err(error) = play.beat().await
        {
            tracing::error!(%error, "no sign of life can be kept");
        }
        if pause(&stop).await {
            return;
        }
    }
}

/// Waits for the next look; true if the server stops.
async fn pause(stop: &CancellationToken) -> bool {
    tokio::select! {
        () = stop.cancelled() => true,
        () = tokio::time::sleep(LOOK) => false,
    }
}
