//! Field Command server: a board wargame by web and mail, with sheets that stay sealed
//! until both sides are in.
//!
//! See ARCHITECTURE.md for the road of a turn and for which folder may use which.

/// Subcommands beside serving.
pub mod cli;
/// Time and chance, as arguments.
pub mod clock;
/// What is done: one use case per file.
pub mod play;
/// What is true: the rules, as pure functions.
pub mod rules;
/// What is kept: SQL and nothing else.
pub mod store;
/// The web door: pages and JSON API.
pub mod web;
