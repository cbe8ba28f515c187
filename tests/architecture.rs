//! Which folder may use which, held as code: ARCHITECTURE.md has the same table for people.

use std::fs;
use std::path::{Path, PathBuf};

/// For each folder of `src`, words that may not occur in its code.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "rules",
        &[
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
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
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

/// Every folder and file says what it is.
#[test]
fn every_file_says_what_it_is() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    for path in found {
        assert!(fs::read_to_string(&path).unwrap().starts_with("//!"), "{} does not", path.display());
    }
}
