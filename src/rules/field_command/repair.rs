//! Orders that hang on each other: which fall together, and how a list is mended whose
//! order leads to a position that an own unit holds.
//!
//! Only the writer's own army and list are asked for, as in `super::validate`.

use serde::Serialize;

use super::order::{LIMIT, Order, Orders};
use super::outlook::within;
use super::position::Position;
use super::unit::Army;
use super::validate::{Lawful, Reason, Verdict, validate};

/// The orders that fall if this one is not carried out, next one first: its unit stays, so the order to
/// where it stands falls, and so on to the rear of the column. For an order that is already
/// struck they are the ones that were struck with it. Orders that are illegal for a reason of their own are not among them.
#[must_use]
pub fn chain(lawful: &Lawful, order: Order) -> Vec<Order> {
    let mut fallen: Vec<Order> = Vec::new();
    let mut stays = order.from;
    while let Some(next) = entering(lawful, stays) {
        // A ring ends where it began.
        if next == order || fallen.contains(&next) {
            break;
        }
        fallen.push(next);
        stays = next.from;
    }
    fallen
}

/// The order that leads to a position, if no reason of its own makes it illegal.
fn entering(lawful: &Lawful, to: Position) -> Option<Order> {
    lawful
        .verdicts()
        .iter()
        .find(|verdict| verdict.order.to == to && matches!(verdict.reason, None | Some(Reason::DestinationHeld)))
        .map(|verdict| verdict.order)
}

/// A way to mend an order whose destination an own unit holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "repair")]
pub enum Repair {
    /// Order the unit at the head of the column to move on; then the order is carried out.
    MoveHolderOn {
        /// Where that unit stands. It has no order yet, or one that is illegal for a reason of its own,
        /// which the new one replaces.
        holder: Position,
        /// Where it can go, in board order.
        to: Vec<Position>,
    },
    /// Let the unit on the destination, which has no order, change places with the ordered one by this order.
    Swap {
        /// The order to add.
        add: Order,
    },
    /// Take the order out of the list.
    Drop {
        /// The order.
        order: Order,
    },
}

/// The ways to mend an order that was struck because an own unit holds its destination; none for any other order.
/// Each that adds an order has been tried: with it, the order is carried out and the list holds no more than it may.
#[must_use]
pub fn repairs(army: &Army, orders: &Orders, order: Order) -> Vec<Repair> {
    let lawful = validate(army, orders);
    if verdict_of(&lawful, order).is_none_or(|verdict| verdict.reason != Some(Reason::DestinationHeld)) {
        return Vec::new();
    }
    let mut repairs = Vec::new();
    let holder = head(&lawful, order);
    let to = ways_on(army, orders, order, holder);
    if !to.is_empty() {
        repairs.push(Repair::MoveHolderOn { holder, to });
    }
    let swap = Order { from: order.to, to: order.from };
    let unordered = orders.as_slice().iter().all(|other| other.from != order.to);
    if unordered && mended(army, orders, order, swap) {
        repairs.push(Repair::Swap { add: swap });
    }
    repairs.push(Repair::Drop { order });
    repairs
}

fn verdict_of(lawful: &Lawful, order: Order) -> Option<&Verdict> {
    lawful.verdicts().iter().find(|verdict| verdict.order == order)
}

/// Where the unit stands on which a struck order waits in the end: orders struck for the same reason are followed.
fn head(lawful: &Lawful, order: Order) -> Position {
    let mut held = order.to;
    // A list of twelve has no longer column, so this ends even if it were asked about nonsense.
    for _ in 0..LIMIT {
        let onward = lawful
            .verdicts()
            .iter()
            .find(|verdict| verdict.order.from == held && verdict.reason == Some(Reason::DestinationHeld));
        match onward {
            Some(verdict) => held = verdict.order.to,
            None => break,
        }
    }
    held
}

/// Where the unit on `holder` can go so that `order` is carried out.
fn ways_on(army: &Army, orders: &Orders, order: Order, holder: Position) -> Vec<Position> {
    let Some(unit) = army.at(holder) else { return Vec::new() };
    within(holder, unit.allowance())
        .filter(|&to| to != holder && mended(army, orders, order, Order { from: holder, to }))
        .collect()
}

/// Whether `order` and `added` are both carried out once `added` replaces the orders of its unit.
fn mended(army: &Army, orders: &Orders, order: Order, added: Order) -> bool {
    let mut list = Orders::default();
    let kept = orders.as_slice().iter().filter(|other| other.from != added.from);
    if kept.copied().chain([added]).any(|order| list.push(order).is_err()) {
        return false;
    }
    let lawful = validate(army, &list);
    [order, added].into_iter().all(|order| verdict_of(&lawful, order).is_some_and(|verdict| verdict.reason.is_none()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::unit::Unit;
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn order(text: &str) -> Order {
        let (from, to) = text.split_once('-').unwrap();
        Order { from: at(from), to: at(to) }
    }

    fn list(orders: &[&str]) -> Orders {
        let mut list = Orders::default();
        for text in orders {
            list.push(order(text)).unwrap();
        }
        list
    }

    fn army(units: &[(&str, Unit)]) -> Army {
        units.iter().map(|&(position, unit)| (at(position), unit)).collect()
    }

    fn chained(army: &Army, orders: &[&str], of: &str) -> Vec<String> {
        chain(&validate(army, &list(orders)), order(of)).iter().map(Order::to_string).collect()
    }

    #[test]
    fn what_falls_with_an_order() {
        let army = army(&[
            ("A5", Unit::Infantry1),
            ("B5", Unit::Infantry2),
            ("B6", Unit::General),
            ("C5", Unit::Cavalry2),
            ("D5", Unit::Cavalry2),
        ]);
        assert_eq!(chained(&army, &["B5-B6", "A5-B5"], "B5-B6"), ["A5-B5"]);
        assert_eq!(chained(&army, &["B5-B6", "A5-B5"], "A5-B5"), Vec::<String>::new());
        assert_eq!(chained(&army, &["A5-B5", "C5-D5", "B5-C5", "D5-E5"], "D5-E5"), ["C5-D5", "B5-C5", "A5-B5"]);
        // A ring falls as a whole, and the order itself is not named again.
        assert_eq!(chained(&army, &["A5-B5", "B5-C5", "C5-A5"], "A5-B5"), ["C5-A5", "B5-C5"]);
        // An order that is too far falls by itself.
        assert_eq!(chained(&army, &["B5-B4", "D5-H5", "B6-B5"], "B5-B4"), ["B6-B5"]);
        assert_eq!(chained(&army, &["D5-D6", "A5-D5"], "D5-D6"), Vec::<String>::new());
    }

    #[test]
    fn a_held_destination_can_be_mended() {
        let army = army(&[("A5", Unit::Infantry1), ("B5", Unit::Infantry2), ("B6", Unit::General)]);
        let orders = list(&["B5-B6", "A5-B5"]);
        let general_goes: Vec<Position> = ["A6", "B7", "C6"].map(at).to_vec();
        assert_eq!(
            repairs(&army, &orders, order("B5-B6")),
            [
                Repair::MoveHolderOn { holder: at("B6"), to: general_goes.clone() },
                Repair::Drop { order: order("B5-B6") }
            ],
            "no swap: A5 moves to where B6 would have to go"
        );
        // The order behind waits for the same General; the unit before it has an order, so no swap.
        assert_eq!(
            repairs(&army, &orders, order("A5-B5")),
            [Repair::MoveHolderOn { holder: at("B6"), to: general_goes }, Repair::Drop { order: order("A5-B5") }]
        );
        assert_eq!(
            repairs(&army, &list(&["B5-B6"]), order("B5-B6"))[1],
            Repair::Swap { add: order("B6-B5") },
            "alone, the two can change places"
        );
        assert_eq!(repairs(&army, &list(&["B5-C5"]), order("B5-C5")), [], "a legal order needs no mending");
        assert_eq!(repairs(&army, &list(&["B5-K6"]), order("B5-K6")), [], "too far is mended by no other order");
    }

    #[test]
    fn no_swap_beyond_the_holders_allowance_and_no_thirteenth_order() {
        let two = army(&[("A5", Unit::Cavalry1), ("C5", Unit::General)]);
        let mended = repairs(&two, &list(&["A5-C5"]), order("A5-C5"));
        assert!(matches!(mended.as_slice(), [Repair::MoveHolderOn { .. }, Repair::Drop { .. }]), "{mended:?}");
        let full = list(&[&["A5-C5"][..], &["K1-K2"; 11][..]].concat());
        assert_eq!(repairs(&two, &full, order("A5-C5")), [Repair::Drop { order: order("A5-C5") }]);
    }

    #[test]
    fn an_illegal_order_of_the_holder_is_replaced() {
        let two = army(&[("A5", Unit::Infantry1), ("B5", Unit::General)]);
        let mended = repairs(&two, &list(&["A5-B5", "B5-D5"]), order("A5-B5"));
        let expected = Repair::MoveHolderOn { holder: at("B5"), to: ["A5", "B4", "B6", "C5"].map(at).to_vec() };
        assert_eq!(mended, [expected, Repair::Drop { order: order("A5-B5") }]);
    }

    proptest! {
        /// Whatever is named falls when the order is left out, and nothing else does.
        #[test]
        fn the_chain_is_what_falls(
            units in proptest::collection::vec((0u8..4, 0u8..4), 2..12),
            moves in proptest::collection::vec((0u8..4, 0u8..4, 0u8..4, 0u8..4), 0..12),
        ) {
            let at = |row, column| Position::new(row, column).unwrap();
            let army: Army = units.into_iter().map(|(row, column)| (at(row, column), Unit::Cavalry1)).collect();
            let mut orders = Orders::default();
            for (a, b, c, d) in moves {
                orders.push(Order { from: at(a, b), to: at(c, d) }).unwrap();
            }
            let lawful = validate(&army, &orders);
            for gone in lawful.legal().map(|legal| Order { from: legal.from, to: legal.to }) {
                let mut fewer = Orders::default();
                for &kept in orders.as_slice().iter().filter(|&&kept| kept != gone) {
                    fewer.push(kept).unwrap();
                }
                let rest = validate(&army, &fewer);
                let fallen = chain(&lawful, gone);
                for verdict in lawful.verdicts().iter().filter(|verdict| verdict.order != gone) {
                    let falls = verdict.reason.is_none() && verdict_of(&rest, verdict.order).unwrap().reason.is_some();
                    prop_assert_eq!(falls, fallen.contains(&verdict.order) && verdict.reason.is_none(), "{}", verdict.order);
                }
            }
        }
    }
}
