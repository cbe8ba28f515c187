//! Chance, from a seed.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A generator that repeats itself for the same seed.
pub struct Dice(StdRng);

impl Dice {
    /// Chance from a seed.
    pub fn new(seed: [u8; 32]) -> Dice {
        Dice(StdRng::from_seed(seed))
    }

    /// One of the numbers from 0 to `n` − 1; 0 for an `n` of 0.
    pub fn below(&mut self, n: usize) -> usize {
        // 64 random bits over at most some thousand choices: the bias is of no account.
        usize::try_from(self.0.next_u64() % (n.max(1) as u64)).unwrap_or(0)
    }

    /// One of the numbers from 0 to `n` − 1, as a weight.
    pub fn weight(&mut self, n: i32) -> i32 {
        i32::try_from(self.below(usize::try_from(n).unwrap_or(1))).unwrap_or(0)
    }

    /// A number from 0 up to 1.
    pub fn share(&mut self) -> f32 {
        f32::from(u16::try_from(self.below(1 << 16)).unwrap_or(0)) / 65_536.0
    }
}
