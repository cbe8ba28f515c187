//! Two public games that differ only in Blue's secrets: all that Red, whoever looks on, and the mail can fetch
//! is byte-equal at every step, until the turn is revealed.
//!
//! Both servers have the same seed and the same clock, so that ids and secrets agree by themselves;
//! only seals and salts, which the opponent may see, are masked, and the ports.
//!
//! The same of two games against a computer, whose sheets differ because the servers' keys do. Links, which follow from the
//! key too, are masked there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::json;

use crate::admin_api;
use crate::world::deployment;
use crate::world::receiver::Receiver;
use crate::world::server::{Answer, Browser, Program, Server};
use fieldcommand::cli::settings::{Settings, WebhooksTo};
use fieldcommand::play::admin::Scope;
use fieldcommand::rules::Side;

/// One of the two worlds.
struct World {
    server: Server,
    ann: Browser,
    ben: Browser,
    red: Program,
    blue: Program,
    game: String,
    /// Red's webhook.
    hook: String,
}

impl World {
    /// The receiver of Red's webhook is the same in both worlds.
    async fn open(receiver: &Receiver) -> World {
        // One address for both, since the calendars name it and their tags come out of the whole text.
        let change = |settings: &mut Settings| {
            settings.public_url = Some("http://play.example.org".into());
            settings.webhooks_to = WebhooksTo::Private;
        };
        let server = Server::start_with(11, change).await;
        let ann = server.browser();
        let fields = [
            ("name", "Ann"),
            ("board", "classic"),
            ("side", "red"),
            ("limit", "12"),
            ("pace", "72"),
            ("address", "ann@example.org"),
            ("public", "1"),
        ];
        let opened = ann.post("/games", &fields).await;
        let game = opened.location().trim_start_matches("/games/").trim_end_matches("/red").to_owned();
        let seat = ann.get(opened.location()).await;
        let token = seat.link("/s/").trim_start_matches("/s/").to_owned();
        let invitation = seat.link("/i/").trim_start_matches("/i/").to_owned();
        let taken = server.program("").post("/invitations/take", &json!({"token": invitation, "name": "Ben"})).await;
        let token_of_blue = taken.json()["token"].as_str().unwrap().to_owned();
        let (blue, ben) = (server.program(&token_of_blue), server.browser());
        ben.get(&format!("/s/{token_of_blue}")).await;
        let red = server.program(&token);
        let made = red.post(&format!("/games/{game}/red/webhooks"), &json!({"url": receiver.url()})).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let hook = made.json()["webhook"]["id"].as_str().unwrap().to_owned();
        let world = World { server, ann, ben, red, blue, game, hook };
        world.letters_sent(1).await;
        let asked = world.letters().pop().unwrap().1;
        let link = asked.split("/m/").nth(1).unwrap()[..26].to_owned();
        assert_eq!(world.ann.post(&format!("/m/{link}"), &[]).await.status, 200);
        // Ann signs in, so that her settings and her data are looked at too.
        assert_eq!(world.ann.post("/sign-in", &[("address", "ann@example.org")]).await.status, 303);
        world.letters_sent(3).await;
        let letters = world.letters();
        let (_, letter) = letters.iter().find(|(_, text)| text.contains("15 minutes")).unwrap();
        let link = letter.split("/m/").nth(1).unwrap()[..26].to_owned();
        assert_eq!(world.ann.post(&format!("/m/{link}"), &[]).await.status, 303);
        assert_eq!(world.ann.post("/me/calendar", &[]).await.status, 200);
        world
    }

    async fn blue_seals(&self, turn: u32, text: &str) -> Answer {
        let answer = self.blue.seals(&format!("/games/{}/blue", self.game), turn, text).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer
    }

    /// What Blue thinks and does not seal: a draft, a what-if, a note.
    async fn blue_thinks(&self, turn: u32, draft: &str, guess: &str, note: &str) {
        let (seat, turn) = (format!("/games/{}/blue", self.game), turn.to_string());
        let sent = [("turn", &*turn), ("text", draft), ("act", "")];
        assert_eq!(self.ben.post(&format!("{seat}/table"), &sent).await.status, 200);
        let what_if = [("turn", &*turn), ("do", "keep"), ("name", note), ("own", draft), ("other", guess)];
        assert_eq!(self.ben.post(&format!("{seat}/what-if"), &what_if).await.status, 303);
        let note = [("about", "game"), ("text", note)];
        assert_eq!(self.ben.post(&format!("{seat}/notes"), &note).await.status, 303);
    }

    async fn red_seals(&self, turn: u32, text: &str) {
        let answer = self.red.seals(&format!("/games/{}/red", self.game), turn, text).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// What Red's webhook was told, once nothing of it is on its way.
    async fn told(&self) -> String {
        for _ in 0..200 {
            let ledger = self.red.get(&format!("/games/{}/red/webhooks/{}", self.game, self.hook)).await;
            let told = ledger.json()["deliveries"].as_array().unwrap().clone();
            if told.iter().all(|event| event["state"] == "delivered") {
                return self.masked(&ledger);
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("Red's webhook is not told all");
    }

    /// Everything that Red and a stranger can fetch, masked, by name.
    async fn seen(&self, turn: u32) -> BTreeMap<String, String> {
        let stranger = self.server.browser();
        let mut seen = BTreeMap::new();
        let turn = turn.to_string();
        seen.insert("told".to_owned(), self.told().await);
        let (red, blue) = (format!("/games/{}/red", self.game), format!("/games/{}/blue", self.game));
        let mut pages = vec![
            "/".to_owned(),
            "/me".to_owned(),
            "/me/delete".to_owned(),
            format!("/games/{}", self.game),
            format!("/games/{}/hand-over", self.game),
            red.clone(),
            blue.clone(),
            format!("{red}/resign"),
            format!("{red}/unseat"),
            format!("{red}/time"),
            format!("{red}/absent"),
            format!("{red}/draw"),
            format!("{red}/continue"),
            format!("{red}/record.json"),
            format!("{red}/record.txt"),
            format!("{red}/story"),
            format!("{red}/what-if"),
            format!("{red}/webhooks"),
            format!("{red}/events?once=1"),
            format!("{red}?ask=near+G4"),
            format!("{red}?ask=enemy+units"),
        ];
        pages.extend((0..5).map(|day| format!("{red}/days/{day}")));
        for path in &pages {
            seen.insert(format!("page {path}"), self.masked(&self.ann.get(path).await));
            seen.insert(format!("stranger {path}"), self.masked(&stranger.get(path).await));
        }
        for page in ["/me", &*red] {
            let page = self.ann.get(page).await;
            if let Some((_, rest)) = page.body.split_once("/calendar/") {
                let path = format!("/calendar/{}", rest.split('"').next().unwrap());
                seen.insert(format!("calendar {path}"), self.masked(&stranger.get(&path).await));
            }
        }
        // Whether a letter is marked as sent already is a matter of milliseconds.
        let mut data = self.ann.get("/me/data.json").await.json();
        data["letters"].take();
        seen.insert("data".into(), self.mask(&data.to_string()));
        for path in self.public_paths() {
            seen.insert(format!("spectator {path}"), self.masked(&stranger.get(&path).await));
            seen.insert(format!("spectating program {path}"), self.masked(&self.nobody().get(&path).await));
        }
        let touch = [("turn", turn.as_str()), ("text", ""), ("act", "touch H7"), ("layer", "enemy-reach")];
        seen.insert("touch".into(), self.masked(&self.ann.post(&format!("{red}/table"), &touch).await));
        let checks = [("turn", turn.as_str()), ("text", "H7-F7 J4-J5"), ("do", "check")];
        seen.insert("check".into(), self.masked(&self.ann.post(&format!("{red}/check"), &checks).await));
        let mut paths: Vec<String> =
            ["", "/form", "/days", "/board.svg", "/webhooks"].iter().map(|rest| format!("{red}{rest}")).collect();
        paths.extend((0..5).map(|day| format!("{red}/days/{day}")));
        paths.push(blue);
        for path in &paths {
            seen.insert(format!("api {path}"), self.masked(&self.red.get(path).await));
        }
        let check = json!({"turn": turn.parse::<u32>().unwrap(), "text": "H7-F7"});
        seen.insert("api check".into(), self.masked(&self.red.post(&format!("{red}/check"), &check).await));
        for (name, text) in self.letters() {
            seen.insert(format!("letter {name}"), text);
        }
        seen
    }

    /// Where everybody may look on; pages and API have the same addresses.
    fn public_paths(&self) -> Vec<String> {
        let game = format!("/games/{}", self.game);
        let mut paths = vec!["/games".to_owned(), "/games/archive".to_owned(), game.clone()];
        paths.extend([format!("{game}/story"), format!("{game}/days")]);
        paths.extend((0..5).map(|day| format!("{game}/days/{day}")));
        paths
    }

    /// A program without a token.
    fn nobody(&self) -> Program {
        self.server.program("")
    }

    /// The letters that have been sent so far.
    fn letters(&self) -> Vec<(String, String)> {
        let Ok(folder) = fs::read_dir(self.server.data().join("mail")) else { return Vec::new() };
        let mut letters: Vec<_> = folder
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
            .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
            .map(|(name, text)| (name, self.mask(&text)))
            .collect();
        letters.sort();
        letters
    }

    /// Waits until as many letters have left.
    async fn letters_sent(&self, number: usize) {
        for _ in 0..200 {
            if self.letters().len() == number {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{} letters instead of {number}", self.letters().len());
    }

    /// Status, headers and body, without what may differ.
    fn masked(&self, answer: &Answer) -> String {
        let mut headers: Vec<String> = answer
            .headers
            .iter()
            .filter(|(name, _)| name.as_str() != "date")
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        headers.sort();
        self.mask(&format!("{}\n{}\n\n{}", answer.status, headers.join("\n"), answer.body))
    }

    /// Masks the port and every seal and salt.
    fn mask(&self, text: &str) -> String {
        mask_runs(&text.replace(&self.server.url, "http://server"))
    }
}

/// Masks every seal and salt, which are hexadecimal and 64 and 32 digits long.
fn mask_runs(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || ('a'..='f').contains(&c) {
            run.push(c);
        } else {
            masked.push_str(if run.len() == 64 || run.len() == 32 { "(seal)" } else { &run });
            run.clear();
            masked.push(c);
        }
    }
    masked
}

fn same(step: &str, one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{step}");
    for (name, text) in one {
        assert!(text == &other[name], "{step}: {name} differs:\n{text}\n---\n{}", other[name]);
    }
}

#[tokio::test]
async fn red_sees_nothing_of_blues_secrets() {
    let receiver = Receiver::kind().await;
    let (one, other) = (World::open(&receiver).await, World::open(&receiver).await);
    assert_eq!(one.game, other.game, "the worlds begin alike");
    let (seen, seen_in_other) = (one.seen(0).await, other.seen(0).await);
    assert_eq!(seen.keys().filter(|name| name.starts_with("calendar ")).count(), 2, "Red's and Ann's");
    same("opened", &seen, &seen_in_other);

    // Blue seals different deployments, and replaces one by the other.
    one.blue_seals(0, &deployment(Side::Blue, "hook")).await;
    other.blue_seals(0, &deployment(Side::Blue, "fortress")).await;
    same("deployed", &one.seen(0).await, &other.seen(0).await);
    one.blue_seals(0, &deployment(Side::Blue, "balanced")).await;
    other.blue_seals(0, &deployment(Side::Blue, "balanced")).await;
    same("replaced", &one.seen(0).await, &other.seen(0).await);
    for world in [&one, &other] {
        world.red_seals(0, &deployment(Side::Red, "balanced")).await;
        world.letters_sent(4).await;
    }
    same("revealed alike", &one.seen(1).await, &other.seen(1).await);

    // On day 1 Blue's lists differ in length and in legality; then both are replaced by the same.
    for (first, second) in [("", "E4-G4"), ("E4-G4 A1-A5", "D5-F5"), ("E3-G3", "E3-G3 E2-G2 E1-G1 D6-F6 D5-F5 D4-F4")] {
        one.blue_seals(1, first).await;
        other.blue_seals(1, second).await;
        same("sealed orders", &one.seen(1).await, &other.seen(1).await);
    }
    // Drafts, what-ifs and notes, and a sheet taken back and sealed again, differ as much as they can.
    let withheld = one.ben.post(&format!("/games/{}/blue/when-due", one.game), &[("turn", "1")]).await;
    assert_eq!(withheld.status, 303);
    one.blue_thinks(1, "E4-F4", "H7-F7\nH8-F8", "he sleeps").await;
    other.blue_thinks(1, "nonsense that is long enough to change a length", "", "").await;
    same("thought", &one.seen(1).await, &other.seen(1).await);
    // A refused text, a late one and one for another turn leave no trace either.
    one.blue.seals(&format!("/games/{}/blue", one.game), 1, "nonsense").await;
    same("refused", &one.seen(1).await, &other.seen(1).await);
    for world in [&one, &other] {
        world.blue_seals(1, "E4-G4").await;
        world.red_seals(1, "H7-F7").await;
        world.letters_sent(5).await;
    }
    same("day 1 alike", &one.seen(2).await, &other.seen(2).await);
    for world in [&one, &other] {
        let watched = world.ann.sends(&format!("/games/{}/red/days/1/seen", world.game), &[]).await;
        assert!(watched.body.contains("id=\"all-days\""), "{}", watched.words());
    }
    same("day 1 watched", &one.seen(2).await, &other.seen(2).await);

    // What the webhook was told is the same in both worlds, to the byte.
    let mut heard = BTreeMap::<_, usize>::new();
    for said in receiver.heard() {
        *heard.entry((said.header("webhook-id").to_owned(), said.body)).or_default() += 1;
    }
    assert!(heard.len() >= 6 && heard.values().all(|times| *times == 2), "{heard:?}");

    // The test can fail: what is revealed differs.
    for (world, text) in [(&one, "E4-E5"), (&other, "G4-G5")] {
        world.blue_seals(2, text).await;
        world.red_seals(2, "").await;
        world.letters_sent(6).await;
    }
    assert_ne!(one.seen(3).await, other.seen(3).await);
    one.server.stop().await;
    other.server.stop().await;
}

/// What an organiser does in both worlds, in this order: every POST of the desk, with its body. `{game}` is the game of the
/// two worlds, `{other}` one that the desk has opened; what else stands in braces comes out of an earlier answer.
const ACTS: &[(&str, &str, &str)] = &[
    (
        "/admin/games",
        "/admin/games",
        r#"{"red": {"address": "cleo@example.org"}, "blue": {"address": "dora@example.org"},
        "pace": {"kind": "span", "hours": 72, "first_hours": 72}}"#,
    ),
    ("/admin/games/{id}/deadline", "/admin/games/{game}/deadline", r#"{"due_at": "2026-01-09T00:00:00Z"}"#),
    ("/admin/games/{id}/pause", "/admin/games/{game}/pause", r#"{"until": "2026-01-20T00:00:00Z"}"#),
    ("/admin/games/{id}/resume", "/admin/games/{game}/resume", "{}"),
    ("/admin/letters/{id}/resend", "/admin/letters/{letter}/resend", "{}"),
    ("/admin/blocks", "/admin/blocks", r#"{"address": "mallory@example.org"}"#),
    ("/admin/blocks/{id}/lift", "/admin/blocks/{block}/lift", "{}"),
    ("/admin/announcements", "/admin/announcements", r#"{"text": "Rest.", "until": "2026-01-09T00:00:00Z"}"#),
    ("/admin/announcements/{id}/withdraw", "/admin/announcements/{announcement}/withdraw", "{}"),
    ("/admin/tokens", "/admin/tokens", r#"{"name": "Hans", "scope": "read"}"#),
    ("/admin/tokens/{id}/revoke", "/admin/tokens/{token}/revoke", "{}"),
    (
        "/admin/boards",
        "/admin/boards",
        r#"{"alias": "plain", "name": "Plain", "board": {"altitude": ["11111111111", "11111111111", "11111111111", "11111111111",
        "11111111111", "11111111111", "11111111111", "11111111111", "11111111111", "11111111111", "11111111111"],
        "terrain": ["...........", "...........", "...........", "...........", "...........", "...........", "...........",
        "...........", "...........", "...........", "..........."]}}"#,
    ),
    ("/admin/boards/{id}/retire", "/admin/boards/plain/retire", "{}"),
    ("/admin/webhooks", "/admin/webhooks", r#"{"url": "{receiver}"}"#),
    ("/admin/webhooks/{id}/renew", "/admin/webhooks/{hook}/renew", "{}"),
    ("/admin/webhooks/{id}/test", "/admin/webhooks/{hook}/test", "{}"),
    ("/admin/webhooks/{id}/events/{event}/resend", "/admin/webhooks/{hook}/events/{event}/resend", "{}"),
    ("/admin/webhooks/{id}/remove", "/admin/webhooks/{hook}/remove", "{}"),
    ("/admin/games/{id}/{side}/reissue", "/admin/games/{game}/blue/reissue", r#"{"address": "ben@example.org"}"#),
    ("/admin/games/{id}/{side}/replace", "/admin/games/{game}/blue/replace", r#"{"address": "eve@example.org"}"#),
    ("/admin/games/{id}/result", "/admin/games/{game}/result", r#"{"outcome": "draw"}"#),
    ("/admin/games/{id}/cancel", "/admin/games/{other}/cancel", "{}"),
];

/// The pages of the desk that are looked at, by the route of each. `{person}` is Ann.
const DESK_PAGES: &[(&str, &[&str])] = &[
    ("/admin", &["/admin"]),
    ("/admin/games", &["/admin/games", "/admin/games?state=stuck", "/admin/games?state=running&player=ben"]),
    ("/admin/games/{id}", &["/admin/games/{game}", "/admin/games/nobody"]),
    ("/admin/letters", &["/admin/letters", "/admin/letters?state=waiting", "/admin/letters?state=returned"]),
    ("/admin/mails", &["/admin/mails"]),
    ("/admin/log", &["/admin/log"]),
    ("/admin/webhooks", &["/admin/webhooks"]),
    ("/admin/boards", &["/admin/boards"]),
    ("/admin/blocks", &["/admin/blocks"]),
    (
        "/admin/people",
        &["/admin/people", "/admin/people?who=ann%40example.org", "/admin/people?who=mallory%40example.org"],
    ),
    ("/admin/people/{id}", &["/admin/people/{person}"]),
    ("/admin/sign-in", &["/admin/sign-in"]),
    ("/admin/sign-out", &[]),
    // What is asked before an act is a form of its own (see `Organiser::asked`).
    ("/admin/act", &[]),
];

/// An organiser of a world.
struct Organiser<'w> {
    world: &'w World,
    desk: Program,
    /// The desk in a browser.
    pages: Browser,
    /// What stands for the names in braces.
    names: BTreeMap<&'static str, String>,
}

impl Organiser<'_> {
    async fn of<'w>(world: &'w World, receiver: &Receiver) -> Organiser<'w> {
        let token = admin_api::token(world.server.data(), None, Scope::Owner).await;
        let names = BTreeMap::from([("{game}", world.game.clone()), ("{receiver}", receiver.url())]);
        let pages = world.server.browser();
        assert_eq!(pages.post("/admin/sign-in", &[("token", &token)]).await.location(), "/admin");
        Organiser { world, desk: world.server.program(&token), pages, names }
    }

    fn filled(&self, path: &str) -> String {
        self.names.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
    }

    /// All that the desk shows, by address, once no letter is on its way.
    async fn sees(&self) -> BTreeMap<String, String> {
        for _ in 0..200 {
            let waiting = self.desk.get("/admin/letters?state=waiting").await.json();
            if waiting["letters"].as_array().unwrap().iter().all(|letter| letter["at"] != letter["queued_at"]) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let hooks = self.desk.get("/admin/webhooks").await.json();
        let ids = hooks["webhooks"].as_array().unwrap().iter().map(|hook| hook["id"].as_str().unwrap());
        let ledgers: Vec<String> = ids.map(|id| format!("/admin/webhooks/{id}")).collect();
        self.all_told(&ledgers).await;
        let mut seen = BTreeMap::new();
        for (_, path) in admin_api::operations().into_iter().filter(|(method, _)| method == "get") {
            let game = path.replace("/admin/games/{id}", "/admin/games/{game}");
            let mut paths = vec![self.filled(&game.replace("{id}", "nobody"))];
            match path.as_str() {
                "/admin/games" => paths.extend(["stuck", "running"].map(|state| format!("{path}?state={state}"))),
                "/admin/webhooks/{id}" => paths.extend(ledgers.iter().cloned()),
                "/admin/letters" => paths.extend(["waiting", "returned"].map(|state| format!("{path}?state={state}"))),
                "/admin/people" => {
                    let ann = format!("{path}?address=ann@example.org");
                    let id = self.person().await;
                    paths.extend([ann, format!("{path}/{id}")]);
                }
                _ => {}
            }
            for path in paths {
                seen.insert(path.clone(), self.world.masked(&self.desk.get(&path).await));
            }
        }
        let person = self.person().await;
        for path in DESK_PAGES.iter().flat_map(|(_, paths)| *paths) {
            let page = self.pages.get(&self.filled(path).replace("{person}", &person)).await;
            assert!(page.status == 200 || path.ends_with("/nobody"), "{path}: {}", page.words());
            seen.insert(format!("page {path}"), self.world.masked(&page));
        }
        seen.insert("asked".into(), self.asked().await);
        seen
    }

    /// Ann's id.
    async fn person(&self) -> String {
        let found = self.desk.get("/admin/people?address=ann@example.org").await.json();
        found["people"][0]["id"].as_str().unwrap().to_owned()
    }

    /// The page that asks once more before an act.
    async fn asked(&self) -> String {
        let game = self.world.game.as_str();
        let asked = self.pages.post("/admin/act", &[("do", "replace"), ("game", game), ("side", "blue")]).await;
        assert_eq!(asked.status, 200, "{}", asked.words());
        self.world.masked(&asked)
    }

    /// Waits until the desk's webhooks were told what waited.
    async fn all_told(&self, ledgers: &[String]) {
        for path in ledgers {
            let mut tries = 0;
            while self.desk.get(path).await.body.contains("\"waiting\"") {
                tries += 1;
                assert!(tries < 200, "{path} is not told all");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    }

    /// Acts, and gives what was answered.
    async fn acts(&mut self, path: &str, body: &str) -> String {
        if path.contains("{letter}") {
            let game = self.desk.get(&self.filled("/admin/games/{game}")).await.json();
            let letters = game["letters"].as_array().unwrap();
            let to_red = letters.iter().find(|letter| letter["side"] == "red" && letter["kind"] == "report").unwrap();
            self.names.insert("{letter}", to_red["id"].as_str().unwrap().to_owned());
        }
        let mut body: serde_json::Value = serde_json::from_str(&self.filled(body)).unwrap();
        body["reason"] = "It has to be.".into();
        let answer = self.desk.post(&self.filled(path), &body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
        let json = answer.json();
        let about = json["about"].as_str().or_else(|| json["act"]["about"].as_str()).unwrap().to_owned();
        let word = |number: usize| about.split(' ').nth(number).unwrap().to_owned();
        match path {
            "/admin/games" => self.names.insert("{other}", json["game"].as_str().unwrap().to_owned()),
            "/admin/blocks" => self.names.insert("{block}", word(1)),
            "/admin/announcements" => self.names.insert("{announcement}", word(1)),
            "/admin/tokens" => self.names.insert("{token}", word(0)),
            "/admin/webhooks" => self.names.insert("{hook}", word(1)),
            "/admin/webhooks/{hook}/test" => self.names.insert("{event}", word(3)),
            _ => None,
        };
        self.world.masked(&answer)
    }
}

/// The whole desk, as its document names it: what Blue has sealed, drafted, imagined, noted or tried in vain is nowhere.
#[tokio::test]
async fn the_desk_sees_nothing_of_blues_secrets() {
    let posts: BTreeSet<String> =
        admin_api::operations().into_iter().filter(|(method, _)| method == "post").map(|(_, path)| path).collect();
    let acted: BTreeSet<String> = ACTS.iter().map(|(template, ..)| (*template).to_owned()).collect();
    assert_eq!(posts, acted, "an act without a part in this test");
    let routes = include_str!("../src/web/pages/mod.rs").split(".route(\"").skip(1);
    let routes: BTreeSet<&str> = routes.map(|route| route.split('"').next().unwrap()).collect();
    let desk: BTreeSet<&str> =
        routes.into_iter().filter(|route| *route == "/admin" || route.starts_with("/admin/")).collect();
    let looked_at: BTreeSet<&str> = DESK_PAGES.iter().map(|(route, _)| *route).collect();
    assert_eq!(desk, looked_at, "a page without a part in this test");
    let receiver = Receiver::kind().await;
    let (one, other) = (World::open(&receiver).await, World::open(&receiver).await);
    let (mut olga, mut otto) = (Organiser::of(&one, &receiver).await, Organiser::of(&other, &receiver).await);
    same("opened", &olga.sees().await, &otto.sees().await);
    one.blue_seals(0, &deployment(Side::Blue, "hook")).await;
    other.blue_seals(0, &deployment(Side::Blue, "fortress")).await;
    same("deployed", &olga.sees().await, &otto.sees().await);
    for world in [&one, &other] {
        world.blue_seals(0, &deployment(Side::Blue, "balanced")).await;
        world.red_seals(0, &deployment(Side::Red, "balanced")).await;
        world.letters_sent(4).await;
    }
    same("revealed alike", &olga.sees().await, &otto.sees().await);
    // Before each act Blue seals and thinks something else in each world, of another length and legality.
    for (number, (_, path, body)) in ACTS.iter().enumerate() {
        let over = path.contains("/result") || path.contains("/cancel");
        if !over {
            let seat = |world: &World| format!("/games/{}/blue", world.game);
            let [first, second] = [["", "E4-G4 A1-A5"], ["E3-G3 E2-G2 E1-G1", "D5-F5"]][number % 2];
            for (world, text) in [(&one, first), (&other, second)] {
                assert_eq!(world.blue.seals(&seat(world), 1, text).await.status, 200);
            }
            one.blue_thinks(1, "E4-F4", "H7-F7\nH8-F8", "he sleeps").await;
            other.blue_thinks(1, "nonsense that is long enough to change a length", "", "").await;
            one.blue.seals(&seat(&one), 1, "nonsense").await;
        }
        same(path, &olga.sees().await, &otto.sees().await);
        let answers = [olga.acts(path, body).await, otto.acts(path, body).await];
        assert_eq!(answers[0], answers[1], "{path}");
        same(path, &olga.sees().await, &otto.sees().await);
    }
    drop((olga, otto));
    one.server.stop().await;
    other.server.stop().await;
}

/// One of two worlds in which Ann, Red, sits opposite a computer, and the server has a key of its own.
struct Against {
    server: Server,
    ann: Browser,
    red: Program,
    game: String,
}

impl Against {
    async fn open(key: &str) -> Against {
        let change = |settings: &mut Settings| settings.key = Some(key.repeat(64));
        let server = Server::start_with(11, change).await;
        let game = json!({"opponent": {"computer": "easy"}, "side": "red", "name": "Ann"});
        let opened = server.program("").post("/games", &game).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let opened = opened.json();
        let (game, token) = (opened["game"].as_str().unwrap().to_owned(), opened["token"].as_str().unwrap());
        let (ann, red) = (server.browser(), server.program(token));
        // The computer seals before anybody else asks chance for anything, so that both worlds get the same of it.
        let mut tries = 0;
        while red.get(&format!("/games/{game}/red")).await.json()["opponent"]["sealed"].is_null() {
            tries += 1;
            assert!(tries < 400, "the computer does not seal");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(ann.get(&format!("/s/{token}")).await.status, 303);
        Against { server, ann, red, game }
    }

    /// What Ann, her program and a stranger see, now that the computer has sealed.
    async fn seen(&self, turn: u32) -> BTreeMap<String, String> {
        let seat = format!("/games/{}/red", self.game);
        let mut seen = BTreeMap::new();
        let rest = [
            "",
            "/resign",
            "/time",
            "/absent",
            "/draw",
            "/continue",
            "/record.json",
            "/record.txt",
            "/story",
            "/what-if",
            "/webhooks",
        ];
        let mut paths: Vec<String> = rest.iter().map(|rest| format!("{seat}{rest}")).collect();
        paths.extend([format!("{seat}/events?once=1"), format!("{seat}?ask=enemy+units"), "/".into()]);
        paths.extend((0..=turn).map(|day| format!("{seat}/days/{day}")));
        paths.extend([format!("/games/{}", self.game), format!("/games/{}/blue", self.game), "/games".into()]);
        let stranger = self.server.browser();
        for path in &paths {
            seen.insert(format!("page {path}"), self.masked(&self.ann.get(path).await));
            seen.insert(format!("stranger {path}"), self.masked(&stranger.get(path).await));
        }
        let touch = [("turn", &*turn.to_string()), ("text", ""), ("act", "touch H7"), ("layer", "enemy-reach")];
        seen.insert("touch".into(), self.masked(&self.ann.post(&format!("{seat}/table"), &touch).await));
        for rest in ["", "/form", "/days", "/board.svg", "/record"] {
            seen.insert(format!("api {rest}"), self.masked(&self.red.get(&format!("{seat}{rest}")).await));
        }
        let other = self.red.get(&format!("/games/{}/blue", self.game)).await;
        seen.insert("api of the computer's seat".into(), self.masked(&other));
        let check = self.red.post(&format!("{seat}/check"), &json!({"turn": turn, "text": "H7-F7"})).await;
        seen.insert("api check".into(), self.masked(&check));
        seen
    }

    /// Status, headers and body without port, seals and links. Tags of pages with a link in them follow from it.
    fn masked(&self, answer: &Answer) -> String {
        let unlike = ["date", "etag"];
        let mut headers: Vec<String> = answer
            .headers
            .iter()
            .filter(|(name, _)| !unlike.contains(&name.as_str()))
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        headers.sort();
        let text = format!("{}\n{}\n\n{}", answer.status, headers.join("\n"), answer.body);
        let text = mask_runs(&text.replace(&self.server.url, "http://server"));
        text.replace(&self.red.token, "(link)")
    }
}

#[tokio::test]
async fn whatever_a_computer_has_sealed_its_opponent_sees_the_same() {
    let (one, other) = (Against::open("1").await, Against::open("2").await);
    assert_eq!(one.game, other.game, "the worlds begin alike");
    assert_ne!(one.red.token, other.red.token, "and yet their keys differ");
    same("the deployment", &one.seen(0).await, &other.seen(0).await);
    let mut revealed = Vec::new();
    for world in [&one, &other] {
        let seat = format!("/games/{}/red", world.game);
        let sealed = world.red.seals(&seat, 0, &deployment(Side::Red, "balanced")).await;
        assert_eq!(sealed.status, 200, "{}", sealed.body);
        revealed.push(world.masked(&world.red.get(&format!("{seat}/days/0")).await));
    }
    // The test can fail: the computers had sealed different sheets.
    assert_ne!(revealed[0], revealed[1]);
    one.server.stop().await;
    other.server.stop().await;
}
