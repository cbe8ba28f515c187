//! What the lines of a mail ask for: a sheet, and verbs that stand on lines of their own.
//!
//! `SAY` takes its paragraph. Lines around a sheet without any digit or code are what people write to each other; greetings
//! are passed over, and what else is written there is told to its writer before anything is sealed.

/// A verb of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// An empty sheet is meant.
    Hold,
    /// The sealed sheet is taken back, and the draft emptied.
    Clear,
    /// What was asked about is meant.
    Yes,
    /// Where the game stands.
    Status,
    /// Where all games of the person stand.
    StatusOfAll,
    /// The board.
    Map,
    /// Giving up.
    Resign,
    /// A draw is offered, or the opponent's offer accepted.
    Draw,
    /// A draw is declined, or the own offer withdrawn.
    NoDraw,
    /// What can be written.
    Help,
}

/// What a mail asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The lines of a sheet.
    pub sheet: Option<String>,
    /// What the opponent is to read.
    pub say: Option<String>,
    /// The verbs, each once.
    pub verbs: Vec<Verb>,
    /// Lines that are neither.
    pub unread: Vec<String>,
}

impl Asked {
    /// Whether a verb was written.
    pub(super) fn has(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }
}

/// How people begin and end letters.
#[rustfmt::skip]
const COURTESIES: &[&str] = &[
    "HI", "HELLO", "HEY", "DEAR", "GREETINGS", "REGARDS", "KIND", "BEST", "CHEERS", "THANKS", "THANK", "SINCERELY",
    "YOURS", "BYE", "HALLO", "MOIN", "SERVUS", "LIEBE", "LIEBER", "GUTEN", "GRÜSSE", "GRÜẞE", "GRUSS", "GRUẞ",
    "GRÜßE", "GRUß", "VIELE", "HERZLICHE", "DANKE", "BONJOUR", "SALUT", "CORDIALEMENT", "MERCI", "HOLA", "SALUDOS",
    "GRACIAS", "CIAO", "SALUTI", "GRAZIE", "OLÁ", "HEJ", "HEI", "MVH", "MFG", "LG", "VG",
];

/// Reads a mail. `is_sheet` says whether a line could be a part of a sheet.
pub(super) fn read(text: &str, is_sheet: impl Fn(&str) -> bool) -> Asked {
    let mut asked = Asked::default();
    let (mut sheet, mut paragraph): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut saying: Option<Vec<&str>> = None;
    // An empty line more ends the last paragraph.
    for line in text.lines().chain([""]) {
        let line = line.trim();
        let verb = verb(line);
        if let Some(said) = saying.as_mut() {
            if !line.is_empty() && verb.is_none() && say(line).is_none() {
                said.push(line);
                continue;
            }
            close_say(&mut saying, &mut asked);
        }
        if line.is_empty() || verb.is_some() || say(line).is_some() {
            sort(std::mem::take(&mut paragraph), &mut sheet, &mut asked.unread, &is_sheet);
        }
        if let Some(verb) = verb {
            if !asked.has(verb) {
                asked.verbs.push(verb);
            }
        } else if let Some(rest) = say(line) {
            saying = Some(vec![rest]);
        } else if !line.is_empty() {
            paragraph.push(line);
        }
    }
    close_say(&mut saying, &mut asked);
    // The button of a letter begins its answer with a comment, which is no sheet by itself.
    let says = sheet.iter().any(|line| !line.starts_with('#'));
    asked.sheet = says.then(|| sheet.join("\n"));
    asked
}

/// Ends what is said. Said twice is one message.
fn close_say(saying: &mut Option<Vec<&str>>, asked: &mut Asked) {
    let Some(said) = saying.take() else { return };
    let said = said.join("\n").trim().to_owned();
    asked.say = Some(match asked.say.take() {
        Some(before) if !before.is_empty() => format!("{before}\n{said}"),
        _ => said,
    });
}

/// Sorts the lines of a paragraph into those of a sheet and others.
fn sort<'t>(
    paragraph: Vec<&'t str>,
    sheet: &mut Vec<&'t str>,
    unread: &mut Vec<String>,
    is_sheet: impl Fn(&str) -> bool,
) {
    let part = |line: &&str| {
        line.starts_with('#')
            || line.chars().any(|c| c.is_ascii_digit() || ('０'..='９').contains(&c))
            || is_sheet(line)
    };
    if paragraph.iter().any(part) {
        // Whatever stands among the lines of a sheet is of it, but for courtesies.
        sheet.extend(paragraph.into_iter().filter(|line| part(line) || !is_courtesy(line)));
    } else if !paragraph.first().is_some_and(|line| is_courtesy(line)) || paragraph.len() > 4 {
        unread.extend(paragraph.into_iter().map(str::to_owned));
    }
}

/// Whether a line is how people begin or end a letter: a few words, the first of them a usual one.
fn is_courtesy(line: &str) -> bool {
    let words = folded(line);
    words.len() <= 5 && words.first().is_some_and(|word| COURTESIES.contains(&word.as_str()))
}

/// The verb that a line is.
fn verb(line: &str) -> Option<Verb> {
    // Longer lines are none, and are not looked at word by word.
    if line.len() > 60 {
        return None;
    }
    let words = folded(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(match words.as_slice() {
        ["HOLD"] => Verb::Hold,
        ["CLEAR"] => Verb::Clear,
        ["YES" | "Y"] => Verb::Yes,
        ["STATUS"] => Verb::Status,
        ["STATUS", "ALL"] => Verb::StatusOfAll,
        ["MAP"] => Verb::Map,
        ["RESIGN"] => Verb::Resign,
        ["DRAW"] | ["DRAW", "YES"] => Verb::Draw,
        ["DRAW", "NO"] | ["NO", "DRAW"] => Verb::NoDraw,
        ["HELP"] => Verb::Help,
        _ => return None,
    })
}

/// What a line says to the opponent.
fn say(line: &str) -> Option<&str> {
    let narrow: String = line.chars().take(3).map(narrow).collect();
    if !narrow.eq_ignore_ascii_case("SAY") {
        return None;
    }
    let at = line.char_indices().nth(3).map_or(line.len(), |(at, _)| at);
    let rest = line.get(at..)?;
    let parted = rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, ':' | '：' | ',' | '-'));
    parted.then(|| rest.trim_start_matches([':', '：', ',', '-', ' ', '\t', '\u{3000}']))
}

/// The words of a line in upper case, without the signs around them.
fn folded(line: &str) -> Vec<String> {
    let line: String = line.chars().map(narrow).collect();
    let words = line.split(|c: char| c.is_whitespace() || !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_uppercase).collect()
}

/// A full-width sign made narrow.
fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::field_command::parse::looks_like_sheet;

    fn asked(text: &str) -> Asked {
        read(text, looks_like_sheet)
    }

    fn verbs(verbs: &[Verb]) -> Asked {
        Asked { verbs: verbs.to_vec(), ..Asked::default() }
    }

    #[test]
    fn verbs_stand_alone_in_any_case_and_with_any_signs() {
        assert_eq!(asked("hold"), verbs(&[Verb::Hold]));
        assert_eq!(asked("**Yes!**"), verbs(&[Verb::Yes]));
        assert_eq!(asked("ＨＥＬＰ？"), verbs(&[Verb::Help]));
        assert_eq!(asked("Status: all\nmap.\n\nmap"), verbs(&[Verb::StatusOfAll, Verb::Map]));
        assert_eq!(asked("draw, no"), verbs(&[Verb::NoDraw]));
        assert_eq!(asked("resign tomorrow").verbs, []);
    }

    #[test]
    fn a_sheet_is_told_from_courtesies_and_from_what_else_is_written() {
        let plain = Asked { sheet: Some("H7-F7\nG8-G6".into()), ..Asked::default() };
        assert_eq!(asked("H7-F7\nG8-G6"), plain);
        assert_eq!(asked("Hi Bob,\nH7-F7\n\nG8-G6\nThanks\n\nBest wishes,\nAnn"), plain);
        assert_eq!(asked("H7-F7\nG8-G6\n\nno wait, not that").unread, ["no wait, not that"]);
        assert_eq!(asked("H7-F7\nstop\nG8-G6").sheet.as_deref(), Some("H7-F7\nstop\nG8-G6"));
        assert_eq!(asked("I will think about it.").unread, ["I will think about it."]);
        assert_eq!(asked("GN K11\nAR H6").sheet.as_deref(), Some("GN K11\nAR H6"));
        assert_eq!(asked(""), Asked::default());
        assert_eq!(asked("# Day 5: one order a line, such as H7-F7.\nHOLD"), verbs(&[Verb::Hold]));
    }

    #[test]
    fn say_takes_its_paragraph_and_nothing_else() {
        let said = asked("SAY Well played!\nI did not see that.\n\nH7-F7");
        assert_eq!(said.say.as_deref(), Some("Well played!\nI did not see that."));
        assert_eq!(said.sheet.as_deref(), Some("H7-F7"));
        assert_eq!(asked("say: hello\nHOLD").say.as_deref(), Some("hello"));
        assert_eq!(asked("SAY I go H7-F7").say.as_deref(), Some("I go H7-F7"));
        assert_eq!(asked("H7-F7\nＳＡＹ　こんにちは").say.as_deref(), Some("こんにちは"));
        assert_eq!(asked("SAY").say.as_deref(), Some(""));
        assert_eq!(asked("saying nothing").say, None);
        assert_eq!(asked("say é").say.as_deref(), Some("é"));
    }
}
