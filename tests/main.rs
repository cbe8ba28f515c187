//! The tests that see the server from outside, as one program. Unit tests stand beside the code.
//!
//! What they need beside Rust (PostgreSQL, Chromium, an SMTP server) `scripts/test` installs and
//! names in environment variables; without those the tests fail and say so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::similar_names,
    reason = "a test fails by panicking"
)]

mod access;
mod analyse;
mod architecture;
mod bad_input;
mod browser;
mod calendar;
mod cases;
mod command_line;
mod company;

mod computers;
mod arena;
mod deadlines;
mod stalls;
mod digest;
mod hands;
mod handshake;
mod kept_letters;
mod learning;
mod letters;
mod limits;
mod live;
mod mail_doors;
mod mail_in;
mod mail_out;
mod one_device;
mod outbox;
mod people;
mod play_story;
mod random_days;
mod records;
mod reference;
mod replays;
mod rule_properties;
mod season;
mod store_story;
mod table;
mod time_pages;
mod two_worlds;
mod unscripted;
mod watching;
mod web_game;
mod world;
