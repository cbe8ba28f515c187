//! One game as an organiser may see it, with all that happened around it.
//!
//! Of an open turn: whether each side has sealed, and nothing else. When what of it was sealed, and how long it is, is
//! left out as well; the text of resolved turns stands in the game's record.

use crate::clock::Timestamp;
use crate::pace::Pace;
use crate::play::admin::Admin;
use crate::play::admin::audit::ActLine;
use crate::play::admin::games::{DeskLine, line};
use crate::play::admin::letters::{DeskLetter, SHOWN, letters_of_game};
use crate::play::admin::mails::{DeskMail, mails_of_game};
use crate::play::boards::BoardNames;
use crate::play::deadline::Missed;
use crate::play::game::Game;
use crate::play::resolve::How;
use crate::play::stopped::Stopped;
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError};
use crate::rules::{BySide, Setup, Side};
use crate::store::{Reader, SeatRow};

/// A game on the desk.
#[derive(Clone, Debug)]
pub struct DeskGame {
    /// What the list says of it.
    pub line: DeskLine,
    /// Rises with each change; the next act may be bound to it.
    pub version: i64,
    /// What it was opened with.
    pub setup: Setup,
    /// By what its board is known; `None` for a board without a name.
    pub board: Option<BoardNames>,
    /// How fast it goes.
    pub pace: Pace,
    /// The terms of its clock.
    pub terms: Terms,
    /// Whether everybody may look on.
    pub public: bool,
    /// Whether both sides sit at one device.
    pub one_device: bool,
    /// When the awaited turn was due before an outage put it off.
    pub put_off_from: Option<Timestamp>,
    /// Both seats.
    pub seats: BySide<DeskSeat>,
    /// The turns that have been resolved, the first one first.
    pub turns: Vec<DeskTurn>,
    /// The last letters about it, the newest first.
    pub letters: Vec<DeskLetter>,
    /// The last mails to its seats, the newest first.
    pub mails: Vec<DeskMail>,
    /// What organisers did, the first act first.
    pub acts: Vec<ActLine>,
}

/// A seat on the desk.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is something of its own that is so or not")]
pub struct DeskSeat {
    /// Whether somebody sits there.
    pub taken: bool,
    /// The id of the person, if the seat has a confirmed address.
    pub person: Option<String>,
    /// Whether an address was given and not confirmed yet.
    pub unconfirmed: bool,
    /// Whether the sheet for the awaited turn is sealed: whether alone.
    pub sealed: bool,
    /// Turns missed.
    pub missed: Missed,
    /// Whether its player stays away.
    pub away: bool,
    /// Why no letters go there.
    pub stopped: Option<Stopped>,
    /// How many links it has had.
    pub link_generation: i64,
    /// Whether its player is an organiser too.
    pub organiser: bool,
    /// Since when a new link waits for the opponent's consent.
    pub reissue_asked: Option<Timestamp>,
}

/// A resolved turn on the desk.
#[derive(Clone, Debug)]
pub struct DeskTurn {
    /// Its number.
    pub turn: u32,
    /// The same in words.
    pub name: String,
    /// How each sheet came about.
    pub how: BySide<How>,
    /// When it was resolved.
    pub resolved_at: Timestamp,
}

impl Play {
    /// A game on the desk.
    ///
    /// # Errors
    /// [`PlayError::NotFound`]; the store failed, or what it keeps cannot be read.
    pub async fn desk_game(&self, _admin: &Admin, game: &GameId) -> Result<DeskGame, PlayError> {
        let (id, now) = (game.to_string(), self.clock.now());
        self.store.read(move |tx| Box::pin(async move { read(tx, &id, now).await })).await
    }
}

async fn read(tx: &mut Reader, id: &str, now: Timestamp) -> Result<DeskGame, PlayError> {
    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
    let setup = game.standing.setup();
    let company = tx.company(id).await?.ok_or(PlayError::NotFound)?;
    let organisers = tx.admins_at(id, now.0).await?;
    let (rows, mut red, mut blue) = (tx.seats(id).await?, None, None);
    for row in &rows {
        let seat = seat(tx, row, organisers.contains(&row.side)).await?;
        match Side::from_word(&row.side) {
            Some(Side::Red) => red = Some(seat),
            Some(Side::Blue) => blue = Some(seat),
            None => {}
        }
    }
    let broken = || PlayError::Broken("seat".into());
    let mut turns = Vec::new();
    for row in tx.turns(id).await? {
        let turn = u32::try_from(row.turn).map_err(|_| PlayError::Broken("turn".into()))?;
        let how = |word: &str| How::from_word(word).ok_or_else(|| PlayError::Broken("how".into()));
        turns.push(DeskTurn {
            turn,
            name: setup.turn_name(turn),
            how: BySide { red: how(&row.red.how)?, blue: how(&row.blue.how)? },
            resolved_at: Timestamp(row.resolved_at),
        });
    }
    Ok(DeskGame {
        line: line(tx, id, now).await?,
        version: game.version,
        board: game.board,
        pace: game.pace,
        terms: game.terms,
        public: company.public_at.is_some(),
        one_device: game.device.is_some(),
        put_off_from: game.put_off_from,
        seats: BySide { red: red.ok_or_else(broken)?, blue: blue.ok_or_else(broken)? },
        turns,
        letters: letters_of_game(tx, id, SHOWN).await?,
        mails: mails_of_game(tx, id, SHOWN).await?,
        acts: tx.acts_on_game(id).await?.into_iter().map(ActLine::read).collect::<Result<_, _>>()?,
        setup,
    })
}

async fn seat(tx: &mut Reader, row: &SeatRow, organiser: bool) -> Result<DeskSeat, PlayError> {
    let asked = tx.reissue(&row.game_id, &row.side).await?;
    Ok(DeskSeat {
        taken: row.taken_at.is_some(),
        person: row.person_id.clone(),
        unconfirmed: row.address.is_some(),
        sealed: tx.seal(&row.game_id, &row.side).await?.is_some(),
        missed: Missed::of(row),
        away: row.absent_since.is_some(),
        stopped: Stopped::of(row),
        link_generation: row.link_generation,
        organiser,
        reissue_asked: asked.map(|asked| Timestamp(asked.asked_at)),
    })
}
