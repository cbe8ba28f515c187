//! What the two players of a game write to each other. Nobody else reads it, but for what one of them reports.
//!
//! Messages have numbers of their own and leave `games.version` alone: who looks on at a game learns nothing of them. What looks like
//! orders is asked about first, so that no sheet lands in the opponent's hands by mistake.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Side;
use crate::store::{MailboxRow, MessageRow, NewReport, Reader, Writer};

/// The longest message, in characters.
pub const LONGEST: usize = 2000;
/// The longest reason of a report, in characters.
pub const LONGEST_REASON: usize = 500;
/// How many messages stand on a page.
const PAGE: usize = 50;
/// How many messages a seat sends in an hour.
const MOST_IN_AN_HOUR: i64 = 20;
/// How many reports a seat makes in a day.
const MOST_REPORTS: i64 = 5;
/// How many messages a report copies.
const REPORTED: i64 = 20;
/// An hour in milliseconds.
const HOUR: i64 = 3_600_000;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Its number in the game, from 1.
    pub number: i64,
    /// The side that wrote it.
    pub side: Side,
    /// The text.
    pub text: String,
    /// When it was sent.
    pub at: Timestamp,
}

/// A page of a game's messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The messages, the oldest first.
    pub messages: Vec<Message>,
    /// Whether there are earlier ones.
    pub earlier: bool,
}

/// How a seat stands to its messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mailbox {
    /// Whether there is somebody to write to.
    pub open: bool,
    /// The number of the last message.
    pub last: i64,
    /// How many of the opponent's have not been read.
    pub unread: i64,
    /// Whether none are announced.
    pub muted: bool,
}

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct ToSend {
    /// The text.
    pub text: String,
    /// Whether it goes out though it looks like a sheet.
    pub all_the_same: bool,
}

impl Play {
    /// The messages of a seat's game before a number; without one, the last.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] where both sides sit at one device.
    pub async fn messages(&self, seat: &Seat, before: Option<i64>) -> Result<Thread, PlayError> {
        let seat = seat.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let id = seat.game().as_str();
                    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
                    apart(&game)?;
                    let most = i64::try_from(PAGE).unwrap_or(i64::MAX) + 1;
                    let mut rows = tx.messages(id, before.unwrap_or(i64::MAX), most).await?;
                    let earlier = rows.len() > PAGE;
                    rows.truncate(PAGE);
                    let messages = rows.into_iter().rev().map(read).collect::<Result<_, _>>()?;
                    Ok::<_, PlayError>(Thread { messages, earlier })
                })
            })
            .await
    }

    /// Sends a message to the opponent.
    ///
    /// # Errors
    /// [`PlayError::LooksLikeSheet`], [`PlayError::TooMany`]; a text that is empty or too long; [`PlayError::NotFound`] where there is
    /// nobody to write to.
    pub async fn send_message(&self, seat: &Seat, message: ToSend) -> Result<Message, PlayError> {
        let text = checked_text(&message.text, "message", LONGEST)?;
        let (play, asker, all_the_same) = (self.clone(), seat.clone(), message.all_the_same);
        let written = self
            .store
            .write(move |tx| {
                let (play, seat, text) = (play.clone(), asker.clone(), text.clone());
                Box::pin(async move { play.send_in(tx, &seat, &text, all_the_same).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(written)
    }

    /// Sends a message within a transaction.
    pub(in crate::play) async fn send_checked(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        message: &ToSend,
    ) -> Result<Message, PlayError> {
        let text = checked_text(&message.text, "message", LONGEST)?;
        self.send_in(tx, seat, &text, message.all_the_same).await
    }

    async fn send_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        text: &str,
        all_the_same: bool,
    ) -> Result<Message, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        apart(&game)?;
        let (id, side, now) = (game.id.as_str(), seat.side(), self.clock.now());
        let theirs = tx.seat(id, side.other().word()).await?.ok_or(PlayError::NotFound)?;
        if theirs.taken_at.is_none() || theirs.computer.is_some() {
            return Err(PlayError::NotFound);
        }
        if tx.count_messages(id, side.word(), now.0 - HOUR).await? >= MOST_IN_AN_HOUR {
            return Err(PlayError::TooMany("Twenty messages have left this seat within an hour."));
        }
        if !all_the_same && game.ended.is_none() && game.standing.reads_as_sheet(text) {
            return Err(PlayError::LooksLikeSheet);
        }
        let mailbox = mailbox(tx, id, side.other()).await?;
        let row = MessageRow {
            number: mailbox.last + 1,
            side: side.word().to_owned(),
            body: text.to_owned(),
            sent_at: now.0,
        };
        tx.insert_message(id, &row).await?;
        tx.mark_read(id, side.word(), row.number).await?;
        if mailbox.muted_at.is_none() {
            self.queue_letter(tx, &game, side.other(), LetterKind::Message, row.number).await?;
        }
        read(row)
    }

    /// Marks the messages up to a number as read. The opponent learns nothing of it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn read_messages(&self, seat: &Seat, number: i64) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let (id, side) = (seat.game().as_str(), seat.side());
                    play.still_held(tx, &seat).await?;
                    let last = mailbox(tx, id, side).await?.last;
                    tx.mark_read(id, side.word(), number.min(last)).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Sets whether the opponent's messages are announced no more. The opponent learns nothing of it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn mute(&self, seat: &Seat, wanted: bool) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    play.still_held(tx, &seat).await?;
                    let since = wanted.then(|| play.clock.now().0);
                    tx.set_muted(seat.game().as_str(), seat.side().word(), since).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Reports the messages to the organiser: the last ones are copied as they are now. The log gets a line without a word of them.
    ///
    /// # Errors
    /// A reason that is empty or too long; [`PlayError::TooMany`]; [`PlayError::NotFound`] where nothing was written.
    pub async fn report_messages(&self, seat: &Seat, reason: &str) -> Result<(), PlayError> {
        let reason = checked_text(reason, "reason", LONGEST_REASON)?;
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat, reason) = (play.clone(), asker.clone(), reason.clone());
                Box::pin(async move { play.report_in(tx, &seat, &reason).await })
            })
            .await?;
        tracing::warn!(game = %seat.game(), side = seat.side().word(), "messages were reported");
        Ok(())
    }

    async fn report_in(&self, tx: &mut Writer, seat: &Seat, reason: &str) -> Result<(), PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        let (id, side, now) = (game.id.as_str(), seat.side().word(), self.clock.now().0);
        if tx.count_reports(id, side, now - 24 * HOUR).await? >= MOST_REPORTS {
            return Err(PlayError::TooMany("Five reports have left this seat within a day."));
        }
        let rows = tx.messages(id, i64::MAX, REPORTED).await?;
        if rows.is_empty() {
            return Err(PlayError::NotFound);
        }
        let messages = rows.into_iter().rev().map(read).collect::<Result<Vec<_>, _>>()?;
        let thread = serde_json::to_string(&messages).map_err(|error| PlayError::Broken(error.to_string()))?;
        let id_of_report = self.sorted_id();
        tx.insert_report(&NewReport { id: &id_of_report, game_id: id, side, reason, thread: &thread, now }).await?;
        Ok(())
    }

    /// The number of the last message that is announced to a seat; 0 where none are.
    ///
    /// # Errors
    /// The store failed.
    pub async fn announced_message(&self, seat: &Seat) -> Result<i64, PlayError> {
        let seat = seat.clone();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mailbox = mailbox(tx, seat.game().as_str(), seat.side()).await?;
                    Ok::<_, PlayError>(if mailbox.muted_at.is_some() { 0 } else { mailbox.last })
                })
            })
            .await
    }

    /// One message of a game, for the letter that carries it.
    pub(in crate::play) async fn message(&self, game: &str, number: i64) -> Result<Option<Message>, PlayError> {
        let game = game.to_owned();
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.messages(&game, number.saturating_add(1), 1).await }))
            .await?;
        let message = rows.into_iter().next().map(read).transpose()?;
        Ok(message.filter(|message| message.number == number))
    }
}

/// How a seat stands to its messages, for its projection.
pub(in crate::play) async fn mailbox_of(
    tx: &mut Reader,
    game: &Game,
    side: Side,
    present: bool,
) -> Result<Mailbox, PlayError> {
    if game.device.is_some() {
        return Ok(Mailbox::default());
    }
    let row = mailbox(tx, game.id.as_str(), side).await?;
    Ok(Mailbox { open: present, last: row.last, unread: row.unread, muted: row.muted_at.is_some() })
}

async fn mailbox(tx: &mut Reader, game: &str, side: Side) -> Result<MailboxRow, PlayError> {
    tx.mailbox(game, side.word()).await?.ok_or(PlayError::NotFound)
}

/// Who sit at one device talk to each other.
const fn apart(game: &Game) -> Result<(), PlayError> {
    if game.device.is_some() { Err(PlayError::NotFound) } else { Ok(()) }
}

fn read(row: MessageRow) -> Result<Message, PlayError> {
    let side = Side::from_word(&row.side).ok_or_else(|| PlayError::Broken("message".into()))?;
    Ok(Message { number: row.number, side, text: row.body, at: Timestamp(row.sent_at) })
}

/// Signs that turn the direction of writing: they could make a message read as what was not written.
const fn turns(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text as it is kept: no control signs but line ends, none that turn its direction, no empty space around it.
fn checked_text(text: &str, field: &'static str, longest: usize) -> Result<String, PlayError> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text: String = text.chars().filter(|c| *c == '\n' || *c == '\t' || !(c.is_control() || turns(*c))).collect();
    let text = text.trim().to_owned();
    match text.chars().count() {
        0 => Err(PlayError::Field { field, problem: "is empty".into() }),
        length if length > longest => {
            Err(PlayError::Field { field, problem: format!("is longer than {longest} characters") })
        }
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_plain_and_bounded() {
        assert_eq!(checked_text(" Well\r\nplayed\0!\u{7} ", "message", 20).unwrap(), "Well\nplayed!");
        assert_eq!(checked_text("a\u{202E}b\u{2067}c", "message", 20).unwrap(), "abc");
        assert!(checked_text(" \n\u{0}", "message", 20).is_err());
        assert!(checked_text(&"ä".repeat(21), "message", 20).is_err());
        assert!(checked_text(&"ä".repeat(20), "message", 20).is_ok());
    }
}
