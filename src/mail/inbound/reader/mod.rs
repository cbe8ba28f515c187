//! Reads a mail: who sent it, what it answers, whether a person wrote it, and what that person wrote above, between or below
//! the quotation. Pure: nothing of it is kept here, and no attachment is opened. It uses nothing of the server, so that it
//! can be fuzzed alone.

use std::borrow::Cow;

use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::parsers::MessageStream;
use mail_parser::{Address, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde::Serialize;

pub use automatic::Automatic;

/// What a part says: its lines, flowed or not.
mod plain;
/// A part in HTML, as lines.
mod html;
/// What was written and what was quoted.
mod quote;
/// The words that mail programs put around quotations, in their languages.
mod phrases;
/// Mail that nobody wrote.
mod automatic;
/// Reports of servers that could not deliver.
pub mod report;

/// The longest mail that is read, in octets.
pub const LONGEST: usize = 1024 * 1024;
/// How many parts a mail may declare; each level of nesting takes one.
const PARTS: usize = 100;
/// The longest text that is given on, in characters: longer than any deployment with every remark one could make.
const TEXT: usize = 20_000;
/// How much of a part is looked through for what was written, in octets.
const LOOKED: usize = 200_000;
/// The longest header that is given on, in characters.
const HEADER: usize = 998;
/// How many references and recipients are given on.
const LISTED: usize = 50;

/// Why a mail is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is larger than [`LONGEST`].
    #[error("the message is larger than one mebibyte")]
    TooLong,
    /// It has more parts than any mail that somebody wrote.
    #[error("the message has too many parts")]
    TooManyParts,
    /// There are no headers.
    #[error("this is not a message (RFC 5322)")]
    NoMessage,
}

/// What the receiving server found about the sender (RFC 8601).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Authenticated {
    /// It says that the sender's domain disowns the mail.
    Fail,
    /// It says nothing, or nobody is trusted to say it.
    #[default]
    Unknown,
}

/// A mail that has been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inbound {
    /// The one address in `From`; `None` where there is none, or more than one.
    pub from: Option<String>,
    /// The `Message-ID`, without its angle brackets.
    pub message_id: Option<String>,
    /// What it answers: `In-Reply-To`, then `References`.
    pub references: Vec<String>,
    /// The addresses that it was delivered for, as the headers name them; the most telling first.
    pub recipients: Vec<String>,
    /// Why nobody wrote it, where that is so.
    pub automatic: Option<Automatic>,
    /// What the receiving server found about the sender.
    pub authenticated: Authenticated,
    /// Whether it is the mail of a program's button for wanting no more letters (RFC 2369).
    pub unsubscribes: bool,
    /// What was written, without quotation, signature and what the program added.
    pub text: String,
}

/// Reads a mail. `authserv` is the name of the receiving server whose findings count.
///
/// # Errors
/// It is too large, or none.
pub fn read(bytes: &[u8], authserv: Option<&str>) -> Result<Inbound, Unreadable> {
    let message = parse(bytes)?;
    let headers = Headers::of(&message);
    let from = match message.from() {
        // Of several headers another program may have looked at another one.
        Some(Address::List(list)) if list.len() == 1 && headers.all("From").count() == 1 => {
            list.first().and_then(|address| address.address())
        }
        _ => None,
    };
    let mut references: Vec<String> = ids(message.in_reply_to());
    for id in ids(message.references()) {
        if !references.contains(&id) {
            references.push(id);
        }
    }
    references.truncate(LISTED);
    Ok(Inbound {
        from: from.map(clean),
        message_id: message.message_id().map(clean).filter(|id| !id.is_empty()),
        references,
        recipients: recipients(&message, &headers),
        automatic: automatic::of(&headers, message.subject()),
        authenticated: authserv.map_or(Authenticated::Unknown, |name| authenticated(&headers, name)),
        unsubscribes: message.subject().is_some_and(|subject| subject.trim().eq_ignore_ascii_case("unsubscribe")),
        text: text(&message),
    })
}

/// Takes a mail apart. What takes itself apart without end is refused before.
///
/// The parser is not told how parts are encoded: it would take an encoded message for a mail of its own, and what nests
/// within the decoded text nobody has counted. So it decodes nothing, and each level of nesting is a `Content-Type` that
/// stands in the mail as it came. [`decoded`] makes up for it, for the parts that are looked at.
pub(super) fn parse(bytes: &[u8]) -> Result<Message<'_>, Unreadable> {
    if bytes.len() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    if types(bytes) > PARTS {
        return Err(Unreadable::TooManyParts);
    }
    let parser = MessageParser::new()
        .with_mime_headers()
        .with_address_headers()
        .with_message_ids()
        .header_text(HeaderName::Subject)
        .ignore_header(HeaderName::ContentTransferEncoding)
        .default_header_ignore();
    parser.parse(bytes).filter(|message| !message.headers().is_empty()).ok_or(Unreadable::NoMessage)
}

/// How often a mail names a type of content: at least as often as the parser takes one for a header. It takes white space
/// within a header's name for nothing.
fn types(bytes: &[u8]) -> usize {
    let bare: Vec<u8> = bytes.iter().copied().filter(|&byte| byte == b'\n' || !byte.is_ascii_whitespace()).collect();
    let name = b"content-type";
    bare.windows(name.len()).filter(|window| window.eq_ignore_ascii_case(name)).count()
}

/// A part's content, decoded. What does not decode is what it says as it stands.
pub(super) fn decoded<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Cow<'m, [u8]> {
    let raw = message.raw_message();
    let at = |start: u32, end: u32| raw.get(start as usize..end as usize).unwrap_or_default();
    let content = at(part.offset_body, part.offset_end);
    let encoding = part.headers.iter().rfind(|header| header.name == HeaderName::ContentTransferEncoding);
    let encoding = encoding.map(|header| at(header.offset_start, header.offset_end).trim_ascii()).unwrap_or_default();
    let mut stream = MessageStream::new(content);
    let (end, decoded) = match encoding {
        name if name.eq_ignore_ascii_case(b"base64") => stream.decode_base64_mime(b""),
        name if name.eq_ignore_ascii_case(b"quoted-printable") => stream.decode_quoted_printable_mime(b""),
        _ => return Cow::Borrowed(content),
    };
    if end == usize::MAX { Cow::Borrowed(content) } else { Cow::Owned(decoded.into_owned()) }
}

/// The headers of a mail as they stand there, unfolded.
pub(super) struct Headers<'m>(Vec<(&'m str, Cow<'m, str>)>);

impl<'m> Headers<'m> {
    /// Those of a mail.
    pub(super) fn of(message: &'m Message<'m>) -> Headers<'m> {
        Headers(message.headers_raw().map(|(name, value)| (name.trim(), unfolded(value))).collect())
    }

    /// All values of a header, from the top.
    pub(super) fn all(&self, wanted: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_ref())
    }

    /// The uppermost value of a header.
    pub(super) fn first(&self, wanted: &str) -> Option<&str> {
        self.all(wanted).next()
    }

    /// Whether a header is there whose name begins so.
    pub(super) fn begins(&self, beginning: &str) -> bool {
        self.0
            .iter()
            .any(|(name, _)| name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning)))
    }
}

fn unfolded(value: &str) -> Cow<'_, str> {
    let value = value.trim();
    if value.contains(['\r', '\n']) {
        Cow::Owned(value.lines().map(str::trim).collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(value)
    }
}

/// A header's text without signs that have no business there.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(HEADER).collect::<String>().trim().to_owned()
}

/// The ids of a header of ids.
fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    match value {
        HeaderValue::Text(id) => vec![clean(id)],
        HeaderValue::TextList(list) => list.iter().take(LISTED).map(|id| clean(id)).collect(),
        _ => Vec::new(),
    }
}

/// The addresses that a mail was delivered for. What a server wrote down counts before what the sender wrote.
fn recipients(message: &Message<'_>, headers: &Headers<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |address: &str| {
        let address = clean(address.trim_matches(['<', '>', ' ']));
        if address.contains('@') && found.len() < LISTED && !found.contains(&address) {
            found.push(address);
        }
    };
    for name in ["Delivered-To", "X-Original-To", "X-Envelope-To", "Envelope-To"] {
        headers.all(name).for_each(&mut add);
    }
    for address in message.all_to().chain(message.cc()).flat_map(Address::iter) {
        address.address().into_iter().for_each(&mut add);
    }
    found
}

/// What the trusted server found: the uppermost header with its name, since it takes out those that others wrote below.
fn authenticated(headers: &Headers<'_>, authserv: &str) -> Authenticated {
    let named = |value: &&str| {
        let name = value.split([';', ' ', '\t']).next().unwrap_or_default();
        name.eq_ignore_ascii_case(authserv)
    };
    let Some(value) = headers.all("Authentication-Results").find(named) else { return Authenticated::Unknown };
    let value = bare(&value.to_ascii_lowercase());
    let found = |method: &str| {
        value
            .split(';')
            .filter_map(|part| part.trim_start().strip_prefix(method))
            .find_map(|rest| rest.trim_start().strip_prefix('=')?.split_ascii_whitespace().next().map(str::to_owned))
    };
    // DMARC is about the address in From; SPF alone is about the envelope, and fails for whoever forwards. Whose DKIM
    // signature it is nobody asks: what passes is not looked at.
    if found("dmarc").as_deref() == Some("fail") { Authenticated::Fail } else { Authenticated::Unknown }
}

/// A header's value without comments and without what stands in quotation marks: that may be the sender's own.
fn bare(value: &str) -> String {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let keep = |c: &char| {
        let inside = quoted || depth > 0;
        match *c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => return !inside,
        }
        false
    };
    value.chars().filter(keep).collect()
}

/// What was written in the first part of text that says anything.
fn text(message: &Message<'_>) -> String {
    let mut bodies = message.text_bodies().chain(message.html_bodies());
    let written = bodies.find_map(|part| {
        let lines = lines(message, part)?;
        (!lines.trim().is_empty()).then(|| quote::written(beginning(&lines)))
    });
    written.unwrap_or_default().chars().take(TEXT).collect()
}

/// As much of a text as is looked through.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LOOKED)).unwrap_or(text)
}

/// A part of text as lines; quoted ones begin with `>`.
fn lines(message: &Message<'_>, part: &MessagePart<'_>) -> Option<String> {
    let kind = part.content_type();
    let text = || {
        let decoded = decoded(message, part);
        let set = kind.and_then(|kind| kind.attribute("charset"));
        match set.and_then(|set| charset_decoder(set.as_bytes())) {
            Some(decode) => decode(&decoded),
            None => String::from_utf8_lossy(&decoded).into_owned(),
        }
    };
    match &part.body {
        PartType::Text(_) => {
            let set = |name: &str, value: &str| {
                kind.and_then(|kind| kind.attribute(name)).is_some_and(|set| set.eq_ignore_ascii_case(value))
            };
            let text = plain::clean(&text());
            Some(if set("format", "flowed") { plain::unflowed(&text, set("delsp", "yes")) } else { text })
        }
        PartType::Html(_) => Some(plain::clean(&html::lines(&text()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(headers: &str) -> Inbound {
        read(format!("{headers}\r\nSubject: x\r\n\r\nH7-F7\r\n").as_bytes(), Some("mx.example.org")).unwrap()
    }

    #[test]
    fn a_mail_of_several_senders_is_of_none() {
        assert_eq!(mail("From: Ann <ann@example.com>").from.as_deref(), Some("ann@example.com"));
        assert_eq!(mail("From: \"ben@example.com\" <ann@example.com>").from.as_deref(), Some("ann@example.com"));
        assert_eq!(mail("From: ann@example.com, ben@example.com").from, None);
        assert_eq!(mail("From: ann@example.com\r\nFrom: ben@example.com").from, None);
        assert_eq!(mail("From: ann@example.com\r\nfrom : ben@example.com").from, None);
    }

    #[test]
    fn findings_are_not_those_that_a_sender_has_written_into_them() {
        let found = |value: &str| mail(&format!("From: a@b.c\r\nAuthentication-Results: {value}")).authenticated;
        assert_eq!(found("mx.example.org; dmarc=fail"), Authenticated::Fail);
        assert_eq!(found("mx.example.org 1; spf=pass; dmarc=pass (p=none)"), Authenticated::Unknown);
        assert_eq!(found("mx.example.org; dkim=pass header.d=evil.example; dmarc=fail"), Authenticated::Fail);
        assert_eq!(found("mx.example.org; dkim=fail reason=\"x; dmarc=pass\"; dmarc=fail"), Authenticated::Fail);
        assert_eq!(found("mx.example.org; dkim=fail (\\) ; dmarc=pass); dmarc=fail"), Authenticated::Fail);
        assert_eq!(found("mx.example.net; dmarc=fail"), Authenticated::Unknown);
        let twice = "mx.example.org; dmarc=fail\r\nAuthentication-Results: mx.example.org; dmarc=pass";
        assert_eq!(found(twice), Authenticated::Fail, "the uppermost is the server's");
    }

    #[test]
    fn a_message_id_may_be_missing_empty_or_without_end() {
        for id in ["", "Message-ID:\r\n", "Message-ID: <>\r\n", "Message-ID: <  >\r\n"] {
            assert_eq!(mail(&format!("{id}From: a@b.c")).message_id, None, "{id}");
        }
        let long = mail(&format!("Message-ID: <{}@b.c>\r\nFrom: a@b.c", "a".repeat(100_000))).message_id.unwrap();
        assert!(long.len() <= HEADER);
    }
}
