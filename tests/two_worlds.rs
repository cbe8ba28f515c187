//! Two public games that differ only in Blue's secrets: all that Red, whoever looks on, and the mail can fetch
//! is byte-equal at every step, until the turn is revealed.
//!
//! Both servers have the same seed and the same clock, so that ids and secrets agree by themselves;
//! only seals and salts, which the opponent may see, are masked, and the ports.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use crate::world::deployment;
use crate::world::server::{Answer, Browser, Program, Server};
use fieldcommand::cli::settings::Settings;
use fieldcommand::rules::Side;

/// One of the two worlds.
struct World {
    server: Server,
    ann: Browser,
    ben: Browser,
    red: Program,
    blue: Program,
    game: String,
}

impl World {
    async fn open() -> World {
        // One address for both, since the calendars name it and their tags come out of the whole text.
        let change = |settings: &mut Settings| settings.public_url = Some("http://play.example.org".into());
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
        let world = World { ann, ben, red: server.program(&token), blue, game, server };
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

    /// Everything that Red and a stranger can fetch, masked, by name.
    async fn seen(&self, turn: u32) -> BTreeMap<String, String> {
        let stranger = self.server.browser();
        let mut seen = BTreeMap::new();
        let turn = turn.to_string();
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
            ["", "/form", "/days", "/board.svg"].iter().map(|rest| format!("{red}{rest}")).collect();
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

    /// Masks the port and every seal and salt, which are hexadecimal and 64 and 32 digits long.
    fn mask(&self, text: &str) -> String {
        let text = text.replace(&self.server.url, "http://server");
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
}

fn same(step: &str, one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{step}");
    for (name, text) in one {
        assert!(text == &other[name], "{step}: {name} differs:\n{text}\n---\n{}", other[name]);
    }
}

#[tokio::test]
async fn red_sees_nothing_of_blues_secrets() {
    let (one, other) = (World::open().await, World::open().await);
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
