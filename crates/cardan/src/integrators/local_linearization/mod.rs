//! Local linearization: every step is the exact solution of the equations linearised where it starts. With y = (δ, v, x), δ the
//! coordinates in the chart at q_n (q = q_n ⊕ δ), and ẏ = f(y, t) the index-1 equations,
//!
//! ```text
//! f = (δ̇, a, ẋ),      δ̇ = v, for attitudes δ̇ = T⁻¹(δ) ω,      A = ∂f/∂y                                         (1; eqs. 7–15)
//! y(t_n + h) = h φ₁(hA) f + h² φ₂(hA) f_t                                                                       (2; eqs. 2–6)
//! r = f(y_{n+1}) − (f + A y_{n+1} + f_t h)             what the linear equations miss at the end                  (3; eq. 30)
//! l = ∫ e^{A(h−u)} r (u/h)² du = 2 h φ₃(hA) r          local error                                               (4; eqs. 31–32)
//! ```
//!
//! What happens within a step and is over at its end escapes (3). Where velocities are controlled, the equations are looked at in the middle
//! of the step as well: with r_m what is missed there, and m = 4 r_m − r,
//!
//! ```text
//! l = ∫ e^{A(h−u)} (r (u/h)² + m (u/h)(1 − u/h)) du = h φ₂(hA) m + 2 h φ₃(hA) (r − m)                            (5)
//! ```
//!
//! That is the method of the paper, of order 2. What is missed can be made good instead: as a function of time within the step it starts with
//! value and slope zero, and a cubic follows it,
//!
//! ```text
//! f(y(u), t_n + u) ≈ f + A y + f_t u + α (u/h)² + β (u/h)³,       α = 8 r_m − r,   β = 2 r − 8 r_m                     (6)
//! y(t_n + u) = u φ₁(uA) f + u² φ₂(uA) f_t + u³ φ₃(uA) 8 r_m/h²      the middle, and the end where r is taken         (7)
//! y(t_n + u) = u φ₁(uA) f + u² φ₂(uA) f_t + u³ φ₃(uA) w₃ + u⁴ φ₄(uA) w₄,     w₃ = 2α/h²,   w₄ = 6β/h³                  (8)
//! l = h⁴ φ₄(hA) w₄                                     the last term, without which the step is of order 3         (9)
//! ```
//!
//! The weights of (8) and (9) are those of the method exprb43 of Hochbruck, Ostermann, Schweitzer, doi:10.1137/080717717, of order 4, and for
//! stiff equations, too, as long as what is missed is not stiff. The stages differ: r_m is taken on (2) first, and then again on (7). Where a
//! stiff spring turns, (2) stretches it, and the force of that has a part in directions that are not stiff, where it would be taken for a
//! force on the motion; (7) lets the spring go.
//! Order 4 is the default; in the norm of papers the default is order 2.
//!
//! Both are explicit and A-stable; stiff springs cost them nothing as long as they are nearly linear. (2) and (8) hold for any part of the step,
//! so they are the dense output, and events are located on it (eq. 18). Equation numbers are those of Gil, Sanfelice, Nikravesh, Local
//! Linearization Method in the Integration of Multibody Equations, Multibody Dynamics 2013, Zagreb. The constraints of
//! accelerations hold q and v only as long as rounding and the error of the step let them: by default both are projected after every step.
//!
//! Where a run starts, or starts again at an event, the equations may have a corner, and the linearisation is that of the side ahead.
//!
//! Small systems have A as a dense matrix, large ones only products with it (`flow`).

mod flow;
mod work;

use super::advance::Advance;
use super::step_control::Law;
use super::{Formulation, Method, Norm, Options, Parameter, Solves, StepControl};
use crate::system::{State, System};
use std::sync::Arc;

/// What is held below the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorPer {
    /// The error of a step.
    #[default]
    Step,
    /// The error of a step by its size, which adds up to the same at the end whatever the steps were.
    UnitStep,
}

/// Whether positions and velocities are brought back to the constraints after every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Projection {
    /// They are.
    #[default]
    On,
    /// They drift, as in the paper.
    Off,
}

/// The method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalLinearization {
    /// Order of convergence, 2 or 4; by default 4, and 2 in the norm of papers.
    pub order: Option<usize>,
    /// How steps follow from errors.
    pub control: Law,
    /// What is held below the tolerance.
    pub error: ErrorPer,
    /// Whether the constraints are kept.
    pub projection: Projection,
    /// Systems with more unknowns (positions, velocities and states) than this have their φ-functions from products with A.
    pub dense: usize,
}

impl Default for LocalLinearization {
    fn default() -> Self {
        Self { order: None, control: Law::Elementary, error: ErrorPer::Step, projection: Projection::On, dense: 60 }
    }
}

impl Method for LocalLinearization {
    fn name(&self) -> &'static str {
        "local-linearization"
    }
    fn summary(&self) -> &'static str {
        "exponential: exact for the equations linearised at every step; order 4 or 2, explicit, A-stable, for stiff and oscillating systems"
    }
    fn order(&self) -> usize {
        self.order.unwrap_or(4)
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        let usual = if options.norm == Norm::Paper { 2 } else { 4 };
        Box::new(work::AtWork::new(Self { order: self.order.or(Some(usual)), ..*self }, system))
    }
    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index1]
    }
    fn solves(&self) -> Solves {
        Solves::Accelerations
    }
    fn damping(&self) -> String {
        "that of the model".into()
    }
    fn control(&self) -> StepControl {
        StepControl::with(self.control)
    }
    fn with(&self, parameter: &str, value: Parameter) -> Option<Arc<dyn Method>> {
        let mut method = *self;
        match (parameter, value) {
            ("order", Parameter::Number(order)) if order.fract() == 0.0 => method.order = Some(order as usize),
            ("control", Parameter::Word("elementary")) => method.control = Law::Elementary,
            ("control", Parameter::Word("pi")) => method.control = Law::ProportionalIntegral,
            ("error", Parameter::Word("step")) => method.error = ErrorPer::Step,
            ("error", Parameter::Word("unit-step")) => method.error = ErrorPer::UnitStep,
            ("projection", Parameter::Word("on")) => method.projection = Projection::On,
            ("projection", Parameter::Word("off")) => method.projection = Projection::Off,
            _ => return None,
        }
        Some(Arc::new(method))
    }
    fn mistake(&self) -> Option<String> {
        let order = self.order();
        (![2, 4].contains(&order)).then(|| format!("local linearization is of order 2 or 4, not {order}"))
    }
}

/// now moved by y over the time h.
fn put(system: &System, now: &State, h: f64, y: &[f64], next: &mut State) {
    let nv = system.nv();
    next.t = now.t + h;
    system.retract(&now.q, &y[..nv], &mut next.q);
    for k in 0..nv {
        next.v[k] = now.v[k] + y[nv + k];
    }
    for ((next, now), y) in next.x.iter_mut().zip(&now.x).zip(&y[2 * nv..]) {
        *next = now + y;
    }
}
