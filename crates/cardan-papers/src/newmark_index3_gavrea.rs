//! Gavrea, Negrut, Potra: the Newmark method for index-3 equations of multibody dynamics, IMECE2005-81770.
//!
//! The errors of the tables are Euclidean norms over all coordinates at the end of runs with fixed steps,
//!
//! ```text
//! Δq = |q_h(T) − q(T)|,   Δv = |v_h(T) − v(T)|,   R(h) = Δ(2h) / Δ(h)
//! ```
//!
//! The paper counts R from the larger step and prints it in the row of the smaller.

use crate::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::model::classics::{pendulum, stiff_double_pendulum};
use cardan::prelude::*;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};

pub const PAPER: Paper = Paper {
    id: "newmark-index3-gavrea",
    citation: "B. Gavrea, D. Negrut, F. A. Potra: The Newmark integration method for simulation of multibody systems: analytical \
               considerations. ASME IMECE2005-81770 (2005)",
    items: &[
        Item {
            name: "table-1",
            title: "Table 1: pendulum, γ = 1/2, β = 1/4: second order",
            note: "One Newton iteration a step, from the accelerations and multipliers of the step before; consistent accelerations at the \
                   start. The paper does not say so; with iterations to convergence the first three rows differ. Errors are against the \
                   closed-form solution.",
            row_heading: "h",
            against: Against::Paper,
            timed: false,
            compute: || pendulum_table(0.5, &TABLE_1),
        },
        Item {
            name: "table-2",
            title: "Table 2: pendulum, γ = 3/4, β = (γ + 1/2)²/4: first order",
            note: "Computed as Table 1.",
            row_heading: "h",
            against: Against::Paper,
            timed: false,
            compute: || pendulum_table(0.75, &TABLE_2),
        },
        Item {
            name: "table-3",
            title: "Table 3: stiff double pendulum, γ = 3/4, β = (γ + 1/2)²/4: first order",
            note: "θ₁ starts at 2π; the paper leaves open whether at 0 or 2π. Three Newton iterations a step; with iterations to \
                   convergence the first row differs. Errors are against a solution of the two equations of motion in the angles with 15 \
                   digits.",
            row_heading: "h",
            against: Against::Paper,
            timed: false,
            compute: double_pendulum_table,
        },
        Item {
            name: "figure-2",
            title: "Figure 2: angle θ₁ of the stiff double pendulum, γ = 3/4, h = 0.001",
            note: "The figure prints no numbers: the reference is the solution of the two equations of motion in the angles with 15 digits. \
                   The bar is 1 % of the range of the curve.",
            row_heading: "t",
            against: Against::Reference,
            timed: false,
            compute: || curve("θ₁", "θ₁, rad", &ANGLE, |x| x.q[2]),
        },
        Item {
            name: "figure-3",
            title: "Figure 3: angular velocity of θ₁ of the stiff double pendulum, γ = 3/4, h = 0.001",
            note: "As Figure 2.",
            row_heading: "t",
            against: Against::Reference,
            timed: false,
            compute: || curve("ω₁", "ω₁, rad/s", &VELOCITY, |x| x.v[2]),
        },
    ],
};

/// A printed table: the first step is 2^-first; errors in q and v; their rates from the second row on.
struct Table {
    first: i32,
    errors: &'static [(f64, f64)],
    rates: &'static [(f64, f64)],
}

const TABLE_1: Table = Table {
    first: 4,
    errors: &[
        (7.72e-2, 7.46e-1),
        (1.49e-2, 2.94e-2),
        (4.48e-3, 1.10e-2),
        (1.13e-3, 3.42e-3),
        (2.82e-4, 9.02e-4),
        (7.05e-5, 2.29e-4),
        (1.76e-5, 5.73e-5),
        (4.41e-6, 1.44e-5),
    ],
    rates: &[(5.20, 25.4), (3.31, 2.68), (3.97, 3.21), (4.00, 3.79), (4.00, 3.94), (4.00, 3.99), (4.00, 3.99)],
};

const TABLE_2: Table = Table {
    first: 4,
    errors: &[
        (1.56e-1, 1.13e0),
        (6.21e-2, 7.38e-1),
        (2.26e-2, 4.27e-1),
        (8.19e-3, 2.31e-1),
        (3.15e-3, 1.20e-1),
        (1.31e-3, 6.12e-2),
        (5.88e-4, 3.09e-2),
        (2.77e-4, 1.55e-2),
    ],
    rates: &[(2.52, 1.53), (2.75, 1.73), (2.76, 1.85), (2.60, 1.92), (2.40, 1.96), (2.23, 1.98), (2.13, 1.99)],
};

const TABLE_3: Table = Table {
    first: 9,
    errors: &[(7.76e-2, 1.59e-1), (1.26e-2, 9.39e-2), (5.85e-3, 4.82e-2), (2.82e-3, 2.44e-2), (1.39e-3, 1.23e-2), (6.85e-4, 6.16e-3)],
    rates: &[(6.17, 1.69), (2.15, 1.95), (2.07, 1.98), (2.04, 1.99), (2.02, 1.99)],
};

/// θ and θ̇ of the pendulum at t = 4 (elliptic functions), θ from the downward vertical.
const PENDULUM_END: (f64, f64) = (0.666934304106801, 2.36766982825138);

/// θ₁, θ₂ and their rates at t = 2.
const DOUBLE_PENDULUM_END: [f64; 4] = [4.640478183221331, 4.640496701688532, -1.629892454083766, -1.630252715380255];

/// Samples (t, value) of a reference solution, with the bar for a curve through them.
struct Samples {
    bar: f64,
    points: [(f64, f64); 10],
}

const ANGLE: Samples = Samples {
    bar: 0.026,
    points: [
        (0.1, 6.067066513),
        (0.25, 4.778703732),
        (0.45, 3.675358282),
        (0.65, 4.500879138),
        (0.9, 5.396461568),
        (1.1, 4.750578025),
        (1.3, 4.250674719),
        (1.5, 4.615635626),
        (1.75, 5.017300770),
        (2.0, 4.640478183),
    ],
};

const VELOCITY: Samples = Samples {
    bar: 0.16,
    points: [
        (0.05, -2.269766434),
        (0.2, -9.537016748),
        (0.45, -0.155181017),
        (0.65, 6.408773863),
        (0.9, -0.786205233),
        (1.05, -4.209977832),
        (1.3, -0.112889677),
        (1.5, 2.861282950),
        (1.75, -0.346421360),
        (2.0, -1.629892454),
    ],
};

/// The steps of the paper: so many Newton iterations, the first from the values of the step before.
fn steps(iterations: usize) -> Options {
    Options { iterations: Iterations::Fixed(iterations), predictor_degree: 0, norm: Norm::Paper, ..Options::default() }
}

fn pendulum_table(gamma: f64, table: &Table) -> Result<Outcome, ReproduceError> {
    let (theta, rate) = PENDULUM_END;
    let (s, c) = theta.sin_cos();
    let end = (vec![s, -c], vec![rate * c, rate * s]);
    convergence(&pendulum(), Newmark::new(gamma), steps(1), 4.0, &end, table, Bar::Digits(3))
}

fn double_pendulum_table() -> Result<Outcome, ReproduceError> {
    let [theta1, theta2, rate1, rate2] = DOUBLE_PENDULUM_END;
    let ((s1, c1), (s2, c2)) = (theta1.sin_cos(), theta2.sin_cos());
    let (l1, l2) = (1.0, 1.5);
    let q = vec![l1 * c1, l1 * s1, theta1, 2.0 * l1 * c1 + l2 * c2, 2.0 * l1 * s1 + l2 * s2, theta2];
    let (v1, v2) = (l1 * rate1, l2 * rate2);
    let v = vec![-v1 * s1, v1 * c1, rate1, -2.0 * v1 * s1 - v2 * s2, 2.0 * v1 * c1 + v2 * c2, rate2];
    convergence(&stiff_double_pendulum(), Newmark::new(0.75), steps(3), 2.0, &(q, v), &TABLE_3, Bar::Relative(0.005))
}

/// Errors at the end for each step of the table, and their rates.
fn convergence(
    model: &Model,
    method: Newmark,
    options: Options,
    t_end: f64,
    end: &(Vec<f64>, Vec<f64>),
    table: &Table,
    bar: Bar,
) -> Result<Outcome, ReproduceError> {
    let system = System::new(model)?;
    let mut own: Vec<(f64, f64)> = Vec::new();
    for (k, _) in (table.first..).zip(table.errors) {
        let run = Simulation::new(&system).method(method).options(options).step(0.5f64.powi(k)).record(Record::Ends).run(t_end)?;
        let x = run.last().ok_or(ReproduceError::NoState { t: t_end })?;
        own.push((distance(&x.q, &end.0), distance(&x.v, &end.1)));
    }
    let rates: Vec<(f64, f64)> = own.windows(2).map(|pair| (pair[0].0 / pair[1].0, pair[0].1 / pair[1].1)).collect();
    let mut comparisons = columns(["Δq", "Δv"], table.first, table.errors, &own, bar);
    comparisons.extend(columns(["Rq", "Rv"], table.first + 1, table.rates, &rates, bar));
    Ok(Outcome { comparisons, figure: error_plot(table, &own) })
}

/// Two columns of a table whose first row is that of the step 2^-first.
fn columns(names: [&'static str; 2], first: i32, published: &[(f64, f64)], own: &[(f64, f64)], bar: Bar) -> Vec<Comparison> {
    let mut out = Vec::new();
    for (k, (published, own)) in (first..).zip(published.iter().zip(own)) {
        let compare = |quantity, published, own| Comparison { row: format!("2^-{k}"), quantity, published, own, bar };
        out.extend([compare(names[0], published.0, own.0), compare(names[1], published.1, own.1)]);
    }
    out
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn error_plot(table: &Table, own: &[(f64, f64)]) -> Figure {
    let curve = |name: &'static str, errors: &[(f64, f64)], part: fn(&(f64, f64)) -> f64, mark| {
        let points = (table.first..).zip(errors).map(|(k, e)| (0.5f64.powi(k), part(e))).collect();
        Curve { name: name.into(), points, mark }
    };
    Figure {
        x: Axis { label: "h, s", scale: Scale::Logarithmic },
        y: Axis { label: "error", scale: Scale::Logarithmic },
        curves: vec![
            curve("Δq", own, |e| e.0, Mark::Line),
            curve("Δv", own, |e| e.1, Mark::Line),
            curve("Δq published", table.errors, |e| e.0, Mark::Circles),
            curve("Δv published", table.errors, |e| e.1, Mark::Circles),
        ],
    }
}

/// A coordinate of the stiff double pendulum over time.
fn curve(quantity: &'static str, label: &'static str, samples: &Samples, value: fn(&State) -> f64) -> Result<Outcome, ReproduceError> {
    let system = System::new(&stiff_double_pendulum())?;
    let results = Simulation::new(&system).method(Newmark::new(0.75)).options(steps(3)).step(0.001).run(2.0)?;
    let mut comparisons = Vec::new();
    for &(t, published) in &samples.points {
        let own = value(&results.at(&system, t).ok_or(ReproduceError::NoState { t })?);
        comparisons.push(Comparison { row: format!("{t} s"), quantity, published, own, bar: Bar::Absolute(samples.bar) });
    }
    let own = results.series(|x| (x.t, value(x)));
    let curves = vec![
        Curve { name: "h = 0.001 s".into(), points: own, mark: Mark::Line },
        Curve { name: "reference".into(), points: samples.points.to_vec(), mark: Mark::Circles },
    ];
    let (x, y) = (Axis { label: "t, s", scale: Scale::Linear }, Axis { label, scale: Scale::Linear });
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}
