//! Radau IIA at a tight tolerance against every reference solution that is known to more digits.

use super::reference_cases::{CASES, Case};
use super::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::prelude::*;
use cardan::results::Channels;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use cardan_io::model_file::load_str;
use std::path::Path;

pub const PAPER: Paper = Paper {
    id: "radau",
    citation: "E. Hairer, G. Wanner: Solving Ordinary Differential Equations II. Springer (1996); reference solutions of this project",
    items: &[Item {
        name: "references",
        title: "Radau IIA at the tolerance 5e-14 against reference solutions",
        note: "Every reference solution that rigid bodies can express, at its last time; of circular_track.json at 10 s. The references were \
               computed in two independent ways each, by closed forms or with extended precision. Contacts of the bouncing balls are events. Of \
               beam.json nothing is here: its numbers are those of a continuous beam, which a chain of rigid bodies only comes near to.",
        row_heading: "problem, channel",
        against: Against::Reference,
        compute: references,
    }],
};

const TOLERANCE: f64 = 5e-14;
const BAR: Bar = Bar::Absolute(1e-9);

fn references() -> Result<Outcome, ReproduceError> {
    let mut comparisons = Vec::new();
    for case in CASES {
        let own = values(case)?;
        for ((channel, published), own) in case.values.iter().zip(own) {
            let row = format!("{}: {channel}", case.name);
            comparisons.push(Comparison { row, quantity: "value", published: *published, own, bar: BAR });
        }
    }
    let errors = comparisons.iter().enumerate().map(|(k, c)| (k as f64 + 1.0, (c.own - c.published).abs().max(1e-17))).collect();
    let figure = Figure {
        x: Axis { label: "row of the table", scale: Scale::Linear },
        y: Axis { label: "difference", scale: Scale::Logarithmic },
        curves: vec![Curve { name: "Radau IIA".into(), points: errors, mark: Mark::Circles }],
    };
    Ok(Outcome { comparisons, figure })
}

/// The channels of a case at the end of its run.
fn values(case: &Case) -> Result<Vec<f64>, ReproduceError> {
    let set: Vec<(String, String)> = case.set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let document = load_str(case.model, case.name, Path::new("."), &set)?;
    let system = document.compile()?;
    let run = Simulation::new(&system).method(Radau).tolerance(TOLERANCE).record(Record::Ends).run(case.t_end)?;
    let sample = run.samples.last().ok_or(ReproduceError::NoState { t: case.t_end })?;
    let mut channels = Channels::new(&system);
    let mut row = vec![0.0; channels.list().len()];
    channels.fill(&system, sample, &mut row);
    let value = |name: &str| channels.index(name).map(|k| row[k]).ok_or_else(|| ReproduceError::NoChannel { channel: name.into() });
    case.values.iter().map(|(name, _)| value(name)).collect()
}
