//! Reminders: at two distances before a deadline, once each, never to who has sealed; and a nudge in a game without
//! deadlines that lies still.
//!
//! `games.remind_at` is the first moment to come at which somebody of the game may have to be reminded. It is set together
//! with the deadline, so a distance that was past when the turn was announced is never looked at; and the sweep looks at
//! what lies between it and now, of which each seat gets the nearest alone.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::absence::DAY;
use crate::play::game::Game;
use crate::play::letters::LetterKind;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::{SeatRow, Writer};

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1000;
/// The usual distances of both reminders, in hours.
const USUAL: [i64; 2] = [24, 3];
/// After so many idle days a game without deadlines is remembered to its players.
const NUDGE_DAYS: i64 = 14;

/// The moments at which a seat is to be reminded of a deadline, with the number of the reminder.
fn moments(seat: &SeatRow, due: Timestamp) -> Vec<(Timestamp, i64)> {
    let hours = [seat.remind_first_hours.unwrap_or(USUAL[0]), seat.remind_second_hours.unwrap_or(USUAL[1])];
    let moment = |(hours, number): (i64, i64)| (hours > 0).then(|| (Timestamp(due.0 - hours * HOUR), number));
    hours.into_iter().zip(1..).filter_map(moment).collect()
}

/// The next moment after `now` at which any of the seats is to be reminded.
fn next(seats: &[SeatRow], due: Timestamp, now: Timestamp) -> Option<Timestamp> {
    seats.iter().flat_map(|seat| moments(seat, due)).map(|(at, _)| at).filter(|at| *at > now).min()
}

impl Play {
    /// Sets when the awaited turn of a locked game is due, and with it when its players are reminded.
    pub(in crate::play) async fn set_due(
        &self,
        tx: &mut Writer,
        game: &Game,
        due: Option<Timestamp>,
    ) -> Result<(), PlayError> {
        let (id, now) = (game.id.as_str(), self.clock.now());
        let remind = match due {
            Some(due) => next(&tx.seats(id).await?, due, now),
            None => None,
        };
        tx.set_due(id, due.map(|due| due.0)).await?;
        Ok(tx.set_remind(id, remind.map(|at| at.0)).await?)
    }

    /// Says when the players of a game without deadlines are reminded, if it moves now.
    pub(in crate::play) async fn set_nudge(&self, tx: &mut Writer, game: &Game) -> Result<(), PlayError> {
        let nudge = (game.pace == Pace::Open && game.device.is_none()).then(|| self.clock.now().0 + NUDGE_DAYS * DAY);
        Ok(tx.set_remind(game.id.as_str(), nudge).await?)
    }

    /// Reminds the players of a locked game of whom that is due.
    pub(in crate::play) async fn remind(&self, tx: &mut Writer, game: &Game) -> Result<(), PlayError> {
        let (id, now) = (game.id.as_str(), self.clock.now());
        let Some(since) = game.reminds.filter(|since| *since <= now) else { return Ok(()) };
        let seats = tx.seats(id).await?;
        for seat in &seats {
            let Some(side) = Side::from_word(&seat.side) else { continue };
            if tx.seal(id, &seat.side).await?.is_some() {
                continue;
            }
            match game.due {
                None => self.queue_letter(tx, game, side, LetterKind::Nudge, 0).await?,
                Some(due) => {
                    let passed = moments(seat, due).into_iter().filter(|(at, _)| since <= *at && *at <= now);
                    if let Some((_, number)) = passed.max_by_key(|(at, _)| *at) {
                        self.queue_letter(tx, game, side, LetterKind::Reminder, number).await?;
                    }
                }
            }
        }
        let remind = game.due.and_then(|due| next(&seats, due, now));
        Ok(tx.set_remind(id, remind.map(|at| at.0)).await?)
    }
}
