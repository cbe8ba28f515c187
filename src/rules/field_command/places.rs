//! The positions of the board as the writer of a sheet sees them: in words, and with where
//! each own unit can go.

use super::advice::owner;
use super::board::Board;
use super::deployment::zone;
use super::drafting::Draft;
use super::outlook;
use super::position::{Position, SIZE};
use super::standing::Standing;
use super::unit::Army;
use crate::rules::side::{BySide, Side};
use crate::rules::table::{Goal, Layer, Place};

/// All positions row by row, as `reader` sees them with the own edge at the bottom, for a sheet of `side`.
#[must_use]
pub fn places(standing: &Standing, side: Side, draft: &Draft, reader: Side) -> Vec<Vec<Place>> {
    let board = &standing.setup().board;
    let mut armies = *standing.armies();
    let deploying = matches!(draft, Draft::Deployment(_));
    if let Draft::Deployment(army) = draft {
        *armies.get_mut(side) = *army;
    }
    let place = |at: Position| {
        let unit = armies.get(side).at(at);
        Place {
            name: at.to_string(),
            spoken: spoken(board, &armies, reader, at) + &ordered(draft, at),
            mine: unit.is_some(),
            open: if deploying { zone(side).contains(at) } else { unit.is_some() },
            goals: unit.filter(|_| !deploying).map(|_| goals(board, &armies, side, at)).unwrap_or_default(),
        }
    };
    let turned = |position: Position| if reader == Side::Red { position } else { position.turned() };
    let row = |row: u8| (0..SIZE).filter_map(move |column| Position::new(row, column)).map(turned).map(place).collect();
    (0..SIZE).map(row).collect()
}

/// Where the unit on a position is ordered to go, as the end of its words.
fn ordered(draft: &Draft, at: Position) -> String {
    let Draft::Orders(orders) = draft else { return String::new() };
    let to: Vec<String> =
        orders.as_slice().iter().filter(|order| order.from == at).map(|order| order.to.to_string()).collect();
    if to.is_empty() { String::new() } else { format!(", ordered to {}", to.join(" and to ")) }
}

/// A position in words, as a screen reader says it: `H7, forest, altitude 1, your 2nd Infantry`. A position without
/// a unit ends after the altitude: most are, and silence is the shortest word for it.
#[must_use]
pub fn spoken(board: &Board, armies: &BySide<Army>, reader: Side, at: Position) -> String {
    let ground = board.ground(at);
    let mut words = format!("{at}, {}, altitude {}", ground.terrain.name(), ground.altitude);
    for side in [reader, reader.other()] {
        if let Some(unit) = armies.get(side).at(at) {
            for part in [", ", owner(side, reader), " ", unit.name()] {
                words.push_str(part);
            }
        }
    }
    words
}

/// Where a unit can go, and what would become of it there if nothing else moved.
fn goals(board: &Board, armies: &BySide<Army>, side: Side, from: Position) -> Vec<Goal> {
    let own = |to: Position| armies.get(side).at(to).is_some();
    let reach = outlook::reach(board, armies, side, from).into_iter();
    reach.map(|(to, ends)| Goal { place: to.to_string(), prospect: (!own(to)).then_some(ends) }).collect()
}

/// The views of the board that can be asked for while a sheet is written.
#[must_use]
pub const fn layers(standing: &Standing) -> &'static [Layer] {
    if standing.turn() == 0 {
        &[Layer { key: "ground", name: "Ground that no gun can hit, and good places for guns" }]
    } else {
        &[
            Layer { key: "dusk", name: "Where your units will stand, and where enemy guns may fire" },
            Layer { key: "enemy-guns", name: "Enemy guns: what they cover now" },
            Layer { key: "enemy-guns-next", name: "Enemy guns: what they may cover after a move" },
            Layer { key: "own-guns", name: "Your guns: what they cover now" },
            Layer { key: "own-guns-next", name: "Your guns: what they may cover after a move" },
            Layer { key: "enemy-reach", name: "Where enemy units can go" },
            Layer { key: "trails", name: "Moves of the last three days" },
            Layer { key: "enemy-orders", name: "The enemy’s last orders" },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::{Orders, Setup, Sheet, maps, ready};
    use crate::rules::table::Prospect;
    use std::sync::Arc;

    fn standing(red: &[(&str, &str)], blue: &[(&str, &str)]) -> Standing {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let army =
            |units: &[(&str, &str)]| units.iter().map(|(unit, at)| format!("{unit}{at}")).collect::<Vec<_>>().join(" ");
        let kept =
            format!(r#"{{"turn":3,"quiet_days":0,"red":"{}","blue":"{}","ending":null}}"#, army(red), army(blue));
        Standing::restore(&serde_json::from_str(&kept).unwrap(), setup).unwrap()
    }

    fn orders() -> Draft {
        Draft::Orders(Orders::default())
    }

    #[test]
    fn every_position_is_spoken_from_the_readers_side() {
        let standing = standing(&[("I2", "H7"), ("GN", "K11")], &[("AR", "A1")]);
        let find = |side: Side, name: &str| {
            let rows = places(&standing, side, &orders(), side);
            rows.into_iter().flatten().find(|place| place.name == name).unwrap()
        };
        assert_eq!(find(Side::Red, "H7").spoken, "H7, forest, altitude 1, your 2nd Infantry");
        assert_eq!(find(Side::Blue, "H7").spoken, "H7, forest, altitude 1, Red's 2nd Infantry");
        assert_eq!(find(Side::Red, "A5").spoken, "A5, open field, altitude 2");
        let rows = places(&standing, Side::Blue, &orders(), Side::Blue);
        assert_eq!((&*rows[0][0].name, &*rows[10][10].name), ("K11", "A1"));
    }

    #[test]
    fn goals_tell_how_a_meeting_would_end() {
        // E6 is forest: Infantry removes Cavalry and Guerrillas there.
        let standing = standing(&[("I2", "E7"), ("C2", "F7")], &[("C1", "E6"), ("I1", "D7"), ("I2", "E8")]);
        let rows = places(&standing, Side::Red, &orders(), Side::Red);
        let place = rows.into_iter().flatten().find(|place| place.name == "E7").unwrap();
        let prospect = |at: &str| place.goals.iter().find(|goal| goal.place == at).map(|goal| goal.prospect);
        assert_eq!(prospect("E6"), Some(Some(Prospect::Wins)));
        assert_eq!(prospect("D7"), Some(Some(Prospect::Loses)));
        assert_eq!(prospect("E8"), Some(Some(Prospect::Both)));
        assert_eq!(prospect("F7"), Some(None));
        assert_eq!(prospect("D6"), Some(Some(Prospect::Free)));
        assert_eq!(prospect("B7"), None);
    }

    #[test]
    fn a_half_placed_army_can_be_touched_in_its_zone_alone() {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let open = Standing::open(setup);
        let army = ready::ALL[0].deployment(Side::Blue);
        let draft = Draft::read(&open, Side::Blue, &Sheet::Deployment(army).canonical()).unwrap();
        let rows = places(&open, Side::Blue, &draft, Side::Blue);
        assert_eq!(rows.iter().flatten().filter(|place| place.open && place.mine).count(), 40);
        assert!(rows.iter().flatten().all(|place| place.goals.is_empty()));
    }
}
