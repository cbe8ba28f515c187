//! What the doors need to let a player write a sheet on the board itself, without knowing
//! the game: its places, what may be touched, and what a touch makes of the sheet.
//!
//! A sheet in the making is a [`crate::rules::Draft`]. Whatever is done to it is an act in the
//! game's own words (`touch H7`, `take AR`, `drop H7-F7`), so that a button, a tap and a
//! program say the same thing.

use serde::Serialize;

use super::side::Side;
use super::story_line::Chapter;
use super::text_error::TextError;
use super::{Draft, Sheet, Standing, field_command};

/// A place on the board as the writer of a sheet sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name, `H7`, in acts and in texts.
    pub name: String,
    /// The place in words, with what is known to stand there.
    pub spoken: String,
    /// Whether something of the writer's stands there that can be ordered or moved.
    pub mine: bool,
    /// Whether the act `touch` can mean anything here while nothing is held.
    pub open: bool,
    /// Where what stands here can go.
    pub goals: Vec<Goal>,
}

/// Where something can go, and what would become of it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The place.
    pub place: String,
    /// How it ends if what stands there stays; `None` where it is the writer's own.
    pub prospect: Option<Prospect>,
}

impl Goal {
    /// The sign that tells it in few letters; nothing for a free place.
    #[must_use]
    pub const fn sign(&self) -> &'static str {
        match self.prospect {
            None => "o",
            Some(Prospect::Free) => "",
            Some(Prospect::Wins) => "+",
            Some(Prospect::Loses) => "-",
            Some(Prospect::Both) => "=",
        }
    }

    /// The same in words.
    #[must_use]
    pub const fn words(&self) -> &'static str {
        match self.prospect {
            None => "held by your own",
            Some(Prospect::Free) => "free",
            Some(Prospect::Wins) => "wins there",
            Some(Prospect::Loses) => "is removed there",
            Some(Prospect::Both) => "both are removed there",
        }
    }
}

/// What becomes of what goes to a place where an enemy may stand, if that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Prospect {
    /// Nothing stands there.
    Free,
    /// It removes what stands there.
    Wins,
    /// It is removed.
    Loses,
    /// Both are removed.
    Both,
}

impl Prospect {
    /// Whether what is met is removed.
    #[must_use]
    pub const fn removes(self) -> bool {
        matches!(self, Prospect::Wins | Prospect::Both)
    }
}

/// A kind of thing that is still to be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrayItem {
    /// Its name in acts: `take AR`.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How many are left to place.
    pub left: usize,
    /// How many there are.
    pub of: usize,
}

/// Something that can be done with one press.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What the button says.
    pub label: String,
    /// The act.
    pub act: String,
}

impl Offer {
    /// An offer.
    pub fn new(label: impl Into<String>, act: impl Into<String>) -> Offer {
        Offer { label: label.into(), act: act.into() }
    }
}

/// A line of a sheet in the making.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftLine {
    /// The line in canonical notation.
    pub text: String,
    /// Whether it will be carried out.
    pub legal: bool,
    /// The rule's word for why not, for programs.
    pub reason: Option<String>,
    /// What will happen or why not, for people.
    pub note: String,
    /// What would mend it; empty for a legal line.
    pub repairs: Vec<Offer>,
    /// The act that takes the line away.
    pub drop: String,
}

/// A sheet in the making as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftState {
    /// The lines that can be judged one by one.
    pub lines: Vec<DraftLine>,
    /// What is still to be placed; empty where nothing is placed.
    pub tray: Vec<TrayItem>,
    /// How far it is, in few words: `9 of 12 orders`, `33 of 40 units placed`.
    pub progress: String,
    /// What the sheet lacks before it can be sealed: `Place 7 more`.
    pub lacks: Option<String>,
    /// The sheet's size in words, for the button that seals it: `9 orders`.
    pub measure: String,
    /// Whether it asks for nothing at all.
    pub empty: bool,
}

/// What an act made of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The text after it; as it was typed where the act changed nothing, or where it cannot be read.
    pub text: String,
    /// What is held now.
    pub held: String,
    /// What was done, or why nothing was, in a sentence; may be empty.
    pub said: String,
    /// What is wrong with the text; then no act was carried out.
    pub problem: Option<TextError>,
}

/// What an act made of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited<D> {
    /// The sheet after it.
    pub draft: D,
    /// What is held now: places or a kind of the tray, parted by spaces; empty for nothing.
    pub held: String,
    /// What was done, or why nothing was, in a sentence.
    pub said: String,
}

/// A view of the board that a writer can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its name in addresses.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
}

/// The answer to a question about the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What is on the board, in sentences.
    Chapters(Vec<Chapter>),
    /// The story of the last turn is asked for; whoever keeps the turns has it.
    LastTurn,
}

impl Standing {
    /// Reads a sheet in the making; it may be empty or lack something.
    ///
    /// # Errors
    /// The line and word that cannot be read.
    pub fn draft(&self, side: Side, text: &str) -> Result<Draft, TextError> {
        match self {
            Standing::FieldCommand(standing) => {
                field_command::Draft::read(standing, side, text).map(Draft::FieldCommand)
            }
        }
    }

    /// A sheet in the making that was written for the other side of the board, turned to this one;
    /// `None` where it is not the other side's, or the awaited sheet has no sides.
    #[must_use]
    pub fn turned(&self, side: Side, text: &str) -> Option<String> {
        match self {
            Standing::FieldCommand(standing) => field_command::Draft::turned(standing, side, text),
        }
    }

    /// How far a sheet in the making is, and what will become of each line.
    #[must_use]
    pub fn draft_state(&self, side: Side, draft: &Draft) -> DraftState {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        draft.state(standing, side)
    }

    /// The whole sheet that a draft is, if it lacks nothing.
    #[must_use]
    pub fn draft_sheet(&self, side: Side, draft: &Draft) -> Option<Sheet> {
        let Draft::FieldCommand(draft) = draft;
        draft.sheet(side).map(Sheet::FieldCommand)
    }

    /// Carries an act of the table out on a sheet in the making; `held` is what an act before took up.
    ///
    /// # Errors
    /// The act is none of this game's.
    pub fn edit(&self, side: Side, draft: &Draft, held: &str, act: &str) -> Result<Edited<Draft>, TextError> {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        let Edited { draft, held, said } = draft.edit(standing, side, held, act)?;
        Ok(Edited { draft: Draft::FieldCommand(draft), held, said })
    }

    /// Carries an act of the table out on a text, which may be wrong; without an act the text is only read.
    #[must_use]
    pub fn touched(&self, side: Side, text: &str, held: &str, act: Option<&str>) -> Touched {
        let still = |said: String, problem: Option<TextError>| Touched {
            text: text.to_owned(),
            held: held.to_owned(),
            said,
            problem,
        };
        let read = match self.draft(side, text) {
            Ok(read) => read,
            Err(problem) => return still(String::new(), Some(problem)),
        };
        match act.map(|act| self.edit(side, &read, held, act)) {
            None => still(String::new(), None),
            Some(Err(error)) => still(error.to_string(), None),
            // An act that changes nothing leaves the text as it was typed, comments and all.
            Some(Ok(edited)) if edited.draft == read => Touched { held: edited.held, ..still(edited.said, None) },
            Some(Ok(edited)) => {
                Touched { text: edited.draft.text(), held: edited.held, said: edited.said, problem: None }
            }
        }
    }

    /// What can be done with what is held, beside touching a place.
    #[must_use]
    pub fn offers(&self, side: Side, draft: &Draft, held: &str) -> Vec<Offer> {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        draft.offers(standing, side, held)
    }

    /// The views of the board that the writer of a sheet can ask for; `picture::table` draws them by their keys.
    #[must_use]
    pub const fn layers(&self) -> &'static [Layer] {
        match self {
            Standing::FieldCommand(standing) => field_command::places::layers(standing),
        }
    }

    /// What may come of a sheet in the making, from the open board and the writer's own sheet alone.
    #[must_use]
    pub fn advice(&self, side: Side, draft: &Draft, reader: Side) -> Vec<Chapter> {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        field_command::advice::advice(standing, side, draft, reader)
    }

    /// Answers a question about the board in the game's words; an empty one lists what can be asked.
    ///
    /// # Errors
    /// The word that is not understood, with what can be asked.
    pub fn ask(&self, side: Side, draft: &Draft, question: &str) -> Result<Answer, TextError> {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        let none = field_command::Orders::default();
        let orders = match draft {
            field_command::Draft::Orders(orders) => orders,
            field_command::Draft::Deployment(_) => &none,
        };
        Ok(match field_command::ask::ask(standing, side, orders, question)? {
            field_command::ask::Answer::Chapters(chapters) => Answer::Chapters(chapters),
            field_command::ask::Answer::LastTurn => Answer::LastTurn,
        })
    }

    /// All places row by row, as `reader` sees them, for a sheet of `side`.
    #[must_use]
    pub fn places(&self, side: Side, draft: &Draft, reader: Side) -> Vec<Vec<Place>> {
        let (Standing::FieldCommand(standing), Draft::FieldCommand(draft)) = (self, draft);
        field_command::places::places(standing, side, draft, reader)
    }
}
