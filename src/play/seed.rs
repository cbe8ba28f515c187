//! Many games at once, for measuring: played beforehand, and kept as the road of a turn would have left them.
//!
//! Each turn's row is made as `play/resolve` makes it, so every game can be proven, read and told like any other. What is
//! left out is what happens between people: nobody has an address, so no letters were queued.

use crate::clock::{Clock, Timestamp};
use crate::pace::Pace;
use crate::play::game::{BY_BOARD, Game, seal_of, write_standing};
use crate::play::ids::Purpose;
use crate::play::open::{Company, NewlyKept, OtherSeat};
use crate::play::proof::{chain_start, hash_of, kept_standing, link_of};
use crate::play::terms::Terms;
use crate::play::{GameId, Play, PlayError, Secret};
use crate::record::{self, How};
use crate::rules::{BySide, Setup, Sheet, Side};
use crate::store::{TurnRow, TurnSheet, Writer};

/// A day, in milliseconds: so long each turn of a seeded game took.
const DAY: i64 = 24 * 3_600_000;
/// How fast games go that are running still.
const PACE: Pace = Pace::Span { hours: 72, first_hours: 72 };

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Board and house rules.
    pub setup: Setup,
    /// Both sheets of each turn, the deployment first.
    pub sheets: Vec<BySide<Sheet>>,
    /// The players' names.
    pub names: BySide<String>,
    /// Whether everybody may look on.
    pub public: bool,
    /// How long ago its last turn was resolved, in milliseconds.
    pub ago: i64,
}

/// A game that was kept for measuring.
#[derive(Clone, Debug)]
pub struct SeededGame {
    /// Its id.
    pub game: GameId,
    /// The awaited turn.
    pub turn: u32,
    /// Whether it is running.
    pub running: bool,
    /// The secrets of both seats: link and API token.
    pub links: BySide<Secret>,
}

impl Play {
    /// Keeps games in one transaction, and gives the secrets of the seats of each. One that has not ended on the board is
    /// running: its awaited turn is due in three days.
    ///
    /// # Errors
    /// The store failed; then none is kept.
    pub async fn keep_played(&self, games: Vec<PlayedGame>) -> Result<Vec<SeededGame>, PlayError> {
        let (play, now) = (self.clone(), self.clock.now());
        self.store
            .write(move |tx| {
                let (play, games) = (play.clone(), games.clone());
                Box::pin(async move {
                    let mut kept = Vec::with_capacity(games.len());
                    for game in &games {
                        // It was opened so long ago.
                        let turns = i64::try_from(game.sheets.len()).unwrap_or(0);
                        let opened = Timestamp(now.0 - game.ago - turns * DAY);
                        let then = play.clone().but(|needs| needs.clock = Clock::fixed(opened));
                        kept.push(then.keep_one(tx, game, opened, now).await?);
                    }
                    Ok(kept)
                })
            })
            .await
    }

    async fn keep_one(
        &self,
        tx: &mut Writer,
        played: &PlayedGame,
        opened: Timestamp,
        now: Timestamp,
    ) -> Result<SeededGame, PlayError> {
        let id = GameId::draw(&self.chance);
        self.keep_new(
            tx,
            NewlyKept {
                game: id.clone(),
                opener: Side::Red,
                setup: played.setup.clone(),
                pace: PACE,
                start: None,
                terms: Terms::default(),
                names: played.names.clone().map(Some),
                address: None,
                other: OtherSeat::Kept,
                company: Company { public: played.public, challenge_days: None },
            },
        )
        .await?;
        let blue = Some(played.names.blue.as_str());
        tx.take_seat(id.as_str(), Side::Blue.word(), blue, opened.0).await?;
        tx.set_seated(id.as_str(), Some(opened.0)).await?;
        let game = self.lock(tx, id.as_str()).await?;
        self.keep_turns(tx, &game, &played.sheets, opened).await?;
        let kept = self.lock(tx, id.as_str()).await?;
        match kept.standing.ending() {
            Some((outcome, _)) => {
                tx.end_game(id.as_str(), Some(outcome.word()), BY_BOARD, kept.moved.0).await?;
            }
            None => self.set_due(tx, &kept, PACE.due(false, now)).await?,
        }
        let links = BySide::from_fn(|side| self.key.derive(Purpose::Link, &id, side, 1));
        Ok(SeededGame { game: id, turn: kept.standing.turn(), running: kept.standing.ending().is_none(), links })
    }

    /// Keeps the turns of a new game, one a day.
    async fn keep_turns(
        &self,
        tx: &mut Writer,
        game: &Game,
        turns: &[BySide<Sheet>],
        opened: Timestamp,
    ) -> Result<(), PlayError> {
        let (mut standing, mut chain, mut moment) = (game.standing.clone(), chain_start(game)?, opened);
        for sheets in turns {
            moment = Timestamp(moment.0 + DAY);
            let turn = standing.turn();
            let kept = |side: Side| {
                let salt = data_encoding::HEXLOWER.encode(&self.chance.bytes::<16>());
                let body = sheets.get(side).canonical();
                let seal = seal_of(&game.id, turn, side, &salt, &body);
                TurnSheet { how: How::Sealed.word().to_owned(), body, salt, seal, sealed_at: moment.0 }
            };
            let (red, blue) = (kept(Side::Red), kept(Side::Blue));
            let (next, report) = standing.resolve(sheets.as_ref());
            let mut row = TurnRow {
                turn: i64::from(turn),
                red,
                blue,
                standing: kept_standing(i64::from(turn), &write_standing(&next)?),
                report_hash: hash_of(&report)?,
                chain: None,
                resolved_at: moment.0,
            };
            chain = record::chain_of(game.id.as_str(), &chain, &link_of(&row)?);
            row.chain = Some(chain.clone());
            tx.insert_turn(game.id.as_str(), &row).await?;
            standing = next;
        }
        let (last, standing) = (i64::from(standing.turn()), write_standing(&standing)?);
        if last > game.turn() {
            tx.advance_game(game.id.as_str(), game.turn(), last, &standing, moment.0).await?;
        }
        Ok(())
    }
}
