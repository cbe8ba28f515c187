//! WHAT IS DONE: the use cases of a game, one a file, each one transaction; the only
//! place where rules and store meet. Pages, API and mail are doors to these functions
//! and have no rules of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use crate::clock::{Chance, Clock};
use crate::metrics::Metrics;
use crate::store::Store;

/// Names and secrets.
pub mod ids;
/// Who asks: a seat that has been proven.
pub mod seat;
/// What can be wrong with a request.
pub mod error;
/// A game in memory: what the database keeps, made into a standing again.
mod game;
/// Opening a game.
pub mod open;
/// The boards that the organiser offers.
pub mod boards;
/// Invitations: looking, taking, withdrawing; and unseating a wrong taker.
pub mod invite;
/// Free seats that anybody may take, and who does not want to meet whom.
pub mod challenge;
/// Invitations by letter.
mod invite_by_mail;
/// What the two players write to each other.
pub mod messages;
/// Playing again with sides changed.
pub mod rematch;
/// Both sides at one device, and handing it over.
pub mod device;
/// Links, sessions and tokens.
pub mod enter;
/// Checking and filling in a sheet.
pub mod check;
/// Sheets in the making, and taking a sealed one back.
pub mod draft;
/// Sealing a sheet.
pub mod seal;
/// What proves a game: the turns as they are kept, their hashes, and the whole as a record.
pub mod proof;
/// What the last seal of a turn sets off.
pub mod resolve;
/// Games for measuring, kept many at once.
pub mod seed;
/// What happens when a turn is due.
pub mod deadline;
/// A draw, or going on elsewhere, by agreement.
pub mod agree;
/// The terms of a game's clock.
pub mod terms;
/// What may be done about who stays away.
pub mod claim;
/// Computer players.
pub mod computer;
/// What a computer would order, for who asks.
pub mod hint;
/// The letter to a player whose seat was given up.
pub mod given_up;
/// Absences that players announce.
pub mod absence;
/// Pauses by agreement.
pub mod pause;
/// Games without deadlines that lie still.
pub mod idle;
/// Deployments of games that became void.
pub mod kept;
/// Reminders.
mod remind;
/// What is awaited, by letter.
mod awaited;
/// What a seat may know of a game's time.
pub mod time;
/// Giving up.
pub mod resign;
/// The address that reports go to.
pub mod address;
/// Links that go by mail alone.
pub mod mailed;
/// People: signing in and out, another address.
pub mod people;
/// What a person wants: times, letters.
pub mod wishes;
/// One letter a day instead of many.
pub mod digest;
/// Codes that open a seat for a few days.
pub mod code;
/// All that is kept of a person.
pub mod own_data;
/// Forgetting what has served its time.
mod tidy;
/// Removing a person.
pub mod erase;
/// News that a game has changed.
pub mod changes;
/// What-ifs and private notes.
pub mod thoughts;
/// What a seat has watched.
pub mod seen;
/// The calendar of deadlines.
pub mod calendar;
/// What a viewer may know.
pub mod view;
/// What a seat has to do with other people.
pub mod company;
/// The lists of public games.
pub mod public;
/// Letters: queueing them, and what they are about.
pub mod letters;
/// What a mail does.
pub mod by_mail;
/// Letters on their way.
pub mod sending;
/// How the server is, for who looks after it.
pub mod pulse;
/// Processes that share a database.
pub mod processes;
/// Whether the server may do anything by itself, after it was moved or restored.
pub mod place;
/// Addresses that stand for a seat's turn, or for a letter.
pub mod postmark;
/// Letters that come back, and letters that are not wanted.
pub mod stopped;
/// What became of a seat's letters.
pub mod ledger;
/// Webhooks: programs that are told when a game has changed.
pub mod webhooks;
/// The organiser's desk.
pub mod admin;

pub use changes::Changes;
pub use error::PlayError;
pub use ids::{GameId, Secret, ServerKey};
pub use seat::Seat;

/// How many bits of an id count those of one millisecond.
const COUNTED: u32 = 12;

/// The use cases, with what they need. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Play(Arc<Needs>);

/// What the use cases need.
#[derive(Clone, Debug)]
pub struct Needs {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) chance: Chance,
    pub(crate) key: Arc<ServerKey>,
    pub(crate) changes: Changes,
    metrics: Metrics,
    place: Arc<place::Place>,
    present: Arc<processes::Present>,
    reach: webhooks::Reach,
    /// Who computes a hint at the moment.
    hints: Arc<Semaphore>,
    /// The time and number of the last id that sorts by time.
    last_id: Arc<AtomicU64>,
}

impl std::ops::Deref for Play {
    type Target = Needs;

    fn deref(&self) -> &Needs {
        &self.0
    }
}

impl Play {
    /// The use cases over a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock, chance: Chance, key: ServerKey) -> Play {
        Play(Arc::new(Needs {
            store,
            clock,
            chance,
            key: Arc::new(key),
            changes: Changes::default(),
            metrics: Metrics::default(),
            place: Arc::default(),
            present: Arc::default(),
            reach: webhooks::Reach::default(),
            hints: Arc::new(Semaphore::new(hint::AT_ONCE)),
            last_id: Arc::default(),
        }))
    }

    /// The same use cases, of which something is otherwise.
    fn but(mut self, change: impl FnOnce(&mut Needs)) -> Play {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// A new id that sorts by time: a UUID of version 7 (RFC 9562, 5.7). Those that are made within one millisecond are
    /// counted in its twelve highest bits after the time (6.2, method 1), so that they sort as they were made; the
    /// 4097th of one millisecond gets the time of the next.
    fn sorted_id(&self) -> String {
        let now = u64::try_from(self.clock.now().0).unwrap_or(0) << COUNTED;
        let next = |last: u64| now.max(last.saturating_add(1));
        let last = self.last_id.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last)));
        let id = next(last.unwrap_or_default());
        let [.., high, low] = id.to_be_bytes();
        let mut rest: [u8; 10] = self.chance.bytes();
        let [first, second, ..] = &mut rest;
        (*first, *second) = (high, low);
        uuid::Builder::from_unix_timestamp_millis(id >> COUNTED, &rest).into_uuid().to_string()
    }

    /// Does something that reads several times, all of one state of the database. It must not wait for what others do.
    pub async fn at_one_moment<F: Future>(&self, work: F) -> F::Output {
        self.store.at_one_moment(work).await
    }

    /// Where this process counts what it does.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The clock by which all is done.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    #[tokio::test]
    async fn ids_of_one_millisecond_sort_as_they_were_made() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_sqlite(&folder.path().join("test.sqlite")).await.unwrap();
        let clock = Clock::fixed(Timestamp(1_700_000_000_000));
        let play = Play::new(store, clock, Chance::seeded(1), ServerKey::new([7; 32]));
        let ids: Vec<String> = (0..10_000).map(|_| play.sorted_id()).collect();
        assert!(ids.is_sorted_by(|one, other| one < other));
        for id in [&ids[0], &ids[9_999]] {
            let id = uuid::Uuid::try_parse(id).unwrap();
            assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
            let (seconds, _) = id.get_timestamp().unwrap().to_unix();
            assert_eq!(seconds, 1_700_000_000);
        }
    }
}
