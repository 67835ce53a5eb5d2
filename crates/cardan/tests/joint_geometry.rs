//! What joints leave free, how rows are chosen on planar bodies, and force laws at large rotations and against beam theory.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::constraints::joints;
use cardan::forces::ForceLaw;
use cardan::math::random::Random;
use cardan::math::{Mat6, Vec6, exp, stack};
use cardan::measures::Context;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};
use common::cases::{definite, soft_section};
use common::differences::{assert_close, derivative, moved};
use nalgebra::DMatrix;
use std::f64::consts::{FRAC_PI_2, PI};

/// Attitude of both markers in the world when the joint is met.
fn attitude(in_plane: bool, roll: f64) -> Quat {
    let tilt = Quat::from_axis_angle(&Vec3::y_axis(), if in_plane { FRAC_PI_2 } else { 0.0 });
    Quat::from_axis_angle(&Vec3::z_axis(), 0.4) * tilt * Quat::from_axis_angle(&Vec3::z_axis(), roll)
}

/// Rows and their rank between two equal bodies whose markers coincide.
fn rows_and_rank(joint: &str, body: impl Fn(&str) -> Body, marker: Quat) -> Option<(usize, usize)> {
    let mut model = Model::new(joint);
    let bodies = ["a", "b"].map(|name| model.add_body(body(name)));
    let [i, j] = bodies.map(|b| model.add_marker(Marker::on(b).at([0.3, 0.2, 0.0]).oriented(marker)));
    let kind = joints::all().into_iter().find(|k| k.name() == joint).unwrap();
    model.add_joint(Joint { name: joint.into(), kind, i, j });
    let system = System::new(&model).ok()?;
    Some((system.rows(), rank(&system)))
}

fn rank(system: &System) -> usize {
    let (mut work, mut jacobian) = (Work::new(system), Jacobian::new(system));
    let (nv, n) = (system.nv(), system.nv() + system.rows());
    let mut at = system.evaluate(system.initial(), &mut work);
    at.tangent(&Weights::mass_only(&[]), &mut jacobian);
    let mut dense = vec![0.0; n * n];
    jacobian.matrix().to_dense(&mut dense);
    DMatrix::from_fn(system.rows(), nv, |r, c| dense[c * n + nv + r]).rank(1e-9)
}

#[test]
fn rows_on_planar_bodies_are_those_that_act_and_independent() {
    // Joint, rows with z along the plane's normal, rows with z in the plane (`None`: nothing to constrain, refused).
    let table = [
        ("fixed", Some(3), Some(3)),
        ("revolute", Some(2), Some(3)),
        ("spherical", Some(2), Some(2)),
        ("translational", Some(3), Some(2)),
        ("cylindrical", Some(2), Some(2)),
        ("planar", None, Some(2)),
        ("in-line", Some(2), Some(1)),
        ("in-plane", None, Some(1)),
        ("parallel-axes", None, Some(1)),
        ("same-orientation", Some(1), Some(1)),
        ("constant-velocity", Some(3), Some(2)),
        ("screw", Some(3), Some(3)),
    ];
    for (joint, vertical, in_plane) in table {
        for roll in [0.0, 0.7, FRAC_PI_2, -2.0] {
            let body = |name: &str| Body::planar(name, 1.0, 0.5).at([0.1, -0.3, 0.0]).turned(0.8);
            let found = rows_and_rank(joint, body, attitude(false, roll));
            assert_eq!(found, vertical.map(|n| (n, n)), "{joint}, z normal to the plane, roll {roll}");
            if joint == "screw" {
                continue;
            }
            let found = rows_and_rank(joint, body, attitude(true, roll));
            assert_eq!(found, in_plane.map(|n| (n, n)), "{joint}, z in the plane, roll {roll}");
        }
    }
}

#[test]
fn rows_in_space_are_independent() {
    let table = [
        ("fixed", 6),
        ("revolute", 5),
        ("spherical", 3),
        ("translational", 5),
        ("cylindrical", 4),
        ("planar", 3),
        ("universal", 4),
        ("constant-velocity", 4),
        ("screw", 5),
        ("in-line", 2),
        ("in-plane", 1),
        ("parallel-axes", 2),
        ("perpendicular-axes", 1),
        ("same-orientation", 3),
        ("angle", 1),
    ];
    assert_eq!(table.len() + 1, joints::all().len(), "every joint but the rod, whose markers must not meet");
    let body = |name: &str| Body::rigid(name, 1.0, Inertia::ball(1.0, 0.5)).at([0.1, -0.3, 0.4]).oriented(exp(&Vec3::new(0.3, 0.8, -0.2)));
    for (joint, rows) in table {
        assert_eq!(rows_and_rank(joint, body, attitude(true, 0.3)), Some((rows, rows)), "{joint}");
    }
}

/// Point masses in space do not turn: a planar body against one is held by the same rows as against the ground.
#[test]
fn orientation_rows_are_independent_on_planar_bodies_and_points_in_space() {
    for roll in [0.0, 0.7] {
        let mut model = Model::new("fixed");
        let bodies = [model.add_body(Body::planar("a", 1.0, 0.5)), model.add_body(Body::point("b", 1.0))];
        let [i, j] = bodies.map(|b| model.add_marker(Marker::on(b).oriented(attitude(true, roll))));
        model.add_joint(Joint::new("joint", Fixed, i, j));
        let system = System::new(&model).unwrap();
        assert_eq!((system.rows(), rank(&system)), (4, 4), "x, y, z and one rotation, roll {roll}");
    }
}

#[test]
fn a_planar_disk_rolls_with_two_rows() {
    for roll in [0.0, 0.7, FRAC_PI_2] {
        let mut model = Model::new("disk");
        let body = model.add_body(Body::planar("disk", 1.0, 0.5).at([0.2, 0.3, 0.0]));
        let disk = model.add_marker(Marker::on(body));
        let up = Quat::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2) * Quat::from_axis_angle(&Vec3::z_axis(), roll);
        let plane = model.add_marker(Marker::on(BodyId::GROUND).oriented(up));
        model.add_constraint(RollingDisk::new("rolling", disk, plane, 0.3));
        let system = System::new(&model).unwrap();
        assert_eq!((system.rows(), rank(&system)), (2, 2), "roll {roll}");
        let mut x = system.initial().clone();
        x.v = vec![0.6, 0.0, -2.0];
        let mut work = Work::new(&system);
        let (position, velocity) = system.violation(&x, &mut work);
        assert!(position < 1e-15 && velocity < 1e-15, "it rolls to the right turning clockwise: {position:e} {velocity:e}");
    }
}

#[test]
fn turns_are_counted_about_the_axis_of_marker_j() {
    for (flip, sign) in [(0.0, 1.0), (PI, -1.0)] {
        let mut model = Model::new("turns");
        let body = model.add_body(Body::planar("wheel", 1.0, 0.5).turned(10.0));
        let turn = Quat::from_axis_angle(&Vec3::x_axis(), flip);
        let i = model.add_marker(Marker::on(body).oriented(turn));
        let j = model.add_marker(Marker::on(BodyId::GROUND).oriented(turn));
        model.add_force(RotationalSpringDamper::new("spring", i, j).stiffness(1.0));
        model.add_constraint(Motion::between("motion", i, j, Coordinate::Rotation, 0.0));
        let system = System::new(&model).unwrap();
        let mut work = Work::new(&system);
        let at = system.evaluate(system.initial(), &mut work);
        assert!((at.phi()[0] - sign * 10.0).abs() < 1e-13, "angle {}", at.phi()[0]);
        assert!((at.f()[2] - 10.0).abs() < 1e-13, "the spring pulls back the ten radians, residual {}", at.f()[2]);
    }
}

/// Two rigid bodies with one force between their frames, marker i at (u, φ) from marker j, moving at random.
fn two_bodies(make: impl Fn(MarkerId, MarkerId) -> Force, u: Vec3, phi: Vec3, random: &mut Random) -> (System, State) {
    let mut model = Model::new("two bodies");
    let body = |name: &str| Body::rigid(name, 1.0, Inertia::ball(1.0, 0.5));
    let (r, p) = (random.rotation(), random.vector(1.0));
    let a = model.add_body(body("a").at((p + r * u).into()).oriented(r * exp(&phi)));
    let b = model.add_body(body("b").at(p.into()).oriented(r));
    let [i, j] = [a, b].map(|b| model.add_marker(Marker::on(b)));
    model.add_force(make(i, j));
    let system = System::new(&model).unwrap();
    let mut x = system.initial().clone();
    x.v = common::random_vector(random, system.nv(), 1.0);
    (system, x)
}

fn wrench(system: &System, x: &State) -> ([Vec6; 2], Vec<Vec6>, f64, f64) {
    let mut work = Work::new(system);
    system.kinematics(&x.q, &x.v, &mut work);
    let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
    let force = &system.forces()[0];
    let twists = work.markers.iter().map(|m| m.twist()).collect();
    (force.wrench(&ctx), twists, force.potential(&ctx), force.dissipation(&ctx))
}

#[test]
fn bushings_and_beams_are_exact_up_to_half_a_turn() {
    let mut random = Random::new(5);
    let (k, c): (Mat6, Mat6) = (definite(&mut random), definite(&mut random));
    let bushing = |i, j| Bushing::new("force", i, j).stiffness(k).damping(c).preload([0.4, 0.1, -0.3], [0.2, -0.5, 0.3]).into();
    let beam = |i, j| Beam::new("force", i, j, 0.9, soft_section()).damping_ratio(0.3).into();
    let makes: [&dyn Fn(MarkerId, MarkerId) -> Force; 2] = [&bushing, &beam];
    for make in makes {
        for angle in [0.0, 1e-7, 1e-3, 0.0999, 0.223, 0.8, FRAC_PI_2 - 1e-9, FRAC_PI_2, 2.3, 3.0, 3.12] {
            let phi = random.vector(1.0).normalize() * angle;
            let (system, x) = two_bodies(make, random.vector(1.0), phi, &mut random);
            let (w, twists, _, dissipation) = wrench(&system, &x);
            let power: f64 = w.iter().zip(&twists).map(|(w, t)| w.dot(t)).sum();
            let loss = derivative(|s| vec![wrench(&system, &moved(&system, &x, s)).2])[0];
            assert_close(&[power], &[-loss - dissipation], 1e-8, &format!("power at {angle}"));
            check_tangent(&system, &x, angle);
        }
    }
}

fn check_tangent(system: &System, x: &State, angle: f64) {
    let (mut work, mut jacobian, n) = (Work::new(system), Jacobian::new(system), system.nv());
    let mut at = system.evaluate(x, &mut work);
    at.tangent(&Weights { position: 1.0, ..Weights::mass_only(&[]) }, &mut jacobian);
    let mut dense = vec![0.0; n * n];
    jacobian.matrix().to_dense(&mut dense);
    for column in 0..n {
        let numeric = derivative(|s| {
            let (mut y, mut work, mut delta) = (x.clone(), Work::new(system), vec![0.0; n]);
            delta[column] = s;
            system.retract(&x.q, &delta, &mut y.q);
            let at = system.evaluate(&y, &mut work);
            let mut out = at.f().to_vec();
            system.add_mass_times(&x.q, &delta, 1.0, &mut out);
            out
        });
        assert_close(&dense[column * n..(column + 1) * n], &numeric, 1e-7, &format!("tangent at {angle}, column {column}"));
    }
}

/// A cantilever under a tip force: deflection F L³/3EI + F L/κGA, slope F L²/2EI; the element must answer with −F and no moment.
#[test]
fn a_beam_element_bends_like_a_timoshenko_cantilever() {
    let (s, length, force) = (soft_section(), 0.9_f64, 1e-6);
    let (e, g) = (s.youngs_modulus, s.shear_modulus);
    let ga = g * s.area;
    let deflection = |i: f64, kappa: f64| force * length.powi(3) / (3.0 * e * i) + force * length / (kappa * ga);
    let slope = |i: f64| force * length * length / (2.0 * e * i);
    let x = Vec3::x() * length;
    let [iy, iz] = s.bending;
    let loads = [
        (Vec3::x() * (force * length / (e * s.area)), Vec3::zeros(), stack(Vec3::x(), Vec3::zeros())),
        (Vec3::y() * deflection(iz, s.shear[0]), Vec3::z() * slope(iz), stack(Vec3::y(), Vec3::zeros())),
        (Vec3::z() * deflection(iy, s.shear[1]), Vec3::y() * -slope(iy), stack(Vec3::z(), Vec3::zeros())),
        (Vec3::zeros(), Vec3::x() * (force * length / (g * s.torsion)), stack(Vec3::zeros(), Vec3::x())),
    ];
    for (u, phi, load) in loads {
        let mut random = Random::new(3);
        let (system, mut state) = two_bodies(|i, j| Beam::new("beam", i, j, length, s).into(), x + u, phi, &mut random);
        state.v.fill(0.0);
        let mut work = Work::new(&system);
        system.kinematics(&state.q, &state.v, &mut work);
        let r = work.markers[1].r;
        let answer = wrench(&system, &state).0[0];
        let expected = -stack(r * load.fixed_rows::<3>(0), r * load.fixed_rows::<3>(3)) * force;
        assert!((answer - expected).norm() < 1e-5 * force, "{answer} instead of {expected}");
    }
}
