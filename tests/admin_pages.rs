//! The organiser's desk in a browser: signing in with a token, what the pages show and what they do not, and acts that are
//! asked about first and done once.

use fieldcommand::cli::settings::WebhooksTo;
use fieldcommand::play::admin::Scope;
use fieldcommand::rules::Side;
use reqwest::StatusCode;
use serde_json::{Value, json};
use sqlx::Connection;

use crate::admin_api::token;
use crate::world::game::Game;
use crate::world::mailbox;
use crate::world::server::{Browser, Program, Server};

/// A browser that has signed in with a token of a scope.
async fn signed_in(server: &Server, scope: Scope) -> Browser {
    let browser = server.browser();
    let token = token(server.data(), None, scope).await;
    let answer = browser.post("/admin/sign-in", &[("token", &format!(" {token}\n"))]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/admin"), "{}", answer.words());
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(&token), "{cookie}");
    browser
}

/// The value of a hidden field of a page.
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().unwrap()
}

#[tokio::test]
async fn only_a_token_opens_the_desk() {
    let server = Server::start(31).await;
    let stranger = server.browser();
    for path in ["/admin", "/admin/games", "/admin/games/000000000000", "/admin/letters", "/admin/people", "/admin/log"]
    {
        assert_eq!(stranger.get(path).await.location(), "/admin/sign-in", "{path}");
    }
    let act = stranger.post("/admin/act", &[("do", "announce"), ("sure", "1")]).await;
    assert_eq!(act.status, StatusCode::UNAUTHORIZED);
    for wrong in ["", "fca_", "fca_abcdefghijklmnopqrstuvwxyz234567", "nonsense"] {
        let answer = stranger.post("/admin/sign-in", &[("token", wrong)]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{wrong}");
        assert!(answer.words().contains("This token opens nothing") && !answer.headers.contains_key("set-cookie"));
    }
    let olga = signed_in(&server, Scope::Act).await;
    for path in
        ["/admin", "/admin/games", "/admin/letters", "/admin/mails", "/admin/people", "/admin/blocks", "/admin/log"]
    {
        let page = olga.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.words());
        assert_eq!(page.headers["cache-control"], "no-store", "{path}");
    }
    assert_eq!(olga.get("/admin/games/000000000000").await.status, StatusCode::NOT_FOUND);
    assert_eq!(olga.post("/admin/sign-out", &[]).await.location(), "/admin/sign-in");
    assert_eq!(olga.get("/admin").await.location(), "/admin/sign-in");
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_seen_and_mended_and_nothing_sealed_is_shown() {
    let server = Server::start(32).await;
    let game = Game::deployed(&server).await;
    game.seals(&server, Side::Red, 1, "I4-G4").await;
    let olga = signed_in(&server, Scope::Act).await;
    let path = format!("/admin/games/{}", game.id);
    assert!(olga.get("/admin/games?state=running").await.body.contains(&path));
    let page = olga.get(&path).await;
    let words = page.words();
    assert!(words.contains("Sealed for this turn.") && words.contains("Nothing sealed for this turn yet."), "{words}");
    assert!(words.contains("Deployment was resolved (Red sealed, Blue sealed)."), "{words}");
    assert!(!page.body.contains("I4-G4") && !page.body.contains("I4") && !page.body.contains(&game.red), "{words}");

    // It is asked about first, with what was given kept, and done once however often the button is pressed.
    let version = hidden(&page.body, "version").to_owned();
    let about = [("do", "cancel"), ("game", &*game.id), ("version", &*version)];
    let asked = olga.post("/admin/act", &about).await;
    assert!(asked.status == StatusCode::OK && asked.words().contains("ends without a result"), "{}", asked.words());
    let key = hidden(&asked.body, "key").to_owned();
    let sure = [&about[..], &[("sure", "1"), ("key", &key), ("note", "They wrote to me.")]].concat();
    let missing = olga.post("/admin/act", &sure).await;
    assert_eq!(missing.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(missing.words().contains("The reason is missing") && missing.body.contains("They wrote to me."));
    assert_eq!(hidden(&missing.body, "key"), key);
    let done = [&sure[..], &[("reason", "Both asked for it.")]].concat();
    for _ in 0..2 {
        let answer = olga.post("/admin/act", &done).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*path), "{}", answer.words());
    }
    let page = olga.get(&path).await.words();
    assert!(page.contains("Reason: Both asked for it.") && page.contains("Note: They wrote to me."), "{page}");
    assert_eq!(page.matches("Reason: Both asked for it.").count(), 1);
    assert!(olga.get("/admin/log").await.words().contains("Both asked for it."));
    let stale = [&about[..], &[("sure", "1"), ("reason", "Once more.")]].concat();
    let refused = olga.post("/admin/act", &stale).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.words());
    assert!(refused.words().contains("The game has changed since you looked at it"));

    // Whoever may only look is shown no button, and none does anything.
    let lookout = signed_in(&server, Scope::Read).await;
    assert!(!lookout.get(&path).await.body.contains("/admin/act"));
    let announce = [
        ("do", "announce"),
        ("sure", "1"),
        ("reason", "Maintenance."),
        ("text", "Down"),
        ("until", "2026-01-02T00:00"),
    ];
    let refused = lookout.post("/admin/act", &announce).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(!server.browser().get("/").await.words().contains("Down"));
    assert_eq!(olga.post("/admin/act", &announce).await.location(), "/admin");
    assert!(olga.get("/admin").await.words().contains("Announced until"));
    for page in ["/", "/rules", "/learn", "/analyse", "/by-mail", "/games"] {
        assert!(server.browser().get(page).await.words().contains("Down"), "{page}");
    }
    server.stop().await;
}

/// Who blocked whom is on a page, and so is lifting it; a blocked address that belongs to nobody is found by itself.
#[tokio::test]
async fn blocks_are_seen_and_lifted() {
    let server = Server::start(33).await;
    let olga = signed_in(&server, Scope::Act).await;
    assert!(olga.get("/admin/blocks").await.words().contains("None is in force."));
    let block = [
        ("do", "block"),
        ("sure", "1"),
        ("reason", "Spam to <all>."),
        ("note", "Twice."),
        ("address", "m@example.org"),
    ];
    assert_eq!(olga.post("/admin/act", &block).await.location(), "/admin/blocks");
    let page = olga.get("/admin/blocks").await;
    let words = page.words();
    assert!(words.contains("by Olga") && words.contains("Note: Twice."), "{words}");
    assert!(page.body.contains("Spam to &#60;all&#62;.") && !page.body.contains("m@example.org"), "{}", page.body);
    let id = hidden(&page.body, "block").to_owned();
    let people = olga.get("/admin/people?who=M%40example.org").await;
    assert!(people.words().contains("This address belongs to nobody here, and it is blocked"), "{}", people.words());
    assert_eq!(hidden(&people.body, "block"), id);
    assert!(olga.get("/admin/people?who=n%40example.org").await.words().contains("Nobody is found."));

    let lookout = signed_in(&server, Scope::Read).await;
    for path in ["/admin/blocks", "/admin/people?who=m%40example.org"] {
        let page = lookout.get(path).await;
        assert!(page.words().contains("locked") && !page.body.contains("/admin/act"), "{path}");
    }
    let program = server.program(&token(server.data(), None, Scope::Owner).await);
    let listed = program.get("/admin/blocks").await.json();
    assert_eq!((&listed["blocks"][0]["id"], &listed["next"]), (&id.clone().into(), &Value::Null), "{listed}");
    assert_eq!(listed["blocks"][0]["act"]["reason"], "Spam to <all>.");
    let found = program.get("/admin/people?address=m%40example.org").await.json();
    assert_eq!((&found["people"], &found["block"]["id"]), (&Value::Array(Vec::new()), &id.clone().into()), "{found}");

    let lift = [("do", "unblock"), ("block", &*id)];
    let asked = olga.post("/admin/act", &lift).await;
    assert!(asked.words().contains("The address may be used again."));
    let sure = [&lift[..], &[("sure", "1"), ("reason", "He has apologised.")]].concat();
    assert_eq!(olga.post("/admin/act", &sure).await.location(), "/admin/blocks");
    assert!(olga.get("/admin/blocks").await.words().contains("None is in force."));
    assert!(olga.get("/admin/people?who=m%40example.org").await.words().contains("Nobody is found."));
    server.stop().await;
}

/// A game that cannot be read has a page all the same, with the one thing that can be done to it.
#[tokio::test]
async fn a_game_that_cannot_be_read_is_shown_and_cancelled() {
    let server = Server::start(35).await;
    let (game, sound) = (Game::deployed(&server).await, Game::deployed(&server).await);
    sqlx::any::install_default_drivers();
    let database = format!("sqlite:{}", server.data().join("fieldcommand.sqlite").display());
    let mut conn = sqlx::AnyConnection::connect(&database).await.unwrap();
    let spoil = sqlx::query("update games set standing = 'spoilt' where id = $1").bind(&game.id);
    spoil.execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
    let (olga, lookout) = (signed_in(&server, Scope::Act).await, signed_in(&server, Scope::Read).await);
    let path = format!("/admin/games/{}", game.id);
    assert_eq!(olga.get("/admin").await.status, StatusCode::OK);
    let games = olga.get("/admin/games").await;
    assert!(games.body.contains(&path) && games.body.contains(&sound.id), "{}", games.words());
    let page = olga.get(&path).await;
    let words = page.words();
    assert_eq!(page.status, StatusCode::OK, "{words}");
    assert!(
        words.contains("What is kept of this game cannot be read") && words.contains("Turn 1, cannot be read"),
        "{words}"
    );
    assert!(!page.body.contains("spoilt") && !page.body.contains("value=\"deadline\""), "{}", page.body);
    assert!(!lookout.get(&path).await.body.contains("/admin/act"));
    let cancel = [("do", "cancel"), ("game", &*game.id)];
    let asked = olga.post("/admin/act", &cancel).await;
    assert!(asked.status == StatusCode::OK && asked.words().contains("ends without a result"), "{}", asked.words());
    let sure = [&cancel[..], &[("sure", "1"), ("reason", "The disk has lost it.")]].concat();
    assert_eq!(olga.post("/admin/act", &sure).await.location(), path);
    let page = olga.get(&path).await;
    assert!(page.words().contains("over") && !page.body.contains("/admin/act"), "{}", page.words());
    assert!(olga.get("/admin/log").await.words().contains("The disk has lost it."));
    server.stop().await;
}

/// A board is shown before it counts, chosen by a player, and retired.
#[tokio::test]
async fn a_board_is_shown_before_it_is_offered() {
    let server = Server::start(9).await;
    let olga = signed_in(&server, Scope::Act).await;
    let row = "1f 1o 1o 1o 1o 2f 1o 1o 1o 1o 1f\n";
    let (text, wrong) = (row.repeat(11), format!("{row}{}{}", row.replace("2f", "7f"), row.repeat(9)));
    let fields = |text: &str| {
        [("do", "offer_board"), ("alias", "steppe"), ("name", "Steppe"), ("about", "wide"), ("board", text)]
            .map(|(name, value)| (name, value.to_owned()))
    };
    let send = async |fields: &[(&str, String)], more: &[(&str, &str)]| {
        let mut all: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
        all.extend(more);
        olga.post("/admin/act", &all).await
    };
    let refused = send(&fields(&wrong), &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.words().contains("line 2, column 16 (position B6): “7f” is not"), "{}", refused.words());
    assert!(refused.body.contains("<textarea id=\"board\"") && !refused.body.contains("name=\"sure\""));
    let shown = send(&fields(&text), &[]).await;
    assert!(shown.status == StatusCode::OK && shown.body.contains("<svg") && shown.body.contains("name=\"sure\""));
    assert!(shown.words().contains("It is the same from both sides."), "{}", shown.words());
    let changed = send(&fields(&text), &[("sure", "1"), ("change", "1"), ("reason", "For the league.")]).await;
    assert!(changed.status == StatusCode::OK && changed.body.contains("<textarea id=\"board\""));
    let sure = [("sure", "1"), ("reason", "For the league.")];
    assert_eq!(send(&fields(&text), &sure).await.location(), "/admin/boards");
    let page = olga.get("/admin/boards").await;
    assert!(page.body.contains("/boards/steppe.svg") && page.words().contains("Retire it"));

    let ann = server.browser();
    assert!(ann.get("/games/new").await.words().contains("Steppe wide"));
    assert!(ann.get("/boards/steppe.svg").await.body.contains("<svg"));
    let game = [("board", "steppe"), ("side", "red"), ("limit", "12"), ("pace", "open")];
    let opened = ann.post("/games", &game).await;
    let seat = opened.location().to_owned();
    let retire = [("do", "retire_board"), ("board", "steppe"), ("sure", "1"), ("reason", "It is dull.")];
    assert_eq!(olga.post("/admin/act", &retire).await.location(), "/admin/boards");
    assert!(!ann.get("/games/new").await.body.contains("steppe"));
    assert_eq!(ann.post("/games", &game).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ann.get(&seat).await.status, StatusCode::OK, "games on it go on");
    assert!(ann.get("/games?board=steppe").await.body.contains("value=\"steppe\" selected"));
    let page = olga.get("/admin/boards").await;
    assert!(page.words().contains("games on it go on") && page.words().contains("Offer it again"));
    // One that cannot be read any more holds up none of the others.
    let again = row.replace("1f 1o", "2f 1o").repeat(11);
    let other = [("do", "offer_board"), ("alias", "coast"), ("name", "Coast"), ("board", &*again)];
    assert_eq!(olga.post("/admin/act", &[&other[..], &sure[..]].concat()).await.location(), "/admin/boards");
    let address = format!("sqlite://{}", server.data().join("fieldcommand.sqlite").display());
    sqlx::any::install_default_drivers();
    let mut conn = sqlx::AnyConnection::connect(&address).await.unwrap();
    let spoil =
        "update boards set body = 'spoilt' where hash = (select board_hash from offered_boards where alias = 'steppe')";
    sqlx::query(spoil).execute(&mut conn).await.unwrap();
    for path in ["/games/new", "/games", "/games/archive", "/api/v1/boards"] {
        let page = ann.get(path).await;
        assert!(page.status == StatusCode::OK && !page.body.contains("Steppe"), "{path}: {}", page.body);
    }
    assert!(ann.get("/games/new").await.body.contains("Coast"));
    assert!(olga.get("/admin/boards").await.words().contains("Coast"));
    server.stop().await;
}

/// A game on an offered board names it wherever one on a board of the server does, also once it is retired.
#[tokio::test]
async fn an_offered_board_is_named_wherever_its_games_are() {
    let server = Server::start(34).await;
    let olga = signed_in(&server, Scope::Act).await;
    let text = "1f 1o 1o 1o 1o 2f 1o 1o 1o 1o 1f\n".repeat(11);
    let offer = [
        ("do", "offer_board"),
        ("alias", "steppe"),
        ("name", "Steppe & <sea>"),
        ("board", &*text),
        ("sure", "1"),
        ("reason", "For the league."),
    ];
    assert_eq!(olga.post("/admin/act", &offer).await.location(), "/admin/boards");
    let (ann, nobody) = (server.browser(), server.program(""));
    let fields = [
        ("name", "Ann"),
        ("board", "steppe"),
        ("side", "red"),
        ("limit", "12"),
        ("pace", "open"),
        ("public", "1"),
        ("challenge", "1"),
        ("days", "3"),
    ];
    let seat = ann.post("/games", &fields).await.location().to_owned();
    let page = ann.get(&seat).await;
    let (red, invitation) = (page.link("/s/"), page.link("/i/"));
    let game = seat.trim_end_matches("/red").trim_start_matches("/games/").to_owned();
    let retire = [("do", "retire_board"), ("board", "steppe"), ("sure", "1"), ("reason", "It is dull.")];
    let named = "Steppe &#38; &#60;sea&#62;";
    for retired in [false, true] {
        if retired {
            assert_eq!(olga.post("/admin/act", &retire).await.location(), "/admin/boards");
        }
        let sentence = format!("on the {named} board.");
        assert!(ann.get(&seat).await.body.contains(&sentence), "{retired}");
        assert!(server.browser().get(&format!("/games/{game}")).await.body.contains(&sentence), "{retired}");
        assert!(olga.get(&format!("/admin/games/{game}")).await.body.contains(&format!("<dd>{named}</dd>")));
        for path in [&invitation, "/lobby", &format!("/lobby/{game}")] {
            assert!(server.browser().get(path).await.body.contains(&format!("The {named} board")), "{path}");
        }
        let seen = server.program(red.trim_start_matches("/s/")).get(&format!("/games/{game}/red")).await.json();
        assert_eq!(seen["settings"]["board"], "steppe");
        assert_eq!(nobody.get(&format!("/games/{game}")).await.json()["settings"]["board"], "steppe");
        assert_eq!(nobody.get("/challenges").await.json()["challenges"][0]["settings"]["board"], "steppe");
    }
    ann.post(&format!("{seat}/invitation/send"), &[("address", "ben@example.org")]).await;
    let letter = mailbox::letters_of(server.data(), 1).await.remove(0);
    assert!(letter.contains("The game is played on the Steppe & <sea> board."), "{letter}");
    let taken = json!({"token": invitation.trim_start_matches("/i/"), "name": "Ben"});
    assert_eq!(nobody.post("/invitations/take", &taken).await.status, 201);
    let listed = async |program: &Program, path: &str| {
        let list = program.get(path).await.json();
        list["games"].as_array().unwrap_or_else(|| panic!("{path}: {list}")).len()
    };
    let desk = server.program(&token(server.data(), None, Scope::Owner).await);
    for (board, number) in [("steppe", 1), ("classic", 0)] {
        assert_eq!(listed(&nobody, &format!("/games?board={board}")).await, number, "{board}");
        assert_eq!(listed(&desk, &format!("/admin/games?board={board}")).await, number, "{board}");
    }
    for (program, path) in [(&nobody, "/games"), (&desk, "/admin/games")] {
        assert!(program.get(&format!("{path}?board=desert")).await.status.is_client_error());
    }
    assert_eq!(nobody.get("/games").await.json()["games"][0]["board"], "steppe");
    assert!(server.browser().get("/games").await.body.contains(named));
    server.stop().await;
}

/// A game for two people, and webhooks, from the desk's own pages.
#[tokio::test]
async fn games_are_opened_and_webhooks_set_up_on_pages() {
    let server = Server::start_with(9, |settings| settings.webhooks_to = WebhooksTo::Private).await;
    let olga = signed_in(&server, Scope::Owner).await;
    let asked = olga.post("/admin/act", &[("do", "open")]).await;
    assert!(asked.body.contains("name=\"red_address\"") && asked.body.contains("value=\"72\" selected"));
    let game = [
        ("do", "open"),
        ("sure", "1"),
        ("reason", "Autumn league."),
        ("red_name", "Ann"),
        ("red_address", "ann@example.org"),
        ("blue_name", ""),
        ("blue_address", "not an address"),
        ("board", "ridge"),
        ("hours", "48"),
        ("public", "1"),
    ];
    let refused = olga.post("/admin/act", &game).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.words().contains("The blue address is not"), "{}", refused.words());
    assert!(refused.body.contains("name=\"blue_address\" aria-invalid=\"true\" aria-describedby=\"problem\""));
    assert_eq!(refused.body.matches("aria-invalid").count(), 1);
    assert!(refused.words().contains("The players whom it concerns read it."));
    assert!(refused.body.contains("value=\"ridge\" selected") && refused.body.contains("checked"));
    let mut game = game.to_vec();
    game[6] = ("blue_address", "ben@example.org");
    let opened = olga.post("/admin/act", &game).await;
    assert!(opened.location().starts_with("/admin/games/"), "{}", opened.words());
    assert!(olga.get(opened.location()).await.words().contains("Ann sits here."));
    assert!(server.browser().get("/games").await.words().contains("Ann against Blue"));

    let hook = [("do", "add_webhook"), ("sure", "1"), ("reason", "The table."), ("url", "http://127.0.0.1:9/hook")];
    let asked = olga.post("/admin/act", &hook[..1]).await;
    assert!(asked.words().contains("organisers alone read") && !asked.body.contains("aria-invalid"));
    // The button is pressed twice: what the browser shows is the second answer.
    let keyed = [&hook[..], &[("key", hidden(&asked.body, "key"))]].concat();
    let secret = |page: &str| page.split_once("whsec_").unwrap().1[..43].to_owned();
    let made = olga.post("/admin/act", &keyed).await;
    assert!(made.status == StatusCode::OK, "{}", made.words());
    assert_eq!(secret(&made.body), secret(&olga.post("/admin/act", &keyed).await.body));
    let page = olga.get("/admin/webhooks").await;
    assert!(page.body.contains("http://127.0.0.1:9/hook") && !page.body.contains("whsec_"));
    let id = hidden(&page.body, "webhook").to_owned();
    let test = [("do", "test_webhook"), ("sure", "1"), ("reason", "Does it work?"), ("webhook", &*id)];
    assert_eq!(olga.post("/admin/act", &test).await.location(), "/admin/webhooks");
    let page = olga.get("/admin/webhooks").await;
    let event = hidden(&page.body, "event").to_owned();
    assert!(page.words().contains("test"));
    for (what, more) in [("renew_webhook", ("", "")), ("retell", ("event", &*event)), ("remove_webhook", ("", ""))] {
        let fields = [("do", what), ("sure", "1"), ("reason", "So."), ("webhook", &*id), more];
        let done = olga.post("/admin/act", &fields).await;
        assert!(done.status == StatusCode::SEE_OTHER || done.body.contains("whsec_"), "{what}: {}", done.words());
    }
    assert!(olga.get("/admin/webhooks").await.words().contains("There is none."));
    let lookout = signed_in(&server, Scope::Act).await;
    assert!(!lookout.get("/admin/webhooks").await.body.contains("/admin/act"));
    assert_eq!(lookout.post("/admin/act", &hook).await.status, StatusCode::FORBIDDEN);
    server.stop().await;
}
