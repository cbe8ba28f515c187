//! What a writer lays on the table: orders or a deployment in the making, gun zones, trails,
//! and which part of the board is looked at.
//!
//! The page lays a grid of buttons over the picture, and these say what is where. The picture
//! itself is silent; it needs no title.

use super::view::View;
use crate::rules::field_command::position::POSITIONS;
use crate::rules::field_command::{Army, Orders, Position, PositionSet};
use crate::rules::{Report, Side};

/// What lies on the table beside the armies. The default is nothing, and the whole board.
#[derive(Clone, Debug, Default)]
pub struct TableLook<'a> {
    /// What a side has written so far; both sides in a what-if.
    pub sheets: Vec<(Side, TableSheet<'a>)>,
    /// Zones, hatched below the units: of one side, or of both across each other.
    pub hatches: Vec<Hatch>,
    /// Positions that no gun can ever hit, marked by a shield.
    pub proof: PositionSet,
    /// Good positions for guns, marked by a gun-sight.
    pub sites: PositionSet,
    /// Turns whose carried-out moves are shown as lines, the oldest first. The last three are
    /// drawn, the older the fainter; a deployment leaves no trail.
    pub trails: &'a [Report],
    /// A side's list of a day that is over, as faint arrows.
    pub faint: Option<(Side, &'a Report)>,
    /// Only the part of the board around this position.
    pub window: Option<Position>,
}

/// What a side has written so far.
#[derive(Clone, Copy, Debug)]
pub enum TableSheet<'a> {
    /// Orders: solid arrows will be carried out, broken grey ones will not.
    Orders(&'a Orders),
    /// The units of a deployment that have a place.
    Units(&'a Army),
}

/// A zone that is hatched, the denser the more is counted on a position.
#[derive(Clone, Debug)]
pub struct Hatch {
    /// Whose zone: the colour and the slant of the lines.
    pub side: Side,
    /// For each position in board order how many guns, or units, bear on it. Three and more look the same.
    pub counts: [u8; POSITIONS],
}

impl Hatch {
    /// The zone with one on each of these positions.
    #[must_use]
    pub fn of_set(side: Side, positions: PositionSet) -> Hatch {
        let mut counts = [0; POSITIONS];
        for (count, position) in counts.iter_mut().zip(Position::all()) {
            *count = u8::from(positions.contains(position));
        }
        Hatch { side, counts }
    }

    /// How densely a position is hatched: 0 to 3.
    #[must_use]
    pub fn density(&self, position: Position) -> u8 {
        self.counts.get(position.index()).copied().unwrap_or(0).min(3)
    }
}

/// The positions that a picture of the table shows, row by row as they are drawn: eleven
/// rows of eleven, or the seven rows of seven of a window.
#[must_use]
pub fn rows(bottom: Side, window: Option<Position>) -> Vec<Vec<Position>> {
    let view = window.map_or_else(|| View::new(bottom), |middle| View::around(bottom, middle));
    view.rows().map(Iterator::collect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_is_drawn() {
        let name = |at: Option<&Position>| at.map(ToString::to_string).unwrap();
        let board = rows(Side::Blue, None);
        assert_eq!((board.len(), board[0].len(), name(board[0].first())), (11, 11, "K11".into()));
        let window = rows(Side::Red, Position::parse("K6"));
        assert_eq!((window.len(), window[0].len()), (7, 7));
        assert_eq!((name(window[0].first()), name(window[6].last())), ("E3".into(), "K9".into()));
        let window = rows(Side::Blue, Position::parse("K6"));
        assert_eq!((name(window[0].first()), name(window[6].last())), ("K9".into(), "E3".into()));
    }

    #[test]
    fn three_guns_and_more_look_the_same() {
        let mut hatch = Hatch { side: Side::Red, counts: [0; POSITIONS] };
        hatch.counts[..5].copy_from_slice(&[0, 1, 2, 3, 6]);
        let densities: Vec<u8> = Position::all().take(6).map(|position| hatch.density(position)).collect();
        assert_eq!(densities, [0, 1, 2, 3, 3, 0]);
        assert_eq!(Hatch::of_set(Side::Red, Position::all().take(2).collect()).counts[..3], [1, 1, 0]);
    }
}
