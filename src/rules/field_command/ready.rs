//! Three ready-made deployments, for those who want to play at once or to start from one.
//!
//! Written for Red on the printed board, in board order; Blue's are the same turned by 180°.

use super::deployment::{Deployment, zone};
use super::unit::{Army, Unit};
use crate::rules::side::Side;

/// A deployment that comes with the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Its name in addresses.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is good for.
    pub about: &'static str,
    units: &'static str,
}

/// The ready-made deployments, the one to begin with first.
pub const ALL: [Ready; 3] = [
    Ready {
        key: "balanced",
        name: "Balanced",
        about: "Infantry holds the woods in front, guns stand on the heights, Cavalry waits in the open on the left.",
        units: "
            I2 GU AR I2
            I1 I2 I2 AR I3 GU
            I2 C2 I2 I1 AR I2 C2 I3
            C2 I2 C1 C2 I3 C2 AR I1 I2 GU I3
            C3 C3 C2 AR C1 C2 C3 GU GU I2 GN",
    },
    Ready {
        key: "hook",
        name: "Left hook",
        about: "Cavalry and Guerrillas massed on the left to ride round the enemy; Infantry and guns hold the rest.",
        units: "
            I2 I3 AR I2
            I1 I2 I1 I2 AR I3
            GU C1 GU I2 AR I2 I3 I2
            C2 GU C2 C1 GU C2 AR I1 I2 I2 I3
            C3 C2 C2 AR C2 C2 C3 C3 GU I2 GN",
    },
    Ready {
        key: "fortress",
        name: "Fortress",
        about: "The General in a corner behind Infantry of every rank, guns close around him; Guerrillas scout ahead.",
        units: "
            GU C2 I2 GU
            I2 GU I1 AR I2 I2
            C2 C2 I2 I2 AR I3 C1 I2
            C3 GU C2 C2 I2 C2 AR I1 I3 AR I3
            C3 C2 C3 C1 GU AR I1 I2 I3 GN I2",
    },
];

impl Ready {
    /// The deployment for a side.
    #[must_use]
    pub fn deployment(&self, side: Side) -> Deployment {
        let units = self.units.split_whitespace().filter_map(Unit::from_code);
        let army: Army = zone(Side::Red).iter().zip(units).collect();
        let red = Deployment::fill(&army, Side::Red, |_| 0);
        match side {
            Side::Red => red,
            Side::Blue => red.turned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_whole_army_as_written() {
        for ready in ALL {
            assert_eq!(ready.units.split_whitespace().filter_map(Unit::from_code).count(), 40, "{}", ready.key);
            for side in Side::BOTH {
                let deployment = ready.deployment(side);
                assert_eq!(Deployment::parse(&deployment.to_string(), side).as_ref(), Ok(&deployment));
            }
            let written: Vec<_> = ready.units.split_whitespace().collect();
            let stands: Vec<_> = ready.deployment(Side::Red).army().units().map(|(_, unit)| unit.code()).collect();
            assert_eq!(written, stands, "{}: the numbers of units are wrong", ready.key);
        }
    }
}
