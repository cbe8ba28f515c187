//! What may come of a day, in sentences: the units in danger, the Generals, the guns.
//!
//! What matters stands first, and what is safe takes one line. A side's units are "your" for that side alone;
//! everything else reads the same for both.

use super::board::Board;
use super::drafting::Draft;
use super::general::{self, Gun, Place, general};
use super::guns::{self, gun_proof, gun_sites};
use super::order::{Order, Orders};
use super::outlook::{Arrival, Dusk, dusk};
use super::position::Position;
use super::standing::Standing;
use super::story::{chapter, join, units, whose};
use super::unit::{Army, Unit};
use crate::rules::side::{BySide, Side};
use crate::rules::story_line::{Chapter, StoryLine, Tone};
use crate::rules::table::Prospect;

/// Whose something is, for a reader: `your`, or `Blue's`.
#[must_use]
pub const fn owner(side: Side, reader: Side) -> &'static str {
    match (side, reader) {
        (Side::Red, Side::Red) | (Side::Blue, Side::Blue) => "your",
        _ => whose(side),
    }
}

/// [`owner`] at the beginning of a sentence.
#[must_use]
pub const fn owner_first(side: Side, reader: Side) -> &'static str {
    match (side, reader) {
        (Side::Red, Side::Red) | (Side::Blue, Side::Blue) => "Your",
        _ => whose(side),
    }
}

pub(super) fn plain(text: impl Into<String>) -> StoryLine {
    StoryLine::new(Tone::Plain, text)
}

/// `E7`, `E7 and F6`, `E7, F6 and G5`.
pub(super) fn list(positions: impl IntoIterator<Item = Position>) -> String {
    let names: Vec<String> = positions.into_iter().map(|at| at.to_string()).collect();
    join(&names)
}

/// What may come of a sheet in the making: before the first day the ground, then the Generals, the own units
/// after their orders, and the guns of both sides.
#[must_use]
pub fn advice(standing: &Standing, side: Side, draft: &Draft, reader: Side) -> Vec<Chapter> {
    let (board, armies) = (&standing.setup().board, standing.armies());
    match draft {
        Draft::Deployment(_) => vec![ground_chapter(board)],
        Draft::Orders(orders) => {
            let mut chapters = general_chapters(board, armies, reader);
            chapters.push(dusk_chapter(board, armies, side, orders));
            chapters.extend([reader.other(), reader].map(|of| guns_chapter(board, armies, of, reader)));
            chapters
        }
    }
}

/// Each own unit that may be removed, where it will stand after the side's own orders; then whom the orders meet;
/// then how many are safe. One chapter.
#[must_use]
pub fn dusk_chapter(board: &Board, armies: &BySide<Army>, side: Side, orders: &Orders) -> Chapter {
    let enemy = side.other();
    let mut all = dusk(board, armies, side, orders);
    // The General first; the sort keeps the rest in board order.
    all.sort_by_key(|unit| unit.unit != Unit::General);
    let mut lines: Vec<StoryLine> =
        all.iter().filter(|unit| !unit.is_safe()).map(|unit| StoryLine::new(Tone::Loss, in_danger(unit))).collect();
    let safe = all.len() - lines.len();
    for unit in &all {
        if let Some(met) = armies.get(enemy).at(unit.at) {
            lines.push(plain(meets(unit, met, enemy)));
        }
    }
    if all.is_empty() {
        lines.push(plain("You have no units on the board."));
    } else if safe == all.len() {
        lines.push(plain(format!("Nothing that {} can do removes any of your {}.", enemy.name(), units(safe))));
    } else if safe > 0 {
        lines.push(plain(format!("Nothing that {} can do removes the other {}.", enemy.name(), units(safe))));
    }
    chapter("Your units after your orders", lines)
}

fn in_danger(unit: &Dusk) -> String {
    let mut dangers = arrivals(&unit.beaten_by, unit.at);
    if !unit.guns_now.is_empty() {
        dangers.push(covering(&unit.guns_now));
    }
    if !unit.guns_possible.is_empty() {
        dangers.push(possibly_covering(&unit.guns_possible));
    }
    format!("{}: {}.", placed(unit), dangers.join("; "))
}

/// `2nd Infantry on F7 (from H7)`.
fn placed(unit: &Dusk) -> String {
    let came = if unit.from == unit.at { String::new() } else { format!(" (from {})", unit.from) };
    format!("{} on {}{came}", unit.unit.name(), unit.at)
}

fn meets(unit: &Dusk, met: Unit, enemy: Side) -> String {
    let end = match unit.prospect {
        Prospect::Wins => "your unit removes it",
        Prospect::Loses => "your unit is removed",
        Prospect::Both => "both are removed",
        Prospect::Free => "nothing happens",
    };
    format!("{} meets {}'s {}: if that stays, {end}.", placed(unit), enemy.name(), met.name())
}

/// Which units come and win, and which go with the unit that they meet; an empty list if none do.
fn arrivals(arrivals: &[Arrival], at: Position) -> Vec<String> {
    [(Prospect::Wins, "can remove it"), (Prospect::Both, "can go with it")]
        .into_iter()
        .filter_map(|(prospect, what)| {
            let these: Vec<Arrival> = arrivals.iter().filter(|a| a.prospect == prospect).copied().collect();
            (!these.is_empty()).then(|| format!("{} {what}", arriving(&these, at)))
        })
        .collect()
}

/// `1st Infantry from D7 and E6, General there`: the kinds in the order of the army table.
pub(super) fn arriving(arrivals: &[Arrival], at: Position) -> String {
    let kinds: Vec<String> = Unit::ALL
        .into_iter()
        .filter_map(|unit| {
            let from: Vec<Position> =
                arrivals.iter().filter(|a| a.unit == unit && a.from != at).map(|a| a.from).collect();
            let there = arrivals.iter().any(|a| a.unit == unit && a.from == at);
            match (from.is_empty(), there) {
                (true, false) => None,
                (true, true) => Some(format!("{} there", unit.name())),
                (false, false) => Some(format!("{} from {}", unit.name(), list(from))),
                (false, true) => Some(format!("{} there or from {}", unit.name(), list(from))),
            }
        })
        .collect();
    kinds.join(", ")
}

fn covering(guns: &[Position]) -> String {
    match guns {
        [only] => format!("the gun on {only} covers it"),
        _ => format!("the guns on {} cover it", list(guns.iter().copied())),
    }
}

fn possibly_covering(moves: &[guns::GunMove]) -> String {
    let mut from: Vec<Position> = moves.iter().map(|gun| gun.from).collect();
    from.dedup();
    let ways: Vec<String> = from
        .into_iter()
        .map(|gun| {
            let to: Vec<String> = moves.iter().filter(|way| way.from == gun).map(|way| way.to.to_string()).collect();
            format!("the gun on {gun} may cover it from {}", to.join(" or "))
        })
        .collect();
    ways.join("; ")
}

/// The danger to one side's General, as the reader has it told; nothing while that side has none on the board.
#[must_use]
pub fn general_chapter(board: &Board, armies: &BySide<Army>, side: Side, reader: Side) -> Option<Chapter> {
    let danger = general(board, armies, side)?;
    let hunter = if side == reader { side.other().name() } else { "You" };
    let home = danger.places.first()?.at;
    let title = format!("{} General on {home}", owner_first(side, reader));
    let (all, covered) = (danger.places.len(), danger.covered());
    let mine = side == reader;
    let whom = if mine { "your General" } else { "the General" };
    if covered == 0 {
        let line = format!("{hunter} can cover none of the {all} positions on which {whom} can end.");
        return Some(chapter(&title, vec![plain(line)]));
    }
    let mut lines = Vec::new();
    if let Some(orders) = &danger.certain {
        lines.push(StoryLine::new(Tone::End, lost(hunter, mine, orders)));
    }
    let open = if covered < all { format!("; free of danger: {}", list(danger.safe())) } else { String::new() };
    lines.push(plain(format!("{hunter} can cover {covered} of the {all} positions on which {whom} can end{open}.")));
    if danger.certain.is_none() {
        let line = match danger.at_once {
            0 => "None of them is covered for certain: it needs guns that may be silenced.".to_owned(),
            n => format!("One list can cover {n} of them for certain, not all {all}."),
        };
        lines.push(plain(line));
    }
    let places = danger.places.iter().filter(|place| place.is_covered());
    lines.extend(places.map(|place| StoryLine::new(Tone::Loss, place_line(place, side, reader))));
    Some(chapter(&title, lines))
}

/// The warning when nothing saves a General.
fn lost(hunter: &str, mine: bool, orders: &[Order]) -> String {
    let whom = if mine { "your" } else { "this" };
    if orders.is_empty() {
        let covers = if mine { format!("{hunter} covers") } else { "you cover".to_owned() };
        return format!(
            "Nothing saves {whom} General: even without orders {covers} every position on which he can end."
        );
    }
    let list: Vec<String> = orders.iter().map(Order::to_string).collect();
    let by = if mine { hunter } else { "yours" };
    format!(
        "Nothing saves {whom} General: one list of {by} covers every position on which he can end: {}.",
        list.join(" ")
    )
}

fn place_line(place: &Place, side: Side, reader: Side) -> String {
    let enemy = side.other();
    let mut dangers = Vec::new();
    if let Some(unit) = place.enemy {
        dangers.push(format!("{} {} stands there", owner(enemy, reader), unit.name()));
    }
    if !place.arrivals.is_empty() {
        dangers.push(format!("{} can come", arriving(&place.arrivals, place.at)));
    }
    for gun in &place.guns_now {
        let sure = if gun.sure { ", and nothing can silence it" } else { "" };
        dangers.push(format!("the gun on {} covers it{sure}", gun.gun.from));
    }
    if !place.guns_possible.is_empty() {
        let moves: Vec<guns::GunMove> = place.guns_possible.iter().map(|Gun { gun, .. }| *gun).collect();
        dangers.push(possibly_covering(&moves));
    }
    let room = place
        .own
        .map(|unit| format!(" ({} {} there would have to leave)", owner(side, reader), unit.name()))
        .unwrap_or_default();
    format!("{}{room}: {}.", place.at, dangers.join("; "))
}

/// Both Generals, the reader's first, and whether both can fall on one day. Empty while neither is on the board.
#[must_use]
pub fn general_chapters(board: &Board, armies: &BySide<Army>, reader: Side) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> =
        [reader, reader.other()].into_iter().filter_map(|side| general_chapter(board, armies, side, reader)).collect();
    if general::both_in_reach(board, armies) {
        let line = StoryLine::new(Tone::Plain, "Both attacks can succeed on one day; that would be a draw.");
        chapters.push(chapter("Both Generals", vec![line]));
    }
    chapters
}

/// What each gun of a side covers and would hit now, and whom the side may hit after its guns' moves.
#[must_use]
pub fn guns_chapter(board: &Board, armies: &BySide<Army>, side: Side, reader: Side) -> Chapter {
    let (army, targets) = (armies.get(side), armies.get(side.other()));
    let mut lines = Vec::new();
    for gun in army.positions_of(Unit::Artillery) {
        let sight = board.sight(gun);
        let hits: Vec<String> = named(targets, |at| sight.contains(at));
        let target = if hits.is_empty() { String::new() } else { format!(" In range: {}.", join(&hits)) };
        let covers = if sight.is_empty() { "nothing".to_owned() } else { list(sight) };
        let tone = if hits.is_empty() { Tone::Plain } else { Tone::Loss };
        let altitude = board.ground(gun).altitude;
        lines.push(StoryLine::new(tone, format!("{gun}, altitude {altitude}, covers {covers}.{target}")));
    }
    if lines.is_empty() {
        lines.push(plain("None."));
    } else {
        let possible = guns::possible_cover(board, army);
        let now = guns::cover(board, army);
        let count = |counts: &[u8], at: Position| counts.get(at.index()).is_some_and(|&count| count > 0);
        let more = named(targets, |at| count(&possible, at) && !count(&now, at));
        if !more.is_empty() {
            lines.push(plain(format!("After a move of a gun also: {}.", join(&more))));
        }
    }
    chapter(&format!("{} guns", owner_first(side, reader)), lines)
}

/// The units that a gun can hit on positions of some kind: `2nd Infantry on F7`.
fn named(army: &Army, on: impl Fn(Position) -> bool) -> Vec<String> {
    army.units()
        .filter(|&(at, unit)| unit != Unit::Guerrillas && on(at))
        .map(|(at, unit)| format!("{} on {at}", unit.name()))
        .collect()
}

/// Good positions for guns, and positions that no gun can cover: for those who deploy.
#[must_use]
pub fn ground_chapter(board: &Board) -> Chapter {
    let best: Vec<String> =
        gun_sites(board).into_iter().take(8).map(|(at, seen)| format!("{at} ({seen} positions)")).collect();
    let proof = gun_proof(board);
    let safe = if proof.is_empty() { "none".to_owned() } else { format!("{}: {}", proof.len(), list(proof)) };
    chapter(
        "The ground for guns",
        vec![
            plain(format!("Guns see most from {}.", join(&best))),
            plain(format!("Positions that no gun can cover: {safe}.")),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::super::maps;
    use super::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn armies(red: &[(&str, Unit)], blue: &[(&str, Unit)]) -> BySide<Army> {
        let army = |units: &[(&str, Unit)]| units.iter().map(|&(position, unit)| (at(position), unit)).collect();
        BySide { red: army(red), blue: army(blue) }
    }

    fn lines(chapter: Chapter) -> Vec<String> {
        [chapter.title].into_iter().chain(chapter.lines.into_iter().map(|line| line.text)).collect()
    }

    #[test]
    fn units_in_danger_come_first_and_safe_ones_take_one_line() {
        let armies = armies(
            &[("H7", Unit::Infantry2), ("J2", Unit::Cavalry2), ("J5", Unit::Guerrillas), ("K11", Unit::General)],
            &[
                ("E7", Unit::Artillery),
                ("D7", Unit::Infantry1),
                ("F7", Unit::Infantry2),
                ("K9", Unit::Infantry3),
                ("C6", Unit::Artillery),
            ],
        );
        let mut orders = Orders::default();
        orders.push(Order { from: at("H7"), to: at("F7") }).unwrap();
        let board = maps::classic();
        let chapter = dusk_chapter(board, &armies, Side::Red, &orders);
        assert_eq!(chapter.lines[0].tone, Tone::Loss);
        assert_eq!(
            lines(chapter),
            [
                "Your units after your orders",
                "General on K11: 3rd Infantry from K9 can remove it.",
                "2nd Infantry on F7 (from H7): 1st Infantry from D7 can remove it; 2nd Infantry there can go with it; \
                 the gun on E7 covers it.",
                "2nd Infantry on F7 (from H7) meets Blue's 2nd Infantry: if that stays, both are removed.",
                "Nothing that Blue can do removes the other 2 units."
            ]
        );
        let quiet = dusk_chapter(board, &armies, Side::Blue, &Orders::default());
        assert_eq!(lines(quiet).last().unwrap(), "Nothing that Red can do removes the other 4 units.");
    }

    #[test]
    fn a_general_in_danger() {
        let armies = armies(
            &[("K11", Unit::General), ("J11", Unit::Infantry1)],
            &[("A1", Unit::General), ("I11", Unit::Cavalry2), ("J9", Unit::Guerrillas)],
        );
        let chapters = general_chapters(maps::classic(), &armies, Side::Red);
        let told: Vec<Vec<String>> = chapters.into_iter().map(lines).collect();
        assert_eq!(
            told,
            [
                vec![
                    "Your General on K11",
                    "Blue can cover 3 of the 3 positions on which your General can end.",
                    "One list can cover 2 of them for certain, not all 3.",
                    "K11: 2nd Cavalry from I11, Guerrillas from J9 can come.",
                    "J11 (your 1st Infantry there would have to leave): 2nd Cavalry from I11, Guerrillas from J9 can come.",
                    "K10: 2nd Cavalry from I11, Guerrillas from J9 can come.",
                ],
                vec!["Blue's General on A1", "You can cover none of the 3 positions on which the General can end."],
            ]
        );
    }

    #[test]
    fn a_general_whom_nothing_saves() {
        let armies = armies(
            &[("K11", Unit::General), ("B2", Unit::Cavalry1)],
            &[("A1", Unit::General), ("I11", Unit::Cavalry2), ("J11", Unit::Infantry1), ("K10", Unit::Infantry3)],
        );
        let board = maps::classic();
        let mine = general_chapter(board, &armies, Side::Red, Side::Red).unwrap();
        assert_eq!(mine.lines[0].tone, Tone::End);
        assert_eq!(
            lines(mine)[1],
            "Nothing saves your General: one list of Blue covers every position on which he can end: I11-K11."
        );
        let theirs = general_chapter(board, &armies, Side::Red, Side::Blue).unwrap();
        assert_eq!(
            lines(theirs)[..3],
            [
                "Red's General on K11",
                "Nothing saves this General: one list of yours covers every position on which he can end: I11-K11.",
                "You can cover 3 of the 3 positions on which the General can end."
            ]
        );
        let both = general_chapters(board, &armies, Side::Blue);
        assert_eq!(both.last().unwrap().lines[0].text, "Both attacks can succeed on one day; that would be a draw.");
    }

    #[test]
    fn guns_and_the_ground_for_them() {
        let armies = armies(
            &[("G5", Unit::Artillery)],
            &[("G7", Unit::Infantry1), ("F3", Unit::Guerrillas), ("J6", Unit::General)],
        );
        let board = maps::classic();
        assert_eq!(
            lines(guns_chapter(board, &armies, Side::Red, Side::Red)),
            [
                "Your guns",
                "G5, altitude 3, covers D5, E4, E5, F3, F4, F5, G2, G3, G4, G6, G7, G8, H3, H4, H5, H6, H7, I4, I5, I6 and J5. \
                 In range: 1st Infantry on G7."
            ]
        );
        assert_eq!(lines(guns_chapter(board, &armies, Side::Blue, Side::Red)), ["Blue's guns", "None."]);
        let ground = lines(ground_chapter(board));
        assert!(ground[1].starts_with("Guns see most from E7 (21 positions), G5 (21 positions), F6 (18 positions), "));
        assert!(ground[2].starts_with("Positions that no gun can cover: 27: A3, A6, "));
    }
}
