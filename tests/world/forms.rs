//! The forms of a page, filled and sent as a browser without JavaScript would: what stands in the HTML decides which
//! fields go along, and a button is pressed by its words or by what it carries.

use super::server::{Answer, Browser};

/// A tag with its attributes.
#[derive(Clone, Debug)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    /// The text up to the next tag of the same element's end.
    text: String,
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

fn plain(text: &str) -> String {
    let text = text.replace("&#39;", "'").replace("&#60;", "<").replace("&#62;", ">").replace("&quot;", "\"");
    text.replace("&#34;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&#38;", "&").replace("&amp;", "&")
}

/// The attributes of a tag, all between its name and its end.
fn attributes(mut rest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        if end == 0 {
            return found;
        }
        let (name, after) = rest.split_at(end);
        let Some(quoted) = after.strip_prefix("=\"") else {
            found.push((name.to_owned(), String::new()));
            rest = after;
            continue;
        };
        let (value, after) = quoted.split_once('"').unwrap_or((quoted, ""));
        found.push((name.to_owned(), plain(value)));
        rest = after;
    }
}

/// The tags of a page that open something.
fn tags(html: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    for (at, _) in html.match_indices('<') {
        let Some((inside, after)) = html[at + 1..].split_once('>') else { continue };
        let (name, rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) && name != "/form" {
            continue;
        }
        let text = after.split(&format!("</{name}>")).next().unwrap_or_default();
        found.push(Tag { name: name.to_owned(), attributes: attributes(rest), text: text.to_owned() });
    }
    found
}

fn words(html: &str) -> String {
    let mut words = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => words.push(c),
            _ => {}
        }
    }
    plain(words.split_whitespace().collect::<Vec<_>>().join(" ").trim())
}

/// A form, with its fields as they stand.
pub struct Form {
    tag: Tag,
    controls: Vec<Tag>,
    /// The values that were typed, ticked or chosen, by name.
    filled: Vec<(String, String)>,
}

impl Form {
    /// The form of a page that has a button with these words, this value or this id.
    pub fn with(page: &Answer, button: &str) -> Form {
        let mut forms: Vec<Form> = Vec::new();
        let mut open = false;
        let mut elsewhere = Vec::new();
        for tag in tags(&page.body) {
            match &*tag.name {
                "form" => {
                    forms.push(Form { tag, controls: Vec::new(), filled: Vec::new() });
                    open = true;
                }
                "/form" => open = false,
                "input" | "button" | "textarea" | "select" | "option" => {
                    match (tag.has("form"), open, forms.last_mut()) {
                        (false, true, Some(form)) => form.controls.push(tag),
                        (true, ..) => elsewhere.push(tag),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for tag in elsewhere {
            if let Some(form) = forms.iter_mut().find(|form| form.tag.get("id") == tag.get("form")) {
                form.controls.insert(0, tag);
            }
        }
        let found = forms.into_iter().find(|form| form.button(button).is_some());
        found.unwrap_or_else(|| panic!("no form has a button “{button}”: {}", page.words()))
    }

    fn button(&self, called: &str) -> Option<&Tag> {
        let is = |tag: &&Tag| {
            tag.name == "button"
                && !tag.has("disabled")
                && tag.get("type") != Some("button")
                && (tag.get("value") == Some(called)
                    || tag.get("id") == Some(called)
                    || words(&tag.text).contains(called))
        };
        self.controls.iter().find(is)
    }

    /// Types, chooses or ticks.
    pub fn fill(mut self, name: &str, value: &str) -> Form {
        assert!(self.controls.iter().any(|tag| tag.get("name") == Some(name)), "the form has no field {name}");
        self.filled.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The fields that go along with a button, in the order of the page.
    fn fields(&self, pressed: &Tag) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        let mut select = None;
        for tag in &self.controls {
            let name = tag.get("name").unwrap_or_default();
            let filled =
                |name: &str| self.filled.iter().find(|(filled, _)| filled == name).map(|(_, value)| value.clone());
            let standing = match (&*tag.name, tag.get("type")) {
                ("button", _) if std::ptr::eq(tag, pressed) => tag.get("value").map(str::to_owned),
                ("button", _) => None,
                ("select", _) => {
                    select = Some((name.to_owned(), fields.len(), true));
                    filled(name).or(Some(String::new()))
                }
                ("option", _) => {
                    // The first option counts until another one is marked.
                    if let Some((name, at, first)) = &mut select
                        && filled(name).is_none()
                        && (*first || tag.has("selected"))
                    {
                        fields[*at] = (name.clone(), tag.get("value").unwrap_or_default().to_owned());
                        *first = false;
                    }
                    continue;
                }
                ("textarea", _) => {
                    let text = plain(tag.text.strip_prefix('\n').unwrap_or(&tag.text));
                    filled(name).or(Some(text))
                }
                (_, Some("radio" | "checkbox")) => {
                    let value = tag.get("value").unwrap_or("on").to_owned();
                    let on = filled(name).map_or(tag.has("checked"), |chosen| chosen == value);
                    on.then_some(value)
                }
                (_, Some("hidden")) => tag.get("value").map(str::to_owned),
                _ => filled(name).or(Some(tag.get("value").unwrap_or_default().to_owned())),
            };
            if let (false, Some(value)) = (name.is_empty(), standing) {
                fields.push((name.to_owned(), value));
            }
        }
        fields
    }

    /// Presses the button and goes where the server leads.
    pub async fn press(self, browser: &Browser, button: &str) -> Answer {
        let pressed = self.button(button).unwrap();
        let fields = self.fields(pressed);
        let action = pressed.get("formaction").or(self.tag.get("action")).unwrap_or_default();
        if self.tag.get("method") == Some("get") {
            let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
            return follow(browser, browser.get(&format!("{action}?{query}")).await).await;
        }
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        follow(browser, browser.post(action, &fields).await).await
    }
}

/// Goes where an answer leads, to a page.
pub async fn follow(browser: &Browser, mut answer: Answer) -> Answer {
    while answer.status == 303 {
        answer = browser.get(answer.location()).await;
    }
    answer
}

/// Presses a button of a page as it stands.
pub async fn press(browser: &Browser, page: &Answer, button: &str) -> Answer {
    Form::with(page, button).press(browser, button).await
}
