//! Field Command (1991): the rules.
//!
//! In reading order: the ground, the units on it, what players write, and what a day
//! makes of it. The day itself is a few lines, in [`day::resolve`].

/// Guns.
pub mod artillery;
/// Terrain and altitude, and what a gun covers.
pub mod board;
/// Opposing units on one position.
pub mod confrontation;
/// One day from dawn to dusk.
pub mod day;
/// The deployment: zones, reading, filling.
pub mod deployment;
/// The boards with names.
pub mod maps;
/// All legal orders at once.
mod movement;
/// Orders and lists of them.
pub mod order;
/// What ends a game.
pub mod outcome;
/// From words to orders.
pub mod parse;
/// Positions A1–K11, sets of them, and distances.
pub mod position;
/// Three deployments that come with the server.
pub mod ready;
/// A day as JSON.
pub mod report;
/// A game between two days: the state, and what is awaited.
pub mod standing;
/// A day in sentences.
pub mod story;
/// The nine kinds of unit, and armies of them.
pub mod unit;
/// Which orders are legal, and why the others are not.
pub mod validate;
/// From text to words.
mod words;

pub use board::Board;
pub use day::{Day, resolve};
pub use order::{Order, Orders};
pub use position::{Position, PositionSet};
pub use standing::{Report, Setup, Sheet, Standing};
pub use unit::{Army, Unit};

/// The version of these rules, kept with every game that is played by them.
pub const VERSION: &str = "field_command/1";
