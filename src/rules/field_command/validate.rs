//! Legality: which orders of a list are carried out, and why the others are not.
//!
//! Each side's list is judged by itself from the position at dawn; the enemy's units
//! never matter. The steps are those of docs/rulings.md: an order that is wrong by
//! itself drops out and disturbs no other; of the rest, two for one unit are both
//! illegal; of the rest, all to one destination are illegal; and at last every order
//! into a position that an own unit does not leave is struck, again and again, until
//! nothing changes. The verdicts do not depend on the order of the lines.

use super::order::{Order, Orders};
use super::position::{POSITIONS, Position};
use super::unit::{Army, Unit};

/// Why an order is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No own unit stands on the start.
    NoOwnUnit,
    /// Start and destination are the same position.
    NotAMove,
    /// The destination is further than the unit may move.
    TooFar,
    /// The list orders the unit more than once.
    UnitOrderedTwice,
    /// The list moves more than one unit to the destination.
    SharedDestination,
    /// An own unit stays on the destination.
    DestinationHeld,
}

impl Reason {
    /// The word in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Reason::NoOwnUnit => "no_own_unit",
            Reason::NotAMove => "not_a_move",
            Reason::TooFar => "too_far",
            Reason::UnitOrderedTwice => "unit_ordered_twice",
            Reason::SharedDestination => "shared_destination",
            Reason::DestinationHeld => "destination_held",
        }
    }
}

/// What became of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The order.
    pub order: Order,
    /// The own unit on its start, if there is one.
    pub unit: Option<Unit>,
    /// Why it is illegal; `None` if it is legal.
    pub reason: Option<Reason>,
}

/// A legal order with the unit that carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The unit.
    pub unit: Unit,
    /// Where it stood at dawn.
    pub from: Position,
    /// Where it stands after the moves.
    pub to: Position,
}

/// A list of orders with its verdicts. Only [`validate`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lawful(Vec<Verdict>);

impl Lawful {
    /// The verdicts, in the order of the lines.
    #[must_use]
    pub fn verdicts(&self) -> &[Verdict] {
        &self.0
    }

    /// The moves that are carried out.
    pub fn legal(&self) -> impl Iterator<Item = Move> + '_ {
        self.0.iter().filter_map(|verdict| match (verdict.reason, verdict.unit) {
            (None, Some(unit)) => Some(Move { unit, from: verdict.order.from, to: verdict.order.to }),
            _ => None,
        })
    }
}

/// Judges a list from where the army stands at dawn.
#[must_use]
pub fn validate(army: &Army, orders: &Orders) -> Lawful {
    let mut verdicts: Vec<Verdict> = orders
        .as_slice()
        .iter()
        .map(|&order| {
            let unit = army.at(order.from);
            Verdict { order, unit, reason: alone(unit, order) }
        })
        .collect();
    strike_repeated(&mut verdicts, |order| order.from, Reason::UnitOrderedTwice);
    strike_repeated(&mut verdicts, |order| order.to, Reason::SharedDestination);
    strike_held(&mut verdicts, army);
    Lawful(verdicts)
}

/// Step a: what is wrong with an order by itself.
fn alone(unit: Option<Unit>, order: Order) -> Option<Reason> {
    match unit {
        None => Some(Reason::NoOwnUnit),
        Some(_) if order.from == order.to => Some(Reason::NotAMove),
        Some(unit) if order.from.distance(order.to) > unit.allowance() => Some(Reason::TooFar),
        Some(_) => None,
    }
}

/// Steps b and c: of the orders still standing, all that name one position are illegal.
fn strike_repeated(verdicts: &mut [Verdict], names: impl Fn(Order) -> Position, reason: Reason) {
    let mut times = [0u8; POSITIONS];
    let mut repeated = false;
    for verdict in verdicts.iter().filter(|verdict| verdict.reason.is_none()) {
        if let Some(times) = times.get_mut(names(verdict.order).index()) {
            *times += 1;
            repeated |= *times > 1;
        }
    }
    if !repeated {
        return;
    }
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.reason.is_none()) {
        if times.get(names(verdict.order).index()).is_some_and(|&times| times > 1) {
            verdict.reason = Some(reason);
        }
    }
}

/// No order, in the tables of [`strike_held`].
const NOBODY: u8 = u8::MAX;

/// Step d: strikes each order into a position that an own unit does not leave. A struck
/// order's unit stays, which may hold the destination of another order.
///
/// After steps b and c no two standing orders share a start or a destination, so each
/// position that stays held stops at most one order, and the chain is followed backwards.
fn strike_held(verdicts: &mut [Verdict], army: &Army) {
    // Which order leaves a position, and which enters it.
    let (mut leaves, mut enters) = ([NOBODY; POSITIONS], [NOBODY; POSITIONS]);
    for (n, verdict) in (0u8..).zip(verdicts.iter()).filter(|(_, verdict)| verdict.reason.is_none()) {
        if let (Some(leaves), Some(enters)) =
            (leaves.get_mut(verdict.order.from.index()), enters.get_mut(verdict.order.to.index()))
        {
            (*leaves, *enters) = (n, n);
        }
    }
    for n in 0..verdicts.len() {
        let Some(to) = verdicts.get(n).filter(|verdict| verdict.reason.is_none()).map(|verdict| verdict.order.to)
        else {
            continue;
        };
        if army.at(to).is_none() || leaves.get(to.index()).is_some_and(|&leaver| leaver != NOBODY) {
            continue;
        }
        let mut stays = to;
        while let Some(verdict) = enters
            .get(stays.index())
            .and_then(|&entering| verdicts.get_mut(usize::from(entering)))
            .filter(|verdict| verdict.reason.is_none())
        {
            verdict.reason = Some(Reason::DestinationHeld);
            stays = verdict.order.from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(units: &[(&str, Unit)], orders: &[&str]) -> Vec<Option<&'static str>> {
        let at = |text: &str| Position::parse(text).unwrap();
        let army: Army = units.iter().map(|&(position, unit)| (at(position), unit)).collect();
        let mut list = Orders::default();
        for order in orders {
            let (from, to) = order.split_once('-').unwrap();
            list.push(Order { from: at(from), to: at(to) }).unwrap();
        }
        validate(&army, &list).verdicts().iter().map(|verdict| verdict.reason.map(Reason::word)).collect()
    }

    #[test]
    fn a_ring_turns_and_a_column_follows() {
        let units = [("H5", Unit::Infantry1), ("H6", Unit::Infantry2), ("G5", Unit::Guerrillas)];
        assert_eq!(verdicts(&units, &["H5-H6", "H6-G5", "G5-H5"]), [None; 3]);
        assert_eq!(verdicts(&units, &["G5-F5", "H5-G5"]), [None; 2]);
    }

    #[test]
    fn a_held_destination_knocks_on_through_the_column() {
        let units = [("K5", Unit::Infantry1), ("J5", Unit::Infantry2), ("H5", Unit::Cavalry2), ("G5", Unit::General)];
        let held = Some("destination_held");
        assert_eq!(verdicts(&units, &["K5-J5", "J5-H5", "H5-G5"]), [held; 3]);
        assert_eq!(verdicts(&units, &["H5-G5", "K5-J5", "J5-H5"]), [held; 3]);
    }

    #[test]
    fn an_order_wrong_by_itself_disturbs_no_other() {
        let units = [("H5", Unit::Infantry1), ("F6", Unit::General)];
        assert_eq!(verdicts(&units, &["H5-G5", "F6-G5"]), [None, Some("too_far")]);
        assert_eq!(
            verdicts(&units, &["H5-G5", "H5-F5", "H5-A1"]),
            [Some("unit_ordered_twice"), Some("unit_ordered_twice"), Some("too_far")]
        );
    }
}
