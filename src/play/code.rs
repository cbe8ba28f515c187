//! Codes: eight characters in each letter about a game, for browsers that have lost their seat (as those inside other
//! programs do). A code opens the seat of its letter for seven days, until the link to the seat is another.
//!
//! A code is derived, as links are, from the seat and the day of its letter. What is typed for a game that does not exist
//! is compared and counted all the same, so that the answers tell nobody which games there are.

use crate::play::{GameId, Play, PlayError, Seat};
use crate::rules::Side;
use crate::store::Writer;

/// How many days a code works.
pub const CODE_DAYS: i64 = 7;
/// How many wrong codes are looked at for one game in an hour.
const MOST_TRIES: i64 = 10;
/// An hour in milliseconds.
const HOUR: i64 = 3_600_000;
/// A day in milliseconds.
const DAY: i64 = 24 * HOUR;

/// What became of a code that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It opens a seat.
    Right(Seat),
    /// It opens nothing.
    Wrong,
    /// There were too many wrong ones: none is looked at before the hour is over.
    TooMany,
}

/// The day of a moment, as codes count them.
pub(in crate::play) const fn day(moment: i64) -> i64 {
    moment.div_euclid(DAY)
}

/// What was typed, as codes are written: upper case, no spaces or hyphens, and signs that look alike as the one that is
/// meant.
fn read(text: &str) -> String {
    let alike = |c: char| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        c => c,
    };
    text.chars().filter(|c| !c.is_whitespace() && *c != '-').take(16).map(alike).collect()
}

impl Play {
    /// Looks at a code that was typed for a game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn type_code(&self, game: &GameId, text: &str) -> Result<Typed, PlayError> {
        let (play, game, text) = (self.clone(), game.clone(), read(text));
        self.store
            .write(move |tx| {
                let (play, game, text) = (play.clone(), game.clone(), text.clone());
                Box::pin(async move { play.type_code_in(tx, &game, &text).await })
            })
            .await
    }

    async fn type_code_in(&self, tx: &mut Writer, game: &GameId, text: &str) -> Result<Typed, PlayError> {
        let now = self.clock.now().0;
        if tx.count_code_try(game.as_str(), now - HOUR, now).await? > MOST_TRIES {
            return Ok(Typed::TooMany);
        }
        let seats = tx.seats(game.as_str()).await?;
        let mut right = None;
        for side in Side::BOTH {
            let row = seats.iter().find(|row| row.side == side.word());
            let generation = row.map_or(1, |row| row.link_generation);
            let taken = row.is_some_and(|row| row.taken_at.is_some());
            for day in day(now) - CODE_DAYS..=day(now) {
                if self.key.is_code(text, game, side, generation, day) && taken {
                    right = Some(Seat::new(game.clone(), side, generation));
                }
            }
        }
        match right {
            Some(seat) => {
                tx.forgive_code_try(game.as_str()).await?;
                Ok(Typed::Right(seat))
            }
            None => Ok(Typed::Wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_read_as_what_is_meant() {
        assert_eq!(read(" 7k3m-9qxo\n"), "7K3M9QX0");
        assert_eq!(read("iIlL OooO"), "11110000");
        assert_eq!(day(-1), -1);
        assert_eq!(day(DAY), 1);
    }
}
