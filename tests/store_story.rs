//! The story of a game as the store sees it, told on SQLite and on PostgreSQL. Every public
//! function of the store has its part in it.

use std::fs;
use std::path::Path;

use fieldcommand::store::{
    AbsenceRow, CallRow, CompanyRow, DeviceRow, DraftRow, ErasureRow, KeptRow, Kind, MailboxRow, MailedLinkRow,
    MessageRow, NewGameRow, NewLetter, NewReport, NewSeat, NoteRow, OfferRow, PublicQuery, SheetRow, Store, StoreError,
    TurnRow, TurnSheet, WhatIfRow,
};

use crate::world::World;

fn sheet(side: &str, turn: i64, body: &str) -> SheetRow {
    let (salt, seal) = (format!("salt of {body}"), format!("seal of {body}"));
    SheetRow { side: side.into(), turn, body: body.into(), salt, seal, sealed_at: 100, final_at: None }
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

fn letter<'a>(id: &'a str, seat: Option<(&'a str, i64, &'a str)>) -> NewLetter<'a> {
    NewLetter { id, kind: "report", seat, address: None, about: None, revision: 0, now: 1000 }
}

fn letter_to_red(id: &str) -> NewLetter<'_> {
    letter(id, Some(("g1", 0, "red")))
}

/// An address is proven by a mailed link, which works once and not for ever; the seat's letters go there from then on.
async fn prove(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_person("p1", "Ben@example.org", "ben@example.org", 7).await?;
                tx.insert_person("p2", "BEN@example.org", "ben@example.org", 8).await?;
                let ben = tx.person_by_address("ben@example.org").await?.unwrap();
                assert_eq!((ben.id.as_str(), ben.created_at), ("p1", 7), "an address has one person");
                assert_eq!(tx.person("p1").await?, Some(ben));
                assert_eq!(tx.person("p2").await?, None);
                let link = |id: &str| MailedLinkRow {
                    id: id.into(),
                    hash: format!("hash of {id}"),
                    purpose: "confirm".into(),
                    address: "Ben@example.org".into(),
                    address_key: "ben@example.org".into(),
                    game_id: Some("g1".into()),
                    side: Some("blue".into()),
                    person_id: None,
                    made_at: 10,
                    ends_at: 20,
                    used_at: None,
                };
                tx.insert_mailed_link(&link("m1")).await?;
                tx.insert_mailed_link(&link("m2")).await?;
                assert_eq!(tx.mailed_link("hash of m1").await?, Some(link("m1")));
                assert_eq!(tx.mailed_link_by_id("m2").await?, Some(link("m2")));
                assert_eq!(tx.count_mailed_links("ben@example.org", "confirm", 10).await?, 2);
                assert_eq!(tx.count_mailed_links("ben@example.org", "sign_in", 10).await?, 0);
                assert_eq!(tx.count_mailed_links("ben@example.org", "confirm", 11).await?, 0);
                assert!(tx.use_mailed_link("m1", 19).await?);
                assert!(!tx.use_mailed_link("m1", 19).await?, "it works once");
                assert!(!tx.use_mailed_link("m2", 20).await?, "it has ended");
                tx.forget_mailed_links(20).await?;
                assert!(tx.mailed_link_by_id("m2").await?.is_some());
                tx.forget_mailed_links(21).await?;
                assert_eq!((tx.mailed_link_by_id("m1").await?, tx.mailed_link_by_id("m2").await?), (None, None));
                tx.set_address("g1", "blue", None, Some("p1")).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.address, seat.confirmed_address.as_deref()), (None, Some("Ben@example.org")));
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
                    tx.queue_letter(&letter(id, Some(("g1", 0, side)))).await?;
                }
                assert_eq!(tx.letters_waiting().await?, (2, Some(1000)));
                assert_eq!(tx.letters_due(999, 9).await?, 0);
                assert_eq!(tx.letters_due(1000, 9).await?, 2);
                assert_eq!(tx.letters_due(1000, 1).await?, 1);
                let claimed = tx.claim_letters(1000, 2000, 1).await?;
                assert_eq!(claimed.len(), 1);
                assert_eq!(tx.claim_letters(1500, 2500, 10).await?.len(), 1, "what is claimed is not claimed again");
                assert_eq!(tx.claim_letters(2000, 3000, 10).await?.len(), 1, "a claim ends by itself");
                tx.letter_sent("l1", 2100).await?;
                tx.letter_delayed("l2", 5000, "451 try later").await?;
                assert_eq!(tx.letters_due(4999, 9).await?, 0);
                let again = tx.claim_letters(5000, 6000, 10).await?;
                assert_eq!((again[0].id.as_str(), again[0].attempts >= 2), ("l2", true));
                tx.letter_failed("l2", 5100, "550 no such user").await?;
                assert_eq!(tx.letters_waiting().await?, (0, None));
                assert_eq!(tx.claim_letters(9999, 10_999, 10).await?, []);
                // Letters to a bare address are told apart by their ids alone.
                for id in ["l3", "l4"] {
                    tx.queue_letter(&NewLetter { address: Some("a@b.c"), about: Some(id), ..letter(id, None) }).await?;
                }
                let bare = tx.claim_letters(1000, 2000, 10).await?;
                assert!(
                    bare.iter().all(|letter| letter.address.as_deref() == Some("a@b.c") && letter.game_id.is_none())
                );
                assert_eq!(bare.iter().filter_map(|letter| letter.about.as_deref()).count(), 2);
                let bare = |letters: Vec<(String, String)>| letters.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
                assert_eq!(bare(tx.bare_letters().await?).len(), 2);
                tx.letter_sent("l3", 1).await?;
                assert_eq!(bare(tx.bare_letters().await?), ["l4"], "no address stays on what has left");
                tx.letter_failed("l4", 1, "550").await?;
                assert_eq!(tx.bare_letters().await?, []);
                tx.queue_letter(&NewLetter { address: Some("a@b.c"), ..letter("l5", None) }).await?;
                tx.drop_letter("l5").await?;
                assert_eq!((tx.bare_letters().await?, tx.letters_waiting().await?), (vec![], (0, None)));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Letters of Blue's seat, which is Ben's, form a thread; some come back, until none leave, and then they leave again.
async fn letters_back(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for (id, turn) in [("m1", 10), ("m2", 11), ("m3", 12)] {
                    tx.queue_letter(&letter(id, Some(("g1", turn, "blue")))).await?;
                }
                assert_eq!(tx.thread_of_letter("m1").await?, (None, None), "what was given up is in no thread");
                assert_eq!(tx.thread_of_letter("m3").await?, (Some("m1".into()), Some("m2".into())));
                let claimed = tx.claim_letters(1000, 2000, 1).await?.remove(0);
                assert_eq!(claimed.claimed_until, Some(2000));
                assert!(tx.renew_claim(&claimed.id, 2000, 3000).await?);
                assert!(!tx.renew_claim(&claimed.id, 2000, 4000).await?, "the claim is another one now");
                tx.release_letter(&claimed.id, 2000).await?;
                assert_eq!(tx.letters_due(2500, 9).await?, 2, "who has no claim gives nothing back");
                tx.release_letter(&claimed.id, 3000).await?;
                assert_eq!(tx.letters_due(2500, 9).await?, 3);

                for id in ["m1", "m2", "m3"] {
                    tx.letter_sent(id, 2600).await?;
                    tx.letter_delayed(id, 9000, "too late").await?;
                    tx.letter_failed(id, 9000, "too late").await?;
                }
                assert_eq!(tx.letters_waiting().await?, (0, None), "what was sent stays sent");
                tx.letter_returned("m1", 2700, false, "4.2.2 full").await?;
                tx.letter_returned("m2", 2700, true, "5.1.1 nobody").await?;
                tx.letter_returned("m2", 2800, false, "later").await?;
                let back = tx.returned_letter("m2").await?.unwrap();
                assert_eq!((back.side.as_deref(), back.person_id.as_deref()), (Some("blue"), Some("p1")));
                assert_eq!(back.returned_hard_at, Some(2700));
                assert_eq!(tx.letters_come_back("g1", "blue", "p1", 1000).await?, 1);
                assert_eq!(tx.letters_come_back("g1", "blue", "p1", 1001).await?, 0);
                let lines = tx.letters_of_seat("g1", "blue", 9).await?;
                assert_eq!(lines.iter().filter(|line| line.returned_at.is_some()).count(), 2);
                assert_eq!(tx.letters_of_seat("g1", "red", 9).await?, [], "Red's seat is nobody's yet");

                tx.stop_letters("g1", "blue", 3000).await?;
                tx.bar_letters("g1", "blue", 3001).await?;
                tx.stop_letters("g1", "blue", 3002).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.letters_off_at, seat.letters_back_at), (Some(3000), Some(3001)));
                tx.resume_letters("g1", "blue", 3003).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.letters_off_at, seat.letters_back_at, seat.letters_since), (None, None, Some(3003)));
                tx.bar_letters("g1", "blue", 3004).await?;
                tx.resume_letters_of_person("p1", 3005).await?;
                assert_eq!(tx.seat("g1", "blue").await?.unwrap().letters_back_at, None);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Ann signs in, out and in again in another browser; she changes her address, becomes one with another person, and goes.
async fn sign_in(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_person("ann", "Ann@b.c", "ann@b.c", 20).await?;
                tx.set_address("g1", "red", None, Some("ann")).await?;
                let seats = tx.seats_of_person("ann").await?;
                assert_eq!(seats.iter().map(|seat| &*seat.side).collect::<Vec<_>>(), ["red"]);
                tx.insert_session("old", 20).await?;
                tx.hold_seat("old", "g1", "blue", 20).await?;
                tx.insert_session("new", 21).await?;
                tx.replace_session("old", "new").await?;
                assert!(!tx.session_exists("old").await?);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None);
                tx.sign_in_session("new", "ann", 21).await?;
                assert_eq!(tx.session_person("new").await?.unwrap().address, "Ann@b.c");
                assert_eq!(tx.sessions_of_person("ann").await?, ["new"]);
                let held: Vec<_> = tx.held_seats("new").await?.into_iter().map(|held| held.side).collect();
                assert_eq!(held, ["blue", "red"]);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, Some(1));
                tx.hold_seat("new", "g1", "red", 22).await?;
                tx.sign_out_session("new").await?;
                assert_eq!(tx.session_person("new").await?, None);
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None, "what is the person's goes");
                assert_eq!(tx.holds_seat("new", "g1", "blue").await?, Some(2));
                tx.sign_in_session("new", "ann", 23).await?;
                tx.set_address("g1", "red", Some("x@y.z"), None).await?;
                assert_eq!(tx.holds_seat("new", "g1", "red").await?, None, "a seat of another address is not held");
                tx.forget_typed_address("x@y.z").await?;
                assert_eq!(tx.seat("g1", "red").await?.unwrap().address, None);

                tx.set_person("ann", Some("Ann"), Some("{}")).await?;
                tx.set_person_address("ann", "new@b.c", "new@b.c").await?;
                let ann = tx.person_by_address("new@b.c").await?.unwrap();
                assert_eq!((ann.name.as_deref(), ann.settings.as_deref()), (Some("Ann"), Some("{}")));
                assert_eq!(tx.calendar("ann").await?.unwrap().calendar_generation, None);
                tx.open_calendar("ann", 1, "calendar").await?;
                assert_eq!(tx.calendar("ann").await?.unwrap().calendar_generation, Some(1));
                assert_eq!(tx.person_of_calendar("calendar").await?.as_deref(), Some("ann"));
                tx.shut_calendar("ann").await?;
                assert_eq!(tx.person_of_calendar("calendar").await?, None);
                assert_eq!(
                    tx.calendar("ann").await?.unwrap().calendar_generation,
                    Some(1),
                    "numbers are not used twice"
                );
                tx.insert_person("twin", "twin@b.c", "twin@b.c", 24).await?;
                tx.set_address("g1", "red", None, Some("twin")).await?;
                tx.merge_people("twin", "ann").await?;
                assert_eq!(tx.person("twin").await?, None);
                assert_eq!(tx.seat("g1", "red").await?.unwrap().person_id.as_deref(), Some("ann"));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Ann's letters are listed, one of them waits; then she is removed with the links that were mailed to her.
async fn remove(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let link = MailedLinkRow {
                    id: "gone".into(),
                    hash: "gone hash".into(),
                    purpose: "change".into(),
                    address: "other@b.c".into(),
                    address_key: "other@b.c".into(),
                    game_id: None,
                    side: None,
                    person_id: Some("ann".into()),
                    made_at: 30,
                    ends_at: 99,
                    used_at: None,
                };
                tx.insert_mailed_link(&link).await?;
                let own = MailedLinkRow {
                    id: "own".into(),
                    hash: "own hash".into(),
                    address: "new@b.c".into(),
                    address_key: "new@b.c".into(),
                    person_id: None,
                    ..link
                };
                tx.insert_mailed_link(&own).await?;
                let asked = NewLetter {
                    id: "l9",
                    kind: "sign_in",
                    seat: None,
                    address: Some("new@b.c"),
                    about: Some("own"),
                    revision: 0,
                    now: 31,
                };
                tx.queue_letter(&asked).await?;
                tx.hold_letter("l9", 50).await?;
                tx.hold_letter("l9", 40).await?;
                assert!(tx.claim_letters(49, 60, 9).await?.iter().all(|letter| letter.id != "l9"));
                assert!(tx.letters_of_person("ann").await?.iter().any(|letter| letter.kind == "sign_in"));
                tx.queue_letter(&letter("l10", Some(("g1", 50, "red")))).await?;
                tx.letter_sent("l10", 1001).await?;
                let own = tx.letters_of_person("ann").await?;
                assert!(own.iter().any(|letter| letter.game_id.as_deref() == Some("g1")), "{own:?}");
                tx.end_mailed_links("ann", "change", 60).await?;
                assert_eq!(tx.mailed_link_by_id("gone").await?.unwrap().ends_at, 60);

                tx.set_seat_name("g1", "red", Some("former player")).await?;
                assert_eq!(tx.seat("g1", "red").await?.unwrap().name.as_deref(), Some("former player"));
                tx.set_address("g1", "red", None, None).await?;
                for session in tx.sessions_of_person("ann").await? {
                    tx.sign_out_session(&session).await?;
                }
                let digest = tx.open_digest("d1", "digest", "ann", "ann 2026-01-01", 32, 70).await?;
                assert_eq!(digest.as_deref(), Some("d1"));
                let again = tx.open_digest("d2", "digest", "ann", "ann 2026-01-01", 33, 70).await?;
                assert_eq!(again.as_deref(), Some("d1"), "one a day");
                for id in ["f1", "f2"] {
                    tx.queue_letter(&NewLetter { revision: 9 + i64::from(id == "f2"), ..letter_to_red(id) }).await?;
                    tx.fold_letter(id, "d1").await?;
                }
                let folded = tx.folded_letters("d1").await?;
                assert_eq!(folded.iter().map(|letter| &*letter.id).collect::<Vec<_>>(), ["f1", "f2"]);
                let claimed = tx.claim_letters(70, 80, 9).await?;
                let claimed: Vec<_> = claimed.iter().filter(|letter| letter.id != "l9").collect();
                assert_eq!(claimed.iter().map(|letter| &*letter.id).collect::<Vec<_>>(), ["d1"]);
                assert_eq!(claimed[0].person_id.as_deref(), Some("ann"));
                let late = tx.open_digest("d3", "digest", "ann", "ann 2026-01-01", 71, 70).await?;
                assert_eq!(late, None, "it is on its way");
                tx.letter_sent("d1", 81).await?;
                assert!(tx.folded_letters("d1").await?.is_empty(), "they have left with it");
                tx.open_digest("d4", "digest", "ann", "ann 2026-01-02", 82, 90).await?;
                tx.queue_letter(&NewLetter { revision: 11, ..letter_to_red("f3") }).await?;
                tx.fold_letter("f3", "d4").await?;
                tx.delete_person("ann").await?;
                assert!(tx.folded_letters("d4").await?.is_empty(), "they go too");
                assert_eq!((tx.person("ann").await?, tx.mailed_link_by_id("gone").await?), (None, None));
                assert_eq!(tx.mailed_link_by_id("own").await?, None);
                assert!(tx.claim_letters(99, 100, 9).await?.iter().all(|letter| letter.id != "l9"));

                let erasure = ErasureRow { person_id: "ann".into(), erased_at: 70 };
                tx.keep_erasure(&erasure).await?;
                tx.keep_erasure(&ErasureRow { erased_at: 71, ..erasure.clone() }).await?;
                assert_eq!(tx.erasures_since(70).await?, [erasure]);
                assert_eq!(tx.erasures_since(71).await?, []);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Codes are typed: three wrong ones, a right one, and after an hour it begins anew.
async fn type_codes(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                for tries in 1..=3 {
                    assert_eq!(tx.count_code_try("g1", 0, 100).await?, tries);
                }
                tx.forgive_code_try("g1").await?;
                assert_eq!(tx.count_code_try("g1", 99, 199).await?, 3);
                assert_eq!(tx.count_code_try("no game", 99, 199).await?, 1);
                assert_eq!(tx.count_code_try("g1", 100, 200).await?, 1);
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

/// A game becomes public and is found by its players' words; it has one rematch.
async fn company(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert_eq!(tx.company("g1").await?, Some(CompanyRow::default()));
                assert_eq!(tx.company("none").await?, None);
                let all =
                    PublicQuery { over: false, words: &[], board_hash: None, outcome: None, after: None, most: 9 };
                for (game, public, seated) in [("g1", 40, 42), ("g2", 41, 42)] {
                    tx.make_public(game, public).await?;
                    assert!(tx.public_games(&PublicQuery { after: Some((42, "g9")), ..all }).await?.len() < 2);
                    tx.set_seated(game, Some(seated)).await?;
                    tx.make_public(game, 99).await?;
                }
                assert_eq!(tx.company("g1").await?.unwrap().public_at, Some(40), "public since the first time");
                let found = |rows: Vec<(String, i64)>| rows.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
                assert_eq!(found(tx.public_games(&all).await?), ["g2", "g1"]);
                assert_eq!(found(tx.public_games(&PublicQuery { after: Some((42, "g2")), ..all }).await?), ["g1"]);
                assert_eq!(found(tx.public_games(&PublicQuery { most: 1, ..all }).await?), ["g2"]);
                for (side, word) in [("red", "ann"), ("red", "lee"), ("red", "lee"), ("blue", "ben")] {
                    tx.keep_player_word("g1", side, word).await?;
                }
                let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
                for (asked, number) in [(&["ann"][..], 1), (&["lee", "ann"], 1), (&["ann", "ben"], 0), (&["an"], 0)] {
                    let words = words(asked);
                    let query = PublicQuery { words: &words, board_hash: Some("b1"), ..all };
                    assert_eq!(tx.public_games(&query).await?.len(), number, "{asked:?}");
                }
                assert!(tx.public_games(&PublicQuery { board_hash: Some("b2"), ..all }).await?.is_empty());
                tx.forget_player_words("g1", "red").await?;
                assert!(tx.public_games(&PublicQuery { words: &words(&["ann"]), ..all }).await?.is_empty());
                tx.set_seated("g2", None).await?;
                assert_eq!(found(tx.public_games(&all).await?), ["g1"]);
                assert!(tx.public_games(&PublicQuery { over: true, outcome: Some("draw"), ..all }).await?.is_empty());
                tx.set_rematch_of("g2", "g1").await?;
                assert_eq!((tx.rematch("g1").await?.as_deref(), tx.rematch("g2").await?), (Some("g2"), None));
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

/// Players are away, and agree on a pause.
async fn stay_away(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let away =
                    |side: &str, from_at: i64, until_at: i64| AbsenceRow { side: side.into(), from_at, until_at };
                for row in [away("red", 20, 30), away("blue", 10, 40), away("red", 5, 8)] {
                    tx.keep_absence("g1", &row, 1).await?;
                }
                tx.end_absence("g1", &away("red", 20, 25)).await?;
                assert_eq!(tx.absences("g1").await?, [away("red", 5, 8), away("blue", 10, 40), away("red", 20, 25)]);
                tx.drop_absence("g1", "blue", 10).await?;
                tx.forget_absences("g1", "red").await?;
                assert!(tx.absences("g1").await?.is_empty());
                tx.set_offer("g1", Some(("red", 900))).await?;
                let game = tx.game("g1").await?.unwrap();
                assert_eq!((game.pause_by.as_deref(), game.pause_until), (Some("red"), Some(900)));
                tx.set_offer("g1", None).await?;
                tx.set_remind("g1", Some(800)).await?;
                assert_eq!(
                    (tx.due_games(800, 9).await?, tx.game("g1").await?.unwrap().remind_at),
                    (vec!["g1".into()], Some(800))
                );
                let kept = KeptRow { game_id: "g1".into(), side: "blue".into(), body: "GN A1".into() };
                tx.keep_sheet(&kept, 5).await?;
                assert_eq!(
                    (tx.own_kept("g1", "blue").await?, tx.own_kept("g1", "red").await?),
                    (Some(kept.clone()), None)
                );
                assert_eq!(tx.kept_of_session("cookie", "g2", 5).await?, [kept]);
                assert_eq!(tx.kept_of_session("cookie", "g1", 5).await?, [], "not in the game itself");
                assert_eq!(tx.kept_of_session("another", "g2", 5).await?, []);
                tx.set_paused("g1", Some(900)).await?;
                let game = tx.game("g1").await?.unwrap();
                assert_eq!((game.pause_by, game.pause_until, game.paused_until), (None, None, Some(900)));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A computer is seated, called, leased by one process at a time, and has answered; a later call is not dropped with it.
async fn compute(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let turn = tx.game("g1").await?.unwrap().turn;
                let before = tx.seat("g1", "blue").await?.unwrap();
                tx.call_computers("g1", 500).await?;
                assert_eq!(
                    (tx.calls_waiting(999).await?, tx.lease_call(999, 1000).await?),
                    (0, None),
                    "two people play"
                );
                let link = (before.link_generation + 1, "blue computer link");
                tx.seat_computer("g1", "blue", ("hard", "Computer (hard)"), link, 501).await?;
                let seat = tx.seat("g1", "blue").await?.unwrap();
                assert_eq!((seat.computer.as_deref(), seat.computer_since), (Some("hard"), Some(turn)));
                assert_eq!((seat.person_id, seat.taken_at, &*seat.link_hash), (None, Some(501), link.1));
                tx.call_computers("g1", 502).await?;
                assert_eq!(tx.calls_waiting(503).await?, 1);
                let call = tx.lease_call(503, 510).await?.unwrap();
                assert_eq!(call, CallRow { game_id: "g1".into(), side: "blue".into(), turn });
                assert_eq!((tx.calls_waiting(509).await?, tx.lease_call(509, 520).await?), (0, None), "it is leased");
                assert_eq!(tx.lease_call(510, 520).await?.as_ref(), Some(&call), "the lease is over");
                tx.drop_call(&CallRow { turn: turn - 1, ..call.clone() }).await?;
                tx.call_computers("g1", 511).await?;
                assert_eq!(tx.calls_waiting(511).await?, 1, "called anew, it is nobody's");
                tx.drop_call(&call).await?;
                assert_eq!(tx.calls_waiting(999).await?, 0);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A seat is offered to anybody; who has blocked whom finds nothing of the other. Letters of invitation are counted.
async fn challenge(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.open_challenge("g1", 50, 60).await?;
                assert!(tx.open_challenges(&[], 50, None, 9).await?.is_empty(), "both seats are taken");
                let now = NewGameRow {
                    id: "g7",
                    board_hash: "b1",
                    setup: "setup",
                    opener: "red",
                    turn: 0,
                    standing: "dawn",
                    opened_at: 50,
                    sitting: None,
                    pace: None,
                    settings: None,
                    start: None,
                };
                tx.insert_game(&now).await?;
                for (side, taken_at, hash) in [("red", Some(50), "r7"), ("blue", None, "b7")] {
                    let seat = NewSeat {
                        game_id: "g7",
                        side,
                        name: None,
                        address: None,
                        taken_at,
                        link_hash: hash,
                        invitation_generation: 1,
                    };
                    tx.insert_seat(&seat).await?;
                }
                tx.open_challenge("g7", 50, 60).await?;
                let found = |rows: Vec<(String, i64)>| rows.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
                assert_eq!(found(tx.open_challenges(&[], 59, None, 9).await?), ["g7"]);
                assert!(tx.open_challenges(&[], 60, None, 9).await?.is_empty(), "it has ended");
                assert!(tx.open_challenges(&[], 50, Some((60, "g7")), 9).await?.is_empty());
                assert_eq!(tx.challenge("g7").await?.unwrap().ends_at, 60);
                tx.close_challenge("g7", 55).await?;
                assert!(tx.open_challenges(&[], 56, None, 9).await?.is_empty());
                tx.open_challenge("g7", 57, 70).await?;
                assert_eq!(found(tx.open_challenges(&[], 60, None, 9).await?), ["g7"], "renewed");

                tx.insert_person("p7", "x@example.org", "x@example.org", 7).await?;
                tx.set_address("g7", "red", None, Some("p7")).await?;
                assert_eq!(tx.record_of("p7").await?, (0, 0));
                tx.set_missed("g7", "red", 3, 0, None).await?;
                assert_eq!(tx.record_of("p7").await?, (0, 3));
                let ben = ["p1".to_owned()];
                assert_eq!(tx.open_challenges(&ben, 60, Some((99, "g")), 9).await?.len(), 1);
                for (person, other) in [("p1", "p7"), ("p7", "p1")] {
                    tx.block(person, other, 61).await?;
                    tx.block(person, other, 62).await?;
                    assert!(tx.blocks(person, other).await? && !tx.blocks(other, person).await?);
                    assert!(tx.open_challenges(&ben, 60, Some((99, "g")), 9).await?.is_empty());
                    tx.unblock(person, other).await?;
                }
                tx.block("p1", "p7", 63).await?;
                tx.insert_person("p8", "y@example.org", "y@example.org", 7).await?;
                assert_eq!(tx.blocks_of("p1").await?, [(63, None)], "they have not met");
                tx.set_address("g7", "blue", None, Some("p1")).await?;
                assert_eq!(tx.blocks_of("p1").await?, [(63, Some("g7".to_owned()))]);
                assert_eq!(tx.blocks_of("p7").await?, []);
                tx.set_address("g7", "blue", None, None).await?;
                tx.carry_blocks("p7", "p8").await?;
                assert!(tx.blocks("p1", "p8").await? && !tx.blocks("p1", "p7").await?);
                tx.forget_blocks("p8").await?;
                assert!(!tx.blocks("p1", "p8").await?);
                assert_eq!(tx.people_of_session("cookie").await?, ben);
                assert!(tx.people_of_session("nobody").await?.is_empty());
                tx.insert_sent_invitation("i1", "g7", "red", "hash", 80).await?;
                assert_eq!(
                    (tx.invitations_from("g7", "red", 79).await?, tx.invitations_from("g7", "red", 80).await?),
                    (1, 0)
                );
                assert_eq!((tx.invitations_to("hash", 79).await?, tx.invitations_to("other", 79).await?), (1, 0));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Both write to each other; each reads, mutes and reports for itself.
async fn write(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let message = |number, side: &str, sent_at| MessageRow {
                    number,
                    side: side.into(),
                    body: format!("message {number}"),
                    sent_at,
                };
                let mailbox = |last, unread, muted_at| Some(MailboxRow { last, unread, muted_at });
                assert_eq!(tx.mailbox("g1", "red").await?, mailbox(0, 0, None));
                for row in [message(1, "red", 10), message(2, "blue", 20), message(3, "blue", 30)] {
                    tx.insert_message("g1", &row).await?;
                }
                assert_eq!(tx.messages("g1", 9, 2).await?, [message(3, "blue", 30), message(2, "blue", 20)]);
                assert_eq!(tx.messages("g1", 2, 9).await?, [message(1, "red", 10)]);
                assert_eq!(tx.mailbox("g1", "red").await?, mailbox(3, 2, None));
                tx.mark_read("g1", "red", 2).await?;
                tx.mark_read("g1", "red", 1).await?;
                tx.set_muted("g1", "red", Some(40)).await?;
                assert_eq!(tx.mailbox("g1", "red").await?, mailbox(3, 1, Some(40)));
                assert_eq!(tx.mailbox("g1", "blue").await?, mailbox(3, 1, None));
                assert_eq!(
                    (tx.count_messages("g1", "blue", 20).await?, tx.count_messages("g1", "red", 10).await?),
                    (1, 0)
                );
                let own = tx.messages_of("g1", "blue").await?;
                assert_eq!(own.iter().map(|message| message.number).collect::<Vec<_>>(), [2, 3]);
                let report = NewReport { id: "c1", game_id: "g1", side: "red", reason: "rude", thread: "[]", now: 50 };
                tx.insert_report(&report).await?;
                assert_eq!(
                    (tx.count_reports("g1", "red", 49).await?, tx.count_reports("g1", "red", 50).await?),
                    (1, 0)
                );
                assert_eq!(tx.reports_of("g1", "red").await?, [(50, "rude".to_owned())]);
                assert_eq!(tx.reports_of("g1", "blue").await?, []);
                tx.forget_reports(50).await?;
                assert_eq!(tx.count_reports("g1", "red", 49).await?, 1);
                tx.forget_reports(51).await?;
                assert_eq!(tx.count_reports("g1", "red", 49).await?, 0);
                tx.empty_messages("g1", "red").await?;
                assert_eq!(tx.messages("g1", 2, 9).await?[0].body, "");
                tx.forget_messages("g1").await?;
                assert_eq!(tx.mailbox("g1", "red").await?, mailbox(0, 0, None));
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Mail that comes in: a mail is known again, a question ends with its turn, an answer is erased with its letter, and an
/// address is allowed by the link that asked about it.
async fn mail_in(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert_eq!(tx.mail_seen("g1", "red", "h1").await?, None);
                tx.insert_mail_seen("g1", "red", "h1", "answered", 10).await?;
                tx.insert_mail_seen("g1", "blue", "h1", "held", 10).await?;
                assert_eq!(tx.mail_seen("g1", "red", "h1").await?.as_deref(), Some("answered"));
                assert_eq!((tx.count_mail("g1", "red", 9).await?, tx.count_mail("g1", "red", 10).await?), (1, 0));

                assert_eq!(tx.mail_of_seat("g1", "blue").await?, [("held".to_owned(), 10)]);

                tx.keep_question("g1", "red", 3, "resign", 10).await?;
                tx.keep_question("g1", "red", 3, "seal", 11).await?;
                assert_eq!(tx.own_question("g1", "red", 3).await?.as_deref(), Some("seal"));
                assert_eq!(
                    (tx.own_question("g1", "red", 4).await?, tx.own_question("g1", "blue", 3).await?),
                    (None, None)
                );
                tx.erase_question("g1", "red").await?;
                tx.keep_question("g1", "blue", 3, "seal", 11).await?;
                tx.erase_questions("g1").await?;
                assert_eq!(tx.own_question("g1", "blue", 3).await?, None);

                let number = tx.last_mail_answer("g1", "red").await? + 1;
                tx.keep_mail_answer("g1", "red", number, Some("<a@b>"), "body").await?;
                let letter = NewLetter {
                    id: "answer",
                    kind: "mail_answer",
                    seat: Some(("g1", 3, "red")),
                    address: None,
                    about: None,
                    revision: number,
                    now: 10,
                };
                tx.queue_letter(&letter).await?;
                assert_eq!(tx.last_mail_answer("g1", "red").await?, number);
                let kept = Some((Some("<a@b>".to_owned()), "body".to_owned()));
                assert_eq!(tx.mail_answer("g1", "red", number).await?, kept);
                tx.erase_mail_answer("another letter").await?;
                assert_eq!(tx.mail_answer("g1", "red", number).await?, kept);
                tx.erase_mail_answer("answer").await?;
                assert_eq!(tx.mail_answer("g1", "red", number).await?, None);
                tx.letter_sent("answer", 11).await?;

                let link = |id: &str| MailedLinkRow {
                    id: id.into(),
                    hash: format!("hash of {id}"),
                    purpose: "allow".into(),
                    address: "ben@example.org".into(),
                    address_key: "ben@example.org".into(),
                    game_id: Some("g1".into()),
                    side: Some("blue".into()),
                    person_id: None,
                    made_at: 10,
                    ends_at: 20,
                    used_at: None,
                };
                for id in ["allow 1", "allow 2"] {
                    tx.insert_mailed_link(&link(id)).await?;
                    tx.ask_about_sender(id, "g1", "blue", 1, "work@example.org").await?;
                }
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, Some(None));
                assert_eq!(tx.sender_of_link("allow 1").await?, None, "the last link counts");
                tx.ask_about_sender("a link that is gone", "g1", "blue", 1, "old@example.org").await?;
                tx.forget_unanswered_senders().await?;
                assert_eq!(tx.mail_sender("g1", "blue", 1, "old@example.org").await?, None);
                assert_eq!(tx.sender_of_link("allow 2").await?.as_deref(), Some("work@example.org"));
                assert!(!tx.allow_sender("allow 1", 12).await? && tx.allow_sender("allow 2", 12).await?);
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, Some(Some(12)));
                assert_eq!(
                    tx.mail_sender("g1", "blue", 2, "work@example.org").await?,
                    None,
                    "another holder is asked anew"
                );
                let allowed = [("work@example.org".to_owned(), Some(12))];
                assert_eq!(tx.senders_of_seat("g1", "blue", 1).await?, allowed);
                tx.forget_mail("g1", "blue").await?;
                assert_eq!(tx.mail_sender("g1", "blue", 1, "work@example.org").await?, None);
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
                assert!(!tx.advance_game("g1", 1, 2, "day 2", 301).await?, "an ended game stands still");
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
    prove(store).await;
    enter(store).await;
    think(store).await;
    hand_over(store).await;
    resolve(store).await;
    watch(store).await;
    letters(store).await;
    letters_back(store).await;
    company(store).await;
    challenge(store).await;
    write(store).await;
    mail_in(store).await;
    agree(store).await;
    stay_away(store).await;
    sign_in(store).await;
    remove(store).await;
    type_codes(store).await;
    fall_due(store).await;
    compute(store).await;
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fieldcommand.sqlite");
    // The database of the first version: its migration alone, and a game with a letter.
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}?mode=rwc", file.display());
    let mut conn = <sqlx::AnyConnection as sqlx::Connection>::connect(&address).await.unwrap();
    let first = sqlx::migrate!("./migrations").iter().take(1).cloned().collect();
    sqlx::migrate::Migrator::with_migrations(first).run(&mut conn).await.unwrap();
    for sql in [
        "insert into boards values ('b1', '{}', 1)",
        "insert into games values ('g1', 'b1', 'setup', 'red', 1, 4, 'dawn', 1, null, null, null)",
        "insert into seats values ('g1', 'red', 'Ann', 'ann@example.org', 1, 1, 'red link', 0)",
        "insert into seats values ('g1', 'blue', 'Ben', null, 1, 1, 'blue link', 1)",
        "insert into outbox values ('l1', 'report', 'g1', 3, 'red', 0, 9, 9, 0, null, null, null, null)",
    ] {
        sqlx::query(sql).execute(&mut conn).await.unwrap();
    }
    sqlx::Connection::close(conn).await.unwrap();
    let store = Store::open_sqlite(&file).await.unwrap();
    let backups = folder.path().join("backups");
    assert!(!store.is_current().await.unwrap());
    store.migrate(Some((&backups, "before-update"))).await.unwrap();
    assert!(store.is_current().await.unwrap());
    assert!(backups.join("before-update.sqlite").is_file(), "no snapshot was made");
    let (seat, letters) = store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move { Ok((tx.seat("g1", "red").await?.unwrap(), tx.claim_letters(9, 10, 9).await?)) })
        })
        .await
        .unwrap();
    assert_eq!((seat.name.as_deref(), seat.seen_turn), (Some("Ann"), Some(3)));
    assert_eq!(seat.confirmed_address.as_deref(), Some("ann@example.org"), "who got letters goes on getting them");
    assert_eq!((letters[0].id.as_str(), letters[0].turn), ("l1", Some(3)));
    store.migrate(Some((&backups, "again"))).await.unwrap();
    assert!(!backups.join("again.sqlite").exists(), "there was nothing to update");
    store.close().await;
}
