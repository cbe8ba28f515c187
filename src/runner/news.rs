//! Tells the other processes on the same database which games have changed, and hears what they tell, until the server
//! stops. Nothing depends on it but how soon a browser hears: whoever listens looks by itself from time to time.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::play::{Play, PlayError};

/// How long to wait after the connection is gone.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Tells and hears until `stop`, and tells what is left then. `own` tells the process from the others.
pub async fn run(play: Play, own: String, stop: CancellationToken) {
    tokio::join!(tell(&play, &own, &stop), hear(&play, &own, &stop));
}

async fn tell(play: &Play, own: &str, stop: &CancellationToken) {
    loop {
        let stopped = tokio::select! {
            () = stop.cancelled() => true,
            () = play.something_to_tell() => false,
        };
        if let Err(error) = play.tell_others(own).await {
            tracing::warn!(%error, "other processes cannot be told what has changed");
        }
        if stopped {
            return;
        }
    }
}

async fn hear(play: &Play, own: &str, stop: &CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            heard = hear_until_it_fails(play, own) => match heard {
                // There are no others.
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "what other processes change is not heard for a moment"),
            },
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(AFTER_FAILURE) => {}
        }
    }
}

async fn hear_until_it_fails(play: &Play, own: &str) -> Result<(), PlayError> {
    let Some(mut news) = play.hear_others(own).await? else { return Ok(()) };
    loop {
        news.next().await?;
    }
}
