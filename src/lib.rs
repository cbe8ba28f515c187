//! Field Command server: a board wargame by web and mail, with sheets that stay sealed
//! until both sides are in.
//!
//! The modules stand in reading order; each uses only what stands above it. ARCHITECTURE.md
//! has the road of a turn, and which folder may use which.

/// What is true: the rules, as pure functions.
pub mod rules;
/// What a computer player would write.
pub mod bot;
/// What is shown: the board as a picture.
pub mod picture;
/// Time and chance, as arguments.
pub mod clock;
/// What is counted while the server works.
pub mod metrics;
/// When turns are due.
pub mod pace;
/// A whole game as a document, and the proof of it.
pub mod record;
/// What is kept: SQL and nothing else.
pub mod store;
/// What is done: one use case per file.
pub mod play;
/// The mail door, outwards.
pub mod mail;
/// The web door: pages and JSON API.
pub mod web;
/// What happens by itself.
pub mod runner;
/// Subcommands beside serving.
pub mod cli;
/// Builds the parts, runs and stops them.
pub mod app;
