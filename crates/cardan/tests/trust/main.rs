//! Short ordinary models with all methods at default settings, each against a closed form or an independent solution in its own few
//! coordinates: every sample, every channel that the solution knows.
//!
//! A run has to end with success and be within a hundredth of each channel's scale (three hundredths for velocities); with nothing but
//! defaults within a thousandth (a hundredth for velocities). Where a model passes a singular position, a typed error is as good.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod contacts;
mod governor;
mod inputs;
mod known;
mod linkages;
mod pendulums;
mod real_time;
mod rotation;
mod solve;

use cardan::integrators::{Method, all};
use cardan::prelude::*;
use known::KNOWN_WRONG;
use std::sync::Arc;

/// What a channel is judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// A position, angle or state of this size.
    Position(f64),
    /// A velocity of this size.
    Velocity(f64),
}

/// A model with its solution.
pub struct Case {
    /// What it is called.
    pub name: &'static str,
    /// The model.
    pub model: Model,
    /// End of the run, s.
    pub t_end: f64,
    /// Time between samples, s.
    pub interval: f64,
    /// Names of channels, and their scales.
    pub channels: Vec<(&'static str, Scale)>,
    /// The right values at every sample, from t = 0 on.
    pub rows: Vec<Vec<f64>>,
    /// Whether a typed error is as good as the solution.
    pub singular: bool,
}

impl Case {
    /// Times of the samples.
    pub fn times(t_end: f64, interval: f64) -> Vec<f64> {
        (0..=(t_end / interval).round() as usize).map(|k| k as f64 * interval).collect()
    }
}

/// Compares a run with the solution: the largest error in units of the bar, and where it is.
fn miss(system: &System, case: &Case, results: &Results, bars: [f64; 2]) -> (f64, String) {
    let mut channels = Channels::new(system);
    let mut row = vec![0.0; channels.list().len()];
    let places: Vec<usize> =
        case.channels.iter().map(|(name, _)| channels.index(name).unwrap_or_else(|unknown| panic!("{unknown}"))).collect();
    let mut worst = (0.0, String::new());
    for (k, right) in case.rows.iter().enumerate() {
        let Some(sample) = results.samples.get(k) else { return (f64::INFINITY, format!("sample {k} is missing")) };
        channels.fill(system, sample, &mut row);
        for ((place, (name, scale)), right) in places.iter().zip(&case.channels).zip(right) {
            let bar = match scale {
                Scale::Position(size) => bars[0] * size,
                Scale::Velocity(size) => bars[1] * size,
            };
            let error = (row[*place] - right).abs() / bar;
            if error > worst.0 || !error.is_finite() {
                let value = row[*place];
                worst = (
                    if error.is_finite() { error } else { f64::INFINITY },
                    format!("{name} is {value:.6} instead of {right:.6} at {:.4} s", sample.state.t),
                );
            }
        }
    }
    worst
}

/// Runs a case with a method, or with nothing but defaults; what is wrong, if anything.
fn wrong(case: &Case, system: &System, method: Option<Arc<dyn Method>>) -> Option<String> {
    let bars = if method.is_some() { [1e-2, 3e-2] } else { [1e-3, 1e-2] };
    let simulation = Simulation::new(system).record(Record::Interval(case.interval));
    let simulation = if let Some(method) = method { simulation.shared_method(method) } else { simulation };
    match simulation.run(case.t_end) {
        Err(_) if case.singular => None,
        Err(error) => Some(format!("refused: {error}")),
        Ok(results) => {
            let (size, text) = miss(system, case, &results, bars);
            (size > 1.0).then(|| format!("{size:.1} bars: {text}"))
        }
    }
}

/// The methods by name that choose their steps; the first is none at all.
fn methods(system: &System) -> Vec<(&'static str, Option<Arc<dyn Method>>)> {
    let possible = |m: &Arc<dyn Method>| m.adaptive() && !(m.undamped() && m.formulations()[0] == Formulation::Index3 && system.rows() > 0);
    let named = all().into_iter().filter(possible).map(|m| (m.name(), Some(m)));
    std::iter::once(("defaults", None)).chain(named).collect()
}

/// Runs all cases with all methods and compares with the list of what is known.
pub fn check(cases: Vec<Case>) {
    let (mut surprises, mut stale) = (Vec::new(), Vec::new());
    for case in &cases {
        let system = System::new(&case.model).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        for (name, method) in methods(&system) {
            judge((case.name, name), wrong(case, &system, method), &mut surprises, &mut stale);
        }
    }
    finish(&surprises, &stale);
}

/// Files one outcome.
pub fn judge(key: (&str, &str), wrong: Option<String>, surprises: &mut Vec<String>, stale: &mut Vec<String>) {
    let known = KNOWN_WRONG.iter().any(|(model, methods)| *model == key.0 && methods.contains(&key.1));
    match wrong {
        Some(text) if known => eprintln!("known: {key:?}: {text}"),
        Some(text) => surprises.push(format!("{key:?}, // {text}")),
        None if known => stale.push(format!("{key:?}")),
        None => {}
    }
}

/// Fails where a run is wrong that was right, or right that is listed as wrong.
pub fn finish(surprises: &[String], stale: &[String]) {
    assert!(
        surprises.is_empty() && stale.is_empty(),
        "wrong:\n{}\nright by now, take them out of KNOWN_WRONG:\n{}",
        surprises.join("\n"),
        stale.join("\n")
    );
}
