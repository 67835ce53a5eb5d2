//! Involutes of a circle of radius b about the origin: what the end of a taut string describes as it comes off the circle. With e(φ) = (cos φ, sin φ),
//! e⊥ = (−sin φ, cos φ), σ = 1 where the string unwinds counter-clockwise and −1 where it does so clockwise,
//!
//! ```text
//! x(t) = b (e(φ) − σ t e⊥(φ)),    x′ = b t e(φ),    φ = φ₀ + σ t,    κ = 1/(b t)                                  (1)
//! c = b e(φ) − σ T e⊥(φ)   →   T² = |c|² − b²,    φ = arg c + σ atan(T/b),    d = T − b t                       (2)
//! ```
//!
//! Every normal is a tangent of the circle, so (2) gives the distance d of a point c from the whole curve, with the normal −σ e⊥ and the curvature 1/T of
//! the curve through c that is parallel to it. Signs are those of the convex side.
//!
//! Reference: Litvin, Fuentes, Gear Geometry and Applied Theory, chapter 10, doi:10.1017/CBO9780511547126.

use super::span::Vec2;
use crate::contact::surface::NearestInPlane;
use std::f64::consts::{PI, TAU};

/// An involute from one place to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Involute {
    /// b.
    pub base: f64,
    /// φ₀.
    pub zero: f64,
    /// σ.
    pub hand: f64,
    /// t at both ends.
    pub ends: [f64; 2],
}

fn e(angle: f64) -> Vec2 {
    Vec2::new(angle.cos(), angle.sin())
}

impl Involute {
    /// Through two points, with the convex side to the right of the way from one to the other, or to the left; `None` if there is none.
    pub fn between(base: f64, from: Vec2, to: Vec2, hand_outwards: f64) -> Option<Self> {
        let t = [from, to].map(|p| (p.norm_squared() / (base * base) - 1.0).sqrt());
        let hand = hand_outwards * (t[1] - t[0]).signum();
        // The angle of x(t) is φ − σ atan t.
        let zero = |p: &Vec2, t: f64| p.y.atan2(p.x) - hand * (t - t.atan());
        let off = (zero(&to, t[1]) - zero(&from, t[0]) + PI).rem_euclid(TAU) - PI;
        let fits = t[0] > 0.0 && t[1] > 0.0 && t[0] != t[1] && off.abs() < 1e-6;
        fits.then(|| Self { base, zero: zero(&from, t[0]), hand, ends: t })
    }

    /// Whether its solid side, the left of the way along it, is the hollow one.
    pub fn is_convex(&self) -> bool {
        (self.ends[1] > self.ends[0]) == (self.hand > 0.0)
    }

    /// x, x′ and x″ in s, t running from one end to the other.
    pub fn at(&self, s: f64) -> [Vec2; 3] {
        let rate = self.ends[1] - self.ends[0];
        let t = self.ends[0] + s * rate;
        let (u, across) = (e(self.zero + self.hand * t), e(self.zero + self.hand * t + 0.5 * PI));
        [(u - across * (self.hand * t)) * self.base, u * (self.base * t * rate), (u + across * (self.hand * t)) * (self.base * rate * rate)]
    }

    /// T, φ and t of (2).
    fn tangent(&self, c: &Vec2) -> Option<[f64; 3]> {
        let length = (c.norm_squared() - self.base * self.base).sqrt();
        let angle = c.y.atan2(c.x) + self.hand * (length / self.base).atan();
        let middle = 0.5 * (self.ends[0] + self.ends[1]);
        let t = middle + (self.hand * (angle - self.zero) - middle + PI).rem_euclid(TAU) - PI;
        (length > 0.0).then_some([length, angle, t])
    }

    /// s of the foot of a point.
    pub fn place(&self, c: &Vec2) -> Option<f64> {
        let [_, _, t] = self.tangent(c)?;
        Some((t - self.ends[0]) / (self.ends[1] - self.ends[0]))
    }

    /// (2).
    pub fn foot(&self, c: &Vec2) -> Option<NearestInPlane> {
        let [length, angle, t] = self.tangent(c)?;
        let along = e(angle);
        let at = NearestInPlane {
            distance: length - self.base * t,
            normal: e(angle + 0.5 * PI) * -self.hand,
            bend: along * along.transpose() / length,
        };
        Some(if self.is_convex() { at } else { at.inside_out() })
    }
}
