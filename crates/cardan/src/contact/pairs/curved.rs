//! What is round everywhere (see `round`) above a curved surface: with the distance d of surface b, its normal and curvature H at the point of a that is
//! nearest,
//!
//! ```text
//! g = d(y),   n = ∇d(y),   y = c + x_a(−n)                                                                     (1)
//! δn = (I + H S_a)⁻¹ H (δu + δψ × r_a + S_a (δψ × n))                                                          (2)
//! ```

use super::round::touch_at;
use super::support::Round;
use crate::contact::shapes::{Shape, Solid};
use crate::contact::touch::{Relative, Touch};
use crate::math::{Mat3, Vec3};

/// Most iterations of Newton's method for n.
const MOST: usize = 60;

/// Touches of the rounds of a with b.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    Round::each(a, |round| each(touch(&round, b, at)));
}

fn touch(round: &Round, b: &Shape, at: &Relative) -> Touch {
    let turn = at.b.r.tr_mul(&at.a.r);
    let offset = at.a.r.column(2) * round.height;
    let (matrix, centre) = (turn * round.squares() * turn.transpose(), at.seen_from_b(&offset));
    let place = |n: &Vec3| {
        let (own, bend) = round.point_and_bend(&-n, &matrix);
        (own, bend, b.nearest(&(centre + own)))
    };
    let mut n = b.nearest(&centre).normal;
    let mut here = place(&n);
    for _ in 0..MOST {
        let off = here.2.normal - n;
        if off.norm() <= 1e-15 {
            break;
        }
        let step = (Mat3::identity() + here.2.bend * here.1).try_inverse().map_or(off, |inverse| inverse * off);
        let mut part = 1.0;
        loop {
            let next = (n + step * part).normalize();
            let there = place(&next);
            if (there.2.normal - next).norm() < off.norm() || part < 1e-3 {
                (n, here) = (next, there);
                break;
            }
            part *= 0.5;
        }
    }
    let (own, bend, nearest) = here;
    let inverse = (Mat3::identity() + nearest.bend * bend).try_inverse().map_or(nearest.bend, |inverse| inverse * nearest.bend);
    touch_at(at, &offset, &own, &n, nearest.distance, [&inverse, &bend])
}
