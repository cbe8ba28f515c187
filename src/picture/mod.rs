//! The board as a picture: SVG that stands in a page, in a letter or by itself.
//!
//! A picture is a function of what it is given and knows no game, viewer or store. It uses
//! presentation attributes only, so it is right without a stylesheet and under a strict
//! content security policy; its classes let `static/board.css` change the colours for dark
//! screens and forced colours.
//!
//! Ids begin with the kind of the picture: a page may hold one of each kind. Those of an example (`picture::example`) begin with
//! a name of its own.

/// The units.
mod counters;
/// The map.
mod ground;
/// Arrows, shots and rings.
mod marks;
/// How small pictures are.
#[cfg(test)]
mod budget;
/// What colours look like to others.
#[cfg(test)]
mod sight;
/// The colours.
mod palette;
/// What was drawn last.
mod recent;
/// What is on a picture.
mod scene;
/// The board of a sheet in the making.
mod desk;
/// Small pictures for the page of rules.
pub mod example;
/// Pictures for letters.
mod png;
/// Grounds that have been drawn.
mod printed;
/// Elements and path data.
mod svg;
/// What a writer lays on the table.
mod table;
/// Zones, trails and marks below the units.
mod under;
/// Where things lie, seen from one side.
mod view;
/// A day to be watched.
mod watch;

use crate::rules::field_command::Unit;
use crate::rules::{Report, Setup, Sheet, Side, Standing};
use counters::{Lie, Shown};
pub use desk::{desk, shown};
use printed::Printed;
use scene::{Piece, Scene, Shot};
use svg::{Number, Point, Svg};
pub use table::{Hatch, TableLook, TableSheet, rows};
pub use view::{CELL, MARGIN, WINDOW};

/// The board now, with `bottom`'s edge at the bottom. Before anything is deployed also the
/// broken lines of both deployment zones.
#[must_use]
pub fn standing(standing: &Standing, bottom: Side) -> String {
    let Standing::FieldCommand(standing) = standing;
    draw(&Scene::of_standing(standing, bottom))
}

/// What [`standing`] shows, in a sentence.
#[must_use]
pub fn standing_in_words(standing: &Standing, bottom: Side) -> String {
    let Standing::FieldCommand(standing) = standing;
    Scene::of_standing(standing, bottom).summary
}

/// What [`after`] shows, in a sentence.
#[must_use]
pub fn after_in_words(report: &Report, setup: &Setup, bottom: Side) -> String {
    let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (report, setup);
    Scene::of_dusk(report, setup, bottom).summary
}

/// A turn at dawn, with the orders of both sides: solid arrows are carried out, broken grey
/// ones are not. A deployment has no dawn and is shown as it was revealed.
#[must_use]
pub fn before(report: &Report, setup: &Setup, bottom: Side) -> String {
    let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (report, setup);
    draw(&Scene::of_dawn(report, setup, bottom))
}

/// A turn at dusk: what stands, removed units as crossed ghosts where they fell, rings where
/// units met, and lines of fire from each gun to what it removed.
#[must_use]
pub fn after(report: &Report, setup: &Setup, bottom: Side) -> String {
    let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (report, setup);
    draw(&Scene::of_dusk(report, setup, bottom))
}

/// A day to be watched: it shows the dawn with both sides' orders, as [`before`] does, and holds what
/// will become of each unit for a script that plays it. A deployment has nothing to play.
#[must_use]
pub fn watch(report: &Report, setup: &Setup, bottom: Side) -> String {
    let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (report, setup);
    watch::draw(&Scene::of_dawn(report, setup, bottom), &Scene::of_dusk(report, setup, bottom), report)
}

/// What a writer sees before sealing: the own deployment, or the board with the own orders.
/// It shows the sheet, so it is for the writer alone.
#[must_use]
pub fn sheet(standing: &Standing, side: Side, sheet: &Sheet) -> String {
    let (Standing::FieldCommand(standing), Sheet::FieldCommand(sheet)) = (standing, sheet);
    draw(&Scene::of_sheet(standing, side, sheet))
}

/// The board on which a writer works, with `bottom`'s edge at the bottom. It is silent, for the
/// page lays buttons over it that have names; [`rows`] says which position each of them is, and
/// [`MARGIN`] and [`CELL`] where. It shows what was written, so it is for the writer alone.
#[must_use]
pub fn table(standing: &Standing, bottom: Side, look: &TableLook<'_>) -> String {
    let Standing::FieldCommand(standing) = standing;
    draw(&Scene::of_table(standing, bottom, look))
}

/// What [`standing`] shows as a PNG, so many pixels wide and high. `None` where that is no size.
#[must_use]
pub fn standing_png(standing: &Standing, bottom: Side, width: u32) -> Option<Vec<u8>> {
    let Standing::FieldCommand(standing) = standing;
    png::png(&Scene::of_standing(standing, bottom), width)
}

/// What [`after`] shows as a PNG, so many pixels wide and high. `None` where that is no size.
#[must_use]
pub fn after_png(report: &Report, setup: &Setup, bottom: Side, width: u32) -> Option<Vec<u8>> {
    let (Report::FieldCommand(report), Setup::FieldCommand(setup)) = (report, setup);
    png::png(&Scene::of_dusk(report, setup, bottom), width)
}

/// Draws a scene, the lowest things first.
fn draw(scene: &Scene<'_>) -> String {
    draw_over(scene, Some(&printed::of(scene)))
}

/// The ground of a scene and nothing else.
fn draw_ground(scene: &Scene<'_>, ground: &Printed) -> String {
    let mut svg = Svg::new(scene.id());
    open(&mut svg, scene);
    svg.open("defs", &[]);
    svg.piece(&ground.define);
    svg.close("defs");
    for piece in [&ground.papers, &ground.print, &ground.frame] {
        svg.piece(piece);
    }
    svg.close("svg");
    svg.finish()
}

/// Draws a scene over its ground; without one, what lies over it. That goes for the whole board without hatching, where
/// nothing lies between.
fn draw_over(scene: &Scene<'_>, ground: Option<&Printed>) -> String {
    let mut svg = Svg::new(scene.id());
    open(&mut svg, scene);
    svg.open("defs", &[]);
    if let Some(ground) = ground {
        svg.piece(&ground.define);
    }
    let mut shown = Shown::default();
    for piece in scene.standing.iter().chain(&scene.fallen) {
        shown.note(piece.side, piece.unit);
    }
    counters::define(&mut svg, &shown);
    if !scene.fallen.is_empty() {
        counters::define_cross(&mut svg);
    }
    if !scene.shots.is_empty() {
        marks::define(&mut svg);
    }
    scene.under.define(&mut svg);
    svg.close("defs");

    if let Some(ground) = ground {
        svg.piece(&ground.papers);
        scene.under.hatching(&mut svg, scene.view);
        svg.piece(&ground.print);
    }
    if let Some(ground) = ground.filter(|_| !scene.view.is_part()) {
        svg.piece(&ground.frame);
    }
    if scene.zones {
        ground::zones(&mut svg, scene.view);
    }
    scene.under.trails(&mut svg, scene.view);
    let rings: Vec<Point> = scene.clashes.iter().map(|at| scene.view.stand(at)).collect();
    marks::clashes(&mut svg, &rings);
    units(&mut svg, scene);
    scene.under.marks(&mut svg, scene.view);
    let lines: Vec<marks::Line> = scene.shots.iter().map(|&shot| aim(scene, shot)).collect();
    marks::shots(&mut svg, &lines);
    marks::arrows(&mut svg, &scene.arrows, scene.view);
    if let Some(ground) = ground.filter(|_| scene.view.is_part()) {
        svg.piece(&ground.frame);
    }
    svg.close("svg");
    svg.finish()
}

/// The element itself, with what it is called for those who do not see it.
fn open(svg: &mut Svg, scene: &Scene<'_>) {
    let (origin, side) = (scene.view.origin(), Number(scene.view.whole()));
    let view_box = format!("{} {} {side} {side}", Number(origin.x), Number(origin.y));
    let part = if scene.view.is_part() { " window" } else { "" };
    let class = format!("board {}{part}", scene.kind.word());
    let all = [("xmlns", "http://www.w3.org/2000/svg"), ("class", &*class), ("viewBox", &*view_box), ("width", "100%")];
    if scene.title.is_empty() {
        svg.open("svg", &[&all[..], &[("aria-hidden", "true"), ("focusable", "false")]].concat());
        return;
    }
    let (title, summary) = (svg.id("title"), svg.id("desc"));
    let labels = format!("{title} {summary}");
    svg.open("svg", &[&all[..], &[("role", "img"), ("aria-labelledby", &labels)]].concat());
    svg.text("title", &[("id", &title)], &scene.title);
    svg.text("desc", &[("id", &summary)], &scene.summary);
}

/// Counters and ghosts. Where two fell, or one fell and one stands, they share the position:
/// what stands keeps its size, ghosts are smaller.
fn units(svg: &mut Svg, scene: &Scene<'_>) {
    svg.open("g", &[&[("class", "units")][..], &counters::CODE_FACE].concat());
    for piece in &scene.fallen {
        counters::fallen(svg, piece.side, piece.unit, scene.view.stand(piece.at), lie(scene, *piece));
    }
    for piece in &scene.standing {
        let shares = scene.fallen.iter().any(|other| other.at == piece.at);
        let stand = scene.view.stand(piece.at).along(Point::new(0.0, 8.0), if shares { 1.0 } else { 0.0 });
        if piece.unit == Unit::General && piece.side == scene.view.bottom() {
            counters::own_general(svg, stand);
        }
        counters::standing(svg, piece.side, piece.unit, stand);
    }
    svg.close("g");
}

/// How a ghost is laid on its position.
fn lie(scene: &Scene<'_>, piece: Piece) -> Lie {
    let shared = |others: &[Piece]| others.iter().any(|other| other.at == piece.at && other.side != piece.side);
    if shared(&scene.standing) {
        Lie { aside: Point::new(-6.0, -19.5), scale: 0.62, cross: Point::new(19.0, 0.0) }
    } else if shared(&scene.fallen) {
        let down = if piece.side == scene.view.bottom() { 12.0 } else { -15.0 };
        Lie { aside: Point::new(0.0, down), scale: 0.75, cross: Point::new(-19.0, 0.0) }
    } else {
        Lie { aside: Point::new(0.0, 0.0), scale: 1.0, cross: Point::new(-21.0, -13.0) }
    }
}

/// From where to where a shot is drawn: it ends at the ghost of what it hit.
fn aim(scene: &Scene<'_>, shot: Shot) -> marks::Line {
    let target = scene.fallen.iter().find(|piece| piece.at == shot.to && piece.side != shot.side);
    let (aside, scale) = target.map_or((Point::new(0.0, 0.0), 1.0), |piece| {
        let lie = lie(scene, *piece);
        (lie.aside, lie.scale)
    });
    let (from, to) = (scene.view.stand(shot.from), scene.view.stand(shot.to).along(aside, 1.0));
    marks::Line { side: shot.side, from, to, scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BySide;
    use crate::rules::field_command::{self as fc, maps, ready};
    use std::sync::Arc;

    pub(super) fn setup() -> Setup {
        Setup::FieldCommand(fc::Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 })
    }

    fn deployment(side: Side) -> Sheet {
        Sheet::FieldCommand(fc::Sheet::Deployment(ready::ALL[0].deployment(side)))
    }

    pub(super) fn deployed() -> (Standing, Report) {
        let sheets = BySide::from_fn(deployment);
        Standing::open(setup()).resolve(sheets.as_ref())
    }

    /// A standing of a later day: codes and positions as they are kept.
    fn later(red: &str, blue: &str) -> Standing {
        let kept = format!(
            r#"{{"rules":"field_command/1","turn":5,"quiet_days":0,"red":"{red}","blue":"{blue}","ending":null}}"#
        );
        Standing::restore(&serde_json::from_str(&kept).unwrap(), setup()).unwrap()
    }

    fn day(standing: &Standing, red: &str, blue: &str) -> Report {
        let [red, blue] =
            [(Side::Red, red), (Side::Blue, blue)].map(|(side, text)| standing.parse(side, text).unwrap());
        standing.resolve(BySide { red: &red, blue: &blue }).1
    }

    /// All forty units of both sides and twenty-four orders.
    pub(super) fn fullest() -> Report {
        day(
            &deployed().0,
            "G8-F8 G9-F9 G10-F10 G11-F11 H6-F6 H7-F7 H8-E8 H9-E9 I4-G4 I5-G5 I6-G6 J1-G1",
            "E4-F4 E3-F3 E2-F2 E1-F1 D6-F6 D5-F5 D4-G4 D3-G3 C8-E8 C7-E7 C6-E6 B11-E11",
        )
    }

    /// What a reader of XML would stumble over, and ids that do not lead anywhere.
    pub(super) fn assert_sound(svg: &str, kind: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').unwrap();
            assert!(!text.contains('&') || text.contains("&amp;"), "{text}");
            let name = tag.split(' ').next().unwrap();
            assert!(!tag.contains(" style=") && !tag.contains(" on"), "the policy forbids {tag}");
            assert!(!["style", "script"].contains(&name), "the policy forbids {name}");
            if let Some(name) = name.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "closed in the wrong order");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty() && svg.ends_with("</svg>"), "left open: {open:?}");
        let ids: Vec<&str> = svg.split(" id=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
        for id in &ids {
            assert!(id.starts_with(&format!("{kind}-")), "{id} would clash with another picture's");
            assert_eq!(ids.iter().filter(|other| *other == id).count(), 1, "{id} twice");
        }
        for used in svg.split(" href=\"#").skip(1) {
            let used = used.split_once('"').unwrap().0;
            assert!(ids.contains(&used), "{used} is not defined");
        }
        for used in svg.split("fill=\"url(#").skip(1) {
            let used = used.split_once(')').unwrap().0;
            assert!(ids.contains(&used), "{used} is not defined");
        }
        match svg.split_once("aria-labelledby=\"") {
            Some((_, labels)) => {
                assert!(labels.split_once('"').unwrap().0.split(' ').all(|label| ids.contains(&label)));
            }
            None => assert!(kind == "table" && svg.contains("aria-hidden=\"true\"") && !svg.contains("<title")),
        }
    }

    pub(super) fn counters(svg: &str, kind: &str, letter: char) -> usize {
        svg.matches(&format!("<use href=\"#{kind}-{letter}")).count()
            - svg.matches(&format!("<use href=\"#{kind}-{letter}\"/>")).count()
    }

    #[test]
    fn every_kind_of_picture_is_sound_from_both_sides() {
        let open = Standing::open(setup());
        let (first, revealed) = deployed();
        let fought = fullest();
        for bottom in Side::BOTH {
            assert_sound(&standing(&open, bottom), "standing");
            assert_sound(&standing(&first, bottom), "standing");
            assert_sound(&sheet(&open, bottom, &deployment(bottom)), "sheet");
            for report in [&revealed, &fought] {
                assert_sound(&before(report, &setup(), bottom), "before");
                assert_sound(&after(report, &setup(), bottom), "after");
                assert_sound(&watch(report, &setup(), bottom), "watch");
            }
        }
    }

    #[test]
    fn broken_lines_are_shown_during_the_deployment_alone() {
        let open = Standing::open(setup());
        let svg = standing(&open, Side::Red);
        assert!(svg.contains("zone red") && svg.contains("zone blue") && !svg.contains("class=\"counter"));
        assert!(!standing(&deployed().0, Side::Red).contains("zone"));
        let svg = sheet(&open, Side::Blue, &deployment(Side::Blue));
        assert!(svg.contains("zone blue"));
        assert_eq!((counters(&svg, "sheet", 'b'), counters(&svg, "sheet", 'r')), (40, 0));
    }

    #[test]
    fn orders_are_arrows_and_illegal_ones_broken() {
        let standing = later("GNK11 I2H7 I2H8", "GNA1");
        let list = standing.parse(Side::Red, "H7-F7 H8-E8 K11-K11").unwrap();
        let svg = sheet(&standing, Side::Red, &list);
        assert!(svg.contains("Red's orders for day 5: 3 orders (2 illegal). Red 3 units, Blue 1."), "{svg}");
        let (_, orders) = svg.split_once("<g class=\"orders\"").unwrap();
        assert!(orders.contains("stroke-dasharray=\"5 6\"") && orders.contains("class=\"order red\""));
        assert!(!orders.contains("class=\"order blue\""));
    }

    #[test]
    fn the_dead_lie_where_they_fell() {
        // On E5 both fall; on G8 Red's Cavalry wins and is shot from F8; the guns on D9 and E9 shoot each other.
        let standing = later("GNK11 I2F5 C1H8 ARD9", "GNA1 I2D5 C2G9 ARF8 ARE9");
        let report = day(&standing, "F5-E5 H8-G8", "D5-E5 G9-G8");
        let svg = after(&report, &setup(), Side::Red);
        assert_sound(&svg, "after");
        assert_eq!(svg.matches("class=\"fallen\"").count(), 6);
        assert_eq!(svg.matches("class=\"ring\"").count(), 2);
        assert_eq!(svg.matches("#after-burst").count(), 3);
        let desc = "The board at dusk of day 5: Red 1 unit, Blue 2. On this day Red lost 3 and Blue 3; \
                    units met on 2 positions, guns removed 3 units. Red's edge, row K, is at the bottom.";
        assert!(svg.contains(desc), "{svg}");
        assert!(before(&report, &setup(), Side::Blue).contains("Red gave 2 orders, Blue 2 orders. Blue's edge"));
    }

    pub(super) fn set(names: &str) -> fc::PositionSet {
        names.split(' ').map(|name| fc::Position::parse(name).unwrap()).collect()
    }

    pub(super) fn orders(standing: &Standing, side: Side, text: &str) -> fc::Orders {
        match standing.parse(side, text).unwrap() {
            Sheet::FieldCommand(fc::Sheet::Orders(orders)) => orders,
            Sheet::FieldCommand(fc::Sheet::Deployment(_)) => panic!("a day is awaited"),
        }
    }

    #[test]
    fn a_table_with_everything_on_it_is_sound() {
        let first = deployed().0;
        let reports = [deployed().1, fullest(), fullest()];
        let [red, blue] = [orders(&first, Side::Red, "G8-F8 G9-A1"), orders(&first, Side::Blue, "E4-F4")];
        let look = TableLook {
            sheets: vec![(Side::Red, TableSheet::Orders(&red)), (Side::Blue, TableSheet::Orders(&blue))],
            hatches: Side::BOTH.map(|side| Hatch::of_set(side, set("F4 F5 F6"))).to_vec(),
            proof: set("K1 K2"),
            sites: set("E7 G5"),
            trails: &reports,
            faint: Some((Side::Blue, &reports[2])),
            window: None,
        };
        for bottom in Side::BOTH {
            for window in [None, fc::Position::parse("K1")] {
                let svg = table(&first, bottom, &TableLook { window, ..look.clone() });
                assert_sound(&svg, "table");
                assert!(["order red", "order blue", "failed", "trail red", "faint"].iter().all(|it| svg.contains(it)));
            }
        }
        let svg = table(&first, Side::Red, &TableLook::default());
        assert_sound(&svg, "table");
        assert_eq!(counters(&svg, "table", 'r') + counters(&svg, "table", 'b'), 80);
        assert!(!["order", "hatch", "trail", "mark"].iter().any(|it| svg.contains(it)));
    }

    #[test]
    fn a_deployment_in_the_making_is_shown_unit_by_unit() {
        let open = Standing::open(setup());
        let units: fc::Army = [("K11", fc::Unit::General), ("G8", fc::Unit::Infantry2)]
            .map(|(at, unit)| (fc::Position::parse(at).unwrap(), unit))
            .into_iter()
            .collect();
        let look = TableLook { sheets: vec![(Side::Red, TableSheet::Units(&units))], ..TableLook::default() };
        let svg = table(&open, Side::Red, &look);
        assert_sound(&svg, "table");
        assert_eq!((counters(&svg, "table", 'r'), counters(&svg, "table", 'b')), (2, 0));
        assert!(svg.contains("zone red") && svg.contains("own-general"));
    }

    #[test]
    fn a_window_is_a_part_of_the_same_drawing() {
        let look = TableLook { window: fc::Position::parse("K11"), ..TableLook::default() };
        let svg = table(&deployed().0, Side::Red, &look);
        assert!(svg.contains("class=\"board table window\" viewBox=\"240 240 468 468\""), "{svg}");
        let (_, coordinates) = svg.split_once("class=\"coordinates\"").unwrap();
        assert!(coordinates.contains(">E</text>") && !coordinates.contains(">D</text>"));
        assert_eq!(coordinates.matches("<text").count(), 28);
    }

    #[test]
    fn a_day_to_be_watched_holds_what_becomes_of_each_unit() {
        // As above: on E5 both fall, on G8 Red's Cavalry wins and is shot, D9 and E9 shoot each other.
        let standing = later("GNK11 I2F5 C1H8 ARD9 I1K5", "GNA1 I2D5 C2G9 ARF8 ARE9");
        let report = day(&standing, "F5-E5 H8-G8 K5-K6", "D5-E5 G9-G8");
        let svg = watch(&report, &setup(), Side::Red);
        assert_sound(&svg, "watch");
        assert_eq!(svg.matches("data-falls=\"clash\"").count(), 3, "{svg}");
        assert_eq!(svg.matches("data-falls=\"fire\"").count(), 3);
        assert_eq!(svg.matches("data-dx").count(), 5);
        assert!(svg.contains("data-dx=\"60\" data-dy=\"0\"><use href=\"#watch-rI1\"/>"), "K5-K6 goes to the right");
        assert!(
            watch(&report, &setup(), Side::Blue).contains("data-dx=\"-60\" data-dy=\"0\"><use href=\"#watch-rI1\"/>")
        );
        for step in ["confrontations", "artillery", "end"] {
            assert!(svg.contains(&format!("data-step=\"{step}\" display=\"none\"")), "{step} is shown at dawn");
        }
        assert!(svg.contains("data-step=\"orders\">") && svg.contains("data-step=\"moves\">"));
        let svg = watch(&fullest(), &setup(), Side::Red);
        assert!(svg.len() <= 40_000, "{} bytes", svg.len());
    }

    #[test]
    fn only_the_readers_general_is_framed() {
        let standing_now = deployed().0;
        for bottom in Side::BOTH {
            assert_eq!(standing(&standing_now, bottom).matches("own-general").count(), 1);
        }
    }
}
