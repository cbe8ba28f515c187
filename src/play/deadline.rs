//! What happens when a turn is due: what is sealed is used; else the last draft that can be read, unless its writer
//! withholds it; else an empty sheet, and the turn is missed. A game whose deployments are not in is void.
//!
//! The game's row is locked first, as for a seal: a seal of the last second is either in, or told that the turn is over.
//! Deadlines that fell while the server was not awake are put off.

use std::collections::HashSet;

use crate::clock::Timestamp;
use crate::play::game::{Game, VOID, seal_of};
use crate::play::letters::LetterKind;
use crate::play::resolve::{How, turn_sheet};
use crate::play::terms::MissingDeployment;
use crate::play::{GameId, Play, PlayError};
use crate::rules::{BySide, Sheet, Side, Standing};
use crate::store::{SeatRow, TurnSheet, Writer};

/// How many games are looked up at once.
const BATCH: usize = 100;
/// How many failures of the database running, each with another game, end a look.
const FAILURES: usize = 3;
/// What the time of the last sign of life is remembered as.
pub(in crate::play) const HEARTBEAT: &str = "heartbeat";
/// How old the last sign of life is when another one is given, in milliseconds.
const BEAT: i64 = 15_000;
/// How old it is when nobody was awake: four were left out. Restarts count from the first millisecond.
const OUTAGE: i64 = 4 * BEAT;
/// How long a deadline that fell in an outage is put off at least, in milliseconds.
const GRACE: i64 = 60 * 60 * 1000;

/// What a look at the deadlines has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many deadlines were put off, since nobody had looked for too long.
    pub put_off: usize,
    /// How many games went on.
    pub resolved: usize,
}

/// The turns that a seat has missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    /// In all.
    pub all: i64,
    /// One after the other, up to the last.
    pub running: i64,
}

impl Missed {
    pub(in crate::play) fn of(seat: &SeatRow) -> Missed {
        Missed { all: seat.missed.unwrap_or(0), running: seat.missed_running.unwrap_or(0) }
    }
}

/// Whether another process has given a sign of life after a moment. One far ahead is of a clock that was wrong.
fn beaten(last: Option<i64>, now: Timestamp) -> bool {
    last.is_some_and(|last| (now.0 + 1..=now.0 + OUTAGE).contains(&last))
}

/// Whether there may be more than these.
fn is_batch(due: &[String]) -> bool {
    due.len() >= BATCH
}

/// What a draft is good for when its turn is due: the sheet, if it can be read and asks for something or says that it does not.
#[must_use]
pub fn usable(standing: &Standing, side: Side, draft: &str) -> Option<Sheet> {
    standing.parse(side, draft).ok().filter(|sheet| !sheet.is_empty() || sheet.text_says_empty(draft))
}

impl Play {
    /// Looks at the deadlines, and gives a sign of life where the last one is not fresh. Where it is so old that no process
    /// of this database was awake, what fell meanwhile is put off before anything is resolved, as after a restart: the
    /// database was away, or the machine slept.
    ///
    /// All of it is of one moment, which is read first. If the machine sleeps halfway through, what is resolved was due
    /// before it did, and the sign of life is none of after.
    ///
    /// # Errors
    /// The store failed; what was done before is kept.
    pub async fn sweep(&self) -> Result<Swept, PlayError> {
        let (mut swept, mut stuck, begun) = (Swept::default(), HashSet::new(), self.clock.now());
        loop {
            let now = self.clock.now();
            let Some((last, due)) = self.look(now, &stuck).await? else { return Ok(swept) };
            let age = last.map(|last| now.0 - last);
            if age.is_some_and(|age| age > OUTAGE) {
                swept.put_off += self.wake().await?;
                continue;
            }
            // One of a time to come is of a clock that was wrong.
            if age.is_none_or(|age| !(-OUTAGE..BEAT).contains(&age)) {
                self.beat_at(now).await?;
            }
            let whole = is_batch(&due);
            swept.resolved += self.resolve_each(due, now, BEAT, &mut stuck).await?;
            // Resolving takes a while: more is for the next look, and its sign of life.
            if !whole || self.clock.now().0 - begun.0 >= BEAT {
                return Ok(swept);
            }
        }
    }

    /// Resolves every turn that is due. Says how many games went on.
    ///
    /// # Errors
    /// The store failed; what was resolved before is kept.
    pub async fn resolve_due(&self) -> Result<usize, PlayError> {
        let (mut done, mut stuck) = (0, HashSet::new());
        loop {
            let now = self.clock.now();
            let Some((_, due)) = self.look(now, &stuck).await? else { return Ok(done) };
            let whole = is_batch(&due);
            done += self.resolve_each(due, now, i64::MAX, &mut stuck).await?;
            if !whole {
                return Ok(done);
            }
        }
    }

    /// The last sign of life, and the games in which something is due, without those that are stuck; `None` while the server
    /// stands still.
    async fn look(
        &self,
        now: Timestamp,
        stuck: &HashSet<String>,
    ) -> Result<Option<(Option<i64>, Vec<String>)>, PlayError> {
        let (play, most) = (self.clone(), BATCH + stuck.len());
        let read = self.store.read::<_, PlayError, _>(move |tx| {
            Box::pin(async move {
                if !play.awake(tx).await? {
                    return Ok(None);
                }
                let most = i64::try_from(most).unwrap_or(i64::MAX);
                Ok(Some((tx.remembered(HEARTBEAT).await?, tx.due_games(now.0, most).await?)))
            })
        });
        Ok(read.await?.map(|(last, due)| (last, due.into_iter().filter(|id| !stuck.contains(id)).collect())))
    }

    /// Resolves the awaited turns of games that were due at a moment, for so long, in milliseconds. Says how many went on;
    /// those that cannot are stuck.
    async fn resolve_each(
        &self,
        due: Vec<String>,
        now: Timestamp,
        longest: i64,
        stuck: &mut HashSet<String>,
    ) -> Result<usize, PlayError> {
        let (mut done, mut failures) = (0, 0);
        for id in due {
            // Where each takes long, a sign of life must not be missed meanwhile: that would pass for an outage.
            if self.clock.now().0 - now.0 >= longest {
                break;
            }
            // One game that cannot be read or kept, or that something holds, does not hold up the others.
            match self.due(&id, now).await {
                Ok(went_on) => {
                    done += usize::from(went_on);
                    failures = 0;
                    continue;
                }
                Err(PlayError::Store(error)) if error.is_held() => {
                    tracing::warn!(game = id, %error, "a turn that is due waits: something else holds its game");
                }
                // So many running are no fault of the games.
                Err(PlayError::Store(error)) if failures + 1 == FAILURES => return Err(PlayError::Store(error)),
                Err(error) => {
                    failures += usize::from(matches!(error, PlayError::Store(_)));
                    tracing::error!(game = id, error = %error.cause(), "a turn that is due cannot be resolved");
                }
            }
            stuck.insert(id);
        }
        Ok(done)
    }

    /// Resolves the awaited turn of one game, if it was due at a moment.
    async fn due(&self, id: &str, now: Timestamp) -> Result<bool, PlayError> {
        let (play, game) = (self.clone(), id.to_owned());
        let done: bool = self
            .store
            .write(move |tx| {
                let (play, game) = (play.clone(), game.clone());
                Box::pin(async move { play.due_in(tx, &game, now).await })
            })
            .await?;
        if let Some(game) = GameId::parse(id).filter(|_| done) {
            self.announce(&game);
        }
        Ok(done)
    }

    async fn due_in(&self, tx: &mut Writer, id: &str, now: Timestamp) -> Result<bool, PlayError> {
        let game = self.lock(tx, id).await?;
        if game.ended.is_some() {
            return Ok(false);
        }
        if game.due.is_none_or(|due| due > now) {
            return match game.settles {
                Some(settles) if settles <= now => self.resolve_if_complete(tx, &game).await,
                _ if self.close_forgotten(tx, &game).await? => Ok(true),
                _ => self.remind(tx, &game).await.map(|()| false),
            };
        }
        let (red, blue) = (self.used(tx, &game, Side::Red).await?, self.used(tx, &game, Side::Blue).await?);
        let (Some(red), Some(blue)) = (red.clone(), blue.clone()) else {
            // What is there serves its writer in the next game.
            for (side, sheet) in [(Side::Red, red), (Side::Blue, blue)] {
                if let Some(sheet) = sheet {
                    self.keep_for_next(tx, &game, side, sheet.body).await?;
                }
            }
            self.end(tx, &game, None, VOID).await?;
            return Ok(true);
        };
        self.resolve_with(tx, &game, BySide { red, blue }).await?;
        Ok(true)
    }

    /// What of a side is used when the turn is due; `None` where there is nothing and nothing is not enough.
    async fn used(&self, tx: &mut Writer, game: &Game, side: Side) -> Result<Option<TurnSheet>, PlayError> {
        let (id, standing) = (game.id.as_str(), &game.standing);
        if let Some(sealed) = tx.own_sheet(id, side.word()).await? {
            return Ok(Some(turn_sheet(sealed)));
        }
        let draft = tx.own_draft(id, side.word()).await?.filter(|draft| draft.turn == game.turn());
        let withheld = draft.as_ref().is_some_and(|draft| draft.withheld_at.is_some());
        let (how, sheet) = match draft.and_then(|draft| usable(standing, side, &draft.body)) {
            _ if withheld => (How::Late, standing.parse(side, "").ok()),
            Some(sheet) => (How::Draft, Some(sheet)),
            None => (How::Missed, standing.parse(side, "").ok()),
        };
        // Where nothing is not enough, a ready-made sheet may take its place.
        let (how, sheet) = match sheet {
            None if game.terms.missing_deployment == MissingDeployment::ReadyMade => {
                let presets = standing.entry_form(side).presets;
                let drawn = presets.get(self.chance.below(presets.len()));
                (How::ReadyMade, drawn.and_then(|ready| standing.parse(side, &ready.text).ok()))
            }
            sheet => (how, sheet),
        };
        Ok(sheet.map(|sheet| {
            let (body, salt) = (sheet.canonical(), data_encoding::HEXLOWER.encode(&self.chance.bytes::<16>()));
            TurnSheet {
                how: how.word().to_owned(),
                seal: seal_of(&game.id, standing.turn(), side, &salt, &body),
                body,
                salt,
                sealed_at: self.clock.now().0,
            }
        }))
    }

    /// A sign of life, by which a later look knows how long nobody was awake. A server that stands still gives none: its
    /// deadlines wait as they do while it is down.
    ///
    /// # Errors
    /// The store failed.
    pub async fn beat(&self) -> Result<(), PlayError> {
        self.beat_at(self.clock.now()).await
    }

    /// That the server was awake at a moment, which must be of now: another process may have been awake later, and one that
    /// stood still meanwhile must not take that back.
    async fn beat_at(&self, now: Timestamp) -> Result<(), PlayError> {
        let play = self.clone();
        self.store
            .write(move |tx| {
                let play = play.clone();
                Box::pin(async move {
                    let is_now = (0..BEAT).contains(&(play.clock.now().0 - now.0));
                    if is_now && play.awake(tx).await? && !beaten(tx.remembered_alone(HEARTBEAT).await?, now) {
                        tx.remember(HEARTBEAT, now.0).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Puts off the deadlines that fell while no server was awake, by the outage or by an hour, whichever is longer. Says
    /// how many. Done at the start, before anything is resolved, and where a look finds that there was an outage.
    ///
    /// # Errors
    /// The store failed.
    pub async fn wake(&self) -> Result<usize, PlayError> {
        let (play, now) = (self.clone(), self.clock.now());
        self.store
            .write(move |tx| {
                let play = play.clone();
                Box::pin(async move {
                    if !play.awake(tx).await? {
                        return Ok(0);
                    }
                    // Of two processes that find the same outage one puts off, and the other finds that done.
                    let last = tx.remembered_alone(HEARTBEAT).await?;
                    if beaten(last, now) {
                        return Ok(0);
                    }
                    let put_off = match last.map(Timestamp) {
                        Some(last) => {
                            let put_off = tx.put_off(last.0, now.0, (now.0 - last.0).max(GRACE)).await?;
                            for id in &put_off {
                                match play.tell_put_off(tx, id).await {
                                    // One game that cannot be read does not hold up the others.
                                    Err(PlayError::Broken(error)) => {
                                        tracing::error!(
                                            game = id,
                                            error,
                                            "a deadline was put off, and nobody can be told"
                                        );
                                    }
                                    told => told?,
                                }
                            }
                            tx.put_off_settling(last.0, now.0, now.0 - last.0).await?;
                            put_off
                        }
                        None => Vec::new(),
                    };
                    tx.remember(HEARTBEAT, now.0).await?;
                    Ok(put_off.len())
                })
            })
            .await
    }

    /// Says to both players of a game that its deadline was put off, and when they are reminded now.
    async fn tell_put_off(&self, tx: &mut Writer, id: &str) -> Result<(), PlayError> {
        let game = self.lock(tx, id).await?;
        self.set_due(tx, &game, game.due).await?;
        let revision = game.due.map_or(0, |due| due.0);
        for side in Side::BOTH {
            self.queue_letter(tx, &game, side, LetterKind::PutOff, revision).await?;
        }
        Ok(())
    }
}
