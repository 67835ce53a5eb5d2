//! Samples: when held values are computed anew, exactly at t = offset + k · period. Outputs come one after another, each seeing the new
//! ones before it; then all memories at once. And switches, where they are not located but set by the level of their functions.

use crate::control::Phase;
use crate::math::random::Random;
use crate::system::{Setting, State, System, Work};

/// What a run knows about its samples.
#[derive(Debug)]
pub(super) struct Sampler {
    /// How often each held value was sampled.
    counts: Vec<u64>,
    random: Vec<Random>,
    new: Vec<f64>,
    before: Vec<f64>,
    /// Values of the functions of switches where [`Sampler::reset`] looked at them last.
    levels: Vec<f64>,
}

impl Sampler {
    pub fn new(system: &System) -> Self {
        let seed = |h: &crate::system::CompiledHeld| Random::new(h.noise.map_or(0, |(_, seed)| seed));
        let n = system.held().len();
        Self {
            counts: vec![0; n],
            random: system.held().iter().map(seed).collect(),
            new: vec![0.0; n],
            before: vec![0.0; n],
            levels: vec![f64::NAN; system.events().len()],
        }
    }

    /// Evaluates everything once, so that there is room for it.
    pub fn make_room(system: &System, x: &State, work: &mut Work) {
        (0..system.held().len()).for_each(|k| _ = system.sampled_value(k, x, work));
        (0..system.events().len()).for_each(|k| _ = system.event_value(k, x, work));
    }

    fn time(&self, system: &System, held: usize) -> f64 {
        let clock = system.held()[held].clock;
        if clock.period.is_finite() { clock.offset + self.counts[held] as f64 * clock.period } else { f64::INFINITY }
    }

    /// When the next sample is due.
    pub fn next(&self, system: &System) -> f64 {
        (0..self.counts.len()).map(|k| self.time(system, k)).fold(f64::INFINITY, f64::min)
    }

    /// Takes all samples that are due up to `t`, at a state with consistent accelerations and reactions; says whether a value changed.
    pub fn sample(&mut self, system: &System, t: f64, x: &mut State, work: &mut Work) -> bool {
        let first = system.first_held();
        self.before.copy_from_slice(&x.inputs[first..]);
        for k in 0..self.counts.len() {
            if self.time(system, k) <= t && system.held()[k].phase == Phase::Output {
                x.inputs[first + k] = self.value(system, k, x, work);
                self.counts[k] += 1;
            }
        }
        self.new.copy_from_slice(&x.inputs[first..]);
        for k in 0..self.counts.len() {
            if self.time(system, k) <= t {
                self.new[k] = self.value(system, k, x, work);
                self.counts[k] += 1;
            }
        }
        x.inputs[first..].copy_from_slice(&self.new);
        self.new != self.before
    }

    /// Sets held values that are switched where the function of their switch is positive already: it may have jumped over zero. Says
    /// whether a value changed.
    pub fn settle(&mut self, system: &System, x: &mut State, work: &mut Work) -> bool {
        let first = system.first_held();
        self.before.copy_from_slice(&x.inputs[first..]);
        for k in 0..system.events().len() {
            let settings = system.event_settings(k);
            if settings.iter().any(Setting::is_held) && system.event_value(k, x, work) >= 0.0 {
                settings.iter().for_each(|s| s.apply(x));
            }
        }
        x.inputs[first..] != self.before
    }

    /// Sets states that are reset where the function of their switch has become positive since the last call.
    pub fn reset(&mut self, system: &System, x: &mut State, work: &mut Work) {
        for k in 0..system.events().len() {
            let settings = system.event_settings(k);
            if settings.is_empty() || settings.iter().any(Setting::is_held) {
                continue;
            }
            let value = system.event_value(k, x, work);
            if self.levels[k] < 0.0 && value >= 0.0 {
                settings.iter().for_each(|s| s.apply(x));
            }
            self.levels[k] = value;
        }
    }

    fn value(&mut self, system: &System, k: usize, x: &State, work: &mut Work) -> f64 {
        let noise = system.held()[k].noise.map_or(0.0, |(deviation, _)| deviation * normal(&mut self.random[k]));
        system.sampled_value(k, x, work) + noise
    }
}

/// A normally distributed number of variance 1, by the method of Box and Muller.
fn normal(random: &mut Random) -> f64 {
    let (size, angle): (f64, f64) = (1.0 - random.range(0.0, 1.0), random.range(0.0, 2.0 * std::f64::consts::PI));
    (-2.0 * size.ln()).sqrt() * angle.cos()
}
