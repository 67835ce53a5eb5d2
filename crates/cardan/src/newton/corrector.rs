//! The corrector: Newton's method on (u, λ) and, where there are differential states, w; shared by all methods.
//!
//! ```text
//! [ c_a (M + f_a) + c_v C + c_q K T    Gᵀ ] (Δu)      ( M a + f )
//! [ G T                                0  ] (Δλ)  = − ( Φ / c_q )                                     (1)
//! ```
//!
//! Rows and columns of differential states are in `system/expressions/states`. Nothing in the matrix is divided by h. Rows of velocity
//! level are scaled by 1/c_v. In the stabilised index-2 formulation the rows are (G v + Φ_t)/c_v, and a position correction s,
//! q = q̂ ⊕ (δ̂ + c_q (u + s)), keeps Φ = 0:
//!
//! ```text
//! [ S  Gᵀ ; G T  0 ] (Δs, ·) = −(0, Φ/c_q − (G v + Φ_t)/c_v)                                           (2)
//! ```
//!
//! with the same factorisation; s is S-orthogonal to the free motions, so stiff forces do not feed back on it
//! (with a Jacobian kept from earlier steps the direction is an older one; s being of higher order, so is the difference).
//!
//! The right-hand sides are in `step`, the stopping tests in `stopping`, the life of a Jacobian in `reuse`.

use super::oscillation::Oscillation;
use super::reuse::Reuse;
use super::step::{Point, Step};
use super::step_error::{StepError, name, not_finite, worst};
use super::stopping::{self, MAX_ITERATIONS, Progress, Verdict};
use super::{Formulation, Iterations, Options};
use crate::constraints::Level;
use crate::system::{Evaluated, Jacobian, Kkt, Rebuilds, State, System, Work};

/// Counters of the corrector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub iterations: usize,
    pub evaluations: usize,
    pub jacobians: usize,
}

/// Newton's method with its matrix, kept from step to step.
#[derive(Debug)]
pub struct Corrector {
    jacobian: Jacobian,
    reuse: Reuse,
    rhs: Vec<f64>,
    shift: Vec<f64>,
    position_shift: Vec<f64>,
    oscillation: Oscillation,
    /// Largest violations of the last solved step: position and velocity level.
    violation: (f64, f64),
    pub counts: Counts,
}

impl Corrector {
    pub fn new(system: &System, threads: usize) -> Self {
        let (nv, n) = (system.nv(), system.unknowns());
        Self {
            jacobian: Jacobian::new(system).with_threads(threads),
            reuse: Reuse::default(),
            rhs: vec![0.0; n],
            shift: vec![0.0; n],
            position_shift: vec![0.0; nv],
            oscillation: Oscillation::new(nv),
            violation: (0.0, 0.0),
            counts: Counts::default(),
        }
    }

    /// Takes the order of elimination of these one-shot solves: only stiffness and damping make its matrix another one.
    pub fn order_like(&mut self, kkt: &Kkt) {
        kkt.lend_order(&mut self.jacobian);
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.jacobian.factorizations()
    }

    /// How often patterns and orders of elimination were made.
    pub fn rebuilds(&self) -> Rebuilds {
        self.jacobian.rebuilds()
    }

    /// Makes the next step begin with a new Jacobian.
    pub fn reset(&mut self) {
        self.jacobian.retire();
    }

    /// Largest violations of the last solved step: position and velocity level.
    pub fn violation(&self) -> (f64, f64) {
        self.violation
    }

    /// Solves for the point `to`, which holds the prediction of u and λ on entry.
    pub fn solve(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        if step.formulation == Formulation::Index2 {
            self.position_shift.fill(0.0);
        }
        match options.iterations {
            Iterations::Fixed(count) => self.iterate_fixed(system, step, to, work, count),
            Iterations::Converged => match self.iterate(system, options, step, to, work) {
                Err(StepError::NotConverged { .. }) => self.iterate_anew(system, options, step, to, work),
                outcome => outcome,
            },
        }
    }

    /// Newton's method until the stopping tests are met.
    fn iterate(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        let mut progress = Progress::new(system, self.reuse.begin(step.c_v(), self.jacobian.made_for()));
        for _ in 0..MAX_ITERATIONS {
            let Point { x, u, w } = &mut *to;
            let (mut at, violation) = self.residual(system, step, [u, w], x, work)?;
            if progress.solved(violation, &mut self.reuse, || stopping::balanced(&at, &self.rhs)) {
                self.reuse.solved(progress.needed());
                self.violation = at.violation();
                return Ok(());
            }
            if self.jacobian.sees_change(&at) {
                self.reuse.distrust();
            }
            if progress.wants_jacobian() {
                let before = self.jacobian.made_for();
                self.renew(step, u, &mut at)?;
                self.reuse.renewed(step.c_v(), before, progress.iterations > 0);
            }
            self.correct(step, &mut at)?;
            let part = self.oscillation.damp(progress.iterations, step, &mut self.rhs);
            let size = self.add(system, step, [u, w]);
            let verdict = progress.judge(options, step, [u, w], [size, part], &mut self.reuse);
            if verdict == Verdict::Solved {
                self.violation = fallen(at.violation(), progress.fall(), step.formulation);
            }
            self.add_multipliers(system, x);
            match verdict {
                Verdict::GoOn => {}
                Verdict::Diverges => break,
                Verdict::Solved => {
                    step.place(system, &self.position_shift, to);
                    self.reuse.solved(progress.needed());
                    return Ok(());
                }
            }
        }
        self.jacobian.retire();
        let (at, violation) = self.residual(system, step, [&to.u, &to.w], &mut to.x, work)?;
        self.violation = at.violation();
        let acceptable = stopping::acceptable(violation, || stopping::balanced(&at, &self.rhs));
        if acceptable { Ok(()) } else { Err(worst(system, step.c_q(), &self.rhs)) }
    }

    /// q, v, a from u, everything evaluated there, and the right-hand side; gives the largest violation of the constraints as well.
    fn residual<'a>(
        &mut self,
        system: &'a System,
        step: &Step,
        [u, w]: [&[f64]; 2],
        x: &'a mut State,
        work: &'a mut Work,
    ) -> Result<(Evaluated<'a>, f64), StepError> {
        self.counts.evaluations += 1;
        match step.residual(system, [u, w, &self.position_shift], x, work, &mut self.rhs) {
            (at, Some(violation)) => Ok((at, violation)),
            (mut at, None) => Err(not_finite(&mut at)),
        }
    }

    /// A second try from u = 0, uniform motion: where a stiff transient makes every extrapolation of u a bad guess.
    fn iterate_anew(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        to.u.fill(0.0);
        to.w.fill(0.0);
        to.x.lambda.fill(0.0);
        self.position_shift.fill(0.0);
        self.iterate(system, options, step, to, work)
    }

    /// This many iterations, each with a new Jacobian.
    fn iterate_fixed(&mut self, system: &System, step: &Step, to: &mut Point, work: &mut Work, count: usize) -> Result<(), StepError> {
        let Point { x, u, w } = to;
        for _ in 0..count {
            let (mut at, _) = self.residual(system, step, [u, w], x, work)?;
            self.renew(step, u, &mut at)?;
            self.correct(step, &mut at)?;
            self.add(system, step, [u, w]);
            self.add_multipliers(system, x);
        }
        let (at, _) = self.residual(system, step, [u, w], x, work)?;
        self.violation = at.violation();
        Ok(())
    }

    /// A new Jacobian and its factorisation.
    fn renew(&mut self, step: &Step, u: &[f64], at: &mut Evaluated) -> Result<(), StepError> {
        at.tangent(&step.tangent_weights(u, &self.position_shift), &mut self.jacobian);
        self.counts.jacobians += 1;
        self.jacobian.factor_for(step.c_v()).map_err(|e| name(at, e))
    }

    /// One Newton correction, which takes the place of the right-hand side.
    fn correct(&mut self, step: &Step, at: &mut Evaluated) -> Result<(), StepError> {
        self.counts.iterations += 1;
        if step.formulation == Formulation::Index2 {
            let rows = &mut self.rhs[at.system().nv()..];
            rows.iter_mut().zip(at.phi_dot()).for_each(|(row, rate)| *row = -rate / step.c_v());
        }
        self.jacobian.solve(&mut self.rhs).map_err(|e| name(at, e))?;
        if step.formulation == Formulation::Index2 { self.correct_positions(step, at) } else { Ok(()) }
    }

    /// Adds the correction of u and w; returns its size.
    fn add(&self, system: &System, step: &Step, unknowns: [&mut [f64]; 2]) -> f64 {
        let (u, rest) = self.rhs.split_at(system.nv());
        step.add([u, &rest[system.rows()..]], unknowns)
    }

    /// Adds that of the multipliers.
    fn add_multipliers(&self, system: &System, x: &mut State) {
        x.lambda.iter_mut().zip(&self.rhs[system.nv()..]).for_each(|(l, d)| *l += d);
    }

    /// The filter of errors of velocities (`formula`), with the factors at hand.
    pub fn filter(&mut self, system: &System, q: &[f64], c_a: f64, error: &mut [f64]) {
        self.shift.fill(0.0);
        let nv = system.nv();
        system.add_mass_times(q, error, c_a, &mut self.shift[..nv]);
        if self.jacobian.solve(&mut self.shift).is_ok() {
            error.copy_from_slice(&self.shift[..nv]);
        }
    }

    /// Equation (2).
    fn correct_positions(&mut self, step: &Step, at: &mut Evaluated) -> Result<(), StepError> {
        let (nv, levels) = (at.system().nv(), at.system().levels());
        self.shift.fill(0.0);
        for (row, level) in levels.iter().enumerate() {
            let velocity = at.phi_dot()[row] / step.c_v();
            if *level == Level::Position {
                self.shift[nv + row] = velocity - at.phi()[row] / step.c_q();
            }
        }
        self.jacobian.solve(&mut self.shift).map_err(|e| name(at, e))?;
        self.position_shift.iter_mut().zip(&self.shift[..nv]).for_each(|(s, d)| *s += d);
        Ok(())
    }
}

/// Violations after a correction that was not looked at; with index 3 those of velocities are what they are.
fn fallen((position, velocity): (f64, f64), by: f64, formulation: Formulation) -> (f64, f64) {
    (position * by, if formulation == Formulation::Index2 { velocity * by } else { velocity })
}
