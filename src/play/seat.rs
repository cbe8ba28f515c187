//! Who asks: the holder of a seat, proven by a session or a token.

use crate::play::GameId;
use crate::rules::Side;

/// A proven seat. Only [`crate::play::enter`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    game: GameId,
    side: Side,
    generation: i64,
}

impl Seat {
    pub(in crate::play) const fn new(game: GameId, side: Side, generation: i64) -> Seat {
        Seat { game, side, generation }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        &self.game
    }

    /// The generation of the link that it was entered by: a seat that has been given to
    /// somebody else meanwhile has another.
    pub(in crate::play) const fn generation(&self) -> i64 {
        self.generation
    }

    /// The side.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }
}
