//! The organiser's desk in the browser: what is stuck, what is due, failing mail, a game's timeline, and acts with a
//! confirmation. It shows what `play::admin` gives to the API too, and nothing else.

use crate::play::admin::games::{DeskLine, DeskState};
use crate::web::pages::frame;

/// Signing in with a token.
pub mod session;
/// What wants attention.
pub mod overview;
/// The list of games.
pub mod games;
/// One game.
pub mod game;
/// Doing something.
pub mod act;
/// Letters, mails and the log.
pub mod lists;
/// People.
pub mod people;
/// Webhooks.
pub mod webhooks;
/// Boards that are offered.
pub mod boards;

/// `Ann against Ben`, Red first.
fn players(line: &DeskLine) -> String {
    frame::players(&line.names, crate::rules::Side::Red)
}

/// A game's state in a few words.
fn state(line: &DeskLine) -> &'static str {
    match line.state {
        DeskState::Open => "waits for a second player",
        DeskState::Running => "running",
        DeskState::Paused => "paused",
        DeskState::Ended => "over",
        DeskState::Any | DeskState::Stuck => "",
    }
}
