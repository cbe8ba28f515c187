//! The two sides of a game, a value for each of them, and how a game can end.
//!
//! Shared by every game: two armies face each other on each board that this
//! server plays. What the sides are *called* in a game is the game's business.

use serde::{Deserialize, Serialize};

/// One of the two players of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Red, listed first wherever both sides are listed.
    Red,
    /// Blue.
    Blue,
}

impl Side {
    /// Both sides in the order in which they are always listed.
    pub const BOTH: [Side; 2] = [Side::Red, Side::Blue];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Blue,
            Side::Blue => Side::Red,
        }
    }

    /// The word for addresses, the database and JSON: `red` or `blue`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Blue => "blue",
        }
    }

    /// The word for people: `Red` or `Blue`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Red => "Red",
            Side::Blue => "Blue",
        }
    }

    /// Reads what [`Side::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.word() == word)
    }
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BySide<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

impl<T> BySide<T> {
    /// Makes both values by asking once for each side, Red first.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        let red = make(Side::Red);
        let blue = make(Side::Blue);
        BySide { red, blue }
    }

    /// The value of one side.
    pub const fn get(&self, side: Side) -> &T {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }

    /// The value of one side, to be changed.
    pub const fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Red => &mut self.red,
            Side::Blue => &mut self.blue,
        }
    }

    /// Replaces both values by what `change` makes of each.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        let red = change(self.red);
        let blue = change(self.blue);
        BySide { red, blue }
    }

    /// Borrows both values.
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide { red: &self.red, blue: &self.blue }
    }
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Red has won.
    RedWins,
    /// Blue has won.
    BlueWins,
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// The outcome in which `side` wins.
    #[must_use]
    pub const fn win_of(side: Side) -> Outcome {
        match side {
            Side::Red => Outcome::RedWins,
            Side::Blue => Outcome::BlueWins,
        }
    }

    /// The side that won, if one did.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::RedWins => Some(Side::Red),
            Outcome::BlueWins => Some(Side::Blue),
            Outcome::Draw => None,
        }
    }

    /// The word for the database and JSON: `red_wins`, `blue_wins` or `draw`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::RedWins => "red_wins",
            Outcome::BlueWins => "blue_wins",
            Outcome::Draw => "draw",
        }
    }

    /// Reads what [`Outcome::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Outcome> {
        [Outcome::RedWins, Outcome::BlueWins, Outcome::Draw].into_iter().find(|outcome| outcome.word() == word)
    }
}
