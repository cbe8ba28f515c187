//! A tiny SVG writer: elements with escaped attributes, and path data.
//!
//! It knows nothing of boards. All it guards is that what comes out is well-formed and
//! that every id carries the prefix of its drawing, so that two drawings share a page.

use std::fmt::Write as _;

/// A drawing in the making.
#[derive(Debug)]
pub struct Svg {
    out: String,
    prefix: &'static str,
}

impl Svg {
    /// An empty drawing whose ids all begin with `prefix`.
    #[must_use]
    pub fn new(prefix: &'static str) -> Svg {
        Svg { out: String::with_capacity(32 * 1024), prefix }
    }

    /// The id that `local` has on a page with other drawings.
    #[must_use]
    pub fn id(&self, local: &str) -> String {
        format!("{}-{local}", self.prefix)
    }

    /// Begins an element that [`Svg::close`] ends.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.begin(name, attributes);
        self.out.push('>');
    }

    /// Ends an element.
    pub fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// An element without content.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.begin(name, attributes);
        self.out.push_str("/>");
    }

    /// An element that holds a text.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        escape(text, &mut self.out);
        self.close(name);
    }

    /// What [`Svg::id`] names, drawn again where it was defined.
    pub fn again(&mut self, local: &str, attributes: &[(&str, &str)]) {
        self.use_begin(local);
        self.attributes(attributes);
        self.out.push_str("/>");
    }

    /// What [`Svg::id`] names, drawn again with its origin at a point.
    pub fn place(&mut self, local: &str, at: Point) {
        self.use_begin(local);
        let _ = write!(self.out, " x=\"{}\" y=\"{}\"/>", Number(at.x), Number(at.y));
    }

    /// A piece that was drawn before, for a drawing with the same prefix.
    pub fn piece(&mut self, drawn: &str) {
        self.out.push_str(drawn);
    }

    /// The finished drawing.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    fn use_begin(&mut self, local: &str) {
        let _ = write!(self.out, "<use href=\"#{}-{local}\"", self.prefix);
    }

    fn begin(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        self.attributes(attributes);
    }

    fn attributes(&mut self, attributes: &[(&str, &str)]) {
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
    }
}

/// Appends a text so that it can stand in an element or a quoted attribute.
fn escape(text: &str, out: &mut String) {
    for piece in text.split_inclusive(['&', '<', '>', '"']) {
        let mut plain = piece.chars();
        let special = match plain.next_back() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            _ => {
                out.push_str(piece);
                continue;
            }
        };
        out.push_str(plain.as_str());
        out.push_str(special);
    }
}

/// A point of the drawing, in its own units, y downwards. Also a way from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point with these coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The point as far along `way` as the factor says.
    #[must_use]
    pub fn along(self, way: Point, factor: f64) -> Point {
        Point { x: self.x + way.x * factor, y: self.y + way.y * factor }
    }

    /// The way from here to there.
    #[must_use]
    pub fn to(self, there: Point) -> Point {
        there.along(self, -1.0)
    }

    /// The length of a way.
    #[must_use]
    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The way of length 1 in the same direction; none stays none.
    #[must_use]
    pub fn unit(self) -> Point {
        let length = self.length();
        if length > 0.0 { Point { x: self.x / length, y: self.y / length } } else { self }
    }

    /// The way turned to the right hand of whoever walks along it.
    #[must_use]
    pub fn right(self) -> Point {
        Point { x: -self.y, y: self.x }
    }
}

/// A coordinate in as few signs as one decimal needs.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write_tenths(f, tenths(self.0))
    }
}

/// A coordinate as a whole number of tenths, the nearest.
#[expect(clippy::cast_possible_truncation, reason = "drawings are some hundred units wide")]
fn tenths(value: f64) -> i32 {
    (value * 10.0).round() as i32
}

fn write_tenths(out: &mut impl std::fmt::Write, tenths: i32) -> std::fmt::Result {
    let (sign, whole, part) = (if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10);
    match (whole, part) {
        (_, 0) => write!(out, "{sign}{whole}"),
        (0, _) => write!(out, "{sign}.{part}"),
        _ => write!(out, "{sign}{whole}.{part}"),
    }
}

/// Path data in the making, in steps from point to point: they are shorter than coordinates.
/// Points are rounded to tenths before the steps are taken, so that nothing drifts.
#[derive(Debug, Default)]
pub struct Path {
    data: String,
    begun: [i32; 2],
    at: [i32; 2],
}

impl Path {
    /// Begins a line.
    pub fn begin(&mut self, at: Point) -> &mut Path {
        self.steps(if self.data.is_empty() { 'M' } else { 'm' }, &[at]);
        self.begun = self.at;
        self
    }

    /// Straight on to a point.
    pub fn line(&mut self, to: Point) -> &mut Path {
        self.steps('l', &[to])
    }

    /// To a point in a curve that leaves and arrives in the direction of `bend`.
    pub fn curve(&mut self, bend: Point, to: Point) -> &mut Path {
        self.steps('q', &[bend, to])
    }

    /// So far to the right.
    pub fn across(&mut self, by: f64) -> &mut Path {
        let [at, _] = &mut self.at;
        *at += tenths(by);
        self.data.push('h');
        let _ = write_tenths(&mut self.data, tenths(by));
        self
    }

    /// So far down.
    pub fn down(&mut self, by: f64) -> &mut Path {
        let [_, at] = &mut self.at;
        *at += tenths(by);
        self.data.push('v');
        let _ = write_tenths(&mut self.data, tenths(by));
        self
    }

    /// A closed shape written by hand, in steps from where the line was begun.
    pub fn shape(&mut self, data: &str) -> &mut Path {
        self.data.push_str(data);
        self.end()
    }

    /// Back to where the line was begun.
    pub fn end(&mut self) -> &mut Path {
        self.data.push('z');
        self.at = self.begun;
        self
    }

    /// Adds all lines of another path.
    pub fn add(&mut self, other: &Path) {
        self.data.push_str(&other.data);
        (self.begun, self.at) = (other.begun, other.at);
    }

    /// Whether nothing was drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The data.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    fn steps(&mut self, letter: char, points: &[Point]) -> &mut Path {
        self.data.push(letter);
        let (mut first, [from_x, from_y]) = (true, self.at);
        for point in points {
            self.at = [tenths(point.x), tenths(point.y)];
            let [x, y] = self.at;
            for step in [x - from_x, y - from_y] {
                if !first && step >= 0 {
                    self.data.push(' ');
                }
                let _ = write_tenths(&mut self.data, step);
                first = false;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped() {
        let mut svg = Svg::new("a");
        svg.text("title", &[("id", "\"<&>\"")], "Red & Blue <b>");
        svg.place("t", Point::new(1.25, -0.01));
        assert_eq!(
            svg.finish(),
            "<title id=\"&quot;&lt;&amp;&gt;&quot;\">Red &amp; Blue &lt;b&gt;</title><use href=\"#a-t\" x=\"1.3\" y=\"0\"/>"
        );
    }

    #[test]
    fn path_data_is_short() {
        let mut path = Path::default();
        path.begin(Point::new(1.0, 2.5)).across(60.0).down(-1.0).curve(Point::new(60.96, 3.0), Point::new(4.0, 1.1));
        assert_eq!(path.end().data(), "M1 2.5h60v-1q0 1.5-57-.4z");
        path.begin(Point::new(1.0, 3.0)).line(Point::new(0.0, 3.0));
        assert_eq!(path.data(), "M1 2.5h60v-1q0 1.5-57-.4zm0 .5l-1 0");
    }

    #[test]
    fn nothing_drifts() {
        let mut path = Path::default();
        for n in 0..100 {
            path.begin(Point::new(0.04 * f64::from(n), 0.0));
        }
        assert_eq!(path.at, [40, 0]);
    }

    #[test]
    fn the_right_hand_is_below_on_the_way_to_the_right() {
        let way = Point::new(0.0, 0.0).to(Point::new(3.0, 0.0));
        assert_eq!(way.right().unit(), Point::new(0.0, 1.0));
        assert_eq!(Point::new(0.0, 0.0).unit(), Point::new(0.0, 0.0));
    }
}
