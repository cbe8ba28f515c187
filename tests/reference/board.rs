//! The two printed tables of the reference: altitude and terrain of every position.
//!
//! A row is typed as it is read off the board: eleven entries, each a digit for the
//! altitude and a letter for the terrain (`f` forest, `o` open field).

use serde_json::Value;

/// A position as (row, column): A1 is (1, 1), K11 is (11, 11).
pub type Position = (usize, usize);

/// The board "classic", row A first.
const CLASSIC: [&str; 11] = [
    "1f 1f 2f 1f 2o 3o 2o 3o 2o 1o 2o",
    "1f 2f 1f 2f 3f 2o 1f 2o 1o 1f 1o",
    "2f 1o 2f 3o 2f 1f 2o 1f 1f 1o 2f",
    "1f 2f 3o 2f 1f 2f 2f 1o 1o 2o 3f",
    "2f 3f 2o 1f 2f 2f 3f 2o 1f 1f 2o",
    "3f 2o 1f 2f 2f 3f 2f 2f 1f 2o 3f",
    "2o 1f 1f 2o 3f 2f 2f 1f 2o 3f 2f",
    "3f 2o 1o 1o 2f 2f 1f 2f 3o 2f 1f",
    "2f 1o 1f 1f 2o 1f 2f 3o 2f 1o 2f",
    "1o 1f 1o 2o 1f 2o 3f 2f 1f 2f 1f",
    "2o 1o 2o 3o 2o 3o 2o 1f 2f 1f 1f",
];

/// The board "ridge", row A first.
const RIDGE: [&str; 11] = [
    "1f 1f 1f 1o 2o 3o 2o 3o 2o 2o 2o",
    "1f 1f 1f 1o 1o 2o 2o 2o 1f 1f 1f",
    "1o 1f 1f 1o 1f 1f 2o 1o 1f 1f 1f",
    "1o 1o 1o 1o 1f 1f 2o 1o 1o 1f 1o",
    "1f 2f 2o 1o 1f 2f 3o 2o 1o 1o 1o",
    "1f 2f 1o 2o 2f 2f 2f 2o 1o 2f 1f",
    "1o 1o 1o 2o 3o 2f 1f 1o 2o 2f 1f",
    "1o 1f 1o 1o 2o 1f 1f 1o 1o 1o 1o",
    "1f 1f 1f 1o 2o 1f 1f 1o 1f 1f 1o",
    "1f 1f 1f 2o 2o 2o 1o 1o 1f 1f 1f",
    "2o 2o 2o 3o 2o 3o 2o 1o 1f 1f 1f",
];

/// A board: eleven rows of (altitude, forest).
#[derive(Debug)]
pub struct Board {
    /// What is printed on each position, row by row.
    rows: Vec<Vec<(u32, bool)>>,
}

impl Board {
    /// Altitude of a position: 1, 2 or 3.
    pub fn altitude(&self, position: Position) -> u32 {
        self.rows[position.0 - 1][position.1 - 1].0
    }

    /// Whether a position is green.
    pub fn forest(&self, position: Position) -> bool {
        self.rows[position.0 - 1][position.1 - 1].1
    }

    /// The board that `map` speaks of: a name, or two lists of eleven strings.
    pub fn read(map: &Value) -> Result<Board, String> {
        if let Some(name) = map.as_str() {
            return match name {
                "classic" => Ok(printed(&CLASSIC)),
                "ridge" => Ok(printed(&RIDGE)),
                _ => Err(format!("map: no board is called {name:?}")),
            };
        }
        let Some(keys) = map.as_object() else {
            return Err("map: a name or an object is expected".to_string());
        };
        for key in keys.keys() {
            if key != "altitude" && key != "terrain" {
                return Err(format!("map: unknown key {key:?}"));
            }
        }
        let altitude = eleven_rows(map, "altitude", "123")?;
        let terrain = eleven_rows(map, "terrain", "f.")?;
        let mut rows = Vec::new();
        for r in 0..11 {
            let mut row = Vec::new();
            for c in 0..11 {
                let level = altitude[r][c].to_digit(10).unwrap_or(0);
                row.push((level, terrain[r][c] == 'f'));
            }
            rows.push(row);
        }
        Ok(Board { rows })
    }
}

/// Reads a printed table.
fn printed(table: &[&str; 11]) -> Board {
    let mut rows = Vec::new();
    for line in table {
        let mut row = Vec::new();
        for entry in line.split(' ') {
            let altitude = match &entry[..1] {
                "1" => 1,
                "2" => 2,
                _ => 3,
            };
            row.push((altitude, entry.ends_with('f')));
        }
        rows.push(row);
    }
    Board { rows }
}

/// Eleven strings of eleven letters, all of them out of `allowed`.
fn eleven_rows(map: &Value, key: &str, allowed: &str) -> Result<Vec<Vec<char>>, String> {
    let Some(rows) = map.get(key).and_then(Value::as_array) else {
        return Err(format!("map: {key:?} must be a list of eleven strings"));
    };
    let mut answer = Vec::new();
    for row in rows {
        let letters: Vec<char> = row.as_str().unwrap_or("").chars().collect();
        if letters.len() != 11 || letters.iter().any(|letter| !allowed.contains(*letter)) {
            return Err(format!("map: {row} is not a row of {key:?}"));
        }
        answer.push(letters);
    }
    if answer.len() != 11 {
        return Err(format!("map: {key:?} has {} rows, not 11", answer.len()));
    }
    Ok(answer)
}

/// The rows' letters, Blue's home edge first.
const LETTERS: [&str; 11] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"];

/// Reads a position written plainly, `A1` to `K11`.
pub fn position(word: &str) -> Option<Position> {
    for (i, letter) in LETTERS.iter().enumerate() {
        let Some(number) = word.strip_prefix(letter) else {
            continue;
        };
        for column in 1..=11 {
            if number == column.to_string() {
                return Some((i + 1, column));
            }
        }
    }
    None
}

/// Writes a position.
pub fn name(position: Position) -> String {
    format!("{}{}", LETTERS[position.0 - 1], position.1)
}

/// How many positions lie between two, counted to adjacent ones: a diagonal counts two.
pub fn distance(from: Position, to: Position) -> usize {
    from.0.abs_diff(to.0) + from.1.abs_diff(to.1)
}
