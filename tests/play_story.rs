//! Games as `play` sees them, on both databases: from the invitation to the end, with what goes wrong on the way.

use fieldcommand::play::PlayError;
use fieldcommand::play::draft::{ToDraft, mark};
use fieldcommand::play::seal::ToSeal;
use fieldcommand::play::thoughts::{About, NewWhatIf};
use fieldcommand::rules::{Outcome, Side};

use crate::world::{HUNT, World, deployment, exposed, new_game, number};

#[tokio::test]
async fn a_game_to_the_fall_of_a_general() {
    for world in World::both().await {
        let table = world.table().await;
        assert_eq!(table.red.sees().await.standing.turn_name(), "Deployment");
        table.red.deploys("balanced").await.unwrap();
        let blue = table.blue.sees().await;
        assert!(blue.other.is_some() && blue.own.is_none());
        let receipt = table.blue.submits_for(0, &exposed()).await.unwrap();
        assert!(receipt.resolved);
        for (n, order) in HUNT.iter().enumerate() {
            let view = table.red.sees().await;
            assert!(view.ended.is_none(), "over before day {}", n + 1);
            table.day(order, "").await;
        }
        let view = table.blue.sees().await;
        let last = table.play.turn(&table.blue.seat, *view.resolved.last().unwrap()).await.unwrap();
        let ended = view.ended.unwrap_or_else(|| panic!("not over: {:?}", last.story));
        assert_eq!(ended.outcome, Some(Outcome::RedWins), "{:?}", last.story);
        assert_eq!(ended.how, "Blue's General has been removed: Red wins.");
        assert_eq!(table.red.submits("H7-F7").await, Err(PlayError::GameOver));
        world.end().await;
    }
}

#[tokio::test]
async fn sealing_replacing_and_late_sheets() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;

        // The same sheet keeps its seal, another one gets another; what cannot be read changes nothing.
        let first = table.red.submits("h7 f7").await.unwrap();
        assert_eq!((first.text.as_str(), first.resolved), ("H7-F7", false));
        world.wait(60);
        assert_eq!(table.red.submits("H7-F7").await.unwrap(), first);
        let second = table.red.submits("H6-F6").await.unwrap();
        assert!(second.seal.hash != first.seal.hash && second.salt != first.salt);
        let error = table.red.submits("H6-F6\nnonsense").await.unwrap_err();
        assert_eq!(error.to_string(), "Line 2, “nonsense”: cannot be read; an order looks like H7-F7");
        assert_eq!(table.red.sees().await.own.unwrap().text, "H6-F6");

        // An empty list is sealed only by intent; who would resolve the day is asked first.
        let unmeant =
            ToSeal { turn: 1, text: " # nothing".into(), empty_is_meant: false, may_resolve: true, is_final: false };
        assert_eq!(table.play.seal(&table.blue.seat, unmeant.clone()).await, Err(PlayError::EmptyNotMeant));
        let hold = ToSeal { text: "hold".into(), may_resolve: false, ..unmeant };
        assert_eq!(
            table.play.seal(&table.blue.seat, hold.clone()).await,
            Err(PlayError::WouldResolve { other: "Red", minutes: 0 })
        );
        assert!(table.blue.sees().await.own.is_none());
        let last = table.play.seal(&table.blue.seat, ToSeal { may_resolve: true, ..hold.clone() }).await.unwrap();
        assert!(last.resolved);

        // Whoever lost the answer gets it once more; anything else comes too late.
        assert_eq!(table.play.seal(&table.blue.seat, hold).await, Ok(last));
        let again = table.red.submits_for(1, "H6 F6").await.unwrap();
        assert_eq!((again.seal, again.resolved), (second.seal, true));
        let late = table.red.submits_for(1, "H7-F7").await.unwrap_err();
        assert_eq!(late.to_string(), "Day 1 has been resolved; this sheet was not used.");
        let ahead = table.red.submits_for(7, "H7-F7").await.unwrap_err();
        assert_eq!(ahead.to_string(), "Day 7 has not begun; Day 2 is awaited.");

        // What was sealed is what was used, and the salts open the seals.
        let turn = table.play.turn(&table.blue.seat, 1).await.unwrap();
        assert_eq!((turn.sheets.red.text.as_str(), turn.sheets.blue.text.as_str()), ("H6-F6", ""));
        assert_eq!(turn.sheets.red.salt, second.salt);
        assert!(matches!(table.play.turn(&table.blue.seat, 2).await, Err(PlayError::NotFound)));
        world.end().await;
    }
}

/// A draft changes nothing that the opponent could notice; it goes when its turn is over.
#[tokio::test]
async fn drafts_are_kept_for_their_writer_alone() {
    for world in World::both().await {
        let table = world.table().await;
        let draft = |turn: u32, text: &str, act: Option<&str>| ToDraft {
            turn,
            text: text.into(),
            held: String::new(),
            act: act.map(str::to_owned),
            base: None,
            use_when_due: None,
        };
        let before = format!("{:?}", table.blue.sees().await);
        let red = &table.red.seat;
        let kept = table.play.draft(red, draft(0, "GN K11\0\nnonsense", None)).await.unwrap();
        assert_eq!(kept.problem.unwrap().line, Some(2));
        assert_eq!(table.red.sees().await.draft.as_deref(), Some("GN K11\nnonsense"), "kept as it was typed");
        assert_eq!(format!("{:?}", table.blue.sees().await), before);
        let filled = table.play.draft(red, draft(0, "GN K11", Some("fill"))).await.unwrap();
        assert!(filled.text.starts_with("GN K11\n") && filled.text.split_whitespace().count() == 49);
        let turned = table.play.draft(red, draft(0, "GN A1", Some("turn"))).await.unwrap();
        assert_eq!(turned.text, "GN K11");
        let held = table.play.draft(red, draft(0, "# mine\nGN K11", Some("touch K11"))).await.unwrap();
        assert_eq!((&*held.text, &*held.held), ("# mine\nGN K11", "K11"), "an act that changes nothing keeps comments");
        let odd = table.play.draft(red, draft(0, "GN K11", Some("dance"))).await.unwrap();
        assert!(odd.said.contains("not an act") && odd.problem.is_none());
        let long = table.play.draft(red, draft(0, &"#".repeat(20_000), None)).await;
        assert!(matches!(long, Err(PlayError::Field { field: "text", .. })));
        assert!(matches!(table.play.draft(red, draft(1, "", None)).await, Err(PlayError::TurnAhead { .. })));

        // An old page neither writes over a newer draft nor brings an old one back by a mere choice.
        let based =
            |base: &str, text: &str, act: Option<&str>| ToDraft { base: Some(mark(Some(base))), ..draft(0, text, act) };
        table.play.draft(red, draft(0, "GN J11", None)).await.unwrap();
        let changed = table.play.draft(red, based("GN K11", "GN K11", Some("touch K10"))).await;
        assert_eq!(changed.unwrap().text, "GN K11", "nothing is held, so nothing changed");
        assert_eq!(table.red.sees().await.draft.as_deref(), Some("GN J11"));
        let changed = table.play.draft(red, based("GN K11", "GN K11", Some("lift K11"))).await;
        assert_eq!(changed, Err(PlayError::DraftChanged));
        table.play.draft(red, based("GN J11", "GN J11\nAR K1", None)).await.unwrap();
        assert_eq!(table.red.sees().await.draft.as_deref(), Some("GN J11\nAR K1"));
        table.play.forget_draft(red, 0).await.unwrap();
        assert!(table.red.sees().await.draft.is_some(), "where nothing is sealed there is nothing to fall back on");

        // Sealed, the draft has done its work; taken back, the sheet is the draft again, and the opponent sees no seal.
        table.red.deploys("balanced").await.unwrap();
        assert_eq!(table.red.sees().await.draft, None);
        assert!(table.blue.sees().await.other.is_some());
        table.play.withdraw_sheet(red, 0).await.unwrap();
        let view = table.red.sees().await;
        assert_eq!((view.own, view.draft), (None, Some(deployment(Side::Red, "balanced"))));
        assert!(table.blue.sees().await.other.is_none());
        assert_eq!(table.play.withdraw_sheet(red, 0).await, Err(PlayError::NotFound));
        table.red.deploys("hook").await.unwrap();
        table.play.draft(red, draft(0, "GN K11", None)).await.unwrap();
        assert!(matches!(table.play.forget_draft(red, 9).await, Err(PlayError::TurnAhead { .. })));
        table.play.withdraw_sheet(red, 0).await.unwrap();
        assert_eq!(table.red.sees().await.draft.as_deref(), Some("GN K11"), "the newer draft stays");
        table.red.deploys("hook").await.unwrap();
        table.play.draft(red, draft(0, "GN K11", None)).await.unwrap();
        table.play.forget_draft(red, 0).await.unwrap();
        assert_eq!(table.red.sees().await.draft, None);
        table.play.withdraw_sheet(red, 0).await.unwrap();
        table.deploy().await;
        assert_eq!(
            table.play.withdraw_sheet(red, 0).await.unwrap_err().to_string(),
            "Deployment has been resolved; this sheet was not used."
        );
        table.play.draft(red, draft(1, "H7-F7", None)).await.unwrap();
        table.day("H6-F6", "").await;
        assert_eq!(table.red.sees().await.draft, None, "the turn is over");
        world.end().await;
    }
}

#[tokio::test]
async fn thoughts_are_for_their_thinker_alone() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        let (red, blue, setup) = (&table.red.seat, &table.blue.seat, table.red.sees().await.setup);
        let before = format!("{:?}", table.blue.sees().await);
        let what_if = NewWhatIf { turn: 1, name: " hook ".into(), own: "H7-F7".into(), other: "E4-F4".into() };
        table.play.keep_what_if(red, what_if.clone()).await.unwrap();
        let guess_of = |turn: u32| NewWhatIf { turn, ..what_if.clone() };
        assert!(matches!(table.play.keep_what_if(red, guess_of(0)).await, Err(PlayError::TurnOver { .. })));
        assert!(matches!(table.play.keep_what_if(red, guess_of(2)).await, Err(PlayError::TurnAhead { .. })));
        let kept = table.play.what_ifs(red, 1).await.unwrap();
        assert_eq!((kept.len(), &*kept[0].name, &*kept[0].other), (1, "hook", "E4-F4"));
        assert!(table.play.what_ifs(blue, 1).await.unwrap().is_empty());
        table.play.delete_what_if(blue, &kept[0].id).await.unwrap();
        assert_eq!(table.play.what_ifs(red, 1).await.unwrap(), kept, "Blue cannot delete it");

        let about = |text: &str| About::read(text, &setup).unwrap();
        for (word, text) in [("place h7", "a trap"), ("turn 1", "he waits"), ("game", "never trust Ben")] {
            table.play.keep_note(red, &about(word), text).await.unwrap();
        }
        let notes = table.play.notes(red, &setup).await.unwrap();
        let titles: Vec<String> = notes.iter().map(|note| note.about.title(&setup)).collect();
        assert_eq!(titles, ["The game", "Day 1", "H7"]);
        assert!(table.play.notes(blue, &setup).await.unwrap().is_empty());
        table.play.keep_note(red, &About::Game, "  ").await.unwrap();
        assert_eq!(table.play.notes(red, &setup).await.unwrap().len(), 2);
        assert_eq!(About::read("place Z9", &setup), None);
        assert_eq!(format!("{:?}", table.blue.sees().await), before);

        // What was thought stays when the day is over, until it is deleted.
        table.day("H7-F7", "").await;
        assert_eq!(table.play.what_ifs(red, 1).await.unwrap(), kept);
        table.play.delete_what_if(red, &kept[0].id).await.unwrap();
        assert!(table.play.what_ifs(red, 1).await.unwrap().is_empty());
        world.end().await;
    }
}

#[tokio::test]
async fn invitations_and_wrong_takers() {
    for world in World::both().await {
        let play = &world.play;
        let opened = play.open(new_game(12, "")).await.unwrap();
        let red = play.seat_of_link(&opened.link).await.unwrap();
        let session = play.remember(&red, None).await.unwrap();

        // Looking changes nothing; the inviter's own browser is told whom it is for.
        for _ in 0..2 {
            assert!(!play.invitation(&opened.invitation, None).await.unwrap().own);
            assert!(play.invitation(&opened.invitation, Some(&session)).await.unwrap().own);
        }
        // The inviter may deploy before anybody has come.
        play.seal(
            &red,
            ToSeal {
                turn: 0,
                text: deployment(Side::Red, "hook"),
                empty_is_meant: false,
                may_resolve: true,
                is_final: false,
            },
        )
        .await
        .unwrap();
        let view = play.view(&red).await.unwrap();
        assert!(!view.opponent_present && view.own.is_some() && !view.may_unseat);
        assert_eq!(view.invitation.as_ref(), Some(&opened.invitation));

        play.withdraw_invitation(&red).await.unwrap();
        assert!(matches!(play.take_seat(&opened.invitation, "Eve").await, Err(PlayError::InvitationWithdrawn)));
        let second = play.view(&red).await.unwrap().invitation.unwrap();
        let eve = play.take_seat(&second, "Eve").await.unwrap();
        assert!(matches!(play.take_seat(&second, "Ben").await, Err(PlayError::SeatTaken)));
        assert!(matches!(play.invitation(&second, None).await, Err(PlayError::SeatTaken)));
        let eves = play.seat_of_link(&eve.link).await.unwrap();
        let eves_browser = play.remember(&eves, None).await.unwrap();
        assert!(matches!(play.withdraw_invitation(&red).await, Err(PlayError::SeatTaken)));
        assert!(matches!(play.unseat(&eves).await, Err(PlayError::NotFound)), "only the inviter unseats");

        assert!(play.view(&red).await.unwrap().may_unseat);
        play.unseat(&red).await.unwrap();
        assert!(matches!(play.seat_of_link(&eve.link).await, Err(PlayError::NotFound)));
        assert!(matches!(
            play.seat_of_session(&eves_browser, &opened.game, Side::Blue).await,
            Err(PlayError::NotFound)
        ));
        let sheet = ToSeal {
            turn: 0,
            text: deployment(Side::Blue, "hook"),
            empty_is_meant: false,
            may_resolve: true,
            is_final: false,
        };
        assert!(matches!(play.seal(&eves, sheet).await, Err(PlayError::NotFound)), "a seat that is lost seals nothing");
        assert!(play.games_of(&eves_browser).await.unwrap().is_empty());

        let third = play.view(&red).await.unwrap().invitation.unwrap();
        let ben = play.take_seat(&third, "Ben").await.unwrap();
        let blue = play.seat_of_link(&ben.link).await.unwrap();
        assert_eq!(play.seat_of_token(&ben.link, &opened.game, Side::Blue).await, Ok(blue.clone()));
        assert!(matches!(play.seat_of_token(&ben.link, &opened.game, Side::Red).await, Err(PlayError::NotFound)));
        play.seal(
            &blue,
            ToSeal {
                turn: 0,
                text: deployment(Side::Blue, "balanced"),
                empty_is_meant: false,
                may_resolve: true,
                is_final: false,
            },
        )
        .await
        .unwrap();
        assert_eq!(play.unseat(&red).await, Err(PlayError::Begun));
        world.end().await;
    }
}

#[tokio::test]
async fn one_browser_may_hold_both_sides() {
    for world in World::both().await {
        let table = world.table().await;
        let session = table.play.remember(&table.red.seat, None).await.unwrap();
        assert_eq!(table.play.remember(&table.blue.seat, Some(&session)).await.unwrap(), session);
        let games = table.play.games_of(&session).await.unwrap();
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|line| line.waits_for_me));
        table.red.deploys("fortress").await.unwrap();
        let games = table.play.games_of(&session).await.unwrap();
        assert_eq!((games[0].side, games[0].waits_for_me), (Side::Blue, true), "who is waited for comes first");
        assert_eq!((games[1].side, games[1].waits_for_me), (Side::Red, false));
        world.end().await;
    }
}

#[tokio::test]
async fn resignation_and_quiet_days() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        table.red.submits("H7-F7").await.unwrap();
        table.play.resign(&table.blue.seat).await.unwrap();
        let view = table.red.sees().await;
        assert_eq!(view.ended.as_ref().unwrap().outcome, Some(Outcome::RedWins));
        assert_eq!(view.ended.unwrap().how, "Blue has resigned: Red wins.");
        assert!(view.own.is_none(), "a sheet of a turn that never resolves is erased");
        assert_eq!(table.play.resign(&table.red.seat).await, Err(PlayError::GameOver));

        let table = world.table_with(3, ["", ""]).await;
        table.deploy().await;
        let mut said = Vec::new();
        for _ in 0..3 {
            assert!(table.red.sees().await.ended.is_none());
            said.push(table.red.sees().await.standing.quiet());
            table.day("", "").await;
        }
        let warned = Some("2 of 3 days without a removal: at 3 the game is a draw.".into());
        assert_eq!(said, [None, None, warned], "from half of the limit on");
        assert_eq!(table.red.sees().await.standing.quiet(), None, "over");
        let ended = table.red.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, ended.how.as_str()),
            (Some(Outcome::Draw), "No unit has been removed on 3 days running: the game is a draw.")
        );
        world.end().await;
    }
}

/// Both seal at the same moment; each posts eight times. No game may stand still, resolve
/// twice, or use a sheet other than the one that its receipt names. `FIELDCOMMAND_RACES` sets how many times on each database.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn both_seal_at_once() {
    for world in World::both().await {
        for _ in 0..number("FIELDCOMMAND_RACES", 40) {
            let table = world.table().await;
            let mut posts = Vec::new();
            for n in 0..16 {
                let (player, key) =
                    if n % 2 == 0 { (table.red.clone(), "hook") } else { (table.blue.clone(), "fortress") };
                posts.push(tokio::spawn(async move { player.deploys(key).await }));
            }
            let mut seals = Vec::new();
            for post in posts {
                seals.push(post.await.unwrap().unwrap().seal.hash);
            }
            seals.sort();
            seals.dedup();
            let view = table.red.sees().await;
            assert_eq!(view.standing.turn(), 1, "the game stands still");
            let turn = table.play.turn(&table.red.seat, 0).await.unwrap();
            let mut used = vec![turn.sheets.red.seal.hash, turn.sheets.blue.seal.hash];
            used.sort();
            assert_eq!(used, seals);
        }
        world.end().await;
    }
}

/// What was watched is kept with the seat, never goes back, and is nobody else's business.
#[tokio::test]
async fn days_are_watched_one_after_another() {
    for world in World::both().await {
        let table = world.table().await;
        let (play, red) = (&table.play, &table.red.seat);
        table.deploy().await;
        assert_eq!(table.red.sees().await.unwatched, None, "in a deployment there is nothing to watch");
        for _ in 0..3 {
            table.day("", "").await;
        }
        let before = table.red.sees().await;
        assert_eq!((before.unwatched, play.unwatched(red).await.unwrap()), (Some(1), Some(1)));
        for (turn, unwatched) in [(1, Some(2)), (1, Some(2)), (0, Some(2)), (3, None), (2, None)] {
            play.saw(red, turn).await.unwrap();
            assert_eq!(table.red.sees().await.unwatched, unwatched, "after day {turn}");
        }
        assert_eq!(play.saw(red, 4).await, Err(PlayError::NotFound));
        assert_eq!(table.red.sees().await.version, before.version);
        assert_eq!(table.blue.sees().await.unwatched, Some(1));
        let told =
            |turns: Vec<fieldcommand::play::view::TurnView>| turns.iter().map(|turn| turn.turn).collect::<Vec<_>>();
        assert_eq!(told(play.watched_turns(red).await.unwrap()), [0, 1, 2, 3]);
        assert_eq!(told(play.watched_turns(&table.blue.seat).await.unwrap()), [0]);

        // Who wants results at once has nothing held back, also of the days meanwhile.
        play.result_first(&table.blue.seat, true).await.unwrap();
        assert_eq!((table.blue.sees().await.unwatched, table.blue.sees().await.result_first), (None, true));
        table.day("", "").await;
        assert_eq!(table.blue.sees().await.unwatched, None);
        play.result_first(&table.blue.seat, false).await.unwrap();
        play.result_first(&table.blue.seat, false).await.unwrap();
        assert_eq!((table.blue.sees().await.unwatched, table.blue.sees().await.result_first), (None, false));
        table.day("", "").await;
        assert_eq!(table.blue.sees().await.unwatched, Some(5));
        play.result_first(&table.blue.seat, false).await.unwrap();
        assert_eq!(table.blue.sees().await.unwatched, Some(5), "to wish it again marks nothing");
        assert_eq!(table.red.sees().await.unwatched, Some(4));
        world.end().await;
    }
}

/// The list of games says nothing of an unwatched day, not even that it was the last.
#[tokio::test]
async fn the_list_waits_until_a_day_was_watched() {
    let world = World::sqlite().await;
    let table = world.table().await;
    table.red.deploys("balanced").await.unwrap();
    table.blue.submits_for(0, &exposed()).await.unwrap();
    for order in HUNT {
        table.day(order, "").await;
    }
    let session = table.play.remember(&table.red.seat, None).await.unwrap();
    for turn in [1, 2] {
        let line = table.play.games_of(&session).await.unwrap().remove(0);
        assert_eq!((line.turn_name, line.unwatched), (format!("Day {turn}"), Some(turn)));
        assert!(line.waits_for_me && line.ended.is_none());
        table.play.saw(&table.red.seat, turn).await.unwrap();
    }
    let line = table.play.games_of(&session).await.unwrap().remove(0);
    assert!(!line.waits_for_me && line.unwatched.is_none() && line.ended.is_some());
    world.end().await;
}
