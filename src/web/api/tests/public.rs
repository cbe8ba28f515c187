//! Games in company: public ones and open challenges, which need no token, and messages.

use serde_json::json;

use super::Api;

#[tokio::test]
async fn a_public_game_is_read_without_a_token_and_a_private_one_is_not_there() {
    let api = Api::new().await;
    let [private, _] = api.deployed().await;
    let id = private.path.split('/').nth(2).unwrap().to_owned();
    for path in ["", "/days", "/days/0"] {
        api.get(&format!("/games/{id}{path}")).await.problem("not_found");
    }

    let opened = api.post("/games", json!({"side": "red", "name": "Ann", "public": true})).await.of(201);
    let (red, invitation) = (api.seat(&opened), opened["invitation_token"].clone());
    let look = api.post("/invitations/look", json!({"token": invitation})).await.of(200);
    assert_eq!(look["public"], true);
    assert_eq!(api.get("/games").await.of(200)["games"], json!([]), "nobody plays yet");
    let taken = api.post("/invitations/take", json!({"token": invitation, "name": "Ben"})).await.of(201);
    let blue = api.seat(&taken);
    for seat in [&red, &blue] {
        let form = seat.get("/form").await.of(200);
        seat.seal(0, form["presets"][0]["text"].as_str().unwrap()).await.of(200);
    }
    let id = opened["game"].as_str().unwrap();
    let list = api.get("/games?player=BEN&board=classic").await.of(200);
    assert_eq!(list["games"][0]["href"], json!(format!("/api/v1/games/{id}")));
    let game = api.get(&format!("/games/{id}")).await.of(200);
    assert_eq!((&game["turn_name"], &game["days"]), (&json!("Day 1"), &json!([0])));
    red.seal(1, "H7-F7").await.of(200);
    assert_eq!(api.get(&format!("/games/{id}")).await.of(200), game, "who has sealed is nobody's business");
    blue.seal(1, "").await.of(200);
    assert_eq!(api.get(&format!("/games/{id}/days")).await.of(200)["days"][1]["name"], "Day 1");
    let day = api.get(&format!("/games/{id}/days/1")).await.of(200);
    assert_eq!((&day["sheets"]["red"]["text"], &day["sheets"]["red"]["how"]), (&json!("H7-F7"), &json!("sealed")));
    assert!(day["sheets"]["red"].get("sealed_at").is_none());
    api.get(&format!("/games/{id}/days/2")).await.problem("not_found");

    red.post("/resignation", json!({"confirm": true})).await.of(204);
    assert_eq!(api.get("/games").await.of(200)["games"], json!([]));
    let over = api.get("/games?state=over&outcome=blue_wins").await.of(200);
    assert_eq!(over["games"][0]["ended"]["outcome"], "blue_wins");
    for (query, field) in [
        ("state=maybe", "state"),
        ("board=moon", "board"),
        ("outcome=draw", "outcome"),
        ("state=over&outcome=void", "outcome"),
        ("after=x", "after"),
    ] {
        assert_eq!(api.get(&format!("/games?{query}")).await.problem("field")["field"], field);
    }
}

#[tokio::test]
async fn a_challenge_is_listed_and_taken() {
    let api = Api::new().await;
    assert_eq!(api.post("/games", json!({"challenge_days": 31})).await.problem("field")["field"], "challenge_days");
    let opened = api.post("/games", json!({"side": "red", "name": "Ann", "challenge_days": 2})).await.of(201);
    let list = api.get("/challenges").await.of(200);
    assert_eq!((&list["challenges"][0]["side"], &list["challenges"][0]["record"]), (&json!("blue"), &json!(null)));
    assert_eq!(api.get("/challenges?after=x").await.problem("field")["field"], "after");
    let path = format!("/challenges/{}/take", opened["game"].as_str().unwrap());
    let taken = api.post(&path, json!({"name": "Ben"})).await.of(201);
    assert_eq!(api.seat(&taken).state().await["names"]["blue"], "Ben");
    api.post(&path, json!({"name": "Eve"})).await.problem("challenge_over");
    api.post("/challenges/000000000000/take", json!({})).await.problem("not_found");
    assert_eq!(api.get("/challenges").await.of(200)["challenges"], json!([]));
}

#[tokio::test]
async fn messages_are_sent_and_read() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    let sent = red.post("/messages", json!({"text": "Hello Ben"})).await.of(201);
    assert_eq!((&sent["number"], &sent["side"]), (&json!(1), &json!("red")));
    red.post("/messages", json!({"text": "GN K11"})).await.problem("looks_like_sheet");
    red.post("/messages", json!({"text": "GN K11", "all_the_same": true})).await.of(201);
    assert_eq!(red.post("/messages", json!({"text": " "})).await.problem("field")["field"], "message");
    let thread = blue.get("/messages").await.of(200);
    assert_eq!((&thread["messages"][1]["text"], &thread["earlier"]), (&json!("GN K11"), &json!(false)));
    assert_eq!(blue.get("/messages?before=2").await.of(200)["messages"].as_array().unwrap().len(), 1);
    assert_eq!(blue.get("/messages?before=x").await.problem("field")["field"], "before");
    for _ in 2..20 {
        red.post("/messages", json!({"text": "and"})).await.of(201);
    }
    red.post("/messages", json!({"text": "and"})).await.problem("too_many");
}

#[tokio::test]
async fn letters_are_stopped_and_come_again() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    assert_eq!(red.get("/letters").await.of(200), json!({"letters": []}));
    assert_eq!(red.state().await["letters_stopped"], json!({"red": null, "blue": null}));
    red.put("/letters", json!({"wanted": false})).await.of(204);
    assert_eq!(blue.state().await["letters_stopped"], json!({"red": "unwanted", "blue": null}));
    red.put("/letters", json!({"wanted": true})).await.of(204);
    assert_eq!(blue.state().await["letters_stopped"]["red"], json!(null));
    red.put("/letters", json!({})).await.problem("shape");
}
