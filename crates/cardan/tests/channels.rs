//! Channels: what a run gives by name, against values worked out without the solver's own quantities.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::math::Vec3;
use cardan::prelude::*;

/// All samples of a run as rows of channel values.
struct Table {
    channels: Channels,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn run(model: &Model, step: f64, t_end: f64) -> Self {
        let system = System::new(model).unwrap();
        let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(step).run(t_end).unwrap();
        let mut channels = Channels::new(&system);
        let mut row = |sample: &Sample| {
            let mut row = vec![f64::NAN; channels.list().len()];
            channels.fill(&system, sample, &mut row);
            assert!(row.iter().all(|x| x.is_finite()), "every channel is filled");
            row
        };
        let rows = run.samples.iter().map(&mut row).collect();
        Self { channels, rows }
    }

    fn get(&self, k: usize, name: &str) -> f64 {
        self.rows[k][self.channels.index(name).unwrap_or_else(|unknown| panic!("{unknown}"))]
    }

    fn vector(&self, k: usize, name: &str) -> Vec3 {
        Vec3::from(["x", "y", "z"].map(|axis| self.get(k, &format!("{name}.{axis}"))))
    }

    fn quaternion(&self, k: usize, name: &str) -> Quat {
        let v = self.vector(k, name);
        Quat::new_unchecked(nalgebra::Quaternion::new(self.get(k, &format!("{name}.w")), v.x, v.y, v.z))
    }

    fn unit(&self, name: &str) -> &str {
        &self.channels.list()[self.channels.index(name).unwrap()].unit
    }
}

const GRAVITY: [f64; 3] = [0.4, -9.0, -2.0];
const CENTER: [f64; 3] = [0.2, -0.1, 0.3];
const MASS: f64 = 1.7;

/// A body on a ball joint, its frame neither at the joint nor at the centre of mass.
fn spherical_pendulum() -> Model {
    let mut model = Model::new("spherical pendulum");
    model.set_gravity(GRAVITY);
    let inertia = Inertia::principal(0.03, 0.04, 0.05).with_center_of_mass(CENTER);
    let turned = Quat::from_euler_angles(0.3, -0.4, 1.1);
    let body = Body::rigid("body", MASS, inertia).at([1.0, 2.0, 3.0]).oriented(turned).spinning([1.0, -2.0, 3.0]);
    // The joint at the body point p starts at rest: v_o + ω × p = 0.
    let p = Vec3::new(-0.3, 0.2, 0.1);
    let velocity = -(turned * Vec3::new(1.0, -2.0, 3.0).cross(&p));
    let at = Vec3::new(1.0, 2.0, 3.0) + turned * p;
    let body = model.add_body(body.moving(velocity.into()));
    let i = model.add_marker(Marker::on(body).at(p.into()));
    let j = model.add_marker(Marker::on(BodyId::GROUND).at(at.into()));
    model.add_joint(Joint::new("ball", Spherical, i, j));
    model
}

#[test]
fn bodies_are_reported_at_the_origin_of_their_frame() {
    let h = 1e-4;
    let table = Table::run(&spherical_pendulum(), h, 0.05);
    assert!((table.vector(0, "body.position") - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12);
    for k in [50, 200, 400] {
        let difference = |name: &str| (table.vector(k + 1, name) - table.vector(k - 1, name)) / (2.0 * h);
        assert!((difference("body.position") - table.vector(k, "body.velocity")).norm() < 1e-5);
        assert!((difference("body.velocity") - table.vector(k, "body.acceleration")).norm() < 1e-4);
        assert!((difference("body.angular_velocity") - table.vector(k, "body.angular_acceleration")).norm() < 1e-3);
        let (before, after) = (table.quaternion(k - 1, "body.orientation"), table.quaternion(k + 1, "body.orientation"));
        let turned = (after * before.inverse()).scaled_axis() / (2.0 * h);
        assert!((turned - table.vector(k, "body.angular_velocity")).norm() < 1e-4);
    }
}

#[test]
fn a_joint_exerts_what_newton_asks_for() {
    let table = Table::run(&spherical_pendulum(), 1e-4, 0.02);
    for k in 0..table.rows.len() {
        let arm = table.quaternion(k, "body.orientation") * Vec3::from(CENTER);
        let (omega, alpha) = (table.vector(k, "body.angular_velocity"), table.vector(k, "body.angular_acceleration"));
        let center = table.vector(k, "body.acceleration") + alpha.cross(&arm) + omega.cross(&omega.cross(&arm));
        let force = (center - Vec3::from(GRAVITY)) * MASS;
        assert!((table.vector(k, "ball.force") - force).norm() < 1e-8 * force.norm(), "{}", table.vector(k, "ball.force") - force);
        assert!(table.vector(k, "ball.torque").norm() < 1e-12);
        assert!((table.get(k, "ball.lambda.2") + force.y).abs() < 1e-8 * force.norm());
    }
}

/// Two links in space, the second joint written in either order of its markers.
fn chain(swapped: bool) -> Model {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let link = |name: &str, x: f64| Body::rigid(name, 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.1)).at([x, 0.0, 0.0]);
    let (a, b) = (model.add_body(link("a", 0.5)), model.add_body(link("b", 1.5)));
    let y = [0.0, 1.0, 0.0];
    let ground = model.add_marker(Marker::on(BodyId::GROUND).z_along(y));
    let left = model.add_marker(Marker::on(a).at([-0.5, 0.0, 0.0]).z_along(y));
    let right = model.add_marker(Marker::on(a).at([0.5, 0.0, 0.0]).z_along(y));
    let next = model.add_marker(Marker::on(b).at([-0.5, 0.0, 0.0]).z_along(y));
    model.add_joint(Joint::new("first", Revolute, left, ground));
    let (i, j) = if swapped { (right, next) } else { (next, right) };
    model.add_joint(Joint::new("second", Revolute, i, j));
    model.add_force(RotationalSpringDamper::new("spring", next, right).stiffness(3.0).free_angle(0.7));
    model
}

#[test]
fn what_acts_on_i_is_the_opposite_of_what_acts_on_j() {
    let (one, other) = (Table::run(&chain(false), 1e-3, 0.1), Table::run(&chain(true), 1e-3, 0.1));
    for k in [0, 50, 100] {
        for name in ["second.force", "second.torque"] {
            let (a, b) = (one.vector(k, name), other.vector(k, name));
            assert!((a + b).norm() < 1e-6 * (1.0 + a.norm()), "{name}: {a} and {b}");
        }
        assert!(one.vector(k, "second.force").norm() > 0.1);
        // k (free angle − angle) about the joint's axis.
        let torque = one.vector(k, "spring.torque");
        assert!(torque.x.abs() < 1e-9 && torque.z.abs() < 1e-9 && torque.y.abs() > 0.1, "{torque}");
    }
    assert!((one.get(0, "spring.torque.y") - 3.0 * 0.7).abs() < 1e-9, "it turns i towards its free angle");
}

#[test]
fn planar_bodies_count_their_turns() {
    let mut model = Model::new("rotor");
    model.add_body(Body::planar("rotor", 1.0, 0.1).turned(1.0).spinning([0.0, 0.0, 30.0]));
    let table = Table::run(&model, 1e-2, 1.0);
    let last = table.rows.len() - 1;
    assert!((table.get(last, "rotor.angle") - 31.0).abs() < 1e-9);
    assert_eq!((table.unit("rotor.angle"), table.unit("rotor.angular_velocity.z")), ("rad", "rad/s"));
    let q = table.quaternion(last, "rotor.orientation");
    assert!((q.w - 15.5_f64.cos()).abs() < 1e-9 && (q.k - 15.5_f64.sin()).abs() < 1e-9);
    assert!((table.get(last, "total.kinetic_energy") - 45.0).abs() < 1e-9);
    assert!((table.get(last, "time") - 1.0).abs() < 1e-12 && table.channels.list()[0].name == "time");
}

#[test]
fn names_are_unique_and_units_fit_their_rows() {
    let mut model = Model::new("disk");
    model.set_gravity([0.0, 0.0, -9.81]);
    let disk = Body::rigid("disk", 1.0, Inertia::principal(0.25, 0.25, 0.5)).at([0.0, 0.0, 1.0]);
    let upright = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let disk = model.add_body(disk.oriented(upright).spinning([0.0, 0.0, 2.0]).moving([2.0, 0.0, 0.0]));
    let mass = model.add_body(Body::point("mass", 1.0).at([5.0, 0.0, 1.0]));
    let center = model.add_marker(Marker::on(disk));
    let plane = model.add_marker(Marker::on(BodyId::GROUND));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND).at([5.0, 0.0, 0.0])));
    model.add_constraint(RollingDisk::new("same", center, plane, 1.0));
    model.add_force(SpringDamper::new("same", i, j).stiffness(20.0).free_length(0.5));
    let table = Table::run(&model, 1e-3, 0.01);
    let names: std::collections::HashSet<&str> = table.channels.list().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), table.channels.list().len());
    assert!(names.contains("same.lambda.3") && !names.contains("same.lambda.4"));
    assert!(!names.contains("mass.orientation.w"), "a point mass has no orientation");
    assert_eq!((table.unit("same.lambda.1"), table.unit("same.torque.x")), ("N", "N*m"));
    assert!((table.get(0, "same.force.z") - 9.81).abs() < 1e-9, "the plane carries the disk");
    assert!((table.get(0, "forces.same.force.z") + 10.0).abs() < 1e-9, "the spring pulls the mass down");
    let second = Table::run(&chain(false), 1e-3, 0.01);
    assert_eq!((second.unit("second.lambda.3"), second.unit("second.lambda.4")), ("N", "N*m"));
}

#[test]
fn results_and_states_are_read_by_name() {
    let model = spherical_pendulum();
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-2).run(0.5).unwrap();
    let table = Table::run(&model, 1e-2, 0.5);
    let energy = run.channel(&system, "total.energy").unwrap();
    let force = run.vectors(&system, "ball.force").unwrap();
    let body = system.body("body").unwrap();
    assert_eq!((energy.len(), force.len()), (table.rows.len(), table.rows.len()));
    for (k, sample) in run.samples.iter().enumerate() {
        assert_eq!((energy[k], force[k]), (table.get(k, "total.energy"), table.vector(k, "ball.force")));
        assert_eq!(body.position(&sample.state), table.vector(k, "body.position"));
        assert_eq!(body.velocity(&sample.state), table.vector(k, "body.velocity"));
        assert_eq!(body.angular_velocity(&sample.state), table.vector(k, "body.angular_velocity"));
    }
    assert_eq!(body.angle(&run.samples[0].state), None, "a body in space has an orientation instead");
}

#[test]
fn names_that_are_not_there_are_answered_with_the_closest_one() {
    let system = System::new(&spherical_pendulum()).unwrap();
    let run = Simulation::new(&system).run(0.1).unwrap();
    let mistake = run.channel(&system, "body.postion.x").unwrap_err();
    assert_eq!((mistake.what, mistake.suggestion.as_deref()), ("channel", Some("body.position.x")));
    assert_eq!(mistake.to_string(), "there is no channel 'body.postion.x'; did you mean 'body.position.x'?");
    assert_eq!(run.vectors(&system, "something else").unwrap_err().suggestion, None);
    assert_eq!(system.body("bodi").unwrap_err().to_string(), "there is no body 'bodi'; did you mean 'body'?");
    assert_eq!(system.reaction_rows("bal").unwrap_err().suggestion.as_deref(), Some("ball"));
    assert_eq!(system.state("filter").unwrap_err().to_string(), "there is no differential state 'filter'");
}
