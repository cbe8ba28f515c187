//! The pages and the API of a game's time, over HTTP and without scripts.

use serde_json::{Value, json};

use crate::world::deployment;
use crate::world::server::{Browser, Program, Server};
use fieldcommand::rules::Side;

/// A game of three days a turn with ten minutes for second thoughts, both seats taken.
struct Timed {
    server: Server,
    ann: Browser,
    red: Program,
    blue: Program,
    seats: [String; 2],
}

impl Timed {
    async fn open() -> Timed {
        let server = Server::start(5).await;
        let ann = server.browser();
        let fields = [
            ("name", "Ann"),
            ("board", "classic"),
            ("side", "red"),
            ("limit", "12"),
            ("pace", "72"),
            ("missed_running", "2"),
            ("missed_all", "4"),
            ("second_thoughts", "10"),
            ("absence_days", "9"),
            ("missing_deployment", "ready_made"),
        ];
        let opened = ann.post("/games", &fields).await;
        assert_eq!(opened.status, 303, "{}", opened.words());
        let red_seat = opened.location().to_owned();
        let seat = ann.get(&red_seat).await;
        let invitation = seat.link("/i/").trim_start_matches("/i/").to_owned();
        let taken = server.program("").post("/invitations/take", &json!({"token": invitation, "name": "Ben"})).await;
        let blue = server.program(taken.json()["token"].as_str().unwrap());
        let red = server.program(seat.link("/s/").trim_start_matches("/s/"));
        Timed { server, ann, red, blue, seats: [red_seat.clone(), red_seat.replace("/red", "/blue")] }
    }

    /// What Red reads through the API.
    async fn state(&self) -> Value {
        self.red.get(&self.seats[0]).await.json()
    }
}

#[tokio::test]
async fn the_terms_are_chosen_and_said_and_wrong_ones_named() {
    let game = Timed::open().await;
    let terms = json!({"missed_running": 2, "missed_all": 4, "second_thoughts": 10, "absence_days": 9, "missing_deployment": "ready_made"});
    assert_eq!(game.state().await["terms"], terms);
    let words = game.ann.get(&game.seats[0]).await.words();
    assert!(words.contains("2 turns running or 4 in all") && words.contains("9 days of absence"), "{words}");
    assert!(words.contains("If your deployment is not whole by then, a ready-made one is used."), "{words}");
    let wrong =
        [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("pace", "72"), ("missed_all", "0")];
    let refused = game.server.browser().post("/games", &wrong).await;
    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("This is a whole number from 1 to 99."), "{}", refused.words());
    let refused = game.server.program("").post("/games", &json!({"terms": {"second_thoughts": 5}})).await;
    assert_eq!((refused.status.as_u16(), refused.json()["field"].as_str()), (422, Some("second_thoughts")));
    let claim = game.red.post(&format!("{}/claim", game.seats[0]), &json!({})).await;
    assert_eq!((claim.status.as_u16(), claim.json()["type"].as_str()), (409, Some("/api/v1/problems/no_claim")));
    assert_eq!(game.ann.get(&format!("{}/absent", game.seats[0])).await.status, 409);
    game.server.stop().await;
}

#[tokio::test]
async fn a_draft_is_withheld_with_a_box() {
    let game = Timed::open().await;
    let seat = &game.seats[0];
    let shown = game.ann.get(seat).await;
    assert!(shown.body.contains("name=\"use\" value=\"1\" checked"), "{}", shown.words());
    let kept = game.ann.sends(&format!("{seat}/when-due"), &[("turn", "0")]).await;
    assert!(
        kept.body.contains("name=\"use\" value=\"1\">") && kept.words().contains("by then, a ready-made one"),
        "{}",
        kept.words()
    );
    assert_eq!(game.state().await["use_when_due"], false);
    let draft = json!({"turn": 0, "text": "GN K11", "use_when_due": true});
    assert_eq!(game.red.put(&format!("{seat}/draft"), &draft).await.status, 200);
    assert_eq!(game.state().await["use_when_due"], true);
    game.server.stop().await;
}

#[tokio::test]
async fn second_thoughts_are_said_before_and_after_the_last_seal() {
    let game = Timed::open().await;
    let text = deployment(Side::Blue, "hook");
    let sealed = game.blue.seals(&game.seats[1], 0, &text).await.json();
    assert_eq!((&sealed["resolved"], &sealed["settles_at"]), (&json!(false), &Value::Null));
    let (seat, own) = (&game.seats[0], deployment(Side::Red, "hook"));
    let asked = game.ann.post(&format!("{seat}/seal"), &[("turn", "0"), ("text", &own)]).await;
    assert_eq!(asked.status, 409);
    assert!(asked.words().contains("both may still replace their sheets for 10 minutes"), "{}", asked.words());
    assert!(asked.body.contains("name=\"final\"") && !asked.words().contains("and begin"), "{}", asked.words());
    let fields = [("turn", "0"), ("text", &*own), ("may_resolve", "1")];
    let waiting = game.ann.sends(&format!("{seat}/seal"), &fields).await;
    assert!(
        waiting.words().contains("Both have sealed.") && waiting.words().contains("Both may still replace"),
        "{}",
        waiting.words()
    );
    assert!(game.state().await["settles_at"].is_string());
    let last = json!({"turn": 0, "text": text, "final": true});
    assert_eq!(game.blue.put(&format!("{}/sheet", game.seats[1]), &last).await.json()["resolved"], false);
    let fields = [("turn", "0"), ("text", &*own), ("may_resolve", "1"), ("final", "1")];
    let begun = game.ann.post(&format!("{seat}/seal"), &fields).await;
    assert!(begun.location().ends_with("/days/0"), "{}", begun.location());
    game.server.stop().await;
}

#[tokio::test]
async fn absences_and_pauses_are_announced_on_a_page_and_through_the_api() {
    let game = Timed::open().await;
    let (red, blue) = (&game.seats[0], &game.seats[1]);
    let page = format!("{red}/time");
    let shown = game.ann.sends(&page, &[("do", "days"), ("days", "4")]).await;
    assert!(
        shown.words().contains("You are away from") && shown.words().contains("You have 5 days left"),
        "{}",
        shown.words()
    );
    let state = game.state().await;
    let absence = state["time"]["absences"]["red"][0].clone();
    assert_eq!((&state["due_at"], &state["time"]["days_left"]["red"]), (&absence["until_at"], &json!(5)));
    let refused = game.ann.post(&page, &[("do", "dates"), ("from", "2030-01-01"), ("until", "soon")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("The end is not a date"), "{}", refused.words());
    assert_eq!(game.ann.post(&page, &[("do", "dance")]).await.status, 422);
    assert_eq!(game.ann.post(&page, &[("do", "end"), ("from", "x")]).await.status, 404);

    // Blue sees it, and ends nothing of Red's.
    let seen = game.blue.get(blue).await.json();
    assert_eq!(seen["time"]["absences"]["red"][0], absence);
    let end = json!({"from_at": absence["from_at"]});
    assert_eq!(game.blue.post(&format!("{blue}/absences/end"), &end).await.status, 404);
    // It has moved the deadline of the awaited turn, so its days stay taken.
    let held = game.red.post(&format!("{red}/absences/end"), &end).await;
    assert_eq!((held.status.as_u16(), held.json()["field"].as_str()), (422, Some("from_at")), "{}", held.body);
    let later = json!({"from_at": "2026-12-01T00:00:00Z", "until_at": "2026-12-02T00:00:00Z"});
    assert_eq!(game.red.post(&format!("{red}/absences"), &later).await.status, 204);
    let end = json!({"from_at": "2026-12-01T00:00:00Z"});
    assert_eq!(game.red.post(&format!("{red}/absences/end"), &end).await.status, 204);
    let wrong = game.red.post(&format!("{red}/absences"), &json!({"until_at": "tomorrow"})).await;
    assert_eq!((wrong.status.as_u16(), wrong.json()["field"].as_str()), (422, Some("until_at")));
    let past = game.red.post(&format!("{red}/absences"), &json!({"until_at": "2020-01-01T00:00:00Z"})).await;
    assert_eq!((past.status.as_u16(), past.json()["field"].as_str()), (422, Some("until_at")));

    // A pause: offered by Blue, accepted on Red's page.
    let until = "2026-01-11T00:00:00Z";
    let offered = game.blue.put(&format!("{blue}/pause"), &json!({"until_at": until})).await;
    assert_eq!(offered.status, 204, "{}", offered.body);
    assert!(game.ann.get(red).await.words().contains("Your opponent offers a pause until"));
    let shown = game.ann.get(&page).await;
    assert!(shown.words().contains("Blue offers a pause until"), "{}", shown.words());
    let (_, rest) = shown.body.split_once("name=\"until\" value=\"").unwrap();
    let moment = rest.split('"').next().unwrap().to_owned();
    let paused = game.ann.sends(&page, &[("do", "accept"), ("until", &moment)]).await;
    assert!(paused.words().contains("The game is paused until"), "{}", paused.words());
    assert_eq!(game.blue.get(blue).await.json()["time"]["paused_until"], json!(until));
    let accept = json!({"until_at": until});
    assert_eq!(
        game.red.post(&format!("{red}/pause/accept"), &accept).await.json()["type"],
        "/api/v1/problems/no_offer"
    );
    game.server.stop().await;
}
