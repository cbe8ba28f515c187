//! The list of games, filtered and sorted, a page at a time.

use crate::clock::Timestamp;
use crate::play::admin::Admin;
use crate::play::computer::Computer;
use crate::play::game::Game;
use crate::play::public::{Cursor, name_words};
use crate::play::view::{Ended, names_of};
use crate::play::{GameId, Play, PlayError};
use crate::rules::BySide;
use crate::store::{DeskQuery, GameRow, Reader, SeatRow};

pub use crate::store::{DeskOrder, DeskState};

/// How many games stand on a page, unless another number is asked for.
pub const PAGE: usize = 50;
/// The most that a page holds.
pub const PAGE_MAX: usize = 200;
/// How many games are looked through for names at once, and how often.
const BATCH: (i64, usize) = (200, 20);
/// How long after its deadline a turn counts as one that the server does not get resolved, in milliseconds.
const LATE: i64 = 5 * 60_000;
/// After how many days without a move a game counts as one that lies still.
const STILL_DAYS: i64 = 14;
/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;

/// Before which moments a game is due, or has moved last, if it is stuck.
pub(in crate::play) fn late(now: Timestamp) -> (i64, i64) {
    (now.0 - LATE, now.0 - STILL_DAYS * DAY)
}

/// Which games are asked for.
#[derive(Clone, Debug)]
pub struct DeskFilter {
    /// In which state.
    pub state: DeskState,
    /// In which order.
    pub order: DeskOrder,
    /// Words of one player's name.
    pub player: String,
    /// On the board with this hash.
    pub board: Option<String>,
    /// Those whose awaited turn is due at a moment or later.
    pub due_from: Option<Timestamp>,
    /// Those that are due before.
    pub due_before: Option<Timestamp>,
    /// Those that come after this place of the list.
    pub after: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

impl Default for DeskFilter {
    fn default() -> DeskFilter {
        DeskFilter {
            state: DeskState::Any,
            order: DeskOrder::Opened,
            player: String::new(),
            board: None,
            due_from: None,
            due_before: None,
            after: None,
            limit: PAGE,
        }
    }
}

/// A game in the list.
#[derive(Clone, Debug)]
pub struct DeskLine {
    /// The game.
    pub game: GameId,
    /// The players' names.
    pub names: BySide<Option<String>>,
    /// The computers that play a seat; `None` where a person does.
    pub computers: BySide<Option<Computer>>,
    /// Its state.
    pub state: DeskState,
    /// Whether something is wrong with it.
    pub stuck: bool,
    /// Whether what is kept of it cannot be read; then it can only be cancelled.
    pub broken: bool,
    /// The number of the awaited turn.
    pub turn: u32,
    /// The same in words.
    pub turn_name: String,
    /// When it is due.
    pub due: Option<Timestamp>,
    /// Until when nothing is due.
    pub paused_until: Option<Timestamp>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When its last turn was resolved, or its last seat taken.
    pub moved_at: Timestamp,
    /// How it ended.
    pub ended: Option<Ended>,
}

/// A page of the list.
#[derive(Clone, Debug)]
pub struct DeskPage {
    /// The games.
    pub games: Vec<DeskLine>,
    /// Where the list goes on, if it does. A page that looked for a name may be short, or empty, and go on all the same.
    pub next: Option<Cursor>,
}

impl Play {
    /// What the list says of one game.
    ///
    /// # Errors
    /// [`PlayError::NotFound`]; the store failed.
    pub async fn desk_line(&self, _admin: &Admin, game: &GameId) -> Result<DeskLine, PlayError> {
        let (id, now) = (game.to_string(), self.clock.now());
        self.store.read(move |tx| Box::pin(async move { line(tx, &id, now).await })).await
    }

    /// A page of all games.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn desk_games(&self, _admin: &Admin, filter: DeskFilter) -> Result<DeskPage, PlayError> {
        let now = self.clock.now();
        self.store.read(move |tx| Box::pin(async move { page(tx, &filter, now).await })).await
    }
}

async fn page(tx: &mut Reader, filter: &DeskFilter, now: Timestamp) -> Result<DeskPage, PlayError> {
    let words = name_words(&filter.player);
    if words.is_empty() && !filter.player.trim().is_empty() {
        return Ok(DeskPage { games: Vec::new(), next: None });
    }
    let fits = |name: &Option<String>| {
        let own = name.as_deref().map(name_words).unwrap_or_default();
        words.iter().all(|word| own.contains(word))
    };
    let limit = filter.limit.clamp(1, PAGE_MAX);
    let (mut games, mut after) = (Vec::new(), filter.after.clone());
    for _ in 0..BATCH.1 {
        let query = DeskQuery {
            state: filter.state,
            order: filter.order,
            board_hash: filter.board.as_deref(),
            due_from: filter.due_from.map(|due| due.0),
            due_before: filter.due_before.map(|due| due.0),
            after: after.as_ref().map(Cursor::key),
            now: now.0,
            late: late(now),
            most: BATCH.0,
        };
        let found = tx.desk_games(&query).await?;
        let whole = i64::try_from(found.len()).is_ok_and(|found| found == BATCH.0);
        for row in &found {
            if games.len() == limit {
                // There is at least one more.
                return Ok(DeskPage { games, next: after });
            }
            let id = GameId::parse(&row.id).ok_or_else(|| PlayError::Broken("id".into()))?;
            if fits(&row.red) || fits(&row.blue) {
                games.push(line(tx, &row.id, now).await?);
            }
            after = Some(Cursor::new(row.place, id));
        }
        if !whole {
            return Ok(DeskPage { games, next: None });
        }
    }
    Ok(DeskPage { games, next: after })
}

/// A line of the list, within a transaction.
pub(in crate::play) async fn line(tx: &mut Reader, id: &str, now: Timestamp) -> Result<DeskLine, PlayError> {
    let row = tx.game(id).await?.ok_or(PlayError::NotFound)?;
    let company = tx.company(id).await?.ok_or(PlayError::NotFound)?;
    let seats = tx.seats(id).await?;
    let game = match Game::read(&row) {
        Err(PlayError::Broken(why)) => {
            tracing::error!(game = id, why, "a game cannot be read");
            return unreadable(&row, &seats, company.seated_at.is_some());
        }
        read => read?,
    };
    let paused_until = game.pause(now).filter(|_| game.ended.is_none());
    Ok(DeskLine {
        names: names_of(&seats),
        computers: Computer::of_both(&seats)?,
        state: match (&game.ended, company.seated_at) {
            (Some(_), _) => DeskState::Ended,
            (None, None) => DeskState::Open,
            (None, Some(_)) if paused_until.is_some() => DeskState::Paused,
            (None, Some(_)) => DeskState::Running,
        },
        stuck: tx.is_stuck(id, now.0, late(now)).await?,
        broken: false,
        turn: game.standing.turn(),
        turn_name: game.standing.turn_name(),
        due: game.due,
        paused_until,
        opened_at: game.opened_at,
        moved_at: game.moved,
        ended: game.ended,
        game: game.id,
    })
}

/// The line of a game that cannot be read, so that one such game does not take the others off the desk.
fn unreadable(row: &GameRow, seats: &[SeatRow], seated: bool) -> Result<DeskLine, PlayError> {
    let id = GameId::parse(&row.id).ok_or_else(|| PlayError::Broken("id".into()))?;
    let state = match (row.ended_at, seated) {
        (Some(_), _) => DeskState::Ended,
        (None, false) => DeskState::Open,
        (None, true) => DeskState::Running,
    };
    Ok(DeskLine {
        names: names_of(seats),
        computers: BySide { red: None, blue: None },
        state,
        stuck: row.ended_at.is_none(),
        broken: true,
        turn: u32::try_from(row.turn).unwrap_or(0),
        turn_name: format!("Turn {}, cannot be read", row.turn),
        due: row.due_at.map(Timestamp),
        paused_until: row.paused_until.map(Timestamp),
        opened_at: Timestamp(row.opened_at),
        moved_at: Timestamp(row.moved_at.unwrap_or(row.opened_at)),
        ended: None,
        game: id,
    })
}
