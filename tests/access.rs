//! Whether everybody can play: axe-core finds nothing to complain of on any page, a whole game is played from the browser's
//! accessibility tree by keyboard alone, and the page of a game is small.

use std::time::Duration;

use fieldcommand::cli::settings::WebhooksTo;
use fieldcommand::play::admin::Scope;
use fieldcommand::rules::Side;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use serde_json::{Value, json};

use crate::admin_api;
use crate::browser::Window;
use crate::hands::key;
use crate::world::game::Game;
use crate::world::server::Server;
use crate::world::{HUNT, exposed, mailbox};

/// axe-core, see `tests/vendor/axe/README.md`.
const AXE: &str = include_str!("vendor/axe/axe.min.js");

/// Runs axe-core over the page by day and by night, photographs both, and gathers what it complains of.
async fn examines(window: &Window, page: &str, complaints: &mut Vec<String>) {
    // The script is run by the driver, so the pages' own policy does not see it.
    window.client.execute(AXE, Vec::new()).await.unwrap();
    let run = "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations.map((one) => \
               one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).join(' · '))), (error) => done([String(error)]))";
    for scheme in ["light", "dark"] {
        window.wishes("prefers-color-scheme", scheme).await;
        let found = window.client.execute_async(run, Vec::new()).await.unwrap();
        let found = found.as_array().unwrap().iter().map(|one| format!("{page}, {scheme}: {}", one.as_str().unwrap()));
        complaints.extend(found);
        window.shot(&format!("axe-{page}-{scheme}")).await;
    }
}

/// All pages, one after the other, with a game that is being deployed and one that is being fought.
async fn goes_round(window: &Window, server: &Server, complaints: &mut Vec<String>) {
    let fresh = Game::opened(server).await;
    let fought = Game::deployed(server).await;
    let over = Game::deployed(server).await;
    for (day, orders) in (1..).zip(HUNT) {
        over.seals(server, Side::Red, day, orders).await;
        over.seals(server, Side::Blue, day, "").await;
    }
    let waiting = server.program("").post("/games", &json!({"side": "red", "name": "Ann"})).await.json();
    let invitation = format!("/i/{}", waiting["invitation_token"].as_str().unwrap());
    let timed = json!({"side": "red", "pace": {"kind": "span", "hours": 72, "first_hours": 72}, "terms": {"second_thoughts": 10}});
    let timed = server.program("").post("/games", &timed).await.json();
    let taken = json!({"token": timed["invitation_token"], "name": "Ben"});
    let taken = server.program("").post("/invitations/take", &taken).await.json();
    let blue = format!("/games/{}/blue", timed["game"].as_str().unwrap());
    let away = json!({"until_at": "2099-01-01T00:00:00Z"});
    let blue_player = server.program(taken["token"].as_str().unwrap());
    assert_eq!(blue_player.post(&format!("{blue}/absences"), &away).await.status, 422);
    window.goto(&format!("{}/s/{}", server.url, timed["token"].as_str().unwrap())).await;
    examines(window, "timed-game", complaints).await;
    window.goto(&format!("{}{}/time", server.url, blue.replace("/blue", "/red"))).await;
    examines(window, "time", complaints).await;
    let public = json!({"side": "red", "name": "Cleo", "public": true, "challenge_days": 7});
    let public = server.program("").post("/games", &public).await.json();
    let looked_at = format!("/games/{}", public["game"].as_str().unwrap());
    let challenge = looked_at.replace("/games/", "/lobby/");
    for (path, page) in [
        ("/", "home"),
        ("/games/new", "new-game"),
        ("/games/adopt", "adopt"),
        ("/analyse", "analyse"),
        ("/rules", "rules"),
        ("/by-mail", "by-mail"),
        ("/learn", "learn"),
        ("/learn/swap", "lesson"),
        ("/nowhere", "error"),
        ("/games", "public-games"),
        ("/games/archive", "archive"),
        ("/lobby", "lobby"),
        (&*looked_at, "spectator"),
        (&*challenge, "challenge"),
        ("/games/0000nosuch00", "code"),
        ("/sign-in", "sign-in"),
        ("/sign-in?sent=1", "sign-in-sent"),
        (&*invitation, "invitation"),
    ] {
        window.goto(&format!("{}{path}", server.url)).await;
        examines(window, page, complaints).await;
    }
    replays(window, server, complaints).await;
    agrees(window, server, complaints).await;
    deploys(window, server, &fresh, complaints).await;
    orders(window, server, &fought, complaints).await;
    looks_back(window, server, &over, complaints).await;
    window.goto(&server.url).await;
    examines(window, "home-with-games", complaints).await;
    window.press("Play the computer").await;
    window.says("Place your 40 units").await;
    window.says("is played by the computer, level easy").await;
    examines(window, "computer", complaints).await;
    window.goto(&server.url).await;
    window.press("Play now on this device").await;
    window.says("for day 1").await;
    examines(window, "one-device", complaints).await;
    window.press("Hand the device over").await;
    window.says("Hand the device to").await;
    examines(window, "hand-over", complaints).await;
    signs_in(window, server, &waiting, complaints).await;
    mends(window, server, &fought, complaints).await;
}

/// An organiser's desk: what wants attention, a game, and an act that is asked about.
async fn mends(window: &Window, server: &Server, game: &Game, complaints: &mut Vec<String>) {
    let token = admin_api::token(server.data(), None, Scope::Owner).await;
    let desk = server.program(&token);
    let hook = desk.post("/admin/webhooks", &json!({"reason": "r", "url": "http://127.0.0.1:9/hook"})).await;
    let hook = hook.json()["act"]["about"].as_str().unwrap().split(' ').nth(1).unwrap().to_owned();
    desk.post(&format!("/admin/webhooks/{hook}/test"), &json!({"reason": "r"})).await;
    desk.post("/admin/blocks", &json!({"reason": "Insults.", "note": "r", "address": "m@example.org"})).await;
    window.goto(&format!("{}/admin/sign-in", server.url)).await;
    examines(window, "desk-sign-in", complaints).await;
    window.types("token", &token).await;
    window.press("Sign in").await;
    window.says("Letters that were given up").await;
    examines(window, "desk", complaints).await;
    let of_game = format!("/admin/games/{}", game.id);
    for (path, page) in [
        ("/admin/games", "desk-games"),
        ("/admin/letters", "desk-letters"),
        ("/admin/mails", "desk-mails"),
        ("/admin/people?who=ann%40example.org", "desk-people"),
        ("/admin/people?who=m%40example.org", "desk-blocked"),
        ("/admin/blocks", "desk-blocks"),
        ("/admin/webhooks", "desk-webhooks"),
        (&*of_game, "desk-game"),
    ] {
        window.goto(&format!("{}{path}", server.url)).await;
        examines(window, page, complaints).await;
        window.fits().await;
    }
    window.press("Cancel the game").await;
    window.says("ends without a result").await;
    examines(window, "desk-act", complaints).await;
    window.types("reason", "Both asked for it.").await;
    window.press("Cancel the game").await;
    window.says("Reason: Both asked for it.").await;
    examines(window, "desk-game-after", complaints).await;
    window.goto(&format!("{}/admin/log", server.url)).await;
    examines(window, "desk-log", complaints).await;
    window.goto(&format!("{}/admin", server.url)).await;
    window.press("Open a game for two people").await;
    window.says("each is mailed the way to their seat").await;
    examines(window, "desk-open", complaints).await;
    window.goto(&format!("{}/admin/webhooks", server.url)).await;
    window.press("Renew its secret").await;
    window.types("reason", "It was read aloud.").await;
    window.press("Renew it").await;
    window.says("I have noted it").await;
    examines(window, "desk-secret", complaints).await;
    window.goto(&format!("{}/admin/boards", server.url)).await;
    window.press("Offer a board").await;
    let row = "1f 1o 1o 2o 3o 2f 3o 2o 1o 1o 1f\n";
    window.types("alias", "steppe").await;
    window.types("name", "Steppe").await;
    let write = "document.getElementById('board').value = arguments[0]";
    window.client.execute(write, vec![row.repeat(11).into()]).await.unwrap();
    window.types("reason", "For the league.").await;
    examines(window, "desk-board", complaints).await;
    window.press("Show it").await;
    window.says("It is the same from both sides.").await;
    examines(window, "desk-board-shown", complaints).await;
    window.fits().await;
    window.press("Offer it").await;
    window.says("Offered since").await;
    examines(window, "desk-boards", complaints).await;
    window.fits().await;
}

/// A record that holds and one that was changed, a day of each.
async fn replays(window: &Window, server: &Server, complaints: &mut Vec<String>) {
    let record = include_str!("cases/replays/feint.json");
    let changed = record.replacen("\"how\": \"sealed\"", "\"how\": \"missed\"", 1);
    for (text, said, page) in [(record, "The record holds", "record"), (&*changed, "does not hold", "record-changed")] {
        window.goto(&format!("{}/analyse", server.url)).await;
        let write = "document.getElementById('record').value = arguments[0]";
        window.client.execute(write, vec![text.into()]).await.unwrap();
        window.press("Show it").await;
        window.says(said).await;
        examines(window, page, complaints).await;
        window.press("Day 1").await;
        window.says("Before, with both sides’ sheets.").await;
        examines(window, &format!("{page}-day"), complaints).await;
    }
}

/// Ann signs in, looks at her settings and asks what would be deleted.
async fn signs_in(window: &Window, server: &Server, game: &Value, complaints: &mut Vec<String>) {
    let ann = server.browser();
    let (token, id) = (game["token"].as_str().unwrap(), game["game"].as_str().unwrap());
    ann.get(&format!("/s/{token}")).await;
    ann.post(&format!("/games/{id}/red/address"), &[("address", "ann@example.org")]).await;
    let letter = mailbox::letters_of(server.data(), 1).await.pop().unwrap();
    ann.post(&format!("/m/{}", mailbox::mailed_link(&letter).unwrap().reveal()), &[]).await;
    ann.post("/sign-in", &[("address", "ann@example.org")]).await;
    let letter = mailbox::letters_of(server.data(), 2).await.pop().unwrap();
    window.goto(&format!("{}/m/{}", server.url, mailbox::mailed_link(&letter).unwrap().reveal())).await;
    examines(window, "sign-in-link", complaints).await;
    window.press("Sign in here").await;
    window.says("Signed in as").await;
    examines(window, "home-signed-in", complaints).await;
    for (path, page) in
        [("/me", "settings"), ("/me/delete", "delete"), (&*format!("/games/{id}/red/link"), "seat-link")]
    {
        window.goto(&format!("{}{path}", server.url)).await;
        examines(window, page, complaints).await;
    }
}

/// What the two may agree on, before it is offered and after.
async fn agrees(window: &Window, server: &Server, complaints: &mut Vec<String>) {
    let game = Game::deployed(server).await;
    for side in Side::BOTH {
        game.seals(server, side, 1, "").await;
    }
    let ann = server.browser();
    ann.get(game.link(server, Side::Red).strip_prefix(&server.url).unwrap()).await;
    ann.sends(&format!("{}/days/1/seen", game.seat(server, Side::Red).strip_prefix(&server.url).unwrap()), &[]).await;
    window.goto(&game.link(server, Side::Red)).await;
    for page in ["draw", "continue"] {
        window.goto(&format!("{}/{page}", game.seat(server, Side::Red))).await;
        examines(window, page, complaints).await;
        window.press("Offer it").await;
        window.says("You offer").await;
    }
    examines(window, "offers", complaints).await;
}

async fn deploys(window: &Window, server: &Server, game: &Game, complaints: &mut Vec<String>) {
    window.goto(&game.link(server, Side::Red)).await;
    window.says("Place 40 more").await;
    examines(window, "deployment-empty", complaints).await;
    window.taps("#take-AR").await;
    window.says("Artillery in hand").await;
    examines(window, "deployment-held", complaints).await;
    window.taps("[value='ready balanced']").await;
    window.says("Seal this deployment").await;
    examines(window, "deployment", complaints).await;
    window.taps("#seal").await;
    window.says("Sealed. Waiting").await;
    examines(window, "sealed", complaints).await;
}

async fn orders(window: &Window, server: &Server, game: &Game, complaints: &mut Vec<String>) {
    window.goto(&game.link(server, Side::Red)).await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.says("0 of 12 orders").await;
    examines(window, "orders", complaints).await;
    writes(window, "H7-F7\nG8-H8").await;
    window.says("2 of 12 orders").await;
    window.taps("#at-G9").await;
    window.awaits("document.querySelector('#at-G9.held') && document.querySelector('#zoom button')").await;
    examines(window, "orders-held-illegal", complaints).await;
    writes(window, "H7-F7\nnonsense").await;
    window.says("nonsense").await;
    examines(window, "orders-unreadable", complaints).await;
    writes(window, "H7-F7\nG8-H8").await;
    window.says("2 of 12 orders").await;
    window.goto(&format!("{}?ask=near+H7", game.seat(server, Side::Red))).await;
    examines(window, "orders-asked", complaints).await;
    let form = "const form = document.getElementById('table'); form.action = form.action.replace(/table$/, 'check'); form.submit()";
    window.client.execute(form, Vec::new()).await.unwrap();
    window.says("Back to your seat").await;
    examines(window, "check", complaints).await;
    window.goto(&format!("{}/what-if", game.seat(server, Side::Red))).await;
    window.taps("[value=play]").await;
    window.says("As it would come out").await;
    examines(window, "what-if", complaints).await;
    window.goto(&format!("{}/messages", game.seat(server, Side::Red))).await;
    examines(window, "messages", complaints).await;
    window.goto(&format!("{}/letters", game.seat(server, Side::Red))).await;
    examines(window, "letters", complaints).await;
    window.goto(&format!("{}/resign", game.seat(server, Side::Red))).await;
    examines(window, "resign", complaints).await;
    hooks(window, server, game, complaints).await;
}

/// The webhooks of a seat: none, one that fails, a form that cannot be taken, a secret.
async fn hooks(window: &Window, server: &Server, game: &Game, complaints: &mut Vec<String>) {
    let page = format!("{}/webhooks", game.seat(server, Side::Red));
    window.goto(&page).await;
    examines(window, "webhooks-none", complaints).await;
    window.types("url", "http://127.0.0.1:9/hook-of-a-program-with-a-long-name?and=something-behind-it").await;
    window.press("Set it up").await;
    window.says("I have noted it").await;
    examines(window, "webhook-secret", complaints).await;
    window.fits().await;
    window.press("I have noted it").await;
    window.press("Send a test").await;
    window.says("What it was told last").await;
    window.types("url", "ftp://example.org/").await;
    window.press("Set it up").await;
    window.says("The URL").await;
    window.awaits("document.querySelector('.card-box details').open = true").await;
    examines(window, "webhooks", complaints).await;
    window.fits().await;
}

/// Writes a sheet as text.
async fn writes(window: &Window, text: &str) {
    window.awaits("document.getElementById('as-text').open = true").await;
    let write = "const text = document.getElementById('text'); text.focus(); text.value = arguments[0]; text.dispatchEvent(new Event('input', {bubbles: true}))";
    window.client.execute(write, vec![text.into()]).await.unwrap();
}

async fn looks_back(window: &Window, server: &Server, game: &Game, complaints: &mut Vec<String>) {
    window.goto(&game.link(server, Side::Blue)).await;
    window.goto(&game.seat(server, Side::Blue)).await;
    window.says("Straight to the result").await;
    examines(window, "day-unwatched", complaints).await;
    window.press("Straight to the result").await;
    window.says("Both sheets and their seals").await;
    examines(window, "day-watched", complaints).await;
    window.goto(&game.seat(server, Side::Blue)).await;
    window.press("Straight to the result").await;
    window.says("Red wins").await;
    window.says("Both sheets and their seals").await;
    window.goto(&game.seat(server, Side::Blue)).await;
    window.says("You have lost").await;
    examines(window, "over", complaints).await;
    window.goto(&format!("{}/days/1", game.seat(server, Side::Blue))).await;
    window.press("What would the computer have written?").await;
    window.says("What the computer would have written for Blue").await;
    examines(window, "hint", complaints).await;
    window.goto(&format!("{}/story", game.seat(server, Side::Blue))).await;
    examines(window, "story", complaints).await;
}

/// Goes round in a window of a width.
async fn finds_nothing(seed: u64, width: u32, height: u32) {
    let server = Server::start_with(seed, |settings| {
        settings.answers_to = Some("play@example.org".into());
        settings.webhooks_to = WebhooksTo::Private;
    })
    .await;
    let mut complaints = Vec::new();
    let window = Window::open("axe", width, height).await;
    goes_round(&window, &server, &mut complaints).await;
    window.close().await;
    server.stop().await;
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[tokio::test]
async fn axe_finds_nothing_to_complain_of_at_a_desk() {
    finds_nothing(301, 1280, 1000).await;
}

#[tokio::test]
async fn axe_finds_nothing_to_complain_of_on_a_phone() {
    finds_nothing(304, 390, 844).await;
}

/// Somebody who has nothing but the accessibility tree and a keyboard.
struct Reader {
    window: Window,
}

/// A thing of the tree: its role and its name.
fn thing(node: &Value) -> (String, String) {
    let word = |what: &str| node[what]["value"].as_str().unwrap_or_default().to_owned();
    (word("role"), word("name"))
}

impl Reader {
    async fn at(name: &str, width: u32, height: u32) -> Reader {
        let window = Window::open(name, width, height).await;
        window.cdp("Accessibility.enable", json!({})).await;
        Reader { window }
    }

    async fn tree(&self) -> Vec<Value> {
        let mut tree = self.window.cdp("Accessibility.getFullAXTree", json!({})).await;
        let nodes = tree["nodes"].take();
        nodes.as_array().unwrap().iter().filter(|node| node["ignored"] != true).cloned().collect()
    }

    /// All that can be read, a line each.
    async fn words(&self) -> String {
        let nodes = self.tree().await;
        let words: Vec<String> = nodes.iter().map(|node| thing(node).1).filter(|name| !name.is_empty()).collect();
        words.join("\n")
    }

    async fn hears(&self, words: &str) {
        for _ in 0..200 {
            if self.words().await.contains(words) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing says “{words}” in: {}", self.words().await);
    }

    /// Waits until nothing says so any more.
    async fn lacks(&self, words: &str) {
        for _ in 0..100 {
            if !self.words().await.contains(words) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("“{words}” is still there: {}", self.words().await);
    }

    /// What has the focus, as the tree has it.
    async fn focused(&self) -> (String, String) {
        let found = json!({"expression": "document.activeElement"});
        let found = self.window.cdp("Runtime.evaluate", found).await;
        let only = json!({"objectId": found["result"]["objectId"], "fetchRelatives": false});
        let tree = self.window.cdp("Accessibility.getPartialAXTree", only).await;
        tree["nodes"].get(0).map(thing).unwrap_or_default()
    }

    /// Presses keys and waits until the focus has gone elsewhere.
    async fn moves(&self, keys: &str) -> (String, String) {
        let before = self.focused().await;
        self.window.keys(keys).await;
        let mut now = self.focused().await;
        for _ in 0..20 {
            if now != before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            now = self.focused().await;
        }
        now
    }

    /// Goes to something by the Tab key, forwards and round the page if need be.
    async fn reaches(&self, role: &str, name: &str) {
        self.hears(name).await;
        let is = |(have, called): &(String, String)| have == role && called.contains(name);
        if is(&self.focused().await) {
            return;
        }
        let mut passed = Vec::new();
        for _ in 0..140 {
            let now = self.moves(&key::TAB.to_string()).await;
            if is(&now) {
                return;
            }
            passed.push(format!("{} “{}”", now.0, now.1));
        }
        panic!("the Tab key reaches no {role} “{name}”: {}", passed.join(", "));
    }

    async fn presses(&self, role: &str, name: &str) {
        self.reaches(role, name).await;
        self.window.keys(&key::ENTER.to_string()).await;
    }

    /// Goes to a position of the board by its name; the board is where the focus is.
    async fn jumps(&self, position: &str, called: &str) {
        self.window.keys(&position.to_lowercase()).await;
        for _ in 0..50 {
            let (role, name) = self.focused().await;
            if role == "gridcell" && name.starts_with(&format!("{position}, ")) {
                assert!(name.ends_with(called), "{name}");
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{position} is not reached: {:?}", self.focused().await);
    }

    /// Presses Enter on the board and waits for what is said.
    async fn touches(&self, said: &str) {
        self.window.keys(&key::ENTER.to_string()).await;
        self.hears(said).await;
    }

    /// The board is one stop of the Tab key, in both directions.
    async fn passes_the_board(&self) {
        self.reaches("gridcell", "").await;
        let (role, name) = self.moves(&key::TAB.to_string()).await;
        assert_ne!(role, "gridcell", "the board is more than one stop: {name}");
        let back = self.moves(&format!("{}{}", key::SHIFT, key::TAB)).await;
        assert_eq!(back.0, "gridcell");
        let before = self.moves(&format!("{}{}", key::SHIFT, key::TAB)).await;
        assert_ne!(before.0, "gridcell", "the board is more than one stop: {}", before.1);
    }
}

/// From the home page to both armies on the board; gives Blue's window and his seat.
async fn both_deploy(server: &Server, ann: &Reader, ben: &Reader) {
    ann.window.goto(&server.url).await;
    ann.presses("link", "New game").await;
    ann.hears("Your side").await;
    ann.reaches("textbox", "Your name").await;
    ann.window.keys("Ann").await;
    ann.presses("button", "Open the game").await;
    ann.hears("Invite your opponent").await;
    let invitation = ann.window.link("/i/").await;

    ben.window.goto(&format!("{}{invitation}", server.url)).await;
    ben.reaches("textbox", "Your name").await;
    ben.window.keys("Ben").await;
    ben.presses("button", "Take ").await;
    ben.hears("Place your 40 units").await;
    // Who has come is on the other page without a reload, and nobody is invited any more.
    ann.hears("Ann against Ben").await;
    ann.lacks("Invite your opponent").await;
}

#[tokio::test]
async fn a_whole_game_from_the_accessibility_tree_by_keyboard_alone() {
    let server = Server::start(302).await;
    let (ann, ben) = (Reader::at("keys-red", 1280, 1000).await, Reader::at("keys-blue", 390, 844).await);
    both_deploy(&server, &ann, &ben).await;
    // The sides were not chosen, so who is who is read from the page.
    let (red, blue) = if ann.words().await.contains("Red’s seat is yours")
        || ann.window.client.title().await.unwrap().contains("Red ·")
    {
        (ann, ben)
    } else {
        (ben, ann)
    };

    red.presses("button", "Balanced").await;
    red.presses("button", "Seal this deployment").await;
    red.hears("Sealed. Waiting for").await;
    assert_eq!(red.focused().await, ("heading".into(), "Sealed. Waiting for Blue.".into()), "the focus is on the news");

    blue.presses("button", "Balanced").await;
    blue.hears("40 of 40 units placed").await;
    blue.hears("Red has sealed").await;
    blue.passes_the_board().await;
    blue.reaches("gridcell", "").await;
    blue.jumps("A1", "your General").await;
    blue.touches("General on A1 in hand.").await;
    blue.jumps("E4", "your 2nd Infantry").await;
    blue.touches("General on E4, 2nd Infantry on A1").await;
    blue.presses("button", "and begin").await;
    blue.hears("On to the next turn").await;

    assert!(exposed().contains("GN E4"));
    for (turn, hunt) in (1..).zip(HUNT) {
        day(&red, &blue, turn, hunt).await;
    }
    for reader in [red, blue] {
        reader.hears("Red wins").await;
        reader.presses("link", "To your seat").await;
        reader.hears("Blue's General has been removed: Red wins.").await;
        reader.window.close().await;
    }
    server.stop().await;
}

/// Goes from a day that was told, or from news of it, to the seat.
async fn to_the_seat(reader: &Reader, turn: u32) {
    let ask = format!("Write up to 12 orders for day {turn}");
    if reader.words().await.contains("On to the next turn") {
        reader.presses("link", "On to the next turn").await;
    } else {
        reader.presses("link", "There is news: look").await;
    }
    reader.hears(&ask).await;
}

/// Both write a day and look at it.
async fn day(red: &Reader, blue: &Reader, turn: u32, hunt: &str) {
    let (from, to) = hunt.split_once('-').unwrap();
    to_the_seat(red, turn).await;
    red.passes_the_board().await;
    red.reaches("gridcell", "").await;
    red.jumps(from, "your 2nd Infantry").await;
    red.touches(&format!("2nd Infantry on {from}: choose where it shall go.")).await;
    // Two steps up, as the eye would go.
    red.moves(&key::UP.to_string()).await;
    let (role, name) = red.moves(&key::UP.to_string()).await;
    assert!(role == "gridcell" && name.starts_with(&format!("{to}, ")) && name.contains(", in reach: "), "{name}");
    red.touches("1 of 12 orders").await;
    assert_eq!(red.focused().await.0, "gridcell", "the place on the board is kept");

    // A unit that is let go, and an order that is dropped again.
    red.jumps("H7", "your 2nd Infantry").await;
    red.touches("2nd Infantry on H7: choose where it shall go.").await;
    red.window.keys(&key::ESCAPE.to_string()).await;
    red.lacks(", in reach: ").await;
    red.touches("2nd Infantry on H7: choose where it shall go.").await;
    red.jumps("G7", "in reach: free").await;
    red.touches("2 of 12 orders").await;
    red.presses("button", "Drop H7-G7").await;
    red.hears("1 of 12 orders").await;
    let (role, name) = red.focused().await;
    assert!(role == "button" && name.starts_with("Drop "), "the focus stays in the list: {role} {name}");

    // A question, in words.
    red.reaches("textbox", "Question").await;
    red.window.keys(&format!("row {}{}", &to[..1], key::ENTER)).await;
    red.hears(&format!("{}6, ", &to[..1])).await;
    red.presses("button", "Seal 1 order").await;
    red.hears("Sealed. Waiting for Blue.").await;

    to_the_seat(blue, turn).await;
    blue.presses("button", &format!("Seal an empty list and resolve day {turn}")).await;
    for reader in [blue, red] {
        if reader.words().await.contains("Your sealed orders") {
            reader.presses("link", "There is news: look").await;
        }
        reader.presses("button", "Straight to the result").await;
        reader.hears("Both sheets and their seals").await;
        reader.hears(hunt).await;
    }
}

/// What a browser fetches for a page, as bytes on the wire: heads, and bodies as they are packed.
async fn weighs(client: &reqwest::Client, address: &str) -> (usize, String) {
    let answer = client.get(address).header(ACCEPT_ENCODING, "br").send().await.unwrap();
    assert_eq!(answer.status(), 200, "{address}");
    let packed = answer.headers().contains_key(CONTENT_ENCODING);
    let head: usize = answer.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    let body = answer.bytes().await.unwrap();
    let mut text = Vec::new();
    if packed {
        std::io::Read::read_to_end(&mut brotli::Decompressor::new(&*body, 4096), &mut text).unwrap();
    } else {
        text.extend_from_slice(&body);
    }
    (head + body.len(), String::from_utf8_lossy(&text).into_owned())
}

#[tokio::test]
async fn the_page_of_a_game_is_small() {
    let server = Server::start(303).await;
    let game = Game::deployed(&server).await;
    let client = reqwest::Client::builder().cookie_store(true).build().unwrap();
    client.get(game.link(&server, Side::Red)).send().await.unwrap();
    let seat = game.seat(&server, Side::Red);
    let sheet = "H7-F7 H6-H7 G8-F8 I4-G4 G9-F9 G10-F10 G11-F11 I5-H5 J1-I1 J2-I2 J3-I3 I6-G6".replace(' ', "%0A");
    let form = "application/x-www-form-urlencoded";
    let written =
        client.post(format!("{seat}/table")).header("content-type", form).body(format!("turn=1&text={sheet}"));
    assert_eq!(written.send().await.unwrap().status(), 200);

    let (mut bytes, page) = weighs(&client, &seat).await;
    assert!(page.contains("12 of 12 orders") && page.matches("class=\"order").count() > 0, "{page}");
    let mut fetched = vec![format!("{bytes} {seat}")];
    let parts = page.split(['"', '\'']).filter(|part| part.starts_with("/static/") || part.starts_with("/boards/"));
    for part in parts.collect::<std::collections::BTreeSet<_>>() {
        let (weight, text) = weighs(&client, &format!("{}{part}", server.url)).await;
        assert!(!text.contains("url(") && !text.contains("@import"), "{part} fetches more");
        bytes += weight;
        fetched.push(format!("{weight} {part}"));
    }
    // The stream of news is one request more, with nothing but its head and a number.
    assert!(fetched.len() < 6, "{fetched:#?}");
    assert!(bytes <= 40_000, "{bytes} bytes: {fetched:#?}");

    // And the browser asks for no more than that.
    let window = Window::open("bytes", 1280, 1000).await;
    window.goto(&game.link(&server, Side::Red)).await;
    window.goto(&seat).await;
    window.awaits("document.readyState === 'complete'").await;
    let asked = window.gives("performance.getEntriesByType('resource').map((one) => one.name)").await;
    assert!(asked.as_array().unwrap().len() < 6, "{asked}");
    window.close().await;
    server.stop().await;
}
