//! What a touch exerts on marker a, and its derivatives. With v and w the velocities of a as seen from b, n, g, r of the touch:
//!
//! ```text
//! c = v + w × r,   ġ = n·c,   v_t = c − ġ n                     velocity at the contact point                    (1)
//! F = N (n − φ v_t),   M = r × F                               N by depth and rate, φ by |v_t|                   (2)
//! δc = δv + δw × r + w × δr,   δġ = δn·c + n·δc,   δv_t = δc − δġ n − ġ δn                                       (3)
//! δF = δN (n − φ v_t) + N (δn − φ δv_t − (φ′/s) (v_t·δv_t) v_t),   δM = δr × F + r × δF                           (4)
//! power dissipated:   −F·c − E(δ) δ̇                             what is stored is ∫E                            (5)
//! ```

use super::friction::Friction;
use super::law::{Normal, NormalLaw};
use super::touch::Touch;
use crate::forces::geometry::Half;
use crate::math::{Vec3, stack};

/// A touch with what it exerts.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    touch: Touch,
    /// c.
    pub velocity: Vec3,
    /// ġ.
    rate: f64,
    /// v_t.
    pub sliding: Vec3,
    /// φ and φ′/s.
    friction: (f64, f64),
    /// N with its derivatives.
    pub normal: Normal,
    /// F.
    pub force: Vec3,
}

/// A change of the bodies: of the gap, of n and r, and of the velocity at the contact point but for w × δr.
struct Change {
    gap: f64,
    normal: Vec3,
    arm: Vec3,
    velocity: Vec3,
}

impl Load {
    /// By the laws of normal force and friction, of a touch whose bodies move relative to each other with v and w.
    #[inline]
    pub fn of(touch: Touch, law: &NormalLaw, friction: Option<&Friction>, v: &Vec3, w: &Vec3) -> Self {
        let velocity = v + w.cross(&touch.arm);
        let rate = touch.normal.dot(&velocity);
        let sliding = velocity - touch.normal * rate;
        let normal = law.at(-touch.gap, -rate);
        let friction = friction.filter(|_| normal.force > 0.0).map_or((0.0, 0.0), |f| f.at(sliding.norm()));
        let force = (touch.normal - sliding * friction.0) * normal.force;
        Self { touch, velocity, rate, sliding, friction, normal, force }
    }

    /// M.
    pub fn torque(&self) -> Vec3 {
        self.touch.arm.cross(&self.force)
    }

    /// The touch.
    pub fn touch(&self) -> &Touch {
        &self.touch
    }

    /// The power that friction takes, W.
    pub fn friction_power(&self) -> f64 {
        self.normal.force * self.friction.0 * self.sliding.norm_squared()
    }

    /// (5).
    pub fn dissipation(&self) -> f64 {
        self.rate * (self.normal.elastic - self.normal.force) + self.friction_power()
    }

    /// Adds the derivatives of (F, M) by δu, δψ, δv and δw.
    pub fn add_derivatives(&self, w: &Vec3, out: &mut [Half; 4]) {
        let (slopes, n, r) = (self.touch.slopes(), &self.touch.normal, &self.touch.arm);
        for k in 0..3 {
            let e = Vec3::ith(k, 1.0);
            let moved = [e, e.cross(r)];
            for (half, moved) in moved.iter().enumerate() {
                let arm = slopes.arm[half].column(k).into_owned();
                let change = Change { gap: n.dot(moved), normal: slopes.normal[half].column(k).into_owned(), arm, velocity: w.cross(&arm) };
                self.add_column(&change, k, &mut out[half]);
                let change = Change { gap: 0.0, normal: Vec3::zeros(), arm: Vec3::zeros(), velocity: *moved };
                self.add_column(&change, k, &mut out[2 + half]);
            }
        }
    }

    /// Equations (3) and (4).
    fn add_column(&self, change: &Change, k: usize, out: &mut Half) {
        let Touch { normal: n, arm: r, .. } = &self.touch;
        let ((phi, bend), v_t, force) = (self.friction, &self.sliding, self.normal.force);
        let rate = change.normal.dot(&self.velocity) + n.dot(&change.velocity);
        let sliding = change.velocity - n * rate - change.normal * self.rate;
        let by = -self.normal.by_depth * change.gap - self.normal.by_rate * rate;
        let turned = change.normal - sliding * phi - v_t * (bend * v_t.dot(&sliding));
        let f = (n - v_t * phi) * by + turned * force;
        let column = stack(f, change.arm.cross(&self.force) + r.cross(&f));
        let mut into = out.column_mut(k);
        into += column;
    }
}
