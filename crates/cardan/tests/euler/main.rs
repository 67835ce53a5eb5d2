//! Euler methods for real time: their order, what they take into account, how many operations they are, and what they refuse.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod energy;
mod equations;
#[path = "../common/models.rs"]
mod models;
mod order;
mod real_time;

use cardan::integrators::{Constraints, EulerSettings, Jacobian, Method, Parameter, Stepper};
use cardan::prelude::*;
use models::*;
use std::sync::Arc;

const ACCELERATIONS: [&str; 3] = ["index1", "baumgarte1", "projection"];
const VELOCITIES: [&str; 3] = ["index2", "baumgarte2", "ggl"];

fn set(method: Arc<dyn Method>, parameters: &[(&str, &str)]) -> Arc<dyn Method> {
    parameters.iter().fold(method, |m, (name, word)| m.with(name, Parameter::Word(word)).unwrap())
}

/// The linear-implicit method of the paper's index-2 equations, as it is in the paper: nothing is watched.
fn linear_implicit() -> Arc<dyn Method> {
    Arc::new(LinearImplicitEuler(EulerSettings::new(Some(Jacobian::J2), Constraints::Ggl)))
}

/// Every method with every treatment of constraints and every Jacobian.
fn all() -> Vec<(String, Arc<dyn Method>)> {
    let mut out = Vec::new();
    for constraints in ACCELERATIONS {
        out.push((
            format!("explicit, {constraints}"),
            set(Arc::new(ExplicitEuler(EulerSettings::new(None, Constraints::Projection))), &[("constraints", constraints)]),
        ));
    }
    for constraints in VELOCITIES {
        out.push((
            format!("half-explicit, {constraints}"),
            set(Arc::new(HalfExplicitEuler(EulerSettings::new(None, Constraints::Ggl))), &[("constraints", constraints)]),
        ));
    }
    for jacobian in ["exact", "J1", "J2", "J3", "marked"] {
        for constraints in ACCELERATIONS.iter().chain(&VELOCITIES) {
            let parameters = [("jacobian", jacobian), ("constraints", constraints)];
            let method = set(linear_implicit(), &parameters);
            if method.mistake().is_none() {
                out.push((format!("{jacobian}, {constraints}"), method));
            }
        }
    }
    out.push(("symplectic, projection".into(), Arc::new(LinearImplicitEuler::default())));
    assert_eq!(out.len(), 3 + 3 + 4 * 6 + 3 + 1);
    out
}

/// The end of a run with these step sizes.
fn walk(system: &System, method: Arc<dyn Method>, t_end: f64, mut size: impl FnMut() -> f64) -> State {
    let assembly = assemble(system).unwrap();
    let mut stepper = Stepper::new(system, method, Options::default(), &assembly.state, &assembly.redundancy.regularization);
    stepper.start(&assembly.state, size()).unwrap();
    while t_end - stepper.now().t > 1e-12 {
        let h = size().min(t_end - stepper.now().t);
        stepper.attempt(h, None).unwrap();
        stepper.accept();
    }
    assert_eq!(stepper.statistics().unplanned, 0);
    stepper.now().clone()
}

/// A top on a spherical joint, slower than the one of the reference.
fn slow_top() -> Model {
    let mut model = Model::new("slow top");
    model.set_gravity([0.0, 0.0, -9.81]);
    let top = Body::rigid("top", 2.0, Inertia::principal(0.2, 0.3, 0.25)).at([0.0, 0.5, 0.0]).moving([1.0, 0.0, 0.0]);
    let top = model.add_body(top.spinning([0.0, 6.0, -2.0]));
    let (tip, ground) = (model.add_marker(Marker::on(top).at([0.0, -0.5, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("tip", Spherical, tip, ground));
    model
}

/// Crank, coupler and rocker in space: revolute, spherical, universal, revolute; with a spring, a damper and a controller.
fn spatial_four_bar() -> Model {
    let mut model = Model::new("spatial four-bar");
    model.set_gravity([0.0, -9.81, 0.0]);
    let points = [[0.0, 0.0, 0.0], [0.3, 0.1, 0.0], [1.0, 0.5, 0.4], [1.0, 0.0, 0.4]];
    let middle = |a: [f64; 3], b: [f64; 3]| std::array::from_fn::<f64, 3, _>(|k| 0.5 * (a[k] + b[k]));
    let minus = |a: [f64; 3], b: [f64; 3]| std::array::from_fn::<f64, 3, _>(|k| a[k] - b[k]);
    let bars: Vec<(BodyId, [f64; 3])> = ["crank", "coupler", "rocker"]
        .iter()
        .zip(points.windows(2))
        .map(|(name, ends)| {
            let centre = middle(ends[0], ends[1]);
            (model.add_body(Body::rigid(name, 1.0, Inertia::cuboid(1.0, 0.4, 0.3, 0.2)).at(centre)), centre)
        })
        .collect();
    let on = |bar: usize, point: usize| Marker::on(bars[bar].0).at(minus(points[point], bars[bar].1));
    let ground = |point: usize| Marker::on(BodyId::GROUND).at(points[point]);
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let markers = [
        [on(0, 0), ground(0)],
        [on(1, 1), on(0, 1)],
        [on(1, 2).z_along(y), on(2, 2).z_along(x)],
        [on(2, 3).z_along(x), ground(3).z_along(x)],
    ];
    let [a, b, c, d] = markers.map(|pair| pair.map(|marker| model.add_marker(marker)));
    model.add_joint(Joint::new("a", Revolute, a[0], a[1]));
    model.add_joint(Joint::new("b", Spherical, b[0], b[1]));
    model.add_joint(Joint::new("c", Universal, c[0], c[1]));
    model.add_joint(Joint::new("d", Revolute, d[0], d[1]));
    let (i, j) = (model.add_marker(on(1, 2)), model.add_marker(ground(0)));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(30.0).damping(3.0).free_length(0.8));
    model.add_force(ExpressionForce::single("control", i, j, Line::Between, "-DIF(filter) + SIN(3*TIME)"));
    model.add_state(Differential::new("filter", "5*(VR(crank, rocker) + COS(TIME) - DIF(filter))", 0.1));
    model.mark_implicit("spring");
    model
}

fn exact_end(system: &System, t_end: f64) -> State {
    let run = Simulation::new(system).method(Bdf::default()).formulation(Formulation::Index2).tolerance(1e-10).record(Record::Ends);
    run.run(t_end).unwrap().last().unwrap().clone()
}
