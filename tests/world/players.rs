//! Two players of a game who play it through the API of one process or several, and know what they were promised.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use fieldcommand::rules::Side;
use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::smtp::Smtp;
use super::{deployment, mailbox};

/// Both players of a game, who repeat what was not answered, as the API's document tells them to.
pub struct Players {
    client: Client,
    /// The processes that are asked, one after the other while there is no answer.
    urls: Vec<String>,
    pub game: String,
    pub tokens: [String; 2],
    /// The seal of the last receipt for each turn and side.
    pub receipts: HashMap<(u32, &'static str), String>,
    pub turn: u32,
    /// Whether they try again where the server says that it cannot, and how often it said so.
    pub patient: bool,
    pub refused: u64,
}

/// Red and Blue, as in [`Players::tokens`].
pub const SIDES: [&str; 2] = ["red", "blue"];

impl Players {
    /// They open a game. Letters are sent about the one with number 0.
    pub async fn sit_down(urls: &[String], number: u64) -> Players {
        let client = Client::new();
        let urls: Vec<String> = urls.iter().map(|url| format!("{url}/api/v1")).collect();
        let api = &urls[0];
        let address = |name: &str| if number == 0 { format!("{name}@crash.example") } else { String::new() };
        // With no limit of quiet days it goes on for ever.
        let game = json!({"side": "red", "name": "Ann", "address": address("ann"), "no_removal_limit": 0});
        let opened: Value = client.post(format!("{api}/games")).json(&game).send().await.unwrap().json().await.unwrap();
        let take = json!({"token": opened["invitation_token"], "name": "Ben"});
        let taken = client.post(format!("{api}/invitations/take")).json(&take).send().await.unwrap();
        let taken: Value = taken.json().await.unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{opened} {taken}")).to_owned();
        let players = Players {
            client,
            urls: urls.clone(),
            game: text(&opened["game"]),
            tokens: [text(&opened["token"]), text(&taken["token"])],
            receipts: HashMap::new(),
            turn: 0,
            patient: false,
            refused: 0,
        };
        if number == 0 {
            let address = json!({"address": address("ben")});
            assert!(players.asks(1, Some(&address), "/address").await.0.is_success());
        }
        players
    }

    /// Asks until there is an answer.
    pub async fn asks(&self, side: usize, sheet: Option<&Value>, path: &str) -> (StatusCode, Value) {
        // Each side begins elsewhere.
        for url in self.urls.iter().cycle().skip(side) {
            let address = format!("{url}/games/{}/{}{path}", self.game, SIDES[side]);
            let request = match sheet {
                Some(sheet) => self.client.put(address).json(sheet),
                None => self.client.get(address),
            };
            let answer = request.bearer_auth(&self.tokens[side]).timeout(Duration::from_secs(20)).send().await;
            if let Ok(answer) = answer {
                let status = answer.status();
                if let Ok(body) = answer.text().await {
                    return (status, serde_json::from_str(&body).unwrap_or_default());
                }
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        unreachable!("there is no process to be asked")
    }

    /// Seals a sheet for the turn, and keeps the receipt.
    pub async fn seals(&mut self, side: usize, text: &str) {
        let sheet = json!({"turn": self.turn, "text": text});
        let (mut status, mut receipt) = self.asks(side, Some(&sheet), "/sheet").await;
        while self.patient && status == StatusCode::SERVICE_UNAVAILABLE {
            // In the user's words, and not in the database's.
            let said = receipt["detail"].as_str().unwrap_or_else(|| panic!("{receipt}"));
            assert!(said.contains("again") && !said.contains("database"), "{receipt}");
            self.refused += 1;
            tokio::time::sleep(Duration::from_millis(50)).await;
            (status, receipt) = self.asks(side, Some(&sheet), "/sheet").await;
        }
        assert_eq!(status, StatusCode::OK, "{receipt}");
        self.receipts.insert((self.turn, SIDES[side]), receipt["seal"].as_str().unwrap().to_owned());
    }

    /// One turn: both seal, one of them perhaps twice.
    pub async fn turn(&mut self, chance: &mut StdRng) {
        let orders = |chance: &mut StdRng| {
            let lines = ["I4-I5", "E4-E5", "K1-K2", "B2-B3", "I5-I4", "E5-E4", "H1-H2", "D1-D2"];
            let chosen: Vec<&str> = lines.into_iter().filter(|_| chance.random_bool(0.4)).collect();
            chosen.join("\n")
        };
        let first = usize::from(chance.random_bool(0.5));
        for side in [first, 1 - first] {
            if self.turn == 0 {
                self.seals(side, &deployment([Side::Red, Side::Blue][side], "balanced")).await;
                continue;
            }
            if side == first && chance.random_bool(0.3) {
                self.seals(side, &orders(chance)).await;
            }
            self.seals(side, &orders(chance)).await;
        }
        self.turn += 1;
    }

    /// Each sheet that was acknowledged last is the one that was used, each turn is there once, and none is missing.
    pub async fn audit(&self) {
        let (_, days) = self.asks(0, None, "/days").await;
        let numbers: Vec<u64> = days["days"]
            .as_array()
            .unwrap_or_else(|| panic!("{days}"))
            .iter()
            .map(|day| day["turn"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, (0..u64::from(self.turn)).collect::<Vec<_>>());
        for turn in 0..self.turn {
            let (_, day) = self.asks(1, None, &format!("/days/{turn}")).await;
            for side in SIDES {
                assert_eq!(day["sheets"][side]["seal"], self.receipts[&(turn, side)], "{turn} {side}: {day}");
            }
        }
    }

    /// Waits until no letter to a side waits: what a process had claimed when it died is soon another's. Gives for which turns
    /// a report is sent, and how many letters are.
    pub async fn told(&self, side: usize) -> (HashSet<u64>, usize) {
        for _ in 0..1200 {
            let (_, letters) = self.asks(side, None, "/letters").await;
            let letters = letters["letters"].as_array().unwrap();
            let (mut reported, mut sent, mut waits) = (HashSet::new(), 0, 0);
            for letter in letters {
                match letter["fate"].as_str().unwrap() {
                    "sent" if letter["kind"] == "report" => {
                        sent += 1;
                        reported.insert(letter["turn"].as_u64().unwrap());
                    }
                    "sent" => sent += 1,
                    "waits" => waits += 1,
                    fate => assert_eq!(letter["why"], "its reason is gone", "{fate}"),
                }
            }
            if waits == 0 {
                return (reported, sent);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("letters of a process that died wait for ever")
    }
}

/// Follows the links by which addresses are proven.
pub async fn confirm(smtp: &Smtp, url: &str) {
    smtp.until(2).await;
    for letter in smtp.letters() {
        let secret = mailbox::mailed_link(&letter.text.replace("=\n", "")).unwrap();
        let followed = Client::new().post(format!("{url}/m/{}", secret.reveal())).send().await.unwrap();
        assert!(followed.status().is_success(), "{}", followed.status());
    }
}
