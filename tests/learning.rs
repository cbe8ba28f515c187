//! The six lessons, solved by a stranger: by tapping on a phone of 390 px and by plain forms without JavaScript.
//!
//! With `FIELDCOMMAND_SCREENSHOTS` set to a folder, each page is photographed on the way, light and dark, at
//! 1280 px too (`scripts/screenshots`).

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use crate::world::server::{Answer, Browser, Server};

/// A step on the table: a position to touch, or words on a button.
type Steps = &'static [&'static str];

/// Each lesson with the touches that solve it, the same as orders, and a word of what it teaches.
const LESSONS: [(&str, Steps, &str, &str); 6] = [
    ("terrain", &["H3", "G4", "H4", "G3"], "H3-G4 H4-G3", "Forest is for Infantry"),
    ("rank", &["G6", "F7", "H6", "F6"], "G6-F7 H6-F6", "No rank is the best"),
    ("follow-on", &["G8", "G9", "H8", "Follow the 2nd Cavalry to G8"], "G8-G9 H8-G8", "at once"),
    ("swap", &["E8", "Swap with the 2nd Cavalry on E9"], "E8-E9 E9-E8", "exchange"),
    ("guns", &["F5", "F6"], "F5-F6", "never up"),
    ("general", &["D1", "A1", "B4", "A2", "C2", "B1"], "D1-A1 B4-A2 C2-B1", "You are ready"),
];

/// A browser window; a narrow one is a phone.
struct Window {
    client: Client,
    name: String,
}

impl Window {
    async fn open(width: u32, height: u32, dark: bool) -> Window {
        let driver = std::env::var("FIELDCOMMAND_TEST_WEBDRIVER")
            .expect("scripts/test starts ChromeDriver and sets FIELDCOMMAND_TEST_WEBDRIVER");
        let mut options = json!({
            "binary": "/usr/bin/chromium",
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                format!("--window-size={width},{height}"),
                if dark { "--force-dark-mode" } else { "--blink-settings=preferredColorScheme=1" },
            ],
        });
        if width < 600 {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": true}});
        }
        let capabilities = json!({"goog:chromeOptions": options});
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.as_object().unwrap().clone())
            .connect(&driver)
            .await
            .unwrap();
        Window { client, name: format!("{width}-{}", if dark { "dark" } else { "light" }) }
    }

    async fn press(&self, words: &str) {
        let path = format!("//main//*[self::a or self::button][contains(normalize-space(.), \"{words}\")]");
        let wait = self.client.wait().at_most(std::time::Duration::from_secs(5));
        let Ok(found) = wait.for_element(Locator::XPath(&path)).await else {
            panic!("{}: nothing says “{words}” on: {}", self.name, self.words().await)
        };
        self.middle(&found).await;
        found.click().await.unwrap();
    }

    async fn tap(&self, place: &str) {
        let found = self.client.find(Locator::Id(&format!("at-{place}"))).await.unwrap();
        self.middle(&found).await;
        found.click().await.unwrap();
    }

    /// Scrolls to the middle of the window, where no bar lies over it.
    async fn middle(&self, element: &fantoccini::elements::Element) {
        let script = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})";
        self.client.execute(script, vec![serde_json::to_value(element).unwrap()]).await.unwrap();
    }

    async fn words(&self) -> String {
        let words = self.client.execute("return document.body.innerText", Vec::new()).await;
        words.ok().and_then(|words| words.as_str().map(str::to_owned)).unwrap_or_default()
    }

    async fn says(&self, words: &str) {
        for _ in 0..100 {
            if self.words().await.contains(words) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{} does not say “{words}”: {}", self.name, self.words().await);
    }

    /// Waits until the table has answered to a touch.
    async fn holds(&self, field: &str, has: impl Fn(&str) -> bool) {
        let script = format!("return document.querySelector('#table [name={field}]').value");
        let mut value = String::new();
        for _ in 0..100 {
            let found = self.client.execute(&script, Vec::new()).await.unwrap();
            found.as_str().unwrap().clone_into(&mut value);
            if has(&value) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{}: the field {field} holds “{value}”", self.name);
    }

    /// Photographs the whole page if somebody wants to look at it, and sees to it that it fits its window.
    async fn shot(&self, page: &str) {
        let script = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]";
        let widths = self.client.execute(script, Vec::new()).await.unwrap();
        assert!(widths[0].as_u64() <= widths[1].as_u64(), "{page} is too wide at {}: {widths}", self.name);
        if let Ok(folder) = std::env::var("FIELDCOMMAND_SCREENSHOTS") {
            let png = self.client.screenshot().await.unwrap();
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/learn-{page}-{}.png", self.name), png).unwrap();
        }
    }
}

async fn solve(window: &Window, steps: Steps) {
    for step in steps {
        if step.len() > 3 {
            window.press(step).await;
            window.holds("held", str::is_empty).await;
            continue;
        }
        let before =
            window.client.execute("return document.querySelector('#table [name=held]').value", Vec::new()).await;
        let held = before.unwrap().as_str().unwrap().to_owned();
        window.tap(step).await;
        if held.is_empty() {
            window.holds("held", |held| held == *step).await;
        } else {
            window.holds("text", |text| text.contains(&format!("{held}-{step}"))).await;
        }
    }
}

#[tokio::test]
async fn all_six_are_solved_by_tapping_on_a_phone() {
    let server = Server::start(6).await;
    let window = Window::open(390, 844, false).await;
    window.client.goto(&server.url).await.unwrap();
    window.press("Learn in two minutes").await;
    window.says("Six small positions").await;
    window.shot("0").await;
    window.press("Begin: Terrain").await;
    for (number, (key, steps, _, lesson)) in LESSONS.into_iter().enumerate() {
        window.says(&format!("{} of 6", number + 1)).await;
        window.shot(&format!("{key}-0")).await;
        if key == "terrain" {
            // The first try goes straight ahead, and is explained.
            solve(&window, &["H4", "G4"]).await;
            window.press("Try it").await;
            window.says("in the open field Guerrillas remove Infantry").await;
            window.shot("terrain-failed").await;
            window.press("Clear").await;
            window.holds("text", str::is_empty).await;
        }
        solve(&window, steps).await;
        window.shot(&format!("{key}-1")).await;
        window.press("Try it").await;
        window.says("Solved").await;
        window.says(lesson).await;
        window.shot(&format!("{key}-2")).await;
        if number < 5 {
            window.press(&format!("On to {}", number + 2)).await;
        }
    }
    assert_eq!(window.client.find_all(Locator::Css(".progress .solved")).await.unwrap().len(), 6);
    window.press("Play now on this device").await;
    window.says("for day 1").await;
    window.client.close().await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn learning_looks_well_in_every_window() {
    let server = Server::start(7).await;
    for (width, height, dark) in [(1280, 900, false), (1280, 900, true), (390, 844, true)] {
        let window = Window::open(width, height, dark).await;
        for (page, address) in [
            ("home", "/"),
            ("0", "/learn"),
            ("rules-movement", "/rules#movement"),
            ("rules-meeting", "/rules?red=I2&blue=C1#meeting"),
            ("rules-chart", "/rules#chart"),
            ("rules-guns", "/rules?gun=E7#guns"),
        ] {
            window.client.goto(&format!("{}{address}", server.url)).await.unwrap();
            window.shot(page).await;
        }
        window.client.goto(&format!("{}/learn/guns", server.url)).await.unwrap();
        solve(&window, &["F5", "F4"]).await;
        window.shot("guns-1").await;
        window.press("Try it").await;
        window.says("Not yet").await;
        window.shot("guns-failed").await;
        window.press("Clear").await;
        window.holds("text", str::is_empty).await;
        solve(&window, &["F5", "F6"]).await;
        window.press("Try it").await;
        window.says("Solved").await;
        window.shot("guns-2").await;
        window.client.close().await.unwrap();
    }
    server.stop().await;
}

/// The value of a hidden field or the text of the text field.
fn field(page: &Answer, name: &str) -> String {
    let (_, rest) = page.body.split_once(&format!("name=\"{name}\"")).unwrap();
    if name == "text" {
        let (text, _) = rest.split_once("</textarea>").unwrap();
        return text.split_once('>').unwrap().1.trim_start_matches('\n').to_owned();
    }
    rest.split('"').nth(1).unwrap().to_owned()
}

/// The act of the button with these words, or of a position.
fn act(page: &Answer, step: &str) -> String {
    if step.len() <= 3 {
        return format!("touch {step}");
    }
    let (before, _) = page.body.split_once(&format!(">{step}</button>")).unwrap_or_else(|| panic!("no {step}"));
    let (_, button) = before.rsplit_once("value=\"").unwrap();
    button.split_once('"').unwrap().0.to_owned()
}

async fn by_forms(browser: &Browser, key: &str, steps: Steps) -> Answer {
    let address = format!("/learn/{key}");
    let mut page = browser.get(&address).await;
    for step in steps {
        let (text, held, act) = (field(&page, "text"), field(&page, "held"), act(&page, step));
        page = browser.post(&address, &[("turn", "1"), ("held", &held), ("act", &act), ("text", &text)]).await;
        assert_eq!(page.status, 200);
    }
    let text = field(&page, "text");
    browser.post(&format!("{address}/try"), &[("turn", "1"), ("text", &text)]).await
}

#[tokio::test]
async fn all_six_are_solved_without_javascript_or_a_cookie() {
    let server = Server::start(8).await;
    let browser = server.browser();
    let first = browser.get("/learn").await;
    assert!(first.headers.get("set-cookie").is_none() && first.words().contains("two minutes"));
    for (key, steps, orders, lesson) in LESSONS {
        let page = by_forms(&browser, key, steps).await;
        assert!(page.words().contains("Solved") && page.words().contains(lesson), "{key}: {}", page.words());
        let typed = browser.post(&format!("/learn/{key}/try"), &[("text", orders)]).await;
        assert!(typed.words().contains("Solved") && typed.headers.get("set-cookie").is_none(), "{key}");
        let idle = browser.post(&format!("/learn/{key}/try"), &[("text", "")]).await;
        assert!(idle.words().contains("You gave no orders."), "{key}: {}", idle.words());
        let again = browser.get(&format!("/learn/{key}/try")).await;
        assert_eq!((again.status.as_u16(), again.location()), (303, &*format!("/learn/{key}")));
    }
    assert_eq!(browser.get("/learn/chess").await.status, 404);
    assert_eq!(browser.post("/learn/chess/try", &[("text", "")]).await.status, 404);
    let odd = browser.post("/learn/guns/try", &[("text", "F5-F6\nmarch on")]).await;
    assert!(odd.status == 422 && odd.words().contains("march") && odd.body.contains("aria-invalid"), "{}", odd.words());
    server.stop().await;
}
