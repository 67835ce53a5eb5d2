//! How the twist of a marker depends on its body's velocities and increments. All maps have the form
//!
//! ```text
//! [ s I  X ]      J = [ I  −R ŝ ; 0  R ],     D = ∂(J v)/∂(r, φ) = [ 0  −R (ω × s)^ ; 0  −R ω̂ ]              (1)
//! [ 0    Y ]
//! ```
//!
//! with s in the matrices the marker's arm in body axes, so that products need half the work of those of full matrices.

use super::flat::BodyFrame;
use super::{System, Weights, Work};
use crate::math::{Mat3, Mat6, Vec6, angular, linear, skew, stack};

/// A map of the form (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Map {
    s: f64,
    x: Mat3,
    y: Mat3,
}

/// The maps of a marker for one tangent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MarkerMaps {
    /// J.
    pub j: Map,
    /// J T.
    pub jt: Map,
    /// c_q D T + c_v J.
    pub rate: Map,
}

impl MarkerMaps {
    pub fn zero() -> Self {
        let zero = Map { s: 0.0, x: Mat3::zeros(), y: Mat3::zeros() };
        Self { j: zero, jt: zero, rate: zero }
    }
}

impl Map {
    /// mapᵀ g.
    #[inline]
    pub fn tr_mul(&self, g: &Vec6) -> Vec6 {
        stack(linear(g) * self.s, self.x.tr_mul(&linear(g)) + self.y.tr_mul(&angular(g)))
    }

    /// mapᵀ m right. Blocks between displacements only are common, and quicker.
    #[inline]
    pub fn sandwich(&self, m: &Mat6, right: &Map) -> Mat6 {
        let quarter = |row: usize, column: usize| m.fixed_view::<3, 3>(row, column).into_owned();
        let (a, b, c, d) = (quarter(0, 0), quarter(0, 3), quarter(3, 0), quarter(3, 3));
        let mut top = [a * right.s, a * right.x];
        let mut bottom = [self.x.tr_mul(&top[0]), Mat3::zeros()];
        if [&b, &c, &d].iter().all(|q| q.iter().all(|x| *x == 0.0)) {
            bottom[1] = self.x.tr_mul(&top[1]);
        } else {
            top[1] += b * right.y;
            bottom[0] += self.y.tr_mul(&c) * right.s;
            bottom[1] = self.x.tr_mul(&top[1]) + self.y.tr_mul(&(c * right.x + d * right.y));
        }
        let mut out = Mat6::zeros();
        for k in 0..2 {
            out.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(&(top[k] * self.s));
            out.fixed_view_mut::<3, 3>(3, 3 * k).copy_from(&bottom[k]);
        }
        out
    }
}

impl System {
    /// The maps of the markers that the equations read.
    pub(super) fn marker_maps(&self, w: &Weights, work: &mut Work) {
        for index in self.read_markers.iter().chain(&self.rod_markers).copied() {
            let marker = &self.markers[index];
            let Some(b) = marker.body else { continue };
            let (BodyFrame { r, omega, .. }, turn, arm) = (&work.frames[b], &work.turns[b], &marker.offset);
            let j = Map { s: 1.0, x: -r * skew(arm), y: *r };
            let jt = Map { s: 1.0, x: j.x * turn, y: r * turn };
            let (turned_x, turned_y) = (r * skew(&omega.cross(arm)) * turn, r * skew(omega) * turn);
            let (c_q, c_v) = (w.position, w.velocity);
            let rate = Map { s: c_v, x: j.x * c_v - turned_x * c_q, y: j.y * c_v - turned_y * c_q };
            work.maps[index] = MarkerMaps { j, jt, rate };
        }
    }
}
