//! Where the server stands, and all rows from one database to another.

use fieldcommand::store::{Kind, Letter, ProcessRow, Store, StoreError};

use super::letter;
use crate::world::World;

/// An address is kept once; a copy is marked; whoever goes on begins another epoch, and letters of before are dropped.
pub(super) async fn place(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let place = tx.place().await?;
                assert_eq!((place.address, place.epoch, place.copied_at), (None, 0, None));
                tx.keep_address("play.example.org").await?;
                tx.keep_address("other.example.org").await?;
                assert_eq!(tx.place().await?.address.as_deref(), Some("play.example.org"));
                tx.mark_copied(5).await?;
                assert_eq!(tx.place().await?.copied_at, Some(5));

                let mut before = letter("p1", Some(("g1", 40, "red")));
                before.kind = "reminder";
                tx.queue_letter(&before).await?;
                assert_eq!(tx.epoch_of_letter("p1").await?, 0);
                assert!(tx.drop_waiting_letters(2000, "moved").await? >= 1);
                assert_eq!(tx.letters_waiting().await?.0, 0);
                assert_eq!(tx.begin_epoch(None).await?, 1);
                assert_eq!(tx.place().await?.address.as_deref(), Some("play.example.org"));
                assert_eq!(tx.begin_epoch(Some("new.example.org")).await?, 2);
                let place = tx.place().await?;
                assert_eq!(
                    (place.address.as_deref(), place.epoch, place.copied_at),
                    (Some("new.example.org"), 2, None)
                );
                let after = letter("p2", Some(("g1", 41, "red")));
                tx.queue_letter(&after).await?;
                assert_eq!((tx.epoch_of_letter("p2").await?, tx.epoch_of_letter("none").await?), (2, 0));
                assert_eq!(tx.thread_of_letter("p2").await?, (None, None), "letters of another epoch are strangers");
                tx.drop_letter("p2").await?;
                tx.forget_address().await?;
                assert_eq!(tx.place().await?.address, None);
                let open = tx.open_games("", 9).await?;
                assert_eq!(open.iter().filter(|id| *id == "g1").count(), 1, "{open:?}");
                assert_eq!(tx.open_games(open.last().unwrap(), 9).await?, Vec::<String>::new());
                let version = tx.game_version("g1").await?.unwrap();
                tx.leap_versions(100, 50).await?;
                assert_eq!(tx.game_version("g1").await?, Some(version + 100));
                tx.leap_versions(1, 5000).await?;
                assert_eq!(tx.game_version("g1").await?, Some(5000));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// What a process has claimed is free when it is gone, and not while it is there; a number is remembered once.
pub(super) async fn processes(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let process = |id: &str| ProcessRow {
                    id: id.into(),
                    part: "whole".into(),
                    version: "1".into(),
                    started_at: 5,
                    beat_at: 5,
                    beats: 1,
                    awake_at: None,
                    missed_after: 20_000,
                };
                for id in ["one", "two"] {
                    tx.add_process(&process(id)).await?;
                }
                assert!(tx.process_lives("one", 9).await? && !tx.process_lives("none", 9).await?);
                tx.process_awake("one", 10).await?;
                let one = ProcessRow { beat_at: 9, beats: 2, awake_at: Some(10), ..process("one") };
                assert_eq!(tx.processes().await?, [one, process("two")]);

                let mut early = letter("p0", Some(("g1", 39, "red")));
                early.kind = "reminder";
                tx.queue_letter(&early).await?;
                let claimed = tx.claim_letters(1000, 9000, 1, Some("one")).await?.remove(0);
                assert_eq!((&*claimed.id, claimed.claimed_by.as_deref()), ("p0", Some("one")));
                assert_eq!(tx.claim_letters(1001, 9000, 1, Some("two")).await?, [], "it lives");
                assert!(!tx.forget_silent_process("one", 1).await?, "it has given a sign meanwhile");
                assert!(tx.forget_silent_process("one", 2).await? && !tx.forget_silent_process("one", 2).await?);
                assert_eq!(tx.letters_due(1001, 9).await?, 1);
                assert!(!tx.renew_claim(&Letter { claimed_by: None, ..claimed.clone() }, 9500, None).await?);
                assert_eq!(tx.claim_letters(1001, 9001, 1, Some("one")).await?, [], "who is gone claims nothing");
                assert!(!tx.renew_claim(&claimed, 9500, Some("one")).await?, "and keeps nothing");
                let theirs = tx.claim_letters(1001, 9001, 1, Some("two")).await?.remove(0);
                assert_eq!(theirs.attempts, 1, "taking over is no try");
                assert!(tx.hold_claim(&theirs).await? && !tx.hold_claim(&claimed).await?);
                assert!(!tx.renew_claim(&claimed, 9500, Some("one")).await?, "and has lost what it had");
                tx.drop_letter("p0").await?;

                tx.call_computers("g1", 500).await?;
                let calls = tx.calls_waiting(500).await?;
                if let Some(call) = tx.lease_call(500, 9000, Some("two")).await? {
                    assert_eq!(tx.calls_waiting(500).await?, calls - 1);
                    tx.forget_process("two").await?;
                    assert_eq!(tx.calls_waiting(500).await?, calls);
                    assert_eq!(tx.lease_call(501, 9000, Some("two")).await?, None);
                    tx.drop_call(&call).await?;
                }
                tx.add_process(&process("old")).await?;
                tx.forget_processes().await?;
                assert_eq!(tx.processes().await?, []);
                assert_eq!((tx.remember_first("mark", 3).await?, tx.remember_first("mark", 4).await?), (3, 3));
                assert_eq!((tx.remembered_alone("mark").await?, tx.remembered_alone("none").await?), (Some(3), None));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Others hear which games have changed, and whoever told it does not; SQLite has no others.
pub(super) async fn news(store: &Store) {
    let (mine, theirs) = (store.listen("me").await.unwrap(), store.listen("them").await.unwrap());
    store.tell("me", &["g1".into(), "g2".into()]).await.unwrap();
    assert_eq!(mine.is_some(), store.kind() == Kind::Postgres);
    let others = store.others_connected().await.unwrap();
    let Some((mut mine, mut theirs)) = mine.zip(theirs) else { return assert_eq!(others, 0) };
    assert!(others >= 2, "the two who listen: {others}");
    assert_eq!(mine.hear().await.unwrap(), Vec::<String>::new());
    assert_eq!(theirs.hear().await.unwrap(), ["g1", "g2"]);
}

/// A backup is carried over into an empty database of the other kind and back, and nothing is lost on the way.
pub(super) async fn carry_over(world: &World, backup: &Store) {
    assert!(!backup.is_empty().await.unwrap());
    let postgres = World::postgres().await;
    assert!(postgres.store.is_empty().await.unwrap());
    assert_eq!(postgres.store.holds_something().await.unwrap(), None);
    assert!(backup.holds_something().await.unwrap().is_some());
    let rows = backup.copy_to(&postgres.store).await.unwrap();
    assert!(rows > 30 && !postgres.store.is_empty().await.unwrap(), "{rows}");
    let back = World::sqlite().await;
    let carried = postgres.store.carry_to(&back.store).await.unwrap();
    assert_eq!((carried.rows, carried.tables > 30), (rows, true));
    for table in ["games", "seats", "turns", "outbox", "people", "messages", "place", "mail_senders", "session_seats"] {
        assert_eq!(back.count(table).await, world.count(table).await, "{table}");
    }
    postgres.end().await;
    back.end().await;
}
