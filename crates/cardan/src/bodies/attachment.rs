//! Attachments: how a marker is fixed on a body, and how it moves with it.
//!
//! On a rigid body a marker stands at the fixed offset s from the reference point r. On a flexible one the coordinates η displace it by Φ η and
//! turn it by θ = Ψ η, with exact rotations. In body axes, T being the left tangent of the exponential map,
//!
//! ```text
//! p = s + Φ η,     x = r + R p,     R_m = R exp(θ) R₀                                                         (1)
//! [v_m; ω_m] = [ I  −R p̂  R Φ ; 0  R  R T Ψ ] [ṙ; ω; η̇]                                                     (2)
//! wrench (f, τ) at the marker: force f, torque R p × f + τ at r, and Φᵀ Rᵀ f + Ψᵀ Tᵀ Rᵀ τ on η̇                (3)
//! acceleration: r̈ + R (ω̇ × p + ω × (ω × p) + 2 ω × Φ η̇ + Φ η̈),   R (ω̇ + ω × T Ψ η̇ + (T Ψ η̇)˙)               (4)
//! ```
//!
//! Reference: Shabana, Dynamics of multibody systems, chapter 5.

use super::{BodyFrame, Kind, Marker, MarkerState, Shape, Wrench};
use crate::math::{Mat3, Vec3, Vec6, angular, exp, left_tangent, left_tangent_slope, linear, stack};
use nalgebra::Matrix3xX;
use std::sync::Arc;

/// How the coordinates η of a flexible body move a marker, in body axes: Φ (displacement) and Ψ (rotation), one column for each.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeShapes {
    /// Φ.
    pub displacement: Matrix3xX<f64>,
    /// Ψ.
    pub rotation: Matrix3xX<f64>,
}

/// A marker fixed on a body.
#[derive(Debug, Clone)]
pub struct Attachment {
    pub(super) offset: Vec3,
    pub(super) rotation: Mat3,
    pub(super) shapes: Option<Arc<ModeShapes>>,
}

impl Attachment {
    /// A marker on the ground.
    pub fn on_ground(marker: &Marker) -> Self {
        Self { offset: marker.position, rotation: marker.orientation.to_rotation_matrix().into_inner(), shapes: None }
    }

    /// A marker of a body.
    pub fn new(shape: &Shape, marker: &Marker) -> Self {
        let rotation = marker.orientation.to_rotation_matrix().into_inner();
        Self { offset: marker.position - shape.center_of_mass(), rotation, shapes: shape.mode_shapes(marker).map(Arc::new) }
    }

    /// A point of the frame of a body, at an offset from the reference point; deformations do not move it.
    pub fn on_frame(offset: Vec3) -> Self {
        Self { offset, rotation: Mat3::identity(), shapes: None }
    }

    /// A point that the coordinates η displace.
    pub fn on_shapes(offset: Vec3, shapes: ModeShapes) -> Self {
        Self { offset, rotation: Mat3::identity(), shapes: Some(Arc::new(shapes)) }
    }

    /// Whether deformations do not move the marker.
    #[inline]
    pub fn is_fixed(&self) -> bool {
        self.shapes.is_none()
    }

    /// The offset from the reference point of a marker that deformations do not move.
    pub fn fixed_offset(&self) -> Option<Vec3> {
        self.shapes.is_none().then_some(self.offset)
    }

    /// Rotation, marker axes to body axes, where the body is not deformed.
    pub fn rotation(&self) -> &Mat3 {
        &self.rotation
    }

    /// The distance from the reference point, where the body is not deformed.
    pub fn reach(&self) -> f64 {
        self.offset.norm()
    }

    /// Where the marker stands on its body (1), with how fast it is deformed.
    pub fn deformed(&self, shape: &Shape, q: &[f64], v: &[f64]) -> Deformed {
        let rest = Deformed { p: self.offset, theta: Vec3::zeros(), p_dot: Vec3::zeros(), theta_dot: Vec3::zeros() };
        let Some(shapes) = &self.shapes else { return rest };
        let (eta, rate) = (shape.elastic_coordinates(q), shape.elastic(v));
        Deformed {
            p: self.offset + combine(&shapes.displacement, eta),
            theta: combine(&shapes.rotation, eta),
            p_dot: combine(&shapes.displacement, rate),
            theta_dot: combine(&shapes.rotation, rate),
        }
    }

    /// A marker of the ground.
    pub fn standing(&self) -> MarkerState {
        MarkerState { p: self.offset, r: self.rotation, v: Vec3::zeros(), w: Vec3::zeros() }
    }
}

/// Σ columns · x.
pub(super) fn combine(columns: &Matrix3xX<f64>, x: &[f64]) -> Vec3 {
    columns.column_iter().zip(x).fold(Vec3::zeros(), |sum, (column, x)| sum + column * *x)
}

/// Where a marker stands on its body, in body axes: p and θ (1) and their rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deformed {
    pub(super) p: Vec3,
    pub(super) theta: Vec3,
    pub(super) p_dot: Vec3,
    pub(super) theta_dot: Vec3,
}

impl Deformed {
    /// At the reference point, at rest.
    pub fn none() -> Self {
        Self { p: Vec3::zeros(), theta: Vec3::zeros(), p_dot: Vec3::zeros(), theta_dot: Vec3::zeros() }
    }
}

/// A marker on its body at a state: everything that maps between the two.
#[derive(Debug, Clone, Copy)]
pub struct Attached<'a> {
    /// The body.
    pub shape: &'a Shape,
    /// How the marker is fixed on it.
    pub at: &'a Attachment,
    /// How the body stands.
    pub frame: &'a BodyFrame,
    /// How the marker stands on the body, where that is flexible.
    pub deformed: &'a Deformed,
}

impl Attached<'_> {
    /// Pose and twist (1, 2).
    #[inline(always)]
    pub fn state(&self) -> MarkerState {
        if self.at.shapes.is_some() {
            return self.deformed_state();
        }
        let BodyFrame { r, p, v, w, .. } = self.frame;
        let arm = r * self.at.offset;
        MarkerState { p: p + arm, r: r * self.at.rotation, v: v + w.cross(&arm), w: *w }
    }

    fn deformed_state(&self) -> MarkerState {
        let BodyFrame { r, p, v, w, .. } = self.frame;
        let Deformed { p: local, theta, p_dot, theta_dot } = self.deformed;
        let (arm, turned) = (r * local, exp(theta).to_rotation_matrix().into_inner() * self.at.rotation);
        let spin = left_tangent(theta) * theta_dot;
        MarkerState { p: p + arm, r: r * turned, v: v + w.cross(&arm) + r * p_dot, w: w + r * spin }
    }

    /// Adds scale · w, given at the marker, to what acts on the body (3): at its reference point, and on its elastic coordinates.
    #[inline(always)]
    pub fn add_load(&self, w: &Vec6, scale: f64, wrench: &mut Wrench, modal: &mut [f64]) {
        let (force, torque) = (linear(w) * scale, angular(w) * scale);
        wrench.force += force;
        wrench.torque += torque + (self.frame.r * self.arm()).cross(&force);
        if let Some(shapes) = &self.at.shapes {
            self.add_elastic_load(shapes, &force, &torque, modal);
        }
    }

    fn add_elastic_load(&self, shapes: &ModeShapes, force: &Vec3, torque: &Vec3, modal: &mut [f64]) {
        let r = &self.frame.r;
        let (f, tau) = (r.tr_mul(force), left_tangent(&self.deformed.theta).tr_mul(&r.tr_mul(torque)));
        let columns = shapes.displacement.column_iter().zip(shapes.rotation.column_iter());
        let modal = &mut modal[self.shape.elastic_range()];
        modal.iter_mut().zip(columns).for_each(|(load, (phi, psi))| *load += phi.dot(&f) + psi.dot(&tau));
    }

    /// From the reference point to the marker, in body axes.
    #[inline(always)]
    pub(super) fn arm(&self) -> &Vec3 {
        if self.at.shapes.is_none() { &self.at.offset } else { &self.deformed.p }
    }

    /// The acceleration (4) without those of the body's velocities.
    #[inline]
    pub fn drift(&self) -> Vec6 {
        let BodyFrame { r, omega, .. } = self.frame;
        let centripetal = omega.cross(&omega.cross(self.arm()));
        if self.at.shapes.is_none() {
            return stack(r * centripetal, Vec3::zeros());
        }
        let (Deformed { p_dot, .. }, spin, change) = (self.deformed, self.spin(), self.spin_drift());
        stack(r * (centripetal + omega.cross(p_dot) * 2.0), r * (omega.cross(&spin) + change))
    }

    /// The acceleration (4) for accelerations of the body's velocities.
    pub fn acceleration(&self, a: &[f64]) -> (Vec3, Vec3) {
        let r = &self.frame.r;
        let ((center, turning), drift) = (self.shape.twist(a), self.drift());
        let mut local = (turning.cross(self.arm()), turning);
        if let Some(shapes) = &self.at.shapes {
            let rates = self.shape.elastic(a);
            local.0 += combine(&shapes.displacement, rates);
            local.1 += left_tangent(&self.deformed.theta) * combine(&shapes.rotation, rates);
        }
        (center + r * local.0 + linear(&drift), r * local.1 + angular(&drift))
    }

    /// T Ψ η̇: the angular velocity that deformation adds, in body axes.
    pub(super) fn spin(&self) -> Vec3 {
        left_tangent(&self.deformed.theta) * self.deformed.theta_dot
    }

    /// Ṫ Ψ η̇.
    fn spin_drift(&self) -> Vec3 {
        let Deformed { theta, theta_dot, .. } = self.deformed;
        left_tangent_slope(theta, theta_dot) * theta_dot
    }
}
