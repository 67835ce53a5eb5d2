//! Blocks, variables that are solved for, sampled controllers: values by hand, equivalent models, exact times, mistakes.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod blocks;
mod loops;
mod sampled;

use cardan::prelude::*;

/// A mass at rest beside what the test adds.
fn beside(build: impl FnOnce(&mut Model)) -> Model {
    let mut model = Model::new("signals");
    model.add_body(Body::point("mass", 1.0));
    build(&mut model);
    model
}

/// The channels of some names at the end of a run, and at all samples.
fn run(model: &Model, tolerance: f64, t_end: f64, names: &[&str]) -> Vec<Vec<f64>> {
    let system = System::new(model).unwrap_or_else(|error| panic!("{error}"));
    let results = Simulation::new(&system).tolerance(tolerance).run(t_end).unwrap_or_else(|error| panic!("{error}"));
    channels(&system, &results, names)
}

fn channels(system: &System, results: &Results, names: &[&str]) -> Vec<Vec<f64>> {
    let mut channels = Channels::new(system);
    let mut row = vec![0.0; channels.list().len()];
    let places: Vec<usize> = names.iter().map(|name| channels.index(name).unwrap_or_else(|unknown| panic!("{unknown}"))).collect();
    let mut out = vec![Vec::new(); names.len()];
    for sample in &results.samples {
        channels.fill(system, sample, &mut row);
        out.iter_mut().zip(&places).for_each(|(list, place)| list.push(row[*place]));
    }
    out
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}
