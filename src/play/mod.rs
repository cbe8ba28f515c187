//! WHAT IS DONE: the use cases of a game, one a file, each one transaction; the only
//! place where rules and store meet. Pages, API and mail are doors to these functions
//! and have no rules of their own.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::clock::{Chance, Clock};
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
/// Addresses that stand for a seat's turn, or for a letter.
pub mod postmark;
/// Letters that come back, and letters that are not wanted.
pub mod stopped;
/// What became of a seat's letters.
pub mod ledger;

pub use changes::Changes;
pub use error::PlayError;
pub use ids::{GameId, Secret, ServerKey};
pub use seat::Seat;

/// The use cases, with what they need. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Play {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) chance: Chance,
    pub(crate) key: Arc<ServerKey>,
    pub(crate) changes: Changes,
    /// Who computes a hint at the moment.
    hints: Arc<Semaphore>,
}

impl Play {
    /// The use cases over a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock, chance: Chance, key: ServerKey) -> Play {
        Play {
            store,
            clock,
            chance,
            key: Arc::new(key),
            changes: Changes::default(),
            hints: Arc::new(Semaphore::new(hint::AT_ONCE)),
        }
    }

    /// A new id that sorts by time: a UUID of version 7 (RFC 9562, 5.7).
    fn sorted_id(&self) -> String {
        let millis = u64::try_from(self.clock.now().0).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.chance.bytes()).into_uuid().to_string()
    }

    /// The clock by which all is done.
    #[must_use]
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }
}
