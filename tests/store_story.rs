//! The story of a game as the store sees it, told on SQLite and on PostgreSQL. Every public
//! function of the store has its part in it.

use std::fs;
use std::path::Path;

use fieldcommand::store::{
    DeviceRow, DraftRow, Kind, NewGameRow, NewLetter, NewSeat, NoteRow, OfferRow, SheetRow, Store, StoreError, TurnRow,
    TurnSheet, WhatIfRow,
};

use crate::world::World;

fn sheet(side: &str, turn: i64, body: &str) -> SheetRow {
    let (salt, seal) = (format!("salt of {body}"), format!("seal of {body}"));
    SheetRow { side: side.into(), turn, body: body.into(), salt, seal, sealed_at: 100 }
}

fn turn_sheet(body: &str) -> TurnSheet {
    TurnSheet { how: "sealed".into(), body: body.into(), salt: "s".into(), seal: "h".into(), sealed_at: 100 }
}

/// Opens a game and both seats, Blue's free.
async fn open(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.keep_board("b1", "{}", 1).await?;
                tx.keep_board("b1", "another body for a hash that is kept", 2).await?;
                let game = NewGameRow {
                    id: "g1",
                    board_hash: "b1",
                    setup: "setup",
                    opener: "red",
                    turn: 0,
                    standing: "dawn",
                    opened_at: 1,
                    sitting: None,
                    pace: None,
                    start: None,
                };
                tx.insert_game(&game).await?;
                let red = NewSeat {
                    game_id: "g1",
                    side: "red",
                    name: Some("Ann"),
                    address: Some("ann@example.org"),
                    taken_at: Some(1),
                    link_hash: "red link",
                    invitation_generation: 0,
                };
                tx.insert_seat(&red).await?;
                let blue = NewSeat {
                    side: "blue",
                    name: None,
                    address: None,
                    taken_at: None,
                    link_hash: "blue link",
                    invitation_generation: 1,
                    ..red
                };
                tx.insert_seat(&blue).await?;
                tx.insert_invitation("first", "g1", "blue", 1).await?;
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// The invitation is withdrawn, made anew, taken; the taker is unseated and comes again.
async fn invite(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.withdraw_invitations("g1", "blue", 2).await?;
                assert!(!tx.take_invitation("first", 3).await?, "a withdrawn invitation is not taken");
                assert_eq!(tx.invitation("first").await?.unwrap().withdrawn_at, Some(2));
                tx.set_invitation_generation("g1", "blue", 2).await?;
                tx.insert_invitation("second", "g1", "blue", 3).await?;
                assert!(tx.take_invitation("second", 4).await?);
                assert!(!tx.take_invitation("second", 5).await?, "an invitation is taken once");
                assert!(tx.take_seat("g1", "blue", Some("Bob"), 4).await?);
                assert!(!tx.take_seat("g1", "blue", Some("Eve"), 5).await?, "a seat is taken once");
                tx.seal_sheet("g1", &sheet("blue", 0, "Bob's deployment")).await?;
                tx.erase_sheet("g1", "blue").await?;
                tx.mark_seen("g1", "blue", 0).await?;
                tx.set_result_first("g1", "blue", Some(5)).await?;
                tx.free_seat("g1", "blue", 2, "blue link 2").await?;
                assert!(tx.seat_by_link("blue link").await?.is_none());
                assert!(tx.own_sheet("g1", "blue").await?.is_none());
                assert!(tx.take_seat("g1", "blue", Some("Ben"), 6).await?);
                tx.set_address("g1", "blue", Some("ben@example.org")).await?;
                let row = tx.seat_by_link("blue link 2").await?.unwrap();
                assert_eq!((row.side.as_str(), row.name.as_deref(), row.link_generation), ("blue", Some("Ben"), 2));
                assert_eq!(row.address.as_deref(), Some("ben@example.org"));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A browser enters both seats; when one is reissued it holds the other alone.
async fn enter(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert!(!tx.session_exists("cookie").await?);
                tx.insert_session("cookie", 10).await?;
                assert!(tx.session_exists("cookie").await?);
                tx.hold_seat("cookie", "g1", "red", 10).await?;
                tx.hold_seat("cookie", "g1", "blue", 11).await?;
                tx.hold_seat("cookie", "g1", "blue", 12).await?;
                let held: Vec<_> = tx.held_seats("cookie").await?.into_iter().map(|held| held.side).collect();
                assert_eq!(held, ["blue", "red"]);
                assert_eq!(tx.holds_seat("cookie", "g1", "blue").await?, Some(2));
                assert_eq!(tx.holds_seat("another", "g1", "blue").await?, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Each seat thinks for itself: drafts, what-ifs and notes of one are not the other's.
async fn think(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let draft = |body: &str| DraftRow { turn: 0, body: body.into(), saved_at: 20 };
                tx.keep_draft("g1", "red", &draft("GN")).await?;
                tx.keep_draft("g1", "red", &draft("GN K11")).await?;
                assert_eq!(tx.own_draft("g1", "red").await?, Some(draft("GN K11")));
                assert_eq!(tx.own_draft("g1", "blue").await?, None);
                tx.erase_draft("g1", "blue").await?;
                assert!(tx.own_draft("g1", "red").await?.is_some());
                tx.erase_draft("g1", "red").await?;
                tx.keep_draft("g1", "blue", &draft("GN A1")).await?;
                tx.erase_drafts("g1").await?;
                assert_eq!((tx.own_draft("g1", "red").await?, tx.own_draft("g1", "blue").await?), (None, None));

                let what_if = |id: &str, turn: i64| WhatIfRow {
                    id: id.into(),
                    turn,
                    name: "hook".into(),
                    own_body: "G8-F8".into(),
                    other_body: "E4-F4".into(),
                    saved_at: 21,
                };
                for (id, turn) in [("w1", 1), ("w2", 1), ("w3", 2)] {
                    tx.keep_what_if("g1", "red", &what_if(id, turn)).await?;
                }
                assert_eq!(tx.own_what_ifs("g1", "red", 1).await?, [what_if("w1", 1), what_if("w2", 1)]);
                assert!(tx.own_what_ifs("g1", "blue", 1).await?.is_empty());
                assert_eq!(tx.count_what_ifs("g1", "red", 1).await?, 2);
                assert!(!tx.delete_what_if("g1", "blue", "w1").await?, "it is not Blue's");
                assert!(tx.delete_what_if("g1", "red", "w1").await?);

                let note = |body: &str| NoteRow { about: "place H7".into(), body: body.into(), saved_at: 22 };
                tx.keep_note("g1", "red", &note("a gun")).await?;
                tx.keep_note("g1", "red", &note("a trap")).await?;
                assert_eq!(tx.own_notes("g1", "red").await?, [note("a trap")]);
                assert!(tx.own_notes("g1", "blue").await?.is_empty());
                tx.delete_note("g1", "red", "place H7").await?;
                assert!(tx.own_notes("g1", "red").await?.is_empty());
                tx.keep_note("g1", "red", &note("gone")).await?;
                tx.forget_thoughts("g1", "red").await?;
                assert!(tx.own_notes("g1", "red").await?.is_empty() && tx.count_what_ifs("g1", "red", 1).await? == 0);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A game at one device: first Blue sits there, then nobody, then Red. In the other game that changes nothing.
async fn hand_over(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let game = NewGameRow {
                    id: "g2",
                    board_hash: "b1",
                    setup: "setup",
                    opener: "blue",
                    turn: 0,
                    standing: "dawn",
                    opened_at: 7,
                    sitting: Some("blue"),
                    pace: None,
                    start: None,
                };
                tx.insert_game(&game).await?;
                let sits = |side: Option<&str>| Some(DeviceRow { sitting: side.map(str::to_owned) });
                assert_eq!(tx.device("g2").await?, sits(Some("blue")));
                tx.seat_at_device("g2", None).await?;
                assert_eq!(tx.device("g2").await?, sits(None));
                tx.seat_at_device("g2", Some("red")).await?;
                assert_eq!(tx.device("g2").await?, sits(Some("red")));
                let game = tx.game("g2").await?.unwrap();
                assert_eq!((game.one_device_at, game.sitting.as_deref()), (Some(7), Some("red")));
                tx.seat_at_device("g1", Some("red")).await?;
                assert_eq!((tx.device("g1").await?, tx.device("none").await?), (None, None));
                assert_eq!(tx.game("g1").await?.unwrap().sitting, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Both seal; the turn is kept once, with its letters, and the next one ends the game.
async fn resolve(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let game = tx.lock_game("g1").await?.unwrap();
                assert_eq!((game.turn, game.version, game.board.as_str()), (0, 1, "{}"));
                assert!(tx.lock_game("none").await?.is_none());
                assert_eq!((tx.game_version("g1").await?, tx.game_version("none").await?), (Some(1), None));
                tx.seal_sheet("g1", &sheet("red", 0, "first thought")).await?;
                tx.seal_sheet("g1", &sheet("red", 0, "second thought")).await?;
                tx.touch_game("g1").await?;
                assert_eq!(tx.own_sheet("g1", "red").await?.unwrap().body, "second thought");
                assert_eq!(tx.seal("g1", "red").await?, Some(("seal of second thought".into(), 100)));
                assert_eq!(tx.seal("g1", "blue").await?, None);
                assert!(tx.sheets_to_open("g1", 0).await?.is_empty(), "one sheet opens nothing");
                tx.seal_sheet("g1", &sheet("blue", 0, "Ben's")).await?;
                assert_eq!(tx.sheets_to_open("g1", 0).await?.len(), 2);
                assert!(tx.sheets_to_open("g1", 1).await?.is_empty(), "sheets of another turn open nothing");
                assert!(tx.advance_game("g1", 0, 1, "day 1").await?);
                assert!(!tx.advance_game("g1", 0, 1, "day 1 again").await?, "a turn is left once");
                let row = TurnRow {
                    turn: 0,
                    red: turn_sheet("second thought"),
                    blue: turn_sheet("Ben's"),
                    standing: "day 1".into(),
                    report_hash: "hash".into(),
                    chain: Some("chain".into()),
                    resolved_at: 200,
                };
                tx.insert_turn("g1", &row).await?;
                tx.erase_sheets("g1").await?;
                assert!(tx.own_sheet("g1", "red").await?.is_none());
                Ok(())
            })
        })
        .await
        .unwrap();
    let twice = store
        .write::<(), StoreError, _>(|tx| {
            Box::pin(async move {
                let row = tx.turn("g1", 0).await?.unwrap();
                tx.touch_game("g1").await?;
                tx.insert_turn("g1", &row).await
            })
        })
        .await;
    assert!(twice.is_err(), "the key refuses a second turn 0");
    store
        .read::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let (game, turn) = (tx.game("g1").await?.unwrap(), tx.turn("g1", 0).await?.unwrap());
                assert_eq!(
                    (game.turn, game.version, game.standing.as_str()),
                    (1, 3, "day 1"),
                    "the refusal left no trace"
                );
                assert_eq!((turn.red.body.as_str(), turn.blue.body.as_str()), ("second thought", "Ben's"));
                assert!(tx.turn("g1", 1).await?.is_none());
                let all = tx.turns("g1").await?;
                assert_eq!((all.len(), all[0].chain.as_deref()), (1, Some("chain")));
                assert_eq!(tx.game_ids("", 9).await?, ["g1", "g2"]);
                assert_eq!((tx.game_ids("", 1).await?.len(), tx.game_ids("g1", 9).await?), (1, vec!["g2".into()]));
                let seats: Vec<_> = tx.seats("g1").await?.into_iter().map(|seat| seat.side).collect();
                assert_eq!(seats, ["blue", "red"]);
                assert_eq!(tx.seat("g1", "red").await?.unwrap().name.as_deref(), Some("Ann"));
                assert_eq!(tx.any_seat().await?.unwrap().game_id, "g1");
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// What was watched never becomes unwatched; the wish for results at once comes and goes.
async fn watch(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.seen_turn, seat.result_first_at), (None, None));
                for (turn, seen) in [(3, 3), (1, 3), (4, 4)] {
                    tx.mark_seen("g1", "blue", turn).await?;
                    assert_eq!(tx.seat("g1", "blue").await?.unwrap().seen_turn, Some(seen));
                }
                tx.set_result_first("g1", "blue", Some(250)).await?;
                assert_eq!(tx.seat_by_link("blue link 2").await?.unwrap().result_first_at, Some(250));
                tx.set_result_first("g1", "blue", None).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.seen_turn, seat.result_first_at), (Some(4), None));
                assert_eq!(tx.seat("g1", "red").await?.unwrap().seen_turn, None, "each seat by itself");
                assert_eq!(tx.game("g1").await?.unwrap().version, 3, "watching does not change the game");
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Letters are queued once, claimed by one worker, and sent, delayed or given up.
async fn letters(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for (id, side) in [("l1", "red"), ("l2", "blue"), ("again", "red")] {
                    let letter = NewLetter { id, kind: "report", game_id: "g1", turn: 0, side, now: 1000 };
                    tx.queue_letter(&letter).await?;
                }
                assert_eq!(tx.letters_waiting().await?, (2, Some(1000)));
                assert_eq!(tx.letters_due(999).await?, 0);
                assert_eq!(tx.letters_due(1000).await?, 2);
                let claimed = tx.claim_letters(1000, 2000, 1).await?;
                assert_eq!(claimed.len(), 1);
                assert_eq!(tx.claim_letters(1500, 2500, 10).await?.len(), 1, "what is claimed is not claimed again");
                assert_eq!(tx.claim_letters(2000, 3000, 10).await?.len(), 1, "a claim ends by itself");
                tx.letter_sent("l1", 2100).await?;
                tx.letter_delayed("l2", 5000, "451 try later").await?;
                assert_eq!(tx.letters_due(4999).await?, 0);
                let again = tx.claim_letters(5000, 6000, 10).await?;
                assert_eq!((again[0].id.as_str(), again[0].attempts >= 2), ("l2", true));
                tx.letter_failed("l2", 5100, "550 no such user").await?;
                assert_eq!(tx.letters_waiting().await?, (0, None));
                assert_eq!(tx.claim_letters(9999, 10_999, 10).await?, []);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Turns fall due, are put off, are missed; nothing is due in a game that has ended.
async fn fall_due(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.set_due("g1", Some(500)).await?;
                tx.set_due("g2", Some(400)).await?;
                assert_eq!(tx.due_games(399, 9).await?, Vec::<String>::new());
                assert_eq!(tx.due_games(500, 9).await?, ["g2", "g1"]);
                assert_eq!(tx.due_games(500, 1).await?, ["g2"]);
                assert_eq!(tx.put_off(450, 500, 100).await?, 1);
                assert_eq!(
                    (tx.game("g1").await?.unwrap().due_at, tx.due_games(500, 9).await?),
                    (Some(600), vec!["g2".into()])
                );
                tx.set_due("g2", None).await?;
                assert_eq!(tx.due_games(600, 9).await?, ["g1"]);
                tx.set_missed("g1", "red", 4, 2).await?;
                let seat = tx.seat("g1", "red").await?.unwrap();
                assert_eq!((seat.missed, seat.missed_running), (Some(4), Some(2)));
                assert_eq!(tx.seat("g1", "blue").await?.unwrap().missed, None);
                assert_eq!(tx.remembered("heartbeat").await?, None);
                tx.remember("heartbeat", 1).await?;
                tx.remember("heartbeat", 2).await?;
                assert_eq!(tx.remembered("heartbeat").await?, Some(2));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// An offer of each kind stands once; a game is carried on in another, with its players and their browsers.
async fn agree(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let offer = |kind: &str, side: &str, from_turn| OfferRow {
                    kind: kind.into(),
                    side: side.into(),
                    turn: 1,
                    from_turn,
                    made_at: 250,
                };
                assert!(tx.make_offer("g1", &offer("draw", "red", None)).await?);
                assert!(!tx.make_offer("g1", &offer("draw", "blue", None)).await?, "one of a kind");
                assert!(tx.make_offer("g1", &offer("continue", "blue", Some(1))).await?);
                assert_eq!(tx.offers("g1").await?, [offer("continue", "blue", Some(1)), offer("draw", "red", None)]);
                tx.drop_offer("g1", "draw").await?;
                assert_eq!(tx.offers("g1").await?.len(), 1);
                tx.drop_offers("g1").await?;
                assert_eq!((tx.offers("g1").await?, tx.offers("g2").await?), (vec![], vec![]));

                tx.carry_game("g1", "g3", 1, "day 1", 260).await?;
                tx.insert_session("reader", 260).await?;
                tx.hold_seat("reader", "g1", "red", 260).await?;
                for side in ["red", "blue"] {
                    tx.carry_seat("g1", "g3", side, &format!("{side} carried"), 1, 260).await?;
                }
                tx.carry_holders("g1", "g3", 261).await?;
                tx.set_continued_in("g1", "g3").await?;
                let (old, next) = (tx.game("g1").await?.unwrap(), tx.game("g3").await?.unwrap());
                assert_eq!(old.continued_in.as_deref(), Some("g3"));
                assert_eq!((next.start.as_deref(), next.continues.as_deref()), (Some("day 1"), Some("g1")));
                let seat = tx.seat("g3", "red").await?.unwrap();
                assert_eq!((seat.name.as_deref(), seat.seen_turn, seat.taken_at), (Some("Ann"), Some(0), Some(260)));
                assert_eq!(tx.holds_seat("reader", "g3", "red").await?, Some(1));
                assert_eq!(tx.holds_seat("reader", "g3", "blue").await?, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}

async fn end(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert!(tx.end_game("g1", Some("red_wins"), "resignation", 300).await?);
                assert!(!tx.end_game("g1", None, "void", 301).await?, "a game ends once");
                assert!(!tx.advance_game("g1", 1, 2, "day 2").await?, "an ended game stands still");
                assert_eq!(tx.game("g1").await?.unwrap().outcome.as_deref(), Some("red_wins"));
                assert!(tx.due_games(999, 9).await?.is_empty(), "an ended game costs the sweep nothing");
                Ok(())
            })
        })
        .await
        .unwrap();
}

async fn story(world: &World) {
    let store = &world.store;
    open(store).await;
    invite(store).await;
    enter(store).await;
    think(store).await;
    hand_over(store).await;
    resolve(store).await;
    watch(store).await;
    letters(store).await;
    fall_due(store).await;
    agree(store).await;
    end(store).await;
    store.ping().await.unwrap();
    let (copy, folder) = (world.path().join("copy.sqlite"), world.path().join("backups"));
    match store.kind() {
        Kind::Sqlite => {
            store.backup(&copy).await.unwrap();
            assert!(store.backup(&copy).await.is_err(), "nothing is overwritten");
            let restored = Store::open_sqlite(&copy).await.unwrap();
            restored.migrate(None).await.unwrap();
            let game =
                restored.read::<_, StoreError, _>(|tx| Box::pin(async move { tx.game("g1").await })).await.unwrap();
            assert_eq!(game.unwrap().outcome.as_deref(), Some("red_wins"));
            restored.close().await;
            for day in 1..=9 {
                store.snapshot(&folder, &format!("daily-{day}")).await.unwrap();
            }
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 7, "seven snapshots are kept");
            assert!(folder.join("daily-9.sqlite").is_file());
        }
        Kind::Postgres => assert!(store.backup(&copy).await.is_err()),
    }
}

#[tokio::test]
async fn the_story_on_sqlite() {
    let world = World::sqlite().await;
    story(&world).await;
    world.end().await;
}

#[tokio::test]
async fn the_story_on_postgresql() {
    let world = World::postgres().await;
    story(&world).await;
    world.end().await;
}

/// A public function of the store without a part in the story fails here.
#[test]
fn every_store_function_is_in_the_story() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let told = fs::read_to_string(file!()).unwrap() + &fs::read_to_string("tests/world/mod.rs").unwrap();
    let mut number = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for function in text.split("pub async fn ").skip(1) {
            let name: String = function.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(
                told.contains(&format!(".{name}")) || told.contains(&format!("::{name}")),
                "{name} has no part in the story"
            );
            number += 1;
        }
    }
    assert!(number > 30, "{number} functions found");
}

/// SQLite may roll a transaction back by itself, as it does when the disk is full. The next one works again.
#[tokio::test]
async fn a_transaction_that_the_database_ended_spoils_no_other() {
    let world = World::sqlite().await;
    let address = format!("sqlite://{}", world.path().join("fieldcommand.sqlite").display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    sqlx::raw_sql("create trigger full_disk before insert on boards when new.hash = 'big' begin select raise(rollback, 'full'); end")
        .execute(&mut conn)
        .await
        .unwrap();
    let keep = |hash: &'static str| {
        world.store.write::<_, StoreError, _>(move |tx| Box::pin(async move { tx.keep_board(hash, "{}", 1).await }))
    };
    for _ in 0..3 {
        assert!(keep("big").await.is_err());
        assert_eq!(keep("small").await, Ok(()));
    }
    world.end().await;
}

/// A file that is no database is named at once.
#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fieldcommand.sqlite");
    fs::write(&file, [7; 8192]).unwrap();
    let error = Store::open_sqlite(&file).await.unwrap_err().to_string();
    assert!(error.contains("fieldcommand.sqlite") && error.contains("not a database"), "{error}");
}

/// A database that a newer server has used is left alone.
#[tokio::test]
async fn a_newer_schema_is_refused() {
    let world = World::sqlite().await;
    let file = world.path().join("fieldcommand.sqlite");
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}", file.display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    let backups = world.path().join("backups");

    sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'later', true, x'00', 0)")
        .execute(&mut conn)
        .await
        .unwrap();
    let error = world.store.migrate(Some((&backups, "before"))).await.unwrap_err().to_string();
    assert!(error.contains("newer server") && error.contains("9999"), "{error}");
    assert!(!backups.exists());
    world.end().await;
}

/// A database of the first schema is carried on, after a snapshot of it; what was resolved before counts as watched.
#[tokio::test]
async fn an_older_schema_is_carried_on_after_a_snapshot() {
    let world = World::sqlite().await;
    open(&world.store).await;
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}", world.path().join("fieldcommand.sqlite").display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    for sql in [
        "drop table drafts",
        "drop table what_ifs",
        "drop table notes",
        "drop table memory",
        "drop table offers",
        "alter table turns drop column chain",
        "alter table games drop column start",
        "alter table games drop column continues",
        "alter table games drop column continued_in",
        "drop index games_due",
        "alter table seats drop column missed",
        "alter table seats drop column missed_running",
        "alter table games drop column pace",
        "alter table games drop column due_at",
        "alter table seats drop column seen_turn",
        "alter table seats drop column result_first_at",
        "alter table games drop column one_device_at",
        "alter table games drop column sitting",
        "delete from _sqlx_migrations where version > 1",
        "update games set turn = 4",
    ] {
        sqlx::query(sql).execute(&mut conn).await.unwrap();
    }
    let backups = world.path().join("backups");
    assert!(!world.store.is_current().await.unwrap());
    world.store.migrate(Some((&backups, "before-update"))).await.unwrap();
    assert!(world.store.is_current().await.unwrap());
    assert!(backups.join("before-update.sqlite").is_file(), "no snapshot was made");
    let seat = world
        .store
        .read::<_, StoreError, _>(|tx| Box::pin(async move { tx.seat("g1", "red").await }))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((seat.name.as_deref(), seat.seen_turn), (Some("Ann"), Some(3)));
    world.store.migrate(Some((&backups, "again"))).await.unwrap();
    assert!(!backups.join("again.sqlite").exists(), "there was nothing to update");
    world.end().await;
}
