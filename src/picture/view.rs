//! Where things lie in the drawing: the reader's own edge is at the bottom.
//!
//! Positions are turned, pictures never are: letters and counters stay upright for both.
//! A window is a part of the board in the same coordinates, so that nothing else moves.

use super::svg::Point;
use crate::rules::Side;
use crate::rules::field_command::Position;
use crate::rules::field_command::position::SIZE;

/// The side of a position.
pub const CELL: f64 = 60.0;
/// The width of the sheet around the map.
pub const MARGIN: f64 = 24.0;
/// Rows and columns of a window: whatever a unit in its middle can reach, for none reaches further than three.
pub const WINDOW: u8 = 7;

/// The board, or a part of it, as one side looks at it.
#[derive(Clone, Copy, Debug)]
pub struct View {
    bottom: Side,
    /// The first row from the top and the first column from the left.
    first: [u8; 2],
    /// How many rows and columns.
    span: u8,
}

impl View {
    /// The whole board with `bottom`'s home edge at the bottom.
    #[must_use]
    pub const fn new(bottom: Side) -> View {
        View { bottom, first: [0, 0], span: SIZE }
    }

    /// The part of the board around a position; at an edge the position is not in the middle.
    #[must_use]
    pub fn around(bottom: Side, middle: Position) -> View {
        View::part(bottom, middle, WINDOW)
    }

    /// So many rows and columns around a position.
    #[must_use]
    pub fn part(bottom: Side, middle: Position, span: u8) -> View {
        let seen = View::new(bottom).turn(middle);
        let first = |at: u8| at.saturating_sub(span / 2).min(SIZE.saturating_sub(span));
        View { bottom, first: [first(seen.row()), first(seen.column())], span: span.min(SIZE) }
    }

    /// Whose edge is at the bottom.
    #[must_use]
    pub const fn bottom(self) -> Side {
        self.bottom
    }

    /// Whether only a part of the board is in view.
    #[must_use]
    pub const fn is_part(self) -> bool {
        self.span < SIZE
    }

    /// Whether a position is in view.
    #[must_use]
    pub fn shows(self, position: Position) -> bool {
        let seen = self.turn(position);
        let [row, column] = self.first;
        (row..row + self.span).contains(&seen.row()) && (column..column + self.span).contains(&seen.column())
    }

    /// The position that is drawn in a row from the top of the board and a column from its left, from 0.
    #[must_use]
    pub fn at(self, row: u8, column: u8) -> Option<Position> {
        Position::new(row, column).map(|position| self.turn(position))
    }

    /// The position so many rows further down and columns further to the right, as drawn.
    #[must_use]
    pub fn beside(self, position: Position, rows: i8, columns: i8) -> Option<Position> {
        let seen = self.turn(position);
        self.at(seen.row().checked_add_signed(rows)?, seen.column().checked_add_signed(columns)?)
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

    /// How many rows and columns are in view.
    #[must_use]
    pub const fn span(self) -> u8 {
        self.span
    }

    /// The upper left corner of the sheet.
    #[must_use]
    pub fn origin(self) -> Point {
        let [row, column] = self.first;
        Point::new(CELL * f64::from(column), CELL * f64::from(row))
    }

    /// The side of the map that is in view.
    #[must_use]
    pub fn map(self) -> f64 {
        CELL * f64::from(self.span)
    }

    /// The side of the sheet.
    #[must_use]
    pub fn whole(self) -> f64 {
        self.map() + 2.0 * MARGIN
    }

    /// The positions in view, row by row as they are drawn.
    pub fn rows(self) -> impl Iterator<Item = impl Iterator<Item = Position>> {
        let [row, column] = self.first;
        let columns = column..column + self.span;
        (row..row + self.span).map(move |row| columns.clone().filter_map(move |column| self.at(row, column)))
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

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    #[test]
    fn the_readers_edge_is_at_the_bottom() {
        let (red, blue) = (View::new(Side::Red), View::new(Side::Blue));
        assert_eq!(red.corner(at("A1")), Point::new(MARGIN, MARGIN));
        assert_eq!(red.at(10, 0), Some(at("K1")));
        assert_eq!(blue.at(10, 0), Some(at("A11")));
        assert_eq!(blue.corner(at("K11")), Point::new(MARGIN, MARGIN));
        assert_eq!(blue.stand(at("A11")), red.stand(at("K1")));
    }

    #[test]
    fn a_window_stays_on_the_board_and_shows_all_that_its_unit_reaches() {
        for bottom in Side::BOTH {
            for middle in Position::all() {
                let view = View::around(bottom, middle);
                let shown: Vec<Position> = view.rows().flatten().collect();
                assert_eq!(shown.len(), 49);
                assert!(Position::all().all(|position| view.shows(position) == shown.contains(&position)));
                assert!(Position::all().filter(|there| middle.distance(*there) <= 3).all(|there| view.shows(there)));
            }
        }
    }
}
