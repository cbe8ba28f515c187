//! People: signing in by a letter, the seats that come with it, codes out of letters.

use fieldcommand::play::code::Typed;
use fieldcommand::play::mailed::Errand;
use fieldcommand::play::open::{NewGame, SideChoice};
use fieldcommand::play::{GameId, PlayError, Secret};
use fieldcommand::rules::Side;

use crate::world::forms::{Form, follow, press};
use crate::world::server::{Browser, Server};
use crate::world::{World, mailbox, new_game};

/// Signs a browser without a session in, and gives its session.
async fn signed_in(world: &World, address: &str) -> Secret {
    world.play.ask_sign_in(address).await.unwrap();
    let letter = mailbox::letters(&world.play, world.path()).await.pop().unwrap();
    let secret = mailbox::mailed_link(&letter).unwrap();
    world.play.follow_in_browser(&secret, None).await.unwrap().session.unwrap()
}

#[tokio::test]
async fn who_signs_in_holds_all_seats_of_the_address_and_no_other() {
    for world in World::both().await {
        let table = world.table_with(12, ["Ann@example.org", "ben@example.org"]).await;
        let (game, play) = (table.red.seat.game().clone(), &world.play);
        play.ask_sign_in("ann@EXAMPLE.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        assert_eq!(letters.len(), 1);
        assert!(letters[0].contains("To: Ann@example.org") && letters[0].contains("15 minutes"));
        let secret = mailbox::mailed_link(&letters[0]).unwrap();
        let link = play.mailed_link(&secret).await.unwrap();
        assert_eq!((link.errand, link.address.as_str()), (Errand::SignIn, "Ann@example.org"));

        // The browser held Blue's seat by its link, as Ben's friend; it keeps it, and its cookie is another one.
        let before = play.remember(&table.blue.seat, None).await.unwrap();
        let session = play.follow_in_browser(&secret, Some(&before)).await.unwrap().session.unwrap();
        assert_ne!(session, before);
        assert_eq!(play.seat_of_session(&before, &game, Side::Blue).await, Err(PlayError::NotFound));
        for side in Side::BOTH {
            assert!(play.seat_of_session(&session, &game, side).await.is_ok(), "{side:?}");
        }
        assert_eq!(play.games_of(&session).await.unwrap().len(), 2);
        assert_eq!(play.follow_in_browser(&secret, None).await.unwrap_err(), PlayError::LinkOver, "it works once");

        // Signed out, what came with the person is gone and what came by the link is not.
        play.sign_out(&session, false).await.unwrap();
        assert_eq!(play.person(&session).await.unwrap(), None);
        assert_eq!(play.seat_of_session(&session, &game, Side::Red).await, Err(PlayError::NotFound));
        assert!(play.seat_of_session(&session, &game, Side::Blue).await.is_ok());

        // Two browsers; one signs both out.
        let (one, two) = (signed_in(&world, "ann@example.org").await, signed_in(&world, "ann@example.org").await);
        play.sign_out(&one, true).await.unwrap();
        assert_eq!(play.person(&two).await.unwrap(), None);
        assert_eq!(play.seat_of_session(&two, &game, Side::Red).await, Err(PlayError::NotFound));

        // A seat that goes to another address is held at once no more.
        let session = signed_in(&world, "ann@example.org").await;
        play.set_address(&table.red.seat, "other@example.org").await.unwrap();
        assert_eq!(play.seat_of_session(&session, &game, Side::Red).await, Err(PlayError::NotFound));

        // After a quarter of an hour the link is over.
        play.ask_sign_in("ben@example.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        let late = letters.iter().rev().find(|letter| letter.contains("ben@example.org")).unwrap();
        world.wait(15 * 60);
        let late = mailbox::mailed_link(late).unwrap();
        assert_eq!(play.follow_in_browser(&late, None).await.unwrap_err(), PlayError::LinkOver);
        world.end().await;
    }
}

#[tokio::test]
async fn a_seat_that_is_freed_is_held_no_more() {
    for world in World::both().await {
        let table = world.table_with(12, ["", "ben@example.org"]).await;
        let session = signed_in(&world, "ben@example.org").await;
        let game = table.red.seat.game();
        assert!(world.play.seat_of_session(&session, game, Side::Blue).await.is_ok());
        world.play.unseat(&table.red.seat).await.unwrap();
        assert_eq!(world.play.seat_of_session(&session, game, Side::Blue).await, Err(PlayError::NotFound));
        assert!(world.play.games_of(&session).await.unwrap().is_empty());
        world.end().await;
    }
}

#[tokio::test]
async fn strangers_are_not_told_who_plays_here_and_nobody_is_flooded() {
    for world in World::both().await {
        world.table_with(12, ["ann@example.org", ""]).await;
        assert_eq!(world.play.ask_sign_in("nobody@example.org").await, Ok(()));
        assert!(mailbox::letters(&world.play, world.path()).await.is_empty());
        for _ in 0..9 {
            world.play.ask_sign_in("ann@example.org").await.unwrap();
        }
        // One of the five of this hour asked whether the address is right.
        assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 4);
        assert!(matches!(world.play.ask_sign_in("no address").await, Err(PlayError::Field { field: "address", .. })));
        world.end().await;
    }
}

#[tokio::test]
async fn who_is_signed_in_needs_no_confirmation_for_further_seats() {
    for world in World::both().await {
        world.table_with(12, ["ann@example.org", ""]).await;
        let (play, session) = (&world.play, signed_in(&world, "ann@example.org").await);
        assert_eq!(play.offered_address(&session).await.unwrap().as_deref(), Some("ann@example.org"));
        let opened = play.open(NewGame { side: SideChoice::Side(Side::Blue), ..new_game(12, "") }).await.unwrap();
        let seat = play.seat_of_link(&opened.link).await.unwrap();
        assert_eq!(play.sit_down(&seat, Some(&session)).await.unwrap(), session);
        assert_eq!(play.view(&seat).await.unwrap().address.as_deref(), Some("ann@example.org"));
        // Another address is asked; her own one is not.
        play.set_address_in_browser(&seat, "else@example.org", Some(&session)).await.unwrap();
        assert_eq!(play.view(&seat).await.unwrap().address, None);
        assert!(play.seat_of_session(&session, seat.game(), Side::Blue).await.is_ok(), "the browser keeps the seat");
        assert_eq!(mailbox::letters(play, world.path()).await.len(), 1);
        play.set_address_in_browser(&seat, "Ann@Example.org", Some(&session)).await.unwrap();
        assert_eq!(play.view(&seat).await.unwrap().address.as_deref(), Some("ann@example.org"));
        assert!(mailbox::letters(play, world.path()).await.is_empty());
        world.end().await;
    }
}

#[tokio::test]
async fn a_code_opens_the_seat_of_its_letter_for_a_week() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        let (play, game) = (&world.play, table.red.seat.game().clone());
        let letters = mailbox::letters(play, world.path()).await;
        let red = letters.iter().find(|letter| letter.contains("To: ann@example.org")).unwrap();
        let blue = letters.iter().find(|letter| letter.contains("To: ben@example.org")).unwrap();
        let (red, blue) = (mailbox::code(red).unwrap(), mailbox::code(blue).unwrap());
        assert_ne!(red, blue);
        assert_eq!(play.type_code(&game, &red).await, Ok(Typed::Right(table.red.seat.clone())));
        let sloppy = format!(" {} ", blue.replace('-', " ").to_lowercase());
        assert_eq!(play.type_code(&game, &sloppy).await, Ok(Typed::Right(table.blue.seat.clone())));
        world.wait(7 * 24 * 3600);
        assert_eq!(play.type_code(&game, &red).await, Ok(Typed::Right(table.red.seat.clone())));
        world.wait(24 * 3600);
        assert_eq!(play.type_code(&game, &red).await, Ok(Typed::Wrong));
        world.end().await;
    }
}

#[tokio::test]
async fn codes_are_not_guessed_and_do_not_tell_which_games_there_are() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        table.deploy().await;
        let letters = mailbox::letters(&world.play, world.path()).await;
        let code = mailbox::code(&letters[0]).unwrap();
        let (here, nowhere) = (table.red.seat.game().clone(), GameId::parse("0000nosuch00").unwrap());
        for _ in 0..10 {
            for game in [&here, &nowhere] {
                assert_eq!(world.play.type_code(game, "AAAA-AAAA").await, Ok(Typed::Wrong));
            }
        }
        for game in [&here, &nowhere] {
            assert_eq!(world.play.type_code(game, &code).await, Ok(Typed::TooMany));
        }
        world.wait(3600);
        assert_eq!(world.play.type_code(&nowhere, &code).await, Ok(Typed::Wrong));
        assert_eq!(world.play.type_code(&here, &code).await, Ok(Typed::Right(table.red.seat.clone())));
        world.end().await;
    }
}

/// The pages of it, without a script: Ann loses everything and comes back by her address and by a code.
#[tokio::test]
async fn a_lost_seat_comes_back_by_letter() {
    let server = Server::start(71).await;
    let ann = server.browser();
    let page = follow(&ann, ann.get("/games/new").await).await;
    let form = Form::with(&page, "Open the game").fill("name", "Ann").fill("address", "ann@example.org");
    let seat = form.press(&ann, "Open the game").await;
    let game = seat.body.split("/games/").nth(1).unwrap()[..12].to_owned();
    let letter = mailbox::letters_of(server.data(), 1).await.pop().unwrap();
    follow_letter(&ann, &letter, "Yes, it is mine").await;

    let other = server.browser();
    let home = other.get("/").await;
    assert!(home.body.contains("href=\"/sign-in\""), "{}", home.words());
    let lost = other.get("/s/lostlink").await;
    assert!(lost.status == 404 && lost.words().contains("Signing in brings back"), "{}", lost.words());
    let (known, unknown) = (ask(&other, "ann@example.org").await, ask(&other, "nobody@example.org").await);
    assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
    let letter = mailbox::letters_of(server.data(), 2).await.pop().unwrap();
    let home = follow_letter(&other, &letter, "Sign in here").await;
    assert!(home.words().contains("Signed in as ann@example.org"), "{}", home.words());
    assert!(home.body.contains(&format!("href=\"/games/{game}/")) && home.words().contains("Your games"));
    let home = press(&other, &home, "Sign out").await;
    assert!(!home.body.contains(&game), "{}", home.words());

    // A page of the game tells a stranger nothing, and takes a code.
    let nowhere = "0000nosuch00";
    for path in ["", "/red", "/blue", "/red/days/3", "/days/3", "/red/story"] {
        let (real, none) =
            (other.get(&format!("/games/{game}{path}")).await, other.get(&format!("/games/{nowhere}{path}")).await);
        assert_eq!(real.status, 404);
        assert_eq!((real.status, real.body.replace(&game, nowhere)), (none.status, none.body.clone()), "{path}");
        assert!(real.words().contains("Playing here? Type the 8-character code"), "{path}");
    }
    for number in 1..=11 {
        let mut answers = Vec::new();
        for id in [&*game, nowhere] {
            let answer = other.post(&format!("/games/{id}/code"), &[("code", "WRNG-CODE")]).await;
            answers.push((answer.status, answer.body.replace(&game, nowhere)));
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0].0, if number <= 10 { 422 } else { 429 });
    }
    server.stop().await;
}

async fn ask(browser: &Browser, address: &str) -> crate::world::server::Answer {
    let page = browser.get("/sign-in").await;
    Form::with(&page, "Send me a link").fill("address", address).press(browser, "Send me a link").await
}

/// Opens the link of a letter, sees that looking does nothing, and presses its button.
async fn follow_letter(browser: &Browser, letter: &str, button: &str) -> crate::world::server::Answer {
    let secret = mailbox::mailed_link(letter).unwrap();
    let page = browser.get(&format!("/m/{}", secret.reveal())).await;
    assert_eq!(page.status, 200, "{}", page.words());
    press(browser, &page, button).await
}
