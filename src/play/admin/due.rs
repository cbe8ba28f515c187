//! Deadlines: what is late, and what is due soon.

use crate::clock::Timestamp;
use crate::play::admin::Admin;
use crate::play::admin::games::{DeskFilter, DeskLine, DeskOrder, PAGE_MAX};
use crate::play::{Play, PlayError};

/// Deadlines on the desk, each list with what is due first first.
#[derive(Clone, Debug)]
pub struct Deadlines {
    /// Those that are over and were not resolved.
    pub late: Vec<DeskLine>,
    /// Those that come.
    pub soon: Vec<DeskLine>,
}

impl Play {
    /// The deadlines until so many hours from now, up to 200 that are over and 200 that come.
    ///
    /// # Errors
    /// The store failed, or what it keeps cannot be read.
    pub async fn desk_deadlines(&self, admin: &Admin, hours: u32) -> Result<Deadlines, PlayError> {
        let now = self.clock.now();
        let until = Timestamp(now.0 + i64::from(hours) * 3_600_000 + 1);
        let due = |from: Option<Timestamp>, before: i64| DeskFilter {
            order: DeskOrder::Due,
            due_from: from,
            due_before: Some(Timestamp(before)),
            limit: PAGE_MAX,
            ..DeskFilter::default()
        };
        // Many that are late, after a night of standing still, do not hide what comes.
        let late = self.desk_games(admin, due(None, now.0 + 1)).await?.games;
        let soon = self.desk_games(admin, due(Some(Timestamp(now.0 + 1)), until.0)).await?.games;
        Ok(Deadlines { late, soon })
    }
}
