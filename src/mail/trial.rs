//! Trying mail out, for who sets a server up: a conversation that ends before any letter, or a letter to oneself.

use lettre::Message;
use lettre::message::Mailbox;

use crate::clock::{Chance, Timestamp};
use crate::mail::courier::{Courier, ask};
use crate::mail::transport::{SmtpServer, Transport};

/// Talks with a mail server as far as it says whether it would take a letter from `from` to `from`.
///
/// # Errors
/// What the server says, or why there is no conversation.
pub async fn conversation(server: &SmtpServer, from: &Mailbox) -> Result<(), String> {
    ask(server, &from.email, &from.email).await
}

/// Sends a letter that says nothing but that it is one.
///
/// # Errors
/// The address is none; the letter did not leave.
pub async fn letter(transport: &Transport, from: &Mailbox, to: &str, now: Timestamp) -> Result<(), String> {
    let to: Mailbox = to.parse().map_err(|_| format!("{to} is not an e-mail address"))?;
    let id = data_encoding::HEXLOWER.encode(&Chance::System.bytes::<16>());
    let message = Message::builder()
        .from(from.clone())
        .to(to)
        .subject("A letter to try mail out")
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .date(std::time::UNIX_EPOCH + std::time::Duration::from_millis(now.0.max(0).cast_unsigned()))
        .body("This letter was sent by `fieldcommand doctor`: mail leaves the server.\n".to_owned())
        .map_err(|error| error.to_string())?;
    let mut courier = Courier::new(transport.clone());
    let letter = transport.prepare(&id, &message).map_err(|error| error.to_string())?;
    let done = courier.deliver(&letter).await.map_err(|error| error.to_string());
    courier.rest().await;
    done
}
