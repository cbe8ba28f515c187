//! The mail door: what a letter says, how it leaves, and how an answer to it is read.
//!
//! A letter is composed when it is sent, from the projection of the seat that it goes to.

/// What a letter says.
mod words;
/// The words of letters about a game's time and its offers.
mod timely;
/// The words of a digest.
mod digest;
/// The words of answers to mail.
mod answered;
/// The words of letters about a person.
mod people;
/// Letters about what an organiser did.
mod organiser;
/// How a letter is answered.
mod reply;
/// The board in a letter.
mod board;
/// From a due letter to a message.
pub mod compose;
/// The headers by which programs understand a letter.
mod headers;
/// Signatures.
pub mod signing;
/// From a message to a server or a file.
pub mod transport;
/// A letter as it stands in such a conversation.
mod wire;
/// One lasting conversation with a mail server.
mod courier;
/// What such a conversation runs over.
pub(crate) mod stream;
/// What a mail server means that refuses a reader.
mod refusal;
/// Trying mail out.
pub mod trial;

/// The addresses that come back.
pub mod answers;
/// Mail that comes in.
pub mod inbound;

pub use answers::Answers;
pub use compose::{Sender, compose};
pub use courier::Courier;
pub use lettre::message::Mailbox;
pub use signing::Signing;
pub use transport::{Outgoing, Transport, TransportError};
