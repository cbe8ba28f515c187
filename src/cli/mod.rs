//! What the program does from the command line, beside serving.

/// `fieldcommand adjudicate`: days from standard input.
pub mod adjudicate;
