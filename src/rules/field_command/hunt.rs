//! The list by which one side surely covers as many of the places of the other's General
//! as it can; `super::general` says what that means.

use super::board::Board;
use super::order::{Order, Orders};
use super::outlook::{after, within};
use super::position::{Position, PositionSet};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};

/// A list and the places that it surely covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunt {
    /// The list; as short as it may be.
    pub orders: Orders,
    /// The places.
    pub covered: PositionSet,
}

/// Whether a unit of the army, its Generals left out, can end on a position: by a move of its allowance or because it stands
/// there. A gun that the enemy has there then falls before it fires.
#[must_use]
pub fn can_be_met(army: &Army, at: Position) -> bool {
    army.units().any(|(from, unit)| unit != Unit::General && from.distance(at) <= unit.allowance())
}

/// The best list of the enemy of `side` against that side's General, who can end on `places` (at most eight).
#[must_use]
pub fn best(board: &Board, armies: &BySide<Army>, side: Side, places: &[Position]) -> Hunt {
    let (hunted, hunters) = (armies.get(side), armies.get(side.other()));
    let hunt = Search { board, hunted, hunters, places };
    let mut best = Hunt { orders: Orders::default(), covered: hunt.surely(&Orders::default()) };
    for moves in hunt.lists() {
        let mut orders = Orders::default();
        if moves.into_iter().any(|order| orders.push(order).is_err()) {
            continue;
        }
        let covered = hunt.surely(&orders);
        if covered.len() > best.covered.len() {
            best = Hunt { orders, covered };
        }
    }
    hunt.shorten(best)
}

/// What a search asks for.
struct Search<'a> {
    board: &'a Board,
    hunted: &'a Army,
    hunters: &'a Army,
    places: &'a [Position],
}

impl Search<'_> {
    /// The places that a list surely covers. Everything that is claimed goes through here.
    fn surely(&self, orders: &Orders) -> PositionSet {
        let stands = after(self.hunters, orders);
        self.places
            .iter()
            .copied()
            .filter(|&place| {
                let covers = |gun: Position| self.sees(gun).contains(place);
                stands.at(place).is_some() || stands.positions_of(Unit::Artillery).iter().any(covers)
            })
            .collect()
    }

    /// What a gun on a position surely hits: nothing if it can be met there before it fires.
    fn sees(&self, gun: Position) -> PositionSet {
        if can_be_met(self.hunted, gun) { PositionSet::EMPTY } else { self.board.sight(gun) }
    }

    /// For each set of places that can be covered, a list that is meant to do it: units are taken one after another,
    /// and each covers something by where it stays or goes. Guns come first, since one of them
    /// may cover several places; so no second unit is ever sent to where a gun goes.
    fn lists(&self) -> Vec<Vec<Order>> {
        let mut found: Vec<Option<Vec<Order>>> = vec![None; 1 << self.places.len()];
        if let Some(nothing) = found.first_mut() {
            *nothing = Some(Vec::new());
        }
        let guns = self.hunters.positions_of(Unit::Artillery);
        for from in guns.iter().chain(self.hunters.held().without(guns)) {
            let options = self.options(from);
            let before = found.clone();
            for (covered, list) in before.iter().enumerate().filter_map(|(n, list)| Some((n, list.as_ref()?))) {
                for &(to, adds) in &options {
                    let mut list = list.clone();
                    if to != from {
                        list.push(Order { from, to });
                    }
                    // Of two lists for one set the shorter is kept.
                    if let Some(slot) = found.get_mut(covered | adds)
                        && slot.as_ref().is_none_or(|kept| list.len() < kept.len())
                    {
                        *slot = Some(list);
                    }
                }
            }
        }
        found.into_iter().flatten().collect()
    }

    /// Where a unit can end so that it covers places, with those places as bits.
    fn options(&self, from: Position) -> Vec<(Position, usize)> {
        let Some(unit) = self.hunters.at(from) else { return Vec::new() };
        within(from, unit.allowance())
            .filter_map(|to| {
                // A gun is not sent to where another own unit stands in order to fire from there: that one might have to stay.
                let fires = unit == Unit::Artillery && (to == from || self.hunters.at(to).is_none());
                let sees = if fires { self.sees(to) } else { PositionSet::EMPTY };
                let adds = self.bits(|place| place == to || sees.contains(place));
                (adds != 0).then_some((to, adds))
            })
            .collect()
    }

    fn bits(&self, covers: impl Fn(Position) -> bool) -> usize {
        self.places.iter().enumerate().filter(|&(_, &place)| covers(place)).fold(0, |bits, (n, _)| bits | 1 << n)
    }

    /// Leaves out the orders without which as much is covered.
    fn shorten(&self, mut hunt: Hunt) -> Hunt {
        let mut n = 0;
        while n < hunt.orders.len() {
            let mut fewer = Orders::default();
            let kept = hunt.orders.as_slice().iter().enumerate().filter(|&(at, _)| at != n).map(|(_, &order)| order);
            let fits = kept.map(|order| fewer.push(order)).all(|pushed| pushed.is_ok());
            if fits && self.surely(&fewer).len() == hunt.covered.len() {
                hunt = Hunt { covered: self.surely(&fewer), orders: fewer };
                n = 0;
            } else {
                n += 1;
            }
        }
        hunt
    }
}
