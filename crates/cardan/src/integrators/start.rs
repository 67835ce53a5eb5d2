//! Preparing the first step (and the first after every event).
//!
//! The index-3 form leaves an error of order 1 in the multipliers that decays only slowly. It is cured by starting u where the method
//! expects it and by a small shift of v₀ normal to the constraints (Arnold, Brüls, Cardona, doi:10.1007/s00211-014-0633-1):
//!
//! ```text
//! h v̈ = ½ (v̇(t₀ + h) − v̇(t₀ − h))                  consistent accelerations along the tangent                     (1)
//! u₀ = v̇₀ + κ h v̈                                   κ the method's offset (α_m − α_f)                              (2)
//! l = (1 − 6β − 3κ)/6 · h² v̈ + h²/12 [v, v̇]         [v, v̇] = ω × ω̇ for rotations, 0 otherwise                    (3)
//! [M Gᵀ; G 0](Δv, ·) = (0, G l),   v₀ += Δv                                                                        (4)
//! ```
//!
//! The unknowns w of differential states start likewise at w₀ = ẋ₀ + κ_x h ẍ, with the offset of `states`.
//!
//! Where h v̈ is as large as v̇ itself the step does not resolve the motion and there is nothing to extrapolate: the start
//! is then left consistent.

use super::{Formulation, Point, Scheme, Sizes};
use crate::math::{Vec3, max_abs, weighted_rms};
use crate::system::{Kkt, KktError, State, System, Work};

/// How accelerations and rates of states change over h.
#[derive(Debug)]
pub struct Change {
    /// h v̈.
    pub a: Vec<f64>,
    /// h ẍ of differential states.
    pub x_dot: Vec<f64>,
}

impl Change {
    /// A part of the change from one state to another.
    fn between(before: &State, after: &State, part: f64) -> Self {
        let change = |m: &[f64], p: &[f64]| m.iter().zip(p).map(|(m, p)| part * (p - m)).collect();
        Self { a: change(&before.a, &after.a), x_dot: change(&before.x_dot, &after.x_dot) }
    }

    /// Makes this the change over a time longer by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.a.iter_mut().chain(&mut self.x_dot).for_each(|change| *change *= factor);
    }

    /// The time over which third derivatives move positions, or second ones differential states, by their size; `h` is that of the change.
    pub fn time_scale(&self, sizes: Sizes, h: f64) -> f64 {
        let (jerk, bend) = (weighted_rms(&self.a, sizes.moving) / h, weighted_rms(&self.x_dot, sizes.states) / h);
        jerk.max(f64::MIN_POSITIVE).powf(-1.0 / 3.0).min(bend.max(f64::MIN_POSITIVE).powf(-0.5))
    }
}

/// The change over h at a consistent state (equation 1).
pub fn acceleration_change(system: &System, x: &State, h: f64, kkt: &mut Kkt, work: &mut Work) -> Result<Change, KktError> {
    let (after, before) = (moved(system, x, h, kkt, work)?, moved(system, x, -h, kkt, work)?);
    Ok(Change::between(&before, &after, 0.5))
}

/// The same from one side: for estimates.
pub fn acceleration_ahead(system: &System, x: &State, h: f64, kkt: &mut Kkt, work: &mut Work) -> Result<Change, KktError> {
    let after = moved(system, x, h, kkt, work)?;
    Ok(Change::between(x, &after, 1.0))
}

/// The state a short time along the tangent, with its accelerations.
fn moved(system: &System, x: &State, h: f64, kkt: &mut Kkt, work: &mut Work) -> Result<State, KktError> {
    let mut y = x.clone();
    let delta: Vec<f64> = x.v.iter().zip(&x.a).map(|(v, a)| h * v + 0.5 * h * h * a).collect();
    system.retract(&x.q, &delta, &mut y.q);
    y.v.iter_mut().zip(&x.a).for_each(|(v, a)| *v += h * a);
    y.x.iter_mut().zip(&x.x_dot).for_each(|(x, rate)| *x += h * rate);
    y.t += h;
    if !kkt.regularization.is_empty() {
        // Redundant constraints are redundant only where they hold.
        kkt.project_positions(system, &mut y, work)?;
        kkt.project_velocities(system, &mut y, work)?;
    }
    kkt.accelerate(system, &mut y, work)?;
    Ok(y)
}

/// Equations (1)–(4) on a point that starts consistent; `kappa` is the method's offset. Gives the change (1) where it was used.
pub fn correct(
    system: &System,
    kappa: f64,
    scheme: &Scheme,
    formulation: Formulation,
    h: f64,
    start: &mut Point,
    kkt: &mut Kkt,
    work: &mut Work,
) -> Result<Option<Change>, KktError> {
    // Beside a singular configuration there may be no consistent acceleration to compare with.
    let Ok(Change { a: change, x_dot }) = acceleration_change(system, &start.x, h, kkt, work) else { return Ok(None) };
    let known = max_abs(&start.x.x_dot) + 0.1 * (1.0 + max_abs(&start.x.x)) / h;
    if max_abs(&x_dot) <= known {
        start.w.iter_mut().zip(&x_dot).for_each(|(w, c)| *w += scheme.states.offset() * c);
    }
    let resolved = max_abs(&change) <= max_abs(&start.x.a) + 0.1 * max_abs(&start.x.v) / h;
    if !resolved {
        return Ok(None);
    }
    start.u.iter_mut().zip(&change).for_each(|(u, c)| *u += kappa * c);
    if formulation == Formulation::Index2 || system.rows() == 0 {
        return Ok(Some(Change { a: change, x_dot }));
    }
    let mut l: Vec<f64> = change.iter().map(|c| (1.0 - 6.0 * scheme.beta - 3.0 * kappa) / 6.0 * h * c).collect();
    for k in system.attitudes() {
        let at = |x: &[f64]| Vec3::new(x[k], x[k + 1], x[k + 2]);
        let bracket = at(&start.x.v).cross(&at(&start.x.a)) * (h * h / 12.0);
        (0..3).for_each(|i| l[k + i] += bracket[i]);
    }
    let lambda = start.x.lambda.clone();
    kkt.shift(system, &mut start.x, &l, work)?;
    start.x.lambda.copy_from_slice(&lambda);
    Ok(Some(Change { a: change, x_dot }))
}
