//! Reading orders as players write them.
//!
//! A line is cut at its commas; each piece is read word by word from left to right. Two
//! positions make an order when a dash, an arrow, `x`, `to` or only a space stands between
//! them. `I1` to `I3` and `C1` to `C3` are positions and codes: they are codes only directly
//! before two positions that are joined by more than a space.

use super::Unit;
use super::board::{self, Position};
use super::confrontation::CODES;
use super::legality::Order;

/// Why a text was refused: the line (from 1), the word, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The line of the text, counted from 1; `None` when no single line is at fault.
    pub line: Option<usize>,
    /// The word at fault, as written; `None` when no single word is.
    pub word: Option<String>,
    /// What is wrong.
    pub why: String,
}

impl Refusal {
    /// A refusal at a word.
    #[must_use]
    pub fn at(line: usize, word: &str, why: &str) -> Refusal {
        Refusal { line: Some(line), word: Some(word.to_string()), why: why.to_string() }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(word) = &self.word {
            write!(f, "{word:?}: ")?;
        }
        write!(f, "{}", self.why)
    }
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// A word: letters and digits, upper case, and how it was written.
    Word(String, String),
    /// A dash, an arrow, `x` or `to`.
    Joint(String),
}

/// Turns full-width signs into plain ones, `ｈ７` into `h7`.
pub fn plain(letter: char) -> char {
    match letter {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xff01 + 0x21).unwrap_or(letter),
        _ => letter,
    }
}

/// Whether a sign is a dash of some kind (full-width ones are made plain before).
fn is_dash(letter: char) -> bool {
    "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{2043}\u{2e3a}\u{2e3b}\u{fe58}\u{fe63}".contains(letter)
}

/// Whether a run of dashes and arrows joins two positions.
fn is_joint(run: &str) -> bool {
    if run == "\u{2192}" || run == ">" {
        return true;
    }
    let dashes = run.strip_suffix('>').unwrap_or(run);
    !dashes.is_empty() && dashes.chars().all(is_dash)
}

/// Cuts what stands between two commas into words and joints.
fn pieces(text: &str, line: usize) -> Result<Vec<Piece>, Refusal> {
    let mut runs: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in text.chars() {
        let kind = if letter.is_whitespace() {
            ' '
        } else if is_dash(letter) || letter == '>' || letter == '\u{2192}' {
            '-'
        } else {
            'w'
        };
        if kind != ' ' {
            if kind != before {
                runs.push(String::new());
            }
            if let Some(run) = runs.last_mut() {
                run.push(letter);
            }
        }
        before = kind;
    }
    let mut answer = Vec::new();
    for run in runs {
        let starts_as_joint = run.chars().all(|l| is_dash(l) || l == '>' || l == '\u{2192}');
        if starts_as_joint {
            if !is_joint(&run) {
                return Err(Refusal::at(line, &run, "this does not join two positions"));
            }
            answer.push(Piece::Joint(run));
            continue;
        }
        let upper = run.to_uppercase();
        if upper == "X" || upper == "TO" {
            answer.push(Piece::Joint(run));
            continue;
        }
        let mut glued = None;
        for joint in ["X", "TO"] {
            if let Some((from, to)) = upper.split_once(joint)
                && board::position(from).is_some()
                && board::position(to).is_some()
            {
                glued = Some((from.to_string(), joint.to_string(), to.to_string()));
            }
        }
        if let Some((from, joint, to)) = glued {
            answer.push(Piece::Word(from, run.clone()));
            answer.push(Piece::Joint(joint));
            answer.push(Piece::Word(to, run));
        } else {
            answer.push(Piece::Word(upper, run));
        }
    }
    Ok(answer)
}

/// The position at place `i`, if a word that is one stands there.
fn position_at(pieces: &[Piece], i: usize) -> Option<Position> {
    match pieces.get(i) {
        Some(Piece::Word(word, _)) => board::position(word),
        _ => None,
    }
}

/// Whether a joint stands at place `i`.
fn joint_at(pieces: &[Piece], i: usize) -> bool {
    matches!(pieces.get(i), Some(Piece::Joint(_)))
}

/// Whether two positions joined by more than a space stand at place `i`.
fn joined_pair_at(pieces: &[Piece], i: usize) -> bool {
    position_at(pieces, i).is_some() && joint_at(pieces, i + 1) && position_at(pieces, i + 2).is_some()
}

/// Reads a whole list. `own` are the writer's units, which the codes must agree with.
pub fn read_orders(text: &str, own: &[Unit]) -> Result<Vec<Order>, Refusal> {
    let text: String = text.chars().map(plain).collect();
    let mut orders = Vec::new();
    for (index, written) in text.lines().enumerate() {
        let line = index + 1;
        let without_comment = written.split('#').next().unwrap_or("");
        for part in without_comment.split(',') {
            let pieces = pieces(part, line)?;
            let mut i = 0;
            while i < pieces.len() {
                let (word, as_written) = match &pieces[i] {
                    Piece::Word(word, as_written) => (word.as_str(), as_written.as_str()),
                    Piece::Joint(joint) => {
                        return Err(Refusal::at(line, joint, "no position stands before this"));
                    }
                };
                let only_code = CODES.contains(&word) && board::position(word).is_none();
                let code_by_place = CODES.contains(&word) && joined_pair_at(&pieces, i + 1);
                let mut code = None;
                if only_code || code_by_place {
                    code = Some((word, as_written));
                    i += 1;
                }
                let (order, taken) = pair(&pieces, i, line, as_written)?;
                if let Some((code, as_written)) = code {
                    agree(code, as_written, order, own, line)?;
                }
                i += taken;
                orders.push(order);
                if orders.len() == 13 {
                    let name = format!("{}-{}", board::name(order.0), board::name(order.1));
                    return Err(Refusal::at(line, &name, "this is the 13th order"));
                }
            }
        }
    }
    Ok(orders)
}

/// Two positions at place `i`, and how many pieces they take.
fn pair(pieces: &[Piece], i: usize, line: usize, last: &str) -> Result<(Order, usize), Refusal> {
    let word = match pieces.get(i) {
        Some(Piece::Word(_, as_written) | Piece::Joint(as_written)) => as_written,
        None => last,
    };
    let Some(from) = position_at(pieces, i) else {
        return Err(Refusal::at(line, word, "this is not a position"));
    };
    if joint_at(pieces, i + 1) {
        let Some(to) = position_at(pieces, i + 2) else {
            let word = match pieces.get(i + 2) {
                Some(Piece::Word(_, as_written) | Piece::Joint(as_written)) => as_written,
                None => word,
            };
            return Err(Refusal::at(line, word, "a position to move to is expected"));
        };
        return Ok(((from, to), 3));
    }
    if let Some(to) = position_at(pieces, i + 1)
        && !joint_at(pieces, i + 2)
    {
        return Ok(((from, to), 2));
    }
    Err(Refusal::at(line, word, "this position has no partner"))
}

/// Refuses a code that says something else than the board.
fn agree(code: &str, as_written: &str, order: Order, own: &[Unit], line: usize) -> Result<(), Refusal> {
    for unit in own {
        if unit.at == order.0 && unit.code == code {
            return Ok(());
        }
    }
    let why = format!("no {code} of yours stands on {}", board::name(order.0));
    Err(Refusal::at(line, as_written, &why))
}
