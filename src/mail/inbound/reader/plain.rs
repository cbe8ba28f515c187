//! The lines of a plain text: unseen signs taken out, flowed lines (RFC 3676) joined again.

/// A text with plain line ends, without signs that nobody sees, and with ordinary spaces.
pub(super) fn clean(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").chars().filter_map(sign).collect()
}

fn sign(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{B}' | '\u{C}' => Some('\n'),
        // Byte order mark, zero-width signs, soft hyphen, signs that turn the direction of writing, emoji selectors.
        '\u{FEFF}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' => None,
        '\u{2060}'..='\u{2069}' | '\u{FE0E}' | '\u{FE0F}' | '\u{61C}' => None,
        _ if c.is_control() => None,
        _ if c.is_whitespace() => Some(' '),
        _ => Some(c),
    }
}

/// Joins flowed lines. `delsp` says that the space at the end of a flowed line is none of the text's.
pub(super) fn unflowed(text: &str, delsp: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The depth of a line that the next one goes on with.
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let (depth, rest) = depth(line);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let signature = rest == "-- ";
        let flows = rest.ends_with(' ') && !signature;
        let body = if flows && delsp { rest.strip_suffix(' ').unwrap_or(rest) } else { rest };
        match lines.last_mut() {
            Some(last) if open == Some(depth) && !signature => last.push_str(body),
            _ if depth > 0 => lines.push(format!("{} {body}", ">".repeat(depth))),
            _ => lines.push(body.to_owned()),
        }
        open = flows.then_some(depth);
    }
    lines.join("\n")
}

/// How deep a line is quoted, and what stands behind its signs.
fn depth(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches('>');
    (line.len() - rest.len(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_lines_are_joined_and_quotes_stay_apart() {
        assert_eq!(unflowed("H7-F7 \nG8-G6\n> a \n> b\nc\n", false), "H7-F7 G8-G6\n> a b\nc\n");
        assert_eq!(unflowed("auf \ngeht\n-- \nBob", false), "auf geht\n-- \nBob");
        assert_eq!(unflowed("H7-F \n7\n", true), "H7-F7\n");
        assert_eq!(unflowed(" > is no quote\n From here", false), "> is no quote\nFrom here");
        assert_eq!(unflowed("a \n> b", false), "a \n> b");
    }

    #[test]
    fn what_nobody_sees_is_taken_out() {
        assert_eq!(clean("\u{FEFF}H7\u{200B}-F7\u{A0}\u{3000}G8\0\r\nA\rB\u{2028}C"), "H7-F7  G8\nA\nB\nC");
    }
}
