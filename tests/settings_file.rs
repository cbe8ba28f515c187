//! Settings from a file, the environment and the command line, and what `config` and `doctor` say about them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::str::FromStr;

use crate::world::server::Server;
use crate::world::smtp::{Act, Smtp, Stage};

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldcommand"));
    command.args(arguments).env("FIELDCOMMAND_CONFIG", "").envs(environment.iter().copied()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The line of a setting, and the one before it, which says where it comes from.
fn setting<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| line.trim_start_matches("# ").split(' ').next() == Some(name) && line.contains('=');
    let at = lines.iter().position(|line| begins(line)).unwrap_or_else(|| panic!("{name} is not in\n{text}"));
    (lines[at], lines[at - 1])
}

/// An address that the papers show is one that the program takes.
#[test]
fn the_addresses_in_the_papers_can_be_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = 0;
    for paper in ["docs/operating.md", "packaging/config.toml"] {
        let text = fs::read_to_string(root.join(paper)).unwrap();
        for (at, _) in text.match_indices("postgres://").filter(|(at, _)| !text[*at..].starts_with("postgres://…")) {
            let address = text[at..].split(['\'', '"', '`', ' ', '\n']).next().unwrap();
            let options = sqlx::any::AnyConnectOptions::from_str(address).unwrap();
            let options = sqlx::postgres::PgConnectOptions::try_from(&options);
            let options = options.unwrap_or_else(|error| panic!("{paper}: {address}: {error}"));
            let (user, socket) = (options.get_username(), options.get_socket());
            assert_eq!((user, socket), ("fieldcommand", Some(&PathBuf::from("/run/postgresql"))), "{address}");
            found += 1;
        }
    }
    assert!(found >= 2);
}

/// Command line before environment, environment before file, file before default; and what is written can be read.
#[test]
fn the_nearer_setting_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(
        &file,
        "data = \"/srv/a\"\npublic-url = \"https://file.example.org\"\nmail_connections = 3\ntrusted-hops = 2\n",
    )
    .unwrap();
    let (path, secret) = (file.to_str().unwrap(), "postgres://me:swordfish@db/games");
    let environment = [
        ("FIELDCOMMAND_PUBLIC_URL", "https://env.example.org"),
        ("FIELDCOMMAND_TRUSTED_HOPS", "1"),
        ("FIELDCOMMAND_DATABASE_URL", secret),
    ];
    let written = run(&["config", "--config", path, "--trusted-hops", "0", "--key", &"7a".repeat(32)], &environment);
    assert!(written.status.success(), "{}", said(&written));
    let text = out(&written);
    assert_eq!(setting(&text, "data"), ("data = \"/srv/a\"", &*format!("# From {path}.")));
    assert_eq!(
        setting(&text, "public-url"),
        ("public-url = \"https://env.example.org\"", "# From the environment, FIELDCOMMAND_PUBLIC_URL.")
    );
    assert_eq!(setting(&text, "trusted-hops"), ("trusted-hops = \"0\"", "# From the command line."));
    assert_eq!(setting(&text, "listen"), ("listen = \"127.0.0.1:8080\"", "# From the default."));
    assert_eq!(setting(&text, "lmtp-listen").1, "# From nowhere: it is not set.");
    assert!(
        !text.contains("swordfish") && text.contains("postgres://me:***@db/games") && !text.contains("7a7a"),
        "{text}"
    );

    let again = folder.path().join("again.toml");
    fs::write(&again, &text).unwrap();
    let read = out(&run(&["config", "--config", again.to_str().unwrap()], &[]));
    for name in ["data", "public-url", "trusted-hops", "mail-connections", "listen"] {
        assert_eq!(setting(&read, name).0, setting(&text, name).0);
    }
    // The environment may name the file, and subcommands may come first.
    let named = run(&["--trusted-hops", "5", "config"], &[("FIELDCOMMAND_CONFIG", path)]);
    assert_eq!(setting(&out(&named), "mail-connections").0, "mail-connections = \"3\"");
}

/// What is wrong with a file is said in a line that names it.
#[test]
fn a_file_that_does_not_do_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let refused = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = run(&["config", "--config", file.to_str().unwrap()], &[]);
        assert!(!output.status.success(), "{text}");
        let line = said(&output);
        assert!(line.contains("config.toml") && line.matches('\n').count() == 1, "{line}");
        line
    };
    assert!(refused("publc-url = \"https://a.example.org\"").contains("do you mean public-url?"));
    assert!(refused("listen = \"everywhere\"").contains("listen: invalid value 'everywhere'"));
    assert!(refused("limits = \"perhaps\"").contains("limits: invalid value"));
    assert!(refused("data = ").contains("line 1"));
    let missing = run(&["config", "--config", "/nowhere/config.toml"], &[]);
    assert!(!missing.status.success() && said(&missing).contains("/nowhere/config.toml"));
}

/// A server that listens everywhere and was told no public address gives out links that work on its own machine.
#[tokio::test]
async fn links_lead_to_no_address_that_nobody_has() {
    for (listen, host) in [("0.0.0.0:0", "http://localhost:"), ("127.0.0.1:0", "http://127.0.0.1:")] {
        let server = Server::start_with(1, |settings| settings.listen = listen.parse().unwrap()).await;
        let (port, ann) = (server.url.rsplit(':').next().unwrap().to_owned(), server.browser());
        let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "")];
        let seat = ann.sends("/games", &fields).await;
        assert!(seat.body.contains(&format!("{host}{port}/i/")), "{}", seat.words());
        server.stop().await;
    }
}

/// The doctor finds a server that is well to be so, and says what is wrong with one that is not, without a secret.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_doctor_says_what_is_wrong() {
    let smtp = Smtp::start(|stage, to, _| match (stage, to) {
        (Stage::Reader, "stranger@example.org") => Act::Say("550 5.1.1 no such user"),
        _ => Act::Go,
    })
    .await;
    let server = Server::start_with(1, |settings| {
        settings.answers_to = Some("play@example.org".into());
        settings.lmtp_listen = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    std::fs::set_permissions(server.data(), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    // A key belongs to the links of a game.
    let fields = [("name", "Ann"), ("board", "classic"), ("side", "red"), ("limit", "12"), ("address", "")];
    assert_eq!(server.browser().post("/games", &fields).await.status, 303);
    let (data, url, mail) = (server.data().to_owned(), server.url.clone(), server.mail.unwrap().to_string());
    let way = format!("smtp://127.0.0.1:{}?tls=none", smtp.port);
    let doctor = async |from: &str, more: Vec<String>| {
        let own = ["doctor", "--data", data.to_str().unwrap(), "--smtp-url", &way, "--mail-from", from];
        let mut arguments: Vec<String> = own.iter().map(|text| (*text).to_owned()).collect();
        arguments.extend(more);
        let ran =
            tokio::task::spawn_blocking(move || run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &[]));
        ran.await.unwrap()
    };
    let text = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();

    let well = doctor(
        "play@example.org",
        text(&["--public-url", &url, "--answers-to", "play@example.org", "--lmtp-listen", &mail]),
    )
    .await;
    let lines = out(&well);
    assert!(well.status.success(), "{lines}");
    for line in [
        "ok    data folder: ",
        "ok    key: lies in",
        "ok    key: belongs to the database",
        "ok    database: --data: answers, and is of this version",
        "ok    place: the server may do its work",
        "leads to a server of this kind",
        "ok    clock: agrees with that of the public address",
        "ok    letters: the mail server takes letters",
        "ok    answers: are taken at",
        "warn  backup: none was made",
    ] {
        assert!(lines.contains(line), "{line} is not in\n{lines}");
    }
    assert!(smtp.letters().is_empty(), "no letter is sent unless that is wanted");
    let sent = doctor("play@example.org", text(&["--mail-to", "ann@example.org"])).await;
    assert!(out(&sent).contains("one was sent") && smtp.letters().len() == 1, "{}", out(&sent));

    let key = "0".repeat(64);
    let wrong = ["--public-url", "http://127.0.0.1:9", "--key", &key, "--answers-to", "play@example.org"];
    let mut wrong = text(&wrong);
    wrong.extend(text(&["--lmtp-listen", "127.0.0.1:9"]));
    let ill = doctor("stranger@example.org", wrong).await;
    let lines = out(&ill);
    assert_eq!(ill.status.code(), Some(1), "{lines}");
    for line in [
        "fail  key: is not the one that belongs to the database",
        "fail  public address: http://127.0.0.1:9 cannot be reached",
        "fail  letters: the mail server does not take letters",
        "550",
        "warn  answers: nothing listens",
    ] {
        assert!(lines.contains(line), "{line} is not in\n{lines}");
    }
    assert!(!lines.contains(&key));
    server.stop().await;

    let nowhere = data.join("nowhere");
    let none = run(&["doctor", "--data", nowhere.to_str().unwrap()], &[]);
    assert!(out(&none).contains("fail  data folder") && !nowhere.exists(), "{}", out(&none));
}

/// What the container files set is there to be set.
#[test]
fn containers_set_what_there_is() {
    let explained = out(&run(&["config"], &[]));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["Dockerfile", "docker-compose.yml"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let names: Vec<&str> = text
            .split(|c: char| !(c.is_ascii_uppercase() || c == '_'))
            .filter_map(|word| word.strip_prefix("FIELDCOMMAND_"))
            .collect();
        assert!(names.len() > 2, "{file}");
        for name in names {
            setting(&explained, &name.to_lowercase().replace('_', "-"));
        }
    }
    // All that the composition asks for can be filled in.
    let compose = fs::read_to_string(folder.join("docker-compose.yml")).unwrap();
    let example = fs::read_to_string(folder.join(".env.example")).unwrap();
    let asked: Vec<&str> = compose.split("${").skip(1).filter_map(|rest| rest.split(':').next()).collect();
    assert!(asked.contains(&"FIELDCOMMAND_KEY"), "{asked:?}");
    for name in asked {
        assert!(example.lines().any(|line| line.trim_start_matches('#').starts_with(&format!("{name}="))), "{name}");
    }
}
