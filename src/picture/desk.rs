//! The board of a sheet in the making: what its writer asked to see, looked up and laid on the table.

use super::table::{Hatch, TableLook, TableSheet};
use crate::rules::field_command::{self as fc, Position, guns, outlook};
use crate::rules::{Draft, Report, Side, Standing};

/// How many good places for guns are marked.
const SITES: usize = 12;

/// The board of a sheet in the making, seen from `reader`'s edge: the sheets that are being
/// written (both sides' in a what-if), the layer that the writer asked for by its key
/// ([`Standing::layers`]), and only the part around `middle` if one is named. `past` are the last
/// turns, the oldest first, for the layers that show them.
#[must_use]
pub fn desk(
    standing: &Standing,
    reader: Side,
    drafts: &[(Side, &Draft)],
    layer: &str,
    past: &[Report],
    middle: Option<&str>,
) -> String {
    let Standing::FieldCommand(own) = standing;
    let (board, armies) = (&own.setup().board, own.armies());
    let sheets = drafts.iter().map(|&(side, draft)| match draft {
        Draft::FieldCommand(fc::Draft::Orders(orders)) => (side, TableSheet::Orders(orders)),
        Draft::FieldCommand(fc::Draft::Deployment(army)) => (side, TableSheet::Units(army)),
    });
    let mut look =
        TableLook { sheets: sheets.collect(), window: middle.and_then(Position::parse), ..TableLook::default() };
    let dusk = dusk(standing, reader, drafts).filter(|_| layer == "dusk");
    if let Some(army) = &dusk {
        look.sheets = vec![(reader, TableSheet::Units(army))];
        look.hatches =
            vec![Hatch { side: reader.other(), counts: guns::possible_cover(board, armies.get(reader.other())) }];
    }
    let (mine, theirs) = (armies.get(reader), armies.get(reader.other()));
    let hatch = |side: Side, counts| vec![Hatch { side, counts }];
    match layer {
        "ground" => {
            look.proof = guns::gun_proof(board);
            look.sites = guns::gun_sites(board).into_iter().take(SITES).map(|(at, _)| at).collect();
        }
        "enemy-guns" => look.hatches = hatch(reader.other(), guns::cover(board, theirs)),
        "enemy-guns-next" => look.hatches = hatch(reader.other(), guns::possible_cover(board, theirs)),
        "own-guns" => look.hatches = hatch(reader, guns::cover(board, mine)),
        "own-guns-next" => look.hatches = hatch(reader, guns::possible_cover(board, mine)),
        "enemy-reach" => look.hatches = hatch(reader.other(), outlook::reach_counts(theirs)),
        "trails" => look.trails = past,
        "enemy-orders" => look.faint = past.last().map(|report| (reader.other(), report)),
        _ => {}
    }
    super::table(standing, reader, &look)
}

/// The reader's army where it will stand after the orders on the table.
fn dusk(standing: &Standing, reader: Side, drafts: &[(Side, &Draft)]) -> Option<fc::Army> {
    let Standing::FieldCommand(standing) = standing;
    drafts.iter().find_map(|&(side, Draft::FieldCommand(draft))| match draft {
        fc::Draft::Orders(orders) if side == reader => Some(outlook::after(standing.armies().get(side), orders)),
        _ => None,
    })
}

/// The names of the places that [`desk`] shows around `middle`; empty where it shows the whole board.
#[must_use]
pub fn shown(reader: Side, middle: Option<&str>) -> Vec<String> {
    let Some(middle) = middle.and_then(Position::parse) else { return Vec::new() };
    super::rows(reader, Some(middle)).into_iter().flatten().map(|position| position.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::{Setup, maps};
    use std::sync::Arc;

    #[test]
    fn every_layer_that_is_offered_is_drawn() {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let kept = r#"{"turn":3,"quiet_days":0,"red":"ARE7 GNK11","blue":"ARF6 GNA1","ending":null}"#;
        let day = fc::Standing::restore(&serde_json::from_str(kept).unwrap(), setup.clone()).unwrap();
        for standing in [Standing::FieldCommand(fc::Standing::open(setup)), Standing::FieldCommand(day)] {
            let draft = standing.draft(Side::Red, "").unwrap();
            let drawn =
                |layer: &str, past: &[Report]| desk(&standing, Side::Red, &[(Side::Red, &draft)], layer, past, None);
            let plain = drawn("", &[]);
            let lists = standing.draft(Side::Blue, "").unwrap();
            let empty = standing.draft_sheet(Side::Blue, &lists);
            let past: Vec<Report> = match (&empty, standing.turn()) {
                (Some(_), 1..) => {
                    let red = standing.parse(Side::Red, "E7-D7").unwrap();
                    let blue = standing.parse(Side::Blue, "F6-F5").unwrap();
                    vec![standing.resolve(crate::rules::BySide { red: &red, blue: &blue }).1]
                }
                _ => Vec::new(),
            };
            for layer in standing.layers() {
                assert_ne!(drawn(layer.key, &past), plain, "{}", layer.key);
            }
        }
    }

    #[test]
    fn a_part_is_drawn_around_a_position() {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let standing = Standing::FieldCommand(fc::Standing::open(setup));
        let whole = desk(&standing, Side::Red, &[], "", &[], None);
        let part = desk(&standing, Side::Red, &[], "", &[], Some("F6"));
        assert!(part.len() < whole.len());
    }
}
