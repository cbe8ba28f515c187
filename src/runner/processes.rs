//! Gives signs of life to the other processes on the same database, and watches theirs, as long as the process works at all:
//! while it finishes what is begun, too.

use std::time::Duration;

use crate::play::Play;

/// How long to wait after a sign that did not arrive.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// How long one may take: a connection whose other end is gone says nothing for ever.
const SIGN: Duration = Duration::from_secs(10);

/// Gives signs for ever.
pub async fn run(play: Play) {
    let mut pause = play.signs_every();
    loop {
        tokio::time::sleep(pause).await;
        pause = match tokio::time::timeout(SIGN, play.sign()).await {
            Ok(Ok(_)) => play.signs_every(),
            Ok(Err(error)) => {
                tracing::error!(%error, "no sign of life can be given to the other processes");
                AFTER_FAILURE.min(play.signs_every())
            }
            Err(_) => {
                tracing::error!("a sign of life to the other processes took too long");
                AFTER_FAILURE.min(play.signs_every())
            }
        };
    }
}
