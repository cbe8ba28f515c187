//! That nobody else works on a database, before all of it is read or replaced.
//!
//! A file is held by the lock in its folder. Of a server's database PostgreSQL itself knows who is connected, whatever
//! clocks say and whichever version of this program it is; who comes later leaves a row among the processes.

use std::time::Duration;

use crate::store::{ProcessRow, Store, StoreError};

/// How often it is looked once more whether somebody is connected.
const LOOKS: u32 = 10;
/// How long to wait between two looks.
const BETWEEN: Duration = Duration::from_millis(200);

/// The processes that were there when nobody was connected any more: those that did not take their leave.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gone(Vec<(String, i64)>);

/// Refuses where anybody is connected to the database. To be asked before anything else is done with it: only then is this
/// program's own connection the only one.
pub(super) async fn nobody_connected(option: &str, store: &Store) -> anyhow::Result<()> {
    let mut others = store.others_connected().await?;
    // A server that has just stopped is on its way out still.
    for _ in 0..LOOKS {
        if others == 0 {
            break;
        }
        tokio::time::sleep(BETWEEN).await;
        others = store.others_connected().await?;
    }
    anyhow::ensure!(
        others == 0,
        "{option}: {others} other connection{} to this database; stop every server that works on it first, and leave psql",
        if others == 1 { " is open" } else { "s are open" }
    );
    Ok(())
}

/// Who is listed as working on a database to which nobody is connected.
pub(super) async fn gone(store: &Store) -> Result<Gone, StoreError> {
    Ok(Gone(listed(store.read::<_, StoreError, _>(|tx| Box::pin(async move { tx.processes().await })).await?)))
}

impl Gone {
    /// Whether the list is still the same: nobody has come.
    pub(super) fn is_all(&self, now: Vec<ProcessRow>) -> bool {
        self.0 == listed(now)
    }
}

fn listed(rows: Vec<ProcessRow>) -> Vec<(String, i64)> {
    rows.into_iter().map(|row| (row.id, row.beats)).collect()
}
