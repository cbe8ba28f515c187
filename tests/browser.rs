//! Two people at two real browsers (Chromium), one at a desk of 1280 px and one with a phone of 390 px:
//! from “New game” to a fallen General, by clicking and typing alone. (The road without JavaScript is
//! gone in `web_game.rs`: ChromeDriver cannot press buttons in a browser that has it off.)
//!
//! With `FIELDCOMMAND_SCREENSHOTS` set to a folder, each page is photographed on the way
//! (`scripts/screenshots`).

use std::path::PathBuf;

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use crate::world::server::Server;
use crate::world::{HUNT, exposed};

/// A browser window of a width; narrow ones are phones.
pub struct Window {
    pub client: Client,
    name: String,
}

impl Window {
    pub async fn open(name: &str, width: u32, height: u32) -> Window {
        Window::open_with(name, width, height, &[]).await
    }

    /// One whose browser is started with more switches.
    pub async fn open_with(name: &str, width: u32, height: u32, switches: &[&str]) -> Window {
        let driver = std::env::var("FIELDCOMMAND_TEST_WEBDRIVER")
            .expect("scripts/test starts ChromeDriver and sets FIELDCOMMAND_TEST_WEBDRIVER");
        let mut options = json!({
            "binary": "/usr/bin/chromium",
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                format!("--window-size={width},{height}"),
            ],
        });
        options["args"].as_array_mut().unwrap().extend(switches.iter().map(|&switch| switch.into()));
        if width < 600 {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0}});
        }
        let capabilities = json!({"goog:chromeOptions": options});
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.as_object().unwrap().clone())
            .connect(&driver)
            .await
            .unwrap();
        Window { client, name: format!("{name}-{width}") }
    }

    pub async fn goto(&self, url: &str) {
        self.client.goto(url).await.unwrap();
    }

    /// Presses the button or link with these words.
    pub async fn press(&self, words: &str) {
        let path = format!("//*[self::a or self::button][contains(normalize-space(.), \"{words}\")]");
        // The page may be replaced by the next one between finding and pressing.
        for _ in 0..5 {
            let wait = self.client.wait().at_most(std::time::Duration::from_secs(5));
            let Ok(found) = wait.for_element(Locator::XPath(&path)).await else {
                panic!("{}: nothing says “{words}” on: {}", self.name, self.words().await)
            };
            if self.middle(&found).await && found.click().await.is_ok() {
                return;
            }
        }
        panic!("{}: “{words}” cannot be pressed on: {}", self.name, self.words().await);
    }

    /// Scrolls so that nothing that stays at the edge of the window lies over an element, and opens what it is folded in.
    /// False when it is gone.
    async fn middle(&self, element: &Element) -> bool {
        let element = serde_json::to_value(element).unwrap();
        let script =
            "arguments[0].closest('details')?.setAttribute('open', ''); arguments[0].scrollIntoView({block: 'center'})";
        self.client.execute(script, vec![element]).await.is_ok()
    }

    /// Types into a field in place of what is there.
    pub async fn types(&self, field: &str, text: &str) {
        let field = format!("[name={field}]:not([type=hidden])");
        let wait = self.client.wait().at_most(std::time::Duration::from_secs(5));
        let found = wait.for_element(Locator::Css(&field)).await.unwrap();
        self.middle(&found).await;
        found.clear().await.unwrap();
        found.send_keys(text).await.unwrap();
    }

    /// Ticks a box or chooses a radio button.
    pub async fn ticks(&self, selector: &str) {
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// All words of the page; none while one page follows the other.
    pub async fn words(&self) -> String {
        let words = self.client.execute("return document.body.innerText", Vec::new()).await;
        words.ok().and_then(|words| words.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Waits until the page says so.
    pub async fn says(&self, words: &str) {
        for _ in 0..100 {
            if self.words().await.contains(words) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{} does not say “{words}”: {}", self.name, self.words().await);
    }

    /// The address of a field that holds a link to copy.
    pub async fn link(&self, kind: &str) -> String {
        let source = self.client.source().await.unwrap();
        let at = source.find(kind).unwrap_or_else(|| panic!("{}: no {kind} link", self.name));
        source[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect()
    }

    /// No page may be wider than its window.
    pub async fn fits(&self) {
        let script = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]";
        let widths = self.client.execute(script, Vec::new()).await.unwrap();
        let (page, window) = (widths[0].as_u64().unwrap(), widths[1].as_u64().unwrap());
        let address = self.client.current_url().await.unwrap();
        assert!(page <= window, "{}: {address} is {page} px wide in a window of {window}", self.name);
    }

    /// Photographs the page, if somebody wants to look at it, and sees to it that it fits.
    pub async fn shot(&self, page: &str) {
        self.fits().await;
        if let Ok(folder) = std::env::var("FIELDCOMMAND_SCREENSHOTS") {
            let png = self.client.screenshot().await.unwrap();
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(PathBuf::from(folder).join(format!("{page}-{}.png", self.name)), png).unwrap();
        }
    }

    pub async fn close(self) {
        self.client.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_game_at_a_desk_and_on_a_phone() {
    let server = Server::start(1991).await;
    let (ann, ben) = (Window::open("red", 1280, 1000).await, Window::open("blue", 390, 844).await);

    ann.goto(&server.url).await;
    ann.shot("1-home").await;
    ann.press("New game").await;
    ann.types("name", "Ann").await;
    ann.ticks("input[name=side][value=red]").await;
    ann.shot("2-new-game").await;
    ann.press("Open the game").await;
    ann.says("Ann").await;
    ann.shot("3-waiting").await;
    let invitation = ann.link("/i/").await;

    ben.goto(&format!("{}{invitation}", server.url)).await;
    ben.says("Ann").await;
    ben.shot("4-invitation").await;
    ben.types("name", "Ben").await;
    ben.press("Take Blue").await;
    ben.shot("5-deployment").await;

    let title = ann.client.title().await.unwrap();
    assert!(title.contains("Red"), "the tab does not say whose seat it shows: {title}");
    ann.press("Balanced").await;
    ann.says("40 of 40 units placed").await;
    ann.shot("6-deployment").await;
    ann.press("Seal this deployment").await;
    ann.says("ealed").await;
    ann.shot("7-sealed").await;

    ben.types("text", &exposed()).await;
    ben.press("Check deployment").await;
    ben.says("Red has sealed").await;
    ben.says("40 of 40 units placed").await;
    ben.shot("8-deployment").await;
    ben.press("Seal this deployment").await;
    ben.says("Deployment").await;
    ben.shot("9-deployed").await;

    let red = ann.client.current_url().await.unwrap().to_string().replace("#news", "");
    let blue = ben.client.current_url().await.unwrap().to_string().replace("/days/0", "");
    let orders = [
        format!("I2 {}, h7-f7 h8-g7\nG8 F8\nG9-E8 I5-F5 J4-I5\nG10-A1", HUNT[0]),
        format!("{}, f7-e7 G7-F6 F8-D8", HUNT[1]),
    ];
    let blues = ["E3-G3 D5-E5 C8-D8 D6-F6 E2-G2", "D8-E8 F6-G6"];
    for (day, (reds, blues)) in orders.iter().zip(blues).enumerate() {
        let day = day + 1;
        ann.goto(&red).await;
        ann.shot(&format!("{day}0-orders")).await;
        ann.types("text", reds).await;
        ann.press("Check orders").await;
        ann.says(&format!("{} of 12 orders", [8, 4][day - 1])).await;
        ann.shot(&format!("{day}1-check")).await;
        ann.press("Seal ").await;
        ann.says("ealed").await;
        ben.goto(&blue).await;
        ben.shot(&format!("{day}2-orders")).await;
        ben.types("text", blues).await;
        ben.press("Check orders").await;
        ben.says(&format!("{} of 12 orders", [5, 2][day - 1])).await;
        ben.shot(&format!("{day}3-check")).await;
        ben.press("Seal ").await;
        ben.says(&format!("Day {day}")).await;
        ben.shot(&format!("{day}4-watch")).await;
        ben.press("Straight to the result").await;
        ben.says("Both sheets and their seals").await;
        ben.shot(&format!("{day}4-report")).await;
        ann.goto(&red).await;
        ann.press("Straight to the result").await;
        ann.says("Both sheets and their seals").await;
        ann.shot(&format!("{day}5-report")).await;
    }
    ann.says("Blue's General has been removed: Red wins.").await;
    ann.goto(&red).await;
    ann.shot("30-over").await;
    ben.goto(&server.url).await;
    ben.shot("31-home").await;
    ann.goto(&format!("{}/rules", server.url)).await;
    ann.shot("32-rules").await;
    ann.close().await;
    ben.close().await;
    server.stop().await;
}

/// Red writes, checks and seals at the device that both share, and hands it over. Whatever Blue then presses, nothing of
/// Red's sheet comes up.
async fn a_day_at_one_device(window: &Window, server: &Server) {
    window.goto(&server.url).await;
    window.shot("40-home").await;
    window.press("Play now on this device").await;
    window.says("for day 1").await;
    window.shot("41-red").await;
    let red = window.client.current_url().await.unwrap().to_string();
    window.types("text", "H7-G7, I5-H5").await;
    window.press("Check orders").await;
    window.says("Seal 2 orders").await;
    window.press("Seal 2 orders").await;
    window.says("Hand the device to Blue").await;
    window.shot("42-hand-over").await;
    clean(window).await;
    for _ in 0..4 {
        window.client.back().await.unwrap();
        clean(window).await;
    }
    window.goto(&red).await;
    window.press("I am Blue").await;
    window.says("Red has sealed").await;
    clean(window).await;
    for _ in 0..4 {
        window.client.back().await.unwrap();
        clean(window).await;
    }
    for _ in 0..8 {
        window.client.execute("history.forward()", Vec::new()).await.unwrap();
        clean(window).await;
    }
    window.goto(&red.replace("/red", "/blue")).await;
    window.types("text", "E4-E5").await;
    window.press("Check orders").await;
    window.press("Seal 1 order and resolve day 1").await;
    window.says("Straight to the result").await;
    let report = window.client.source().await.unwrap();
    assert!(report.contains("H7-G7") && report.contains("E4-E5"), "the report is open to both");
    window.press("Straight to the result").await;
    window.says("Both sheets and their seals").await;
    window.goto(&server.url).await;
    window.says("Red and Blue on this device").await;
    window.shot("43-home").await;
    window.press("Red and Blue on this device").await;
    window.press("Hand the device over").await;
    window.says("Hand the device to Red").await;
    window.goto(&format!("{}/games/new", server.url)).await;
    window.ticks("input[name=one_device][value='1']").await;
    window.shot("44-new-game").await;
}

/// Neither the page nor its fields hold anything of Red's sheet.
async fn clean(window: &Window) {
    // Long enough for a page that reloads itself.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let script = "return document.documentElement.outerHTML \
                  + [...document.querySelectorAll('input, textarea')].map((field) => field.value).join(' ')";
    let page = window.client.execute(script, Vec::new()).await.unwrap();
    let page = page.as_str().unwrap();
    let address = window.client.current_url().await.unwrap();
    for word in ["H7-G7", "I5-H5", "Your sealed"] {
        assert!(!page.contains(word), "{}: {address} shows {word}: {page}", window.name);
    }
}

#[tokio::test]
async fn a_device_that_two_share_tells_neither_of_the_other() {
    let server = Server::start(1992).await;
    for (width, height) in [(1280, 900), (390, 844)] {
        let window = Window::open("shared", width, height).await;
        a_day_at_one_device(&window, &server).await;
        window.close().await;
    }
    server.stop().await;
}
