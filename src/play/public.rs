//! The lists of public games: those that go on, and those that are over, newest first, a page at a time.
//!
//! They are found by whole words of a player's name, whatever their case; the words are folded here, since two databases fold
//! in two ways.

use crate::clock::Timestamp;
use crate::play::boards::BoardNames;
use crate::play::computer::Computer;
use crate::play::game::Game;
use crate::play::open::kept_board;
use crate::play::view::{Ended, names_of};
use crate::play::{GameId, Play, PlayError};
use crate::rules::{BySide, Outcome, Setup, Side};
use crate::store::{PublicQuery, Reader, Writer};

/// How many games stand on a page.
pub const PAGE: usize = 25;
/// How many words of a name are looked for; more of them find nothing that these do not.
const MOST_WORDS: usize = 4;

/// Which public games are asked for.
#[derive(Clone, Debug, Default)]
pub struct PublicFilter {
    /// Those that are over, and not those that go on.
    pub over: bool,
    /// Words of one player's name.
    pub player: String,
    /// Those on the board of this setup.
    pub board: Option<Setup>,
    /// Those that ended so.
    pub outcome: Option<Outcome>,
    /// Those that come after this place of the list.
    pub after: Option<Cursor>,
}

/// A place in a list: after the game with this time and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    time: i64,
    id: GameId,
}

impl Cursor {
    pub(in crate::play) const fn new(time: i64, id: GameId) -> Cursor {
        Cursor { time, id }
    }

    /// The place as the store wants it.
    pub(in crate::play) fn key(&self) -> (i64, &str) {
        (self.time, self.id.as_str())
    }

    /// Reads what is displayed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Cursor> {
        let (time, id) = text.split_once('-')?;
        Some(Cursor { time: time.parse().ok().filter(|time| *time >= 0)?, id: GameId::parse(id)? })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.time, self.id)
    }
}

/// A public game in a list.
#[derive(Clone, Debug)]
pub struct PublicLine {
    /// The game.
    pub game: GameId,
    /// What it was opened with.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// The players' names.
    pub names: BySide<Option<String>>,
    /// The computers that play a seat; `None` where a person does.
    pub computers: BySide<Option<Computer>>,
    /// The awaited turn in words.
    pub turn_name: String,
    /// Its number.
    pub turn: u32,
    /// When it is due.
    pub due: Option<Timestamp>,
    /// When both seats were taken.
    pub begun_at: Timestamp,
    /// How the game ended.
    pub ended: Option<Ended>,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct PublicPage {
    /// The games.
    pub games: Vec<PublicLine>,
    /// Where the list goes on, if it does.
    pub next: Option<Cursor>,
}

impl Play {
    /// A page of the public games.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn public_games(&self, filter: PublicFilter) -> Result<PublicPage, PlayError> {
        self.store.read(move |tx| Box::pin(async move { public_games_in(tx, &filter).await })).await
    }
}

async fn public_games_in(tx: &mut Reader, filter: &PublicFilter) -> Result<PublicPage, PlayError> {
    let words: Vec<String> = name_words(&filter.player).into_iter().take(MOST_WORDS).collect();
    if words.is_empty() && !filter.player.trim().is_empty() {
        // What has no letter and no digit is in nobody's name.
        return Ok(PublicPage { games: Vec::new(), next: None });
    }
    let board_hash = filter.board.as_ref().map(kept_board).transpose()?.map(|(_, hash)| hash);
    let page = i64::try_from(PAGE).unwrap_or(i64::MAX);
    let query = PublicQuery {
        over: filter.over,
        words: &words,
        board_hash: board_hash.as_deref(),
        outcome: filter.outcome.map(Outcome::word),
        after: filter.after.as_ref().map(Cursor::key),
        most: page + 1,
    };
    let mut found = tx.public_games(&query).await?;
    let more = found.len() > PAGE;
    found.truncate(PAGE);
    let mut games = Vec::new();
    for (id, _) in &found {
        games.push(public_line(tx, id).await?);
    }
    let last = found.last().filter(|_| more);
    let next = last.and_then(|(id, time)| Some(Cursor::new(*time, GameId::parse(id)?)));
    Ok(PublicPage { games, next })
}

async fn public_line(tx: &mut Reader, id: &str) -> Result<PublicLine, PlayError> {
    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
    let company = tx.company(id).await?.ok_or(PlayError::NotFound)?;
    let seats = tx.seats(id).await?;
    Ok(PublicLine {
        setup: game.standing.setup(),
        names: names_of(&seats),
        computers: Computer::of_both(&seats)?,
        turn_name: game.standing.turn_name(),
        turn: game.standing.turn(),
        due: game.due,
        begun_at: company.seated_at.map_or(game.opened_at, Timestamp),
        ended: game.ended,
        board: game.board,
        game: game.id,
    })
}

/// The hash of the board of a setup, by which its games are found.
#[must_use]
pub fn hash_of_board(setup: &Setup) -> Option<String> {
    kept_board(setup).ok().map(|(_, hash)| hash)
}

/// Keeps the words by which the player of a seat is found.
pub(in crate::play) async fn keep_words(
    tx: &mut Writer,
    game: &str,
    side: Side,
    name: Option<&str>,
) -> Result<(), PlayError> {
    tx.forget_player_words(game, side.word()).await?;
    for word in name_words(name.unwrap_or_default()) {
        tx.keep_player_word(game, side.word(), &word).await?;
    }
    Ok(())
}

/// The words of a name: runs of letters and digits, with case folded, each once.
pub(in crate::play) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        // There and back again: signs with several forms of one case become one of them.
        .map(|word| word.to_lowercase().to_uppercase().to_lowercase())
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_words_whatever_their_case() {
        assert_eq!(name_words("Ann-Marie  O'Neill ANN"), ["ann", "marie", "neill", "o"]);
        assert_eq!(name_words("STRAẞE Straße"), name_words("strasse"));
        assert_eq!(name_words("Ὀδυσσεύς"), name_words("ὈΔΥΣΣΕΎΣ"));
        assert!(name_words("% _ ★").is_empty());
    }

    #[test]
    fn a_place_in_a_list_is_read_as_it_is_written() {
        let cursor = Cursor::new(1_767_225_600_000, GameId::parse("0123456789ab").unwrap());
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        for odd in ["", "-", "1", "1-", "-1-0123456789ab", "1-0123456789ab-", "x-0123456789ab"] {
            assert_eq!(Cursor::parse(odd), None, "{odd}");
        }
    }
}
