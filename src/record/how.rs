//! How a sheet came about. Only a sealed one was committed to before the other was opened.

use serde::{Deserialize, Serialize};

/// How a sheet came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Its writer sealed it; only this one was committed to beforehand.
    Sealed,
    /// It was not sealed when the turn was due, and the writer's draft was used.
    Draft,
    /// Nothing was there when the turn was due, and an empty sheet was used.
    Missed,
    /// It was not sealed when the turn was due, its writer did not want the draft to be used, and an empty sheet was.
    Late,
    /// It was missing when it was due, and a ready-made one was used.
    ReadyMade,
}

impl How {
    /// All of them.
    const ALL: [How; 5] = [How::Sealed, How::Draft, How::Missed, How::Late, How::ReadyMade];

    /// The word in the database and for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            How::Sealed => "sealed",
            How::Draft => "draft",
            How::Missed => "missed",
            How::Late => "late",
            How::ReadyMade => "ready_made",
        }
    }

    /// Reads what [`How::word`] writes.
    #[must_use]
    pub fn from_word(word: &str) -> Option<How> {
        How::ALL.into_iter().find(|how| how.word() == word)
    }

    /// What is to be known of a sheet that was not committed to beforehand, as the end of a sentence.
    #[must_use]
    pub const fn not_committed(self) -> Option<&'static str> {
        match self {
            How::Sealed => None,
            How::Draft => Some("was not sealed: the draft was used when the turn was due"),
            How::Missed => Some("was missed: an empty sheet was used when the turn was due"),
            How::Late => Some("was late: an empty sheet was used when the turn was due"),
            How::ReadyMade => Some("was missing: a ready-made one was used when the turn was due"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_json() {
        for how in How::ALL {
            assert_eq!(serde_json::to_string(&how).unwrap(), format!("\"{}\"", how.word()));
            assert_eq!(How::from_word(how.word()), Some(how));
            assert_eq!(how.not_committed().is_none(), how == How::Sealed);
        }
        assert_eq!(How::from_word("guessed"), None);
    }
}
