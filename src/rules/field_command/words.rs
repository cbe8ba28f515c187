//! Splits what a player wrote into words: the first step of reading orders and deployments.
//!
//! Letters count in either case and full-width (as a Japanese keyboard writes them);
//! `#` starts a comment; white space of any kind and commas part words; signs that
//! nobody sees (byte order mark, zero-width space, soft hyphen) are passed over.

/// A word, folded to upper-case ASCII where it could be, with what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The line, counted from 1.
    pub line: u32,
    /// As it was written.
    pub written: &'a str,
    /// In upper case, full-width signs made narrow, dashes and arrows made `-`.
    pub folded: Folded,
    /// Whether a comma or the beginning of the line stands before it, so that it cannot
    /// belong to the word before.
    pub parted: bool,
}

impl Word<'_> {
    /// Whether the word is a dash or an arrow of any kind.
    #[must_use]
    pub fn is_joint(&self) -> bool {
        self.folded.as_str() == "-"
    }
}

/// The longest word that means anything: `K11TOK11`.
const LONGEST: usize = 8;

/// A folded word, kept in place. A word that is longer than any with a meaning, or that has
/// a sign that no such word has, is kept as far as it goes and then marked by `?`, which has no meaning anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    bytes: [u8; LONGEST + 1],
    length: u8,
}

impl Folded {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever pushed, so the default is never taken.
        self.bytes.get(..usize::from(self.length)).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn push(&mut self, c: char) {
        let full = usize::from(self.length) >= LONGEST;
        let sign = u8::try_from(c).ok().filter(|sign| sign.is_ascii() && !full).unwrap_or(b'?');
        if let Some(slot) = self.bytes.get_mut(usize::from(self.length)) {
            *slot = sign;
            self.length += 1;
        }
    }
}

/// What a sign does to the words around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Belongs to a word.
    Part(char),
    /// A dash or an arrow: a word by itself, however many stand together.
    Joint,
    /// Parts two words.
    Space,
    /// Parts two words and ends an order.
    Comma,
    /// Starts a comment.
    Comment,
    /// Passed over.
    Unseen,
}

/// Reads one sign.
fn sign(c: char) -> Sign {
    match c {
        'A'..='Z' | '0'..='9' => Sign::Part(c),
        'a'..='z' => Sign::Part(c.to_ascii_uppercase()),
        '-' | '>' => Sign::Joint,
        ',' => Sign::Comma,
        '#' => Sign::Comment,
        // Full-width forms are the ASCII signs, 0xFEE0 further on.
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).map_or(Sign::Part(c), sign),
        // Hyphens, dashes, minus signs, and arrows pointing right.
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{30FC}' => Sign::Joint,
        '\u{2192}' | '\u{21D2}' | '\u{27F6}' | '\u{27A1}' | '\u{2794}' | '\u{279C}' | '\u{FFEB}' => Sign::Joint,
        '\u{00D7}' => Sign::Part('X'),
        '\u{3001}' => Sign::Comma,
        '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{FE0E}' | '\u{FE0F}' => Sign::Unseen,
        _ if c.is_whitespace() => Sign::Space,
        _ => Sign::Part(c),
    }
}

/// Splits a text into words, line by line. Lines end with LF, CR LF or CR.
#[must_use]
pub fn words(text: &str) -> Vec<Word<'_>> {
    // An order of three words takes about six signs.
    let mut words = Vec::with_capacity(text.len() / 2 + 1);
    for (number, line) in (1u32..).zip(lines(text)) {
        split_line(number, line, &mut words);
    }
    words
}

/// The lines of a text, ended as any system ends them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// Appends the words of one line.
fn split_line<'a>(number: u32, line: &'a str, words: &mut Vec<Word<'a>>) {
    let mut parted = true;
    // The word being read: where it began, its folded text, whether it is a joint.
    let mut open: Option<(usize, Folded, bool)> = None;
    let mut close = |open: &mut Option<(usize, Folded, bool)>, end: usize, parted: &mut bool| {
        if let Some((start, folded, _)) = open.take() {
            let written = line.get(start..end).unwrap_or_default();
            words.push(Word { line: number, written, folded, parted: std::mem::take(parted) });
        }
    };
    for (at, c) in line.char_indices() {
        match sign(c) {
            Sign::Unseen => {}
            Sign::Comment => {
                close(&mut open, at, &mut parted);
                return;
            }
            Sign::Space => close(&mut open, at, &mut parted),
            Sign::Comma => {
                close(&mut open, at, &mut parted);
                parted = true;
            }
            Sign::Joint => {
                if !matches!(open, Some((_, _, true))) {
                    close(&mut open, at, &mut parted);
                    let mut joint = Folded::default();
                    joint.push('-');
                    open = Some((at, joint, true));
                }
            }
            Sign::Part(c) => {
                if matches!(open, Some((_, _, true))) {
                    close(&mut open, at, &mut parted);
                }
                open.get_or_insert((at, Folded::default(), false)).1.push(c);
            }
        }
    }
    close(&mut open, line.len(), &mut parted);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.folded.as_str().to_owned()).collect()
    }

    #[test]
    fn dashes_and_arrows_of_every_kind_are_joints() {
        for joint in ["-", "--", "–", "—", "−", "->", "-->", "=>", "→", ">", "－", "➡️"] {
            let text = format!("H7{joint}F7");
            let expected: &[&str] = if joint == "=>" { &["H7=", "-", "F7"] } else { &["H7", "-", "F7"] };
            assert_eq!(folded(&text), expected, "{joint}");
        }
    }

    #[test]
    fn full_width_signs_and_unseen_ones_are_folded() {
        assert_eq!(folded("\u{FEFF}ｈ７－ｆ７\u{3000}G8\u{200B}"), ["H7", "-", "F7", "G8"]);
    }

    #[test]
    fn comments_end_at_the_line() {
        assert_eq!(folded("H7 # F7\r\nG8#x\rE1"), ["H7", "G8", "E1"]);
        assert_eq!(words("a\nb\r\nc\rd").iter().map(|word| word.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn commas_and_line_ends_part() {
        let parted: Vec<bool> = words("H7 F7, G8\nF8").iter().map(|word| word.parted).collect();
        assert_eq!(parted, [true, false, true, true]);
    }
}
