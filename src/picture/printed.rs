//! Grounds that have been drawn: the same map lies under picture after picture.
//!
//! The map of a board, seen from one side, is the same in each picture of a kind, and is half of the work of drawing one. It is
//! kept as the text that stands in the pictures; windows, which show a part of it, are drawn each time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::ground;
use super::scene::Scene;
use super::svg::Svg;
use crate::rules::Side;
use crate::rules::field_command::board::Board;

/// The pieces of a ground, as they stand in a picture.
pub struct Printed {
    /// What stands among the definitions.
    pub define: String,
    /// The bare map.
    pub papers: String,
    /// What is printed on it.
    pub print: String,
    /// The frame with the coordinates.
    pub frame: String,
}

/// What a ground depends on.
struct Key {
    prefix: &'static str,
    bottom: Side,
    hatched: bool,
    board: Board,
}

/// How many are kept: six kinds of picture, from two sides, on a few boards.
const KEPT: usize = 32;

static PRINTED: Mutex<VecDeque<(Key, Arc<Printed>)>> = Mutex::new(VecDeque::new());

/// The ground of a scene.
pub fn of(scene: &Scene<'_>) -> Arc<Printed> {
    let hatched = !scene.under.hatches.is_empty();
    if scene.view.is_part() {
        return Arc::new(draw(scene, hatched));
    }
    let (prefix, bottom) = (scene.id(), scene.view.bottom());
    let is_it =
        |key: &Key| key.prefix == prefix && key.bottom == bottom && key.hatched == hatched && key.board == *scene.board;
    let kept = || PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, printed)) = kept().iter().find(|(key, _)| is_it(key)) {
        return Arc::clone(printed);
    }
    let printed = Arc::new(draw(scene, hatched));
    let mut all = kept();
    all.truncate(KEPT - 1);
    all.push_front((Key { prefix, bottom, hatched, board: scene.board.clone() }, Arc::clone(&printed)));
    printed
}

fn draw(scene: &Scene<'_>, hatched: bool) -> Printed {
    let piece = |draw: &dyn Fn(&mut Svg)| {
        let mut svg = Svg::new(scene.id());
        draw(&mut svg);
        svg.finish()
    };
    Printed {
        define: piece(&ground::define),
        papers: piece(&|svg| ground::papers(svg, scene.board, scene.view)),
        print: piece(&|svg| ground::print(svg, scene.board, scene.view, hatched)),
        frame: piece(&|svg| ground::frame(svg, scene.view)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::maps;
    use crate::rules::{Setup, Standing};

    /// Two boards, both sides and both kinds of print are told apart, however often they are asked for.
    #[test]
    fn a_ground_is_the_one_that_was_asked_for() {
        let boards: Vec<_> = maps::ALL.into_iter().map(maps::Map::board).collect();
        for _ in 0..2 {
            for board in &boards {
                for bottom in Side::BOTH {
                    let setup = crate::rules::field_command::Setup {
                        board: Arc::clone(board),
                        no_removal_limit: 0,
                        day_limit: 0,
                    };
                    let Standing::FieldCommand(standing) = Standing::open(Setup::FieldCommand(setup));
                    let scene = Scene::of_standing(&standing, bottom);
                    let (kept, new) = (of(&scene), draw(&scene, false));
                    assert_eq!((&kept.define, &kept.papers), (&new.define, &new.papers));
                    assert_eq!((&kept.print, &kept.frame), (&new.print, &new.frame));
                    assert!(Arc::ptr_eq(&kept, &of(&scene)), "it is kept");
                }
            }
        }
    }
}
