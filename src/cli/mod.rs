//! What the program can be asked from the command line.

/// `fieldcommand adjudicate`: days from standard input.
pub mod adjudicate;
/// `fieldcommand arena`: the computer against itself.
pub mod arena;
/// One game of the arena.
mod arena_game;
/// `fieldcommand bot`: the computer's sheets from standard input.
pub mod bot;
/// The settings of the server.
pub mod settings;
/// What came of many games.
mod tally;
/// The tuner of the computer's weights.
mod tune;
/// `fieldcommand verify`: records of whole games.
pub mod verify;
/// What `deliver` tells who runs it.
pub mod deliver;
