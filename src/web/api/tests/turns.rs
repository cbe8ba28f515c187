//! Sheets and turns.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Api;
use crate::clock::Clock;

#[tokio::test]
async fn a_game_goes_from_the_deployment_to_its_end() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    let form = red.get("/form").await.of(200);
    assert_eq!(
        (&form["noun"], &form["may_be_empty"], &form["fills"]),
        (&json!("deployment"), &json!(false), &json!(true))
    );
    assert_eq!(form["presets"].as_array().unwrap().len(), 3);

    let preset = form["presets"][0]["text"].as_str().unwrap();
    let receipt = red.seal(0, preset).await.of(200);
    assert_eq!((&receipt["turn"], &receipt["resolved"], &receipt["text"]), (&json!(0), &json!(false), &json!(preset)));
    let seen = blue.state().await;
    assert_eq!(seen["opponent"]["sealed"], json!({"seal": receipt["seal"], "sealed_at": receipt["sealed_at"]}));
    assert_eq!(seen["awaits"], json!({"red": false, "blue": true}));
    assert_eq!(red.state().await["own"]["salt"], receipt["salt"]);

    let filled = blue.post("/fill", json!({"turn": 0, "text": "GN A1"})).await.of(200);
    let text = filled["text"].as_str().unwrap();
    assert!(text.starts_with("GN A1\n"));
    let check = blue.post("/check", json!({"turn": 0, "text": text})).await.of(200);
    assert_eq!((check["lines"].as_array().unwrap().len(), &check["warnings"]), (9, &json!(0)));
    assert_eq!(blue.seal(0, text).await.of(200)["resolved"], true);

    let day = red.get("/days/0").await.of(200);
    assert_eq!(day["report"]["units"].as_array().unwrap().len(), 80);
    assert_eq!(day["sheets"]["red"]["seal"], receipt["seal"]);
    assert_eq!(day["sheets"]["blue"]["text"], json!(text));

    // Twelve days on which nobody moves.
    for turn in 1..=12 {
        red.seal(turn, "").await.of(200);
        blue.seal(turn, "HOLD").await.of(200);
    }
    let state = red.state().await;
    assert_eq!(state["ended"]["outcome"], "draw");
    let days = red.get("/days").await.of(200);
    assert_eq!(days["days"].as_array().unwrap().len(), 13);
    let last = &days["days"][12];
    assert_eq!(last["name"], "Day 12");
    let path = last["href"].as_str().unwrap().strip_prefix("/api/v1").unwrap();
    let day = api.ask(http::Method::GET, path, Some(&red.token), None).await.of(200);
    assert_eq!(day["report"]["outcome"], "draw");
    assert!(day["story"].as_array().unwrap().iter().any(|chapter| chapter["lines"][1]["tone"] == "end"));
}

#[tokio::test]
async fn a_days_report_tells_what_happened_in_described_members() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    let standing = red.state().await;
    let units = standing["standing"]["units"].as_array().unwrap();
    // Each side sends whatever it can, wherever the rules allow it: something will meet.
    for turn in 1..=30 {
        if red.state().await["ended"] != Value::Null {
            break;
        }
        for (seat, step) in [(&red, -1), (&blue, 1)] {
            seat.seal(turn, &advance(&seat.state().await, step)).await.of(200);
        }
    }
    assert_eq!(units.len(), 80);
    let days = red.get("/days").await.of(200);
    let (mut confrontations, mut fires, mut refused) = (0, 0, 0);
    for line in days["days"].as_array().unwrap() {
        let day = blue.get(&format!("/days/{}", line["turn"])).await.of(200);
        confrontations += day["report"]["confrontations"].as_array().map_or(0, Vec::len);
        fires += day["report"]["artillery"].as_array().map_or(0, Vec::len);
        let orders = day["report"]["orders"]["red"].as_array().into_iter().flatten();
        refused += orders.filter(|order| order["legal"] == false).count();
    }
    assert!(confrontations > 0 && fires > 0 && refused > 0, "{confrontations} {fires} {refused}");
}

/// Up to twelve orders that send a side's units a row further; some will be illegal.
fn advance(state: &Value, step: i16) -> String {
    let units = state["standing"]["units"].as_array().unwrap().iter().filter(|unit| unit["side"] == state["side"]);
    let orders = units.filter_map(|unit| {
        let at = unit["at"].as_str()?;
        let row = i16::from(at.as_bytes()[0]) + step;
        let row = char::from(u8::try_from(row).ok().filter(u8::is_ascii_uppercase)?);
        (('A'..='K').contains(&row)).then(|| format!("{at}-{row}{}", &at[1..]))
    });
    let mut orders: Vec<String> = orders.collect();
    if step > 0 {
        orders.reverse();
    }
    orders.truncate(12);
    orders.join("\n")
}

#[tokio::test]
async fn a_check_says_of_each_line_what_will_become_of_it() {
    let api = Api::new().await;
    let [red, _blue] = api.deployed().await;
    let check = red.post("/check", json!({"turn": 1, "text": "a1-a2, G8-F8"})).await.of(200);
    assert_eq!(check["text"], "A1-A2 G8-F8");
    assert_eq!(check["measure"], "2 orders");
    assert_eq!(check["warnings"], 1);
    assert_eq!(check["lines"][0]["reason"], "no_own_unit");
    assert_eq!(check["lines"][1]["legal"], true);
    // Orders are not filled in.
    red.post("/fill", json!({"turn": 1, "text": ""})).await.problem("text");
}

#[tokio::test]
async fn a_text_that_cannot_be_read_names_line_and_word_and_leaves_the_seal() {
    let api = Api::new().await;
    let [red, _blue] = api.joined().await;
    let preset = red.get("/form").await.of(200)["presets"][0]["text"].as_str().unwrap().to_owned();
    let sealed = red.seal(0, &preset).await.of(200);
    let short = preset.trim_end().rsplit_once(' ').unwrap().0;
    for (text, line, word) in [
        (short.to_owned(), None, None),
        (preset.replace("GN ", "XX "), Some(1), Some("XX")),
        (format!("{preset}GN A1"), Some(10), Some("A1")),
        ("GN k1\nAR K1".to_owned(), Some(2), Some("K1")),
        ("GN Ｋ1\nAR k1".to_owned(), Some(2), Some("k1")),
    ] {
        let answer = red.seal(0, &text).await;
        assert_eq!(answer.status, 422);
        let problem = answer.problem("text");
        assert_eq!(problem["field"], "text");
        assert_eq!(problem.get("line"), line.map(|line: u32| json!(line)).as_ref(), "{problem}");
        assert_eq!(problem.get("word"), word.map(|word| json!(word)).as_ref(), "{problem}");
    }
    assert_eq!(red.state().await["own"]["seal"], sealed["seal"]);

    let [red, _blue] = api.deployed().await;
    let thirteen = "G8-F8\n".repeat(13);
    assert_eq!(red.seal(1, &thirteen).await.problem("text")["line"], 13);
    assert_eq!(red.seal(1, "G8-Z9").await.problem("text")["word"], "Z9");
}

#[tokio::test]
async fn the_same_sheet_gives_the_same_receipt_and_a_late_one_is_refused() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    let receipt = red.seal(1, "G8-F8").await.of(200);
    assert_eq!(red.seal(1, " g8 → f8 # again").await.of(200), receipt);
    blue.seal(1, "").await.of(200);

    let mut again = receipt.clone();
    again["resolved"] = json!(true);
    assert_eq!(red.seal(1, "G8-F8").await.of(200), again);
    for (path, turn, kind) in
        [("/sheet", 1, "turn_over"), ("/sheet", 3, "turn_ahead"), ("/sheet", u32::MAX, "turn_ahead")]
    {
        let answer = red.put(path, json!({"turn": turn, "text": "G8-F9"})).await;
        assert_eq!(answer.status, 409);
        answer.problem(kind);
    }
    red.post("/check", json!({"turn": 1, "text": ""})).await.problem("turn_over");
    red.post("/fill", json!({"turn": 3, "text": ""})).await.problem("turn_ahead");
}

#[tokio::test]
async fn only_if_first_does_not_resolve() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    let careful = json!({"turn": 1, "text": "", "only_if_first": true});
    assert_eq!(red.put("/sheet", careful.clone()).await.of(200)["resolved"], false);
    let answer = blue.put("/sheet", careful).await;
    assert_eq!(answer.status, 409);
    answer.problem("would_resolve");
    assert_eq!(blue.state().await["own"], Value::Null);
    assert_eq!(blue.seal(1, "").await.of(200)["resolved"], true);
}

#[tokio::test]
async fn a_replaced_sheet_gets_a_new_seal_and_the_version_rises() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    let before = blue.state().await;
    let first = red.seal(1, "G8-F8").await.of(200);
    if let Clock::Fixed(now) = &api.clock {
        now.fetch_add(60_000, std::sync::atomic::Ordering::SeqCst);
    }
    let second = red.seal(1, "").await.of(200);
    assert_ne!(first["seal"], second["seal"]);
    assert_ne!(first["sealed_at"], second["sealed_at"]);
    let after = blue.state().await;
    assert_eq!(after["opponent"]["sealed"]["seal"], second["seal"]);
    assert!(after["version"].as_i64() > before["version"].as_i64());
}

#[tokio::test]
async fn two_games_that_differ_in_the_enemys_sheet_alone_look_the_same() {
    let mut seen = Vec::new();
    for text in ["G8-F8", "G8-F8 G9-F9 G10-F10"] {
        let api = Api::new().await;
        let [red, blue] = api.deployed().await;
        let seal = red.seal(1, text).await.of(200)["seal"].as_str().unwrap().to_owned();
        let mut all = String::new();
        for path in ["", "/board.svg", "/form", "/days", "/days/0", "/days/1"] {
            let answer = blue.get(path).await;
            writeln!(all, "{:?} {}", answer.headers, String::from_utf8_lossy(&answer.bytes)).unwrap();
        }
        let check = blue.post("/check", json!({"turn": 1, "text": ""})).await;
        all += &check.json.to_string();
        seen.push(all.replace(&seal, "SEAL"));
    }
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test]
async fn the_board_is_drawn_from_the_sides_own_edge() {
    let api = Api::new().await;
    let [red, blue] = api.deployed().await;
    let [from_red, from_blue] = [red.get("/board.svg").await, blue.get("/board.svg").await];
    assert_eq!(from_red.header("content-type"), "image/svg+xml");
    let picture = String::from_utf8_lossy(&from_red.bytes);
    // Its policy allows no style.
    assert!(picture.starts_with("<svg") && !picture.contains("style"), "{picture}");
    assert_ne!(from_red.bytes, from_blue.bytes);
}

#[tokio::test]
async fn a_draft_is_kept_and_a_sealed_sheet_taken_back() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    let before = blue.state().await;
    let kept = red.put("/draft", json!({"turn": 0, "text": "GN K11\nnonsense"})).await.of(200);
    assert!(kept["problem"].as_str().unwrap().starts_with("Line 2, “nonsense”"), "{kept}");
    assert_eq!(red.state().await["draft"], "GN K11\nnonsense");
    assert_eq!(blue.state().await, before, "the opponent cannot notice a draft");
    assert_eq!(red.put("/draft", json!({"turn": 1, "text": ""})).await.of(409)["type"], "/api/v1/problems/turn_ahead");

    let preset = red.get("/form").await.of(200)["presets"][0]["text"].clone();
    red.seal(0, preset.as_str().unwrap()).await.of(200);
    assert_eq!(red.state().await["draft"], Value::Null);
    assert_eq!(red.post("/sheet/retract", json!({"turn": 0})).await.status, 204);
    let state = red.state().await;
    assert_eq!((&state["own"], &state["draft"]), (&Value::Null, &preset));
    assert_eq!(blue.state().await["opponent"]["sealed"], Value::Null);
    red.post("/sheet/retract", json!({"turn": 0})).await.of(404);
}
