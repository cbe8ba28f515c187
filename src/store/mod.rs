//! WHAT IS KEPT: SQL and nothing else, one file per table.

/// The kept games.
#[derive(Clone, Debug)]
pub struct Store {}

/// The database did not do its part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(String);
