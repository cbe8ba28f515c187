//! Whole games over HTTP: in two browsers without JavaScript, and by two programs.

use fieldcommand::app::App;
use fieldcommand::clock::{Chance, Clock};
use serde_json::json;

use crate::world::server::{Browser, Server};
use crate::world::{HUNT, deployment, exposed};
use fieldcommand::rules::Side;

/// Checks a sheet on the page and seals it as the page says, and gives what comes after.
async fn seals(browser: &Browser, seat: &str, turn: u32, text: &str, knows: bool) -> crate::world::server::Answer {
    let turn = turn.to_string();
    let checked = browser.post(&format!("{seat}/check"), &[("turn", &turn), ("text", text), ("do", "check")]).await;
    assert_eq!(checked.status, 200, "{}", checked.words());
    assert_eq!(checked.body.contains("name=\"may_resolve\""), knows, "{}", checked.words());
    let mut fields = vec![("turn", turn.as_str()), ("text", text)];
    if text.is_empty() {
        fields.push(("empty", "1"));
    }
    if knows {
        fields.push(("may_resolve", "1"));
    }
    browser.sends(&format!("{seat}/seal"), &fields).await
}

#[tokio::test]
async fn two_browsers_play_to_the_fall_of_a_general() {
    let server = Server::start(1).await;
    let (ann, ben) = (server.browser(), server.browser());

    let home = ann.get("/").await;
    assert!(home.body.contains("href=\"/games/new\""));
    let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "")];
    let opened = ann.post("/games", &fields).await;
    let red = opened.location().to_owned();
    let cookie = opened.headers.get("set-cookie").unwrap().to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"), "{cookie}");
    let seat = ann.get(&red).await;
    assert!(seat.body.contains("<title>") && seat.words().contains("Red"));
    let invitation = seat.link("/i/");

    // Ann deploys before her friend has come. Looking at the invitation takes nothing.
    let waiting = seals(&ann, &red, 0, &deployment(Side::Red, "balanced"), false).await;
    assert!(waiting.words().contains("ealed"), "{}", waiting.words());
    for _ in 0..2 {
        let looked = ben.get(&invitation).await;
        assert_eq!(looked.status, 200);
        assert!(looked.words().contains("Ann") && looked.headers.get("set-cookie").is_none());
    }
    assert!(ann.get(&invitation).await.words().contains("for your friend"));
    let taken = ben.sends(&invitation, &[("name", "Ben")]).await;
    assert!(taken.words().contains("Blue"), "{}", taken.words());
    let blue = red.replace("/red", "/blue");
    let again = server.browser().post(&invitation, &[("name", "Eve")]).await;
    assert_eq!(again.status, 409, "{}", again.words());

    // Ben's own link opens his seat on another device, at an address without the secret.
    let link = taken.link("/s/");
    let phone = server.browser();
    let entered = phone.get(&link).await;
    assert_eq!((entered.status.as_u16(), entered.location()), (303, blue.as_str()));
    assert_eq!(phone.get(&blue).await.status, 200);
    assert_eq!(phone.get(&red).await.status, 404, "one seat is not both");

    // Blue seals last: he is told so, and what he sees next is the report.
    let report = seals(&phone, &blue, 0, &exposed(), true).await;
    assert!(report.words().contains("Deployment"), "{}", report.words());
    for (day, order) in (1..).zip(HUNT) {
        ben.post(&format!("{blue}/days/{}/seen", day - 1), &[]).await;
        // Ann seals without having watched: no page would lead her there, but nothing of a day is told by it.
        let turn = day.to_string();
        let sealed = ann.post(&format!("{red}/seal"), &[("turn", &turn), ("text", order)]).await;
        assert!(sealed.location().starts_with(&red), "{}", sealed.location());
        let report = seals(&ben, &blue, day, "", true).await;
        assert!(report.words().contains(&format!("Day {day}")), "{}", report.words());
        assert!(report.words().contains(order), "{}", report.words());
    }
    // Ann has watched nothing yet, so no page tells her how a day went; looking marks nothing.
    for _ in 0..2 {
        for path in [red.clone(), format!("{red}/days/2"), format!("{red}/resign")] {
            assert_eq!(ann.get(&path).await.location(), format!("{red}/days/1"));
        }
    }
    let home = ann.get("/").await.words();
    assert!(home.contains("Waiting for you") && home.contains("Day 1: watch") && !home.contains("Red wins"), "{home}");
    assert!(!ann.get(&format!("{red}/story")).await.words().contains("Red wins"));
    assert_eq!(ann.post(&format!("{red}/days/3/seen"), &[]).await.status, 404, "there is no day 3");
    let first = ann.sends(&format!("{red}/days/1/seen"), &[]).await.words();
    assert!(first.contains("Next: day 2") && !first.contains("Red wins"), "{first}");
    let second = ann.get(&format!("{red}/days/2")).await;
    assert!(second.words().contains("Straight to the result") && !second.shown().contains("Red wins"));
    assert!(!ann.get("/").await.words().contains("Red wins"));
    let second = ann.sends(&format!("{red}/days/2/seen"), &[]).await.words();
    assert!(second.contains("Red wins") && second.contains("To your seat"), "{second}");
    let story = ann.get(&format!("{red}/story")).await;
    assert!(story.body.contains("id=\"day-2\"") && story.words().contains("Red wins"));

    // Ben wants results at once, and changes his mind again; his days are his own.
    let wish = |first: &'static str| [("turn", "2"), ("first", first)];
    assert_eq!(phone.get(&blue).await.location(), format!("{blue}/days/2"));
    let at_once = phone.sends(&format!("{blue}/results"), &wish("1")).await.words();
    assert!(at_once.contains("After.") && at_once.contains("Let me watch each day first"), "{at_once}");
    assert!(phone.sends(&format!("{blue}/results"), &wish("")).await.words().contains("Show results at once"));
    assert_eq!(ben.get(&blue).await.status, 200);

    let over = ann.get(&red).await.words();
    assert!(over.contains("Blue's General has been removed: Red wins."), "{over}");
    assert!(ben.get("/").await.words().contains("Ann"));
    server.stop().await;
}

/// Without its key a database would show dead links; the server says so and does not start.
#[tokio::test]
async fn a_database_wants_its_own_key() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_owned();
    let server = Server::start_with(9, |settings| settings.data.clone_from(&data)).await;
    let opened = server.program("").post("/games", &json!({"name": "Ann"})).await;
    assert_eq!(opened.status, 201);
    server.stop().await;
    let again = Server::start_with(10, |settings| settings.data.clone_from(&data)).await;
    again.stop().await;
    std::fs::remove_file(data.join("server.key")).unwrap();
    let settings = crate::world::server::settings(&data);
    let error = App::build(settings, Clock::System, Chance::System).await.err().unwrap().to_string();
    assert!(error.contains("server.key"), "{error}");
}

#[tokio::test]
async fn two_programs_play_to_the_fall_of_a_general() {
    let server = Server::start(2).await;
    let anybody = server.program("");
    let opened = anybody.post("/games", &json!({"board": "classic", "side": "red", "name": "Ann"})).await;
    assert_eq!(opened.status, 201, "{}", opened.body);
    let opened = opened.json();
    let ann = server.program(opened["token"].as_str().unwrap());
    let invitation = json!({"token": opened["invitation_token"], "name": "Ben"});
    let taken = anybody.post("/invitations/take", &invitation).await;
    assert_eq!(taken.status, 201, "{}", taken.body);
    let ben = server.program(taken.json()["token"].as_str().unwrap());
    let game = opened["game"].as_str().unwrap();
    let (red, blue) = (format!("/games/{game}/red"), format!("/games/{game}/blue"));

    let sealed = ann.seals(&red, 0, &deployment(Side::Red, "balanced")).await.json();
    assert_eq!(sealed["resolved"], false);
    assert_eq!(ben.get(&blue).await.json()["opponent"]["sealed"]["seal"], sealed["seal"]);
    assert_eq!(ben.seals(&blue, 0, &exposed()).await.json()["resolved"], true);
    for (day, order) in (1..).zip(HUNT) {
        assert_eq!(ann.seals(&red, day, order).await.status, 200);
        let last = ben.seals(&blue, day, "").await.json();
        assert_eq!(last["resolved"], true);
        let lost_answer = ben.seals(&blue, day, "").await.json();
        assert_eq!(lost_answer, last, "a repeated sheet gets the same receipt");
    }
    let state = ann.get(&red).await.json();
    assert_eq!(state["ended"]["outcome"], "red_wins", "{state}");
    let day = ben.get(&format!("{blue}/days/2")).await.json();
    assert_eq!(day["report"]["confrontations"][0]["removed"], json!(["blue"]), "{day}");
    server.stop().await;
}
