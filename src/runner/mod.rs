//! What happens by itself: turns that are due are resolved, letters leave, and a snapshot is made every day.

/// Turns that are due are resolved.
pub mod deadlines;
/// Letters that are due leave.
pub mod outbox;
/// A snapshot a day.
pub mod snapshot;
/// What has served its time is forgotten.
pub mod tidy;
/// Who had themselves removed, beside the database.
pub mod erasures;
