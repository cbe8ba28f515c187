//! Mail that comes in: what somebody wrote, without what their program put around it.
//!
//! Pure: bytes in, words out. Who may write, and what the words do, is for `play` to say.

/// A mail, read.
pub mod reader;
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
