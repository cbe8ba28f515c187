//! The organiser's desk: tokens, the log of acts, requests that come twice, blocks, and the lists over all games.

use fieldcommand::store::{
    ActRow, AnnouncementRow, BlockRow, DeskLetters, DeskOrder, DeskQuery, DeskState, NewReport, OfferedBoardRow,
    ReissueRow, Store, StoreError, TokenRow,
};

fn token(id: &str, ends_at: Option<i64>) -> TokenRow {
    TokenRow {
        id: id.into(),
        name: "Olga".into(),
        scope: "act".into(),
        hash: format!("hash of {id}"),
        person_id: Some("p1".into()),
        made_at: 50,
        ends_at,
        revoked_at: None,
        used_at: None,
    }
}

/// Tokens are made, used and revoked.
pub(super) async fn tokens(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_admin_token(&token("t1", None)).await?;
                tx.insert_admin_token(&token("t2", Some(60))).await?;
                assert_eq!(tx.admin_token("hash of t1").await?, Some(token("t1", None)));
                assert_eq!(tx.admin_token("hash of t3").await?, None);
                assert_eq!(tx.admins_at("g1", 55).await?, ["blue"], "Ben is an organiser too");
                tx.admin_token_used("t1", 100, 40).await?;
                tx.admin_token_used("t1", 120, 60).await?;
                assert_eq!(tx.admin_token_by_id("t1").await?.unwrap().used_at, Some(100), "not so soon again");
                tx.admin_token_used("t1", 200, 140).await?;
                assert_eq!(tx.admin_token_by_id("t1").await?.unwrap().used_at, Some(200));
                assert!(tx.revoke_admin_token("t1", 55).await?);
                assert!(!tx.revoke_admin_token("t1", 56).await?);
                assert_eq!(tx.admins_at("g1", 55).await?, ["blue"], "by the other token");
                assert!(tx.admins_at("g1", 60).await?.is_empty(), "one was revoked and one has ended");
                let all: Vec<_> = tx.admin_tokens().await?.into_iter().map(|row| row.id).collect();
                assert_eq!(all, ["t1", "t2"]);
                Ok(())
            })
        })
        .await
        .unwrap();
}

fn act(id: &str, game: Option<&str>, number: Option<i64>) -> ActRow {
    ActRow {
        id: id.into(),
        done_at: 70,
        token_id: Some("t1".into()),
        who: "Olga".into(),
        act: "paused".into(),
        game_id: game.map(str::to_owned),
        number,
        side: None,
        about: "about".into(),
        reason: "reason".into(),
        note: None,
        version: Some(3),
    }
}

/// What is done is logged, and a request that comes twice is known again.
pub(super) async fn acts(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                assert_eq!(tx.next_act_number("g1").await?, 1);
                tx.insert_admin_act(&act("a1", Some("g1"), Some(1))).await?;
                assert_eq!(tx.next_act_number("g1").await?, 2);
                tx.insert_admin_act(&act("a2", None, None)).await?;
                tx.insert_admin_act(&act("a3", None, None)).await?;
                assert_eq!(tx.admin_act("a1").await?, Some(act("a1", Some("g1"), Some(1))));
                assert_eq!(tx.acts_on_game("g1").await?.len(), 1);
                let ids = |rows: Vec<ActRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
                assert_eq!(ids(tx.admin_acts(None, None, 2).await?), ["a3", "a2"]);
                assert_eq!(ids(tx.admin_acts(Some("t1"), Some("a2"), 9).await?), ["a1"]);
                assert!(tx.admin_acts(Some("t2"), None, 9).await?.is_empty());

                assert!(tx.insert_admin_request("t1", "k", "h", "a1", 70).await?);
                assert!(!tx.insert_admin_request("t1", "k", "other", "a2", 71).await?);
                assert!(tx.insert_admin_request("t2", "k", "h", "a2", 72).await?, "each token has its own keys");
                assert_eq!(tx.admin_request("t1", "k").await?, Some(("h".into(), "a1".into())));
                tx.forget_admin_requests(72).await?;
                assert_eq!(tx.admin_request("t1", "k").await?, None);
                assert!(tx.admin_request("t2", "k").await?.is_some());
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// Addresses are blocked, seats wait for consent, announcements come and go.
pub(super) async fn mend(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_admin_block("b1", "hash", 80).await?;
                assert_eq!(tx.admin_block("hash").await?, Some(("b1".into(), 80)));
                assert!(tx.lift_admin_block("b1", 81).await?);
                assert!(!tx.lift_admin_block("b1", 82).await?);
                assert_eq!(tx.admin_block("hash").await?, None);
                for id in ["b2", "b3"] {
                    tx.insert_admin_block(id, "hash", 83).await?;
                }
                let why = ActRow { act: "blocked".into(), about: "block b2".into(), ..act("a4", None, None) };
                tx.insert_admin_act(&why).await?;
                let block = |id: &str, act: Option<&str>| BlockRow {
                    id: id.into(),
                    made_at: 83,
                    act_id: act.map(str::to_owned),
                };
                let both = [block("b3", None), block("b2", Some("a4"))];
                assert_eq!(tx.admin_blocks(None, 9).await?, both, "the last one first, and none that was lifted");
                assert_eq!(tx.admin_blocks(None, 1).await?, both[..1]);
                assert_eq!(tx.admin_blocks(Some("b3"), 9).await?, both[1..]);
                for id in ["b2", "b3"] {
                    tx.lift_admin_block(id, 84).await?;
                }
                assert!(tx.admin_blocks(None, 9).await?.is_empty());

                let row = |address: &str| ReissueRow {
                    side: "red".into(),
                    address: address.into(),
                    reason: "lost".into(),
                    asked_at: 90,
                };
                tx.ask_reissue("g1", &row("a@b.c")).await?;
                tx.ask_reissue("g1", &row("d@e.f")).await?;
                assert_eq!(tx.reissue("g1", "red").await?, Some(row("d@e.f")));
                tx.forget_reissues_to("a@b.c").await?;
                assert!(tx.reissue("g1", "red").await?.is_some());
                tx.forget_reissues_to("d@e.f").await?;
                assert_eq!(tx.reissue("g1", "red").await?, None);
                tx.ask_reissue("g1", &row("d@e.f")).await?;
                tx.drop_reissue("g1", "blue").await?;
                assert!(tx.reissue("g1", "red").await?.is_some());
                tx.drop_reissue("g1", "red").await?;
                assert_eq!(tx.reissue("g1", "red").await?, None);
                tx.ask_reissue("g1", &row("d@e.f")).await?;
                tx.drop_reissues("g1").await?;
                assert_eq!(tx.reissue("g1", "red").await?, None);

                let words =
                    |id: &str, ends_at| AnnouncementRow { id: id.into(), body: "up".into(), made_at: 90, ends_at };
                tx.insert_announcement(&words("n1", 100)).await?;
                tx.insert_announcement(&words("n2", 110)).await?;
                assert_eq!(tx.announcements(99).await?.len(), 2);
                assert_eq!(tx.announcements(100).await?, [words("n2", 110)]);
                assert!(!tx.withdraw_announcement("n1", 100).await?, "it is over by itself");
                assert!(tx.withdraw_announcement("n2", 100).await?);
                assert!(tx.announcements(100).await?.is_empty());

                tx.keep_board("plain", "{}", 90).await?;
                let board = |alias: &str, name: &str| OfferedBoardRow {
                    alias: alias.into(),
                    name: name.into(),
                    about: String::new(),
                    board_hash: "plain".into(),
                    body: "{}".into(),
                    offered_at: 91,
                    retired_at: None,
                };
                assert!(tx.offer_board(&board("plain", "Plain")).await?);
                assert!(!tx.offer_board(&board("other", "Plain")).await?, "a board has one alias");
                assert!(!tx.offer_board_again(&board("plain", "Plain")).await?, "it is offered");
                assert_eq!(tx.offered_boards().await?, [board("plain", "Plain")]);
                assert!(tx.retire_board("plain", 92).await? && !tx.retire_board("plain", 93).await?);
                assert_eq!(tx.offered_boards().await?[0].retired_at, Some(92));
                assert!(tx.offer_board_again(&board("plain", "Steppe")).await?);
                assert_eq!(tx.offered_boards().await?, [board("plain", "Steppe")]);

                let before = tx.seat("g1", "red").await?.unwrap();
                tx.renew_link("g1", "red", before.link_generation + 1, "another red link").await?;
                let after = tx.seat("g1", "red").await?.unwrap();
                assert_eq!((after.link_generation, after.name), (before.link_generation + 1, before.name));
                tx.renew_link("g1", "red", before.link_generation, &before.link_hash).await?;
                tx.end_links_of_seat("g1", "red", "seat", 90).await?;
                tx.set_offered("g1", "red", 90).await?;
                assert_eq!(tx.seat("g1", "red").await?.unwrap().offered_at, None, "somebody sits there");
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// The lists over all games.
pub(super) async fn look(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                let all = DeskQuery {
                    state: DeskState::Any,
                    order: DeskOrder::Opened,
                    board_hash: None,
                    due_from: None,
                    due_before: None,
                    after: None,
                    now: 100,
                    late: (90, 80),
                    most: 10,
                };
                let games = tx.desk_games(&all).await?;
                assert!(games.iter().any(|game| game.id == "g1" && game.red.is_some()));
                let first = &games[0];
                let rest = tx.desk_games(&DeskQuery { after: Some((first.place, &first.id)), ..all }).await?;
                assert_eq!(rest.len(), games.len() - 1);
                for state in
                    [DeskState::Open, DeskState::Running, DeskState::Ended, DeskState::Paused, DeskState::Stuck]
                {
                    for order in [DeskOrder::Opened, DeskOrder::Due, DeskOrder::Moved] {
                        let query = DeskQuery {
                            state,
                            order,
                            board_hash: Some("b1"),
                            due_from: Some(1),
                            due_before: Some(200),
                            ..all
                        };
                        let place = Some((first.place, &*first.id));
                        assert!(tx.desk_games(&query).await?.len() <= games.len());
                        assert!(tx.desk_games(&DeskQuery { after: place, ..query }).await?.len() <= games.len());
                    }
                }
                tx.is_stuck("g1", 100, (90, 80)).await?;
                let waiting = tx.desk_letters(DeskLetters::Waiting, None, 99).await?;
                for which in [DeskLetters::Failed, DeskLetters::Returned, DeskLetters::Of("g1")] {
                    tx.desk_letters(which, Some((1000, "z")), 9).await?;
                }
                let letters = tx.desk_letters(DeskLetters::Of("g1"), None, 99).await?;
                let letter = letters.iter().find(|letter| letter.sent_at.is_some()).unwrap();
                assert!(!waiting.contains(letter));
                assert_eq!(tx.desk_letter(&letter.id).await?.as_ref(), Some(letter));
                assert!(tx.bare_letter(&letter.id).await?.is_some());
                assert!(tx.resend_letter(&letter.id, None, 9_000).await?);
                let again = tx.desk_letter(&letter.id).await?.unwrap();
                assert_eq!((again.sent_at, again.due_at, again.attempts), (None, 9_000, 0));
                assert!(!tx.resend_letter("nobody's", None, 9_000).await?);
                tx.letter_sent(&letter.id, 9_001).await?;

                let mails = tx.desk_mails(None, None, 99).await?;
                assert!(!mails.is_empty());
                assert_eq!(tx.desk_mails(Some("g1"), None, 99).await?, mails);
                let last = &mails[0];
                let rest = tx.desk_mails(None, Some((last.seen_at, &last.place)), 99).await?;
                assert_eq!(rest, mails[1..]);
                for id in ["r1", "r2"] {
                    let report = NewReport { id, game_id: "g1", side: "red", reason: "rude", thread: "[]", now: 50 };
                    tx.insert_report(&report).await?;
                }
                assert!(tx.desk_reports("t1", None, 9).await?.is_empty(), "its person sits in that game");
                let reports = tx.desk_reports("t0", None, 9).await?;
                assert_eq!(reports.iter().map(|report| &*report.id).collect::<Vec<_>>(), ["r2", "r1"]);
                assert_eq!(tx.desk_reports("t0", Some("r2"), 9).await?, reports[1..]);
                tx.forget_reports(51).await?;
                let people = tx.desk_people("", 99).await?;
                assert!(people.iter().any(|(id, _)| id == "p1"));
                let counts = tx.desk_counts(100, 0).await?;
                // A game of this story has no seats, so no list has it.
                assert_eq!(counts.open + counts.running + counts.ended, i64::try_from(games.len()).unwrap() + 1);
                Ok(())
            })
        })
        .await
        .unwrap();
}

/// A browser is signed in with a token for a while, shorter without a use.
pub(super) async fn browse(store: &Store) {
    store
        .write::<_, StoreError, _>(|tx| {
            Box::pin(async move {
                tx.insert_admin_session("browser", "t1", 100).await?;
                let used = Some(("t1".to_owned(), 100));
                assert_eq!(tx.admin_session("browser", 99, 99).await?, used);
                assert_eq!(tx.admin_session("browser", 100, 99).await?, None, "its whole time is over");
                tx.admin_session_used("browser", 200).await?;
                assert_eq!(tx.admin_session("browser", 99, 199).await?, Some(("t1".to_owned(), 200)));
                assert_eq!(tx.admin_session("browser", 99, 200).await?, None, "it was not used");
                tx.forget_admin_sessions(200).await?;
                assert!(tx.admin_session("browser", 0, 0).await?.is_some());
                tx.end_admin_session("browser").await?;
                assert!(tx.admin_session("browser", 0, 0).await?.is_none());
                tx.insert_admin_session("browser", "t1", 100).await?;
                tx.forget_admin_sessions(101).await?;
                assert!(tx.admin_session("browser", 0, 0).await?.is_none());
                Ok(())
            })
        })
        .await
        .unwrap();
}
