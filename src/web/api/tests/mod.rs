//! The API over a real store: every answer that a test gets is held against the OpenAPI document.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, Request};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::clock::{Chance, Clock, Timestamp};
use crate::play::{Play, ServerKey};
// The tests of a door may open a store, which the door itself may not.
#[cfg(test)]
use crate::store::Store;
use crate::web::limit::Limits;
use crate::web::{Door, WebState};

/// The document as a contract.
mod contract;
/// Invitations and seats.
mod seats;
/// Public games.
mod public;
/// Sheets and turns.
mod turns;
/// Bodies, methods, addresses and tokens that do not do.
mod refused;
/// The document itself.
mod document;
/// The organiser's desk.
mod admin;

/// The API of a server with a database of its own.
struct Api {
    router: Router,
    store: Store,
    clock: Clock,
    _data: TempDir,
}

/// What was answered.
struct Answer {
    status: u16,
    headers: HeaderMap,
    bytes: Bytes,
    /// The body, if it is JSON.
    json: Value,
}

/// A seat of a game.
struct Seat<'a> {
    api: &'a Api,
    path: String,
    token: String,
}

impl Api {
    async fn new() -> Api {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open_sqlite(&data.path().join("fieldcommand.sqlite")).await.unwrap();
        store.migrate(None).await.unwrap();
        let clock = Clock::fixed(Timestamp(1_772_388_000_000));
        let play = Play::new(store.clone(), clock.clone(), Chance::seeded(7), ServerKey::new([7; 32]));
        let state = WebState::from(Door {
            play,
            public_url: "https://play.example.org".into(),
            by_mail: true,
            limits: Limits::off(),
            stop: CancellationToken::new(),
        });
        Api { router: super::router(state), store, clock, _data: data }
    }

    /// Sends a request as it is, and holds the answer against the document.
    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, bytes, json };
        contract::hold(&method, &path, &answer);
        answer
    }

    /// Sends JSON, or nothing.
    async fn ask(&self, method: Method, path: &str, token: Option<&str>, body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = body.map(|body| body.to_string());
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        self.send(request.body(Body::from(body.unwrap_or_default())).unwrap()).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None, None).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, None, Some(body)).await
    }

    /// A game that Ann has opened as Red, and the invitation to Blue.
    async fn opened(&self) -> (Seat<'_>, String) {
        let opened = self.post("/games", json!({"side": "red", "name": "Ann"})).await.of(201);
        let invitation = opened["invitation_token"].as_str().unwrap().to_owned();
        (self.seat(&opened), invitation)
    }

    /// A game in which Ann is Red and Ben is Blue.
    async fn joined(&self) -> [Seat<'_>; 2] {
        let (red, invitation) = self.opened().await;
        let taken = self.post("/invitations/take", json!({"token": invitation, "name": "Ben"})).await.of(201);
        [red, self.seat(&taken)]
    }

    /// A game on its first day: both have deployed the first ready-made army.
    async fn deployed(&self) -> [Seat<'_>; 2] {
        let seats = self.joined().await;
        for seat in &seats {
            let form = seat.get("/form").await.of(200);
            seat.seal(0, form["presets"][0]["text"].as_str().unwrap()).await.of(200);
        }
        seats
    }

    fn seat(&self, answer: &Value) -> Seat<'_> {
        let [game, side, token] = ["game", "side", "token"].map(|member| answer[member].as_str().unwrap().to_owned());
        Seat { api: self, path: format!("/games/{game}/{side}"), token }
    }
}

impl Seat<'_> {
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.api.ask(method, &format!("{}{path}", self.path), Some(&self.token), body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, Some(body)).await
    }

    async fn put(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::PUT, path, Some(body)).await
    }

    async fn seal(&self, turn: u32, text: &str) -> Answer {
        self.put("/sheet", json!({"turn": turn, "text": text})).await
    }

    /// Its state.
    async fn state(&self) -> Value {
        self.get("").await.of(200)
    }
}

impl Answer {
    /// The body of an answer that must have this status.
    fn of(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        self.json
    }

    /// The body of a problem that must be of this kind.
    fn problem(self, word: &str) -> Value {
        assert_eq!(self.json["type"], json!(format!("/api/v1/problems/{word}")), "{}", self.json);
        assert_eq!(self.json["status"], json!(self.status));
        assert_eq!(self.header(CONTENT_TYPE.as_str()), "application/problem+json");
        assert_eq!(self.header(CACHE_CONTROL.as_str()), "no-store");
        self.json
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
