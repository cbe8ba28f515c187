//! What happens by itself: letters leave, and a snapshot is made every day.

/// Letters that are due leave.
pub mod outbox;
/// A snapshot a day.
pub mod snapshot;
