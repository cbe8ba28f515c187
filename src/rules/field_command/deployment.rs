//! The deployment: all forty units of an army, each on a position of its own zone.
//!
//! The zones lie behind the broken lines of the printed board. Each holds exactly forty
//! positions, so an army fills its zone, and a deployment says which unit stands where.

use std::fmt;

use super::position::{Position, PositionSet};
use super::unit::{ARMY, Army, Unit};
use super::words::{Word, words};
use crate::rules::side::Side;
use crate::rules::text_error::TextError;

/// Blue's zone: how many positions of each row, from column 1 on. Red's is the same, turned.
const ZONE: [(u8, u8); 5] = [(0, 11), (1, 11), (2, 8), (3, 6), (4, 4)];

/// The positions behind a side's broken line.
#[must_use]
pub fn zone(side: Side) -> PositionSet {
    let blue =
        ZONE.into_iter().flat_map(|(row, columns)| (0..columns).filter_map(move |column| Position::new(row, column)));
    match side {
        Side::Blue => blue.collect(),
        Side::Red => blue.map(Position::turned).collect(),
    }
}

/// An army that fills its zone. Displayed in canonical notation: a line for each code in
/// the order of the army table, positions in board order, each line ended by LF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment(Army);

impl Deployment {
    /// The army as it stands.
    #[must_use]
    pub const fn army(&self) -> &Army {
        &self.0
    }

    /// Reads a deployment.
    ///
    /// # Errors
    /// The first word that is wrong with its line, or which units are missing.
    pub fn parse(text: &str, side: Side) -> Result<Deployment, TextError> {
        let army = parse_part(text, side)?;
        let missing = missing(&army);
        if missing.is_empty() {
            return Ok(Deployment(army));
        }
        let list: Vec<String> =
            missing.iter().map(|&(unit, number)| format!("{number} × {} ({})", unit.name(), unit.code())).collect();
        Err(TextError::whole(format!("{} of {ARMY} units are placed; still missing: {}", army.len(), list.join(", "))))
    }

    /// Places what `part` lacks on the free positions of the zone. `pick(n)` chooses one of
    /// `n` of them (0 to n − 1) and is the only chance in it.
    #[must_use]
    pub fn fill(part: &Army, side: Side, mut pick: impl FnMut(usize) -> usize) -> Deployment {
        let mut army = *part;
        let mut free: Vec<Position> = zone(side).without(part.held()).iter().collect();
        for (unit, number) in missing(part) {
            for _ in 0..number.min(free.len()) {
                let position = free.swap_remove(pick(free.len()).min(free.len() - 1));
                army.place(position, unit);
            }
        }
        Deployment(army)
    }

    /// The same deployment for the other side: the board turned by 180°.
    #[must_use]
    pub fn turned(&self) -> Deployment {
        Deployment(self.0.units().map(|(position, unit)| (position.turned(), unit)).collect())
    }
}

impl fmt::Display for Deployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for unit in Unit::ALL {
            f.write_str(unit.code())?;
            for position in self.0.positions_of(unit) {
                write!(f, " {position}")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// Which units an army lacks, and how many of each.
fn missing(army: &Army) -> Vec<(Unit, usize)> {
    Unit::ALL
        .into_iter()
        .map(|unit| (unit, unit.number().saturating_sub(army.positions_of(unit).len())))
        .filter(|&(_, number)| number > 0)
        .collect()
}

/// Reads as much of a deployment as is written: the words must be right, units may be missing.
///
/// # Errors
/// The first word that is wrong, with its line.
pub fn parse_part(text: &str, side: Side) -> Result<Army, TextError> {
    parse_units(text, zone(side), side)
}

/// Reads units in the notation of a deployment, on positions of `zone`.
///
/// # Errors
/// The first word that is wrong, with its line.
pub(super) fn parse_units(text: &str, zone: PositionSet, side: Side) -> Result<Army, TextError> {
    let mut army = Army::EMPTY;
    let mut line = 0;
    let mut current: Option<Unit> = None;
    let words = words(text);
    if let Some([moved, _]) = words.array_windows().find(|[_, next]| next.is_joint()) {
        let message = "is followed by a dash or an arrow; a deployment only lists positions";
        return Err(TextError::at(moved.line, moved.written, message));
    }
    for word in words {
        if word.line != line {
            line = word.line;
            current = Some(code(&word)?);
            continue;
        }
        if let Some(unit) = current {
            place(&mut army, unit, &word, zone, side)?;
        }
    }
    Ok(army)
}

/// Reads the code at the beginning of a line.
fn code(word: &Word<'_>) -> Result<Unit, TextError> {
    Unit::from_code(word.folded.as_str().trim_end_matches(':')).ok_or_else(|| {
        TextError::at(
            word.line,
            word.written,
            "is not a unit's code; a line begins with one of GN AR I1 I2 I3 C1 C2 C3 GU",
        )
    })
}

/// Reads a position and puts a unit on it.
fn place(army: &mut Army, unit: Unit, word: &Word<'_>, zone: PositionSet, side: Side) -> Result<(), TextError> {
    let error = |message: String| Err(TextError::at(word.line, word.written, message));
    let Some(position) = Position::parse(word.folded.as_str()) else {
        return error("is not a position of the board: rows are A to K, columns 1 to 11".into());
    };
    if !zone.contains(position) {
        return error(format!("lies outside {}'s deployment zone", side.name()));
    }
    if let Some(other) = army.at(position) {
        return error(format!("already holds your {}; a position takes one unit", other.name()));
    }
    if army.positions_of(unit).len() == unit.number() {
        return error(format!("is one {} too many: an army has {}", unit.name(), unit.number()));
    }
    army.place(position, unit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first free position each time: an army in the order of the table.
    fn first() -> Deployment {
        Deployment::fill(&Army::EMPTY, Side::Red, |_| 0)
    }

    #[test]
    fn zones_hold_an_army_each_and_do_not_meet() {
        for side in Side::BOTH {
            assert_eq!(zone(side).len(), ARMY);
        }
        assert!(zone(Side::Red).and(zone(Side::Blue)).is_empty());
        let at = |text| Position::parse(text).unwrap();
        assert!(zone(Side::Red).contains(at("I4")) && !zone(Side::Red).contains(at("I3")));
        assert!(zone(Side::Blue).contains(at("E4")) && !zone(Side::Blue).contains(at("E5")));
    }

    #[test]
    fn a_deployment_is_read_as_it_is_written() {
        let text = first().to_string();
        assert_eq!(Deployment::parse(&text, Side::Red), Ok(first()));
        assert_eq!(Deployment::parse(&first().turned().to_string(), Side::Blue), Ok(first().turned()));
        let written = text.to_lowercase().replace('\n', " # home\r\n").replace("gn ", "GN: ");
        assert_eq!(Deployment::parse(&written, Side::Red), Ok(first()));
    }

    #[test]
    fn errors_name_line_and_word() {
        let error = |text: &str| Deployment::parse(text, Side::Red).unwrap_err().to_string();
        assert_eq!(error("GN K1\nAR A1"), "Line 2, “A1”: lies outside Red's deployment zone");
        assert_eq!(error("GN K1\nAR k1"), "Line 2, “k1”: already holds your General; a position takes one unit");
        assert_eq!(error("GN K1 K2"), "Line 1, “K2”: is one General too many: an army has 1");
        assert_eq!(
            error("XX K1"),
            "Line 1, “XX”: is not a unit's code; a line begins with one of GN AR I1 I2 I3 C1 C2 C3 GU"
        );
        assert_eq!(error("GN K12"), "Line 1, “K12”: is not a position of the board: rows are A to K, columns 1 to 11");
        let text = first().to_string();
        let short = text.trim_end().rsplit_once(' ').unwrap().0;
        assert_eq!(error(short), "39 of 40 units are placed; still missing: 1 × Guerrillas (GU)");
    }
}
