//! A day to be watched: the board at dawn with both sides' orders, and what becomes of it.
//!
//! Without a script it is the picture of the dawn. Each unit that something happens to is an
//! element of its own, drawn around the origin and moved to where it stands; it says in its
//! attributes, in units of the drawing and from where it stands at dawn or has moved to,
//!
//! - `data-dx`, `data-dy`: its move;
//! - `data-meets`: across, down and size while it shares a position with an enemy;
//! - `data-rests`: the same once that is decided;
//! - `data-falls`: `clash` or `fire`, if it is removed, and in which step.
//!
//! What belongs to one step stands in a group with `data-step`; those of later steps are hidden.
//! `static/watch.js` plays it.

use super::counters::{self, Lie};
use super::marks;
use super::scene::{Kind, Piece, Scene};
use super::svg::{Number, Point, Svg};
use crate::rules::field_command::{Day, Position, Report, Unit};

/// Draws a day from its dawn and its dusk.
pub fn draw(dawn: &Scene<'_>, dusk: &Scene<'_>, report: &Report) -> String {
    let dawn = Scene { kind: Kind::Watch, ..dawn.clone() };
    let Report::Day { day, .. } = report else { return super::draw(&dawn) };
    let mut svg = Svg::new(dawn.kind.word());
    super::open(&mut svg, &dawn);
    let ground = super::printed::of(&dawn);
    svg.open("defs", &[]);
    svg.piece(&ground.define);
    define(&mut svg, &dawn, dusk);
    svg.close("defs");
    for piece in [&ground.papers, &ground.print, &ground.frame] {
        svg.piece(piece);
    }

    let rings: Vec<Point> = dusk.clashes.iter().map(|at| dawn.view.stand(at)).collect();
    step(&mut svg, "confrontations", true, |svg| marks::clashes(svg, &rings));
    step(&mut svg, "moves", false, |svg| units(svg, &dawn, dusk, day));
    let lines: Vec<marks::Line> = dusk.shots.iter().map(|&shot| super::aim(dusk, shot)).collect();
    step(&mut svg, "artillery", true, |svg| marks::shots(svg, &lines));
    let generals: Vec<Point> =
        dusk.fallen.iter().filter(|piece| piece.unit == Unit::General).map(|piece| dawn.view.stand(piece.at)).collect();
    step(&mut svg, "end", true, |svg| marks::clashes(svg, &generals));
    step(&mut svg, "orders", false, |svg| marks::arrows(svg, &dawn.arrows, dawn.view));
    svg.close("svg");
    svg.finish()
}

fn define(svg: &mut Svg, dawn: &Scene<'_>, dusk: &Scene<'_>) {
    let mut shown = counters::Shown::default();
    for piece in &dawn.standing {
        shown.note(piece.side, piece.unit);
    }
    counters::define(svg, &shown);
    if !dusk.fallen.is_empty() {
        counters::define_cross(svg);
    }
    if !dusk.shots.is_empty() {
        marks::define(svg);
    }
}

/// The group of one step.
fn step(svg: &mut Svg, name: &str, later: bool, draw: impl FnOnce(&mut Svg)) {
    let hidden: &[_] = if later { &[("display", "none")] } else { &[] };
    svg.open("g", &[&[("data-step", name)], hidden].concat());
    draw(svg);
    svg.close("g");
}

/// What becomes of a unit.
#[derive(Clone, Copy, Debug)]
struct Fate {
    /// Where it stands at dawn.
    from: Position,
    /// Where it is when all have moved; never left again but by removal.
    piece: Piece,
    /// Whether it meets an enemy there.
    meets: bool,
    /// In which step it is removed.
    falls: Option<&'static str>,
}

impl Fate {
    fn of(at_dawn: Piece, dusk: &Scene<'_>, day: &Day) -> Fate {
        let moved = day.orders.get(at_dawn.side).legal().find(|order| order.from == at_dawn.at);
        let piece = Piece { at: moved.map_or(at_dawn.at, |order| order.to), ..at_dawn };
        let confronted = day.confrontations.iter().find(|confrontation| confrontation.at == piece.at);
        let lost = confronted.is_some_and(|confrontation| *confrontation.removed.by_side().get(piece.side));
        let falls = match (lost, dusk.fallen.contains(&piece)) {
            (true, _) => Some("clash"),
            (false, true) => Some("fire"),
            (false, false) => None,
        };
        Fate { from: at_dawn.at, piece, meets: confronted.is_some(), falls }
    }

    /// Whether it only stands all day.
    fn is_quiet(&self) -> bool {
        self.from == self.piece.at && !self.meets && self.falls.is_none()
    }
}

/// The units: below those that stand all day, above them those that are removed, on top the others.
fn units(svg: &mut Svg, dawn: &Scene<'_>, dusk: &Scene<'_>, day: &Day) {
    let mut fates: Vec<Fate> = dawn.standing.iter().map(|&piece| Fate::of(piece, dusk, day)).collect();
    fates.sort_by_key(|fate| (!fate.is_quiet(), fate.falls.is_none()));
    svg.open("g", &[("class", "units")]);
    for fate in fates {
        let (side, unit, stand) = (fate.piece.side, fate.piece.unit, dawn.view.stand(fate.from));
        let framed = unit == Unit::General && side == dawn.view.bottom();
        if fate.is_quiet() {
            if framed {
                counters::own_general(svg, stand);
            }
            counters::standing(svg, side, unit, stand);
        } else {
            touched(svg, &fate, dawn, dusk, framed);
        }
    }
    svg.close("g");
}

/// A unit that something happens to.
fn touched(svg: &mut Svg, fate: &Fate, dawn: &Scene<'_>, dusk: &Scene<'_>, framed: bool) {
    let (from, to) = (dawn.view.stand(fate.from), dawn.view.stand(fate.piece.at));
    let numbers = |x: f64, y: f64, size: f64| format!("{} {} {size}", Number(x), Number(y));
    let lie = fate.falls.map(|_| super::lie(dusk, fate.piece));
    let mut attributes =
        vec![("class", "unit".to_owned()), ("transform", format!("translate({} {})", Number(from.x), Number(from.y)))];
    if fate.from != fate.piece.at {
        let way = from.to(to);
        attributes.push(("data-dx", Number(way.x).to_string()));
        attributes.push(("data-dy", Number(way.y).to_string()));
    }
    if fate.meets {
        let aside = if fate.piece.side == dawn.view.bottom() { 12.0 } else { -15.0 };
        attributes.push(("data-meets", numbers(0.0, aside, 0.75)));
        let rests = lie.map_or_else(|| numbers(0.0, 8.0, 1.0), |lie| numbers(lie.aside.x, lie.aside.y, lie.scale));
        attributes.push(("data-rests", rests));
    }
    if let Some(step) = fate.falls {
        attributes.push(("data-falls", step.to_owned()));
    }
    let attributes: Vec<(&str, &str)> = attributes.iter().map(|(name, value)| (*name, value.as_str())).collect();
    svg.open("g", &attributes);
    let name = counters::name(fate.piece.side, fate.piece.unit);
    if framed {
        svg.open("g", &[]);
        counters::own_general(svg, Point::new(0.0, 0.0));
        svg.again(&name, &[]);
        svg.close("g");
    } else {
        svg.again(&name, &[]);
    }
    if let Some(lie) = lie {
        cross(svg, lie);
    }
    svg.close("g");
}

/// The cross of a unit that will be removed, as large as it is on every ghost.
fn cross(svg: &mut Svg, lie: Lie) {
    let place = format!(
        "translate({} {})scale({})",
        Number(lie.cross.x / lie.scale),
        Number(lie.cross.y / lie.scale),
        (100.0 / lie.scale).round() / 100.0
    );
    svg.again("cross", &[("class", "cross"), ("display", "none"), ("transform", &place)]);
}
