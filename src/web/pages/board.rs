//! Board pictures for pages. The one place where pages ask for a picture.

use crate::rules::{Report, Setup, Sheet, Side, Standing};

/// Where the armies stand.
pub fn standing(_standing: &Standing, _bottom: Side) -> String {
    placeholder("Board")
}

/// What a sheet asks for.
pub fn sheet(_standing: &Standing, _side: Side, _sheet: &Sheet) -> String {
    placeholder("Board with sheet")
}

/// A turn before it was resolved, with what both sides asked for.
pub fn before(_report: &Report, _setup: &Setup, _bottom: Side) -> String {
    placeholder("Board before")
}

/// What a turn left.
pub fn after(_report: &Report, _setup: &Setup, _bottom: Side) -> String {
    placeholder("Board after")
}

fn placeholder(name: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 700 700\" role=\"img\" aria-label=\"{name}\"><rect width=\"700\" height=\"700\"/></svg>"
    )
}
