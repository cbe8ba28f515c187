//! Time and chance, as arguments: the only place that asks the system for either.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// A moment: milliseconds since 1970-01-01T00:00:00Z. Written in RFC 3339 with `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.0}"),
            Err(_) => f.write_str("an unknown time"),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moment: jiff::Timestamp = text
            .parse()
            .map_err(|_| serde::de::Error::custom("expected a time as in 2026-03-04T21:40:12Z (RFC 3339)"))?;
        Ok(Timestamp(moment.as_millisecond()))
    }
}

/// Where the time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that tests set: milliseconds since 1970.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands still until it is set.
    #[must_use]
    pub fn fixed(at: Timestamp) -> Clock {
        Clock::Fixed(Arc::new(AtomicI64::new(at.0)))
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match self {
            Clock::System => Timestamp(jiff::Timestamp::now().as_millisecond()),
            Clock::Fixed(at) => Timestamp(at.load(Ordering::SeqCst)),
        }
    }

    /// A time that never goes backwards, since some moment: for measuring how long something lasts.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the place that asks")]
    pub fn steady(&self) -> Duration {
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        match self {
            Clock::System => BEGINNING.get_or_init(Instant::now).elapsed(),
            Clock::Fixed(at) => Duration::from_millis(u64::try_from(at.load(Ordering::SeqCst)).unwrap_or(0)),
        }
    }
}

/// Where chance comes from.
#[derive(Clone, Debug)]
pub enum Chance {
    /// The system's generator, fit for secrets.
    System,
    /// A generator with a known seed, for tests.
    Seeded(Arc<Mutex<StdRng>>),
}

impl Chance {
    /// Chance that repeats itself.
    #[must_use]
    pub fn seeded(seed: u64) -> Chance {
        Chance::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// `N` random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Chance::System => rand::rng().fill_bytes(&mut bytes),
            Chance::Seeded(rng) => {
                rng.lock().unwrap_or_else(std::sync::PoisonError::into_inner).fill_bytes(&mut bytes);
            }
        }
        bytes
    }

    /// One of the numbers from 0 to `n` − 1; 0 for an `n` of 0.
    #[must_use]
    pub fn below(&self, n: usize) -> usize {
        // 64 random bits over at most a few hundred choices: the bias is below 2^-55.
        let draw = u64::from_le_bytes(self.bytes());
        usize::try_from(draw % (n.max(1) as u64)).unwrap_or(0)
    }
}
