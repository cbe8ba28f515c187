//! The boards that come with the server, by name.
//!
//! Both are symmetric under a half turn, so neither side has the better ground.

use std::sync::{Arc, LazyLock};

use super::board::{Board, Ground, Terrain};
use super::position::POSITIONS;

/// The printed board, as a copy owner transcribed it.
const CLASSIC: &str = "
    1f 1f 2f 1f 2o 3o 2o 3o 2o 1o 2o
    1f 2f 1f 2f 3f 2o 1f 2o 1o 1f 1o
    2f 1o 2f 3o 2f 1f 2o 1f 1f 1o 2f
    1f 2f 3o 2f 1f 2f 2f 1o 1o 2o 3f
    2f 3f 2o 1f 2f 2f 3f 2o 1f 1f 2o
    3f 2o 1f 2f 2f 3f 2f 2f 1f 2o 3f
    2o 1f 1f 2o 3f 2f 2f 1f 2o 3f 2f
    3f 2o 1o 1o 2f 2f 1f 2f 3o 2f 1f
    2f 1o 1f 1f 2o 1f 2f 3o 2f 1o 2f
    1o 1f 1o 2o 1f 2o 3f 2f 1f 2f 1f
    2o 1o 2o 3o 2o 3o 2o 1f 2f 1f 1f";

/// This server's own board: more open ground, the same zones.
const RIDGE: &str = "
    1f 1f 1f 1o 2o 3o 2o 3o 2o 2o 2o
    1f 1f 1f 1o 1o 2o 2o 2o 1f 1f 1f
    1o 1f 1f 1o 1f 1f 2o 1o 1f 1f 1f
    1o 1o 1o 1o 1f 1f 2o 1o 1o 1f 1o
    1f 2f 2o 1o 1f 2f 3o 2o 1o 1o 1o
    1f 2f 1o 2o 2f 2f 2f 2o 1o 2f 1f
    1o 1o 1o 2o 3o 2f 1f 1o 2o 2f 1f
    1o 1f 1o 1o 2o 1f 1f 1o 1o 1o 1o
    1f 1f 1f 1o 2o 1f 1f 1o 1f 1f 1o
    1f 1f 1f 2o 2o 2o 1o 1o 1f 1f 1f
    2o 2o 2o 3o 2o 3o 2o 1o 1f 1f 1f";

/// A board that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// The printed board.
    Classic,
    /// More open ground.
    Ridge,
}

/// Every named board, the usual one first.
pub const ALL: [Map; 2] = [Map::Classic, Map::Ridge];

impl Map {
    /// The name in settings and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Map::Classic => "classic",
            Map::Ridge => "ridge",
        }
    }

    /// What a player should know before choosing it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Map::Classic => "the printed board: much forest, hills everywhere",
            Map::Ridge => "more open ground, one long ridge: better for Cavalry",
        }
    }

    /// The board with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Map> {
        ALL.into_iter().find(|map| map.name() == name)
    }

    /// The board itself; one copy serves the whole process.
    #[must_use]
    pub fn board(self) -> &'static Arc<Board> {
        match self {
            Map::Classic => classic(),
            Map::Ridge => ridge(),
        }
    }
}

/// The printed board.
#[must_use]
pub fn classic() -> &'static Arc<Board> {
    static BOARD: LazyLock<Arc<Board>> = LazyLock::new(|| Arc::new(read(CLASSIC)));
    &BOARD
}

/// The board with more open ground.
#[must_use]
pub fn ridge() -> &'static Arc<Board> {
    static BOARD: LazyLock<Arc<Board>> = LazyLock::new(|| Arc::new(read(RIDGE)));
    &BOARD
}

/// Reads one of the constants above: digit for altitude, `f` or `o` for forest or open field.
fn read(map: &str) -> Board {
    let mut ground = [Ground { terrain: Terrain::Field, altitude: 1 }; POSITIONS];
    for (slot, word) in ground.iter_mut().zip(map.split_whitespace()) {
        if let [altitude, terrain] = *word.as_bytes() {
            let terrain = if terrain == b'f' { Terrain::Forest } else { Terrain::Field };
            *slot = Ground { terrain, altitude: altitude - b'0' };
        }
    }
    Board::new(ground)
}

#[cfg(test)]
mod tests {
    use super::super::position::Position;
    use super::*;

    #[test]
    fn boards_look_the_same_from_both_sides() {
        for map in ALL {
            let board = map.board();
            for position in Position::all() {
                assert_eq!(board.ground(position), board.ground(position.turned()), "{} {position}", map.name());
            }
        }
    }

    #[test]
    fn no_neighbours_differ_by_two_levels() {
        for map in ALL {
            for a in Position::all() {
                for b in Position::all().filter(|b| a.distance(*b) == 1) {
                    let (from, to) = (map.board().ground(a).altitude, map.board().ground(b).altitude);
                    assert!(from.abs_diff(to) <= 1, "{} {a} {b}", map.name());
                }
            }
        }
    }

    #[test]
    fn names_lead_to_boards() {
        assert_eq!(CLASSIC.split_whitespace().count(), POSITIONS);
        assert_eq!(RIDGE.split_whitespace().count(), POSITIONS);
        assert_eq!(Map::by_name("ridge"), Some(Map::Ridge));
        assert_eq!(Map::by_name("Ridge"), None);
    }
}
