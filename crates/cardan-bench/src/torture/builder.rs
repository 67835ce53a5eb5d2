//! A random mechanism under construction: bodies at known poses, joints placed where they are satisfied, loads as texts of expressions,
//! so that every mechanism can be written to a model file.
//!
//! Sizes follow from one length L: masses from a density and L³, times from √(L/g), forces from m g. The times at which a load or a
//! motion has a break are noted, since reference runs end steps there.

use super::Mechanism;
use cardan::constraints::{JointId, joints::JointType};
use cardan::math::random::Random;
use cardan::prelude::*;
use std::f64::consts::TAU;

/// Where bodies move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// In the xy plane, three coordinates a body.
    Plane,
    /// In space.
    Space,
}

/// A joint that is there, with its markers' names.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The joint.
    pub id: JointId,
    /// Its name.
    pub name: String,
    /// Marker i, by name.
    pub i: String,
    /// Marker j, by name.
    pub j: String,
    /// Their handles.
    pub markers: [MarkerId; 2],
    /// What it leaves free.
    pub free: &'static [Coordinate],
}

/// A mechanism under construction.
pub struct Builder {
    /// The model so far.
    pub model: Model,
    /// The source of all choices.
    pub random: Random,
    /// L, m.
    pub size: f64,
    /// Acceleration of gravity, m/s²; sets the scale of times and forces even where there is none.
    pub g: f64,
    /// Mass of a usual body, kg.
    pub mass: f64,
    /// End of the run, s.
    pub t_end: f64,
    /// Where bodies move.
    pub room: Room,
    /// The largest angular velocity to be expected, rad/s.
    pub fastest: f64,
    /// Joints that are there.
    pub joints: Vec<Placed>,
    /// Bodies with their masses.
    pub bodies: Vec<(BodyId, f64)>,
    breaks: Vec<f64>,
    poses: Vec<(Vec3, Quat)>,
    pub(super) nudge: f64,
    names: usize,
}

impl Builder {
    /// The mechanism of this seed. `nudge` changes initial velocities, gravity and functions of time by this part of their usual sizes.
    pub fn new(seed: u64, nudge: f64) -> Self {
        let mut random = Random::new(seed);
        let size = match random.bits() % 5 {
            0 => 10f64.powf(random.range(-3.0, -1.5)),
            1 => 10f64.powf(random.range(0.0, 1.0)),
            _ => random.range(0.1, 1.0),
        };
        let room = if random.bits().is_multiple_of(3) { Room::Plane } else { Room::Space };
        let g = 9.81;
        let period = TAU * (size / g).sqrt();
        let t_end = period * random.range(0.7, 2.5);
        let mass = random.range(100.0, 2000.0) * size.powi(3);
        let mut model = Model::new(&format!("torture-{seed}"));
        if !random.bits().is_multiple_of(6) {
            let direction = match room {
                Room::Plane => [0.0, -1.0, 0.0],
                Room::Space => [0.1, 0.2, -0.97],
            };
            model.set_gravity(direction.map(|d| d * g * (1.0 + nudge)));
        }
        Self {
            model,
            random,
            size,
            g,
            mass,
            t_end,
            room,
            fastest: TAU / period,
            joints: Vec::new(),
            bodies: Vec::new(),
            breaks: Vec::new(),
            poses: vec![(Vec3::zeros(), Quat::identity())],
            nudge,
            names: 0,
        }
    }

    /// What was built.
    pub fn finish(mut self, seed: u64, family: &'static str) -> Mechanism {
        let samples = [20, 60, 200][(self.random.bits() % 3) as usize];
        self.breaks.retain(|t| *t > 0.0 && *t < self.t_end);
        Mechanism { seed, family, model: self.model, t_end: self.t_end, samples, breaks: self.breaks, fastest: self.fastest }
    }

    /// In space, whatever the seed says.
    pub fn in_space(&mut self) {
        self.room = Room::Space;
        self.model.set_gravity([0.0, 0.0, -self.g * (1.0 + self.nudge)]);
    }

    /// By which part velocities, gravity and loads are changed.
    pub fn nudge(&self) -> f64 {
        self.nudge
    }

    /// A choice from a list.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.random.bits() % from.len() as u64) as usize]
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.random.bits().is_multiple_of(n)
    }

    /// A number spread evenly over its decades.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.random.range(low.log10(), high.log10()))
    }

    /// A name that no other element has.
    pub fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// 1/s: the rate of a pendulum of this size.
    pub fn rate(&self) -> f64 {
        (self.g / self.size).sqrt()
    }

    /// m/s: the speed of a fall by L.
    pub fn speed(&self) -> f64 {
        (self.g * self.size).sqrt()
    }

    /// A load or a motion has a break at this time.
    pub fn break_at(&mut self, t: f64) {
        self.breaks.push(t);
    }

    /// A body of a mass `share` of the usual one, somewhere, at this position, with this linear and angular speed in usual units.
    pub fn body(&mut self, share: f64, position: Vec3, linear: f64, angular: f64) -> BodyId {
        let (mass, l) = (self.mass * share, self.size);
        let name = self.name("body");
        let r = &mut self.random;
        let sides = [r.range(0.3, 1.0) * l, r.range(0.3, 1.0) * l, r.range(0.3, 1.0) * l];
        let (turn, angle) = (r.rotation(), r.range(-3.0, 3.0));
        let (v, w) = (r.vector(1.0), r.vector(1.0));
        let (speed, rate) = (self.speed(), self.rate());
        let nudged = |x: Vec3, size: f64, unit: f64| -> [f64; 3] {
            (x * size * unit + Vec3::new(1.0, -0.7, 0.4) * self.nudge * size.max(1.0) * unit).into()
        };
        let (v, w) = (nudged(v, linear, speed), nudged(w, angular, rate));
        let (body, attitude) = match self.room {
            Room::Plane => {
                let inertia = mass * (sides[0] * sides[0] + sides[1] * sides[1]) / 12.0;
                let at = Vec3::new(position.x, position.y, 0.0);
                let body = Body::planar(&name, mass, inertia).at(at.into()).turned(angle);
                (body, Quat::from_axis_angle(&Vec3::z_axis(), angle))
            }
            Room::Space => {
                let inertia = Inertia::cuboid(mass, sides[0], sides[1], sides[2]);
                (Body::rigid(&name, mass, inertia).at(position.into()).oriented(turn), turn)
            }
        };
        self.poses.push((body.position, attitude));
        self.fastest = self.fastest.max(angular * rate);
        let id = self.model.add_body(body.moving(v).spinning(w));
        self.bodies.push((id, mass));
        id
    }

    /// A body as it is given; `nudge` is added to its velocities.
    pub fn given(&mut self, body: Body, mass: f64) -> BodyId {
        let (push, turn) = (self.nudge * self.speed(), self.nudge * self.rate());
        let spin = body.angular_velocity.norm();
        let attitude = match self.room {
            Room::Plane => Quat::from_axis_angle(&Vec3::z_axis(), body.angle),
            Room::Space => body.orientation,
        };
        self.poses.push((body.position, attitude));
        let (v, w) = (body.velocity + Vec3::new(push, push, push), body.angular_velocity * (1.0 + self.nudge) + Vec3::new(0.0, 0.0, turn));
        self.fastest = self.fastest.max(spin);
        let id = self.model.add_body(body.moving(v.into()).spinning(w.into()));
        self.bodies.push((id, mass));
        id
    }

    /// A body of the room with this mass, its inertia that of a cube of edge `edge`.
    pub fn cube(&mut self, mass: f64, edge: f64) -> Body {
        let name = self.name("body");
        match self.room {
            Room::Plane => Body::planar(&name, mass, mass * edge * edge / 6.0),
            Room::Space => Body::rigid(&name, mass, Inertia::cuboid(mass, edge, edge, edge)),
        }
    }

    /// Where a body is.
    pub fn position(&self, body: BodyId) -> Vec3 {
        self.poses[body.index()].0
    }

    /// A marker on a body at a pose given in the world; its handle and its name.
    pub fn marker(&mut self, body: BodyId, p: Vec3, q: Quat) -> (MarkerId, String) {
        let (origin, turn) = self.poses[body.index()];
        let name = self.name("m");
        let marker = Marker::on(body).at((turn.inverse() * (p - origin)).into()).oriented(turn.inverse() * q);
        (self.model.add_marker(marker.named(&name)), name)
    }

    /// A marker on a body, turned as the body is.
    pub fn marker_of(&mut self, body: BodyId, p: Vec3) -> (MarkerId, String) {
        let turn = self.poses[body.index()].1;
        self.marker(body, p, turn)
    }

    /// Some attitude with which joints of the room are possible: in the plane, axes are along z or in the plane.
    pub fn attitude(&mut self, kind: &dyn JointType) -> Quat {
        match (self.room, kind.name()) {
            (Room::Space, _) => self.random.rotation(),
            (Room::Plane, "translational") => {
                let tilt = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
                Quat::from_axis_angle(&Vec3::z_axis(), self.random.range(-3.0, 3.0)) * tilt
            }
            (Room::Plane, _) => Quat::identity(),
        }
    }

    /// A joint between two bodies at this point.
    pub fn joint(&mut self, kind: impl JointType + Clone + 'static, a: BodyId, b: BodyId, at: Vec3) -> usize {
        let q = self.attitude(&kind);
        self.joint_along(kind, a, b, at, q)
    }

    /// A joint with axes turned like this; its place in `joints`.
    pub fn joint_along(&mut self, kind: impl JointType + Clone + 'static, a: BodyId, b: BodyId, at: Vec3, q: Quat) -> usize {
        let at = if self.room == Room::Plane { Vec3::new(at.x, at.y, 0.0) } else { at };
        let ((i, i_name), (j, j_name)) = (self.marker(a, at, q), self.marker(b, at, q));
        let (name, free) = (self.name("joint"), kind.coordinates());
        let id = self.model.add_joint(Joint::new(&name, kind, i, j));
        if free.contains(&Coordinate::Rotation) && self.joints.len() < 8 {
            let sensor = self.name("angle");
            self.model.add_sensor(Sensor::new(&sensor, format!("AZ({i_name}, {j_name})")));
        }
        self.joints.push(Placed { id, name, i: i_name, j: j_name, markers: [i, j], free });
        self.joints.len() - 1
    }

    /// Markers of two bodies near each other: at `at` and `shift` away from it.
    pub fn pair(&mut self, a: BodyId, b: BodyId, at: Vec3, shift: Vec3) -> [(MarkerId, String); 2] {
        [self.marker(a, at + shift, Quat::identity()), self.marker(b, at, Quat::identity())]
    }
}

/// A number as expressions read it, to the last digit.
pub fn number(x: f64) -> String {
    if x < 0.0 { format!("({x:e})") } else { format!("{x:e}") }
}
