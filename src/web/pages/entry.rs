//! The form in which a sheet is written, on the seat's page and below a check.

use crate::rules::{EntryForm, TextError};

/// The form, filled.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is sent for a check.
    pub action: String,
    /// The turn that it is for.
    pub turn: u32,
    /// What the game asks for.
    pub form: EntryForm,
    /// What stands in the text field.
    pub text: String,
    /// Whether the box for an empty sheet is ticked.
    pub empty: bool,
    /// What is wrong with the text.
    pub problem: Option<Problem>,
}

/// What is wrong with a text, with the line in which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The error as a sentence; names line and word.
    pub sentence: String,
    /// The line, if one is to blame.
    pub line: Option<BadLine>,
}

/// A line with the word to blame marked, if it stands there once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub number: u32,
    /// What stands before the word.
    pub before: String,
    /// The word.
    pub word: String,
    /// What stands after it.
    pub after: String,
}

/// How much of a bad line is repeated: a pasted novel is not.
const LONGEST_LINE: usize = 200;

impl Problem {
    /// The problem of a text that could not be read.
    pub fn of(error: &TextError, text: &str) -> Problem {
        Problem { sentence: error.to_string(), line: error.line.and_then(|number| bad_line(error, number, text)) }
    }
}

fn bad_line(error: &TextError, number: u32, text: &str) -> Option<BadLine> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    let line = text.split('\n').nth(index)?;
    if line.chars().count() > LONGEST_LINE {
        return None;
    }
    let word = error.word.as_deref().unwrap_or_default();
    let mut found = line.match_indices(word).filter(|_| !word.is_empty());
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(BadLine {
            number,
            before: line.get(..at)?.to_owned(),
            word: word.to_owned(),
            after: line.get(at + word.len()..)?.to_owned(),
        }),
        _ => Some(BadLine { number, before: line.to_owned(), ..BadLine::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_to_blame_is_marked_in_its_line() {
        let error = TextError::at(2, "L8", "is not a position");
        let line = Problem::of(&error, "H7-F7\nG8-L8 # left").line.unwrap();
        assert_eq!((line.number, &*line.before, &*line.word, &*line.after), (2, "G8-", "L8", " # left"));
    }

    #[test]
    fn a_word_that_stands_twice_is_not_guessed() {
        let error = TextError::at(1, "G8", "stands there twice");
        let line = Problem::of(&error, "GU G8 G8").line.unwrap();
        assert_eq!((&*line.before, &*line.word), ("GU G8 G8", ""));
        assert_eq!(Problem::of(&TextError::at(9, "G8", "?"), "one line").line, None);
        assert_eq!(Problem::of(&TextError::whole("39 of 40"), "one line").line, None);
    }
}
