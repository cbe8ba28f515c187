//! What webhooks are told: that a game has changed, and never what somebody wrote. Whoever hears of it asks again through
//! the projection, with the token of the own seat.

use serde_json::json;

use crate::clock::Timestamp;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::{WebhookEventRow, WebhookRow, Writer};

/// How many events may wait for a webhook of a seat: a game has not so many in the time in which they are tried.
const MOST_OF_SEAT: i64 = 200;
/// How many may wait for one that hears of all games.
const MOST_OF_ALL: i64 = 20_000;
/// Why the oldest are given up where more wait.
const TOO_MANY: &str = "too much waited";

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A turn is awaited from now on.
    TurnAwaited,
    /// A turn was resolved.
    TurnResolved,
    /// The opponent has sealed for the awaited turn. The seat's own webhooks alone hear of it.
    OpponentSealed,
    /// The game is over.
    GameOver,
    /// Nothing: somebody wants to see whether the webhook works.
    Test,
}

impl EventKind {
    /// Those that can be chosen.
    pub const CHOSEN: [EventKind; 4] =
        [EventKind::TurnAwaited, EventKind::TurnResolved, EventKind::OpponentSealed, EventKind::GameOver];

    /// The word in bodies, and in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EventKind::TurnAwaited => "turn_awaited",
            EventKind::TurnResolved => "turn_resolved",
            EventKind::OpponentSealed => "opponent_sealed",
            EventKind::GameOver => "game_over",
            EventKind::Test => "test",
        }
    }

    /// Reads what [`EventKind::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<EventKind> {
        EventKind::CHOSEN.into_iter().chain([EventKind::Test]).find(|kind| kind.word() == word)
    }
}

/// Whether a webhook wants a kind of event.
fn wants(row: &WebhookRow, kind: EventKind) -> bool {
    row.kinds.is_empty() || row.kinds.split(' ').any(|word| word == kind.word())
}

/// The body of what is told. It says the same at each try.
pub(super) fn body(hook: &WebhookRow, event: &WebhookEventRow) -> String {
    json!({
        "format": 1,
        "type": event.kind,
        "timestamp": Timestamp(event.made_at),
        "data": {"game": event.game_id, "side": hook.side, "turn": event.turn, "version": event.version},
    })
    .to_string()
}

impl Play {
    /// Queues an event of a locked game for all webhooks that hear of it, within the transaction in which it happens.
    pub(in crate::play) async fn tell_webhooks(
        &self,
        tx: &mut Writer,
        game: &str,
        kind: EventKind,
        turn: Option<i64>,
    ) -> Result<(), PlayError> {
        for hook in tx.webhooks_that_hear(game).await? {
            if wants(&hook, kind) {
                self.queue_event(tx, &hook, &self.event_for(&hook, kind, Some(game), turn)).await?;
            }
        }
        Ok(())
    }

    /// Tells a seat's own webhooks that the opponent has sealed, once a turn: who takes a sheet back and seals again, as often
    /// as they like, calls nobody by that.
    pub(in crate::play) async fn tell_sealed(&self, tx: &mut Writer, game: &str, by: Side) -> Result<(), PlayError> {
        let kind = EventKind::OpponentSealed;
        for hook in tx.webhooks_that_hear(game).await? {
            let hears = hook.side.as_deref() == Some(by.other().word()) && wants(&hook, kind);
            if hears && !tx.heard_of_turn(&hook.id, kind.word(), game).await? {
                self.queue_event(tx, &hook, &self.event_for(&hook, kind, Some(game), None)).await?;
            }
        }
        Ok(())
    }

    /// Queues an event for a webhook. Where too much waits for it already, the oldest is given up.
    async fn queue_event(&self, tx: &mut Writer, hook: &WebhookRow, event: &WebhookEventRow) -> Result<(), PlayError> {
        tx.queue_webhook_event(event).await?;
        let most = if hook.game_id.is_some() { MOST_OF_SEAT } else { MOST_OF_ALL };
        let given_up = tx.give_up_beyond(&hook.id, most, event.made_at, TOO_MANY).await?;
        // Counted here although the transaction may be tried again: it is a rare number, and none is too small by this.
        self.metrics().events_given_up(given_up);
        Ok(())
    }

    /// Something to be told at once.
    pub(super) fn event_for(
        &self,
        hook: &WebhookRow,
        kind: EventKind,
        game: Option<&str>,
        turn: Option<i64>,
    ) -> WebhookEventRow {
        let now = self.clock.now().0;
        WebhookEventRow {
            id: self.sorted_id(),
            webhook_id: hook.id.clone(),
            kind: kind.word().to_owned(),
            game_id: game.map(str::to_owned),
            turn,
            version: None,
            made_at: now,
            due_at: now,
            tries: 0,
            tried_at: None,
            status: None,
            why: None,
            delivered_at: None,
            given_up_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64;

    use super::*;
    use crate::play::webhooks::sign::signature;

    /// Whoever writes a receiver tries it with the example of the documentation, which is what this server would send.
    #[test]
    fn the_example_of_the_documentation_is_what_is_sent() {
        let hook = WebhookRow {
            id: "w1".into(),
            game_id: Some("8q4nwz0v6m2k".into()),
            side: Some("red".into()),
            seat_generation: Some(1),
            url: "https://bot.example.org/hook".into(),
            kinds: String::new(),
            secret_generation: 1,
            renewed_at: None,
            made_at: 0,
            claimed_until: None,
            claimed_by: None,
            rest_until: None,
            failures: 0,
            failing_since: None,
            delivered_at: None,
            off_at: None,
            off_why: None,
        };
        let event = WebhookEventRow {
            id: "019b7e7a-b400-7d3c-a3f1-0c8a52e1b9ab".into(),
            webhook_id: hook.id.clone(),
            kind: EventKind::TurnResolved.word().into(),
            game_id: hook.game_id.clone(),
            turn: Some(5),
            version: Some(17),
            made_at: 1_772_660_412_000,
            due_at: 0,
            tries: 0,
            tried_at: None,
            status: None,
            why: None,
            delivered_at: None,
            given_up_at: None,
        };
        let (page, body) = (include_str!("../../../docs/webhooks.md"), body(&hook, &event));
        assert!(page.contains(&format!("\n    {body}\n")), "{body}");
        let (_, secret) = page.split_once("with the secret `whsec_").unwrap();
        let key = BASE64.decode(secret.split('`').next().unwrap().as_bytes()).unwrap();
        let signed = signature(&key, &event.id, 1_772_660_412, &body);
        for line in [
            format!("webhook-id: {}", event.id),
            "webhook-timestamp: 1772660412".into(),
            format!("webhook-signature: {signed}"),
        ] {
            assert!(page.contains(&line), "{line}");
        }
    }
}
