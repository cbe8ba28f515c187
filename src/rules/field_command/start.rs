//! A game that does not begin with the deployments: one that was begun on paper and is carried on here, or one that
//! two players take up again from an earlier day. It begins at the dawn of a day with whatever stands on the board.

use super::deployment::parse_units;
use super::position::PositionSet;
use super::standing::{Setup, Standing};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};
use crate::rules::text_error::TextError;

/// The last day at whose dawn a game may begin.
const LAST_DAY: u32 = 9999;

impl Standing {
    /// The dawn of day `turn` with these units, each side's in the notation of a deployment, anywhere on the board.
    ///
    /// # Errors
    /// The side whose text is wrong, or `None` where it is both together, and what.
    pub fn adopt(setup: Setup, turn: u32, texts: BySide<&str>) -> Result<Standing, (Option<Side>, TextError)> {
        let everywhere: PositionSet = super::Position::all().collect();
        let read = |side: Side| parse_units(texts.get(side), everywhere, side).map_err(|error| (Some(side), error));
        let armies = BySide { red: read(Side::Red)?, blue: read(Side::Blue)? };
        let standing = Standing::at_dawn(setup, turn, &armies);
        match standing.may_begin() {
            Ok(()) => Ok(standing),
            Err(problem) => Err((None, TextError::whole(format!("the position {problem}")))),
        }
    }

    /// Whether a game may begin here: at the dawn of a day, with one General a side, no more units than an army has,
    /// and nothing decided.
    ///
    /// # Errors
    /// Why not, as the end of a sentence.
    pub fn may_begin(&self) -> Result<(), String> {
        if self.turn() == 0 || self.turn() > LAST_DAY {
            return Err(format!("must be that of a day from 1 to {LAST_DAY}"));
        }
        for side in Side::BOTH {
            fits(self.armies().get(side)).map_err(|problem| format!("has {problem} for {}", side.name()))?;
        }
        let BySide { red, blue } = self.armies();
        if let Some(position) = red.held().and(blue.held()).iter().next() {
            return Err(format!("has two units on {position}"));
        }
        if red.len() == 1 && blue.len() == 1 {
            return Err("has only the two Generals: that is a draw".into());
        }
        let (limit, last) = (self.setup().no_removal_limit, self.setup().day_limit);
        if last > 0 && self.turn() > last {
            return Err(format!("is that of a day after the last one, day {last}"));
        }
        if self.ending().is_some() || (limit > 0 && self.quiet_days() >= limit) || self.quiet_days() >= self.turn() {
            return Err("is that of a game that is over".into());
        }
        Ok(())
    }
}

/// Whether an army could be what is left of a whole one; what is wrong if not.
fn fits(army: &Army) -> Result<(), String> {
    for unit in Unit::ALL {
        let number = army.positions_of(unit).len();
        if unit == Unit::General && number != 1 {
            return Err(if number == 0 { "no General".into() } else { format!("{number} Generals") });
        }
        if number > unit.number() {
            return Err(format!("{number} units of {}, of which an army has {},", unit.name(), unit.number()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::field_command::maps;

    fn adopt(turn: u32, red: &str, blue: &str) -> Result<Standing, String> {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        Standing::adopt(setup, turn, BySide { red, blue }).map_err(|(side, error)| format!("{side:?}: {error}"))
    }

    #[test]
    fn a_position_is_taken_over_as_it_stands() {
        let standing = adopt(7, "GN K1\nI2 F6 f7", "gn A1\nAR E5").unwrap();
        assert_eq!((standing.turn(), standing.armies().red.len(), standing.quiet_days()), (7, 3, 0));
        assert!(Standing::restore(&standing.kept(), standing.setup().clone()).is_some_and(|kept| kept == standing));
    }

    #[test]
    fn what_cannot_be_a_game_is_refused_in_words() {
        for (turn, red, blue, said) in [
            (0, "GN K1 \nI2 F6", "GN A1", "None: the position must be that of a day from 1 to 9999"),
            (3, "GN K1", "GN A1", "None: the position has only the two Generals: that is a draw"),
            (3, "I2 K1", "GN A1", "None: the position has no General for Red"),
            (3, "GN K1\nI2 A1", "GN A1", "None: the position has two units on A1"),
            (3, "GN K1\nI2 Z1", "GN A1", "Some(Red): Line 2, “Z1”: is not a position"),
            (3, "GN K1\nI2 K2", "GN A1 A2", "Some(Blue): Line 1, “A2”: is one General too many"),
        ] {
            let error = adopt(turn, red, blue).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
