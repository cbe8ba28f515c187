//! The road without JavaScript: the forms of the pages, sent exactly as they stand in the HTML, button by button.

use fieldcommand::rules::Side;

use crate::world::forms::{Form, follow, press};
use crate::world::game::Game;
use crate::world::server::{Answer, Server};
use crate::world::{HUNT, deployment};

/// The sheet as it stands in the text field of the page.
fn sheet(page: &Answer) -> String {
    let (_, after) = page.body.split_once("<textarea id=\"text\"").unwrap();
    let (text, _) = after.split_once("</textarea>").unwrap();
    text.split_once('>').unwrap().1.trim().to_owned()
}

#[tokio::test]
async fn a_deployment_is_placed_by_buttons() {
    let server = Server::start(311).await;
    let ann = server.browser();
    let page = follow(&ann, ann.get("/games/new").await).await;
    let page =
        Form::with(&page, "Open the game").fill("name", "Ann").fill("side", "red").press(&ann, "Open the game").await;
    assert!(page.words().contains("Place 40 more"), "{}", page.words());

    let page = press(&ann, &page, "take AR").await;
    assert!(page.words().contains("Artillery in hand"), "{}", page.words());
    let page = press(&ann, &page, "touch K4").await;
    let page = press(&ann, &page, "touch J7").await;
    assert!(page.words().contains("Artillery on J7, 3 left") && sheet(&page) == "AR J7 K4", "{}", sheet(&page));
    let page = press(&ann, &page, "fill").await;
    assert!(page.words().contains("40 of 40 units placed"), "{}", page.words());
    let page = press(&ann, &page, "clear").await;
    assert_eq!(sheet(&page), "");
    let page = press(&ann, &page, "ready balanced").await;
    // Two units change places: one is touched, then the other.
    let page = press(&ann, &page, "touch K11").await;
    assert!(page.words().contains("Take the General off K11"), "{}", page.words());
    let page = press(&ann, &page, "touch K10").await;
    assert!(page.words().contains("General on K10") && sheet(&page).starts_with("GN K10"), "{}", page.words());
    let layer = Form::with(&page, "Show").fill("layer", "ground").press(&ann, "Show").await;
    assert!(layer.body.contains("<option value=\"ground\" selected>"), "{}", layer.words());
    let page = Form::with(&layer, "check").fill("text", &deployment(Side::Blue, "hook")).press(&ann, "turn").await;
    assert_eq!(sheet(&page).replace(' ', ""), deployment(Side::Red, "hook").trim().replace(' ', ""));
    let page = press(&ann, &page, "seal").await;
    assert!(page.words().contains("Sealed. Waiting"), "{}", page.words());
    let page = press(&ann, &page, "Take it back").await;
    assert!(page.words().contains("Seal this deployment"), "{}", page.words());
    server.stop().await;
}

#[tokio::test]
async fn days_are_ordered_by_buttons() {
    let server = Server::start(312).await;
    let game = Game::deployed(&server).await;
    let ann = server.browser();
    follow(&ann, ann.get(&game.link(&server, Side::Red)).await).await;
    let seat = game.seat(&server, Side::Red);
    let page = follow(&ann, ann.get(&seat).await).await;

    // An order, replaced, with its unit looked at from near.
    let page = press(&ann, &page, "touch H7").await;
    assert!(
        page.words().contains("choose where it shall go") && page.body.contains(", in reach: "),
        "{}",
        page.words()
    );
    let page = press(&ann, &page, "near").await;
    assert_eq!(page.body.matches("role=\"gridcell\"").count(), 49);
    let page = press(&ann, &page, "whole").await;
    assert_eq!(page.body.matches("role=\"gridcell\"").count(), 121);
    let page = press(&ann, &page, "touch F7").await;
    assert_eq!(sheet(&page), "H7-F7");
    let page = press(&ann, &press(&ann, &page, "touch H7").await, "touch G7").await;
    assert_eq!(sheet(&page), "H7-G7");

    // A destination that is held, and what mends it.
    let page = Form::with(&page, "check").fill("text", "H7-G7\nG8-H8").press(&ann, "check").await;
    assert!(page.words().contains("1 will not be carried out"), "{}", page.words());
    let page = press(&ann, &page, "Let them change places").await;
    assert!(!page.words().contains("will not be carried out"), "{}", page.words());

    // Several at once.
    let page = press(&ann, &press(&ann, &page, "clear").await, "several").await;
    let page = press(&ann, &press(&ann, &page, "gather G8").await, "gather G9").await;
    let page = press(&ann, &page, "shift forward").await;
    assert_eq!(sheet(&page), "G8-F8\nG9-F9");
    let page = press(&ann, &page, "drop G9-F9").await;
    assert_eq!(sheet(&page), "G8-F8");

    // A question, a note, a what-if.
    let asked = Form::with(&page, "Ask").fill("ask", "row H").press(&ann, "Ask").await;
    assert!(asked.words().contains("H7, forest, altitude 1, your 2nd Infantry."), "{}", asked.words());
    let noted = Form::with(&asked, "Keep the note").fill("text", "Watch the left.").press(&ann, "Keep the note").await;
    assert!(noted.body.contains("Watch the left.</textarea>"), "{}", noted.words());
    let what_if = ann.get(&format!("{seat}/what-if")).await;
    let what_if = press(&ann, &what_if, "blue").await;
    let what_if = press(&ann, &press(&ann, &what_if, "touch E3").await, "touch G3").await;
    assert_eq!(sheet(&what_if), "E3-G3");
    let what_if = press(&ann, &what_if, "play").await;
    assert!(
        what_if.words().contains("As it would come out") && what_if.words().contains("E3-G3"),
        "{}",
        what_if.words()
    );
    let kept = Form::with(&what_if, "keep").fill("name", "Guerrillas on the left").press(&ann, "keep").await;
    assert!(kept.words().contains("What you keep for Day 1 Guerrillas on the left"), "{}", kept.words());

    // Sealed, changed, sealed instead; then the days are looked at to the end.
    let page = follow(&ann, ann.get(&seat).await).await;
    assert_eq!(sheet(&page), "G8-F8");
    let page = press(&ann, &page, "seal").await;
    assert!(page.words().contains("Sealed. Waiting for Blue."), "{}", page.words());
    let page = press(&ann, &page, "change").await;
    let page = Form::with(&page, "check").fill("text", HUNT[0]).press(&ann, "check").await;
    let page = press(&ann, &page, "seal").await;
    assert!(page.words().contains("Your sealed orders I4-G4"), "{}", page.words());
    game.seals(&server, Side::Blue, 1, "").await;
    let page = follow(&ann, ann.get(&seat).await).await;
    let page = press(&ann, &page, "Straight to the result").await;
    assert!(page.words().contains("Both sheets and their seals"), "{}", page.words());
    game.seals(&server, Side::Blue, 2, "").await;
    let page = follow(&ann, ann.get(&seat).await).await;
    assert!(page.words().contains("Blue has sealed"), "{}", page.words());
    let page = press(&ann, &press(&ann, &page, "touch G4").await, "touch E4").await;
    let page = press(&ann, &page, "and resolve day 2").await;
    let page = press(&ann, &page, "Straight to the result").await;
    assert!(page.words().contains("Red wins"), "{}", page.words());
    server.stop().await;
}
