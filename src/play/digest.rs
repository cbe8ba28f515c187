//! One letter a day instead of many: what happened in all games of a person, and what waits there.
//!
//! Each letter that may wait is queued as ever, and folded into the person's next digest, which is a letter of its own: one
//! for each person and day. A digest that somebody has begun to send takes up nothing more, so that each letter is told once,
//! also where sending has to be tried again.

use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::pace;
use crate::play::erase::own_seats;
use crate::play::letters::{LetterKind, Matter};
use crate::play::view::{GameLine, SeatView, game_line};
use crate::play::wishes::{Wishes, time};
use crate::play::{Play, PlayError, Seat};
use crate::store::{Letter, Reader, Writer};

/// A digest, as its reader may know it when it is sent.
#[derive(Debug)]
pub struct Digest {
    /// The games in which something happened, those first that are due first.
    pub games: Vec<DigestGame>,
    /// Other games that wait for the reader, in the same order.
    pub waiting: Vec<GameLine>,
    /// How its reader wants times to be written.
    pub wishes: Wishes,
}

/// A game in a digest.
#[derive(Debug)]
pub struct DigestGame {
    /// The game as it stands.
    pub view: SeatView,
    /// What happened, the first thing first.
    pub events: Vec<Matter>,
}

/// The most other games that a digest names.
const MOST_WAITING: usize = 20;

impl Wishes {
    /// The moment of the next digest after a moment, and the day of it in the person's zone; `None` where none is wanted.
    #[must_use]
    pub fn digest_after(&self, now: Timestamp) -> Option<(String, Timestamp)> {
        let at = time(self.digest.as_deref()?)?;
        let zone: TimeZone = self.time_zone();
        let mut day = zone.to_datetime(jiff::Timestamp::from_millisecond(now.0).ok()?).date();
        // A moment of today that is over leads to tomorrow's; a clock change may take another day.
        for _ in 0..3 {
            let moment = Timestamp(pace::instant(&zone, day.to_datetime(at))?.as_millisecond());
            if moment > now {
                return Some((day.to_string(), moment));
            }
            day = day.tomorrow().ok()?;
        }
        None
    }
}

/// The line of a game, unless its records cannot be read: one bad game keeps no news of others back.
pub(in crate::play) async fn readable_line(tx: &mut Reader, seat: &Seat) -> Result<Option<GameLine>, PlayError> {
    match game_line(tx, seat.game(), seat.side(), None).await {
        Ok(line) => Ok(Some(line)),
        Err(PlayError::Store(error)) => Err(PlayError::Store(error)),
        Err(error) => {
            tracing::error!(game = %seat.game(), error = %error.cause(), "a game cannot be read");
            Ok(None)
        }
    }
}

impl Play {
    /// Lets a letter that has just been queued wait for its reader's next digest. Says whether it does.
    pub(in crate::play) async fn fold(
        &self,
        tx: &mut Writer,
        letter: &str,
        person: &str,
        wishes: &Wishes,
    ) -> Result<bool, PlayError> {
        let now = self.clock.now();
        let mut after = now;
        // The next one may be on its way at this moment.
        for _ in 0..3 {
            let Some((day, at)) = wishes.digest_after(after) else { return Ok(false) };
            let (id, kind, about) = (self.sorted_id(), LetterKind::Digest.word(), format!("{person} {day}"));
            if let Some(digest) = tx.open_digest(&id, kind, person, &about, now.0, at.0).await? {
                tx.fold_letter(letter, &digest).await?;
                return Ok(true);
            }
            after = at;
        }
        Ok(false)
    }

    /// What a digest says, and where it goes: nowhere if nothing of it has a reason any more.
    pub(in crate::play) async fn digest_of(&self, letter: &Letter) -> Result<(Option<String>, Matter), PlayError> {
        let (id, person) = (letter.id.clone(), letter.person_id.clone().unwrap_or_default());
        let key = person.clone();
        let (row, folded) = self
            .store
            .read(move |tx| {
                Box::pin(async move { Ok::<_, PlayError>((tx.person(&key).await?, tx.folded_letters(&id).await?)) })
            })
            .await?;
        let Some(row) = row else { return Ok((None, Matter::Nothing)) };
        let wishes = Wishes::read(row.settings.as_deref())?;
        let mut games: Vec<DigestGame> = Vec::new();
        for letter in &folded {
            let (view, event) = match self.event(letter, &person).await {
                Ok(Some(event)) => event,
                Ok(None) => continue,
                Err(PlayError::Store(error)) => return Err(PlayError::Store(error)),
                // A game that cannot be read does not keep the news of others back.
                Err(error) => {
                    tracing::error!(letter = letter.id, error = %error.cause(), "an event of a digest cannot be read");
                    continue;
                }
            };
            match games.iter_mut().find(|game| game.view.game == view.game && game.view.side == view.side) {
                Some(game) => game.events.push(event),
                None => games.push(DigestGame { view, events: vec![event] }),
            }
        }
        if games.is_empty() {
            return Ok((None, Matter::Nothing));
        }
        games.sort_by_key(|game| game.view.due.map_or(i64::MAX, |due| due.0));
        let waiting = self.waiting_elsewhere(&person, &games).await?;
        Ok((Some(row.address), Matter::Digest(Box::new(Digest { games, waiting, wishes }))))
    }

    /// What a folded letter tells, if its seat is still the person's and there is still a reason for it.
    async fn event(&self, letter: &Letter, person: &str) -> Result<Option<(SeatView, Matter)>, PlayError> {
        let seat = self.seat_of_letter(letter).await?;
        let (game, side) = (seat.game().clone(), seat.side());
        let row = self.store.read(move |tx| Box::pin(async move { tx.seat(game.as_str(), side.word()).await })).await?;
        if row.and_then(|row| row.person_id).as_deref() != Some(person) {
            return Ok(None);
        }
        let kind = LetterKind::from_word(&letter.kind).ok_or_else(|| PlayError::Broken("letter".into()))?;
        let (to, matter) = self.seat_matter(kind, letter, &seat).await?;
        if to.is_none() || matches!(matter, Matter::Nothing) {
            return Ok(None);
        }
        let view = self.view(&seat).await?;
        // Its letters may have been stopped since it was folded in.
        let stopped = view.stopped.get(view.side).is_some();
        Ok((!stopped).then_some((view, matter)))
    }

    /// The games of a person that wait and are not among these.
    async fn waiting_elsewhere(&self, person: &str, told: &[DigestGame]) -> Result<Vec<GameLine>, PlayError> {
        let person = person.to_owned();
        let mut lines: Vec<GameLine> = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let mut lines = Vec::new();
                    for seat in own_seats(tx, &person).await? {
                        lines.extend(readable_line(tx, &seat).await?);
                    }
                    Ok::<_, PlayError>(lines)
                })
            })
            .await?;
        lines.retain(|line| {
            line.waits_for_me
                && line.ended.is_none()
                && !told.iter().any(|game| game.view.game == line.game && game.view.side == line.side)
        });
        lines.sort_by_key(|line| line.due.map_or(i64::MAX, |due| due.0));
        lines.truncate(MOST_WAITING);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn the_next_digest_is_today_or_tomorrow_in_the_readers_zone() {
        let wishes = |digest: Option<&str>| Wishes {
            digest: digest.map(str::to_owned),
            zone: Some("Europe/Berlin".into()),
            ..Wishes::default()
        };
        assert_eq!(wishes(None).digest_after(at("2026-06-01T10:00:00Z")), None);
        for (now, day, moment) in [
            ("2026-06-01T05:59:59Z", "2026-06-01", "2026-06-01T06:00:00Z"),
            ("2026-06-01T06:00:00Z", "2026-06-02", "2026-06-02T06:00:00Z"),
            ("2026-06-01T22:30:00Z", "2026-06-02", "2026-06-02T06:00:00Z"),
            ("2026-10-24T06:00:00Z", "2026-10-25", "2026-10-25T07:00:00Z"),
        ] {
            assert_eq!(wishes(Some("08:00")).digest_after(at(now)), Some((day.to_owned(), at(moment))), "{now}");
        }
        // An hour that the night of the change leaves out, and one that it has twice.
        let (day, moment) = wishes(Some("02:30")).digest_after(at("2026-03-29T00:30:00Z")).unwrap();
        assert_eq!((day.as_str(), moment), ("2026-03-29", at("2026-03-29T01:00:00Z")));
        let (day, moment) = wishes(Some("02:30")).digest_after(at("2026-10-25T00:45:00Z")).unwrap();
        assert_eq!((day.as_str(), moment), ("2026-10-25", at("2026-10-25T01:30:00Z")));
    }
}
