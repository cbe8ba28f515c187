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
/// Where the trees of each clump stand, across and down from the corner of a position: mostly
/// at its edges, where a counter leaves them in sight.
const TREES: [[f64; 24]; 3] = [
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

/// What the ground needs among the definitions: patterns for what is strewn over positions.
pub fn define(svg: &mut Svg) {
    for (n, trees) in (0u8..).zip(TREES) {
        let mut path = Path::default();
        for &[x, y] in trees.as_chunks().0 {
            path.begin(Point::new(x, y)).shape(TREE_SHAPE);
        }
        svg.leaf("path", &[("id", &svg.id(&clump(n))), ("d", path.data())]);
    }
    pattern(svg, "t", 3.0 * CELL);
    svg.open("g", &[("class", "trees"), ("fill", TREE), ("fill-opacity", ".8")]);
    for (row, column) in (0..3u8).flat_map(|row| (0..3u8).map(move |column| (row, column))) {
        let at = Point::new(CELL * f64::from(column), CELL * f64::from(row));
        svg.place(&clump((row * 2 + column) % 3), at);
    }
    svg.close("g");
    svg.close("pattern");
    for rise in Rise::ALL {
        pattern(svg, rise.word(), CELL);
        svg.leaf("path", &[("class", "hachures"), ("fill", SEPIA), ("d", rise.hachures().data())]);
        svg.close("pattern");
    }
}

/// Begins a pattern whose tiles begin at the corners of positions.
fn pattern(svg: &mut Svg, name: &str, side: f64) {
    let (id, side, margin) = (svg.id(name), Number(side).to_string(), Number(MARGIN).to_string());
    let place = [("x", &*margin), ("y", &margin), ("width", &side), ("height", &side)];
    svg.open("pattern", &[&[("id", &*id), ("patternUnits", "userSpaceOnUse")][..], &place].concat());
}

/// Covers the positions in view that are meant with a pattern.
fn strew(svg: &mut Svg, name: &str, view: View, meant: impl Fn(Position) -> bool) {
    let path = runs(view, meant);
    if !path.is_empty() {
        let fill = format!("url(#{})", svg.id(name));
        svg.leaf("path", &[("fill", &fill), ("d", path.data())]);
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
pub fn print(svg: &mut Svg, board: &Board, view: View, hatched: bool) {
    grid(svg, view);
    strew(svg, "t", view, |position| board.terrain(position) == Terrain::Forest);
    slopes(svg, board, view);
    altitudes(svg, board, view, hatched);
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
    let (mut path, first) = (Path::default(), view.origin().along(Point::new(MARGIN, MARGIN), 1.0));
    // To and fro, so that every two lines are written alike.
    for n in 1..view.span() {
        let (far, at) = (if n % 2 == 0 { view.map() } else { 0.0 }, CELL * f64::from(n));
        path.begin(first.along(Point::new(at, far), 1.0)).down(view.map() - 2.0 * far);
    }
    for n in 1..view.span() {
        let (far, at) = (if n % 2 == 0 { view.map() } else { 0.0 }, CELL * f64::from(n));
        path.begin(first.along(Point::new(far, at), 1.0)).across(view.map() - 2.0 * far);
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

fn clump(n: u8) -> String {
    format!("t{n}")
}

/// Where the ground rises from a position: hachures come down from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rise {
    Above,
    Below,
    Left,
    Right,
}

impl Rise {
    const ALL: [Rise; 4] = [Rise::Above, Rise::Below, Rise::Left, Rise::Right];

    /// The name of its pattern.
    const fn word(self) -> &'static str {
        match self {
            Rise::Above => "su",
            Rise::Below => "sd",
            Rise::Left => "sl",
            Rise::Right => "sr",
        }
    }

    /// The neighbour in this direction, as it is drawn.
    fn neighbour(self, position: Position, view: View) -> Option<Position> {
        let (rows, columns) = match self {
            Rise::Above => (-1, 0),
            Rise::Below => (1, 0),
            Rise::Left => (0, -1),
            Rise::Right => (0, 1),
        };
        view.beside(position, rows, columns)
    }

    /// Long hachures with short ones between, broad at the root, on a position of 60. They
    /// leave the altitude in the upper right corner free.
    fn hachures(self) -> Path {
        let (first, last) = match self {
            Rise::Above => (4.9, 44.0),
            Rise::Right => (16.9, 56.0),
            Rise::Below | Rise::Left => (4.9, 56.0),
        };
        let at = |along: f64, depth: f64| match self {
            Rise::Above => Point::new(along, depth),
            Rise::Below => Point::new(along, CELL - depth),
            Rise::Left => Point::new(depth, along),
            Rise::Right => Point::new(CELL - depth, along),
        };
        let (mut path, mut along, mut long) = (Path::default(), first, true);
        while along < last {
            let (root, length) = if long { (0.9, 7.0) } else { (0.5, 4.2) };
            path.begin(at(along - root, 0.0)).line(at(along - 0.3, length));
            path.line(at(along + 0.3, length)).line(at(along + root, 0.0)).end();
            (along, long) = (along + 3.0, !long);
        }
        path
    }
}

/// The brow of every step, and hachures down its lower side.
fn slopes(svg: &mut Svg, board: &Board, view: View) {
    for rise in Rise::ALL {
        strew(svg, rise.word(), view, |position| {
            let above = rise.neighbour(position, view).map(|there| board.ground(there).altitude);
            above > Some(board.ground(position).altitude)
        });
    }
    let step = |here, there| board.ground(here).altitude != board.ground(there).altitude;
    let brow = edges(view, step);
    svg.leaf(
        "path",
        &[
            ("class", "brow"),
            ("fill", "none"),
            ("stroke", SEPIA),
            ("stroke-width", "1.4"),
            ("stroke-linecap", "square"),
            ("d", brow.data()),
        ],
    );
}

/// The edges between neighbouring positions that are parted, in lines as long as possible.
fn edges(view: View, parted: impl Fn(Position, Position) -> bool) -> Path {
    let mut path = Path::default();
    for level in [true, false] {
        for line in 0..SIZE {
            let mut run: Option<(Point, f64)> = None;
            for along in 0..=SIZE {
                let (here, there) = if level {
                    (view.at(line, along), view.at(line + 1, along))
                } else {
                    (view.at(along, line), view.at(along, line + 1))
                };
                let corner =
                    here.zip(there).filter(|&(here, there)| parted(here, there)).map(|(_, it)| view.corner(it));
                run = match (run, corner) {
                    (Some((from, length)), Some(_)) => Some((from, length + CELL)),
                    (None, Some(corner)) => Some((corner, CELL)),
                    (None, None) => None,
                    (Some((from, length)), None) => {
                        path.begin(from);
                        if level {
                            path.across(length)
                        } else {
                            path.down(length)
                        };
                        None
                    }
                };
            }
        }
    }
    path
}

/// The altitude of each position, a digit in its corner, lifted off what is hatched below it.
fn altitudes(svg: &mut Svg, board: &Board, view: View, hatched: bool) {
    let face = [("font-family", SERIF), ("font-size", "10.5"), ("text-anchor", "middle"), ("fill", INK)];
    let halo = [("class", "altitudes lifted"), ("stroke", HALO), ("stroke-width", "3"), ("paint-order", "stroke")];
    let look = if hatched { &halo[..] } else { &[("class", "altitudes")] };
    svg.open("g", &[look, &face].concat());
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

/// The edges between a zone and the rest of the board, each by itself for the pattern.
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

    /// The positions that rectangles of runs cover.
    fn covered(data: &str) -> u32 {
        let widths = data.split('h').filter_map(|part| part.split_once('v')).map(|(width, _)| width.parse::<u32>());
        widths.filter_map(Result::ok).sum::<u32>() / 60
    }

    #[test]
    fn every_position_has_one_paper() {
        let svg = drawn(|svg| tones(svg, maps::classic(), View::new(Side::Red)));
        assert_eq!(covered(&svg), 121);
        assert_eq!(svg.matches("class=\"paper").count(), 6);
    }

    #[test]
    fn trees_stand_on_forest_alone() {
        let forest = |at| maps::ridge().terrain(at) == Terrain::Forest;
        let svg = drawn(|svg| strew(svg, "t", View::new(Side::Blue), forest));
        assert_eq!(covered(&svg) as usize, Position::all().filter(|&at| forest(at)).count());
    }

    #[test]
    fn hachures_lie_on_the_lower_side_and_leave_the_altitude_free() {
        let highest = |rise: Rise| rise.hachures().data().to_owned();
        assert!(highest(Rise::Above).starts_with("M4 0l.6 7l.6 0l.6-7zm3.4"), "{}", highest(Rise::Above));
        assert!(highest(Rise::Below).starts_with("M4 60l.6-7"));
        assert!(highest(Rise::Left).starts_with("M0 4l7 .6"));
        assert!(highest(Rise::Right).starts_with("M60 16l-7 .6"));
        let (board, view) = (maps::classic(), View::new(Side::Blue));
        let at = |text| Position::parse(text).unwrap();
        assert_eq!(Rise::Above.neighbour(at("B2"), view), Some(at("C2")));
        assert_eq!(Rise::Right.neighbour(at("A1"), view), None);
        let svg = drawn(|svg| slopes(svg, board, view));
        assert_eq!(covered(&svg) as usize, steps(board));
    }

    /// How many pairs of neighbours have different altitudes.
    fn steps(board: &Board) -> usize {
        let altitude = |at: Position| board.ground(at).altitude;
        let pairs = Position::all().flat_map(|a| Position::all().map(move |b| (a, b)));
        pairs.filter(|&(a, b)| a < b && a.distance(b) == 1 && altitude(a) != altitude(b)).count()
    }

    #[test]
    fn every_step_has_a_brow_and_level_ground_has_none() {
        let board = maps::classic();
        let brow = edges(View::new(Side::Red), |a, b| board.ground(a).altitude != board.ground(b).altitude);
        let lengths =
            brow.data().split(['h', 'v']).skip(1).map(|part| part.split('m').next().unwrap().parse::<usize>());
        assert_eq!(lengths.map(Result::unwrap).sum::<usize>() / 60, steps(board));
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
