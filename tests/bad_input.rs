//! Bad input over HTTP: each gets a clear error that names what and where, and what was sealed stays sealed.

use serde_json::json;

use crate::world::deployment;
use crate::world::server::{Browser, Server};
use fieldcommand::rules::Side;

/// A game on day 1 whose Red has sealed H7-F7, and the browsers of both.
async fn table(server: &Server) -> (Browser, Browser, String) {
    let (ann, ben) = (server.browser(), server.browser());
    let opened = ann
        .post("/games", &[("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "")])
        .await;
    let red = opened.location().to_owned();
    let invitation = ann.get(&red).await.link("/i/");
    ben.post(&invitation, &[("name", "Ben")]).await;
    let blue = red.replace("/red", "/blue");
    for (browser, seat, side) in [(&ann, &red, Side::Red), (&ben, &blue, Side::Blue)] {
        let text = deployment(side, "hook");
        let sealed =
            browser.post(&format!("{seat}/seal"), &[("turn", "0"), ("text", &text), ("may_resolve", "1")]).await;
        assert_eq!(sealed.status, 303, "{}", sealed.words());
    }
    let sealed = ann.post(&format!("{red}/seal"), &[("turn", "1"), ("text", "H7-F7"), ("may_resolve", "1")]).await;
    assert_eq!(sealed.status, 303, "{}", sealed.words());
    (ann, ben, red)
}

#[tokio::test]
async fn orders_that_cannot_be_read_change_nothing() {
    let server = Server::start(3).await;
    let (ann, _, red) = table(&server).await;
    let thirteen = "H7-F7\n".repeat(13);
    let empty_line = "H7-F7\n\n# a comment\nG8-Z9";
    for (text, words) in [
        (thirteen.as_str(), vec!["Line 13", "H7-F7", "13"]),
        ("H7-F7\nfoo", vec!["Line 2", "foo"]),
        (empty_line, vec!["Line 4", "Z9"]),
        ("GN H7-F7", vec!["Line 1", "GN", "General"]),
        ("H7", vec!["Line 1", "H7"]),
        ("", vec!["no orders"]),
    ] {
        for door in ["check", "seal"] {
            let answer = ann
                .post(&format!("{red}/{door}"), &[("turn", "1"), ("text", text), ("may_resolve", "1"), ("do", "check")])
                .await;
            if text.is_empty() && door == "check" {
                continue;
            }
            assert_eq!(answer.status, 422, "{door} {text}: {}", answer.words());
            for word in &words {
                assert!(answer.words().contains(word), "{door} {text} does not name {word}: {}", answer.words());
            }
        }
    }
    assert!(ann.get(&red).await.words().contains("H7-F7"), "what was sealed before stays sealed");
    server.stop().await;
}

#[tokio::test]
async fn deployments_that_are_none_are_named() {
    let server = Server::start(4).await;
    let opened = server.program("").post("/games", &json!({"board": "ridge", "side": "red"})).await.json();
    let ann = server.program(opened["token"].as_str().unwrap());
    let seat = format!("/games/{}/red", opened["game"].as_str().unwrap());
    let whole = deployment(Side::Red, "balanced");
    let first = whole.lines().nth(1).unwrap().split(' ').nth(1).unwrap().to_owned();
    let wide: String = first.chars().map(|c| char::from_u32(c as u32 + 0xFEE0).unwrap()).collect();
    for (text, words) in [
        (whole.replace("GN K11\n", ""), vec!["39", "General"]),
        (whole.replace("GN K11", "GN A1"), vec!["1", "A1", "zone"]),
        (whole.replace("GN K11", &format!("GN {}", first.to_lowercase())), vec![first.as_str()]),
        (whole.replace("GN K11", &format!("GN {wide}")), vec![first.as_str()]),
        (whole.replace("GN K11", "KING K11"), vec!["KING"]),
    ] {
        let answer = ann.seals(&seat, 0, &text).await;
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("application/problem+json"));
        for word in words {
            assert!(answer.body.contains(word), "{text} does not name {word}: {}", answer.body);
        }
    }
    assert_eq!(ann.get(&seat).await.json()["sealed"], json!(null));
    server.stop().await;
}

#[tokio::test]
async fn strangers_and_latecomers() {
    let server = Server::start(5).await;
    let (ann, ben, red) = table(&server).await;
    let blue = red.replace("/red", "/blue");
    let stranger = server.browser();
    for path in [
        red.as_str(),
        &blue,
        "/games/000000000000",
        "/games/000000000000/red",
        "/games/x/red",
        "/s/abc",
        "/i/abc",
        "/nowhere",
    ] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.words());
    }
    for path in ["/games/%ff", "/s/%ff", "/api/v1/problems/%ff"] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.body.contains("Invalid URL"), "{path}: {}", answer.body);
    }
    assert_eq!(ann.get(&blue).await.status, 404, "Red does not see Blue's seat");
    let other = ann.post(&format!("{blue}/seal"), &[("turn", "1"), ("text", "E4-G4"), ("may_resolve", "1")]).await;
    assert_eq!(other.status, 404);

    let over = ben
        .post(
            &format!("{blue}/seal"),
            &[("turn", "0"), ("text", &deployment(Side::Blue, "fortress")), ("may_resolve", "1")],
        )
        .await;
    assert_eq!(over.status, 409);
    assert!(over.words().contains("Deployment has been resolved"), "{}", over.words());
    let unaware = ben.post(&format!("{blue}/seal"), &[("turn", "1"), ("text", "E4-G4")]).await;
    assert_eq!(unaware.status, 409, "{}", unaware.words());
    assert!(unaware.words().contains("Red has sealed"), "{}", unaware.words());
    assert!(ben.get(&format!("{blue}/days/1")).await.status == 404, "nothing was resolved");
    server.stop().await;
}

#[tokio::test]
async fn bodies_that_are_too_big_or_no_text() {
    let server = Server::start(6).await;
    let (ann, _, red) = table(&server).await;
    let form = "application/x-www-form-urlencoded";
    let path = format!("{red}/seal");
    let big = ann.post_raw(&path, form, vec![b'a'; 10_000_000]).await;
    assert_eq!(big.status, 413);
    let garbled = ann.post_raw(&path, form, b"turn=1&text=%ff%fe".to_vec()).await;
    assert!(garbled.status == 400 || garbled.status == 422, "{}", garbled.status);
    assert!(garbled.words().contains("UTF-8"), "{}", garbled.words());
    let odd = ann.post(&path, &[("turn", "first"), ("text", "H7-F7")]).await;
    assert_eq!(odd.status, 422, "{}", odd.words());

    let program = server.program("");
    let big = program.post("/games", &json!({"board": "classic", "side": "red", "name": "x".repeat(10_000_000)})).await;
    assert_eq!(big.status, 413);
    for name in ["x".repeat(41), "\u{1F600}".repeat(41)] {
        let long = program.post("/games", &json!({"board": "classic", "side": "red", "name": name})).await;
        assert_eq!(long.status, 422, "{}", long.body);
        assert!(long.body.contains("name"), "{}", long.body);
    }
    assert!(ann.get(&red).await.words().contains("H7-F7"), "what was sealed before stays sealed");
    server.stop().await;
}

/// A form on somebody else's site cannot act for a player.
#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let server = Server::start(7).await;
    let (ann, _, red) = table(&server).await;
    let client = reqwest::Client::new();
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://elsewhere.example")] {
        let answer =
            client.post(format!("{}{red}/resign", server.url)).header(name, value).body("").send().await.unwrap();
        assert_eq!(answer.status(), 403, "{name}");
    }
    assert!(!ann.get(&red).await.words().contains("resigned"));
    server.stop().await;
}

/// What every page carries, so that no secret leaves it.
#[tokio::test]
async fn pages_guard_their_secrets() {
    let server = Server::start(8).await;
    let (ann, _, red) = table(&server).await;
    let page = ann.get(&red).await;
    let header =
        |name: &str| page.headers.get(name).unwrap_or_else(|| panic!("{name} is missing")).to_str().unwrap().to_owned();
    assert!(header("cache-control").contains("no-store"));
    assert_eq!(header("referrer-policy"), "strict-origin", "no other site learns an address");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let policy = header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for page in [&page, &ann.get("/").await, &ann.get("/rules").await] {
        assert!(
            !page.body.contains(" style=") && !page.body.contains("<style") && !page.body.contains("onclick"),
            "inline style or script"
        );
    }
    server.stop().await;
}
