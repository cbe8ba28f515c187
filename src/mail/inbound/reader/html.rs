//! The lines of a text in HTML, as its reader sees them. Quoted ones begin with `>`, so that what follows need know no HTML.
//!
//! No parser of documents: mail programs write what no document type allows, and only lines and quotations matter here.

/// Elements that begin and end a line.
const BLOCKS: [&str; 30] = [
    "address", "article", "aside", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure", "footer", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul",
];
/// Elements of which nothing is read.
const UNREAD: [&str; 8] = ["head", "noscript", "script", "select", "style", "template", "textarea", "title"];
/// Elements that have no end.
const EMPTY: [&str; 10] = ["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"];
/// How far the end of a tag is looked for beyond quotation marks, in octets: what marks never close takes no time without end.
const LONGEST_TAG: usize = 1000;
/// How deep quotations are counted.
const DEEPEST: usize = 100;

/// How what is being read is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    /// It is quoted.
    Quoted,
    /// It is not read: a script, a signature, what nobody sees.
    Unread,
}

/// Reads HTML into lines.
pub(super) fn lines(html: &str) -> String {
    let mut page = Page::default();
    let mut rest = html;
    while !rest.is_empty() {
        let Some(at) = rest.find('<') else {
            page.text(rest);
            break;
        };
        let (before, tag) = rest.split_at(at);
        page.text(before);
        rest = page.tag(tag);
    }
    page.end_line(false);
    page.lines.join("\n")
}

/// What has been read so far.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
    line: String,
    /// Elements that quote or are not read, with the number of elements of the same name open within.
    rooms: Vec<(String, usize, Room)>,
    /// How many `pre` are open: there white space counts.
    pre: usize,
}

impl Page {
    fn unread(&self) -> bool {
        self.rooms.iter().any(|(.., room)| *room == Room::Unread)
    }

    fn quoted(&self) -> bool {
        self.rooms.iter().any(|(.., room)| *room == Room::Quoted)
    }

    /// Text between tags.
    fn text(&mut self, text: &str) {
        if self.unread() {
            return;
        }
        for c in decoded(text).chars() {
            if self.pre > 0 && c == '\n' {
                self.end_line(true);
            } else if matches!(c, ' ' | '\n' | '\r' | '\t') {
                if !self.line.is_empty() && !self.line.ends_with(' ') {
                    self.line.push(' ');
                }
            } else {
                self.line.push(c);
            }
        }
    }

    /// Ends the line that is being read; an empty one only if it counts.
    fn end_line(&mut self, empty: bool) {
        let line = std::mem::take(&mut self.line);
        // A space that does not break is how an empty paragraph is kept open.
        let empty = empty || line.contains('\u{A0}');
        let line = line.trim_matches([' ', '\u{A0}']);
        if !line.is_empty() || empty {
            self.lines.push(if self.quoted() { format!("> {line}") } else { line.to_owned() });
        }
    }

    /// Reads the tag at the beginning of a text, and gives what follows it.
    fn tag<'t>(&mut self, text: &'t str) -> &'t str {
        if let Some(comment) = text.strip_prefix("<!--") {
            return comment.split_once("-->").map_or("", |(_, rest)| rest);
        }
        let inside = text.strip_prefix('<').unwrap_or(text);
        if !inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            // A sign of the text's own, as in `a < b`.
            self.text("<");
            return inside;
        }
        let end = end_of_tag(inside);
        let (tag, rest) = inside.split_at_checked(end).unwrap_or((inside, ""));
        let rest = rest.strip_prefix('>').unwrap_or(rest);
        let (closes, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let name_end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at_checked(name_end).unwrap_or((tag, ""));
        let name = name.to_ascii_lowercase();
        if closes {
            self.closes(&name);
        } else {
            self.opens(&name, attributes);
        }
        rest
    }

    fn opens(&mut self, name: &str, attributes: &str) {
        if name == "br" {
            if !self.unread() {
                self.end_line(true);
            }
            return;
        }
        let block = BLOCKS.contains(&name) || name == "blockquote";
        if block && !self.unread() {
            self.end_line(false);
        }
        if matches!(name, "td" | "th") {
            self.text(" ");
        }
        if EMPTY.contains(&name) || attributes.ends_with('/') && !block {
            return;
        }
        if name == "pre" {
            self.pre += 1;
        }
        if let Some(room) = room(name, attributes).filter(|_| self.rooms.len() < DEEPEST) {
            self.rooms.push((name.to_owned(), 0, room));
        } else if let Some((_, depth, _)) = self.rooms.iter_mut().rfind(|(open, ..)| open == name) {
            *depth += 1;
        }
    }

    fn closes(&mut self, name: &str) {
        let block = BLOCKS.contains(&name) || name == "blockquote";
        if block && !self.unread() {
            self.end_line(false);
        }
        if name == "pre" {
            self.pre = self.pre.saturating_sub(1);
        }
        // Whatever was left open within an element ends with it.
        let Some(at) = self.rooms.iter().rposition(|(open, ..)| open == name) else { return };
        match self.rooms.get_mut(at) {
            Some((_, depth, _)) if *depth > 0 => *depth -= 1,
            _ => self.rooms.truncate(at),
        }
    }
}

/// What an element does with what stands in it.
fn room(name: &str, attributes: &str) -> Option<Room> {
    if UNREAD.contains(&name) {
        return Some(Room::Unread);
    }
    if name == "blockquote" {
        return Some(Room::Quoted);
    }
    if attributes.is_empty() {
        return None;
    }
    let attributes = attributes.to_ascii_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| attributes.contains(mark));
    // Outlook's and GMX's quotations have no element of their own.
    if has(&[
        "divrplyfwdmsg",
        "yahoo_quoted",
        "name=\"quote\"",
        "name='quote'",
        "name=quote",
        "ms-outlook-mobile-reference-message",
    ]) {
        return Some(Room::Quoted);
    }
    let hidden = has(&["display:none", "display: none"]);
    let signature = has(&[
        "gmail_signature",
        "moz-signature",
        "ms-outlook-mobile-signature",
        "id=\"signature\"",
        "protonmail_signature_block",
    ]);
    (hidden || signature).then_some(Room::Unread)
}

/// Where a tag ends: at the first `>` that stands in no quotes.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, c) in tag.char_indices().take_while(|(at, _)| *at < LONGEST_TAG) {
        match (quote, c) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    // A quotation mark that is never closed is one of the text's own.
    tag.find('>').unwrap_or(tag.len())
}

/// A text with its entities read.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity =
            after.char_indices().take(10).find(|(_, c)| *c == ';').and_then(|(end, _)| after.split_at_checked(end));
        if let Some((sign, after)) = entity.and_then(|(name, after)| Some((sign(name)?, after))) {
            plain.push(sign);
            rest = after.strip_prefix(';').unwrap_or(after);
        } else {
            plain.push('&');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

/// The sign that an entity stands for, as far as orders and messages need it; others stay as they are written.
fn sign(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let code = hex.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?;
        return char::from_u32(code).filter(|c| *c != '\0');
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" | "rsquo" => '\'',
        "nbsp" => '\u{A0}',
        "ensp" | "emsp" | "thinsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "minus" => '−',
        "shy" => '\u{AD}',
        "rarr" => '→',
        "rArr" => '⇒',
        "times" => '×',
        "hellip" => '…',
        "laquo" => '«',
        "raquo" => '»',
        "ldquo" => '“',
        "rdquo" => '”',
        "lsquo" => '‘',
        "bull" => '•',
        "szlig" => 'ß',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "Auml" => 'Ä',
        "Ouml" => 'Ö',
        "Uuml" => 'Ü',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        "ccedil" => 'ç',
        "ntilde" => 'ñ',
        "oacute" => 'ó',
        "aring" => 'å',
        "oslash" => 'ø',
        "aelig" => 'æ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_lines_and_quotations_are_marked() {
        assert_eq!(lines("<div>H7-F7</div><div>G8&ndash;G6</div>"), "H7-F7\nG8–G6");
        assert_eq!(lines("<div>H7-F7<br></div><div><br></div><div>G8-G6</div>"), "H7-F7\n\nG8-G6");
        assert_eq!(
            lines("a<blockquote type=cite><div>b</div><blockquote>c</blockquote>d</blockquote>e"),
            "a\n> b\n> c\n> d\ne"
        );
        assert_eq!(lines("<p>a</p><p>b\n c</p><p>&nbsp;</p>d"), "a\nb c\n\nd");
        assert_eq!(lines("<style>a{}</style><!-- x > y --><b title='>'>H7</b>-F7"), "H7-F7");
        assert_eq!(lines("<pre>H7-F7\nG8-G6</pre>"), "H7-F7\nG8-G6");
        assert_eq!(lines("<div class='gmail_signature'><div>Bob</div></div>x"), "x");
        assert_eq!(lines("<div id=\"divRplyFwdMsg\"><div>From: a</div></div>x"), "> From: a\nx");
        assert_eq!(lines("<td>I2</td><td>H7-F7</td>"), "I2 H7-F7");
    }

    #[test]
    fn quotation_marks_without_end_take_no_time_without_end() {
        let page = "<a '>'".repeat(150_000);
        assert_eq!(lines(&page), "'".repeat(150_000));
        let picture = format!("<img src=\"data:image/png;base64,{}\">H7-F7", "A".repeat(200_000));
        assert_eq!(lines(&picture), "H7-F7");
    }

    #[test]
    fn what_is_no_tag_and_no_entity_stays() {
        assert_eq!(lines("1 < 2 & 3 &unknown; &#8211;&#x2192;&#xD800;&#0;"), "1 < 2 & 3 &unknown; –→&#xD800;&#0;");
        assert_eq!(lines("<"), "<");
        assert_eq!(lines("<é"), "<é");
        assert_eq!(lines("<a title=\"never closed>H7-F7"), "H7-F7");
        assert_eq!(lines("&ééééééééé;"), "&ééééééééé;");
    }
}
