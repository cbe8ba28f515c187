//! A sheet in the making: what touching a position, taking a unit from the tray or pressing
//! a button makes of a half-written deployment or list of orders.
//!
//! Acts are words: `touch H7`, `take AR`, `lift H7`, `add H7-F7`, `swap H7 G8`, `drop H7-F7`,
//! `shift forward`, `clear`. What is held between two acts is a position, several
//! positions, or a kind of unit from the tray, and travels with the form.

use super::deployment::{Deployment, parse_part};
use super::order::{Order, Orders};
use super::ordering::List;
use super::position::{Position, PositionSet};
use super::ready::{self, Ready};
use super::standing::{Sheet, Standing};
use super::unit::{ARMY, Army, Unit};
use super::{ordering, parse, placing};
use crate::rules::side::Side;
use crate::rules::table::{DraftState, Edited, Offer};
use crate::rules::text_error::TextError;

/// What could be read of a half-written sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// Some units of a deployment, each in the own zone.
    Deployment(Army),
    /// A list of orders, legal or not.
    Orders(Orders),
}

/// What is held between two acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Nothing,
    /// A kind of unit, from the tray.
    Kind(Unit),
    /// Own units, by their positions.
    Units(PositionSet),
}

impl Held {
    /// Reads what [`Held::word`] writes; anything else holds nothing. Codes and positions overlap (C1, I3 …): only where
    /// there is a tray can a word mean a kind of unit.
    fn read(text: &str, tray: bool) -> Held {
        if let Some(unit) = Unit::from_code(text).filter(|_| tray) {
            return Held::Kind(unit);
        }
        let positions: PositionSet = text.split_whitespace().filter_map(Position::parse).collect();
        if positions.is_empty() { Held::Nothing } else { Held::Units(positions) }
    }

    /// What is held, in words that [`Held::read`] reads. A single position whose name is a code too is named twice where
    /// there is a tray.
    fn word(self, tray: bool) -> String {
        match self {
            Held::Nothing => String::new(),
            Held::Kind(unit) => unit.code().to_owned(),
            Held::Units(positions) => {
                let word = positions.iter().map(|position| position.to_string()).collect::<Vec<_>>().join(" ");
                if tray && Unit::from_code(&word).is_some() { format!("{word} {word}") } else { word }
            }
        }
    }

    /// The one position that is held.
    pub fn single(self) -> Option<Position> {
        match self {
            Held::Units(positions) if positions.len() == 1 => positions.iter().next(),
            _ => None,
        }
    }
}

/// An act, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Touch(Position),
    /// Adds a position to those held, or takes it out.
    Gather(Position),
    Take(Unit),
    Lift(Position),
    Add(Order),
    Swap(Position, Position),
    Drop(Order),
    Shift(Direction),
    /// A ready-made deployment in place of what stands there.
    Ready(&'static Ready),
    Clear,
    Release,
}

/// A step of one position, as the writer looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Left,
    Right,
}

impl Act {
    fn read(text: &str) -> Result<Act, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let act = match *words {
            ["touch", at] => Position::parse(at).map(Act::Touch),
            ["gather", at] => Position::parse(at).map(Act::Gather),
            ["take", unit] => Unit::from_code(unit).map(Act::Take),
            ["lift", at] => Position::parse(at).map(Act::Lift),
            ["add", order] => read_order(order).map(Act::Add),
            ["drop", order] => read_order(order).map(Act::Drop),
            ["swap", a, b] => Position::parse(a).zip(Position::parse(b)).map(|(a, b)| Act::Swap(a, b)),
            ["shift", way] => Direction::read(way).map(Act::Shift),
            ["ready", key] => ready::ALL.iter().find(|ready| ready.key == key).map(Act::Ready),
            ["clear"] => Some(Act::Clear),
            ["release"] => Some(Act::Release),
            _ => None,
        };
        act.ok_or_else(|| {
            TextError::whole(
                "this is not an act of the table: touch, gather, take, lift, add, drop, swap, shift, ready, clear, release",
            )
        })
    }
}

fn read_order(text: &str) -> Option<Order> {
    let (from, to) = text.split_once('-')?;
    Some(Order { from: Position::parse(from)?, to: Position::parse(to)? })
}

impl Direction {
    fn read(word: &str) -> Option<Direction> {
        Some(match word {
            "forward" => Direction::Forward,
            "back" => Direction::Back,
            "left" => Direction::Left,
            "right" => Direction::Right,
            _ => return None,
        })
    }

    /// The position one step on, as a side sees its own edge at the bottom.
    pub fn from(self, position: Position, side: Side) -> Option<Position> {
        let (row, column) = (i16::from(position.row()), i16::from(position.column()));
        let (down, across) = match self {
            Direction::Forward => (-1, 0),
            Direction::Back => (1, 0),
            Direction::Left => (0, -1),
            Direction::Right => (0, 1),
        };
        let turn = if side == Side::Red { 1 } else { -1 };
        let place = |at: i16| u8::try_from(at).ok();
        Position::new(place(row + turn * down)?, place(column + turn * across)?)
    }
}

impl Draft {
    /// Reads what a side has written so far for the awaited turn. Nothing is a draft too.
    ///
    /// # Errors
    /// The line and word that cannot be read.
    pub fn read(standing: &Standing, side: Side, text: &str) -> Result<Draft, TextError> {
        if standing.turn() == 0 {
            parse_part(text, side).map(Draft::Deployment)
        } else {
            parse::orders(text, standing.armies().get(side)).map(Draft::Orders)
        }
    }

    /// A deployment of the other side, whole or in part, turned by 180°.
    #[must_use]
    pub fn turned(standing: &Standing, side: Side, text: &str) -> Option<String> {
        if standing.turn() > 0 {
            return None;
        }
        let army = parse_part(text, side.other()).ok().filter(|army| !army.is_empty())?;
        let turned = army.units().map(|(position, unit)| (position.turned(), unit)).collect();
        Some(Draft::Deployment(turned).text())
    }

    /// The text: an order a line, or a line for each kind of unit that is placed.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Draft::Orders(orders) => orders.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            Draft::Deployment(army) => {
                let line = |unit: Unit| {
                    let positions: Vec<String> =
                        army.positions_of(unit).iter().map(|position| position.to_string()).collect();
                    (!positions.is_empty()).then(|| format!("{} {}", unit.code(), positions.join(" ")))
                };
                Unit::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The sheet, if the draft is a whole one.
    #[must_use]
    pub fn sheet(&self, side: Side) -> Option<Sheet> {
        match self {
            Draft::Orders(orders) => Some(Sheet::Orders(orders.clone())),
            Draft::Deployment(army) if army.len() == ARMY => {
                Deployment::parse(&self.text(), side).ok().map(Sheet::Deployment)
            }
            Draft::Deployment(_) => None,
        }
    }

    /// The army that a draft speaks of: the half-placed one, or the one on the board.
    #[must_use]
    pub fn army<'a>(&'a self, standing: &'a Standing, side: Side) -> &'a Army {
        match self {
            Draft::Deployment(army) => army,
            Draft::Orders(_) => standing.armies().get(side),
        }
    }

    /// How far the sheet is, and what will become of each line.
    #[must_use]
    pub fn state(&self, standing: &Standing, side: Side) -> DraftState {
        match self {
            Draft::Deployment(army) => placing::state(army),
            Draft::Orders(orders) => ordering::state(orders, standing.armies().get(side)),
        }
    }

    /// Carries an act out.
    ///
    /// # Errors
    /// The act is none.
    pub fn edit(&self, standing: &Standing, side: Side, held: &str, act: &str) -> Result<Edited<Draft>, TextError> {
        let tray = matches!(self, Draft::Deployment(_));
        let (held, act) = (Held::read(held, tray), Act::read(act)?);
        let (draft, held, said) = match self {
            Draft::Deployment(army) => {
                let mut army = *army;
                let (held, said) = placing::act(&mut army, side, held, act);
                (Draft::Deployment(army), held, said)
            }
            Draft::Orders(orders) => {
                let mut list = List { army: standing.armies().get(side), side, orders: orders.as_slice().to_vec() };
                let (held, said) = list.act(held, act);
                (Draft::Orders(list.into_orders()), held, said)
            }
        };
        Ok(Edited { draft, held: held.word(tray), said })
    }

    /// What can be done with what is held, beside touching a position.
    #[must_use]
    pub fn offers(&self, standing: &Standing, side: Side, held: &str) -> Vec<Offer> {
        match (self, Held::read(held, matches!(self, Draft::Deployment(_)))) {
            (Draft::Deployment(army), Held::Units(positions)) => positions
                .iter()
                .filter_map(|at| {
                    let unit = army.at(at)?;
                    Some(Offer::new(format!("Take the {} off {at}", unit.name()), format!("lift {at}")))
                })
                .collect(),
            (Draft::Orders(orders), Held::Units(positions)) => {
                ordering::offers(orders, standing.armies().get(side), positions)
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::{Setup, maps};
    use crate::rules::side::BySide;
    use std::sync::Arc;

    fn open() -> Standing {
        Standing::open(Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 })
    }

    fn day_one() -> Standing {
        let sheets = BySide::from_fn(|side| Sheet::Deployment(ready::ALL[0].deployment(side)));
        open().resolve(sheets.as_ref()).0
    }

    /// Carries acts out one after the other, as a form does, and gives text, what is held and the last word.
    fn after(standing: &Standing, side: Side, text: &str, acts: &[&str]) -> (String, String, String) {
        let (mut text, mut held, mut said) = (text.to_owned(), String::new(), String::new());
        for act in acts {
            let draft = Draft::read(standing, side, &text).unwrap();
            let edited = draft.edit(standing, side, &held, act).unwrap();
            (text, held, said) = (edited.draft.text(), edited.held, edited.said);
        }
        (text, held, said)
    }

    fn text(standing: &Standing, acts: &[&str]) -> String {
        after(standing, Side::Red, "", acts).0
    }

    #[test]
    fn a_unit_is_ordered_by_two_touches_and_the_same_two_take_it_back() {
        let day = day_one();
        assert_eq!(after(&day, Side::Red, "", &["touch G8"]).1, "G8");
        assert_eq!(text(&day, &["touch G8", "touch F8"]), "G8-F8");
        assert_eq!(text(&day, &["touch G8", "touch F8", "touch G8", "touch F8"]), "");
        assert_eq!(text(&day, &["touch G8", "touch F8", "touch G8", "touch E8"]), "G8-E8");
        let (text, held, said) = after(&day, Side::Red, "", &["touch G8", "touch C8"]);
        assert_eq!((&*text, &*held), ("", "G8"), "{said}");
        assert_eq!(said, "C8 is too far: 2nd Infantry moves up to 2 positions a day.");
    }

    #[test]
    fn a_touch_on_another_own_unit_chooses_that_one() {
        let day = day_one();
        assert_eq!(after(&day, Side::Red, "", &["touch G8", "touch G9"]).1, "G9");
        assert_eq!(after(&day, Side::Red, "", &["touch G8", "touch G8"]).1, "");
    }

    /// C1 to C3 and I1 to I3 are positions and codes.
    #[test]
    fn a_position_that_reads_like_a_code_can_be_touched() {
        let setup = Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 };
        let army: Army = [(Position::parse("I2").unwrap(), Unit::Cavalry1)].into_iter().collect();
        let day = Standing::on_day_one(setup, &BySide { red: army, blue: Army::EMPTY });
        assert_eq!(after(&day, Side::Red, "", &["touch I2"]).1, "I2");
        assert_eq!(text(&day, &["touch I2", "touch H2"]), "I2-H2");
        let draft = Draft::read(&day, Side::Red, "I2-H2").unwrap();
        assert_eq!(draft.offers(&day, Side::Red, "I2").len(), 1);
        // A unit on C2 is moved to C4 and back, while the tray's 2nd Cavalry is told from it.
        let (text, held, _) = after(&open(), Side::Blue, "GN C2", &["touch C2"]);
        assert_eq!((&*text, &*held), ("GN C2", "C2 C2"));
        assert_eq!(after(&open(), Side::Blue, "GN C2", &["touch C2", "touch C4"]).0, "GN C4");
        assert_eq!(after(&open(), Side::Blue, "GN C2", &["take C2", "touch C4"]).0, "GN C2\nC2 C4");
    }

    #[test]
    fn the_thirteenth_order_is_refused_in_words() {
        let twelve = "G8-F8 G9-F9 G10-F10 G11-F11 H6-G6 H7-G7 H8-H5 H9-E9 I4-H4 I5-H5 I6-H6 J1-I1";
        let (text, _, said) = after(&day_one(), Side::Red, twelve, &["add K11-J11"]);
        assert_eq!(text.lines().count(), 12);
        assert_eq!(said, "The list holds 12 orders already; drop one before K11-J11.");
        let (text, _, said) = after(&day_one(), Side::Red, twelve, &["swap K11 K10"]);
        assert_eq!(text.lines().count(), 12);
        assert_eq!(said, "A swap takes two orders, and the list holds 12 of 12.");
    }

    #[test]
    fn several_units_step_together_as_their_writer_sees_the_board() {
        let day = day_one();
        assert_eq!(text(&day, &["gather G8", "gather G9", "gather H6", "gather H6", "shift forward"]), "G8-F8\nG9-F9");
        let (blue, ..) = after(&day, Side::Blue, "", &["gather E4", "gather E3", "shift forward"]);
        assert_eq!(blue, "E3-F3\nE4-F4");
        let (blue, ..) = after(&day, Side::Blue, "", &["gather E4", "shift left"]);
        assert_eq!(blue, "E4-E5");
        let (none, _, said) = after(&day, Side::Red, "", &["gather K11", "shift back"]);
        assert_eq!((&*none, &*said), ("", "0 units move one step; not K11."));
    }

    #[test]
    fn a_held_destination_can_be_mended_in_one_press() {
        let day = day_one();
        let read = |text: &str| Draft::read(&day, Side::Red, text).unwrap().state(&day, Side::Red);
        let state = read("H8-G8");
        let acts: Vec<&str> = state.lines[0].repairs.iter().map(|offer| &*offer.act).collect();
        assert_eq!(acts, ["touch G8", "add G8-H8", "drop H8-G8"]);
        assert!(read(&text(&day, &["add H8-G8", "add G8-H8"])).lines.iter().all(|line| line.legal));
        let state = read("G8-F8 H8-G8 I8-H8");
        assert!(state.lines[0].note.ends_with("; if it falls, H8-G8, I8-H8 fall too"), "{:?}", state.lines[0]);
        let state = read("H8-G8 I8-H8");
        assert!(state.lines[0].note.ends_with("; so I8-H8 cannot follow"), "{:?}", state.lines[0]);
    }

    #[test]
    fn a_ring_of_orders_ends() {
        let day = day_one();
        let state = Draft::read(&day, Side::Red, "G8-G9 G9-H9 H9-H8 H8-G8").unwrap().state(&day, Side::Red);
        assert!(state.lines.iter().all(|line| line.legal), "{state:?}");
    }

    #[test]
    fn swaps_and_follow_ons_are_offered() {
        let day = day_one();
        let draft = Draft::read(&day, Side::Red, "G8-F8").unwrap();
        let offers = draft.offers(&day, Side::Red, "H8");
        assert!(offers.iter().any(|offer| offer.act == "add H8-G8"), "{offers:?}");
        assert!(offers.iter().any(|offer| offer.act.starts_with("swap H8 ")), "{offers:?}");
        let offers = draft.offers(&day, Side::Red, "G8");
        assert_eq!(offers[0], Offer::new("Take back G8-F8", "drop G8-F8"));
    }

    #[test]
    fn an_army_is_placed_from_the_tray() {
        let open = open();
        let (text, held, said) = after(&open, Side::Red, "", &["take GN", "touch K11"]);
        assert_eq!((&*text, &*held, &*said), ("GN K11", "", "General on K11, 0 left."));
        let (text, held, _) = after(&open, Side::Red, "", &["take AR", "touch K11", "touch K10"]);
        assert_eq!((&*text, &*held), ("AR K10 K11", "AR"));
        let (text, ..) = after(&open, Side::Red, "GN K11\nAR K10", &["touch K11", "touch K10"]);
        assert_eq!(text, "GN K10\nAR K11");
        let (text, ..) = after(&open, Side::Red, "GN K11\nAR K10", &["touch K11", "touch J1"]);
        assert_eq!(text, "GN J1\nAR K10");
        let (text, _, said) = after(&open, Side::Red, "AR K10", &["take GN", "touch K10"]);
        assert_eq!((&*text, &*said), ("GN K10", "General on K10, 0 left. The Artillery there is back in the tray."));
        let (_, held, said) = after(&open, Side::Red, "", &["take GN", "touch A1"]);
        assert_eq!((&*held, &*said), ("GN", "A1 lies outside Red's deployment zone."));
        assert_eq!(after(&open, Side::Red, "GN K11", &["lift K11"]).0, "");
        assert_eq!(after(&open, Side::Red, "GN K11\nAR K10", &["clear"]).0, "");
    }

    #[test]
    fn the_state_says_how_many_are_left_to_place() {
        let open = open();
        let whole = ready::ALL[0].deployment(Side::Blue).to_string();
        let state = |text: &str| Draft::read(&open, Side::Blue, text).unwrap().state(&open, Side::Blue);
        assert_eq!(state(&whole).lacks, None);
        assert_eq!(state("GN A1\nAR A2 A3").lacks.as_deref(), Some("Place 37 more"));
        assert_eq!(state("AR A2 A3").tray[1].left, 3);
        let draft = Draft::read(&open, Side::Blue, &whole).unwrap();
        assert_eq!(draft.sheet(Side::Blue).unwrap().canonical(), whole);
    }

    #[test]
    fn no_act_makes_a_text_that_cannot_be_read() {
        // Every act on every position, from drafts of both kinds.
        let (open, day) = (open(), day_one());
        for (standing, start) in [(&open, "GN K11\nAR K10 J1"), (&day, "G8-F8 H8-G8")] {
            for held in ["", "AR", "G8", "K11", "G8 G9"] {
                for position in Position::all() {
                    for act in ["touch", "gather", "lift"] {
                        let draft = Draft::read(standing, Side::Red, start).unwrap();
                        let edited = draft.edit(standing, Side::Red, held, &format!("{act} {position}")).unwrap();
                        let again = Draft::read(standing, Side::Red, &edited.draft.text()).unwrap();
                        assert_eq!(again, edited.draft);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_act_is_named() {
        let error = Draft::Orders(Orders::default()).edit(&day_one(), Side::Red, "", "touch Z9").unwrap_err();
        assert!(error.to_string().contains("touch, gather, take"));
    }
}
