//! Absences: each player has a budget of days to announce, in which nothing is due.
//!
//! A deadline that falls within an absence of either side moves to its end: the one that stands when the absence is
//! announced, and later ones when they are set. An absence that ends early gives back the days that had not begun, and
//! moves no deadline that has been announced. One that has moved the deadline of the awaited turn cannot be ended before
//! that turn is resolved: else a deadline could be put off again and again, and nothing be paid for it.

use crate::clock::Timestamp;
use crate::play::game::Game;
use crate::play::terms::counted;
use crate::play::{Play, PlayError, Seat};
use crate::rules::Side;
use crate::store::{AbsenceRow, Writer};

/// Milliseconds of a day.
pub(in crate::play) const DAY: i64 = 24 * 60 * 60 * 1000;
/// How far ahead an absence can be announced, in milliseconds.
const AHEAD: i64 = 366 * DAY;

/// Why an absence cannot be ended yet.
const HELD: &str = "is that of an absence that has moved the deadline of the awaited turn: its days stay taken until that turn \
                    is resolved";

/// An absence that a player has announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// When it begins.
    pub from: Timestamp,
    /// When it ends.
    pub until: Timestamp,
}

impl Absence {
    pub(in crate::play) fn of(row: &AbsenceRow) -> Absence {
        Absence { from: Timestamp(row.from_at), until: Timestamp(row.until_at) }
    }

    /// How many days of the budget it takes: each one that has begun.
    #[must_use]
    pub fn days(&self) -> u32 {
        u32::try_from((self.until.0 - self.from.0 + DAY - 1) / DAY).unwrap_or(0)
    }
}

/// How many days a side has left to announce.
pub(in crate::play) fn days_left(game: &Game, absences: &[AbsenceRow], side: Side) -> u32 {
    let own = absences.iter().filter(|row| row.side == side.word());
    game.terms.absence_days.saturating_sub(own.map(|row| Absence::of(row).days()).sum())
}

/// A deadline moved out of the absences that it falls into.
pub(in crate::play) fn clear_of(mut due: Timestamp, absences: &[AbsenceRow]) -> Timestamp {
    // Each absence moves it on once at most: it never falls back into one that it has left.
    while let Some(row) = absences.iter().find(|row| row.from_at <= due.0 && due.0 < row.until_at) {
        due = Timestamp(row.until_at);
    }
    due
}

/// Whether the deadline that stands was moved by an absence: to its end, or on from there by those that follow it.
fn holds(due: Option<Timestamp>, absence: &AbsenceRow, absences: &[AbsenceRow]) -> bool {
    due == Some(clear_of(Timestamp(absence.until_at), absences))
}

fn wrong(field: &'static str, problem: impl Into<String>) -> PlayError {
    PlayError::Field { field, problem: problem.into() }
}

impl Play {
    /// Announces an absence of the seat's holder. One that should have begun already begins now.
    ///
    /// # Errors
    /// [`PlayError::Field`] of `from` or `until`; [`PlayError::NoDeadlines`]; [`PlayError::GameOver`].
    pub async fn announce_absence(&self, seat: &Seat, from: Timestamp, until: Timestamp) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move { play.announce_in(tx, &seat, from, until).await })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    async fn announce_in(
        &self,
        tx: &mut Writer,
        seat: &Seat,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<(), PlayError> {
        let game = self.lock_timed(tx, seat).await?;
        let (id, now) = (game.id.as_str(), self.clock.now());
        // Whole seconds, as they are shown and sent.
        let from = Timestamp(from.max(now).0 / 1000 * 1000);
        let absence = Absence { from, until: Timestamp(until.0 / 1000 * 1000) };
        if absence.until <= absence.from {
            return Err(wrong("until", "is not after the beginning of the absence, or is over already"));
        }
        if from.0 - now.0 > AHEAD || absence.until.0 - now.0 > 2 * AHEAD {
            return Err(wrong("from", "is more than a year away"));
        }
        let mut rows = tx.absences(id).await?;
        let left = days_left(&game, &rows, seat.side());
        if absence.days() > left {
            let (days, left) = (counted(absence.days(), "day"), counted(left, "day"));
            return Err(wrong("until", format!("makes an absence of {days}, and you have {left} left in this game")));
        }
        let own = |row: &&AbsenceRow| row.side == seat.side().word();
        if rows.iter().filter(own).any(|row| row.from_at < absence.until.0 && absence.from.0 < row.until_at) {
            return Err(wrong("from", "and until overlap with an absence that you have announced"));
        }
        let row = AbsenceRow { side: seat.side().word().into(), from_at: from.0, until_at: absence.until.0 };
        // One that was ended as soon as it began has left its row.
        tx.drop_absence(id, &row.side, row.from_at).await?;
        tx.keep_absence(id, &row, now.0).await?;
        rows.push(row);
        if let Some(due) = game.due {
            self.set_due(tx, &game, Some(clear_of(due, &rows))).await?;
        }
        Ok(tx.touch_game(id).await?)
    }

    /// Ends an absence, or takes it back if it has not begun. Deadlines stay as they were announced.
    ///
    /// # Errors
    /// [`PlayError::Field`] of `from` while the awaited turn is due later because of it; [`PlayError::NotFound`] where the seat has none that begins then or it is over; [`PlayError::GameOver`].
    pub async fn end_absence(&self, seat: &Seat, from: Timestamp) -> Result<(), PlayError> {
        let (play, asker) = (self.clone(), seat.clone());
        self.store
            .write(move |tx| {
                let (play, seat) = (play.clone(), asker.clone());
                Box::pin(async move {
                    let game = play.lock_timed(tx, &seat).await?;
                    let (id, side, now) = (game.id.as_str(), seat.side().word(), play.clock.now().0);
                    let rows = tx.absences(id).await?;
                    let row = rows.iter().find(|row| row.side == side && row.from_at == from.0).cloned();
                    let row = row.filter(|row| row.until_at > now).ok_or(PlayError::NotFound)?;
                    if holds(game.due, &row, &rows) {
                        return Err(wrong("from", HELD));
                    }
                    if row.from_at >= now {
                        tx.drop_absence(id, side, row.from_at).await?;
                    } else {
                        tx.end_absence(id, &AbsenceRow { until_at: now, ..row }).await?;
                    }
                    Ok::<_, PlayError>(tx.touch_game(id).await?)
                })
            })
            .await?;
        self.announce(seat.game());
        Ok(())
    }

    /// Locks a running game with deadlines for the holder of a seat.
    pub(in crate::play) async fn lock_timed(&self, tx: &mut Writer, seat: &Seat) -> Result<Game, PlayError> {
        let game = self.lock(tx, seat.game().as_str()).await?;
        self.still_held(tx, seat).await?;
        if game.ended.is_some() {
            return Err(PlayError::GameOver);
        }
        if !game.has_deadlines() {
            return Err(PlayError::NoDeadlines);
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_leaves_all_absences_that_it_meets() {
        let row = |side: &str, from: i64, until: i64| AbsenceRow {
            side: side.into(),
            from_at: from * DAY,
            until_at: until * DAY,
        };
        let rows = [row("red", 3, 5), row("blue", 5, 8), row("red", 9, 10)];
        for (due, moved) in [(2, 2), (3, 8), (4, 8), (5, 8), (8, 8), (9, 10), (10, 10)] {
            assert_eq!(clear_of(Timestamp(due * DAY), &rows), Timestamp(moved * DAY), "{due}");
        }
        let held = |due: i64| rows.iter().map(|row| holds(Some(Timestamp(due * DAY)), row, &rows)).collect::<Vec<_>>();
        assert_eq!((held(8), held(10)), (vec![true, true, false], vec![false, false, true]));
        assert_eq!((held(2), holds(None, &rows[0], &rows)), (vec![false; 3], false));
        let days = |from, until| Absence { from: Timestamp(from), until: Timestamp(until) }.days();
        assert_eq!((days(0, DAY), days(0, DAY + 1), days(0, 1), days(5, 5)), (1, 2, 1, 0));
    }
}
