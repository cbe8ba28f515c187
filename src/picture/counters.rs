//! Units as counters: a body in the army's manner, the map symbol of the arm, the rank.
//!
//! Blue's are dark and round-cornered with a thin light rim, Red's light and clipped at the
//! corners with a thick dark rim, so that they differ in grey as well. The rank is shown in
//! pips; a stylesheet may show the numeral in their place where the board is small, or the
//! unit's code in place of symbol and rank.

use super::palette::{HALO, INK, army};
use super::svg::{Number, Point, Svg};
use crate::rules::Side;
use crate::rules::field_command::Unit;
use crate::rules::field_command::unit::Arm;

/// Half the width of a counter.
pub const HALF_WIDTH: f64 = 24.0;
/// Half the height of a counter.
pub const HALF_HEIGHT: f64 = 17.0;

/// Which units a picture shows, so that it defines no others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown([[bool; 2]; 9]);

impl Shown {
    /// Notes that a unit is shown.
    pub fn note(&mut self, side: Side, unit: Unit) {
        if let Some(seen) = self.0.get_mut(unit as usize).and_then(|sides| sides.get_mut(side as usize)) {
            *seen = true;
        }
    }

    fn has(&self, side: Side, unit: Unit) -> bool {
        self.0.get(unit as usize).and_then(|sides| sides.get(side as usize)).copied().unwrap_or(false)
    }
}

/// What the shown units need among the definitions.
pub fn define(svg: &mut Svg, shown: &Shown) {
    for unit in Unit::ALL.into_iter().filter(|&unit| Side::BOTH.into_iter().any(|side| shown.has(side, unit))) {
        define_symbol(svg, unit);
    }
    for side in Side::BOTH {
        let mut units = Unit::ALL.into_iter().filter(|&unit| shown.has(side, unit)).peekable();
        if units.peek().is_some() {
            define_body(svg, side);
        }
        for unit in units {
            define_counter(svg, side, unit);
        }
    }
}

/// The name of a unit's counter among the definitions.
pub fn name(side: Side, unit: Unit) -> String {
    format!("{}{}", letter(side), unit.code())
}

/// The letter of a side in the names of definitions.
#[must_use]
pub const fn letter(side: Side) -> char {
    match side {
        Side::Red => 'r',
        Side::Blue => 'b',
    }
}

/// A counter without a symbol, with its shadow on the map.
fn define_body(svg: &mut Svg, side: Side) {
    let shape = match side {
        Side::Red => "M-17-17h34l7 7v20l-7 7h-34l-7-7v-20z",
        Side::Blue => "M-18-17h36a6 6 0 0 1 6 6v22a6 6 0 0 1-6 6h-36a6 6 0 0 1-6-6v-22a6 6 0 0 1 6-6z",
    };
    let width = match side {
        Side::Red => "2.6",
        Side::Blue => "1.4",
    };
    let colours = army(side);
    svg.open("g", &[("id", &svg.id(&letter(side).to_string()))]);
    svg.leaf(
        "path",
        &[
            ("class", "counter-shadow"),
            ("transform", "translate(1.2 2)"),
            ("fill", "#000"),
            ("fill-opacity", ".28"),
            ("stroke", "none"),
            ("d", shape),
        ],
    );
    svg.leaf(
        "path",
        &[
            ("class", &format!("counter-body {}", side.word())),
            ("fill", colours.fill),
            ("stroke", colours.rim),
            ("stroke-width", width),
            ("d", shape),
        ],
    );
    svg.close("g");
}

/// A whole counter.
fn define_counter(svg: &mut Svg, side: Side, unit: Unit) {
    let colour = army(side).symbol;
    let (id, class) = (svg.id(&name(side, unit)), format!("counter {}", side.word()));
    svg.open("g", &[("id", &*id), ("class", &class), ("fill", colour), ("stroke", colour)]);
    svg.again(&letter(side).to_string(), &[]);
    svg.again(unit.code(), &[]);
    svg.close("g");
}

/// What is printed on the counters of a unit, in either army's colour.
fn define_symbol(svg: &mut Svg, unit: Unit) {
    svg.open("g", &[("id", &svg.id(unit.code())), ("stroke-width", "2")]);
    let symbol = ("class", "counter-symbol");
    let outline = |svg: &mut Svg, data: &str| svg.leaf("path", &[symbol, ("fill", "none"), ("d", data)]);
    let solid = |svg: &mut Svg, data: &str| svg.leaf("path", &[symbol, ("stroke", "none"), ("d", data)]);
    match unit.arm() {
        Arm::Infantry => outline(svg, "M-19-11h26v22h-26zl26 22m0-22l-26 22"),
        Arm::Cavalry => outline(svg, "M-19-11h26v22h-26zm0 22l26-22"),
        Arm::Artillery => {
            outline(svg, "M-17-11h34v22h-34z");
            solid(svg, "M-5.5 0a5.5 5.5 0 0 1 11 0 5.5 5.5 0 0 1-11 0z");
        }
        Arm::Guerrillas => outline(svg, "M-17-11h34v22h-34zM0-6.5l7.8 13h-15.6z"),
        Arm::General => solid(svg, "M0-14l3.3 9.4 9.9.2-7.9 6.1 2.9 9.5-8.2-5.7-8.2 5.7 2.9-9.5-7.9-6.1 9.9-.2z"),
    }
    if let Some(rank) = unit.rank() {
        define_rank(svg, rank);
    }
    // The code in place of the symbol, hidden until a stylesheet asks for it; its face is the units'.
    svg.text("text", &[("class", "counter-code"), ("display", "none"), ("stroke", "none"), ("y", "8.7")], unit.code());
    svg.close("g");
}

/// The face of codes, which `<use>` hands down to them.
pub const CODE_FACE: [(&str, &str); 4] =
    [("font-family", "system-ui,sans-serif"), ("font-size", "25"), ("font-weight", "700"), ("text-anchor", "middle")];

/// The rank beside the symbol: one to three pips, or the numeral, which is hidden until a
/// stylesheet asks for it.
fn define_rank(svg: &mut Svg, rank: u8) {
    let (pips, numeral) = match rank {
        1 => ("M13 0a3 3 0 0 1 6 0 3 3 0 0 1-6 0z", "M12.6-5.5l3.6-3v17"),
        2 => (
            "M13-4.5a3 3 0 0 1 6 0 3 3 0 0 1-6 0zm0 9a3 3 0 0 1 6 0 3 3 0 0 1-6 0z",
            "M11.8-4.3c0-5.9 7.6-5.7 7.6-.5 0 4.7-7.6 8-7.6 12.8h8",
        ),
        _ => (
            "M13-8.5a3 3 0 0 1 6 0 3 3 0 0 1-6 0zm0 8.5a3 3 0 0 1 6 0 3 3 0 0 1-6 0zm0 8.5a3 3 0 0 1 6 0 3 3 0 0 1-6 0z",
            "M12-6.4c2-3.2 7-2.4 7 1.6 0 2.8-2 4-4.2 4 2.8 0 4.8 1.2 4.8 4.2 0 4.8-6.2 5.6-8 1.8",
        ),
    };
    svg.leaf("path", &[("class", "counter-pips"), ("stroke", "none"), ("d", pips)]);
    svg.leaf(
        "path",
        &[("class", "counter-numeral"), ("display", "none"), ("fill", "none"), ("stroke-width", "2.6"), ("d", numeral)],
    );
}

/// A unit that stands on the board.
pub fn standing(svg: &mut Svg, side: Side, unit: Unit, at: Point) {
    svg.place(&name(side, unit), at);
}

/// What makes the reader's own General easy to find: a second frame around it.
pub fn own_general(svg: &mut Svg, at: Point) {
    let rect = |svg: &mut Svg, class: &str, colour: &str, width: &str| {
        svg.leaf(
            "rect",
            &[
                ("class", class),
                ("x", &Number(at.x - HALF_WIDTH - 3.5).to_string()),
                ("y", &Number(at.y - HALF_HEIGHT - 3.5).to_string()),
                ("width", &Number(2.0 * HALF_WIDTH + 7.0).to_string()),
                ("height", &Number(2.0 * HALF_HEIGHT + 7.0).to_string()),
                ("rx", "8"),
                ("fill", "none"),
                ("stroke", colour),
                ("stroke-width", width),
            ],
        );
    };
    rect(svg, "halo", HALO, "5");
    rect(svg, "own-general", INK, "2");
}

/// How a ghost is laid on a position: as large as a counter, or smaller beside another unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lie {
    /// How far from where a unit stands.
    pub aside: Point,
    /// How large, 1 being a counter's size.
    pub scale: f64,
    /// Where the cross is, from the ghost's middle.
    pub cross: Point,
}

/// A unit that was removed: faded, with a small cross that leaves its symbol to be read.
pub fn fallen(svg: &mut Svg, side: Side, unit: Unit, stand: Point, lie: Lie) {
    let middle = stand.along(lie.aside, 1.0);
    let place = format!("translate({} {})scale({})", Number(middle.x), Number(middle.y), lie.scale);
    svg.open("g", &[("class", "fallen")]);
    svg.again(&name(side, unit), &[("opacity", ".6"), ("transform", &place)]);
    svg.place("cross", middle.along(lie.cross, 1.0));
    svg.close("g");
}

/// What ghosts need among the definitions.
pub fn define_cross(svg: &mut Svg) {
    svg.open("g", &[("id", &svg.id("cross")), ("fill", "none"), ("stroke-linecap", "round")]);
    for (class, colour, width) in [("fallen-halo", HALO, "7.5"), ("fallen-cross", INK, "3.8")] {
        let pen = [("class", class), ("stroke", colour), ("stroke-width", width)];
        svg.leaf("path", &[&pen[..], &[("d", "M-5.5-5.5l11 11m0-11l-11 11")]].concat());
    }
    svg.close("g");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_units_that_are_shown_are_defined() {
        let mut shown = Shown::default();
        shown.note(Side::Blue, Unit::Cavalry2);
        let mut svg = Svg::new("test");
        define(&mut svg, &shown);
        let svg = svg.finish();
        assert!(svg.contains("id=\"test-bC2\"") && svg.contains("id=\"test-b\""));
        assert!(svg.contains("id=\"test-C2\"") && svg.matches(" id=").count() == 3, "{svg}");
    }
}
