//! The battlefield: terrain and altitude of each position, and what a gun sees from it.
//!
//! A board is data. Who may deploy where belongs to the rules and not to the board
//! (see `super::deployment`); the range of artillery is computed once per board,
//! because both altitudes of a shot are constants of the map.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::position::{POSITIONS, Position, PositionSet, SIZE};

/// What grows on a position. It decides who wins a confrontation there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Forest, printed green.
    Forest,
    /// Open field, printed beige.
    Field,
}

impl Terrain {
    /// The word in reports: `forest` or `open field`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Terrain::Forest => "forest",
            Terrain::Field => "open field",
        }
    }
}

/// Terrain and altitude of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Forest or open field.
    pub terrain: Terrain,
    /// The altitude, 1 to 3.
    pub altitude: u8,
}

/// A board: the ground of 121 positions, and from each of them the positions that a gun there covers.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    ground: [Ground; POSITIONS],
    sight: [PositionSet; POSITIONS],
}

/// A board as written in JSON: rows in order A–K, altitude as digits 1–3,
/// terrain as `f` for forest and `.` for open field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardText {
    /// Eleven strings of eleven digits.
    pub altitude: Vec<String>,
    /// Eleven strings of eleven `f` or `.`.
    pub terrain: Vec<String>,
}

/// Why a written board is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Not eleven rows.
    #[error("{part} has {rows} rows; a board has 11, A to K")]
    Rows {
        /// `altitude` or `terrain`.
        part: &'static str,
        /// How many rows were given.
        rows: usize,
    },
    /// A row that is not eleven signs long.
    #[error("{part}, row {row}: {length} signs; a row has 11")]
    Length {
        /// `altitude` or `terrain`.
        part: &'static str,
        /// The row's letter.
        row: char,
        /// How many signs were given.
        length: usize,
    },
    /// A sign that means nothing.
    #[error("{part}, position {at}: “{sign}” is not {allowed}")]
    Sign {
        /// `altitude` or `terrain`.
        part: &'static str,
        /// Where it stands.
        at: Position,
        /// The sign.
        sign: char,
        /// What may stand there.
        allowed: &'static str,
    },
}

/// Why lines of words are no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinesError {
    /// Not eleven lines.
    #[error("there are {0} lines; a board has 11, A to K")]
    Lines(usize),
    /// A line that has not eleven words.
    #[error("line {line} (row {row}) has {words} words; a row has 11")]
    Words {
        /// The line's number, from 1, with those that are empty.
        line: usize,
        /// The row's letter.
        row: char,
        /// How many words it has.
        words: usize,
    },
    /// A word that is no position.
    #[error(
        "line {line}, column {column} (position {at}): “{word}” is not an altitude of 1, 2 or 3 and f for forest or o for open field, as in 2f"
    )]
    Word {
        /// The line's number, from 1, with those that are empty.
        line: usize,
        /// In which column of the line the word begins, from 1.
        column: usize,
        /// Which position it would be.
        at: Position,
        /// The word, or its beginning.
        word: String,
    },
}

/// How much of a word that cannot be read is repeated, in characters.
const WORD_SHOWN: usize = 12;

impl BoardText {
    /// Reads a board as people write it: eleven lines, A to K, of eleven words like `2f`, the altitude and `f` for forest or
    /// `o` for open field. Empty lines are passed over.
    ///
    /// # Errors
    /// Names the line and the column.
    pub fn from_lines(text: &str) -> Result<BoardText, LinesError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(n, line)| (n + 1, line))
            .filter(|(_, line)| !line.trim().is_empty())
            .collect();
        let size = usize::from(SIZE);
        if lines.len() != size {
            return Err(LinesError::Lines(lines.len()));
        }
        let (mut altitude, mut terrain) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let mut positions = Position::all();
        for (row, (line, words)) in ('A'..='K').zip(lines) {
            let found = words.split_whitespace().count();
            if found != size {
                return Err(LinesError::Words { line, row, words: found });
            }
            let (mut digits, mut signs) = (String::new(), String::new());
            for (word, at) in words.split_whitespace().zip(positions.by_ref().take(size)) {
                let sign = match word.chars().nth(1) {
                    Some('f' | 'F') => 'f',
                    Some('o' | 'O' | '.') => '.',
                    _ => ' ',
                };
                match word.chars().next() {
                    Some(digit @ '1'..='3') if sign != ' ' && word.chars().count() == 2 => digits.push(digit),
                    _ => {
                        // A word is a part of its line.
                        let before = words.len().min(word.as_ptr() as usize - words.as_ptr() as usize);
                        let column = words.get(..before).map_or(0, |before| before.chars().count()) + 1;
                        let word = word.chars().take(WORD_SHOWN).collect();
                        return Err(LinesError::Word { line, column, at, word });
                    }
                }
                signs.push(sign);
            }
            altitude.push(digits);
            terrain.push(signs);
        }
        Ok(BoardText { altitude, terrain })
    }

    /// Writes what [`BoardText::from_lines`] reads.
    #[must_use]
    pub fn to_lines(&self) -> String {
        let mut text = String::new();
        for (digits, signs) in self.altitude.iter().zip(&self.terrain) {
            let words = digits.chars().zip(signs.chars());
            let words: Vec<String> =
                words.map(|(digit, sign)| format!("{digit}{}", if sign == 'f' { 'f' } else { 'o' })).collect();
            text.push_str(&words.join(" "));
            text.push('\n');
        }
        text
    }
}

impl Board {
    /// Whether it is the same from both sides.
    #[must_use]
    pub fn is_even(&self) -> bool {
        Position::all().all(|position| self.ground(position) == self.ground(position.turned()))
    }

    /// A board from the ground of each position in board order.
    #[must_use]
    pub fn new(ground: [Ground; POSITIONS]) -> Board {
        let mut board = Board { ground, sight: [PositionSet::EMPTY; POSITIONS] };
        for gun in Position::all() {
            let seen = Position::all().filter(|&target| board.gun_reaches(gun, target)).collect();
            if let Some(slot) = board.sight.get_mut(gun.index()) {
                *slot = seen;
            }
        }
        board
    }

    /// Reads a written board.
    ///
    /// # Errors
    /// Names the row or position that is wrong.
    pub fn from_text(text: &BoardText) -> Result<Board, BoardError> {
        let altitudes = signs(&text.altitude, "altitude", "an altitude of 1, 2 or 3", |sign| match sign {
            '1' => Some(1),
            '2' => Some(2),
            '3' => Some(3),
            _ => None,
        })?;
        let terrains = signs(&text.terrain, "terrain", "f (forest) or . (open field)", |sign| match sign {
            'f' => Some(Terrain::Forest),
            '.' => Some(Terrain::Field),
            _ => None,
        })?;
        let mut ground = [Ground { terrain: Terrain::Field, altitude: 1 }; POSITIONS];
        for ((slot, altitude), terrain) in ground.iter_mut().zip(altitudes).zip(terrains) {
            *slot = Ground { terrain, altitude };
        }
        Ok(Board::new(ground))
    }

    /// Writes the board as [`Board::from_text`] reads it.
    #[must_use]
    pub fn to_text(&self) -> BoardText {
        let rows = |sign: &dyn Fn(Ground) -> char| {
            self.ground
                .chunks(usize::from(SIZE))
                .map(|row| row.iter().map(|&ground| sign(ground)).collect())
                .collect::<Vec<String>>()
        };
        BoardText {
            altitude: rows(&|ground| char::from(b'0' + ground.altitude)),
            terrain: rows(&|ground| if ground.terrain == Terrain::Forest { 'f' } else { '.' }),
        }
    }

    /// The ground of a position.
    #[must_use]
    #[inline]
    pub fn ground(&self, position: Position) -> Ground {
        // The index of a position is below POSITIONS, so the default is never taken.
        self.ground.get(position.index()).copied().unwrap_or(Ground { terrain: Terrain::Field, altitude: 1 })
    }

    /// The terrain of a position.
    #[must_use]
    #[inline]
    pub fn terrain(&self, position: Position) -> Terrain {
        self.ground(position).terrain
    }

    /// The positions that a gun on `gun` covers.
    #[must_use]
    #[inline]
    pub fn sight(&self, gun: Position) -> PositionSet {
        self.sight.get(gun.index()).copied().unwrap_or_default()
    }

    /// The table of ranges: 3 positions at a target two levels below, 2 at one level below,
    /// 1 on the same level, none at a target above.
    fn gun_reaches(&self, gun: Position, target: Position) -> bool {
        let (from, to) = (self.ground(gun).altitude, self.ground(target).altitude);
        gun != target && from >= to && gun.distance(target) <= 1 + (from - to)
    }
}

/// Reads 121 signs out of eleven rows.
fn signs<T>(
    rows: &[String],
    part: &'static str,
    allowed: &'static str,
    read: impl Fn(char) -> Option<T>,
) -> Result<Vec<T>, BoardError> {
    if rows.len() != usize::from(SIZE) {
        return Err(BoardError::Rows { part, rows: rows.len() });
    }
    let mut all = Vec::with_capacity(POSITIONS);
    for (letter, row) in ('A'..='K').zip(rows) {
        let length = row.chars().count();
        if length != usize::from(SIZE) {
            return Err(BoardError::Length { part, row: letter, length });
        }
        for sign in row.chars() {
            match (read(sign), Position::from_index(all.len())) {
                (Some(value), _) => all.push(value),
                (None, Some(at)) => return Err(BoardError::Sign { part, at, sign, allowed }),
                (None, None) => return Err(BoardError::Length { part, row: letter, length }),
            }
        }
    }
    Ok(all)
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::maps;
    use super::*;

    fn seen(board: &Board, gun: &str) -> Vec<String> {
        board.sight(Position::parse(gun).unwrap()).iter().map(|position| position.to_string()).collect()
    }

    #[test]
    fn the_rulebooks_three_artillery_examples_hold_on_both_boards() {
        for map in maps::ALL {
            let board = map.board();
            assert_eq!(seen(board, "A8"), ["A7", "A9", "A10", "B7", "B8", "B9", "B10", "C8", "C9", "D8"]);
            assert_eq!(seen(board, "G4"), ["E4", "F3", "F4", "G2", "G3", "H3", "H4", "I4"]);
            assert_eq!(seen(board, "F3"), ["G3"]);
        }
    }

    #[test]
    fn a_written_board_is_read_again_and_a_wrong_one_is_named() {
        let text = maps::classic().to_text();
        assert_eq!(Board::from_text(&text).as_ref(), Ok(&**maps::classic()));
        let mut wrong = text.clone();
        wrong.altitude.pop();
        assert_eq!(Board::from_text(&wrong).unwrap_err().to_string(), "altitude has 10 rows; a board has 11, A to K");
        let mut wrong = text.clone();
        wrong.altitude[1] = "12123212114".into();
        assert!(Board::from_text(&wrong).unwrap_err().to_string().contains("position B11"));
        let mut wrong = text;
        wrong.terrain[2].push('f');
        assert!(Board::from_text(&wrong).unwrap_err().to_string().contains("row C: 12 signs"));
    }

    #[test]
    fn lines_of_words_are_read_and_what_is_wrong_is_named_by_line_and_column() {
        let text = maps::ridge().to_text();
        let lines = text.to_lines();
        assert!(lines.starts_with("1f 1f 1f 1o 2o"));
        assert_eq!(BoardText::from_lines(&lines).as_ref(), Ok(&text));
        assert_eq!(BoardText::from_lines(&format!("\n  {}\n", lines.replace('o', "."))).as_ref(), Ok(&text));
        let error = |text: &str| BoardText::from_lines(text).unwrap_err().to_string();
        assert_eq!(error(""), "there are 0 lines; a board has 11, A to K");
        let shorter = lines.replacen("1f 1f 1f 1o", "1f 1f 1o", 1);
        assert_eq!(error(&shorter), "line 1 (row A) has 10 words; a row has 11");
        for (wrong, shown) in
            [("4f", "4f"), ("2x", "2x"), ("f2", "f2"), ("2", "2"), ("2ff", "2ff"), ("ünsinn", "ünsinn")]
        {
            let text = format!("\n{}", lines.replacen("1f 1f 1f 1o", &format!("1f 1f {wrong} 1o"), 1));
            let said = error(&text);
            assert!(said.starts_with(&format!("line 2, column 7 (position A3): “{shown}” is not")), "{said}");
        }
        assert!(maps::ridge().is_even());
        let uneven = BoardText::from_lines(&lines.replacen("1f", "2f", 1)).unwrap();
        assert!(!Board::from_text(&uneven).unwrap().is_even());
    }
}
