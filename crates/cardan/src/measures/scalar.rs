//! The measures themselves. With d = p_i − p_j, a fixed in marker i, b fixed in marker j (all in the world frame):
//!
//! ```text
//! World k    s = e_k·d             g = (e_k, 0, −e_k, 0)
//! Along b    s = b·d               g = (b, 0, −b, b×d)
//! Dot a b    s = a·b               g = (0, a×b, 0, −a×b)
//! HalfSquare s = ½ d·d             g = (d, 0, −d, 0)
//! Distance   s = |d|               g = (d, 0, −d, 0)/|d|
//! Angle      s = atan2(S, C)       g = (C g_S − S g_C)/(S² + C²),  S = x_i·y_j,  C = x_i·x_j
//! ```
//!
//! Angle is the rotation of marker i against j about z_j, right-handed, with its full turns (see `memory`).

use super::{Frame, Past};
use crate::bodies::MarkerState;
use crate::math::number::{Number, length};
use crate::math::{Mat3, Mat6, Vec3, Vec6, skew, stack};

/// A scalar function of two markers.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// Displacement along the world axis 0, 1 or 2.
    World(usize),
    /// Displacement along a direction fixed in marker j (given in its axes).
    Along(Vec3),
    /// Cosine between a direction of marker i and one of marker j.
    Dot(Vec3, Vec3),
    /// Half the squared distance of the origins.
    HalfSquare,
    /// Distance of the origins.
    Distance,
    /// Rotation of i against j about z_j; the slot says where its turns are remembered.
    Angle {
        /// Index into the context's memory.
        slot: usize,
    },
}

/// The 2×2 blocks of the second derivative, H[a][b] with a, b = 0 for marker i and 1 for marker j.
pub type Hessian = [[Mat6; 2]; 2];

impl Measure {
    /// Rotation about z with turns counted; the memory slot is given when the model is compiled.
    pub fn angle() -> Self {
        Measure::Angle { slot: usize::MAX }
    }

    /// Where its turns are remembered, if it counts them.
    pub fn slot(&self) -> Option<usize> {
        if let Measure::Angle { slot } = self { Some(*slot) } else { None }
    }

    /// The same, to be set when the model is compiled.
    pub fn slot_mut(&mut self) -> Option<&mut usize> {
        if let Measure::Angle { slot } = self { Some(slot) } else { None }
    }

    /// Whether it is a length (half a squared distance is one too once it is divided by a length, as in rods).
    pub fn is_length(&self) -> bool {
        !matches!(self, Measure::Dot(..) | Measure::Angle { .. })
    }

    /// Value and gradient.
    #[inline]
    pub fn evaluate(&self, i: &MarkerState, j: &MarkerState, past: Past) -> (f64, [Vec6; 2]) {
        let d = i.p - j.p;
        let zero = Vec3::zeros();
        match self {
            Measure::World(k) => {
                let mut e = zero;
                e[*k] = 1.0;
                (d[*k], [stack(e, zero), stack(-e, zero)])
            }
            Measure::Along(b) => {
                let b = j.r * b;
                (b.dot(&d), [stack(b, zero), stack(-b, b.cross(&d))])
            }
            Measure::Dot(a, b) => {
                let (a, b) = (i.r * a, j.r * b);
                let n = a.cross(&b);
                (a.dot(&b), [stack(zero, n), stack(zero, -n)])
            }
            Measure::HalfSquare => (0.5 * d.norm_squared(), [stack(d, zero), stack(-d, zero)]),
            Measure::Distance => {
                let length = d.norm();
                let e = if length > 0.0 { d / length } else { zero };
                (length, [stack(e, zero), stack(-e, zero)])
            }
            Measure::Angle { slot } => {
                let (sine, cosine) = angle_parts();
                let (s, gs) = sine.evaluate(i, j, past);
                let (c, gc) = cosine.evaluate(i, j, past);
                let r2 = s * s + c * c;
                let g = [(gs[0] * c - gc[0] * s) / r2, (gs[1] * c - gc[1] * s) / r2];
                let rate = g[0].dot(&i.twist()) + g[1].dot(&j.twist());
                (past.with_turns(*slot, s.atan2(c), rate), g)
            }
        }
    }

    /// The value in numbers with derivatives; angles without their turns.
    pub fn along<T: Number>(&self, i: &Frame<T>, j: &Frame<T>) -> T {
        let d = i.position - j.position;
        match self {
            Measure::World(k) => d[*k],
            Measure::Along(b) => (j.rotation * b.map(T::constant)).dot(&d),
            Measure::Dot(a, b) => (i.rotation * a.map(T::constant)).dot(&(j.rotation * b.map(T::constant))),
            Measure::HalfSquare => d.dot(&d) * T::constant(0.5),
            Measure::Distance => length(&d),
            Measure::Angle { .. } => i.axis(0).dot(&j.axis(1)).atan2(i.axis(0).dot(&j.axis(0))),
        }
    }

    /// Second derivative H_ab = ∂g_a/∂x_b.
    pub fn hessian(&self, i: &MarkerState, j: &MarkerState) -> Hessian {
        let d = i.p - j.p;
        let mut h = [[Mat6::zeros(); 2]; 2];
        match self {
            Measure::World(_) => {}
            Measure::Along(b) => {
                let b = j.r * b;
                let sb = skew(&b);
                put(&mut h[0][1], 0, 3, &-sb);
                put(&mut h[1][1], 0, 3, &sb);
                put(&mut h[1][0], 3, 0, &sb);
                put(&mut h[1][1], 3, 0, &-sb);
                put(&mut h[1][1], 3, 3, &(skew(&d) * sb));
            }
            Measure::Dot(a, b) => {
                let (sa, sb) = (skew(&(i.r * a)), skew(&(j.r * b)));
                let (ii, ij) = (sb * sa, -sa * sb);
                put(&mut h[0][0], 3, 3, &ii);
                put(&mut h[0][1], 3, 3, &ij);
                put(&mut h[1][0], 3, 3, &-ii);
                put(&mut h[1][1], 3, 3, &-ij);
            }
            Measure::HalfSquare => put_difference(&mut h, &Mat3::identity()),
            Measure::Distance => {
                let length = d.norm();
                // Coincident origins have no line between them: no force acts, and no stiffness.
                if length > 0.0 {
                    let e = d / length;
                    put_difference(&mut h, &((Mat3::identity() - e * e.transpose()) / length));
                }
            }
            Measure::Angle { .. } => {
                let (sine, cosine) = angle_parts();
                return angle_hessian(&sine, &cosine, i, j);
            }
        }
        h
    }
}

fn angle_parts() -> (Measure, Measure) {
    (Measure::Dot(Vec3::x(), Vec3::y()), Measure::Dot(Vec3::x(), Vec3::x()))
}

/// Of the angle of the point (cosine, sine), both measures.
pub(super) fn angle_hessian(sine: &Measure, cosine: &Measure, i: &MarkerState, j: &MarkerState) -> Hessian {
    let ((s, gs), (c, gc)) = (sine.evaluate(i, j, Past::NONE), cosine.evaluate(i, j, Past::NONE));
    let (hs, hc) = (sine.hessian(i, j), cosine.hessian(i, j));
    let r2 = s * s + c * c;
    let mut h = [[Mat6::zeros(); 2]; 2];
    for a in 0..2 {
        for b in 0..2 {
            let g = (gs[a] * c - gc[a] * s) / r2;
            let dr2 = (gs[b] * s + gc[b] * c) * (2.0 / r2);
            h[a][b] = (hs[a][b] * c - hc[a][b] * s + gs[a] * gc[b].transpose() - gc[a] * gs[b].transpose()) / r2 - g * dr2.transpose();
        }
    }
    h
}

fn put(m: &mut Mat6, row: usize, column: usize, block: &Mat3) {
    let mut view = m.fixed_view_mut::<3, 3>(row, column);
    view += block;
}

fn put_difference(h: &mut Hessian, block: &Mat3) {
    for (a, b, sign) in [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)] {
        put(&mut h[a][b], 0, 0, &(block * sign));
    }
}
