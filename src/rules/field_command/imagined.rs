//! A day out of nothing, for analysis: a board, what stands on it, and both lists, in the form that
//! `fieldcommand adjudicate` takes. Any number of each unit may stand there; the lists may be left out.

use std::sync::Arc;

use serde::Deserialize;

use super::board::{Board, BoardText};
use super::maps::{self, Map};
use super::order::Orders;
use super::parse;
use super::position::{Position, PositionSet};
use super::standing::{Setup, Sheet, Standing};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};

/// A day as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    map: WrittenMap,
    units: Vec<WrittenUnit>,
    #[serde(default)]
    orders: Option<WrittenOrders>,
}

/// A named board, or one written out.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected the name of a board, or an object with altitude and terrain")]
enum WrittenMap {
    Name(String),
    Text(BoardText),
}

/// A unit at dawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenUnit {
    side: Side,
    unit: Unit,
    at: Position,
}

/// Both lists; each string is one order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOrders {
    red: Vec<String>,
    blue: Vec<String>,
}

/// A day imagined: the dawn, and both lists if they were given.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// The dawn of day 1.
    pub dawn: Standing,
    /// Both lists.
    pub sheets: Option<BySide<Sheet>>,
}

/// Reads a day.
///
/// # Errors
/// What is wrong and where, as a sentence without its end.
pub fn read(written: Written) -> Result<Imagined, String> {
    let board = board(written.map)?;
    let armies = armies(&written.units)?;
    let dawn = Standing::on_day_one(Setup { board, no_removal_limit: 0, day_limit: 0 }, &armies);
    let list = |side: Side, lines: &[String]| -> Result<Sheet, String> {
        let orders: Orders = parse::orders(&lines.join("\n"), armies.get(side))
            .map_err(|error| format!("orders of {}: {error}", side.name()))?;
        Ok(Sheet::Orders(orders))
    };
    let sheets = match written.orders {
        None => None,
        Some(orders) => Some(BySide { red: list(Side::Red, &orders.red)?, blue: list(Side::Blue, &orders.blue)? }),
    };
    Ok(Imagined { dawn, sheets })
}

fn board(map: WrittenMap) -> Result<Arc<Board>, String> {
    match map {
        WrittenMap::Name(name) => {
            let names: Vec<&str> = maps::ALL.into_iter().map(Map::name).collect();
            let map = Map::by_name(&name);
            map.map(|map| Arc::clone(map.board())).ok_or_else(|| format!("map: the boards are {}", names.join(" and ")))
        }
        WrittenMap::Text(text) => Board::from_text(&text).map(Arc::new).map_err(|error| format!("map: {error}")),
    }
}

fn armies(units: &[WrittenUnit]) -> Result<BySide<Army>, String> {
    let mut held = PositionSet::default();
    for unit in units {
        let here: PositionSet = [unit.at].into_iter().collect();
        if !held.and(here).is_empty() {
            return Err(format!("units: two units stand on {}", unit.at));
        }
        held = held.or(here);
    }
    let of = |side: Side| units.iter().filter(|unit| unit.side == side).map(|unit| (unit.at, unit.unit)).collect();
    Ok(BySide { red: of(Side::Red), blue: of(Side::Blue) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Imagined, String> {
        super::read(serde_json::from_str(json).map_err(|error| error.to_string())?)
    }

    const DAY: &str = r#"{"map": "classic", "units": [{"side": "red", "unit": "I2", "at": "H7"}, {"side": "blue", "unit": "GN", "at": "F7"}],
        "orders": {"red": ["H7-F7"], "blue": []}}"#;

    #[test]
    fn a_day_is_read_and_can_be_resolved() {
        let Imagined { dawn, sheets } = read(DAY).unwrap();
        let (after, _) = dawn.resolve(sheets.as_ref().unwrap().as_ref());
        assert!(after.ending().is_some());
        let board = DAY.split(",\n").next().unwrap().to_owned() + "}";
        assert!(read(&board).unwrap().sheets.is_none(), "without lists it is a position");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, said) in [
            ("classic", "moon", "map: the boards are classic and ridge"),
            ("F7\"", "H7\"", "units: two units stand on H7"),
            ("H7-F7", "H7-Z7", "orders of Red: Line 1, “Z7”"),
            ("\"orders\"", "\"order\"", "unknown field `order`"),
        ] {
            let error = read(&DAY.replace(from, to)).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
