//! A touch: two surfaces at their closest points, a on the body that feels and b on the other. In world axes, with n from b to a and r from the
//! origin of marker a to the contact point, halfway between the surfaces,
//!
//! ```text
//! δg = n·(δu + δψ × r),    δn = n_u δu + n_ψ δψ,    δr = r_u δu + r_ψ δψ                                        (1)
//! ```
//!
//! for displacements δu of the origin of a and rotations δψ of a, as seen from b. A ball whose centre is at o from the origin of a, at the distance d
//! from surface b, with the derivatives n, H of [`Nearest`](super::surface::Nearest), has
//!
//! ```text
//! g = d − ρ,   r = o − ½ (ρ + d) n,   n_u = H,   r_u = −½ n nᵀ − ½ (ρ + d) H,   n_ψ = −H ô,   r_ψ = −(I + r_u) ô    (2)
//! ```
//!
//! Gaps that are no distances, such as those that fade beside an edge, have any gradient, of which n is the direction:
//!
//! ```text
//! δg = f·δu + m·δψ,    n = f/|f|;    of a distance:   f = n,   m = r × n                                        (3)
//! ```

use super::surface::Nearest;
use crate::bodies::MarkerState;
use crate::forces::geometry::Motion;
use crate::math::taylor::{slopes, values};
use crate::math::{Mat3, Mat6, Taylor, TaylorVec3, Vec3, angular, linear, skew};

/// Where two surfaces are closest.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// g, m; negative where they overlap.
    pub gap: f64,
    /// n.
    pub normal: Vec3,
    /// r.
    pub arm: Vec3,
    /// f and m of (3).
    pub gradient: [Vec3; 2],
    turning: Turning,
}

/// How normal and contact point move with the bodies.
#[derive(Debug, Clone, Copy)]
enum Turning {
    /// By (2): o, ρ + d, H.
    Ball(Vec3, f64, Mat3),
    /// As given.
    Given(Slopes),
    /// By the derivatives of f and m, and those of r.
    Of(Mat6, [Mat3; 2]),
}

/// Derivatives (1) of n and r.
#[derive(Debug, Clone, Copy)]
pub struct Slopes {
    /// n_u and n_ψ.
    pub normal: [Mat3; 2],
    /// r_u and r_ψ.
    pub arm: [Mat3; 2],
}

impl Touch {
    /// A ball (2); `nearest` is that of its centre, in world axes.
    #[inline]
    pub fn of_ball(offset: Vec3, radius: f64, nearest: &Nearest) -> Self {
        let reach = radius + nearest.distance;
        let Nearest { distance, normal, bend } = *nearest;
        Self::distance(distance - radius, normal, offset - normal * (0.5 * reach), Turning::Ball(offset, reach, bend))
    }

    /// With these derivatives.
    pub fn given(gap: f64, normal: Vec3, arm: Vec3, slopes: Slopes) -> Self {
        Self::distance(gap, normal, arm, Turning::Given(slopes))
    }

    #[inline]
    fn distance(gap: f64, normal: Vec3, arm: Vec3, turning: Turning) -> Self {
        Self { gap, normal, arm, gradient: [normal, arm.cross(&normal)], turning }
    }

    /// With any gap (3).
    pub fn of_gap(gap: &Taylor, arm: &TaylorVec3) -> Self {
        let f = linear(&gap.g);
        let normal = f.try_normalize(0.0).unwrap_or(Vec3::z());
        Self { gap: gap.v, normal, arm: values(arm), gradient: [f, angular(&gap.g)], turning: Turning::Of(gap.h, slopes(arm)) }
    }

    /// At the same place with another gap, of the same direction.
    pub fn with_gap(&self, gap: &Taylor) -> Self {
        let f = linear(&gap.g);
        let normal = f.try_normalize(0.0).unwrap_or(self.normal);
        let turning = Turning::Of(gap.h, self.slopes().arm);
        Self { gap: gap.v, normal, arm: self.arm, gradient: [f, angular(&gap.g)], turning }
    }

    /// |f|.
    pub fn steepness(&self) -> f64 {
        if let Turning::Of(..) = self.turning { self.gradient[0].norm() } else { 1.0 }
    }

    /// ġ between bodies that move so.
    pub fn rate(&self, motion: &Motion) -> f64 {
        self.gradient[0].dot(&motion.v) + self.gradient[1].dot(&motion.w)
    }

    /// Surfaces that are apart by so much; they exert nothing.
    pub fn apart(gap: f64) -> Self {
        let still = Slopes { normal: [Mat3::zeros(); 2], arm: [Mat3::zeros(); 2] };
        Self::given(gap, Vec3::z(), Vec3::zeros(), still)
    }

    /// What b felt of a, as felt by a: with d from the origin of b to that of a and n′, r′ as seen from a,
    ///
    /// ```text
    /// n = −n′,   r = r′ − d,   δu′ = −δu − d̂ δψ,   δψ′ = −δψ,   δx = δ′x − x̂ δψ  for any x                          (4)
    /// ```
    pub fn felt_back(&self, d: &Vec3) -> Self {
        let (of, shift) = (self.slopes(), skew(d));
        let normal = [of.normal[0], of.normal[0] * shift + of.normal[1] + skew(&self.normal)];
        let arm = [-of.arm[0] - Mat3::identity(), -of.arm[0] * shift - of.arm[1] - skew(&self.arm)];
        Self::given(self.gap, -self.normal, self.arm - d, Slopes { normal, arm })
    }

    /// The derivatives of f and m along column k of δu (0) or δψ (1).
    #[inline]
    pub fn gradient_column(&self, slopes: &Slopes, half: usize, k: usize) -> [Vec3; 2] {
        if let Turning::Of(h, _) = &self.turning {
            let column = h.column(3 * half + k).into_owned();
            return [linear(&column), angular(&column)];
        }
        let [normal, arm] = [&slopes.normal, &slopes.arm].map(|s| s[half].column(k).into_owned());
        [normal, arm.cross(&self.normal) + self.arm.cross(&normal)]
    }

    /// The derivatives of n and r.
    pub fn slopes(&self) -> Slopes {
        match self.turning {
            Turning::Given(slopes) => slopes,
            Turning::Of(h, arm) => {
                let across = (Mat3::identity() - self.normal * self.normal.transpose()) / self.gradient[0].norm().max(f64::MIN_POSITIVE);
                let normal = [0, 3].map(|from| across * h.fixed_view::<3, 3>(0, from));
                Slopes { normal, arm }
            }
            Turning::Ball(offset, reach, bend) => {
                let arm = -0.5 * (self.normal * self.normal.transpose() + bend * reach);
                let turn = -skew(&offset);
                Slopes { normal: [bend, bend * turn], arm: [arm, turn + arm * turn] }
            }
        }
    }
}

/// Two markers, a as seen from b.
#[derive(Debug, Clone, Copy)]
pub struct Relative<'a> {
    pub a: &'a MarkerState,
    pub b: &'a MarkerState,
}

impl Relative<'_> {
    /// The other way round.
    pub fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// A point at an offset from a, given in world axes, in the axes of b.
    #[inline]
    pub fn seen_from_b(&self, offset: &Vec3) -> Vec3 {
        self.b.r.tr_mul(&(self.a.p + offset - self.b.p))
    }
}
