//! What can be written in a mail, in words for people: the letter that answers `HELP` and the page on playing by mail tell
//! the same.

/// Something that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// What is written.
    pub what: &'static str,
    /// What it does, in sentences after a colon.
    pub does: &'static str,
    /// How it looks in a mail.
    pub example: &'static str,
}

const fn written(what: &'static str, example: &'static str, does: &'static str) -> Written {
    Written { what, does, example }
}

/// Everything that can be written.
#[rustfmt::skip]
pub const VERBS: &[Written] = &[
    written("your list", "H7-F7\nI2 G8-G6", "one order a line, as H7-F7; a legal list is sealed at once, and you get its receipt."),
    written("HOLD", "HOLD", "seals an empty list: nobody moves. A mail without orders seals nothing."),
    written("CLEAR", "CLEAR", "takes your sealed list back, as long as the turn is not resolved, and empties your draft."),
    written("YES", "YES", "says yes to the one thing that was asked last."),
    written("STATUS", "STATUS", "tells where this game stands; STATUS ALL, where all of yours do."),
    written("MAP", "MAP", "tells what stands on the board."),
    written("SAY and a text", "SAY Good luck to you.", "writes to your opponent: that paragraph, and nothing else of your mail."),
    written("DRAW", "DRAW NO", "offers a draw, or accepts the one that is offered; DRAW NO declines or withdraws it."),
    written("RESIGN", "RESIGN", "gives the game up, after one more question."),
    written("HELP", "HELP", "brings this list."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::by_mail::asks;
    use crate::rules::field_command::parse::looks_like_sheet;

    #[test]
    fn every_example_is_read_as_what_it_shows() {
        for written in VERBS {
            let asked = asks::read(written.example, looks_like_sheet);
            assert_eq!(asked.unread, Vec::<String>::new(), "{written:?}");
            let parts = [asked.sheet.is_some(), asked.say.is_some(), !asked.verbs.is_empty()];
            assert_eq!(parts.into_iter().filter(|part| *part).count(), 1, "{written:?}");
        }
    }
}
