//! The organiser's desk through the real server, on both databases: who may do what, every act and every refusal, and the
//! tokens of the command line.

use std::collections::BTreeSet;
use std::path::Path;

use fieldcommand::cli::settings::ClientLimits;
use fieldcommand::clock::{Chance, Clock};
use fieldcommand::play::admin::{NewToken, Scope};
use fieldcommand::play::{Play, ServerKey};
use fieldcommand::store::Store;
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::command_line::run;
use crate::world::game::Game;
use crate::world::server::{Answer, Program, Server};
use crate::world::{BEGINNING, postgres};

/// The document as it is kept.
const DOCUMENT: &str = include_str!("../docs/openapi.json");

/// The operations of the desk: method and address without the API's root.
pub fn operations() -> BTreeSet<(String, String)> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let mut all = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if let Some(rest) = path.strip_prefix("/api/v1").filter(|rest| rest.starts_with("/admin/")) {
            for method in ["get", "post", "put", "delete", "patch"] {
                if item.get(method).is_some() {
                    all.insert((method.to_owned(), rest.to_owned()));
                }
            }
        }
    }
    assert!(all.len() > 20, "{all:?}");
    all
}

/// Makes a token in the database of a server that runs.
pub async fn token(data: &Path, database: Option<&str>, scope: Scope) -> String {
    let store = match database {
        Some(address) => Store::open_postgres(address).await.unwrap(),
        None => Store::open_sqlite(&data.join("fieldcommand.sqlite")).await.unwrap(),
    };
    let key = ServerKey::from_hex(&std::fs::read_to_string(data.join("server.key")).unwrap()).unwrap();
    let seed = 90 + scope as u64;
    let play = Play::new(store.clone(), Clock::fixed(BEGINNING), Chance::seeded(seed), key);
    let new = NewToken { name: "Olga".into(), scope, days: None, person: String::new() };
    let (_, secret) = play.make_token(new).await.unwrap();
    store.close().await;
    secret.reveal().to_owned()
}

/// A server with an organiser of each scope.
struct Desk {
    server: Server,
    database: Option<(String, String)>,
    read: Program,
    act: Program,
    owner: Program,
}

impl Desk {
    async fn over(database: Option<(String, String)>, limits: ClientLimits) -> Desk {
        let address = database.as_ref().map(|(_, address)| address.clone());
        let server = Server::start_with(5, |settings| {
            settings.database_url.clone_from(&address);
            settings.limits = limits;
        })
        .await;
        let of = async |scope| server.program(&token(server.data(), address.as_deref(), scope).await);
        let (read, act, owner) = (of(Scope::Read).await, of(Scope::Act).await, of(Scope::Owner).await);
        Desk { server, database, read, act, owner }
    }

    /// On both databases.
    async fn both() -> [Desk; 2] {
        sqlx::any::install_default_drivers();
        let name = format!("desk_{}_{}", std::process::id(), Chance::System.below(1 << 30));
        let server = postgres();
        let mut admin = sqlx::AnyConnection::connect(&server).await.unwrap();
        admin.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await.unwrap();
        let address = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        [Desk::over(None, ClientLimits::Off).await, Desk::over(Some((name, address)), ClientLimits::Off).await]
    }

    async fn end(self) {
        self.server.stop().await;
        if let Some((name, _)) = self.database {
            let mut admin = sqlx::AnyConnection::connect(&postgres()).await.unwrap();
            admin.execute(sqlx::AssertSqlSafe(format!("drop database {name} with (force)"))).await.unwrap();
        }
    }
}

/// The word of a problem.
fn word(answer: &Answer) -> String {
    assert_eq!(answer.headers["content-type"], "application/problem+json", "{}", answer.body);
    answer.json()["type"].as_str().unwrap().rsplit_once('/').unwrap().1.to_owned()
}

fn refused(answer: &Answer, status: u16, expected: &str) {
    assert_eq!((answer.status.as_u16(), &*word(answer)), (status, expected), "{}", answer.body);
}

/// An address that fits a template, of a game that is not there.
fn filled(template: &str) -> String {
    template.replace("{id}", "000000000000").replace("{side}", "red").replace("{event}", "nothing")
}

/// Anonymous, a seat's holder, and an organiser of each scope, at every operation that the document names.
#[tokio::test]
async fn each_scope_opens_what_it_is_for_and_nothing_else() {
    for desk in Desk::both().await {
        let game = Game::opened(&desk.server).await;
        let (nobody, seat) = (desk.server.program(""), desk.server.program(&game.red));
        for (method, path) in operations() {
            let needed = match (&*method, &*path) {
                (_, path) if path.starts_with("/admin/tokens") => Scope::Owner,
                ("post", path) if path.starts_with("/admin/webhooks") => Scope::Owner,
                ("get", _) => Scope::Read,
                _ => Scope::Act,
            };
            let ask = async |program: &Program| match &*method {
                "get" => program.get(&filled(&path)).await,
                "post" => program.post(&filled(&path), &json!({})).await,
                other => panic!("{other}"),
            };
            let at = format!("{method} {path}");
            for (who, expected) in [(&nobody, "admin_token"), (&seat, "admin_token_unknown")] {
                let answer = ask(who).await;
                assert_eq!(answer.status, 401, "{at}");
                assert!(word(&answer).starts_with(expected), "{at}: {}", answer.body);
                assert!(answer.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer"), "{at}");
            }
            let programs = [(Scope::Read, &desk.read), (Scope::Act, &desk.act), (Scope::Owner, &desk.owner)];
            for (scope, program) in programs {
                let answer = ask(program).await;
                if scope < needed {
                    refused(&answer, 403, "scope");
                } else {
                    assert!(![401, 403].contains(&answer.status.as_u16()), "{at}: {}", answer.body);
                }
            }
        }
        // One of the databases knows no NUL; the other is not to tell more.
        assert_eq!(desk.owner.get("/admin/people/%00").await.status, 404);
        for path in ["/admin/people?address=%00@x.org", "/admin/audit?after=%00", "/admin/letters?after=1-%00"] {
            refused(&desk.owner.get(path).await, 422, "field");
        }
        let block = json!({"reason": "Spam.", "person": "\u{0}"});
        refused(&desk.act.post("/admin/blocks", &block).await, 422, "field");
        // What is no token is not looked up in an address either.
        let with_token = format!("/admin/games?token={}", desk.owner.token);
        refused(&nobody.get(&with_token).await, 401, "admin_token_unknown");
        desk.end().await;
    }
}

#[tokio::test]
async fn a_game_is_mended_through_the_api() {
    for desk in Desk::both().await {
        let reason = |more: Value| {
            let mut body = json!({"reason": "The league needs it.", "note": "by telephone"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let two = json!({
            "red": {"name": "Ann", "address": "ann@example.org"}, "blue": {"name": "Ben", "address": "ben@example.org"},
            "pace": {"kind": "span", "hours": 72, "first_hours": 72}
        });
        let opened = desk.act.post("/admin/games", &reason(two)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let game = opened.json()["game"].as_str().unwrap().to_owned();
        let place = format!("/admin/games/{game}");
        assert!(opened.headers["location"].to_str().unwrap().ends_with(&place));
        let seen = desk.read.get(&place).await;
        assert_eq!((seen.status.as_u16(), &seen.headers["etag"]), (200, &opened.headers["etag"]), "{}", seen.body);
        assert_eq!(seen.json()["seats"]["red"]["address_unconfirmed"], true);

        // The tag of what was seen, and the key of a request.
        let pause = reason(json!({"until": "2026-02-01T00:00:00Z"}));
        let (path, tag) = (format!("{place}/pause"), seen.headers["etag"].to_str().unwrap().to_owned());
        let with = async |headers: &[(&str, &str)], body: &Value| desk.act.post_with(&path, headers, body).await;
        refused(&with(&[("if-match", "\"0\"")], &pause).await, 412, "stale");
        refused(&with(&[("if-match", "nonsense")], &pause).await, 412, "stale");
        let several = format!("\"0\", {tag}, nonsense");
        let headers = [("if-match", &*several), ("idempotency-key", "one")];
        let first = with(&headers, &pause).await;
        assert_eq!(first.status, 200, "{}", first.body);
        let again = with(&headers, &pause).await;
        assert_eq!((first.body, first.headers.get("etag")), (again.body, again.headers.get("etag")));
        let other = reason(json!({"until": "2026-03-01T00:00:00Z"}));
        refused(&with(&headers, &other).await, 422, "key_reused");
        refused(&with(&[("idempotency-key", "")], &other).await, 422, "field");
        refused(&desk.act.post(&path, &json!({"until": "2026-02-01T00:00:00Z"})).await, 422, "shape");
        refused(&desk.act.post(&path, &json!({"until": "2026-02-01T00:00:00Z", "reason": " "})).await, 422, "field");
        refused(&desk.act.post("/admin/games/000000000000/cancel", &reason(json!({}))).await, 404, "not_found");
        refused(&desk.act.post("/admin/games/nonsense/cancel", &reason(json!({}))).await, 404, "not_found");

        for (rest, body) in [
            ("resume", json!({})),
            ("deadline", json!({"due_at": "2026-01-20T00:00:00Z"})),
            ("red/reissue", json!({"address": "ann@example.org"})),
            ("red/replace", json!({"address": "dora@example.org"})),
            ("result", json!({"outcome": "draw"})),
        ] {
            let done = desk.act.post(&format!("{place}/{rest}"), &reason(body)).await;
            assert_eq!(done.status, 200, "{rest}: {}", done.body);
        }
        refused(&desk.act.post(&format!("{place}/cancel"), &reason(json!({}))).await, 409, "game_over");
        let seen = desk.read.get(&place).await.json();
        let acts: Vec<&str> = seen["acts"].as_array().unwrap().iter().map(|act| act["act"].as_str().unwrap()).collect();
        let expected =
            ["game_opened", "paused", "resumed", "deadline_moved", "reissue_asked", "seat_replaced", "result_declared"];
        assert_eq!(acts, expected);
        assert_eq!((seen["state"].as_str(), seen["ended"]["outcome"].as_str()), (Some("ended"), Some("draw")));
        let audit = desk.read.get("/admin/audit").await.json();
        let last = audit["acts"].as_array().unwrap().iter().find(|act| act["act"] == "result_declared").unwrap();
        assert_eq!((&last["note"], &last["who"]), (&json!("by telephone"), &json!("Olga")));
        let listed = desk.read.get("/admin/games?state=ended&player=ben&board=classic&limit=1").await.json();
        assert_eq!(listed["games"][0]["game"], *game);
        for odd in [
            "games?state=odd",
            "games?after=x",
            "games?limit=0",
            "games?board=moon",
            "games?due_before=x",
            "letters?state=odd",
            "letters?after=x",
            "mails?after=x",
            "people",
            "deadlines?hours=0",
            "statistics?days=999",
        ] {
            refused(&desk.read.get(&format!("/admin/{odd}")).await, 422, "query");
        }
        desk.end().await;
    }
}

#[tokio::test]
async fn players_see_what_was_done_and_agree_to_a_new_link() {
    for desk in Desk::both().await {
        let game = Game::opened(&desk.server).await;
        let place = format!("/admin/games/{}", game.id);
        let body = json!({"reason": "Ben has lost his link.", "note": "hush", "address": "ben@example.org"});
        assert_eq!(desk.act.post(&format!("{place}/blue/reissue"), &body).await.status, 200);
        let (red, blue) = (desk.server.program(&game.red), desk.server.program(&game.blue));
        let seat = format!("/games/{}/red", game.id);
        let seen = red.get(&seat).await;
        assert_eq!(seen.json()["organiser"]["asks"], "Ben has lost his link.");
        assert_eq!(seen.json()["organiser"]["acts"][0]["act"], "reissue_asked");
        assert!(!seen.body.contains("hush") && !seen.body.contains("ben@example.org"));
        let browser = desk.server.browser();
        browser.get(&format!("/s/{}", game.red)).await;
        let page = browser.get(&format!("/games/{}/red", game.id)).await;
        assert!(page.body.contains("id=\"consent\"") && page.words().contains("Ben has lost his link."));
        let other = format!("/games/{}/blue/consent", game.id);
        refused(&blue.post(&other, &json!({"agree": true})).await, 409, "offer");
        let page = browser.sends(&format!("{seat}/consent"), &[("do", "agree")]).await;
        assert!(page.words().contains("A seat has got a new link"), "{}", page.words());
        refused(&blue.get(&format!("/games/{}/blue", game.id)).await, 401, "token_unknown");
        desk.end().await;
    }
}

#[tokio::test]
async fn an_announcement_stands_above_the_pages() {
    let desk = Desk::over(None, ClientLimits::Off).await;
    let body = json!({"reason": "Update.", "text": "Rest & <quiet> on Sunday.", "until": "2026-01-02T00:00:00Z"});
    let done = desk.act.post("/admin/announcements", &body).await;
    assert_eq!(done.status, 200, "{}", done.body);
    let page = desk.server.browser().get("/").await;
    assert!(page.body.contains("Rest &#38; &#60;quiet&#62; on Sunday."), "{}", page.body);
    let up = desk.read.get("/admin/announcements").await.json();
    let id = up["announcements"][0]["id"].as_str().unwrap().to_owned();
    let gone = desk.act.post(&format!("/admin/announcements/{id}/withdraw"), &json!({"reason": "Done."})).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
    assert!(!desk.server.browser().get("/").await.body.contains("on Sunday"));
    desk.end().await;
}

#[tokio::test]
async fn tokens_are_made_and_revoked_through_the_api() {
    for desk in Desk::both().await {
        let body = json!({"reason": "Help.", "name": "Hans", "scope": "read", "days": 3});
        let path = "/admin/tokens";
        let made = desk.owner.post_with(path, &[("idempotency-key", "k")], &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let token = made.json()["token"].as_str().unwrap().to_owned();
        let again = desk.owner.post_with(path, &[("idempotency-key", "k")], &body).await.json();
        assert_eq!((&again["token"], &again["act"]), (&Value::Null, &made.json()["act"]), "shown once");
        let hans = desk.server.program(&token);
        assert_eq!(hans.get("/admin/statistics").await.status, 200);
        let tokens = desk.owner.get(path).await;
        assert!(!tokens.body.contains("fca_"), "none is shown");
        let listed = tokens.json()["tokens"].as_array().unwrap().clone();
        let hans_token = listed.iter().find(|token| token["name"] == "Hans").unwrap();
        let revoke = format!("{path}/{}/revoke", hans_token["id"].as_str().unwrap());
        assert_eq!(desk.owner.post(&revoke, &json!({"reason": "Done."})).await.status, 200);
        refused(&desk.owner.post(&revoke, &json!({"reason": "Done."})).await, 404, "not_found");
        refused(&hans.get("/admin/statistics").await, 401, "admin_token_unknown");
        desk.end().await;
    }
}

#[tokio::test]
async fn tokens_are_made_listed_and_revoked_by_the_command_line_while_the_server_runs() {
    let server = Server::start(6).await;
    let data = server.data().to_str().unwrap();
    let call = |arguments: &[&str]| {
        let output = run(&[&["--data", data, "token"], arguments].concat(), b"");
        (output.status.success(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(call(&["list"]).1, "There are no tokens.\n");
    let (done, token, said) = call(&["make", "--name", "Ann", "--scope", "read"]);
    assert!(done && token.starts_with("fca_") && said.contains("shown this once"), "{token}{said}");
    let program = server.program(token.trim());
    assert_eq!(program.get("/admin/games").await.status, 200);
    let (_, list, _) = call(&["list"]);
    assert!(list.contains("read   Ann: made ") && !list.contains("fca_"), "{list}");
    let id = list.split(' ').next().unwrap().to_owned();
    assert!(call(&["revoke", &id]).0);
    assert_eq!(program.get("/admin/games").await.status, 401);
    let (done, _, said) = call(&["revoke", &id]);
    assert!(!done && said.contains("no such token"), "{said}");
    assert!(!call(&["make", "--name", "Ann", "--scope", "all"]).0);
    assert!(call(&["make", "--name", "Ann", "--person", "x@example.org"]).2.contains("confirmed"));
    server.stop().await;
    let empty = tempfile::tempdir().unwrap();
    let output = run(&["--data", empty.path().to_str().unwrap(), "token", "list"], b"");
    assert!(!output.status.success());
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0, "nothing is made");
}

#[tokio::test]
async fn who_guesses_tokens_is_shut_out_and_programs_are_told_what_is_left() {
    let desk = Desk::over(None, ClientLimits::On).await;
    let answer = desk.act.post("/admin/blocks", &json!({"reason": "Spam.", "address": "x@example.org"})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.headers["ratelimit-policy"], "\"writing\";q=600;w=120");
    assert!(answer.headers["ratelimit"].to_str().unwrap().starts_with("\"writing\";r=599;"));
    let guesser = desk.server.program("fca_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    for _ in 0..21 {
        refused(&guesser.get("/admin/games").await, 401, "admin_token_unknown");
    }
    let shut = desk.read.get("/admin/games").await;
    refused(&shut, 429, "too_many");
    assert!(shut.headers.contains_key("retry-after") && shut.headers.contains_key("ratelimit"));
    desk.end().await;
}
