//! What the organiser should hear of: secrets that opened nothing, limits that were hit, sign-ins, forms that other sites sent.
//! A line in the log with the target `security`, so that `FIELDCOMMAND_LOG=security=info` shows these alone.
//!
//! No line holds a secret, an e-mail address or a name. A network stands in the lines about limits alone: there it is what
//! the organiser can do something about.

/// A line about something that was noticed: a level, what it was, and what is known of it.
macro_rules! noticed {
    ($level:ident, $what:literal $(, $($known:tt)+)?) => {
        tracing::event!(target: "security", tracing::Level::$level, $($($known)+,)? $what)
    };
}

pub(in crate::web) use noticed;
