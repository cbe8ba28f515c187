//! Who asks: the holder of a seat, proven by a session or a token.

use crate::play::GameId;
use crate::rules::Side;

/// A proven seat. Only [`crate::play::enter`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    game: GameId,
    side: Side,
}

impl Seat {
    pub(in crate::play) const fn new(game: GameId, side: Side) -> Seat {
        Seat { game, side }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        &self.game
    }

    /// The side.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }
}
