//! What the players of a game see of the organiser's desk: what was done in their game and why, what is asked of them, and
//! whether one of them is an organiser. Notes are for organisers alone, and so is by whose token it was done.

use crate::clock::Timestamp;
use crate::play::PlayError;
use crate::rules::{BySide, Side};
use crate::store::{ActRow, Reader};

/// What an organiser did in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAct {
    /// Its number in the game.
    pub number: i64,
    /// When.
    pub at: Timestamp,
    /// What was done, a word.
    pub act: String,
    /// The same for people, as a sentence without its end.
    pub name: &'static str,
    /// To which side.
    pub side: Option<Side>,
    /// Why.
    pub reason: String,
}

/// What a seat sees of the organiser's desk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrganiserView {
    /// What was done in the game, the first act first.
    pub acts: Vec<ShownAct>,
    /// Why the opponent's seat is to get a new link, if this seat is asked to agree to that.
    pub asks: Option<String>,
    /// Which sides are played by somebody who is an organiser too.
    pub plays: BySide<bool>,
}

impl ShownAct {
    pub(in crate::play) fn read(row: ActRow) -> ShownAct {
        ShownAct {
            number: row.number.unwrap_or(0),
            at: Timestamp(row.done_at),
            name: name(&row.act),
            act: row.act,
            side: row.side.as_deref().and_then(Side::from_word),
            reason: row.reason,
        }
    }
}

/// What an act is called for players.
fn name(act: &str) -> &'static str {
    match act {
        "game_opened" => "The organiser has opened this game",
        "deadline_moved" => "The organiser has moved the deadline",
        "paused" => "The organiser has paused the game",
        "resumed" => "The organiser has ended the pause",
        "cancelled" => "The organiser has cancelled the game",
        "result_declared" => "The organiser has declared the result",
        "seat_reissued" => "A seat has got a new link",
        "reissue_asked" => "The organiser wants to give a seat a new link, if the opponent agrees",
        "reissue_declined" => "A seat gets no new link: the opponent has not agreed",
        "seat_replaced" => "The organiser has given a seat to somebody else",
        "letter_resent" => "The organiser has sent a letter again",
        _ => "The organiser has done something",
    }
}

/// Gathers it for a seat.
pub(in crate::play) async fn organiser_view(
    tx: &mut Reader,
    game: &str,
    side: Side,
    now: Timestamp,
) -> Result<OrganiserView, PlayError> {
    let acts = tx.acts_on_game(game).await?.into_iter().map(ShownAct::read).collect();
    let asks = tx.reissue(game, side.other().word()).await?.map(|asked| asked.reason);
    let organisers = tx.admins_at(game, now.0).await?;
    let plays = BySide::from_fn(|side: Side| organisers.iter().any(|word| word == side.word()));
    Ok(OrganiserView { acts, asks, plays })
}
