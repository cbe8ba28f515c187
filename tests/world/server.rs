//! A whole server on a free port, as `fieldcommand` starts it, with a clock that stands still and
//! chance that repeats itself; and browsers and programs that talk to it.

use std::path::Path;

use fieldcommand::app::App;
use fieldcommand::cli::settings::{ClientLimits, LogFormat, Settings, WebhooksTo};
use fieldcommand::clock::{Chance, Clock};
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::BEGINNING;

/// The settings of a server on a free port.
pub fn settings(data: &Path) -> Settings {
    Settings {
        config: None,
        data: data.to_owned(),
        listen: "127.0.0.1:0".parse().unwrap(),
        public_url: None,
        database_url: None,
        key: None,
        smtp_url: None,
        mail_from: "Field Command <fieldcommand@localhost>".into(),
        answers_to: None,
        limits: ClientLimits::Off,
        trusted_hops: 0,
        lmtp_listen: None,
        metrics_listen: None,
        log_format: LogFormat::Text,
        webhooks_to: WebhooksTo::Public,
        authserv_id: None,
        mail_connections: 1,
        dkim_key: None,
        dkim_selector: None,
        dkim_domain: None,
        drain: 0,
        missed_after: 20,
    }
}

/// A running server.
pub struct Server {
    pub url: String,
    /// Where it takes mail.
    pub mail: Option<std::net::SocketAddr>,
    /// Where it says how it is, as a URL.
    pub metrics: Option<String>,
    folder: tempfile::TempDir,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Server {
    /// Starts one. `seed` decides all its ids and secrets.
    pub async fn start(seed: u64) -> Server {
        Server::start_with(seed, |_| {}).await
    }

    /// Starts one with other settings.
    pub async fn start_with(seed: u64, change: impl FnOnce(&mut Settings)) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        change(&mut settings);
        let app = App::build(settings, Clock::fixed(BEGINNING), Chance::seeded(seed)).await.unwrap();
        let (url, mail, stop) = (app.address().to_owned(), app.mail_address(), CancellationToken::new());
        let metrics = app.metrics_address().map(|address| format!("http://{address}"));
        let running = tokio::spawn(app.run(stop.clone()));
        Server { url, mail, metrics, folder, stop, running }
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Stops it, as Ctrl-C does.
    pub async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }

    /// Stops it, and looks at what it leaves in its data folder.
    pub async fn stop_and(self, look: impl FnOnce()) {
        self.stop.cancel();
        self.running.await.unwrap();
        look();
    }

    /// A program that talks to the API.
    pub fn program(&self, token: &str) -> Program {
        Program::new(&self.url, token)
    }

    /// A browser without any history. It does not follow redirects by itself.
    pub fn browser(&self) -> Browser {
        Browser::new(&self.url)
    }
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    async fn read(request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: response.text().await.unwrap() }
    }

    /// Where it sends the browser.
    pub fn location(&self) -> &str {
        self.headers
            .get(LOCATION)
            .unwrap_or_else(|| panic!("{} sends nowhere: {}", self.status, self.body))
            .to_str()
            .unwrap()
    }

    /// Its JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.body))
    }

    /// What the page shows without a script: its body without the parts that only a script brings out.
    pub fn shown(&self) -> String {
        let parts = self.body.split("<template");
        parts.map(|part| part.split_once("</template>").map_or(part, |(_, rest)| rest)).collect()
    }

    /// The page's words without its marks.
    pub fn words(&self) -> String {
        let mut words = String::new();
        let mut inside = false;
        for c in self.shown().chars() {
            match c {
                '<' => inside = true,
                '>' => {
                    inside = false;
                    words.push(' ');
                }
                c if !inside => words.push(c),
                _ => {}
            }
        }
        let words = words.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The first secret link of a kind (`/s/` or `/i/`) on the page.
    pub fn link(&self, kind: &str) -> String {
        let at = self.body.find(kind).unwrap_or_else(|| panic!("no {kind} link in {}", self.body));
        self.body[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect()
    }
}

/// A browser with its cookies, and JavaScript off.
#[derive(Clone)]
pub struct Browser {
    client: Client,
    url: String,
}

impl Browser {
    /// One that goes to a server at an address.
    pub fn new(url: &str) -> Browser {
        let client = Client::builder().cookie_store(true).redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Browser { client, url: url.to_owned() }
    }

    /// Opens an address of the server.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::read(self.client.get(self.address(path))).await
    }

    /// Sends a form.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.post_raw(path, "application/x-www-form-urlencoded", body.into_bytes()).await
    }

    /// Sends any body at all.
    pub async fn post_raw(&self, path: &str, kind: &str, body: Vec<u8>) -> Answer {
        Answer::read(self.client.post(self.address(path)).header("content-type", kind).body(body)).await
    }

    /// Sends a form and opens the address that it leads to.
    pub async fn sends(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(path, fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.words());
        self.get(answer.location()).await
    }

    /// Listens to an event stream.
    pub async fn listen(&self, path: &str) -> News {
        let response = self.client.get(self.address(path)).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        News { response, text: String::new() }
    }

    fn address(&self, path: &str) -> String {
        if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.url) }
    }
}

/// An event stream.
pub struct News {
    response: reqwest::Response,
    text: String,
}

impl News {
    /// The version that the next event tells; `None` once the stream has ended.
    pub async fn next(&mut self) -> Option<i64> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let version =
                    event.lines().find_map(|line| line.strip_prefix("data: ")).map(|data| data.parse().unwrap());
                let rest = rest.to_owned();
                self.text = rest;
                match version {
                    Some(version) => return Some(version),
                    // A sign of life.
                    None => continue,
                }
            }
            let chunk = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

/// A program with a seat's token.
#[derive(Clone)]
pub struct Program {
    client: Client,
    url: String,
    pub token: String,
}

impl Program {
    /// One that asks a server at an address.
    pub fn new(url: &str, token: &str) -> Program {
        Program { client: Client::new(), url: format!("{url}/api/v1"), token: token.to_owned() }
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::read(self.client.get(format!("{}{path}", self.url)).bearer_auth(&self.token)).await
    }

    /// Writes with POST.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::read(self.client.post(format!("{}{path}", self.url)).bearer_auth(&self.token).json(body)).await
    }

    /// Writes with POST and more headers.
    pub async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = self.client.post(format!("{}{path}", self.url)).bearer_auth(&self.token).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request).await
    }

    /// Writes with PUT.
    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        Answer::read(self.client.put(format!("{}{path}", self.url)).bearer_auth(&self.token).json(body)).await
    }

    /// Seals a sheet.
    pub async fn seals(&self, seat: &str, turn: u32, text: &str) -> Answer {
        self.put(&format!("{seat}/sheet"), &json!({"turn": turn, "text": text})).await
    }
}
