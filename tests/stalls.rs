//! Games that cannot stall: opponents who stay away, second thoughts, absences, pauses; on both databases.

use fieldcommand::clock::Timestamp;
use fieldcommand::pace::Pace;
use fieldcommand::play::PlayError;
use fieldcommand::play::absence::Absence;
use fieldcommand::play::claim::Claim;
use fieldcommand::play::deadline::Missed;
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::resolve::How;
use fieldcommand::play::seal::ToSeal;
use fieldcommand::play::sending::Fate;
use fieldcommand::play::terms::{MissingDeployment, Terms};
use fieldcommand::rules::{Outcome, Side};

use crate::world::{BEGINNING, Player, Table, World, deployment, mailbox, new_game};

const HOUR: i64 = 60 * 60;
const PACE: Pace = Pace::Span { hours: 24, first_hours: 24 };

/// Lets turns pass in which Red seals and Blue does nothing.
async fn red_plays_alone(world: &World, table: &Table, turns: u32) {
    for _ in 0..turns {
        table.red.submits("").await.unwrap();
        world.wait(24 * HOUR);
        table.play.resolve_due().await.unwrap();
    }
}

async fn claim(player: &Player) -> Option<Claim> {
    player.sees().await.time.claim
}

#[tokio::test]
async fn who_stays_away_can_lose_the_game() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        red_plays_alone(&world, &table, 2).await;
        assert_eq!((claim(&table.red).await, table.play.claim(&table.red.seat).await), (None, Err(PlayError::NoClaim)));
        red_plays_alone(&world, &table, 1).await;
        assert_eq!(claim(&table.red).await, Some(Claim { outcome: Outcome::RedWins, substitute: true }));
        assert_eq!(claim(&table.blue).await, None);
        assert_eq!(table.play.claim(&table.blue.seat).await, Err(PlayError::NoClaim));

        // Blue's seal closes it, a sheet taken back opens it again, and a turn that Blue plays ends it.
        table.blue.submits("").await.unwrap();
        assert_eq!(table.play.claim(&table.red.seat).await, Err(PlayError::NoClaim));
        table.play.withdraw_sheet(&table.blue.seat, 4).await.unwrap();
        assert!(claim(&table.red).await.is_some());
        table.day("", "").await;
        assert_eq!(claim(&table.red).await, None);
        assert_eq!(table.red.sees().await.missed.blue, Missed { all: 3, running: 0 });

        // Two more turns make five in all.
        red_plays_alone(&world, &table, 2).await;
        assert!(claim(&table.red).await.is_some());
        table.play.claim(&table.red.seat).await.unwrap();
        let ended = table.blue.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, &*ended.how),
            (Some(Outcome::RedWins), "Blue stayed away, and Red has claimed the win.")
        );
        assert_eq!(table.play.claim(&table.red.seat).await, Err(PlayError::GameOver));
        world.end().await;
    }
}

#[tokio::test]
async fn a_claim_that_nobody_uses_is_granted_and_two_who_stay_away_abandon_the_game() {
    for world in World::both().await {
        let terms = Terms { missed_running: 2, missed_all: 9, ..Terms::default() };
        let table = world.table_on(PACE, terms.clone()).await;
        table.deploy().await;
        red_plays_alone(&world, &table, 3).await;
        assert!(table.red.sees().await.ended.is_none());
        red_plays_alone(&world, &table, 1).await;
        let ended = table.red.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, &*ended.how),
            (Some(Outcome::RedWins), "Blue stayed away for long: the win is given to Red.")
        );

        let table = world.table_on(PACE, terms).await;
        table.deploy().await;
        for turn in 0..2 {
            assert!(table.red.sees().await.ended.is_none(), "{turn}");
            world.wait(24 * HOUR);
            table.play.resolve_due().await.unwrap();
        }
        let ended = table.red.sees().await.ended.unwrap();
        assert_eq!(
            (ended.outcome, &*ended.how),
            (Some(Outcome::Draw), "Both sides stayed away: the game was abandoned, a draw.")
        );
        world.end().await;
    }
}

/// The substitute gets nothing of what was written before, and a whole span.
#[tokio::test]
async fn a_substitute_begins_with_a_whole_span() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        // Red, who opened the game, stays away; Blue plays.
        for _ in 0..3 {
            table.blue.submits("").await.unwrap();
            world.wait(24 * HOUR);
            table.play.resolve_due().await.unwrap();
        }
        table.blue.submits("E4-E5").await.unwrap();
        table.play.seek_substitute(&table.blue.seat).await.unwrap();
        assert_eq!(table.play.seek_substitute(&table.blue.seat).await, Err(PlayError::NoClaim), "once");
        let view = table.blue.sees().await;
        assert_eq!((view.due, view.opponent_present, view.names.red.clone()), (None, false, None));
        assert_eq!(view.time.claim, Some(Claim { outcome: Outcome::BlueWins, substitute: false }));
        assert_eq!(table.red.submits_for(4, "G8-F8").await, Err(PlayError::NotFound), "the old link opens nothing");
        world.wait(99 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0, "nothing is due");

        // The invitation can be made anew by who sits there.
        let first = view.invitation.unwrap();
        table.play.withdraw_invitation(&table.blue.seat).await.unwrap();
        assert!(table.play.take_seat(&first, "Eve").await.is_err());
        let invitation = table.blue.sees().await.invitation.unwrap();
        let taken = table.play.take_seat(&invitation, "Cleo").await.unwrap();
        let cleo = Player::new(&table.play, table.play.seat_of_link(&taken.link).await.unwrap());
        let view = cleo.sees().await;
        assert_eq!(
            (view.side, view.due.unwrap().0 - world.now().0, view.draft, view.unwatched),
            (Side::Red, 24 * HOUR * 1000, None, None)
        );
        assert_eq!((view.missed.red, view.may_unseat), (Missed::default(), false));
        assert!(cleo.submits("G8-F8").await.unwrap().resolved, "Blue's sheet had stayed");
        assert_eq!(claim(&table.blue).await, None);
        world.end().await;
    }
}

/// Who stayed away is told that the seat was given up, and who waited that it was taken.
#[tokio::test]
async fn letters_tell_of_a_seat_that_changes_hands() {
    for world in World::both().await {
        let new = NewGame { pace: PACE, ..new_game(12, "ann@example.org") };
        let table = world.seated(new, "ben@example.org").await;
        table.deploy().await;
        red_plays_alone(&world, &table, 3).await;
        mailbox::letters(&world.play, world.path()).await;
        table.play.seek_substitute(&table.red.seat).await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert_eq!(letters.len(), 1);
        let letter = &letters[0];
        assert!(letter.contains("To: ben@example.org") && letter.contains("the seat was given up"), "{letter}");
        assert!(letter.contains("the seat is offered to a substitute"), "{letter}");
        assert!(!letter.contains("/games/") && !letter.contains("/s/") && !letter.contains("/i/"), "{letter}");

        let invitation = table.red.sees().await.invitation.unwrap();
        table.play.take_seat(&invitation, "Cleo").await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert_eq!(letters.len(), 1);
        let letter = &letters[0];
        assert!(letter.contains("To: ann@example.org") && letter.contains("Cleo has taken the seat"), "{letter}");
        assert!(letter.contains("Day 4 is due"), "{letter}");

        // Before a game begins, who had invited may free the seat.
        let table = world.seated(new_game(12, "ann@example.org"), "ben@example.org").await;
        mailbox::letters(&world.play, world.path()).await;
        table.play.unseat(&table.red.seat).await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("freed the seat before it began"), "{letters:?}");
        world.end().await;
    }
}

/// Many times the claim and the seal of who stayed away meet: either the game is over or the sheet is in, and the other is told.
#[tokio::test]
async fn a_claim_and_a_last_seal_exclude_each_other() {
    for world in World::both().await {
        for _ in 0..15 {
            let table = world.table_on(PACE, Terms { missed_running: 1, ..Terms::default() }).await;
            table.deploy().await;
            red_plays_alone(&world, &table, 1).await;
            let (one, two) = (table.play.clone(), table.play.clone());
            let (red, blue) = (table.red.seat.clone(), table.blue.seat.clone());
            let claims = tokio::spawn(async move { one.claim(&red).await });
            let sheet =
                ToSeal { turn: 2, text: "E4-E5".into(), empty_is_meant: true, may_resolve: true, is_final: false };
            let seals = tokio::spawn(async move { two.seal(&blue, sheet).await });
            let (claimed, sealed) = (claims.await.unwrap(), seals.await.unwrap());
            let view = table.blue.sees().await;
            match (claimed, sealed) {
                (Ok(()), Err(error)) => {
                    assert_eq!((error, view.own, view.ended.is_some()), (PlayError::GameOver, None, true));
                }
                (Err(error), Ok(_)) => {
                    assert_eq!((error, view.own.is_some(), view.ended), (PlayError::NoClaim, true, None));
                }
                both => panic!("{both:?}"),
            }
        }
        world.end().await;
    }
}

#[tokio::test]
async fn a_missing_deployment_may_be_a_ready_made_one() {
    for world in World::both().await {
        let terms = Terms { missing_deployment: MissingDeployment::ReadyMade, ..Terms::default() };
        let table = world.table_on(PACE, terms).await;
        table.blue.deploys("hook").await.unwrap();
        world.wait(24 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        let turn = table.play.turn(&table.red.seat, 0).await.unwrap();
        assert_eq!((turn.how.red, turn.how.blue), (How::ReadyMade, How::Sealed));
        let view = table.red.sees().await;
        assert_eq!((view.standing.turn(), view.ended, view.missed.red.all), (1, None, 1));
        world.end().await;
    }
}

async fn seals(
    player: &Player,
    turn: u32,
    text: &str,
    is_final: bool,
) -> Result<fieldcommand::play::seal::Receipt, PlayError> {
    let sheet = ToSeal { turn, text: text.into(), empty_is_meant: true, may_resolve: true, is_final };
    player.play.seal(&player.seat, sheet).await
}

#[tokio::test]
async fn there_is_time_for_second_thoughts() {
    for world in World::both().await {
        let table = world.table_on(PACE, Terms { second_thoughts: 10, ..Terms::default() }).await;
        assert!(!seals(&table.red, 0, &deployment(Side::Red, "hook"), true).await.unwrap().resolved);
        let unknowing = ToSeal {
            turn: 0,
            text: deployment(Side::Blue, "hook"),
            empty_is_meant: true,
            may_resolve: false,
            is_final: false,
        };
        let asked = table.play.seal(&table.blue.seat, unknowing.clone()).await.unwrap_err();
        assert_eq!(
            asked.to_string(),
            "Red has sealed: your seal resolves the turn, 10 minutes later. Look once more and confirm."
        );
        let receipt = table.blue.deploys("hook").await.unwrap();
        assert_eq!((receipt.resolved, receipt.settles.unwrap().0 - world.now().0), (false, 600_000));
        // Whoever lost the answer and asks again is answered the same, and not asked back.
        assert_eq!(table.play.seal(&table.blue.seat, unknowing).await.unwrap(), receipt);

        // Replacing does not begin the time anew; both are final: at once.
        world.wait(300);
        let again = table.blue.deploys("balanced").await.unwrap();
        assert_eq!(again.settles, receipt.settles);
        assert_eq!(table.red.sees().await.time.settles, receipt.settles);
        assert!(seals(&table.blue, 0, &deployment(Side::Blue, "balanced"), true).await.unwrap().resolved);
        assert_eq!(table.red.sees().await.time.settles, None);

        // A sheet that is taken back stops the time; the next seal begins it anew, and then it runs out.
        table.day("G8-F8", "").await;
        world.wait(599);
        assert_eq!(table.play.resolve_due().await.unwrap(), 0);
        table.play.withdraw_sheet(&table.red.seat, 1).await.unwrap();
        world.wait(5);
        assert_eq!((table.play.resolve_due().await.unwrap(), table.red.sees().await.time.settles), (0, None));
        table.red.submits("G8-G7").await.unwrap();
        world.wait(600);
        assert_eq!((table.play.resolve_due().await.unwrap(), table.play.resolve_due().await.unwrap()), (1, 0));
        let turn = table.play.turn(&table.red.seat, 1).await.unwrap();
        assert_eq!((turn.how.red, &*turn.sheets.red.text), (How::Sealed, "G8-G7"));

        // Never past the deadline.
        let due = table.red.sees().await.due.unwrap();
        world.wait(24 * HOUR - 120);
        table.day("", "").await;
        assert_eq!(table.red.sees().await.time.settles, Some(due));
        world.wait(120);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(table.red.sees().await.missed.red, Missed::default());
        world.end().await;
    }
}

#[tokio::test]
async fn absences_move_deadlines_and_are_counted() {
    for world in World::both().await {
        let table = world.table_on(PACE, Terms { absence_days: 5, ..Terms::default() }).await;
        table.deploy().await;
        let at = |hours: i64| Timestamp(BEGINNING.0 + hours * HOUR * 1000);
        let away = |from: i64, until: i64| table.play.announce_absence(&table.red.seat, at(from), at(until));
        let due = async || (table.blue.sees().await.due.unwrap().0 - BEGINNING.0) / HOUR / 1000;
        assert_eq!(due().await, 24);
        // From the day before: it begins now, takes two days, and moves the deadline to its end.
        away(-24, 48).await.unwrap();
        assert_eq!(due().await, 48);
        let view = table.blue.sees().await;
        assert_eq!(view.time.absences.red, [Absence { from: at(0), until: at(48) }]);
        assert_eq!((view.time.days_left.red, view.time.days_left.blue), (3, 5));
        for (from, until, problem) in [
            (40, 60, "overlap"),
            (72, 72, "is not after the beginning"),
            (100, 200, "makes an absence of 5 days, and you have 3 days left"),
            (99_999, 100_020, "more than a year away"),
        ] {
            let error = away(from, until).await.unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        // A later turn that falls due in an absence is moved when it is set.
        away(60, 84).await.unwrap();
        table.play.announce_absence(&table.blue.seat, at(84), at(90)).await.unwrap();
        world.wait(48 * HOUR);
        assert_eq!(table.play.resolve_due().await.unwrap(), 1);
        assert_eq!(due().await, 90);
        // What has moved the deadline of the awaited turn stays taken until that is resolved.
        world.wait(13 * HOUR);
        for (seat, from) in [(&table.red.seat, 60), (&table.blue.seat, 84)] {
            let refused = table.play.end_absence(seat, at(from)).await.unwrap_err().to_string();
            assert!(refused.contains("stay taken until that turn is resolved"), "{refused}");
        }
        let view = table.red.sees().await;
        assert_eq!((view.time.days_left.red, view.time.days_left.blue, due().await), (2, 4, 90));
        world.wait(6 * HOUR);
        table.day("", "").await;
        assert_eq!(due().await, 91);
        // Ended early, whole days come back; the announced deadline stays. What has not begun is taken back whole.
        table.play.end_absence(&table.red.seat, at(60)).await.unwrap();
        assert_eq!(table.play.end_absence(&table.red.seat, at(60)).await, Err(PlayError::NotFound));
        table.play.end_absence(&table.blue.seat, at(84)).await.unwrap();
        let view = table.red.sees().await;
        assert_eq!((view.time.days_left.red, view.time.days_left.blue, due().await), (2, 5, 91));
        assert_eq!(view.time.absences.red, []);

        // Nor does one from now on, ended at once, put a deadline off for nothing.
        let table = world.table_on(PACE, Terms { absence_days: 5, ..Terms::default() }).await;
        table.deploy().await;
        let now = table.play.clock().now();
        table.play.announce_absence(&table.red.seat, now, Timestamp(now.0 + 96 * HOUR * 1000)).await.unwrap();
        let begun = table.red.sees().await.time.absences.red[0].from;
        assert!(matches!(
            table.play.end_absence(&table.red.seat, begun).await,
            Err(PlayError::Field { field: "from", .. })
        ));
        assert_eq!(table.red.sees().await.time.days_left.red, 1);

        let open = world.table().await;
        let refused = open.play.announce_absence(&open.red.seat, at(200), at(220)).await;
        assert_eq!(refused, Err(PlayError::NoDeadlines));
        world.end().await;
    }
}

#[tokio::test]
async fn a_pause_wants_both_and_ends() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.deploy().await;
        let (red, blue, play) = (&table.red.seat, &table.blue.seat, &table.play);
        let at = |hours: i64| Timestamp(BEGINNING.0 + hours * HOUR * 1000);
        assert_eq!(play.accept_pause(blue, at(100)).await, Err(PlayError::NoOffer));
        assert!(play.offer_pause(red, at(61 * 24)).await.unwrap_err().to_string().contains("60 days"));
        play.offer_pause(red, at(90)).await.unwrap();
        play.offer_pause(red, at(100)).await.unwrap();
        assert!(play.offer_pause(blue, at(100)).await.is_err(), "the other side's first");
        assert_eq!(play.accept_pause(red, at(100)).await, Err(PlayError::NoOffer), "not one's own");
        assert_eq!(play.accept_pause(blue, at(90)).await, Err(PlayError::NoOffer), "another was offered meanwhile");
        play.drop_pause(blue).await.unwrap();
        assert_eq!((play.drop_pause(red).await, table.red.sees().await.time.offer), (Err(PlayError::NoOffer), None));

        // An offer lapses with its turn; a pause does not.
        play.offer_pause(red, at(100)).await.unwrap();
        table.day("", "").await;
        assert_eq!(play.accept_pause(blue, at(100)).await, Err(PlayError::NoOffer));
        world.wait(20 * HOUR);
        play.offer_pause(blue, at(100)).await.unwrap();
        play.accept_pause(red, at(100)).await.unwrap();
        let view = table.blue.sees().await;
        assert_eq!((view.time.paused_until, view.due), (Some(at(100)), Some(at(112))), "twelve hours at least");
        assert!(play.offer_pause(red, at(90)).await.is_err(), "it is paused");
        world.wait(60 * HOUR);
        assert_eq!(play.resolve_due().await.unwrap(), 0);
        table.day("", "").await;
        assert_eq!(table.red.sees().await.due, Some(at(124)), "a whole turn after the pause");
        world.wait(21 * HOUR);
        assert_eq!(table.red.sees().await.time.paused_until, None);
        world.wait(23 * HOUR);
        assert_eq!(play.resolve_due().await.unwrap(), 1);
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_that_lies_still_can_be_closed() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        world.wait(59 * 24 * HOUR);
        table.day("", "").await;
        world.wait(60 * 24 * HOUR - 1);
        assert_eq!(table.play.close_unfinished(&table.blue.seat).await, Err(PlayError::NotIdle));
        assert!(!table.red.sees().await.time.may_close);
        world.wait(1);
        assert!(table.red.sees().await.time.may_close);
        table.play.close_unfinished(&table.blue.seat).await.unwrap();
        let ended = table.red.sees().await.ended.unwrap();
        assert_eq!((ended.outcome, &*ended.how), (None, "The game had lain still for long and was closed unfinished."));
        let timed = world.table_at(PACE).await;
        assert_eq!(timed.play.close_unfinished(&timed.blue.seat).await, Err(PlayError::NotIdle));
        world.end().await;
    }
}

/// The first lines of the letters that are due to somebody, oldest first.
async fn subjects(world: &World, to: &str) -> Vec<String> {
    let letters = mailbox::letters(&world.play, world.path()).await;
    let subject = |letter: &String| {
        let (head, _) = letter.split_once("\n\n").unwrap();
        let head = head.replace("\n ", " ");
        let line = |name: &str| head.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned)).unwrap();
        line("To: ").contains(to).then(|| line("Subject: ").split(": ").last().unwrap().to_owned())
    };
    letters.iter().filter_map(subject).collect()
}

/// Two reminders, once each, for who has not sealed; none that was past when the turn was announced.
#[tokio::test]
async fn who_has_not_sealed_is_reminded() {
    for world in World::both().await {
        let pace = Pace::Span { hours: 72, first_hours: 12 };
        let table = world.seated(NewGame { pace, ..new_game(12, "ann@example.org") }, "ben@example.org").await;
        subjects(&world, "ben").await;
        let wait = async |hours: i64| {
            world.wait(hours * HOUR);
            table.play.resolve_due().await.unwrap();
            // A restart and another look send nothing twice.
            table.play.wake().await.unwrap();
            table.play.beat().await.unwrap();
            table.play.resolve_due().await.unwrap();
            subjects(&world, "ben").await
        };
        table.play.wake().await.unwrap();
        assert_eq!(wait(8).await, Vec::<String>::new(), "the first distance was past when the turn was announced");
        assert_eq!(wait(1).await, ["Deployment is due 1 Jan 2026, 12:00 UTC"]);
        table.deploy().await;
        assert_eq!(subjects(&world, "ben").await.len(), 1, "the report");
        assert_eq!(wait(48).await, ["Day 1 is due 4 Jan 2026, 09:00 UTC"]);
        assert_eq!(wait(20).await, Vec::<String>::new());
        table.blue.submits("").await.unwrap();
        assert_eq!(wait(3).await, Vec::<String>::new(), "never to who has sealed");

        // A game without deadlines: one nudge after 14 days.
        let table = world.seated(new_game(12, "cleo@example.org"), "dan@example.org").await;
        subjects(&world, "dan").await;
        table.deploy().await;
        subjects(&world, "dan").await;
        table.red.submits("").await.unwrap();
        world.wait(14 * 24 * HOUR);
        table.play.resolve_due().await.unwrap();
        table.play.resolve_due().await.unwrap();
        assert_eq!(subjects(&world, "dan").await, ["Day 1 still waits"]);
        world.end().await;
    }
}

#[tokio::test]
async fn claims_pauses_and_outages_are_told() {
    for world in World::both().await {
        let new = NewGame {
            pace: PACE,
            terms: Terms { missed_running: 1, ..Terms::default() },
            ..new_game(12, "ann@example.org")
        };
        let table = world.seated(new, "ben@example.org").await;
        table.deploy().await;
        subjects(&world, "ann").await;
        table.play.wake().await.unwrap();
        table.play.offer_pause(&table.blue.seat, Timestamp(world.now().0 + 30 * HOUR * 1000)).await.unwrap();
        assert_eq!(subjects(&world, "ann").await, ["Blue offers a pause"]);
        world.wait(30 * HOUR);
        table.play.wake().await.unwrap();
        assert_eq!(subjects(&world, "ann").await, ["Day 1 is due later, 3 Jan 2026, 06:00 UTC"]);
        let view = table.red.sees().await;
        assert_eq!(view.time.put_off_from, Some(Timestamp(BEGINNING.0 + 24 * HOUR * 1000)));
        table.red.submits("").await.unwrap();
        world.wait(24 * HOUR);
        table.play.resolve_due().await.unwrap();
        assert_eq!(table.red.sees().await.time.put_off_from, None);
        let told = subjects(&world, "ann").await;
        assert!(told.contains(&"Blue stays away".to_owned()), "{told:?}");
        world.end().await;
    }
}

/// A void game keeps what was written for its writer, who finds it in the next game, on either side.
#[tokio::test]
async fn a_void_game_keeps_the_deployment_for_the_next() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        table.blue.deploys("hook").await.unwrap();
        let session = table.play.remember(&table.blue.seat, None).await.unwrap();
        world.wait(24 * HOUR);
        table.play.resolve_due().await.unwrap();
        assert_eq!(table.blue.sees().await.time.kept, Some(deployment(Side::Blue, "hook")));
        assert_eq!(table.red.sees().await.time.kept, None);
        let next = world.table_at(PACE).await;
        let kept = table.play.kept_sheets(&session, &next.red.seat).await.unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!(
            Some(&kept[0].text.trim_end()),
            Some(&deployment(Side::Red, "hook").trim_end()),
            "turned to Red's side"
        );
        assert!(next.red.submits_for(0, &kept[0].text).await.is_ok());
        assert_eq!(table.play.kept_sheets(&session, &table.blue.seat).await, Ok(Vec::new()), "the game is over");
        let other = table.play.remember(&next.blue.seat, None).await.unwrap();
        assert_eq!(table.play.kept_sheets(&other, &next.blue.seat).await, Ok(Vec::new()), "it is nobody else's");
        world.end().await;
    }
}

/// Who takes a seat over within a turn is told what is awaited, and reads no letter of the one before.
#[tokio::test]
async fn letters_go_to_whom_they_were_for() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let play = &world.play;
        play.unseat(&table.red.seat).await.unwrap();
        subjects(&world, "ben").await;
        let invitation = table.red.sees().await.invitation.unwrap();
        let taken = play.take_seat(&invitation, "Cleo").await.unwrap();
        let cleo = Player::new(play, play.seat_of_link(&taken.link).await.unwrap());
        play.set_address(&cleo.seat, "cleo@example.org").await.unwrap();
        mailbox::follow_all(play, world.path()).await;
        assert_eq!(subjects(&world, "cleo").await, ["the game begins; your deployment, please"]);
        // A new address within the turn is told too, and nobody else is told again.
        play.set_address(&cleo.seat, "cleo@example.net").await.unwrap();
        mailbox::follow_all(play, world.path()).await;
        let letters = mailbox::letters(play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("To: cleo@example.net"), "{letters:?}");

        // A letter waits while its reader changes the address: it goes there. One that waits while the seat goes to
        // somebody else goes nowhere.
        let wait = async || {
            for letter in play.claim_letters(50).await.unwrap() {
                play.letter_done(&letter, Fate::Delayed("451 try later".into())).await.unwrap();
            }
        };
        let say = |text: &str| ToSend { text: text.into(), all_the_same: false };
        play.send_message(&table.red.seat, say("For Cleo")).await.unwrap();
        wait().await;
        play.set_address(&cleo.seat, "cleo@example.com").await.unwrap();
        mailbox::follow_all(play, world.path()).await;
        world.wait(60);
        let letters = mailbox::letters(play, world.path()).await;
        assert!(letters.iter().any(|letter| letter.contains("To: cleo@example.com") && letter.contains("For Cleo")));

        let table = world.seated(NewGame { pace: PACE, ..new_game(12, "ann@example.org") }, "ben@example.org").await;
        table.deploy().await;
        red_plays_alone(&world, &table, 3).await;
        wait().await;
        play.seek_substitute(&table.red.seat).await.unwrap();
        let invitation = table.red.sees().await.invitation.unwrap();
        let taken = play.take_seat(&invitation, "Dora").await.unwrap();
        let seat = play.seat_of_link(&taken.link).await.unwrap();
        play.set_address(&seat, "dora@example.org").await.unwrap();
        mailbox::follow_all(play, world.path()).await;
        world.wait(60);
        let letters = mailbox::letters(play, world.path()).await;
        let to = |whom: &str| letters.iter().filter(|letter| letter.contains(whom)).collect::<Vec<_>>();
        let doras = to("To: dora@example.org");
        assert!(!doras.is_empty() && doras.iter().all(|letter| !letter.contains("has been resolved")), "{doras:?}");
        assert!(to("To: ann@example.org").iter().any(|letter| letter.contains("has been resolved")));
        world.end().await;
    }
}

/// A deadline that was moved within a turn is reminded of like any other.
#[tokio::test]
async fn each_deadline_of_a_turn_has_its_reminders() {
    for world in World::both().await {
        let new = NewGame {
            pace: PACE,
            terms: Terms { absence_days: 5, ..Terms::default() },
            ..new_game(12, "ann@example.org")
        };
        let table = world.seated(new, "ben@example.org").await;
        table.deploy().await;
        subjects(&world, "ben").await;
        let mut told = Vec::new();
        for hour in 1..=93 {
            world.wait(HOUR);
            if hour == 22 {
                // Announced now, it moves the deadline by three days.
                let now = table.play.clock().now();
                let until = Timestamp(now.0 + 72 * HOUR * 1000);
                table.play.announce_absence(&table.red.seat, now, until).await.unwrap();
            }
            table.play.resolve_due().await.unwrap();
            told.extend(subjects(&world, "ben").await.into_iter().map(|subject| (hour, subject)));
        }
        let due: Vec<_> =
            told.iter().filter(|(_, subject)| subject.contains(" is due ")).map(|(hour, _)| *hour).collect();
        assert_eq!(due, [21, 70, 91], "{told:?}");
        world.end().await;
    }
}
