//! A day on the board as the computer player computes it: thousands of them for one sheet.
//!
//! There is one set of rules. Who is removed where two units meet is asked of `rules::…::confrontation`, what a gun covers
//! of the board; only the bookkeeping is shorter than that of `rules::…::day`, because every list that is tried here is
//! legal by the way it is made and nobody reads the day afterwards. The tests hold both against each other.

use std::sync::LazyLock;

use crate::rules::field_command::board::{Board, Terrain};
use crate::rules::field_command::confrontation::{Removed, confront};
use crate::rules::field_command::order::LIMIT;
use crate::rules::field_command::position::POSITIONS;
use crate::rules::field_command::validate::Move;
use crate::rules::field_command::{Army, Order, Orders, Position, PositionSet, Unit};

/// A value for each position.
#[derive(Clone, Debug)]
pub struct Table<T>([T; POSITIONS]);

impl<T: Copy + Default> Table<T> {
    /// The value of each position.
    pub fn from_fn(mut make: impl FnMut(Position) -> T) -> Table<T> {
        let mut table = Table([T::default(); POSITIONS]);
        for (slot, position) in table.0.iter_mut().zip(Position::all()) {
            *slot = make(position);
        }
        table
    }

    /// The value of a position.
    #[inline]
    pub fn at(&self, position: Position) -> T {
        self.0.get(position.index()).copied().unwrap_or_default()
    }
}

/// The greatest distance that [`near`] knows.
const FAR: u8 = 20;

static NEAR: LazyLock<Vec<Table<PositionSet>>> = LazyLock::new(|| {
    (0..=FAR)
        .map(|steps| Table::from_fn(|at| Position::all().filter(|other| other.distance(at) <= steps).collect()))
        .collect()
});

/// The positions within so many steps of each position.
#[inline]
pub fn near_all(steps: u8) -> &'static Table<PositionSet> {
    static NONE: Table<PositionSet> = Table([PositionSet::EMPTY; POSITIONS]);
    NEAR.get(usize::from(steps.min(FAR))).unwrap_or(&NONE)
}

/// The positions within so many steps, the position itself included.
#[inline]
pub fn near(at: Position, steps: u8) -> PositionSet {
    near_all(steps).at(at)
}

/// What of the board never changes in a game.
#[derive(Clone, Debug)]
pub struct Ground<'a> {
    /// The board.
    pub board: &'a Board,
    /// The positions with forest.
    pub forest: PositionSet,
    /// The positions without.
    pub open: PositionSet,
    /// What a gun may cover after a step or without one.
    pub fire_next: Table<PositionSet>,
}

impl<'a> Ground<'a> {
    /// The ground of a board.
    pub fn new(board: &'a Board) -> Ground<'a> {
        let is_forest = |&at: &Position| board.terrain(at) == Terrain::Forest;
        let forest: PositionSet = Position::all().filter(is_forest).collect();
        let open = Position::all().filter(|at| !forest.contains(*at)).collect();
        let fire_next = Table::from_fn(|gun| {
            near(gun, 1).iter().fold(PositionSet::EMPTY, |covered, site| covered.or(board.sight(site)))
        });
        Ground { board, forest, open, fire_next }
    }
}

/// One side's units: a set of positions for each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Force {
    kinds: [PositionSet; 9],
    held: PositionSet,
}

impl Force {
    /// The units of an army.
    pub fn of_army(army: &Army) -> Force {
        let mut force = Force::default();
        for (at, unit) in army.units() {
            force.place(at, unit);
        }
        force
    }

    /// Where units of one kind stand.
    #[inline]
    pub fn of(&self, unit: Unit) -> PositionSet {
        self.kinds.get(unit as usize).copied().unwrap_or_default()
    }

    /// Where any unit stands.
    #[inline]
    pub const fn held(&self) -> PositionSet {
        self.held
    }

    /// The unit on a position.
    #[inline]
    pub fn at(&self, position: Position) -> Option<Unit> {
        if !self.held.contains(position) {
            return None;
        }
        Unit::ALL.into_iter().zip(&self.kinds).find(|(_, kind)| kind.contains(position)).map(|(unit, _)| unit)
    }

    /// Where the General stands, if there is one.
    #[inline]
    pub fn general(&self) -> Option<Position> {
        self.of(Unit::General).iter().next()
    }

    /// The units in the order of the army table.
    pub fn units(&self) -> impl Iterator<Item = (Position, Unit)> + '_ {
        Unit::ALL.into_iter().zip(&self.kinds).flat_map(|(unit, kind)| kind.iter().map(move |at| (at, unit)))
    }

    /// The units that move three positions a day, those that move two, and those that move one.
    #[inline]
    pub fn by_pace(&self) -> [PositionSet; 3] {
        use Unit::{Artillery, Cavalry1, Cavalry2, Cavalry3, General, Guerrillas, Infantry1, Infantry2, Infantry3};
        [
            self.of(Cavalry1).or(self.of(Cavalry2)).or(self.of(Cavalry3)).or(self.of(Guerrillas)),
            self.of(Infantry1).or(self.of(Infantry2)).or(self.of(Infantry3)),
            self.of(General).or(self.of(Artillery)),
        ]
    }

    #[inline]
    fn place(&mut self, at: Position, unit: Unit) {
        if let Some(kind) = self.kinds.get_mut(unit as usize) {
            kind.insert(at);
            self.held.insert(at);
        }
    }

    #[inline]
    fn lift(&mut self, at: Position, unit: Unit) {
        if let Some(kind) = self.kinds.get_mut(unit as usize) {
            kind.remove(at);
            self.held.remove(at);
        }
    }

    /// The force after a list of legal orders.
    #[inline]
    pub fn moved(&self, plan: &Plan) -> Force {
        let mut force = *self;
        for order in plan.moves() {
            force.lift(order.from, order.unit);
        }
        for order in plan.moves() {
            force.place(order.to, order.unit);
        }
        force
    }
}

/// Confrontations and fire, after both sides have moved.
#[inline]
pub fn fight(ground: &Ground<'_>, own: &mut Force, enemy: &mut Force) {
    for at in own.held.and(enemy.held) {
        let (Some(ours), Some(theirs)) = (own.at(at), enemy.at(at)) else { continue };
        let removed = confront(ours, theirs, ground.board.terrain(at));
        if removed != Removed::Second {
            own.lift(at, ours);
        }
        if removed != Removed::First {
            enemy.lift(at, theirs);
        }
    }
    let hit = |guns: &Force, others: &Force| {
        let covered =
            guns.of(Unit::Artillery).iter().fold(PositionSet::EMPTY, |all, gun| all.or(ground.board.sight(gun)));
        covered.and(others.held).without(others.of(Unit::Guerrillas))
    };
    let (on_enemy, on_own) = (hit(own, enemy), hit(enemy, own));
    for (force, fallen) in [(own, on_own), (enemy, on_enemy)] {
        if !fallen.is_empty() {
            for kind in &mut force.kinds {
                *kind = kind.without(fallen);
            }
            force.held = force.held.without(fallen);
        }
    }
}

/// A list of legal orders in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    moves: [Option<Move>; LIMIT],
    length: usize,
    from: PositionSet,
    to: PositionSet,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { moves: [None; LIMIT], length: 0, from: PositionSet::EMPTY, to: PositionSet::EMPTY }
    }
}

impl Plan {
    /// The orders.
    #[inline]
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().flatten().copied()
    }

    /// The number of orders.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// The list with more orders, if it holds them and each unit and each destination stands in it once.
    /// Whether a destination is held by a unit that stays is asked by [`Plan::is_legal`].
    #[inline]
    pub fn with(&self, orders: &[Move]) -> Option<Plan> {
        let mut plan = *self;
        for &order in orders {
            if plan.from.contains(order.from) || plan.to.contains(order.to) {
                return None;
            }
            *plan.moves.get_mut(plan.length)? = Some(order);
            plan.length += 1;
            plan.from.insert(order.from);
            plan.to.insert(order.to);
        }
        Some(plan)
    }

    /// The list without the order of the unit on `from`, nor that of a unit that would come to its place, and so on.
    pub fn staying(&self, from: Position, force: &Force) -> Plan {
        let mut staying: PositionSet = std::iter::once(from).collect();
        loop {
            let mut plan = Plan::default();
            for order in self.moves().filter(|order| !staying.contains(order.from)) {
                if let Some(longer) = plan.with(&[order]) {
                    plan = longer;
                }
            }
            let blocked = plan.to.and(force.held().without(plan.from));
            if blocked.is_empty() {
                return plan;
            }
            for order in plan.moves().filter(|order| blocked.contains(order.to)) {
                staying.insert(order.from);
            }
        }
    }

    /// Whether no destination is held by an own unit that stays.
    #[inline]
    pub const fn is_legal(&self, force: &Force) -> bool {
        self.to.and(force.held().without(self.from)).is_empty()
    }

    /// The list as it is written.
    pub fn orders(&self) -> Orders {
        let mut orders = Orders::default();
        for order in self.moves() {
            // A plan has no more places than a list.
            let _ = orders.push(Order { from: order.from, to: order.to });
        }
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::dice::Dice;
    use crate::rules::field_command::{day, maps};
    use crate::rules::{BySide, Side};

    /// Two armies of any units, and close together.
    fn crowd(dice: &mut Dice) -> BySide<Army> {
        let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
        for side in Side::BOTH {
            for _ in 0..25 {
                let free = Position::all().filter(|&at| armies.red.at(at).is_none() && armies.blue.at(at).is_none());
                let free: Vec<Position> = free.collect();
                let unit = Unit::ALL[dice.below(9)];
                if unit != Unit::General || armies.get(side).generals() == 0 {
                    armies.get_mut(side).place(free[dice.below(free.len())], unit);
                }
            }
        }
        armies
    }

    /// Legal orders at random.
    fn any_plan(force: &Force, dice: &mut Dice) -> Plan {
        let mut plan = Plan::default();
        for _ in 0..30 {
            let units: Vec<_> = force.units().collect();
            let (from, unit) = units[dice.below(units.len())];
            let targets: Vec<_> = near(from, unit.allowance()).iter().filter(|&to| to != from).collect();
            let order = Move { unit, from, to: targets[dice.below(targets.len())] };
            plan = plan.with(&[order]).filter(|longer| longer.is_legal(force)).unwrap_or(plan);
        }
        plan
    }

    #[test]
    fn a_day_is_that_of_the_rules() {
        let mut dice = Dice::new([7; 32]);
        let mut removed = 0;
        for n in 0..4_000 {
            let board = maps::ALL[n % 2].board();
            let ground = Ground::new(board);
            let dawn = crowd(&mut dice);
            let forces = dawn.map(|army| Force::of_army(&army));
            let plans = BySide::from_fn(|side| any_plan(forces.get(side), &mut dice));
            let lists = plans.map(|plan| plan.orders());
            let day = day::resolve(board, &dawn, lists.as_ref());
            for side in Side::BOTH {
                assert!(day.orders.get(side).verdicts().iter().all(|verdict| verdict.reason.is_none()));
            }
            let (mut red, mut blue) = (forces.red.moved(&plans.red), forces.blue.moved(&plans.blue));
            fight(&ground, &mut red, &mut blue);
            assert_eq!((red, blue), (Force::of_army(&day.dusk.red), Force::of_army(&day.dusk.blue)));
            removed += usize::from(day.removed_any());
        }
        assert!(removed > 3_000, "{removed}");
    }

    #[test]
    fn who_stays_keeps_those_who_would_come_to_that_place() {
        let at = |name| Position::parse(name).unwrap();
        let army: Army = ["F1", "F2", "F3", "A1"].map(|name| (at(name), Unit::Cavalry1)).into_iter().collect();
        let force = Force::of_army(&army);
        let order = |from, to| Move { unit: Unit::Cavalry1, from: at(from), to: at(to) };
        let orders = [order("F1", "F2"), order("F2", "F3"), order("F3", "F4"), order("A1", "A2")];
        let plan = Plan::default().with(&orders).unwrap();
        assert_eq!(plan.staying(at("F3"), &force), Plan::default().with(&orders[3..]).unwrap());
        let shorter = plan.staying(at("F1"), &force);
        assert_eq!(shorter, Plan::default().with(&orders[1..]).unwrap());
        // Two that change places both stay.
        let swap = Plan::default().with(&[order("F1", "F2"), order("F2", "F1")]).unwrap();
        assert_eq!(swap.staying(at("F1"), &force).len(), 0);
    }
}
