//! What can happen at all on the awaited day, whatever both sides order: from the open board alone.
//!
//! Every unit may end anywhere within its allowance; that an own unit may hold a target is left out of it.
//! So a day may turn out quieter than is said here, but never less quiet.

use super::board::Board;
use super::position::{Position, PositionSet};
use super::standing::Standing;
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};

/// How much can happen on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contact {
    /// No units can meet, and no gun can cover an enemy.
    None,
    /// Only a unit that moves can be removed: what stays on its position is out of all reach.
    OfMovers,
    /// A unit can be removed where it stands.
    Anywhere,
}

impl Standing {
    /// How much can happen on the awaited day: no contact while armies are being deployed.
    #[must_use]
    pub fn contact(&self) -> Contact {
        contact(&self.setup().board, self.armies())
    }

    /// A sentence for the players, if the awaited day can bring nothing or little; `None` for an ordinary day.
    #[must_use]
    pub fn calm(&self) -> Option<String> {
        let day = self.turn();
        match self.contact() {
            _ if day == 0 || self.ending().is_some() => None,
            Contact::None => Some(format!("No units can meet on day {day}, and no gun can hit anything.")),
            Contact::OfMovers => Some(format!(
                "No unit that stays where it is can be met or hit on day {day}: the enemy is too far away. \
                 Only units that move forward may come into contact."
            )),
            Contact::Anywhere => None,
        }
    }
}

/// How much can happen on a day that begins with these armies.
#[must_use]
pub fn contact(board: &Board, armies: &BySide<Army>) -> Contact {
    let reach = BySide::from_fn(|side| reach(armies.get(side), |_| true));
    let fire = BySide::from_fn(|side| fire(board, armies.get(side)));
    let can_be_hit = |unit: Unit| unit != Unit::Guerrillas;
    let any = |touched: &dyn Fn(Side) -> bool| Side::BOTH.into_iter().any(touched);
    let stays_in_reach = |side: Side| {
        let army = armies.get(side);
        let targets = army.held().without(army.positions_of(Unit::Guerrillas));
        let enemy = side.other();
        !reach.get(enemy).and(army.held()).is_empty() || !fire.get(enemy).and(targets).is_empty()
    };
    let moves_into_reach = |side: Side| {
        let targets = self::reach(armies.get(side), can_be_hit);
        !reach.red.and(reach.blue).is_empty() || !fire.get(side.other()).and(targets).is_empty()
    };
    if any(&stays_in_reach) {
        Contact::Anywhere
    } else if any(&moves_into_reach) {
        Contact::OfMovers
    } else {
        Contact::None
    }
}

/// Where units of some kinds may stand at dusk.
fn reach(army: &Army, of: impl Fn(Unit) -> bool) -> PositionSet {
    let units = army.units().filter(|(_, unit)| of(*unit));
    units.fold(PositionSet::EMPTY, |all, (at, unit)| all.or(around(at, unit.allowance())))
}

/// What an army's guns may cover at dusk.
fn fire(board: &Board, army: &Army) -> PositionSet {
    let sites = reach(army, |unit| unit == Unit::Artillery);
    sites.iter().fold(PositionSet::EMPTY, |all, site| all.or(board.sight(site)))
}

/// The positions within a distance.
fn around(at: Position, distance: u8) -> PositionSet {
    Position::all().filter(|position| position.distance(at) <= distance).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::deployment::zone;
    use super::super::{Setup, Sheet, maps, ready};
    use super::*;

    /// Day 1 after two ready-made deployments.
    fn day_1(red: &str, blue: &str) -> Standing {
        let board = Arc::clone(maps::classic());
        let open = Standing::open(Setup { board, no_removal_limit: 12, day_limit: 0 });
        let ready = |key: &str, side| {
            Sheet::Deployment(ready::ALL.iter().find(|ready| ready.key == key).unwrap().deployment(side))
        };
        assert_eq!((open.contact(), open.calm()), (Contact::None, None));
        open.resolve(BySide { red: &ready(red, Side::Red), blue: &ready(blue, Side::Blue) }).0
    }

    fn after(standing: &Standing, red: &str, blue: &str) -> (Standing, bool) {
        let sheets =
            BySide { red: standing.parse(Side::Red, red).unwrap(), blue: standing.parse(Side::Blue, blue).unwrap() };
        let (next, _) = standing.resolve(sheets.as_ref());
        let left = next.armies().red.len() + next.armies().blue.len();
        (next, left < standing.armies().red.len() + standing.armies().blue.len())
    }

    /// On the named boards, for every deployment at once: an army of nothing but Cavalry and one of nothing but
    /// guns fill the zones. What stays in its zone on day 1 can be neither met nor hit.
    #[test]
    fn on_day_1_nothing_is_removed_where_it_was_deployed() {
        for map in maps::ALL {
            for fast in [Unit::Cavalry1, Unit::Guerrillas] {
                for side in Side::BOTH {
                    let reach = reach(&zone(side).iter().map(|at| (at, fast)).collect(), |_| true);
                    assert!(reach.and(zone(side.other())).is_empty(), "{}: {side:?} comes too far", map.name());
                    let guns = fire(map.board(), &zone(side).iter().map(|at| (at, Unit::Artillery)).collect());
                    assert!(guns.and(zone(side.other())).is_empty(), "{}: {side:?} fires too far", map.name());
                }
            }
        }
    }

    /// Day 1 is not free of contact altogether: between the zones lie four positions at the narrowest, and where
    /// both sides go forward units do meet.
    #[test]
    fn on_day_1_units_that_go_forward_may_meet() {
        let day_1 = day_1("balanced", "balanced");
        assert_eq!(day_1.contact(), Contact::OfMovers);
        assert!(day_1.calm().unwrap().contains("stays where it is") && day_1.calm().unwrap().contains("day 1"));
        assert!(after(&day_1, "I4-G4", "E4-G4").1, "two units of Infantry meet on G4");
        assert!(!after(&day_1, "I4-G4", "").1);
        let (day_2, _) = after(&day_1, "I4-G4", "");
        assert_eq!((day_2.contact(), day_2.calm()), (Contact::Anywhere, None));
    }

    /// Every pair of ready-made deployments leaves day 1 to those who move.
    #[test]
    fn ready_made_deployments_are_out_of_reach_of_each_other() {
        for red in ready::ALL {
            for blue in ready::ALL {
                assert_eq!(day_1(red.key, blue.key).contact(), Contact::OfMovers, "{} {}", red.key, blue.key);
            }
        }
    }

    #[test]
    fn what_counts_is_reach_and_sight() {
        fn at(text: &str) -> Position {
            Position::parse(text).unwrap()
        }
        let board = maps::classic();
        let armies = |red: (&str, Unit), blue: (&str, Unit)| BySide {
            red: [(at(red.0), red.1)].into_iter().collect(),
            blue: [(at(blue.0), blue.1)].into_iter().collect(),
        };
        let general = |place| (place, Unit::General);
        assert_eq!(contact(board, &armies(general("K11"), general("A1"))), Contact::None);
        assert_eq!(contact(board, &armies(general("E5"), general("E7"))), Contact::OfMovers);
        assert_eq!(contact(board, &armies(general("E5"), ("E8", Unit::Cavalry1))), Contact::Anywhere);
        // A gun on A8 covers D8 without a step, but no Guerrillas.
        assert_eq!(contact(board, &armies(("A8", Unit::Artillery), general("D8"))), Contact::Anywhere);
        assert_eq!(contact(board, &armies(("A8", Unit::Artillery), ("E8", Unit::Guerrillas))), Contact::OfMovers);
    }
}
