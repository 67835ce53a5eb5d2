//! Markers along varied paths. With the path that q, v and a of a body begin,
//!
//! ```text
//! r(t) = r + ṙ t + r̈ t²/2,    R(t) = R (I + ω̂ t + (ω̂² + ω̇^) t²/2),    η(t) likewise                             (1)
//! ```
//!
//! varied by r + δr, R (I + δφ̂), η + δη and v + δv, a marker moves as (1) of `attachment` says, in numbers along varied paths ([`Jet`]).

use super::attachment::{Attached, Attachment, Deformed, combine};
use super::{BodyFrame, Kind, ModeShapes};
use crate::math::jet::{JetMat3, JetVec3, rotation, spin};
use crate::math::{Jet, Mat3, Vec3, skew};

/// A marker along a varied path: position and rotation, and its angular velocity in the world, whose acceleration is left at zero.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerPath {
    /// Position.
    pub position: JetVec3,
    /// Rotation, marker to world.
    pub rotation: JetMat3,
    /// Angular velocity.
    pub spin: JetVec3,
}

impl Attachment {
    /// A marker of the ground, which stays where it is.
    pub fn standing_path(&self) -> MarkerPath {
        MarkerPath { position: self.offset.map(Jet::constant), rotation: self.rotation.map(Jet::constant), spin: JetVec3::zeros() }
    }
}

/// What a body does along a varied path: its accelerations a, and the changes δq and δv.
#[derive(Debug, Clone, Copy)]
pub struct BodyPath<'a> {
    /// a.
    pub a: &'a [f64],
    /// δq.
    pub q: &'a [f64],
    /// δv.
    pub v: &'a [f64],
}

impl Attached<'_> {
    /// The marker along the varied path (1) of its body.
    pub fn path(&self, body: &BodyPath) -> MarkerPath {
        let BodyFrame { r, p, v, omega, .. } = self.frame;
        let ((a, alpha), (dp, dphi), (dv, domega)) = (self.shape.twist(body.a), self.shape.twist(body.q), self.shape.twist(body.v));
        let (w, turn, dw) = (skew(omega), skew(&dphi), skew(&domega));
        let curve = w * w + skew(&alpha);
        let path = [*r, r * w, r * curve];
        let varied = [r * turn, r * (turn * w + dw), r * (turn * curve + dw * w + w * dw)];
        if let Some(shapes) = &self.at.shapes {
            let (center, frame) = (lift([*p, *v, a], [dp, dv, Vec3::zeros()]), lift_matrix(path, varied));
            let omega = lift([*omega, alpha, Vec3::zeros()], [domega, Vec3::zeros(), Vec3::zeros()]);
            return self.deformed_path(shapes, body, center, frame, omega);
        }
        let (s, zero) = (&self.at.offset, Vec3::zeros());
        let position = lift([p + path[0] * s, v + path[1] * s, a + path[2] * s], [dp + varied[0] * s, dv + varied[1] * s, varied[2] * s]);
        let rotation = lift_matrix(path.map(|m| m * self.at.rotation), varied.map(|m| m * self.at.rotation));
        let changes = [varied[0] * omega + r * domega, varied[1] * omega + path[1] * domega + varied[0] * alpha, zero];
        MarkerPath { position, rotation, spin: lift([r * omega, r * alpha, zero], changes) }
    }

    fn deformed_path(&self, shapes: &ModeShapes, body: &BodyPath, center: JetVec3, frame: JetMat3, omega: JetVec3) -> MarkerPath {
        let Deformed { p, theta, p_dot, theta_dot } = self.deformed;
        let along = |x: &nalgebra::Matrix3xX<f64>, [value, rate]: [&Vec3; 2]| {
            let of = |y: &[f64]| combine(x, self.shape.elastic(y));
            lift([*value, *rate, of(body.a)], [of(body.q), of(body.v), Vec3::zeros()])
        };
        let local = along(&shapes.displacement, [p, p_dot]);
        let turned = rotation(&along(&shapes.rotation, [theta, theta_dot]));
        let without_acceleration = |x: Jet| Jet { path: [x.path[0], x.path[1], 0.0], varied: [x.varied[0], x.varied[1], 0.0] };
        MarkerPath {
            position: center + frame * local,
            rotation: frame * turned * self.at.rotation.map(Jet::constant),
            spin: (frame * (omega + spin(&turned))).map(without_acceleration),
        }
    }
}

fn lift(path: [Vec3; 3], varied: [Vec3; 3]) -> JetVec3 {
    JetVec3::from_fn(|k, _| Jet { path: path.map(|x| x[k]), varied: varied.map(|x| x[k]) })
}

fn lift_matrix(path: [Mat3; 3], varied: [Mat3; 3]) -> JetMat3 {
    JetMat3::from_fn(|i, j| Jet { path: path.map(|m| m[(i, j)]), varied: varied.map(|m| m[(i, j)]) })
}
