//! People: signing in by a letter, the seats that come with it, codes out of letters.

use std::fs;

use fieldcommand::clock::{Chance, Clock, Timestamp};
use fieldcommand::play::code::Typed;
use fieldcommand::play::erase::Running;
use fieldcommand::play::mailed::Errand;
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::{NewGame, SideChoice};
use fieldcommand::play::thoughts::About;
use fieldcommand::play::wishes::{Quiet, Wishes};
use fieldcommand::play::{GameId, Play, PlayError, Secret, ServerKey};
use fieldcommand::rules::Side;
use fieldcommand::runner::erasures::{self, Kept};
use fieldcommand::store::Store;

use crate::world::forms::{Form, follow, press};
use crate::world::server::{Browser, Server};
use crate::world::{BEGINNING, World, mailbox, new_game};

/// Signs a browser without a session in, and gives its session.
async fn signed_in(world: &World, address: &str) -> Secret {
    world.play.ask_sign_in(address).await.unwrap();
    let letters = mailbox::letters(&world.play, world.path()).await;
    let letter = letters.iter().find(|letter| letter.contains("15 minutes")).unwrap();
    let secret = mailbox::mailed_link(letter).unwrap();
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
        // What asked whether the address is right does not count among the five of this hour.
        assert_eq!(mailbox::letters(&world.play, world.path()).await.len(), 5);
        assert!(matches!(world.play.ask_sign_in("no address").await, Err(PlayError::Field { field: "address", .. })));
        world.end().await;
    }
}

/// A stranger types somebody's address wherever it can be typed, and uses up nothing but what is asked for that way.
#[tokio::test]
async fn links_are_counted_for_each_purpose() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        for n in 0..30 {
            world
                .play
                .set_address(&table.blue.seat, if n % 2 == 0 { "ann@example.org" } else { "x@y.zz" })
                .await
                .unwrap();
        }
        mailbox::letters(&world.play, world.path()).await;
        signed_in(&world, "ann@example.org").await;
        // Who is nobody here is asked ten times a day at most.
        for _ in 0..40 {
            world.wait(1800);
            world.play.set_address(&table.blue.seat, "x@y.zz").await.unwrap();
            world.play.set_address(&table.blue.seat, "").await.unwrap();
        }
        let asked = mailbox::letters(&world.play, world.path()).await;
        assert!((5..=10).contains(&asked.len()), "{}", asked.len());
        world.end().await;
    }
}

/// Neither a link that ended nor a letter that left keeps an address, and what was reported is kept for a while.
#[tokio::test]
async fn what_has_served_its_time_is_forgotten() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let play = &world.play;
        play.ask_sign_in("nobody@example.org").await.unwrap();
        play.ask_sign_in("ann@example.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        let secret = mailbox::mailed_link(&letters[0]).unwrap();
        for (days, gone) in [(7, false), (1, true)] {
            world.wait(days * 24 * 3600);
            play.tidy().await.unwrap();
            let expected = if gone { PlayError::NotFound } else { PlayError::LinkOver };
            assert_eq!(play.mailed_link(&secret).await.unwrap_err(), expected);
        }
        assert_eq!(world.count("mailed_links where purpose = 'sign_in'").await, 0);
        assert_eq!(world.count("outbox where address is not null").await, 0);

        play.send_message(&table.red.seat, ToSend { text: "You!".into(), all_the_same: false }).await.unwrap();
        play.report_messages(&table.blue.seat, "rude").await.unwrap();
        play.erase(&signed_in(&world, "ann@example.org").await, Some(Running::Keep)).await.unwrap();
        assert_eq!(play.messages(&table.blue.seat, None).await.unwrap().messages[0].text, "");
        for (days, kept) in [(90, 1), (1, 0)] {
            world.wait(days * 24 * 3600);
            play.tidy().await.unwrap();
            assert_eq!(world.count("reports").await, kept);
        }
        world.end().await;
    }
}

/// Ann goes while an invitation to her waits for the mail server.
#[tokio::test]
async fn who_goes_takes_along_what_was_to_go_there() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", ""]).await;
        let opened = world.play.open(new_game(12, "")).await.unwrap();
        let other = world.play.seat_of_link(&opened.link).await.unwrap();
        let session = signed_in(&world, "ann@example.org").await;
        world.play.mail_invitation(&other, "ANN@Example.org").await.unwrap();
        world.play.mail_invitation(&other, "cleo@example.org").await.unwrap();
        world.play.erase(&session, Some(Running::Keep)).await.unwrap();
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("To: cleo@example.org"), "{letters:?}");
        assert_eq!(table.red.sees().await.address, None);
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

#[tokio::test]
async fn a_changed_address_takes_all_seats_along_and_comes_back_within_a_week() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let (play, session) = (&world.play, signed_in(&world, "ann@example.org").await);
        let same = play.ask_change(&session, "Ann@example.org").await;
        assert!(matches!(same, Err(PlayError::Field { field: "address", .. })), "{same:?}");
        play.ask_change(&session, "new@example.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("To: new@example.org"));
        assert_eq!(table.red.sees().await.address.as_deref(), Some("ann@example.org"), "nothing has changed yet");
        let asked = mailbox::mailed_link(&letters[0]).unwrap();
        assert_eq!(play.mailed_link(&asked).await.unwrap().before.as_deref(), Some("ann@example.org"));
        assert!(letters[0].contains("the account of ann@example.org"), "{}", letters[0]);
        play.follow_in_browser(&asked, Some(&session)).await.unwrap();
        assert_eq!(table.red.sees().await.address.as_deref(), Some("new@example.org"));
        assert!(play.person(&session).await.unwrap().is_some(), "this browser stays signed in");
        let letters = mailbox::letters(play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("To: ann@example.org"), "the old address is told");

        // Meanwhile the old address is confirmed for another game; the link back makes one person of both.
        let other = play.open(new_game(12, "ann@example.org")).await.unwrap();
        mailbox::confirm_all(play, world.path()).await;
        let other = play.seat_of_link(&other.link).await.unwrap();
        let back = mailbox::mailed_link(&letters[0]).unwrap();
        world.wait(6 * 24 * 3600);
        play.follow(&back).await.unwrap();
        assert_eq!(table.red.sees().await.address.as_deref(), Some("ann@example.org"));
        assert_eq!(play.person(&session).await.unwrap(), None, "who changed it is signed out");
        let session = signed_in(&world, "ann@example.org").await;
        for game in [table.red.seat.game(), other.game()] {
            assert!(play.seat_of_session(&session, game, Side::Red).await.is_ok());
        }
        // Nobody takes the address that another one signs in by.
        play.ask_change(&session, "ben@example.org").await.unwrap();
        let asked = mailbox::letters(play, world.path()).await.pop().unwrap();
        let refused = play.follow(&mailbox::mailed_link(&asked).unwrap()).await;
        assert!(matches!(refused, Err(PlayError::Field { field: "address", .. })), "{refused:?}");
        world.end().await;
    }
}

/// Mal asks for Vic's address as his new one, and Vic presses the button: Mal sees nothing of what Vic plays.
#[tokio::test]
async fn who_asked_for_an_address_of_somebody_else_is_signed_out() {
    for world in World::both().await {
        let table = world.table_with(12, ["mal@example.org", ""]).await;
        let (play, mal) = (&world.play, signed_in(&world, "mal@example.org").await);
        play.ask_change(&mal, "vic@example.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        play.follow(&mailbox::mailed_link(&letters[0]).unwrap()).await.unwrap();
        assert_eq!(play.person(&mal).await.unwrap(), None);
        assert_eq!(play.seat_of_session(&mal, table.red.seat.game(), Side::Red).await, Err(PlayError::NotFound));
        // The letter to the old address, by which the change could be undone, is left unused.
        assert_eq!(mailbox::letters(play, world.path()).await.len(), 1);
        play.open(new_game(12, "vic@example.org")).await.unwrap();
        mailbox::confirm_all(play, world.path()).await;
        assert!(play.games_of(&mal).await.unwrap().is_empty());
        assert_eq!(play.games_of(&signed_in(&world, "vic@example.org").await).await.unwrap().len(), 2);
        world.end().await;
    }
}

#[tokio::test]
async fn letters_come_as_they_are_wanted() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let (ann, ben) = (signed_in(&world, "ann@example.org").await, signed_in(&world, "ben@example.org").await);
        // The clock stands at midnight UTC, one o'clock in Berlin.
        let quiet = Some(Quiet { from: "22:00".into(), to: "07:30".into() });
        let night = Wishes { zone: Some("Europe/Berlin".into()), quiet, ..Wishes::default() };
        world.play.set_person(&ann, "Ann", night).await.unwrap();
        world.play.set_person(&ben, "", Wishes { reports: false, ..Wishes::default() }).await.unwrap();
        table.deploy().await;
        assert!(mailbox::letters(&world.play, world.path()).await.is_empty());
        // Signing in is not held back.
        signed_in(&world, "ann@example.org").await;
        world.wait(6 * 3600 + 29 * 60);
        assert!(mailbox::letters(&world.play, world.path()).await.is_empty());
        world.wait(60);
        let letters = mailbox::letters(&world.play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("To: ann@example.org"));
        let wrong = Wishes { zone: Some("Nowhere".into()), ..Wishes::default() };
        assert!(world.play.set_person(&ann, "Ann", wrong).await.is_err());
        world.end().await;
    }
}

#[tokio::test]
async fn the_data_of_a_person_holds_nothing_of_the_opponent() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        table.day("H7-F7", "E4-G4").await;
        table.blue.submits("A1-A2").await.unwrap();
        let (red, blue) = (&table.red.seat, &table.blue.seat);
        let message = |text: &str| ToSend { text: text.into(), all_the_same: false };
        world.play.send_message(red, message("Ann writes")).await.unwrap();
        world.play.send_message(blue, message("Ben answers")).await.unwrap();
        world.play.report_messages(red, "Ann reports").await.unwrap();
        world.play.block(red, true).await.unwrap();
        world.play.keep_note(red, &About::Game, "Ann thinks").await.unwrap();
        world.play.keep_note(blue, &About::Game, "Ben thinks").await.unwrap();
        let data = world.play.own_data(&signed_in(&world, "ann@example.org").await).await.unwrap();
        let text = data.to_string();
        for own in [
            "ann@example.org",
            "H7-F7",
            "Ann thinks",
            "Ann writes",
            "Ann reports",
            "met_in",
            "\"kind\":\"report\"",
            "\"kind\":\"sign_in\"",
        ] {
            assert!(text.contains(own), "{own} is missing in {text}");
        }
        for other in ["ben@example.org", "Ben", "E4-G4", "A1-A2", "Ben thinks", "Ben answers"] {
            assert!(!text.contains(other), "{other} stands in {text}");
        }
        assert_eq!(data["seats"][0]["sheets"].as_array().unwrap().len(), 2);
        assert_eq!(world.play.own_data(&Secret::sent("nobody")).await, Err(PlayError::NotFound));
        world.end().await;
    }
}

#[tokio::test]
async fn who_goes_leaves_the_game_and_nothing_else() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        table.deploy().await;
        let play = &world.play;
        play.keep_note(&table.red.seat, &About::Game, "Ann thinks").await.unwrap();
        let (session, elsewhere) =
            (signed_in(&world, "ann@example.org").await, signed_in(&world, "ann@example.org").await);
        assert_eq!(play.running_games(&session).await.unwrap().len(), 1);
        let asked = play.erase(&session, None).await;
        assert!(matches!(asked, Err(PlayError::Field { field: "running", .. })), "{asked:?}");
        assert!(play.person(&session).await.unwrap().is_some(), "nothing is half done");

        let fresh = play.erase(&session, Some(Running::Keep)).await.unwrap();
        let view = table.blue.sees().await;
        assert_eq!(view.names.red.as_deref(), Some("former player"));
        assert_eq!((view.ended, table.red.sees().await.address), (None, None));
        assert!(play.notes(&table.red.seat, &view.setup).await.unwrap().is_empty());
        let game = table.red.seat.game();
        assert!(play.seat_of_session(&fresh, game, Side::Red).await.is_ok(), "this browser plays on");
        for old in [&session, &elsewhere] {
            assert_eq!(play.seat_of_session(old, game, Side::Red).await, Err(PlayError::NotFound));
            assert_eq!(play.person(old).await.unwrap(), None);
        }
        play.ask_sign_in("ann@example.org").await.unwrap();
        assert!(mailbox::letters(play, world.path()).await.iter().all(|letter| !letter.contains("ann@example.org")));
        table.day("", "").await;
        let letters = mailbox::letters(play, world.path()).await;
        assert!(letters.len() == 1 && letters[0].contains("former player"));

        // Ben goes too, and resigns: nobody is left to be told.
        play.erase(&signed_in(&world, "ben@example.org").await, Some(Running::Resign)).await.unwrap();
        let view = table.red.sees().await;
        assert!(view.ended.is_some_and(|ended| ended.how.contains("Blue has resigned")));
        assert_eq!(view.names.blue.as_deref(), Some("former player"));
        assert!(mailbox::letters(play, world.path()).await.is_empty());

        // What was removed is written beside the database, once, and without an address.
        let file = world.path().join("erasures.jsonl");
        fs::write(&file, "{\"person\":\"br").unwrap();
        let mut kept = Kept::read(&file).unwrap();
        erasures::write(play, &file, &mut kept).await.unwrap();
        erasures::write(play, &file, &mut kept).await.unwrap();
        erasures::write(play, &file, &mut Kept::read(&file).unwrap()).await.unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(!text.contains('@'));
        assert_eq!(erasures::again(play, &file).await.unwrap(), Ok(0), "they are gone already");
        world.end().await;
    }
}

/// Two processes work on one database, each with a folder of its own: both files name everybody.
#[tokio::test]
async fn each_process_keeps_the_whole_list_of_who_went() {
    for world in World::both().await {
        let files = ["one.jsonl", "two.jsonl"].map(|name| world.path().join(name));
        let mut kept = [Kept::default(), Kept::default()];
        let mut gone = 0;
        for address in ["ann@example.org", "ben@example.org", "cleo@example.org"] {
            world.table_with(12, [address, ""]).await;
            world.play.erase(&signed_in(&world, address).await, Some(Running::Keep)).await.unwrap();
            gone += 1;
            for _ in 0..2 {
                for (file, kept) in files.iter().zip(&mut kept) {
                    erasures::write(&world.play, file, kept).await.unwrap();
                }
            }
            for file in &files {
                assert_eq!(fs::read_to_string(file).unwrap().lines().count(), gone);
            }
            world.wait(26 * 3600);
        }
        // A process that comes later, or lost its file, catches up.
        fs::remove_file(&files[1]).unwrap();
        erasures::write(&world.play, &files[1], &mut Kept::read(&files[1]).unwrap()).await.unwrap();
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), fs::read_to_string(&files[1]).unwrap());
        world.end().await;
    }
}

/// A backup is put back that still has Ann: the server removes her again when it starts.
#[tokio::test]
async fn a_restored_backup_forgets_again() {
    let world = World::sqlite().await;
    let table = world.table_with(12, ["ann@example.org", ""]).await;
    let copy = world.path().join("copy.sqlite");
    world.store.backup(&copy, 1).await.unwrap();
    world.play.erase(&signed_in(&world, "ann@example.org").await, Some(Running::Keep)).await.unwrap();
    let file = world.path().join("erasures.jsonl");
    erasures::write(&world.play, &file, &mut Kept::default()).await.unwrap();

    let store = Store::open_sqlite(&copy).await.unwrap();
    let play = Play::new(store.clone(), Clock::fixed(BEGINNING), Chance::seeded(2), ServerKey::new([7; 32]));
    let before = play.view(&table.red.seat).await.unwrap();
    assert_eq!(before.address.as_deref(), Some("ann@example.org"));
    assert_eq!(erasures::again(&play, &file).await.unwrap(), Ok(1));
    let after = play.view(&table.red.seat).await.unwrap();
    assert_eq!((after.names.red.as_deref(), after.address), (Some("former player"), None));
    assert_eq!(erasures::again(&play, &file).await.unwrap(), Ok(0));
    assert_eq!(play.erasures_since(Timestamp(0)).await.unwrap().len(), 1);
    store.close().await;
    world.end().await;
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

/// Settings, the next game that waits, the link as a picture, the file of one's data, and going, without a script.
#[tokio::test]
async fn the_pages_of_who_is_signed_in() {
    let server = Server::start(72).await;
    let ann = server.browser();
    assert_eq!(ann.get("/me").await.location(), "/sign-in");
    let page = ann.get("/games/new").await;
    let form = Form::with(&page, "Open the game").fill("name", "Ann").fill("address", "ann@example.org");
    let seat = form.fill("side", "red").press(&ann, "Open the game").await;
    assert!(seat.words().contains("There is no way back if you lose this link"), "no address is confirmed yet");
    let letter = mailbox::letters_of(server.data(), 1).await.pop().unwrap();
    follow_letter(&ann, &letter, "Yes, it is mine").await;
    ask(&ann, "ann@example.org").await;
    let letter = mailbox::letters_of(server.data(), 2).await.pop().unwrap();
    let home = follow_letter(&ann, &letter, "Sign in here").await;
    assert!(home.body.contains("<title>(1) Field Command</title>"), "{}", home.body);

    let page = ann.get("/me").await;
    let form = Form::with(&page, "Save").fill("name", "Anna").fill("zone", "Nowhere").fill("dates", "iso");
    let refused = form.press(&ann, "Save").await;
    assert!(refused.status == 422 && refused.words().contains("time zone is not one of the IANA names"));
    let form = Form::with(&refused, "Save").fill("zone", "Europe/Berlin").fill("quiet", "1").fill("ahead2", "");
    let saved = form.press(&ann, "Save").await;
    assert!(saved.status == 200 && saved.words().contains("Saved."), "{}", saved.words());
    let again = ann.get("/me").await;
    assert!(again.body.contains("value=\"Anna\"") && again.body.contains("value=\"iso\" checked"));

    // The second game has the name and the address, without a letter.
    let page = ann.get("/games/new").await;
    assert!(page.body.contains("value=\"Anna\"") && page.body.contains("value=\"ann@example.org\""));
    let second = Form::with(&page, "Open the game").fill("side", "blue").press(&ann, "Open the game").await;
    assert!(second.body.contains("<title>(2) Blue"), "{}", second.words());
    assert!(second.words().contains("The report of each day goes there. Empty the field to stop that."));
    let ready = press(&ann, &second, "ready balanced").await;
    let sealed = press(&ann, &ready, "seal").await;
    assert!(sealed.words().contains("Next game that waits for you (1 left)"), "{}", sealed.words());
    assert!(sealed.body.contains("<title>(1) Blue"));
    assert!(sealed.body.contains("data-own>2026-01-01, 01:00 CET</time>"), "{}", sealed.body);

    let seat = sealed.body.split("data-events=\"").nth(1).unwrap().split("/events").next().unwrap().to_owned();
    let picture = ann.get(&format!("{seat}/link")).await;
    assert!(picture.body.contains("<svg") && picture.body.contains(&sealed.link("/s/")));
    assert_eq!(server.browser().get(&format!("{seat}/link")).await.status, 404);

    let data = ann.get("/me/data.json").await;
    assert_eq!(data.json()["seats"].as_array().unwrap().len(), 2);
    let page = ann.get("/me/delete").await;
    let page = press(&ann, &page, "Delete my data").await;
    assert!(page.status == 422 && page.words().contains("Say what becomes of the games"), "{}", page.words());
    let done = Form::with(&page, "Delete my data").fill("running", "resign").press(&ann, "Delete my data").await;
    assert!(done.words().contains("Your data is deleted"), "{}", done.words());
    assert_eq!(ann.get("/me").await.location(), "/sign-in");
    assert_eq!(ann.get(&seat).await.status, 404);
    let file = server.data().join("erasures.jsonl");
    server.stop_and(|| assert!(fs::read_to_string(&file).unwrap().contains("\"person\""))).await;
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
