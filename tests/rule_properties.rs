//! Properties of the rules that hold for every day.

use std::sync::Arc;

use fieldcommand::rules::field_command::deployment::{Deployment, zone};
use fieldcommand::rules::field_command::order::{Order, Orders};
use fieldcommand::rules::field_command::standing::KeptStanding;
use fieldcommand::rules::field_command::{Army, Day, Position, Setup, Standing, Unit, maps, parse, resolve};
use fieldcommand::rules::{BySide, Side};
use proptest::prelude::*;

fn position() -> impl Strategy<Value = Position> {
    (0usize..121).prop_map(|index| Position::from_index(index).unwrap())
}

/// Up to forty units of each side, no two on one position.
fn armies() -> impl Strategy<Value = BySide<Army>> {
    proptest::collection::vec((position(), 0usize..9, any::<bool>()), 2..60).prop_map(|units| {
        let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
        for (position, unit, red) in units {
            if armies.red.at(position).or(armies.blue.at(position)).is_none() {
                armies.get_mut(if red { Side::Red } else { Side::Blue }).place(position, Unit::ALL[unit]);
            }
        }
        armies
    })
}

/// Lists whose orders mostly begin where a unit stands and mostly end near.
fn orders(army: Army) -> impl Strategy<Value = Orders> {
    let held: Vec<Position> = army.held().iter().collect();
    proptest::collection::vec((any::<prop::sample::Index>(), position(), 0u8..10), 0..=12).prop_map(move |draws| {
        let mut orders = Orders::default();
        for (pick, anywhere, luck) in draws {
            let from = if held.is_empty() || luck == 0 { anywhere } else { held[pick.index(held.len())] };
            let near: Vec<Position> = Position::all().filter(|to| (1..=3).contains(&from.distance(*to))).collect();
            let to = if luck == 1 { anywhere } else { near[pick.index(near.len())] };
            orders.push(Order { from, to }).unwrap();
        }
        orders
    })
}

/// A dawn with both lists.
fn a_day() -> impl Strategy<Value = (BySide<Army>, BySide<Orders>)> {
    armies().prop_flat_map(|armies| {
        (Just(armies), orders(armies.red), orders(armies.blue))
            .prop_map(|(armies, red, blue)| (armies, BySide { red, blue }))
    })
}

fn turned(army: &Army) -> Army {
    army.units().map(|(position, unit)| (position.turned(), unit)).collect()
}

fn turned_orders(list: &Orders) -> Orders {
    let mut orders = Orders::default();
    for order in list.as_slice() {
        orders.push(Order { from: order.from.turned(), to: order.to.turned() }).unwrap();
    }
    orders
}

fn fight(dawn: &BySide<Army>, orders: &BySide<Orders>) -> Day {
    resolve(maps::classic(), dawn, orders.as_ref())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Neither side is favoured: Red for Blue on the board turned by 180° gives the same day.
    #[test]
    fn sides_are_equal((dawn, lists) in a_day()) {
        let day = fight(&dawn, &lists);
        let other_dawn = BySide { red: turned(&dawn.blue), blue: turned(&dawn.red) };
        let other_lists = BySide { red: turned_orders(&lists.blue), blue: turned_orders(&lists.red) };
        let other = fight(&other_dawn, &other_lists);
        prop_assert_eq!(turned(&other.dusk.blue), day.dusk.red);
        prop_assert_eq!(turned(&other.dusk.red), day.dusk.blue);
        prop_assert_eq!(other.confrontations.len(), day.confrontations.len());
        prop_assert_eq!(other.fires.len(), day.fires.len());
    }

    /// The order of the lines changes nothing.
    #[test]
    fn lines_may_be_shuffled((dawn, lists) in a_day(), by in any::<prop::sample::Index>()) {
        let mut shuffled = Orders::default();
        let red = lists.red.as_slice();
        if !red.is_empty() {
            let (first, last) = red.split_at(by.index(red.len()));
            for order in last.iter().rev().chain(first) {
                shuffled.push(*order).unwrap();
            }
        }
        let day = fight(&dawn, &lists);
        let other = fight(&dawn, &BySide { red: shuffled, blue: lists.blue.clone() });
        prop_assert_eq!(&day.dusk, &other.dusk);
        for verdict in day.orders.red.verdicts() {
            let same = other.orders.red.verdicts().iter().any(|other| other == verdict);
            prop_assert!(same, "{} is judged otherwise when the lines are shuffled", verdict.order);
        }
    }

    /// No unit doubles, appears, or changes its kind; what is gone was removed by somebody.
    #[test]
    fn units_are_kept((dawn, lists) in a_day()) {
        let day = fight(&dawn, &lists);
        for side in Side::BOTH {
            let (before, after) = (dawn.get(side), day.dusk.get(side));
            let mut lost = 0;
            for unit in Unit::ALL {
                let (was, is) = (before.positions_of(unit).len(), after.positions_of(unit).len());
                prop_assert!(is <= was, "{} {}", side.word(), unit.code());
                lost += was - is;
            }
            let met = day.confrontations.iter().filter(|met| *met.removed.by_side().get(side)).count();
            let mut hit: Vec<Position> =
                day.fires.iter().filter(|fire| fire.side != side).flat_map(|fire| fire.hits.iter()).collect();
            hit.sort();
            hit.dedup();
            prop_assert_eq!(lost, met + hit.len());
            prop_assert!(after.held().and(day.dusk.get(side.other()).held()).is_empty());
        }
        prop_assert_eq!(day.removed_any(), day.dusk != dawn && day.dusk.red.len() + day.dusk.blue.len() < dawn.red.len() + dawn.blue.len());
    }

    /// A list is read as it is written, whatever it holds.
    #[test]
    fn lists_are_read_as_written((_, lists) in a_day()) {
        let read = parse::orders(&lists.red.to_string(), &Army::EMPTY);
        prop_assert_eq!(read, Ok(lists.red));
    }

    /// No text makes the readers panic, and what they accept they read again.
    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
        if let Ok(orders) = parse::orders(&text, &Army::EMPTY) {
            prop_assert_eq!(parse::orders(&orders.to_string(), &Army::EMPTY), Ok(orders));
        }
        let _ = Deployment::parse(&text, Side::Red);
    }

    /// Texts made of the notation's own pieces reach deeper into the readers than random signs.
    #[test]
    fn any_mixture_of_words_is_read_or_refused(words in proptest::collection::vec(prop::sample::select(vec![
        "H7", "F7", "I2", "C3", "-", "->", "→", "x", "to", " ", ",", "\n", "#", "GN", "AR", "hold", "Ｈ７", "K12", "H7xF7", "\u{200B}",
    ]), 0..30)) {
        let text = words.concat();
        if let Ok(orders) = parse::orders(&text, &Army::EMPTY) {
            prop_assert_eq!(parse::orders(&orders.to_string(), &Army::EMPTY), Ok(orders));
        }
    }

    /// Any way of filling a zone is a deployment, and is read as it is written.
    #[test]
    fn filled_zones_are_deployments(picks in proptest::collection::vec(any::<prop::sample::Index>(), 40), red in any::<bool>()) {
        let side = if red { Side::Red } else { Side::Blue };
        let mut picks = picks.into_iter();
        let deployment = Deployment::fill(&Army::EMPTY, side, |n| picks.next().map_or(0, |pick| pick.index(n)));
        prop_assert_eq!(deployment.army().held(), zone(side));
        prop_assert_eq!(Deployment::parse(&deployment.to_string(), side), Ok(deployment.clone()));
        prop_assert_eq!(deployment.turned().turned(), deployment);
    }

    /// A standing survives being kept.
    #[test]
    fn standings_survive_being_kept(picks in proptest::collection::vec(any::<prop::sample::Index>(), 80), limit in 0u32..99) {
        let setup = Setup { board: Arc::clone(maps::ridge()), no_removal_limit: limit, day_limit: 0 };
        let mut picks = picks.into_iter();
        let mut standing = Standing::open(setup.clone());
        let sheets = BySide::from_fn(|side| standing.fill(side, "", |n| picks.next().map_or(0, |pick| pick.index(n))).unwrap());
        standing = standing.resolve(sheets.as_ref()).0;
        let kept = serde_json::to_string(&standing.kept()).unwrap();
        let read: KeptStanding = serde_json::from_str(&kept).unwrap();
        prop_assert_eq!(Standing::restore(&read, setup), Some(standing));
    }
}
