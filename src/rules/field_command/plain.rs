//! The board in plain letters of one width, for mail programs that show no pictures.

use std::fmt::Write;

use super::board::Terrain;
use super::position::Position;
use super::standing::Standing;
use crate::rules::side::Side;

/// How many rows and columns the board has.
const SIZE: u8 = 11;

/// The board with `bottom`'s edge at the bottom: each position in two characters, a unit or the ground.
#[must_use]
pub fn board(standing: &Standing, bottom: Side) -> String {
    let turned = bottom == Side::Blue;
    let order = |n: u8| if turned { SIZE - 1 - n } else { n };
    let mut head = "   ".to_owned();
    for column in 0..SIZE {
        // Writing into a string does not fail.
        let _ = write!(head, " {:>2}", order(column) + 1);
    }
    let mut text = format!("{head}\n");
    for row in 0..SIZE {
        let name = char::from(b'A' + order(row));
        let _ = write!(text, " {name} ");
        for column in 0..SIZE {
            let cell = Position::new(order(row), order(column)).map_or_else(String::new, |at| cell(standing, at));
            let _ = write!(text, " {cell:>2}");
        }
        let _ = writeln!(text, "  {name}");
    }
    let _ = writeln!(text, "{head}");
    text.push_str(
        "Red's units in capitals, Blue's in small letters. Elsewhere the altitude, and f for forest, o for open field.",
    );
    text
}

fn cell(standing: &Standing, at: Position) -> String {
    if let Some(unit) = standing.armies().red.at(at) {
        return unit.code().to_owned();
    }
    if let Some(unit) = standing.armies().blue.at(at) {
        return unit.code().to_ascii_lowercase();
    }
    let ground = standing.setup().board.ground(at);
    let terrain = match ground.terrain {
        Terrain::Forest => 'f',
        Terrain::Field => 'o',
    };
    format!("{}{terrain}", ground.altitude)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::field_command::{self, maps};
    use crate::rules::{self, BySide, Setup};

    #[test]
    fn the_board_stands_as_its_reader_sees_it() {
        let setup = field_command::Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let armies = BySide { red: "GN K1\nI2 F6", blue: "GN A1\nC1 E6" };
        let standing = rules::Standing::adopt(Setup::FieldCommand(setup), 1, armies).unwrap();
        let red = standing.plain(Side::Red);
        let rows: Vec<&str> = red.lines().collect();
        assert_eq!(rows.first(), Some(&"     1  2  3  4  5  6  7  8  9 10 11"));
        assert!(rows.get(1).is_some_and(|row| row.starts_with(" A  gn 1f 2f 1f 2o")), "{red}");
        assert!(
            rows.get(6).is_some_and(|row| row.contains(" I2 ")) && rows.get(5).is_some_and(|row| row.contains(" c1 "))
        );
        let blue = standing.plain(Side::Blue);
        let rows: Vec<&str> = blue.lines().collect();
        assert!(rows.first().is_some_and(|row| row.starts_with("    11 10  9")), "{blue}");
        assert!(rows.get(1).is_some_and(|row| row.starts_with(" K  ") && row.ends_with("GN  K")), "{blue}");
    }
}
