//! What happens when a turn is due: what is sealed is used; else the last draft that can be read, unless its writer
//! withholds it; else an empty sheet, and the turn is missed. A game whose deployments are not in is void.
//!
//! The game's row is locked first, as for a seal: a seal of the last second is either in, or told that the turn is over.
//! Deadlines that fell while the server was not awake are put off.

use crate::clock::Timestamp;
use crate::play::game::{Game, VOID, seal_of};
use crate::play::letters::LetterKind;
use crate::play::resolve::{How, turn_sheet};
use crate::play::terms::MissingDeployment;
use crate::play::{GameId, Play, PlayError};
use crate::rules::{BySide, Sheet, Side, Standing};
use crate::store::{SeatRow, TurnSheet, Writer};

/// How many games are looked up at once.
const BATCH: i64 = 100;
/// What the time of the last sign of life is remembered as.
const HEARTBEAT: &str = "heartbeat";
/// How long a deadline that fell in an outage is put off at least, in milliseconds.
const GRACE: i64 = 60 * 60 * 1000;

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

/// What a draft is good for when its turn is due: the sheet, if it can be read and asks for something or says that it does not.
#[must_use]
pub fn usable(standing: &Standing, side: Side, draft: &str) -> Option<Sheet> {
    standing.parse(side, draft).ok().filter(|sheet| !sheet.is_empty() || sheet.text_says_empty(draft))
}

impl Play {
    /// Resolves every turn that is due. Says how many games went on.
    ///
    /// # Errors
    /// The store failed; what was resolved before is kept.
    pub async fn resolve_due(&self) -> Result<usize, PlayError> {
        let mut done = 0;
        loop {
            let now = self.clock.now().0;
            let due: Vec<String> =
                self.store.read(move |tx| Box::pin(async move { tx.due_games(now, BATCH).await })).await?;
            let whole = i64::try_from(due.len()).is_ok_and(|found| found == BATCH);
            for id in due {
                // One game that cannot be read does not hold up the others.
                match self.due(&id).await {
                    Ok(true) => done += 1,
                    Ok(false) => {}
                    Err(PlayError::Store(error)) => return Err(PlayError::Store(error)),
                    Err(error) => tracing::error!(game = id, %error, "a turn that is due cannot be resolved"),
                }
            }
            if !whole {
                return Ok(done);
            }
        }
    }

    /// Resolves the awaited turn of one game, if it is due now.
    async fn due(&self, id: &str) -> Result<bool, PlayError> {
        let (play, game) = (self.clone(), id.to_owned());
        let done: bool = self
            .store
            .write(move |tx| {
                let (play, game) = (play.clone(), game.clone());
                Box::pin(async move { play.due_in(tx, &game).await })
            })
            .await?;
        if let Some(game) = GameId::parse(id).filter(|_| done) {
            self.announce(&game);
        }
        Ok(done)
    }

    async fn due_in(&self, tx: &mut Writer, id: &str) -> Result<bool, PlayError> {
        let game = self.lock(tx, id).await?;
        let now = self.clock.now();
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

    /// A sign of life, by which a later start knows how long the server was down.
    ///
    /// # Errors
    /// The store failed.
    pub async fn beat(&self) -> Result<(), PlayError> {
        let now = self.clock.now().0;
        self.store.write(move |tx| Box::pin(async move { Ok(tx.remember(HEARTBEAT, now).await?) })).await
    }

    /// Puts off the deadlines that fell while the server was down, by the outage or by an hour, whichever is longer. Says
    /// how many. Done at the start, before anything is resolved.
    ///
    /// # Errors
    /// The store failed.
    pub async fn wake(&self) -> Result<usize, PlayError> {
        let (play, now) = (self.clone(), self.clock.now());
        self.store
            .write(move |tx| {
                let play = play.clone();
                Box::pin(async move {
                    let put_off = match tx.remembered(HEARTBEAT).await?.map(Timestamp) {
                        Some(last) => {
                            let put_off = tx.put_off(last.0, now.0, (now.0 - last.0).max(GRACE)).await?;
                            for id in &put_off {
                                let game = play.lock(tx, id).await?;
                                play.set_due(tx, &game, game.due).await?;
                                let revision = game.due.map_or(0, |due| due.0);
                                for side in Side::BOTH {
                                    play.queue_letter(tx, &game, side, LetterKind::PutOff, revision).await?;
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
}
