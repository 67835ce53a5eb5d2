//! Random spatial mechanisms: bodies thrown into space, joints put where they are satisfied.

use cardan::bodies::{BodyId, MarkerId};
use cardan::constraints::joints::JointType;
use cardan::forces::Relative;
use cardan::math::random::Random;
use cardan::prelude::*;
use std::sync::Arc;

/// A mechanism under construction: bodies with known poses, joints placed where they are satisfied.
pub struct Builder {
    pub model: Model,
    pub random: Random,
    poses: Vec<(Vec3, Quat)>,
}

impl Builder {
    pub fn new(seed: u64) -> Self {
        let mut model = Model::new("random mechanism");
        model.set_gravity([0.3, -2.0, -9.5]);
        Self { model, random: Random::new(seed), poses: vec![(Vec3::zeros(), Quat::identity())] }
    }

    pub fn body(&mut self) -> BodyId {
        let r = &mut self.random;
        let (p, q) = (r.vector(1.0), r.rotation());
        let (v, w) = (r.vector(1.0), r.vector(3.0));
        let size = [r.range(0.3, 0.6), r.range(0.3, 0.6), r.range(0.3, 0.6)];
        let mass = r.range(0.5, 2.0);
        let inertia = Inertia::cuboid(mass, size[0], size[1], size[2]).in_axes(r.rotation());
        let name = format!("body {}", self.poses.len());
        self.poses.push((p, q));
        self.model.add_body(Body::rigid(&name, mass, inertia).at(p.into()).oriented(q).moving(v.into()).spinning(w.into()))
    }

    /// A marker on a body at a pose given in the world.
    fn marker(&mut self, body: BodyId, p: Vec3, q: Quat) -> MarkerId {
        let (origin, turn) = self.poses[body.index()];
        self.model.add_marker(Marker::on(body).at((turn.inverse() * (p - origin)).into()).oriented(turn.inverse() * q))
    }

    /// Two markers at one random pose between two bodies; marker i is moved and turned against j.
    pub fn markers(&mut self, a: BodyId, b: BodyId, shift: Vec3, turn: f64) -> [MarkerId; 2] {
        let middle = (self.poses[a.index()].0 + self.poses[b.index()].0) * 0.5;
        let (p, q) = (middle + self.random.vector(0.3), self.random.rotation());
        let z = Quat::from_axis_angle(&Vec3::z_axis(), turn);
        [self.marker(a, p + q * shift, q * z), self.marker(b, p, q)]
    }

    pub fn joint(&mut self, name: &str, kind: Arc<dyn JointType>, a: BodyId, b: BodyId) -> JointId {
        let (shift, turn) = match kind.name() {
            "rod" => (Vec3::new(0.48, 0.0, 0.64), 0.0),
            "angle" => (Vec3::zeros(), 0.3),
            _ => (Vec3::zeros(), 0.0),
        };
        let [i, j] = self.markers(a, b, shift, turn);
        self.model.add_joint(Joint { name: name.into(), kind, i, j })
    }

    /// A spring-damper, a bushing and a force that changes with time.
    pub fn forces(&mut self, a: BodyId, b: BodyId) {
        let [i, j] = self.passive_forces(a, b);
        let wind = |k: &Relative| k.velocity.map(|v| v * -0.1 + (k.time * 5.0).sin());
        self.model.add_force(VectorForce::new("wind", i, j, wind));
    }

    /// A spring-damper and a bushing.
    pub fn passive_forces(&mut self, a: BodyId, b: BodyId) -> [MarkerId; 2] {
        let [i, j] = self.markers(a, b, Vec3::new(0.2, 0.3, -0.1), 0.4);
        self.model.add_force(SpringDamper::new("spring", i, j).stiffness(40.0).damping(0.5).free_length(0.3));
        self.model.add_force(
            Bushing::new("bushing", i, j)
                .diagonal_stiffness([5.0, 8.0, 9.0, 2.0, 1.0, 3.0])
                .diagonal_damping([0.1, 0.2, 0.1, 0.02, 0.03, 0.01]),
        );
        [i, j]
    }
}
