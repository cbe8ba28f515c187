//! What the doors (pages, API, mail) need to know to ask a player for a sheet, without
//! knowing the game: the shape of the form, and the check of what was written.

use serde::Serialize;

/// The form for the sheet that is awaited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryForm {
    /// What is asked for, as a noun: `orders`, `deployment`.
    pub noun: &'static str,
    /// What to do, in a sentence.
    pub ask: String,
    /// How it is written.
    pub notation: &'static str,
    /// The beginning of one, to show the form.
    pub example: String,
    /// Lines of the text field.
    pub rows: u8,
    /// The words beside the box that must be ticked to send an empty sheet; `None` where it cannot be empty.
    pub empty: Option<&'static str>,
    /// Whether what is missing can be filled in by chance.
    pub fills: bool,
    /// Ready-made sheets.
    pub presets: Vec<Preset>,
}

/// A ready-made sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name in addresses.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is good for.
    pub about: &'static str,
    /// The sheet.
    pub text: String,
}

/// What will become of a sheet, as its writer may know it beforehand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// A line for each order or kind of unit.
    pub lines: Vec<CheckedLine>,
    /// The sheet's size in words, for the button that seals it: `9 orders`.
    pub measure: String,
}

impl Check {
    /// How many lines will not be carried out.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.lines.iter().filter(|line| !line.legal).count()
    }
}

/// One line of a sheet with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedLine {
    /// The line in canonical notation.
    pub text: String,
    /// Whether it will be carried out.
    pub legal: bool,
    /// The rule's word for why not, for programs.
    pub reason: Option<String>,
    /// What will happen or why not, for people.
    pub note: String,
}
