//! Field Command server: a board wargame by web and mail, with sheets that stay sealed
//! until both sides are in.
//!
//! See ARCHITECTURE.md for the road of a turn and for which folder may use which.

/// Builds the parts, runs and stops them.
pub mod app;
/// Subcommands beside serving.
pub mod cli;
/// Time and chance, as arguments.
pub mod clock;
/// The mail door, outwards.
pub mod mail;
/// What is done: one use case per file.
pub mod play;
/// What is shown: the board as a picture.
pub mod picture;
/// What is true: the rules, as pure functions.
pub mod rules;
/// What happens by itself.
pub mod runner;
/// What is kept: SQL and nothing else.
pub mod store;
/// The web door: pages and JSON API.
pub mod web;
