//! Field Command server: a board wargame by web and mail, with sheets that stay sealed
//! until both sides are in.
//!
//! See ARCHITECTURE.md for the road of a turn and for which folder may use which.

/// What is shown: the board as a picture.
pub mod picture;
/// What is true: the rules, as pure functions.
pub mod rules;
