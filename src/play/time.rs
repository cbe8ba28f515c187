//! What a seat may know of a game's time beside its deadline.

use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::play::claim::{Claim, open_claim};
use crate::play::game::Game;
use crate::play::terms::Terms;
use crate::rules::Side;
use crate::store::{DraftRow, Reader, SeatRow};

/// A game's time, as the holder of one seat may see it.
#[derive(Clone, Debug, Default)]
pub struct TimeView {
    /// The terms of the game's clock.
    pub terms: Terms,
    /// Whether the seat's own draft shall not be used when the turn is due.
    pub withheld: bool,
    /// Until when both may still replace what they have sealed.
    pub settles: Option<Timestamp>,
    /// What this seat may claim because the opponent stays away.
    pub claim: Option<Claim>,
}

/// Gathers it.
pub(in crate::play) async fn time_view(
    tx: &mut Reader,
    game: &Game,
    side: Side,
    theirs: &SeatRow,
    draft: Option<&DraftRow>,
) -> Result<TimeView, PlayError> {
    Ok(TimeView {
        terms: game.terms.clone(),
        withheld: draft.is_some_and(|draft| draft.withheld_at.is_some()),
        settles: game.settles,
        claim: open_claim(tx, game, side, theirs).await?,
    })
}
