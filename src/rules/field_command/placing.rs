//! Placing units: what an act of the table makes of a half-placed army.

use super::deployment::zone;
use super::drafting::{Act, Held};
use super::position::Position;
use super::unit::{ARMY, Army, Unit};
use crate::rules::side::Side;
use crate::rules::table::{DraftState, TrayItem};

/// The state of a half-placed army.
pub fn state(army: &Army) -> DraftState {
    let tray: Vec<TrayItem> = Unit::ALL
        .into_iter()
        .map(|unit| TrayItem {
            key: unit.code(),
            name: unit.name(),
            left: unit.number().saturating_sub(army.positions_of(unit).len()),
            of: unit.number(),
        })
        .collect();
    let left = ARMY.saturating_sub(army.len());
    DraftState {
        lines: Vec::new(),
        tray,
        progress: format!("{} of {ARMY} units placed", army.len()),
        lacks: (left > 0).then(|| format!("Place {left} more")),
        measure: "this deployment".into(),
        empty: army.is_empty(),
    }
}

/// Carries an act out on a half-placed army.
pub fn act(army: &mut Army, side: Side, held: Held, act: Act) -> (Held, String) {
    match act {
        Act::Take(unit) => {
            if army.positions_of(unit).len() < unit.number() {
                (Held::Kind(unit), format!("{} in hand: choose a position behind your broken line.", unit.name()))
            } else {
                (Held::Nothing, format!("Every {} is placed.", unit.name()))
            }
        }
        Act::Lift(at) => match army.lift(at) {
            Some(unit) => (Held::Nothing, format!("{} taken off {at}.", unit.name())),
            None => (Held::Nothing, format!("No unit stands on {at}.")),
        },
        Act::Clear => {
            *army = Army::EMPTY;
            (Held::Nothing, "The zone is empty.".into())
        }
        Act::Ready(ready) => {
            *army = *ready.deployment(side).army();
            (Held::Nothing, format!("{}: change what you like.", ready.name))
        }
        Act::Swap(from, to) => put(army, side, Held::Units([from].into_iter().collect()), to),
        Act::Touch(at) | Act::Gather(at) => put(army, side, held, at),
        Act::Release => (Held::Nothing, String::new()),
        Act::Add(_) | Act::Drop(_) | Act::Shift(_) => (held, "There are no orders before both armies stand.".into()),
    }
}

/// Puts what is held on a position; with nothing held takes up what stands there.
fn put(army: &mut Army, side: Side, held: Held, at: Position) -> (Held, String) {
    let there = army.at(at);
    if !zone(side).contains(at) {
        return (held, format!("{at} lies outside {}'s deployment zone.", side.name()));
    }
    match (held, held.single(), there) {
        (Held::Kind(unit), _, _) => {
            if there == Some(unit) {
                return (held, format!("{} stands on {at} already.", unit.name()));
            }
            if army.positions_of(unit).len() == unit.number() {
                return (Held::Nothing, format!("Every {} is placed.", unit.name()));
            }
            army.lift(at);
            army.place(at, unit);
            let left = unit.number() - army.positions_of(unit).len();
            let back =
                there.map(|other| format!(" The {} there is back in the tray.", other.name())).unwrap_or_default();
            let next = if left > 0 { Held::Kind(unit) } else { Held::Nothing };
            (next, format!("{} on {at}, {left} left.{back}", unit.name()))
        }
        (_, Some(from), _) if from == at => (Held::Nothing, String::new()),
        (_, Some(from), other) => {
            let Some(unit) = army.lift(from) else { return (Held::Nothing, format!("No unit stands on {from}.")) };
            army.lift(at);
            army.place(at, unit);
            match other {
                Some(other) => {
                    army.place(from, other);
                    (Held::Nothing, format!("{} on {at}, {} on {from}.", unit.name(), other.name()))
                }
                None => (Held::Nothing, format!("{} on {at}.", unit.name())),
            }
        }
        (_, None, Some(unit)) => (Held::Units([at].into_iter().collect()), format!("{} on {at} in hand.", unit.name())),
        (_, None, None) => {
            (Held::Nothing, "Choose a unit first: from the tray, or one that stands on the board.".into())
        }
    }
}
