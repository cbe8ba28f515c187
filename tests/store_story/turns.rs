//! Opening a game, its seats and sheets, its turns, its deadlines and its end.

use fieldcommand::store::{
    DeviceRow, DraftRow, NewGameRow, NewSeat, NoteRow, SheetRow, Store, StoreError, TurnRow, WhatIfRow,
};

use super::{sheet, turn_sheet};

/// Opens a game and both seats, Blue's free.
pub(super) async fn open(store: &Store) {
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
                    settings: Some("{}"),
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
pub(super) async fn invite(store: &Store) {
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
                tx.set_address("g1", "blue", Some("ben@example.org"), None).await?;
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
pub(super) async fn enter(store: &Store) {
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
pub(super) async fn think(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let draft = |body: &str| DraftRow {
                    turn: 0,
                    body: body.into(),
                    saved_at: 20,
                    withheld_at: (body == "GN K11").then_some(20),
                };
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
                assert!(tx.all_own_what_ifs("g1", "red").await?.contains(&what_if("w1", 1)));
                assert!(tx.all_own_what_ifs("g1", "blue").await?.is_empty());
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
pub(super) async fn hand_over(store: &Store) {
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
                    settings: None,
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
pub(super) async fn resolve(store: &Store) {
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
                let around = tx.about_to_seal("g1", "red").await?.unwrap();
                assert_eq!(around.own.unwrap().body, "second thought");
                let opposite = tx.about_to_seal("g1", "blue").await?.unwrap();
                assert_eq!((around.other_seals, opposite.other_seals), (0, 1));
                assert!(opposite.own.is_none(), "not Red's");
                assert!(tx.about_to_seal("none", "red").await?.is_none());
                assert_eq!(tx.own_sheet("g1", "red").await?.unwrap().body, "second thought");
                assert_eq!(tx.seal("g1", "red").await?, Some(("seal of second thought".into(), 100)));
                assert_eq!(tx.seal("g1", "blue").await?, None);
                assert!(tx.sheets_to_open("g1", 0).await?.is_empty(), "one sheet opens nothing");
                tx.seal_sheet("g1", &sheet("blue", 0, "Ben's")).await?;
                assert_eq!(tx.sheets_to_open("g1", 0).await?.len(), 2);
                assert!(tx.sheets_to_open("g1", 1).await?.is_empty(), "sheets of another turn open nothing");
                assert!(!tx.both_final("g1", 0).await?);
                for side in ["red", "blue"] {
                    let done = SheetRow { final_at: Some(150), ..tx.own_sheet("g1", side).await?.unwrap() };
                    tx.seal_sheet("g1", &done).await?;
                    assert_eq!(tx.own_sheet("g1", side).await?.unwrap().final_at, Some(150));
                }
                assert!(tx.both_final("g1", 0).await? && !tx.both_final("g1", 1).await?);
                tx.set_settle("g1", Some(160)).await?;
                assert_eq!(
                    (tx.due_games(159, 9).await?.len(), tx.due_games(160, 9).await?),
                    (0, vec!["g1".to_owned()])
                );
                assert!(tx.advance_game("g1", 0, 1, "day 1", 200).await?);
                assert!(!tx.advance_game("g1", 0, 1, "day 1 again", 201).await?, "a turn is left once");
                let moved = tx.game("g1").await?.unwrap();
                assert_eq!((moved.settle_at, moved.moved_at, moved.settings.as_deref()), (None, Some(200), Some("{}")));
                tx.set_moved("g1", 210).await?;
                assert_eq!(tx.game("g1").await?.unwrap().moved_at, Some(210));
                let row = TurnRow {
                    turn: 0,
                    red: turn_sheet("second thought"),
                    blue: turn_sheet("Ben's"),
                    standing: Some("day 1".into()),
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
    let looking = store.read::<_, StoreError, _>(|tx| {
        Box::pin(async move {
            let (game, turn) = (tx.game("g1").await?.unwrap(), tx.turn("g1", 0).await?.unwrap());
            assert_eq!((game.turn, game.version, game.standing.as_str()), (1, 3, "day 1"), "the refusal left no trace");
            assert_eq!((turn.red.body.as_str(), turn.blue.body.as_str()), ("second thought", "Ben's"));
            assert!(tx.turn("g1", 1).await?.is_none());
            let all = tx.turns("g1").await?;
            assert_eq!((all.len(), all[0].chain.as_deref()), (1, Some("chain")));
            let since = tx.turns_since_standing("g1", 0).await?;
            assert_eq!((since.len(), since[0].standing.as_deref()), (1, Some("day 1")));
            assert_eq!(tx.game_ids("", 9).await?, ["g1", "g2"]);
            assert_eq!((tx.game_ids("", 1).await?.len(), tx.game_ids("g1", 9).await?), (1, vec!["g2".into()]));
            let seats: Vec<_> = tx.seats("g1").await?.into_iter().map(|seat| seat.side).collect();
            assert_eq!(seats, ["blue", "red"]);
            assert_eq!(tx.seat("g1", "red").await?.unwrap().name.as_deref(), Some("Ann"));
            assert_eq!(tx.any_seat().await?.unwrap().game_id, "g1");
            Ok(())
        })
    });
    store.at_one_moment(looking).await.unwrap();
}

/// What was watched never becomes unwatched; the wish for results at once comes and goes.
pub(super) async fn watch(store: &Store) {
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

/// Turns fall due, are put off, are missed; nothing is due in a game that has ended.
pub(super) async fn fall_due(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.set_due("g1", Some(500)).await?;
                tx.set_due("g2", Some(400)).await?;
                assert_eq!(tx.due_games(399, 9).await?, Vec::<String>::new());
                assert_eq!(tx.due_games(500, 9).await?, ["g2", "g1"]);
                assert_eq!(tx.due_games(500, 1).await?, ["g2"]);
                assert_eq!((tx.late_games(400).await?, tx.late_games(501).await?), ((0, None), (2, Some(400))));
                tx.set_settle("g1", Some(490)).await?;
                assert_eq!(tx.put_off(450, 500, 100).await?, ["g1"]);
                tx.put_off_settling(450, 500, 50).await?;
                let game = tx.game("g1").await?.unwrap();
                assert_eq!((game.put_off_from, game.settle_at), (Some(500), Some(540)));
                tx.put_off_settling(450, 550, 500).await?;
                assert_eq!(tx.game("g1").await?.unwrap().settle_at, Some(600), "not past the deadline");
                tx.set_settle("g1", None).await?;
                assert_eq!(
                    (tx.game("g1").await?.unwrap().due_at, tx.due_games(500, 9).await?),
                    (Some(600), vec!["g2".into()])
                );
                tx.insert_person("due", "due@b.c", "due@b.c", 1).await?;
                tx.set_address("g1", "red", None, Some("due")).await?;
                let seats = tx.due_seats_of_person("due").await?;
                assert_eq!((seats.len(), &*seats[0].game_id, &*seats[0].side), (1, "g1", "red"));
                tx.set_address("g1", "red", None, None).await?;
                tx.set_due("g2", None).await?;
                assert_eq!(tx.due_games(600, 9).await?, ["g1"]);
                tx.set_missed("g1", "red", 4, 2, Some(7)).await?;
                let seat = tx.seat("g1", "red").await?.unwrap();
                assert_eq!((seat.missed, seat.missed_running, seat.absent_since), (Some(4), Some(2), Some(7)));
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

pub(super) async fn end(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert!(tx.end_game("g1", Some("red_wins"), "resignation", 300).await?);
                assert!(!tx.end_game("g1", None, "void", 301).await?, "a game ends once");
                assert!(!tx.advance_game("g1", 1, 2, "day 2", 301).await?, "an ended game stands still");
                assert_eq!(tx.game("g1").await?.unwrap().outcome.as_deref(), Some("red_wins"));
                assert!(tx.due_games(999, 9).await?.is_empty(), "an ended game costs the sweep nothing");
                Ok(())
            })
        })
        .await
        .unwrap();
}
