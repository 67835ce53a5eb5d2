//! Negrut, Rampalli, Ottarsson, Sajdak: the HHT method for index-3 equations, doi:10.1115/1.2389231: how much work it takes beside backward
//! differentiation formulas.
//!
//! Work is the number of evaluations of the equations of the first run, with tolerances falling by √10, whose error is at most a given one,
//!
//! ```text
//! ratio = evaluations of BDF / evaluations of HHT       at equal error                                                          (1)
//! ```
//!
//! CPU seconds are of one machine and one minute; `cardan compare` measures them.

use super::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::integrators::Method;
use cardan::prelude::*;
use cardan::results::Results;
use cardan_io::compare::{self, Errors};
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use cardan_io::model_file::load_str;
use cardan_io::results::Table;
use std::path::Path;
use std::sync::Arc;

pub const PAPER: Paper = Paper {
    id: "hht-index3-negrut",
    citation: "D. Negrut, R. Rampalli, G. Ottarsson, A. Sajdak: On an implementation of the Hilber-Hughes-Taylor method in the context of index 3 \
               differential-algebraic equations of multibody dynamics. J. Comput. Nonlinear Dyn. 2 (2007)",
    items: &[
        Item {
            name: "faster",
            title: "Where HHT is to be at least twice as fast as BDF: stiff and hardly damped",
            note: "The paper's models are not public. Its reason is that eigenvalues close to the imaginary axis drive BDF out of its region of \
                   stability: so here a hundred links on stiff bushings with hardly any damping, started at rest from the straight. Evaluations \
                   of the equations by BDF over those by HHT, at equal error; published is the factor that the paper claims for CPU seconds.",
            row_heading: "model, error",
            against: Against::Paper,
            compute: || ratios(&[(CHAIN, "0.1", 0.5, Level::Position(1e-3)), (CHAIN, "0.1", 0.5, Level::Velocity(1e-2))], Bar::AtLeast),
        },
        Item {
            name: "slower",
            title: "Where BDF is faster: it keeps a high order",
            note: "The paper says that BDF is faster where it sustains a high order. Forces that are stiff and well damped let it: the same chain \
                   with damped bushings, and the stiff double pendulum. Computed as above; the bar is that BDF takes less work.",
            row_heading: "model, error",
            against: Against::Paper,
            compute: || ratios(&[(CHAIN, "1000", 0.5, Level::Position(2e-4)), (PENDULUM, "", 2.0, Level::Position(1e-3))], Bar::AtMost),
        },
    ],
};

const CHAIN: (&str, &str) = ("bushing chain", include_str!("models/bushing-chain.toml"));
const PENDULUM: (&str, &str) = ("stiff double pendulum", include_str!("../../../../gallery/stiff-double-pendulum/model.toml"));
/// Tolerance of the runs that errors are against.
const REFERENCE: f64 = 1e-9;
/// Tolerances that are tried: from 1e-3 down, this many.
const TRIES: i32 = 12;

/// An error that is asked for.
#[derive(Clone, Copy)]
enum Level {
    Position(f64),
    Velocity(f64),
}

impl Level {
    fn met(self, errors: &Errors) -> bool {
        match self {
            Self::Position(level) => errors.position.is_some_and(|e| e <= level),
            Self::Velocity(level) => errors.velocity.is_some_and(|e| e <= level),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Position(level) => format!("positions to {level:e}"),
            Self::Velocity(level) => format!("velocities to {level:e}"),
        }
    }
}

/// A model by name and text, its damping, the end of its run, the error.
type Asked = ((&'static str, &'static str), &'static str, f64, Level);

/// Ratios (1).
fn ratios(asked: &[Asked], bar: Bar) -> Result<Outcome, ReproduceError> {
    let published = if bar == Bar::AtLeast { 2.0 } else { 1.0 };
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for ((name, text), damping, t_end, level) in asked {
        let set = if damping.is_empty() { vec![] } else { vec![("damping".into(), (*damping).into())] };
        let system = load_str(text, name, Path::new("."), &set)?.compile()?;
        let reference = compare::table(&system, &run(&system, Arc::new(Radau), REFERENCE, *t_end)?);
        let row = if damping.is_empty() {
            format!("{name}, {}", level.name())
        } else {
            format!("{name}, damping {damping} N s/m, {}", level.name())
        };
        let mut work = [0.0; 2];
        for (method, work) in [Arc::new(Hht::default()) as Arc<dyn Method>, Arc::new(Bdf::default())].into_iter().zip(&mut work) {
            let tried = tries(&system, &method, &reference, *t_end, *level)?;
            *work = tried.last().map_or(f64::INFINITY, |(evaluations, _)| *evaluations);
            curves.push(Curve { name: format!("{}, {name}", method.name()).into(), points: tried, mark: Mark::Dots });
        }
        comparisons.push(Comparison { row, quantity: "ratio", published, own: work[1] / work[0], bar });
    }
    let axis = |label| Axis { label, scale: Scale::Logarithmic };
    Ok(Outcome { comparisons, figure: Figure { x: axis("evaluations"), y: axis("error of positions"), curves } })
}

fn run(system: &System, method: Arc<dyn Method>, tolerance: f64, t_end: f64) -> Result<Results, ReproduceError> {
    let simulation = Simulation::new(system).shared_method(method).tolerance(tolerance);
    Ok(simulation.record(Record::Interval(t_end / 20.0)).run(t_end)?)
}

/// Evaluations and errors in positions of runs with falling tolerances, up to the first whose error is as asked for.
fn tries(
    system: &System,
    method: &Arc<dyn Method>,
    reference: &Table,
    t_end: f64,
    level: Level,
) -> Result<Vec<(f64, f64)>, ReproduceError> {
    let mut tried = Vec::new();
    for k in 0..TRIES {
        let results = run(system, method.clone(), 10f64.powf(-3.0 - 0.5 * f64::from(k)), t_end)?;
        let errors = compare::errors(reference, &compare::table(system, &results), &[]).unwrap_or_default();
        tried.push((results.statistics.evaluations as f64, errors.position.unwrap_or(f64::NAN)));
        if level.met(&errors) {
            return Ok(tried);
        }
    }
    Err(ReproduceError::NotAccurate { method: method.name() })
}
