//! Orders: one move each, up to twelve a day.

use std::fmt;

use super::position::Position;

/// The most orders that a list may hold.
pub const LIMIT: usize = 12;

/// One order: the present position of a unit and the position to which it shall move.
/// Displayed in canonical notation, `H7-F7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Where the unit stands at dawn.
    pub from: Position,
    /// Where it shall stand after the moves.
    pub to: Position,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.from.name().as_str())?;
        f.write_str("-")?;
        f.write_str(self.to.name().as_str())
    }
}

/// A list of up to twelve orders that could be read, in the writer's order.
/// Whether they are legal is a question for [`super::validate`].
///
/// Displayed as the canonical list: one line, single spaces, empty for no orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders(Vec<Order>);

/// A thirteenth order was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is order number 13; a list holds up to 12 orders")]
pub struct TooManyOrders;

impl Orders {
    /// Adds an order at the end.
    ///
    /// # Errors
    /// [`TooManyOrders`] for the thirteenth.
    pub fn push(&mut self, order: Order) -> Result<(), TooManyOrders> {
        if self.0.len() == LIMIT {
            return Err(TooManyOrders);
        }
        self.0.push(order);
        Ok(())
    }

    /// The orders as written.
    #[must_use]
    pub fn as_slice(&self) -> &[Order] {
        &self.0
    }

    /// The number of orders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the list holds no order.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, order) in self.0.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            fmt::Display::fmt(order, f)?;
        }
        Ok(())
    }
}
