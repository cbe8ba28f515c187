//! The calendar of deadlines: whose they are, when they come and go, and who may read them. What the server writes is read
//! here by a reader of its own, which is strict (RFC 5545).

use std::collections::BTreeMap;

use fieldcommand::clock::Timestamp;
use fieldcommand::pace::Pace;
use fieldcommand::play::open::NewGame;
use fieldcommand::play::{PlayError, Secret};
use fieldcommand::rules::Side;
use serde_json::json;

use crate::world::forms::{Form, press};
use crate::world::server::{Answer, Server};
use crate::world::{World, deployment, mailbox, new_game};

const PACE: Pace = Pace::Span { hours: 72, first_hours: 24 };

/// What an event says, by the names of its properties.
type Event = BTreeMap<String, String>;

/// Reads a calendar; whatever RFC 5545 does not allow fails.
fn read(text: &str) -> Vec<Event> {
    let text = text.strip_suffix("\r\n").unwrap();
    assert!(
        text.split("\r\n").all(|line| line.len() <= 75 && !line.is_empty() && !line.contains(['\r', '\n'])),
        "{text}"
    );
    let unfolded = text.replace("\r\n ", "");
    let inner = unfolded.strip_prefix("BEGIN:VCALENDAR\r\n").and_then(|rest| rest.strip_suffix("\r\nEND:VCALENDAR"));
    let (mut events, mut of_calendar, mut event) = (Vec::new(), Event::new(), None);
    for line in inner.unwrap().split("\r\n") {
        match line {
            "BEGIN:VEVENT" => assert!(event.replace(Event::new()).is_none(), "an event in an event"),
            "END:VEVENT" => events.push(event.take().expect("an event has begun")),
            _ => {
                let (name, value) = line.split_once(':').unwrap();
                let inside = event.as_mut().unwrap_or(&mut of_calendar);
                assert!(inside.insert(name.to_owned(), unescaped(value)).is_none(), "{name} twice");
            }
        }
    }
    assert_eq!((event, &*of_calendar["VERSION"]), (None, "2.0"));
    assert!(of_calendar.contains_key("PRODID"));
    assert_eq!((&*of_calendar["REFRESH-INTERVAL;VALUE=DURATION"], &*of_calendar["X-PUBLISHED-TTL"]), ("PT1H", "PT1H"));
    for event in &events {
        for needed in ["UID", "DTSTAMP", "DTSTART", "SUMMARY", "URL", "SEQUENCE", "DESCRIPTION"] {
            assert!(event.contains_key(needed), "{needed} is missing in {event:?}");
        }
    }
    events
}

fn unescaped(value: &str) -> String {
    let (mut text, mut signs) = (String::new(), value.chars());
    while let Some(c) = signs.next() {
        text.push(match (c, c == '\\') {
            (_, true) => match signs.next() {
                Some('n') => '\n',
                Some(c @ (',' | ';' | '\\')) => c,
                other => panic!("{other:?} is not to be escaped in {value}"),
            },
            (c, false) => c,
        });
    }
    text
}

#[tokio::test]
async fn a_deadline_stands_in_the_calendar_as_long_as_a_sheet_is_owed() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        let play = &world.play;
        let red = table.red.sees().await.calendar.unwrap();
        let blue = table.blue.sees().await.calendar.unwrap();
        let due = |hours: i64| Timestamp(world.now().0 + hours * 3_600_000);
        let [first] = &play.calendar(&red).await.unwrap()[..] else { panic!("one deadline") };
        assert_eq!((first.side, first.turn, first.due), (Side::Red, 0, due(24)));
        assert_eq!(first.names.blue.as_deref(), Some("Ben"));
        table.red.deploys("balanced").await.unwrap();
        assert_eq!(play.calendar(&red).await.unwrap(), [], "sealed");
        assert_eq!(play.calendar(&blue).await.unwrap().len(), 1);
        table.blue.deploys("balanced").await.unwrap();
        let [second] = &play.calendar(&red).await.unwrap()[..] else { panic!("one deadline") };
        assert_eq!((second.turn, second.due), (1, due(72)));
        assert!(second.version > first.version);

        // While the game is paused nothing is due; then something is, later.
        let until = due(48);
        play.offer_pause(&table.red.seat, until).await.unwrap();
        play.accept_pause(&table.blue.seat, until).await.unwrap();
        assert_eq!(play.calendar(&red).await.unwrap(), []);
        world.wait(48 * 3600);
        let [moved] = &play.calendar(&red).await.unwrap()[..] else { panic!("one deadline") };
        assert!(moved.turn == 1 && moved.due > second.due && moved.version > second.version);

        play.resign(&table.blue.seat).await.unwrap();
        assert_eq!(play.calendar(&red).await.unwrap(), [], "over");
        assert_eq!(table.red.sees().await.calendar, None);
        assert_eq!(world.table().await.red.sees().await.calendar, None, "a game without deadlines");
        world.end().await;
    }
}

#[tokio::test]
async fn a_seat_that_is_reissued_has_another_calendar_and_wrong_addresses_open_nothing() {
    for world in World::both().await {
        let table = world.table_at(PACE).await;
        let play = &world.play;
        let red = table.red.sees().await.calendar.unwrap();
        let blue = table.blue.sees().await.calendar.unwrap();
        play.unseat(&table.red.seat).await.unwrap();
        assert_eq!(play.calendar(&blue).await, Err(PlayError::NotFound));
        assert_eq!(play.calendar(&red).await, Ok(Vec::new()), "nothing is due until somebody sits there");
        let game = table.red.seat.game();
        let proof = red.reveal().rsplit('-').next().unwrap().to_owned();
        let (link, of_game) = (table.red.sees().await.link, format!("{game}-red-"));
        for wrong in [
            link.reveal().to_owned(),
            of_game.clone(),
            format!("{of_game}{}", link.reveal()),
            format!("{game}-blue-{proof}"),
            format!("0000nosuch00-red-{proof}"),
            format!("{}x", red.reveal()),
            proof,
            String::new(),
        ] {
            assert_eq!(play.calendar(&Secret::sent(&wrong)).await, Err(PlayError::NotFound), "{wrong}");
        }
        // The calendar's secret opens no seat.
        assert_eq!(play.seat_of_link(&red).await, Err(PlayError::NotFound));
        world.end().await;
    }
}

#[tokio::test]
async fn who_is_signed_in_has_one_for_all_seats_and_can_make_it_anew() {
    for world in World::both().await {
        let play = &world.play;
        let one = world.seated(NewGame { pace: PACE, ..new_game(12, "ann@example.org") }, "").await;
        let other = world.seated(NewGame { pace: PACE, ..new_game(12, "ann@example.org") }, "ben@example.org").await;
        world.table_with(12, ["ann@example.org", ""]).await;
        play.ask_sign_in("ann@example.org").await.unwrap();
        let letters = mailbox::letters(play, world.path()).await;
        let letter = letters.iter().find(|letter| letter.contains("15 minutes")).unwrap();
        let secret = mailbox::mailed_link(letter).unwrap();
        let session = play.follow_in_browser(&secret, None).await.unwrap().session.unwrap();
        let person = play.person(&session).await.unwrap().unwrap();
        assert_eq!(play.calendar_of(&person).await.unwrap(), None, "none before it is asked for");
        play.renew_calendar(&session).await.unwrap();
        let first = play.calendar_of(&person).await.unwrap().unwrap();
        let games = |deadlines: &[fieldcommand::play::calendar::Deadline]| {
            deadlines.iter().map(|deadline| (deadline.game.clone(), deadline.side)).collect::<Vec<_>>()
        };
        let mut both = vec![(one.red.seat.game().clone(), Side::Red), (other.red.seat.game().clone(), Side::Red)];
        both.sort_by_key(|(game, _)| game.to_string());
        assert_eq!(games(&play.calendar(&first).await.unwrap()), both);
        one.red.deploys("balanced").await.unwrap();
        assert_eq!(games(&play.calendar(&first).await.unwrap()), [(other.red.seat.game().clone(), Side::Red)]);

        play.renew_calendar(&session).await.unwrap();
        let second = play.calendar_of(&person).await.unwrap().unwrap();
        assert_eq!(play.calendar(&first).await, Err(PlayError::NotFound), "the old one is shut");
        assert_eq!(play.calendar(&second).await.unwrap().len(), 1);
        play.set_address(&other.red.seat, "").await.unwrap();
        assert_eq!(play.calendar(&second).await, Ok(Vec::new()), "a seat that is not the person's");
        play.sign_out(&session, false).await.unwrap();
        assert_eq!(play.renew_calendar(&session).await, Err(PlayError::NotFound));
        assert!(play.calendar(&second).await.is_ok(), "programs need no session");
        world.end().await;
    }
}

/// The address of the calendar on a page.
fn address(page: &Answer) -> Option<String> {
    let value = page.body.split("id=\"calendar-address\"").nth(1)?.split("value=\"").nth(1)?.split('"').next()?;
    Some(format!("/calendar/{}", value.split_once("/calendar/")?.1))
}

async fn with_tag(server: &Server, path: &str, tag: &str) -> reqwest::Response {
    reqwest::Client::new().get(format!("{}{path}", server.url)).header("if-none-match", tag).send().await.unwrap()
}

#[tokio::test]
async fn calendar_programs_read_it_over_http() {
    let server = Server::start(73).await;
    let (ann, stranger) = (server.browser(), server.browser());
    let name = "Ann, the \\great; \u{2603}\u{2603}\u{2603} of Nowhere";
    let fields = [("name", name), ("board", "classic"), ("side", "red"), ("limit", "12"), ("pace", "72")];
    let opened = ann.post("/games", &fields).await;
    let seat = ann.get(opened.location()).await;
    let invitation = seat.link("/i/").trim_start_matches("/i/").to_owned();
    let path = address(&seat).unwrap();
    assert_eq!(read(&stranger.get(&path).await.body), Vec::<Event>::new(), "nothing is due yet");
    let taken = server.program("").post("/invitations/take", &json!({"token": invitation, "name": "Ben"})).await;
    let blue = taken.json()["token"].as_str().unwrap().to_owned();
    let ben = server.browser();
    let page = ben.get(&format!("/s/{blue}")).await;
    let of_blue = address(&ben.get(page.location()).await).unwrap();

    let answer = stranger.get(&of_blue).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["content-type"]),
        (200, &"text/calendar; charset=utf-8".parse().unwrap())
    );
    assert_eq!(answer.headers["cache-control"], "private, no-cache");
    assert!(answer.headers["x-robots-tag"].to_str().unwrap().contains("noindex"));
    let [event] = &read(&answer.body)[..] else { panic!("{}", answer.body) };
    assert_eq!(event["SUMMARY"], format!("Field Command against {name}: Deployment is due"));
    assert_eq!((&*event["DTSTAMP"], &*event["DTSTART"]), ("20260101T000000Z", "20260104T000000Z"));
    assert!(event["UID"].ends_with("-blue-0@127.0.0.1"));
    assert_eq!(event["URL"], format!("{}{}", server.url, opened.location().replace("/red", "/blue")));
    assert!(!answer.body.contains(&blue), "the link to the seat stands nowhere in it");

    // Nothing has changed; then something has.
    let tag = answer.headers["etag"].to_str().unwrap().to_owned();
    let unchanged = with_tag(&server, &of_blue, &tag).await;
    assert_eq!((unchanged.status().as_u16(), unchanged.headers()["etag"].to_str().unwrap()), (304, &*tag));
    assert_eq!(unchanged.text().await.unwrap(), "");
    assert_eq!(with_tag(&server, &of_blue, "\"another\"").await.status(), 200);
    let seat = opened.location().replace("/red", "/blue");
    let sealed = server.program(&blue).seals(&seat, 0, &deployment(Side::Blue, "balanced")).await;
    assert_eq!(sealed.status, 200);
    let changed = with_tag(&server, &of_blue, &tag).await;
    assert_eq!(changed.status(), 200);
    assert_eq!(read(&changed.text().await.unwrap()), Vec::<Event>::new());

    for nothing in ["/calendar/", "/calendar/x", "/calendar/x.ics", path.trim_end_matches(".ics"), "/calendar/.ics"] {
        let answer = stranger.get(nothing).await;
        assert_eq!(answer.status, 404, "{nothing}");
        assert!(!answer.headers.contains_key("etag"));
    }
    server.stop().await;
}

#[tokio::test]
async fn the_address_for_all_games_is_made_on_the_page_of_who_is_signed_in() {
    let server = Server::start(74).await;
    let ann = server.browser();
    let page = ann.get("/games/new").await;
    let form = Form::with(&page, "Open the game").fill("name", "Ann").fill("address", "ann@example.org");
    form.fill("side", "red").press(&ann, "Open the game").await;
    let letter = mailbox::letters_of(server.data(), 1).await.pop().unwrap();
    ann.post(&format!("/m/{}", mailbox::mailed_link(&letter).unwrap().reveal()), &[]).await;
    assert_eq!(ann.post("/me/calendar", &[]).await.location(), "/sign-in");
    ann.post("/sign-in", &[("address", "ann@example.org")]).await;
    let letters = mailbox::letters_of(server.data(), 2).await;
    let letter = letters.iter().find(|letter| letter.contains("15 minutes")).unwrap();
    ann.post(&format!("/m/{}", mailbox::mailed_link(letter).unwrap().reveal()), &[]).await;
    let page = ann.get("/me").await;
    assert_eq!(address(&page), None);
    let made = press(&ann, &page, "Make an address").await;
    let first = address(&made).unwrap();
    assert_eq!(read(&server.browser().get(&first).await.body), Vec::<Event>::new());
    let anew = press(&ann, &made, "Make a new address").await;
    assert_ne!(address(&anew).unwrap(), first);
    assert_eq!(address(&ann.get("/me").await), address(&anew));
    assert_eq!(server.browser().get(&first).await.status, 404);
    server.stop().await;
}
