//! What two players agree on: draws, going on from an earlier day, a game begun on paper; on both databases.

use fieldcommand::play::PlayError;
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::open::AdoptedPosition;
use fieldcommand::record;
use fieldcommand::rules::{Outcome, Side};

use crate::world::{Player, Table, World, mailbox, new_game};

async fn does(player: &Player, kind: OfferKind, act: OfferAct, from_turn: Option<u32>) -> Result<(), PlayError> {
    let turn = player.sees().await.standing.turn();
    player.play.agree(&player.seat, ToAgree { kind, turn, act, from_turn }).await
}

async fn draw(player: &Player, act: OfferAct) -> Result<(), PlayError> {
    does(player, OfferKind::Draw, act, None).await
}

/// Who offers what, as both see it.
async fn offered(table: &Table) -> Vec<(OfferKind, Side)> {
    let offers = |view: fieldcommand::play::view::SeatView| -> Vec<_> {
        view.offers.iter().map(|offer| (offer.kind, offer.by)).collect()
    };
    let (red, blue) = (offers(table.red.sees().await), offers(table.blue.sees().await));
    assert_eq!(red, blue, "both see the same");
    red
}

#[tokio::test]
async fn a_draw_is_offered_and_answered() {
    for world in World::both().await {
        let table = world.table().await;
        table.deploy().await;
        let (red, blue) = (&table.red, &table.blue);
        assert!(matches!(draw(red, OfferAct::Accept).await, Err(PlayError::Offer(_))), "nothing stands");

        let version = blue.sees().await.version;
        draw(red, OfferAct::Offer).await.unwrap();
        assert_eq!(blue.sees().await.version, version + 1, "it is news");
        draw(red, OfferAct::Offer).await.unwrap();
        assert_eq!(blue.sees().await.version, version + 1, "the same offer once more is none");
        assert_eq!(offered(&table).await, [(OfferKind::Draw, Side::Red)]);
        for (player, act) in
            [(red, OfferAct::Accept), (red, OfferAct::Decline), (blue, OfferAct::Offer), (blue, OfferAct::Withdraw)]
        {
            assert!(matches!(draw(player, act).await, Err(PlayError::Offer(_))), "{act:?}");
        }
        draw(blue, OfferAct::Decline).await.unwrap();
        assert_eq!(offered(&table).await, []);
        draw(blue, OfferAct::Decline).await.unwrap();
        draw(blue, OfferAct::Offer).await.unwrap();
        draw(blue, OfferAct::Withdraw).await.unwrap();
        assert!(matches!(draw(red, OfferAct::Accept).await, Err(PlayError::Offer(_))), "it was withdrawn");

        // With the turn it lapses, and what was meant for that turn is late.
        draw(red, OfferAct::Offer).await.unwrap();
        table.day("", "").await;
        assert_eq!(offered(&table).await, []);
        let late = ToAgree { kind: OfferKind::Draw, turn: 1, act: OfferAct::Accept, from_turn: None };
        assert!(matches!(table.play.agree(&blue.seat, late).await, Err(PlayError::TurnOver { .. })));
        let ahead = ToAgree { turn: 3, ..late };
        assert!(matches!(table.play.agree(&blue.seat, ahead).await, Err(PlayError::TurnAhead { .. })));

        red.submits("G8-F8").await.unwrap();
        draw(red, OfferAct::Offer).await.unwrap();
        draw(blue, OfferAct::Accept).await.unwrap();
        let view = red.sees().await;
        let ended = view.ended.unwrap();
        assert_eq!((ended.outcome, &*ended.how), (Some(Outcome::Draw), "A draw by agreement."));
        assert_eq!((view.own, view.offers), (None, vec![]), "what lay sealed is gone");
        assert_eq!(draw(blue, OfferAct::Offer).await, Err(PlayError::GameOver));
        let record = table.play.record(&red.seat).await.unwrap();
        assert_eq!(record.ending.as_ref().map(|ending| &*ending.cause), Some("agreement"));
        assert_eq!(record::replay(&record).unwrap().wrong, []);
        world.end().await;
    }
}

#[tokio::test]
async fn nobody_agrees_with_an_empty_seat() {
    let world = World::sqlite().await;
    let opened = world.play.open(new_game(12, "")).await.unwrap();
    let red = Player::new(&world.play, world.play.seat_of_link(&opened.link).await.unwrap());
    assert!(matches!(draw(&red, OfferAct::Offer).await, Err(PlayError::Offer(_))));
    world.end().await;
}

/// Acceptance and withdrawal at the same moment: one of them counts, and the game says which.
#[tokio::test]
async fn an_acceptance_that_meets_a_withdrawal() {
    for world in World::both().await {
        for _ in 0..10 {
            let table = world.table().await;
            draw(&table.red, OfferAct::Offer).await.unwrap();
            let (red, blue) = (table.red.clone(), table.blue.clone());
            let withdrawn = tokio::spawn(async move { draw(&red, OfferAct::Withdraw).await });
            let accepted = tokio::spawn(async move { draw(&blue, OfferAct::Accept).await });
            let (withdrawn, accepted) = (withdrawn.await.unwrap(), accepted.await.unwrap());
            let over = table.red.sees().await.ended.is_some();
            assert_eq!(accepted.is_ok(), over, "{accepted:?}");
            assert!(over != withdrawn.is_ok(), "{withdrawn:?}");
        }
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_goes_on_from_an_earlier_day() {
    for world in World::both().await {
        let table = world.table().await;
        let (red, blue) = (&table.red, &table.blue);
        let goes_on = |player: Player, act, from| async move { does(&player, OfferKind::Continue, act, from).await };
        assert!(matches!(goes_on(red.clone(), OfferAct::Offer, Some(1)).await, Err(PlayError::Field { .. })));
        table.deploy().await;
        table.day("G8-F8", "E4-F4").await;
        let dawn = red.sees().await.standing;
        table.day("F8-E8", "F4-G4").await;
        for from in [None, Some(0), Some(3), Some(9)] {
            let offer = goes_on(red.clone(), OfferAct::Offer, from).await;
            assert!(matches!(offer, Err(PlayError::Field { field: "from_turn", .. })), "{from:?}");
        }
        let session = table.play.remember(&blue.seat, None).await.unwrap();
        goes_on(red.clone(), OfferAct::Offer, Some(2)).await.unwrap();
        assert!(goes_on(red.clone(), OfferAct::Offer, Some(1)).await.is_err(), "one offer at a time");
        assert!(goes_on(blue.clone(), OfferAct::Accept, Some(1)).await.is_err(), "that day was not offered");
        goes_on(blue.clone(), OfferAct::Accept, Some(2)).await.unwrap();

        let old = red.sees().await;
        let ended = old.ended.unwrap();
        assert_eq!(ended.outcome, None);
        assert!(ended.how.contains("continued elsewhere"), "{}", ended.how);
        let carried = old.continued_in.unwrap();
        let next = |player: &Player| {
            let (play, seat) = (player.play.clone(), player.seat.clone());
            async move {
                let carried = play.view(&seat).await.unwrap().continued_in.unwrap();
                Player::new(&play, play.seat_of_link(&carried.link.unwrap()).await.unwrap())
            }
        };
        let next = Table { play: table.play.clone(), red: next(red).await, blue: next(blue).await };
        assert_eq!(*next.red.seat.game(), carried.game);
        table.play.seat_of_session(&session, &carried.game, Side::Blue).await.unwrap();
        let view = next.red.sees().await;
        assert_eq!(view.standing, dawn, "the dawn of day 2");
        assert_eq!((view.resolved.len(), view.unwatched, view.may_unseat), (0, None, false));
        assert_eq!(view.names.blue.as_deref(), Some("Ben"));
        assert_eq!(view.continues.as_ref(), Some(red.seat.game()));

        // It goes on as any game, and proves itself from where it began.
        next.day("F8-E8", "").await;
        next.day("", "F4-G4").await;
        let view = next.red.sees().await;
        assert_eq!((view.resolved, view.unwatched, view.standing.turn()), (vec![2, 3], Some(2), 4));
        assert_eq!(table.play.turn(&next.red.seat, 2).await.unwrap().name, "Day 2");
        assert_eq!(table.play.turn(&next.red.seat, 1).await.err(), Some(PlayError::NotFound));
        assert_eq!(table.play.watched_turns(&next.red.seat).await.unwrap().len(), 0);
        table.play.saw(&next.red.seat, 3).await.unwrap();
        assert_eq!(table.play.watched_turns(&next.red.seat).await.unwrap().len(), 2);
        assert!(next.red.submits_for(2, "F8-E8").await.unwrap().resolved);
        let record = table.play.record(&next.red.seat).await.unwrap();
        assert_eq!(record.start.as_ref(), Some(&dawn.kept()));
        assert_eq!(record.continues.as_deref(), Some(red.seat.game().as_str()));
        assert_eq!(record::replay(&record).unwrap().wrong, []);
        let record = table.play.record(&red.seat).await.unwrap();
        assert_eq!(record.continued_in.as_deref(), Some(carried.game.as_str()));
        assert_eq!(record::replay(&record).unwrap().wrong, []);
        world.end().await;
    }
}

#[tokio::test]
async fn offers_are_told_by_letter_while_they_stand() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        table.day("", "").await;
        let reports = mailbox::letters(&world.play, world.path()).await;
        let turn = table.play.turn(&table.red.seat, 1).await.unwrap();
        let proven =
            |letter: &String| letter.contains(&format!("Running hash of all days up to Day 1: {}", turn.chain));
        assert!(reports.iter().any(proven), "{reports:#?}");

        draw(&table.red, OfferAct::Offer).await.unwrap();
        does(&table.red, OfferKind::Continue, OfferAct::Offer, Some(1)).await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert_eq!(letters.len(), 2, "{letters:#?}");
        for (words, page) in [("offers a draw", "/blue/draw"), ("an earlier day", "/blue/continue")] {
            let told = |letter: &&String| letter.contains(words) && letter.contains(page);
            assert!(
                letters.iter().find(told).is_some_and(|letter| letter.contains("To: ben@example.org")),
                "{letters:#?}"
            );
        }

        // Once a turn is enough; and what does not stand any more is not told.
        draw(&table.red, OfferAct::Withdraw).await.unwrap();
        draw(&table.red, OfferAct::Offer).await.unwrap();
        draw(&table.blue, OfferAct::Decline).await.unwrap();
        draw(&table.blue, OfferAct::Offer).await.unwrap();
        draw(&table.blue, OfferAct::Withdraw).await.unwrap();
        assert_eq!(mailbox::letters(&world.play, world.path()).await, Vec::<String>::new());
        world.end().await;
    }
}

#[tokio::test]
async fn a_game_begun_on_paper_is_carried_on() {
    for world in World::both().await {
        let position =
            |turn, red: &str, blue: &str| AdoptedPosition { turn, red: red.to_owned(), blue: blue.to_owned() };
        let refused = world.play.adopt(new_game(12, ""), &position(7, "GN K1\nI2 Z9", "GN A1")).await.err().unwrap();
        let PlayError::Field { field: "red", problem } = refused else { panic!("{refused}") };
        assert!(problem.contains("Line 2, “Z9”"), "{problem}");
        let opened = world.play.adopt(new_game(12, ""), &position(7, "GN K1\nI2 F6 F8", "GN A1\nC1 E6")).await.unwrap();
        let invitation = world.play.invitation(&opened.invitation, None).await.unwrap();
        assert_eq!(invitation.start.turn(), 7, "the position is on the invitation");
        assert_eq!(invitation.start.roll().len(), 2);
        let red = Player::new(&world.play, world.play.seat_of_link(&opened.link).await.unwrap());
        assert_eq!(red.sees().await.unwatched, None);
        let taken = world.play.take_seat(&opened.invitation, "Ben").await.unwrap();
        let blue = Player::new(&world.play, world.play.seat_of_link(&taken.link).await.unwrap());
        red.submits("F6-E6").await.unwrap();
        blue.submits("").await.unwrap();
        let turn = world.play.turn(&red.seat, 7).await.unwrap();
        assert_eq!(turn.name, "Day 7");
        let record = world.play.record(&red.seat).await.unwrap();
        assert_eq!((record.start.is_some(), record.turns[0].turn), (true, 7));
        assert_eq!(record::replay(&record).unwrap().wrong, []);
        world.end().await;
    }
}
