//! One letter a day: each event is told exactly once, whatever happens around it.

use fieldcommand::pace::Pace;
use fieldcommand::play::Play;
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::sending::Fate;
use fieldcommand::play::stopped::Stopped;
use fieldcommand::play::wishes::Wishes;

use crate::world::{Table, World, mailbox, new_game};

const HOUR: i64 = 3600;

/// Ann wants one letter a day, at eight in Berlin: seven o'clock UTC.
async fn once_a_day(world: &World) -> Table {
    let new = NewGame { pace: Pace::Span { hours: 48, first_hours: 48 }, ..new_game(12, "ann@example.org") };
    let table = world.seated(new, "ben@example.org").await;
    let play = &world.play;
    play.ask_sign_in("ann@example.org").await.unwrap();
    let letter = mailbox::letters(play, world.path()).await.pop().unwrap();
    let session = play.follow_in_browser(&mailbox::mailed_link(&letter).unwrap(), None).await.unwrap().session.unwrap();
    let zone = Some("Europe/Berlin".to_owned());
    play.set_person(&session, "Ann", Wishes { digest: Some("08:00".into()), zone, ..Wishes::default() }).await.unwrap();
    table
}

async fn writes(play: &Play, table: &Table, text: &str) {
    play.send_message(&table.blue.seat, ToSend { text: text.into(), all_the_same: false }).await.unwrap();
}

/// Ann's letters that are due now.
async fn anns(world: &World) -> Vec<String> {
    let mut letters = mailbox::letters(&world.play, world.path()).await;
    letters.retain(|letter| letter.contains("To: ann@example.org"));
    letters
}

#[tokio::test]
async fn each_event_is_told_once_in_one_letter_a_day() {
    for world in World::both().await {
        let (table, play) = (once_a_day(&world).await, world.play.clone());
        let second = world.seated(new_game(12, "ann@example.org"), "").await;
        mailbox::letters(&play, world.path()).await;
        // Every hour of a week something happens, and is told of by its number; twice a day the server looks at letters.
        let mut told = Vec::new();
        for hour in 0..7 * 24 {
            if hour % 3 == 0 {
                writes(&play, &table, &format!("event {hour} happened")).await;
            }
            if hour == 30 {
                table.deploy().await;
            }
            if hour == 31 {
                second.deploy().await;
            }
            if hour % 2 == 0 {
                let letters = anns(&world).await;
                let digests: Vec<_> =
                    letters.iter().filter(|letter| letter.contains("Subject: Field Command: news")).collect();
                assert!(digests.len() <= 1, "one a day");
                assert_eq!(digests.is_empty(), hour % 24 != 8, "at hour {hour}");
                told.extend(letters);
            }
            world.wait(HOUR);
            play.resolve_due().await.unwrap();
        }
        let (digests, single): (Vec<_>, Vec<_>) = told.iter().partition(|letter| letter.contains("news of"));
        assert_eq!(digests.len(), 7);
        assert!(!single.is_empty() && single.iter().all(|letter| letter.contains(" is due ")), "reminders come singly");
        let all = digests.iter().map(|letter| plain(letter)).collect::<String>();
        for hour in (0..6 * 24 + 7).filter(|hour| hour % 3 == 0) {
            assert_eq!(all.matches(&format!("event {hour} happened")).count(), 1, "event {hour}");
        }
        assert_eq!(all.matches("Deployment has been resolved.").count(), 2);
        let both = digests
            .iter()
            .find(|letter| letter.contains("news of 2 of your games") && plain(letter).contains("Day 1 waits"))
            .unwrap();
        let text = plain(both);
        let (first, second) = (text.find("Day 1 waits for you; it is due"), text.find("Day 1 waits for you:"));
        assert!(first.is_some() && first < second, "those that are due first come first: {text}");
        assert!(text.contains("Running hash of all days up to Deployment: "));
        assert_eq!(
            play.letters_waiting().await.unwrap().0,
            world.count("outbox where sent_at is null and failed_at is null").await.cast_unsigned()
        );
        world.end().await;
    }
}

/// The text part of a letter, decoded.
fn plain(letter: &str) -> String {
    let part =
        letter.split("Content-Type: text/plain").nth(1).unwrap().split("Content-Type: text/html").next().unwrap();
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        match after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()) {
            Some(code) if byte == b'=' => (bytes.push(code), rest = &after[2..]).1,
            _ => (bytes.push(byte), rest = after).1,
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn what_happens_while_a_digest_leaves_is_told_in_the_next() {
    for world in World::both().await {
        let (table, play) = (once_a_day(&world).await, world.play.clone());
        writes(&play, &table, "the first").await;
        world.wait(7 * HOUR);
        // A worker has claimed it, and its mail server is away.
        let claimed = play.claim_letters(1).await.unwrap();
        let told = async || format!("{:?}", play.due_letter(&claimed[0]).await.unwrap().matter);
        assert!(told().await.contains("the first"));
        writes(&play, &table, "the second").await;
        let again = told().await;
        assert!(again.contains("the first") && !again.contains("the second"), "the same when it is tried again");
        play.letter_done(&claimed[0], Fate::Delayed("451 try later".into())).await.unwrap();
        writes(&play, &table, "the third").await;
        world.wait(60);
        let letter = anns(&world).await.pop().unwrap();
        assert!(letter.contains("the first") && !letter.contains("the second"), "{letter}");
        world.wait(24 * HOUR);
        let letter = anns(&world).await.pop().unwrap();
        assert!(
            !letter.contains("the first") && letter.contains("the second") && letter.contains("the third"),
            "{letter}"
        );
        assert!(letter.contains("Subject: Field Command: news of one of your games"), "{letter}");

        // What has lost its reason is not told: nothing is left, so no letter leaves.
        let turn = table.blue.sees().await.standing.turn();
        for act in [OfferAct::Offer, OfferAct::Withdraw] {
            let offer = ToAgree { kind: OfferKind::Draw, turn, act, from_turn: None };
            play.agree(&table.blue.seat, offer).await.unwrap();
        }
        world.wait(24 * HOUR);
        assert!(anns(&world).await.iter().all(|letter| !letter.contains("news of")));
        world.end().await;
    }
}

/// Who has one letter a day counts as out of reach like anybody: after three that came back, whatever is folded in them.
#[tokio::test]
async fn digests_that_come_back_stop_the_seats_that_they_tell_of() {
    for world in World::both().await {
        let (table, play) = (once_a_day(&world).await, world.play.clone());
        anns(&world).await;
        for day in 0..3 {
            assert_eq!(table.blue.sees().await.stopped.red, None, "day {day}");
            for text in ["one", "two", "three"] {
                writes(&play, &table, text).await;
            }
            world.wait(if day == 0 { 7 * HOUR } else { 24 * HOUR });
            let digest = play.claim_letters(9).await.unwrap().pop().unwrap();
            play.letter_done(&digest, Fate::Sent).await.unwrap();
            play.letter_bounced(digest.id(), true, "5.1.1 no such user").await.unwrap();
            play.letter_bounced(digest.id(), true, "5.1.1 no such user").await.unwrap();
        }
        assert_eq!(table.blue.sees().await.stopped.red, Some(Stopped::Returned(world.now())));
        world.end().await;
    }
}

/// A game that cannot be read, and one whose letters were stopped, are left out; what happened elsewhere is told.
#[tokio::test]
async fn one_bad_game_costs_nobody_the_news_of_others() {
    for world in World::both().await {
        let (table, play) = (once_a_day(&world).await, world.play.clone());
        let mut others = Vec::new();
        for _ in 0..2 {
            others.push(world.seated(new_game(12, "ann@example.org"), "").await);
        }
        mailbox::letters(&play, world.path()).await;
        writes(&play, &table, "the good news").await;
        writes(&play, &others[0], "from a spoilt game").await;
        writes(&play, &others[1], "from a stopped game").await;
        world.spoil(others[0].red.seat.game().as_str()).await;
        play.stop_letters(&others[1].red.seat).await.unwrap();
        world.wait(7 * HOUR);
        let letters = anns(&world).await;
        let digest = letters.iter().find(|letter| letter.contains("news of")).unwrap();
        assert!(digest.contains("the good news"), "{digest}");
        assert!(!digest.contains("spoilt game") && !digest.contains("stopped game"), "{digest}");
        // It is of the moment at which it was to leave, and not of the first thing that it tells.
        assert!(digest.contains("Jan 2026 07:00:00 +0000"), "{digest}");
        world.end().await;
    }
}
