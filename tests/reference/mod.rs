//! The referee: a second adjudicator, deliberately naive.
//!
//! It is a transcription of the rulebook, section by section, and shares nothing with the
//! server's own rules: its maps, its two tables of confrontations and its reading of orders
//! are typed again by hand. It is slow, and loops over everything. Its worth is that two
//! writers rarely make the same mistake; so a test that compares both means something.
//! [`calendar`] counts deadlines in the same spirit.
//!
//! [`adjudicate`] takes and gives the JSON of `fieldcommand adjudicate`. [`read_orders`] and
//! [`read_deployment`] read what players write.

#![allow(clippy::indexing_slicing, reason = "tables and lists are read as on paper, and only tests run this")]

mod board;
pub mod calendar;
mod confrontation;
mod deployment;
mod legality;
mod notation;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use board::{Board, Position};
use legality::Order;

pub use deployment::read_deployment;
pub use notation::{Refusal, plain};

/// A unit on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// `red` or `blue`.
    pub side: String,
    /// `GN`, `AR`, `I1` and so on.
    pub code: String,
    /// Where it stands: row and column, both counted from 1.
    pub at: Position,
}

/// Reads a whole list of orders as `side` writes it, over the units of the board, and gives
/// its lines canonically.
///
/// # Errors
///
/// The text cannot be read, has a 13th order, or a code contradicts the board.
pub fn read_orders(side: &str, text: &str, units: &[Unit]) -> Result<Vec<String>, Refusal> {
    let orders = notation::read_orders(text, &of_side(units, side))?;
    Ok(orders.iter().map(canonical).collect())
}

/// Reads the list of units of the adjudicator's input.
///
/// # Errors
///
/// An unknown key, side, code or position, or two units on one position.
pub fn read_units(list: &Value) -> Result<Vec<Unit>, String> {
    let Some(list) = list.as_array() else {
        return Err("units: a list is expected".to_string());
    };
    let mut units: Vec<Unit> = Vec::new();
    for (i, entry) in list.iter().enumerate() {
        known_keys(entry, &["side", "unit", "at"], &format!("units[{i}]"))?;
        let text = |key: &str| entry[key].as_str().unwrap_or("").to_string();
        let side = text("side");
        if side != "red" && side != "blue" {
            return Err(format!("units[{i}]: unknown side {}", entry["side"]));
        }
        let code = text("unit");
        if !confrontation::CODES.contains(&code.as_str()) {
            return Err(format!("units[{i}]: unknown code {}", entry["unit"]));
        }
        let Some(at) = board::position(&text("at")) else {
            return Err(format!("units[{i}]: unknown position {}", entry["at"]));
        };
        for other in &units {
            if other.at == at {
                let place = board::name(at);
                return Err(format!("units[{i}]: another unit stands on {place}"));
            }
        }
        units.push(Unit { side, code, at });
    }
    Ok(units)
}

/// A board with a name, as `{"altitude": […], "terrain": […]}`.
pub fn board_rows(name: &str) -> Value {
    let board = Board::read(&json!(name)).unwrap_or_else(|error| panic!("{error}"));
    let rows = |sign: &dyn Fn(Position) -> char| -> Vec<String> {
        (1..=11).map(|row| (1..=11).map(|column| sign((row, column))).collect()).collect()
    };
    let altitude = rows(&|at| char::from_digit(board.altitude(at), 10).unwrap_or('?'));
    let terrain = rows(&|at| if board.forest(at) { 'f' } else { '.' });
    json!({"altitude": altitude, "terrain": terrain})
}

/// Adjudicates one day.
///
/// # Errors
///
/// A sentence that says where the input is at fault.
pub fn adjudicate(input: &Value) -> Result<Value, String> {
    known_keys(input, &["map", "units", "orders"], "input")?;
    known_keys(&input["orders"], &["red", "blue"], "orders")?;
    let board = Board::read(&input["map"])?;
    let dawn = read_units(&input["units"])?;

    // The lists, and which of their lines are legal.
    let mut orders_report: BTreeMap<String, Value> = BTreeMap::new();
    let mut moves: Vec<(String, Order)> = Vec::new();
    for side in ["red", "blue"] {
        let own = of_side(&dawn, side);
        let orders = one_by_one(&input["orders"][side], side, &own)?;
        let verdict = legality::judge(&own, &orders);
        let mut lines = Vec::new();
        for (i, order) in orders.iter().enumerate() {
            lines.push(json!({
                "order": canonical(order),
                "legal": verdict[i].is_none(),
                "reason": verdict[i],
            }));
            if verdict[i].is_none() {
                moves.push((side.to_string(), *order));
            }
        }
        orders_report.insert(side.to_string(), Value::Array(lines));
    }

    // Move units as commanded: all at once, from where they stood at dawn.
    let mut units = Vec::new();
    for unit in &dawn {
        let mut after = unit.clone();
        for (side, order) in &moves {
            if *side == unit.side && order.0 == unit.at {
                after.at = order.1;
            }
        }
        units.push(after);
    }

    // Casualties, first step.
    let (units, confrontations) = assess_confrontations(&board, &units);

    // Casualties, second step.
    let (units, artillery) = assess_artillery(&board, &units);

    let red_lost = generals(&dawn, "red") > generals(&units, "red");
    let blue_lost = generals(&dawn, "blue") > generals(&units, "blue");
    let outcome = match (red_lost, blue_lost) {
        (false, false) => Value::Null,
        (false, true) => json!("red_wins"),
        (true, false) => json!("blue_wins"),
        (true, true) => json!("draw"),
    };

    let mut standing = Vec::new();
    for unit in in_order(&units) {
        standing.push(json!({
            "side": unit.side,
            "unit": unit.code,
            "at": board::name(unit.at),
        }));
    }
    Ok(json!({
        "orders": orders_report,
        "confrontations": confrontations,
        "artillery": artillery,
        "units": standing,
        "outcome": outcome,
    }))
}

/// Wherever two opposing units occupy one position, one or both are removed.
fn assess_confrontations(board: &Board, units: &[Unit]) -> (Vec<Unit>, Vec<Value>) {
    let mut report = Vec::new();
    let mut gone: Vec<Unit> = Vec::new();
    let units = in_order(units);
    for red in &units {
        for blue in &units {
            if red.side != "red" || blue.side != "blue" || red.at != blue.at {
                continue;
            }
            let removed = confrontation::removed(board.forest(red.at), &red.code, &blue.code);
            if removed.contains(&"red") {
                gone.push(red.clone());
            }
            if removed.contains(&"blue") {
                gone.push(blue.clone());
            }
            report.push(json!({
                "at": board::name(red.at),
                "red": red.code,
                "blue": blue.code,
                "removed": removed,
            }));
        }
    }
    (without(&units, &gone), report)
}

/// Every gun that is left fires at every enemy in its range, except Guerrillas.
fn assess_artillery(board: &Board, units: &[Unit]) -> (Vec<Unit>, Vec<Value>) {
    let mut report = Vec::new();
    let mut gone: Vec<Unit> = Vec::new();
    let units = in_order(units);
    for gun in &units {
        if gun.code != "AR" {
            continue;
        }
        let mut hits = Vec::new();
        for enemy in &units {
            if enemy.side == gun.side || enemy.code == "GU" {
                continue;
            }
            let range = range(board.altitude(gun.at), board.altitude(enemy.at));
            if board::distance(gun.at, enemy.at) <= range {
                hits.push(board::name(enemy.at));
                gone.push(enemy.clone());
            }
        }
        if !hits.is_empty() {
            report.push(json!({
                "side": gun.side,
                "at": board::name(gun.at),
                "hits": hits,
            }));
        }
    }
    (without(&units, &gone), report)
}

/// The range of a gun: the printed table, for altitudes 1, 2 and 3.
fn range(gun: u32, enemy: u32) -> usize {
    match (gun, enemy) {
        (3, 1) => 3,
        (3, 2) | (2, 1) => 2,
        (3, 3) | (2, 2) | (1, 1) => 1,
        _ => 0,
    }
}

/// The units of one side.
fn of_side(units: &[Unit], side: &str) -> Vec<Unit> {
    let mut answer = Vec::new();
    for unit in units {
        if unit.side == side {
            answer.push(unit.clone());
        }
    }
    answer
}

/// The units without those that are gone.
fn without(units: &[Unit], gone: &[Unit]) -> Vec<Unit> {
    let mut answer = Vec::new();
    for unit in units {
        if !gone.contains(unit) {
            answer.push(unit.clone());
        }
    }
    answer
}

/// Red's units, then Blue's, row by row from A1.
fn in_order(units: &[Unit]) -> Vec<Unit> {
    let mut answer = Vec::new();
    for side in ["red", "blue"] {
        for row in 1..=11 {
            for column in 1..=11 {
                for unit in units {
                    if unit.side == side && unit.at == (row, column) {
                        answer.push(unit.clone());
                    }
                }
            }
        }
    }
    answer
}

/// How many Generals a side has.
fn generals(units: &[Unit], side: &str) -> usize {
    let mut count = 0;
    for unit in units {
        if unit.side == side && unit.code == "GN" {
            count += 1;
        }
    }
    count
}

/// An order as it is written in answers.
fn canonical(order: &Order) -> String {
    format!("{}-{}", board::name(order.0), board::name(order.1))
}

/// The list of one side: strings, each of them one order.
fn one_by_one(list: &Value, side: &str, own: &[Unit]) -> Result<Vec<Order>, String> {
    let Some(list) = list.as_array() else {
        return Err(format!("orders.{side}: a list is expected"));
    };
    let mut orders = Vec::new();
    for (i, entry) in list.iter().enumerate() {
        let place = format!("orders.{side}[{i}]");
        let Some(text) = entry.as_str() else {
            return Err(format!("{place}: {entry} is not a string"));
        };
        if i == 12 {
            return Err(format!("{place}: {text:?} is the 13th order"));
        }
        match notation::read_orders(text, own) {
            Ok(read) if read.len() == 1 => orders.push(read[0]),
            Ok(read) => {
                let count = read.len();
                return Err(format!("{place}: {text:?} holds {count} orders, not one"));
            }
            Err(refusal) => return Err(format!("{place}: {refusal}")),
        }
    }
    Ok(orders)
}

/// An object with exactly these keys.
fn known_keys(value: &Value, keys: &[&str], place: &str) -> Result<(), String> {
    let Some(object) = value.as_object() else {
        return Err(format!("{place}: an object is expected"));
    };
    for key in object.keys() {
        if !keys.contains(&key.as_str()) {
            return Err(format!("{place}: unknown key {key:?}"));
        }
    }
    for key in keys {
        if !object.contains_key(*key) {
            return Err(format!("{place}: the key {key:?} is missing"));
        }
    }
    Ok(())
}
