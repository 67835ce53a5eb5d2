//! Every joint with every method on random spatial mechanisms, trees and closed loops, against an independent oracle.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/builder.rs"]
mod builder;
#[path = "common/oracle.rs"]
mod oracle;

use builder::Builder;
use cardan::bodies::BodyId;
use cardan::constraints::joints::{self, JointType};
use cardan::integrators::Method;
use cardan::math::spline::Curve;
use cardan::prelude::*;
use std::sync::Arc;

const T_END: f64 = 0.2;

/// ground – spherical – 1 – tested – 2.
fn tree(kind: Arc<dyn JointType>, seed: u64) -> Model {
    let mut m = Builder::new(seed);
    let (one, two) = (m.body(), m.body());
    m.joint("support", Arc::new(Spherical), one, BodyId::GROUND);
    m.joint("tested", kind, two, one);
    m.forces(two, BodyId::GROUND);
    m.model
}

/// ground – spherical – 1 – tested – 2 – spherical – 3 – universal – ground: a closed loop.
fn closed_loop(kind: Arc<dyn JointType>, seed: u64) -> Model {
    let mut m = Builder::new(seed);
    let (one, two, three) = (m.body(), m.body(), m.body());
    m.joint("support", Arc::new(Spherical), one, BodyId::GROUND);
    m.joint("tested", kind, two, one);
    m.joint("ball", Arc::new(Spherical), three, two);
    m.joint("cross", Arc::new(Universal), three, BodyId::GROUND);
    m.forces(two, BodyId::GROUND);
    m.model
}

/// The methods and formulations, with their orders.
fn methods() -> Vec<(Arc<dyn Method>, Formulation, f64)> {
    vec![
        (Arc::new(Newmark::default()), Formulation::Index2, 2.0),
        (Arc::new(Newmark::new(0.6)), Formulation::Index3, 1.0),
        (Arc::new(Hht::default()), Formulation::Index3, 2.0),
        (Arc::new(Hht::default()), Formulation::Index2, 2.0),
        (Arc::new(GeneralizedAlpha::default()), Formulation::Index3, 2.0),
        (Arc::new(GeneralizedAlpha::new(0.3)), Formulation::Index2, 2.0),
    ]
}

/// Errors in q, v, a and λ relative to the size of the solution.
fn errors(system: &System, x: &State, expected: &State) -> [f64; 4] {
    let mut delta = vec![0.0; system.nv()];
    system.difference(&expected.q, &x.q, &mut delta);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let relative = |a: &[f64], b: &[f64]| norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>()) / (1.0 + norm(b));
    [norm(&delta), relative(&x.v, &expected.v), relative(&x.a, &expected.a), relative(&x.lambda, &expected.lambda)]
}

fn check(model: &Model, what: &str) {
    let system = System::new(model).unwrap_or_else(|e| panic!("{what}: {e}"));
    let start = assemble(&system).unwrap_or_else(|e| panic!("{what}: {e}")).state;
    let expected = oracle::solve(&system, &start, T_END, 1e-12);
    accurate(&system, &expected, what);
    for (method, formulation, order) in methods() {
        let run = |h: f64| {
            let simulation = Simulation::new(&system).shared_method(method.clone()).formulation(formulation);
            let run = simulation.step(h).record(Record::Ends).run(T_END).unwrap_or_else(|e| panic!("{what}, {}: {e}", method.name()));
            assert!(run.position_violation < 1e-12, "{what}, {}: positions {:e}", method.name(), run.position_violation);
            let tight = formulation == Formulation::Index3 || run.velocity_violation < 1e-10;
            assert!(tight, "{what}, {}: velocities {:e}", method.name(), run.velocity_violation);
            errors(&system, run.last().unwrap(), &expected)
        };
        let (coarse, fine) = (run(1e-3), run(5e-4));
        if order == 2.0 {
            controlled(&system, &method, formulation, &expected, what);
        }
        for (k, name) in ["q", "v", "a", "λ"].iter().enumerate() {
            let (measured, c, f) = ((coarse[k] / fine[k]).log2(), coarse[k], fine[k]);
            let tiny = f < 1e-9;
            let good = (measured - order).abs() < 0.25 && f < if order == 2.0 { 1e-3 } else { 5e-2 };
            assert!(tiny || good, "{what}, {} {formulation:?}, {name}: order {measured:.2} ({c:.2e} → {f:.2e})", method.name());
        }
    }
}

/// The methods of order 5 agree with the oracle.
fn accurate(system: &System, expected: &State, what: &str) {
    for (method, formulation, bar) in [
        (Arc::new(Radau) as Arc<dyn Method>, Formulation::Index2, 1e-8),
        (Arc::new(Radau), Formulation::Index3, 1e-5),
        (Arc::new(DormandPrince), Formulation::Index1, 1e-7),
    ] {
        let simulation = Simulation::new(system).shared_method(method.clone()).formulation(formulation);
        let run = simulation.tolerance(1e-10).record(Record::Ends).run(T_END).unwrap_or_else(|e| panic!("{what}, {}: {e}", method.name()));
        let found = errors(system, run.last().unwrap(), expected);
        assert!(found[0] < 1e-8 && found.iter().all(|e| *e < bar), "{what}, {} {formulation:?}: {found:?}", method.name());
        assert!(run.position_violation < 1e-12, "{what}, {} {formulation:?}: {:e}", method.name(), run.position_violation);
    }
}

/// With error control the error falls with the tolerance.
fn controlled(system: &System, method: &Arc<dyn Method>, formulation: Formulation, expected: &State, what: &str) {
    let error = |tolerance: f64| {
        let simulation = Simulation::new(system).shared_method(method.clone()).formulation(formulation);
        let run = simulation.tolerance(tolerance).record(Record::Ends).run(T_END);
        let run = run.unwrap_or_else(|e| panic!("{what}, {} at {tolerance:e}: {e}", method.name()));
        errors(system, run.last().unwrap(), expected)
    };
    let (coarse, fine) = (error(1e-6), error(1e-8));
    for k in 0..4 {
        let falls = fine[k] < 0.2 * coarse[k] || fine[k] < 1e-7;
        assert!(falls && fine[k] < 2e-3, "{what}, {} {formulation:?}, quantity {k}: {:e} → {:e}", method.name(), coarse[k], fine[k]);
    }
}

#[test]
fn every_joint_in_a_tree() {
    for (k, kind) in joints::all().into_iter().enumerate() {
        check(&tree(kind.clone(), 100 + k as u64), &format!("tree with {}", kind.name()));
    }
}

#[test]
fn every_joint_in_a_closed_loop() {
    for (k, kind) in joints::all().into_iter().enumerate() {
        check(&closed_loop(kind.clone(), 200 + k as u64), &format!("loop with {}", kind.name()));
    }
}

#[test]
fn motions_couplers_and_friction() {
    let mut m = Builder::new(11);
    let (one, two, three) = (m.body(), m.body(), m.body());
    let hinge = m.joint("hinge", Arc::new(Revolute), one, BodyId::GROUND);
    m.model.add_constraint(Motion::rotation("drive", hinge, TimeFunction::new(|t| (t * 4.0).sin() * 0.7)));
    let sleeve = m.joint("sleeve", Arc::new(Cylindrical), two, one);
    let slider = m.joint("slider", Arc::new(Translational), three, two);
    let term = |factor, joint, coordinate| Term { factor, joint, coordinate };
    m.model.add_constraint(Coupler::new(
        "coupler",
        vec![
            term(0.4, sleeve, Coordinate::Rotation),
            term(1.0, slider, Coordinate::Translation),
            term(-0.5, sleeve, Coordinate::Translation),
        ],
    ));
    m.model.add_force(JointFriction::sliding("friction", slider, 0.12, 0.1).transition_speed(0.5).preload(2.0));
    m.forces(three, BodyId::GROUND);
    check(&m.model, "motion, coupler and friction");
}

#[test]
fn gears_and_rack_and_pinion() {
    let mut m = Builder::new(12);
    let (carrier, gear, pinion, rack) = (m.body(), m.body(), m.body(), m.body());
    m.joint("carrier", Arc::new(Spherical), carrier, BodyId::GROUND);
    let first = m.joint("gear shaft", Arc::new(Revolute), gear, carrier);
    let second = m.joint("pinion shaft", Arc::new(Revolute), pinion, carrier);
    let slide = m.joint("slide", Arc::new(Translational), rack, carrier);
    m.model.add_constraint(Coupler::gear("gear", first, 0.3, second, 0.2));
    m.model.add_constraint(Coupler::rack_and_pinion("rack", slide, second, 0.2));
    m.forces(gear, BodyId::GROUND);
    check(&m.model, "gear with rack and pinion");
}

#[test]
fn user_constraint_and_curve() {
    let mut m = Builder::new(13);
    let (one, two) = (m.body(), m.body());
    let [i, j] = m.markers(one, BodyId::GROUND, Vec3::zeros(), 0.0);
    let points: Vec<Vec3> = (0..12)
        .map(|k| f64::from(k) * std::f64::consts::TAU / 12.0)
        .map(|a| Vec3::new(0.9 - 0.9 * a.cos(), 0.7 * a.sin(), 0.1 * (1.0 - (2.0 * a).cos())))
        .collect();
    m.model.add_constraint(PointOnCurve::new("curve", i, j, Curve::closed(&points).unwrap()));
    let [k, l] = m.markers(two, one, Vec3::new(0.5, 0.1, 0.2), 0.2);
    m.model.add_constraint(UserConstraint::new("stretching rod", &[k, l], |frames, t| {
        let d = frames[0].position - frames[1].position;
        d.dot(&d) - (t * 3.0).sin() * 0.1 - 0.3
    }));
    m.forces(two, BodyId::GROUND);
    check(&m.model, "user constraint and curve");
}

#[test]
fn rolling_disk_and_knife_edge() {
    let mut model = Model::new("rolling disk");
    model.set_gravity([0.0, 0.0, -9.81]);
    let (radius, lean) = (0.3, 0.2_f64);
    let upright = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2 - lean);
    let center = [0.0, 0.0, radius * lean.cos()];
    let spin = Vec3::new(0.3, 0.5, 15.0);
    let lever = Vec3::new(0.0, lean.sin(), -lean.cos()) * radius;
    let rolling = -(upright * spin).cross(&lever);
    let body = Body::rigid("disk", 2.0, Inertia::cylinder(2.0, radius, 1e-3)).at(center).oriented(upright);
    let disk = model.add_body(body.spinning(spin.into()).moving(rolling.into()));
    let (axle, ground) = (model.add_marker(Marker::on(disk)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(RollingDisk::new("rolling", axle, ground, radius));
    let sled = model.add_body(
        Body::rigid("sled", 1.0, Inertia::cuboid(1.0, 0.4, 0.2, 0.1)).at([2.0, 0.0, 0.0]).moving([1.0, 0.0, 0.0]).spinning([0.0, 0.0, 2.0]),
    );
    let (blade, table) = (model.add_marker(Marker::on(sled).at([0.1, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("ice", PlanarJoint, blade, table));
    model.add_constraint(KnifeEdge::new("blade", blade, table));
    model.add_force(VectorForce::new("push", blade, table, |k| {
        cardan::math::dual::DualVec3::new((k.time * 3.0).cos() * 2.0, 0.5.into(), 0.0.into())
    }));
    check(&model, "rolling disk and knife edge");
}
