//! What a touch exerts on marker a, and its derivatives. With v and w the velocities of a as seen from b, n, g, r of the touch:
//!
//! ```text
//! c = v + w × r,   ġ = n·c,   v_t = c − ġ n                     velocity at the contact point                    (1)
//! F = N (n − p),   M = r × F + N τ                             N by depth and rate, p of `drag`                 (2)
//! δc = δv + δw × r + w × δr,   δġ = δn·c + n·δc,   δv_t = δc − δġ n − ġ δn                                       (3)
//! δF = δN (n − p) + N (δn − δp),   δM = δr × F + r × δF + δN τ + N δτ                                            (4)
//! power dissipated:   −F·c − N τ·w − E(δ) δ̇                    what is stored is ∫E                            (5)
//! ```
//!
//! (5) is exact at all times, also where the force has come down to zero on the way out while E is not: what E would give then is lost. N τ is the torque of
//! resistance to rolling and spinning, with w_n = n·w, w_t = w − w_n n and the functions ψ of [`Resistance::at`]:
//!
//! ```text
//! τ = −a ψ(w_t²) w_t − b ψ(w_n²) w_n n                                                                            (6)
//! δτ = −a (ψ δw_t + 2 ψ′ (w_t·δw_t) w_t) − b ((ψ + 2 ψ′ w_n²) δw_n n + ψ w_n δn)                                   (7)
//! ```

use super::drag::{Bristles, Drag, straightening, tangential};
use super::friction::Friction;
use super::law::{Normal, Stroke};
use super::laws::Law;
use super::resistance::Resistance;
use super::touch::Touch;
use crate::expr::Scratch;
use crate::forces::geometry::{Half, Motion};
use crate::math::{Vec3, Vec6, stack};
use std::cell::RefCell;

/// A touch with what it exerts.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    touch: Touch,
    /// c and w.
    velocity: Vec3,
    spin: Vec3,
    /// ġ.
    rate: f64,
    /// v_t.
    sliding: Vec3,
    drag: Drag,
    resistance: Option<Resistance>,
    /// τ.
    turning: Vec3,
    /// N with its derivatives.
    pub normal: Normal,
    /// F.
    pub force: Vec3,
}

/// A change of the bodies: of the gap, of n and r, of w, and of the velocity at the contact point but for w × δr.
struct Change {
    gap: f64,
    normal: Vec3,
    arm: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

/// What a touch has of its past: the speed with which it began, where that is known, and how its bristles are bent, in world axes.
#[derive(Debug, Clone, Copy)]
pub struct Past {
    pub arrival: Option<f64>,
    pub deflection: Vec3,
}

/// v_t where a touch is.
pub fn sliding(touch: &Touch, motion: &Motion) -> Vec3 {
    let velocity = motion.v + motion.w.cross(&touch.arm);
    velocity - touch.normal * touch.normal.dot(&velocity)
}

/// δ̇ where a touch is.
pub fn closing(touch: &Touch, motion: &Motion) -> f64 {
    -touch.normal.dot(&(motion.v + motion.w.cross(&touch.arm)))
}

impl Load {
    /// By the law of the pair, of a touch with a past, between bodies that move relative to each other.
    #[inline]
    pub fn of(touch: Touch, law: &Law, past: &Past, motion: &Motion, scratch: &RefCell<Scratch>) -> Self {
        let velocity = motion.v + motion.w.cross(&touch.arm);
        let rate = touch.normal.dot(&velocity);
        let sliding = velocity - touch.normal * rate;
        let normal = law.normal.at(&Stroke { depth: -touch.gap, rate: -rate, arrival: past.arrival }, scratch);
        let carries = normal.force > 0.0;
        let drag = law.friction.filter(|_| carries).map_or(Drag::None, |f| Drag::of(&f, &sliding, past.deflection));
        let resistance = law.resistance.filter(|_| carries);
        let turning = resistance.map_or(Vec3::zeros(), |r| turning(&r, &touch.normal, &motion.w));
        let force = (touch.normal - drag.part(&touch.normal, &sliding)) * normal.force;
        Self { touch, velocity, spin: motion.w, rate, sliding, drag, resistance, turning, normal, force }
    }

    /// M.
    pub fn torque(&self) -> Vec3 {
        self.touch.arm.cross(&self.force) + self.turning * self.normal.force
    }

    /// The touch.
    pub fn touch(&self) -> &Touch {
        &self.touch
    }

    /// (5).
    pub fn dissipation(&self) -> f64 {
        let friction = self.drag.part(&self.touch.normal, &self.sliding).dot(&self.sliding);
        self.rate * (self.normal.elastic - self.normal.force) + self.normal.force * (friction - self.turning.dot(&self.spin))
    }

    /// The derivative of (F, M) by a change of the deflection of its bristles.
    pub fn by_deflection(&self, change: &Vec3) -> Vec6 {
        let force = tangential(&self.touch.normal, change) * (-self.normal.force * self.drag.by_deflection());
        stack(force, self.touch.arm.cross(&force))
    }

    /// Adds the derivatives of (F, M) by δu, δψ, δv and δw.
    pub fn add_derivatives(&self, out: &mut [Half; 4]) {
        let (slopes, n, r) = (self.touch.slopes(), &self.touch.normal, &self.touch.arm);
        let none = Vec3::zeros();
        for k in 0..3 {
            let e = Vec3::ith(k, 1.0);
            let moved = [e, e.cross(r)];
            for (half, moved) in moved.iter().enumerate() {
                let arm = slopes.arm[half].column(k).into_owned();
                let (normal, velocity) = (slopes.normal[half].column(k).into_owned(), self.spin.cross(&arm));
                self.add_column(&Change { gap: n.dot(moved), normal, arm, velocity, spin: none }, k, &mut out[half]);
                let spin = if half == 1 { e } else { none };
                self.add_column(&Change { gap: 0.0, normal: none, arm: none, velocity: *moved, spin }, k, &mut out[2 + half]);
            }
        }
    }

    /// Equations (3), (4) and (7).
    fn add_column(&self, change: &Change, k: usize, out: &mut Half) {
        let Touch { normal: n, arm: r, .. } = &self.touch;
        let force = self.normal.force;
        let rate = change.normal.dot(&self.velocity) + n.dot(&change.velocity);
        let sliding = change.velocity - n * rate - change.normal * self.rate;
        let by = -self.normal.by_depth * change.gap - self.normal.by_rate * rate;
        let turned = change.normal - self.drag.change(n, &self.sliding, &change.normal, &sliding);
        let f = (n - self.drag.part(n, &self.sliding)) * by + turned * force;
        let mut torque = change.arm.cross(&self.force) + r.cross(&f);
        if let Some(resistance) = &self.resistance {
            torque += self.turning * by + self.change_of_turning(resistance, change) * force;
        }
        let mut into = out.column_mut(k);
        into += stack(f, torque);
    }

    /// (7).
    fn change_of_turning(&self, resistance: &Resistance, change: &Change) -> Vec3 {
        let (n, w) = (&self.touch.normal, &self.spin);
        let w_n = n.dot(w);
        let by_n = change.normal.dot(w) + n.dot(&change.spin);
        let w_t = w - n * w_n;
        let by_t = change.spin - n * by_n - change.normal * w_n;
        let (rolls, rolls_slope) = resistance.at(w_t.norm_squared());
        let (spins, spins_slope) = resistance.at(w_n * w_n);
        let rolling = by_t * rolls + w_t * (2.0 * rolls_slope * w_t.dot(&by_t));
        let spinning = n * ((spins + 2.0 * spins_slope * w_n * w_n) * by_n) + change.normal * (spins * w_n);
        -rolling * resistance.rolling - spinning * resistance.spinning
    }
}

/// How the bristles of a touch bend, as seen from b, in world axes: ζ̇, its derivatives by δu, δψ, δv and δw, and by ζ.
pub struct BristleRates {
    pub rate: Vec3,
    pub by: [Half; 4],
    pub own: f64,
}

impl BristleRates {
    /// Of a touch, or what may become one.
    pub fn of(touch: Option<&Touch>, friction: &Friction, deflection: Vec3, motion: &Motion) -> Self {
        let mut by = [Half::zeros(); 4];
        let closed = touch.filter(|touch| touch.gap < 0.0);
        let found = closed.and_then(|touch| Some((touch, Bristles::of(friction, &sliding(touch, motion), deflection)?)));
        let Some((touch, bristles)) = found else {
            let own = -straightening(friction);
            return Self { rate: deflection * own, by, own };
        };
        let (n, slopes, velocity) = (&touch.normal, touch.slopes(), motion.v + motion.w.cross(&touch.arm));
        let v_t = tangential(n, &velocity);
        for k in 0..3 {
            let e = Vec3::ith(k, 1.0);
            for (half, moved) in [e, e.cross(&touch.arm)].iter().enumerate() {
                let (normal, arm) = (slopes.normal[half].column(k).into_owned(), motion.w.cross(&slopes.arm[half].column(k)));
                let by_pose = tangential(n, &arm) - n * normal.dot(&velocity) - normal * n.dot(&velocity);
                for (into, change) in [half, 2 + half].into_iter().zip([by_pose, tangential(n, moved)]) {
                    by[into].set_column(k, &stack(bristles.change_of_rate(&v_t, &change), Vec3::zeros()));
                }
            }
        }
        Self { rate: bristles.rate(&v_t), by, own: -bristles.decay() }
    }
}

/// τ (6).
fn turning(resistance: &Resistance, n: &Vec3, w: &Vec3) -> Vec3 {
    let w_n = n.dot(w);
    let w_t = w - n * w_n;
    -w_t * (resistance.rolling * resistance.at(w_t.norm_squared()).0) - n * (resistance.spinning * resistance.at(w_n * w_n).0 * w_n)
}
