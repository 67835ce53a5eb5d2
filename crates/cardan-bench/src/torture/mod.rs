//! Torture: random mechanisms, every method, several tolerances; every run that ends with success is compared with tight runs.
//!
//! # What a tolerance promises
//!
//! Let ε be the tolerance and S the sensitivity of the mechanism: how many times larger a small change of its initial velocities, of loads and of
//! gravity has become, at worst, in any sample. The error of every channel at every sample, relative to the scale of its kind, is at most
//!
//! ```text
//! max(1e-3, min(0.3, 1e4 ε), 100 S ε)                                                                           (1)
//! ```
//!
//! Where 100 S ε exceeds 0.3 the motion cannot be foretold at this tolerance by any method; such a run is counted apart. Scales (`judge`):
//! positions by the extent of the mechanism over the run, velocities and angular velocities by the largest of the run, angles and
//! attitudes in radians, turns counted, states and sensors by their ranges, energies by the largest kinetic energy and range of potential
//! energy. Accelerations, forces and reactions follow from these by the stiffness of the model; they have to be finite.
//!
//! # What is right
//!
//! Two tight runs by different methods (`truth`) whose steps end at every sample and at every known break. Where they do not agree the
//! mechanism is put aside, and counted.

pub mod builder;
pub mod command;
pub mod families;
pub mod judge;
mod kept;
mod loads;
pub mod runs;
pub mod table;
pub mod truth;

pub use families::mechanism;

use cardan::prelude::Model;

/// A random mechanism and how it is run.
#[derive(Debug, Clone)]
pub struct Mechanism {
    /// Its seed.
    pub seed: u64,
    /// Its family.
    pub family: &'static str,
    /// The model.
    pub model: Model,
    /// End of the run, s.
    pub t_end: f64,
    /// Number of samples at equal distances.
    pub samples: usize,
    /// Times at which loads and motions have breaks, s.
    pub breaks: Vec<f64>,
    /// The largest angular velocity to be expected, rad/s.
    pub fastest: f64,
}

impl Mechanism {
    /// Time between samples, s.
    pub fn interval(&self) -> f64 {
        self.t_end / self.samples as f64
    }
}
