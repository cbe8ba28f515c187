//! What lies on top of the map: order arrows, shots, and where units met.
//!
//! Each kind has a shape of its own: a tapering arrow is an order that is carried out, a
//! broken grey line one that is not; a dotted line that ends in a burst is a shot; a ring is
//! a confrontation. Arrows bend to the right of whoever walks along them, so that two units
//! that exchange positions do not share one arrow, and a long move passes beside the
//! counters between.

use super::counters::{HALF_HEIGHT, HALF_WIDTH};
use super::palette::{FAILED, HALO, INK, army};
use super::scene::Arrow;
use super::svg::{Number, Path, Point, Svg};
use super::view::View;
use crate::rules::Side;
use crate::rules::field_command::Position;

/// How far an arrow bends aside, as a part of its length.
const BEND: f64 = 0.2;
/// The same for a shot.
const SHOT_BEND: f64 = 0.1;
/// How far arrows reach into the counters at both ends.
const INTO: f64 = 6.0;
/// The length of an arrow's head.
const HEAD: f64 = 12.0;
/// Half the width of an arrow's head.
const HEAD_HALF: f64 = 6.5;
/// Half the width of an arrow's shaft where it begins and where the head sits on it.
const SHAFT_HALF: (f64, f64) = (1.3, 2.6);

/// A bent way from one unit's stand to another's.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: Point,
    bend: Point,
    to: Point,
}

impl Way {
    /// The way between two stands, cut off where the counters begin.
    fn between(start: Point, end: Point, bend: f64, into: f64) -> Way {
        let bend = bend_point(start, end, bend);
        Way { from: leave(start, bend, INTO), bend, to: leave(end, bend, into) }
    }

    /// The direction in which the way sets out.
    fn sets_out(self) -> Point {
        self.from.to(self.bend).unit()
    }

    /// The direction in which the way arrives.
    fn arrives(self) -> Point {
        self.bend.to(self.to).unit()
    }
}

/// The point towards which a way bends to its right.
fn bend_point(start: Point, end: Point, bend: f64) -> Point {
    let straight = start.to(end);
    start.along(straight, 0.5).along(straight.right(), bend)
}

/// The point a little inside the counter on `stand`, in the direction of `towards`.
fn leave(stand: Point, towards: Point, into: f64) -> Point {
    let way = stand.to(towards).unit();
    let reach = |half: f64, part: f64| if part.abs() > f64::EPSILON { half / part.abs() } else { f64::INFINITY };
    let edge = reach(HALF_WIDTH, way.x).min(reach(HALF_HEIGHT, way.y));
    if edge.is_finite() { stand.along(way, edge - into) } else { stand }
}

/// All order arrows: first those that fail, then Red's and Blue's that are carried out.
pub fn arrows(svg: &mut Svg, arrows: &[Arrow], view: View) {
    if arrows.is_empty() {
        return;
    }
    svg.open("g", &[("class", "orders"), ("stroke-linejoin", "round")]);
    failed(svg, arrows.iter().filter(|arrow| !arrow.legal), view);
    for side in Side::BOTH {
        let legal = arrows.iter().filter(|arrow| arrow.legal && arrow.side == side);
        let outlines: Vec<Path> = legal.map(|arrow| outline(way(*arrow, view))).collect();
        if !outlines.is_empty() {
            carried_out(svg, side, &outlines);
        }
    }
    svg.close("g");
}

fn way(arrow: Arrow, view: View) -> Way {
    Way::between(view.stand(arrow.from), view.stand(arrow.to), BEND, INTO)
}

/// Two stands and the point towards which a way between them bends.
#[must_use]
pub fn bent(from: Position, to: Position, view: View) -> (Point, Point, Point) {
    let (start, end) = (view.stand(from), view.stand(to));
    (start, bend_point(start, end, BEND), end)
}

/// The solid arrows of one side.
fn carried_out(svg: &mut Svg, side: Side, outlines: &[Path]) {
    let colours = army(side);
    // Blue's light rim is a halo by itself.
    if side == Side::Red {
        let mut halo = Path::default();
        for outline in outlines {
            halo.add(outline);
        }
        let pen = [("class", "halo"), ("fill", HALO), ("stroke", HALO), ("stroke-width", "5")];
        let [class, fill, stroke, width] = pen;
        svg.leaf("path", &[class, fill, stroke, width, ("d", halo.data())]);
    }
    let width = match side {
        Side::Red => "1.6",
        Side::Blue => "3.2",
    };
    svg.open(
        "g",
        &[
            ("class", &format!("order {}", side.word())),
            ("fill", colours.arrow),
            ("stroke", colours.rim),
            ("stroke-width", width),
            ("paint-order", "stroke"),
        ],
    );
    for outline in outlines {
        svg.leaf("path", &[("d", outline.data())]);
    }
    svg.close("g");
}

/// The outline of an arrow that grows broader on its way.
fn outline(way: Way) -> Path {
    let (out, arrives) = (way.sets_out(), way.arrives());
    let neck = way.to.along(arrives, -HEAD);
    let beside = |point: Point, direction: Point, by: f64| point.along(direction.right(), by);
    let (thin, broad) = SHAFT_HALF;
    let (middle, between) = (way.from.to(neck).unit(), thin.midpoint(broad));
    let mut path = Path::default();
    path.begin(beside(way.from, out, thin))
        .curve(beside(way.bend, middle, between), beside(neck, arrives, broad))
        .line(beside(neck, arrives, HEAD_HALF))
        .line(way.to)
        .line(beside(neck, arrives, -HEAD_HALF))
        .line(beside(neck, arrives, -broad))
        .curve(beside(way.bend, middle, -between), beside(way.from, out, -thin))
        .end();
    path
}

/// Orders that are not carried out: broken lines with open heads, and a ring around a unit
/// that is ordered to where it stands.
fn failed<'a>(svg: &mut Svg, arrows: impl Iterator<Item = &'a Arrow>, view: View) {
    let (mut shafts, mut heads) = (Path::default(), Path::default());
    for arrow in arrows {
        if arrow.from == arrow.to {
            let left = view.stand(arrow.from).along(Point::new(-20.0, 0.0), 1.0);
            shafts.begin(left).shape("a20 20 0 1 1 40 0 20 20 0 1 1-40 0");
            continue;
        }
        let way = way(*arrow, view);
        let (arrives, aside) = (way.arrives(), way.arrives().right());
        let neck = way.to.along(arrives, -HEAD * 0.8);
        shafts.begin(way.from).curve(way.bend, way.to);
        heads.begin(neck.along(aside, HEAD_HALF)).line(way.to).line(neck.along(aside, -HEAD_HALF));
    }
    if shafts.is_empty() {
        return;
    }
    svg.open("g", &[("class", "failed"), ("fill", "none"), ("stroke-linecap", "round")]);
    for (class, colour, width) in [("halo", HALO, "5"), ("line", FAILED, "2.2")] {
        let broken: &[_] = if class == "line" { &[("stroke-dasharray", "5 6")] } else { &[] };
        svg.open("g", &[("class", class), ("stroke", colour), ("stroke-width", width)]);
        svg.leaf("path", &[broken, &[("d", shafts.data())]].concat());
        if !heads.is_empty() {
            svg.leaf("path", &[("d", heads.data())]);
        }
        svg.close("g");
    }
    svg.close("g");
}

/// The rings around positions where opposing units met.
pub fn clashes(svg: &mut Svg, stands: &[Point]) {
    if stands.is_empty() {
        return;
    }
    svg.open("g", &[("class", "clashes"), ("fill", "none")]);
    for &stand in stands {
        for (class, colour, width) in [("halo", HALO, "5"), ("ring", INK, "2")] {
            svg.leaf(
                "circle",
                &[
                    ("class", class),
                    ("cx", &Number(stand.x).to_string()),
                    ("cy", &Number(stand.y - 2.0).to_string()),
                    ("r", "29.5"),
                    ("stroke", colour),
                    ("stroke-width", width),
                ],
            );
        }
    }
    svg.close("g");
}

/// A line of fire between two points of the drawing.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Whose gun.
    pub side: Side,
    /// Where the gun stands.
    pub from: Point,
    /// The middle of what it hit.
    pub to: Point,
    /// How large what it hit is drawn, 1 being a counter's size.
    pub scale: f64,
}

/// The lines of fire, from each gun to what it hit, with a burst at the end.
pub fn shots(svg: &mut Svg, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    svg.open("g", &[("class", "shots"), ("fill", "none"), ("stroke-linecap", "round")]);
    for line in lines {
        let way = Way::between(line.from, line.to, SHOT_BEND, 0.0);
        let end = leave(line.to, way.bend, 0.0);
        let end = line.to.along(line.to.to(end), line.scale);
        let mut path = Path::default();
        path.begin(way.from).curve(way.bend, end);
        let colour = army(line.side).line;
        svg.open("g", &[("class", &format!("shot {}", line.side.word()))]);
        for (class, colour, width) in [("halo", HALO, "6.5"), ("line", colour, "3.6")] {
            let dots: &[_] = if class == "line" { &[("stroke-dasharray", ".1 6.1")] } else { &[] };
            let pen = [("class", class), ("stroke", colour), ("stroke-width", width)];
            svg.leaf("path", &[&pen[..], dots, &[("d", path.data())]].concat());
        }
        svg.place("burst", end);
        svg.close("g");
    }
    svg.close("g");
}

/// What shots need among the definitions.
pub fn define(svg: &mut Svg) {
    svg.leaf(
        "path",
        &[
            ("id", &svg.id("burst")),
            ("class", "shot-burst"),
            ("fill", INK),
            ("stroke", HALO),
            ("stroke-width", "1.6"),
            ("paint-order", "stroke"),
            ("d", "M0-9.5l1.9 4.9 4.8-2.1-2.1 4.8 4.9 1.9-4.9 1.9 2.1 4.8-4.8-2.1-1.9 4.9-1.9-4.9-4.8 2.1 2.1-4.8-4.9-1.9 4.9-1.9-2.1-4.8 4.8 2.1z"),
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_goes_from_counter_to_counter() {
        let way = Way::between(Point::new(30.0, 30.0), Point::new(90.0, 30.0), 0.0, INTO);
        assert_eq!((way.from, way.to), (Point::new(48.0, 30.0), Point::new(72.0, 30.0)));
    }

    #[test]
    fn units_that_exchange_positions_have_an_arrow_each() {
        let (a, b) = (Point::new(30.0, 30.0), Point::new(30.0, 150.0));
        let (there, back) = (Way::between(a, b, BEND, INTO), Way::between(b, a, BEND, INTO));
        assert!(there.bend.x < 30.0 && back.bend.x > 30.0);
    }
}
