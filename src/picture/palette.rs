//! The colours of the picture on white paper, and the tests that they can be told apart.
//!
//! Nothing is told by colour alone; still the sides, the papers and the marks keep WCAG's
//! contrast of 3:1 for graphics. The colours for dark screens stand in `static/board.css`
//! and are held to the same tests.

use crate::rules::Side;

/// A colour as SVG writes it, `#rrggbb`.
pub type Colour = &'static str;

/// Open field at altitudes 1 to 3: darker is higher.
pub const FIELD: [Colour; 3] = ["#f4ecd8", "#e6d2a6", "#d0ad72"];
/// Forest at altitudes 1 to 3: darker is higher.
pub const FOREST: [Colour; 3] = ["#d3deb9", "#b2c793", "#93b075"];
/// The sheet around the map.
pub const SHEET: Colour = "#fbf7ec";
/// Printing ink: coordinates, altitudes, the map's frame.
pub const INK: Colour = "#3b3227";
/// Hachures and the brow of a slope.
pub const SEPIA: Colour = "#6b4a22";
/// Trees.
pub const TREE: Colour = "#3d5a2c";
/// The lines between positions.
pub const GRID: Colour = "#6f6248";
/// What lies around arrows, lines and crosses to lift them off the map.
pub const HALO: Colour = "#fffaf0";
/// Orders that are not carried out.
pub const FAILED: Colour = "#55524c";

/// The colours of one army.
#[derive(Clone, Copy, Debug)]
pub struct ArmyColours {
    /// The body of its counters.
    pub fill: Colour,
    /// The rim around counters and arrows.
    pub rim: Colour,
    /// The symbols on them.
    pub symbol: Colour,
    /// The body of its arrows.
    pub arrow: Colour,
    /// Its thin lines: the broken line, shots.
    pub line: Colour,
}

/// Red: light with dark symbols and a thick dark rim.
pub const RED: ArmyColours =
    ArmyColours { fill: "#f6c9b8", rim: "#8f1d15", symbol: "#76150f", arrow: "#e8826a", line: "#8f1d15" };
/// Blue: dark with light symbols and a light rim.
pub const BLUE: ArmyColours =
    ArmyColours { fill: "#1e3d70", rim: "#fffaf0", symbol: "#fffaf0", arrow: "#1e3d70", line: "#1e3d70" };

/// The colours of a side.
#[must_use]
pub const fn army(side: Side) -> ArmyColours {
    match side {
        Side::Red => RED,
        Side::Blue => BLUE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sight::{self, Sight};
    use super::*;

    /// What a drawing is coloured with, on white paper or on a dark screen.
    struct Palette {
        field: [String; 3],
        forest: [String; 3],
        sheet: String,
        ink: String,
        sepia: String,
        tree: String,
        failed: String,
        halo: String,
        red: [String; 5],
        blue: [String; 5],
        /// A meeting that would be won, lost, or remove both.
        meetings: [String; 3],
    }

    /// A colour that a part of the site's stylesheet sets.
    fn set_in(css: &str, name: &str) -> String {
        let (_, value) = css.split_once(&format!("--board-{name}: ")).unwrap_or_else(|| panic!("{name}"));
        value[..7].to_owned()
    }

    const CSS: &str = include_str!("../../static/board.css");

    fn printed() -> Palette {
        let army = |army: ArmyColours| [army.fill, army.rim, army.symbol, army.line, army.arrow].map(str::to_owned);
        Palette {
            field: FIELD.map(str::to_owned),
            forest: FOREST.map(str::to_owned),
            sheet: SHEET.to_owned(),
            ink: INK.to_owned(),
            sepia: SEPIA.to_owned(),
            tree: TREE.to_owned(),
            failed: FAILED.to_owned(),
            halo: HALO.to_owned(),
            red: army(RED),
            blue: army(BLUE),
            meetings: ["win", "lose", "even"].map(|name| set_in(CSS, name)),
        }
    }

    /// The colours that the site's stylesheet sets for dark screens.
    fn dark() -> Palette {
        let (_, css) = CSS.split_once("prefers-color-scheme: dark").unwrap();
        let colour = |name: &str| set_in(css, name);
        let army =
            |side: &str| ["fill", "rim", "symbol", "line", "arrow"].map(|part| colour(&format!("{side}-{part}")));
        Palette {
            field: ["o1", "o2", "o3"].map(colour),
            forest: ["f1", "f2", "f3"].map(colour),
            sheet: colour("sheet"),
            ink: colour("ink"),
            sepia: colour("sepia"),
            tree: colour("tree"),
            failed: colour("failed"),
            halo: colour("halo"),
            red: army("red"),
            blue: army("blue"),
            meetings: ["win", "lose", "even"].map(colour),
        }
    }

    fn luminance(colour: &str) -> f64 {
        sight::luminance(sight::linear(colour))
    }

    fn contrast(a: &str, b: &str) -> f64 {
        Sight::Full.contrast(a, b)
    }

    fn both() -> [(&'static str, Palette); 2] {
        [("printed", printed()), ("dark", dark())]
    }

    #[test]
    fn the_sides_are_told_apart_without_hue() {
        for (name, palette) in both() {
            let ([red, .., red_arrow], [blue, .., blue_arrow]) = (&palette.red, &palette.blue);
            assert!(luminance(red) > luminance(blue), "{name}: Red is the light one");
            assert!(contrast(red, blue) >= 3.0, "{name}: fills {:.2}", contrast(red, blue));
            let arrows = contrast(red_arrow, blue_arrow);
            assert!(arrows >= 3.0, "{name}: arrows {arrows:.2}");
            for [fill, _, symbol, ..] in [&palette.red, &palette.blue] {
                assert!(contrast(fill, symbol) >= 4.5, "{name}: symbol on {fill} {:.2}", contrast(fill, symbol));
            }
        }
    }

    #[test]
    fn counters_stand_out_from_every_paper_by_fill_or_rim() {
        for (name, palette) in both() {
            for paper in palette.field.iter().chain(&palette.forest) {
                for [fill, rim, .., arrow] in [&palette.red, &palette.blue] {
                    for body in [fill, arrow] {
                        let best = contrast(body, paper).max(contrast(rim, paper));
                        assert!(best >= 3.0, "{name}: {body}, {rim} on {paper}: {best:.2}");
                    }
                }
            }
        }
    }

    #[test]
    fn higher_is_darker_and_forest_is_darker_than_field() {
        for (name, palette) in both() {
            for tones in [&palette.field, &palette.forest] {
                for pair in tones.windows(2) {
                    assert!(contrast(&pair[0], &pair[1]) > 1.15, "{name}: {pair:?}");
                    assert!(luminance(&pair[0]) > luminance(&pair[1]), "{name}: {pair:?}");
                }
            }
            for (field, forest) in palette.field.iter().zip(&palette.forest) {
                assert!(luminance(field) > luminance(forest), "{name}: {field} {forest}");
            }
        }
    }

    #[test]
    fn marks_and_print_can_be_seen_on_every_paper() {
        for (name, palette) in both() {
            for forest in &palette.forest {
                let trees = contrast(&palette.tree, forest);
                assert!(trees >= 3.0, "{name}: trees on {forest} {trees:.2}");
            }
            for paper in palette.field.iter().chain(&palette.forest) {
                let hachures = contrast(&palette.sepia, paper);
                assert!(hachures >= 3.0, "{name}: hachures on {paper} {hachures:.2}");
                let digits = contrast(&palette.ink, paper);
                assert!(digits >= 4.5, "{name}: digits on {paper} {digits:.2}");
                let [red, blue] = [&palette.red, &palette.blue].map(|[_, _, _, line, _]| contrast(line, paper));
                assert!(red >= 3.0 && blue >= 3.0, "{name}: lines on {paper} {red:.2} {blue:.2}");
                let failed = contrast(&palette.failed, paper).max(contrast(&palette.halo, paper));
                assert!(failed >= 3.0, "{name}: failed orders on {paper} {failed:.2}");
            }
            assert!(contrast(&palette.ink, &palette.sheet) >= 4.5, "{name}: coordinates");
            assert!(contrast(&palette.failed, &palette.halo) >= 3.0, "{name}: failed orders on their halo");
        }
    }

    /// Every palette as everybody sees it.
    fn all_sights() -> impl Iterator<Item = (String, Palette, Sight)> {
        Sight::ALL.into_iter().flat_map(|sight| {
            both().into_iter().map(move |(name, palette)| (format!("{name}, {sight:?}"), palette, sight))
        })
    }

    #[test]
    fn the_sides_are_told_apart_whatever_colours_one_sees() {
        for (name, palette, sight) in all_sights() {
            let ([red, _, red_symbol, red_line, red_arrow], [blue, _, blue_symbol, blue_line, blue_arrow]) =
                (&palette.red, &palette.blue);
            for (a, b) in [(red, blue), (red_arrow, blue_arrow)] {
                let (contrast, apart) = (sight.contrast(a, b), sight.difference(a, b));
                assert!(contrast >= 3.0 && apart >= 35.0, "{name}: {a} {b}: {contrast:.2}, {apart:.1}");
            }
            for (fill, symbol) in [(red, red_symbol), (blue, blue_symbol)] {
                assert!(sight.contrast(fill, symbol) >= 4.5, "{name}: {symbol} on {fill}");
            }
            // Without any colour the slant of the hatching and the dashes of the lines tell the sides apart.
            let lines = sight.difference(red_line, blue_line);
            assert!(lines >= 20.0 || sight == Sight::Grey, "{name}: lines {lines:.1}");
        }
    }

    #[test]
    fn the_papers_are_told_apart_whatever_colours_one_sees() {
        for (name, palette, sight) in all_sights() {
            for tones in [&palette.field, &palette.forest] {
                for pair in tones.windows(2) {
                    let apart = sight.difference(&pair[0], &pair[1]);
                    assert!(apart >= 7.0, "{name}: {pair:?} {apart:.1}");
                }
            }
            // Trees tell forest from field as well.
            for (field, forest) in palette.field.iter().zip(&palette.forest) {
                let apart = sight.difference(field, forest);
                assert!(apart >= 4.0, "{name}: {field} {forest} {apart:.1}");
            }
            for paper in palette.field.iter().chain(&palette.forest) {
                for [fill, rim, _, line, arrow] in [&palette.red, &palette.blue] {
                    for body in [fill, arrow] {
                        let best = sight.contrast(body, paper).max(sight.contrast(rim, paper));
                        assert!(best >= 3.0, "{name}: {body}, {rim} on {paper} {best:.2}");
                    }
                    let line = sight.contrast(line, paper);
                    assert!(line >= 3.0, "{name}: hatching and trails on {paper} {line:.2}");
                }
                let ink = sight.contrast(&palette.ink, paper);
                assert!(ink >= 4.5, "{name}: marks and digits on {paper} {ink:.2}");
            }
        }
    }

    #[test]
    fn what_a_meeting_would_bring_is_told_apart_whatever_colours_one_sees() {
        for (name, palette, sight) in all_sights() {
            let [win, lose, even] = &palette.meetings;
            for (a, b) in [(win, lose), (win, even), (lose, even)] {
                let apart = sight.difference(a, b);
                assert!(apart >= 20.0 || sight == Sight::Grey, "{name}: {a} {b} {apart:.1}");
            }
            for paper in palette.field.iter().chain(&palette.forest) {
                for mark in &palette.meetings {
                    let contrast = sight.contrast(mark, paper);
                    assert!(contrast >= 3.0, "{name}: {mark} on {paper} {contrast:.2}");
                }
            }
        }
    }
}
