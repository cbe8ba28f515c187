//! What the program can be asked from the command line.

/// `fieldcommand adjudicate`: days from standard input.
pub mod adjudicate;
/// The settings of the server.
pub mod settings;
/// `fieldcommand verify`: records of whole games.
pub mod verify;
/// What `deliver` tells who runs it.
pub mod deliver;
