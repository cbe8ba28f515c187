//! Tells webhooks what they want to hear, over several connections at once, until the server stops.
//!
//! A webhook is claimed and told what waits, one thing after the other, until something fails. Any number of
//! processes may do this: a claim ends by itself. What was told and not kept as told, since the server stopped in between,
//! is told again, with the same id.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::play::webhooks::telling::{Answer, ClaimedWebhook};
use crate::play::{Play, PlayError};

/// Calling a receiver.
pub mod call;

pub use call::Caller;

/// How often it is looked whether there is anything to be told.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait after the database failed.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// How many webhooks are told something at once. A receiver that hangs holds one of these places for as long as a call may
/// take; those that work are claimed before those that fail, so that they have the next place that is free.
const AT_ONCE: usize = 32;
/// How long a call that is on its way may still take once the server stops. It is less than the server waits for its parts,
/// so that a receiver that hangs does not keep the others from ending in order.
const LAST: Duration = Duration::from_secs(5);
/// How much one webhook is told before the next one has its turn.
const BATCH: usize = 20;

/// Tells webhooks until `stop`. What is on its way then has a few seconds more; what has not ended by then is told again.
pub async fn run(play: Play, stop: CancellationToken) {
    let caller = match Caller::new(play.reach()) {
        Ok(caller) => caller,
        Err(error) => return tracing::error!(error, "webhooks cannot be called"),
    };
    let mut told = JoinSet::new();
    while !stop.is_cancelled() {
        let mut pause = LOOK;
        if let Err(error) = fill(&play, &caller, &stop, &mut told).await {
            tracing::error!(%error, "no webhook can be claimed");
            pause = AFTER_FAILURE;
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
            // A place is free.
            Some(_) = told.join_next(), if pause == LOOK => {}
        }
    }
    while told.join_next().await.is_some() {}
}

/// Claims webhooks until there is no place or nothing is due, and begins to tell each what waits.
async fn fill(play: &Play, caller: &Caller, stop: &CancellationToken, told: &mut JoinSet<()>) -> Result<(), PlayError> {
    while told.len() < AT_ONCE && !stop.is_cancelled() {
        let Some(claimed) = play.claim_webhook().await? else { break };
        let (play, caller, stop) = (play.clone(), caller.clone(), stop.clone());
        told.spawn(async move {
            // The claim ends by itself, and what was told and not kept is told again.
            if let Err(error) = tell_claimed(&play, &caller, &claimed, &stop).await {
                tracing::error!(%error, webhook = claimed.id(), "what a webhook was told cannot be kept");
            }
        });
    }
    Ok(())
}

/// Tells a claimed webhook what waits, gives it back, and says how many tries that took.
async fn tell_claimed(
    play: &Play,
    caller: &Caller,
    claimed: &ClaimedWebhook,
    stop: &CancellationToken,
) -> Result<usize, PlayError> {
    let tried = tell(play, caller, claimed, stop).await?;
    play.release_webhook(claimed).await?;
    Ok(tried)
}

/// Tells what is due now, until nothing is or the server stops, and says how many tries that took.
///
/// # Errors
/// The store failed; what was claimed is due again when the claim ends.
pub async fn tell_due(play: &Play, caller: &Caller, stop: &CancellationToken) -> Result<usize, PlayError> {
    let mut tried = 0;
    while !stop.is_cancelled() {
        let Some(claimed) = play.claim_webhook().await? else { break };
        tried += tell_claimed(play, caller, &claimed, stop).await?;
    }
    Ok(tried)
}

/// Tells a claimed webhook what waits, until something fails.
async fn tell(
    play: &Play,
    caller: &Caller,
    claimed: &ClaimedWebhook,
    stop: &CancellationToken,
) -> Result<usize, PlayError> {
    let mut tried = 0;
    while tried < BATCH && !stop.is_cancelled() {
        let Some(telling) = play.next_telling(claimed).await? else { break };
        let answer = tokio::select! {
            answer = caller.call(&telling) => answer,
            () = ended(stop) => {
                tracing::info!(webhook = claimed.id(), event = telling.id, "a call was left; it is made again");
                break;
            }
        };
        tried += 1;
        let taken = play.told(claimed, &telling, answer).await?;
        // Neither the URL nor what was answered is anybody's here.
        match answer {
            _ if taken => tracing::info!(webhook = claimed.id(), event = telling.id, "a webhook was told"),
            Answer::Status(status) | Answer::Later(status, _) => {
                tracing::warn!(webhook = claimed.id(), event = telling.id, status, "a webhook did not take it");
            }
            Answer::None(why) => {
                tracing::warn!(webhook = claimed.id(), event = telling.id, why, "a webhook was not reached");
            }
        }
        if !taken {
            break;
        }
    }
    Ok(tried)
}

/// When the server has been stopping for as long as a call may still take then.
async fn ended(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(LAST).await;
}
