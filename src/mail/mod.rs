//! The mail door, outwards: what a letter says, and how it leaves.
//!
//! A letter is composed when it is sent, from the projection of the seat that it goes to.

/// What a letter says.
mod words;
/// The words of a digest.
mod digest;
/// The words of letters about a person.
mod people;
/// From a due letter to a message.
pub mod compose;
/// From a message to a server or a file.
pub mod transport;

pub use compose::{Sender, compose};
pub use transport::{Transport, TransportError};
