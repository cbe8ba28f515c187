//! What is on a picture: units, ghosts, arrows, shots and rings, before anything is drawn.
//!
//! Taken from a standing, a report or a sheet of the rules, and from nothing else: a picture
//! can show no more than what it is given.

use super::table::{TableLook, TableSheet};
use super::under::{Trail, Under};
use super::view::View;
use crate::rules::field_command::validate::{Lawful, validate};
use crate::rules::field_command::{Army, Board, Day, Position, PositionSet, Report, Setup, Sheet, Standing, Unit};
use crate::rules::{self, BySide, Side};

/// The kinds of picture. A page may hold one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The board now.
    Standing,
    /// A day at dawn.
    Before,
    /// A day at dusk.
    After,
    /// What a writer sees before sealing.
    Sheet,
    /// The board on which a writer works.
    Table,
    /// A day that can be watched step by step.
    Watch,
}

impl Kind {
    /// The word that every id of the picture begins with.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Standing => "standing",
            Kind::Before => "before",
            Kind::After => "after",
            Kind::Sheet => "sheet",
            Kind::Table => "table",
            Kind::Watch => "watch",
        }
    }
}

/// A unit on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose.
    pub side: Side,
    /// Which.
    pub unit: Unit,
    /// Where it stands, or stood when it was removed.
    pub at: Position,
}

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Whose.
    pub side: Side,
    /// From where.
    pub from: Position,
    /// To where.
    pub to: Position,
    /// Whether it is carried out.
    pub legal: bool,
}

/// A shot that removed a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Whose gun.
    pub side: Side,
    /// Where the gun stands.
    pub from: Position,
    /// Where the unit stood.
    pub to: Position,
}

/// A picture that has not been drawn yet.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// Which of them it is.
    pub kind: Kind,
    /// What every id of the picture begins with, if it is not the word for its kind.
    pub name: Option<&'static str>,
    /// From where it is seen.
    pub view: View,
    /// The ground.
    pub board: &'a Board,
    /// What it is called; nothing if others say what it shows.
    pub title: String,
    /// What it shows, in a sentence or two.
    pub summary: String,
    /// Whether the broken lines of the deployment zones are shown.
    pub zones: bool,
    /// The units that stand.
    pub standing: Vec<Piece>,
    /// The units that were removed.
    pub fallen: Vec<Piece>,
    /// The orders.
    pub arrows: Vec<Arrow>,
    /// Where opposing units met.
    pub clashes: PositionSet,
    /// Who hit what.
    pub shots: Vec<Shot>,
    /// What lies on the ground, below the units.
    pub under: Under,
}

impl<'a> Scene<'a> {
    fn new(kind: Kind, board: &'a Board, bottom: Side, armies: &BySide<Army>) -> Scene<'a> {
        Scene {
            kind,
            name: None,
            view: View::new(bottom),
            board,
            title: String::new(),
            summary: String::new(),
            zones: false,
            standing: pieces(armies),
            fallen: Vec::new(),
            arrows: Vec::new(),
            clashes: PositionSet::EMPTY,
            shots: Vec::new(),
            under: Under::default(),
        }
    }

    fn named(mut self, title: String, rest: &str) -> Scene<'a> {
        let edge = match self.view.bottom() {
            Side::Red => "Red's edge, row K, is at the bottom.",
            Side::Blue => "Blue's edge, row A, is at the bottom.",
        };
        self.summary = format!("{title}: {rest} {edge}");
        self.title = title;
        self
    }

    /// A part of the board with these units, to be filled and [`Scene::called`] something.
    #[must_use]
    pub fn of_part(name: &'static str, board: &'a Board, armies: &BySide<Army>, view: View) -> Scene<'a> {
        Scene { name: Some(name), view, ..Scene::new(Kind::Standing, board, view.bottom(), armies) }
    }

    /// What every id of the picture begins with.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.name.unwrap_or(self.kind.word())
    }

    /// The same with a title and a sentence that says what it shows.
    #[must_use]
    pub fn called(self, title: &str, summary: String) -> Scene<'a> {
        Scene { title: title.to_owned(), summary, ..self }
    }

    /// The board between two turns.
    #[must_use]
    pub fn of_standing(standing: &'a Standing, bottom: Side) -> Scene<'a> {
        let armies = standing.armies();
        let mut scene = Scene::new(Kind::Standing, &standing.setup().board, bottom, armies);
        if standing.turn() == 0 {
            scene.zones = true;
            let rest = "no unit stands on it; broken lines mark both deployment zones.";
            return scene.named("The board before the deployment".into(), rest);
        }
        let title = match standing.ending() {
            Some(_) => "The board at the end of the game".into(),
            None => format!("The board before day {}", standing.turn()),
        };
        scene.named(title, &strength(armies))
    }

    /// A turn before anything moves, with both sides' orders.
    #[must_use]
    pub fn of_dawn(report: &Report, setup: &'a Setup, bottom: Side) -> Scene<'a> {
        match report {
            Report::Deployed { armies } => deployed(Kind::Before, armies, setup, bottom),
            Report::Day { number, dawn, day, .. } => {
                let mut scene = Scene::new(Kind::Before, &setup.board, bottom, dawn);
                for side in Side::BOTH {
                    scene.arrows.extend(arrows(side, day.orders.get(side)));
                }
                let orders = day.orders.as_ref().map(orders);
                let rest = format!("{} Red gave {}, Blue {}.", strength(dawn), orders.red, orders.blue);
                scene.named(format!("The board at dawn of day {number}"), &rest)
            }
        }
    }

    /// A turn when all is over.
    #[must_use]
    pub fn of_dusk(report: &Report, setup: &'a Setup, bottom: Side) -> Scene<'a> {
        match report {
            Report::Deployed { armies } => deployed(Kind::After, armies, setup, bottom),
            Report::Day { number, dawn, day, .. } => {
                let mut scene = Scene::new(Kind::After, &setup.board, bottom, &day.dusk);
                scene.fallen = fallen(dawn, day);
                scene.clashes = day.confrontations.iter().map(|confrontation| confrontation.at).collect();
                scene.shots = shots(day);
                let lost = |side| scene.fallen.iter().filter(|piece| piece.side == side).count();
                let rest = format!(
                    "{} On this day Red lost {} and Blue {}; units met on {}, guns removed {}.",
                    strength(&day.dusk),
                    lost(Side::Red),
                    lost(Side::Blue),
                    counted(scene.clashes.len(), "position"),
                    counted(scene.shots.iter().map(|shot| shot.to).collect::<PositionSet>().len(), "unit"),
                );
                scene.named(format!("The board at dusk of day {number}"), &rest)
            }
        }
    }

    /// What a side's sheet asks for.
    #[must_use]
    pub fn of_sheet(standing: &'a Standing, side: Side, sheet: &Sheet) -> Scene<'a> {
        let board = &standing.setup().board;
        match sheet {
            Sheet::Deployment(deployment) => {
                let mut armies = BySide { red: Army::EMPTY, blue: Army::EMPTY };
                *armies.get_mut(side) = *deployment.army();
                let mut scene = Scene::new(Kind::Sheet, board, side, &armies);
                scene.zones = true;
                let rest = format!("{} behind the broken line.", counted(deployment.army().len(), "unit"));
                scene.named(format!("{}'s deployment", side.name()), &rest)
            }
            Sheet::Orders(list) => {
                let lawful = validate(standing.armies().get(side), list);
                let mut scene = Scene::new(Kind::Sheet, board, side, standing.armies());
                scene.arrows.extend(arrows(side, &lawful));
                let rest = format!("{}. {}", orders(&lawful), strength(standing.armies()));
                scene.named(format!("{}'s orders for day {}", side.name(), standing.turn()), &rest)
            }
        }
    }
}

/// The scenes of the table.
impl<'a> Scene<'a> {
    /// The board with all that a writer has laid on it.
    #[must_use]
    pub fn of_table(standing: &'a Standing, bottom: Side, look: &TableLook<'_>) -> Scene<'a> {
        let mut armies = *standing.armies();
        for (side, sheet) in &look.sheets {
            if let TableSheet::Units(units) = sheet {
                *armies.get_mut(*side) = **units;
            }
        }
        let mut scene = Scene::new(Kind::Table, &standing.setup().board, bottom, &armies);
        if let Some(middle) = look.window {
            scene.view = View::around(bottom, middle);
        }
        scene.zones = standing.turn() == 0;
        for (side, sheet) in &look.sheets {
            if let TableSheet::Orders(list) = sheet {
                scene.arrows.extend(arrows(*side, &validate(armies.get(*side), list)));
            }
        }
        let view = scene.view;
        scene.standing.retain(|piece| view.shows(piece.at));
        scene.under = Under {
            hatches: look.hatches.clone(),
            proof: look.proof,
            sites: look.sites,
            trails: trails(look.trails),
            faint: look.faint.map(|(side, report)| last_list(side, report)).unwrap_or_default(),
        };
        scene
    }
}

/// The moves of the last three days, the oldest first.
fn trails(reports: &[rules::Report]) -> Vec<Trail> {
    let mut trails = Vec::new();
    for (age, report) in reports.iter().rev().take(3).enumerate().collect::<Vec<_>>().into_iter().rev() {
        let rules::Report::FieldCommand(Report::Day { day, .. }) = report else { continue };
        for side in Side::BOTH {
            let moves = day.orders.get(side).legal();
            trails.extend(moves.map(|order| Trail { side, from: order.from, to: order.to, age }));
        }
    }
    trails
}

/// A side's list of a day that is over.
fn last_list(side: Side, report: &rules::Report) -> Vec<Arrow> {
    match report {
        rules::Report::FieldCommand(Report::Day { day, .. }) => arrows(side, day.orders.get(side)).collect(),
        rules::Report::FieldCommand(Report::Deployed { .. }) => Vec::new(),
    }
}

/// Both armies where they were deployed.
fn deployed<'a>(kind: Kind, armies: &BySide<Army>, setup: &'a Setup, bottom: Side) -> Scene<'a> {
    let mut scene = Scene::new(kind, &setup.board, bottom, armies);
    scene.zones = true;
    scene.named("The board after the deployment".into(), &strength(armies))
}

fn pieces(armies: &BySide<Army>) -> Vec<Piece> {
    let of = |side| armies.get(side).units().map(move |(at, unit)| Piece { side, unit, at });
    of(Side::Red).chain(of(Side::Blue)).collect()
}

fn arrows(side: Side, lawful: &Lawful) -> impl Iterator<Item = Arrow> + '_ {
    lawful.verdicts().iter().map(move |verdict| Arrow {
        side,
        from: verdict.order.from,
        to: verdict.order.to,
        legal: verdict.reason.is_none(),
    })
}

/// Who was removed, and where: in confrontations first, then by fire.
fn fallen(dawn: &BySide<Army>, day: &Day) -> Vec<Piece> {
    let mut fallen = Vec::new();
    for confrontation in &day.confrontations {
        let removed = confrontation.removed.by_side();
        let units = BySide { red: confrontation.red, blue: confrontation.blue };
        for side in Side::BOTH.into_iter().filter(|&side| *removed.get(side)) {
            fallen.push(Piece { side, unit: *units.get(side), at: confrontation.at });
        }
    }
    for side in Side::BOTH {
        let fires = day.fires.iter().filter(|fire| fire.side != side);
        let hit = fires.fold(PositionSet::EMPTY, |hit, fire| hit.or(fire.hits));
        let unit = |at| day.before_fire(dawn, side, at).map(|unit| Piece { side, unit, at });
        fallen.extend(hit.iter().filter_map(unit));
    }
    fallen
}

fn shots(day: &Day) -> Vec<Shot> {
    let of = |(side, from, hits): (Side, Position, PositionSet)| hits.iter().map(move |to| Shot { side, from, to });
    day.fires.iter().map(|fire| (fire.side, fire.at, fire.hits)).flat_map(of).collect()
}

/// `Red 34 units, Blue 33.`
fn strength(armies: &BySide<Army>) -> String {
    format!("Red {}, Blue {}.", counted(armies.red.len(), "unit"), armies.blue.len())
}

/// `9 orders`, `9 orders (1 illegal)`.
fn orders(lawful: &Lawful) -> String {
    let all = counted(lawful.verdicts().len(), "order");
    match lawful.verdicts().iter().filter(|verdict| verdict.reason.is_some()).count() {
        0 => all,
        illegal => format!("{all} ({illegal} illegal)"),
    }
}

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
