//! What lies on the ground below the units: hatched zones, trails, faint arrows, and the
//! marks of good ground.
//!
//! Hatching slants upwards for Red and downwards for Blue, so that zones of both can lie
//! across each other. A trail is a thin line with a dot where it began.

use super::marks;
use super::palette::{HALO, INK, army};
use super::scene::Arrow;
use super::svg::{Number, Path, Point, Svg};
use super::table::Hatch;
use super::view::{MARGIN, View};
use super::{counters, ground};
use crate::rules::Side;
use crate::rules::field_command::{Position, PositionSet};

/// What lies below the units.
#[derive(Clone, Debug, Default)]
pub struct Under {
    /// Hatched zones.
    pub hatches: Vec<Hatch>,
    /// Positions that no gun can hit.
    pub proof: PositionSet,
    /// Good positions for guns.
    pub sites: PositionSet,
    /// Moves of the last days.
    pub trails: Vec<Trail>,
    /// Orders of a day that is over.
    pub faint: Vec<Arrow>,
}

/// A move of one of the last days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail {
    /// Whose.
    pub side: Side,
    /// From where.
    pub from: Position,
    /// To where.
    pub to: Position,
    /// How many days lie between; 0 for the last day.
    pub age: usize,
}

/// How strong a trail is drawn, by its age.
const FADES: [&str; 3] = ["1", ".7", ".45"];
/// The distance of hatching lines along a row, by density. Each divides a position's side.
const GAPS: [(u8, f64); 3] = [(1, 20.0), (2, 10.0), (3, 5.0)];
/// Where the marks of good ground stand, from the corner of a position.
const PROOF_AT: Point = Point::new(3.0, 2.5);
const SITE_AT: Point = Point::new(23.0, 8.5);

impl Under {
    /// What the drawing needs among the definitions.
    pub fn define(&self, svg: &mut Svg) {
        for hatch in &self.hatches {
            define_hatch(svg, hatch.side);
        }
        if !self.proof.is_empty() {
            let pen = [("class", "mark"), ("fill", INK), ("stroke", HALO), ("stroke-width", "3")];
            let shape =
                [("paint-order", "stroke"), ("d", "M0 1.5q3 0 5.5-1.5 2.5 1.5 5.5 1.5v4q0 4-5.5 6.5-5.5-2.5-5.5-6.5z")];
            svg.leaf("path", &[&[("id", svg.id("proof").as_str())], &pen[..], &shape].concat());
        }
        if !self.sites.is_empty() {
            svg.open("g", &[("id", &svg.id("site")), ("fill", "none")]);
            for (class, colour, width) in [("mark-halo", HALO, "4.6"), ("mark-line", INK, "1.7")] {
                let pen = [("class", class), ("stroke", colour), ("stroke-width", width)];
                let shape = [("d", "M-4 0a4 4 0 0 1 8 0 4 4 0 0 1-8 0zM0-6.5v4m0 5v4M-6.5 0h4m5 0h4")];
                svg.leaf("path", &[&pen[..], &shape].concat());
            }
            svg.close("g");
        }
    }

    /// The zones, on the bare papers.
    pub fn hatching(&self, svg: &mut Svg, view: View) {
        for hatch in &self.hatches {
            for (density, _) in GAPS {
                let path = ground::runs(view, |position| hatch.density(position) == density);
                if !path.is_empty() {
                    let fill = format!("url(#{})", svg.id(&hatch_name(hatch.side, density)));
                    svg.leaf("path", &[("fill", &fill), ("d", path.data())]);
                }
            }
        }
    }

    /// Trails and faint arrows, on the printed map.
    pub fn trails(&self, svg: &mut Svg, view: View) {
        for (age, fade) in FADES.iter().enumerate().rev() {
            for side in Side::BOTH {
                let of = |trail: &&Trail| trail.age == age && trail.side == side;
                trail(svg, side, fade, self.trails.iter().filter(of), view);
            }
        }
        if !self.faint.is_empty() {
            svg.open("g", &[("class", "faint"), ("opacity", ".5")]);
            marks::arrows(svg, &self.faint, view);
            svg.close("g");
        }
    }

    /// The marks of good ground, in a corner that units leave free.
    pub fn marks(&self, svg: &mut Svg, view: View) {
        for (set, name, aside) in [(self.proof, "proof", PROOF_AT), (self.sites, "site", SITE_AT)] {
            for position in set.iter().filter(|&position| view.shows(position)) {
                svg.place(name, view.corner(position).along(aside, 1.0));
            }
        }
    }
}

fn hatch_name(side: Side, density: u8) -> String {
    format!("h{}{density}", counters::letter(side))
}

/// The three patterns of a side.
fn define_hatch(svg: &mut Svg, side: Side) {
    for (density, gap) in GAPS {
        let (gap_text, margin) = (Number(gap).to_string(), Number(MARGIN).to_string());
        svg.open(
            "pattern",
            &[
                ("id", &svg.id(&hatch_name(side, density))),
                ("patternUnits", "userSpaceOnUse"),
                ("x", &margin),
                ("y", &margin),
                ("width", &gap_text),
                ("height", &gap_text),
            ],
        );
        // The line from corner to corner, and what of its neighbours reaches into the tile.
        let (down, start) = match side {
            Side::Red => (-1.0, 0.0),
            Side::Blue => (1.0, 1.0),
        };
        let mut path = Path::default();
        for n in [0.0, 1.0, 2.0] {
            let from = Point::new(-0.5 * gap, gap * (n + 0.5 - 1.5 * start));
            path.begin(from).line(from.along(Point::new(2.0 * gap, 2.0 * gap * down), 1.0));
        }
        let colour = army(side).line;
        let class = format!("hatch {}", side.word());
        svg.leaf("path", &[("class", &class), ("stroke", colour), ("stroke-width", "1.5"), ("d", path.data())]);
        svg.close("pattern");
    }
}

/// The trails of one side and day.
fn trail<'a>(svg: &mut Svg, side: Side, fade: &str, trails: impl Iterator<Item = &'a Trail>, view: View) {
    let (mut lines, mut dots) = (Path::default(), Path::default());
    for trail in trails {
        let (from, bend, to) = marks::bent(trail.from, trail.to, view);
        lines.begin(from).curve(bend, to);
        dots.begin(from).across(0.0);
    }
    if lines.is_empty() {
        return;
    }
    svg.open(
        "g",
        &[
            ("class", &format!("trail {}", side.word())),
            ("fill", "none"),
            ("stroke-linecap", "round"),
            ("opacity", fade),
        ],
    );
    for (path, width) in [(lines, "2"), (dots, "7")] {
        let pen = [("class", "line"), ("stroke", army(side).line), ("stroke-width", width)];
        svg.leaf("path", &[&pen[..], &[("d", path.data())]].concat());
    }
    svg.close("g");
}
