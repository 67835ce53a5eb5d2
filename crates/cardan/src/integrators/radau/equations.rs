//! The equations of the stages and their solution, one Newton correction at a time.
//!
//! With J(c) = M + c C + c² K and the constraints, the matrix of `system/tangent`, and ỹ = T⁻¹ y of `tableau`, the corrections of the three
//! stages come apart into one real and one complex system,
//!
//! ```text
//! J(c) (ã, λ̃, w̃) = (R̃, Φ̃/c², …),      c = h d   and   c = h z                                                        (1)
//! J(z) = J(0) + ½ ζ (J(c) − J(−c)) + ½ ζ² (J(c) + J(−c) − 2 J(0)),      ζ = z/c                                         (2)
//! ```
//!
//! since J is a polynomial of degree 2. It is evaluated at the middle stage. In the index-2 formulation the rows are Φ̇/c, and a second
//! solution with the rows Φ/c² − Φ̇/c gives the position corrections s, as in `corrector`.

use super::newton::MIDDLE;
use super::stages::Stages;
use super::tableau::{Each, STAGES, Tableau};
use crate::constraints::Level;
use crate::integrators::Formulation;
use crate::linear::LinearError;
use crate::math::is_finite;
use crate::system::{Evaluated, Jacobian, System, Weights, Work};
use nalgebra::{Complex, Vector3};

/// Which solution is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sought {
    /// Accelerations, multipliers, rates.
    Motion,
    /// Position corrections.
    Shift,
}

/// The p of h^p A^p, by which corrections of accelerations change what a constraint is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Power {
    /// Velocities.
    First,
    /// Positions.
    Second,
}

impl Power {
    /// That of a constraint, where this is the one of position constraints.
    pub fn of(self, level: Level) -> Self {
        if level == Level::Velocity { Power::First } else { self }
    }
}

/// Residuals, matrices and corrections of the stages.
#[derive(Debug)]
pub struct Equations {
    /// Minus the residuals: dynamics, constraints, differential states.
    residual: Each<Vec<f64>>,
    /// −Φ̇.
    drift: Each<Vec<f64>>,
    /// Right-hand sides taken apart, then corrections of the stages.
    pub correction: Each<Vec<f64>>,
    /// J(c), J(−c), J(0).
    pub jacobian: Jacobian,
    /// c of the real and of the complex system.
    real: f64,
    pair: Complex<f64>,
    pub evaluations: usize,
    pub jacobians: usize,
}

impl Equations {
    /// For a system.
    pub fn new(system: &System, threads: usize) -> Self {
        let each = |n: usize| std::array::from_fn(|_| vec![0.0; n]);
        Self {
            residual: each(system.unknowns()),
            drift: each(system.rows()),
            correction: each(system.unknowns()),
            jacobian: Jacobian::several(system, 3).with_threads(threads),
            real: 1.0,
            pair: Complex::new(1.0, 0.0),
            evaluations: 0,
            jacobians: 0,
        }
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.jacobian.factorizations()
    }

    /// c of the real system.
    pub fn real_step(&self) -> f64 {
        self.real
    }

    /// Minus the residuals of the last stage.
    pub fn last_residual(&self) -> &[f64] {
        &self.residual[STAGES - 1]
    }

    /// Minus the residuals of all stages.
    pub fn residuals(&self) -> &Each<Vec<f64>> {
        &self.residual
    }

    /// −Φ̇ of all stages.
    pub fn drifts(&self) -> &Each<Vec<f64>> {
        &self.drift
    }

    /// Evaluates all stages, the middle one last, and gives that with the largest violations at any of them; only the work arrays where
    /// something is not finite.
    pub fn evaluate<'a>(
        &mut self,
        system: &'a System,
        stages: &'a Stages,
        work: &'a mut Work,
    ) -> Result<(Evaluated<'a>, (f64, f64)), &'a mut Work> {
        let mut violation = (0.0, 0.0);
        for i in [0, 2] {
            if !self.look(i, &system.evaluate(&stages.x[i], work), &mut violation) {
                return Err(work);
            }
        }
        let at = system.evaluate(&stages.x[MIDDLE], work);
        if self.look(MIDDLE, &at, &mut violation) { Ok((at, violation)) } else { Err(at.release()) }
    }

    /// The residuals of a stage; says whether they are finite.
    fn look(&mut self, i: usize, at: &Evaluated, violation: &mut (f64, f64)) -> bool {
        self.evaluations += 1;
        residual(at, &mut self.residual[i]);
        self.drift[i].iter_mut().zip(at.phi_dot()).for_each(|(d, p)| *d = -p);
        let (position, velocity) = at.violation();
        *violation = (violation.0.max(position), violation.1.max(velocity));
        is_finite(&self.residual[i]) && is_finite(&self.drift[i])
    }

    /// New matrices (2) at a stage.
    pub fn renew(&mut self, tableau: &Tableau, h: f64, regularization: &[f64], at: &mut Evaluated) -> Result<(), LinearError> {
        (self.real, self.pair) = (h * tableau.real, tableau.complex * h);
        self.jacobians += 1;
        at.tangents(&weights(self.real, regularization), &mut self.jacobian);
        self.jacobian.factor_for(h)?;
        let ratio = self.pair / self.real;
        let square = ratio * ratio;
        let factors = [(square + ratio) * 0.5, (square - ratio) * 0.5, Complex::new(1.0, 0.0) - square];
        self.jacobian.factor_complex(factors.map(|f| [f.re, f.im])).inspect_err(|_| self.jacobian.retire())
    }

    /// Solves with the real matrix, in place.
    pub fn solve_real(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.jacobian.solve(rhs)
    }

    /// out = J(c) y with the real matrix.
    pub fn real_times(&self, y: &[f64], out: &mut [f64]) {
        self.jacobian.matrix().times(y, out);
    }

    /// The next correction of the unknowns, and of s, added to the stages. It stays in `correction`.
    pub fn correct(
        &mut self,
        system: &System,
        tableau: &Tableau,
        stages: &mut Stages,
        formulation: Formulation,
    ) -> Result<(), LinearError> {
        let (nv, states) = (system.nv(), system.nv() + system.rows());
        if formulation == Formulation::Index2 {
            self.solve(system, tableau, formulation, Sought::Shift)?;
            for (shift, d) in stages.shift.iter_mut().zip(&self.correction) {
                shift.iter_mut().zip(&d[..nv]).for_each(|(s, d)| *s += d);
            }
        }
        self.solve(system, tableau, formulation, Sought::Motion)?;
        for (x, d) in stages.x.iter_mut().zip(&self.correction) {
            x.a.iter_mut().zip(&d[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&d[nv..states]).for_each(|(l, d)| *l += d);
            x.x_dot.iter_mut().zip(&d[states..]).for_each(|(w, d)| *w += d);
        }
        Ok(())
    }

    /// Equation (1) for one part; the solution is in `correction`, stage by stage.
    fn solve(&mut self, system: &System, tableau: &Tableau, formulation: Formulation, part: Sought) -> Result<(), LinearError> {
        self.take_apart(system, tableau, formulation, part);
        self.solve_apart(tableau)
    }

    /// The solution for the right-hand sides of all stages in `y`, one after the other and not yet taken apart, in place.
    pub fn solve_alike(&mut self, system: &System, tableau: &Tableau, power: Power, y: &mut [f64]) -> Result<(), LinearError> {
        let (n, nv) = (self.correction[0].len(), system.nv());
        let constraints = nv..nv + system.rows();
        for k in 0..n {
            let apart = tableau.apart * Vector3::new(y[k], y[n + k], y[2 * n + k]);
            let (mut real, mut pair) = (apart[0], Complex::new(apart[1], apart[2]));
            let times = if constraints.contains(&k) { 1 + usize::from(power.of(system.levels()[k - nv]) == Power::Second) } else { 0 };
            (0..times).for_each(|_| (real, pair) = (real / self.real, pair / self.pair));
            (self.correction[0][k], self.correction[1][k], self.correction[2][k]) = (real, pair.re, pair.im);
        }
        self.solve_apart(tableau)?;
        y.chunks_exact_mut(n).zip(&self.correction).for_each(|(y, own)| y.copy_from_slice(own));
        Ok(())
    }

    /// The solution for what stands in `correction`, taken apart, stage by stage.
    fn solve_apart(&mut self, tableau: &Tableau) -> Result<(), LinearError> {
        let [real, re, im] = &mut self.correction;
        self.jacobian.solve(real)?;
        self.jacobian.solve_complex(re, im)?;
        for k in 0..real.len() {
            let stages = tableau.together * Vector3::new(real[k], re[k], im[k]);
            (real[k], re[k], im[k]) = (stages[0], stages[1], stages[2]);
        }
        Ok(())
    }

    /// The right-hand sides of (1).
    fn take_apart(&mut self, system: &System, tableau: &Tableau, formulation: Formulation, part: Sought) {
        let (nv, rows) = (system.nv(), system.rows());
        let apart = |r: &Each<Vec<f64>>, k: usize| tableau.apart * Vector3::new(r[0][k], r[1][k], r[2][k]);
        let one = Complex::new(1.0, 0.0);
        let first = (1.0 / self.real, one / self.pair);
        let second = (first.0 * first.0, first.1 * first.1);
        let times = |y: Vector3<f64>, f: (f64, Complex<f64>)| {
            let pair = Complex::new(y[1], y[2]) * f.1;
            Vector3::new(y[0] * f.0, pair.re, pair.im)
        };
        for k in 0..self.correction[0].len() {
            let y = if k >= nv && k < nv + rows {
                let velocity = times(apart(&self.drift, k - nv), first);
                let level = system.levels()[k - nv];
                match (part, formulation, level) {
                    (Sought::Motion, Formulation::Index2, _) | (Sought::Motion, _, Level::Velocity) => velocity,
                    (Sought::Motion, _, Level::Position) => times(apart(&self.residual, k), second),
                    (Sought::Shift, _, Level::Position) => times(apart(&self.residual, k), second) - velocity,
                    (Sought::Shift, _, Level::Velocity) => Vector3::zeros(),
                }
            } else if part == Sought::Motion {
                apart(&self.residual, k)
            } else {
                Vector3::zeros()
            };
            (0..STAGES).for_each(|i| self.correction[i][k] = y[i]);
        }
    }
}

/// Those of J(c), J(−c) and J(0).
pub fn weights(c: f64, regularization: &[f64]) -> [Weights<'_>; 3] {
    [c, -c, 0.0].map(|c| Weights { velocity: c, position: c * c, state: c, ..Weights::accelerations(regularization) })
}

/// out = −(M a + f, Φ or A v + b, ẋ − f_x) at a state.
pub fn residual(at: &Evaluated, out: &mut [f64]) {
    let (system, x) = (at.system(), at.state());
    let (dynamics, rest) = out.split_at_mut(system.nv());
    let (constraints, states) = rest.split_at_mut(system.rows());
    dynamics.iter_mut().zip(at.f()).for_each(|(r, f)| *r = -f);
    system.add_mass_times(&x.q, &x.a, -1.0, dynamics);
    constraints.iter_mut().zip(at.phi()).for_each(|(r, phi)| *r = -phi);
    for ((r, f), x_dot) in states.iter_mut().zip(at.rates()).zip(&x.x_dot) {
        *r = f - x_dot;
    }
}
