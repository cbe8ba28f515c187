//! Sends the letters that are due, one after the other, until the server stops.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::mail::{Sender, Transport, TransportError, compose};
use crate::play::letters::{ClaimedLetter, Fate};
use crate::play::{Play, PlayError};

/// How often it is looked whether letters are due.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(10);

/// Sends letters until `stop`. A letter that is on its way is finished first.
pub async fn run(play: Play, sender: Sender, transport: Transport, stop: CancellationToken) {
    loop {
        let pause = match send_due(&play, &sender, &transport, &stop).await {
            Ok(_) => LOOK,
            Err(error) => {
                tracing::error!(%error, "letters cannot be sent");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Sends what is due now, until nothing is or the server stops, and says how many letters were tried.
///
/// # Errors
/// The store failed; what was claimed is due again when the claim ends.
pub async fn send_due(
    play: &Play,
    sender: &Sender,
    transport: &Transport,
    stop: &CancellationToken,
) -> Result<usize, PlayError> {
    let mut tried = 0;
    while !stop.is_cancelled() {
        // One at a time: it is through before the claim ends, even if it takes as long as it may.
        let letters = play.claim_letters(1).await?;
        if letters.is_empty() {
            break;
        }
        for letter in &letters {
            let fate = send_one(play, sender, transport, letter).await;
            match &fate {
                Fate::Sent => tracing::info!(letter = letter.id(), "letter sent"),
                Fate::Delayed(error) => tracing::warn!(letter = letter.id(), error, "letter delayed"),
                Fate::Needless => tracing::info!(letter = letter.id(), "letter not sent: its reason is gone"),
                Fate::Failed(error) => tracing::error!(letter = letter.id(), error, "letter given up"),
            }
            play.letter_done(letter, fate).await?;
            tried += 1;
        }
    }
    Ok(tried)
}

/// Sends one letter. Whatever is wrong with it concerns it alone.
async fn send_one(play: &Play, sender: &Sender, transport: &Transport, letter: &ClaimedLetter) -> Fate {
    let due = match play.due_letter(letter).await {
        Ok(due) => due,
        Err(PlayError::Store(error)) => return Fate::Delayed(error.to_string()),
        Err(error) => return Fate::Failed(error.to_string()),
    };
    if !due.wanted {
        return Fate::Needless;
    }
    let message = match compose(&due, sender) {
        Ok(message) => message,
        Err(error) => return Fate::Failed(error.to_string()),
    };
    match transport.send(&due.id, &message).await {
        Ok(()) => Fate::Sent,
        Err(TransportError::ForNow(error)) => Fate::Delayed(without(&error, due.to.as_deref())),
        Err(TransportError::ForGood(error)) => Fate::Failed(without(&error, due.to.as_deref())),
    }
}

/// What a mail server said, without the address: logs name nobody.
fn without(error: &str, address: Option<&str>) -> String {
    let Some(address) = address.filter(|address| !address.is_empty()) else { return error.to_owned() };
    error.replace(address, "(the address)").replace(&address.to_lowercase(), "(the address)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_name_nobody() {
        let said = "permanent error (550): 5.1.1 <ann@example.org>: no such user";
        assert_eq!(
            without(said, Some("Ann@example.org")),
            "permanent error (550): 5.1.1 <(the address)>: no such user"
        );
        assert_eq!(without(said, None), said);
    }
}
