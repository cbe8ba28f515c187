//! Opening a game, and who sits where.

use serde_json::{Value, json};

use super::{Answer, Api};

#[tokio::test]
async fn a_game_is_opened_with_what_was_asked_for() {
    let api = Api::new().await;
    let body =
        json!({"board": "ridge", "side": "blue", "no_removal_limit": 0, "name": "Ann", "address": "ann@example.org"});
    let answer = api.post("/games", body).await;
    let location = answer.header("location").to_owned();
    let opened = answer.of(201);
    assert_eq!(location, format!("/api/v1/games/{}/blue", opened["game"].as_str().unwrap()));
    assert_eq!(opened["links"]["state"], json!(location));
    assert_eq!(opened["seat_url"], json!(format!("https://play.example.org/s/{}", opened["token"].as_str().unwrap())));
    let invitation = opened["invitation_token"].as_str().unwrap();
    assert_eq!(opened["invitation_url"], json!(format!("https://play.example.org/i/{invitation}")));

    let state = api.seat(&opened).state().await;
    assert_eq!(state["names"], json!({"red": null, "blue": "Ann"}));
    assert_eq!(state["settings"]["board"], "ridge");
    assert_eq!(state["settings"]["rules"], "field_command/1");
    assert_eq!(state["standing"]["no_removal_limit"], 0);
    assert_eq!(state["awaits"], json!({"red": true, "blue": true}));
    assert_eq!(state["opponent"], json!({"present": false, "sealed": null}));
    assert_eq!((&state["address"], &state["unconfirmed_address"]), (&Value::Null, &json!("ann@example.org")));
    assert_eq!(state["invitation"]["token"], json!(invitation));
    assert_eq!(state["opened_at"], "2026-03-01T18:00:00Z");
    assert_eq!(state["turn_name"], "Deployment");
}

#[tokio::test]
async fn a_game_needs_no_settings_and_refuses_wrong_ones() {
    let api = Api::new().await;
    let opened = api.post("/games", json!({})).await.of(201);
    let state = api.seat(&opened).state().await;
    assert_eq!(state["settings"]["board"], "classic");
    assert_eq!(state["settings"]["no_removal_limit"], 12);

    for (body, kind, field) in [
        (json!({"no_removal_limit": 100}), "field", "no_removal_limit"),
        (json!({"name": "x".repeat(41)}), "field", "name"),
        (json!({"address": "nobody"}), "field", "address"),
        (json!({"board": "moon"}), "field", "board"),
        (json!({"side": "green"}), "shape", "side"),
        (json!({"no_removal_limit": -1}), "shape", "no_removal_limit"),
        (json!({"password": "x"}), "shape", "password"),
    ] {
        let answer = api.post("/games", body).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.problem(kind)["field"], field);
    }
}

#[tokio::test]
async fn no_answer_to_a_reader_holds_a_seats_token() {
    let api = Api::new().await;
    let seats = api.deployed().await;
    seats[0].seal(1, "").await.of(200);
    for reader in &seats {
        for path in ["", "/board.svg", "/form", "/days", "/days/0", "/days/1", "/days/x"] {
            let answer = reader.get(path).await;
            let text = String::from_utf8_lossy(&answer.bytes).into_owned();
            for seat in &seats {
                assert!(!text.contains(&seat.token), "{path}: {text}");
                assert!(!format!("{:?}", answer.headers).contains(&seat.token), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn looking_changes_nothing_and_taking_happens_once() {
    let api = Api::new().await;
    let (red, invitation) = api.opened().await;
    for _ in 0..2 {
        let shown = api.post("/invitations/look", json!({"token": invitation})).await.of(200);
        assert_eq!((&shown["side"], &shown["from"]), (&json!("blue"), &json!("Ann")));
        assert!(!shown["settings"]["house_rules"].as_array().unwrap().is_empty());
    }
    let long = api.post("/invitations/take", json!({"token": invitation, "name": "x".repeat(41)})).await;
    assert_eq!(long.problem("field")["field"], "name");

    let answer = api.post("/invitations/take", json!({"token": invitation, "name": "Ben"})).await;
    let location = answer.header("location").to_owned();
    let taken = answer.of(201);
    assert_eq!(json!(location), taken["links"]["state"]);
    let blue = api.seat(&taken);
    assert_eq!(blue.state().await["names"], json!({"red": "Ann", "blue": "Ben"}));
    assert_eq!(blue.state().await["invitation"], Value::Null);
    assert_eq!(red.state().await["opponent"]["present"], true);

    for path in ["/invitations/look", "/invitations/take"] {
        let answer = api.post(path, json!({"token": invitation})).await;
        assert_eq!(answer.status, 409);
        answer.problem("seat_taken");
        let answer = api.post(path, json!({"token": "nosuchinvitation"})).await;
        assert_eq!(answer.status, 404);
        answer.problem("not_found");
    }
}

#[tokio::test]
async fn a_withdrawn_invitation_is_gone_and_there_is_a_new_one() {
    let api = Api::new().await;
    let (red, old) = api.opened().await;
    let new = red.ask(http::Method::POST, "/invitation/withdrawal", None).await.of(200);
    assert_ne!(new["token"], json!(old));
    assert_eq!(new, red.state().await["invitation"]);
    for path in ["/invitations/look", "/invitations/take"] {
        let answer = api.post(path, json!({"token": old})).await;
        assert_eq!(answer.status, 410);
        answer.problem("invitation_withdrawn");
    }
    let blue = api.post("/invitations/take", json!({"token": new["token"]})).await.of(201);
    red.post("/invitation/withdrawal", json!({})).await.problem("seat_taken");
    // Who did not invite has nothing to withdraw.
    api.seat(&blue).post("/invitation/withdrawal", json!({})).await.problem("not_found");
}

#[tokio::test]
async fn a_wrong_taker_is_unseated_until_the_deployments_are_revealed() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    blue.post("/unseating", json!({})).await.problem("not_found");
    let invitation = red.post("/unseating", json!({})).await.of(200);
    assert_eq!(red.state().await["opponent"]["present"], false);
    let answer = blue.get("").await;
    assert_eq!((answer.status, answer.header("www-authenticate").contains("invalid_token")), (401, true));
    answer.problem("token_unknown");
    api.post("/invitations/take", json!({"token": invitation["token"]})).await.of(201);

    let [red, _blue] = api.deployed().await;
    red.post("/unseating", json!({})).await.problem("begun");
}

#[tokio::test]
async fn reports_go_where_the_seat_says() {
    let api = Api::new().await;
    let (red, _) = api.opened().await;
    assert_eq!(red.put("/address", json!({"address": "ann@example.org"})).await.status, 204);
    assert_eq!(red.state().await["unconfirmed_address"], "ann@example.org");
    assert_eq!(red.put("/address", json!({"address": "not one"})).await.problem("field")["field"], "address");
    assert_eq!(red.state().await["unconfirmed_address"], "ann@example.org");
    assert_eq!(red.put("/address", json!({"address": ""})).await.status, 204);
    let state = red.state().await;
    assert_eq!((&state["address"], &state["unconfirmed_address"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn resigning_must_be_meant_and_ends_the_game() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    assert_eq!(red.post("/resignation", json!({"confirm": false})).await.problem("field")["field"], "confirm");
    assert_eq!(red.post("/resignation", json!({"confirm": true})).await.status, 204);
    for seat in [&red, &blue] {
        let state = seat.state().await;
        assert_eq!(state["ended"]["outcome"], "blue_wins");
        assert_eq!(state["awaits"], json!({"red": false, "blue": false}));
        let over = |answer: Answer| {
            assert_eq!(answer.status, 409);
            answer.problem("game_over");
        };
        over(seat.get("/form").await);
        over(seat.seal(1, "").await);
        over(seat.post("/check", json!({"turn": 1, "text": ""})).await);
        over(seat.post("/resignation", json!({"confirm": true})).await);
    }
    let (red, invitation) = api.opened().await;
    assert_eq!(red.post("/resignation", json!({"confirm": true})).await.status, 204);
    api.post("/invitations/look", json!({"token": invitation})).await.problem("invitation_withdrawn");
    red.post("/invitation/withdrawal", json!({})).await.problem("game_over");
}

#[tokio::test]
async fn a_game_begun_on_paper_is_carried_on() {
    let api = Api::new().await;
    let position = |day: u32, red: &str| {
        let position = json!({"day": day, "red": red, "blue": "GN A1\nC1 E6"});
        json!({"side": "red", "name": "Ann", "day_limit": 30, "position": position})
    };
    let opened = api.post("/games", position(7, "GN K1\nI2 F6 F8")).await.of(201);
    let state = api.seat(&opened).state().await;
    assert_eq!((&state["turn"], &state["standing"]["day_limit"]), (&json!(7), &json!(30)));
    assert_eq!(state["standing"]["units"].as_array().unwrap().len(), 5);
    for (body, field, said) in [
        (position(7, "GN K1\nI2 Z9"), "position.red", "Line 2, “Z9”"),
        (position(7, "GN K1\nI2 A1"), "position", "has two units on A1"),
        (position(31, "GN K1\nI2 F6"), "position", "after the last one, day 30"),
        (position(0, "GN K1\nI2 F6"), "position", "that of a day from 1"),
        (json!({"day_limit": 1000}), "day_limit", "999 days at most"),
    ] {
        let problem = api.post("/games", body).await.of(422);
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(said), "{problem}");
    }
    let against = json!({"opponent": {"computer": "easy"}, "position": position(7, "GN K1\nI2 F6")["position"]});
    let wrong = api.post("/games", against).await.of(422);
    assert!(wrong["detail"].as_str().unwrap().contains("carries on no game"), "{wrong}");
    let wrong = api.post("/games", json!({"position": {"day": -1, "red": "", "blue": ""}})).await.of(422);
    assert_eq!(wrong["field"], "position.day", "{wrong}");
}
