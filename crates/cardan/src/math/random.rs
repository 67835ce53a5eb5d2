//! A tiny seeded generator (SplitMix64) for structural probes and random test mechanisms: same seed, same numbers.

use super::{Quat, Vec3};

/// A seeded source of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator that always gives the same sequence for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A vector with entries in [−size, size).
    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }

    /// A random attitude.
    pub fn rotation(&mut self) -> Quat {
        let mut draw = || self.range(-1.0, 1.0);
        Quat::from_quaternion(nalgebra::Quaternion::new(draw() + 1.1, draw(), draw(), draw()))
    }
}
