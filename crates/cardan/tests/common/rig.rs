//! Building mechanisms in world coordinates, with the bodies then displaced from where they belong.

#![allow(dead_code, reason = "every test program uses a part")]

use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::Work;
use nalgebra::DMatrix;

pub struct Rig {
    pub model: Model,
    /// Where the bodies belong; the ground first.
    poses: Vec<(Vec3, Quat)>,
    random: Random,
    /// Bodies start off by up to this, m and rad, and with velocities up to ten times this.
    pub error: f64,
}

impl Rig {
    pub fn new(name: &str) -> Self {
        Self { model: Model::new(name), poses: vec![(Vec3::zeros(), Quat::identity())], random: Random::new(3), error: 0.0 }
    }

    pub fn off_by(mut self, error: f64, seed: u64) -> Self {
        (self.error, self.random) = (error, Random::new(seed));
        self
    }

    pub fn rigid(&mut self, name: &str, at: [f64; 3], attitude: Quat) -> BodyId {
        let (at, e) = (Vec3::from(at), self.error);
        self.poses.push((at, attitude));
        let start = at + self.random.vector(e);
        let turned = attitude * Quat::from_scaled_axis(self.random.vector(e));
        let body = Body::rigid(name, 2.0, Inertia::principal(0.03, 0.04, 0.05)).at(start.into()).oriented(turned);
        let (velocity, spin) = (self.random.vector(10.0 * e), self.random.vector(10.0 * e));
        self.model.add_body(body.moving(velocity.into()).spinning(spin.into()))
    }

    pub fn planar(&mut self, name: &str, at: [f64; 2], angle: f64) -> BodyId {
        let e = self.error;
        self.poses.push((Vec3::new(at[0], at[1], 0.0), Quat::from_axis_angle(&Vec3::z_axis(), angle)));
        let d = self.random.vector(e);
        let w = self.random.vector(10.0 * e);
        let body = Body::planar(name, 2.0, 0.05).at([at[0] + d.x, at[1] + d.y, 0.0]).turned(angle + d.z);
        self.model.add_body(body.moving([w.x, w.y, 0.0]).spinning([0.0, 0.0, w.z]))
    }

    /// A marker at a world point with a world orientation, when the body is where it belongs.
    pub fn marker(&mut self, body: BodyId, point: [f64; 3], orientation: Quat) -> MarkerId {
        let (r, q) = self.poses[body.index()];
        let inverse = q.inverse();
        self.model.add_marker(Marker::on(body).at((inverse * (Vec3::from(point) - r)).into()).oriented(inverse * orientation))
    }

    /// A joint at a world point, its axes given by a world orientation.
    pub fn joint(&mut self, name: &str, kind: impl JointType + 'static, i: BodyId, j: BodyId, point: [f64; 3], axes: Quat) -> JointId {
        let (i, j) = (self.marker(i, point, axes), self.marker(j, point, axes));
        self.model.add_joint(Joint::new(name, kind, i, j))
    }

    pub fn system(&self) -> System {
        System::new(&self.model).unwrap()
    }
}

pub use cardan::constraints::{JointId, JointType};

/// Rotation that takes z to a world direction.
pub fn z_to(direction: [f64; 3]) -> Quat {
    Marker::on(BodyId::GROUND).z_along(direction).orientation
}

pub fn dense_gradient(system: &System, x: &State) -> DMatrix<f64> {
    let rows = system.gradient(x, &mut Work::new(system));
    let mut g = DMatrix::zeros(system.rows(), system.nv());
    for (r, row) in rows.rows.iter().enumerate() {
        for (b, values) in row {
            for (k, column) in system.block_velocities(*b).enumerate() {
                g[(r, column)] = values[k];
            }
        }
    }
    g
}

/// Largest residual of the constraints at position, velocity and acceleration level, and of the equations of motion.
pub fn residuals(system: &System, x: &State) -> [f64; 4] {
    let mut work = Work::new(system);
    let mut at = system.evaluate(x, &mut work);
    let mut bias = vec![0.0; system.rows()];
    let (phi, phi_dot, mut force) = (largest(at.phi()), largest(at.phi_dot()), at.f().to_vec());
    system.add_mass_times(&x.q, &x.a, 1.0, &mut force);
    at.acceleration_bias(&mut bias);
    let acceleration = dense_or_sparse_product(system, x, &bias);
    [phi, phi_dot, acceleration, largest(&force)]
}

fn dense_or_sparse_product(system: &System, x: &State, bias: &[f64]) -> f64 {
    let rows = system.gradient(x, &mut Work::new(system));
    let product = |row: &Vec<(usize, [f64; 6])>| -> f64 {
        row.iter().map(|(b, g)| x.a[system.block_velocities(*b)].iter().zip(g).map(|(a, g)| a * g).sum::<f64>()).sum()
    };
    rows.rows.iter().zip(bias).fold(0.0, |m: f64, (row, b)| m.max((product(row) + b).abs()))
}

pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// A four-bar linkage in the xy plane with ground pins at (0, 0) and `d` along x; the points are the moving pins.
pub fn four_bar_rigid(a: [f64; 2], b: [f64; 2], d: f64, error: f64) -> Rig {
    let mut rig = Rig::new("four-bar").off_by(error, 11);
    rig.model.set_gravity([0.0, -9.81, 0.0]);
    let points = [[0.0, 0.0], a, b, [d, 0.0]];
    let names = ["crank", "coupler", "rocker"];
    let links: Vec<BodyId> = (0..3)
        .map(|k| {
            let (p, q) = (points[k], points[k + 1]);
            let middle = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.0];
            rig.rigid(names[k], middle, Quat::from_axis_angle(&Vec3::z_axis(), (q[1] - p[1]).atan2(q[0] - p[0])))
        })
        .collect();
    let chain = [BodyId::GROUND, links[0], links[1], links[2], BodyId::GROUND];
    for (k, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
        rig.joint(name, Revolute, chain[k + 1], chain[k], [points[k][0], points[k][1], 0.0], Quat::identity());
    }
    rig
}

/// The same with planar bodies.
pub fn four_bar_planar(a: [f64; 2], b: [f64; 2], d: f64, error: f64) -> Rig {
    let mut rig = Rig::new("planar four-bar").off_by(error, 12);
    rig.model.set_gravity([0.0, -9.81, 0.0]);
    let points = [[0.0, 0.0], a, b, [d, 0.0]];
    let mut links = vec![BodyId::GROUND];
    for (k, name) in ["crank", "coupler", "rocker"].into_iter().enumerate() {
        let (p, q) = (points[k], points[k + 1]);
        links.push(rig.planar(name, [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])], (q[1] - p[1]).atan2(q[0] - p[0])));
    }
    links.push(BodyId::GROUND);
    for (k, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
        rig.joint(name, Revolute, links[k + 1], links[k], [points[k][0], points[k][1], 0.0], Quat::identity());
    }
    rig
}

/// A door on two hinges along y, 2 m apart, its centre of mass 0.5 m from the axis.
pub fn door(error: f64) -> Rig {
    let mut rig = Rig::new("door").off_by(error, 5);
    rig.model.set_gravity([0.0, -9.81, 0.0]);
    let door = rig.rigid("door", [0.5, 1.0, 0.0], Quat::identity());
    rig.joint("lower hinge", Revolute, door, BodyId::GROUND, [0.0, 0.0, 0.0], z_to([0.0, 1.0, 0.0]));
    rig.joint("upper hinge", Revolute, door, BodyId::GROUND, [0.0, 2.0, 0.0], z_to([0.0, 1.0, 0.0]));
    rig
}
