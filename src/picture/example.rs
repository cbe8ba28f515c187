//! Small pictures for the page of rules: what a unit reaches, what a gun covers, how a meeting ends. Each
//! shows a part of the printed board, and its ids begin with a name of its own, so that a page may hold several.

use super::scene::{Arrow, Piece, Scene};
use super::table::Hatch;
use super::view::View;
use crate::rules::field_command::confrontation::confront;
use crate::rules::field_command::{Army, Position, PositionSet, Unit, guns, maps, outlook};
use crate::rules::{BySide, Side};

/// Rows and columns of a picture of a meeting.
const CLOSE: u8 = 5;

/// Where a unit of Red can go on the printed board within a day: the hatched positions.
#[must_use]
pub fn reach(id: &'static str, unit: Unit, at: Position) -> String {
    let red: Army = [(at, unit)].into_iter().collect();
    let armies = BySide { red, blue: Army::EMPTY };
    let mut scene = Scene::of_part(id, maps::classic(), &armies, View::around(Side::Red, at));
    scene.under.hatches = vec![Hatch::of_set(Side::Red, outlook::within(at, unit.allowance()).collect())];
    let number = outlook::within(at, unit.allowance()).count() - 1;
    let summary = format!("{} on {at} and, hatched, the {number} positions where it can go.", unit.name());
    super::draw(&scene.called("What a unit reaches", summary))
}

/// What a gun of Red covers on the printed board: the hatched positions.
#[must_use]
pub fn gun(id: &'static str, at: Position) -> String {
    let red: Army = [(at, Unit::Artillery)].into_iter().collect();
    let armies = BySide { red, blue: Army::EMPTY };
    let mut scene = Scene::of_part(id, maps::classic(), &armies, View::around(Side::Red, at));
    scene.under.hatches = vec![Hatch { side: Side::Red, counts: guns::cover(maps::classic(), &red) }];
    let summary = format!("Artillery on {at} and, hatched, the positions in its range.");
    super::draw(&scene.called("What a gun covers", summary))
}

/// How a unit of Red and one of Blue meet that both go to a position from the two sides of it: who stands
/// afterwards, and who lies there crossed out.
#[must_use]
pub fn meeting(id: &'static str, red: Unit, blue: Unit, at: Position) -> String {
    let ground = maps::classic().terrain(at);
    let removed = confront(red, blue, ground).by_side();
    let nobody = BySide { red: Army::EMPTY, blue: Army::EMPTY };
    let mut scene = Scene::of_part(id, maps::classic(), &nobody, View::part(Side::Red, at, CLOSE));
    for (side, unit) in [(Side::Red, red), (Side::Blue, blue)] {
        let piece = Piece { side, unit, at };
        let fate = if *removed.get(side) { &mut scene.fallen } else { &mut scene.standing };
        fate.push(piece);
        let back = if side == Side::Red { 1 } else { -1 };
        if let Some(from) = scene.view.beside(at, back, 0) {
            scene.arrows.push(Arrow { side, from, to: at, legal: true });
        }
    }
    scene.clashes = PositionSet::EMPTY;
    scene.clashes.insert(at);
    let summary = format!("Red's {} and Blue's {} on {at}, {}.", red.name(), blue.name(), ground.name());
    super::draw(&scene.called("A confrontation", summary))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_sound, counters};
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    #[test]
    fn examples_are_sound_and_share_a_page() {
        for unit in Unit::ALL {
            assert_sound(&reach("reach", unit, at("F6")), "reach");
            for place in ["F8", "E8"] {
                assert_sound(&meeting("field", unit, Unit::Infantry2, at(place)), "field");
            }
        }
        for place in Position::all() {
            assert_sound(&gun("gun", place), "gun");
        }
        assert!(reach("reach", Unit::Cavalry2, at("F6")).contains("the 24 positions where it can go"));
    }

    #[test]
    fn who_is_removed_lies_crossed() {
        let forest = meeting("forest", Unit::Infantry2, Unit::Cavalry1, at("F8"));
        assert_eq!((counters(&forest, "forest", 'r'), forest.matches("class=\"fallen\"").count()), (1, 1));
        let both = meeting("forest", Unit::Infantry2, Unit::Infantry2, at("F8"));
        assert_eq!(both.matches("class=\"fallen\"").count(), 2);
        assert_eq!(both.matches("class=\"ring\"").count(), 1);
    }
}
