//! What stands before the pages and the API: headers on every answer, forms of other sites, limits for each address that
//! acts, clients that dawdle, sign-ins that can be seen and ended. SECURITY.md and docs/asvs.md name these tests.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io};

use fieldcommand::cli::settings::ClientLimits;
use fieldcommand::play::people::{PROVEN_LATELY, SIGN_IN_LIFE};
use fieldcommand::play::{PlayError, Secret};
use fieldcommand::rules::Side;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Response};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::architecture;
use crate::world::forms::{Form, press};
use crate::world::server::Server;
use crate::world::{World, mailbox};

/// Longer than any limit of the server's; who is not let go by then never is.
const FOR_EVER: Duration = Duration::from_mins(3);

/// The pages' routes that take a form, with something in each place; read out of the router's own list.
fn forms() -> Vec<String> {
    let list = include_str!("../src/web/pages/mod.rs");
    let calls = list.split(".route(").skip(1).map(|call| call.split(".route(").next().unwrap());
    let forms = calls.filter(|call| call.split("\n        .").next().unwrap().contains("post("));
    let routes: Vec<String> = forms.map(|call| call.split('"').nth(1).unwrap().to_owned()).collect();
    assert!(routes.len() > 40, "the list is written in another way: {routes:?}");
    routes.iter().map(|route| filled(route)).collect()
}

/// An address with something in each place.
fn filled(route: &str) -> String {
    let part = |part: &str| match part {
        "{id}" => "0000nosuch00".to_owned(),
        "{side}" => "red".to_owned(),
        "{n}" => "1".to_owned(),
        part if part.starts_with('{') => "nothing".to_owned(),
        part => part.to_owned(),
    };
    route.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The API's operations: method, address, whether a token is needed.
fn operations() -> Vec<(Method, String, bool)> {
    let document: Value = serde_json::from_str(include_str!("../docs/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let each = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, operation)| {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            (method, filled(path), operation.get("security").is_some())
        })
    });
    each.collect()
}

async fn sends(server: &Server, method: &Method, path: &str, headers: &[(&'static str, &str)]) -> Response {
    let mut request = Client::new().request(method.clone(), format!("{}{path}", server.url)).body("");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

/// No form acts for another site, whatever it is for: the refusal comes before anything is looked at.
#[tokio::test]
async fn no_form_takes_what_another_site_sent() {
    let server = Server::start(1001).await;
    for path in forms() {
        for (name, value) in
            [("sec-fetch-site", "cross-site"), ("origin", "https://elsewhere.example"), ("origin", "null")]
        {
            let answer = sends(&server, &Method::POST, &path, &[(name, value)]).await;
            assert_eq!(answer.status(), 403, "{path} with {name}: {value}");
            assert!(answer.text().await.unwrap().contains("Sent from another site"), "{path}");
        }
        let own = sends(&server, &Method::POST, &path, &[("sec-fetch-site", "same-origin")]).await;
        assert_ne!(own.status(), 403, "{path}");
    }
    server.stop().await;
}

/// The API knows no cookie, so no page of another site has anything that it could use there.
#[tokio::test]
async fn a_browsers_cookie_opens_nothing_of_the_api() {
    let server = Server::start(1002).await;
    let ann = server.browser();
    let page = ann.get("/games/new").await;
    let seat =
        Form::with(&page, "Open the game").fill("name", "Ann").fill("side", "red").press(&ann, "Open the game").await;
    let game = seat.body.split("data-events=\"").nth(1).unwrap().split('/').nth(2).unwrap().to_owned();
    let mut asked = 0;
    for (method, path, secured) in operations() {
        if secured && method == Method::GET {
            let answer = ann.get(&path.replace("0000nosuch00", &game)).await;
            assert_eq!(answer.status, 401, "{path}");
            asked += 1;
        }
    }
    assert!(asked > 5);
    server.stop().await;
}

/// Every route that acts has a cost: whoever goes on asking with one token is refused at each of them in the end.
#[tokio::test]
async fn nothing_that_acts_is_free() {
    let server = Server::start_with(1003, |settings| settings.limits = ClientLimits::On).await;
    let client = Client::new();
    let acts = operations().into_iter().filter(|(method, ..)| *method != Method::GET);
    let mut routes: Vec<(Method, String)> = acts.map(|(method, path, _)| (method, path)).collect();
    routes.extend(forms().into_iter().map(|path| (Method::POST, path)));
    // The clock stands still, so no share grows again.
    for (method, path) in routes {
        let mut refused = false;
        for _ in 0..700 {
            let request = client.request(method.clone(), format!("{}{path}", server.url));
            let answer = request.header("authorization", "Bearer nothing").body("").send().await.unwrap();
            refused = answer.status() == 429 && answer.headers().contains_key("retry-after");
            if refused {
                break;
            }
        }
        assert!(refused, "{method} {path} goes on for ever");
    }
    // Looking goes on.
    assert_eq!(client.get(format!("{}/rules", server.url)).send().await.unwrap().status(), 200);
    server.stop().await;
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).map_or("", |value| value.to_str().unwrap())
}

/// Whatever is asked for, found or not, page, picture, script, problem: the browser is told what it may do with it.
#[tokio::test]
async fn every_answer_tells_the_browser_what_it_may_do() {
    let server =
        Server::start_with(1004, |settings| settings.public_url = Some("https://play.example.org".into())).await;
    let plain = Server::start(1005).await;
    let script = format!("{}.css", server.browser().get("/rules").await.link("/static/"));
    for (method, path) in [
        (Method::GET, "/"),
        (Method::GET, "/rules"),
        (Method::GET, &*script),
        (Method::GET, "/robots.txt"),
        (Method::GET, "/boards/classic.svg"),
        (Method::GET, "/no/such/page"),
        (Method::GET, "/%ff"),
        (Method::DELETE, "/rules"),
        (Method::POST, "/games/0000nosuch00/red/seal"),
        (Method::GET, "/api/v1/games"),
        (Method::GET, "/api/v1/docs/"),
        (Method::GET, "/api/v1/docs/docs.js"),
        (Method::GET, "/api/v1/docs/swagger-ui.css"),
        (Method::GET, "/api/v1/games/0000nosuch00/red"),
        (Method::GET, "/api/v1/nothing"),
        (Method::TRACE, "/"),
    ] {
        let answer = sends(&server, &method, path, &[]).await;
        let headers = answer.headers();
        let policy = header(headers, "content-security-policy");
        for must in ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(must), "{path}: {policy}");
        }
        assert!(!policy.contains("script-src 'unsafe") && !policy.contains("unsafe-eval"), "{path}: {policy}");
        assert_eq!(header(headers, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(headers, "referrer-policy"), "strict-origin", "{path}");
        assert!(header(headers, "permissions-policy").contains("camera=()"), "{path}");
        assert_eq!(header(headers, "strict-transport-security"), "max-age=31536000", "{path}");
        assert!(
            header(headers, "access-control-allow-origin").is_empty() && header(headers, "server").is_empty(),
            "{path}"
        );
        if headers.get("content-length").is_none_or(|length| length != "0") && answer.status() != 303 {
            let kind = header(headers, "content-type");
            assert!(
                !kind.is_empty() && (!kind.starts_with("text/") || kind.contains("charset=utf-8")),
                "{path}: {kind}"
            );
        }
        // On plain http the promise of https would be a lie.
        let answer = sends(&plain, &method, path, &[]).await;
        assert_eq!(header(answer.headers(), "strict-transport-security"), "", "{path}");
    }
    server.stop().await;
    plain.stop().await;
}

/// What another site makes a browser fetch goes out as it is: its length tells nothing but its length.
#[tokio::test]
async fn what_another_site_asks_for_is_not_compressed() {
    let server = Server::start(1006).await;
    for (site, packed) in [("same-origin", "br"), ("none", "br"), ("cross-site", ""), ("same-site", "")] {
        let headers = [("accept-encoding", "br"), ("sec-fetch-site", site)];
        let answer = sends(&server, &Method::GET, "/rules", &headers).await;
        assert_eq!(header(answer.headers(), "content-encoding"), packed, "{site}");
    }
    server.stop().await;
}

/// What a server answers to bytes as they are, until it closes the connection or says nothing more for a while.
async fn answers(server: &Server, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).await.unwrap();
    // The server may close before all of it is sent.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(Ok(read @ 1..)) = timeout(Duration::from_secs(3), stream.read(&mut buffer)).await {
        answer.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn heads_that_are_too_large_or_say_two_things_are_refused() {
    let server = Server::start(1007).await;
    let long = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(200_000));
    let wide = format!("GET / HTTP/1.1\r\nhost: a\r\ncookie: {}\r\n\r\n", "x".repeat(200_000));
    let many = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "x: y\r\n".repeat(500));
    let twice = "POST /sign-out HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef".to_owned();
    let odd = "POST /sign-out HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n0\r\n\r\n".to_owned();
    let sign = "POST /sign-out HTTP/1.1\r\nhost: a\r\ncontent-length: +5\r\n\r\nabcde".to_owned();
    let garbage = "\u{16}\u{3}\u{1}\r\n\r\n".to_owned();
    for request in [long, wide, many, twice, odd, sign, garbage] {
        let answer = answers(&server, request.as_bytes()).await;
        let head = &request[..request.len().min(60)];
        assert!(answer.starts_with("HTTP/1.1 4") && answer.matches("HTTP/1.1").count() == 1, "{head}: {answer}");
    }
    // Where both lengths stand, the chunks count, and what follows is no second request.
    let both = "POST /sign-out HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n\
                0\r\n\r\nGET /rules HTTP/1.1\r\nhost: a\r\n\r\n";
    let answer = answers(&server, both.as_bytes()).await;
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    assert_eq!(server.browser().get("/rules").await.status, 200);
    server.stop().await;
}

/// Three clients that dawdle, each at another place, are let go; meanwhile others are answered.
#[tokio::test]
async fn clients_that_dawdle_are_let_go() {
    let server = Server::start(1008).await;
    let address = server.url.trim_start_matches("http://").to_owned();

    let slow_head = async {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let mut end = Vec::new();
        for byte in b"GET / HTTP/1.1\r\nhost: a\r\nx: ".iter().chain(std::iter::repeat_n(&b'y', 10_000)) {
            if stream.write_all(&[*byte]).await.is_err() {
                break;
            }
            let mut buffer = [0; 512];
            if let Ok(Ok(read)) = timeout(Duration::from_secs(1), stream.read(&mut buffer)).await {
                end.extend_from_slice(&buffer[..read]);
                if read == 0 {
                    break;
                }
            }
        }
    };
    let slow_body = async {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = "POST /learn/terrain HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n\
                    content-length: 10000\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        loop {
            if stream.write_all(b"x").await.is_err() {
                break;
            }
            let mut buffer = [0; 4096];
            match timeout(Duration::from_secs(1), stream.read(&mut buffer)).await {
                Ok(Ok(0) | Err(_)) => break,
                Ok(Ok(read)) => answer.push_str(&String::from_utf8_lossy(&buffer[..read])),
                Err(_) => {}
            }
        }
        answer
    };
    let never_reads = async {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let request = b"GET /rules HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1000);
        // Until the server takes no more, and then until it has let go.
        while stream.write_all(&request).await.is_ok() {}
    };
    let others = async {
        for _ in 0..20 {
            assert_eq!(server.browser().get("/rules").await.status, 200);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let all = async { tokio::join!(slow_head, slow_body, never_reads, others) };
    let ((), answer, ..) = timeout(FOR_EVER, all).await.expect("somebody holds a connection for ever");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("took too long"), "{answer}");
    server.stop().await;
}

/// Signs a browser in that had nothing before.
async fn signed_in(world: &World, address: &str) -> Secret {
    world.play.ask_sign_in(address).await.unwrap();
    let letter = mailbox::letters(&world.play, world.path()).await.pop().unwrap();
    let secret = mailbox::mailed_link(&letter).unwrap();
    world.play.follow_in_browser(&secret, None).await.unwrap().session.unwrap()
}

#[tokio::test]
async fn sign_ins_are_seen_ended_and_end_by_themselves() {
    for world in World::both().await {
        let table = world.table_with(12, ["ann@example.org", "ben@example.org"]).await;
        let (play, game) = (&world.play, table.red.seat.game());
        let old = signed_in(&world, "ann@example.org").await;
        world.wait(3600);
        let new = signed_in(&world, "ann@example.org").await;
        let ben = signed_in(&world, "ben@example.org").await;
        let seen = play.sign_ins(&new).await.unwrap();
        assert_eq!(seen.iter().map(|one| one.here).collect::<Vec<_>>(), [true, false]);
        assert!(seen[0].at > seen[1].at && seen[0].key != seen[1].key);

        // Nobody ends what is another person's, and no part of a key will do.
        for key in [&*seen[1].key, &seen[1].key[..8], ""] {
            play.end_sign_in(&ben, key).await.unwrap();
        }
        play.end_sign_in(&new, &seen[1].key[..8]).await.unwrap();
        assert!(play.person(&old).await.unwrap().is_some());
        play.end_sign_in(&new, &seen[1].key).await.unwrap();
        assert_eq!(play.person(&old).await.unwrap(), None);
        assert_eq!(play.seat_of_session(&old, game, Side::Red).await, Err(PlayError::NotFound));
        assert_eq!(play.sign_ins(&old).await, Err(PlayError::NotFound));

        // A link to the other seat is held beside, and longer than the sign-in.
        play.remember(&table.blue.seat, Some(&new)).await.unwrap();
        world.wait(SIGN_IN_LIFE / 1000);
        play.tidy().await.unwrap();
        assert!(play.person(&new).await.unwrap().is_some(), "to the last moment");
        world.wait(1);
        play.tidy().await.unwrap();
        assert_eq!(play.person(&new).await.unwrap(), None);
        assert_eq!(play.seat_of_session(&new, game, Side::Red).await, Err(PlayError::NotFound));
        assert!(play.seat_of_session(&new, game, Side::Blue).await.is_ok());
        // After 400 days no browser has its cookie any more.
        world.wait(400 * 24 * 3600 + 1);
        play.tidy().await.unwrap();
        assert_eq!(play.seat_of_session(&new, game, Side::Blue).await, Err(PlayError::NotFound));
        world.end().await;
    }
}

/// Whoever finds a browser open has no mailbox with it: what cannot be taken back wants a letter of the last hour.
#[tokio::test]
async fn going_and_another_address_want_a_sign_in_of_lately() {
    for world in World::both().await {
        world.table_with(12, ["ann@example.org", ""]).await;
        let (play, session) = (&world.play, signed_in(&world, "ann@example.org").await);
        world.wait(PROVEN_LATELY / 1000);
        assert!(play.is_proven_lately(&session).await.unwrap());
        world.wait(1);
        assert!(!play.is_proven_lately(&session).await.unwrap());
        let stale = |error: &PlayError| matches!(error, PlayError::Field { field: "sign-in", .. });
        assert!(stale(&play.ask_change(&session, "new@example.org").await.unwrap_err()));
        assert!(stale(&play.erase(&session, None).await.unwrap_err()));
        assert!(mailbox::letters(play, world.path()).await.is_empty(), "nobody is written to");
        // The letter takes the browser's session over, and it is another one.
        play.ask_sign_in("ann@example.org").await.unwrap();
        let letter = mailbox::letters(play, world.path()).await.pop().unwrap();
        let link = mailbox::mailed_link(&letter).unwrap();
        let fresh = play.follow_in_browser(&link, Some(&session)).await.unwrap().session.unwrap();
        assert_eq!(play.person(&session).await.unwrap(), None, "what the cookie was before opens nothing");
        assert_eq!(play.sign_ins(&fresh).await.unwrap().len(), 1);
        play.ask_change(&fresh, "new@example.org").await.unwrap();
        world.end().await;
    }
}

/// The list on the page of who is signed in, without a script; and what a browser is told that signs out.
#[tokio::test]
async fn another_browser_is_signed_out_on_a_page() {
    let server = Server::start(1009).await;
    let (ann, elsewhere) = (server.browser(), server.browser());
    let page = ann.get("/games/new").await;
    let form = Form::with(&page, "Open the game").fill("name", "Ann").fill("address", "ann@example.org");
    form.fill("side", "red").press(&ann, "Open the game").await;
    let mut letters = 1;
    let confirmed = mailbox::letters_of(server.data(), letters).await.pop().unwrap();
    let link = |letter: &str| format!("/m/{}", mailbox::mailed_link(letter).unwrap().reveal());
    press(&ann, &ann.get(&link(&confirmed)).await, "Yes, it is mine").await;
    for browser in [&ann, &elsewhere] {
        browser.post("/sign-in", &[("address", "ann@example.org")]).await;
        letters += 1;
        let letter = mailbox::letters_of(server.data(), letters).await.pop().unwrap();
        press(browser, &browser.get(&link(&letter)).await, "Sign in here").await;
    }
    let page = ann.get("/me").await;
    assert!(page.words().contains("this browser") && page.words().contains("another browser"), "{}", page.words());
    let page = press(&ann, &page, "Sign it out").await;
    assert!(!page.words().contains("another browser"), "{}", page.words());
    assert_eq!(elsewhere.get("/me").await.location(), "/sign-in");
    let out = ann.post("/sign-out", &[]).await;
    assert_eq!((out.status.as_u16(), out.headers["clear-site-data"].to_str().unwrap()), (303, "\"cache\""));
    assert_eq!(ann.get("/me").await.location(), "/sign-in");
    server.stop().await;
}

/// What SECURITY.md and docs/asvs.md name as what holds them is there.
#[test]
fn every_test_that_the_security_papers_name_is_there() {
    let papers = concat!(include_str!("../SECURITY.md"), include_str!("../docs/asvs.md"));
    let is_name = |text: &&str| {
        text.contains('_') && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let named: BTreeSet<&str> = papers.split('*').filter(is_name).collect();
    assert!(named.len() > 80, "{named:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "src/web/api/tests", "tests"] {
        architecture::files(&root.join(folder), &mut files);
    }
    let code: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let missing: Vec<_> = named.into_iter().filter(|name| !code.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Where a log is kept to be looked at.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The organiser hears of each thing that matters, and no line holds a secret or an address.
#[tokio::test]
async fn what_matters_is_in_the_log_and_no_secret_is() {
    let kept = Kept::default();
    let writer = kept.clone();
    let log = tracing_subscriber::fmt().with_env_filter("info,fieldcommand=trace").with_ansi(false);
    let _heard = tracing::subscriber::set_default(log.with_writer(move || writer.clone()).finish());
    let server = Server::start_with(1010, |settings| settings.limits = ClientLimits::On).await;
    let ann = server.browser();
    let page = ann.get("/games/new").await;
    let form = Form::with(&page, "Open the game").fill("name", "Annabel").fill("address", "ann@example.org");
    let seat = form.fill("side", "red").press(&ann, "Open the game").await;
    let mut secrets = vec![seat.link("/s/"), seat.link("/i/")];
    let mut cookie = String::new();
    for (number, button) in [(1, "Yes, it is mine"), (2, "Sign in here")] {
        // Who has not confirmed an address is nobody yet, and gets no link to sign in.
        if number == 2 {
            ann.post("/sign-in", &[("address", "ann@example.org")]).await;
        }
        let letter = mailbox::letters_of(server.data(), number).await.pop().unwrap();
        let path = format!("/m/{}", mailbox::mailed_link(&letter).unwrap().reveal());
        assert!(ann.get(&path).await.words().contains(button));
        let done = ann.post(&path, &[]).await;
        cookie = done.headers.get("set-cookie").map_or(cookie, |cookie| cookie.to_str().unwrap().to_owned());
        secrets.push(path);
    }
    secrets.push(cookie.split(['=', ';']).nth(1).unwrap().to_owned());
    let stranger = server.browser();
    assert_eq!(stranger.get("/s/nosuchlinkatallnosuchlinka").await.status, 404);
    assert_eq!(stranger.post("/games/0000nosuch00/code", &[("code", "KQXW-ZRTP")]).await.status, 422);
    assert_eq!(server.program("nosuchtokenatall").get("/games/0000nosuch00/red").await.status, 401);
    let token = secrets[0].trim_start_matches("/s/").to_owned();
    assert_eq!(server.program(&token).get("/games/0000nosuch00/red").await.status, 404);
    sends(&server, &Method::POST, "/sign-out", &[("sec-fetch-site", "cross-site")]).await;
    for n in 0..31 {
        stranger.post("/sign-in", &[("address", &*format!("n{n}@example.org"))]).await;
    }
    ann.post("/sign-out", &[]).await;
    server.stop().await;

    let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    for line in [
        "an address was confirmed",
        "a link to sign in was asked for",
        "signed in",
        "a secret opened nothing",
        "a code opened nothing",
        "a token was shown for another seat",
        "a form of another site was refused",
        "too many requests",
        "signed out",
    ] {
        assert!(
            log.lines().any(|each| each.contains(" security: ") && each.contains(line)),
            "{line} is not in:\n{log}"
        );
    }
    let words = ["example.org", "Annabel", "nosuchlinkatall", "nosuchtoken", "KQXW"].map(str::to_owned);
    for secret in secrets.iter().map(|secret| secret.rsplit('/').next().unwrap().to_owned()).chain(words) {
        assert!(secret.len() > 3 && !log.to_lowercase().contains(&secret.to_lowercase()), "{secret} is in:\n{log}");
    }
}
