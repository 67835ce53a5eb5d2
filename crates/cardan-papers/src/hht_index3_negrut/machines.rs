//! Sections 4.1 and 4.2: models of the gallery with the paper's counts, run by both methods.
//!
//! ```text
//! ratio = CPU time of BDF / CPU time of HHT                                                                                     (1)
//! ```

use crate::{Bar, Comparison, Outcome, ReproduceError};
use cardan::integrators::Method;
use cardan::prelude::*;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use cardan_io::model_file::load_str;
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::sync::Arc;

const BELT: &str = include_str!("../../../../gallery/belt/model.toml");
/// Tolerances of the paper.
const HHT: f64 = 1e-5;
const BDF: f64 = 1e-4;
/// Tolerance of the run that errors are against.
const REFERENCE: f64 = 1e-7;
/// Tolerances of BDF that are tried, falling by √10.
const TRIES: i32 = 8;

/// A curve over time.
type Channel = Vec<(f64, f64)>;

/// A run of a method: CPU time and the curves that are looked at.
struct Run {
    seconds: f64,
    channels: Vec<Channel>,
}

/// CPU time of the process, s.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

impl Run {
    fn new(system: &System, simulation: Simulation, t_end: f64, names: &[&str]) -> Result<Self, ReproduceError> {
        let begin = cpu_time();
        let results = simulation.run(t_end)?;
        let seconds = cpu_time() - begin;
        let times = results.times();
        let channel = |name: &&str| Ok(times.iter().copied().zip(results.channel(system, name)?).collect());
        Ok(Self { seconds, channels: names.iter().map(channel).collect::<Result<_, ReproduceError>>()? })
    }

    /// The largest difference and its root mean square, of the largest value of the other run, of a curve.
    fn difference(&self, other: &Self, k: usize) -> [f64; 2] {
        let [own, reference] = [self, other].map(|run| &run.channels[k]);
        let largest = reference.iter().fold(0.0_f64, |m, (_, y)| m.max(y.abs()));
        let apart: Vec<f64> = own.iter().zip(reference).map(|((_, a), (_, b))| (a - b).abs() / largest).collect();
        let squares: f64 = apart.iter().map(|d| d * d).sum();
        [apart.iter().copied().fold(0.0, f64::max), (squares / apart.len() as f64).sqrt()]
    }
}

/// Section 4.1.
pub fn belt() -> Result<Outcome, ReproduceError> {
    let system = load_str(BELT, "belt", Path::new("."), &[])?.compile()?;
    let run = |method: Arc<dyn Method>, tolerance: f64| {
        let simulation = Simulation::new(&system).shared_method(method).tolerance(tolerance).norm(Norm::Paper);
        let simulation = simulation.record(Record::Interval(1e-3)).largest_step(f64::INFINITY);
        Run::new(&system, simulation, 0.2, &["alternator_bearing.force.x", "alternator_speed"])
    };
    let reference = run(Arc::new(Hht::default()), REFERENCE)?;
    let (hht, bdf) = (run(Arc::new(Hht::default()), HHT)?, run(Arc::new(Bdf::default()), BDF)?);
    let level = hht.difference(&reference, 0)[1];
    let mut equal = run(Arc::new(Bdf::default()), BDF)?;
    for k in 1..TRIES {
        if equal.difference(&reference, 0)[1] <= level {
            break;
        }
        equal = run(Arc::new(Bdf::default()), BDF * 10f64.powf(-0.5 * f64::from(k)))?;
    }
    let [force, speed] = [0, 1].map(|k| 100.0 * bdf.difference(&hht, k)[0]);
    let comparisons = vec![
        row("HHT, 1e-5", "CPU s", 485.0, hht.seconds, Bar::AtMost),
        row("BDF, 1e-4", "CPU s", 1286.0, bdf.seconds, Bar::AtMost),
        row("BDF, 1e-4", "seconds by those of HHT", 1286.0 / 485.0, bdf.seconds / hht.seconds, Bar::AtLeast),
        row("BDF, at equal error", "seconds by those of HHT", 1286.0 / 485.0, equal.seconds / hht.seconds, Bar::AtLeast),
        row("x force in the bearing of the alternator", "difference, %", 3.0, force, Bar::AtMost),
        row("angular velocity of the alternator", "difference, %", 1.0, speed, Bar::AtMost),
    ];
    Ok(Outcome { comparisons, figure: figure("x force, N", [("HHT, 1e-5", &hht), ("BDF, 1e-4", &bdf)]) })
}

fn row(row: &str, quantity: &'static str, published: f64, own: f64, bar: Bar) -> Comparison {
    Comparison { row: row.into(), quantity, published, own, bar }
}

/// The first curves of some runs.
fn figure(label: &'static str, runs: [(&'static str, &Run); 2]) -> Figure {
    let curve = |(name, run): (&'static str, &Run)| Curve { name: name.into(), points: run.channels[0].clone(), mark: Mark::Line };
    let axis = |label| Axis { label, scale: Scale::Linear };
    Figure { x: axis("t, s"), y: axis(label), curves: runs.map(curve).into() }
}
