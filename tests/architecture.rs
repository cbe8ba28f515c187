//! Which folder may use which, held as code: ARCHITECTURE.md has the same table for people.

use std::fs;
use std::path::{Path, PathBuf};

/// For each folder of `src`, words that may not occur in its code.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "rules",
        &[
            "crate::metrics",
            "crate::store",
            "crate::play",
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "crate::bot",
            "crate::clock",
            "crate::picture",
            "tokio",
            "sqlx",
            "axum",
            "lettre",
            "rand::",
            "std::fs",
            "std::net",
            "std::time",
            "std::env",
            "HashMap",
            "HashSet",
        ],
    ),
    (
        "bot",
        &[
            "crate::metrics",
            "crate::store",
            "crate::play",
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "crate::clock",
            "crate::pace",
            "crate::record",
            "crate::picture",
            "tokio",
            "sqlx",
            "axum",
            "lettre",
            "std::fs",
            "std::net",
            "std::time",
            "std::env",
            "rand::rng(",
            "HashMap",
            "HashSet",
        ],
    ),
    (
        "picture",
        &[
            "crate::metrics",
            "crate::store",
            "crate::play",
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "tokio",
            "sqlx",
            "axum",
            "lettre",
        ],
    ),
    (
        "record",
        &[
            "crate::metrics",
            "crate::store",
            "crate::play",
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "crate::picture",
            "tokio",
            "sqlx",
            "axum",
            "lettre",
            "rand::",
            "std::fs",
            "std::net",
            "std::time",
            "std::env",
        ],
    ),
    (
        "store",
        &[
            "crate::metrics",
            "crate::play",
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "crate::picture",
            "axum",
            "lettre",
        ],
    ),
    (
        "play",
        &[
            "crate::web",
            "crate::mail",
            "crate::runner",
            "crate::cli",
            "crate::app",
            "crate::picture",
            "sqlx",
            "axum",
            "lettre",
        ],
    ),
    ("mail", &["crate::web", "crate::runner", "crate::cli", "crate::app", "axum", "sqlx"]),
    ("web", &["crate::mail", "crate::runner", "crate::cli", "crate::app", "crate::store", "sqlx", "lettre"]),
    ("runner", &["crate::web", "crate::cli", "crate::app", "sqlx"]),
    ("cli", &["crate::web", "crate::app"]),
];

/// All Rust files below a folder.
pub fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without its unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn folders_import_only_downwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut breaches = Vec::new();
    for (folder, words) in FORBIDDEN {
        let mut found = Vec::new();
        files(&src.join(folder), &mut found);
        assert!(!found.is_empty(), "src/{folder} is empty");
        for path in found {
            let code = code(&path);
            breaches.extend(
                words.iter().filter(|word| code.contains(**word)).map(|word| format!("{} uses {word}", path.display())),
            );
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// What is counted is written by one file; the others only say what happened.
#[test]
fn numbers_have_one_writer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    found.retain(|path| code(path).contains("prometheus_client"));
    assert_eq!(found, [src.join("metrics.rs")]);
    let own = code(&src.join("metrics.rs"));
    for word in
        ["crate::store", "crate::play", "crate::web", "crate::mail", "crate::rules", "tokio", "sqlx", "axum", "lettre"]
    {
        assert!(!own.contains(word), "src/metrics.rs uses {word}");
    }
}

/// Only the file of sealed sheets reads them; whoever adds a second reader has to think of invariant 3.
#[test]
fn sealed_sheets_have_one_room() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let readers: Vec<_> = found
        .iter()
        .filter(|path| {
            let code = code(path);
            code.contains("from sheets") || code.contains("into sheets")
        })
        .map(|path| path.strip_prefix(&src).unwrap().display().to_string())
        .collect();
    assert_eq!(readers, ["store/sheets.rs"]);
}

/// What there is of a seat's own is asked where its own things are read, and nowhere else: nobody else may know whether there is
/// anything.
#[test]
fn only_the_seat_itself_asks_what_it_has() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let mut asked = 0;
    for path in found {
        let code = code(&path);
        for function in code.split("fn ").filter(|function| function.contains("self.has_no(")) {
            assert!(function.starts_with("own_"), "{}: {}", path.display(), function.lines().next().unwrap());
            asked += 1;
        }
        let name = path.strip_prefix(&src).unwrap().display().to_string();
        for table in ["drafts", "notes", "kept_sheets"] {
            let reads = code.contains(&format!("from {table} "));
            let may = ["drafts", "notes", "kept", "seen", "sheets", "what_ifs"].map(|name| format!("store/{name}.rs"));
            assert!(!reads || may.contains(&name), "{name} reads {table}");
        }
    }
    assert_eq!(asked, 3);
}

/// What organisers did is added to and read, and never changed or removed.
#[test]
fn the_log_of_acts_only_grows() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    for path in found {
        let code = code(&path);
        for words in ["update admin_acts", "delete from admin_acts"] {
            assert!(!code.contains(words), "{}: {words}", path.display());
        }
    }
}

/// The desk of an organiser reads nothing of an open turn but whether there is a seal.
#[test]
fn the_desk_reads_no_secrets() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = vec![src.join("store/desk.rs")];
    files(&src.join("play/admin"), &mut found);
    let secrets = [
        "own_sheet",
        "about_to_seal",
        "sheets_to_open",
        "own_draft",
        "own_what_ifs",
        "own_notes",
        "own_kept",
        "mail_answer(",
        "own_question",
        "from drafts",
        "from what_ifs",
        "from notes",
        "from mail_answers",
        "from mail_questions",
        "from kept_sheets",
    ];
    for path in found {
        let code = code(&path);
        for word in secrets {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
}

/// Every folder and file says what it is.
#[test]
fn every_file_says_what_it_is() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    for path in found {
        assert!(fs::read_to_string(&path).unwrap().starts_with("//!"), "{} does not", path.display());
    }
}
