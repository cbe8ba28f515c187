//! Grounds that have been drawn: the same map lies under picture after picture.
//!
//! The map of a board, seen from one side, is the same in each picture of a kind, and is half of the work of drawing one. It is
//! kept as the text that stands in the pictures; windows, which show a part of it, are drawn each time.

use std::sync::Arc;

use super::ground;
use super::recent::Recent;
use super::scene::Scene;
use super::svg::Svg;
use crate::rules::Side;
use crate::rules::field_command::board::Board;

/// The pieces of a ground, as they stand in a picture.
pub struct Printed {
    /// What stands among the definitions.
    pub define: Box<str>,
    /// The bare map.
    pub papers: Box<str>,
    /// What is printed on it.
    pub print: Box<str>,
    /// The frame with the coordinates.
    pub frame: Box<str>,
    key: Key,
}

/// What a ground depends on.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    prefix: &'static str,
    bottom: Side,
    hatched: bool,
    board: Board,
}

/// Six kinds of picture, from two sides, on a few boards.
static PRINTED: Recent<Printed> = Recent::new(32);

/// The ground of a scene.
pub fn of(scene: &Scene<'_>) -> Arc<Printed> {
    let key = Key {
        prefix: scene.id(),
        bottom: scene.view.bottom(),
        hatched: !scene.under.hatches.is_empty(),
        board: scene.board.clone(),
    };
    let kept =
        if scene.view.is_part() { None } else { PRINTED.get(|printed| printed.key == key, || Some(draw(scene, &key))) };
    kept.unwrap_or_else(|| Arc::new(draw(scene, &key)))
}

fn draw(scene: &Scene<'_>, key: &Key) -> Printed {
    let piece = |draw: &dyn Fn(&mut Svg)| {
        let mut svg = Svg::new(scene.id());
        draw(&mut svg);
        svg.finish().into_boxed_str()
    };
    Printed {
        define: piece(&ground::define),
        papers: piece(&|svg| ground::papers(svg, scene.board, scene.view)),
        print: piece(&|svg| ground::print(svg, scene.board, scene.view, key.hatched)),
        frame: piece(&|svg| ground::frame(svg, scene.view)),
        key: key.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::table::Hatch;
    use crate::rules::field_command::{self as fc, PositionSet, maps};
    use crate::rules::{Setup, Standing};

    /// Boards, sides, kinds of picture and kinds of print are told apart, however often they are asked for.
    #[test]
    fn a_ground_is_the_one_that_was_asked_for() {
        let setups = maps::ALL.into_iter().map(maps::Map::board).map(|board| fc::Setup {
            board: Arc::clone(board),
            no_removal_limit: 0,
            day_limit: 0,
        });
        let standings: Vec<_> = setups.map(|setup| Standing::open(Setup::FieldCommand(setup))).collect();
        for _ in 0..2 {
            for Standing::FieldCommand(standing) in &standings {
                for bottom in Side::BOTH {
                    let plain = Scene::of_standing(standing, bottom);
                    let mut hatched = plain.clone();
                    hatched.under.hatches.push(Hatch::of_set(bottom, PositionSet::EMPTY));
                    for scene in [plain, hatched] {
                        let kept = of(&scene);
                        let mut svg = Svg::new(scene.id());
                        ground::print(&mut svg, scene.board, scene.view, !scene.under.hatches.is_empty());
                        assert_eq!(*kept.print, *svg.finish());
                        assert!(Arc::ptr_eq(&kept, &of(&scene)), "it is kept");
                    }
                }
            }
        }
    }
}
