//! Brüls, Arnold: the generalized-α scheme as a linear multistep integrator, doi:10.1115/1.2960475: the controlled spring-mass system.
//!
//! ```text
//! m a + k q = g_max tanh(x / g_max),     x' = −σ x − b a
//! ```
//!
//! Errors are relative ones of q and x at t = 5 s. The paper draws them; the numbers to compare with are those of an independent program
//! with the same formulas, against a Taylor series with 20 digits.

use crate::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::integrators::{Method, Stepper, UncorrectedGeneralizedAlpha};
use cardan::prelude::*;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use std::sync::Arc;

pub const PAPER: Paper = Paper {
    id: "generalized-alpha-bruls",
    citation: "O. Brüls, M. Arnold: The generalized-α scheme as a linear multistep integrator: toward a general mechatronic simulator. \
               Journal of Computational and Nonlinear Dynamics 3 (2008) 041007",
    items: &[
        Item {
            name: "figure-3",
            title: "Figure 3: position of the mass, h = 0.1 s",
            note: "The figure prints no numbers: the reference is the solution of the two equations in q and x. The bar is 1 % of the range.",
            row_heading: "t",
            against: Against::Reference,
            timed: false,
            compute: || curve("q", "q, m", 0.08, &POSITION, |x| x.q[0]),
        },
        Item {
            name: "figure-4",
            title: "Figure 4: force of the actuator, h = 0.1 s",
            note: "As Figure 3.",
            row_heading: "t",
            against: Against::Reference,
            timed: false,
            compute: || curve("g", "g, N", 0.02, &FORCE, |x| x.x[0].tanh()),
        },
        Item {
            name: "figure-5",
            title: "Figure 5: errors at t = 5 s with fixed steps: second order",
            note: "Started from consistent accelerations and rates, as Algorithm 1 of the paper.",
            row_heading: "h",
            against: Against::Reference,
            timed: false,
            compute: || convergence(&[Series { name: "fixed", errors: &FIXED, steps: &[1.0], corrected: Correction::Made }]),
        },
        Item {
            name: "figure-6",
            title: "Figure 6: errors at t = 5 s with alternating steps of 0.3 H and 0.7 H",
            note: "With γ and θ corrected where the step changes the order is 2, without it is 1.",
            row_heading: "H",
            against: Against::Reference,
            timed: false,
            compute: || {
                let steps = &[0.3, 0.7];
                convergence(&[
                    Series { name: "corrected", errors: &CORRECTED, steps, corrected: Correction::Made },
                    Series { name: "uncorrected", errors: &UNCORRECTED, steps, corrected: Correction::LeftOut },
                ])
            },
        },
    ],
};

/// Whether γ and θ follow changes of the step.
#[derive(Clone, Copy, PartialEq)]
enum Correction {
    Made,
    LeftOut,
}

/// One run for each H: relative errors of q and x; the steps as parts of H.
struct Series {
    name: &'static str,
    errors: &'static [(f64, f64, f64)],
    steps: &'static [f64],
    corrected: Correction,
}

const FIXED: [(f64, f64, f64); 6] = [
    (0.1, 0.006792050362134241, 0.0024926565565987924),
    (0.05, 0.001711248322359545, 0.0006251057374270572),
    (0.025, 0.0004284859864424425, 0.00015642711026118148),
    (0.0125, 0.00010715508807733861, 3.9119701901828336e-05),
    (0.00625, 2.6789945224014643e-05, 9.781171909815488e-06),
    (0.003125, 6.697445815686983e-06, 2.4454257068385785e-06),
];

const CORRECTED: [(f64, f64, f64); 6] = [
    (0.1, 0.0024644515942065584, 0.0009189289468151077),
    (0.05, 0.0006285527806837471, 0.00023137465526258707),
    (0.025, 0.0001584540658901131, 5.822372309320804e-05),
    (0.0125, 3.971655784883886e-05, 1.4609199516260716e-05),
    (0.00625, 9.934273596196712e-06, 3.658022947844812e-06),
    (0.003125, 2.483559011972898e-06, 9.150767989215109e-07),
];

const UNCORRECTED: [(f64, f64, f64); 6] = [
    (0.1, 0.004366731008713435, 7.352301489400542e-05),
    (0.05, 0.0016160284473075773, 0.00025599018530525985),
    (0.025, 0.0006642149378188867, 0.00018297432938805822),
    (0.0125, 0.0002960357195712562, 0.0001052530122072029),
    (0.00625, 0.0001389935141371349, 5.607015423199786e-05),
    (0.003125, 6.7240527798394e-05, 2.88962254392908e-05),
];

const POSITION: [(f64, f64); 11] = [
    (1.0, 3.0745118872880592),
    (2.0, -0.7697641905322622),
    (3.0, -3.0086364475154266),
    (4.0, -2.487381597985008),
    (5.0, -0.5660530231853469),
    (6.0, 0.9629182664971923),
    (8.0, 0.3746858874527884),
    (10.0, -0.33589350066744716),
    (12.0, -0.3279378049378221),
    (15.0, -0.19275757995251164),
    (20.0, -0.10889184542209224),
];

const FORCE: [(f64, f64); 11] = [
    (1.0, 0.9997761867061267),
    (2.0, 0.9996278365386656),
    (3.0, -0.0937389651500543),
    (4.0, -0.9935135934038573),
    (5.0, -0.9974932202961176),
    (6.0, -0.8621299097325889),
    (8.0, 0.5397485519950673),
    (10.0, -0.15670678737865784),
    (12.0, -0.31675592381252476),
    (15.0, -0.20200114279947456),
    (20.0, -0.11009727267667185),
];

/// q and x at t = 5 s.
const END: [f64; 2] = [-0.566053023185347, -3.340324670314635];

/// The mass with its controller as blocks; the only state is x.
fn spring_mass() -> Result<System, ReproduceError> {
    let mut model = Model::new("controlled spring-mass");
    let mass = model.add_body(Body::point_2d("mass", 1.0).at([5.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_sensor(Sensor::new("acceleration", "ACCX(mass)"));
    let controller = Block::new("state-space", "desired").set("inputs", ["acceleration"]).set("a", vec![vec![-0.1]]);
    model.add_block(controller.set("b", vec![vec![-1.4]]).set("c", vec![vec![1.0]]));
    model.add_block(Block::new("saturation", "actual").set("input", "desired").set("lower", -1.0).set("upper", 1.0).set("smooth", true));
    model.add_force(ExpressionForce::vector("actuator", i, j, j, ["VARVAL(actual) - DX(mass)", "0", "0"]));
    Ok(System::new(&model)?)
}

fn options() -> Options {
    Options { startup: Startup::Consistent, norm: Norm::Paper, ..Options::default() }
}

/// Relative errors of q and x at t = 5 s with steps that are these parts of `size` in turn.
fn errors(system: &System, series: &Series, size: f64) -> Result<[f64; 2], ReproduceError> {
    let rule = GeneralizedAlpha::new(0.8);
    let method: Arc<dyn Method> = match series.corrected {
        Correction::Made => Arc::new(rule),
        Correction::LeftOut => Arc::new(UncorrectedGeneralizedAlpha(rule)),
    };
    let start = assemble(system).map_err(SimulationError::from)?.state;
    let mut stepper = Stepper::new(system, method, options(), &start, &[]);
    stepper.start(&start, series.steps[0] * size)?;
    for k in 0..(5.0 / size).round() as usize * series.steps.len() {
        stepper.attempt(series.steps[k % series.steps.len()] * size, None)?;
        stepper.accept();
    }
    let x = stepper.now();
    Ok([(x.q[0] / END[0] - 1.0).abs(), (x.x[0] / END[1] - 1.0).abs()])
}

fn convergence(all: &[Series]) -> Result<Outcome, ReproduceError> {
    let system = spring_mass()?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for series in all {
        let mut own = Vec::new();
        for &(size, q, x) in series.errors {
            let found = errors(&system, series, size)?;
            let row = format!("{size} s, {}", series.name);
            for (quantity, published, own) in [("Δq/q", q, found[0]), ("Δx/x", x, found[1])] {
                comparisons.push(Comparison { row: row.clone(), quantity, published, own, bar: Bar::Relative(0.01) });
            }
            own.push((size, found));
        }
        for (k, quantity) in ["q", "x"].into_iter().enumerate() {
            let name = |what: &str| format!("{quantity}, {}{what}", series.name).into();
            let reference = series.errors.iter().map(|e| (e.0, [e.1, e.2][k])).collect();
            curves.push(Curve { name: name(""), points: own.iter().map(|(size, e)| (*size, e[k])).collect(), mark: Mark::Line });
            curves.push(Curve { name: name(", reference"), points: reference, mark: Mark::Circles });
        }
    }
    let (x, y) = (Axis { label: "h, s", scale: Scale::Logarithmic }, Axis { label: "relative error", scale: Scale::Logarithmic });
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}

fn curve(
    quantity: &'static str,
    label: &'static str,
    bar: f64,
    samples: &[(f64, f64)],
    value: fn(&State) -> f64,
) -> Result<Outcome, ReproduceError> {
    let system = spring_mass()?;
    let results = Simulation::new(&system).method(GeneralizedAlpha::new(0.8)).options(options()).step(0.1).run(20.0)?;
    let mut comparisons = Vec::new();
    for &(t, published) in samples {
        let own = value(&results.at(&system, t).ok_or(ReproduceError::NoState { t })?);
        comparisons.push(Comparison { row: format!("{t} s"), quantity, published, own, bar: Bar::Absolute(bar) });
    }
    let curves = vec![
        Curve { name: "h = 0.1 s".into(), points: results.series(|x| (x.t, value(x))), mark: Mark::Line },
        Curve { name: "reference".into(), points: samples.to_vec(), mark: Mark::Circles },
    ];
    let (x, y) = (Axis { label: "t, s", scale: Scale::Linear }, Axis { label, scale: Scale::Linear });
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}
