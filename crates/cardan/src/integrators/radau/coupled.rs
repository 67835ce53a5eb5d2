//! Newton's method for steps on which one matrix does not serve all stages. Where a step leads through a singular configuration, some rows of
//! G have opposite signs before and behind it, and corrections with the matrix of one stage lead away at the others. Here every stage has
//! its own matrix J_i(c) = J_i + c L_i + c² Q_i, and corrections y_j solve
//!
//! ```text
//! J_i y_i + h L_i Σ_j a_ij y_j + h² Q_i Σ_j (A²)_ij y_j = −R_i          dynamics, differential states                    (1)
//! h² G_i Σ_j (A²)_ij y_j = −Φ_i                                         position constraints                             (2)
//! h G_i Σ_j a_ij y_j = −Φ̇_i − h² B_i Σ_j (A²)_ij (y_j + s_j)            velocity constraints, B = ∂Φ̇/∂q                 (3)
//! ```
//!
//! by GMRES, preconditioned by the matrix of one stage for all of them: only few directions are left for it to find. Index 3 is (1) and (2). In
//! the index-2 formulation these give y + s, with s the corrections of positions, and then (1) and (3) give y. Where rows of G all but vanish,
//! B counts as much as they do. With bias(v) = Φ̈ − G a, which is quadratic in v, it is
//!
//! ```text
//! B δ = ¼ (bias(v + δ) − bias(v − δ))                                                                                    (4)
//! ```
//!
//! but for a term G (ω × δ) of bodies in space, which is small beside the left side of (3).

use super::super::StepError;
use super::equations::{Equations, Power, weights};
use super::newton::{MIDDLE, Newton, STALLED, Task};
use super::stages::Stages;
use super::tableau::{Each, STAGES, Tableau};
use crate::constraints::Level;
use crate::integrators::Formulation;
use crate::linear::{Gmres, LinearError};
use crate::math::max_abs;
use crate::newton::{Point, name};
use crate::system::{Jacobian, State, System, Work};

/// Stages whose matrix is the preconditioner, one after the other: any of them may be too close to the singular configuration.
const PLACES: [usize; 3] = [2, 0, MIDDLE];
/// So many iterations each.
const ITERATIONS: usize = 10;
/// So many corrections at round-off are enough.
const ENOUGH: usize = 3;
/// By how much velocities may be off, against their size.
const JUMP: f64 = 1e-5;
/// The equations of motion count as solved at this residual, relative to the forces in them: reactions are hardly determined in some
/// direction, where round-off of the constraints moves them about.
const BALANCED: f64 = 1e-8;
/// How well, and with how many products at most, the linear equations are solved.
const LINEAR: (f64, usize) = (1e-10, 60);

/// The matrices of all stages.
#[derive(Debug)]
pub struct Coupled {
    /// J_i(c), J_i(−c), J_i(0).
    jacobians: Each<Jacobian>,
    gmres: Gmres,
    /// h Σ a_ij y_j and h² Σ (A²)_ij y_j of a stage, and room for products.
    moved: [Vec<f64>; 2],
    part: Vec<f64>,
    sum: [Vec<f64>; 2],
    /// A stage with other velocities, and the bias there.
    beside: State,
    bias: [Vec<f64>; 2],
}

impl Coupled {
    fn new(system: &System) -> Self {
        let zero = || vec![0.0; system.unknowns()];
        Self {
            jacobians: std::array::from_fn(|_| Jacobian::several(system, 3)),
            gmres: Gmres::default(),
            moved: [zero(), zero()],
            part: zero(),
            sum: [zero(), zero()],
            beside: system.initial().clone(),
            bias: std::array::from_fn(|_| vec![0.0; system.rows()]),
        }
    }

    /// The matrices at the stages as they stand.
    fn renew(&mut self, task: &Task, stages: &Stages, work: &mut Work) {
        let c = stages.h * task.tableau.real;
        for (x, jacobian) in stages.x.iter().zip(&mut self.jacobians) {
            task.system.evaluate(x, work).tangents(&weights(c, task.regularization), jacobian);
        }
    }

    /// h^p Σ (A^p)_ij y_j of a stage for p = 1 and 2.
    fn move_by(&mut self, tableau: &Tableau, h: f64, i: usize, y: &[f64]) {
        let n = self.part.len();
        let a = &tableau.a;
        let first = a[i].map(|a| h * a);
        let second: Each<f64> = std::array::from_fn(|j| h * h * (0..STAGES).map(|k| a[i][k] * a[k][j]).sum::<f64>());
        for (moved, factors) in self.moved.iter_mut().zip([first, second]) {
            for (k, moved) in moved.iter_mut().enumerate() {
                *moved = (0..STAGES).map(|j| factors[j] * y[j * n + k]).sum();
            }
        }
    }

    /// The left sides of (1) and, for position constraints, of (2) or (3).
    fn product(&mut self, task: &Task, h: f64, power: Power, y: &[f64], out: &mut [f64]) {
        let (n, c) = (self.part.len(), h * task.tableau.real);
        for (i, out) in out.chunks_exact_mut(n).enumerate() {
            self.move_by(task.tableau, h, i, y);
            let [first, second] = &self.moved;
            let (own, at) = (&y[i * n..(i + 1) * n], |k: usize| (first[k] / (2.0 * c), second[k] / (2.0 * c * c)));
            let parts: [&dyn Fn(usize) -> f64; 3] = [&|k| -at(k).0 - at(k).1, &|k| at(k).0 - at(k).1, &|k| second[k] / (c * c) - own[k]];
            self.sum[0].fill(0.0);
            for (matrix, part) in (0..3).map(|k| self.jacobians[i].matrix_of(k)).zip(parts) {
                self.part.iter_mut().enumerate().for_each(|(k, x)| *x = part(k));
                let [from, to] = &mut self.sum;
                matrix.residual(&self.part, from, to);
                self.sum.swap(0, 1);
            }
            out.copy_from_slice(&self.sum[0]);
            self.constraints(task.system, i, power, out);
        }
    }

    /// The left sides of (2) or (3) in the rows of a stage, from what `move_by` has left.
    fn constraints(&mut self, system: &System, i: usize, power: Power, out: &mut [f64]) {
        let nv = system.nv();
        self.part.fill(0.0);
        for (p, moved) in [Power::First, Power::Second].into_iter().zip(&self.moved) {
            self.jacobians[i].matrix_of(2).residual(moved, &self.part, &mut self.sum[0]);
            for row in (0..system.rows()).filter(|row| power.of(system.levels()[*row]) == p) {
                out[nv + row] = -self.sum[0][nv + row];
            }
        }
    }

    /// Subtracts the term with B (4) from the right sides of a stage, from what `move_by` has left.
    fn subtract_bending(&mut self, system: &System, x: &State, out: &mut [f64], work: &mut Work) {
        let delta = &self.moved[1][..system.nv()];
        let (size, speed) = (max_abs(delta), max_abs(&x.v));
        if size == 0.0 || speed == 0.0 {
            return;
        }
        // Steps of the size of the velocities keep all digits.
        for (sign, bias) in [1.0, -1.0].into_iter().zip(&mut self.bias) {
            self.beside.copy_from(x);
            self.beside.v.iter_mut().zip(delta).for_each(|(v, d)| *v += sign * speed / size * d);
            system.evaluate(&self.beside, work).acceleration_bias(bias);
        }
        for row in (0..system.rows()).filter(|row| system.levels()[*row] == Level::Position) {
            out[system.nv() + row] -= 0.25 * size / speed * (self.bias[0][row] - self.bias[1][row]);
        }
    }

    /// Solves (1) with (2) or (3) in place.
    fn solve(&mut self, task: &Task, equations: &mut Equations, h: f64, power: Power, y: &mut [f64]) -> Result<(), LinearError> {
        equations.solve_alike(task.system, task.tableau, power, y)?;
        let mut gmres = std::mem::take(&mut self.gmres);
        let solved = gmres.solve(y, LINEAR, |y, out| {
            self.product(task, h, power, y, out);
            equations.solve_alike(task.system, task.tableau, power, out)
        });
        self.gmres = gmres;
        solved.map(|_| ())
    }

    /// Right sides: of (1) and (2), or of (1) and −Φ̇.
    fn right_sides(system: &System, equations: &Equations, power: Power) -> Vec<f64> {
        let mut y: Vec<f64> = equations.residuals().iter().flatten().copied().collect();
        let n = y.len() / STAGES;
        for (y, drift) in y.chunks_exact_mut(n).zip(equations.drifts()) {
            for row in (0..system.rows()).filter(|row| power.of(system.levels()[*row]) == Power::First) {
                y[system.nv() + row] = drift[row];
            }
        }
        y
    }

    /// One correction of the stages; that of the motion stays in `equations.correction`.
    fn correct(&mut self, task: &Task, equations: &mut Equations, stages: &mut Stages, work: &mut Work) -> Result<(), LinearError> {
        let (system, h, n) = (task.system, stages.h, self.part.len());
        let (nv, states) = (system.nv(), system.nv() + system.rows());
        let mut motion = Self::right_sides(system, equations, Power::Second);
        self.solve(task, equations, h, Power::Second, &mut motion)?;
        if task.options.formulation == Formulation::Index2 {
            let both = std::mem::replace(&mut motion, Self::right_sides(system, equations, Power::First));
            for (i, right) in motion.chunks_exact_mut(n).enumerate() {
                self.move_by(task.tableau, h, i, &both);
                self.subtract_bending(system, &stages.x[i], right, work);
            }
            self.solve(task, equations, h, Power::First, &mut motion)?;
            for (own, (both, y)) in stages.shift.iter_mut().zip(both.chunks_exact(n).zip(motion.chunks_exact(n))) {
                own.iter_mut().zip(both.iter().zip(y)).for_each(|(s, (both, y))| *s += both - y);
            }
        }
        for ((x, kept), d) in stages.x.iter_mut().zip(&mut equations.correction).zip(motion.chunks_exact(n)) {
            kept.copy_from_slice(d);
            x.a.iter_mut().zip(&d[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&d[nv..states]).for_each(|(l, d)| *l += d);
            x.x_dot.iter_mut().zip(&d[states..]).for_each(|(w, d)| *w += d);
        }
        Ok(())
    }
}

impl Newton {
    /// Solves for the stages, which hold a first guess on entry.
    pub fn solve_coupled(&mut self, task: &Task, stages: &mut Stages, failed: &mut Point, work: &mut Work) -> Result<(), StepError> {
        self.was_coupled = true;
        let mut coupled = self.coupled.take().unwrap_or_else(|| Box::new(Coupled::new(task.system)));
        let outcome = self.iterate_coupled(&mut coupled, task, stages, failed, work);
        self.coupled = Some(coupled);
        if outcome.is_ok() {
            self.forget();
        }
        outcome
    }

    fn iterate_coupled(
        &mut self,
        coupled: &mut Coupled,
        task: &Task,
        stages: &mut Stages,
        failed: &mut Point,
        work: &mut Work,
    ) -> Result<(), StepError> {
        for at in PLACES {
            let mut settled = 0;
            for k in 0..ITERATIONS {
                self.place(task, stages, failed, work)?;
                if settled > ENOUGH || self.balanced(task, stages) {
                    return Ok(());
                }
                if k == 0 {
                    self.renew(task, stages.h, &mut task.system.evaluate(&stages.x[at], work), failed)?;
                }
                coupled.renew(task, stages, work);
                self.iterations += 1;
                coupled.correct(task, &mut self.equations, stages, work).map_err(|error| {
                    failed.x.copy_from(&stages.x[at]);
                    name(&mut task.system.evaluate(&failed.x, work), error)
                })?;
                let size = self.size(task, stages.h);
                if !size.is_finite() {
                    return Err(self.failure(task, stages.h));
                }
                // Where round-off is all that corrections are made of, nothing better is to be had.
                let small = size <= STALLED.max(task.allowed) && self.jump <= JUMP;
                settled = if small && self.relative_violation(task) <= STALLED { settled + 1 } else { 0 };
            }
        }
        Err(self.failure(task, stages.h))
    }

    /// Whether all equations hold at the stages as they were evaluated last.
    fn balanced(&self, task: &Task, stages: &Stages) -> bool {
        let (nv, states) = (task.system.nv(), task.system.nv() + task.system.rows());
        let holds = |(residual, x): (&Vec<f64>, &State)| {
            let mut inertia = vec![0.0; nv];
            task.system.add_mass_times(&x.q, &x.a, 1.0, &mut inertia);
            let forces = max_abs(&inertia) + max_abs(&x.lambda);
            max_abs(&residual[..nv]) <= BALANCED * forces && max_abs(&residual[states..]) <= BALANCED * (1.0 + max_abs(&x.x_dot))
        };
        self.relative_violation(task) <= STALLED && self.equations.residuals().iter().zip(&stages.x).all(holds)
    }
}
