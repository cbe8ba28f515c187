//! What has been read within a moment, and is not asked again.
//!
//! A page asks for the same rows from several places, and for much that most games have none of. All that is read within one
//! moment is of one state of the database ([`Store::at_one_moment`](crate::store::Store::at_one_moment)), so that the first answer is
//! the answer; and what there is beside a game is asked once for all tables. Outside of a moment, and by a [`Writer`], which
//! changes what it reads, everything is asked.
//!
//! [`Writer`]: crate::store::Writer

use std::any::Any;
use std::collections::HashMap;

use super::{Reader, StoreError};

/// What a moment has shown so far, by what was asked and about what.
#[derive(Default)]
pub(super) struct Seen(HashMap<(&'static str, String), Box<dyn Any + Send>>);

impl std::fmt::Debug for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seen(…)")
    }
}

/// What there may be beside a game, which both players may know of.
#[derive(Clone, Copy)]
pub(super) enum Beside {
    /// Absences.
    Absences,
    /// Offers.
    Offers,
    /// Acts of an organiser.
    Acts,
    /// Players who are organisers.
    Organisers,
    /// New links that wait for the opponent's consent.
    Reissues,
}

/// What a seat may have, which nobody else may know of.
#[derive(Clone, Copy)]
pub(super) enum Own {
    /// A draft.
    Draft,
    /// A deployment that outlived its game.
    Kept,
    /// Notes.
    Notes,
}

/// In the order of [`Beside`].
const BESIDE: &str = "select \
    cast(case when exists (select 1 from absences where game_id = $1) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from offers where game_id = $1) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from admin_acts where game_id = $1) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from seats join admin_tokens on admin_tokens.person_id = seats.person_id \
    where seats.game_id = $1) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from admin_reissues where game_id = $1) then 1 else 0 end as bigint)";

/// In the order of [`Own`].
const OWN: &str = "select \
    cast(case when exists (select 1 from drafts where game_id = $1 and side = $2) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from kept_sheets where game_id = $1 and side = $2) then 1 else 0 end as bigint), \
    cast(case when exists (select 1 from notes where game_id = $1 and side = $2) then 1 else 0 end as bigint)";

/// 1 for each kind of which there is anything.
type Five = (i64, i64, i64, i64, i64);
/// The same.
type Three = (i64, i64, i64);

impl Beside {
    const fn is_in(self, five: Five) -> bool {
        let number = match self {
            Beside::Absences => five.0,
            Beside::Offers => five.1,
            Beside::Acts => five.2,
            Beside::Organisers => five.3,
            Beside::Reissues => five.4,
        };
        number > 0
    }
}

impl Own {
    const fn is_in(self, three: Three) -> bool {
        let number = match self {
            Own::Draft => three.0,
            Own::Kept => three.1,
            Own::Notes => three.2,
        };
        number > 0
    }
}

impl Reader {
    /// Whether it reads within a moment.
    pub(super) const fn in_a_moment(&self) -> bool {
        self.seen.is_some()
    }

    /// What was read before.
    pub(super) fn seen<T: Clone + 'static>(&self, what: &'static str, about: &str) -> Option<T> {
        self.seen.as_ref()?.0.get(&(what, about.to_owned()))?.downcast_ref().cloned()
    }

    /// Remembers what was read.
    pub(super) fn saw<T: Clone + Send + 'static>(&mut self, what: &'static str, about: &str, read: &T) {
        if let Some(seen) = &mut self.seen {
            seen.0.insert((what, about.to_owned()), Box::new(read.clone()));
        }
    }

    /// Whether it is known that a game has none of something beside it.
    pub(super) async fn lacks(&mut self, what: Beside, game: &str) -> Result<bool, StoreError> {
        if !self.in_a_moment() {
            return Ok(false);
        }
        if let Some(five) = self.seen("beside", game) {
            return Ok(!what.is_in(five));
        }
        let five: Five = sqlx::query_as(BESIDE).bind(game).fetch_one(self.conn()).await?;
        self.saw("beside", game, &five);
        Ok(!what.is_in(five))
    }

    /// Whether it is known that a seat has none of something.
    pub(super) async fn has_no(&mut self, what: Own, game: &str, side: &str) -> Result<bool, StoreError> {
        if !self.in_a_moment() {
            return Ok(false);
        }
        let about = format!("{game} {side}");
        if let Some(three) = self.seen("own", &about) {
            return Ok(!what.is_in(three));
        }
        let three: Three = sqlx::query_as(OWN).bind(game).bind(side).fetch_one(self.conn()).await?;
        self.saw("own", &about, &three);
        Ok(!what.is_in(three))
    }
}
