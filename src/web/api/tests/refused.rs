//! Requests that do not do: bodies, methods, addresses and tokens.

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, Request};
use serde_json::json;

use super::{Answer, Api};

fn put_sheet(path: &str, token: &str) -> http::request::Builder {
    Request::builder()
        .method(Method::PUT)
        .uri(format!("/api/v1{path}/sheet"))
        .header(AUTHORIZATION, format!("Bearer {token}"))
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_and_says_why() {
    let api = Api::new().await;
    let [red, _blue] = api.deployed().await;
    let json = || put_sheet(&red.path, &red.token).header(CONTENT_TYPE, "application/json; charset=utf-8");
    let send = async |body: &[u8]| api.send(json().body(Body::from(body.to_vec())).unwrap()).await;

    send(b"{\"turn\": 1, \"text\": \"\"}").await.of(200);
    let answer = send(b"{\"turn\": 1,").await;
    assert_eq!(answer.status, 400);
    answer.problem("malformed");
    assert!(
        send(b"{\"turn\": 1, \"text\": \"\xff\"}").await.problem("malformed")["detail"]
            .as_str()
            .unwrap()
            .contains("UTF-8")
    );
    send(b"").await.problem("malformed");
    let answer = send(b"[1, \"\", false]").await;
    assert_eq!(answer.status, 422);
    answer.problem("shape");
    assert_eq!(send(b"{\"turn\": \"1\", \"text\": \"\"}").await.problem("shape")["field"], "turn");
    assert_eq!(send(b"{\"turn\": 1}").await.problem("shape")["field"], "text");
    assert_eq!(send(b"{\"turn\": 1, \"text\": \"\", \"txt\": \"\"}").await.problem("shape")["field"], "txt");

    for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("application/jsonx")]
    {
        let mut request = put_sheet(&red.path, &red.token);
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        let answer = api.send(request.body(Body::from("{\"turn\": 1, \"text\": \"\"}")).unwrap()).await;
        assert_eq!(answer.status, 415);
        answer.problem("media_type");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_however_it_is_sent() {
    let api = Api::new().await;
    let [red, _blue] = api.deployed().await;
    let sealed = red.seal(1, "G8-F8").await.of(200);
    let large = json!({"turn": 1, "text": "# ".repeat(5_000_000)}).to_string();
    for length_is_told in [true, false] {
        let mut request = put_sheet(&red.path, &red.token).header(CONTENT_TYPE, "application/json");
        if length_is_told {
            request = request.header(CONTENT_LENGTH, large.len());
        }
        let answer = api.send(request.body(Body::from(large.clone())).unwrap()).await;
        assert_eq!(answer.status, 413);
        answer.problem("too_large");
    }
    // The last size that is taken.
    let room = super::super::body::BODY_MAX - json!({"turn": 1, "text": ""}).to_string().len();
    red.seal(1, &"#".repeat(room)).await.of(200);
    red.seal(1, &"#".repeat(room + 1)).await.problem("too_large");
    assert_eq!(red.seal(1, "G8-F8").await.of(200)["text"], sealed["text"]);
}

#[tokio::test]
async fn who_has_no_seat_learns_nothing() {
    let api = Api::new().await;
    let [red, blue] = api.joined().await;
    let [stranger, _] = api.joined().await;
    let get = async |path: &str, token: &str| api.ask(Method::GET, path, Some(token), None).await;
    let mut refusals = Vec::new();
    for (path, token) in [
        (&red.path, &blue.token),
        (&blue.path, &red.token),
        (&red.path, &stranger.token),
        (&"/games/000000000000/red".to_owned(), &red.token),
        (&"/games/nosuchgame/red".to_owned(), &red.token),
        (&red.path.replace("/red", "/green"), &red.token),
        (&red.path.replace("/red", "/Red"), &red.token),
    ] {
        let answer = get(path, token).await;
        assert_eq!(answer.status, 404);
        refusals.push((answer.bytes.clone(), format!("{:?}", answer.headers)));
        answer.problem("not_found");
    }
    assert!(refusals.windows(2).all(|pair| pair[0] == pair[1]));

    let unknown = |answer: Answer| {
        assert_eq!(answer.status, 401);
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"a seat\", error=\"invalid_token\"");
        let text = answer.bytes.clone();
        answer.problem("token_unknown");
        text
    };
    let mistyped = "abcdefghijklmnopqrstuvwxyz";
    let answers = [
        unknown(get(&red.path, mistyped).await),
        unknown(get("/games/000000000000/red", mistyped).await),
        unknown(get(&red.path, "short").await),
        unknown(get(&red.path, &"x".repeat(5000)).await),
    ];
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(!String::from_utf8_lossy(&answers[0]).contains(mistyped));
    let basic = Request::get(format!("/api/v1{}", red.path)).header(AUTHORIZATION, "Basic YTpi").body(Body::empty());
    let answer = api.send(basic.unwrap()).await;
    assert_eq!(answer.status, 401);
    answer.problem("token_unknown");
    let answer = api.get(&red.path).await;
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer realm=\"a seat\""));
    answer.problem("token_missing");

    // An invitation's token is no seat's.
    let (_, invitation) = api.opened().await;
    unknown(get(&red.path, &invitation).await);
    // Letters in either case, as in a link that a mail program has folded.
    get(&red.path, &red.token.to_uppercase()).await.of(200);
}

#[tokio::test]
async fn the_tokens_are_asked_before_the_body_is_read() {
    let api = Api::new().await;
    let request = put_sheet("/games/000000000000/red", "nosuchtoken").body(Body::from("x".repeat(100_000)));
    api.send(request.unwrap()).await.problem("token_unknown");
}

#[tokio::test]
async fn days_that_have_not_come_are_not_there() {
    let api = Api::new().await;
    let [red, _blue] = api.deployed().await;
    red.get("/days/0").await.of(200);
    for day in ["1", "00", "+0", "-1", "x", "4294967296", "99999999999999999999", "%00", "%ff"] {
        let answer = red.get(&format!("/days/{day}")).await;
        assert_eq!(answer.status, 404, "{day}");
        answer.problem("not_found");
    }
}

#[tokio::test]
async fn unknown_addresses_and_methods_are_problems() {
    let api = Api::new().await;
    for path in ["", "/", "/nothing", "/games/", "/games/x/red/nothing", "/problems/"] {
        let answer = api.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        answer.problem("no_route");
    }
    let answer = api.ask(Method::DELETE, "/games", None, None).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "POST,GET,HEAD"));
    answer.problem("method");
    let answer = api.ask(Method::POST, "/games/x/red", None, None).await;
    assert_eq!(answer.header("allow"), "GET,HEAD");
    answer.problem("method");
}

#[tokio::test]
async fn a_server_that_fails_says_so_and_when_to_come_back() {
    let api = Api::new().await;
    let [red, _blue] = api.deployed().await;
    api.store.close().await;
    for answer in [red.get("").await, red.seal(1, "").await, api.post("/games", json!({})).await] {
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"));
        answer.problem("store");
    }
    let answer = super::super::panicked(Box::new("a handler"));
    assert_eq!(answer.status(), 500);
    assert_eq!(answer.headers()["content-type"], "application/problem+json");
}

#[tokio::test]
async fn problems_are_described_at_their_type() {
    let api = Api::new().await;
    let listed = api.get("/problems").await.of(200);
    for kind in listed["problems"].as_array().unwrap() {
        let path = kind["type"].as_str().unwrap().strip_prefix("/api/v1").unwrap();
        assert_eq!(api.get(path).await.of(200), *kind);
    }
    let problem = api.get("/problems/nosuchproblem").await.problem("not_found");
    let path = problem["type"].as_str().unwrap().strip_prefix("/api/v1").unwrap().to_owned();
    assert_eq!(api.get(&path).await.of(200)["title"], problem["title"]);
}
