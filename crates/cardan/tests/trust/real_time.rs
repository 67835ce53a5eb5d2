//! Methods for real time at a millisecond: joints hold, energy does not grow, angles follow the solution, or the motion is said to be too fast
//! for the step.

use crate::{Case, finish, judge, solve::solve};
use cardan::integrators::{StepError, real_time};
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// A rod of length 1 and mass 1 that starts level: θ̈ = −(3/2) g sin θ.
fn pendulum() -> Model {
    let mut model = Model::new("pendulum");
    model.set_gravity([0.0, -9.81, 0.0]);
    let rod = model.add_body(Body::rigid("rod", 1.0, Inertia::principal(1e-3, 1.0 / 12.0, 1.0 / 12.0)).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(rod).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("pivot", Revolute, i, j));
    model
}

/// What is wrong with ten seconds of it.
fn wrong(system: &System, results: &Results) -> Option<String> {
    let times: Vec<f64> = Case::times(10.0, 0.1);
    let motion = |_: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (y[1], -1.5 * 9.81 * y[0].sin());
    let right = solve(motion, &[FRAC_PI_2, 0.0], &times, &[], 1e-3);
    let mut channels = Channels::new(system);
    let mut row = vec![0.0; channels.list().len()];
    let place = ["rod.position.x", "constraints.position_violation", "total.energy"].map(|name| channels.index(name).unwrap());
    for (sample, y) in results.samples.iter().zip(right).filter(|(s, _)| s.state.t <= 2.0) {
        channels.fill(system, sample, &mut row);
        let error = (row[place[0]] - 0.5 * y[0].sin()).abs();
        if error > 0.05 {
            return Some(format!("position off by {error:.3} m at {:.2} s", sample.state.t));
        }
    }
    for sample in &results.samples {
        channels.fill(system, sample, &mut row);
        if row[place[1]] > 1e-6 || row[place[2]] > 0.05 {
            return Some(format!("violation {:.1e}, energy {:.3} J of 0 at {:.2} s", row[place[1]], row[place[2]], sample.state.t));
        }
    }
    None
}

#[test]
fn real_time_pendulum() {
    let model = pendulum();
    let system = System::new(&model).unwrap();
    let (mut surprises, mut stale) = (Vec::new(), Vec::new());
    for method in real_time() {
        let results = Simulation::new(&system).shared_method(method.clone()).step(1e-3).record(Record::Interval(0.1)).run(10.0);
        let found = match results {
            Err(SimulationError::Step { error: StepError::TooFast { .. }, .. }) => None,
            Err(error) => Some(format!("refused: {error}")),
            Ok(results) => wrong(&system, &results),
        };
        judge(("real-time pendulum", method.name()), found, &mut surprises, &mut stale);
    }
    finish(&surprises, &stale);
}
