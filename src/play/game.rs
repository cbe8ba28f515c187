//! A game in memory.
