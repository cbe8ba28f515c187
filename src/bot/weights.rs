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
    /// The part of its budget, in hundredths, that the hard level spends on the day after.
    pub deep: i32,
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
        deep: 50,
    };
}

impl Weights {
    /// All numbers with their names, as the tuner changes them.
    pub fn slots(&mut self) -> Vec<(String, &mut i32)> {
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
            deep,
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
            ("deep", deep),
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
}
