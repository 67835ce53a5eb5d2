//! The balance of energy of a run: what was stored, what came in, what went out, and what is missing,
//!
//! ```text
//! missing = (stored at the end − stored at the start) − (work of motions + work of loads − dissipated + jumps)      (1)
//! ```
//!
//! It is zero for the exact motion. A method with numerical damping takes energy out, and less than nothing is missing; energy that
//! appears is an error of the run.

use crate::system::Through;

/// The work that came in through one element.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanged {
    /// The element's name.
    pub name: String,
    /// How.
    pub through: Through,
    /// The work, J; less than nothing where energy went out.
    pub work: f64,
}

/// Where the energy of a run came from and where it went, J.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnergyBalance {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// And at the end.
    pub end: f64,
    /// Work of motions, and of other constraints that depend on time by themselves.
    pub motions: f64,
    /// Work of forces given by functions.
    pub loads: f64,
    /// What dampers and friction took out.
    pub dissipated: f64,
    /// What events and restarts put in where they changed the state.
    pub jumps: f64,
    /// What is missing at the end (1): more than nothing where energy appeared, less where it was lost.
    pub missing: f64,
    /// How well the work is known: the difference of two rules of quadrature.
    pub uncertainty: f64,
    /// Where most was missing.
    pub worst: Missing,
    /// The largest of kinetic energy, range of potential energy, work, dissipated energy and jumps over the run.
    pub throughput: f64,
    /// The elements through which energy came in or went out; none in conservative models.
    pub exchanged: Vec<Exchanged>,
}

/// Energy that is missing at some time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Missing {
    /// When, s.
    pub t: f64,
    /// How much of (1), J.
    pub energy: f64,
}

impl EnergyBalance {
    /// Whether nothing brings energy in or takes it out, so that it should be constant.
    pub fn is_conservative(&self) -> bool {
        self.exchanged.is_empty() && self.jumps == 0.0
    }

    /// The most that was missing at any time against the throughput.
    pub fn relative_missing(&self) -> f64 {
        if self.throughput > 0.0 { self.worst.energy / self.throughput } else { 0.0 }
    }

    /// The element that did the most work of a kind.
    pub fn largest(&self, through: Through) -> Option<&Exchanged> {
        self.exchanged.iter().filter(|e| e.through == through).max_by(|a, b| a.work.abs().total_cmp(&b.work.abs()))
    }
}
