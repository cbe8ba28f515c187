//! What each kind of letter says, as text and as HTML, beside kept copies: `LETTERS=write` renews them.
//!
//! Names that are drawn anew are replaced by words, so that a copy changes only where the letter does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fieldcommand::mail::{Answers, Sender};
use fieldcommand::pace::Pace;
use fieldcommand::play::agree::{OfferAct, OfferKind, ToAgree};
use fieldcommand::play::messages::ToSend;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::wishes::{DateStyle, Wishes};
use fieldcommand::play::{Seat, Secret};
use fieldcommand::runner::outbox::send_due;
use mail_parser::{MessageParser, MimeHeaders};
use tokio_util::sync::CancellationToken;

use crate::world::smtp::{Heard, Smtp};
use crate::world::{HUNT, Table, World, exposed, new_game};

/// An hour in seconds.
const HOUR: i64 = 3600;

/// The letters of a world, each kept under a name at its first occurrence.
pub struct Collection {
    smtp: Smtp,
    answers: bool,
    pub letters: BTreeMap<String, Heard>,
}

impl Collection {
    pub async fn new(answers: bool) -> Collection {
        Collection { smtp: Smtp::willing().await, answers, letters: BTreeMap::new() }
    }

    /// Sends what is due, keeps the letters to one reader under the names of their kinds, and gives all.
    pub async fn collect(&mut self, world: &World, names: &[(&str, &str)]) -> Vec<Heard> {
        let before = self.smtp.letters().len();
        let sender = Sender {
            from: "Field Command <games@example.org>".parse().unwrap(),
            public_url: "https://play.example.org".into(),
            answers: self.answers.then(|| Answers::parse("play@example.org").unwrap()),
        };
        send_due(&world.play, &sender, &self.smtp.transport(), &CancellationToken::new()).await.unwrap();
        let letters = self.smtp.letters().split_off(before);
        for (to, name) in names {
            let letter = letters.iter().find(|letter| letter.to == *to);
            let letter = letter.unwrap_or_else(|| panic!("{name}: no letter to {to} among {}", letters.len()));
            self.letters.insert((*name).to_owned(), letter.clone());
        }
        letters
    }

    /// The ids of the games in the letters.
    fn games(&self) -> Vec<(String, &'static str)> {
        let mut words = Vec::new();
        for letter in self.letters.values() {
            let text = letter.text.replace("=\n", "");
            for part in text.split("/games/").skip(1) {
                words.push((part.chars().take(12).collect::<String>(), "GAME"));
            }
        }
        words.sort();
        words.dedup();
        words.retain(|(word, _)| word.chars().all(|c| c.is_ascii_alphanumeric()) && word.len() == 12);
        words
    }

    /// Compares with the kept copies, or renews them.
    pub fn check(&self) {
        let world_words = &self.games();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
        let renew = std::env::var("LETTERS").is_ok_and(|word| word == "write");
        // Whole, to be looked at in a mail program or a browser.
        let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/letters");
        fs::create_dir_all(&whole).unwrap();
        let mut differ = Vec::new();
        for (name, letter) in &self.letters {
            let message = MessageParser::default().parse(letter.text.as_bytes()).unwrap();
            let text = format!("Subject: {}\n\n{}", message.subject().unwrap(), message.body_text(0).unwrap());
            let html = message.body_html(0).unwrap().into_owned();
            fs::write(whole.join(format!("{name}.eml")), letter.text.replace('\n', "\r\n")).unwrap();
            let pictures = message
                .attachments()
                .filter(|part| part.content_type().is_some_and(|kind| kind.subtype() == Some("png")));
            assert_eq!(
                pictures.count(),
                usize::from(html.contains("<img ")),
                "{name}: a picture is there if it is shown"
            );
            for (ending, said) in [("txt", text), ("html", html)] {
                let said = plain(&said, world_words);
                let file = folder.join(format!("{name}.{ending}"));
                if renew {
                    fs::write(&file, said).unwrap();
                } else if fs::read_to_string(&file).ok().as_deref() != Some(&said) {
                    differ.push(format!("{}:\n{said}", file.display()));
                }
            }
        }
        assert!(differ.is_empty(), "LETTERS=write renews the copies, if this is meant:\n{}", differ.join("\n\n"));
    }
}

/// A letter without what is drawn anew each time.
fn plain(text: &str, words: &[(String, &str)]) -> String {
    let mut text = text.replace("\r\n", "\n");
    for (word, instead) in words {
        text = text.replace(word, instead);
    }
    let mut said = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() || c == '-' {
            word.push(c);
            continue;
        }
        said.push_str(name_of(&word));
        word.clear();
        if c != '\0' {
            said.push(c);
        }
    }
    said
}

/// What stands in place of a word that is drawn.
fn name_of(word: &str) -> &str {
    let of = |length: usize, fits: fn(char) -> bool| word.len() == length && word.chars().all(fits);
    let base32 = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if of(26, base32) || (word.starts_with("GAME") && word.len() > 30) {
        "SECRET"
    } else if of(64, |c| c.is_ascii_hexdigit()) {
        "HASH"
    } else if of(36, |c| c.is_ascii_hexdigit() || c == '-') {
        "LETTER"
    } else if of(9, |c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-') && word.as_bytes()[4] == b'-' {
        "CODE-CODE"
    } else {
        word
    }
}

async fn agrees(table: &Table, seat: &Seat, kind: OfferKind, act: OfferAct, from_turn: Option<u32>) {
    let turn = table.red.sees().await.standing.turn();
    table.play.agree(seat, ToAgree { kind, turn, act, from_turn }).await.unwrap();
}

/// Whether a letter has these words.
fn says(letter: &Heard, words: &str) -> bool {
    letter.text.replace("=\n", "").contains(words)
}

/// Follows the link in a letter; the session of a browser that signed in by it.
pub async fn follow(world: &World, letter: &Heard) -> Option<Secret> {
    let text = letter.text.replace("=\n", "");
    let secret = Secret::sent(text.split_once("/m/").unwrap().1.get(..26).unwrap());
    world.play.follow_in_browser(&secret, None).await.unwrap().session
}

const ANN: &str = "ann@example.org";
const BEN: &str = "ben@example.org";

#[tokio::test]
async fn every_letter_says_what_it_said() {
    let world = World::sqlite().await;
    let mut all = Collection::new(true).await;
    let span = NewGame { pace: Pace::Span { hours: 72, first_hours: 72 }, ..new_game(12, ANN) };

    // Ann opens a game, invites Ben by letter, and confirms her address; Ben comes and confirms his.
    let opened = world.play.open(span).await.unwrap();
    let red = world.play.seat_of_link(&opened.link).await.unwrap();
    world.play.mail_invitation(&red, BEN).await.unwrap();
    let letters = all.collect(&world, &[(ANN, "confirm"), (BEN, "invitation")]).await;
    follow(&world, letters.iter().find(|letter| letter.to == ANN).unwrap()).await;
    let taken = world.play.take_seat(&opened.invitation, "Ben").await.unwrap();
    let blue = world.play.seat_of_link(&taken.link).await.unwrap();
    world.play.set_address(&blue, BEN).await.unwrap();
    let letters = all.collect(&world, &[(ANN, "open")]).await;
    follow(&world, letters.iter().find(|letter| letter.to == BEN).unwrap()).await;
    all.collect(&world, &[]).await;
    let table = Table {
        play: world.play.clone(),
        red: crate::world::Player::new(&world.play, red.clone()),
        blue: crate::world::Player::new(&world.play, blue.clone()),
    };

    // Ben signs in and says how he wants times and letters.
    world.play.ask_sign_in(BEN).await.unwrap();
    let letters = all.collect(&world, &[(BEN, "sign_in")]).await;
    let session = follow(&world, &letters[0]).await.unwrap();
    let wishes = Wishes {
        zone: Some("Europe/Berlin".into()),
        dates: DateStyle::Words,
        results: true,
        text_board: false,
        ..Wishes::default()
    };
    world.play.set_person(&session, "Ben", wishes).await.unwrap();

    // Both deploy; a message, offers, a reminder; two days until Blue's General falls.
    table.red.deploys("balanced").await.unwrap();
    table.blue.submits_for(0, &exposed()).await.unwrap();
    all.collect(&world, &[(ANN, "report_deployment")]).await;
    table.red.submits(HUNT[0]).await.unwrap();
    table.blue.submits("E3-G3 A2-B9").await.unwrap();
    all.collect(&world, &[(ANN, "report_day"), (BEN, "report_day_without_board")]).await;
    let message = ToSend { text: "Well played!\n\nUntil tomorrow.".into(), all_the_same: false };
    world.play.send_message(&red, message).await.unwrap();
    all.collect(&world, &[(BEN, "message")]).await;
    agrees(&table, &blue, OfferKind::Draw, OfferAct::Offer, None).await;
    all.collect(&world, &[(ANN, "draw_offer")]).await;
    agrees(&table, &blue, OfferKind::Continue, OfferAct::Offer, Some(1)).await;
    all.collect(&world, &[(ANN, "continue_offer")]).await;
    let until = table.red.sees().await.due.unwrap().0 + 24 * HOUR * 1000;
    world.play.offer_pause(&blue, fieldcommand::clock::Timestamp(until)).await.unwrap();
    all.collect(&world, &[(ANN, "pause_offer")]).await;
    world.wait(49 * HOUR);
    world.play.resolve_due().await.unwrap();
    all.collect(&world, &[(BEN, "reminder")]).await;
    world.play.wake().await.unwrap();
    world.play.beat().await.unwrap();
    world.wait(30 * HOUR);
    world.play.wake().await.unwrap();
    all.collect(&world, &[(ANN, "put_off")]).await;
    table.day(HUNT[1], "").await;
    all.collect(&world, &[(ANN, "report_last"), (BEN, "report_last_with_result")]).await;
    world.play.play_again(&red).await.unwrap();
    all.collect(&world, &[(BEN, "rematch")]).await;

    // A game that Blue resigns, one that Blue stays away from, one that lies still.
    let other =
        world.seated(NewGame { pace: Pace::Span { hours: 24, first_hours: 24 }, ..new_game(12, ANN) }, BEN).await;
    other.deploy().await;
    for _ in 0..3 {
        other.red.submits("").await.unwrap();
        world.wait(24 * HOUR);
        world.play.resolve_due().await.unwrap();
        all.collect(&world, &[]).await;
    }
    let claim = all.smtp.letters().into_iter().find(|letter| says(letter, "stays away")).unwrap();
    all.letters.insert("claim_open".into(), claim);
    let still = world.table_with(12, [ANN, BEN]).await;
    still.deploy().await;
    all.collect(&world, &[]).await;
    world.wait(15 * 24 * HOUR);
    world.play.resolve_due().await.unwrap();
    let letters = all.collect(&world, &[]).await;
    let nudge = letters.into_iter().find(|letter| letter.to == ANN && says(letter, "still waits")).unwrap();
    all.letters.insert("nudge".into(), nudge);
    world.play.resign(&still.blue.seat).await.unwrap();
    all.collect(&world, &[(ANN, "end"), (BEN, "end_with_result")]).await;

    // Ben's address changes, which wants a sign-in of the last hour.
    world.play.ask_sign_in(BEN).await.unwrap();
    let letters = all.collect(&world, &[]).await;
    let session = follow(&world, &letters[0]).await.unwrap();
    world.play.ask_change(&session, "benjamin@example.org").await.unwrap();
    let letters = all.collect(&world, &[("benjamin@example.org", "change")]).await;
    follow(&world, &letters[0]).await;
    all.collect(&world, &[(BEN, "revert")]).await;

    // The server is restored from a copy, and goes on.
    let last = world.seated(NewGame { pace: Pace::Span { hours: 24, first_hours: 24 }, ..new_game(12, ANN) }, "").await;
    last.deploy().await;
    let marked = world.store.write::<_, fieldcommand::store::StoreError, _>(|tx| Box::pin(tx.mark_copied(1)));
    marked.await.unwrap();
    world.play.go_on_restored().await.unwrap();
    let letters = all.collect(&world, &[]).await;
    let goes_on = letters.into_iter().find(|letter| letter.to == ANN && says(letter, "goes on; Day 1 is due")).unwrap();
    all.letters.insert("goes_on".into(), goes_on);

    all.check();
    world.end().await;
}

/// Where mail does not reach the server, no letter asks for an answer.
#[tokio::test]
async fn letters_without_an_address_for_answers_ask_for_none() {
    let world = World::sqlite().await;
    let mut all = Collection::new(false).await;
    let table = world.table_with(12, [ANN, ""]).await;
    table.deploy().await;
    let letter = all.collect(&world, &[]).await.remove(0);
    let text = letter.text.replace("=\n", "");
    assert!(!text.contains("HOW TO ANSWER") && !text.contains("mailto:") && !text.contains("\nReply-To"), "{text}");
    world.end().await;
}
