//! What answers to mails say, digests, and letters about a seat that was given up, beside kept copies (`kept_letters`).

use fieldcommand::mail::Answers;
use fieldcommand::mail::inbound::Door;
use fieldcommand::pace::Pace;
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::wishes::Wishes;

use crate::kept_letters::{Collection, follow};
use crate::world::smtp::Heard;
use crate::world::{HUNT, Table, World, new_game};

const ANN: &str = "ann@example.org";
const BEN: &str = "ben@example.org";
const HOUR: i64 = 3600;

/// Ann's mails, and what comes of them.
struct Post<'w> {
    world: &'w World,
    table: &'w Table,
    door: Door,
    number: u32,
}

impl Post<'_> {
    /// Ann writes from an address to the address of a turn; the answer to her is kept under a name.
    async fn writes(&mut self, all: &mut Collection, name: &str, from: &str, turn: u32, text: &str) {
        self.number += 1;
        let mark = self.world.play.answer_mark(&self.table.red.seat, turn);
        let to = Answers::parse("play@example.org").unwrap().to(&mark);
        let mail = format!(
            "From: {from}\r\nTo: {to}\r\nMessage-ID: <mail-{}@example.com>\r\nSubject: Re\r\n\r\n{text}\r\n",
            self.number
        );
        self.door.take(&to, false, mail.as_bytes()).await.unwrap();
        all.collect(self.world, &[(ANN, name)]).await;
    }
}

#[tokio::test]
async fn every_answer_says_what_it_said() {
    let world = World::sqlite().await;
    let mut all = Collection::new(true).await;
    let table =
        world.seated(NewGame { pace: Pace::Span { hours: 48, first_hours: 48 }, ..new_game(12, ANN) }, BEN).await;
    table.deploy().await;
    all.collect(&world, &[]).await;
    let door = Door::new(world.play.clone(), Answers::parse("play@example.org").unwrap(), None, "example.org");
    let mut post = Post { world: &world, table: &table, door, number: 0 };
    for (name, text) in [
        ("answer_asks", "I4-G4\nK11-A1\n\nsee you"),
        ("answer_receipt", "YES"),
        ("answer_refused", "I4-G4\nI5-Z9"),
        ("answer_cleared", "CLEAR"),
        ("answer_status", "STATUS"),
        ("answer_status_all", "STATUS ALL"),
        ("answer_map", "MAP"),
        ("answer_help", "HELP"),
        ("answer_said", "SAY Well met."),
        ("answer_asks_to_say", "SAY I4-G4"),
        ("answer_nothing_asked", "CLEAR\nYES"),
        ("answer_draw_offered", "DRAW"),
        ("answer_draw_declined", "DRAW NO"),
        ("answer_unread", "I do not know yet."),
        ("answer_asks_to_resign", "RESIGN"),
    ] {
        post.writes(&mut all, name, ANN, 1, text).await;
    }
    post.writes(&mut all, "answer_late", ANN, 0, "HOLD").await;
    post.writes(&mut all, "allow", "ann@work.example", 1, "HOLD").await;
    post.writes(&mut all, "answer_resigned", ANN, 1, "YES").await;
    all.check();
    world.end().await;
}

#[tokio::test]
async fn digests_and_letters_about_free_seats_say_what_they_said() {
    let world = World::sqlite().await;
    let mut all = Collection::new(true).await;
    let day = || NewGame { pace: Pace::Span { hours: 24, first_hours: 24 }, ..new_game(12, ANN) };
    let left = world.seated(day(), BEN).await;
    left.deploy().await;
    for _ in 0..3 {
        left.red.submits("").await.unwrap();
        world.wait(24 * HOUR);
        world.play.resolve_due().await.unwrap();
        all.collect(&world, &[]).await;
    }
    world.play.seek_substitute(&left.red.seat).await.unwrap();
    let letters: Vec<Heard> = all.collect(&world, &[]).await;
    let given_up = letters.into_iter().find(|letter| letter.to == BEN).expect("Ben is told");
    all.letters.insert("seat_given_up".into(), given_up);
    let invitation = left.red.sees().await.invitation.expect("the seat is free");
    world.play.take_seat(&invitation, "Cleo").await.unwrap();
    all.collect(&world, &[(ANN, "substitute_came")]).await;

    // Ann wants one letter a day.
    world.play.ask_sign_in(ANN).await.unwrap();
    let letters = all.collect(&world, &[]).await;
    let session = follow(&world, letters.iter().find(|letter| letter.to == ANN).unwrap()).await.unwrap();
    let wishes = Wishes { digest: Some("08:00".into()), zone: Some("Europe/Berlin".into()), ..Wishes::default() };
    world.play.set_person(&session, "Ann", wishes).await.unwrap();
    let fought = world.seated(day(), BEN).await;
    fought.deploy().await;
    fought.day(HUNT[0], "E3-G3").await;
    let said = ToSend { text: "Well played!\nUntil tomorrow.".into(), all_the_same: false };
    world.play.send_message(&fought.blue.seat, said).await.unwrap();
    all.collect(&world, &[]).await;
    world.wait(8 * HOUR);
    all.collect(&world, &[(ANN, "digest")]).await;
    all.check();
    world.end().await;
}
