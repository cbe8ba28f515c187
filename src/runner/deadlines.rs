//! Resolves turns when they are due, until the server stops, and gives signs of life.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::play::Play;
use crate::play::processes::Others;

/// How often it is looked whether turns are due.
const LOOK: Duration = Duration::from_secs(1);

/// Resolves what is due until `stop`. What fell due while the server was down is put off first.
pub async fn run(play: Play, stop: CancellationToken) {
    while !woken(&play).await {
        if pause(&stop).await {
            return;
        }
    }
    loop {
        match play.sweep().await {
            Ok(swept) => put_off(swept.put_off),
            Err(error) => tracing::error!(error = %error.cause(), "turns that are due cannot be resolved"),
        }
        if pause(&stop).await {
            return;
        }
    }
}

/// Tells that deadlines were put off, if some were.
fn put_off(number: usize) {
    if number > 0 {
        tracing::warn!(number, "deadlines that fell while the server was down were put off");
    }
}

/// Puts off what fell due in an outage, if there was one: as long as another process resolves what is due there was none,
/// and while it is unknown whether one does nothing is resolved here. Says whether that is done.
async fn woken(play: &Play) -> bool {
    let number = match play.others_awake() {
        Others::Unknown => return false,
        Others::Awake => Ok(0),
        Others::Nobody => play.wake().await,
    };
    match number {
        Ok(number) => put_off(number),
        Err(error) => {
            tracing::error!(error = %error.cause(), "deadlines cannot be looked through");
            return false;
        }
    }
    if let Err(error) = play.set_awake().await {
        let error = error.cause();
        tracing::warn!(%error, "the other processes cannot be told that this one resolves what is due");
    }
    true
}

/// Waits for the next look; true if the server stops.
async fn pause(stop: &CancellationToken) -> bool {
    tokio::select! {
        () = stop.cancelled() => true,
        () = tokio::time::sleep(LOOK) => false,
    }
}
