//! Turns over a step. Angles that count turns expect of a step what the mean of the rates at its ends makes (`measures/memory.rs`); that must
//! be right to less than half a turn, whatever error control thinks of the step: methods of high order take a wheel that is spun up by a
//! torque which falls linearly through hundreds of turns at once, without an error. What a body turns besides,
//!
//! ```text
//! e = |q_{n+1} ⊖ (q_n ⊕ m)|,     m = ½ h (v_n + v_{n+1})                                                             (1)
//! ```
//!
//! is held below [`LARGEST_DEPARTURE`], which two bodies may add up. It falls with h³, so that this costs few steps. Of bodies in space (1) is
//! known up to half a turn only: error control keeps their rotations ½ h (|ω_n| + |ω_{n+1}|) below [`TOO_FAR`].

use super::StepError;
use super::advance::{Estimate, Site};
use crate::newton::TOO_FAR;
use crate::system::System;

/// The largest e, rad.
pub const LARGEST_DEPARTURE: f64 = 1.0;
/// e falls with h to one more than this.
const ORDER: usize = 2;

/// Watches turns; holds scratch.
#[derive(Debug)]
pub struct Turns {
    /// m, and q_n ⊕ m.
    mean: Vec<f64>,
    carried: Vec<f64>,
    /// What moves besides.
    rest: Vec<f64>,
}

impl Turns {
    /// Of this system.
    pub fn new(system: &System) -> Self {
        let mean = vec![0.0; system.nv()];
        Self { rest: mean.clone(), mean, carried: system.initial().q.clone() }
    }

    /// The estimate of a step, with turns in the place of the error where they decide; fails where they cannot be counted over a step of
    /// given size.
    pub fn check(&mut self, site: &Site, estimate: Option<Estimate>) -> Result<Option<Estimate>, StepError> {
        let (body, departure) = self.largest_departure(site);
        let Some(estimate) = estimate else {
            let counted = departure <= LARGEST_DEPARTURE;
            let name = || site.system.bodies()[body].name.clone();
            return if counted { Ok(None) } else { Err(StepError::TurnsLost { body: name(), by: departure }) };
        };
        let (departure, turned) = (departure / LARGEST_DEPARTURE, largest_turn(site) / TOO_FAR);
        // A rotation that is not too large says nothing of the next step, which the stepper bounds.
        let (ratio, order) = if turned > departure.max(1.0) { (turned, 0) } else { (departure, ORDER) };
        Ok(Some(if ratio > estimate.ratio { Estimate { ratio, order, next: (ratio, order) } } else { estimate }))
    }

    /// The largest e (1), and whose; nothing where no turns are counted.
    fn largest_departure(&mut self, site: &Site) -> (usize, f64) {
        let (now, next) = (&site.now.x, &site.next.x);
        if now.memory.is_empty() {
            return (0, 0.0);
        }
        let h = next.t - now.t;
        self.mean.iter_mut().zip(now.v.iter().zip(&next.v)).for_each(|(m, (a, b))| *m = 0.5 * h * (a + b));
        site.system.retract(&now.q, &self.mean, &mut self.carried);
        site.system.difference(&self.carried, &next.q, &mut self.rest);
        let sizes = site.speeds.rotations().map(|columns| self.rest[columns].iter().map(|e| e * e).sum::<f64>().sqrt());
        sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    }
}

/// The largest ½ h (|ω_n| + |ω_{n+1}|) of bodies in space.
fn largest_turn(site: &Site) -> f64 {
    let (now, next) = (&site.now.x, &site.next.x);
    let speed = |v: &[f64], k: usize| v[k..k + 3].iter().map(|w| w * w).sum::<f64>().sqrt();
    let mean = site.system.attitudes().map(|k| 0.5 * (speed(&now.v, k) + speed(&next.v, k)));
    (next.t - now.t) * mean.fold(0.0, f64::max)
}
