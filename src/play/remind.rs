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
use crate::play::idle::{closes_from, has_computer};
use crate::play::letters::LetterKind;
use crate::play::wishes::Wishes;
use crate::play::{Play, PlayError};
use crate::rules::Side;
use crate::store::Writer;

/// What tells the reminders of a deadline apart, so that those of the next deadline of a turn are others.
const MOST_REMINDERS: i64 = 4;
/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1000;
/// After so many idle days a game without deadlines is remembered to its players.
const NUDGE_DAYS: i64 = 14;

/// The moments at which a seat is to be reminded of a deadline, with the number of the reminder.
fn moments(wishes: &Wishes, due: Timestamp) -> Vec<(Timestamp, i64)> {
    let moment = |(hours, number): (Option<u32>, i64)| Some((Timestamp(due.0 - i64::from(hours?) * HOUR), number));
    wishes.ahead.into_iter().zip(1..).filter_map(moment).collect()
}

/// The next moment after `now` at which any of the seats is to be reminded.
fn next(seats: &[(Side, Wishes)], due: Timestamp, now: Timestamp) -> Option<Timestamp> {
    seats.iter().flat_map(|(_, wishes)| moments(wishes, due)).map(|(at, _)| at).filter(|at| *at > now).min()
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
            Some(due) => next(&self.wishes_of_game(tx, id).await?, due, now),
            None => None,
        };
        tx.set_due(id, due.map(|due| due.0)).await?;
        Ok(tx.set_remind(id, remind.map(|at| at.0)).await?)
    }

    /// What the players of a game wish; those who have confirmed no address have the usual wishes, since they still may.
    async fn wishes_of_game(&self, tx: &mut Writer, game: &str) -> Result<Vec<(Side, Wishes)>, PlayError> {
        let mut all = Vec::new();
        for seat in tx.seats(game).await? {
            let Some(side) = Side::from_word(&seat.side) else { continue };
            let wishes = match &seat.person_id {
                Some(person) => self.letter_wishes(tx, person).await?,
                None => Wishes::default(),
            };
            all.push((side, wishes));
        }
        Ok(all)
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
        let seats = self.wishes_of_game(tx, id).await?;
        for (side, wishes) in &seats {
            let side = *side;
            if tx.seal(id, side.word()).await?.is_some() {
                continue;
            }
            match game.due {
                None => self.queue_letter(tx, game, side, LetterKind::Nudge, since.0).await?,
                Some(due) => {
                    let passed = moments(wishes, due).into_iter().filter(|(at, _)| since <= *at && *at <= now);
                    if let Some((_, number)) = passed.max_by_key(|(at, _)| *at) {
                        let once = due.0 * MOST_REMINDERS + number;
                        self.queue_letter(tx, game, side, LetterKind::Reminder, once).await?;
                    }
                }
            }
        }
        let remind = match game.due {
            Some(due) => next(&seats, due, now),
            // A forgotten game against a computer is looked at once more, to be closed.
            None if has_computer(tx, game).await? => closes_from(game),
            None => None,
        };
        Ok(tx.set_remind(id, remind.map(|at| at.0)).await?)
    }
}
