//! The map without units: six papers, trees, hachures, altitudes, coordinates, and the
//! broken lines of the deployment zones.
//!
//! Everything is told twice: altitude by the tone of the paper, by hachures on the lower
//! side of every step and by a digit; forest by green and by trees.

use super::palette::{FIELD, FOREST, GRID, HALO, INK, SEPIA, SHEET, TREE, army};
use super::svg::{Number, Path, Point, Svg};
use super::view::{CELL, MARGIN, View};
use crate::rules::Side;
use crate::rules::field_command::board::{Board, Ground, Terrain};
use crate::rules::field_command::deployment::zone;
use crate::rules::field_command::position::{Position, SIZE};

/// The face of everything printed.
const SERIF: &str = "Georgia,'Times New Roman','Liberation Serif',serif";
/// How many clumps of trees there are to choose from.
const CLUMPS: usize = 3;
/// Where the trees of each clump stand, across and down from the corner of a position: mostly
/// at its edges, where a counter leaves them in sight.
const TREES: [[f64; 24]; CLUMPS] = [
    [
        8.0, 10.0, 22.0, 8.5, 38.0, 11.0, 14.0, 25.0, 31.0, 24.0, 49.0, 28.0, 9.0, 41.0, 25.0, 42.0, 42.0, 43.0, 14.0,
        57.0, 32.0, 56.0, 52.0, 57.0,
    ],
    [
        11.0, 9.0, 29.0, 11.0, 41.0, 8.5, 8.0, 26.0, 24.0, 27.0, 42.0, 25.0, 16.0, 40.0, 34.0, 41.0, 51.0, 42.0, 8.0,
        56.0, 24.0, 57.0, 43.0, 56.5,
    ],
    [
        7.0, 8.5, 18.0, 11.0, 34.0, 9.0, 11.0, 24.0, 28.0, 26.0, 46.0, 27.0, 7.0, 40.0, 22.0, 41.0, 39.0, 40.0, 18.0,
        56.5, 36.0, 57.0, 50.0, 56.0,
    ],
];
/// One tree, from its foot.
const TREE_SHAPE: &str = "h-.6v-2a3 3 0 1 1 1.2 0v2";

/// What the ground needs among the definitions.
pub fn define(svg: &mut Svg) {
    for (n, trees) in TREES.iter().enumerate() {
        let mut path = Path::default();
        for &[x, y] in trees.as_chunks().0 {
            path.begin(Point::new(x, y)).shape(TREE_SHAPE);
        }
        svg.leaf("path", &[("id", &svg.id(&clump(n))), ("d", path.data())]);
    }
}

/// The bare map: the sheet and the papers.
pub fn papers(svg: &mut Svg, board: &Board, view: View) {
    if !view.is_part() {
        let whole = Number(view.whole()).to_string();
        svg.leaf("rect", &[("class", "sheet"), ("width", &whole), ("height", &whole), ("fill", SHEET)]);
    }
    tones(svg, board, view);
}

/// What is printed on the papers.
pub fn print(svg: &mut Svg, board: &Board, view: View) {
    grid(svg, view);
    trees(svg, board, view);
    slopes(svg, board, view);
    altitudes(svg, board, view);
}

/// The frame of the map with its coordinates. In a window it lies on top of all that reaches
/// out of it.
pub fn frame(svg: &mut Svg, view: View) {
    if view.is_part() {
        mat(svg, view);
    }
    coordinates(svg, view);
}

/// The sheet around a window, which is cut out of it.
fn mat(svg: &mut Svg, view: View) {
    let (origin, whole, map) = (view.origin(), view.whole(), view.map());
    let mut path = Path::default();
    path.begin(origin).across(whole).down(whole).across(-whole).end();
    path.begin(origin.along(Point::new(MARGIN, MARGIN), 1.0)).down(map).across(map).down(-map).end();
    svg.leaf("path", &[("class", "sheet"), ("fill", SHEET), ("d", path.data())]);
}

/// The six papers.
fn tones(svg: &mut Svg, board: &Board, view: View) {
    for terrain in [Terrain::Field, Terrain::Forest] {
        let (letter, tones) = match terrain {
            Terrain::Field => ('o', FIELD),
            Terrain::Forest => ('f', FOREST),
        };
        for (altitude, tone) in (1u8..).zip(tones) {
            let path = runs(view, |position| board.ground(position) == Ground { terrain, altitude });
            if !path.is_empty() {
                let class = format!("paper {letter}{altitude}");
                svg.leaf("path", &[("class", &class), ("fill", tone), ("d", path.data())]);
            }
        }
    }
}

/// The positions in view that are meant, as rectangles along each row.
pub fn runs(view: View, meant: impl Fn(Position) -> bool) -> Path {
    let mut path = Path::default();
    for row in view.rows() {
        let mut run: Option<(Point, f64)> = None;
        for position in row {
            run = match (run, meant(position)) {
                (Some((from, width)), true) => Some((from, width + CELL)),
                (None, true) => Some((view.corner(position), CELL)),
                (run, false) => {
                    end_run(&mut path, run);
                    None
                }
            };
        }
        end_run(&mut path, run);
    }
    path
}

fn end_run(path: &mut Path, run: Option<(Point, f64)>) {
    if let Some((from, width)) = run {
        path.begin(from).across(width).down(CELL).across(-width).end();
    }
}

/// The lines between positions.
fn grid(svg: &mut Svg, view: View) {
    let mut path = Path::default();
    let Point { x, y } = view.origin();
    let mut at = MARGIN + CELL;
    while at < view.map() {
        path.begin(Point::new(x + at, y + MARGIN)).down(view.map());
        path.begin(Point::new(x + MARGIN, y + at)).across(view.map());
        at += CELL;
    }
    svg.leaf(
        "path",
        &[
            ("class", "grid"),
            ("fill", "none"),
            ("stroke", GRID),
            ("stroke-opacity", ".4"),
            ("stroke-width", ".8"),
            ("d", path.data()),
        ],
    );
}

fn trees(svg: &mut Svg, board: &Board, view: View) {
    svg.open("g", &[("class", "trees"), ("fill", TREE), ("fill-opacity", ".8")]);
    let forest = |&position: &Position| board.terrain(position) == Terrain::Forest && view.shows(position);
    for position in Position::all().filter(forest) {
        let place = usize::from(position.row()) * 2 + usize::from(position.column());
        svg.place(&clump(place % CLUMPS), view.corner(position));
    }
    svg.close("g");
}

fn clump(n: usize) -> String {
    format!("t{n}")
}

/// The length of the longer hachures of a step of one level.
const HACHURE: f64 = 7.0;

/// The brow of every step, and hachures down its lower side: long ones with short ones between.
fn slopes(svg: &mut Svg, board: &Board, view: View) {
    let (mut brow, mut long, mut root, mut short) =
        (Path::default(), Path::default(), Path::default(), Path::default());
    for (row, column) in (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column))) {
        for (next_row, next_column) in [(row + 1, column), (row, column + 1)] {
            let (Some(here), Some(there)) = (view.at(row, column), view.at(next_row, next_column)) else { continue };
            let (high, low) = (board.ground(here).altitude, board.ground(there).altitude);
            if high == low {
                continue;
            }
            let edge = Edge { corner: view.corner(there), level: next_row > row, falls: high > low };
            edge.brow(&mut brow);
            edge.hachures(&mut long, 0.0, HACHURE);
            edge.hachures(&mut root, -0.5, HACHURE * 0.5);
            edge.hachures(&mut short, 3.0, HACHURE * 0.6);
        }
    }
    svg.open("g", &[("class", "slopes"), ("fill", "none"), ("stroke", SEPIA)]);
    svg.leaf("path", &[("stroke-width", "1.4"), ("stroke-linecap", "square"), ("d", brow.data())]);
    for (path, length, dashes) in
        [(long, HACHURE, ".8 5.2"), (root, HACHURE * 0.5, "1.8 4.2"), (short, HACHURE * 0.6, ".8 5.2")]
    {
        let width = Number(length).to_string();
        svg.leaf("path", &[("stroke-width", &width), ("stroke-dasharray", dashes), ("d", path.data())]);
    }
    svg.close("g");
}

/// The edge between two positions of different altitude.
struct Edge {
    /// The upper left corner of the lower or the right one of the two.
    corner: Point,
    /// Whether the edge runs from left to right.
    level: bool,
    /// Whether the ground falls downwards, or to the right.
    falls: bool,
}

impl Edge {
    fn brow(&self, path: &mut Path) {
        self.line(path, self.corner, CELL);
    }

    /// The middle line of hachures `length` long; a dash pattern cuts it up.
    fn hachures(&self, path: &mut Path, first: f64, length: f64) {
        let aside = if self.falls { length / 2.0 } else { -length / 2.0 };
        // The altitude stands in the upper right corner of the lower position.
        let (mut from, mut to) = (4.5 + first, 56.0 - first);
        match (self.level, self.falls) {
            (true, true) => to -= 12.0,
            (false, false) => from += 10.0,
            _ => {}
        }
        let start = if self.level { Point::new(from, aside) } else { Point::new(aside, from) };
        self.line(path, self.corner.along(start, 1.0), to - from);
    }

    fn line(&self, path: &mut Path, from: Point, length: f64) {
        path.begin(from);
        if self.level {
            path.across(length)
        } else {
            path.down(length)
        };
    }
}

/// The altitude of each position, a digit in its corner.
fn altitudes(svg: &mut Svg, board: &Board, view: View) {
    svg.open(
        "g",
        &[
            ("class", "altitudes"),
            ("font-family", SERIF),
            ("font-size", "10.5"),
            ("text-anchor", "middle"),
            ("fill", INK),
        ],
    );
    for row in view.rows() {
        let (mut xs, mut digits, mut y) = (Vec::new(), String::new(), 0.0);
        for position in row {
            let corner = view.corner(position);
            xs.push(Number(corner.x + CELL - 6.0).to_string());
            digits.push(char::from(b'0' + board.ground(position).altitude));
            y = corner.y + 11.0;
        }
        svg.text("text", &[("x", &xs.join(" ")), ("y", &Number(y).to_string())], &digits);
    }
    svg.close("g");
}

/// The frame of the map, letters and numbers on all four edges.
fn coordinates(svg: &mut Svg, view: View) {
    let (origin, side) = (view.origin(), Number(view.map()).to_string());
    svg.leaf(
        "rect",
        &[
            ("class", "frame"),
            ("x", &Number(origin.x + MARGIN).to_string()),
            ("y", &Number(origin.y + MARGIN).to_string()),
            ("width", &side),
            ("height", &side),
            ("fill", "none"),
            ("stroke", INK),
            ("stroke-width", "1.8"),
        ],
    );
    svg.open(
        "g",
        &[
            ("class", "coordinates"),
            ("font-family", SERIF),
            ("font-size", "16"),
            ("text-anchor", "middle"),
            ("fill", INK),
        ],
    );
    let text = |svg: &mut Svg, at: Point, text: &str| {
        svg.text("text", &[("x", &Number(at.x).to_string()), ("y", &Number(at.y + 5.5).to_string())], text);
    };
    let (near, far) = (MARGIN / 2.0, view.whole() - MARGIN / 2.0);
    let diagonal = view.rows().enumerate().filter_map(|(n, mut row)| row.nth(n));
    for position in diagonal {
        let (letter, number) = (char::from(b'A' + position.row()).to_string(), (position.column() + 1).to_string());
        let middle = view.corner(position).along(Point::new(CELL / 2.0, CELL / 2.0), 1.0);
        for across in [near, far] {
            text(svg, Point::new(origin.x + across, middle.y), &letter);
            text(svg, Point::new(middle.x, origin.y + across), &number);
        }
    }
    svg.close("g");
}

/// The broken lines of both deployment zones: even dashes for Blue, dashes and dots for Red.
pub fn zones(svg: &mut Svg, view: View) {
    for side in Side::BOTH {
        let path = zone_line(side, view);
        // The pattern begins anew on each edge of 60, in the middle of a dash.
        let (dashes, offset) = match side {
            Side::Red => ("17 5 3 5", "8.5"),
            Side::Blue => ("12 8", "6"),
        };
        svg.open(
            "g",
            &[
                ("class", &format!("zone {}", side.word())),
                ("fill", "none"),
                ("stroke-dasharray", dashes),
                ("stroke-dashoffset", offset),
            ],
        );
        for (class, colour, width) in [("halo", HALO, "6.5"), ("line", army(side).line, "3")] {
            svg.leaf("path", &[("class", class), ("stroke", colour), ("stroke-width", width), ("d", path.data())]);
        }
        svg.close("g");
    }
}

/// The edges between a zone and the rest of the board.
fn zone_line(side: Side, view: View) -> Path {
    let zone = zone(side);
    let mut path = Path::default();
    for (row, column) in (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column))) {
        let Some(here) = view.at(row, column) else { continue };
        let parts = |there: Option<Position>| {
            there.filter(|&there| zone.contains(here) != zone.contains(there)).map(|there| view.corner(there))
        };
        if let Some(corner) = parts(view.at(row + 1, column)) {
            path.begin(corner).across(CELL);
        }
        if let Some(corner) = parts(view.at(row, column + 1)) {
            path.begin(corner).down(CELL);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::maps;

    fn drawn(draw: impl FnOnce(&mut Svg)) -> String {
        let mut svg = Svg::new("test");
        draw(&mut svg);
        svg.finish()
    }

    #[test]
    fn every_position_has_one_paper() {
        let svg = drawn(|svg| tones(svg, maps::classic(), View::new(Side::Red)));
        let width: u32 = svg
            .split('h')
            .filter_map(|part| part.split_once('v'))
            .filter_map(|(width, _)| width.parse::<u32>().ok())
            .sum();
        assert_eq!(width, 60 * 121);
        assert_eq!(svg.matches("class=\"paper").count(), 6);
    }

    #[test]
    fn trees_stand_on_forest_alone() {
        let forests = Position::all().filter(|&at| maps::ridge().terrain(at) == Terrain::Forest).count();
        let svg = drawn(|svg| trees(svg, maps::ridge(), View::new(Side::Blue)));
        assert_eq!(svg.matches("<use ").count(), forests);
    }

    #[test]
    fn hachures_lie_on_the_lower_side() {
        // Under the edge at 144 where the ground falls downwards, above it where it rises.
        let edge = |falls| {
            let mut path = Path::default();
            Edge { corner: Point::new(24.0, 144.0), level: true, falls }.hachures(&mut path, 0.0, HACHURE);
            path.data().to_owned()
        };
        assert_eq!(edge(true), "M28.5 147.5h39.5");
        assert_eq!(edge(false), "M28.5 140.5h51.5");
    }

    #[test]
    fn every_step_has_a_brow_and_level_ground_has_none() {
        let board = maps::classic();
        let altitude = |at: Position| board.ground(at).altitude;
        let steps = Position::all()
            .flat_map(|a| Position::all().map(move |b| (a, b)))
            .filter(|&(a, b)| a < b && a.distance(b) == 1 && altitude(a) != altitude(b))
            .count();
        let svg = drawn(|svg| slopes(svg, board, View::new(Side::Red)));
        assert_eq!(svg.matches("h60").count() + svg.matches("v60").count(), steps);
    }

    #[test]
    fn coordinates_are_the_readers() {
        let svg = drawn(|svg| coordinates(svg, View::new(Side::Blue)));
        assert!(svg.contains("<text x=\"12\" y=\"59.5\">K</text><text x=\"54\" y=\"17.5\">11</text>"), "{svg}");
        assert_eq!(svg.matches("<text").count(), 44);
    }

    #[test]
    fn both_zones_have_a_line_of_fourteen_edges() {
        for side in Side::BOTH {
            let path = zone_line(side, View::new(Side::Red));
            // Five rows of 11, 11, 8, 6 and 4: eleven edges across, three steps down.
            assert_eq!((path.data().matches('h').count(), path.data().matches('v').count()), (11, 3));
        }
    }
}
