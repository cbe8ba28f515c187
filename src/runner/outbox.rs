//! Sends the letters that are due, over any number of connections at once, until the server stops.
//!
//! Letters are claimed in batches that all workers share, so that none waits behind one that does not leave. Any number
//! of processes may do this: a claim is renewed while it is needed, and ends by itself.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::sync::broadcast::Receiver;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::mail::{Courier, Outgoing, Sender, Transport, TransportError, compose};
use crate::metrics::LetterFate;
use crate::play::letters::DueLetter;
use crate::play::sending::{ClaimedLetter, Fate};
use crate::play::{GameId, Play, PlayError};

/// How often it is looked whether letters are due, beside each time that a game has changed.
const LOOK: Duration = Duration::from_secs(1);
/// How far two looks are apart at least.
const APART: Duration = Duration::from_millis(50);
/// How long to wait after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// How many letters are claimed at once.
const BATCH: u32 = 50;

/// What the workers share.
#[derive(Clone)]
struct Outbox {
    play: Play,
    sender: Arc<Sender>,
    claimed: Arc<Mutex<VecDeque<ClaimedLetter>>>,
    stop: CancellationToken,
}

/// Sends letters over so many connections until `stop`. Letters that are on their way are finished first.
pub async fn run(play: Play, sender: Sender, transport: Transport, connections: usize, stop: CancellationToken) {
    let outbox = Outbox::new(&play, &sender, &stop);
    let mut workers = JoinSet::new();
    let begin = |workers: &mut JoinSet<()>| workers.spawn(work(outbox.clone(), Courier::new(transport.clone())));
    for _ in 0..connections.max(1) {
        begin(&mut workers);
    }
    while let Some(ended) = workers.join_next().await {
        // Its letter is tried again when the claim ends, and counts as tried.
        if ended.is_err() && !stop.is_cancelled() {
            tokio::time::sleep(LOOK).await;
            begin(&mut workers);
        }
    }
    outbox.give_back().await;
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
    let outbox = Outbox::new(play, sender, stop);
    let mut courier = Courier::new(transport.clone());
    let tried = outbox.send_all(&mut courier).await;
    courier.rest().await;
    tried
}

/// What one connection does until the server stops.
async fn work(outbox: Outbox, mut courier: Courier) {
    loop {
        // Before the look, so that no change falls between.
        let (mut changes, looked) = (outbox.play.listen(), Instant::now());
        let pause = match outbox.send_all(&mut courier).await {
            Ok(_) => {
                courier.look_round().await;
                LOOK
            }
            Err(error) => {
                tracing::error!(error = %error.cause(), "letters cannot be sent");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = outbox.stop.cancelled() => break,
            // Most letters are queued with a change, and a report is wanted at once.
            () = heard(&mut changes, looked), if pause == LOOK => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
    courier.rest().await;
}

/// Waits for a change. Where many things change, one look serves for several of them.
async fn heard(changes: &mut Receiver<GameId>, looked: Instant) {
    let _ = changes.recv().await;
    tokio::time::sleep_until(looked + APART).await;
}

impl Outbox {
    fn new(play: &Play, sender: &Sender, stop: &CancellationToken) -> Outbox {
        let claimed = Arc::new(Mutex::new(VecDeque::new()));
        Outbox { play: play.clone(), sender: Arc::new(sender.clone()), claimed, stop: stop.clone() }
    }

    /// Sends until nothing is due or the server stops.
    async fn send_all(&self, courier: &mut Courier) -> Result<usize, PlayError> {
        let mut tried = 0;
        while !self.stop.is_cancelled() {
            let Some(mut letter) = self.next().await? else { break };
            if !self.play.keep_claim(&mut letter).await? {
                continue;
            }
            let fate = send_one(&self.play, &self.sender, courier, &letter).await;
            self.play.metrics().letter(counted(&fate));
            match &fate {
                Fate::Sent => tracing::info!(letter = letter.id(), "letter sent"),
                Fate::Delayed(error) => tracing::warn!(letter = letter.id(), error, "letter delayed"),
                Fate::Needless => tracing::info!(letter = letter.id(), "letter not sent: its reason is gone"),
                Fate::Failed(error) | Fate::NoSuchReader(error) => {
                    tracing::error!(letter = letter.id(), error, "letter given up");
                }
            }
            self.play.letter_done(&letter, fate).await?;
            tried += 1;
        }
        Ok(tried)
    }

    /// The next letter to be sent.
    async fn next(&self) -> Result<Option<ClaimedLetter>, PlayError> {
        let mut claimed = self.claimed.lock().await;
        if claimed.is_empty() {
            claimed.extend(self.play.claim_letters(BATCH).await?);
        }
        Ok(claimed.pop_front())
    }

    /// Gives back what was claimed and not tried, so that it need not wait for the end of its claim.
    async fn give_back(&self) {
        for letter in self.claimed.lock().await.drain(..) {
            if let Err(error) = self.play.release_letter(&letter).await {
                tracing::warn!(letter = letter.id(), error = %error.cause(), "a letter cannot be given back");
            }
        }
    }
}

/// As what a fate is counted.
const fn counted(fate: &Fate) -> LetterFate {
    match fate {
        Fate::Sent => LetterFate::Sent,
        Fate::Delayed(_) => LetterFate::Delayed,
        Fate::Needless => LetterFate::Needless,
        Fate::Failed(_) | Fate::NoSuchReader(_) => LetterFate::Failed,
    }
}

/// Sends one letter. Whatever is wrong with it concerns it alone.
async fn send_one(play: &Play, sender: &Arc<Sender>, courier: &mut Courier, letter: &ClaimedLetter) -> Fate {
    let due = match play.at_one_moment(play.due_letter(letter)).await {
        Ok(due) => due,
        Err(PlayError::Store(error)) => return Fate::Delayed(error.to_string()),
        Err(error) => {
            tracing::error!(letter = letter.id(), error = %error.cause(), "what a letter is about cannot be read");
            return Fate::Failed(error.to_string());
        }
    };
    if !due.wanted {
        return Fate::Needless;
    }
    let letter = match written(due, sender, courier.transport()).await {
        Ok(letter) => letter,
        Err(fate) => return fate,
    };
    match courier.deliver(&letter).await {
        Ok(()) => Fate::Sent,
        Err(TransportError::ForNow(error)) => Fate::Delayed(without_addresses(&error)),
        Err(TransportError::ForGood(error)) => Fate::Failed(without_addresses(&error)),
        Err(TransportError::NoSuchReader(error)) => Fate::NoSuchReader(without_addresses(&error)),
    }
}

/// Writes a letter and signs it, beside what else there is to do: drawing the board takes a while.
async fn written(due: DueLetter, sender: &Arc<Sender>, transport: &Transport) -> Result<Outgoing, Fate> {
    let (sender, transport) = (Arc::clone(sender), transport.clone());
    let writing = tokio::task::spawn_blocking(move || {
        let message = compose(&due, &sender).map_err(|error| Fate::Failed(error.to_string()))?;
        transport.prepare(&due.id, &message).map_err(|error| match error {
            TransportError::ForNow(error) => Fate::Delayed(error),
            TransportError::ForGood(error) | TransportError::NoSuchReader(error) => Fate::Failed(error),
        })
    });
    writing.await.unwrap_or_else(|_| Err(Fate::Delayed("the letter could not be written".into())))
}

/// What a mail server said, without any address: logs name nobody, and hold no secret of an address that comes back here.
/// A server may write an address otherwise than it was given, or name the one that it is forwarded to.
fn without_addresses(error: &str) -> String {
    let parts = |c: char| c.is_whitespace() || "<>()[]{}\"'`,;:".contains(c);
    let mut said = String::with_capacity(error.len());
    for piece in error.split_inclusive(parts) {
        let word = piece.trim_end_matches(parts);
        let rest = piece.get(word.len()..).unwrap_or_default();
        said.push_str(if word.contains('@') { "(the address)" } else { word });
        said.push_str(rest);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_name_nobody() {
        for (said, kept) in [
            (
                "permanent error (550): 5.1.1 <ann@example.org>: no such user",
                "permanent error (550): 5.1.1 <(the address)>: no such user",
            ),
            ("550 <Ann@example.org>... User unknown", "550 <(the address)>... User unknown"),
            ("550 5.1.1 <a.miller@corp.example> (forwarded)", "550 5.1.1 <(the address)> (forwarded)"),
            ("553 to:ann+x@example.org;back=\"play+l2@example.org\"", "553 to:(the address);back=\"(the address)\""),
            ("451 try later", "451 try later"),
        ] {
            assert_eq!(without_addresses(said), kept);
        }
    }
}
