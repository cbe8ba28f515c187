//! News that a game has changed: which game, and nothing of what happened. Whoever listens
//! asks again through the projection; whoever misses some is no worse off than one who asks from time to time.
//!
//! Within the process news are heard at once. Other processes on the same database are told after the commit, many games
//! at once, and tell theirs in the same way.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::sync::broadcast::{self, Receiver, Sender};

use crate::play::{GameId, Play, PlayError, Seat};
use crate::store::{Kind, Listener};

/// How many changes a slow listener may be behind before it misses some.
const BEHIND: usize = 256;

/// Where changes are announced. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Changes {
    heard: Sender<GameId>,
    /// What the other processes have not been told yet.
    to_tell: Arc<Mutex<BTreeSet<String>>>,
    /// That there is something to tell.
    told: Arc<Notify>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { heard: broadcast::channel(BEHIND).0, to_tell: Arc::default(), told: Arc::default() }
    }
}

impl Play {
    /// Announces that a game has changed, after the commit.
    pub(in crate::play) fn announce(&self, game: &GameId) {
        // Nobody may be listening.
        let _ = self.changes.heard.send(game.clone());
        if self.store.kind() == Kind::Postgres {
            self.changes.to_tell.lock().unwrap_or_else(PoisonError::into_inner).insert(game.to_string());
            self.changes.told.notify_one();
        }
    }

    /// Hears of every change from now on, of this process and of the others.
    #[must_use]
    pub fn listen(&self) -> Receiver<GameId> {
        self.changes.heard.subscribe()
    }

    /// Waits until there is something to tell the other processes.
    pub async fn something_to_tell(&self) {
        self.changes.told.notified().await;
    }

    /// Tells the other processes, as `own`, what has changed since the last time.
    ///
    /// # Errors
    /// The store failed; the others find out when they look by themselves.
    pub async fn tell_others(&self, own: &str) -> Result<(), PlayError> {
        let games = std::mem::take(&mut *self.changes.to_tell.lock().unwrap_or_else(PoisonError::into_inner));
        let games: Vec<String> = games.into_iter().collect();
        Ok(self.store.tell(own, &games).await?)
    }

    /// Begins to hear what other processes than `own` tell; `None` where there are no others.
    ///
    /// # Errors
    /// The store failed.
    pub async fn hear_others(&self, own: &str) -> Result<Option<OtherNews>, PlayError> {
        let listener = self.store.listen(own).await?;
        Ok(listener.map(|listener| OtherNews { play: self.clone(), listener }))
    }

    /// The version of a seat's game: it rises with every change that both players may know of.
    ///
    /// # Errors
    /// [`PlayError::NotFound`] for a seat that has been given to somebody else meanwhile.
    pub async fn version(&self, seat: &Seat) -> Result<i64, PlayError> {
        let (id, side, generation) = (seat.game().to_string(), seat.side(), seat.generation());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let held = tx.seat(&id, side.word()).await?.ok_or(PlayError::NotFound)?;
                    if held.taken_at.is_none() || held.link_generation != generation {
                        return Err(PlayError::NotFound);
                    }
                    tx.game_version(&id).await?.ok_or(PlayError::NotFound)
                })
            })
            .await
    }
}

/// What other processes tell.
#[derive(Debug)]
pub struct OtherNews {
    play: Play,
    listener: Listener,
}

impl OtherNews {
    /// Waits until others tell of changes, and announces them here.
    ///
    /// # Errors
    /// The connection is gone; what was told meanwhile is lost.
    pub async fn next(&mut self) -> Result<(), PlayError> {
        let heard = self.listener.hear().await?;
        for game in heard.iter().filter_map(|id| GameId::parse(id)) {
            // It is not told on.
            let _ = self.play.changes.heard.send(game);
        }
        Ok(())
    }
}
