//! Day 0: forty units, each on a position of its own behind the broken line.

use super::board::{self, Position};
use super::confrontation::CODES;
use super::notation::{Refusal, plain};

/// The army, in the order of the printed table.
const ARMY: [(&str, usize); 9] =
    [("GN", 1), ("AR", 5), ("I1", 3), ("I2", 10), ("I3", 4), ("C1", 2), ("C2", 7), ("C3", 3), ("GU", 5)];

/// The zones: row, first column, last column.
const BLUE_ZONE: [(usize, usize, usize); 5] = [(1, 1, 11), (2, 1, 11), (3, 1, 8), (4, 1, 6), (5, 1, 4)];

/// Red's zone, Blue's turned by half a circle.
const RED_ZONE: [(usize, usize, usize); 5] = [(11, 1, 11), (10, 1, 11), (9, 4, 11), (8, 6, 11), (7, 8, 11)];

/// Whether a position lies behind a side's broken line.
fn in_zone(side: &str, position: Position) -> bool {
    let zone = if side == "blue" { BLUE_ZONE } else { RED_ZONE };
    for (row, first, last) in zone {
        if position.0 == row && position.1 >= first && position.1 <= last {
            return true;
        }
    }
    false
}

/// Reads a deployment and writes it canonically.
///
/// # Errors
///
/// A word that is no code or position, a position outside the side's zone or taken already, or
/// another number of units than the army has.
pub fn read_deployment(side: &str, text: &str) -> Result<String, Refusal> {
    let text: String = text.chars().map(plain).collect();
    let mut placed: Vec<(String, Position)> = Vec::new();
    for (index, written) in text.lines().enumerate() {
        let line = index + 1;
        let without_comment = written.split('#').next().unwrap_or("");
        let mut code = None;
        for as_written in without_comment.split_whitespace() {
            let word = as_written.to_uppercase();
            let Some(code) = &code else {
                if !CODES.contains(&word.as_str()) {
                    return Err(Refusal::at(line, as_written, "this is no unit code"));
                }
                code = Some(word);
                continue;
            };
            let Some(position) = board::position(&word) else {
                return Err(Refusal::at(line, as_written, "this is not a position"));
            };
            if !in_zone(side, position) {
                return Err(Refusal::at(line, as_written, "this lies outside your zone"));
            }
            for other in &placed {
                if other.1 == position {
                    return Err(Refusal::at(line, as_written, "this position is taken"));
                }
            }
            placed.push((code.clone(), position));
        }
    }
    for (code, number) in ARMY {
        let found = placed.iter().filter(|unit| unit.0 == code).count();
        if found != number {
            return Err(Refusal { line: None, word: None, why: format!("{code}: {found} placed, {number} needed") });
        }
    }
    let mut canonical = String::new();
    for (code, _) in ARMY {
        canonical.push_str(code);
        for row in 1..=11 {
            for column in 1..=11 {
                for unit in &placed {
                    if unit.0 == code && unit.1 == (row, column) {
                        canonical.push(' ');
                        canonical.push_str(&board::name((row, column)));
                    }
                }
            }
        }
        canonical.push('\n');
    }
    Ok(canonical)
}
