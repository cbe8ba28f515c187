//! Any bytes are read as a mail, and as a report of a server that could not deliver, without a panic; what comes out is
//! bounded and plain. Beside the bytes as they are it is tried with them within an encoded message that nests deep, which no
//! fuzzer builds by chance.

#![no_main]

use libfuzzer_sys::fuzz_target;

// The reader alone: building the whole server for it would take minutes.
#[path = "../../src/mail/inbound/reader/mod.rs"]
#[allow(dead_code, reason = "the server uses more of it")]
mod reader;

fuzz_target!(|bytes: &[u8]| {
    holds(bytes);
    holds(&nested(bytes));
});

/// A mail that holds an encoded message; as many levels deep as the first octets say, lie the others.
fn nested(bytes: &[u8]) -> Vec<u8> {
    let (levels, rest) = bytes.split_at(bytes.len().min(2));
    let levels = levels.iter().fold(0, |levels, byte| levels << 8 | usize::from(*byte)) % 25_000;
    let mut mail = b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n".to_vec();
    mail.extend(b"Con=74ent-Type:message/rfc822\n\n".repeat(levels));
    mail.extend(rest);
    mail
}

fn holds(bytes: &[u8]) {
    if let Ok(Some(bounce)) = reader::report::read(bytes) {
        assert!(bounce.why.chars().count() <= 300 && !bounce.why.chars().any(char::is_control), "a reason is one line");
    }
    let Ok(mail) = reader::read(bytes, Some("mx.example.org")) else { return };
    assert!(mail.text.chars().count() <= 20_000, "the text is bounded");
    assert!(mail.text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "the text is plain");
    let headers = [&mail.from, &mail.message_id].into_iter().flatten().chain(&mail.references).chain(&mail.recipients);
    for header in headers {
        assert!(!header.chars().any(char::is_control), "a header is one line");
    }
}
