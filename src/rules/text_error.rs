//! What is wrong with a text that a player wrote, and where.
//!
//! Every game reads sheets from text, and every game answers a text that it
//! cannot read with one of these: the line, the word, and a sentence that the
//! writer understands.

use std::fmt;

use serde::Serialize;

/// A text that cannot be read as a sheet. Displayed as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextError {
    /// The line, counted from 1; `None` where the text as a whole is wrong.
    pub line: Option<u32>,
    /// The word as it was written; `None` where no single word is to blame.
    pub word: Option<String>,
    /// What is wrong, in the writer's words, without line and word.
    pub message: String,
}

/// How much of a word is repeated in an error: a pasted novel is not.
const LONGEST_WORD: usize = 40;

impl TextError {
    /// An error about one word on one line.
    pub fn at(line: u32, word: &str, message: impl Into<String>) -> Self {
        let mut shown: String = word.chars().filter(|c| !c.is_control()).take(LONGEST_WORD).collect();
        if word.chars().count() > LONGEST_WORD {
            shown.push('…');
        }
        TextError { line: Some(line), word: Some(shown), message: message.into() }
    }

    /// An error about the text as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        TextError { line: None, word: None, message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, &self.word) {
            (Some(line), Some(word)) => write!(f, "Line {line}, “{word}”: {}", self.message),
            (Some(line), None) => write!(f, "Line {line}: {}", self.message),
            _ => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for TextError {}
