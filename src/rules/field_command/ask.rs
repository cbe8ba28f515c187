//! The command field: one line of text is a question about the open board, answered in sentences.
//!
//! The words are read as in orders: either case, full-width letters, `#` starts a comment.

use super::advice::{
    arriving, dusk_chapter, general_chapters, ground_chapter, guns_chapter, list, owner, owner_first, plain,
};
use super::deployment::zone;
use super::guns::{guns_on, possible_guns_on};
use super::order::Orders;
use super::outlook::{Arrival, arrivals, prospect, within};
use super::position::{Position, SIZE};
use super::standing::Standing;
use super::story::{chapter, join, roll, verdict_to_writer};
use super::unit::Unit;
use super::validate::validate;
use super::words::{Word, words};
use crate::rules::side::Side;
use crate::rules::story_line::{Chapter, StoryLine};
use crate::rules::table::Prospect;
use crate::rules::text_error::TextError;

/// What a question is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Sentences.
    Chapters(Vec<Chapter>),
    /// The story of the turn before, which whoever asked has at hand.
    LastTurn,
}

/// What can be asked, each with what it answers.
pub const QUESTIONS: [(&str, &str); 11] = [
    ("my units", "where your units stand"),
    ("enemy units", "where the other side's units stand"),
    ("row H", "each position of a row; column 7 likewise"),
    ("H7", "what is on a position, and what can reach and cover it"),
    ("near K6", "the units up to 3 positions away"),
    ("reach K6", "who can reach a position, and would win there"),
    ("danger", "which of your units may be removed after your orders"),
    ("guns", "what the guns cover and have in range"),
    ("general", "where each General can end, and who can cover it"),
    ("last day", "what happened on the day before"),
    ("help", "this list"),
];

/// How far `near` looks: no unit moves further in a day.
const NEAR: u8 = 3;

/// Answers a question of `side`, which may have written `orders` for the coming day.
///
/// # Errors
/// The first word that has no meaning here, and what can be asked instead.
pub fn ask(standing: &Standing, side: Side, orders: &Orders, question: &str) -> Result<Answer, TextError> {
    let question = question.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '.' | '!' | '？' | '。'));
    let asked = words(question);
    let folded: Vec<&str> = asked.iter().map(|word| word.folded.as_str()).collect();
    let board = &standing.setup().board;
    let armies = standing.armies();
    let chapters = match folded.as_slice() {
        [] | ["HELP"] => vec![help()],
        ["MY" | "OWN", "UNITS"] => stands(standing, side),
        ["ENEMY", "UNITS"] => stands(standing, side.other()),
        ["RED", "UNITS"] => stands(standing, Side::Red),
        ["BLUE", "UNITS"] => stands(standing, Side::Blue),
        ["ROW", _] => vec![row(standing, side, last(&asked)?)?],
        ["COLUMN", _] => vec![column(standing, side, last(&asked)?)?],
        ["NEAR", _] => vec![near(standing, side, position(last(&asked)?)?)],
        ["REACH", _] | ["WHO", "CAN", "REACH", _] => reach(standing, side, position(last(&asked)?)?),
        ["DANGER"] if standing.turn() > 0 => vec![dusk_chapter(board, armies, side, orders)],
        ["GUNS"] if standing.turn() > 0 => {
            [side, side.other()].into_iter().map(|of| guns_chapter(board, armies, of, side)).collect()
        }
        ["GUNS"] => vec![ground_chapter(board)],
        ["GENERAL" | "GENERALS"] if standing.turn() > 0 => {
            let chapters = general_chapters(board, armies, side);
            if chapters.is_empty() {
                vec![chapter("The Generals", vec![plain("None is on the board.")])]
            } else {
                chapters
            }
        }
        ["DANGER" | "GENERAL" | "GENERALS"] => vec![nothing_yet()],
        ["LAST", "DAY"] if standing.turn() > 0 => return Ok(Answer::LastTurn),
        ["LAST", "DAY"] => vec![nothing_yet()],
        [word] if Position::parse(word).is_some() => place(standing, side, orders, position(last(&asked)?)?),
        _ => return Err(unknown(&asked)),
    };
    Ok(Answer::Chapters(chapters))
}

/// A position with its ground and the unit on it.
fn spoken(standing: &Standing, reader: Side, at: Position) -> String {
    super::places::spoken(&standing.setup().board, standing.armies(), reader, at)
}

fn unit_on(standing: &Standing, at: Position) -> Option<(Side, Unit)> {
    Side::BOTH.into_iter().find_map(|side| Some((side, standing.armies().get(side).at(at)?)))
}

/// The last word, which the question is about.
fn last<'w, 'a>(asked: &'w [Word<'a>]) -> Result<&'w Word<'a>, TextError> {
    asked.last().ok_or_else(|| unknown(asked))
}

/// An error about a word of the question; there is one line only, so its number is left out.
fn wrong(word: &str, message: &str) -> TextError {
    let error = TextError::at(1, word, "");
    let shown = error.word.clone().unwrap_or_default();
    TextError { line: None, message: format!("“{shown}” {message}"), ..error }
}

/// All words that questions are made of, but for positions, rows and columns.
const WORDS: [&str; 21] = [
    "MY", "OWN", "ENEMY", "RED", "BLUE", "UNITS", "ROW", "COLUMN", "NEAR", "REACH", "WHO", "CAN", "DANGER", "GUNS",
    "GENERAL", "GENERALS", "LAST", "DAY", "HELP", "TO", "-",
];

/// Names the first word that has no meaning, or the whole if only their order has none.
fn unknown(asked: &[Word<'_>]) -> TextError {
    let meant =
        |word: &Word<'_>| WORDS.contains(&word.folded.as_str()) || Position::parse(word.folded.as_str()).is_some();
    let known: Vec<&str> = QUESTIONS.iter().map(|(question, _)| *question).collect();
    let known = format!("You can ask: {}.", known.join(", "));
    match asked.iter().find(|word| !meant(word)) {
        Some(word) => wrong(word.written, &format!("is not a word of any question. {known}")),
        None => TextError::whole(format!("These words make no question together. {known}")),
    }
}

fn position(word: &Word<'_>) -> Result<Position, TextError> {
    Position::parse(word.folded.as_str())
        .ok_or_else(|| wrong(word.written, "is not a position of the board: rows are A to K, columns 1 to 11."))
}

fn help() -> Chapter {
    let lines = QUESTIONS.iter().map(|(question, answer)| plain(format!("{question}: {answer}."))).collect();
    chapter("What you can ask", lines)
}

fn nothing_yet() -> Chapter {
    chapter("Before day 1", vec![plain("No unit stands on the board before both deployments are in.")])
}

/// One side's units.
fn stands(standing: &Standing, side: Side) -> Vec<Chapter> {
    let roll = roll(standing.armies());
    if roll.is_empty() {
        return vec![nothing_yet()];
    }
    let place = Side::BOTH.into_iter().position(|listed| listed == side).unwrap_or_default();
    let mut chapters: Vec<Chapter> = roll.into_iter().skip(place).take(1).collect();
    for chapter in chapters.iter_mut().filter(|chapter| chapter.lines.is_empty()) {
        chapter.lines.push(plain("None."));
    }
    chapters
}

fn row(standing: &Standing, reader: Side, word: &Word<'_>) -> Result<Chapter, TextError> {
    let row = match *word.folded.as_str().as_bytes() {
        [letter @ b'A'..=b'K'] => letter - b'A',
        _ => return Err(wrong(word.written, "is not a row: rows are A to K.")),
    };
    let positions = (0..SIZE).filter_map(|column| Position::new(row, column));
    Ok(chapter(&format!("Row {}", word.folded.as_str()), each(standing, reader, positions)))
}

fn column(standing: &Standing, reader: Side, word: &Word<'_>) -> Result<Chapter, TextError> {
    let column = word.folded.as_str().parse::<u8>().ok().filter(|column| (1..=SIZE).contains(column));
    let column = column.ok_or_else(|| wrong(word.written, "is not a column: columns are 1 to 11."))?;
    let positions = (0..SIZE).filter_map(|row| Position::new(row, column - 1));
    Ok(chapter(&format!("Column {column}"), each(standing, reader, positions)))
}

/// A line for each position.
fn each(standing: &Standing, reader: Side, positions: impl Iterator<Item = Position>) -> Vec<StoryLine> {
    positions.map(|at| plain(format!("{}.", spoken(standing, reader, at)))).collect()
}

/// The units round a position, the nearest first.
fn near(standing: &Standing, reader: Side, middle: Position) -> Chapter {
    let mut found: Vec<Position> = within(middle, NEAR).filter(|&at| unit_on(standing, at).is_some()).collect();
    found.sort_by_key(|at| at.distance(middle));
    let mut lines: Vec<StoryLine> = found
        .iter()
        .map(|&at| {
            let away = match at.distance(middle) {
                0 => "Here".to_owned(),
                steps => format!("{steps} away"),
            };
            plain(format!("{away}: {}.", spoken(standing, reader, at)))
        })
        .collect();
    if lines.is_empty() {
        lines.push(plain(format!("No unit stands within {NEAR} positions.")));
    }
    chapter(&format!("Near {middle}"), lines)
}

/// Everything about a position.
fn place(standing: &Standing, side: Side, orders: &Orders, at: Position) -> Vec<Chapter> {
    let (board, armies) = (&standing.setup().board, standing.armies());
    let mut lines = vec![plain(format!("{}.", spoken(standing, side, at)))];
    if standing.turn() == 0 {
        let whose = [side, side.other()].into_iter().find(|&whose| zone(whose).contains(at));
        lines.push(plain(match whose {
            Some(whose) => format!("It lies in {} deployment zone.", owner(whose, side)),
            None => "It lies in neither deployment zone.".to_owned(),
        }));
        let seen = match board.sight(at).len() {
            0 => "nothing".to_owned(),
            1 => "1 position".to_owned(),
            n => format!("{n} positions"),
        };
        lines.push(plain(format!("A gun there covers {seen}.")));
        return vec![chapter(&at.to_string(), lines)];
    }
    let lawful = validate(armies.get(side), orders);
    for verdict in lawful.verdicts().iter().filter(|verdict| [verdict.order.from, verdict.order.to].contains(&at)) {
        let note = verdict_to_writer(*verdict, armies.get(side));
        lines.push(plain(format!("Your order {}: {note}.", verdict.order)));
    }
    for of in [side, side.other()] {
        lines.push(plain(format!("{} units that can be there: {}.", owner_first(of, side), who(standing, of, at))));
        let guns = guns_on(board, armies.get(of), at);
        let mut moving: Vec<Position> =
            possible_guns_on(board, armies.get(of), at).iter().map(|gun| gun.from).collect();
        moving.dedup();
        moving.retain(|gun| !guns.contains(gun));
        if !guns.is_empty() {
            lines.push(plain(format!("{} guns that cover it: {}.", owner_first(of, side), list(guns))));
        }
        if !moving.is_empty() {
            lines.push(plain(format!(
                "{} guns that may cover it after a move: {}.",
                owner_first(of, side),
                list(moving)
            )));
        }
    }
    vec![chapter(&at.to_string(), lines)]
}

fn who(standing: &Standing, side: Side, at: Position) -> String {
    let found = arrivals(&standing.setup().board, standing.armies(), side, at, None);
    if found.is_empty() { "none".to_owned() } else { arriving(&found, at) }
}

/// Who can be on a position, and for each kind of the asking side's units what comes of a meeting there.
fn reach(standing: &Standing, side: Side, at: Position) -> Vec<Chapter> {
    if standing.turn() == 0 {
        return vec![nothing_yet()];
    }
    let (board, armies) = (&standing.setup().board, standing.armies());
    let found = |of: Side| arrivals(board, armies, of, at, None);
    let (own, enemy) = (found(side), found(side.other()));
    let mut lines = vec![plain(format!("{}.", spoken(standing, side, at)))];
    for of in [side, side.other()] {
        lines.push(plain(format!("{} units: {}.", owner_first(of, side), who(standing, of, at))));
    }
    for unit in kinds(&own) {
        let against = |wanted: Prospect| -> String {
            let met: Vec<String> = kinds(&enemy)
                .filter(|&other| prospect(board, at, unit, Some(other)) == wanted)
                .map(|other| other.name().to_owned())
                .collect();
            join(&met)
        };
        let parts: Vec<String> = [
            ("removes", against(Prospect::Wins)),
            ("goes together with", against(Prospect::Both)),
            ("is removed by", against(Prospect::Loses)),
        ]
        .into_iter()
        .filter(|(_, met)| !met.is_empty())
        .map(|(what, met)| format!("{what} {met}"))
        .collect();
        if !parts.is_empty() {
            lines.push(plain(format!("There your {} {}.", unit.name(), parts.join("; "))));
        }
    }
    vec![chapter(&format!("Who can be on {at}"), lines)]
}

/// The kinds among arrivals, in the order of the army table.
fn kinds(arrivals: &[Arrival]) -> impl Iterator<Item = Unit> {
    Unit::ALL.into_iter().filter(|unit| arrivals.iter().any(|arrival| arrival.unit == *unit))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::maps;
    use super::super::order::Order;
    use super::super::standing::{KeptStanding, Setup};
    use super::*;

    fn setup() -> Setup {
        Setup { board: Arc::clone(maps::classic()), no_removal_limit: 12, day_limit: 0 }
    }

    fn standing() -> Standing {
        let kept: KeptStanding = serde_json::from_str(
            r#"{"turn": 3, "quiet_days": 0, "ending": null,
                "red": "I2H7 C1J7 GNK11 ARG5", "blue": "GNA1 I3E6 I1G7 ARE7 GUF3"}"#,
        )
        .unwrap();
        Standing::restore(&kept, setup()).unwrap()
    }

    fn told(standing: &Standing, question: &str) -> Vec<String> {
        let mut orders = Orders::default();
        if standing.turn() > 0 {
            let at = |text| Position::parse(text).unwrap();
            orders.push(Order { from: at("H7"), to: at("F7") }).unwrap();
        }
        match ask(standing, Side::Red, &orders, question) {
            Ok(Answer::Chapters(chapters)) => chapters
                .into_iter()
                .flat_map(|chapter| {
                    assert!(!chapter.lines.is_empty(), "{question}: {}", chapter.title);
                    let lines: Vec<String> = chapter.lines.into_iter().map(|line| line.text).collect();
                    [format!("= {}", chapter.title)].into_iter().chain(lines)
                })
                .collect(),
            Ok(Answer::LastTurn) => vec!["last turn".to_owned()],
            Err(error) => vec![format!("! {error}")],
        }
    }

    #[test]
    fn every_example_is_answered_at_any_time() {
        for (question, _) in QUESTIONS {
            for standing in [standing(), Standing::open(setup())] {
                let answer = told(&standing, question);
                assert!(!answer.is_empty() && !answer[0].starts_with('!'), "{question}: {answer:?}");
            }
        }
        assert_eq!(told(&standing(), "last day"), ["last turn"]);
        assert_eq!(told(&standing(), ""), told(&standing(), "help"));
    }

    #[test]
    fn units_by_side() {
        let mine = [
            "= Red's units on the board: 4",
            "General (GN): K11",
            "Artillery (AR): G5",
            "2nd Infantry (I2): H7",
            "1st Cavalry (C1): J7",
        ];
        for question in ["my units", "MY UNITS", "ｍｙ units?", " red  units # please"] {
            assert_eq!(told(&standing(), question), mine, "{question}");
        }
        assert_eq!(told(&standing(), "enemy units"), told(&standing(), "blue units"));
        assert_eq!(told(&standing(), "enemy units")[0], "= Blue's units on the board: 5");
        let none = ["= Before day 1", "No unit stands on the board before both deployments are in."];
        assert_eq!(told(&Standing::open(setup()), "my units"), none);
    }

    #[test]
    fn rows_columns_and_what_is_near() {
        let row = told(&standing(), "row h");
        assert_eq!(row.len(), 12);
        assert_eq!(row[7], "H7, forest, altitude 1, your 2nd Infantry.");
        assert_eq!(row[8], "H8, forest, altitude 2.");
        let column = told(&standing(), "column 7");
        assert_eq!(column[5], "E7, forest, altitude 3, Blue's Artillery.");
        assert_eq!(
            told(&standing(), "near H7"),
            [
                "= Near H7",
                "Here: H7, forest, altitude 1, your 2nd Infantry.",
                "1 away: G7, forest, altitude 2, Blue's 1st Infantry.",
                "2 away: J7, forest, altitude 3, your 1st Cavalry.",
                "3 away: E7, forest, altitude 3, Blue's Artillery.",
                "3 away: G5, forest, altitude 3, your Artillery."
            ]
        );
        assert_eq!(told(&standing(), "near A11"), ["= Near A11", "No unit stands within 3 positions."]);
    }

    #[test]
    fn one_position() {
        assert_eq!(
            told(&standing(), "h7"),
            [
                "= H7",
                "H7, forest, altitude 1, your 2nd Infantry.",
                "Your order H7-F7: 2nd Infantry; will be carried out.",
                "Your units that can be there: 2nd Infantry there, 1st Cavalry from J7.",
                "Your guns that cover it: G5.",
                "Blue's units that can be there: 1st Infantry from G7.",
                "Blue's guns that cover it: E7."
            ]
        );
        assert_eq!(
            told(&Standing::open(setup()), "H7"),
            ["= H7", "H7, forest, altitude 1.", "It lies in your deployment zone.", "A gun there covers nothing."]
        );
        assert_eq!(told(&Standing::open(setup()), "F6")[2], "It lies in neither deployment zone.");
        assert_eq!(
            told(&Standing::open(setup()), "A8")[2..],
            ["It lies in Blue's deployment zone.", "A gun there covers 10 positions."]
        );
    }

    #[test]
    fn who_reaches_a_position_and_would_win_there() {
        let expected = [
            "= Who can be on F7",
            "F7, forest, altitude 2.",
            "Your units: 2nd Infantry from H7.",
            "Blue's units: Artillery from E7, 1st Infantry from G7, 3rd Infantry from E6.",
            "There your 2nd Infantry removes Artillery and 3rd Infantry; is removed by 1st Infantry.",
        ];
        assert_eq!(told(&standing(), "reach F7"), expected);
        assert_eq!(told(&standing(), "Who can reach F7?"), expected);
        assert_eq!(
            told(&standing(), "reach G7")[1..],
            [
                "G7, forest, altitude 2, Blue's 1st Infantry.",
                "Your units: 2nd Infantry from H7, 1st Cavalry from J7.",
                "Blue's units: 1st Infantry there.",
                "There your 2nd Infantry is removed by 1st Infantry.",
                "There your 1st Cavalry is removed by 1st Infantry."
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let known =
            "You can ask: my units, enemy units, row H, H7, near K6, reach K6, danger, guns, general, last day, help.";
        let refused = |question: &str| told(&standing(), question).concat();
        assert_eq!(refused("where H7"), format!("! “where” is not a word of any question. {known}"));
        assert_eq!(refused("my H7"), format!("! These words make no question together. {known}"));
        assert_eq!(refused("H7-F7"), format!("! These words make no question together. {known}"));
        assert_eq!(refused("near L3"), "! “L3” is not a position of the board: rows are A to K, columns 1 to 11.");
        assert_eq!(refused("row 7"), "! “7” is not a row: rows are A to K.");
        assert_eq!(refused("column 12"), "! “12” is not a column: columns are 1 to 11.");
        let error = ask(&standing(), Side::Red, &Orders::default(), "where H7").unwrap_err();
        assert_eq!((error.line, error.word.as_deref()), (None, Some("where")));
    }

    #[test]
    fn spoken_names_depend_on_the_reader_alone() {
        let at = Position::parse("E7").unwrap();
        assert_eq!(spoken(&standing(), Side::Red, at), "E7, forest, altitude 3, Blue's Artillery");
        assert_eq!(spoken(&standing(), Side::Blue, at), "E7, forest, altitude 3, your Artillery");
    }

    #[test]
    fn any_question_is_answered_or_refused() {
        let words = [
            "my", "units", "row", "H", "column", "7", "H7", "near", "reach", "who", "can", "guns", "-", "#", "?", "é",
            "",
        ];
        for a in words {
            for b in words {
                for c in words {
                    let _ = told(&standing(), &format!("{a} {b} {c}"));
                }
            }
        }
    }
}
