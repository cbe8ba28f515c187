//! What the tests do at a window beyond pressing what has words: keys, the mouse, the page's own state, and
//! what only the browser's own protocol can set.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};

use crate::browser::Window;

/// Keys that are no letters, as `WebDriver` names them.
pub mod key {
    pub const TAB: char = '\u{e004}';
    pub const ENTER: char = '\u{e007}';
    pub const SHIFT: char = '\u{e008}';
    pub const ESCAPE: char = '\u{e00c}';
    pub const UP: char = '\u{e013}';
}

/// A command of the browser's own protocol.
#[derive(Debug)]
struct Cdp {
    command: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"cmd": self.command, "params": self.parameters}).to_string()))
    }
}

impl Window {
    /// Sends a command of the browser's own protocol.
    pub async fn cdp(&self, command: &'static str, parameters: Value) -> Value {
        self.client.issue_cmd(Cdp { command, parameters }).await.unwrap()
    }

    /// Sets what the reader wishes, as `prefers-color-scheme: dark`; whatever was wished before is forgotten. Nothing
    /// moves, so that colours change at once.
    pub async fn wishes(&self, feature: &str, value: &str) {
        let still = json!({"name": "prefers-reduced-motion", "value": "reduce"});
        let features = json!({"features": [{"name": feature, "value": value}, still]});
        self.cdp("Emulation.setEmulatedMedia", features).await;
    }

    /// What a script gives.
    pub async fn gives(&self, script: &str) -> Value {
        self.client.execute(&format!("return {script}"), Vec::new()).await.unwrap_or(Value::Null)
    }

    /// Waits until a script gives something true.
    pub async fn awaits(&self, script: &str) {
        for _ in 0..200 {
            if self.gives(&format!("Boolean({script})")).await == true {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let address = self.client.current_url().await.unwrap();
        panic!("{address}: {script} does not come true: {}", self.words().await);
    }

    /// The element that a selector names, in the middle of the window.
    pub async fn finds(&self, selector: &str) -> Element {
        let wait = self.client.wait().at_most(Duration::from_secs(10));
        let Ok(found) = wait.for_element(Locator::Css(selector)).await else {
            panic!("there is no {selector} on: {}", self.words().await)
        };
        let middle = "document.querySelector(arguments[0])?.scrollIntoView({block: 'center'})";
        self.client.execute(middle, vec![selector.into()]).await.unwrap();
        found
    }

    /// Clicks or taps.
    pub async fn taps(&self, selector: &str) {
        for _ in 0..20 {
            match self.finds(selector).await.click().await {
                // The sheet beside the board was laid anew between finding and tapping.
                Err(error) if error.is_stale_element_reference() => {}
                tapped => return tapped.unwrap(),
            }
        }
        panic!("{selector} does not stand still");
    }

    /// Presses keys where the focus is.
    pub async fn keys(&self, keys: &str) {
        let mut actions = KeyActions::new("keys".into());
        let shifted = keys.starts_with(key::SHIFT);
        for value in keys.chars() {
            actions = actions.then(KeyAction::Down { value });
            if value != key::SHIFT {
                actions = actions.then(KeyAction::Up { value });
            }
        }
        if shifted {
            actions = actions.then(KeyAction::Up { value: key::SHIFT });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Draws the mouse from one thing to another with its button down.
    pub async fn drags(&self, from: &str, to: &str) {
        let (from, to) = (self.finds(from).await, self.finds(to).await);
        let over = |element: &Element| PointerAction::MoveToElement {
            element: element.clone(),
            duration: Some(Duration::from_millis(30)),
            x: 0.0,
            y: 0.0,
        };
        let actions = MouseActions::new("mouse".into())
            .then(over(&from))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::MoveBy { duration: Some(Duration::from_millis(30)), x: 9.0, y: 0.0 })
            .then(over(&to))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// The sheet as it is written now.
    pub async fn sheet(&self) -> String {
        let sheet = self.gives("document.getElementById('text').value.trim()").await;
        sheet.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the sheet reads so, whatever its line ends.
    pub async fn reads(&self, sheet: &str) {
        let words = sheet.split_whitespace().collect::<Vec<_>>().join(" ");
        let reads = "document.getElementById('text')?.value.trim().replace(/[\\s,]+/g, ' ')";
        self.awaits(&format!("{reads} === {}", json!(words))).await;
    }
}
