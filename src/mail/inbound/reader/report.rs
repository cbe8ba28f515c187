//! Reports of servers that could not deliver a letter (RFC 3464).

use mail_parser::MimeHeaders;

use super::{Headers, Unreadable, decoded, parse};

/// The longest reason that is given on, in characters.
const WHY: usize = 300;

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// Whether no later letter will fare better.
    pub hard: bool,
    /// What the other server said.
    pub why: String,
}

/// Whether an enhanced status code (RFC 3463) says that no letter to its reader will ever fare better: the address is none, or
/// its mailbox is shut. A full mailbox (x.2.2) may be emptied; a letter that is too large, a route that is broken or a
/// policy against this server (x.7.x) is no fault of the reader's, and x.1.7 and x.1.8 are about the sender's address.
#[must_use]
pub fn means_no_such_reader(status: &str) -> bool {
    let mut parts = status.split('.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("5"), Some("1"), Some(detail)) => !matches!(detail, "7" | "8"),
        (Some("5"), Some("2"), Some("0" | "1")) => true,
        // A domain that is none, and Exchange's word for a mailbox that is none.
        (Some("5"), Some("4"), Some("1" | "4")) => true,
        // Postfix and Exim say so where the other server gave a code alone.
        (Some("5"), Some("0"), Some("0")) => true,
        _ => false,
    }
}

/// Reads a report. What is none, or tells of a delay alone, is `None`.
///
/// # Errors
/// It is no mail at all.
pub fn read(bytes: &[u8]) -> Result<Option<Bounce>, Unreadable> {
    let message = parse(bytes)?;
    let status = message.parts.iter().find(|part| part.is_content_type("message", "delivery-status"));
    if let Some(part) = status {
        let text = String::from_utf8_lossy(&decoded(&message, part)).into_owned();
        return Ok(fields(&text));
    }
    // Exim reports in words of its own, but says that it does.
    let headers = Headers::of(&message);
    let failed = headers.first("X-Failed-Recipients").is_some();
    Ok(failed.then(|| Bounce { hard: true, why: "the receiving server did not say why".into() }))
}

/// The fields of a report about one recipient; there is one recipient a letter.
fn fields(text: &str) -> Option<Bounce> {
    let text = text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
    let field = |name: &str| {
        text.lines().filter_map(|line| line.split_once(':')).find(|(field, _)| field.trim().eq_ignore_ascii_case(name))
    };
    let value = |name: &str| field(name).map(|(_, value)| value.trim());
    if !value("Action")?.eq_ignore_ascii_case("failed") {
        return None;
    }
    let status = value("Status").unwrap_or_default();
    let why = value("Diagnostic-Code").unwrap_or(status);
    let status = status.split([' ', '(']).next().unwrap_or_default();
    let hard = status.is_empty() || means_no_such_reader(status);
    Some(Bounce { hard, why: why.chars().filter(|c| !c.is_control()).take(WHY).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(fields: &str) -> Vec<u8> {
        format!(
            "From: MAILER-DAEMON@mx.example.com\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; ann@example.com\r\n{fields}\r\n--b--\r\n"
        )
        .into_bytes()
    }

    #[test]
    fn reports_say_whether_it_is_for_good() {
        let read = |fields| read(&report(fields)).unwrap();
        let hard = read("Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n  User unknown\r\n");
        assert_eq!(hard, Some(Bounce { hard: true, why: "smtp; 550 5.1.1  User unknown".into() }));
        assert_eq!(read("Action: failed\r\nStatus: 4.4.7\r\n").map(|bounce| bounce.hard), Some(false));
        assert_eq!(read("Action: failed\r\nStatus: 5.2.2\r\n").map(|bounce| bounce.hard), Some(false));
        assert_eq!(read("Action: failed\r\nStatus: 5.7.1 (policy)\r\n").map(|bounce| bounce.hard), Some(false));
        assert_eq!(read("Action: failed\r\nStatus: 5.4.4\r\n").map(|bounce| bounce.hard), Some(true));
        assert_eq!(read("Action: failed\r\nStatus: 5.0.0\r\n").map(|bounce| bounce.hard), Some(true));
        assert_eq!(read("Action: delayed\r\nStatus: 4.4.1\r\n"), None);
    }

    #[test]
    fn what_absent_people_send_is_no_report() {
        assert_eq!(super::read(b"From: a@b.c\r\nSubject: Out of office\r\n\r\nAction: failed\r\n").unwrap(), None);
        assert!(super::read(b"From: a@b.c\r\nX-Failed-Recipients: d@e.f\r\n\r\nx\r\n").unwrap().is_some());
    }
}
