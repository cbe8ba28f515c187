//! First step of the casualties: a red and a blue unit on the same position.
//!
//! The rulebook's sentences are typed out here as two tables of nine by nine letters.
//! A row is Red's unit, a column Blue's. `R`: Red's unit is removed; `B`: Blue's unit is
//! removed; `X`: both are.

/// The codes in the order of the tables' rows and columns.
pub const CODES: [&str; 9] = ["GN", "AR", "I1", "I2", "I3", "C1", "C2", "C3", "GU"];

/// On green positions.
#[rustfmt::skip]
const FOREST: [[char; 9]; 9] = [
    //        GN   AR   I1   I2   I3   C1   C2   C3   GU
    /* GN */ ['X', 'R', 'R', 'R', 'R', 'R', 'R', 'R', 'R'],
    /* AR */ ['B', 'X', 'R', 'R', 'R', 'R', 'R', 'R', 'R'],
    /* I1 */ ['B', 'B', 'X', 'B', 'R', 'B', 'B', 'B', 'B'],
    /* I2 */ ['B', 'B', 'R', 'X', 'B', 'B', 'B', 'B', 'B'],
    /* I3 */ ['B', 'B', 'B', 'R', 'X', 'B', 'B', 'B', 'B'],
    /* C1 */ ['B', 'B', 'R', 'R', 'R', 'X', 'B', 'R', 'R'],
    /* C2 */ ['B', 'B', 'R', 'R', 'R', 'R', 'X', 'B', 'R'],
    /* C3 */ ['B', 'B', 'R', 'R', 'R', 'B', 'R', 'X', 'R'],
    /* GU */ ['B', 'B', 'R', 'R', 'R', 'B', 'B', 'B', 'X'],
];

/// On beige positions.
#[rustfmt::skip]
const FIELD: [[char; 9]; 9] = [
    //        GN   AR   I1   I2   I3   C1   C2   C3   GU
    /* GN */ ['X', 'R', 'R', 'R', 'R', 'R', 'R', 'R', 'R'],
    /* AR */ ['B', 'X', 'R', 'R', 'R', 'R', 'R', 'R', 'R'],
    /* I1 */ ['B', 'B', 'X', 'B', 'R', 'R', 'R', 'R', 'R'],
    /* I2 */ ['B', 'B', 'R', 'X', 'B', 'R', 'R', 'R', 'R'],
    /* I3 */ ['B', 'B', 'B', 'R', 'X', 'R', 'R', 'R', 'R'],
    /* C1 */ ['B', 'B', 'B', 'B', 'B', 'X', 'B', 'R', 'B'],
    /* C2 */ ['B', 'B', 'B', 'B', 'B', 'R', 'X', 'B', 'B'],
    /* C3 */ ['B', 'B', 'B', 'B', 'B', 'B', 'R', 'X', 'B'],
    /* GU */ ['B', 'B', 'B', 'B', 'B', 'R', 'R', 'R', 'X'],
];

/// Which sides lose their unit: `["red"]`, `["blue"]` or both, red first.
pub fn removed(forest: bool, red: &str, blue: &str) -> Vec<&'static str> {
    let table = if forest { FOREST } else { FIELD };
    for (row, row_code) in CODES.iter().enumerate() {
        for (column, column_code) in CODES.iter().enumerate() {
            if *row_code == red && *column_code == blue {
                return match table[row][column] {
                    'R' => vec!["red"],
                    'B' => vec!["blue"],
                    _ => vec!["red", "blue"],
                };
            }
        }
    }
    Vec::new()
}
