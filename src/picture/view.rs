//! Where things lie in the drawing: the reader's own edge is at the bottom.
//!
//! Positions are turned, pictures never are: letters and counters stay upright for both.

use super::svg::Point;
use crate::rules::Side;
use crate::rules::field_command::Position;
use crate::rules::field_command::position::SIZE;

/// The side of a position.
pub const CELL: f64 = 60.0;
/// The width of the sheet around the map.
pub const MARGIN: f64 = 24.0;
/// The side of the map.
pub const MAP: f64 = CELL * 11.0;
/// The side of the whole drawing.
pub const WHOLE: f64 = MAP + 2.0 * MARGIN;

/// The board as one side looks at it.
#[derive(Clone, Copy, Debug)]
pub struct View {
    bottom: Side,
}

impl View {
    /// The board with `bottom`'s home edge at the bottom.
    #[must_use]
    pub const fn new(bottom: Side) -> View {
        View { bottom }
    }

    /// Whose edge is at the bottom.
    #[must_use]
    pub const fn bottom(self) -> Side {
        self.bottom
    }

    /// The position that is drawn in a row from the top and a column from the left, from 0.
    #[must_use]
    pub fn at(self, row: u8, column: u8) -> Option<Position> {
        Position::new(row, column).map(|position| self.turn(position))
    }

    /// The upper left corner of a position.
    #[must_use]
    pub fn corner(self, position: Position) -> Point {
        let seen = self.turn(position);
        Point::new(MARGIN + CELL * f64::from(seen.column()), MARGIN + CELL * f64::from(seen.row()))
    }

    /// Where a unit stands on a position: a little below the middle, to leave the corners free.
    #[must_use]
    pub fn stand(self, position: Position) -> Point {
        self.corner(position).along(Point::new(CELL / 2.0, CELL / 2.0 + 2.0), 1.0)
    }

    /// All positions, row by row as they are drawn.
    pub fn rows(self) -> impl Iterator<Item = impl Iterator<Item = Position>> {
        (0..SIZE).map(move |row| (0..SIZE).filter_map(move |column| self.at(row, column)))
    }

    fn turn(self, position: Position) -> Position {
        match self.bottom {
            Side::Red => position,
            Side::Blue => position.turned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readers_edge_is_at_the_bottom() {
        let at = |text| Position::parse(text).unwrap();
        let (red, blue) = (View::new(Side::Red), View::new(Side::Blue));
        assert_eq!(red.corner(at("A1")), Point::new(MARGIN, MARGIN));
        assert_eq!(red.at(10, 0), Some(at("K1")));
        assert_eq!(blue.at(10, 0), Some(at("A11")));
        assert_eq!(blue.corner(at("K11")), Point::new(MARGIN, MARGIN));
        assert_eq!(blue.stand(at("A11")), red.stand(at("K1")));
    }
}
