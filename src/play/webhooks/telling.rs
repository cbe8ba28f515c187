//! Telling: a webhook is claimed by one worker at a time, what it is told leaves in order, and what became of each try is
//! kept.
//!
//! It is the webhook that rests after a failure, so that one whose receiver is away costs one try at a time, however much
//! waits for it; and what failed comes later than what has not been tried, so that nothing waits for one event that its
//! receiver does not like.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::metrics::CallFate;
use crate::play::letters::LetterKind;
use crate::play::sending::a_little_less;
use crate::play::webhooks::sign::signature;
use crate::play::webhooks::{BOTH_SECRETS, Target, events};
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::{Reader, WebhookEventRow, WebhookRow, WebhookTry, Writer};

/// How long a claim lasts, in milliseconds.
const CLAIM: i64 = 120_000;
/// How much of it must be left when a try is begun, in milliseconds: longer than any.
const CLAIM_LEFT: i64 = 60_000;
/// How long a webhook rests after the first failure, in milliseconds; after each further one twice as long.
const FIRST_REST: i64 = 5_000;
/// The longest rest, in milliseconds.
const LONGEST_REST: i64 = 30 * 60_000;
/// The longest rest that a receiver may ask for, in milliseconds: an hour.
const LONGEST_ASKED: i64 = 3_600_000;
/// How long an event waits after its first failure, in milliseconds; after each further one twice as long.
const FIRST_DELAY: i64 = 30_000;
/// The longest such wait, in milliseconds.
const LONGEST_DELAY: i64 = 6 * 3_600_000;
/// How long an event is tried, in milliseconds: three days.
const TRIED: i64 = 3 * 24 * 3_600_000;
/// After how long without any success a webhook is switched off, in milliseconds: five days.
const OFF_AFTER: i64 = 5 * 24 * 3_600_000;
/// How many tries must have failed running for that.
const OFF_TRIES: i64 = 10;
/// How long it is remembered what a webhook was told, in milliseconds: 14 days.
const REMEMBERED: i64 = 14 * 24 * 3_600_000;
/// How long a webhook of a game that is over stays, in milliseconds: 14 days.
const AFTER_THE_END: i64 = 14 * 24 * 3_600_000;

/// The status by which a receiver says that it wants nothing any more (RFC 9110, 15.5.11).
const GONE: u16 = 410;

/// A webhook that no other worker has for a while.
#[derive(Clone, Debug)]
pub struct ClaimedWebhook(WebhookRow);

/// Something to be told, ready to leave.
pub struct Telling {
    event: String,
    made_at: i64,
    due_at: i64,
    tries: i64,
    /// Where it goes; what is wrong with that where it goes nowhere.
    pub target: Result<Target, String>,
    /// The header `webhook-id`.
    pub id: String,
    /// The header `webhook-timestamp`.
    pub seconds: String,
    /// The header `webhook-signature`.
    pub signatures: String,
    /// The body, JSON.
    pub body: String,
}

/// Before when a receiver that has too much to do wants to hear nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// For so long.
    After(Duration),
    /// Until a moment.
    At(Timestamp),
}

impl Later {
    /// The moment, as far away as a receiver may ask for.
    fn until(self, now: Timestamp) -> i64 {
        let asked = match self {
            Later::After(time) => i64::try_from(time.as_millis()).unwrap_or(i64::MAX).saturating_add(now.0),
            Later::At(at) => at.0,
        };
        asked.min(now.0 + LONGEST_ASKED)
    }
}

/// What a receiver answered, or why it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A status of HTTP.
    Status(u16),
    /// A status of HTTP that says that it is too much, and until when.
    Later(u16, Later),
    /// There was none.
    None(&'static str),
}

impl Answer {
    /// As what the call is counted.
    const fn fate(self) -> CallFate {
        match self {
            Answer::Status(200..300) => CallFate::Taken,
            Answer::Status(_) | Answer::Later(..) => CallFate::NotTaken,
            Answer::None(_) => CallFate::Unreachable,
        }
    }
}

impl ClaimedWebhook {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }
}

impl Play {
    /// Claims a webhook that has something to be told.
    ///
    /// # Errors
    /// The store failed.
    pub async fn claim_webhook(&self) -> Result<Option<ClaimedWebhook>, PlayError> {
        let now = self.clock.now().0;
        // Looking first costs no write lock, and mostly nothing is due.
        let play = self.clone();
        let looking = self.store.read(move |tx| {
            Box::pin(async move { Ok::<_, PlayError>(play.awake(tx).await? && tx.webhooks_due(now).await?) })
        });
        if !looking.await? {
            return Ok(None);
        }
        let by = self.claims_as();
        let row = self
            .store
            .write(move |tx| {
                let by = by.clone();
                Box::pin(async move { claimed(tx, now, by.as_deref()).await })
            })
            .await?;
        Ok(row.map(ClaimedWebhook))
    }

    /// What a claimed webhook is to be told next; nothing if that was all, its claim ends soon, or is not this process's any
    /// more: then somebody else goes on.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next_telling(&self, claimed: &ClaimedWebhook) -> Result<Option<Telling>, PlayError> {
        let (play, claim, now) = (self.clone(), claimed.0.clone(), self.clock.now());
        let ends_soon = claim.claimed_until.unwrap_or(0) < now.0 + CLAIM_LEFT;
        // Whoever was taken for dead goes on under another id.
        if ends_soon || claim.claimed_by != self.claims_as() {
            return Ok(None);
        }
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    // It may have been removed or renewed meanwhile, or its seat given to somebody else.
                    let Some(row) = tx.webhook(&claim.id).await? else { return Ok(None) };
                    let own = (row.claimed_until, &row.claimed_by) == (claim.claimed_until, &claim.claimed_by);
                    if !own || is_former(tx, &row).await? {
                        return Ok(None);
                    }
                    let event = tx.next_webhook_event(&claim.id, now.0).await?;
                    Ok(event.map(|event| play.telling(&row, event, now)))
                })
            })
            .await
    }

    fn telling(&self, row: &WebhookRow, event: WebhookEventRow, now: Timestamp) -> Telling {
        let (body, seconds) = (events::body(row, &event), now.0.div_euclid(1000));
        let mut generations = vec![row.secret_generation];
        if row.renewed_at.is_some_and(|at| now.0 < at + BOTH_SECRETS) {
            generations.push(row.secret_generation - 1);
        }
        let signed = |generation| signature(&self.key.webhook_key(&row.id, generation), &event.id, seconds, &body);
        Telling {
            target: self.target(&row.url).map_err(|problem| format!("its URL {problem}")),
            id: event.id.clone(),
            seconds: seconds.to_string(),
            signatures: generations.into_iter().map(signed).collect::<Vec<_>>().join(" "),
            body,
            made_at: event.made_at,
            due_at: event.due_at,
            tries: event.tries,
            event: event.id,
        }
    }

    /// Keeps what became of a try. Says whether it was taken.
    ///
    /// # Errors
    /// The store failed; it will be told again, with the same id.
    pub async fn told(&self, claimed: &ClaimedWebhook, telling: &Telling, answer: Answer) -> Result<bool, PlayError> {
        let (play, hook, now) = (self.clone(), claimed.0.id.clone(), self.clock.now().0);
        let (event, made_at, due_at, tries) = (telling.event.clone(), telling.made_at, telling.due_at, telling.tries);
        let fate = answer.fate();
        let given_up: u64 = self
            .store
            .write(move |tx| {
                let (play, hook, event) = (play.clone(), hook.clone(), event.clone());
                Box::pin(async move {
                    if let Answer::Status(status @ 200..300) = answer {
                        let how = WebhookTry { status: Some(i64::from(status)), why: None };
                        tx.webhook_event_taken(&event, now, &how).await?;
                        tx.webhook_works(&hook, now, due_at).await?;
                        return Ok::<_, PlayError>(0);
                    }
                    play.not_taken(tx, &hook, (&event, made_at, tries), answer).await
                })
            })
            .await?;
        self.metrics().call(fate);
        self.metrics().events_given_up(given_up);
        Ok(fate == CallFate::Taken)
    }

    /// Keeps that a try has failed, and says how many events were given up with it.
    async fn not_taken(
        &self,
        tx: &mut Writer,
        hook: &str,
        (event, made_at, tries): (&str, i64, i64),
        answer: Answer,
    ) -> Result<u64, PlayError> {
        let now = self.clock.now().0;
        let asked = match answer {
            Answer::Later(_, later) => later.until(Timestamp(now)),
            Answer::Status(_) | Answer::None(_) => now,
        };
        let (status, why) = match answer {
            Answer::Status(status @ 300..400) => {
                (Some(status), "it was sent elsewhere, and redirects are not followed")
            }
            Answer::Status(GONE) => (Some(GONE), "the receiver wants nothing any more"),
            Answer::Later(status, _) => (Some(status), "it was too much, and is to come later"),
            Answer::Status(status) => (Some(status), "it was not taken"),
            Answer::None(why) => (None, why),
        };
        let how = WebhookTry { status: status.map(i64::from), why: Some(why) };
        let due = now + backed_off(FIRST_DELAY, tries, LONGEST_DELAY);
        if !tx.webhook_event_delayed(event, now, due, &how).await? {
            // Another process has it, whose answer counts.
            return Ok(0);
        }
        let mut given_up = 0;
        if made_at < now - TRIED {
            given_up += tx.give_up_webhook_events(Some(hook), now - TRIED, now, why).await?;
        }
        let failures = tx.webhook(hook).await?.map_or(0, |row| row.failures);
        // A receiver may ask for more time, and never for less.
        let rest = now + backed_off(FIRST_REST, failures, LONGEST_REST);
        tx.webhook_rests(hook, now, rest.max(asked)).await?;
        let Some(row) = tx.webhook(hook).await? else { return Ok(given_up) };
        if row.off_at.is_some() {
            // What it is told all the same is told once: a test, or something once more.
            return Ok(given_up + tx.give_up_webhook_events(Some(hook), i64::MAX, now, why).await?);
        }
        let for_long = row.failing_since.is_some_and(|since| since <= now - OFF_AFTER) && row.failures >= OFF_TRIES;
        if for_long || status == Some(GONE) {
            let why = if for_long { "nothing was taken for five days" } else { why };
            tx.switch_off_webhook(hook, now, why).await?;
            given_up += tx.give_up_webhook_events(Some(hook), i64::MAX, now, why).await?;
            tracing::warn!(webhook = row.id, why, "a webhook was switched off");
            self.say_it_is_off(tx, &row).await?;
        }
        Ok(given_up)
    }

    /// Says by letter to the holder of a seat that a webhook was switched off. The organiser's stand on the desk.
    async fn say_it_is_off(&self, tx: &mut Writer, row: &WebhookRow) -> Result<(), PlayError> {
        let (Some(game), Some(side)) = (&row.game_id, row.side.as_deref().and_then(Side::from_word)) else {
            return Ok(());
        };
        // Whoever has the seat by now has had no webhook.
        if is_former(tx, row).await? {
            return Ok(());
        }
        let game = match self.lock(tx, game).await {
            Ok(game) => game,
            // Of a game that cannot be read there are no letters; the webhook is off all the same.
            Err(PlayError::Broken(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.queue_letter(tx, &game, side, LetterKind::WebhookOff, self.clock.now().0).await
    }

    /// Gives a claimed webhook back.
    ///
    /// # Errors
    /// The store failed; the claim ends by itself.
    pub async fn release_webhook(&self, claimed: &ClaimedWebhook) -> Result<(), PlayError> {
        let (row, now) = (claimed.0.clone(), self.clock.now().0);
        self.store
            .write(move |tx| {
                let row = row.clone();
                Box::pin(async move { Ok(tx.release_webhook(&row, now).await?) })
            })
            .await
    }

    /// Forgets what webhooks were told long ago, gives up what nobody took in three days, and removes webhooks without use.
    /// Says how many events were given up.
    pub(in crate::play) async fn tidy_webhooks(&self, tx: &mut Writer) -> Result<u64, PlayError> {
        let now = self.clock.now().0;
        let given_up = tx.give_up_webhook_events(None, now - TRIED, now, "it was not taken in three days").await?;
        tx.forget_webhook_events(now - REMEMBERED).await?;
        for id in tx.webhooks_without_use(now - AFTER_THE_END).await? {
            tx.delete_webhook(&id).await?;
        }
        Ok(given_up)
    }
}

/// A time that grows with each failure before, and a little less.
fn backed_off(first: i64, failures: i64, longest: i64) -> i64 {
    let doublings = u32::try_from(failures.clamp(0, 20)).unwrap_or(0);
    a_little_less(first.saturating_mul(1 << doublings).min(longest))
}

/// Claims a webhook for a process. One whose seat somebody else holds by now is removed: it is told nothing more.
async fn claimed(tx: &mut Writer, now: i64, by: Option<&str>) -> Result<Option<WebhookRow>, PlayError> {
    while let Some(row) = tx.claim_webhook(now, now + CLAIM, by).await? {
        if !is_former(tx, &row).await? {
            return Ok(Some(row));
        }
        tx.delete_webhook(&row.id).await?;
    }
    Ok(None)
}

/// Whether the seat of a webhook is not its owner's any more.
async fn is_former(tx: &mut Reader, row: &WebhookRow) -> Result<bool, PlayError> {
    let (Some(game), Some(side)) = (&row.game_id, &row.side) else { return Ok(false) };
    let seat = tx.seat(game, side).await?;
    Ok(seat.is_none_or(|seat| Some(seat.link_generation) != row.seat_generation))
}
