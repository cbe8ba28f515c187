//! Letters that are due.
