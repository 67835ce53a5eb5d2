//! Newton's method for steps on which one matrix does not serve all stages. Where a step leads through a singular configuration, some rows of
//! G have opposite signs before and behind it, and corrections with the matrix of the middle stage lead away at the others. Only
//! few directions are concerned, and Anderson's acceleration finds them.

use super::super::StepError;
use super::super::anderson::Anderson;
use super::super::step::Point;
use super::newton::{MIDDLE, Newton, ROUND_OFF, STALLED, Task};
use super::stages::Stages;
use crate::math::{max_abs, weighted_rms};
use crate::system::Work;

/// Stages that matrices are made at, one after the other: any of them may be too close to the singular configuration.
const PLACES: [usize; 3] = [2, 0, MIDDLE];
/// So many iterations each.
const RENEWED: usize = 20;
/// So many corrections at round-off are enough.
const ENOUGH: usize = 3;
/// By how much velocities may be off, against their size.
const JUMP: f64 = 1e-5;
/// The equations of motion count as solved at this residual, relative to the forces in them: reactions are hardly determined in some
/// direction, where round-off of the constraints moves them about.
const BALANCED: f64 = 1e-8;

impl Newton {
    /// Solves for the stages, which hold a first guess on entry.
    pub fn solve_accelerated(&mut self, task: &Task, stages: &mut Stages, failed: &mut Point, work: &mut Work) -> Result<(), StepError> {
        self.accelerated = true;
        let (mut anderson, mut units) = (Anderson::default(), Vec::new());
        let (mut x, mut f, mut settled) = (Vec::new(), Vec::new(), 0);
        for k in 0..PLACES.len() * RENEWED {
            self.place(task, stages, failed, work)?;
            if self.balanced(task, stages) {
                self.forget();
                return Ok(());
            }
            if k % RENEWED == 0 {
                let at = PLACES[k / RENEWED];
                if at != MIDDLE {
                    task.system.evaluate(&stages.x[at], work);
                }
                self.renew_at(task, (stages, at), failed, work)?;
                anderson = Anderson::default();
            }
            stages.gather(&mut x);
            let size = self.correct(task, stages, failed, work)?;
            if !size.is_finite() {
                break;
            }
            // Where round-off is all that corrections are made of, nothing better is to be had.
            let small = size <= STALLED.max(task.allowed) && self.jump <= JUMP;
            settled = if small && self.relative_violation(task) <= STALLED { settled + 1 } else { 0 };
            if settled > ENOUGH {
                self.place(task, stages, failed, work)?;
                self.forget();
                return Ok(());
            }
            stages.gather(&mut f);
            f.iter_mut().zip(&x).for_each(|(f, x)| *f -= x);
            if units.is_empty() {
                units = stages.units(&f, task.sizes.moving);
            }
            if size > ROUND_OFF {
                anderson.advance(&mut x, &f, &units);
                stages.scatter(&x);
            }
        }
        Err(self.failure(task, stages.h))
    }

    /// Whether all equations hold at the stages as they were evaluated last.
    fn balanced(&self, task: &Task, stages: &Stages) -> bool {
        let (nv, states) = (task.system.nv(), task.system.nv() + task.system.rows());
        let holds = |(residual, x): (&Vec<f64>, &crate::system::State)| {
            let mut inertia = vec![0.0; nv];
            task.system.add_mass_times(&x.a, 1.0, &mut inertia);
            let forces = max_abs(&inertia) + max_abs(&x.lambda);
            max_abs(&residual[..nv]) <= BALANCED * forces && max_abs(&residual[states..]) <= BALANCED * (1.0 + max_abs(&x.x_dot))
        };
        self.relative_violation(task) <= STALLED && self.equations.residuals().iter().zip(&stages.x).all(holds)
    }
}

impl Stages {
    /// All unknowns in one vector.
    fn gather(&self, out: &mut Vec<f64>) {
        out.clear();
        for (x, shift) in self.x.iter().zip(&self.shift) {
            [&x.a, &x.lambda, &x.x_dot, shift].into_iter().for_each(|part| out.extend(part));
        }
    }

    /// All unknowns from one vector.
    fn scatter(&mut self, from: &[f64]) {
        let mut rest = from;
        for (x, shift) in self.x.iter_mut().zip(&mut self.shift) {
            for part in [&mut x.a, &mut x.lambda, &mut x.x_dot, shift] {
                let (own, others) = rest.split_at(part.len());
                part.copy_from_slice(own);
                rest = others;
            }
        }
    }

    /// Units of the unknowns, such that multipliers count as much as accelerations.
    fn units(&self, f: &[f64], moving: &[f64]) -> Vec<f64> {
        let (x, mut units, mut rest) = (&self.x[0], Vec::with_capacity(f.len()), f);
        let rms = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt();
        for _ in 0..self.x.len() {
            let (own, others) = rest.split_at(2 * x.a.len() + x.lambda.len() + x.x_dot.len());
            let (a, tail) = own.split_at(x.a.len());
            let scale = weighted_rms(a, moving) / rms(&tail[..x.lambda.len()]).max(f64::MIN_POSITIVE);
            units.extend(moving);
            units.extend(x.lambda.iter().map(|_| scale));
            units.extend(x.x_dot.iter().map(|_| 1.0));
            units.extend(moving);
            rest = others;
        }
        units
    }
}
