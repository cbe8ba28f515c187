//! The program as it is called from a shell: `adjudicate`, `backup`, and what stops it from starting.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const DAY: &str = r#"{"map": "classic", "units": [{"side": "red", "unit": "I2", "at": "H7"}], "orders": {"red": ["H7-F7"], "blue": []}}"#;

/// Runs the program with these arguments and this input.
pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fieldcommand"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Written beside reading: the answers may fill their pipe before the input is through.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn adjudicate_answers_one_day_in_one_line() {
    let output = run(&["adjudicate"], DAY.as_bytes());
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        "{\"orders\":{\"red\":[{\"order\":\"H7-F7\",\"legal\":true,\"reason\":null}],\"blue\":[]},\"confrontations\":[],\
         \"artillery\":[],\"units\":[{\"side\":\"red\",\"unit\":\"I2\",\"at\":\"F7\"}],\"outcome\":null}\n"
    );
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn adjudicate_refuses_with_status_2_and_one_line() {
    let thirteen = DAY.replace("[\"H7-F7\"]", &format!("[{}]", vec!["\"H7-F7\""; 13].join(",")));
    for (input, named) in [
        (DAY.replace("H7-F7", "H7-Z7"), "orders.red[0]"),
        (DAY.replace("\"at\": \"H7\"", "\"at\": \"H12\""), "units[0].at"),
        (DAY.replace("\"red\", \"unit\"", "\"green\", \"unit\""), "units[0].side"),
        (DAY.replace("I2", "I4"), "units[0].unit"),
        (DAY.replace("H7-F7", "I1 H7-F7"), "orders.red[0]"),
        (DAY.replace(", \"blue\": []", ""), "blue"),
        (DAY.replace("classic", "moon"), "moon"),
        (DAY.replace("{\"map\"", "{\"day\": 1, \"map\""), "day"),
        (thirteen, "orders.red[12]"),
        ("[\"classic\", [], [[], []]]".to_owned(), "object"),
        (DAY.replace("classic", "m\\n\\u001b[31m"), "there is no board"),
        (String::new(), "line 1"),
        ("{".to_owned(), "line 1"),
    ] {
        let output = run(&["adjudicate"], input.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{input}");
        assert_eq!(text(&output.stdout), "", "{input}");
        assert_eq!(text(&output.stderr).matches('\n').count(), 1, "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(named), "{} does not name {named}", text(&output.stderr));
    }
}

#[test]
fn adjudicate_lines_answers_each_line_and_passes_over_blank_ones() {
    let mut input = format!("{DAY}\n\n  \n{{\n{DAY}\r\n").into_bytes();
    input.extend(b"\"\xff\"\n");
    input.extend(DAY.as_bytes());
    let output = run(&["adjudicate", "--lines"], &input);
    assert!(output.status.success());
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0], lines[2]);
    assert_eq!(lines[0], lines[4]);
    assert!(lines[1].starts_with("{\"error\":\"") && lines[3].starts_with("{\"error\":\""));
}

#[test]
fn adjudicate_lines_survives_an_endless_line() {
    let mut input = vec![b'x'; 3_000_000];
    input.push(b'\n');
    input.extend(DAY.as_bytes());
    let output = run(&["adjudicate", "--lines"], &input);
    assert!(output.status.success());
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("longer than 1048576 bytes"));
}

#[test]
fn help_names_every_setting() {
    let output = run(&["--help"], b"");
    for setting in ["--data", "--listen", "--public-url", "--database-url", "--key", "--smtp-url", "--mail-from"] {
        assert!(text(&output.stdout).contains(setting), "{setting}");
    }
}

/// Starts a server that is expected to refuse, and gives its one line.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let line = text(&output.stderr).to_owned();
    assert_eq!(line.matches('\n').count(), 1, "{line}");
    line
}

#[test]
fn what_stops_the_server_is_named_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data").display().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    assert!(refusal(&["--data", &data, "--listen", &port]).contains(&format!("--listen {port}")));

    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let line = refusal(&["--data", &file.display().to_string(), "--listen", "127.0.0.1:0"]);
    assert!(line.contains("--data"), "{line}");

    let held = folder.path().join("held");
    std::fs::create_dir(&held).unwrap();
    let lock = std::fs::File::create(held.join("lock")).unwrap();
    lock.try_lock().unwrap();
    let line = refusal(&["--data", &held.display().to_string(), "--listen", "127.0.0.1:0"]);
    assert!(line.contains("another fieldcommand process"), "{line}");

    for (setting, value) in [
        ("--public-url", "play.example.org"),
        ("--public-url", "https://play.example.org/games"),
        ("--smtp-url", "mail.example.org"),
        ("--mail-from", "nobody"),
        ("--key", "abc"),
        ("--database-url", "mysql://localhost"),
    ] {
        let line = refusal(&["--data", &data, "--listen", "127.0.0.1:0", setting, value]);
        assert!(line.contains(setting), "{line}");
    }
}
