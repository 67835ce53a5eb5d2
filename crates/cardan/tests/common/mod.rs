//! Random two-body fixtures: every element between every pair of body kinds, with random markers, at random states.

#![allow(dead_code, reason = "every test program uses a part")]

pub mod cases;
pub mod differences;
pub mod flexible;

use cardan::math::random::Random;
use cardan::model::ModelError;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// What carries a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Ground,
    Point2,
    Point3,
    Planar,
    Rigid,
    /// A rigid body with this many elastic coordinates that move nothing.
    Dummy(usize),
    /// A flexible body whose mass matrix depends on its coordinates.
    Lumped,
}

impl Side {
    /// Whether the body may tilt.
    fn tilts(self) -> bool {
        matches!(self, Side::Rigid | Side::Dummy(_) | Side::Lumped)
    }
}

/// How markers are turned on their bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// z along the world's z, turned about it at random.
    Vertical,
    /// z in the world's xy plane, in a random direction; all markers share one roll about z.
    InPlane,
    /// Any position, any attitude.
    Any,
}

/// All pairs but ground on ground, each with the styles that can hold for it.
pub fn pairs() -> Vec<([Side; 2], Style)> {
    let all = [Side::Ground, Side::Point2, Side::Point3, Side::Planar, Side::Rigid];
    let mut out = Vec::new();
    for i in all {
        for j in all {
            match (i.tilts() || j.tilts(), i == Side::Ground && j == Side::Ground) {
                (_, true) => {}
                (true, _) => out.push(([i, j], Style::Any)),
                (false, _) => out.extend([([i, j], Style::Vertical), ([i, j], Style::InPlane)]),
            }
        }
    }
    out
}

/// Pairs of flexible bodies with themselves and with other kinds.
pub fn flexible_pairs() -> Vec<([Side; 2], Style)> {
    let mut out = Vec::new();
    for side in [Side::Dummy(0), Side::Dummy(3), Side::Lumped] {
        out.push(([side; 2], Style::Any));
        for other in [Side::Ground, Side::Point3, Side::Planar, Side::Rigid] {
            out.extend([([side, other], Style::Any), ([other, side], Style::Any)]);
        }
    }
    out.push(([Side::Dummy(3), Side::Lumped], Style::Any));
    out
}

/// Makes random bodies and markers of one style.
pub struct Site {
    pub random: Random,
    pub style: Style,
    roll: f64,
}

impl Site {
    pub fn new(seed: u64, style: Style) -> Self {
        let mut random = Random::new(seed);
        let roll = random.range(-3.0, 3.0);
        Self { random, style, roll }
    }

    pub fn body(&mut self, model: &mut Model, name: &str, side: Side) -> BodyId {
        let r = &mut self.random;
        let (place, velocity) = (r.vector(1.0), r.vector(1.0));
        let flat = [place.x, place.y, 0.0];
        let body = match side {
            Side::Ground => return BodyId::GROUND,
            Side::Point2 => Body::point_2d(name, r.range(0.5, 2.0)).at(flat),
            Side::Point3 => Body::point(name, r.range(0.5, 2.0)).at(place.into()),
            Side::Planar => Body::planar(name, r.range(0.5, 2.0), r.range(0.2, 0.9)).at(flat).turned(r.range(-9.0, 9.0)),
            Side::Rigid => {
                let mass = r.range(0.5, 2.0);
                let inertia = Inertia::cuboid(mass, 0.9, 1.4, 1.1).in_axes(r.rotation()).with_center_of_mass(r.vector(0.4).into());
                Body::rigid(name, mass, inertia).at(place.into()).oriented(r.rotation()).spinning(r.vector(1.0).into())
            }
            Side::Dummy(modes) => {
                let mass = r.range(0.5, 2.0);
                let inertia = Inertia::cuboid(mass, 0.9, 1.4, 1.1).in_axes(r.rotation()).with_center_of_mass(r.vector(0.4).into());
                Body::flexible(name, flexible::Dummy::new(mass, inertia, modes)).at(place.into()).oriented(r.rotation())
            }
            Side::Lumped => Body::flexible(name, flexible::Lumped::random(r)).at(place.into()).oriented(r.rotation()),
        };
        model.add_body(body.moving(velocity.into()))
    }

    pub fn marker(&mut self, model: &mut Model, body: BodyId) -> MarkerId {
        let place = self.random.vector(0.6);
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), self.random.range(-3.0, 3.0));
        let roll = Quat::from_axis_angle(&Vec3::z_axis(), self.roll);
        let (place, orientation) = match self.style {
            Style::Vertical => ([place.x, place.y, 0.0], turn),
            Style::InPlane => ([place.x, place.y, 0.0], turn * Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2) * roll),
            Style::Any => (place.into(), self.random.rotation()),
        };
        model.add_marker(Marker::on(body).at(place).oriented(orientation))
    }

    /// A marker of another style.
    pub fn marker_of(&mut self, model: &mut Model, body: BodyId, style: Style) -> MarkerId {
        let own = std::mem::replace(&mut self.style, style);
        let marker = self.marker(model, body);
        self.style = own;
        marker
    }
}

/// One element between one pair of bodies, compiled.
pub struct Fixture {
    pub label: String,
    pub case: &'static str,
    pub sides: [Side; 2],
    pub style: Style,
    pub system: System,
    pub random: Random,
}

/// Compiles one case; `None` where the element cannot act on the pair.
pub fn fixture(case: &cases::Case, sides: [Side; 2], style: Style, seed: u64) -> Option<Fixture> {
    let label = format!("{} on {sides:?} {style:?}", case.name);
    let mut model = Model::new(&label);
    model.set_gravity([0.7, -9.0, 1.3]);
    let mut site = Site::new(seed, style);
    let bodies = [site.body(&mut model, "first", sides[0]), site.body(&mut model, "second", sides[1])];
    (case.add)(&mut model, &mut site, bodies);
    match System::new(&model) {
        Ok(system) => Some(Fixture { label, case: case.name, sides, style, system, random: site.random }),
        Err(ModelError::ActsOnNothing { .. } | ModelError::NeverMet { .. }) => None,
        Err(error) => panic!("{label}: {error}"),
    }
}

/// Every case on every pair it can act on, three times over with other markers and states; once with flexible bodies.
pub fn fixtures() -> impl Iterator<Item = Fixture> {
    cases::cases().into_iter().enumerate().flat_map(|(k, case)| {
        let rounds = (0..3).flat_map(|round| pairs().into_iter().enumerate().map(move |(n, pair)| (1000 * round + n, pair)));
        let flexible = flexible_pairs().into_iter().enumerate().map(|(n, pair)| (5000 + n, pair));
        rounds.chain(flexible).filter_map(move |(n, (sides, style))| fixture(&case, sides, style, (10_000 * k + n) as u64))
    })
}

/// A vector with entries in [−size, size).
pub fn random_vector(random: &mut Random, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| random.range(-size, size)).collect()
}

/// A state with everything drawn independently, its turns remembered.
pub fn random_state(system: &System, random: &mut Random) -> State {
    let mut x = system.initial().clone();
    let delta = random_vector(random, system.nv(), 0.8);
    system.retract(&system.initial().q, &delta, &mut x.q);
    x.t = random.range(0.2, 1.5);
    x.v = random_vector(random, system.nv(), 1.0);
    x.a = random_vector(random, system.nv(), 1.0);
    x.lambda = random_vector(random, system.rows(), 2.0);
    x.x = random_vector(random, system.nx(), 1.0);
    x.x_dot = random_vector(random, system.nx(), 1.0);
    let mut work = cardan::system::Work::new(system);
    system.remember(&mut x, &mut work);
    x
}
