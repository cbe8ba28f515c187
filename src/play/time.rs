//! What a seat may know of a game's time beside its deadline.

use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::play::absence::{Absence, days_left};
use crate::play::claim::{Claim, open_claim};
use crate::play::game::Game;
pub use crate::play::game::Offered;
use crate::play::idle::closes_from;
use crate::play::terms::Terms;
use crate::rules::{BySide, Side};
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
    /// The absences of each side that are not over, in the order of their beginnings.
    pub absences: BySide<Vec<Absence>>,
    /// How many days of absence each side has left to announce.
    pub days_left: BySide<u32>,
    /// Until when the game is paused.
    pub paused_until: Option<Timestamp>,
    /// The pause that one side offers.
    pub offer: Option<Offered>,
    /// From when either side may close the game as unfinished; `None` where it has deadlines.
    pub closes_from: Option<Timestamp>,
    /// Whether it may be closed now.
    pub may_close: bool,
    /// When the awaited turn was due before an outage of the server put it off.
    pub put_off_from: Option<Timestamp>,
    /// The deployment that was kept for this seat when the game became void.
    pub kept: Option<String>,
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
    now: Timestamp,
) -> Result<TimeView, PlayError> {
    let rows = tx.absences(game.id.as_str()).await?;
    let of = |side: Side| {
        let own = rows.iter().filter(|row| row.side == side.word() && row.until_at > now.0);
        own.map(Absence::of).collect::<Vec<_>>()
    };
    let closes_from = closes_from(game);
    let kept = tx.own_kept(game.id.as_str(), side.word()).await?;
    Ok(TimeView {
        absences: BySide::from_fn(of),
        days_left: BySide::from_fn(|side| days_left(game, &rows, side)),
        paused_until: game.pause(now),
        offer: game.offer(now),
        closes_from,
        kept: kept.map(|row| row.body),
        may_close: closes_from.is_some_and(|from| from <= now),
        put_off_from: game.put_off_from,
        terms: game.terms.clone(),
        withheld: draft.is_some_and(|draft| draft.withheld_at.is_some()),
        settles: game.settles,
        claim: open_claim(tx, game, side, theirs, now).await?,
    })
}
