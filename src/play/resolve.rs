//! Resolution.
