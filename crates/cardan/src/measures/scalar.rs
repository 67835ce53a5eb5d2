//! The measures themselves. With d = p_i − p_j, a fixed in marker i, b fixed in marker j (all in the world frame):
//!
//! ```text
//! World k    s = e_k·d             g = (e_k, 0, −e_k, 0)
//! Along b    s = b·d               g = (b, 0, −b, b×d)
//! Dot a b    s = a·b               g = (0, a×b, 0, −a×b)
//! HalfSquare s = ½ d·d             g = (d, 0, −d, 0)
//! Distance   s = |d|               g = (d, 0, −d, 0)/|d|
//! Angle      s = atan2(S, C)       g = (0, n, 0, −n),  n = x_i × (C y_j − S x_j)/(S² + C²),  S = x_i·y_j,  C = x_i·x_j
//! ```
//!
//! Second derivatives follow from one 3×3 block h ([`Bend`]). With T = S² + C² that of the angle is
//!
//! ```text
//! h = ((x_i·z_j) x̂_i + (C y_j − S x_j)^ x̂_i)/T − (2/T) n (x_i × (S y_j + C x_j))ᵀ
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

/// The block that all second derivatives of a measure follow from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bend {
    /// Of positions alone: ±h between displacements, h being symmetric.
    Shift(Mat3),
    /// Of orientations alone, g = (0, n, 0, −n): h = ∂n/∂θ_i, −n̂ − h = ∂n/∂θ_j.
    Turn(Mat3),
    /// Along a direction that turns with marker j.
    Axis,
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
                let Pointer { s, c, n, .. } = Pointer::new(i, j);
                (past.with_turns(*slot, s.atan2(c), n.dot(&(i.w - j.w))), [stack(zero, n), stack(zero, -n)])
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

    /// What the second derivative follows from.
    #[inline]
    pub fn bend(&self, i: &MarkerState, j: &MarkerState) -> Bend {
        match self {
            Measure::World(_) => Bend::Shift(Mat3::zeros()),
            Measure::Along(_) => Bend::Axis,
            Measure::Dot(a, b) => Bend::Turn(skew(&(j.r * b)) * skew(&(i.r * a))),
            Measure::HalfSquare => Bend::Shift(Mat3::identity()),
            Measure::Distance => Bend::Shift(across(&(i.p - j.p))),
            Measure::Angle { .. } => Bend::Turn(Pointer::new(i, j).bend(j)),
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
                put_turn(&mut h, &(sb * sa), &(-sa * sb));
            }
            Measure::HalfSquare => put_difference(&mut h, &Mat3::identity()),
            Measure::Distance => put_difference(&mut h, &across(&d)),
            Measure::Angle { .. } => {
                let pointer = Pointer::new(i, j);
                let ii = pointer.bend(j);
                put_turn(&mut h, &ii, &(-skew(&pointer.n) - ii));
            }
        }
        h
    }
}

/// The axis x_i as a pointer in the x–y plane of marker j.
struct Pointer {
    x: Vec3,
    s: f64,
    c: f64,
    /// C y_j − S x_j.
    e: Vec3,
    n: Vec3,
}

impl Pointer {
    #[inline]
    fn new(i: &MarkerState, j: &MarkerState) -> Self {
        let axis = |m: &MarkerState, k: usize| m.r.column(k).into_owned();
        let (x, xj, yj) = (axis(i, 0), axis(j, 0), axis(j, 1));
        let (s, c) = (x.dot(&yj), x.dot(&xj));
        let e = yj * c - xj * s;
        Self { x, s, c, e, n: x.cross(&e) / (s * s + c * c) }
    }

    /// h of the angle.
    #[inline]
    fn bend(&self, j: &MarkerState) -> Mat3 {
        let Self { x, s, c, e, n } = self;
        let inverse = 1.0 / (s * s + c * c);
        let (xj, yj, zj) = (j.r.column(0), j.r.column(1), j.r.column(2));
        let across = x.cross(&(yj * *s + xj * *c)) * (2.0 * inverse);
        // ê x̂ = x eᵀ − (e·x) I, with e·x = C S − S C = 0.
        skew(&(x * (x.dot(&zj) * inverse))) + x * (e * inverse).transpose() - n * across.transpose()
    }
}

/// (I − e eᵀ)/|d|, e = d/|d|. Coincident origins have no line between them: no force acts, and no stiffness.
#[inline]
pub(crate) fn across(d: &Vec3) -> Mat3 {
    let length = d.norm();
    if length == 0.0 {
        return Mat3::zeros();
    }
    let e = d / length;
    (Mat3::identity() - e * e.transpose()) / length
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

fn put_turn(h: &mut Hessian, ii: &Mat3, ij: &Mat3) {
    put(&mut h[0][0], 3, 3, ii);
    put(&mut h[0][1], 3, 3, ij);
    put(&mut h[1][0], 3, 3, &-ii);
    put(&mut h[1][1], 3, 3, &-ij);
}

fn put_difference(h: &mut Hessian, block: &Mat3) {
    for (a, b, sign) in [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)] {
        put(&mut h[a][b], 0, 0, &(block * sign));
    }
}
