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

use super::surface::Nearest;
use crate::bodies::MarkerState;
use crate::math::{Mat3, Vec3, skew};

/// Where two surfaces are closest.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// g, m; negative where they overlap.
    pub gap: f64,
    /// n.
    pub normal: Vec3,
    /// r.
    pub arm: Vec3,
    turning: Turning,
}

/// How normal and contact point move with the bodies.
#[derive(Debug, Clone, Copy)]
enum Turning {
    /// By (2): o, ρ + d, H.
    Ball(Vec3, f64, Mat3),
    /// As given.
    Given(Slopes),
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
        Self { gap: distance - radius, normal, arm: offset - normal * (0.5 * reach), turning: Turning::Ball(offset, reach, bend) }
    }

    /// With these derivatives.
    pub fn given(gap: f64, normal: Vec3, arm: Vec3, slopes: Slopes) -> Self {
        Self { gap, normal, arm, turning: Turning::Given(slopes) }
    }

    /// The derivatives of n and r.
    pub fn slopes(&self) -> Slopes {
        match self.turning {
            Turning::Given(slopes) => slopes,
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
    /// A point at an offset from a, given in world axes, in the axes of b.
    #[inline]
    pub fn seen_from_b(&self, offset: &Vec3) -> Vec3 {
        self.b.r.tr_mul(&(self.a.p + offset - self.b.p))
    }
}
