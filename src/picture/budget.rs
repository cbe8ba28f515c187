//! How many bytes a picture costs, alone and with the names of all positions laid over it.
//!
//! Sizes and not times: these tests say the same on every machine.

use std::fmt::Write as _;
use std::io::Write as _;

use super::tests::{counters, deployed, fullest, orders, set, setup};
use super::{Hatch, TableLook, TableSheet, before, rows, standing, table};
use crate::rules::field_command::board::Terrain;
use crate::rules::field_command::position::POSITIONS;
use crate::rules::{Side, Standing};

/// The length as the server sends it: brotli of quality 5.
fn sent(text: &str) -> usize {
    let mut out = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
    out.write_all(text.as_bytes()).unwrap();
    out.into_inner().len()
}

/// The grid of buttons that a page lays over the picture, each with the name of its position.
fn names(at: &Standing, bottom: Side) -> String {
    let Standing::FieldCommand(at) = at;
    let (board, mut html) = (&at.setup().board, String::new());
    for row in rows(bottom, None) {
        html.push_str("<div role=\"row\">");
        for position in row {
            let terrain = match board.terrain(position) {
                Terrain::Field => "open field",
                Terrain::Forest => "forest",
            };
            let unit =
                |side, whose| at.armies().get(side).at(position).map(|unit| format!(", {whose} {}", unit.name()));
            let unit = unit(bottom, "your").or_else(|| unit(bottom.other(), "Blue's")).unwrap_or_default();
            let altitude = board.ground(position).altitude;
            write!(
                html,
                "<button name=\"tap\" value=\"{position}\" id=\"at-{position}\" tabindex=\"-1\" \
                 aria-label=\"{position}, {terrain}, altitude {altitude}{unit}\"></button>"
            )
            .unwrap();
        }
        html.push_str("</div>");
    }
    html
}

#[test]
fn eighty_units_with_spoken_names_take_40_kb_and_4_sent() {
    let first = deployed().0;
    for bottom in Side::BOTH {
        let svg = table(&first, bottom, &TableLook::default());
        assert_eq!(counters(&svg, "table", 'r') + counters(&svg, "table", 'b'), 80);
        let all = format!("{svg}{}", names(&first, bottom));
        assert_eq!(all.matches("aria-label").count(), POSITIONS);
        let sizes = [svg.len(), sent(&svg), all.len(), sent(&all)];
        for (size, most) in sizes.into_iter().zip([24_000, 3_000, 40_000, 4_096]) {
            assert!(size <= most, "{bottom:?}: {size} of {most}; alone, sent, with names, sent: {sizes:?}");
        }
    }
}

#[test]
fn the_fullest_pictures_are_small() {
    let first = deployed().0;
    for (svg, most) in [(before(&fullest(), &setup(), Side::Red), 4_000), (standing(&first, Side::Blue), 3_100)] {
        assert!(svg.len() <= 30_000 && sent(&svg) <= most, "{} bytes, {} sent", svg.len(), sent(&svg));
    }
    let reports = [fullest(), fullest(), fullest()];
    let red = orders(&first, Side::Red, "G8-F8 G9-F9 G10-F10 G11-F11 H6-F6 H7-F7 H8-E8 H9-E9 I4-G4 I5-G5 I6-G6 J1-G1");
    let look = TableLook {
        sheets: vec![(Side::Red, TableSheet::Orders(&red))],
        hatches: Side::BOTH.map(|side| Hatch::of_set(side, set("F4 F5 F6 E7 G5"))).to_vec(),
        trails: &reports,
        faint: Some((Side::Blue, &reports[2])),
        ..TableLook::default()
    };
    let svg = table(&first, Side::Red, &look);
    assert!(svg.len() <= 40_000 && sent(&svg) <= 5_000, "{} bytes, {} sent", svg.len(), sent(&svg));
}
