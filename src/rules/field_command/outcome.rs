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
    /// The last day that the game may have is over.
    DayLimit,
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

/// The limits of days that a game was opened with; 0 = no such limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Days running without a removal.
    pub quiet_days: u32,
    /// Days in all.
    pub days: u32,
}

/// What the house rules say after the Generals: two lone Generals are a draw at once, and so is the last of so many days
/// running without a removal, and the last of so many days in all.
#[must_use]
pub fn house_rules(dusk: &BySide<Army>, quiet_days: u32, day: u32, limits: Limits) -> Option<Ending> {
    let drawn = |cause| Some(Ending { outcome: Outcome::Draw, cause });
    if dusk.red.len() == 1 && dusk.blue.len() == 1 && dusk.red.generals() == 1 && dusk.blue.generals() == 1 {
        drawn(Cause::LoneGenerals)
    } else if limits.quiet_days > 0 && quiet_days >= limits.quiet_days {
        drawn(Cause::NoRemoval)
    } else if limits.days > 0 && day >= limits.days {
        drawn(Cause::DayLimit)
    } else {
        None
    }
}
