//! Flexible bodies: a frame that moves as a rigid body does, and n elastic coordinates η that deform the body about it.
//!
//! ```text
//! q = (r, unit quaternion, η),      v = (ṙ in the world frame, ω in the body frame, η̇)
//! M(q) a + h(q, v) + k(q, v) = M(q) (g, 0, 0) + loads                                                            (1)
//! ```
//!
//! with the quadratic velocity force h and the elastic force k, K η + D η̇ for linear elasticity. How η moves a marker is a matter of its mode
//! shapes ([`ModeShapes`]); everything else that depends on markers is written once, in `attachment`, `map` and `path`. A kind of
//! flexible body is what implements [`FlexibleBody`].

use super::rigid::{add_turning, frame_difference, frame_magnitudes, frame_tangent, quaternion, retract_frame, vector};
use super::{BodyMotion, Chart, Kind, Marker, ModeShapes, Wrench};
use crate::math::{Mat3, Vec3};
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

/// Inertia and elasticity of a flexible body. All slices are the body's own parts of the system's vectors; matrices are column-major.
pub trait FlexibleBody: Debug + Send + Sync {
    /// The name of the kind, as in reference tables.
    fn kind_name(&self) -> &'static str;
    /// Number n of elastic coordinates.
    fn modes(&self) -> usize;
    /// Mass in kg.
    fn mass(&self) -> f64;
    /// The reference point r in the body frame: the centre of mass where η = 0.
    fn reference(&self) -> Vec3;
    /// How η moves a marker; `None` for one that stays fixed on the frame.
    fn mode_shapes(&self, marker: &Marker) -> Option<ModeShapes>;
    /// The largest displacement, m, of a point of the body by one of the elastic coordinate `mode`: what its errors are measured in. Those of a
    /// coordinate that displaces nothing do not count.
    fn displacement(&self, mode: usize) -> f64;
    /// The largest radius of gyration where η = 0, m.
    fn radius_of_gyration(&self) -> f64;
    /// From r to the centre of mass, in the body frame.
    fn center(&self, q: &[f64]) -> Vec3;
    /// out += scale · M a.
    fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]);
    /// out += scale · M (g, 0, 0): the weight, g being the same everywhere.
    fn add_weight(&self, q: &[f64], gravity: &Vec3, scale: f64, out: &mut [f64]);
    /// out (nv×nv) += scale · M.
    fn add_mass(&self, q: &[f64], scale: f64, out: &mut [f64]);
    /// out += scale · h.
    fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]);
    /// out (nv×nv) += c_q ∂(M (a − (g, 0, 0)) + h)/∂q T + c_v ∂h/∂v, the weights being c_q and c_v; T acts on rotations alone.
    fn add_inertia_tangent(&self, at: &BodyMotion, weights: [f64; 2], turn: &Mat3, out: &mut [f64]);
    /// out += scale · k.
    fn add_elastic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]);
    /// out (nv×nv) += c_q ∂k/∂q + c_v ∂k/∂v, the weights being c_q and c_v; k depends on η and η̇ alone.
    fn add_elastic_tangent(&self, q: &[f64], v: &[f64], weights: [f64; 2], out: &mut [f64]);
    /// Elastic energy, J.
    fn elastic_energy(&self, q: &[f64]) -> f64;
    /// Power that elastic forces dissipate, W.
    fn dissipation(&self, q: &[f64], v: &[f64]) -> f64;
    /// What is physically wrong with the body's data, if anything.
    fn mistake(&self) -> Option<String> {
        None
    }
}

/// A flexible body of any kind.
#[derive(Debug, Clone)]
pub struct Flexible(Arc<dyn FlexibleBody>);

impl Flexible {
    /// Of this kind.
    pub fn new(kind: impl FlexibleBody + 'static) -> Self {
        Self(Arc::new(kind))
    }

    /// The magnitudes of [`Kind::magnitudes`].
    pub(crate) fn sizes(&self, q: &[f64]) -> impl Iterator<Item = f64> {
        let mut frame = [0.0; 6];
        frame_magnitudes(q, &mut frame);
        frame.into_iter().chain(q[7..].iter().map(|eta| eta.abs()))
    }

    /// q1 = q0 ⊕ δ of the frame alone.
    pub(crate) fn retract_frame(&self, chart: Chart, q0: &[f64], delta: &[f64; 6], q1: &mut [f64]) {
        retract_frame(chart, q0, delta, q1);
    }
}

impl Deref for Flexible {
    type Target = dyn FlexibleBody;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Kind for Flexible {
    fn kind_name(&self) -> &'static str {
        self.0.kind_name()
    }
    fn nq(&self) -> usize {
        7 + self.modes()
    }
    fn nv(&self) -> usize {
        6 + self.modes()
    }
    fn mass(&self) -> f64 {
        self.0.mass()
    }
    fn center_of_mass(&self) -> Vec3 {
        self.reference()
    }
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3) {
        (quaternion(q).to_rotation_matrix().into_inner(), vector(q))
    }
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3) {
        (vector(v), vector(&v[3..]))
    }
    fn project(&self, r: &Mat3, Wrench { force, torque }: &Wrench, modal: &[f64], out: &mut [f64]) {
        out[..3].copy_from_slice(force.as_slice());
        out[3..6].copy_from_slice(r.tr_mul(torque).as_slice());
        out[6..].copy_from_slice(&modal[6..]);
    }
    fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        retract_frame(chart, q0, delta, q1);
        for ((q1, q0), delta) in q1[7..].iter_mut().zip(&q0[7..]).zip(&delta[6..]) {
            *q1 = q0 + delta;
        }
    }
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        frame_difference(q0, q1, delta);
        for ((delta, q1), q0) in delta[6..].iter_mut().zip(&q1[7..]).zip(&q0[7..]) {
            *delta = q1 - q0;
        }
    }
    fn retract_tangent(&self, chart: Chart, delta: &[f64]) -> Option<Mat3> {
        Some(frame_tangent(chart, delta))
    }
    fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        self.0.add_mass_times(q, a, scale, out);
    }
    fn add_mass(&self, q: &[f64], scale: f64, out: &mut [f64]) {
        self.0.add_mass(q, scale, out);
    }
    fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        self.0.add_quadratic_forces(q, v, scale, out);
    }
    fn add_inertia_tangent(&self, at: &BodyMotion, weights: [f64; 2], turn: &Mat3, out: &mut [f64]) {
        self.0.add_inertia_tangent(at, weights, turn, out);
    }
    fn add_turning(&self, block: &Mat3, scale: f64, out: &mut [f64]) {
        add_turning(self.nv(), block, scale, out);
    }
    fn momentum(&self, q: &[f64], v: &[f64]) -> [Vec3; 2] {
        let mut momentum = vec![0.0; v.len()];
        self.0.add_mass_times(q, v, 1.0, &mut momentum);
        [vector(&momentum), quaternion(q) * vector(&momentum[3..])]
    }
    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(self.sizes(q)).for_each(|(out, size)| *out = size);
    }
    fn turns(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn upright(&self) -> bool {
        false
    }
    fn radius_of_gyration(&self) -> f64 {
        self.0.radius_of_gyration()
    }
}
