//! A game in memory: what the database keeps, made into a standing again.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::boards::BoardNames;
use crate::play::terms::Terms;
use crate::play::view::{Ended, Seal, SealedSheet};
use crate::play::{GameId, PlayError};
use crate::record;
use crate::rules::field_command::board::BoardText;
use crate::rules::{KeptSetup, KeptStanding, Outcome, Setup, Sheet, Side, Standing};
use crate::store::{GameRow, SheetRow};

/// A game as the use cases work on it.
#[derive(Clone, Debug)]
pub(in crate::play) struct Game {
    /// The id.
    pub id: GameId,
    /// The open standing, with the setup in it.
    pub standing: Standing,
    /// Who opened it.
    pub opener: Side,
    /// How it ended, by whatever.
    pub ended: Option<Ended>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The one device of both sides, if they share one.
    pub device: Option<Device>,
    /// Rises with each change.
    pub version: i64,
    /// How fast it goes.
    pub pace: Pace,
    /// When the awaited turn is due.
    pub due: Option<Timestamp>,
    /// The terms of its clock.
    pub terms: Terms,
    /// Until when both may still replace what they have sealed.
    pub settles: Option<Timestamp>,
    /// When the last turn was resolved, or the last seat taken.
    pub moved: Timestamp,
    /// When somebody may have to be reminded.
    pub reminds: Option<Timestamp>,
    /// Until when nothing is due.
    pub paused_until: Option<Timestamp>,
    /// The pause that one side offers.
    pub offered: Option<Offered>,
    /// When the awaited turn was due before an outage put it off.
    pub put_off_from: Option<Timestamp>,
    /// Where it began.
    pub start: Standing,
    /// The game that it carries on.
    pub continues: Option<GameId>,
    /// The game in which it was carried on.
    pub continued_in: Option<GameId>,
    /// By what its board is known.
    pub board: Option<BoardNames>,
}

/// A pause that one side offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Who offers it.
    pub by: Side,
    /// Until when it would last.
    pub until: Timestamp,
}

/// The one device at which both sides of a game sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) struct Device {
    /// Who sits there; nobody while it changes hands.
    pub sitting: Option<Side>,
}

/// What ended a game, as it is kept.
pub(in crate::play) const BY_BOARD: &str = record::BY_BOARD;
/// What ended a game, as it is kept.
pub(in crate::play) const BY_RESIGNATION: &str = "resignation";

/// What ended a game, as it is kept.
pub(in crate::play) const VOID: &str = "void";
/// What ended a game, as it is kept: the opponent stayed away, and it was claimed.
pub(in crate::play) const BY_CLAIM: &str = "claim";
/// What ended a game, as it is kept: the opponent stayed away, and nobody claimed it.
pub(in crate::play) const GRANTED: &str = "granted";
/// What ended a game, as it is kept: both stayed away.
pub(in crate::play) const ABANDONED: &str = "abandoned";
/// What ended a game, as it is kept: it had lain still, and was closed.
pub(in crate::play) const UNFINISHED: &str = "unfinished";

/// What ended a game, as it is kept: the organiser has cancelled it.
pub(in crate::play) const CANCELLED: &str = "cancelled";
/// What ended a game, as it is kept: the organiser has declared the result.
pub(in crate::play) const DECLARED: &str = "declared";

/// What ended a game, as it is kept: both agreed on a draw.
pub(in crate::play) const AGREED: &str = "agreement";
/// What ended a game, as it is kept: both agreed to go on from an earlier dawn in another game.
pub(in crate::play) const CONTINUED: &str = "continued";

/// A record that cannot be read.
fn broken(what: &str) -> PlayError {
    PlayError::Broken(what.to_owned())
}

impl Game {
    /// Reads a kept game.
    pub fn read(row: &GameRow) -> Result<Game, PlayError> {
        let setup = read_setup(&row.setup, &row.board)?;
        let names = BoardNames::of(&setup, row);
        let start = match &row.start {
            Some(start) => read_standing(start, setup.clone())?,
            None => Standing::open(setup.clone()),
        };
        let standing = read_standing(&row.standing, setup)?;
        let linked = |id: &Option<String>| match id {
            Some(id) => GameId::parse(id).map(Some).ok_or_else(|| broken("link")),
            None => Ok(None),
        };
        let outcome = match row.outcome.as_deref() {
            Some(word) => Some(Outcome::from_word(word).ok_or_else(|| broken("outcome"))?),
            None => None,
        };
        let ended = match (row.ended_at, row.ending.as_deref()) {
            (None, _) => None,
            (Some(at), Some(ending)) => {
                Some(Ended { outcome, how: how(outcome, ending, &standing), at: Timestamp(at) })
            }
            _ => return Err(broken("ending")),
        };
        Ok(Game {
            id: GameId::parse(&row.id).ok_or_else(|| broken("id"))?,
            standing,
            opener: Side::from_word(&row.opener).ok_or_else(|| broken("opener"))?,
            ended,
            opened_at: Timestamp(row.opened_at),
            device: match row.one_device_at {
                Some(_) => Some(read_device(row.sitting.as_deref())?),
                None => None,
            },
            version: row.version,
            pace: match &row.pace {
                Some(pace) => serde_json::from_str(pace).map_err(|_| broken("pace"))?,
                None => Pace::Open,
            },
            due: row.due_at.map(Timestamp),
            terms: match &row.settings {
                Some(settings) => serde_json::from_str(settings).map_err(|_| broken("settings"))?,
                None => Terms::default(),
            },
            settles: row.settle_at.map(Timestamp),
            moved: Timestamp(row.moved_at.unwrap_or(row.opened_at)),
            reminds: row.remind_at.map(Timestamp),
            paused_until: row.paused_until.map(Timestamp),
            offered: match (row.pause_by.as_deref(), row.pause_until) {
                (Some(by), Some(until)) => {
                    Some(Offered { by: Side::from_word(by).ok_or_else(|| broken("pause"))?, until: Timestamp(until) })
                }
                _ => None,
            },
            put_off_from: row.put_off_from.map(Timestamp),
            start,
            continues: linked(&row.continues)?,
            continued_in: linked(&row.continued_in)?,
            board: names,
        })
    }

    /// The number of its first turn: 0, unless it began in the middle.
    pub const fn first(&self) -> u32 {
        self.start.turn()
    }

    /// Whether its turns fall due. At one device nothing does: both sit together.
    pub fn has_deadlines(&self) -> bool {
        self.pace != Pace::Open && self.device.is_none()
    }

    /// Until when it is paused, if it is.
    pub fn pause(&self, now: Timestamp) -> Option<Timestamp> {
        self.paused_until.filter(|until| *until > now)
    }

    /// The pause that is offered, if it would not be over already.
    pub fn offer(&self, now: Timestamp) -> Option<Offered> {
        self.offered.filter(|offered| offered.until > now)
    }

    /// The awaited turn as the database counts it.
    pub fn turn(&self) -> i64 {
        i64::from(self.standing.turn())
    }
}

/// How many setups are remembered.
const SETUPS: usize = 256;

/// Setups by how they are kept, with their boards: most games are on few boards, whose lines of sight take long to find.
static READ: LazyLock<Mutex<HashMap<String, Setup>>> = LazyLock::new(Mutex::default);

/// Reads a kept setup with its kept board.
fn read_setup(setup: &str, board: &str) -> Result<Setup, PlayError> {
    let text = format!("{setup}\n{board}");
    let read = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(setup) = read().get(&text) {
        return Ok(setup.clone());
    }
    let kept: KeptSetup = serde_json::from_str(setup).map_err(|_| broken("setup"))?;
    let board: BoardText = serde_json::from_str(board).map_err(|_| broken("board"))?;
    let setup = Setup::restore(&kept, &board).map_err(|error| PlayError::Broken(error.to_string()))?;
    let mut all = read();
    if all.len() == SETUPS {
        all.clear();
    }
    all.insert(text, setup.clone());
    Ok(setup)
}

/// Reads who sits at a device.
pub(in crate::play) fn read_device(sitting: Option<&str>) -> Result<Device, PlayError> {
    let sitting = sitting.map(|side| Side::from_word(side).ok_or_else(|| broken("sitting"))).transpose()?;
    Ok(Device { sitting })
}

/// Reads a kept standing.
pub(in crate::play) fn read_standing(text: &str, setup: Setup) -> Result<Standing, PlayError> {
    let kept: KeptStanding = serde_json::from_str(text).map_err(|_| broken("standing"))?;
    Standing::restore(&kept, setup).map_err(|error| PlayError::Broken(error.to_string()))
}

/// Writes a standing as it is kept.
pub(in crate::play) fn write_standing(standing: &Standing) -> Result<String, PlayError> {
    serde_json::to_string(&standing.kept()).map_err(|error| PlayError::Broken(error.to_string()))
}

/// What decided a game, in a sentence.
fn how(outcome: Option<Outcome>, ending: &str, standing: &Standing) -> String {
    match (ending, outcome.and_then(Outcome::winner), standing.ending()) {
        (AGREED, ..) => "A draw by agreement.".to_owned(),
        (CONTINUED, ..) => "By agreement the game is continued elsewhere, from an earlier day.".to_owned(),
        (VOID, ..) => "A deployment was not in when it was due: the game is void.".to_owned(),
        (UNFINISHED, ..) => "The game had lain still for long and was closed unfinished.".to_owned(),
        (CANCELLED, ..) => "The organiser has cancelled the game.".to_owned(),
        (DECLARED, Some(winner), _) => format!("The organiser has declared the result: {} wins.", winner.name()),
        (DECLARED, None, _) => "The organiser has declared the game a draw.".to_owned(),
        (ABANDONED, ..) => "Both sides stayed away: the game was abandoned, a draw.".to_owned(),
        (BY_CLAIM, Some(winner), _) => {
            format!("{} stayed away, and {} has claimed the win.", winner.other().name(), winner.name())
        }
        (GRANTED, Some(winner), _) => {
            format!("{} stayed away for long: the win is given to {}.", winner.other().name(), winner.name())
        }
        (BY_CLAIM | GRANTED, None, _) => {
            "One side stayed away, and the other had only the General left: a draw.".to_owned()
        }
        (BY_RESIGNATION, Some(winner), _) => {
            format!("{} has resigned: {} wins.", winner.other().name(), winner.name())
        }
        (_, _, Some((_, how))) => how,
        _ => "The game is over.".to_owned(),
    }
}

/// Reads a sheet that was sealed for the standing it is read against.
pub(in crate::play) fn read_sheet(standing: &Standing, side: Side, text: &str) -> Result<Sheet, PlayError> {
    standing.parse(side, text).map_err(|_| broken("sheet"))
}

/// A sealed sheet for its writer.
pub(in crate::play) fn sealed_sheet(standing: &Standing, side: Side, row: &SheetRow) -> Result<SealedSheet, PlayError> {
    let sheet = read_sheet(standing, side, &row.body)?;
    Ok(SealedSheet {
        text: row.body.clone(),
        measure: standing.check(side, &sheet).measure,
        seal: Seal { hash: row.seal.clone(), at: Timestamp(row.sealed_at) },
        salt: row.salt.clone(),
    })
}

/// The seal of a sheet of a game.
pub(in crate::play) fn seal_of(game: &GameId, turn: u32, side: Side, salt: &str, text: &str) -> String {
    record::seal_of(game.as_str(), turn, side, salt, text)
}
