//! Watching days in real browsers: a day is played to its end by its button, played again, walked through by
//! keyboard, and the next one follows; with and without motion, by day and by night.
//!
//! With `FIELDCOMMAND_SCREENSHOTS` set to a folder, the steps are photographed in the middle of their motion.

use std::time::Duration;

use fantoccini::Locator;
use fieldcommand::rules::Side;
use serde_json::json;

use crate::browser::Window;
use crate::world::server::Server;
use crate::world::{HUNT, deployment, exposed};

/// A game of two days; on the second Blue's General falls. Gives the links to both seats.
async fn fought(server: &Server) -> [String; 2] {
    let opened = server.program("").post("/games", &json!({"side": "red", "name": "Ann"})).await.json();
    let invitation = json!({"token": opened["invitation_token"], "name": "Ben"});
    let taken = server.program("").post("/invitations/take", &invitation).await.json();
    let [red, blue] = [&opened, &taken].map(|answer| answer["token"].as_str().unwrap().to_owned());
    let game = opened["game"].as_str().unwrap();
    let sheets = [
        (deployment(Side::Red, "balanced"), exposed()),
        (
            format!("I2 {}, h7-f7 h8-g7\nG8 F8\nG9-E8 I5-F5 J4-I5\nG10-A1", HUNT[0]),
            "E3-G3 D5-E5 C8-D8 D6-F6 E2-G2".to_owned(),
        ),
        (format!("{}, f7-e7 G7-F6 F8-D8", HUNT[1]), "D8-E8 F6-G6".to_owned()),
    ];
    for (turn, (reds, blues)) in (0..).zip(sheets) {
        for (token, side, text) in [(&red, "red", reds), (&blue, "blue", blues)] {
            let sealed = server.program(token).seals(&format!("/games/{game}/{side}"), turn, &text).await;
            assert_eq!(sealed.status, 200, "{}", sealed.body);
        }
    }
    [red, blue].map(|token| format!("{}/s/{token}", server.url))
}

impl Window {
    /// Waits until a step is the one that is shown.
    async fn step(&self, key: &str) {
        let mark = format!("[data-of={key}][aria-current]");
        let wait = self.client.wait().at_most(Duration::from_secs(20));
        assert!(wait.for_element(Locator::Css(&mark)).await.is_ok(), "{key} does not come: {}", self.words().await);
    }

    /// Photographs a step in the middle of its motion.
    async fn halfway(&self, key: &str, name: &str) {
        self.step(key).await;
        if std::env::var("FIELDCOMMAND_SCREENSHOTS").is_ok() {
            let all = "const all = document.querySelector('[data-player] svg').getAnimations({subtree: true});";
            let stop = format!("{all} for (const one of all) {{ one.pause(); one.currentTime = 420; }}");
            self.client.execute(&stop, Vec::new()).await.unwrap();
            self.shot(name).await;
            self.client.execute(&format!("{all} for (const one of all) one.play();"), Vec::new()).await.unwrap();
        }
    }

    async fn key(&self, key: char) {
        self.client.active_element().await.unwrap().send_keys(&key.to_string()).await.unwrap();
    }

    /// The transform of a unit that moves on the first day, as it is drawn now.
    async fn stands(&self) -> String {
        let script = "return document.querySelector('[data-player] [data-dx]').style.transform";
        self.client.execute(script, Vec::new()).await.unwrap().as_str().unwrap_or_default().to_owned()
    }
}

/// One window watches both days.
async fn watches(window: &Window, link: &str) {
    window.goto(link).await;
    window.says("Straight to the result").await;
    assert!(!window.words().await.contains("units left"), "{}", window.words().await);
    window.shot("40-unwatched").await;
    let dawn = window.stands().await;
    window.press("Play").await;
    for (step, shot) in [
        ("orders", "41-orders"),
        ("moves", "42-moves"),
        ("confrontations", "43-confrontations"),
        ("artillery", "44-artillery"),
    ] {
        window.halfway(step, shot).await;
    }
    window.step("end").await;
    window.says("Next: day 2").await;
    window.says("Both sheets and their seals").await;
    window.shot("45-watched").await;
    assert_ne!(window.stands().await, dawn);
    let first = window.client.current_url().await.unwrap();

    // Again, and by keyboard: on, back, stopped on the way, to the end.
    window.press("Replay").await;
    window.step("orders").await;
    window.press("Pause").await;
    for (key, step) in
        [('\u{e014}', "moves"), ('\u{e014}', "confrontations"), ('\u{e012}', "moves"), ('\u{e010}', "end")]
    {
        window.key(key).await;
        window.step(step).await;
    }
    window.key('\u{e011}').await;
    window.step("orders").await;
    assert_eq!(window.client.current_url().await.unwrap(), first);

    window.press("Next: day 2").await;
    window.says("Straight to the result").await;
    assert!(!window.words().await.contains("Red wins"));
    window.press("Play").await;
    for (step, shot) in [("moves", "46-moves"), ("confrontations", "47-confrontations"), ("artillery", "48-artillery")]
    {
        window.halfway(step, shot).await;
    }
    window.press("Straight to the result").await;
    window.says("Red wins").await;
    window.says("To your seat").await;
    window.shot("49-last-day").await;
    let day = window.client.current_url().await.unwrap().to_string();
    window.goto(&day.replace("/days/2", "/story")).await;
    window.says("The whole game").await;
    window.shot("50-story").await;
}

#[tokio::test]
async fn a_day_is_watched_and_then_the_next() {
    let server = Server::start(77).await;
    let links = fought(&server).await;
    let (desk, phone) = (Window::open("desk", 1280, 1000).await, Window::open("phone", 390, 844).await);
    watches(&desk, &links[0]).await;
    watches(&phone, &links[1]).await;
    desk.close().await;
    phone.close().await;
    server.stop().await;
}

/// By night and without motion: the steps follow one another all the same.
#[tokio::test]
async fn a_day_is_watched_without_motion() {
    let server = Server::start(78).await;
    let links = fought(&server).await;
    let switches = ["--force-prefers-reduced-motion", "--blink-settings=preferredColorScheme=0"];
    for (link, name, width) in [(&links[0], "night-desk", 1280), (&links[1], "night-phone", 390)] {
        let window = Window::open_with(name, width, 900, &switches).await;
        watches(&window, link).await;
        window.close().await;
    }
    server.stop().await;
}
