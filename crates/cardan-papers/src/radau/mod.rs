//! Radau IIA at a tight tolerance against every reference solution that is known to more digits.

mod cases;
mod run;
mod table;

use crate::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use cases::{CASES, Case};
use table::Table;

pub const PAPER: Paper = Paper {
    id: "radau",
    citation: "E. Hairer, G. Wanner: Solving Ordinary Differential Equations II. Springer (1996); reference solutions of this project",
    items: &[Item {
        name: "references",
        title: "Radau IIA at tight tolerances against reference solutions",
        note: "Every reference file, every column of it at every one of its times, and beside it instants of events and frequencies of small \
               motions. A row shows the largest difference over all its numbers, rounded up to 1, 2 or 5 times a power of ten and to 1e-11 at \
               least. It is divided by the largest number of the row where that is above 1. This matters for accelerations and multipliers of \
               stiff models: an error of 1e-12 rad/s in a rate changes the accelerations of the stiff double pendulum by 3e-7 rad/s², so that \
               by the number of the same instant their differences would be up to 2e-8. Steps end at the times of the reference. Tolerances are \
               5e-14, but 2e-13 for the two stiff rods and the cantilever and 1e-12 for the beam that is spun up. Multipliers are in the \
               conventions of the files; equation (35) is also compared with its closed solution at 1 s. Of beam.json, the modal equations are \
               differential states. The modes of the cantilever do not feel each other: each of the 200 is a run of its own. From about the \
               50th on, all smaller than 2e-10 m, they are hardly above the tolerance, and Radau damps them out: this is the difference that \
               is left. The deflection of modes beyond the 200th, 5e-11 m, is left out, and so are the frequencies 6 to 10, which are formulas \
               of the numbers βL that the model is given. The steady stretch of the beam is the solution of a boundary value problem along the \
               beam, which a run along it solves. What the files tell of other methods (drift, errors at fixed steps) is in the tables of the \
               papers above.",
        row_heading: "problem: channel (numbers)",
        against: Against::Limit,
        timed: false,
        compute: references,
    }],
};

/// The largest difference that is allowed.
const BAR: f64 = 1e-9;
/// Differences below this one are round-off and shown as this one.
const ROUND_OFF: f64 = 1e-11;

fn references() -> Result<Outcome, ReproduceError> {
    let mut comparisons = Vec::new();
    for case in at_once(compare) {
        comparisons.extend(case?);
    }
    let points = comparisons.iter().enumerate().map(|(k, c)| (k as f64 + 1.0, c.own)).collect();
    let figure = Figure {
        x: Axis { label: "row of the table", scale: Scale::Linear },
        y: Axis { label: "difference", scale: Scale::Logarithmic },
        curves: vec![Curve { name: "Radau IIA".into(), points, mark: Mark::Circles }],
    };
    Ok(Outcome { comparisons, figure })
}

/// Something done with all cases, each in a thread of its own.
fn at_once<T: Send>(work: impl Fn(&'static Case) -> T + Copy + Send) -> Vec<T> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = CASES.iter().map(|case| scope.spawn(move || work(case))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// One row a channel, one for the events, one for frequencies.
fn compare(case: &Case) -> Result<Vec<Comparison>, ReproduceError> {
    let table = Table::parse(case.samples)?;
    let own = run::own(case, &table)?;
    let mut out = Vec::new();
    for (k, name) in table.names.iter().enumerate() {
        let pairs = table.rows.iter().zip(&own.rows).map(|(reference, own)| (reference[k], own[k])).collect();
        out.push(row(format!("{}: {name}", case.name), pairs));
    }
    let at = |k: usize, name: &str| own.events.get(k).filter(|e| e.0 == name).map_or(f64::NAN, |e| e.1);
    let events: Vec<_> = table::events(case.events)?.iter().enumerate().map(|(k, (name, t))| (*t, at(k, name))).collect();
    let frequencies: Vec<_> = case.frequencies.iter().copied().zip(own.frequencies).collect();
    for (name, pairs) in [("events", events), ("frequencies", frequencies)] {
        out.extend((!pairs.is_empty()).then(|| row(format!("{}: {name}", case.name), pairs)));
    }
    Ok(out)
}

/// The largest difference of pairs of a reference and an own number, divided by the largest reference where that is above 1.
fn row(name: String, pairs: Vec<(f64, f64)>) -> Comparison {
    let scale = pairs.iter().map(|(reference, _)| reference.abs()).fold(1.0, f64::max);
    let differences = pairs.iter().map(|(reference, own)| (own - reference).abs());
    let largest = differences.fold(0.0, |a: f64, b| if b.is_nan() || b > a { b } else { a });
    let row = format!("{name} ({})", pairs.len());
    Comparison { row, quantity: "largest difference", published: BAR, own: shown(largest / scale), bar: Bar::AtMost }
}

/// Rounded up to 1, 2 or 5 times a power of ten, so that round-off does not change the table.
fn shown(difference: f64) -> f64 {
    let size = if difference < ROUND_OFF { ROUND_OFF } else { difference };
    let power = 10f64.powi(size.log10().floor() as i32);
    [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|x| *x >= size).unwrap_or(10.0 * power)
}
