//! Positions of the 11×11 board, and sets of them.
//!
//! A position is a square, as the rulebook uses the word. Rows A–K run from
//! Blue's home edge to Red's, columns 1–11 from left to right as Red sees them.

use std::fmt;

/// Rows and columns of the board.
pub const SIZE: u8 = 11;
/// Positions on the board.
pub const POSITIONS: usize = 121;

/// One position, `A1` to `K11`. Ordered as the board is read: A1, A2 … K11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u8);

impl Position {
    /// The position on `row` (0 = A) and `column` (0 = 1), if it is on the board.
    #[must_use]
    pub const fn new(row: u8, column: u8) -> Option<Position> {
        if row < SIZE && column < SIZE { Some(Position(row * SIZE + column)) } else { None }
    }

    /// The position with the given place in board order, 0 to 120.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Position> {
        #[expect(clippy::cast_possible_truncation, reason = "below 121")]
        if index < POSITIONS { Some(Position(index as u8)) } else { None }
    }

    /// All positions in board order.
    pub fn all() -> impl DoubleEndedIterator<Item = Position> + Clone {
        (0..SIZE * SIZE).map(Position)
    }

    /// The place in board order, 0 to 120.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 for A to 10 for K.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / SIZE
    }

    /// The column, 0 for the one printed as 1.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// Positions from here to `other`, counted over adjacent positions: a diagonal step is two.
    #[must_use]
    pub const fn distance(self, other: Position) -> u8 {
        self.row().abs_diff(other.row()) + self.column().abs_diff(other.column())
    }

    /// The same position seen from the other side of the table: the board turned by 180°.
    #[must_use]
    pub const fn turned(self) -> Position {
        Position(SIZE * SIZE - 1 - self.0)
    }

    /// The position's name, `A1` to `K11`, without an allocation.
    #[must_use]
    pub const fn name(self) -> PositionName {
        let (row, column) = (b'A' + self.row(), self.column());
        if column < 9 {
            PositionName { bytes: [row, b'1' + column, 0], length: 2 }
        } else {
            PositionName { bytes: [row, b'1', b'0' + (column - 9)], length: 3 }
        }
    }

    /// Reads `A1` to `K11`, upper case and ASCII only; texts are folded before.
    #[must_use]
    pub fn parse(text: &str) -> Option<Position> {
        let (row, column) = match *text.as_bytes() {
            [row @ b'A'..=b'K', digit @ b'1'..=b'9'] => (row - b'A', digit - b'1'),
            [row @ b'A'..=b'K', b'1', digit @ b'0'..=b'1'] => (row - b'A', 9 + (digit - b'0')),
            _ => return None,
        };
        Position::new(row, column)
    }
}

/// The name of a position.
#[derive(Clone, Copy, Debug)]
pub struct PositionName {
    bytes: [u8; 3],
    length: usize,
}

impl PositionName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Always two or three ASCII signs, so the default is never taken.
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name().as_str())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of positions: one bit each, iterated in board order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PositionSet(u128);

impl PositionSet {
    /// No position.
    pub const EMPTY: PositionSet = PositionSet(0);

    /// Whether the set holds `position`.
    #[must_use]
    pub const fn contains(self, position: Position) -> bool {
        self.0 >> position.0 & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of positions in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds a position.
    pub const fn insert(&mut self, position: Position) {
        self.0 |= 1 << position.0;
    }

    /// Takes a position out.
    pub const fn remove(&mut self, position: Position) {
        self.0 &= !(1 << position.0);
    }

    /// The positions in both sets.
    #[must_use]
    pub const fn and(self, other: PositionSet) -> PositionSet {
        PositionSet(self.0 & other.0)
    }

    /// The positions in either set.
    #[must_use]
    pub const fn or(self, other: PositionSet) -> PositionSet {
        PositionSet(self.0 | other.0)
    }

    /// The positions in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: PositionSet) -> PositionSet {
        PositionSet(self.0 & !other.0)
    }

    /// The positions in board order.
    #[must_use]
    pub const fn iter(self) -> PositionSetIter {
        PositionSetIter(self.0)
    }
}

impl IntoIterator for PositionSet {
    type Item = Position;
    type IntoIter = PositionSetIter;

    fn into_iter(self) -> PositionSetIter {
        self.iter()
    }
}

impl FromIterator<Position> for PositionSet {
    fn from_iter<I: IntoIterator<Item = Position>>(positions: I) -> Self {
        let mut set = PositionSet::EMPTY;
        for position in positions {
            set.insert(position);
        }
        set
    }
}

impl fmt::Debug for PositionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Walks a [`PositionSet`] in board order.
#[derive(Clone, Debug)]
pub struct PositionSetIter(u128);

impl Iterator for PositionSetIter {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        if self.0 == 0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Position(lowest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_read_as_it_is_written() {
        for position in Position::all() {
            assert_eq!(Position::parse(&position.to_string()), Some(position));
        }
    }

    #[test]
    fn nothing_off_the_board_is_read() {
        for text in ["", "A", "A0", "A12", "A01", "A100", "L1", "a1", "1A", "A1 ", "Ａ1"] {
            assert_eq!(Position::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_diagonal_step_counts_two() {
        let at = |text| Position::parse(text).unwrap();
        assert_eq!(at("K1").distance(at("J2")), 2);
        assert_eq!(at("A1").distance(at("K11")), 20);
        assert_eq!(at("A1").turned(), at("K11"));
    }
}
