//! The table in real browsers, at a desk of 1280 px and on a phone of 390 px: deploying, ordering, sealing and imagining,
//! by mouse and by finger, and two players at once.

use fieldcommand::rules::Side;

use crate::browser::Window;
use crate::hands::key;
use crate::world::deployment;
use crate::world::game::Game;
use crate::world::server::Server;

/// A window of each width.
async fn windows(name: &str) -> [Window; 2] {
    [Window::open(name, 1280, 1000).await, Window::open(name, 390, 844).await]
}

/// Each square lies on its position of the picture, in the whole board and in a part of it.
async fn lies_on_the_map(window: &Window) {
    let script = "(() => {
        const svg = document.querySelector('#picture svg');
        const [board, size] = [svg.getBoundingClientRect(), svg.viewBox.baseVal.width];
        const rows = [...document.querySelectorAll('.squares > div')].map((row) => [...row.children]);
        return Math.max(...rows.flatMap((row, down) => row.map((square, across) => {
            const box = square.getBoundingClientRect();
            const at = (index) => (24 + 60 * index) / size * board.width;
            return Math.max(Math.abs(box.left - board.left - at(across)), Math.abs(box.right - board.left - at(across + 1)),
                Math.abs(box.top - board.top - at(down)), Math.abs(box.bottom - board.top - at(down + 1)));
        })));
    })()";
    let off = window.gives(script).await.as_f64().unwrap();
    assert!(off < 1.0, "the squares lie {off} px beside the map");
}

/// The sheet has so many units.
async fn holds(window: &Window, units: usize) {
    window.awaits(&format!("document.querySelector('#tray .count').textContent.startsWith('{units} of 40')")).await;
}

async fn deploys(window: &Window, server: &Server, mouse: bool) {
    let game = Game::opened(server).await;
    window.goto(&game.link(server, Side::Red)).await;
    window.says("Place 40 more").await;
    lies_on_the_map(window).await;

    // From the tray to the board.
    window.taps("#take-AR").await;
    window.says("Artillery in hand").await;
    window.shot("60-in-hand").await;
    window.taps("#at-K4").await;
    window.taps("#at-J7").await;
    window.reads("AR J7 K4").await;
    window.keys(&key::ESCAPE.to_string()).await;
    window.awaits("!document.querySelector('.kind.held')").await;
    if mouse {
        window.drags("#take-GN", "#at-K11").await;
        window.reads("GN K11\nAR J7 K4").await;
        window.drags("#at-K11", "#at-K10").await;
        window.reads("GN K10\nAR J7 K4").await;
        // On another unit: they change places.
        window.drags("#at-K10", "#at-J7").await;
        window.reads("GN J7\nAR K4 K10").await;
    } else {
        window.taps("#take-GN").await;
        window.taps("#at-K10").await;
        window.reads("GN K10\nAR J7 K4").await;
        window.taps("#at-K10").await;
        window.awaits("document.querySelector('#at-K10.held')").await;
        window.taps("#at-J7").await;
        window.reads("GN J7\nAR K4 K10").await;
    }
    // The rest by lot; what was placed stays. Then one step back.
    window.taps("[value=fill]").await;
    holds(window, 40).await;
    assert!(window.sheet().await.starts_with("GN J7\nAR "), "{}", window.sheet().await);
    window.taps("#undo").await;
    window.reads("GN J7\nAR K4 K10").await;
    window.taps("#undo").await;
    window.awaits("document.getElementById('text').value.trim() !== 'GN J7\\nAR K4 K10'").await;

    // A deployment kept in this browser.
    window.awaits("document.getElementById('ready').open = true").await;
    window.taps("[value='ready hook']").await;
    holds(window, 40).await;
    window.finds("#saved input").await.send_keys("My hook").await.unwrap();
    window.press("Save in this browser").await;
    window.says("“My hook” is saved in this browser.").await;
    window.shot("61-deployed").await;
    window.fits().await;
    window.taps("#layer").await;
    window.keys(&key::ESCAPE.to_string()).await;
    let other = Game::opened(server).await;
    window.goto(&other.link(server, Side::Blue)).await;
    window.says("Place 40 more").await;
    window.press("My hook").await;
    holds(window, 40).await;
    let turned = window.sheet().await;
    assert_eq!(turned, deployment(Side::Blue, "hook").trim(), "it is turned for the other side");
    window.taps("#seal").await;
    window.says("Sealed. Waiting for Red.").await;
    window.shot("62-sealed").await;
}

#[tokio::test]
async fn a_deployment_is_drawn_tapped_filled_and_kept() {
    let server = Server::start(321).await;
    for (window, mouse) in windows("deploy").await.into_iter().zip([true, false]) {
        deploys(&window, &server, mouse).await;
        window.close().await;
    }
    server.stop().await;
}

async fn orders(window: &Window, server: &Server, phone: bool) {
    let game = Game::deployed(server).await;
    window.goto(&game.link(server, Side::Red)).await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.says("0 of 12 orders").await;

    // Tapped, replaced, removed.
    window.taps("#at-H7").await;
    window
        .awaits("document.querySelectorAll('.squares .goal').length > 3 && document.querySelector('#at-H7.held')")
        .await;
    window.says("2nd Infantry on H7: choose where it shall go.").await;
    window.shot("63-held").await;
    if phone {
        window.taps("#zoom button").await;
        window.awaits("document.querySelectorAll('.squares button').length === 49").await;
        lies_on_the_map(window).await;
        window.shot("64-near").await;
    }
    window.taps("#at-F7").await;
    window.reads("H7-F7").await;
    if phone {
        window.awaits("document.querySelectorAll('.squares button').length === 121").await;
    }
    lies_on_the_map(window).await;
    window.says("Seal 1 order").await;
    window.taps("#at-H7").await;
    window.awaits("document.querySelector('#at-H7.held')").await;
    window.taps("#at-G7").await;
    window.reads("H7-G7").await;
    window.taps("[id='drop-H7-G7']").await;
    window.reads("").await;
    if !phone {
        window.drags("#at-I4", "#at-G4").await;
        window.reads("I4-G4").await;
        window.taps("#undo").await;
        window.reads("").await;
    }

    // A destination that is held, repaired in one tap.
    window.taps("#at-G8").await;
    window.awaits("document.querySelector('#at-G8.held')").await;
    window.taps("#as-text summary").await;
    window.types("text", "G8-H8").await;
    window.says("1 will not be carried out").await;
    window.shot("65-illegal").await;
    window.press("Let them change places").await;
    window.reads("G8-H8\nH8-G8").await;
    window.awaits("!document.querySelector('.lines .illegal')").await;

    // Several together, one step on.
    window.taps("[value=clear]").await;
    window.reads("").await;
    window.taps("[value=several]").await;
    window.awaits("document.querySelector('[value=single]')").await;
    for unit in ["#at-G9", "#at-G10", "#at-G11"] {
        window.taps(unit).await;
        window.awaits(&format!("document.querySelector('{unit}.held')")).await;
    }
    window.press("Move all forward").await;
    window.reads("G9-F9\nG10-F10\nG11-F11").await;
    window.shot("66-several").await;
    window.taps("[value=single]").await;
    window.awaits("document.querySelector('[value=several]')").await;

    // What lies over the board, and letters for symbols, which stay.
    let plain = window.gives("document.querySelector('#picture').innerHTML.length").await;
    window.client.find(fantoccini::Locator::Css("#layer")).await.unwrap().select_by_value("enemy-reach").await.unwrap();
    window.awaits(&format!("document.querySelector('#picture').innerHTML.length > {plain}")).await;
    window.shot("67-layer").await;
    window.taps("label[for=letters]").await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.awaits("document.querySelector('#letters').checked").await;
    window.shot("68-letters").await;
    window.taps("label[for=letters]").await;
    seals(window, server, &game).await;
}

/// Sealed, changed, sealed instead, taken back; a question and a note on the way.
async fn seals(window: &Window, server: &Server, game: &Game) {
    window.finds("#ask").await.send_keys("row H").await.unwrap();
    window.press("Ask").await;
    window
        .awaits("document.querySelector('#answer').textContent.includes('H7, forest, altitude 1, your 2nd Infantry.')")
        .await;
    assert!(!window.client.current_url().await.unwrap().as_str().contains("ask="), "the page stays");
    window.taps("#notes summary").await;
    window.finds("#note-new").await.send_keys("Watch the left.").await.unwrap();
    window.press("Keep the note").await;
    window
        .awaits("[...document.querySelectorAll('#notes textarea')].some((note) => note.value === 'Watch the left.')")
        .await;

    window.reads("G9-F9\nG10-F10\nG11-F11").await;
    window.press("Seal 3 orders").await;
    window.says("Sealed. Waiting for Blue.").await;
    window.awaits("document.activeElement.id === 'news'").await;
    window.press("Change it").await;
    window.taps("[id='drop-G10-F10']").await;
    window.reads("G9-F9\nG11-F11").await;
    window.press("Seal instead 2 orders").await;
    window.says("Sealed. Waiting for Blue.").await;
    window.awaits("!document.body.innerText.includes('G10-F10')").await;
    window.press("Take it back").await;
    window.says("Write up to 12 orders for day 1").await;
    window.reads("G9-F9\nG11-F11").await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.reads("G9-F9\nG11-F11").await;
}

#[tokio::test]
async fn orders_are_given_changed_sealed_and_taken_back() {
    let server = Server::start(322).await;
    for (window, phone) in windows("orders").await.into_iter().zip([false, true]) {
        orders(&window, &server, phone).await;
        window.close().await;
    }
    server.stop().await;
}

async fn imagines(window: &Window, server: &Server) {
    let game = Game::deployed(server).await;
    window.goto(&game.link(server, Side::Red)).await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.press("What if?").await;
    window.says("Play the day").await;
    window.taps("#at-H7").await;
    window.awaits("document.querySelector('#at-H7.held')").await;
    window.taps("#at-F7").await;
    window.reads("H7-F7").await;
    window.press("Blue’s orders").await;
    window.reads("").await;
    window.taps("#at-E3").await;
    window.awaits("document.querySelector('#at-E3.held')").await;
    window.taps("#at-G3").await;
    window.reads("E3-G3").await;
    window.shot("69-what-if").await;
    window.press("Play the day").await;
    window.says("As it would come out").await;
    let told = window.gives("document.querySelector('#imagined').innerText").await;
    assert!(told.as_str().unwrap().contains("H7-F7") && told.as_str().unwrap().contains("E3-G3"), "{told}");
    window.shot("70-imagined").await;
    window.types("name", "Guerrillas on the left").await;
    window.press("Keep").await;
    window.says("What you keep for Day 1").await;
    window.press("Guerrillas on the left").await;
    window.reads("H7-F7").await;
    window.goto(&game.seat(server, Side::Red)).await;
    window.reads("").await;
}

#[tokio::test]
async fn a_day_is_imagined_and_kept() {
    let server = Server::start(323).await;
    for window in windows("what-if").await {
        imagines(&window, &server).await;
        window.close().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn what_the_other_side_does_arrives_by_itself() {
    let server = Server::start(324).await;
    let game = Game::deployed(&server).await;
    let [ann, ben] = windows("live").await;
    for (window, side) in [(&ann, Side::Red), (&ben, Side::Blue)] {
        window.goto(&game.link(&server, side)).await;
        window.goto(&game.seat(&server, side)).await;
        window.says("0 of 12 orders").await;
        window.gives("window.untouched = true").await;
    }
    ann.taps("#at-H7").await;
    ann.awaits("document.querySelector('#at-H7.held')").await;
    ann.taps("#at-F7").await;
    ann.says("Seal 1 order").await;

    ben.taps("#seal").await;
    ben.says("Sealed. Waiting for Red.").await;
    ben.gives("window.untouched = true").await;
    ann.says("Blue has sealed").await;
    ann.says("Seal 1 order and resolve day 1").await;
    ann.reads("H7-F7").await;
    ann.shot("71-other-sealed").await;
    assert_eq!(ann.gives("window.untouched").await, true, "the page was not loaded again");

    ann.taps("#seal").await;
    ann.says("Straight to the result").await;
    ben.says("There is news: look").await;
    assert_eq!(ben.gives("window.untouched").await, true, "the page was not loaded again");
    assert!(ben.client.title().await.unwrap().starts_with('•'));
    ben.shot("72-news").await;
    ben.press("There is news: look").await;
    ben.press("Straight to the result").await;
    ben.says("Both sheets and their seals").await;
    ben.says("H7-F7").await;
    ann.close().await;
    ben.close().await;
    server.stop().await;
}

/// The table as it looks to eyes that tell fewer colours apart, in forced colours, and so enlarged that a window is 320 px wide.
#[tokio::test]
async fn the_table_bears_other_eyes() {
    let server = Server::start(325).await;
    let game = Game::deployed(&server).await;
    for (width, height) in [(1280, 1000), (390, 844), (320, 640)] {
        let window = Window::open("eyes", width, height).await;
        window.goto(&game.link(&server, Side::Red)).await;
        window.goto(&game.seat(&server, Side::Red)).await;
        window.taps("#at-G9").await;
        window.awaits("document.querySelector('#at-G9.held')").await;
        lies_on_the_map(&window).await;
        window.shot("73-table").await;
        for sight in ["achromatopsia", "deuteranopia", "protanopia", "tritanopia"] {
            window.cdp("Emulation.setEmulatedVisionDeficiency", serde_json::json!({"type": sight})).await;
            window.shot(&format!("73-{sight}")).await;
        }
        window.cdp("Emulation.setEmulatedVisionDeficiency", serde_json::json!({"type": "none"})).await;
        for (feature, value) in [("prefers-color-scheme", "dark"), ("forced-colors", "active")] {
            window.wishes(feature, value).await;
            window.shot(&format!("73-{value}")).await;
        }
        window.close().await;
    }
    server.stop().await;
}
