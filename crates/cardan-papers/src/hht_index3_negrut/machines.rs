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

/// Tolerance of the run that errors are against, over that of HHT.
const REFERENCE: f64 = 1e-2;
/// Tolerances of BDF that are tried, falling by ten.
const TRIES: i32 = 8;

/// What the paper ran: a model, two methods.
struct Case {
    name: &'static str,
    text: &'static str,
    t_end: f64,
    interval: f64,
    /// Tolerance of HHT.
    hht: f64,
    bdf: fn() -> Bdf,
    formulation: Formulation,
    /// Its tolerance.
    tolerance: f64,
    /// The first is what errors are measured by.
    channels: [&'static str; 2],
}

const BELT: Case = Case {
    name: "belt",
    text: include_str!("../../../../gallery/belt/model.toml"),
    t_end: 0.2,
    interval: 1e-3,
    hht: 1e-5,
    bdf: Bdf::default,
    formulation: Formulation::Index3,
    tolerance: 1e-4,
    channels: ["alternator_bearing.force.x", "alternator_speed"],
};

const TRACK: Case = Case {
    name: "track",
    text: include_str!("../../../../gallery/track/model.toml"),
    t_end: 14.0,
    interval: 0.02,
    hht: 1e-5,
    bdf: || Bdf { max_order: 1 },
    formulation: Formulation::Index2,
    tolerance: 1e-2,
    channels: ["shoe8_speed", "drive_torque"],
};

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

/// The runs of a case.
struct Runs {
    hht: Run,
    bdf: Run,
    /// That of BDF whose first curve is as good as that of HHT.
    equal: Run,
}

impl Case {
    fn runs(&self) -> Result<Runs, ReproduceError> {
        let document = load_str(self.text, self.name, Path::new("."), &[])?;
        let system = document.compile()?;
        let run = |method: Arc<dyn Method>, formulation: Formulation, tolerance: f64| {
            let simulation = document.simulation.simulation(&system)?.shared_method(method).formulation(formulation).tolerance(tolerance);
            let simulation = simulation.norm(Norm::Paper).record(Record::Interval(self.interval)).largest_step(f64::INFINITY);
            Run::new(&system, simulation, self.t_end, &self.channels)
        };
        let hht = |tolerance: f64| run(Arc::new(Hht::default()), Formulation::Index3, tolerance);
        let bdf = |k: i32| run(Arc::new((self.bdf)()), self.formulation, self.tolerance * 10f64.powi(-k));
        let (reference, hht, first) = (hht(REFERENCE * self.hht)?, hht(self.hht)?, bdf(0)?);
        let level = hht.difference(&reference, 0)[1];
        let (mut equal, mut k) = (bdf(0)?, 0);
        while equal.difference(&reference, 0)[1] > level {
            k += 1;
            if k == TRIES {
                return Err(ReproduceError::NotAccurate { method: "bdf" });
            }
            equal = bdf(k)?;
        }
        Ok(Runs { hht, bdf: first, equal })
    }
}

impl Runs {
    /// CPU times and ratios beside those of the paper.
    fn times(&self, tolerances: [&str; 2], published: [f64; 2]) -> Vec<Comparison> {
        let [hht, bdf] = published;
        let by_hht = |run: &Run| run.seconds / self.hht.seconds;
        let ratio = "seconds by those of HHT";
        vec![
            row(tolerances[0], "CPU s", hht, self.hht.seconds, Bar::AtMost),
            row(tolerances[1], "CPU s", bdf, self.bdf.seconds, Bar::AtMost),
            row(tolerances[1], ratio, bdf / hht, by_hht(&self.bdf), Bar::AtLeast),
            row("BDF, at equal error", ratio, bdf / hht, by_hht(&self.equal), Bar::AtLeast),
        ]
    }

    /// The largest difference between the methods, %.
    fn apart(&self, k: usize) -> f64 {
        100.0 * self.bdf.difference(&self.hht, k)[0]
    }
}

/// Section 4.1.
pub fn belt() -> Result<Outcome, ReproduceError> {
    let runs = BELT.runs()?;
    let mut comparisons = runs.times(["HHT, 1e-5", "BDF, 1e-4"], [485.0, 1286.0]);
    comparisons.push(row("x force in the bearing of the alternator", "difference, %", 3.0, runs.apart(0), Bar::AtMost));
    comparisons.push(row("angular velocity of the alternator", "difference, %", 1.0, runs.apart(1), Bar::AtMost));
    Ok(Outcome { comparisons, figure: figure("x force, N", [("HHT, 1e-5", &runs.hht), ("BDF, 1e-4", &runs.bdf)]) })
}

/// Section 4.2.
pub fn track() -> Result<Outcome, ReproduceError> {
    let runs = TRACK.runs()?;
    let mut comparisons = runs.times(["HHT, 1e-5", "BDF, index 2, order 1, 1e-2"], [1713.0, 8988.0]);
    comparisons.push(row("velocity of shoe 8", "difference, %", 1.0, runs.apart(0), Bar::AtMost));
    Ok(Outcome { comparisons, figure: figure("velocity of shoe 8, m/s", [("HHT, 1e-5", &runs.hht), ("BDF, 1e-2", &runs.bdf)]) })
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
