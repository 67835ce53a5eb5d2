//! Work at equal error: the number of evaluations of the equations of the first run, with tolerances falling by √10, whose error is at most
//! a given one,
//!
//! ```text
//! ratio = evaluations of BDF / evaluations of HHT       at equal error                                                          (1)
//! ```

use crate::{Bar, Comparison, Outcome, ReproduceError};
use cardan::integrators::Method;
use cardan::prelude::*;
use cardan::results::Results;
use cardan_io::compare::{self, Errors};
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use cardan_io::model_file::load_str;
use cardan_io::results::Table;
use std::path::Path;
use std::sync::Arc;

/// Where HHT is to be faster.
pub fn faster() -> Result<Outcome, ReproduceError> {
    ratios(&[Asked { damping: "0.1", levels: &[Level::Position(1e-3), Level::Velocity(1e-2)], ..CHAIN }, ROTOR], Bar::AtLeast)
}

/// Where BDF is.
pub fn slower() -> Result<Outcome, ReproduceError> {
    ratios(&[Asked { damping: "1000", levels: &[Level::Position(2e-4)], ..CHAIN }, PENDULUM], Bar::AtMost)
}

/// A model and the errors that are asked for.
struct Asked {
    name: &'static str,
    text: &'static str,
    /// Its parameter, where it has one.
    damping: &'static str,
    t_end: f64,
    levels: &'static [Level],
}

const CHAIN: Asked =
    Asked { name: "bushing chain", text: include_str!("../models/bushing-chain.toml"), damping: "", t_end: 0.5, levels: &[] };
const PENDULUM: Asked = Asked {
    name: "stiff double pendulum",
    text: include_str!("../../../../gallery/stiff-double-pendulum/model.toml"),
    damping: "",
    t_end: 2.0,
    levels: &[Level::Position(1e-3)],
};
const ROTOR: Asked = Asked {
    name: "beam rotor",
    text: include_str!("../models/beam-rotor.toml"),
    damping: "",
    t_end: 0.05,
    levels: &[Level::Position(2e-5)],
};
/// Tolerance of the runs that errors are against.
const REFERENCE: f64 = 1e-6;
/// Tolerances that are tried: from 1e-4 down, this many.
const TRIES: i32 = 10;

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

/// A run of a method: what it took, and how far off it was.
struct Try {
    evaluations: f64,
    errors: Errors,
}

/// Ratios (1).
fn ratios(asked: &[Asked], bar: Bar) -> Result<Outcome, ReproduceError> {
    let published = if bar == Bar::AtLeast { 2.0 } else { 1.0 };
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for one in asked {
        let set = if one.damping.is_empty() { vec![] } else { vec![("damping".into(), one.damping.into())] };
        let system = load_str(one.text, one.name, Path::new("."), &set)?.compile()?;
        let reference = compare::table(&system, &run(&system, Arc::new(Radau), REFERENCE, one.t_end)?);
        let methods = [Arc::new(Hht::default()) as Arc<dyn Method>, Arc::new(Bdf::default())];
        let [hht, bdf] = methods.each_ref().map(|method| tries(&system, method, &reference, one));
        let (hht, bdf) = (hht?, bdf?);
        for level in one.levels {
            let own = work(&bdf, *level, "bdf")? / work(&hht, *level, "hht")?;
            let damping = if one.damping.is_empty() { String::new() } else { format!(", damping {} N s/m", one.damping) };
            let row = format!("{}{damping}, {}", one.name, level.name());
            comparisons.push(Comparison { row, quantity: "ratio", published, own, bar });
        }
        curves.extend([("HHT", &hht), ("BDF", &bdf)].map(|(method, tries)| curve(format!("{method}, {}", one.name), tries)));
    }
    let axis = |label| Axis { label, scale: Scale::Logarithmic };
    Ok(Outcome { comparisons, figure: Figure { x: axis("evaluations"), y: axis("error of positions"), curves } })
}

fn curve(name: String, tries: &[Try]) -> Curve {
    let points = tries.iter().filter_map(|t| Some((t.evaluations, t.errors.position?))).collect();
    Curve { name: name.into(), points, mark: Mark::Dots }
}

/// The evaluations of the first run whose error is as asked for.
fn work(tries: &[Try], level: Level, method: &'static str) -> Result<f64, ReproduceError> {
    let met = tries.iter().find(|t| level.met(&t.errors));
    met.map(|t| t.evaluations).ok_or(ReproduceError::NotAccurate { method })
}

fn run(system: &System, method: Arc<dyn Method>, tolerance: f64, t_end: f64) -> Result<Results, ReproduceError> {
    let simulation = Simulation::new(system).shared_method(method).tolerance(tolerance).norm(Norm::Paper).largest_step(f64::INFINITY);
    Ok(simulation.record(Record::Interval(t_end / 20.0)).run(t_end)?)
}

/// Runs with falling tolerances, until all errors that are asked for have been met.
fn tries(system: &System, method: &Arc<dyn Method>, reference: &Table, asked: &Asked) -> Result<Vec<Try>, ReproduceError> {
    let mut tries: Vec<Try> = Vec::new();
    for k in 0..TRIES {
        let results = match run(system, method.clone(), 10f64.powf(-4.0 - 0.5 * f64::from(k)), asked.t_end) {
            // A tolerance at which a method makes energy out of nothing meets no error.
            Err(ReproduceError::Run(SimulationError::Energy { .. })) => continue,
            results => results?,
        };
        let errors = compare::errors(reference, &compare::table(system, &results), &[]).unwrap_or_default();
        tries.push(Try { evaluations: results.statistics.evaluations as f64, errors });
        if asked.levels.iter().all(|level| tries.iter().any(|t| level.met(&t.errors))) {
            break;
        }
    }
    Ok(tries)
}
