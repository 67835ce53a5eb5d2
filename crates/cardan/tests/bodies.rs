//! Bodies against clouds of point masses, the manifold operations, and refusal of impossible data.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::bodies::{Chart, Kind, Rigid, Shape};
use cardan::integrators::Method;
use cardan::math::random::Random;
use cardan::math::{Mat3, exp};
use cardan::model::ModelError;
use cardan::prelude::*;
use cardan::system::Work;
use common::differences::{assert_close, derivative, moved};
use common::random_vector;

/// Point masses at places of the body frame.
struct Cloud(Vec<(f64, Vec3)>);

impl Cloud {
    fn new(random: &mut Random) -> Self {
        Self((0..7).map(|_| (random.range(0.2, 1.0), random.vector(1.0) + Vec3::new(0.5, -0.3, 0.8))).collect())
    }

    fn mass(&self) -> f64 {
        self.0.iter().map(|(m, _)| m).sum()
    }

    fn center(&self) -> Vec3 {
        self.0.iter().map(|(m, p)| p * *m).sum::<Vec3>() / self.mass()
    }

    /// The tensor about a point, in axes turned by `axes`.
    fn tensor(&self, about: Vec3, axes: Quat) -> Mat3 {
        let part = |(m, p): &(f64, Vec3)| {
            let r = axes.inverse() * (p - about);
            (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m
        };
        self.0.iter().map(part).sum()
    }

    fn inertia(&self, about: Option<Vec3>, axes: Quat) -> Inertia {
        let j = self.tensor(about.unwrap_or(self.center()), axes);
        let given = Inertia::tensor(j[(0, 0)], j[(1, 1)], j[(2, 2)], j[(0, 1)], j[(1, 2)], j[(2, 0)]);
        let given = given.with_center_of_mass(self.center().into()).in_axes(axes);
        about.map_or(given.clone(), |p| given.about(p.into()))
    }
}

#[test]
fn inertia_about_any_point_in_any_axes_is_that_of_the_masses() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let cloud = Cloud::new(&mut random);
        let exact = cloud.tensor(cloud.center(), Quat::identity());
        for about in [None, Some(Vec3::zeros()), Some(random.vector(2.0))] {
            let rigid = Rigid::new(cloud.mass(), cloud.inertia(about, random.rotation()));
            assert!((rigid.tensor() - exact).norm() < 1e-12 * exact.norm(), "about {about:?}");
        }
    }
}

#[test]
fn solids_have_their_textbook_inertia() {
    let moments = |inertia: Inertia| inertia.about_center_of_mass(3.0).diagonal();
    assert!((moments(Inertia::ball(3.0, 0.5)) - Vec3::repeat(0.3)).norm() < 1e-15);
    assert!((moments(Inertia::cuboid(3.0, 1.0, 2.0, 3.0)) - Vec3::new(3.25, 2.5, 1.25)).norm() < 1e-15);
    assert!((moments(Inertia::cylinder(3.0, 0.2, 1.0)) - Vec3::new(0.28, 0.28, 0.06)).norm() < 1e-15);
}

#[test]
fn energy_and_momentum_are_those_of_the_masses() {
    let mut random = Random::new(12);
    for _ in 0..20 {
        let cloud = Cloud::new(&mut random);
        let (place, turn, velocity, spin) = (random.vector(2.0), random.rotation(), random.vector(2.0), random.vector(2.0));
        let mut model = Model::new("cloud");
        model.set_gravity([0.3, -9.0, 2.0]);
        let body = Body::rigid("body", cloud.mass(), cloud.inertia(Some(Vec3::zeros()), random.rotation()));
        model.add_body(body.at(place.into()).oriented(turn).moving(velocity.into()).spinning(spin.into()));
        let system = System::new(&model).unwrap();
        let energy = system.energy(system.initial(), &mut Work::new(&system));
        let momentum = system.momentum(system.initial());
        let (mut kinetic, mut potential, mut linear, mut angular) = (0.0, 0.0, Vec3::zeros(), Vec3::zeros());
        for (m, p) in &cloud.0 {
            let (r, v) = (place + turn * p, velocity + turn * spin.cross(p));
            kinetic += 0.5 * m * v.norm_squared();
            potential -= m * Vec3::new(0.3, -9.0, 2.0).dot(&r);
            linear += v * *m;
            angular += r.cross(&v) * *m;
        }
        assert_close(&[energy.kinetic, energy.potential], &[kinetic, potential], 1e-13, "energy");
        assert_close(momentum.linear.as_slice(), linear.as_slice(), 1e-13, "linear momentum");
        assert_close(momentum.angular.as_slice(), angular.as_slice(), 1e-13, "angular momentum");
    }
}

fn shapes() -> Vec<Body> {
    let inertia = Inertia::tensor(1.0, 1.3, 1.6, 0.2, -0.1, 0.15).with_center_of_mass([0.2, 0.1, -0.3]);
    vec![Body::point_2d("a", 1.5), Body::point("b", 0.7), Body::planar("c", 1.2, 0.4), Body::rigid("d", 2.0, inertia)]
}

#[test]
fn difference_inverts_retract() {
    let mut random = Random::new(13);
    for body in shapes() {
        let (shape, (start, _)) = (&body.shape, body.initial_state());
        let n = shape.nv();
        for size in [0.0, 1e-9, 1e-3, 0.8, 1.7] {
            let (mut q0, mut q1, mut back) = (start.clone(), start.clone(), vec![0.0; n]);
            shape.retract(Chart::Exponential, &start, &random_vector(&mut random, n, 1.0), &mut q0);
            let delta = random_vector(&mut random, n, size);
            shape.retract(Chart::Exponential, &q0, &delta, &mut q1);
            shape.difference(&q0, &q1, &mut back);
            let error = delta.iter().zip(&back).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 4e-15, "{} at {size}: {error:e}", shape.kind_name());
        }
    }
}

#[test]
fn attitudes_stay_normalised() {
    let (mut random, body) = (Random::new(14), &shapes()[3]);
    let mut q = body.initial_state().0;
    for _ in 0..10_000 {
        let old = q.clone();
        body.shape.retract(Chart::Exponential, &old, &random_vector(&mut random, 6, 2.0), &mut q);
    }
    let norm: f64 = q[3..].iter().map(|x| x * x).sum();
    assert!((norm - 1.0).abs() < 1e-14);
}

#[test]
fn mass_matrix_product_and_kinetic_energy_agree() {
    let mut random = Random::new(15);
    for body in shapes() {
        let shape = &body.shape;
        let n = shape.nv();
        let (v, mut dense, mut product) = (random_vector(&mut random, n, 1.0), vec![0.0; n * n], vec![0.0; n]);
        shape.add_mass(&body.initial_state().0, 0.7, &mut dense);
        shape.add_mass_times(&body.initial_state().0, &v, 0.7, &mut product);
        let by_columns: Vec<f64> = (0..n).map(|r| (0..n).map(|c| dense[c * n + r] * v[c]).sum()).collect();
        assert_close(&by_columns, &product, 1e-15, shape.kind_name());
        assert!((0..n).all(|r| (0..n).all(|c| dense[c * n + r] == dense[r * n + c])), "{} is symmetric", shape.kind_name());
    }
}

/// Without acceleration the momentum changes by the gyroscopic force alone: dH/dt = R (ω × Jω) about the centre of mass.
#[test]
fn gyroscopic_force_is_the_change_of_spin() {
    let mut model = Model::new("free");
    shapes().into_iter().for_each(|b| {
        model.add_body(if matches!(b.shape, Shape::Rigid(_)) { b.oriented(exp(&Vec3::new(0.4, -0.9, 0.3))) } else { b });
    });
    let system = System::new(&model).unwrap();
    let mut random = Random::new(16);
    let x = common::random_state(&system, &mut random);
    let mut work = Work::new(&system);
    let at = system.evaluate(&x, &mut work);
    let body = system.body("d").unwrap();
    let spin = |s: f64| body.shape.momentum(&moved(&system, &x, s).q[body.q()], &x.v[body.v()])[1].as_slice().to_vec();
    let f = &at.f()[body.v()];
    let torque = body.shape.frame(&x.q[body.q()]).0 * Vec3::new(f[3], f[4], f[5]);
    assert!(torque.norm() > 1e-3);
    assert_close(torque.as_slice(), &derivative(spin), 1e-10, "gyroscopic torque");
    assert!(f.iter().zip(&x.v[body.v()]).map(|(f, v)| f * v).sum::<f64>().abs() < 1e-15, "it does no work");
    let others = system.bodies().iter().filter(|b| !matches!(b.shape, Shape::Rigid(_)));
    assert!(others.flat_map(|b| &at.f()[b.v()]).all(|f| *f == 0.0));
}

#[test]
fn impossible_bodies_are_refused_by_name() {
    let ball = || Inertia::ball(1.0, 1.0);
    let bad = [
        ("positive", Body::rigid("bad", 0.0, ball())),
        ("positive", Body::point("bad", f64::NAN)),
        ("positive", Body::planar("bad", 1.0, -0.2)),
        ("positive definite", Body::rigid("bad", 1.0, Inertia::principal(1.0, 1.0, -1.0))),
        ("positive definite", Body::rigid("bad", 1.0, Inertia::tensor(1.0, 1.0, 1.0, 2.0, 0.0, 0.0))),
        ("positive definite", Body::rigid("bad", 5.0, ball().about([1.0, 0.0, 0.0]))),
        ("exceeds the sum", Body::rigid("bad", 1.0, Inertia::principal(1.0, 1.0, 2.1))),
        ("not finite", Body::rigid("bad", 1.0, Inertia::principal(1.0, f64::INFINITY, 1.0))),
        ("not finite", Body::rigid("bad", 1.0, ball().with_center_of_mass([0.0, f64::NAN, 0.0]))),
        ("not finite", Body::point("bad", 1.0).at([f64::NAN, 0.0, 0.0])),
        ("use turned(angle)", Body::planar("bad", 1.0, 0.2).oriented(exp(&Vec3::new(0.0, 0.0, 0.3)))),
        ("use oriented(quaternion)", Body::rigid("bad", 1.0, ball()).turned(0.3)),
        ("a point mass", Body::point("bad", 1.0).oriented(exp(&Vec3::new(0.0, 0.0, 0.3)))),
        ("a point mass", Body::point_2d("bad", 1.0).turned(0.3)),
        ("a point mass", Body::point_2d("bad", 1.0).spinning([0.0, 0.0, 1.0])),
    ];
    for (k, (words, body)) in bad.into_iter().enumerate() {
        let mut model = Model::new("bad");
        model.add_body(body);
        match System::new(&model) {
            Err(ModelError::Body { body, mistake }) => assert!(body == "bad" && mistake.contains(words), "{k}: {mistake}"),
            other => panic!("{k}: {other:?}"),
        }
    }
    let mut flat = Model::new("flat");
    flat.add_body(Body::rigid("plate", 1.0, Inertia::principal(1.0, 1.0, 2.0)));
    assert!(System::new(&flat).is_ok(), "a flat plate reaches the limit of the triangle inequality");
}

#[test]
fn markers_point_where_they_are_told() {
    let mut random = Random::new(17);
    let drawn = (0..20).map(|_| random.vector(3.0));
    for direction in drawn.chain([Vec3::z() * 2.0, Vec3::z() * -0.5, Vec3::x(), Vec3::new(1e-9, 0.0, -1.0)]) {
        let marker = Marker::on(BodyId::GROUND).z_along(direction.into());
        assert!((marker.orientation * Vec3::z() - direction.normalize()).norm() < 1e-14, "{direction}");
    }
}

/// A bar that swings about its end in the plane, its frame at the centre of mass, or so far from the pivot.
fn swinging(frame: Option<[f64; 2]>) -> System {
    let mut model = Model::new("bar");
    model.set_gravity([0.0, -9.81, 0.0]);
    let (angle, omega): (f64, f64) = (0.4, 1.7);
    let turned = |p: [f64; 2]| [p[0] * angle.cos() - p[1] * angle.sin(), p[0] * angle.sin() + p[1] * angle.cos()];
    let place = |p: [f64; 2]| {
        let [x, y] = turned(p);
        ([x, y, 0.0], [-omega * y, omega * x, 0.0])
    };
    let body = Body::planar("bar", 2.0, 0.3).turned(angle).spinning([0.0, 0.0, omega]);
    let (body, pivot) = if let Some(offset) = frame {
        let (at, velocity) = place(offset);
        (body.with_center_of_mass([0.5 - offset[0], -offset[1], 0.0]).at(at).moving(velocity), [-offset[0], -offset[1], 0.0])
    } else {
        let (at, velocity) = place([0.5, 0.0]);
        (body.at(at).moving(velocity), [-0.5, 0.0, 0.0])
    };
    let bar = model.add_body(body);
    let (pin, ground) = (model.add_marker(Marker::on(bar).at(pivot)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("pin", Revolute, pin, ground));
    System::new(&model).unwrap()
}

#[test]
fn a_planar_body_described_off_its_centre_moves_the_same() {
    let reference = swinging(None);
    let run = |system: &System| Simulation::new(system).step(1e-3).record(Record::Ends).run(0.5).unwrap();
    let expected = run(&reference);
    for offset in [[0.0, 0.0], [0.5, 0.0], [0.2, -0.7]] {
        let system = swinging(Some(offset));
        let found = run(&system);
        let (x, y) = (found.last().unwrap(), expected.last().unwrap());
        for (a, b) in x.q.iter().chain(&x.v).chain(&x.lambda).zip(y.q.iter().chain(&y.v).chain(&y.lambda)) {
            assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{offset:?}: {a} {b}");
        }
        // The channels are those of the body frame.
        let mut channels = Channels::new(&system);
        let mut row = vec![0.0; channels.list().len()];
        channels.fill(&system, found.samples.last().unwrap(), &mut row);
        let value = |name: &str| row[channels.list().iter().position(|c| c.name == name).unwrap()];
        let (s, c) = x.q[2].sin_cos();
        let frame = [offset[0] * c - offset[1] * s, offset[0] * s + offset[1] * c];
        assert!((value("bar.position.x") - frame[0]).abs() < 1e-6 && (value("bar.position.y") - frame[1]).abs() < 1e-6);
        assert!((value("bar.velocity.x") + x.v[2] * frame[1]).abs() < 1e-4);
    }
}

/// A slender bar on a hinge across it; `axial` is its inertia about its own axis (x).
fn hinged_bar(axial: f64) -> Model {
    let mut model = Model::new("rod");
    model.set_gravity([0.0, -9.81, 0.0]);
    let inertia = Inertia::principal(axial, 0.25, 0.25);
    let rod = model.add_body(Body::rigid("rod", 3.0, inertia).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(rod).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("pin", Revolute, i, j));
    model
}

#[test]
fn an_ideal_rod_on_a_hinge_swings_as_one_of_any_thickness() {
    let end = |axial: f64, method: std::sync::Arc<dyn Method>| {
        let system = System::new(&hinged_bar(axial)).unwrap();
        assert_eq!(assemble(&system).unwrap().warnings, Vec::<String>::new());
        Simulation::new(&system).shared_method(method).tolerance(1e-7).run(0.6).unwrap().last().unwrap().clone()
    };
    for name in ["hht", "radau", "bdf", "dormand-prince"] {
        let method = || cardan::integrators::all().into_iter().find(|m| m.name() == name).unwrap();
        let (rod, bar) = (end(0.0, method()), end(0.01, method()));
        for (a, b) in rod.q.iter().chain(&rod.v).zip(bar.q.iter().chain(&bar.v)) {
            assert!((a - b).abs() < 1e-5, "{name}: {a} {b}");
        }
    }
}

#[test]
fn an_ideal_rod_that_is_free_about_its_axis_is_said() {
    let mut model = Model::new("rod");
    model.set_gravity([0.0, -9.81, 0.0]);
    let axes = Quat::from_axis_angle(&Vec3::z_axis(), 0.3);
    let inertia = Inertia::principal(0.0, 0.25, 0.25).in_axes(axes);
    let rod = model.add_body(Body::rigid("rod", 3.0, inertia).at([0.5 * 0.3_f64.cos(), 0.5 * 0.3_f64.sin(), 0.0]).moving([0.0, 0.0, 0.5]));
    let end = [-0.5 * 0.3_f64.cos(), -0.5 * 0.3_f64.sin(), 0.0];
    let (i, j) = (model.add_marker(Marker::on(rod).at(end)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("ball", Spherical, i, j));
    let system = System::new(&model).unwrap();
    let warnings = assemble(&system).unwrap().warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("'rod' has no inertia about its axis (0.955, 0.296, 0)"), "{warnings:?}");
    // A spherical pendulum: energy and the angular momentum about the vertical stay.
    let run = Simulation::new(&system).method(Radau).tolerance(1e-8).run(1.0).unwrap();
    let first = run.samples.first().unwrap();
    for sample in &run.samples {
        let (energy, momentum) = (sample.energy.total(), sample.momentum.angular.y);
        assert!((energy - first.energy.total()).abs() < 1e-5, "{energy} against {}", first.energy.total());
        assert!((momentum - first.momentum.angular.y).abs() < 1e-5, "{momentum} against {}", first.momentum.angular.y);
    }
}

#[test]
fn a_rigid_body_without_any_inertia_is_a_point_mass() {
    let body = Body::rigid("dot", 1.0, Inertia::principal(0.0, 0.0, 0.0));
    assert!(body.mistake().unwrap().contains("point mass"));
    assert!(Body::rigid("rod", 1.0, Inertia::principal(0.0, 1.0, 1.0)).mistake().is_none());
    assert!(Body::rigid("odd", 1.0, Inertia::principal(0.0, 1.0, 2.0)).mistake().unwrap().contains("sum of the others"));
    assert!(Body::rigid("odd", 1.0, Inertia::principal(-0.1, 1.0, 1.0)).mistake().unwrap().contains("positive definite"));
}
