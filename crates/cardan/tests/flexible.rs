//! Flexible bodies through the general path: one whose elastic coordinates move nothing is a rigid body, in all that the engine can do.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::analysis::{equilibrium, modes};
use cardan::integrators::{LocalLinearization, Method};
use cardan::prelude::*;
use cardan::system::{CompiledBody, Work};
use common::differences::{assert_close, moved};
use common::flexible::{Dummy, Lumped};
use common::random_state;
use std::sync::Arc;

/// How a body of this mass and inertia is made.
type Make = fn(&str, f64, Inertia) -> Body;

/// A rigid body, and the same with no and with three coordinates that move nothing.
const KINDS: [Make; 3] = [
    |name, mass, inertia| Body::rigid(name, mass, inertia),
    |name, mass, inertia| Body::flexible(name, Dummy::new(mass, inertia, 0)),
    |name, mass, inertia| Body::flexible(name, Dummy::new(mass, inertia, 3)),
];

/// Two links: one turns about a slanted axis of the ground, the other hangs on it by a universal joint, and a spring-damper and a bushing hold them.
fn links(make: Make) -> Model {
    let mut model = Model::new("links");
    model.set_gravity([0.4, 0.3, -9.81]);
    let inertia = || Inertia::principal(0.03, 0.05, 0.06).with_center_of_mass([0.05, 0.02, -0.01]);
    let first = model.add_body(make("first", 1.2, inertia()).at([0.5, 0.0, 0.0]));
    let second = model.add_body(make("second", 0.8, inertia()).at([1.5, 0.0, 0.0]));
    let end = |body, x: f64| Marker::on(body).at([x, 0.0, 0.0]).z_along([0.2, 1.0, 0.3]);
    let [a, b] = [(first, -0.5), (BodyId::GROUND, 0.0)].map(|(body, x)| model.add_marker(end(body, x)));
    model.add_joint(Joint::new("hinge", Revolute, a, b));
    let cross = Quat::from_axis_angle(&Vec3::x_axis(), 1.1);
    let i = model.add_marker(Marker::on(first).at([0.5, 0.0, 0.0]));
    let j = model
        .add_marker(Marker::on(second).at([-0.5, 0.0, 0.0]).oriented(Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)));
    model.add_joint(Joint::new("cross", Universal, i, j));
    let [tip, post] = [Marker::on(second).at([0.5, 0.0, 0.0]).oriented(cross), Marker::on(BodyId::GROUND).at([1.8, 0.3, 0.9])]
        .map(|m| model.add_marker(m));
    model.add_force(SpringDamper::new("spring", tip, post).stiffness(40.0).damping(0.6).free_length(0.5));
    let (elbow, wall) = (model.add_marker(Marker::on(first)), model.add_marker(Marker::on(BodyId::GROUND).at([0.5, 0.0, 0.0])));
    model.add_force(Bushing::new("bushing", elbow, wall).stiffness(cardan::math::Mat6::identity() * 20.0));
    model
}

/// Two hinges on one axis: five rows too many.
fn door(make: Make) -> Model {
    let mut model = Model::new("door");
    let door = model.add_body(make("door", 2.0, Inertia::cuboid(2.0, 0.8, 0.05, 1.9)).at([0.4, 0.0, 0.0]));
    for z in [-0.7, 0.7] {
        let (i, j) = (Marker::on(door).at([-0.4, 0.0, z]), Marker::on(BodyId::GROUND).at([0.0, 0.0, z]));
        let (i, j) = (model.add_marker(i), model.add_marker(j));
        model.add_joint(Joint::new(&format!("hinge {z}"), Revolute, i, j));
    }
    model
}

/// Frames of all bodies, their velocities and accelerations, and the reactions.
fn motion(system: &System, x: &State) -> Vec<f64> {
    let body = |b: &CompiledBody| {
        let q = b.orientation(x);
        let vectors = [b.position(x), b.velocity(x), b.angular_velocity(x), b.acceleration(x) * 0.1, b.angular_acceleration(x) * 0.1];
        vectors.iter().flat_map(|v| [v.x, v.y, v.z]).chain([q.w, q.i, q.j, q.k]).collect::<Vec<_>>()
    };
    system.bodies().iter().flat_map(body).chain(x.lambda.iter().map(|l| 0.1 * l)).collect()
}

fn methods() -> Vec<Arc<dyn Method>> {
    vec![
        Arc::new(Newmark::default()),
        Arc::new(Hht::default()),
        Arc::new(GeneralizedAlpha::default()),
        Arc::new(Bdf::default()),
        Arc::new(Radau),
        Arc::new(DormandPrince),
        Arc::new(LocalLinearization::default()),
        Arc::new(LinearImplicitEuler::default()),
    ]
}

/// Iterations go on until nothing but round-off is left: when they stop by a norm over all coordinates, further ones are counted.
fn exact() -> Options {
    Options { newton_tolerance: 1e-9, ..Options::default() }
}

#[test]
fn dummy_coordinates_leave_every_run_as_it_is() {
    for method in methods() {
        let ends = KINDS.map(|make| {
            let system = System::new(&links(make)).unwrap();
            let run = Simulation::new(&system).shared_method(method.clone()).options(exact()).step(2e-3).run(0.1).unwrap();
            motion(&system, &run.samples.last().unwrap().state)
        });
        for end in &ends[1..] {
            assert_close(end, &ends[0], 1e-9, method.name());
        }
    }
}

#[test]
fn error_control_without_further_coordinates_takes_the_same_steps() {
    for method in [Arc::new(Hht::default()) as Arc<dyn Method>, Arc::new(Radau), Arc::new(DormandPrince)] {
        let [rigid, flexible, _] = KINDS.map(|make| {
            let system = System::new(&links(make)).unwrap();
            let run = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-5).run(0.1).unwrap();
            (run.statistics.steps, motion(&system, &run.samples.last().unwrap().state))
        });
        assert_eq!(rigid.0, flexible.0, "{}", method.name());
        assert_close(&flexible.1, &rigid.1, 1e-9, method.name());
    }
}

#[test]
fn dummy_coordinates_leave_statics_and_modes_as_they_are() {
    let found = KINDS.map(|make| {
        let system = System::new(&links(make)).unwrap();
        let rest = equilibrium(&system).unwrap();
        let values: Vec<[f64; 2]> = modes(&system, &rest.state).unwrap().modes.iter().map(|m| [m.eigenvalue.re, m.eigenvalue.im]).collect();
        (motion(&system, &rest.state), values)
    });
    for (place, _) in &found[1..] {
        assert_close(place, &found[0].0, 1e-9, "equilibrium");
    }
    let near = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-8 * (1.0 + b[0].hypot(b[1]));
    assert_eq!(found[1].1.len(), found[0].1.len());
    let own: Vec<[f64; 2]> = (0..6).map(|k| Dummy::oscillator(k % 3)).map(|(m, k)| [0.0, (k / m).sqrt()]).collect();
    assert_eq!(found[2].1.len(), found[0].1.len() + own.len());
    for value in found[0].1.iter() {
        assert!(found[1].1.iter().any(|v| near(v, value)) && found[2].1.iter().any(|v| near(v, value)), "{value:?}: {found:?}");
    }
    assert!(own.iter().all(|value| found[2].1.iter().any(|v| near(v, value))), "{found:?}");
}

#[test]
fn redundant_rows_are_the_same_with_dummy_coordinates() {
    let found = KINDS.map(|make| {
        let system = System::new(&door(make)).unwrap();
        assemble(&system).unwrap().redundancy
    });
    for (other, modes) in found[1..].iter().zip([0, 3]) {
        let names = |r: &cardan::analysis::Redundancy| r.redundant.iter().map(|r| (r.row, r.joints.clone())).collect::<Vec<_>>();
        assert_eq!(names(other), names(&found[0]));
        assert_eq!((other.rank, other.degrees_of_freedom), (found[0].rank, found[0].degrees_of_freedom + modes));
        assert_eq!(other.non_unique_rows, found[0].non_unique_rows);
        assert_close(&other.regularization, &found[0].regularization, 1e-12, "regularisation");
    }
}

/// A free body of lumped masses keeps its momentum, and with its own damping alone loses just the energy that it dissipates.
#[test]
fn a_deforming_body_keeps_its_momentum() {
    let mut model = Model::new("free");
    let mut random = cardan::math::random::Random::new(7);
    model.add_body(Body::flexible("cloud", Lumped::random(&mut random)).spinning([0.5, 1.0, -0.7]));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(Radau).tolerance(1e-9).run(2.0).unwrap();
    let (first, last) = (&run.samples[0], run.samples.last().unwrap());
    assert_close(last.momentum.linear.as_slice(), first.momentum.linear.as_slice(), 1e-7, "momentum");
    assert_close(last.momentum.angular.as_slice(), first.momentum.angular.as_slice(), 1e-7, "angular momentum");
    assert!(last.energy.total() < first.energy.total() - 1e-4, "its damping takes energy");
    assert!(run.energy.missing.abs() < 1e-6 * first.energy.total(), "{:?}", run.energy);
}

#[test]
fn bodies_of_hundreds_of_coordinates_run() {
    let make: Make = |name, mass, inertia| Body::flexible(name, Dummy::new(mass, inertia, 500));
    let [large, rigid] = [make, KINDS[0]].map(|make| {
        let system = System::new(&links(make)).unwrap();
        let run = Simulation::new(&system).method(Hht::default()).step(2e-3).run(0.01).unwrap();
        motion(&system, &run.samples.last().unwrap().state)
    });
    assert_close(&large, &rigid, 1e-9, "500 coordinates");
}

/// Elastic coordinates are in their bodies' states, whatever the kind of marker that they move.
#[test]
fn markers_move_with_the_deformation() {
    let mut model = Model::new("free");
    let mut random = cardan::math::random::Random::new(8);
    let body = model.add_body(Body::flexible("cloud", Lumped::random(&mut random)));
    model.add_marker(Marker::on(body).at([0.3, 0.1, -0.2]));
    let system = System::new(&model).unwrap();
    let x = random_state(&system, &mut random);
    let place = |s: f64| {
        let (y, mut work) = (moved(&system, &x, s), Work::new(&system));
        system.kinematics(&y.q, &y.v, &mut work);
        let m = &work.markers[0];
        (m.p, m.r, m.v, m.w)
    };
    let (_, r, v, w) = place(0.0);
    let velocity = common::differences::derivative(|s| place(s).0.as_slice().to_vec());
    assert_close(v.as_slice(), &velocity, 1e-10, "velocity");
    let turning = common::differences::derivative(|s| place(s).1.as_slice().to_vec());
    assert_close((cardan::math::skew(&w) * r).as_slice(), &turning, 1e-10, "angular velocity");
    assert!((r * r.transpose() - cardan::math::Mat3::identity()).amax() < 1e-14, "a rotation");
}
