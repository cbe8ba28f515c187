//! News as they happen: what an event stream says, to whom, and when it ends.

use std::time::Duration;

use serde_json::json;

use crate::world::deployment;
use crate::world::server::{Browser, News, Program, Server};
use fieldcommand::rules::Side;

/// A server with a game of Ann against Ben: both browsers, both seats' paths, and Ben's program.
async fn table(server: &Server) -> (Browser, Browser, String, Program) {
    let ann = server.browser();
    let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "")];
    let red = ann.post("/games", &fields).await.location().to_owned();
    let invitation = ann.get(&red).await.link("/i/");
    let ben = server.browser();
    let taken = ben.sends(&invitation, &[("name", "Ben")]).await;
    let program = server.program(taken.link("/s/").trim_start_matches("/s/"));
    (ann, ben, red, program)
}

/// The next version that a stream tells.
async fn version(news: &mut News) -> i64 {
    tokio::time::timeout(Duration::from_secs(30), news.next()).await.expect("no news").expect("the stream ended")
}

#[tokio::test]
async fn a_seal_is_told_and_a_draft_is_not() {
    let server = Server::start(1).await;
    let (ann, ben, red, program) = table(&server).await;
    let blue = red.replace("/red", "/blue");
    let mut news = ann.listen(&format!("{red}/events")).await;
    let first = version(&mut news).await;
    let once = |answer: crate::world::server::Answer| answer.body.parse::<i64>().unwrap();
    assert_eq!(once(ann.get(&format!("{red}/events?once=1")).await), first);

    // What Ben writes and does not seal is no news; his seal is, and so is that he takes it back.
    let draft = [("turn", "0"), ("text", "GN A1"), ("act", "")];
    assert_eq!(ben.post(&format!("{blue}/table"), &draft).await.status, 200);
    assert_eq!(once(ann.get(&format!("{red}/events?once=1")).await), first, "a draft is nobody's business");
    let path = blue.clone();
    assert_eq!(program.seals(&path, 0, &deployment(Side::Blue, "hook")).await.status, 200);
    let sealed = version(&mut news).await;
    assert!(sealed > first);
    assert_eq!(program.post(&format!("{path}/sheet/retract"), &json!({"turn": 0})).await.status, 204);
    assert!(version(&mut news).await > sealed);

    // Nobody else hears anything, and the server stops though somebody listens.
    assert_eq!(server.browser().get(&format!("{red}/events")).await.status, 404);
    assert_eq!(ben.get(&format!("{red}/events")).await.status, 404);
    server.stop().await;
    let end = tokio::time::timeout(Duration::from_secs(30), news.next()).await.expect("the stream goes on for ever");
    assert_eq!(end, None);
}

/// Who loses the seat is not told any more.
#[tokio::test]
async fn an_unseated_player_hears_nothing_more() {
    let server = Server::start(2).await;
    let (ann, ben, red, _) = table(&server).await;
    let mut news = ben.listen(&format!("{}/events", red.replace("/red", "/blue"))).await;
    version(&mut news).await;
    assert_eq!(ann.post(&format!("{red}/unseat"), &[]).await.status, 303);
    let end = tokio::time::timeout(Duration::from_secs(30), news.next()).await.expect("the stream goes on");
    assert_eq!(end, None);
    server.stop().await;
}
