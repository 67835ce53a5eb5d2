//! Joints and forces in flat arrays against the same evaluated row by row and marker by marker: residual, rates, accelerations and tangent are the
//! same.
//!
//! A twin of a joint writes each of its rows as the sum of two halves, which is no longer a row that the flat arrays take; a twin of a force is
//! one between a pair of markers that might come and go.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::constraints::joints::{JointType, all};
use cardan::constraints::{Axes, Coordinate, Row};
use cardan::contact::Grid;
use cardan::forces::{Beam, Force, ForceLaw, Pair, PairForce, PairLaw, Tangent};
use cardan::math::Vec6;
use cardan::math::random::Random;
use cardan::measures::Context;
use cardan::model::ModelError;
use cardan::prelude::*;
use cardan::system::{Jacobian, Placement, Weights, Work};
use common::cases;
use common::differences::assert_close;
use common::{random_state, random_vector};
use std::sync::Arc;

const TOLERANCE: f64 = 1e-13;

#[derive(Debug)]
struct Halved(Arc<dyn JointType>);

impl JointType for Halved {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn summary(&self) -> &'static str {
        self.0.summary()
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        let mut rows = self.0.rows(axes);
        for row in &mut rows {
            // Angles count turns, each in its own memory; they are not for flat arrays anyway.
            if row.terms.iter().all(|t| t.measure.slot().is_none()) {
                row.terms = row.terms.iter().flat_map(|t| [t.clone(), t.clone()]).collect();
                row.terms.iter_mut().for_each(|t| t.coefficient *= 0.5);
            }
        }
        rows
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        self.0.coordinates()
    }
}

/// A force that is evaluated from its markers.
#[derive(Debug)]
struct Paired(Force, [MarkerId; 2]);

impl PairLaw for Paired {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn markers(&self) -> &[MarkerId] {
        &self.1
    }
    fn acting(&self, _: &Context, _: &mut Grid, out: &mut Vec<Pair>) {
        out.push([0, 1]);
    }
    fn wrench(&self, _: Pair, ctx: &Context) -> [Vec6; 2] {
        self.0.wrench(ctx)
    }
    fn wrench_and_tangent(&self, _: Pair, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        self.0.wrench_and_tangent(ctx, out)
    }
}

/// Two models that differ in how their joints and forces are written.
struct Twins {
    models: [Model; 2],
    random: Random,
    bodies: Vec<BodyId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Room {
    Space,
    Plane,
}

impl Twins {
    fn new(room: Room, bodies: usize, seed: u64) -> Self {
        let mut model = Model::new("twins");
        let mut random = Random::new(seed);
        model.set_gravity(random.vector(9.0).into());
        let mut list = vec![BodyId::GROUND];
        for k in 0..bodies {
            let name = format!("body {k}");
            list.push(model.add_body(match room {
                Room::Plane => Body::planar(&name, random.range(0.5, 2.0), random.range(0.5, 2.0)).turned(random.range(-3.0, 3.0)),
                Room::Space => {
                    let inertia = Inertia::cuboid(2.0, 0.5, 0.7, 0.9).in_axes(random.rotation());
                    Body::rigid(&name, 2.0, inertia.with_center_of_mass(random.vector(0.3).into())).oriented(random.rotation())
                }
            }));
        }
        Self { models: [model.clone(), model], random, bodies: list }
    }

    /// A marker anywhere; in the plane its z axis is along the normal or in the plane.
    fn marker(&mut self, room: Room, axis: usize, body: BodyId) -> MarkerId {
        let p = self.random.vector(1.0);
        let turn = self.random.rotation();
        let (height, angle) = (if room == Room::Plane { 0.4 } else { p.z }, self.random.range(-3.0, 3.0));
        let mut marker = Marker::on(body).at([p.x, p.y, height]);
        let about_z = Quat::from_axis_angle(&Vec3::z_axis(), angle);
        marker.orientation = match (room, axis) {
            (Room::Space, _) => turn,
            (Room::Plane, 0) => about_z,
            (Room::Plane, _) => about_z * Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2),
        };
        self.models[1].add_marker(marker.clone());
        self.models[0].add_marker(marker)
    }

    fn joint(&mut self, room: Room, axis: usize, kind: &Arc<dyn JointType>, [i, j]: [usize; 2]) -> (JointId, [MarkerId; 2]) {
        let (i, j) = (self.marker(room, axis, self.bodies[i]), self.marker(room, axis, self.bodies[j]));
        let name = format!("joint {}", self.models[0].joints().len());
        self.models[1].add_joint(Joint::new(&name, Halved(kind.clone()), i, j));
        (self.models[0].add_joint(Joint { name, kind: kind.clone(), i, j }), [i, j])
    }

    /// A bushing, a beam and a spring-damper between two bodies.
    fn forces(&mut self, room: Room, [i, j]: [usize; 2]) {
        let (i, j) = (self.marker(room, 0, self.bodies[i]), self.marker(room, 0, self.bodies[j]));
        let (k, c) = (cases::definite(&mut self.random), cases::definite(&mut self.random));
        let bushing =
            Bushing::new("bushing", i, j).stiffness(k).damping(c).preload([0.3, -0.2, 0.5], [0.1, 0.6, -0.4]).offset([0.2, -0.1, 0.3]);
        let beam = Beam::new("beam", i, j, 0.9, cases::soft_section()).damping_ratio(0.3);
        let spring = SpringDamper::new("spring", i, j).stiffness(3.0).damping(0.5).free_length(0.3);
        for force in [Force::from(bushing), beam.into(), spring.into()] {
            self.models[1].add_force(PairForce::new(Paired(force.clone(), [i, j])));
            match force {
                Force::Bushing(force) => self.models[0].add_force(force),
                Force::Beam(force) => self.models[0].add_force(force),
                Force::SpringDamper(force) => self.models[0].add_force(force),
                _ => unreachable!(),
            }
        }
    }

    /// Compares both systems at three states, on jacobians that are used again.
    fn compare(&mut self, label: &str) -> Result<(), ModelError> {
        let (flat, by_rows) = (System::new(&self.models[0])?, System::new(&self.models[1])?);
        let mut jacobians = [Jacobian::new(&flat), Jacobian::new(&by_rows)];
        for round in 0..3 {
            let x = random_state(&flat, &mut self.random);
            let increment = random_vector(&mut self.random, flat.nv(), 0.9);
            let regularization = random_vector(&mut self.random, if round == 1 { flat.rows() } else { 0 }, 0.5);
            let with_motion = Weights {
                velocity: 0.7,
                position: 0.4,
                placed: Some(Placement::by(Chart::Exponential, &increment)),
                ..Weights::accelerations(&regularization)
            };
            for w in [with_motion, Weights::mass_only(&regularization)] {
                let sides = [(&flat, 0), (&by_rows, 1)].map(|(system, k)| everything(system, &x, &w, &mut jacobians[k]));
                for (what, (a, b)) in ["f", "Φ", "Φ̇", "bias", "matrix"].iter().zip(sides[0].iter().zip(&sides[1])) {
                    assert_close(a, b, TOLERANCE, &format!("{label}, {what}, mass {}", w.position == 0.0));
                }
            }
        }
        Ok(())
    }
}

fn everything(system: &System, x: &State, w: &Weights, jacobian: &mut Jacobian) -> [Vec<f64>; 5] {
    let mut work = Work::new(system);
    let mut bias = vec![0.0; system.rows()];
    let mut at = system.evaluate(x, &mut work);
    at.acceleration_bias(&mut bias);
    at.tangent(w, jacobian);
    let n = system.unknowns();
    let mut dense = vec![0.0; n * n];
    jacobian.matrix().to_dense(&mut dense);
    [at.f().to_vec(), at.phi().to_vec(), at.phi_dot().to_vec(), bias, dense]
}

#[test]
fn every_joint_is_the_same_row_by_row() {
    let mut compared = 0;
    for (k, kind) in all().iter().enumerate() {
        for (room, axis) in [(Room::Space, 0), (Room::Plane, 0), (Room::Plane, 1)] {
            for (n, pair) in [[1, 2], [1, 0], [0, 1]].into_iter().enumerate() {
                let mut twins = Twins::new(room, 2, (100 * k + 10 * n + axis) as u64);
                twins.joint(room, axis, kind, pair);
                compared += usize::from(twins.compare(&format!("{} between {pair:?}, axis {axis}", kind.name())).is_ok());
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_force_is_the_same_marker_by_marker() {
    for room in [Room::Space, Room::Plane] {
        for (n, pair) in [[1, 2], [1, 0], [0, 1], [1, 3], [3, 2], [3, 0]].into_iter().enumerate() {
            let mut twins = Twins::new(room, 2, 500 + n as u64);
            let point = if room == Room::Space { Body::point("point", 0.7) } else { Body::point_2d("point", 0.7) };
            twins.bodies.extend(twins.models.each_mut().map(|model| model.add_body(point.clone())).first());
            twins.forces(room, pair);
            twins.compare(&format!("forces between {pair:?}")).unwrap();
        }
    }
}

/// Joints and forces that share bodies add up, also where two of them write the same blocks.
#[test]
fn whole_mechanisms_are_the_same_row_by_row() {
    for (room, axis) in [(Room::Space, 0), (Room::Plane, 0), (Room::Plane, 1)] {
        let mut twins = Twins::new(room, 4, 7 + axis as u64);
        let fits = |kind: &Arc<dyn JointType>| {
            let mut probe = Twins::new(room, 2, 1);
            probe.joint(room, axis, kind, [1, 2]);
            System::new(&probe.models[0]).is_ok()
        };
        for (k, kind) in all().iter().filter(|kind| fits(kind)).enumerate() {
            twins.joint(room, axis, kind, [[1, 2], [2, 1], [3, 2], [0, 3], [4, 0]][k % 5]);
        }
        let revolute: Arc<dyn JointType> = Arc::new(Revolute);
        let (hinge, [i, j]) = twins.joint(room, 0, &revolute, [2, 4]);
        for model in &mut twins.models {
            model.add_force(SpringDamper::new("spring", i, j).stiffness(3.0).damping(0.5).free_length(0.3));
            model.add_force(JointFriction::pin("friction", hinge, 0.2, 0.3, 0.25).transition_speed(1.0));
        }
        twins.compare("mechanism").unwrap();
    }
}

/// More bodies than are evaluated together, with joints in any order between any of them, and springs on some.
#[test]
fn large_mechanisms_are_the_same_in_any_order() {
    const BODIES: usize = 150;
    for (room, kind) in [(Room::Space, Arc::new(Revolute) as Arc<dyn JointType>), (Room::Plane, Arc::new(Revolute))] {
        let mut twins = Twins::new(room, BODIES, 11);
        let mut ends = Vec::new();
        for k in 0..BODIES {
            let far = (7 * k + 31) % (BODIES + 1);
            let near = (97 * k + 5) % BODIES + 1;
            if near != far {
                ends.push(twins.joint(room, 0, &kind, [near, far]).1);
            }
        }
        for model in &mut twins.models {
            for (k, [i, j]) in ends.iter().enumerate().step_by(40) {
                model.add_force(SpringDamper::new(&format!("spring {k}"), *i, *j).stiffness(3.0).damping(0.5).free_length(0.3));
            }
        }
        twins.compare("large mechanism").unwrap();
    }
}
