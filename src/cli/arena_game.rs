//! One game of the computer against itself, and its record.

use std::io;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::bot::Thinker;
use crate::clock::{Clock, Timestamp};
use crate::pace::Pace;
use crate::record::{
    BY_BOARD, FORMAT, How, Link, Record, RecordedComputer, RecordedEnding, RecordedSheet, RecordedTurn, chain_of,
    chain_start, report_hash, seal_of,
};
use crate::rules::field_command::maps::Map;
use crate::rules::field_command::standing::NO_REMOVAL_LIMIT;
use crate::rules::{BySide, Outcome, Setup, Sheet, Side, Standing, field_command};

/// A game that is to be played.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The seed of all games.
    pub seed: u64,
    /// Which of them this is, from 0.
    pub number: u32,
    /// The board.
    pub map: Map,
    /// Which side the first named player has.
    pub first: Side,
    /// Who plays.
    pub players: BySide<Thinker>,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Both sheets of each turn.
    pub sheets: Vec<BySide<Sheet>>,
    /// How many turns were played, the deployment included.
    pub turns: u32,
    /// Who won.
    pub outcome: Outcome,
    /// How long each side thought, in milliseconds.
    pub thought: BySide<f64>,
}

impl Match {
    /// Where it begins.
    #[must_use]
    pub fn open(&self) -> Standing {
        let board = Arc::clone(self.map.board());
        Standing::open(Setup::FieldCommand(field_command::Setup {
            board,
            no_removal_limit: NO_REMOVAL_LIMIT,
            day_limit: 0,
        }))
    }

    /// Something that only this game has, for a purpose.
    fn derived(&self, purpose: &str) -> [u8; 32] {
        Sha256::digest(format!("fieldcommand-arena\n{}\n{}\n{purpose}", self.seed, self.number).as_bytes()).into()
    }

    /// Plays the game. It ends, since so many days without a removal are a draw.
    #[must_use]
    pub fn play(&self) -> Played {
        let mut standing = self.open();
        let (mut sheets, mut thought) = (Vec::new(), BySide { red: 0.0, blue: 0.0 });
        let outcome = loop {
            if let Some((outcome, _)) = standing.ending() {
                break outcome;
            }
            let turn = BySide::from_fn(|side| {
                let seed = self.derived(&format!("{}\n{}", standing.turn(), side.word()));
                let begin = Clock::System.steady();
                let sheet = self.players.get(side).sheet(&standing, side, seed);
                let took = Clock::System.steady().saturating_sub(begin);
                *thought.get_mut(side) += took.as_secs_f64() * 1000.0;
                sheet
            });
            standing = standing.resolve(turn.as_ref()).0;
            sheets.push(turn);
        };
        Played { turns: standing.turn(), sheets, outcome, thought }
    }

    /// The record of the game, its seals salted from the seed; `players` are the words of the levels.
    ///
    /// # Errors
    /// It cannot be written, which does not happen.
    pub fn record(&self, played: &Played, players: &BySide<String>, now: Timestamp) -> io::Result<Record> {
        let mut standing = self.open();
        let setup = standing.setup();
        let game: String = HEXLOWER.encode(&self.derived("id")).chars().take(12).collect();
        let mut chain = chain_start(&game, &setup, None)?;
        let mut turns = Vec::with_capacity(played.sheets.len());
        for sheets in &played.sheets {
            let turn = standing.turn();
            let sealed = BySide::from_fn(|side| {
                let salt = self.derived(&format!("salt\n{turn}\n{}", side.word()));
                let salt: String = HEXLOWER.encode(&salt).chars().take(32).collect();
                let text = sheets.get(side).canonical();
                let seal = seal_of(&game, turn, side, &salt, &text);
                RecordedSheet { how: How::Sealed, text, salt, seal, sealed_at: now }
            });
            let (after, report) = standing.resolve(sheets.as_ref());
            let report_hash = report_hash(&report)?;
            let link = Link {
                turn,
                sheets: BySide { red: (How::Sealed, &*sealed.red.seal), blue: (How::Sealed, &*sealed.blue.seal) },
                report_hash: &report_hash,
            };
            chain = chain_of(&game, &chain, &link);
            let BySide { red, blue } = sealed;
            turns.push(RecordedTurn { turn, red, blue, report_hash, chain: chain.clone(), resolved_at: now });
            standing = after;
        }
        let ending = standing.ending().map(|(outcome, words)| RecordedEnding {
            cause: BY_BOARD.to_owned(),
            outcome: Some(outcome),
            words,
            at: now,
        });
        let computers = BySide::from_fn(|side| {
            let level = players.get(side).to_owned();
            Some(RecordedComputer { level, from_turn: 0 })
        });
        Ok(Record {
            format: FORMAT,
            game,
            setup: setup.kept(),
            board: setup.board_text(),
            start: None,
            players: BySide::from_fn(|side| Some(format!("Computer ({})", players.get(side)))),
            computers,
            pace: Pace::Open,
            opened_at: now,
            continues: None,
            continued_in: None,
            turns,
            ending,
        })
    }
}
