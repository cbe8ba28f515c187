//! What of a text was written, and what is quoted: the lines above, between and below the quotation, without a signature.
//!
//! In doubt a line counts as quoted: a list that lacks a line is seen in its receipt, and an order of an old letter would not be.

use super::phrases;

/// How many lines an attribution is wrapped over at most.
const WRAPPED: usize = 3;
/// The longest line that is an attribution, in octets.
const ATTRIBUTION: usize = 400;
/// How many lines of a block of headers are looked at.
const BLOCK: usize = 10;
/// How long a quoted line is whose tail may have been wrapped onto a line of its own, in characters.
const FULL: usize = 60;
/// How many underscores make Outlook's rule.
const RULE: usize = 20;

/// The written lines of a text.
pub(super) fn written(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        let before = at.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
        match what(before, rest) {
            What::Written(line) => {
                kept.push(line);
                at += 1;
            }
            What::Passed(number) => at += number,
            What::Introduces(number) => {
                at += number;
                let after = lines.get(at..).unwrap_or_default().iter().find(|line| !line.trim().is_empty());
                // A quotation without signs goes on to the end.
                if !after.is_some_and(|line| is_quoted(line)) {
                    break;
                }
            }
            What::Ends => break,
        }
    }
    let kept = kept.join("\n");
    kept.trim_matches(|c: char| c.is_whitespace()).to_owned()
}

/// What the first line of a text is.
enum What<'t> {
    /// It was written.
    Written(&'t str),
    /// So many lines are quoted, or were added by the program.
    Passed(usize),
    /// So many lines introduce a quotation.
    Introduces(usize),
    /// Nothing below counts.
    Ends,
}

fn what<'t>(before: &str, rest: &[&'t str]) -> What<'t> {
    let line = rest.first().copied().unwrap_or_default();
    if is_quoted(line) || is_tail(before, line, rest) {
        return What::Passed(1);
    }
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return What::Written("");
    }
    if trimmed == "--" || trimmed.chars().count() >= RULE && trimmed.chars().all(|c| c == '_') {
        return What::Ends;
    }
    if phrases::divides(trimmed) {
        return What::Introduces(1);
    }
    if heads_block(rest) {
        return What::Ends;
    }
    if let Some(number) = attribution(rest) {
        return What::Introduces(number);
    }
    let below = rest.iter().skip(1).find(|line| !line.trim().is_empty());
    if phrases::attributes_undated(trimmed) && below.is_some_and(|line| is_quoted(line)) {
        return What::Introduces(1);
    }
    if phrases::sent_from(trimmed) {
        return What::Passed(1);
    }
    What::Written(line)
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with(['>', '＞'])
}

/// Whether a line is the tail of a quoted one that a program has wrapped.
fn is_tail(before: &str, line: &str, rest: &[&str]) -> bool {
    let after = rest.get(1).copied().unwrap_or_default();
    is_quoted(before) && before.chars().count() >= FULL && !line.trim().is_empty() && is_quoted(after)
}

/// How many lines at the beginning of a text say whose words follow, as "On … wrote:" does.
fn attribution(rest: &[&str]) -> Option<usize> {
    attribution_within(rest, WRAPPED)
}

/// The same, where the lines below are looked at so many times over: dated lines without end must not take time without end.
fn attribution_within(rest: &[&str], below: usize) -> Option<usize> {
    let mut joined = String::new();
    for (number, line) in rest.iter().take(WRAPPED).enumerate() {
        let line = line.trim();
        if line.is_empty() || is_quoted(line) || joined.len() + line.len() > ATTRIBUTION {
            return None;
        }
        if number > 0 {
            // What was written before it is none of it: the line with the date begins it.
            let opens = phrases::opens(&joined);
            let begins_below = || {
                let rest = rest.get(1..).filter(|_| number == 1 && below > 0)?;
                attribution_within(rest, below - 1)
            };
            if !opens && (!phrases::dated(&joined) || begins_below().is_some()) {
                return None;
            }
            joined.push(' ');
        }
        joined.push_str(line);
        if phrases::attributes(&joined) {
            return Some(number + 1);
        }
    }
    None
}

/// Whether a text begins with the headers of another mail, as Outlook quotes them.
fn heads_block(rest: &[&str]) -> bool {
    let Some(first) = rest.first().and_then(|line| phrases::header(line)) else { return false };
    let mut seen = vec![first];
    for line in rest.iter().skip(1).take(BLOCK) {
        if line.trim().is_empty() {
            break;
        }
        seen.extend(phrases::header(line));
    }
    let has = |kind| seen.contains(&kind);
    has(phrases::Header::From) && (has(phrases::Header::Date) || has(phrases::Header::Subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_above_between_and_below_a_quotation_was_written() {
        let attribution = "On Mon, 30 Nov 2026 at 10:00, Field Command <play@example.org> wrote:";
        assert_eq!(written(&format!("H7-F7\n\n{attribution}\n> old\n> older")), "H7-F7");
        assert_eq!(written(&format!("{attribution}\n> old\n\nH7-F7\n")), "H7-F7");
        assert_eq!(written(&format!("{attribution}\n> old\n\nH7-F7\n\n> more\nG8-G6")), "H7-F7\n\nG8-G6");
        assert_eq!(written(&format!("H7-F7\n{attribution}\nold\nI2-H2")), "H7-F7");
        assert_eq!(written("H7-F7\n-- \nBob\nI2-H2"), "H7-F7");
        assert_eq!(written("H7-F7\n____________________\nlist"), "H7-F7");
    }

    #[test]
    fn an_attribution_may_be_wrapped_and_takes_nothing_that_was_written() {
        assert_eq!(
            written("H7-F7\nAm Mo., 30. Nov. 2026 um 10:00 Uhr schrieb Field Command <\nplay@example.org>:\n\n> alt"),
            "H7-F7"
        );
        assert_eq!(
            written(
                "SAY at 10:30\nOn Monday, 30 November 2026 at 10:00\nField Command\n<play@example.org> wrote:\nold"
            ),
            "SAY at 10:30"
        );
        assert_eq!(written("SAY he wrote:\nnothing"), "SAY he wrote:\nnothing");
    }

    #[test]
    fn dated_lines_without_end_take_no_time_without_end() {
        let lines = "2026 10:00\n".repeat(20_000);
        assert_eq!(written(&lines), lines.trim_end());
        let lines = "a@2026 10:00 x\n".repeat(10_000);
        assert_eq!(written(&lines), lines.trim_end());
    }

    #[test]
    fn the_tail_of_a_wrapped_line_is_quoted_too() {
        let long = format!("> {}", "x".repeat(70));
        assert_eq!(written(&format!("H7-F7\n\n{long}\nI2-H2\n> y")), "H7-F7");
        assert_eq!(written("> x\nI2-H2\n> y"), "I2-H2");
    }

    #[test]
    fn headers_of_another_mail_end_what_was_written() {
        assert_eq!(written("H7-F7\n\n*From:* a\n*Sent:* today\n*To:* b\n\nold"), "H7-F7");
        assert_eq!(written("SAY To: you\nfrom: me"), "SAY To: you\nfrom: me");
    }
}
