//! News that a game has changed: which game, and nothing of what happened. Whoever listens
//! asks again through the projection; whoever misses some is no worse off than one who asks from time to time.

use tokio::sync::broadcast::{self, Receiver, Sender};

use crate::play::{GameId, Play, PlayError, Seat};

/// How many changes a slow listener may be behind before it misses some.
const BEHIND: usize = 256;

/// Where changes are announced. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Changes(Sender<GameId>);

impl Default for Changes {
    fn default() -> Changes {
        Changes(broadcast::channel(BEHIND).0)
    }
}

impl Play {
    /// Announces that a game has changed, after the commit.
    pub(in crate::play) fn announce(&self, game: &GameId) {
        // Nobody may be listening.
        let _ = self.changes.0.send(game.clone());
    }

    /// Hears of every change that this process makes from now on.
    #[must_use]
    pub fn listen(&self) -> Receiver<GameId> {
        self.changes.0.subscribe()
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
