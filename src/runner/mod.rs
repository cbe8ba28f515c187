//! What happens by itself: turns that are due are resolved, computers write, letters leave, and a snapshot is made every day.

/// Turns that are due are resolved.
pub mod deadlines;
/// Letters that are due leave.
pub mod outbox;
/// Webhooks are told what they want to hear.
pub mod webhooks;
/// Computer players write their sheets.
pub mod computers;
/// News from one process to the others.
pub mod news;
/// Signs of life among processes.
pub mod processes;
/// A snapshot a day.
pub mod snapshot;
/// What has served its time is forgotten.
pub mod tidy;
/// Who had themselves removed, beside the database.
pub mod erasures;
