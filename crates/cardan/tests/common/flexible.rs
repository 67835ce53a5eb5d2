//! Kinds of flexible bodies for tests, which see of the engine what everybody sees.

use super::random_vector;
use cardan::bodies::{
    Attached, Attachment, BodyFrame, BodyMotion, Flexible, FlexibleBody, Kind, Map, MarkerMaps, ModeShapes, Rigid, Shape,
};
use cardan::math::random::Random;
use cardan::math::{Mat3, Mat6, Vec6, linear, stack};
use cardan::prelude::*;
use nalgebra::Matrix3xX;

/// A rigid body with elastic coordinates that move nothing: each has a mass and a stiffness of its own.
#[derive(Debug, Clone)]
pub struct Dummy {
    pub rigid: Rigid,
    pub modes: usize,
}

impl Dummy {
    /// Of this mass and inertia.
    pub fn new(mass: f64, inertia: Inertia, modes: usize) -> Self {
        Self { rigid: Rigid::new(mass, inertia), modes }
    }

    /// The mass and the stiffness of an elastic coordinate.
    pub fn oscillator(mode: usize) -> (f64, f64) {
        (0.7 + 0.2 * mode as f64, 30.0 + 20.0 * mode as f64)
    }

    /// Copies a block of the rigid body to that of all velocities.
    fn widen(&self, narrow: &[f64; 36], out: &mut [f64]) {
        let nv = 6 + self.modes;
        (0..36).for_each(|k| out[k / 6 * nv + k % 6] += narrow[k]);
    }
}

impl FlexibleBody for Dummy {
    fn kind_name(&self) -> &'static str {
        "rigid with dummy coordinates"
    }
    fn modes(&self) -> usize {
        self.modes
    }
    fn mass(&self) -> f64 {
        self.rigid.mass()
    }
    fn reference(&self) -> Vec3 {
        self.rigid.center_of_mass()
    }
    fn mode_shapes(&self, _: &Marker) -> Option<ModeShapes> {
        Some(ModeShapes { displacement: Matrix3xX::zeros(self.modes), rotation: Matrix3xX::zeros(self.modes) })
    }
    fn displacement(&self, _: usize) -> f64 {
        0.0
    }
    fn radius_of_gyration(&self) -> f64 {
        self.rigid.radius_of_gyration()
    }
    fn center(&self, _: &[f64]) -> Vec3 {
        Vec3::zeros()
    }
    fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        self.rigid.add_mass_times(q, &a[..6], scale, &mut out[..6]);
        (0..self.modes).for_each(|k| out[6 + k] += scale * Self::oscillator(k).0 * a[6 + k]);
    }
    fn add_weight(&self, _: &[f64], gravity: &Vec3, scale: f64, out: &mut [f64]) {
        (0..3).for_each(|k| out[k] += scale * self.mass() * gravity[k]);
    }
    fn add_mass(&self, q: &[f64], scale: f64, out: &mut [f64]) {
        let mut narrow = [0.0; 36];
        self.rigid.add_mass(q, scale, &mut narrow);
        self.widen(&narrow, out);
        (6..6 + self.modes).for_each(|k| out[k * (7 + self.modes)] += scale * Self::oscillator(k - 6).0);
    }
    fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        self.rigid.add_quadratic_forces(q, &v[..6], scale, &mut out[..6]);
    }
    fn add_inertia_tangent(&self, at: &BodyMotion, weights: [f64; 2], turn: &Mat3, out: &mut [f64]) {
        let mut narrow = [0.0; 36];
        self.rigid.add_inertia_tangent(at, weights, turn, &mut narrow);
        self.widen(&narrow, out);
    }
    fn add_elastic_forces(&self, q: &[f64], _: &[f64], scale: f64, out: &mut [f64]) {
        (0..self.modes).for_each(|k| out[6 + k] += scale * Self::oscillator(k).1 * q[7 + k]);
    }
    fn add_elastic_tangent(&self, _: &[f64], _: &[f64], [c_q, _]: [f64; 2], out: &mut [f64]) {
        (6..6 + self.modes).for_each(|k| out[k * (7 + self.modes)] += c_q * Self::oscillator(k - 6).1);
    }
    fn elastic_energy(&self, q: &[f64]) -> f64 {
        (0..self.modes).map(|k| 0.5 * Self::oscillator(k).1 * q[7 + k].powi(2)).sum()
    }
    fn dissipation(&self, _: &[f64], _: &[f64]) -> f64 {
        0.0
    }
}

/// Point masses m_i that elastic coordinates displace, about no particular frame: M depends on η and on the attitude, and
///
/// ```text
/// M = Σ m_i J_iᵀ J_i,     h = Σ m_i J_iᵀ J̇_i v,     ∂(M a + h)/∂q = Σ m_i (∂J_iᵀ/∂q ẍ_i + J_iᵀ ∂ẍ_i/∂q)
/// ```
#[derive(Debug, Clone)]
pub struct Lumped {
    points: Vec<(f64, Attachment)>,
    fields: Vec<[Mat3; 2]>,
    /// A body with the same velocities.
    like: Shape,
}

/// Number of elastic coordinates.
const MODES: usize = 2;
const STIFFNESS: f64 = 1.7;
const DAMPING: f64 = 0.4;

impl Lumped {
    /// Masses and shapes drawn at random; the reference point is the origin of the body frame.
    pub fn random(random: &mut Random) -> Self {
        let matrix = |random: &mut Random| Mat3::from_column_slice(&random_vector(random, 9, 0.5));
        let fields: Vec<[Mat3; 2]> = (0..MODES).map(|_| [matrix(random), matrix(random)]).collect();
        let point = |s: Vec3, mass: f64| (mass, Attachment::on_shapes(s, shapes(&fields, &s)));
        let points = (0..5).map(|_| point(random.vector(0.8), random.range(0.2, 0.6))).collect();
        let like = Shape::Flexible(Flexible::new(Dummy::new(1.0, Inertia::ball(1.0, 1.0), MODES)));
        Self { points, fields, like }
    }

    fn each(&self, q: &[f64], v: &[f64], mut visit: impl FnMut(f64, &Attached)) {
        let frame = BodyFrame::of(&self.like, q, v);
        for (mass, at) in &self.points {
            visit(*mass, &Attached { shape: &self.like, at, frame: &frame, deformed: &at.deformed(&self.like, q, v) });
        }
    }

    fn each_map(&self, q: &[f64], v: &[f64], mut visit: impl FnMut(f64, &Attached, &Map)) {
        let mut maps = MarkerMaps::zero();
        self.each(q, v, |mass, point| {
            maps.set(point, &Mat3::identity(), [0.0, 0.0]);
            visit(mass, point, &maps.j);
        });
    }
}

/// Shapes that vary over the body.
fn shapes(fields: &[[Mat3; 2]], s: &Vec3) -> ModeShapes {
    let column = |of: usize| fields.iter().map(|f| f[of] * (s + Vec3::new(0.3, -0.2, 0.5))).collect::<Vec<_>>();
    ModeShapes { displacement: Matrix3xX::from_columns(&column(0)), rotation: Matrix3xX::from_columns(&column(1)) }
}

fn force(f: Vec3) -> Vec6 {
    stack(f, Vec3::zeros())
}

fn only_masses(mass: f64) -> Mat6 {
    Mat6::from_diagonal(&force(Vec3::repeat(mass)))
}

impl FlexibleBody for Lumped {
    fn kind_name(&self) -> &'static str {
        "lumped masses"
    }
    fn modes(&self) -> usize {
        MODES
    }
    fn mass(&self) -> f64 {
        self.points.iter().map(|p| p.0).sum()
    }
    fn reference(&self) -> Vec3 {
        Vec3::zeros()
    }
    fn mode_shapes(&self, marker: &Marker) -> Option<ModeShapes> {
        Some(shapes(&self.fields, &marker.position))
    }
    fn displacement(&self, _: usize) -> f64 {
        0.5
    }
    fn radius_of_gyration(&self) -> f64 {
        0.5
    }
    fn center(&self, q: &[f64]) -> Vec3 {
        let (mut sum, still) = (Vec3::zeros(), vec![0.0; 6 + MODES]);
        let (r, origin) = self.like.frame(q);
        self.each(q, &still, |mass, point| sum += (point.state().p - origin) * mass);
        r.tr_mul(&sum) / self.mass()
    }
    fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        self.each_map(q, &vec![0.0; a.len()], |mass, _, j| j.pull_back(&force(linear(&j.times(a)) * mass), scale, &mut *out));
    }
    fn add_weight(&self, q: &[f64], gravity: &Vec3, scale: f64, out: &mut [f64]) {
        self.each_map(q, &[0.0; 6 + MODES], |mass, _, j| j.pull_back(&force(gravity * mass), scale, &mut *out));
    }
    fn add_mass(&self, q: &[f64], scale: f64, out: &mut [f64]) {
        self.each_map(q, &[0.0; 6 + MODES], |mass, _, j| j.add_product(&only_masses(mass), j, scale, out));
    }
    fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        self.each_map(q, v, |mass, point, j| j.pull_back(&force(linear(&point.drift()) * mass), scale, &mut *out));
    }
    fn add_inertia_tangent(&self, at: &BodyMotion, [c_q, c_v]: [f64; 2], turn: &Mat3, out: &mut [f64]) {
        let mut change = Map::zero();
        self.each_map(at.q, at.v, |mass, point, j| {
            let acceleration = point.acceleration(at.a).0 - at.gravity;
            point.add_geometric_stiffness(&force(acceleration * mass), turn, c_q, out);
            change.set_acceleration(point, turn, at.a, [c_q, c_v, 0.0]);
            j.add_product(&only_masses(mass), &change, 1.0, out);
        });
    }
    fn add_elastic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        (0..MODES).for_each(|k| out[6 + k] += scale * (STIFFNESS * q[7 + k] + DAMPING * v[6 + k]));
    }
    fn add_elastic_tangent(&self, _: &[f64], _: &[f64], [c_q, c_v]: [f64; 2], out: &mut [f64]) {
        (6..6 + MODES).for_each(|k| out[k * (7 + MODES)] += c_q * STIFFNESS + c_v * DAMPING);
    }
    fn elastic_energy(&self, q: &[f64]) -> f64 {
        q[7..].iter().map(|eta| 0.5 * STIFFNESS * eta * eta).sum()
    }
    fn dissipation(&self, _: &[f64], v: &[f64]) -> f64 {
        v[6..].iter().map(|rate| DAMPING * rate * rate).sum()
    }
}
