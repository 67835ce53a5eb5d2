//! What joints allow and forbid in relative poses, and force laws against values worked out by hand.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::constraints::joints;
use cardan::forces::ForceLaw;
use cardan::math::random::Random;
use cardan::math::{Vec6, angular, exp, linear};
use cardan::measures::Context;
use cardan::model::ModelError;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Two rigid bodies with markers at their frames, i at (u, φ) seen from j, itself placed at random.
fn pair(model: &mut Model, u: Vec3, turn: Quat) -> [MarkerId; 2] {
    let mut random = Random::new(21);
    let (p, r) = (random.vector(1.0), random.rotation());
    let body = |name: &str| Body::rigid(name, 1.0, Inertia::ball(1.0, 0.5));
    let i = model.add_body(body("i").at((p + r * u).into()).oriented(r * turn));
    let j = model.add_body(body("j").at(p.into()).oriented(r));
    [i, j].map(|b| model.add_marker(Marker::on(b)))
}

/// Largest violation of a joint at a relative pose.
fn violation(joint: &str, u: Vec3, turn: Quat) -> f64 {
    let mut model = Model::new(joint);
    let [i, j] = pair(&mut model, u, turn);
    let kind = joints::all().into_iter().find(|k| k.name() == joint).unwrap();
    model.add_joint(Joint { name: joint.into(), kind, i, j });
    let system = System::new(&model).unwrap();
    system.violation(system.initial(), &mut Work::new(&system)).0
}

fn about(axis: Vec3, angle: f64) -> Quat {
    exp(&(axis * angle))
}

/// Relative poses of marker i seen from j.
type Poses = Vec<(Vec3, Quat)>;

#[test]
fn joints_allow_their_free_motions_and_no_others() {
    let (x, y, z, o, stay) = (Vec3::x(), Vec3::y(), Vec3::z(), Vec3::zeros(), Quat::identity());
    let spin = |a: f64| about(z, a);
    // Joint, poses it allows, poses it forbids.
    let table: Vec<(&str, Poses, Poses)> = vec![
        ("fixed", vec![(o, stay)], vec![(x, stay), (y, stay), (z, stay), (o, about(x, 0.3)), (o, about(y, 0.3)), (o, spin(0.3))]),
        ("revolute", vec![(o, spin(2.5)), (o, spin(-0.7))], vec![(x, stay), (z, stay), (o, about(x, 0.3)), (o, about(y, 0.3))]),
        ("spherical", vec![(o, about(Vec3::new(0.6, 0.0, 0.8), 2.0))], vec![(x, stay), (y, stay), (z, stay)]),
        ("translational", vec![(z * 3.0, stay)], vec![(x, stay), (y, stay), (z, spin(0.3)), (z, about(x, 0.3)), (o, about(y, 0.3))]),
        ("cylindrical", vec![(z * 3.0, spin(2.0))], vec![(x, stay), (y, stay), (z, about(x, 0.3)), (z, about(y, 0.3))]),
        ("planar", vec![(x * 2.0 - y, spin(2.0))], vec![(z, stay), (x, about(x, 0.3)), (x, about(y, 0.3))]),
        ("universal", vec![(o, about(y, 0.6) * about(x, -0.8))], vec![(x, stay), (z, stay), (o, spin(0.3))]),
        (
            "constant-velocity",
            vec![(o, spin(1.1) * about(x, 0.9) * spin(-1.1)), (o, spin(-2.0) * about(x, 1.8) * spin(2.0))],
            vec![(y, stay), (o, spin(0.3)), (o, spin(1.1) * about(x, 0.9) * spin(-0.9))],
        ),
        (
            "screw",
            vec![(z * (0.4 * 2.0 / TAU), spin(2.0)), (o, stay)],
            vec![(z * 0.4, spin(-2.0)), (z, stay), (x, stay), (o, about(x, 0.3))],
        ),
        ("rod", vec![(Vec3::new(0.48, 0.0, 0.64), about(y, 2.0))], vec![(x, stay), (o, stay)]),
        ("in-line", vec![(z * 2.0, about(x, 1.0))], vec![(x, stay), (y, stay)]),
        ("in-plane", vec![(x - y * 2.0, about(x, 1.0))], vec![(z, stay)]),
        ("parallel-axes", vec![(x + z, spin(2.0))], vec![(o, about(x, 0.3)), (o, about(y, 0.3))]),
        ("perpendicular-axes", vec![(x + z, about(y, 0.6) * about(x, -0.8))], vec![(o, spin(0.3))]),
        ("same-orientation", vec![(x + y + z, stay)], vec![(o, about(x, 0.3)), (o, about(y, 0.3)), (o, spin(0.3))]),
        ("angle", vec![(x + z, spin(0.3))], vec![(o, spin(0.5)), (o, stay)]),
    ];
    assert_eq!(table.len(), joints::all().len());
    for (joint, allowed, forbidden) in table {
        for (u, turn) in allowed {
            assert!(violation(joint, u, turn) < 1e-14, "{joint} must allow {u} {turn}");
        }
        for (u, turn) in forbidden {
            assert!(violation(joint, u, turn) > 1e-2, "{joint} must forbid {u} {turn}");
        }
    }
}

/// The wrenches of a model's only force at rest, and its markers' rotations.
fn wrenches(model: &Model, prepare: impl Fn(&mut State)) -> ([Vec6; 2], Vec<cardan::bodies::MarkerState>) {
    let system = System::new(model).unwrap();
    let (mut x, mut work) = (system.initial().clone(), Work::new(&system));
    prepare(&mut x);
    system.kinematics(&x.q, &x.v, &mut work);
    let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
    (system.forces()[0].wrench(&ctx), work.markers.clone())
}

#[test]
fn springs_pull_back_and_torques_turn_about_z_of_j() {
    let mut model = Model::new("spring");
    let [i, j] = pair(&mut model, Vec3::new(3.0, 0.0, 4.0), about(Vec3::z(), 0.8));
    let mut turning = model.clone();
    model.add_force(SpringDamper::new("spring", i, j).stiffness(10.0).free_length(4.0).preload(3.0));
    let (w, m) = wrenches(&model, |_| {});
    let expected = m[1].r * Vec3::new(0.6, 0.0, 0.8) * -7.0;
    assert!((linear(&w[0]) - expected).norm() < 1e-13 && angular(&w[0]).norm() == 0.0);
    turning.add_force(RotationalSpringDamper::new("spring", i, j).stiffness(10.0).free_angle(0.3).preload(1.0));
    let (w, m) = wrenches(&turning, |_| {});
    assert!((angular(&w[0]) - m[1].r * Vec3::z() * -4.0).norm() < 1e-13 && linear(&w[0]).norm() == 0.0);
}

#[test]
fn a_spring_between_coincident_markers_is_finite() {
    let mut model = Model::new("coincident");
    let [i, j] = pair(&mut model, Vec3::zeros(), Quat::identity());
    model.add_force(SpringDamper::new("spring", i, j).stiffness(10.0).damping(1.0).free_length(0.5));
    let system = System::new(&model).unwrap();
    let (mut work, mut jacobian) = (Work::new(&system), Jacobian::new(&system));
    let mut at = system.evaluate(system.initial(), &mut work);
    let w = Weights { position: 0.5, velocity: 0.5, ..Weights::mass_only(&[]) };
    at.tangent(&w, &mut jacobian);
    assert!(at.f().iter().chain(jacobian.matrix().values.iter()).all(|x| x.is_finite()));
}

#[test]
fn user_forces_act_in_the_axes_of_j_with_their_reaction_there() {
    let u = Vec3::new(0.5, -0.2, 0.7);
    let mut model = Model::new("user");
    let [i, j] = pair(&mut model, u, about(Vec3::x(), 1.0));
    let constant = |v: Vec3| v.map(Dual::constant);
    let (f, tau) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.5, 0.4, 0.2));
    model.add_force(GeneralForce::new("force", i, j, move |_| (constant(f), constant(tau))));
    let (w, m) = wrenches(&model, |_| {});
    let r = m[1].r;
    assert!((linear(&w[0]) - r * f).norm() < 1e-14 && (angular(&w[0]) - r * tau).norm() < 1e-14);
    assert!((linear(&w[1]) + r * f).norm() < 1e-14 && (angular(&w[1]) + r * (tau + u.cross(&f))).norm() < 1e-14);
}

#[test]
fn sliding_friction_is_the_dynamic_coefficient_times_the_reaction() {
    let mut model = Model::new("friction");
    let [i, j] = pair(&mut model, Vec3::z(), Quat::identity());
    let joint = model.add_joint(Joint::new("slider", Translational, i, j));
    model.add_force(JointFriction::sliding("friction", joint, 0.6, 0.4).preload(2.0));
    let z = System::new(&model).map(|s| s.initial().q[10..14].to_vec()).unwrap();
    let axis = Quat::from_quaternion(nalgebra::Quaternion::new(z[0], z[1], z[2], z[3])) * Vec3::z();
    let (w, _) = wrenches(&model, |x| {
        x.v[..3].copy_from_slice((axis * 0.7).as_slice());
        x.lambda.copy_from_slice(&[3.0, -4.0, 9.0, 9.0, 9.0]);
    });
    assert!((linear(&w[0]) + axis * (0.4 * 7.0)).norm() < 1e-9, "{}", w[0]);
}

#[test]
fn gears_mesh_as_drawn_and_turn_against_each_other() {
    let mut model = Model::new("gears");
    let wheels = [("a", 0.4), ("b", 1.9)].map(|(name, angle)| model.add_body(Body::planar(name, 1.0, 0.5).turned(angle)));
    let joints = wheels.map(|b| {
        let (i, j) = (model.add_marker(Marker::on(b)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_joint(Joint::new(&format!("hinge{}", b.index()), Revolute, i, j))
    });
    model.add_constraint(Coupler::gear("gear", joints[0], 0.5, joints[1], 1.5));
    let system = System::new(&model).unwrap();
    let (mut x, mut work) = (system.initial().clone(), Work::new(&system));
    assert!(system.violation(&x, &mut work).0 < 1e-15, "the initial position meshes");
    for _ in 0..12 {
        (x.q[2], x.q[5]) = (x.q[2] + 3.0, x.q[5] - 1.0);
        assert!(system.violation(&x, &mut work).0 < 1e-13, "three turns of the pinion are one of the wheel, backwards");
        system.remember(&mut x, &mut work);
    }
    x.v = vec![0.0, 0.0, 3.0, 0.0, 0.0, -1.0];
    assert!(system.violation(&x, &mut work).1 < 1e-15);
}

#[test]
fn a_rack_moves_forward_with_its_pinion() {
    let mut model = Model::new("rack");
    let [rack, pinion] = ["rack", "pinion"].map(|name| model.add_body(Body::rigid(name, 1.0, Inertia::ball(1.0, 0.5))));
    let mut joint = |name: &str, body, slides: bool| {
        let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
        if slides { model.add_joint(Joint::new(name, Translational, i, j)) } else { model.add_joint(Joint::new(name, Revolute, i, j)) }
    };
    let (slide, hinge) = (joint("slide", rack, true), joint("hinge", pinion, false));
    model.add_constraint(Coupler::rack_and_pinion("mesh", slide, hinge, 0.2));
    let system = System::new(&model).unwrap();
    let mut x = system.initial().clone();
    x.v[2] = 0.6;
    x.v[11] = 3.0;
    assert!(system.violation(&x, &mut Work::new(&system)).1 < 1e-15);
}

/// Adds an element between a marker of the model and a foreign one.
type Add<'a> = &'a dyn Fn(&mut Model, MarkerId);

#[test]
fn handles_of_another_model_are_refused() {
    let mut other = Model::new("other");
    let far = (0..5).map(|_| other.add_marker(Marker::on(BodyId::GROUND))).last().unwrap();
    let build = |add: Add| {
        let mut model = Model::new("model");
        let body = model.add_body(Body::planar("body", 1.0, 0.5));
        let own = model.add_marker(Marker::on(body));
        add(&mut model, own);
        System::new(&model)
    };
    let adders: [Add; 5] = [
        &|m, own| m.add_constraint(RollingDisk::new("bad", own, far, 0.3)),
        &|m, own| m.add_constraint(KnifeEdge::new("bad", own, far)),
        &|m, own| m.add_constraint(Motion::between("bad", own, far, Coordinate::Rotation, 0.0)),
        &|m, own| m.add_force(SpringDamper::new("bad", own, far)),
        &|m, own| {
            m.add_joint(Joint::new("bad", Revolute, own, far));
        },
    ];
    for add in adders {
        assert_eq!(build(add).err(), Some(ModelError::ForeignHandle { element: "bad".into() }));
    }
}

#[test]
fn a_knife_edge_forbids_sideways_motion_only() {
    let mut model = Model::new("skate");
    let body = model.add_body(Body::planar("skate", 1.0, 0.5).turned(FRAC_PI_2));
    let (blade, ice) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(KnifeEdge::new("edge", blade, ice));
    let system = System::new(&model).unwrap();
    let rate = |v: [f64; 3]| {
        let (mut x, mut work) = (system.initial().clone(), Work::new(&system));
        x.v = v.to_vec();
        let at = system.evaluate(&x, &mut work);
        at.phi()[0]
    };
    assert!(rate([0.0, 2.0, 3.0]).abs() < 1e-15 && (rate([-1.5, 0.0, 0.0]) - 1.5).abs() < 1e-15);
}
