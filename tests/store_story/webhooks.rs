//! Whom to tell that a game has changed, and what they are told.

use fieldcommand::store::{
    ProcessRow, Store, StoreError, WebhookEventRow, WebhookRow, WebhookTry, WebhooksPulse, Writer,
};

fn hook(id: &str, seat: Option<(&str, &str, i64)>) -> WebhookRow {
    WebhookRow {
        id: id.into(),
        game_id: seat.map(|(game, ..)| game.into()),
        side: seat.map(|(_, side, _)| side.into()),
        seat_generation: seat.map(|(.., generation)| generation),
        url: "https://bot.example.org/".into(),
        kinds: String::new(),
        secret_generation: 1,
        renewed_at: None,
        made_at: 50,
        claimed_until: None,
        claimed_by: None,
        rest_until: None,
        failures: 0,
        failing_since: None,
        delivered_at: None,
        off_at: None,
        off_why: None,
    }
}

fn event(id: &str, hook: &str, made_at: i64) -> WebhookEventRow {
    WebhookEventRow {
        id: id.into(),
        webhook_id: hook.into(),
        kind: "turn_awaited".into(),
        game_id: Some("g1".into()),
        turn: None,
        version: None,
        made_at,
        due_at: made_at,
        tries: 0,
        tried_at: None,
        status: None,
        why: None,
        delivered_at: None,
        given_up_at: None,
    }
}

/// Webhooks of seats and of the organiser, and who hears of what.
pub(super) async fn hooks(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let generation = tx.seat("g1", "red").await?.unwrap().link_generation;
                let (own, former, desk) = (
                    hook("w1", Some(("g1", "red", generation))),
                    hook("w2", Some(("g1", "red", generation + 1))),
                    hook("w3", None),
                );
                for row in [&own, &former, &desk] {
                    tx.insert_webhook(row).await?;
                }
                assert_eq!(tx.webhooks_of_seat("g1", "red", generation).await?, std::slice::from_ref(&own));
                assert_eq!(tx.webhooks_of_desk().await?, std::slice::from_ref(&desk));
                let hear = tx.webhooks_that_hear("g1").await?;
                assert_eq!(hear.iter().map(|row| &*row.id).collect::<Vec<_>>(), ["w1", "w3"], "no former holder");
                assert_eq!(tx.webhooks_that_hear("another").await?, std::slice::from_ref(&desk));
                assert_eq!(tx.webhooks_without_use(0).await?, ["w2"]);
                tx.delete_webhook("w2").await?;
                assert_eq!(tx.webhook("w2").await?, None);
                tx.renew_webhook("w1", 60).await?;
                let row = tx.webhook("w1").await?.unwrap();
                assert_eq!((row.secret_generation, row.renewed_at), (2, Some(60)));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// What a process has claimed is free when it is gone, and who is gone claims nothing.
async fn of_a_process_that_ends(tx: &mut Writer) -> Result<(), StoreError> {
    let process = ProcessRow {
        id: "teller".into(),
        part: "whole".into(),
        version: "1".into(),
        started_at: 140,
        beat_at: 140,
        beats: 1,
        awake_at: None,
        missed_after: 20_000,
    };
    assert_eq!(tx.claim_webhook(149, 300, Some("teller")).await?, None, "who is not there claims nothing");
    tx.add_process(&process).await?;
    let claimed = tx.claim_webhook(149, 300, Some("teller")).await?.unwrap();
    assert_eq!((&*claimed.id, claimed.claimed_by.as_deref()), ("w1", Some("teller")));
    assert!(!tx.webhooks_due(149).await?, "the process is there");
    tx.forget_process("teller").await?;
    assert!(tx.webhooks_due(149).await?, "its claims ended with it");
    Ok(())
}

/// The oldest of what waits is given up where too much does, and what is for good to be told stays.
async fn of_what_waits_too_long(tx: &mut Writer) -> Result<(), StoreError> {
    let of = async |tx: &mut Writer, hook: &'static str, id: &'static str| {
        tx.webhook_event(hook, id).await.unwrap().unwrap()
    };
    for id in ["e4", "e5"] {
        tx.queue_webhook_event(&event(id, "w1", 171)).await?;
    }
    let given_up = (tx.give_up_beyond("w1", 3, 172, "many").await?, tx.give_up_beyond("w1", 1, 172, "many").await?);
    assert_eq!(given_up, (0, 2));
    assert_eq!(of(tx, "w1", "e1").await.given_up_at, Some(172), "the oldest go");
    assert_eq!(of(tx, "w1", "e4").await.why.as_deref(), Some("many"));
    assert_eq!(of(tx, "w1", "e5").await.given_up_at, None);
    tx.webhook_event_taken("e5", 173, &WebhookTry { status: Some(204), why: None }).await?;
    assert!(tx.heard_of_turn("w1", "turn_awaited", "g1").await?, "it was told");
    tx.repeat_webhook_event("e1", 174).await?;
    tx.queue_webhook_event(&WebhookEventRow { kind: "game_over".into(), ..event("e6", "w1", 175) }).await?;
    tx.give_up_all_but("game_over", 176, "moved").await?;
    assert_eq!(of(tx, "w1", "e1").await.given_up_at, Some(176));
    assert_eq!(of(tx, "w1", "e6").await.given_up_at, None);
    assert_eq!(of(tx, "w1", "e5").await.given_up_at, None, "it was taken");
    tx.queue_webhook_event(&event("e7", "w3", 177)).await?;
    tx.webhook_rests("w3", 177, 178).await?;
    assert_eq!(tx.claim_webhook(302, 400, None).await?.unwrap().id, "w1", "what works comes first");
    assert_eq!(tx.claim_webhook(302, 400, None).await?.unwrap().id, "w3");
    Ok(())
}

/// Events are queued, claimed with their webhook, tried, taken, given up, repeated and forgotten.
pub(super) async fn tell(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert!(!tx.webhooks_due(100).await?);
                assert_eq!(tx.webhooks_pulse().await?, WebhooksPulse { waiting: 0, oldest: None, off: 0 });
                tx.queue_webhook_event(&event("e1", "w1", 100)).await?;
                tx.queue_webhook_event(&WebhookEventRow { turn: Some(7), ..event("e2", "w1", 100) }).await?;
                tx.queue_webhook_event(&WebhookEventRow { game_id: None, ..event("e3", "w3", 101) }).await?;
                assert!(tx.webhooks_due(100).await? && !tx.webhooks_due(99).await?);
                let game = tx.game("g1").await?.unwrap();
                let kept = tx.webhook_event("w1", "e1").await?.unwrap();
                assert_eq!((kept.turn, kept.version), (Some(game.turn), tx.game_version("g1").await?));
                assert_eq!(tx.webhook_event("w3", "e1").await?, None);
                let bare = tx.webhook_event("w3", "e3").await?.unwrap();
                assert_eq!((bare.turn, bare.version), (None, None));
                assert_eq!(tx.webhook_events_waiting("w1", "turn_awaited").await?, 2);
                assert_eq!(tx.webhook_events_waiting("w1", "test").await?, 0);
                assert!(tx.heard_of_turn("w1", "turn_awaited", "g1").await?);
                assert!(!tx.heard_of_turn("w1", "opponent_sealed", "g1").await?);
                assert!(!tx.heard_of_turn("w3", "turn_awaited", "g1").await?, "that of no game");

                assert_eq!(tx.webhooks_pulse().await?, WebhooksPulse { waiting: 2, oldest: Some(100), off: 0 });

                let claimed = tx.claim_webhook(100, 200, None).await?.unwrap();
                assert_eq!((&*claimed.id, claimed.claimed_until), ("w1", Some(200)));
                assert_eq!(tx.claim_webhook(100, 200, None).await?, None, "it is claimed, and the other is not due");
                assert_eq!(tx.next_webhook_event("w1", 100).await?.unwrap().id, "e1");
                let refused = WebhookTry { status: Some(500), why: Some("no") };
                assert!(tx.webhook_event_delayed("e1", 110, 300, &refused).await?);
                tx.webhook_rests("w1", 110, 150).await?;
                for other in [
                    WebhookRow { claimed_until: Some(199), ..claimed.clone() },
                    WebhookRow { claimed_by: Some("p".into()), ..claimed.clone() },
                ] {
                    tx.release_webhook(&other, 110).await?;
                    assert_eq!(tx.webhook("w1").await?.unwrap().claimed_until, Some(200), "another one's claim");
                }
                tx.release_webhook(&claimed, 110).await?;
                let row = tx.webhook("w1").await?.unwrap();
                assert_eq!((row.failures, row.failing_since, row.rest_until), (1, Some(110), Some(150)));
                assert_eq!(tx.claim_webhook(149, 300, None).await?.unwrap().id, "w3", "w1 rests");
                tx.wake_webhook("w1").await?;
                of_a_process_that_ends(tx).await?;
                assert_eq!(tx.claim_webhook(149, 301, None).await?.unwrap().claimed_by, None);
                assert_eq!(tx.next_webhook_event("w1", 149).await?.unwrap().id, "e2", "the other one waits");
                tx.webhook_event_taken("e2", 150, &WebhookTry { status: Some(204), why: None }).await?;
                tx.webhook_works("w1", 150, 149).await?;
                let row = tx.webhook("w1").await?.unwrap();
                assert_eq!((row.failures, row.failing_since, row.delivered_at), (0, None, Some(150)));
                tx.switch_off_webhook("w1", 151, "enough").await?;
                for (due, off) in [(150, Some(151)), (151, None)] {
                    tx.webhook_works("w1", 152, due).await?;
                    assert_eq!(tx.webhook("w1").await?.unwrap().off_at, off, "due {due}");
                }
                assert_eq!(tx.makers_of_desk_webhooks().await?, []);
                assert_eq!(tx.webhooks_of_token("t1").await?, [""; 0]);
                assert_eq!(tx.next_webhook_event("w1", 299).await?, None);
                assert!(!tx.webhook_event_delayed("e2", 155, 300, &refused).await?, "somebody else was faster");

                assert_eq!(tx.give_up_webhook_events(Some("w3"), 101, 160, "late").await?, 0);
                assert_eq!(tx.webhook_event("w3", "e3").await?.unwrap().given_up_at, None, "it is not that old");
                assert_eq!(tx.give_up_webhook_events(None, 102, 160, "late").await?, 2);
                let of = async |tx: &mut Writer, hook: &'static str, id: &'static str| {
                    tx.webhook_event(hook, id).await.unwrap().unwrap()
                };
                let (old, late) = (of(tx, "w1", "e1").await.why, of(tx, "w3", "e3").await.why);
                assert_eq!((old.as_deref(), late.as_deref()), (Some("no"), Some("late")), "what was wrong stays");
                assert_eq!(of(tx, "w1", "e2").await.given_up_at, None, "it was taken");
                tx.repeat_webhook_event("e1", 170).await?;
                let again = of(tx, "w1", "e1").await;
                assert_eq!((again.due_at, again.tries, again.status, again.given_up_at), (170, 0, None, None));
                let all: Vec<_> = tx.webhook_events("w1", 50).await?.into_iter().map(|row| row.id).collect();
                assert_eq!(all, ["e2", "e1"], "the newest first");
                tx.forget_webhook_events(1000).await?;
                let kept = (tx.webhook_events("w1", 50).await?.len(), tx.webhook_events("w3", 50).await?.len());
                assert_eq!(kept, (1, 0), "what waits is not forgotten");

                of_what_waits_too_long(tx).await?;

                tx.switch_off_webhook("w1", 180, "gone").await?;
                tx.switch_off_webhook("w1", 190, "again").await?;
                let row = tx.webhook("w1").await?.unwrap();
                assert_eq!((row.off_at, row.off_why.as_deref()), (Some(180), Some("gone")));
                assert_eq!(tx.webhooks_that_hear("g1").await?.len(), 1);
                assert_eq!(tx.webhooks_pulse().await?.off, 1);
                tx.delete_webhook("w1").await?;
                tx.delete_webhook("w3").await?;
                Ok(())
            })
        })
        .await
        .unwrap();
}
