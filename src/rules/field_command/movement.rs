//! Movement: all legal orders of one side, carried out at once.
//!
//! Only where units end counts: jumping is free, and opposing units that exchange
//! positions pass each other. Both sides move from the position at dawn, so the two
//! sides can be moved one after the other.

use super::unit::Army;
use super::validate::Lawful;

/// Moves the units with legal orders. All leave before any arrives, so that units
/// may exchange positions and move round in rings.
pub fn carry_out(army: &mut Army, orders: &Lawful) {
    for order in orders.legal() {
        army.lift(order.from);
    }
    for order in orders.legal() {
        army.place(order.to, order.unit);
    }
}
