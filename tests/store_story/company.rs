//! What goes on between players: spectators, challenges, messages, offers, absences, computers.

use fieldcommand::store::{
    AbsenceRow, CallRow, CompanyRow, KeptRow, MailboxRow, MessageRow, NewGameRow, NewReport, NewSeat, OfferRow,
    PublicQuery, Store, StoreError,
};

/// A game becomes public and is found by its players' words; it has one rematch.
pub(super) async fn company(store: &Store) {
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

/// A seat is offered to anybody; who has blocked whom finds nothing of the other. Letters of invitation are counted.
pub(super) async fn challenge(store: &Store) {
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
pub(super) async fn write(store: &Store) {
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

/// An offer of each kind stands once; a game is carried on in another, with its players and their browsers.
pub(super) async fn agree(store: &Store) {
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
pub(super) async fn stay_away(store: &Store) {
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
pub(super) async fn compute(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let turn = tx.game("g1").await?.unwrap().turn;
                let before = tx.seat("g1", "blue").await?.unwrap();
                tx.call_computers("g1", 500).await?;
                assert_eq!(
                    (tx.calls_waiting(999).await?, tx.lease_call(999, 1000, None).await?),
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
                let call = tx.lease_call(503, 510, None).await?.unwrap();
                assert_eq!(call, CallRow { game_id: "g1".into(), side: "blue".into(), turn });
                assert_eq!(
                    (tx.calls_waiting(509).await?, tx.lease_call(509, 520, None).await?),
                    (0, None),
                    "it is leased"
                );
                assert_eq!(tx.lease_call(510, 520, None).await?.as_ref(), Some(&call), "the lease is over");
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
