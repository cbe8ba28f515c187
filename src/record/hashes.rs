//! The hashes of a game: the seal of a sheet, the hash of a report, and the running hash that covers a turn and
//! everything before it. docs/seals.md has the bytes of each, with test vectors.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::How;
use crate::rules::{BySide, KeptStanding, Report, Setup, Side};

fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// The seal of a sheet: SHA-256 over game, turn, side, salt and canonical text.
#[must_use]
pub fn seal_of(game: &str, turn: u32, side: Side, salt: &str, text: &str) -> String {
    hash(format!("fieldcommand-seal/1\n{game}\n{turn}\n{}\n{salt}\n{text}", side.word()).as_bytes())
}

/// The hash of a report, by which it can be proven that a turn still comes out the same: SHA-256 of its JSON.
///
/// # Errors
/// The report cannot be written, which does not happen.
pub fn report_hash(report: &Report) -> Result<String, serde_json::Error> {
    Ok(hash(&serde_json::to_vec(report)?))
}

/// The hash of a board: SHA-256 of its JSON.
///
/// # Errors
/// The board cannot be written, which does not happen.
pub fn board_hash(setup: &Setup) -> Result<String, serde_json::Error> {
    Ok(hash(&serde_json::to_vec(&setup.board_text())?))
}

/// Where the running hash of a game begins: with what it was opened with, so that neither rules nor board nor the
/// position at the start can be exchanged later.
///
/// # Errors
/// The settings cannot be written, which does not happen.
pub fn chain_start(game: &str, setup: &Setup, start: Option<&KeptStanding>) -> Result<String, serde_json::Error> {
    let (board, settings) = (board_hash(setup)?, serde_json::to_string(&setup.kept())?);
    let start = start.map(serde_json::to_string).transpose()?.unwrap_or_default();
    Ok(hash(format!("fieldcommand-chain/1\n{game}\nstart\n{board}\n{settings}\n{start}").as_bytes()))
}

/// What of a turn goes into the running hash.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The turn.
    pub turn: u32,
    /// How each sheet came about, and its seal.
    pub sheets: BySide<(How, &'a str)>,
    /// The hash of the report.
    pub report_hash: &'a str,
}

/// The running hash over a turn and, by `previous`, over all before it.
#[must_use]
pub fn chain_of(game: &str, previous: &str, link: &Link<'_>) -> String {
    let Link { turn, sheets: BySide { red, blue }, report_hash } = link;
    let (red_how, blue_how) = (red.0.word(), blue.0.word());
    let (red, blue) = (red.1, blue.1);
    hash(
        format!("fieldcommand-chain/1\n{game}\n{turn}\n{previous}\n{red_how} {red}\n{blue_how} {blue}\n{report_hash}")
            .as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::field_command::{self, maps};

    const GAME: &str = "0123456789ab";

    #[test]
    fn seals_are_those_of_the_documents_test_vectors() {
        let document = include_str!("../../docs/seals.md");
        let vectors = [
            (1, Side::Red, "00000000000000000000000000000000", "H7-F7 G8-F8"),
            (2, Side::Blue, "0123456789abcdef0123456789abcdef", ""),
            (0, Side::Red, "ffffffffffffffffffffffffffffffff", "GN K11\n"),
        ];
        for (turn, side, salt, text) in vectors {
            let seal = seal_of(GAME, turn, side, salt, text);
            assert!(document.contains(&seal), "docs/seals.md lacks {seal}");
        }
    }

    #[test]
    fn the_running_hash_is_that_of_the_documents_test_vectors() {
        let document = include_str!("../../docs/seals.md");
        let board = Arc::clone(maps::classic());
        let setup = Setup::FieldCommand(field_command::Setup { board, no_removal_limit: 12, day_limit: 0 });
        let board = board_hash(&setup).unwrap();
        let start = chain_start(GAME, &setup, None).unwrap();
        let seal = |letter: &str| letter.repeat(64);
        let (a, b, c, d) = (seal("a"), seal("b"), seal("c"), seal("d"));
        let first =
            Link { turn: 0, sheets: BySide { red: (How::Sealed, &*a), blue: (How::Sealed, &*b) }, report_hash: &c };
        let first = chain_of(GAME, &start, &first);
        let second =
            Link { turn: 1, sheets: BySide { red: (How::Draft, &*b), blue: (How::Missed, &*a) }, report_hash: &d };
        let second = chain_of(GAME, &first, &second);
        for hash in [board, start, first, second] {
            assert!(document.contains(&hash), "docs/seals.md lacks {hash}");
        }
    }
}
