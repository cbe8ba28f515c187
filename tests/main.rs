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
mod admin;
mod admin_api;
mod admin_pages;
mod analyse;
mod architecture;
mod bad_input;
mod broken_disk;
mod browser;
mod calendar;
mod cases;
mod command_line;
mod company;
mod computers;
mod crash;
mod arena;
mod deadlines;
mod defence;
mod stalls;
mod desk_webhooks;
mod digest;
mod faults;
mod hands;
mod handshake;
mod kept_answers;
mod kept_letters;
mod learning;
mod letters;
mod limits;
mod live;
mod mail_doors;
mod mail_fetched;
mod mail_in;
mod mail_out;
mod mail_tls;
mod one_device;
mod moved;
mod operations;
mod outages;
mod outbox;
mod people;
mod power;
mod processes;
mod play_story;
mod random_days;
mod records;
mod reference;
mod replays;
mod rule_properties;
mod season;
mod seed;
mod settings_file;
mod store_story;
mod table;
mod time_pages;
mod two_worlds;
mod unscripted;
mod watching;
mod web_game;
mod webhooks;
mod world;
