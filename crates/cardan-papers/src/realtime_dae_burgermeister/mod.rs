//! Burgermeister, Arnold, Esterl: Euler methods for real time, their stabilisations of constraints and their Jacobians.
//!
//! The paper prints no tables. Its figures are compared with numbers of an independent program with the same methods: q at the end against a
//! solution with 15 digits, and the constraints along the way,
//!
//! ```text
//! drift = max |g(q_n, t_n)|,     error = |q(3 s) − q_ref(3 s)|         Euclidean norms
//! ```

mod numbers;

use crate::{Against, Bar, Comparison, Item, Outcome, Paper, ReproduceError};
use cardan::integrators::Constraints::{self, *};
use cardan::integrators::Jacobian::{self, *};
use cardan::integrators::{EulerSettings, ExplicitEuler, HalfExplicitEuler, LinearImplicitEuler, Method, ProjectionMatrix};
use cardan::model::classics::{car_axle, circular_track};
use cardan::prelude::{RealTime, System};
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use numbers::*;
use std::sync::Arc;

pub const PAPER: Paper = Paper {
    id: "realtime-dae-burgermeister",
    citation: "B. Burgermeister, M. Arnold, B. Esterl: DAE time integration for real-time applications in multi-body dynamics. ZAMM 86 \
               (2006)",
    items: &[
        Item {
            name: "figure-3",
            title: "Figure 3: circular track, distance from the centre less the radius",
            note: "The paper leaves mass, gains, force and steps open: m = 1 kg, K_P = 2, K_I = 1, F_R = 1 N, started with the speed that is \
                   asked for. The drift of the plain methods and the lack of it with projections are as in the figure. Not as in the figure: \
                   there index 1 drifts faster than index 2, here it is as fast at first and slower later, for any F_R. One projection \
                   with the matrix of the start leaves h⁴/8, last two rows, one order of h better than promised: on a circle the term with h³ \
                   vanishes.",
            row_heading: "method, h",
            against: Against::Reference,
            timed: false,
            compute: figure_3,
        },
        Item {
            name: "figure-5",
            title: "Figure 5: car axle, drift over 3 s with h = 10 ms",
            note: "Of the index-1 methods multipliers are those of the explicit forces, as equation (5c) of the paper has them. Derivatives of \
                   the reactions are left out of the Jacobians, derivatives by the time are in.",
            row_heading: "constraints, Jacobian",
            against: Against::Reference,
            timed: false,
            compute: figure_5,
        },
        Item {
            name: "car-axle-1-ms",
            title: "Section 4.2: car axle with h = 1 ms, every method with every stabilisation",
            note: "As Figure 5.",
            row_heading: "constraints, Jacobian",
            against: Against::Reference,
            timed: false,
            compute: one_millisecond,
        },
        Item {
            name: "figure-6",
            title: "Figure 6: car axle, order of the drift",
            note: "Slopes between steps of h and h/2. Expected are 1 without stabilisation, 2 with Baumgarte's and 3 with one projection, with \
                   the matrix of the start as in equation (11). Index 1 with J2 is left out: its drift falls with h² before it falls with h \
                   (the reference has the same).",
            row_heading: "constraints, Jacobian",
            against: Against::Paper,
            timed: false,
            compute: figure_6,
        },
        Item {
            name: "predicted-matrix",
            title: "Section 3.4: car axle, drift with the projection's matrix at the predicted position, J2",
            note: "One more factorisation a step than with the matrix of equation (11), and constraints that hold one order of h better.",
            row_heading: "h",
            against: Against::Reference,
            timed: false,
            compute: predicted_matrix,
        },
        Item {
            name: "figure-7",
            title: "Figure 7: car axle with h = 1 ms, explicit and linear-implicit methods",
            note: "Constraints as `ggl`, y of the right mass. The explicit method is unstable: its error is that of the reference program, \
                   0.36 m where the springs are 0.5 m long. Those with J1, J2 and J3 follow the solution; without damping J1 and J3 are the \
                   same.",
            row_heading: "Jacobian",
            against: Against::Reference,
            timed: false,
            compute: figure_7,
        },
        Item {
            name: "figure-8",
            title: "Figure 8: car axle, error at 3 s",
            note: "With J1. The paper selects methods without naming them. Section 4.3, the vehicle with its trailer, cannot be computed again: \
                   its data are not given.",
            row_heading: "constraints, h",
            against: Against::Reference,
            timed: false,
            compute: figure_8,
        },
    ],
};

const CLOSE: Bar = Bar::Relative(0.05);

/// The method with these settings.
fn method(settings: EulerSettings) -> Arc<dyn Method> {
    match settings.jacobian {
        Some(_) => Arc::new(LinearImplicitEuler(settings)),
        None if settings.constraints.of_velocities() => Arc::new(HalfExplicitEuler(settings)),
        None => Arc::new(ExplicitEuler(settings)),
    }
}

fn name(constraints: Constraints, jacobian: Option<Jacobian>) -> String {
    format!("{}, {}", constraints.name(), jacobian.map_or("explicit", Jacobian::name))
}

/// A run of the car axle: |g| and y of the right mass after every step, and the error at the end.
struct Ride {
    steps: Vec<(f64, f64, f64)>,
    error: f64,
}

impl Ride {
    fn drift(&self) -> f64 {
        self.steps.iter().fold(0.0, |m, step| m.max(step.1))
    }

    fn curve(&self, name: String, part: fn(&(f64, f64, f64)) -> f64) -> Curve {
        Curve { name: name.into(), points: self.steps.iter().map(|s| (s.0, part(s))).collect(), mark: Mark::Line }
    }
}

fn ride(system: &System, constraints: Constraints, jacobian: Option<Jacobian>, h: f64) -> Result<Ride, ReproduceError> {
    ride_with(system, EulerSettings::new(jacobian, constraints), h)
}

fn ride_with(system: &System, settings: EulerSettings, h: f64) -> Result<Ride, ReproduceError> {
    let mut run = RealTime::shared(system, method(settings), h)?;
    let mut steps = Vec::new();
    for _ in 0..(3.0 / h).round() as usize {
        run.step(&[], &mut [])?;
        let x = run.state();
        let [xl, yl, xr, yr] = [x.q[0], x.q[1], x.q[2], x.q[3]];
        let yb = 0.1 * (10.0 * x.t).sin();
        let g = [xl * (1.0 - yb * yb).sqrt() + yl * yb, (xl - xr).powi(2) + (yl - yr).powi(2) - 1.0];
        steps.push((x.t, g[0].hypot(g[1]), yr));
    }
    let error = run.state().q.iter().zip(&AXLE_END).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    Ok(Ride { steps, error })
}

fn linear(label: &'static str) -> Axis {
    Axis { label, scale: Scale::Linear }
}

fn logarithmic(label: &'static str) -> Axis {
    Axis { label, scale: Scale::Logarithmic }
}

fn figure_3() -> Result<Outcome, ReproduceError> {
    let system = System::new(&circular_track())?;
    let (mut comparisons, mut curves, mut promised) = (Vec::new(), Vec::new(), Vec::new());
    for (constraints, h, drift) in TRACK {
        let mut run = RealTime::shared(&system, method(EulerSettings::new(None, constraints)), h)?;
        let (row, mut points) = (format!("{}, {h} s", constraints.name()), Vec::new());
        for ((quantity, t), published) in TRACK_TIMES.into_iter().zip(drift) {
            while run.state().t < t - 0.5 * h {
                run.step(&[], &mut [])?;
                points.push((run.state().t, run.state().q[0].hypot(run.state().q[1]) - 1.0));
            }
            let own = points.last().map_or(f64::NAN, |p| p.1);
            comparisons.push(Comparison { row: row.clone(), quantity, published, own, bar: Bar::Relative(0.01) });
            if constraints == Projection {
                let row = format!("h⁴/8, {h} s");
                promised.push(Comparison { row, quantity, published: h.powi(4) / 8.0, own, bar: Bar::Relative(0.02) });
            }
        }
        let points = points.into_iter().step_by(100).collect();
        curves.push(Curve { name: row.into(), points, mark: Mark::Line });
    }
    comparisons.extend(promised);
    Ok(Outcome { comparisons, figure: Figure { x: linear("t, s"), y: linear("r − 1, m"), curves } })
}

fn figure_5() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for (constraints, jacobian, published) in TEN_MILLISECONDS {
        let (ride, row) = (ride(&system, constraints, jacobian, 0.01)?, name(constraints, jacobian));
        comparisons.push(Comparison { row: row.clone(), quantity: "drift", published, own: ride.drift(), bar: CLOSE });
        if jacobian == Some(J1) {
            curves.push(ride.curve(row, |step| step.1));
        }
    }
    Ok(Outcome { comparisons, figure: Figure { x: linear("t, s"), y: logarithmic("|g|"), curves } })
}

fn one_millisecond() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for (constraints, jacobian, drift, error) in ONE_MILLISECOND {
        let (ride, row) = (ride(&system, constraints, jacobian, 0.001)?, name(constraints, jacobian));
        let compare = |quantity, published, own| Comparison { row: row.clone(), quantity, published, own, bar: CLOSE };
        comparisons.extend([compare("drift", drift, ride.drift()), compare("error", error, ride.error)]);
        if jacobian == Some(J2) {
            let curve = ride.curve(row, |step| step.1);
            curves.push(Curve { points: curve.points.into_iter().step_by(10).collect(), ..curve });
        }
    }
    Ok(Outcome { comparisons, figure: Figure { x: linear("t, s"), y: logarithmic("|g|"), curves } })
}

fn figure_6() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    let others = TEN_MILLISECONDS.iter().filter(|m| m.0 != Index1).map(|m| (m.0, m.1));
    for (constraints, jacobian) in others.chain([(Index1, Some(J1))]) {
        let (published, bar, first) = match constraints {
            Index1 => (1.0, Bar::Absolute(0.1), 1.25e-3),
            Index2 => (1.0, Bar::Absolute(0.05), 2.5e-3),
            Baumgarte1 | Baumgarte2 => (2.0, Bar::Absolute(0.05), 2.5e-3),
            Projection | Ggl => (3.0, Bar::Absolute(0.05), 2.5e-3),
        };
        let mut points = Vec::new();
        for h in [first, first / 2.0, first / 4.0] {
            points.push((h, ride(&system, constraints, jacobian, h)?.drift()));
        }
        let quantities = ["slope at 2.5 ms", "at 1.25 ms", "at 0.625 ms"];
        for (quantity, pair) in quantities.into_iter().skip(usize::from(first < 2e-3)).zip(points.windows(2)) {
            let own = (pair[0].1 / pair[1].1).log2();
            comparisons.push(Comparison { row: name(constraints, jacobian), quantity, published, own, bar });
        }
        if jacobian == Some(J1) {
            curves.push(Curve { name: constraints.name().into(), points, mark: Mark::Dots });
        }
    }
    Ok(Outcome { comparisons, figure: Figure { x: logarithmic("h, s"), y: logarithmic("drift"), curves } })
}

fn predicted_matrix() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for (k, constraints) in [Projection, Ggl].into_iter().enumerate() {
        let predicted = EulerSettings { projection_matrix: ProjectionMatrix::Predicted, ..EulerSettings::new(Some(J2), constraints) };
        let mut points = Vec::new();
        for (h, drift) in PREDICTED {
            let own = ride_with(&system, predicted, h)?.drift();
            let (row, published) = (format!("{} ms", 1000.0 * h), drift[k]);
            comparisons.push(Comparison { row, quantity: constraints.name(), published, own, bar: CLOSE });
            points.push((h, own));
        }
        curves.push(Curve { name: constraints.name().into(), points, mark: Mark::Dots });
    }
    Ok(Outcome { comparisons, figure: Figure { x: logarithmic("h, s"), y: logarithmic("drift"), curves } })
}

fn figure_7() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for jacobian in [None, Some(J1), Some(J2), Some(J3)] {
        let ride = ride(&system, Ggl, jacobian, 0.001)?;
        let row = jacobian.map_or("explicit", Jacobian::name).to_string();
        if jacobian.is_none() {
            comparisons.push(Comparison { row: row.clone(), quantity: "error", published: 3.556846e-1, own: ride.error, bar: CLOSE });
        } else {
            for (quantity, t, published) in RIGHT {
                let own = ride.steps.iter().find(|s| (s.0 - t).abs() < 5e-4).map_or(f64::NAN, |s| s.2);
                comparisons.push(Comparison { row: row.clone(), quantity, published, own, bar: Bar::Absolute(0.01) });
            }
        }
        let curve = ride.curve(row, |step| step.2);
        curves.push(Curve { points: curve.points.into_iter().step_by(5).collect(), ..curve });
    }
    let points = RIGHT.iter().map(|r| (r.1, r.2)).collect();
    curves.push(Curve { name: "reference".into(), points, mark: Mark::Circles });
    Ok(Outcome { comparisons, figure: Figure { x: linear("t, s"), y: linear("y of the right mass, m"), curves } })
}

fn figure_8() -> Result<Outcome, ReproduceError> {
    let system = System::new(&car_axle())?;
    let (mut comparisons, mut curves) = (Vec::new(), Vec::new());
    for (constraints, errors) in ERRORS {
        let mut points = Vec::new();
        for (h, published) in [0.01, 0.005, 0.0025, 0.00125, 0.000625].into_iter().zip(errors) {
            let own = ride(&system, constraints, Some(J1), h)?.error;
            let row = format!("{}, {} ms", constraints.name(), 1000.0 * h);
            comparisons.push(Comparison { row, quantity: "error", published, own, bar: CLOSE });
            points.push((h, own));
        }
        curves.push(Curve { name: constraints.name().into(), points, mark: Mark::Dots });
    }
    Ok(Outcome { comparisons, figure: Figure { x: logarithmic("h, s"), y: logarithmic("error, m"), curves } })
}
