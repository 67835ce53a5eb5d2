//! What a touch exerts on marker a, and its derivatives. With v and w the velocities of a as seen from b, n, g, r of the touch and f, m the gradient
//! of g, which are n and r × n where g is a distance:
//!
//! ```text
//! c = v + w × r,   c_n = n·c,   v_t = c − c_n n,   ġ = f·v + m·w    velocity at the contact point                 (1)
//! F = N f + T,   M = N m + r × T + P τ,   T = −P p,   P = N |f|  N by depth and rate, p of `drag`                (2)
//! δc = δv + δw × r + w × δr,   δc_n = δn·c + n·δc,   δv_t = δc − δc_n n − c_n δn,   δP = |f| δN + N n·δf         (3)
//! δT = −δP p − P δp,   δF = δN f + N δf + δT,   δM = δN m + N δm + δr × T + r × δT + δP τ + P δτ                 (4)
//! power dissipated:   −F·v − M·w − E(δ) δ̇                       what is stored is ∫E                            (5)
//! ```
//!
//! (5) is exact at all times, also where the force has come down to zero on the way out while E is not: what E would give then is lost. P is
//! what presses the surfaces on each other, P τ the torque of resistance to rolling and spinning, with w_n = n·w, w_t = w − w_n n and the
//! functions ψ of [`Resistance::at`]:
//!
//! ```text
//! τ = −a ψ(w_t²) w_t − b ψ(w_n²) w_n n                                                                            (6)
//! δτ = −a (ψ δw_t + 2 ψ′ (w_t·δw_t) w_t) − b ((ψ + 2 ψ′ w_n²) δw_n n + ψ w_n δn)                                   (7)
//! ```

use super::law::drag::{Bristles, Drag, straightening, tangential};
use super::law::{Friction, Law, Normal, Resistance, Stroke};
use super::touch::Touch;
use crate::expr::Scratch;
use crate::forces::geometry::{Half, Motion};
use crate::math::{Vec3, Vec6, stack};
use std::cell::RefCell;

/// A touch with what it exerts.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    touch: Touch,
    /// v and w.
    motion: [Vec3; 2],
    /// c.
    velocity: Vec3,
    /// c_n.
    approach: f64,
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
    /// T.
    pub friction: Vec3,
    /// P.
    pub pressure: f64,
    /// F.
    pub force: Vec3,
}

/// A change of the bodies: of the gap, its gradient and its rate, of n and r, of w, and of the velocity at the contact point.
struct Change {
    gap: f64,
    rate: f64,
    gradient: [Vec3; 2],
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

impl Load {
    /// By the law of the pair, of a touch with a past, between bodies that move relative to each other.
    #[inline]
    pub fn of(touch: Touch, law: &Law, past: &Past, motion: &Motion, scratch: &RefCell<Scratch>) -> Self {
        let (v, w) = (motion.v, motion.w);
        let velocity = v + w.cross(&touch.arm);
        let approach = touch.normal.dot(&velocity);
        let sliding = velocity - touch.normal * approach;
        let rate = touch.rate(motion);
        let normal = law.normal.at(&Stroke { depth: -touch.gap, rate: -rate, arrival: past.arrival }, scratch);
        let carries = normal.force > 0.0;
        let drag = law.friction.filter(|_| carries).map_or(Drag::None, |f| Drag::of(&f, &sliding, past.deflection));
        let resistance = law.resistance.filter(|_| carries);
        let turning = resistance.map_or(Vec3::zeros(), |r| turning(&r, &touch.normal, &w));
        let pressure = normal.force * touch.steepness();
        let friction = drag.part(&touch.normal, &sliding) * -pressure;
        let force = touch.gradient[0] * normal.force + friction;
        Self { touch, motion: [v, w], velocity, approach, rate, sliding, drag, resistance, turning, normal, friction, pressure, force }
    }

    /// r.
    pub fn arm(&self) -> Vec3 {
        self.touch.arm
    }

    /// v_t.
    pub fn sliding(&self) -> Vec3 {
        self.sliding
    }

    /// M.
    pub fn torque(&self) -> Vec3 {
        self.touch.gradient[1] * self.normal.force + self.turning * self.pressure + self.touch.arm.cross(&self.friction)
    }

    /// (5).
    pub fn dissipation(&self) -> f64 {
        let friction = self.drag.part(&self.touch.normal, &self.sliding).dot(&self.sliding);
        self.rate * (self.normal.elastic - self.normal.force) + self.pressure * (friction - self.turning.dot(&self.motion[1]))
    }

    /// The derivative of (F, M) by a change of the deflection of its bristles.
    pub fn by_deflection(&self, change: &Vec3) -> Vec6 {
        let force = tangential(&self.touch.normal, change) * (-self.pressure * self.drag.by_deflection());
        stack(force, self.touch.arm.cross(&force))
    }

    /// Adds the derivatives of (F, M) by δu, δψ, δv and δw.
    pub fn add_derivatives(&self, out: &mut [Half; 4]) {
        let (slopes, [v, w]) = (self.touch.slopes(), &self.motion);
        let none = Vec3::zeros();
        let still = Change { gap: 0.0, rate: 0.0, gradient: [none; 2], normal: none, arm: none, velocity: none, spin: none };
        for k in 0..3 {
            let e = Vec3::ith(k, 1.0);
            for (half, moved) in [e, e.cross(&self.touch.arm)].into_iter().enumerate() {
                let by = self.touch.gradient[half][k];
                let gradient = self.touch.gradient_column(&slopes, half, k);
                let [normal, arm] = [&slopes.normal, &slopes.arm].map(|s| s[half].column(k).into_owned());
                let rate = gradient[0].dot(v) + gradient[1].dot(w);
                self.add_column(&Change { gap: by, rate, gradient, normal, arm, velocity: w.cross(&arm), spin: none }, k, &mut out[half]);
                let spin = if half == 1 { e } else { none };
                self.add_column(&Change { rate: by, velocity: moved, spin, ..still }, k, &mut out[2 + half]);
            }
        }
    }

    /// Equations (3), (4) and (7).
    fn add_column(&self, change: &Change, k: usize, out: &mut Half) {
        let (n, r, [f, m]) = (&self.touch.normal, &self.touch.arm, &self.touch.gradient);
        let force = self.normal.force;
        let approach = change.normal.dot(&self.velocity) + n.dot(&change.velocity);
        let sliding = change.velocity - n * approach - change.normal * self.approach;
        let by = -self.normal.by_depth * change.gap - self.normal.by_rate * change.rate;
        let pressed = self.touch.steepness() * by + n.dot(&change.gradient[0]) * force;
        let resists = self.drag.change(n, &self.sliding, &change.normal, &sliding);
        let friction = self.drag.part(n, &self.sliding) * -pressed - resists * self.pressure;
        let [turned, twisted] = &change.gradient;
        let mut torque = m * by + twisted * force + change.arm.cross(&self.friction) + r.cross(&friction);
        if let Some(resistance) = &self.resistance {
            torque += self.turning * pressed + self.change_of_turning(resistance, change) * self.pressure;
        }
        let mut into = out.column_mut(k);
        into += stack(f * by + turned * force + friction, torque);
    }

    /// (7).
    fn change_of_turning(&self, resistance: &Resistance, change: &Change) -> Vec3 {
        let (n, w) = (&self.touch.normal, &self.motion[1]);
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
