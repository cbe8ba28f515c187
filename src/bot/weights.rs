//! The weights of the evaluation, found by self-play (docs/computer.md says how).

use crate::rules::field_command::Unit;

/// What counts how much. Units are worth about 100; parts are in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Each kind of unit, in the order of the army table.
    pub value: [i32; 9],
    /// The part of a unit's worth that goes for being attackable by a unit that removes it.
    pub met: i32,
    /// How much less that is where own guns can cover the place.
    pub avenged: i32,
    /// The part that goes for standing where enemy guns can fire.
    pub under_fire: i32,
    /// For each fast unit within 4, 7, 10 and 13 positions of the enemy General.
    pub fast_near: [i32; 4],
    /// For each unit of Infantry within 3, 5, 8 and 11.
    pub infantry_near: [i32; 4],
    /// For each gun within 6 and 12.
    pub slow_near: i32,
    /// The danger to a General who can be caught on all his positions at once.
    pub certain: i32,
    /// The danger to one who can be caught on a part of them, for the whole.
    pub danger: i32,
    /// How great a lead makes the game half won, at the end.
    pub scale: i32,
    /// The part of all units' worth that comes to it.
    pub scale_part: i32,
    /// How often, in hundredths, the hard level believes that the other side writes what comes to mind first: nothing, what
    /// would be best if its opponent did nothing, or the answer to an opponent who thinks so.
    pub naive: i32,
    /// What each kind of unit looks for in the deployment: General, the two guns beside him, the other guns, Infantry,
    /// Cavalry, Guerrillas.
    pub layout: [Wish; 6],
}

/// What a position of the zone counts for a unit that is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// For each step towards the enemy.
    pub front: i32,
    /// For forest; the negative of it for open ground.
    pub forest: i32,
    /// For each step nearer to the General.
    pub general: i32,
    /// For each level of altitude.
    pub height: i32,
}

impl Weights {
    /// The weights that are played with.
    pub const TUNED: Weights = Weights {
        value: [0, 110, 105, 90, 95, 115, 105, 110, 110],
        met: 250,
        avenged: 120,
        under_fire: 150,
        fast_near: [60, 30, 8, 4],
        infantry_near: [10, 6, 3, 2],
        slow_near: 1,
        certain: 500,
        danger: 200,
        scale: 300,
        scale_part: 10,
        naive: 30,
        layout: [
            Wish { front: -10, forest: 0, general: 0, height: 0 },
            Wish { front: 0, forest: 0, general: 8, height: 4 },
            Wish { front: 2, forest: 0, general: 0, height: 6 },
            Wish { front: 2, forest: 4, general: 0, height: 0 },
            Wish { front: 1, forest: -4, general: 0, height: 0 },
            Wish { front: 4, forest: 0, general: 0, height: 0 },
        ],
    };
}

/// A part of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What positions are weighed by.
    Positions,
    /// What the units look for when they are deployed.
    Deployments,
}

/// The least and the greatest number that a weight may become.
pub const BOUNDS: (i32, i32) = (-2000, 2000);
/// The names of [`Weights::layout`].
const LAYOUT: [&str; 6] = ["general", "guard", "guns", "infantry", "cavalry", "guerrillas"];

impl Weights {
    /// All numbers of a part with their names, as the tuner changes them. Those of one kind of unit that is deployed stand
    /// together, four of them.
    pub fn slots(&mut self, part: Part) -> Vec<(String, &mut i32)> {
        match part {
            Part::Positions => self.numbers(),
            Part::Deployments => self.wishes(),
        }
    }

    fn numbers(&mut self) -> Vec<(String, &mut i32)> {
        let Weights {
            value,
            met,
            avenged,
            under_fire,
            fast_near,
            infantry_near,
            slow_near,
            certain,
            danger,
            scale,
            scale_part,
            naive,
            layout: _,
        } = self;
        let mut slots = Vec::new();
        for (unit, number) in Unit::ALL.into_iter().zip(value).skip(1) {
            slots.push((unit.code().to_lowercase(), number));
        }
        for (name, number) in [
            ("met", met),
            ("avenged", avenged),
            ("under_fire", under_fire),
            ("slow_near", slow_near),
            ("certain", certain),
            ("danger", danger),
            ("scale", scale),
            ("scale_part", scale_part),
            ("naive", naive),
        ] {
            slots.push((name.to_owned(), number));
        }
        for (name, numbers) in [("fast_near", fast_near), ("infantry_near", infantry_near)] {
            for (n, number) in numbers.iter_mut().enumerate() {
                slots.push((format!("{name}_{}", n + 1), number));
            }
        }
        slots
    }

    fn wishes(&mut self) -> Vec<(String, &mut i32)> {
        let mut slots = Vec::new();
        for (name, Wish { front, forest, general, height }) in LAYOUT.into_iter().zip(&mut self.layout) {
            for (what, number) in [("front", front), ("forest", forest), ("general", general), ("height", height)] {
                slots.push((format!("{name}_{what}"), number));
            }
        }
        slots
    }
}
