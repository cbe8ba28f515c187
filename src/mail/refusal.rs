//! What a mail server means that refuses a letter's reader: that there is no such reader, or that it wants nothing from us.

use crate::mail::inbound::reader::report;

/// Codes that are about a mailbox where nothing more is said (RFC 5321, 4.2.2). Of 550 that is one meaning of two.
const OF_A_MAILBOX: [u16; 3] = [550, 551, 553];
/// Codes of 500 and more are for good.
const FOR_GOOD: u16 = 500;
/// Codes that want this server to protect the connection or to sign in (RFC 3207, RFC 4954).
const OF_SIGNING_IN: [u16; 4] = [530, 534, 535, 538];
/// Words by which servers without better codes say that they want nothing from this sender, in lower case.
const OF_THE_SENDER: [&str; 13] = [
    "relay",
    "denied",
    "policy",
    "spam",
    "block",
    "blacklist",
    "reputation",
    "auth",
    "sender",
    "spf",
    "dmarc",
    "not permitted",
    "not allowed",
];

/// Whether a refusal after `RCPT` says that no letter to that reader will ever fare better. What it says of this server, of
/// its rights or its letters, is for its admin to mend, and no fault of the reader's. A refusal for now says nothing of
/// the kind, whatever status stands beside its code.
pub(super) fn means_no_such_reader(code: u16, said: &str) -> bool {
    if code < FOR_GOOD {
        return false;
    }
    if let Some(status) = status(said) {
        return report::means_no_such_reader(status);
    }
    OF_A_MAILBOX.contains(&code) && !says_of_the_sender(said)
}

/// Whether words without a better code are about this server.
fn says_of_the_sender(said: &str) -> bool {
    let said = said.to_lowercase();
    OF_THE_SENDER.iter().any(|word| said.contains(word))
}

/// Whether a refusal may be another one later. Besides what a server says so of, that is what it says of this server and its
/// rights, at whatever step: its admin mends that, and the letters are not to be lost meanwhile.
pub(super) fn may_change(code: u16, said: &str) -> bool {
    if code < FOR_GOOD || OF_SIGNING_IN.contains(&code) {
        return true;
    }
    if let Some(status) = status(said) {
        return status.starts_with("5.7.") || matches!(status, "5.1.7" | "5.1.8");
    }
    says_of_the_sender(said)
}

/// The first enhanced status code of a text (RFC 3463): `5.1.1`.
fn status(said: &str) -> Option<&str> {
    let number = |part: &str| !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    said.split(|c: char| c.is_whitespace() || matches!(c, '#' | '(' | ')' | ':' | ',' | ';')).find(|word| {
        let parts: Vec<&str> = word.split('.').collect();
        matches!(parts.as_slice(), ["2" | "4" | "5", subject, detail] if number(subject) && number(detail))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_reader_is_told_from_what_is_said_of_this_server() {
        for (code, said, reader) in [
            (550, "permanent error (550): 5.1.1 <ann@example.org>: no such user", true),
            (550, "5.1.10 RESOLVER.ADR.RecipientNotFound", true),
            (550, "#5.1.2 bad domain", true),
            (550, "permanent error (550): 5.2.1 The account is disabled", true),
            (550, "permanent error (550): no such user here", true),
            (551, "user not local", true),
            (550, "5.1.8 sender's domain not found", false),
            (550, "5.7.1 Unable to relay", false),
            (554, "5.7.1 blocked: see https://lists.example.org/5.1.1", false),
            (552, "5.2.2 mailbox full", false),
            (550, "relaying denied", false),
            (553, "sorry, that sender is not in my list", false),
            (554, "no such user", false),
            (530, "5.7.0 Authentication required", false),
            (503, "5.5.1 bad sequence", false),
            // A status that does not fit its code (RFC 2034, 4).
            (450, "5.1.1 mailbox busy", false),
            (451, "permanent error: 5.1.1 try again", false),
        ] {
            assert_eq!(means_no_such_reader(code, said), reader, "{code} {said}");
        }
    }

    #[test]
    fn what_is_said_of_this_server_may_change() {
        for (code, said, changes) in [
            (450, "5.1.1 mailbox busy", true),
            (554, "permanent error (554): 5.7.1 <ann@example.org>: Relay access denied", true),
            (530, "5.7.0 Must issue a STARTTLS command first", true),
            (530, "must sign in", true),
            (553, "5.7.1 <play@example.org>: Sender address rejected: not owned by user", true),
            (550, "5.1.8 sender's domain not found", true),
            (554, "Service unavailable; client blocked", true),
            (550, "5.1.1 no such user", false),
            (552, "5.3.4 too large", false),
            (554, "5.6.0 malformed", false),
            (552, "5.2.2 mailbox full", false),
            (554, "transaction failed", false),
        ] {
            assert_eq!(may_change(code, said), changes, "{code} {said}");
        }
    }
}
