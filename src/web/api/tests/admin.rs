//! The organiser's desk: every answer is as the document says.

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, IF_MATCH};
use axum::http::{Method, Request};
use serde_json::{Value, json};

use super::{Answer, Api};
use crate::clock::Chance;
use crate::play::admin::{NewToken, Scope};
use crate::play::{Play, ServerKey};

impl Api {
    /// The token of an organiser.
    async fn organiser(&self, scope: Scope) -> String {
        let chance = Chance::seeded(40 + scope as u64);
        let play = Play::new(self.store.clone(), self.clock.clone(), chance, ServerKey::new([7; 32]));
        let new = NewToken { name: "Olga".into(), scope, days: None, person: String::new() };
        play.make_token(new).await.unwrap().1.reveal().to_owned()
    }

    async fn act(&self, token: &str, path: &str, body: serde_json::Value) -> Answer {
        self.ask(Method::POST, path, Some(token), Some(body)).await
    }

    async fn look(&self, token: &str, path: &str) -> Answer {
        self.ask(Method::GET, path, Some(token), None).await
    }
}

#[tokio::test]
async fn what_the_desk_shows_and_does_is_as_described() {
    let api = Api::new().await;
    let (owner, reader) = (api.organiser(Scope::Owner).await, api.organiser(Scope::Read).await);
    let two = json!({
        "reason": "League.", "red": {"name": "Ann", "address": "ann@example.org"}, "blue": {"address": "ben@example.org"},
        "pace": {"kind": "span", "hours": 72, "first_hours": 72}
    });
    let game = api.act(&owner, "/admin/games", two).await.of(201)["game"].as_str().unwrap().to_owned();
    let place = format!("/admin/games/{game}");
    for (rest, body) in [
        ("/deadline", json!({"reason": "r", "due_at": "2026-03-05T18:00:00Z"})),
        ("/pause", json!({"reason": "r", "until": "2026-03-20T18:00:00Z"})),
        ("/resume", json!({"reason": "r"})),
        ("/red/reissue", json!({"reason": "r", "address": "ann@example.org"})),
        ("/blue/replace", json!({"reason": "r", "address": "dora@example.org"})),
        ("/result", json!({"reason": "r", "outcome": "draw"})),
    ] {
        api.act(&owner, &format!("{place}{rest}"), body).await.of(200);
    }
    for (path, body) in [
        ("/admin/blocks", json!({"reason": "r", "address": "m@example.org"})),
        ("/admin/announcements", json!({"reason": "r", "text": "Rest.", "until": "2026-03-05T18:00:00Z"})),
    ] {
        api.act(&owner, path, body).await.of(200);
    }
    api.act(&owner, "/admin/tokens", json!({"reason": "r", "name": "Hans", "scope": "read"})).await.of(201);
    boards_come_and_go(&api, &owner).await;
    webhooks_come_and_go(&api, &owner).await;
    for path in [
        "/admin/games",
        "/admin/deadlines",
        "/admin/letters?state=waiting",
        "/admin/mails",
        "/admin/people?address=ann@example.org",
        "/admin/reports",
        "/admin/statistics",
        "/admin/processes",
        "/admin/audit",
        "/admin/announcements",
        "/admin/blocks",
        "/admin/boards",
        "/admin/webhooks",
        &place,
    ] {
        api.look(&reader, path).await.of(200);
    }
    assert!(!api.look(&owner, "/admin/tokens").await.of(200).to_string().contains("fca_"));
    api.look(&reader, "/admin/tokens").await.of(403);
    api.look("fca_nonsense", "/admin/games").await.of(401);
    api.get("/admin/games").await.of(401);
    api.look(&reader, "/admin/people/nobody").await.of(404);
    api.look(&reader, "/admin/people").await.of(422);
    let stale = Request::post(format!("/api/v1{place}/cancel"))
        .header(AUTHORIZATION, format!("Bearer {owner}"))
        .header(CONTENT_TYPE, "application/json")
        .header(IF_MATCH, "\"1\"")
        .body(Body::from(r#"{"reason": "r"}"#))
        .unwrap();
    api.send(stale).await.of(412);
    api.act(&owner, &format!("{place}/cancel"), json!({"reason": "r"})).await.of(409);
}

/// A board is offered, chosen, retired and offered again.
async fn boards_come_and_go(api: &Api, owner: &str) {
    let text = json!({"altitude": vec!["11111211111"; 11], "terrain": vec!["f....f....f"; 11]});
    let board = |alias: &str, text: &Value| json!({"reason": "r", "alias": alias, "name": "Steppe", "board": text});
    api.act(owner, "/admin/boards", board("steppe", &text)).await.of(200);
    for (alias, text, field) in [
        ("classic", &text, "alias"),
        ("St", &text, "alias"),
        ("steppe", &text, "alias"),
        ("other", &text, "board"),
        ("other", &json!({"altitude": vec!["11111411111"; 11], "terrain": vec!["f....f....f"; 11]}), "board"),
    ] {
        let refused = api.act(owner, "/admin/boards", board(alias, text)).await.of(422);
        assert_eq!(refused["field"], field, "{refused}");
    }
    let open = async || api.post("/games", json!({"board": "steppe", "side": "red"})).await;
    let opened = open().await.of(201);
    let seat = api.seat(&opened);
    let listed = api.get("/boards").await.of(200);
    assert_eq!(listed["boards"][2], json!({"board": "steppe", "about": "Steppe", "even": true, "text": text}));
    assert!(!says_uneven(&seat.get("").await.of(200)));
    let mut rows = vec!["f....f....f"; 11];
    rows[0] = "ff...f....f";
    let uneven = json!({"altitude": vec!["11111211111"; 11], "terrain": rows});
    api.act(owner, "/admin/boards", board("dunes", &uneven)).await.of(200);
    assert_eq!(api.get("/boards").await.of(200)["boards"][2]["even"], false, "by alias");
    // Who is invited did not choose it.
    let opened = api.post("/games", json!({"board": "dunes", "side": "red"})).await.of(201);
    let state = api.seat(&opened).get("").await.of(200);
    let token = state["invitation"]["token"].as_str().unwrap().to_owned();
    let invited = api.post("/invitations/look", json!({"token": token})).await.of(200);
    assert!(says_uneven(&invited), "{invited}");
    api.act(owner, "/admin/boards/dunes/retire", json!({"reason": "r"})).await.of(200);
    api.act(owner, "/admin/boards/steppe/retire", json!({"reason": "r"})).await.of(200);
    api.act(owner, "/admin/boards/steppe/retire", json!({"reason": "r"})).await.of(404);
    assert_eq!(open().await.of(422)["field"], "board");
    assert_eq!(seat.get("").await.of(200)["turn"], 0, "games on it go on");
    api.act(owner, "/admin/boards", board("steppe", &text)).await.of(200);
    open().await.of(201);
}

/// Whether the house rules of what is shown say that the board is not the same from both sides.
fn says_uneven(shown: &Value) -> bool {
    shown["settings"]["house_rules"].to_string().contains("not the same from both sides")
}

/// The organiser's webhooks, and a seat's.
async fn webhooks_come_and_go(api: &Api, owner: &str) {
    let [red, _] = api.joined().await;
    // Nobody is called here, and no name is looked up: an address does.
    let url = json!({"url": "https://8.8.8.8/hook", "events": ["turn_awaited"]});
    let made = red.ask(Method::POST, "/webhooks", Some(url)).await.of(201);
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    let hook = format!("/webhooks/{}", made["webhook"]["id"].as_str().unwrap());
    red.ask(Method::POST, "/webhooks", Some(json!({"url": "https://127.0.0.1/"}))).await.of(422);
    let sent = red.ask(Method::POST, &format!("{hook}/test"), None).await.of(202);
    let event = sent["id"].as_str().unwrap();
    red.ask(Method::POST, &format!("{hook}/events/{event}/resend"), None).await.of(202);
    red.ask(Method::POST, &format!("{hook}/events/nothing/resend"), None).await.of(404);
    red.ask(Method::POST, &format!("{hook}/renew"), None).await.of(200);
    assert_eq!(red.get("/webhooks").await.of(200)["webhooks"].as_array().unwrap().len(), 1);
    assert_eq!(red.get(&hook).await.of(200)["deliveries"][0]["type"], "test");
    for _ in 0..2 {
        red.ask(Method::POST, &format!("{hook}/test"), None).await.of(202);
    }
    red.ask(Method::POST, &format!("{hook}/test"), None).await.of(429);
    red.ask(Method::DELETE, &hook, None).await.of(204);
    red.get(&hook).await.of(404);

    let body = |more: Value| {
        let mut body = json!({"reason": "r"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let to = body(json!({"url": "https://8.8.8.8/hook"}));
    let made = api.act(owner, "/admin/webhooks", to).await.of(201);
    let id = made["act"]["about"].as_str().unwrap().split(' ').nth(1).unwrap().to_owned();
    let hook = format!("/admin/webhooks/{id}");
    let sealed = body(json!({"url": "https://8.8.8.8/", "events": ["opponent_sealed"]}));
    api.act(owner, "/admin/webhooks", sealed).await.of(422);
    let sent = api.act(owner, &format!("{hook}/test"), body(json!({}))).await.of(200);
    let event = sent["about"].as_str().unwrap().rsplit(' ').next().unwrap().to_owned();
    api.act(owner, &format!("{hook}/events/{event}/resend"), body(json!({}))).await.of(200);
    assert!(api.act(owner, &format!("{hook}/renew"), body(json!({}))).await.of(200)["secret"].is_string());
    api.look(owner, &hook).await.of(200);
    api.act(owner, &format!("{hook}/remove"), body(json!({}))).await.of(200);
    api.look(owner, &hook).await.of(404);
}
