//! Mail that comes in: read without what programs put around it, and given to `play`.

/// A mail, read: bytes in, words out.
pub mod reader;
/// A mail for one recipient, read and given on.
pub mod door;
/// From a mail server.
pub mod lmtp;

pub use door::{Door, NotTaken};
