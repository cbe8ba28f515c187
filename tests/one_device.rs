//! Both sides at one device, over HTTP: while one side sits there, nothing of the other is answered.

use fieldcommand::rules::Side;
use serde_json::json;

use crate::world::deployment;
use crate::world::server::{Answer, Browser, Server};

/// Everything below a seat's address, with the method that it takes.
const BELOW: [(&str, bool); 11] = [
    ("", false),
    ("?ready=hook", false),
    ("/check", false),
    ("/seal", false),
    ("/days/0", false),
    ("/resign", false),
    ("/check", true),
    ("/seal", true),
    ("/resign", true),
    ("/unseat", true),
    ("/address", true),
];

/// Sends a visitor on until a page comes, as browsers do.
async fn follow(browser: &Browser, path: &str) -> Answer {
    let mut answer = browser.get(path).await;
    for _ in 0..4 {
        if answer.status != 303 {
            break;
        }
        answer = browser.get(answer.location()).await;
    }
    answer
}

/// A seat that does not sit at the device: every address of it leads to the hand-over, and nothing is done.
async fn is_shut(browser: &Browser, seat: &str, hand_over: &str) {
    for (below, posts) in BELOW {
        let path = format!("{seat}{below}");
        let fields = [("turn", "1"), ("text", "hold"), ("address", "eve@example.org"), ("may_resolve", "1")];
        let answer = if posts { browser.post(&path, &fields).await } else { browser.get(&path).await };
        assert_eq!(answer.status, 303, "{path}: {}", answer.words());
        assert_eq!(answer.location(), hand_over, "{path}");
        assert_eq!(answer.body, "", "{path}");
        assert_eq!(answer.headers["cache-control"], "no-store", "{path}");
    }
}

fn forgets(answer: &Answer) {
    assert_eq!(answer.headers["clear-site-data"], "\"cache\"");
    assert_eq!(answer.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn a_day_at_one_device() {
    let server = Server::start(41).await;
    let device = server.browser();
    let red = device.post("/play", &[]).await.location().to_owned();
    let (blue, game) = (red.replace("/red", "/blue"), red.trim_end_matches("/red").to_owned());
    let hand_over = format!("{game}/hand-over");

    // The game runs: day 1 is open, and Red sits.
    let page = device.get(&red).await;
    assert_eq!(page.status, 200);
    assert!(page.words().contains("for day 1") && page.words().contains("stays where it is"), "{}", page.words());
    assert!(page.body.contains("Hand the device over") && !page.words().contains("You hold both seats"));
    assert!(page.body.contains("fresh.js") && !page.words().contains("Invite"));
    is_shut(&device, &blue, &hand_over).await;
    assert_eq!(device.get(&hand_over).await.location(), red);
    assert_eq!(device.get(&game).await.location(), hand_over);

    // Red seals. Nobody sits, and both seats are shut.
    let sealed = [("turn", "1"), ("text", "H7-G7")];
    let screen = device.sends(&format!("{red}/seal"), &sealed).await;
    assert_eq!(screen.location(), hand_over);
    let screen = device.get(&hand_over).await;
    forgets(&screen);
    assert!(screen.words().contains("Hand the device to Blue") && screen.words().contains("I am Blue"));
    assert!(!screen.body.contains("G7") && !screen.body.contains("/s/"), "{}", screen.body);
    is_shut(&device, &red, &hand_over).await;
    is_shut(&device, &blue, &hand_over).await;
    let home = device.get("/").await;
    assert_eq!(home.body.matches("on this device</span>").count(), 1, "{}", home.words());
    assert!(home.words().contains("Red and Blue on this device Day 1: hand over"), "{}", home.words());

    // Blue sits down, looks, hands back unsealed, and comes again.
    let taken = device.post(&hand_over, &[("side", "blue")]).await;
    forgets(&taken);
    assert_eq!(taken.location(), blue);
    let page = device.get(&blue).await;
    assert!(page.words().contains("Red has sealed") && !page.body.contains("H7-G7"), "{}", page.words());
    is_shut(&device, &red, &hand_over).await;
    let up = device.post(&hand_over, &[]).await;
    forgets(&up);
    assert_eq!(up.location(), format!("{hand_over}?to=red"));
    assert!(device.get(up.location()).await.words().contains("Hand the device to Red"));
    assert!(device.sends(&hand_over, &[("side", "red")]).await.body.contains("H7-G7"));
    device.sends(&hand_over, &[("side", "blue")]).await;

    // The second seal resolves the day, and the report is there for both, at the side that sits.
    let sealed = [("turn", "1"), ("text", "E4-E5"), ("may_resolve", "1")];
    let report = device.sends(&format!("{blue}/seal"), &sealed).await;
    assert!(report.words().contains("Day 1") && report.body.contains("H7-G7"), "{}", report.words());
    assert_eq!(device.get(&format!("{game}/days/1")).await.location(), format!("{blue}/days/1"));
    assert!(follow(&device, &format!("{red}/days/1")).await.words().contains("Blue"));
    assert!(device.get("/").await.words().contains("Day 1: watch"));
    device.sends(&format!("{blue}/days/1/seen"), &[]).await;
    assert!(device.get("/").await.words().contains("Day 2: Blue to write"), "watched by both at once");
    assert_eq!(device.post(&hand_over, &[("side", "green")]).await.status, 422);
    server.stop().await;
}

#[tokio::test]
async fn strangers_programs_and_single_seats_are_not_at_the_device() {
    let server = Server::start(42).await;
    let device = server.browser();
    let fields = [
        ("one_device", "1"),
        ("name", "Ann"),
        ("other_name", "Ben"),
        ("board", "ridge"),
        ("side", "blue"),
        ("limit", "12"),
    ];
    let blue = device.post("/games", &fields).await.location().to_owned();
    assert!(blue.ends_with("/blue"));
    let (red, game) = (blue.replace("/blue", "/red"), blue.trim_end_matches("/blue").to_owned());
    let hand_over = format!("{game}/hand-over");
    let page = device.get(&blue).await;
    assert!(page.words().contains("Ann against Ben") && !page.words().contains("Free Red"), "{}", page.words());
    assert_eq!(device.post(&format!("{blue}/unseat"), &[]).await.status, 404, "nobody is unseated at one device");

    let stranger = server.browser();
    for path in [&red, &blue, &game] {
        assert_eq!(stranger.get(path).await.status, 404);
    }
    assert_eq!(follow(&stranger, &hand_over).await.status, 404);
    assert_eq!(stranger.post(&hand_over, &[("side", "red")]).await.status, 404);

    // A telephone that holds Blue's seat alone has proven it, and cannot turn the device.
    let link = page.link("/s/");
    let phone = server.browser();
    assert_eq!(follow(&phone, &link).await.status, 200);
    device.sends(&hand_over, &[("side", "red")]).await;
    assert_eq!(phone.get(&blue).await.status, 200);
    assert_eq!(phone.get(&red).await.status, 404);
    assert_eq!(phone.post(&hand_over, &[("side", "blue")]).await.status, 404);
    assert!(!phone.get(&blue).await.words().contains("Hand the device over"));
    assert!(phone.get("/").await.words().contains("Ann against Ben"));

    // So has a program; its seal leaves Red in peace.
    let program = server.program(link.trim_start_matches("/s/"));
    let sealed = program.seals(&blue, 0, &deployment(Side::Blue, "hook")).await;
    assert_eq!(sealed.json()["resolved"], json!(false), "{}", sealed.body);
    assert_eq!(device.get(&red).await.status, 200);
    let sheet = deployment(Side::Red, "hook");
    let report = device.sends(&format!("{red}/seal"), &[("turn", "0"), ("text", &sheet), ("may_resolve", "1")]).await;
    assert!(report.words().contains("Deployment"), "{}", report.words());

    // A name that is too long opens nothing, and the form says at which one.
    let long = "x".repeat(41);
    let wrong =
        [("one_device", "1"), ("other_name", long.as_str()), ("board", "classic"), ("side", "red"), ("limit", "12")];
    let answer = device.post("/games", &wrong).await;
    assert_eq!(answer.status, 422);
    assert!(answer.body.contains("id=\"other_name-error\""), "{}", answer.words());
    server.stop().await;
}
