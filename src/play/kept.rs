//! Deployments of games that became void: kept, and offered to their writers in later games on the same board.

use crate::play::game::Game;
use crate::play::{Play, PlayError, Seat, Secret};
use crate::rules::Side;
use crate::store::{KeptRow, Writer};

/// How many are offered.
const OFFERED: i64 = 5;

/// A deployment that was kept, as it suits the seat to which it is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The void game and the side in it: how it is named in a form.
    pub key: String,
    /// The text, turned to the seat's own side of the board.
    pub text: String,
}

impl Play {
    /// The deployments of void games that a session may use for a seat: those of its own seats, on the same board. None
    /// once the deployment is over, and none at a device that both sides share.
    ///
    /// # Errors
    /// The store failed.
    pub async fn kept_sheets(&self, session: &Secret, seat: &Seat) -> Result<Vec<Kept>, PlayError> {
        let (hash, seat) = (session.hash(), seat.clone());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let id = seat.game().as_str();
                    let game = Game::read(&tx.game(id).await?.ok_or(PlayError::NotFound)?)?;
                    if game.ended.is_some() || game.device.is_some() || game.standing.turn() > 0 {
                        return Ok(Vec::new());
                    }
                    let rows = tx.kept_of_session(&hash, id, OFFERED).await?;
                    let suited = rows.into_iter().filter_map(|row| {
                        let text = match Side::from_word(&row.side)? {
                            side if side == seat.side() => Some(row.body),
                            _ => game.standing.turned(seat.side(), &row.body),
                        };
                        Some(Kept { key: format!("{} {}", row.game_id, row.side), text: text? })
                    });
                    Ok(suited.collect())
                })
            })
            .await
    }

    /// Keeps what a side of a game that becomes void has written.
    pub(in crate::play) async fn keep_for_next(
        &self,
        tx: &mut Writer,
        game: &Game,
        side: Side,
        body: String,
    ) -> Result<(), PlayError> {
        let row = KeptRow { game_id: game.id.to_string(), side: side.word().to_owned(), body };
        Ok(tx.keep_sheet(&row, self.clock.now().0).await?)
    }
}
