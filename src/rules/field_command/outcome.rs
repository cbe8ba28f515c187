//! How a day leaves the game: a General fallen, a house-rule draw, or nothing yet.

use super::unit::Army;
use crate::rules::side::{BySide, Outcome, Side};

/// What ended the game on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// One General was removed.
    GeneralRemoved,
    /// Both Generals were removed on the same day.
    BothGeneralsRemoved,
    /// Nothing is left but the two Generals.
    LoneGenerals,
    /// No unit was removed on so many days running.
    NoRemoval,
}

/// An end of the game: who won, and what decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
}

/// What the Generals say: a side that has lost one during the day has lost the game. A side
/// that had none cannot lose one; of several, which only analysis knows, one is enough.
#[must_use]
pub fn generals(dawn: &BySide<Army>, dusk: &BySide<Army>) -> Option<Ending> {
    let lost = BySide::from_fn(|side| dusk.get(side).generals() < dawn.get(side).generals());
    match (lost.red, lost.blue) {
        (false, false) => None,
        (true, true) => Some(Ending { outcome: Outcome::Draw, cause: Cause::BothGeneralsRemoved }),
        (true, false) => Some(Ending { outcome: Outcome::win_of(Side::Blue), cause: Cause::GeneralRemoved }),
        (false, true) => Some(Ending { outcome: Outcome::win_of(Side::Red), cause: Cause::GeneralRemoved }),
    }
}

/// What the house rules say after the Generals: two lone Generals are a draw at once,
/// and so is the last of `limit` days running without a removal (0 = no such limit).
#[must_use]
pub fn house_rules(dusk: &BySide<Army>, quiet_days: u32, limit: u32) -> Option<Ending> {
    if dusk.red.len() == 1 && dusk.blue.len() == 1 && dusk.red.generals() == 1 && dusk.blue.generals() == 1 {
        Some(Ending { outcome: Outcome::Draw, cause: Cause::LoneGenerals })
    } else if limit > 0 && quiet_days >= limit {
        Some(Ending { outcome: Outcome::Draw, cause: Cause::NoRemoval })
    } else {
        None
    }
}
