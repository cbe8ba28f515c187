//! The page on which a record or a position of elsewhere is played again.

use std::fs;

use reqwest::StatusCode;

use crate::world::server::{Answer, Server};

const BOUNDARY: &str = "a-line-that-stands-nowhere-else";

/// Sends the form as a browser does.
async fn sends(server: &Server, fields: &[(&str, &str)]) -> Answer {
    let part = |(name, value): &(&str, &str)| {
        let file = if *name == "file" { "; filename=\"record.json\"" } else { "" };
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n")
    };
    let body = fields.iter().map(part).chain([format!("--{BOUNDARY}--\r\n")]).collect::<String>();
    let request = reqwest::Client::new()
        .post(format!("{}/analyse", server.url))
        .header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(body);
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, body: response.text().await.unwrap() }
}

/// What the next press sends along.
fn kept(page: &Answer) -> String {
    page.body.split("name=\"kept\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

fn replay(name: &str) -> String {
    fs::read_to_string(format!("{}/tests/cases/replays/{name}.json", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[tokio::test]
async fn every_record_is_played_turn_by_turn() {
    let server = Server::start(95).await;
    let record = replay("march");
    let page = sends(&server, &[("file", ""), ("record", &record)]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.words().contains("The record holds") && page.words().contains("the running hash hold."),
        "{}",
        page.words()
    );
    assert!(page.body.contains("<h2>Deployment</h2>"), "it begins at the beginning");
    let next = sends(&server, &[("kept", &kept(&page)), ("turn", "2")]).await;
    assert!(next.body.contains("<h2>Day 2</h2>") && next.body.contains("data-player"), "{}", next.words());
    assert!(next.words().contains("Day 1") && next.words().contains("Day 3"), "there is a way on and back");
    let uploaded = sends(&server, &[("file", &record), ("record", "nonsense")]).await;
    assert_eq!(uploaded.body, page.body, "a file comes before what was pasted");
    for name in ["void", "running", "paper-ridge", "blue-resigns", "half-asleep", "continued"] {
        let file = format!("{}/tests/cases/replays/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let Ok(record) = fs::read_to_string(file) else { continue };
        let page = sends(&server, &[("record", &record), ("turn", "999")]).await;
        assert_eq!(page.status, StatusCode::OK, "{name}: {}", page.words());
        assert!(page.words().contains("The record holds"), "{name}: {}", page.words());
    }
    server.stop().await;
}

#[tokio::test]
async fn what_was_changed_is_named_and_what_cannot_be_read_comes_back() {
    let server = Server::start(96).await;
    let changed = replay("march").replacen("\"how\": \"sealed\"", "\"how\": \"missed\"", 1);
    let page = sends(&server, &[("record", &changed)]).await;
    assert!(page.words().contains("The record does not hold"), "{}", page.words());
    assert!(
        page.words().contains("Deployment: the turn does not follow from what stands before it"),
        "{}",
        page.words()
    );
    for (text, said) in [
        ("", "Paste a record or a position"),
        ("H7-F7 <b>", "This is not JSON"),
        ("{}", "This record cannot be read. this is no record"),
        ("{\"format\": 2}", "reads format 1"),
        ("{\"map\": \"moon\", \"units\": []}", "the boards are classic and ridge"),
        ("{\"map\": \"classic\", \"units\": [{\"side\": \"red\"}]}", "units[0]: missing field"),
    ] {
        let page = sends(&server, &[("record", text)]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
        assert!(page.words().contains(said), "{text}: {}", page.words());
        assert!(page.body.contains("id=\"record-error\"") && !page.body.contains("<b>"));
    }
    let long = sends(&server, &[("record", &"x".repeat(2 << 20))]).await;
    assert_eq!(long.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(long.words().contains("This record is too long"), "{}", long.words());
    let odd = reqwest::Client::new().post(format!("{}/analyse", server.url)).body("record=1").send().await.unwrap();
    assert_eq!(odd.status(), StatusCode::BAD_REQUEST);
    server.stop().await;
}

#[tokio::test]
async fn a_position_is_shown_and_a_day_is_played() {
    let server = Server::start(97).await;
    let units = r#""units": [{"side": "red", "unit": "I2", "at": "H7"}, {"side": "blue", "unit": "GN", "at": "F7"}]"#;
    let page = sends(&server, &[("record", &format!("{{\"map\": \"classic\", {units}}}"))]).await;
    assert!(page.words().contains("As it stands.") && !page.body.contains("data-player"), "{}", page.words());
    let orders = r#""orders": {"red": ["H7-F7"], "blue": []}"#;
    let page = sends(&server, &[("record", &format!("{{\"map\": \"ridge\", {units}, {orders}}}"))]).await;
    assert!(page.body.contains("data-player") && page.words().contains("Red wins"), "{}", page.words());
    server.stop().await;
}
