//! Gil, Sanfelice, Nikravesh: local linearization in the integration of multibody equations.
//!
//! The paper draws its results and prints few numbers. They are compared with reference solutions: closed formulas (equation 35, the balls) and
//! integration with 20 digits in the two angles (the double pendulum).

mod numbers;

use crate::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::integrators::{self, ErrorPer, LocalLinearization, Method, Projection, Stepper};
use cardan::prelude::*;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use numbers::*;
use std::f64::consts::PI;
use std::sync::Arc;

pub const PAPER: Paper = Paper {
    id: "local-linearization-gil",
    citation: "G. Gil, R. G. Sanfelice, P. E. Nikravesh: Local linearization method in the integration of multibody equations. Multibody \
               Dynamics 2013, ECCOMAS Thematic Conference, Zagreb (2013)",
    items: &[
        Item {
            name: "figure-2",
            title: "Figure 2: stiff double pendulum, h = 0.02",
            note: "Two uniform rods of 1 kg and 1 m, a spring of 3000 N m/deg between them; the paper does not give masses, lengths and the start, \
                   which are chosen here (θ₁ = 90°, bent by 0.01 rad). The reference is the same method on the two angles; here the coordinates are \
                   those of the bodies, without projection, and the bar is three times the reference. With h = 0.02 a step spans five periods of \
                   the fast oscillation. The angles do not feel it, but the centres of mass do, whose centripetal accelerations are quadratic in \
                   rates that have turned about many times within a step: they drift from the constraints by half a rod, where a smaller \
                   oscillation, as the paper may have had, drifts less. Projection closes the joints to round-off and costs digits of the \
                   angles. Errors at t = 1 s; energy, of the angles, and constraints over the run.",
            row_heading: "quantity",
            against: Against::Reference,
            timed: false,
            compute: figure_2,
        },
        Item {
            name: "figure-2-cost",
            title: "Figure 2: evaluations for the same error",
            note: "Evaluations of accelerations by local linearization with h = 0.02 (own), a Jacobian counted as one for each of its \
                   columns, against the evaluations of accelerations or residuals, and of Jacobians, that other methods need until their \
                   error in the angles at t = 1 s is no larger: tolerances of 1e-2, 1e-3, … are tried. The paper compares seconds of another \
                   program.",
            row_heading: "method",
            against: Against::Reference,
            timed: false,
            compute: figure_2_cost,
        },
        Item {
            name: "figure-5",
            title: "Figure 5: two bouncing balls, instants of contact",
            note: "K = 1e5 N/m, masses of 1 kg; radius 0.1 m and heights of 2 m and 1 m are chosen here. The reference joins the formulas \
                   of flight and contact at their roots. Steps of 5 ms, shortened to end at every contact. The last row is the energy \
                   farthest from that of the start, within 1e-9 of it.",
            row_heading: "event",
            against: Against::Reference,
            timed: false,
            compute: figure_5,
        },
        Item {
            name: "figure-6",
            title: "Figure 6: estimated by exact local error of one step of equation (35)",
            note: "Norms of all three unknowns. The exact error is that of the closed solution (sin 1/t, cos 1/t, t); the reference is the \
                   paper's formula with 60 digits.",
            row_heading: "h",
            against: Against::Reference,
            timed: false,
            compute: figure_6,
        },
        Item {
            name: "figure-7",
            title: "Figure 7: stiff double pendulum, adaptive steps",
            note: "Error per unit step, safety factor 0.9, as in the paper; the norm is the root mean square of all coordinates and velocities. The \
                   paper prints no numbers: a tolerance half as large must take more steps, which is the number to compare with, and the error \
                   of the angles must stay below a tenth of the amplitude of the oscillation, 1e-3.",
            row_heading: "tolerance",
            against: Against::Reference,
            timed: false,
            compute: figure_7,
        },
    ],
};

/// The method of the paper, with projection.
fn projected() -> LocalLinearization {
    LocalLinearization { order: Some(2), ..LocalLinearization::default() }
}

/// What the paper did.
fn plain() -> LocalLinearization {
    LocalLinearization { projection: Projection::Off, ..projected() }
}

/// Angles are counted from the downward vertical.
fn double_pendulum() -> Model {
    let mut model = Model::new("stiff double pendulum");
    model.set_gravity([0.0, -GRAVITY, 0.0]);
    let (theta1, theta2) = (PI / 2.0, PI / 2.0 + 0.01);
    let elbow = [theta1.sin(), -theta1.cos()];
    let rod = |name: &str, from: [f64; 2], theta: f64| {
        Body::planar(name, 1.0, 1.0 / 12.0).at([from[0] + 0.5 * theta.sin(), from[1] - 0.5 * theta.cos(), 0.0]).turned(theta)
    };
    let upper = model.add_body(rod("upper", [0.0, 0.0], theta1));
    let lower = model.add_body(rod("lower", elbow, theta2));
    let mut end = |body: BodyId, y: f64| model.add_marker(Marker::on(body).at([0.0, y, 0.0]));
    let (top, below, above) = (end(upper, 0.5), end(upper, -0.5), end(lower, 0.5));
    let ground = end(BodyId::GROUND, 0.0);
    model.add_joint(Joint::new("top", Revolute, top, ground));
    model.add_joint(Joint::new("elbow", Revolute, above, below));
    model.add_force(RotationalSpringDamper::new("spring", above, below).stiffness(SPRING).free_angle(0.0));
    model
}

fn angle_error(x: &State) -> [f64; 2] {
    [(x.q[2] - ANGLES[0]).abs(), (x.q[5] - ANGLES[1]).abs()]
}

/// θ₂ − θ₁ over time.
fn bend(x: &State) -> (f64, f64) {
    (x.t, x.q[5] - x.q[2])
}

/// From the angles and their rates alone.
fn pendulum_energy(x: &State) -> f64 {
    let (theta1, theta2, w1, w2) = (x.q[2], x.q[5], x.v[2], x.v[5]);
    let motion = 2.0 / 3.0 * w1 * w1 + w2 * w2 / 6.0 + 0.5 * w1 * w2 * (theta1 - theta2).cos();
    motion - GRAVITY * (1.5 * theta1.cos() + 0.5 * theta2.cos()) + 0.5 * SPRING * (theta2 - theta1).powi(2)
}

fn linear_axes(x: &'static str, y: &'static str) -> (Axis, Axis) {
    (Axis { label: x, scale: Scale::Linear }, Axis { label: y, scale: Scale::Linear })
}

fn line(name: &str, points: Vec<(f64, f64)>) -> Curve {
    Curve { name: name.to_string().into(), points, mark: Mark::Line }
}

fn end(results: &Results, t: f64) -> Result<&State, ReproduceError> {
    results.last().ok_or(ReproduceError::NoState { t })
}

fn figure_2() -> Result<Outcome, ReproduceError> {
    let system = System::new(&double_pendulum())?;
    let results = Simulation::new(&system).method(plain()).step(0.02).run(1.0)?;
    let projected = Simulation::new(&system).method(projected()).step(0.02).run(1.0)?;
    let [theta1, theta2] = angle_error(end(&results, 1.0)?);
    let energies = results.series(|x| (x.t, pendulum_energy(x)));
    let start = energies.first().map_or(0.0, |e| e.1);
    let change = energies.iter().map(|e| (e.1 - start).abs()).fold(0.0, f64::max);
    let row = |row: &str, published, own, bar| Comparison { row: row.into(), quantity: "value", published, own, bar };
    let comparisons = vec![
        row("error of θ₁, rad", MINIMAL[0], theta1, Bar::Relative(2.0)),
        row("error of θ₂, rad", MINIMAL[1], theta2, Bar::Relative(2.0)),
        row("change of energy, J", MINIMAL[2], change, Bar::Relative(2.0)),
        row("violation of constraints, m, at most a rod", 1.0, results.position_violation, Bar::AtMost),
        row("the same with projection, m, at most", 1e-12, projected.position_violation, Bar::AtMost),
    ];
    let (x, y) = linear_axes("t, s", "energy, J");
    Ok(Outcome { comparisons, figure: Figure { x, y, curves: vec![line("local linearization, h = 0.02 s", energies)] } })
}

/// The run with the largest tolerance whose error is at most this.
fn as_accurate(system: &System, method: &Arc<dyn Method>, most: f64) -> Result<Option<Results>, ReproduceError> {
    for exponent in 2..12 {
        let simulation = Simulation::new(system).shared_method(method.clone()).norm(Norm::Paper);
        let results = match simulation.tolerance(0.1f64.powi(exponent)).run(1.0) {
            // Where energy comes out of nothing, or vanishes, there is no accuracy at all.
            Err(SimulationError::Energy { .. } | SimulationError::EnergyLost { .. }) => continue,
            results => results?,
        };
        let [theta1, theta2] = angle_error(end(&results, 1.0)?);
        if theta1.hypot(theta2) <= most {
            return Ok(Some(results));
        }
    }
    Ok(None)
}

fn figure_2_cost() -> Result<Outcome, ReproduceError> {
    let system = System::new(&double_pendulum())?;
    let own = Simulation::new(&system).method(plain()).step(0.02).run(1.0)?;
    let [theta1, theta2] = angle_error(end(&own, 1.0)?);
    let count = (own.statistics.evaluations + own.statistics.jacobians * (2 * system.nv() + 1)) as f64;
    let (mut comparisons, mut curves) = (Vec::new(), vec![line("local-linearization", own.series(bend))]);
    for method in integrators::all().iter().filter(|m| ["dormand-prince", "radau", "bdf"].contains(&m.name())) {
        let Some(results) = as_accurate(&system, method, theta1.hypot(theta2))? else { continue };
        let (row, s) = (method.name().to_string(), results.statistics);
        let published = (s.evaluations + s.jacobians) as f64;
        comparisons.push(Comparison { row, quantity: "evaluations", published, own: count, bar: Bar::AtMost });
        curves.push(line(method.name(), results.series(bend).into_iter().filter(|p| p.0 < 0.02).collect()));
    }
    curves[0].points.retain(|p| p.0 < 0.05);
    let (x, y) = linear_axes("t, s", "θ₂ − θ₁, rad");
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}

/// Two balls above each other; contact by springs that only push.
fn balls() -> Model {
    let mut model = Model::new("bouncing balls");
    model.set_gravity([0.0, -GRAVITY, 0.0]);
    let mut ball = |name: &str, height: f64| {
        let body = model.add_body(Body::point_2d(name, 1.0).at([0.0, height, 0.0]));
        model.add_marker(Marker::on(body).named(&format!("{name}_center")))
    };
    let (upper, lower) = (ball("upper", 2.0), ball("lower", 1.0));
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    let push = |depth: &str| ["0".to_string(), format!("MAX(0, 1e5*({depth}))"), "0".to_string()];
    model.add_force(ExpressionForce::vector("balls", upper, lower, ground, push("0.2 - DY(upper_center, lower_center)")));
    model.add_force(ExpressionForce::vector("floor", lower, ground, ground, push("0.1 - DY(lower_center)")));
    model
}

fn ball_energy(x: &State) -> f64 {
    let depth = |d: f64| 0.5e5 * d.max(0.0).powi(2);
    let motion = 0.5 * (x.v[1] * x.v[1] + x.v[3] * x.v[3]) + GRAVITY * (x.q[1] + x.q[3]);
    motion + depth(0.2 - (x.q[1] - x.q[3])) + depth(0.1 - x.q[3])
}

fn figure_5() -> Result<Outcome, ReproduceError> {
    let system = System::new(&balls())?;
    let simulation = Simulation::new(&system).method(plain()).step(5e-3);
    let simulation = simulation.event(Event::new("balls", |x| 0.2 - (x.q[1] - x.q[3]))).event(Event::new("floor", |x| 0.1 - x.q[3]));
    let results = simulation.run(3.0)?;
    let mut comparisons = Vec::new();
    for (k, (name, published)) in EVENTS.iter().enumerate() {
        let own = results.events.get(k).map_or(f64::NAN, |e| e.t);
        comparisons.push(Comparison {
            row: format!("{}: {name}", k + 1),
            quantity: "t, s",
            published: *published,
            own,
            bar: Bar::Absolute(1e-10),
        });
    }
    let start = results.samples.first().map_or(f64::NAN, |s| ball_energy(&s.state));
    let energies = results.series(ball_energy);
    let farthest = energies.iter().copied().max_by(|a, b| (a - start).abs().total_cmp(&(b - start).abs())).unwrap_or(f64::NAN);
    comparisons.push(Comparison { row: "energy, J".into(), quantity: "t, s", published: start, own: farthest, bar: Bar::Relative(1e-9) });
    let (x, y) = linear_axes("t, s", "height, m");
    let curves = vec![line("upper", results.series(|x| (x.t, x.q[1]))), line("lower", results.series(|x| (x.t, x.q[3])))];
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}

/// Equation 35 in differential states.
fn equation_35() -> Model {
    let mut model = Model::new("equation 35");
    model.add_body(Body::point_2d("unused", 1.0));
    model.add_state(Differential::new("x1", "-DIF(x2)/DIF(x3)^2", 0.0));
    model.add_state(Differential::new("x2", "DIF(x1)/DIF(x3)^2", -1.0));
    model.add_state(Differential::new("x3", "1", 1.0 / PI));
    model
}

/// Norms of the estimated and of the exact error of one step.
fn one_step(system: &System, h: f64) -> Result<(f64, f64), ReproduceError> {
    let start = system.initial().clone();
    let mut stepper = Stepper::new(system, Arc::new(plain()), Options { norm: Norm::Paper, ..Options::default() }, &start, &[]);
    stepper.start(&start, h)?;
    let estimate = stepper.attempt(h, Some(1.0))?.map_or(f64::NAN, |e| e.ratio);
    let (t, entries) = (1.0 / PI + h, 2 * system.nv() + system.nx());
    let exact = [(1.0 / t).sin(), (1.0 / t).cos(), t];
    let error = stepper.next().x.iter().zip(exact).map(|(x, e)| (x - e).powi(2)).sum::<f64>().sqrt();
    Ok((estimate * (entries as f64).sqrt(), error))
}

fn figure_6() -> Result<Outcome, ReproduceError> {
    let system = System::new(&equation_35())?;
    let (mut comparisons, mut estimates, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (h, published) in RATIOS {
        let (estimate, error) = one_step(&system, h)?;
        let (row, own) = (format!("{h}"), estimate / error);
        comparisons.push(Comparison { row, quantity: "estimated / exact", published, own, bar: Bar::Absolute(0.001) });
        estimates.push((h, estimate));
        errors.push((h, error));
    }
    let (x, y) = (Axis { label: "h", scale: Scale::Logarithmic }, Axis { label: "local error", scale: Scale::Logarithmic });
    let curves = vec![line("estimated", estimates), Curve { name: "exact".into(), points: errors, mark: Mark::Circles }];
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}

fn figure_7() -> Result<Outcome, ReproduceError> {
    let system = System::new(&double_pendulum())?;
    let method = LocalLinearization { error: ErrorPer::UnitStep, ..plain() };
    let simulation = |tolerance: f64| Simulation::new(&system).method(method).tolerance(tolerance).norm(Norm::Paper);
    let run = |tolerance: f64| simulation(tolerance).first_step(0.01).run(1.0);
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for tolerance in [0.1, 0.05] {
        let (results, half) = (run(tolerance)?, run(0.5 * tolerance)?);
        let [theta1, theta2] = angle_error(end(&results, 1.0)?);
        let steps = |r: &Results| r.statistics.steps as f64;
        let compare = |quantity, published, own| Comparison { row: tolerance.to_string(), quantity, published, own, bar: Bar::AtMost };
        comparisons.push(compare("steps, tolerance halved", steps(&half), steps(&results)));
        comparisons.push(compare("error of the angles, rad", 1e-3, theta1.hypot(theta2)));
        let times = results.times();
        curves.push(line(&format!("tolerance {tolerance}"), times.windows(2).map(|t| (t[0], t[1] - t[0])).step_by(8).collect()));
    }
    let (x, y) = linear_axes("t, s", "step, s");
    Ok(Outcome { comparisons, figure: Figure { x, y, curves } })
}
