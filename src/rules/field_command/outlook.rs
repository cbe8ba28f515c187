//! What may come of a day, seen from the open board at dawn: where a unit can go and how a
//! meeting there would end, who can arrive on a position, and how a side's own units will
//! stand once its orders are carried out.
//!
//! All of it is computed from what both sides can see, and from the asking side's own list.
//! The same question asked by the other side is answered in the same way.

use serde::Serialize;

use super::board::Board;
use super::confrontation::{Removed, confront};
use super::guns::{GunMove, possible_guns_on};
use super::movement::carry_out;
use super::order::Orders;
use super::position::{POSITIONS, Position, PositionSet};
use super::unit::{Army, Unit};
use super::validate::validate;
use crate::rules::side::{BySide, Side};
use crate::rules::table::Prospect;

/// What happens to `unit` when it meets `against` on a position.
#[must_use]
pub fn prospect(board: &Board, at: Position, unit: Unit, against: Option<Unit>) -> Prospect {
    match against.map(|against| confront(unit, against, board.terrain(at))) {
        None => Prospect::Free,
        Some(Removed::First) => Prospect::Loses,
        Some(Removed::Second) => Prospect::Wins,
        Some(Removed::Both) => Prospect::Both,
    }
}

/// The positions at most `steps` away from one, itself included, in board order.
pub fn within(middle: Position, steps: u8) -> impl Iterator<Item = Position> {
    Position::all().filter(move |at| at.distance(middle) <= steps)
}

/// Where the unit of `side` on `from` can go, in board order and without `from` itself; nothing
/// if no such unit stands there. Positions of own units are among them, since those may leave.
#[must_use]
pub fn reach(board: &Board, armies: &BySide<Army>, side: Side, from: Position) -> Vec<(Position, Prospect)> {
    let Some(unit) = armies.get(side).at(from) else { return Vec::new() };
    let enemy = armies.get(side.other());
    within(from, unit.allowance())
        .filter(|&at| at != from)
        .map(|at| (at, prospect(board, at, unit, enemy.at(at))))
        .collect()
}

/// A unit that can stand on a position at the end of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// Where it stands at dawn: the position itself if it is there and may stay.
    pub from: Position,
    /// The unit.
    pub unit: Unit,
    /// What happens to it against the unit that was asked about.
    pub prospect: Prospect,
}

/// Which units of `side` can stand on `at` at the end of the moves, in board order, and what happens
/// to each of them against the unit named. A unit that stands there already is among them: it may stay.
#[must_use]
pub fn arrivals(board: &Board, armies: &BySide<Army>, side: Side, at: Position, against: Option<Unit>) -> Vec<Arrival> {
    armies
        .get(side)
        .units()
        .filter(|(from, unit)| from.distance(at) <= unit.allowance())
        .map(|(from, unit)| Arrival { from, unit, prospect: prospect(board, at, unit, against) })
        .collect()
}

/// How many units of an army can stand on each position at the end of the moves, in board order.
/// Each counts on its own position too, since it may stay.
#[must_use]
pub fn reach_counts(army: &Army) -> [u8; POSITIONS] {
    let mut counts = [0; POSITIONS];
    for (from, unit) in army.units() {
        for at in within(from, unit.allowance()) {
            if let Some(count) = counts.get_mut(at.index()) {
                *count += 1;
            }
        }
    }
    counts
}

/// Where units of an army can stand at the end of the moves; see [`reach_counts`].
#[must_use]
pub fn reachable(army: &Army) -> PositionSet {
    Position::all().zip(reach_counts(army)).filter(|&(_, count)| count > 0).map(|(at, _)| at).collect()
}

/// An own unit where it will stand when the side's orders are carried out, and what may happen to it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dusk {
    /// Where it will stand.
    pub at: Position,
    /// Where it stands at dawn.
    pub from: Position,
    /// The unit.
    pub unit: Unit,
    /// What happens to it if the enemy unit on `at` stays there.
    pub prospect: Prospect,
    /// The enemy units that can be on `at` and remove it, seen from them: each wins or goes with it.
    pub beaten_by: Vec<Arrival>,
    /// The enemy guns that cover `at` if they stay where they are.
    pub guns_now: Vec<Position>,
    /// The other enemy guns, with the moves after which they cover `at`.
    pub guns_possible: Vec<GunMove>,
}

impl Dusk {
    /// Whether nothing that the enemy may do removes the unit.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.beaten_by.is_empty() && self.guns_now.is_empty() && self.guns_possible.is_empty()
    }
}

/// Where an army stands when its legal orders are carried out and nothing else has happened yet.
#[must_use]
pub fn after(army: &Army, orders: &Orders) -> Army {
    let mut moved = *army;
    carry_out(&mut moved, &validate(army, orders));
    moved
}

/// Each unit of `side` where it will stand after the side's own legal orders, in board order of where it
/// will stand, with all that the enemy may do to it.
///
/// A gun that stays on, or moves to, a position where an own unit will stand then is not
/// counted: it is removed before it fires, unless that unit is the General. Guerrillas are never hit.
#[must_use]
pub fn dusk(board: &Board, armies: &BySide<Army>, side: Side, orders: &Orders) -> Vec<Dusk> {
    let (mine, enemy) = (armies.get(side), armies.get(side.other()));
    let lawful = validate(mine, orders);
    let mut stands = *mine;
    carry_out(&mut stands, &lawful);
    let silent = stands.held().without(stands.positions_of(Unit::General));
    stands
        .units()
        .map(|(at, unit)| {
            let guns: Vec<GunMove> = if unit == Unit::Guerrillas {
                Vec::new()
            } else {
                possible_guns_on(board, enemy, at).into_iter().filter(|gun| !silent.contains(gun.to)).collect()
            };
            let guns_now: Vec<Position> = guns.iter().filter(|gun| gun.stays()).map(|gun| gun.from).collect();
            let guns_possible = guns.into_iter().filter(|gun| !guns_now.contains(&gun.from)).collect();
            let mut beaten_by = arrivals(board, armies, side.other(), at, Some(unit));
            beaten_by.retain(|arrival| arrival.prospect.removes());
            Dusk {
                at,
                from: lawful.legal().find(|order| order.to == at).map_or(at, |order| order.from),
                unit,
                prospect: prospect(board, at, unit, enemy.at(at)),
                beaten_by,
                guns_now,
                guns_possible,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::maps;
    use super::super::order::Order;
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn army(units: &[(&str, Unit)]) -> Army {
        units.iter().map(|&(position, unit)| (at(position), unit)).collect()
    }

    fn list(orders: &[(&str, &str)]) -> Orders {
        let mut list = Orders::default();
        for &(from, to) in orders {
            list.push(Order { from: at(from), to: at(to) }).unwrap();
        }
        list
    }

    #[test]
    fn where_a_unit_can_go_and_how_it_ends_there() {
        // G6 is forest, H7 forest, F7 forest, H5 forest on the printed board.
        let armies = BySide {
            red: army(&[("H7", Unit::Infantry2), ("H6", Unit::Cavalry1)]),
            blue: army(&[("F7", Unit::Infantry3), ("G6", Unit::Infantry1), ("G8", Unit::Infantry2)]),
        };
        let reach = reach(maps::classic(), &armies, Side::Red, at("H7"));
        assert_eq!(reach.len(), 12);
        let of = |name: &str| reach.iter().find(|(position, _)| *position == at(name)).map(|(_, prospect)| *prospect);
        assert_eq!(of("F7"), Some(Prospect::Wins));
        assert_eq!(of("G6"), Some(Prospect::Loses));
        assert_eq!(of("G8"), Some(Prospect::Both));
        assert_eq!(of("H6"), Some(Prospect::Free), "an own unit may leave");
        assert_eq!(of("H7"), None);
        assert_eq!(of("E7"), None);
        assert!(super::reach(maps::classic(), &armies, Side::Blue, at("H7")).is_empty());
    }

    #[test]
    fn terrain_decides_between_arms() {
        // H3 is open field, H2 too; G3 is forest.
        let board = maps::classic();
        assert_eq!(prospect(board, at("H3"), Unit::Cavalry3, Some(Unit::Infantry1)), Prospect::Wins);
        assert_eq!(prospect(board, at("G3"), Unit::Cavalry3, Some(Unit::Infantry1)), Prospect::Loses);
        assert_eq!(prospect(board, at("G3"), Unit::General, Some(Unit::General)), Prospect::Both);
    }

    #[test]
    fn who_can_arrive_and_who_stays() {
        let armies = BySide {
            red: army(&[("H7", Unit::Infantry2), ("J7", Unit::Cavalry1), ("K7", Unit::Guerrillas)]),
            blue: army(&[("E6", Unit::Infantry3)]),
        };
        let found = arrivals(maps::classic(), &armies, Side::Red, at("H7"), Some(Unit::Infantry3));
        let expected = [
            Arrival { from: at("H7"), unit: Unit::Infantry2, prospect: Prospect::Wins },
            Arrival { from: at("J7"), unit: Unit::Cavalry1, prospect: Prospect::Loses },
            Arrival { from: at("K7"), unit: Unit::Guerrillas, prospect: Prospect::Loses },
        ];
        assert_eq!(found, expected);
        let free = arrivals(maps::classic(), &armies, Side::Blue, at("F7"), None);
        assert_eq!(free, [Arrival { from: at("E6"), unit: Unit::Infantry3, prospect: Prospect::Free }]);
    }

    #[test]
    fn dusk_shows_what_may_happen_after_the_own_orders() {
        let armies = BySide {
            red: army(&[("H7", Unit::Infantry2), ("J5", Unit::Guerrillas), ("K11", Unit::General)]),
            blue: army(&[("E7", Unit::Artillery), ("D7", Unit::Infantry1), ("E6", Unit::Infantry3)]),
        };
        let board = maps::classic();
        let dusk = dusk(board, &armies, Side::Red, &list(&[("H7", "F7"), ("J5", "J9")]));
        let seen: Vec<(String, String)> = dusk.iter().map(|d| (d.at.to_string(), d.from.to_string())).collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(seen, [pair("F7", "H7"), pair("J5", "J5"), pair("K11", "K11")], "J5-J9 is too far");
        // E7 lies on altitude 3, F7 on 2: the gun bears as it stands.
        assert_eq!(dusk[0].guns_now, [at("E7")]);
        assert_eq!(dusk[0].guns_possible, []);
        assert_eq!(
            dusk[0].beaten_by,
            [Arrival { from: at("D7"), unit: Unit::Infantry1, prospect: Prospect::Wins }],
            "3rd Infantry and Artillery can come too, but lose"
        );
        assert!(dusk[1].is_safe() && dusk[2].is_safe());
    }

    #[test]
    fn a_gun_that_is_overrun_does_not_fire_and_guerrillas_are_not_hit() {
        let armies = BySide {
            red: army(&[("F7", Unit::Infantry2), ("F8", Unit::Infantry2), ("G7", Unit::Guerrillas)]),
            blue: army(&[("E7", Unit::Artillery)]),
        };
        let board = maps::classic();
        let before = dusk(board, &armies, Side::Red, &Orders::default());
        assert_eq!(before[0].guns_now, [at("E7")]);
        assert!(before[2].guns_now.is_empty() && before[2].guns_possible.is_empty());
        let overrun = dusk(board, &armies, Side::Red, &list(&[("F7", "E7")]));
        assert_eq!((overrun[0].at, overrun[0].prospect), (at("E7"), Prospect::Wins));
        assert!(overrun.iter().all(|unit| unit.guns_now.is_empty()));
    }

    #[test]
    fn what_an_army_reaches() {
        let one = army(&[("A1", Unit::Cavalry1), ("A2", Unit::General)]);
        let counts = reach_counts(&one);
        assert_eq!(reachable(&one).len(), 10);
        assert_eq!((counts[at("A1").index()], counts[at("A4").index()], counts[at("B3").index()]), (2, 1, 1));
    }

    fn armies() -> impl Strategy<Value = BySide<Army>> {
        proptest::collection::vec((0usize..121, 0usize..9, any::<bool>()), 2..50).prop_map(|units| {
            let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
            for (index, unit, red) in units {
                let at = Position::from_index(index).unwrap();
                if armies.red.at(at).or(armies.blue.at(at)).is_none() {
                    armies.get_mut(if red { Side::Red } else { Side::Blue }).place(at, Unit::ALL[unit]);
                }
            }
            armies
        })
    }

    fn turned(army: &Army) -> Army {
        army.units().map(|(position, unit)| (position.turned(), unit)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// The board turned by 180° with the sides exchanged has the same outlook, turned.
        #[test]
        fn the_outlook_is_the_same_for_both_sides(dawn in armies(), picks in proptest::collection::vec((0usize..121, 0usize..121), 0..12)) {
            let board = maps::classic();
            let other = BySide { red: turned(&dawn.blue), blue: turned(&dawn.red) };
            let (mut orders, mut turned_orders) = (Orders::default(), Orders::default());
            for (from, to) in picks {
                let order = Order { from: Position::from_index(from).unwrap(), to: Position::from_index(to).unwrap() };
                orders.push(order).unwrap();
                turned_orders.push(Order { from: order.from.turned(), to: order.to.turned() }).unwrap();
            }
            let turn = |arrivals: &[Arrival]| -> Vec<Arrival> {
                arrivals.iter().rev().map(|a| Arrival { from: a.from.turned(), ..*a }).collect()
            };
            let mine = dusk(board, &dawn, Side::Red, &orders);
            let theirs = dusk(board, &other, Side::Blue, &turned_orders);
            prop_assert_eq!(mine.len(), theirs.len());
            for (a, b) in mine.iter().zip(theirs.iter().rev()) {
                prop_assert_eq!((a.at, a.from, a.unit, a.prospect), (b.at.turned(), b.from.turned(), b.unit, b.prospect));
                prop_assert_eq!(&a.beaten_by, &turn(&b.beaten_by));
                prop_assert_eq!(&a.guns_now, &b.guns_now.iter().rev().map(|gun| gun.turned()).collect::<Vec<_>>());
                let turned_moves: Vec<_> = b.guns_possible.iter().rev().map(|gun| GunMove { from: gun.from.turned(), to: gun.to.turned() }).collect();
                prop_assert_eq!(&a.guns_possible, &turned_moves);
            }
            for at in Position::all() {
                let here = reach(board, &dawn, Side::Red, at);
                let there: Vec<_> = reach(board, &other, Side::Blue, at.turned()).into_iter().rev().map(|(at, prospect)| (at.turned(), prospect)).collect();
                prop_assert_eq!(here, there);
            }
        }

        /// What is called safe is not removed, whatever the enemy orders.
        #[test]
        fn what_is_called_safe_is_not_removed(
            dawn in armies(),
            mine in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..121), 0..12),
            theirs in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..12),
        ) {
            let board = maps::classic();
            let start = |army: &Army, pick: prop::sample::Index| army.units().nth(pick.index(army.len().max(1)));
            let (mut own, mut enemy) = (Orders::default(), Orders::default());
            for (pick, to) in mine {
                if let Some((from, unit)) = start(&dawn.red, pick) {
                    let near: Vec<Position> = within(from, unit.allowance()).collect();
                    own.push(Order { from, to: near[to % near.len()] }).unwrap();
                }
            }
            for (pick, to) in theirs {
                if let Some((from, unit)) = start(&dawn.blue, pick) {
                    let near: Vec<Position> = within(from, unit.allowance()).collect();
                    enemy.push(Order { from, to: near[to.index(near.len())] }).unwrap();
                }
            }
            let day = super::super::day::resolve(board, &dawn, BySide { red: &own, blue: &enemy });
            for unit in dusk(board, &dawn, Side::Red, &own) {
                if unit.is_safe() {
                    prop_assert_eq!(day.dusk.red.at(unit.at), Some(unit.unit), "{} was removed", unit.at);
                }
            }
        }
    }
}
