//! The referee against the numbered cases: every one of them, of every kind.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Unit, adjudicate, read_deployment, read_orders, read_units};

/// A JSON file of `tests/cases`.
fn file(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The cases of all numbered files, each with the name of its file.
fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("tests/cases can be listed") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy().to_string();
        let numbered = name.starts_with(|letter: char| letter.is_ascii_digit());
        if numbered && Path::new(&name).extension().is_some_and(|e| e == "json") {
            names.push(name);
        }
    }
    names.sort();
    let mut answer = Vec::new();
    for name in names {
        let content = file(&name);
        for case in content["cases"].as_array().expect("a list of cases") {
            answer.push((name.clone(), case.clone()));
        }
    }
    answer
}

/// Whether `text` contains `word`, whatever their case and width.
fn names(text: &str, word: &str) -> bool {
    let fold = |text: &str| -> String {
        let plain: String = text.chars().map(super::notation::plain).collect();
        plain.to_uppercase()
    };
    fold(text).contains(&fold(word))
}

/// A text of a case.
fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

/// The input of a case of the kind "day" or "refused input", and its answer.
fn answer(case: &Value, map: &Value) -> Result<Value, String> {
    if let Some(input) = case.get("input") {
        return adjudicate(input);
    }
    adjudicate(&json!({"map": map, "units": case["units"], "orders": case["orders"]}))
}

/// Ids are unique, and no case is left without a demand.
#[test]
fn cases_are_numbered() {
    let mut seen: Vec<String> = Vec::new();
    for (file, case) in cases() {
        let id = text(&case, "id").to_string();
        assert!(!id.is_empty() && !seen.contains(&id), "{file}: {id}");
        assert!(!text(&case, "title").is_empty(), "{id}");
        assert!(!text(&case, "rule").is_empty(), "{id}");
        let demands = ["expect", "orders", "canonical", "refused"];
        assert!(demands.iter().any(|key| case.get(key).is_some()), "{id}");
        seen.push(id);
    }
    assert!(seen.len() >= 300, "{} cases", seen.len());
}

/// Whole days: the answer is the expected one, by name of the board and by its rows.
#[test]
fn days() {
    let maps = file("maps.json");
    let mut count = 0;
    for (file, case) in cases() {
        let Some(expect) = case.get("expect") else {
            continue;
        };
        let id = text(&case, "id");
        let name = text(&case, "map");
        assert_eq!(answer(&case, &maps["maps"][name]).as_ref(), Ok(expect), "{file} {id}");
        if name == "classic" || name == "ridge" {
            assert_eq!(answer(&case, &case["map"]).as_ref(), Ok(expect), "{file} {id}");
        }
        count += 1;
    }
    assert!(count > 250, "{count} days");
}

/// Input that is refused: the error is one line and names what it must.
#[test]
fn refused_input() {
    for (file, case) in cases() {
        if case.get("side").is_some() || case.get("kind").is_some() {
            continue;
        }
        let Some(refused) = case.get("refused") else {
            continue;
        };
        let id = text(&case, "id");
        let error = answer(&case, &case["map"]).expect_err(id);
        assert!(!error.contains('\n'), "{file} {id}: {error}");
        for word in refused["contains"].as_array().expect("a list of words") {
            let word = word.as_str().unwrap_or_default();
            assert!(names(&error, word), "{file} {id}: {word} in {error}");
        }
    }
}

/// Lists of orders as players write them.
#[test]
fn lists() {
    for (file, case) in cases() {
        if text(&case, "kind") != "list" {
            continue;
        }
        let id = text(&case, "id");
        let units: Vec<Unit> = match case.get("units") {
            Some(units) => read_units(units).expect(id),
            None => Vec::new(),
        };
        let side = case["side"].as_str().unwrap_or("red");
        let read = read_orders(side, text(&case, "text"), &units);
        if let Some(refused) = case.get("refused") {
            let error = read.expect_err(id);
            assert_eq!(json!(error.line), refused["line"], "{file} {id}: {error}");
            let word = refused["word"].as_str().unwrap_or_default();
            let named = error.word.clone().unwrap_or_default();
            assert!(names(&named, word), "{file} {id}: {error}");
        } else {
            assert_eq!(json!(read.expect(id)), case["orders"], "{file} {id}");
        }
    }
}

/// Deployments as players write them.
#[test]
fn deployments() {
    for (file, case) in cases() {
        if case.get("kind").is_some() || case.get("side").is_none() {
            continue;
        }
        let id = text(&case, "id");
        let read = read_deployment(text(&case, "side"), text(&case, "text"));
        if let Some(refused) = case.get("refused") {
            let error = read.expect_err(id);
            if !refused["line"].is_null() {
                assert_eq!(json!(error.line), refused["line"], "{file} {id}: {error}");
            }
            let word = refused["word"].as_str().unwrap_or_default();
            let named = error.word.clone().unwrap_or_default();
            assert!(names(&named, word), "{file} {id}: {error}");
            for word in refused["contains"].as_array().expect("a list of words") {
                let word = word.as_str().unwrap_or_default();
                assert!(names(&error.to_string(), word), "{file} {id}: {error}");
            }
        } else {
            assert_eq!(read.as_deref(), Ok(text(&case, "canonical")), "{file} {id}");
        }
    }
}

/// The table of confrontations: two units meet on every kind of ground.
#[test]
fn confrontation_table() {
    let table = file("confrontation_table.json");
    let maps = file("maps.json");
    let mut count = 0;
    for (ground, board) in [("forest", "flat_forest"), ("field", "flat_field")] {
        for (pair, who) in table[ground].as_object().expect("a table") {
            let (red, blue) = pair.split_once(' ').expect("two codes");
            let answer = adjudicate(&json!({
                "map": maps["maps"][board],
                "units": [
                    {"side": "red", "unit": red, "at": "F5"},
                    {"side": "blue", "unit": blue, "at": "F7"},
                ],
                "orders": {"red": ["F5-F6"], "blue": ["F7-F6"]},
            }))
            .expect(pair);
            let removed = match who.as_str() {
                Some("both") => json!(["red", "blue"]),
                _ => json!([who]),
            };
            assert_eq!(answer["confrontations"][0]["removed"], removed, "{ground} {pair}");
            count += 1;
        }
    }
    assert_eq!(count, 162);
}
