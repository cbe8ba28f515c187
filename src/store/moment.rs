//! Several readings of one state of the database.
//!
//! Whoever shows a page asks for many things one after the other. Within [`Store::at_one_moment`] they all read by one
//! transaction, so that they agree with each other, and the database is asked to begin and to end once. Writing ends it:
//! what is read afterwards is what was written.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::{Reader, Store};

tokio::task_local! {
    /// The transaction by which the task at hand reads; none before its first reading, and after it has written.
    static MOMENT: Arc<Mutex<Option<Reader>>>;
}

impl Store {
    /// Does something whose readings are of one state of the database. It must not wait for what others write.
    pub async fn at_one_moment<F: Future>(&self, work: F) -> F::Output {
        MOMENT.scope(Arc::default(), work).await
    }
}

/// Where the task at hand reads by one transaction, if it does.
pub(super) fn shared() -> Option<Arc<Mutex<Option<Reader>>>> {
    MOMENT.try_with(Arc::clone).ok()
}

/// Ends the moment of the task at hand: it is about to write.
pub(super) async fn end() {
    if let Some(shared) = shared() {
        drop(shared.lock().await.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    async fn keeps(store: &Store, word: &'static str, value: i64) {
        let keeping = store.write(move |tx| Box::pin(async move { tx.remember(word, value).await }));
        keeping.await.unwrap();
    }

    async fn kept(store: &Store, word: &'static str) -> Option<i64> {
        store.read(move |tx| Box::pin(async move { tx.remembered(word).await })).await.unwrap()
    }

    #[tokio::test]
    async fn a_moment_lasts_until_its_task_writes() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_sqlite(&folder.path().join("fieldcommand.sqlite")).await.unwrap();
        store.migrate(None).await.unwrap();
        keeps(&store, "word", 1).await;
        let reading = store.at_one_moment(async {
            assert_eq!(kept(&store, "word").await, Some(1));
            let (other, word) = (store.clone(), "word");
            tokio::spawn(async move { keeps(&other, word, 2).await }).await.unwrap();
            assert_eq!(kept(&store, "word").await, Some(1), "what another writes meanwhile is of later");
            // After a failure of the database a transaction may be of no more use.
            let failing = store.read(|_| Box::pin(async { Err::<(), _>(StoreError::new("on purpose")) }));
            assert!(failing.await.is_err());
            assert_eq!(kept(&store, "word").await, Some(2), "begun anew");
            keeps(&store, "own", 3).await;
            assert_eq!(kept(&store, "own").await, Some(3), "what it wrote itself");
            kept(&store, "word").await
        });
        assert_eq!(reading.await, Some(2));
        assert_eq!(kept(&store, "own").await, Some(3), "outside of it");
        // Its connection goes back by itself.
        while store.connections().0 > 0 {
            tokio::task::yield_now().await;
        }
    }
}
