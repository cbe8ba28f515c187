//! What proves a game: the running hash that each turn gets, the record of the whole, and the check that every
//! kept turn still comes out as it was kept.

use crate::clock::Timestamp;
use crate::play::computer::Computer;
use crate::play::game::{Game, read_sheet, read_standing};
use crate::play::{Play, PlayError, Seat};
use crate::record::{self, How, Record, RecordedComputer, RecordedEnding, RecordedSheet, RecordedTurn};
use crate::rules::{BySide, Report, Side, Standing};
use crate::store::{Reader, TurnRow, TurnSheet};

/// After which turns the standing is kept: those whose number this divides.
const EACH: i64 = 10;

fn broken(error: &impl std::fmt::Display) -> PlayError {
    PlayError::Broken(error.to_string())
}

/// The hash of a report.
pub(in crate::play) fn hash_of(report: &Report) -> Result<String, PlayError> {
    record::report_hash(report).map_err(|error| broken(&error))
}

/// The standing before a turn.
///
/// # Errors
/// [`PlayError::NotFound`] for a turn that lies before the game.
pub(in crate::play) async fn before(tx: &mut Reader, game: &Game, turn: u32) -> Result<Standing, PlayError> {
    if turn == game.first() {
        return Ok(game.start.clone());
    }
    let previous = turn.checked_sub(1).ok_or(PlayError::NotFound)?;
    let mut standing = game.start.clone();
    for row in tx.turns_since_standing(game.id.as_str(), i64::from(previous)).await? {
        standing = match &row.standing {
            Some(kept) => read_standing(kept, game.standing.setup())?,
            None if number(&row)? == standing.turn() => {
                let read = |side: Side, sheet: &TurnSheet| read_sheet(&standing, side, &sheet.body);
                let sheets = BySide { red: read(Side::Red, &row.red)?, blue: read(Side::Blue, &row.blue)? };
                standing.resolve(sheets.as_ref()).0
            }
            None => return Err(PlayError::Broken(format!("a turn before turn {} is missing", row.turn))),
        };
    }
    if standing.turn() == turn { Ok(standing) } else { Err(PlayError::NotFound) }
}

/// The standing after a turn as its row keeps it: of one turn in ten. Those between are played again from there, which
/// takes some millionths of a second each.
pub(in crate::play) fn kept_standing(turn: i64, standing: &str) -> Option<String> {
    (turn % EACH == 0).then(|| standing.to_owned())
}

fn number(row: &TurnRow) -> Result<u32, PlayError> {
    u32::try_from(row.turn).map_err(|error| broken(&error))
}

fn how(sheet: &TurnSheet) -> Result<How, PlayError> {
    How::from_word(&sheet.how).ok_or_else(|| PlayError::Broken("how".into()))
}

/// What of a kept turn goes into the running hash.
pub(in crate::play) fn link_of(row: &TurnRow) -> Result<record::Link<'_>, PlayError> {
    let sheets =
        BySide { red: (how(&row.red)?, row.red.seal.as_str()), blue: (how(&row.blue)?, row.blue.seal.as_str()) };
    Ok(record::Link { turn: number(row)?, sheets, report_hash: &row.report_hash })
}

/// Where the running hash of a game begins.
pub(in crate::play) fn chain_start(game: &Game) -> Result<String, PlayError> {
    let start = (game.first() > 0).then(|| game.start.kept());
    record::chain_start(game.id.as_str(), &game.standing.setup(), start.as_ref()).map_err(|error| broken(&error))
}

/// The running hash over all before a turn. Turns that were resolved before there was any are gone through once more.
pub(in crate::play) async fn chain_before(tx: &mut Reader, game: &Game, turn: u32) -> Result<String, PlayError> {
    if turn == game.first() {
        return chain_start(game);
    }
    let previous = tx.turn(game.id.as_str(), i64::from(turn) - 1).await?.ok_or(PlayError::NotFound)?;
    if let Some(chain) = previous.chain {
        return Ok(chain);
    }
    let rows = tx.turns(game.id.as_str()).await?;
    let mut earlier = rows.iter().filter(|row| row.turn < i64::from(turn));
    earlier.try_fold(chain_start(game)?, |chain, row| Ok(record::chain_of(game.id.as_str(), &chain, &link_of(row)?)))
}

/// The running hash of a kept turn.
pub(in crate::play) async fn chain_of_row(tx: &mut Reader, game: &Game, row: &TurnRow) -> Result<String, PlayError> {
    if let Some(chain) = &row.chain {
        return Ok(chain.clone());
    }
    let before = chain_before(tx, game, number(row)?).await?;
    Ok(record::chain_of(game.id.as_str(), &before, &link_of(row)?))
}

fn recorded_sheet(sheet: TurnSheet) -> Result<RecordedSheet, PlayError> {
    Ok(RecordedSheet {
        how: how(&sheet)?,
        text: sheet.body,
        salt: sheet.salt,
        seal: sheet.seal,
        sealed_at: Timestamp(sheet.sealed_at),
    })
}

/// A game as it is kept, with the standings that are kept after its turns.
struct Kept {
    record: Record,
    standings: Vec<Option<String>>,
    standing: Standing,
}

/// Reads a whole game.
async fn kept(tx: &mut Reader, id: &str) -> Result<Kept, PlayError> {
    let row = tx.game(id).await?.ok_or(PlayError::NotFound)?;
    let game = Game::read(&row)?;
    let seats = tx.seats(id).await?;
    let name = |side: Side| seats.iter().find(|seat| seat.side == side.word()).and_then(|seat| seat.name.clone());
    let (mut chain, mut turns, mut standings) = (chain_start(&game)?, Vec::new(), Vec::new());
    for row in tx.turns(id).await? {
        chain = match &row.chain {
            Some(kept) => kept.clone(),
            None => record::chain_of(id, &chain, &link_of(&row)?),
        };
        turns.push(RecordedTurn {
            turn: number(&row)?,
            red: recorded_sheet(row.red)?,
            blue: recorded_sheet(row.blue)?,
            report_hash: row.report_hash,
            chain: chain.clone(),
            resolved_at: Timestamp(row.resolved_at),
        });
        standings.push(row.standing);
    }
    let setup = game.standing.setup();
    let record = Record {
        format: record::FORMAT,
        game: id.to_owned(),
        board: setup.board_text(),
        start: (game.first() > 0).then(|| game.start.kept()),
        setup: setup.kept(),
        players: BySide { red: name(Side::Red), blue: name(Side::Blue) },
        computers: Computer::of_both(&seats)?.map(|computer| {
            computer.map(|Computer { level, since }| RecordedComputer { level: level.word().into(), from_turn: since })
        }),
        pace: game.pace,
        opened_at: game.opened_at,
        continues: game.continues.map(|id| id.to_string()),
        continued_in: game.continued_in.map(|id| id.to_string()),
        turns,
        ending: game.ended.map(|ended| RecordedEnding {
            cause: row.ending.unwrap_or_default(),
            outcome: ended.outcome,
            words: ended.how,
            at: ended.at,
        }),
    };
    Ok(Kept { record, standings, standing: game.standing })
}

/// What the check of a kept game says.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Checked {
    /// The game.
    pub game: String,
    /// How many turns were played again.
    pub turns: usize,
    /// What does not hold, a line each.
    pub wrong: Vec<String>,
}

impl Play {
    /// The record of a seat's game: everything that is open to both, and nothing of the awaited turn.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn record(&self, seat: &Seat) -> Result<Record, PlayError> {
        let id = seat.game().to_string();
        self.store.read(move |tx| Box::pin(async move { Ok(kept(tx, &id).await?.record) })).await
    }
}

/// The ids of up to `most` kept games after `after`.
///
/// # Errors
/// The store failed.
pub async fn games_after(store: &crate::store::Store, after: &str, most: i64) -> Result<Vec<String>, PlayError> {
    let after = after.to_owned();
    store.read(move |tx| Box::pin(async move { Ok(tx.game_ids(&after, most).await?) })).await
}

/// Checks a kept game: its record as anybody could, and beside it every standing that is kept. Changes nothing.
///
/// # Errors
/// The store failed. A game that cannot be read is a finding and no error.
pub async fn check_kept(store: &crate::store::Store, game: &str) -> Result<Checked, PlayError> {
    let id = game.to_owned();
    let read = store.read(move |tx| Box::pin(async move { kept(tx, &id).await })).await;
    let unreadable = |what: String| Checked { game: game.to_owned(), turns: 0, wrong: vec![what] };
    let kept = match read {
        Ok(kept) => kept,
        Err(PlayError::Broken(what)) => return Ok(unreadable(format!("The game cannot be read: {what}."))),
        Err(PlayError::NotFound) => return Ok(unreadable("The game lacks a part of itself.".into())),
        Err(error) => return Err(error),
    };
    let replayed = match record::replay(&kept.record) {
        Ok(replayed) => replayed,
        Err(error) => return Ok(unreadable(format!("The game cannot be played again: {error}."))),
    };
    let mut wrong: Vec<String> = replayed.wrong.iter().map(|finding| finding.line.clone()).collect();
    for (turn, standing) in replayed.turns.iter().zip(&kept.standings) {
        let Some(standing) = standing else { continue };
        let same = read_standing(standing, replayed.setup.clone()).is_ok_and(|standing| standing == turn.after);
        if !same {
            wrong.push(format!("{}: the standing that is kept after it is another.", turn.name));
        }
    }
    if replayed.turns.len() == kept.record.turns.len() && replayed.standing != kept.standing {
        wrong.push("The standing that is kept of the game is not that after its last turn.".into());
    }
    Ok(Checked { game: game.to_owned(), turns: replayed.turns.len(), wrong })
}
