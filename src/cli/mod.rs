//! What the program can be asked from the command line.

/// `fieldcommand adjudicate`: days from standard input.
pub mod adjudicate;
/// `fieldcommand arena`: the computer against itself.
pub mod arena;
/// One game of the arena.
mod arena_game;
/// `fieldcommand bot`: the computer's sheets from standard input.
pub mod bot;
/// `fieldcommand health`: whether a server is ready.
pub mod health;
/// `fieldcommand seed`: games for measuring.
pub mod seed;
/// The settings of the server.
pub mod settings;
/// Settings from a file, and in words.
pub mod config;
/// What came of many games.
mod tally;
/// The tuner of the computer's weights.
mod tune;
/// `fieldcommand verify`: records of whole games.
pub mod verify;
/// `fieldcommand token`: tokens of organisers.
pub mod token;
/// What `deliver` tells who runs it.
pub mod deliver;
