//! What is right: two tight runs by different methods that agree, and the sensitivity of the mechanism.
//!
//! Steps of these runs end at all samples and known breaks, are no longer than a hundredth of the run, and turn no body by more than
//! half a radian.

use super::judge::{Judge, Record, Scales};
use super::runs::{Limited, attempt};
use super::{Mechanism, mechanism};
use cardan::analysis;
use cardan::prelude::*;

/// The change of velocities, loads and gravity by which sensitivity is measured.
const NUDGE: f64 = 1e-7;

/// To how much of their scales the two runs have to agree.
const AGREEMENT: f64 = 5e-4;

/// What is right for a mechanism.
pub struct Truth {
    /// At the samples.
    pub record: Record,
    /// The scales of its channels.
    pub scales: Scales,
    /// How far the two tight runs are apart.
    pub doubt: f64,
    /// S of the promise.
    pub sensitivity: f64,
}

/// The tight run that is compared with every one of the others. Round-off forbids the tightest tolerance in some small mechanisms.
fn first(mechanism: &Mechanism, system: &System, judge: &mut Judge) -> Result<Record, String> {
    let mut run = |tolerance: f64| {
        let simulation = Simulation::new(system).method(Radau).formulation(Formulation::Index2).tolerance(tolerance);
        tight(mechanism, system, simulation, judge, 200_000)
    };
    run(1e-10).or_else(|_| run(1e-9)).or_else(|_| run(1e-8))
}

/// The runs it is compared with, the quickest first.
fn second<'s>(system: &'s System) -> [Simulation<'s>; 3] {
    [
        Simulation::new(system).method(Bdf::default()).formulation(Formulation::Index3).tolerance(1e-9),
        Simulation::new(system).method(DormandPrince).tolerance(1e-11),
        Simulation::new(system).method(Radau).formulation(Formulation::Index3).tolerance(1e-9),
    ]
}

/// The truth about a mechanism, or why there is none.
pub fn truth(mechanism: &Mechanism, system: &System, judge: &mut Judge) -> Result<Truth, String> {
    let record = first(mechanism, system, judge).map_err(|e| format!("radau: {e}"))?;
    let scales = judge.scales(&record);
    let mut reasons = Vec::new();
    for simulation in second(system) {
        let name = simulation.method_name();
        match tight(mechanism, system, simulation, judge, 60_000) {
            Err(reason) => reasons.push(format!("{name}: {reason}")),
            Ok(other) => {
                let worst = judge.worst(&other, &record, &scales);
                if worst.error < AGREEMENT {
                    let sensitivity = sensitivity(mechanism, &record, &scales)?;
                    return Ok(Truth { record, scales, doubt: worst.error, sensitivity });
                }
                reasons.push(format!("{name}: {:.1e} apart in {} at {:.4} s", worst.error, worst.channel, worst.time));
            }
        }
    }
    Err(reasons.join("; "))
}

/// S: the change of a nudged mechanism by the nudge.
fn sensitivity(plain: &Mechanism, record: &Record, scales: &Scales) -> Result<f64, String> {
    let nudged = mechanism(plain.seed, NUDGE);
    let system = System::new(&nudged.model).map_err(|e| e.to_string())?;
    let mut judge = Judge::new(&system);
    let changed = first(&nudged, &system, &mut judge).map_err(|e| format!("nudged: {e}"))?;
    Ok(judge.worst(&changed, record, scales).error / NUDGE)
}

/// A tight run at the samples.
fn tight(mechanism: &Mechanism, system: &System, simulation: Simulation, judge: &mut Judge, most: usize) -> Result<Record, String> {
    let samples: Vec<f64> = (1..=mechanism.samples).map(|k| k as f64 * mechanism.interval()).collect();
    let near = |t: &f64| samples.iter().any(|s| (s - t).abs() < 1e-9 * mechanism.t_end);
    let mut times = samples.clone();
    times.extend(mechanism.breaks.iter().filter(|t| !near(t)));
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() < 1e-12 * mechanism.t_end);
    let largest = (mechanism.t_end / 100.0).min(0.5 / mechanism.fastest);
    let simulation = simulation.record(analysis::Record::Times(times)).largest_step(largest);
    let results = attempt(&simulation, mechanism.t_end, most).map_err(|e| match e {
        Limited::TooLong => "too many steps".to_string(),
        Limited::Panicked => "a panic".to_string(),
        Limited::Failed(error) => error.to_string(),
    })?;
    let wanted = |s: &&Sample| s.state.t == 0.0 || samples.iter().any(|t| (s.state.t - t).abs() < 1e-9 * mechanism.t_end);
    let kept: Vec<&Sample> = results.samples.iter().filter(wanted).collect();
    Ok(judge.record(system, &kept))
}
