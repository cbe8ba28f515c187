//! The nine kinds of unit, their codes and names, how far they move, and how many an army has.

use super::position::{POSITIONS, Position, PositionSet};

/// A kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Unit {
    /// The General, whose removal loses the game.
    General,
    /// Artillery, which fires after the confrontations.
    Artillery,
    /// 1st Infantry.
    Infantry1,
    /// 2nd Infantry.
    Infantry2,
    /// 3rd Infantry.
    Infantry3,
    /// 1st Cavalry.
    Cavalry1,
    /// 2nd Cavalry.
    Cavalry2,
    /// 3rd Cavalry.
    Cavalry3,
    /// Guerrillas, which no artillery hits.
    Guerrillas,
}

/// The arm that a unit belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// The General alone.
    General,
    /// Artillery.
    Artillery,
    /// Infantry of any rank.
    Infantry,
    /// Cavalry of any rank.
    Cavalry,
    /// Guerrillas.
    Guerrillas,
}

impl Arm {
    /// Its name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Arm::General => "General",
            Arm::Artillery => "Artillery",
            Arm::Infantry => "Infantry",
            Arm::Cavalry => "Cavalry",
            Arm::Guerrillas => "Guerrillas",
        }
    }
}

impl Unit {
    /// All kinds, in the order of the army table.
    pub const ALL: [Unit; 9] = [
        Unit::General,
        Unit::Artillery,
        Unit::Infantry1,
        Unit::Infantry2,
        Unit::Infantry3,
        Unit::Cavalry1,
        Unit::Cavalry2,
        Unit::Cavalry3,
        Unit::Guerrillas,
    ];

    /// The two-letter code: `GN AR I1 I2 I3 C1 C2 C3 GU`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Unit::General => "GN",
            Unit::Artillery => "AR",
            Unit::Infantry1 => "I1",
            Unit::Infantry2 => "I2",
            Unit::Infantry3 => "I3",
            Unit::Cavalry1 => "C1",
            Unit::Cavalry2 => "C2",
            Unit::Cavalry3 => "C3",
            Unit::Guerrillas => "GU",
        }
    }

    /// Reads a code in upper case.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Unit> {
        Some(match code {
            "GN" => Unit::General,
            "AR" => Unit::Artillery,
            "I1" => Unit::Infantry1,
            "I2" => Unit::Infantry2,
            "I3" => Unit::Infantry3,
            "C1" => Unit::Cavalry1,
            "C2" => Unit::Cavalry2,
            "C3" => Unit::Cavalry3,
            "GU" => Unit::Guerrillas,
            _ => return None,
        })
    }

    /// The name in the rulebook's words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Unit::General => "General",
            Unit::Artillery => "Artillery",
            Unit::Infantry1 => "1st Infantry",
            Unit::Infantry2 => "2nd Infantry",
            Unit::Infantry3 => "3rd Infantry",
            Unit::Cavalry1 => "1st Cavalry",
            Unit::Cavalry2 => "2nd Cavalry",
            Unit::Cavalry3 => "3rd Cavalry",
            Unit::Guerrillas => "Guerrillas",
        }
    }

    /// The arm.
    #[must_use]
    pub const fn arm(self) -> Arm {
        match self {
            Unit::General => Arm::General,
            Unit::Artillery => Arm::Artillery,
            Unit::Infantry1 | Unit::Infantry2 | Unit::Infantry3 => Arm::Infantry,
            Unit::Cavalry1 | Unit::Cavalry2 | Unit::Cavalry3 => Arm::Cavalry,
            Unit::Guerrillas => Arm::Guerrillas,
        }
    }

    /// The rank within Infantry and Cavalry, 1 to 3; the other arms have none.
    #[must_use]
    pub const fn rank(self) -> Option<u8> {
        match self {
            Unit::Infantry1 | Unit::Cavalry1 => Some(1),
            Unit::Infantry2 | Unit::Cavalry2 => Some(2),
            Unit::Infantry3 | Unit::Cavalry3 => Some(3),
            Unit::General | Unit::Artillery | Unit::Guerrillas => None,
        }
    }

    /// How many positions the unit may move in a day.
    #[must_use]
    pub const fn allowance(self) -> u8 {
        match self.arm() {
            Arm::General | Arm::Artillery => 1,
            Arm::Infantry => 2,
            Arm::Cavalry | Arm::Guerrillas => 3,
        }
    }

    /// How many of them an army deploys.
    #[must_use]
    pub const fn number(self) -> usize {
        match self {
            Unit::General => 1,
            Unit::Artillery | Unit::Guerrillas => 5,
            Unit::Infantry1 | Unit::Cavalry3 => 3,
            Unit::Infantry2 => 10,
            Unit::Infantry3 => 4,
            Unit::Cavalry1 => 2,
            Unit::Cavalry2 => 7,
        }
    }
}

/// The units of a whole army.
pub const ARMY: usize = 40;

/// One side's units, each on its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Army {
    at: [Option<Unit>; POSITIONS],
    held: PositionSet,
    /// The positions of the three arms that every day asks for, as `at` has them.
    generals: PositionSet,
    guns: PositionSet,
    guerrillas: PositionSet,
}

impl Army {
    /// An army without units.
    pub const EMPTY: Army = Army {
        at: [None; POSITIONS],
        held: PositionSet::EMPTY,
        generals: PositionSet::EMPTY,
        guns: PositionSet::EMPTY,
        guerrillas: PositionSet::EMPTY,
    };

    /// The unit on a position.
    #[must_use]
    #[inline]
    pub fn at(&self, position: Position) -> Option<Unit> {
        // The index of a position is below POSITIONS, so the default is never taken.
        self.at.get(position.index()).copied().flatten()
    }

    /// The positions that the army stands on.
    #[must_use]
    pub const fn held(&self) -> PositionSet {
        self.held
    }

    /// Puts a unit on a position, in place of one that stood there.
    #[inline]
    pub fn place(&mut self, position: Position, unit: Unit) {
        self.lift(position);
        if let Some(slot) = self.at.get_mut(position.index()) {
            *slot = Some(unit);
            self.held.insert(position);
            if let Some(arm) = self.arm_mut(unit) {
                arm.insert(position);
            }
        }
    }

    /// The set that a unit's arm has, if it has one.
    #[inline]
    const fn arm_mut(&mut self, unit: Unit) -> Option<&mut PositionSet> {
        match unit.arm() {
            Arm::General => Some(&mut self.generals),
            Arm::Artillery => Some(&mut self.guns),
            Arm::Guerrillas => Some(&mut self.guerrillas),
            Arm::Infantry | Arm::Cavalry => None,
        }
    }

    /// Takes the unit off a position.
    #[inline]
    pub fn lift(&mut self, position: Position) -> Option<Unit> {
        let unit = self.at.get_mut(position.index()).and_then(Option::take)?;
        self.held.remove(position);
        if let Some(arm) = self.arm_mut(unit) {
            arm.remove(position);
        }
        Some(unit)
    }

    /// The units in board order.
    pub fn units(&self) -> impl Iterator<Item = (Position, Unit)> + '_ {
        self.held.iter().filter_map(|position| self.at(position).map(|unit| (position, unit)))
    }

    /// The positions on which units of one kind stand.
    #[must_use]
    pub fn positions_of(&self, unit: Unit) -> PositionSet {
        match unit.arm() {
            Arm::General => self.generals,
            Arm::Artillery => self.guns,
            Arm::Guerrillas => self.guerrillas,
            Arm::Infantry | Arm::Cavalry => {
                self.held.iter().filter(|&position| self.at(position) == Some(unit)).collect()
            }
        }
    }

    /// How many Generals the army has on the board: one, or in analysis any number.
    #[must_use]
    pub const fn generals(&self) -> usize {
        self.generals.len()
    }

    /// The number of units.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether no unit is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

impl FromIterator<(Position, Unit)> for Army {
    fn from_iter<I: IntoIterator<Item = (Position, Unit)>>(units: I) -> Self {
        let mut army = Army::EMPTY;
        for (position, unit) in units {
            army.place(position, unit);
        }
        army
    }
}

impl std::fmt::Debug for Army {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.units().map(|(position, unit)| (position, unit.code()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_army_has_forty_units() {
        assert_eq!(Unit::ALL.into_iter().map(Unit::number).sum::<usize>(), ARMY);
    }

    #[test]
    fn codes_are_read_as_they_are_written() {
        for unit in Unit::ALL {
            assert_eq!(Unit::from_code(unit.code()), Some(unit));
        }
        assert_eq!(Unit::from_code("I4"), None);
    }

    #[test]
    fn an_army_knows_where_it_stands() {
        let at = |text| Position::parse(text).unwrap();
        let mut army: Army = [(at("H7"), Unit::Infantry2), (at("A1"), Unit::General)].into_iter().collect();
        assert_eq!(army.len(), 2);
        assert_eq!(army.lift(at("H7")), Some(Unit::Infantry2));
        assert_eq!(army.lift(at("H7")), None);
        assert_eq!(army.generals(), 1);
        assert_eq!(army.held().iter().collect::<Vec<_>>(), [at("A1")]);
    }
}
