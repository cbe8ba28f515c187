//! Opening a game: its settings, who is Red, and the invitation to the other seat.

use crate::play::{GameId, Play, PlayError, Secret};
use crate::rules::{Setup, Side};

/// The longest name of a player, in characters.
pub const NAME_MAX: usize = 40;

/// Which side the opener takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideChoice {
    /// Red or Blue.
    Side(Side),
    /// Whatever the lot says.
    Lot,
}

/// A game to be opened.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Board and house rules.
    pub setup: Setup,
    /// Which side the opener takes.
    pub side: SideChoice,
    /// The opener's name; empty for none.
    pub name: String,
    /// The address for the opener's reports; empty for none.
    pub address: String,
}

/// A game that has been opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The game.
    pub game: GameId,
    /// The side that the opener holds.
    pub side: Side,
    /// The secret of the opener's seat: link and API token.
    pub link: Secret,
    /// The secret of the invitation to the other seat.
    pub invitation: Secret,
}

impl Play {
    /// Opens a game and seats the opener.
    ///
    /// # Errors
    /// A name that is too long or an address that is none; the store failed.
    pub async fn open(&self, new: NewGame) -> Result<Opened, PlayError> {
        let _ = new;
        todo!()
    }
}
