//! Giving orders: what an act of the table makes of a list of them.

use super::drafting::{Act, Direction, Held};
use super::order::{LIMIT, Order, Orders};
use super::position::{Position, PositionSet};
use super::repair::{self, Repair};
use super::story;
use super::unit::{Army, Unit};
use super::validate::{Lawful, validate};
use crate::rules::side::Side;
use crate::rules::table::{DraftLine, DraftState, Offer};

/// The state of a list of orders.
pub fn state(orders: &Orders, army: &Army) -> DraftState {
    let lawful = validate(army, orders);
    let lines = lawful.verdicts().iter().map(|&verdict| DraftLine {
        text: verdict.order.to_string(),
        legal: verdict.reason.is_none(),
        reason: verdict.reason.map(|reason| reason.word().to_owned()),
        note: story::verdict_to_writer(verdict, army) + &falls_with(&lawful, verdict.order, verdict.reason.is_none()),
        repairs: if verdict.reason.is_some() { repairs(army, orders, verdict.order) } else { Vec::new() },
        drop: format!("drop {}", verdict.order),
    });
    let number = orders.len();
    DraftState {
        lines: lines.collect(),
        tray: Vec::new(),
        progress: format!("{number} of {LIMIT} orders"),
        lacks: None,
        measure: match number {
            0 => "an empty list".into(),
            1 => "1 order".into(),
            _ => format!("{number} orders"),
        },
        empty: orders.is_empty(),
    }
}

/// Which other orders hang on this one, as the end of a sentence.
fn falls_with(lawful: &Lawful, order: Order, legal: bool) -> String {
    let chain: Vec<String> = repair::chain(lawful, order).iter().map(ToString::to_string).collect();
    match (chain.as_slice(), legal) {
        ([], _) => String::new(),
        ([one], true) => format!("; if it falls, {one} falls too"),
        (many, true) => format!("; if it falls, {} fall too", many.join(", ")),
        (many, false) => format!("; so {} cannot follow", many.join(", ")),
    }
}

/// What mends an illegal order: for a held destination what the rules know, for the rest to drop it.
fn repairs(army: &Army, orders: &Orders, order: Order) -> Vec<Offer> {
    let offer = |repair: Repair| match repair {
        Repair::MoveHolderOn { holder, .. } => {
            let unit = army.at(holder).map_or("unit", Unit::name);
            Offer::new(format!("Move the {unit} on {holder} on"), format!("touch {holder}"))
        }
        Repair::Swap { add } => Offer::new("Let them change places", format!("add {add}")),
        Repair::Drop { order } => Offer::new("Drop it", format!("drop {order}")),
    };
    let known: Vec<Offer> = repair::repairs(army, orders, order).into_iter().map(offer).collect();
    if known.is_empty() { vec![Offer::new("Drop it", format!("drop {order}"))] } else { known }
}

/// Swaps and follow-ons of the unit that is held; steps of several.
pub fn offers(orders: &Orders, army: &Army, held: PositionSet) -> Vec<Offer> {
    let mut offers = Vec::new();
    let of = |at: Position| orders.as_slice().iter().find(|order| order.from == at);
    if held.len() > 1 {
        for (label, word) in
            [("forward", "forward"), ("back", "back"), ("to the left", "left"), ("to the right", "right")]
        {
            offers.push(Offer::new(format!("Move all {label}"), format!("shift {word}")));
        }
        return offers;
    }
    let Some((from, unit)) = held.iter().next().and_then(|from| Some((from, army.at(from)?))) else { return offers };
    if let Some(order) = of(from) {
        offers.push(Offer::new(format!("Take back {order}"), format!("drop {order}")));
    }
    for (to, other) in army.units().filter(|&(to, _)| to != from && from.distance(to) <= unit.allowance()) {
        match of(to) {
            Some(order) if order.to != from => {
                offers.push(Offer::new(
                    format!("Follow the {} to {to}", other.name()),
                    format!("add {}", Order { from, to }),
                ));
            }
            None if from.distance(to) <= other.allowance() && other != unit => {
                offers.push(Offer::new(format!("Swap with the {} on {to}", other.name()), format!("swap {from} {to}")));
            }
            _ => {}
        }
    }
    offers
}

/// A list of orders on which acts are carried out.
pub struct List<'a> {
    /// The army that is ordered.
    pub army: &'a Army,
    /// Whose list it is.
    pub side: Side,
    /// The orders so far.
    pub orders: Vec<Order>,
}

impl List<'_> {
    /// Carries an act out; gives what is held then, and what was done.
    pub fn act(&mut self, held: Held, act: Act) -> (Held, String) {
        match act {
            Act::Touch(at) => self.touch(held, at),
            Act::Gather(at) => self.gather(held, at),
            Act::Add(order) => (Held::Nothing, self.order(order)),
            Act::Drop(order) => {
                self.orders.retain(|&other| other != order);
                (Held::Nothing, format!("{order} dropped."))
            }
            Act::Swap(a, b) => (Held::Nothing, self.swap(a, b)),
            Act::Shift(way) => (Held::Nothing, self.shift(held, way)),
            Act::Clear => {
                self.orders.clear();
                (Held::Nothing, "No orders.".into())
            }
            Act::Release => (Held::Nothing, String::new()),
            Act::Take(_) | Act::Lift(_) | Act::Ready(_) => {
                (held, "Every unit stands where it stands; give it an order.".into())
            }
        }
    }

    /// Takes up an own unit, or orders the one that is held to go where was touched.
    fn touch(&mut self, held: Held, at: Position) -> (Held, String) {
        let own = self.army.at(at);
        match (held.single(), own) {
            (Some(from), _) if from == at => (Held::Nothing, String::new()),
            (_, Some(unit)) => {
                let said = match self.orders.iter().find(|order| order.from == at) {
                    Some(order) => format!("{} on {at}, ordered to {}.", unit.name(), order.to),
                    None => format!("{} on {at}: choose where it shall go.", unit.name()),
                };
                (Held::Units([at].into_iter().collect()), said)
            }
            (Some(from), None) => {
                let order = Order { from, to: at };
                let Some(unit) = self.army.at(from) else {
                    return (Held::Nothing, format!("No unit of yours stands on {from}."));
                };
                if self.orders.contains(&order) {
                    self.orders.retain(|&other| other != order);
                    return (Held::Nothing, format!("{order} dropped."));
                }
                if from.distance(at) > unit.allowance() {
                    let number = unit.allowance();
                    let steps =
                        if number == 1 { "one position".to_owned() } else { format!("up to {number} positions") };
                    return (held, format!("{at} is too far: {} moves {steps} a day.", unit.name()));
                }
                (Held::Nothing, self.order(order))
            }
            (None, None) => (Held::Nothing, String::new()),
        }
    }

    fn gather(&mut self, held: Held, at: Position) -> (Held, String) {
        let mut units = if let Held::Units(units) = held { units } else { PositionSet::EMPTY };
        if self.army.at(at).is_none() {
            return (held, format!("No unit of yours stands on {at}."));
        }
        if units.contains(at) {
            units.remove(at);
        } else {
            units.insert(at);
        }
        let said = match units.len() {
            1 => "1 unit chosen.".to_owned(),
            number => format!("{number} units chosen."),
        };
        (if units.is_empty() { Held::Nothing } else { Held::Units(units) }, said)
    }

    /// Gives an order; an order that its unit had is replaced.
    fn order(&mut self, order: Order) -> String {
        if let Some(other) = self.orders.iter_mut().find(|other| other.from == order.from) {
            let before = std::mem::replace(other, order);
            return if before == order {
                format!("{order} is ordered.")
            } else {
                format!("{order} in place of {before}.")
            };
        }
        if self.orders.len() == LIMIT {
            return format!("The list holds {LIMIT} orders already; drop one before {order}.");
        }
        self.orders.push(order);
        match self.army.at(order.from) {
            Some(unit) => format!("{order}, {}. {} of {LIMIT} orders.", unit.name(), self.orders.len()),
            None => format!("{order}. {} of {LIMIT} orders.", self.orders.len()),
        }
    }

    fn swap(&mut self, a: Position, b: Position) -> String {
        let fresh = [a, b].into_iter().filter(|&at| !self.orders.iter().any(|order| order.from == at)).count();
        if self.orders.len() + fresh > LIMIT {
            return format!("A swap takes two orders, and the list holds {} of {LIMIT}.", self.orders.len());
        }
        self.order(Order { from: a, to: b });
        self.order(Order { from: b, to: a });
        format!("{a} and {b} change places.")
    }

    /// Orders every held unit one step on.
    fn shift(&mut self, held: Held, way: Direction) -> String {
        let Held::Units(units) = held else { return "Choose the units first.".into() };
        let (mut moved, mut left) = (0, Vec::new());
        for from in units {
            let fresh = !self.orders.iter().any(|order| order.from == from);
            match way.from(from, self.side).filter(|_| self.army.at(from).is_some()) {
                Some(to) if !fresh || self.orders.len() < LIMIT => {
                    self.order(Order { from, to });
                    moved += 1;
                }
                _ => left.push(from.to_string()),
            }
        }
        let units = if moved == 1 { "1 unit moves".to_owned() } else { format!("{moved} units move") };
        if left.is_empty() {
            format!("{units} one step.")
        } else {
            format!("{units} one step; not {}.", left.join(", "))
        }
    }

    /// The list as it is now.
    pub fn into_orders(self) -> Orders {
        let mut orders = Orders::default();
        for order in self.orders {
            // The list never grows beyond the limit.
            let _ = orders.push(order);
        }
        orders
    }
}
