//! The numbered cases of `tests/cases`: every one of them, of every kind, held up both to the
//! server's rules and to the naive referee.

use std::fs;
use std::path::Path;

use fieldcommand::cli::adjudicate;
use fieldcommand::rules::field_command;
use fieldcommand::rules::field_command::deployment::Deployment;
use fieldcommand::rules::field_command::{Army, Position, Unit, parse};
use fieldcommand::rules::{BySide, Setup, Side, Standing};
use serde_json::{Value, json};

use crate::reference::{self, Refusal};

/// One who adjudicates and reads what players write.
struct Judge {
    name: &'static str,
    adjudicate: fn(&Value) -> Result<Value, String>,
    orders: fn(&str, &str, &Value) -> Result<Vec<String>, Refusal>,
    deployment: fn(&str, &str) -> Result<String, Refusal>,
}

/// The server's rules, through the code of `fieldcommand adjudicate`, and the referee.
const JUDGES: [Judge; 2] = [
    Judge {
        name: "server",
        adjudicate: server_adjudicates,
        orders: server_reads_orders,
        deployment: server_reads_deployment,
    },
    Judge {
        name: "referee",
        adjudicate: reference::adjudicate,
        orders: referee_reads_orders,
        deployment: reference::read_deployment,
    },
];

pub fn server_adjudicates(input: &Value) -> Result<Value, String> {
    let mut output = Vec::new();
    adjudicate::one(input.to_string().as_bytes(), &mut output)?;
    Ok(serde_json::from_slice(&output).unwrap())
}

fn server_reads_orders(side: &str, text: &str, units: &Value) -> Result<Vec<String>, Refusal> {
    let word = |unit: &Value, key: &str| unit[key].as_str().unwrap().to_owned();
    let army: Army = units
        .as_array()
        .into_iter()
        .flatten()
        .filter(|unit| unit["side"] == side)
        .map(|unit| (Position::parse(&word(unit, "at")).unwrap(), Unit::from_code(&word(unit, "unit")).unwrap()))
        .collect();
    let orders = parse::orders(text, &army).map_err(refusal)?;
    Ok(orders.as_slice().iter().map(ToString::to_string).collect())
}

fn server_reads_deployment(side: &str, text: &str) -> Result<String, Refusal> {
    Deployment::parse(text, Side::from_word(side).unwrap()).map(|deployment| deployment.to_string()).map_err(refusal)
}

fn refusal(error: fieldcommand::rules::TextError) -> Refusal {
    Refusal { line: error.line.map(|line| line as usize), word: error.word, why: error.message }
}

fn referee_reads_orders(side: &str, text: &str, units: &Value) -> Result<Vec<String>, Refusal> {
    let units = if units.is_null() { Vec::new() } else { reference::read_units(units).unwrap() };
    reference::read_orders(side, text, &units)
}

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
        let plain: String = text.chars().map(reference::plain).collect();
        plain.to_uppercase()
    };
    fold(text).contains(&fold(word))
}

/// A text of a case.
fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

/// The input of a case of the kind "day" or "refused input", and its answer.
fn answer(judge: &Judge, case: &Value, map: &Value) -> Result<Value, String> {
    if let Some(input) = case.get("input") {
        return (judge.adjudicate)(input);
    }
    (judge.adjudicate)(&json!({"map": map, "units": case["units"], "orders": case["orders"]}))
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
        let demands = ["expect", "orders", "canonical", "refused", "dusk"];
        assert!(demands.iter().any(|key| case.get(key).is_some()), "{id}");
        seen.push(id);
    }
    assert!(seen.len() >= 300, "{} cases", seen.len());
}

/// The boards with names are those of the cases, position by position.
#[test]
fn boards() {
    let maps = file("maps.json");
    for map in fieldcommand::rules::field_command::maps::ALL {
        assert_eq!(json!(map.board().to_text()), maps["maps"][map.name()], "{}", map.name());
        assert_eq!(reference::board_rows(map.name()), maps["maps"][map.name()], "the referee's {}", map.name());
    }
}

/// Whole days: the answer is the expected one, by name of the board and by its rows.
#[test]
fn days() {
    let maps = file("maps.json");
    for judge in &JUDGES {
        let mut count = 0;
        for (file, case) in cases() {
            let Some(expect) = case.get("expect") else {
                continue;
            };
            let (id, name) = (text(&case, "id"), text(&case, "map"));
            let by_rows = answer(judge, &case, &maps["maps"][name]);
            assert_eq!(by_rows.as_ref(), Ok(expect), "{}: {file} {id}", judge.name);
            if name == "classic" || name == "ridge" {
                assert_eq!(answer(judge, &case, &case["map"]).as_ref(), Ok(expect), "{}: {file} {id}", judge.name);
            }
            count += 1;
        }
        assert!(count > 250, "{count} days");
    }
}

/// Days of a game, with the rules of the house above them. What the referee says of the day is told apart here once more.
#[test]
fn house_rules() {
    let mut count = 0;
    for (file, case) in cases() {
        let Some(dusk) = case.get("dusk") else { continue };
        let (id, orders) = (text(&case, "id"), &case["orders"]);
        assert_eq!(&dusk_of_the_server(&case), dusk, "server: {file} {id}");
        let day =
            reference::adjudicate(&json!({"map": case["map"], "units": case["units"], "orders": orders})).expect(id);
        let left: Vec<&Value> = day["units"].as_array().unwrap().iter().collect();
        let removed = left.len() < case["units"].as_array().unwrap().len();
        let quiet = if removed { 0 } else { case["quiet_days"].as_u64().unwrap() + 1 };
        let lone =
            left.len() == 2 && left.iter().all(|unit| unit["unit"] == "GN") && left[0]["side"] != left[1]["side"];
        let limit = case["limit"].as_u64().unwrap();
        // A day of a game is its 101st, unless the game has a last one.
        let last = case["day_limit"].as_u64().is_some_and(|last| case["day"].as_u64().unwrap() >= last);
        let drawn = lone || (limit > 0 && quiet >= limit) || last;
        let outcome = if day["outcome"].is_null() && drawn { json!("draw") } else { day["outcome"].clone() };
        assert_eq!(&json!({"outcome": outcome, "quiet_days": quiet}), dusk, "referee: {file} {id}");
        count += 1;
    }
    assert!(count >= 10, "{count} days of games");
}

/// How a day leaves a game of the server.
fn dusk_of_the_server(case: &Value) -> Value {
    let army = |side: &str| {
        let units = case["units"].as_array().unwrap().iter().filter(|unit| unit["side"] == side);
        units.map(|unit| format!("{}{}", text(unit, "unit"), text(unit, "at"))).collect::<Vec<_>>().join(" ")
    };
    let rules = "field_command/1";
    let (last, day) = (case["day_limit"].as_u64().unwrap_or(0), case["day"].as_u64().unwrap_or(101));
    let setup = json!({"rules": rules, "no_removal_limit": case["limit"], "day_limit": last});
    let setup = serde_json::from_value(setup).unwrap();
    let board = field_command::maps::classic().to_text();
    let setup = Setup::restore(&setup, &board).unwrap();
    let standing = json!({"rules": rules, "turn": day, "quiet_days": case["quiet_days"], "red": army("red"), "blue": army("blue"), "ending": null});
    let standing = Standing::restore(&serde_json::from_value(standing).unwrap(), setup).unwrap();
    let sheet = |side: Side| {
        let orders = case["orders"][side.word()].as_array().unwrap().iter().map(|order| order.as_str().unwrap());
        standing.parse(side, &orders.collect::<Vec<_>>().join("\n")).unwrap()
    };
    let (red, blue) = (sheet(Side::Red), sheet(Side::Blue));
    let (next, _) = standing.resolve(BySide { red: &red, blue: &blue });
    let kept = serde_json::to_value(next.kept()).unwrap();
    json!({"outcome": next.ending().map(|(outcome, _)| outcome.word()), "quiet_days": kept["quiet_days"]})
}

/// Input that is refused: the error is one line and names what it must.
#[test]
fn refused_input() {
    for judge in &JUDGES {
        let mut count = 0;
        for (file, case) in cases() {
            let Some(refused) =
                case.get("refused").filter(|_| case.get("side").is_none() && case.get("kind").is_none())
            else {
                continue;
            };
            let id = text(&case, "id");
            let error = answer(judge, &case, &case["map"]).expect_err(id);
            assert!(!error.contains('\n'), "{}: {file} {id}: {error}", judge.name);
            for word in refused["contains"].as_array().expect("a list of words") {
                let word = word.as_str().unwrap_or_default();
                assert!(names(&error, word), "{}: {file} {id}: {word} in {error}", judge.name);
            }
            count += 1;
        }
        assert!(count >= 20, "{count} refusals");
    }
}

/// Lists of orders as players write them.
#[test]
fn lists() {
    for judge in &JUDGES {
        let mut count = 0;
        for (file, case) in cases() {
            if text(&case, "kind") != "list" {
                continue;
            }
            let id = text(&case, "id");
            let read = (judge.orders)(case["side"].as_str().unwrap_or("red"), text(&case, "text"), &case["units"]);
            match case.get("refused") {
                Some(refused) => is_refused(judge, &file, id, &read.expect_err(id), refused),
                None => assert_eq!(json!(read.expect(id)), case["orders"], "{}: {file} {id}", judge.name),
            }
            count += 1;
        }
        assert!(count >= 20, "{count} lists");
    }
}

/// Deployments as players write them.
#[test]
fn deployments() {
    for judge in &JUDGES {
        let mut count = 0;
        for (file, case) in cases() {
            if case.get("kind").is_some() || case.get("side").is_none() {
                continue;
            }
            let id = text(&case, "id");
            let read = (judge.deployment)(text(&case, "side"), text(&case, "text"));
            match case.get("refused") {
                Some(refused) => is_refused(judge, &file, id, &read.expect_err(id), refused),
                None => assert_eq!(read.expect(id), text(&case, "canonical"), "{}: {file} {id}", judge.name),
            }
            count += 1;
        }
        assert!(count >= 15, "{count} deployments");
    }
}

/// Whether a refusal names the line and the words that the case demands.
fn is_refused(judge: &Judge, file: &str, id: &str, error: &Refusal, refused: &Value) {
    if !refused["line"].is_null() {
        assert_eq!(json!(error.line), refused["line"], "{}: {file} {id}: {error}", judge.name);
    }
    let word = refused["word"].as_str().unwrap_or_default();
    assert!(names(error.word.as_deref().unwrap_or_default(), word), "{}: {file} {id}: {error}", judge.name);
    for word in refused["contains"].as_array().into_iter().flatten() {
        let word = word.as_str().unwrap_or_default();
        assert!(names(&error.to_string(), word), "{}: {file} {id}: {error}", judge.name);
    }
}

/// The table of confrontations: two units meet on every kind of ground.
#[test]
fn confrontation_table() {
    let (table, maps) = (file("confrontation_table.json"), file("maps.json"));
    for judge in &JUDGES {
        let mut count = 0;
        for (ground, board) in [("forest", "flat_forest"), ("field", "flat_field")] {
            for (pair, who) in table[ground].as_object().expect("a table") {
                let (red, blue) = pair.split_once(' ').expect("two codes");
                let answer = (judge.adjudicate)(&json!({
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
                assert_eq!(answer["confrontations"][0]["removed"], removed, "{}: {ground} {pair}", judge.name);
                count += 1;
            }
        }
        assert_eq!(count, 162);
    }
}

/// Each subject has as many cases as were promised.
#[test]
fn subjects_are_covered() {
    let least = [
        ("10_", 18),
        ("11_", 12),
        ("12_", 20),
        ("13_", 25),
        ("20_", 10),
        ("21_", 81),
        ("22_", 81),
        ("30_", 40),
        ("40_", 12),
        ("60_", 20),
        ("70_", 15),
    ];
    let all = cases();
    for (subject, number) in least {
        let found = all.iter().filter(|(file, _)| file.starts_with(subject)).count();
        assert!(found >= number, "{subject}: {found} cases");
    }
}
