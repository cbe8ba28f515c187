//! Reads a list of orders.
//!
//! Some codes are positions too (I1, C3 …), so the words are read from left to right:
//! such a word is a code only directly before a pair of positions that are joined by a
//! dash, an arrow, `x` or `to`; otherwise positions pair off.

use super::order::{Order, Orders};
use super::position::Position;
use super::unit::{Army, Unit};
use super::words::{Word, words};
use crate::rules::text_error::TextError;

/// The word for an empty list: the day shall pass without orders.
pub const HOLD: &str = "HOLD";

/// Reads a list. `army` is the writer's own at dawn; unit codes are compared with it.
/// A text that holds nothing but the word `HOLD`, or nothing at all, is an empty list.
///
/// # Errors
/// The first word that cannot be read, the thirteenth order, or a code that contradicts
/// the board, with its line.
pub fn orders(text: &str, army: &Army) -> Result<Orders, TextError> {
    let tokens = tokens(&words(text))?;
    if let [only] = tokens.as_slice()
        && only.kind == Kind::Hold
    {
        return Ok(Orders::default());
    }
    let mut orders = Orders::default();
    let mut rest = tokens.as_slice();
    while let Some(first) = rest.first() {
        let (order, code, after) = one_order(rest)?;
        if let Some(code) = code {
            agrees(code, order, army)?;
        }
        orders.push(order).map_err(|error| TextError::at(first.line, &order.to_string(), error.to_string()))?;
        rest = after;
    }
    Ok(orders)
}

/// Whether the text says in so many words that the list is meant to be empty.
#[must_use]
pub fn says_hold(text: &str) -> bool {
    matches!(words(text).as_slice(), [only] if only.folded.as_str() == HOLD)
}

/// Whether a line of a text holds what could be read as an order, or as a line of a deployment: two positions that are joined, a
/// code before a position, or nothing but codes and positions.
#[must_use]
pub fn looks_like_sheet(text: &str) -> bool {
    // In a letter signs stand beside words that no sheet has, and nothing is a comment.
    let plain: String = text
        .chars()
        .map(|c| if c == '-' || c == '>' || c == '\n' || !c.is_ascii_punctuation() { c } else { ' ' })
        .collect();
    plain.lines().any(|line| {
        let kinds: Vec<Option<Kind>> = words(line).iter().flat_map(kinds_of).collect();
        let position = |kind: &Option<Kind>| matches!(kind, Some(Kind::Position(..)));
        let code = |kind: &Option<Kind>| matches!(kind, Some(Kind::Code(_) | Kind::Position(_, Some(_))));
        let joined = kinds.windows(3).any(|three| match three {
            [from, Some(Kind::Joint), to] => position(from) && position(to),
            _ => false,
        });
        let told = kinds.windows(2).any(|two| matches!(two, [first, second] if code(first) && position(second)));
        let bare = kinds.iter().all(Option::is_some) && kinds.iter().filter(|kind| position(kind)).count() > 1;
        joined || told || bare || says_hold(line)
    })
}

/// What a word means by itself, part for part; `None` for what means nothing.
fn kinds_of(word: &Word<'_>) -> Vec<Option<Kind>> {
    let folded = word.folded.as_str();
    if word.is_joint() {
        return vec![Some(Kind::Joint)];
    }
    match (kind(folded), parts(folded)) {
        (None, Some(parts)) => parts.map(kind).collect(),
        (kind, _) => vec![kind],
    }
}

/// What a word means before its neighbours are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A position, and the unit that has the same code.
    Position(Position, Option<Unit>),
    /// A code that is no position.
    Code(Unit),
    /// A dash, an arrow, `x` or `to`.
    Joint,
    /// The word HOLD.
    Hold,
}

/// A word that could be read, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    kind: Kind,
    line: u32,
    written: &'a str,
    parted: bool,
}

impl Token<'_> {
    fn error(&self, message: &str) -> TextError {
        TextError::at(self.line, self.written, message)
    }
}

/// A unit's code before an order, and the word that it was.
type Code<'a> = (Unit, Token<'a>);

/// Reads each word by itself.
fn tokens<'a>(words: &[Word<'a>]) -> Result<Vec<Token<'a>>, TextError> {
    let mut tokens = Vec::with_capacity(words.len());
    for word in words {
        if word.is_joint() {
            tokens.push(Token { kind: Kind::Joint, line: word.line, written: word.written, parted: word.parted });
            continue;
        }
        let (folded, mut parted) = (word.folded.as_str(), word.parted);
        let unreadable = || TextError::at(word.line, word.written, unreadable(folded));
        // Most words mean something as they stand.
        if let Some(kind) = kind(folded) {
            tokens.push(Token { kind, line: word.line, written: word.written, parted });
            continue;
        }
        for part in parts(folded).ok_or_else(unreadable)? {
            let kind = kind(part).ok_or_else(unreadable)?;
            tokens.push(Token { kind, line: word.line, written: word.written, parted });
            parted = false;
        }
    }
    Ok(tokens)
}

/// Parts `H7XF7` and `H7TOF7`: neither X, T nor O stands in a position or a code. Gives
/// nothing for a word that is no such pair or half of one.
fn parts(word: &str) -> Option<impl Iterator<Item = &str>> {
    let joined = ["X", "TO"].into_iter().find_map(|joint| {
        let (before, after) = word.split_once(joint)?;
        let fits = |part: &str| part.is_empty() || Position::parse(part).is_some();
        (fits(before) && fits(after)).then_some([before, joint, after])
    })?;
    Some(joined.into_iter().filter(|part| !part.is_empty()))
}

fn kind(folded: &str) -> Option<Kind> {
    match folded {
        "X" | "TO" => return Some(Kind::Joint),
        HOLD => return Some(Kind::Hold),
        _ => {}
    }
    match (Position::parse(folded), Unit::from_code(folded)) {
        (Some(position), unit) => Some(Kind::Position(position, unit)),
        (None, Some(unit)) => Some(Kind::Code(unit)),
        (None, None) => None,
    }
}

/// Says why a word is neither a position nor a code.
fn unreadable(folded: &str) -> &'static str {
    let mut signs = folded.chars();
    let row = signs.next().is_some_and(|c| c.is_ascii_uppercase());
    let rest = signs.as_str();
    if row && !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()) {
        "is not a position of the board: rows are A to K, columns 1 to 11"
    } else {
        "cannot be read; an order looks like H7-F7"
    }
}

/// Takes one order from the front: the order, the code before it, and what follows.
fn one_order<'t, 'a>(tokens: &'t [Token<'a>]) -> Result<(Order, Option<Code<'a>>, &'t [Token<'a>]), TextError> {
    let (code, pair) = match tokens {
        [first, rest @ ..] => match first.kind {
            Kind::Code(unit) => (Some((unit, *first)), rest),
            Kind::Position(_, Some(unit)) if begins_joined_pair(rest) => (Some((unit, *first)), rest),
            Kind::Position(..) => (None, tokens),
            Kind::Joint => return Err(first.error("an order begins with a position, as in H7-F7")),
            Kind::Hold => return Err(first.error("stands alone: it means a list without orders")),
        },
        [] => (None, tokens),
    };
    let Some(start) = pair.first().filter(|start| code.is_none() || !start.parted) else {
        let lonely = code.map(|(_, token)| token);
        return Err(lonely.map_or_else(
            || TextError::whole("an order is missing"),
            |token| token.error("a unit's code stands only before its order, as in I2 H7-F7"),
        ));
    };
    let Kind::Position(from, _) = start.kind else {
        return Err(start.error("here a position should stand: where the unit is now"));
    };
    match pair {
        [_, joint, end, rest @ ..] if joint.kind == Kind::Joint && !joint.parted && !end.parted => match end.kind {
            Kind::Position(to, _) => Ok((Order { from, to }, code, rest)),
            _ => Err(end.error("here a position should stand: where the unit shall go")),
        },
        // A position that is joined to the next one is the start of an order of its own.
        [_, end, rest @ ..] if !end.parted && !begins_with_joint(rest) => match end.kind {
            Kind::Position(to, _) => Ok((Order { from, to }, code, rest)),
            _ => Err(start.error("has no destination; an order looks like H7-F7")),
        },
        _ => Err(start.error("has no destination; an order looks like H7-F7")),
    }
}

/// Whether a joint follows that belongs to what stands before it.
fn begins_with_joint(tokens: &[Token<'_>]) -> bool {
    tokens.first().is_some_and(|joint| joint.kind == Kind::Joint && !joint.parted)
}

/// Whether a position, a joint and a position follow, all belonging together.
fn begins_joined_pair(tokens: &[Token<'_>]) -> bool {
    let position = |token: &Token<'_>| matches!(token.kind, Kind::Position(..)) && !token.parted;
    matches!(tokens, [from, joint, to, ..]
        if position(from) && joint.kind == Kind::Joint && !joint.parted && position(to))
}

/// Compares a code with the unit on the start.
fn agrees((code, token): Code<'_>, order: Order, army: &Army) -> Result<(), TextError> {
    match army.at(order.from) {
        Some(unit) if unit == code => Ok(()),
        Some(unit) => {
            Err(token.error(&format!("is a {}, but your unit on {} is a {}", code.name(), order.from, unit.name())))
        }
        None => Err(token.error(&format!("is a {}, but no unit of yours stands on {}", code.name(), order.from))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn army() -> Army {
        let at = |text| Position::parse(text).unwrap();
        [(at("H7"), Unit::Infantry2), (at("I2"), Unit::Cavalry1), (at("G8"), Unit::Guerrillas)].into_iter().collect()
    }

    fn read(text: &str) -> String {
        match orders(text, &army()) {
            Ok(orders) => orders.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_way_to_write_one_order() {
        for text in [
            "H7-F7",
            "h7 f7",
            "H7xF7",
            "H7 x F7",
            "h7tof7",
            "H7 to F7",
            "H7–F7",
            "H7 -> F7",
            "I2 H7-F7",
            "i2 h7 → f7",
            "Ｈ７－Ｆ７",
            "H7×F7",
            "H7x F7",
            "H7 toF7",
        ] {
            assert_eq!(read(text), "H7-F7", "{text}");
        }
    }

    #[test]
    fn codes_that_are_positions_too() {
        assert_eq!(read("I2 H7-F7"), "H7-F7");
        assert_eq!(read("I2-H2 H7-F7"), "I2-H2 H7-F7");
        assert_eq!(read("I2 H2 H7 F7"), "I2-H2 H7-F7");
        assert_eq!(read("I4 H7-F7"), "Line 1, “I4”: has no destination; an order looks like H7-F7");
        assert_eq!(read("I2 H7 F7"), "Line 1, “F7”: has no destination; an order looks like H7-F7");
        assert_eq!(read("C1 I2-I3, C1 C2 C3-C4"), "I2-I3 C1-C2 C3-C4");
    }

    #[test]
    fn errors_name_line_and_word() {
        assert_eq!(
            read("H7-F7\nG8-L8"),
            "Line 2, “L8”: is not a position of the board: rows are A to K, columns 1 to 11"
        );
        assert_eq!(read("H7-F7\nstop"), "Line 2, “stop”: cannot be read; an order looks like H7-F7");
        assert_eq!(read("C1 H7-F7"), "Line 1, “C1”: is a 1st Cavalry, but your unit on H7 is a 2nd Infantry");
        assert_eq!(read("GN A1-A2"), "Line 1, “GN”: is a General, but no unit of yours stands on A1");
        assert_eq!(read("H7,F7"), "Line 1, “H7”: has no destination; an order looks like H7-F7");
        assert_eq!(read("H7-\nF7"), "Line 1, “H7”: has no destination; an order looks like H7-F7");
        assert_eq!(read("- H7-F7"), "Line 1, “-”: an order begins with a position, as in H7-F7");
        assert_eq!(read("GU"), "Line 1, “GU”: a unit's code stands only before its order, as in I2 H7-F7");
        assert_eq!(read("HOLD H7-F7"), "Line 1, “HOLD”: stands alone: it means a list without orders");
        let thirteen = "H7-F7\n".repeat(13);
        assert_eq!(read(&thirteen), "Line 13, “H7-F7”: this is order number 13; a list holds up to 12 orders");
    }

    #[test]
    fn what_looks_like_a_sheet_is_noticed() {
        for text in [
            "H7-F7",
            "h7f7? no: h7 - f7!",
            "My plan: I2 H7-F7, then wait.",
            "I go from H7 to F7",
            "hello\n# H7xF7",
            "Ｈ７→Ｆ７",
            "GN K11",
            "AR H6 I7 J3",
            "(H7 F7)",
            "hold",
        ] {
            assert!(looks_like_sheet(text), "{text}");
        }
        for text in [
            "Well played!",
            "That gun on F7 hurt.",
            "I like A4 paper - really",
            "hold on, I am late",
            "See you at 7 to 8",
            "E5",
            "",
        ] {
            assert!(!looks_like_sheet(text), "{text}");
        }
    }

    #[test]
    fn no_orders() {
        assert_eq!(read(""), "");
        assert_eq!(read(" # nothing today\n"), "");
        assert_eq!(read("hold"), "");
        assert!(says_hold(" Hold # wait") && !says_hold("") && !says_hold("hold hold"));
    }
}
