//! Field Command (1991): the rules.
//!
//! In reading order: the ground, the units on it, what players write, and what a day
//! makes of it. The day itself is a few lines, in `day::resolve`.

/// Positions A1–K11, sets of them, and distances.
pub mod position;
/// Terrain and altitude, and what a gun covers.
pub mod board;
/// The boards with names.
pub mod maps;
/// The nine kinds of unit, and armies of them.
pub mod unit;
/// Orders and lists of them.
pub mod order;
/// From text to words.
mod words;
/// From words to orders.
pub mod parse;
/// The deployment: zones, reading, filling.
pub mod deployment;
/// Three deployments that come with the server.
pub mod ready;
/// Which orders are legal, and why the others are not.
pub mod validate;
/// All legal orders at once.
mod movement;
/// Opposing units on one position.
pub mod confrontation;
/// Guns.
pub mod artillery;
/// What can happen at all on a day.
pub mod contact;
/// What ends a game.
pub mod outcome;
/// One day from dawn to dusk.
pub mod day;
/// What may come of a day: where units can go, who can arrive, how the own units will stand.
pub mod outlook;
/// What guns cover now, after their moves, and from every position.
pub mod guns;
/// Orders that fall together, and how a held destination is mended.
pub mod repair;
/// The danger to a General, and whether anything can save him.
pub mod general;
/// The list that surely covers most of a General's places.
mod hunt;
/// A day as JSON.
pub mod report;
/// A day in sentences.
pub mod story;
/// A day as one side lived through it.
pub mod own;
/// The board in plain letters.
pub mod plain;
/// What may come of a day, in sentences.
pub mod advice;
/// The command field: questions in a line of text, answered in sentences.
pub mod ask;
/// A day in the steps in which it is watched.
pub mod steps;
/// A game between two days: the state, and what is awaited.
pub mod standing;
/// A game that does not begin with the deployments.
mod start;
/// A day out of nothing.
pub mod imagined;
/// Placing units, one act after the other.
mod placing;
/// Giving orders, one act after the other.
mod ordering;
/// A sheet in the making.
pub mod drafting;
/// The board as the writer of a sheet sees it.
pub mod places;
/// Six small positions to learn by.
pub mod lessons;

pub use board::Board;
pub use day::{Day, resolve};
pub use drafting::Draft;
pub use order::{Order, Orders};
pub use position::{Position, PositionSet};
pub use standing::{Report, Setup, Sheet, Standing};
pub use unit::{Army, Unit};

/// The version of these rules, kept with every game that is played by them.
pub const VERSION: &str = "field_command/1";
