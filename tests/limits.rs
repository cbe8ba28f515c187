//! How much one client may ask for, against a whole server.

use fieldcommand::cli::settings::ClientLimits;
use serde_json::json;

use crate::world::server::Server;

async fn limited(seed: u64, hops: u8) -> Server {
    Server::start_with(seed, |settings| {
        settings.limits = ClientLimits::On;
        settings.trusted_hops = hops;
    })
    .await
}

#[tokio::test]
async fn one_client_asks_for_so_many_letters_and_is_told_when_to_come_again() {
    let server = limited(91, 0).await;
    let browser = server.browser();
    for n in 0..30 {
        let asked = browser.post("/sign-in", &[("address", &*format!("n{n}@example.org"))]).await;
        assert_eq!(asked.status, 303, "{}", asked.words());
    }
    for _ in 0..2 {
        let refused = server.browser().post("/sign-in", &[("address", "ann@example.org")]).await;
        assert_eq!((refused.status.as_u16(), refused.headers["retry-after"].to_str().unwrap()), (429, "61"));
        let words = refused.words();
        assert!(words.contains("please try again in 61 seconds") && words.contains("Too many at once"), "{words}");
    }
    // Looking is free, and so is everything else.
    assert_eq!(browser.get("/sign-in").await.status, 200);
    for _ in 0..30 {
        assert_eq!(
            browser.post("/games/0000nosuch00/code", &[("code", "AAAA-AAAA")]).await.headers.get("retry-after"),
            None
        );
    }
    assert_eq!(browser.post("/games/0000nosuch00/code", &[("code", "AAAA-AAAA")]).await.headers["retry-after"], "61");
    server.stop().await;
}

#[tokio::test]
async fn programs_are_refused_as_programs_and_clients_are_told_apart_behind_a_proxy() {
    let server = limited(92, 1).await;
    let client = reqwest::Client::new();
    let opens = async |forwarded: &str| {
        let request = client.post(format!("{}/api/v1/games", server.url)).header("x-forwarded-for", forwarded);
        request.json(&json!({"side": "red", "name": "Ann"})).send().await.unwrap()
    };
    for n in 0..60 {
        // What the client itself writes there changes nothing.
        assert_eq!(opens(&format!("192.0.2.{n}, 198.51.100.1")).await.status(), 201);
    }
    let refused = opens("198.51.100.1").await;
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "31"));
    assert_eq!(refused.headers()["content-type"], "application/problem+json");
    let problem: serde_json::Value = refused.json().await.unwrap();
    assert_eq!(problem["type"], "/api/v1/problems/too_many");
    assert!(problem["detail"].as_str().unwrap().contains("More games were opened from your network"), "{problem}");
    assert_eq!(opens("198.51.100.2").await.status(), 201);
    server.stop().await;
}
