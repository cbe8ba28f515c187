//! Any bytes are read as a mail without a panic, and what comes out is bounded and plain.

#![no_main]

use libfuzzer_sys::fuzz_target;

// The reader alone: building the whole server for it would take minutes.
#[path = "../../src/mail/inbound/reader/mod.rs"]
#[allow(dead_code, reason = "the server uses more of it")]
mod reader;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mail) = reader::read(bytes, Some("mx.example.org")) else { return };
    assert!(mail.text.chars().count() <= 20_000, "the text is bounded");
    assert!(mail.text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "the text is plain");
    let headers = [&mail.from, &mail.message_id].into_iter().flatten().chain(&mail.references).chain(&mail.recipients);
    for header in headers {
        assert!(!header.chars().any(char::is_control), "a header is one line");
    }
});
