//! Several pieces of work in one commit, on SQLite.
//!
//! There one connection writes, and a commit waits for the disk. Whoever comes meanwhile waits for the connection; when it
//! is free, one of those who wait does the work of all of them in one transaction, each piece behind a savepoint of its own,
//! and nobody is answered before the disk has it. So a commit costs what it costs however many share it, and one piece alone
//! waits for nobody. PostgreSQL does this by itself.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::Executor;
use tokio::sync::{Mutex, oneshot};
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::{Store, StoreError, TRIES, Work, WorkError, Writer};

/// How many pieces share a commit at most.
const MOST: usize = 64;
/// How long a commit is put off for further ones: those that are done wait for those that are not. Tests that want several
/// pieces in one commit run beside others.
const LONGEST: Duration = if cfg!(test) { Duration::from_secs(10) } else { Duration::from_millis(20) };
/// How often a transaction is begun while something else writes; each try waits for as long as `busy_timeout` says.
const BEGINNINGS: u32 = 2;

/// Those who wait for the connection that writes.
#[derive(Clone, Default)]
pub(super) struct Group(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: std::sync::Mutex<VecDeque<Box<dyn Piece>>>,
    /// Who has it does the work of all.
    turn: Mutex<()>,
}

impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Group(…)")
    }
}

/// How a piece of work went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ran {
    /// It is to be kept.
    Done,
    /// Nothing of it is to be kept.
    Undone,
    /// The same, and it is worth another try.
    Busy,
}

/// A piece of work, whatever it gives.
trait Piece: Send {
    /// Does it.
    fn run<'t>(&'t mut self, writer: &'t mut Writer) -> Pin<Box<dyn Future<Output = Ran> + Send + 't>>;
    /// Says how it went to whoever asked for it, once it is certain; an error where it could not be kept.
    fn answer(self: Box<Self>, kept: Result<(), StoreError>);
}

/// A piece of work that somebody asked for.
struct Asked<T, E, F> {
    work: F,
    tries: u32,
    went: Option<Result<T, E>>,
    answer: oneshot::Sender<Result<T, E>>,
    /// Its lines in the log belong to whoever asked for it.
    span: Span,
}

impl<T, E, F> Piece for Asked<T, E, F>
where
    T: Send + 'static,
    E: WorkError,
    F: for<'t> Fn(&'t mut Writer) -> Work<'t, T, E> + Send + Sync,
{
    fn run<'t>(&'t mut self, writer: &'t mut Writer) -> Pin<Box<dyn Future<Output = Ran> + Send + 't>> {
        Box::pin(async move {
            self.tries += 1;
            // One that panics must not take the others with it.
            let work = AssertUnwindSafe((self.work)(writer)).catch_unwind().instrument(self.span.clone());
            let went = work.await.unwrap_or_else(|_| Err(unfinished().into()));
            let ran = match &went {
                Ok(_) => Ran::Done,
                Err(error) if self.tries < TRIES && error.store_error().is_some_and(|error| error.busy) => Ran::Busy,
                Err(_) => Ran::Undone,
            };
            self.went = Some(went);
            ran
        })
    }

    fn answer(self: Box<Self>, kept: Result<(), StoreError>) {
        let went = match kept {
            Ok(()) => self.went.unwrap_or_else(|| Err(unfinished().into())),
            Err(error) => Err(error.into()),
        };
        // Whoever asked may be gone.
        let _ = self.answer.send(went);
    }
}

fn unfinished() -> StoreError {
    StoreError::new("the work was not finished")
}

impl Group {
    fn push(&self, piece: Box<dyn Piece>) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(piece);
    }

    fn push_first(&self, piece: Box<dyn Piece>) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_front(piece);
    }

    fn next(&self) -> Option<Box<dyn Piece>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn all(&self) -> VecDeque<Box<dyn Piece>> {
        std::mem::take(&mut *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store {
    /// Does a piece of work together with what else waits, and answers when it is kept.
    pub(super) async fn write_together<T, E, F>(self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: WorkError,
        F: for<'t> Fn(&'t mut Writer) -> Work<'t, T, E> + Send + Sync + 'static,
    {
        let (answer, mut answered) = oneshot::channel();
        self.group.push(Box::new(Asked { work, tries: 0, went: None, answer, span: Span::current() }));
        let _turn = self.group.0.turn.lock().await;
        loop {
            match answered.try_recv() {
                Ok(went) => return went,
                Err(oneshot::error::TryRecvError::Closed) => return Err(unfinished().into()),
                // Those who came before had no room for it.
                Err(oneshot::error::TryRecvError::Empty) => self.commit_group().await,
            }
        }
    }

    /// One transaction with what waits.
    async fn commit_group(&self) {
        let mut writer = match self.begin_to_write().await {
            Ok(writer) => writer,
            // Whatever keeps one from writing keeps all of them.
            Err(error) => return self.group.all().into_iter().for_each(|piece| piece.answer(Err(error.clone()))),
        };
        let (began, mut done) = (Instant::now(), Vec::new());
        while done.len() < MOST && (done.is_empty() || began.elapsed() < LONGEST) {
            let Some(mut piece) = self.group.next() else { break };
            // The first one needs none: without it there is nothing to keep.
            if !done.is_empty()
                && let Err(error) = writer.mark().await
            {
                self.group.push_first(piece);
                return answer_all(done, &Err(error));
            }
            let ran = piece.run(&mut writer).await;
            if ran == Ran::Done {
                done.push(piece);
                continue;
            }
            let back = if done.is_empty() { Ok(()) } else { writer.back_to_mark().await };
            match ran {
                Ran::Busy => self.group.push_first(piece),
                // What it was refused for may be another piece's work, and is certain when that is kept.
                _ if !done.is_empty() && back.is_ok() => {
                    done.push(piece);
                    continue;
                }
                _ if done.is_empty() => piece.answer(Ok(())),
                _ => piece.answer(back.clone()),
            }
            // SQLite gives up a whole transaction by itself when, for example, the disk is full.
            if let Err(error) = back {
                return answer_all(done, &Err(error));
            }
            if done.is_empty() {
                return writer.undo().await;
            }
        }
        let kept = if done.is_empty() { Ok(()) } else { writer.commit().await };
        answer_all(done, &kept);
    }

    async fn begin_to_write(&self) -> Result<Writer, StoreError> {
        let mut tries = 1;
        loop {
            match self.writer.begin_with("begin immediate").await.map_err(StoreError::from) {
                Ok(tx) => return Ok(Writer::new(tx)),
                Err(error) if error.busy && tries < BEGINNINGS => tries += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Writer {
    /// Marks a place to come back to. Later marks hide the earlier ones, and the commit takes them all away.
    async fn mark(&mut self) -> Result<(), StoreError> {
        self.conn().execute("savepoint piece").await?;
        Ok(())
    }

    async fn back_to_mark(&mut self) -> Result<(), StoreError> {
        self.conn().execute("rollback to piece").await?;
        Ok(())
    }
}

fn answer_all(pieces: Vec<Box<dyn Piece>>, kept: &Result<(), StoreError>) {
    for piece in pieces {
        piece.answer(kept.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::Notify;

    use super::*;

    async fn new_store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_sqlite(&folder.path().join("fieldcommand.sqlite")).await.unwrap();
        store.migrate(None).await.unwrap();
        (folder, store)
    }

    /// A piece that keeps a word, and then fails if it is to.
    async fn keep(store: Store, word: String, fails: bool) -> Result<(), StoreError> {
        let keeping = store.write(move |tx| {
            let word = word.clone();
            Box::pin(async move {
                tx.remember(&word, 1).await?;
                if fails { Err(StoreError::new("refused")) } else { Ok(()) }
            })
        });
        keeping.await
    }

    async fn kept(store: &Store, word: String) -> bool {
        let looking = store.read(move |tx| Box::pin(async move { tx.remembered(&word).await }));
        looking.await.unwrap().is_some()
    }

    /// Holds the connection until it is told to go on, so that others come together behind it.
    async fn held(store: &Store) -> (tokio::task::JoinHandle<Result<(), StoreError>>, Arc<Notify>) {
        let (begun, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (store, say, wait) = (store.clone(), Arc::clone(&begun), Arc::clone(&go));
        let holding = tokio::spawn(async move {
            let work = store.write(move |_| {
                let (say, wait) = (Arc::clone(&say), Arc::clone(&wait));
                Box::pin(async move {
                    say.notify_one();
                    wait.notified().await;
                    Err::<(), _>(StoreError::new("only held"))
                })
            });
            work.await
        });
        begun.notified().await;
        (holding, go)
    }

    #[tokio::test]
    async fn what_waits_together_is_kept_together_and_what_fails_fails_alone() {
        let (_folder, store) = new_store().await;
        let (holding, go) = held(&store).await;
        let pieces: Vec<_> =
            (0..10).map(|n| tokio::spawn(keep(store.clone(), format!("word {n}"), n % 4 == 3))).collect();
        let panicking = store.clone();
        let panicking = tokio::spawn(async move {
            let work = panicking.write::<(), StoreError, _>(|tx| {
                Box::pin(async move {
                    tx.remember("of a panic", 1).await?;
                    panic!("on purpose")
                })
            });
            work.await
        });
        while store.group.0.waiting.lock().unwrap().len() < 11 {
            tokio::task::yield_now().await;
        }
        go.notify_one();
        let mut pieces = pieces.into_iter();
        pieces.next().unwrap().await.unwrap().unwrap();
        // Who is answered first finds what the others wrote: it was one commit.
        for n in 1..10 {
            assert_eq!(kept(&store, format!("word {n}")).await, n % 4 != 3, "word {n}");
        }
        for (n, piece) in pieces.enumerate() {
            assert_eq!(piece.await.unwrap().is_err(), (n + 1) % 4 == 3, "word {}", n + 1);
        }
        assert!(panicking.await.unwrap().is_err() && !kept(&store, "of a panic".into()).await);
        assert!(holding.await.unwrap().is_err());
    }

    #[tokio::test]
    async fn what_was_busy_is_tried_again_and_the_others_do_not_notice() {
        let (_folder, store) = new_store().await;
        let (holding, go) = held(&store).await;
        let tries = Arc::new(AtomicU32::new(0));
        let (counted, of_another) = (Arc::clone(&tries), store.clone());
        let busy = tokio::spawn(async move {
            let work = of_another.write(move |tx| {
                let counted = Arc::clone(&counted);
                Box::pin(async move {
                    tx.remember("at last", 1).await?;
                    if counted.fetch_add(1, Ordering::Relaxed) < 2 {
                        return Err(StoreError { message: "busy".into(), busy: true, held: false });
                    }
                    Ok(())
                })
            });
            work.await
        });
        let other = tokio::spawn(keep(store.clone(), "other".into(), false));
        while store.group.0.waiting.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        go.notify_one();
        assert!(busy.await.unwrap().is_ok() && other.await.unwrap().is_ok() && holding.await.unwrap().is_err());
        assert!(kept(&store, "at last".into()).await && kept(&store, "other".into()).await);
        assert_eq!(tries.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn a_transaction_that_was_given_up_is_nobodys() {
        let (_folder, store) = new_store().await;
        let (holding, go) = held(&store).await;
        let first = tokio::spawn(keep(store.clone(), "first".into(), false));
        let giving_up = store.clone();
        let giving_up = tokio::spawn(async move {
            let work = giving_up.write(|tx| {
                Box::pin(async move {
                    // As SQLite does by itself when the disk is full.
                    tx.conn().execute("rollback").await?;
                    Err::<(), _>(StoreError::new("the disk is full"))
                })
            });
            work.await
        });
        while store.group.0.waiting.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        go.notify_one();
        assert!(first.await.unwrap().is_err() && giving_up.await.unwrap().is_err() && holding.await.unwrap().is_err());
        assert!(!kept(&store, "first".into()).await);
        keep(store.clone(), "next".into(), false).await.unwrap();
        assert!(kept(&store, "next".into()).await);
    }

    /// What is refused because of another's work is not answered before that is kept.
    #[tokio::test]
    async fn a_refusal_stands_only_if_what_it_was_for_is_kept() {
        let (_folder, store) = new_store().await;
        let (holding, go) = held(&store).await;
        let first = tokio::spawn(keep(store.clone(), "taken".into(), false));
        let looking = store.clone();
        let second = tokio::spawn(async move {
            let work = looking.write::<(), StoreError, _>(|tx| {
                Box::pin(async move {
                    let taken = tx.remembered("taken").await?.is_some();
                    Err(StoreError::new(if taken { "taken" } else { "free" }))
                })
            });
            work.await
        });
        let full = store.clone();
        let third = tokio::spawn(async move {
            let work = full.write(|tx| {
                Box::pin(async move {
                    tx.conn().execute("rollback").await?;
                    Err::<(), _>(StoreError::new("the disk is full"))
                })
            });
            work.await
        });
        while store.group.0.waiting.lock().unwrap().len() < 3 {
            tokio::task::yield_now().await;
        }
        go.notify_one();
        let refused = second.await.unwrap().unwrap_err();
        assert!(refused.message != "taken" && refused.message != "free", "{refused}");
        assert!(first.await.unwrap().is_err() && third.await.unwrap().is_err() && holding.await.unwrap().is_err());
    }
}
