//! The danger to a General on the coming day: for each position where he can end, who can
//! come there and which guns may bear, and whether anything can save him.
//!
//! # What is certain and what is only possible
//!
//! The General can end on his own position or on any of the (at most four) adjacent ones. One that
//! holds an own unit is open too, since the two can always change places. He is removed by whatever
//! enemy unit ends where he ends, the enemy General included, and by every gun that covers him and
//! still stands when the guns fire.
//!
//! - Where an enemy *unit* ends is for the enemy alone to decide: legality never asks for the other
//!   side's units, so no list of the General's side prevents it.
//! - That an enemy *gun* fires is certain only if no unit of the General's side can end where it fires
//!   from. Any unit there does away with it first, except the General, who falls himself.
//!
//! A list of the enemy covers a position *surely* if, once it is carried out, an enemy unit stands there or
//! such a gun covers it. A list that surely covers every position on which the General can end removes
//! him whatever his side orders: his loss is `General::certain`, if the enemy writes that list. Each enemy
//! unit goes to one place, so such a list is a matching of units to positions, in which a gun may cover
//! several at once. Now and then a loss that cannot be prevented is missed (of two guns only one can be
//! silenced), but none is claimed that can be prevented. Whatever is not certain is called possible and no more.

use serde::Serialize;

use super::board::Board;
use super::guns::{GunMove, possible_guns_on};
use super::hunt::{self, Hunt};
use super::order::{Order, Orders};
use super::outlook::{Arrival, prospect, within};
use super::position::{Position, PositionSet};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Outcome, Side};

/// A position on which a General can end the day's moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The position: the General's own comes first, then the adjacent ones in board order.
    pub at: Position,
    /// The other own unit that stands there at dawn and has to make room for him.
    pub own: Option<Unit>,
    /// The enemy unit that stands there at dawn.
    pub enemy: Option<Unit>,
    /// The enemy units that can come there from elsewhere; each removes him.
    pub arrivals: Vec<Arrival>,
    /// The enemy guns that cover it from where they stand.
    pub guns_now: Vec<Gun>,
    /// The other enemy guns that may cover it, with the moves after which they do.
    pub guns_possible: Vec<Gun>,
}

/// An enemy gun that may cover a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gun {
    /// The gun, and where it fires from.
    #[serde(flatten)]
    pub gun: GunMove,
    /// Whether no unit but the General can reach where it fires from, so that it fires in any case.
    pub sure: bool,
}

impl Place {
    /// Whether the enemy can remove a General who ends here, by one list or another.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.enemy.is_some() || !self.arrivals.is_empty() || !self.guns_now.is_empty() || !self.guns_possible.is_empty()
    }
}

/// The danger to one side's General.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct General {
    /// Whose General.
    pub side: Side,
    /// Where he can end, at most five positions.
    pub places: Vec<Place>,
    /// How many of the places the enemy can surely cover by one and the same list.
    pub at_once: usize,
    /// If those are all of them: a list of the enemy that removes the General whatever his side orders. It may be empty.
    pub certain: Option<Vec<Order>>,
}

impl General {
    /// The places that the enemy can cover, each by itself; see [`Place::is_covered`].
    #[must_use]
    pub fn covered(&self) -> usize {
        self.places.iter().filter(|place| place.is_covered()).count()
    }

    /// The places that no enemy list can cover.
    pub fn safe(&self) -> impl Iterator<Item = Position> + '_ {
        self.places.iter().filter(|place| !place.is_covered()).map(|place| place.at)
    }
}

/// The danger to the General of `side`; `None` if the side has none on the board. Of several, which only analysis knows,
/// the first is looked at.
#[must_use]
pub fn general(board: &Board, armies: &BySide<Army>, side: Side) -> Option<General> {
    let (own, enemy) = (armies.get(side), armies.get(side.other()));
    let home = own.positions_of(Unit::General).iter().next()?;
    let at = places(home);
    let Hunt { orders, covered } = hunt::best(board, armies, side, &at);
    let certain = covered.len() == at.len();
    Some(General {
        side,
        places: at.iter().map(|&at| place(board, own, enemy, home, at)).collect(),
        at_once: covered.len(),
        certain: certain.then(|| orders.as_slice().to_vec()),
    })
}

/// Where a General can end, his own position first.
fn places(home: Position) -> Vec<Position> {
    let mut places = vec![home];
    places.extend(within(home, Unit::General.allowance()).filter(|&at| at != home));
    places
}

fn place(board: &Board, own: &Army, enemy: &Army, home: Position, at: Position) -> Place {
    let arrivals = enemy
        .units()
        .filter(|&(from, unit)| from != at && from.distance(at) <= unit.allowance())
        .map(|(from, unit)| Arrival { from, unit, prospect: prospect(board, at, unit, Some(Unit::General)) })
        .collect();
    let guns: Vec<Gun> = possible_guns_on(board, enemy, at)
        .into_iter()
        .map(|gun| Gun { gun, sure: !hunt::can_be_met(own, gun.to) })
        .collect();
    let (guns_now, mut guns_possible): (Vec<Gun>, Vec<Gun>) = guns.into_iter().partition(|gun| gun.gun.stays());
    guns_possible.retain(|gun| guns_now.iter().all(|now| now.gun.from != gun.gun.from));
    Place { at, own: own.at(at).filter(|_| at != home), enemy: enemy.at(at), arrivals, guns_now, guns_possible }
}

/// Whether both Generals can fall on the coming day, so that it may end in a draw.
#[must_use]
pub fn both_in_reach(board: &Board, armies: &BySide<Army>) -> bool {
    draw_by(board, armies).is_some()
}

/// One pair of lists by which both Generals fall on the coming day, if there is one. It is the proof of [`both_in_reach`]
/// and not a forecast. The rules themselves have confirmed it.
#[must_use]
pub fn draw_by(board: &Board, armies: &BySide<Army>) -> Option<BySide<Orders>> {
    let homes = BySide {
        red: armies.red.positions_of(Unit::General).iter().next()?,
        blue: armies.blue.positions_of(Unit::General).iter().next()?,
    };
    // The attacks on each side's General.
    let attacks = BySide::from_fn(|side| attacks(board, armies.get(side.other()), *homes.get(side)));
    for on_red in &attacks.red {
        for on_blue in &attacks.blue {
            let lists = BySide {
                red: plan(&armies.red, homes.red, on_red.place, on_blue.by),
                blue: plan(&armies.blue, homes.blue, on_blue.place, on_red.by),
            };
            if let BySide { red: Some(red), blue: Some(blue) } = lists {
                let day = super::day::resolve(board, armies, BySide { red: &red, blue: &blue });
                if day.ending.is_some_and(|ending| ending.outcome == Outcome::Draw) {
                    return Some(BySide { red, blue });
                }
            }
        }
    }
    None
}

/// A way to remove a General: he ends on `place`, and the enemy unit ends where it meets or covers him.
#[derive(Clone, Copy)]
struct Attack {
    place: Position,
    by: GunMove,
}

fn attacks(board: &Board, enemy: &Army, home: Position) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for place in places(home) {
        let arriving = enemy.units().filter(|(from, unit)| from.distance(place) <= unit.allowance());
        attacks.extend(arriving.map(|(from, _)| Attack { place, by: GunMove { from, to: place } }));
        attacks.extend(possible_guns_on(board, enemy, place).into_iter().map(|by| Attack { place, by }));
    }
    attacks
}

/// The list by which a General goes from `home` to `place` and another unit (or he himself) makes the attack; units that stand
/// in the way step aside. `None` if one unit or one position would serve for both.
fn plan(army: &Army, home: Position, place: Position, attack: GunMove) -> Option<Orders> {
    let himself = attack.from == home;
    if himself != (attack.to == place) {
        return None;
    }
    let mut moves = vec![Order { from: home, to: place }];
    if !himself {
        moves.push(Order { from: attack.from, to: attack.to });
    }
    let mut taken: PositionSet = moves.iter().map(|order| order.to).collect();
    let leaving: PositionSet = moves.iter().map(|order| order.from).collect();
    for held in taken.and(army.held()).without(leaving) {
        let unit = army.at(held)?;
        let open = |to: &Position| !taken.contains(*to) && (leaving.contains(*to) || army.at(*to).is_none());
        // A vacated position first: no enemy unit can stand there.
        let aside = within(held, unit.allowance()).filter(open).min_by_key(|to| !leaving.contains(*to))?;
        taken.insert(aside);
        moves.push(Order { from: held, to: aside });
    }
    let mut orders = Orders::default();
    for order in moves.into_iter().filter(|order| order.from != order.to) {
        orders.push(order).ok()?;
    }
    Some(orders)
}

#[cfg(test)]
mod tests {
    use super::super::maps;
    use super::super::order::LIMIT;
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn army(units: &[(&str, Unit)]) -> Army {
        units.iter().map(|&(position, unit)| (at(position), unit)).collect()
    }

    fn look(red: &[(&str, Unit)], blue: &[(&str, Unit)]) -> General {
        general(maps::classic(), &BySide { red: army(red), blue: army(blue) }, Side::Red).unwrap()
    }

    fn certain(general: &General) -> Option<Vec<String>> {
        general.certain.as_ref().map(|list| list.iter().map(Order::to_string).collect())
    }

    #[test]
    fn nobody_near() {
        let general = look(&[("K11", Unit::General)], &[("A1", Unit::General), ("F6", Unit::Cavalry1)]);
        let places: Vec<String> = general.places.iter().map(|place| place.at.to_string()).collect();
        assert_eq!(places, ["K11", "J11", "K10"]);
        assert_eq!((general.covered(), general.at_once, general.certain.as_ref()), (0, 0, None));
        assert_eq!(general.safe().count(), 3);
        let none = BySide { red: Army::EMPTY, blue: Army::EMPTY };
        assert_eq!(super::general(maps::classic(), &none, Side::Red), None);
    }

    #[test]
    fn three_riders_in_a_corner_are_certain_and_two_are_not() {
        // K11 has two neighbours; each Cavalry reaches all three positions.
        let two = look(&[("K11", Unit::General)], &[("J10", Unit::Cavalry1), ("I11", Unit::Cavalry2)]);
        assert_eq!((two.covered(), two.at_once, certain(&two)), (3, 2, None));
        let units = [("J10", Unit::Cavalry1), ("I11", Unit::Cavalry2), ("J9", Unit::Guerrillas)];
        let three = look(&[("K11", Unit::General)], &units);
        assert_eq!((three.covered(), three.at_once), (3, 3));
        assert_eq!(certain(&three).unwrap().len(), 3);
    }

    #[test]
    fn a_unit_that_stands_beside_him_covers_its_place_without_an_order() {
        let units = [("J11", Unit::Infantry1), ("K10", Unit::Infantry3), ("I11", Unit::Infantry2)];
        let general = look(&[("K11", Unit::General)], &units);
        assert_eq!(general.places[1].enemy, Some(Unit::Infantry1));
        assert_eq!(general.at_once, 3);
        // Two stay, the third comes to K11 over them.
        assert_eq!(certain(&general).unwrap(), ["I11-K11"]);
        let column =
            look(&[("K11", Unit::General)], &units.map(|(at, unit)| (if at == "I11" { "H11" } else { at }, unit)));
        assert_eq!(certain(&column).unwrap().len(), 2, "one goes in and the one behind takes its place");
    }

    #[test]
    fn own_units_do_not_wall_him_in_since_they_can_change_places_with_him() {
        let red = [("K11", Unit::General), ("J11", Unit::Infantry1), ("K10", Unit::Artillery)];
        let general = look(&red, &[("I11", Unit::Cavalry2), ("J10", Unit::Guerrillas)]);
        let places: Vec<_> = general.places.iter().map(|place| place.own).collect();
        assert_eq!(places, [None, Some(Unit::Infantry1), Some(Unit::Artillery)]);
        assert_eq!((general.covered(), general.at_once), (3, 2));
    }

    #[test]
    fn a_gun_is_sure_only_where_no_own_unit_can_come() {
        // H9 lies on altitude 3 and I10 on 1: the gun covers him two positions away.
        let board = maps::classic();
        let gun = at("H9");
        assert_eq!(board.ground(gun).altitude, 3);
        let alone = look(&[("I10", Unit::General)], &[("H9", Unit::Artillery)]);
        let here = &alone.places[0];
        assert_eq!(here.guns_now, [Gun { gun: GunMove { from: gun, to: gun }, sure: true }]);
        assert!(alone.at_once >= 1);
        let guarded = look(&[("I10", Unit::General), ("J9", Unit::Infantry3)], &[("H9", Unit::Artillery)]);
        assert!(!guarded.places[0].guns_now[0].sure);
        assert!(guarded.covered() >= 1 && guarded.certain.is_none());
    }

    #[test]
    fn a_general_can_catch_a_general_and_that_is_a_draw() {
        let near = BySide { red: army(&[("F6", Unit::General)]), blue: army(&[("F7", Unit::General)]) };
        assert!(both_in_reach(maps::classic(), &near));
        let far = BySide { red: army(&[("F6", Unit::General)]), blue: army(&[("F9", Unit::General)]) };
        assert!(!both_in_reach(maps::classic(), &far));
        let riders = BySide {
            red: army(&[("K11", Unit::General), ("A3", Unit::Cavalry1)]),
            blue: army(&[("A1", Unit::General), ("K9", Unit::Cavalry3)]),
        };
        let lists = draw_by(maps::classic(), &riders).unwrap();
        let day = super::super::day::resolve(maps::classic(), &riders, lists.as_ref());
        assert_eq!(day.ending.unwrap().outcome, Outcome::Draw);
    }

    /// A small generator, so that the same positions are tried every time.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 >> 33).unwrap() % n
        }

        fn pick(&mut self, from: impl Iterator<Item = Position>) -> Position {
            let all: Vec<Position> = from.collect();
            all[self.roll(all.len())]
        }
    }

    /// A General with few units round him, and enemies close by.
    fn crowd(dice: &mut Dice, guns: bool) -> BySide<Army> {
        let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
        let home = match dice.roll(3) {
            0 => at(["A1", "K11", "A11", "K1"][dice.roll(4)]),
            _ => dice.pick(Position::all()),
        };
        armies.red.place(home, Unit::General);
        armies.blue.place(dice.pick(Position::all().filter(|&at| at != home)), Unit::General);
        for n in 0..3 + dice.roll(10) {
            let spot = dice.pick(within(home, 4));
            let unit = Unit::ALL[if guns { 1 + dice.roll(8) } else { 2 + dice.roll(7) }];
            let unit = if guns && dice.roll(2) == 0 { Unit::Artillery } else { unit };
            if armies.red.at(spot).or(armies.blue.at(spot)).is_none() {
                armies.get_mut(if n % 4 == 3 { Side::Red } else { Side::Blue }).place(spot, unit);
            }
        }
        armies
    }

    fn list(orders: &[Order]) -> Orders {
        let mut list = Orders::default();
        for &order in orders.iter().take(LIMIT) {
            list.push(order).unwrap();
        }
        list
    }

    /// Some other units' orders anywhere within their allowance.
    fn others(dice: &mut Dice, army: &Army) -> Vec<Order> {
        let mut orders = Vec::new();
        for (from, unit) in army.units().filter(|&(_, unit)| unit != Unit::General) {
            if dice.roll(3) > 0 {
                orders.push(Order { from, to: dice.pick(within(from, unit.allowance())) });
            }
        }
        orders
    }

    /// Every way for the General to end on a place, with other orders: alone, or changing places with an own unit.
    fn escapes(dice: &mut Dice, army: &Army, home: Position, to: Position) -> Vec<Orders> {
        let mut own = Vec::new();
        if to != home {
            own.push(Order { from: home, to });
            if army.at(to).is_some() {
                own.push(Order { from: to, to: home });
            }
        }
        let mut lists = vec![list(&own)];
        for _ in 0..4 {
            let rest = others(dice, army)
                .into_iter()
                .filter(|order| own.iter().all(|o| o.from != order.from && o.to != order.to));
            lists.push(list(&own.iter().copied().chain(rest).collect::<Vec<_>>()));
        }
        lists
    }

    fn falls(armies: &BySide<Army>, red: &Orders, blue: &Orders) -> bool {
        let day = super::super::day::resolve(maps::classic(), armies, BySide { red, blue });
        day.dusk.red.generals() == 0
    }

    #[test]
    fn what_is_called_certain_happens_whatever_the_general_does() {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        let (mut claimed, mut by_guns) = (0, 0);
        for n in 0..3_000 {
            let armies = crowd(&mut dice, n % 2 == 0);
            let danger = general(maps::classic(), &armies, Side::Red).unwrap();
            let Some(hunt) = &danger.certain else { continue };
            claimed += 1;
            by_guns += usize::from(hunt.len() + 1 < danger.places.len() && n % 2 == 0);
            let hunt = list(hunt);
            let home = danger.places[0].at;
            for place in &danger.places {
                for red in escapes(&mut dice, &armies.red, home, place.at) {
                    assert!(falls(&armies, &red, &hunt), "{armies:?}: {red} against {hunt}");
                }
            }
        }
        assert!(claimed > 300 && by_guns > 20, "{claimed} claims, {by_guns} of them by guns");
    }

    #[test]
    fn without_guns_what_is_not_certain_leaves_a_way_out() {
        let mut dice = Dice(0xD1B5_4A32_D192_ED03);
        let mut open = 0;
        for _ in 0..1_500 {
            let armies = crowd(&mut dice, false);
            let danger = general(maps::classic(), &armies, Side::Red).unwrap();
            if danger.certain.is_some() {
                continue;
            }
            open += 1;
            let home = danger.places[0].at;
            for _ in 0..6 {
                // Every enemy unit goes to one of the places, if it reaches one that nobody else goes to.
                let mut hunt: Vec<Order> = Vec::new();
                for (from, unit) in armies.blue.units() {
                    let place = danger.places[dice.roll(danger.places.len())].at;
                    let free = hunt.iter().all(|order| order.to != place);
                    if free && hunt.len() < LIMIT && place != from && from.distance(place) <= unit.allowance() {
                        hunt.push(Order { from, to: place });
                    }
                }
                let hunt = list(&hunt);
                let survives = danger.places.iter().any(|place| {
                    escapes(&mut dice, &armies.red, home, place.at).iter().any(|red| !falls(&armies, red, &hunt))
                });
                assert!(survives, "{armies:?}: {hunt}");
            }
        }
        assert!(open > 300, "{open}");
    }

    #[test]
    fn no_day_does_what_was_called_impossible() {
        let mut dice = Dice(0xA076_1D64_78BD_642F);
        let (mut fell, mut draws) = (0, 0);
        for n in 0..3_000 {
            let armies = crowd(&mut dice, n % 2 == 0);
            let danger = general(maps::classic(), &armies, Side::Red).unwrap();
            let place = &danger.places[dice.roll(danger.places.len())];
            let reds = escapes(&mut dice, &armies.red, danger.places[0].at, place.at);
            for red in reds {
                let mut blue = others(&mut dice, &armies.blue);
                if dice.roll(2) == 0 {
                    let from = armies.blue.positions_of(Unit::General).iter().next().unwrap();
                    blue.push(Order { from, to: dice.pick(within(from, 1)) });
                }
                let day =
                    super::super::day::resolve(maps::classic(), &armies, BySide { red: &red, blue: &list(&blue) });
                if let Some(ending) = day.ending {
                    if ending.outcome != Outcome::win_of(Side::Red) {
                        fell += 1;
                        assert!(place.is_covered(), "{armies:?}: {red} against {blue:?}");
                    }
                    if ending.outcome == Outcome::Draw {
                        draws += 1;
                        assert!(both_in_reach(maps::classic(), &armies), "{armies:?}: {red} against {blue:?}");
                    }
                }
            }
        }
        assert!(fell > 100 && draws > 5, "{fell} Generals fell, {draws} draws");
    }

    #[test]
    fn the_danger_is_the_same_for_both_sides() {
        let mut dice = Dice(0xE703_7ED1_A0B4_28DB);
        for n in 0..500 {
            let armies = crowd(&mut dice, n % 2 == 0);
            let turned = |army: &Army| -> Army { army.units().map(|(at, unit)| (at.turned(), unit)).collect() };
            let other = BySide { red: turned(&armies.blue), blue: turned(&armies.red) };
            let mine = general(maps::classic(), &armies, Side::Red).unwrap();
            let theirs = general(maps::classic(), &other, Side::Blue).unwrap();
            assert_eq!(
                (mine.covered(), mine.at_once, mine.certain.is_some()),
                (theirs.covered(), theirs.at_once, theirs.certain.is_some())
            );
            assert_eq!(both_in_reach(maps::classic(), &armies), both_in_reach(maps::classic(), &other));
            for place in &mine.places {
                let same = theirs.places.iter().find(|other| other.at == place.at.turned()).unwrap();
                assert_eq!((place.own, place.enemy, place.arrivals.len()), (same.own, same.enemy, same.arrivals.len()));
                assert_eq!(
                    (place.guns_now.len(), place.guns_possible.len()),
                    (same.guns_now.len(), same.guns_possible.len())
                );
            }
        }
    }
}
