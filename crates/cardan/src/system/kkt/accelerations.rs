//! Accelerations: equation (1) of `kkt` with r = Q and s = −bias.

use super::{Kkt, KktError, MAX_ITERATIONS, Matrix, worst_row};
use crate::math::max_abs;
use crate::system::{State, System, Work};

/// Solutions after which ε has left nothing in the smallest reactions.
const ROUNDS: usize = 2;

impl Kkt {
    /// a, λ and ẋ that satisfy the equations of motion, the acceleration-level constraints and the differential equations at
    /// (q, v, x, t).
    ///
    /// The residuals, not the multipliers, say when to stop: with redundant constraints λ is only known to about 1e-6 of
    /// its size along the null space of Gᵀ, where it moves nothing.
    pub fn accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        self.accelerate_with(system, x, work, Matrix::Missing)
    }

    /// The same at velocities projected on the constraints, with one factorisation for both where forces do not depend on
    /// accelerations and reactions.
    pub fn project_and_accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let matrix = self.projected_velocities(system, x, work, Matrix::Missing)?;
        self.accelerate_with(system, x, work, if system.forces_feel_themselves() { Matrix::Missing } else { matrix })
    }

    /// The smallest λ that exerts the same forces on the bodies: [M Gᵀ; G −ε](z, λ) = (Gᵀλ, 0), z = 0. Newton's method decides nothing about
    /// reactions along the null space of Gᵀ, where round-off of many steps adds up.
    pub fn smallest_reactions(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        system.evaluate(x, work);
        self.factor(system, x, work)?;
        self.rows.copy_from_slice(&x.lambda);
        x.lambda.fill(0.0);
        for _ in 0..ROUNDS {
            self.solution.fill(0.0);
            self.solution[nv..states].copy_from_slice(&self.rows);
            self.right.fill(0.0);
            self.rows_in_use.jacobian(&mut self.complete).residual(&self.solution, &self.right, &mut self.rhs);
            self.rhs[..nv].iter_mut().for_each(|r| *r = -*r);
            self.rhs[nv..].fill(0.0);
            self.solve(system, x, work)?;
            for ((lambda, left), found) in x.lambda.iter_mut().zip(&mut self.rows).zip(&self.solution[nv..states]) {
                *lambda += found;
                *left -= found;
            }
        }
        Ok(())
    }

    fn accelerate_with(&mut self, system: &System, x: &mut State, work: &mut Work, matrix: Matrix) -> Result<(), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        x.a.fill(0.0);
        x.lambda.fill(0.0);
        (0..x.x_dot.len()).filter(|k| !system.solves_for_rate(*k)).for_each(|k| x.x_dot[k] = 0.0);
        system.evaluate(x, work);
        system.acceleration_bias(x, work, &mut self.bias);
        let linear = !system.forces_feel_themselves();
        let scale = [max_abs(&work.f), max_abs(&self.bias).max(system.free_acceleration(&work.f))];
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            if (iteration == 0 && matrix == Matrix::Missing) || !linear {
                self.factor_accelerations(system, x, work)?;
            }
            if iteration == 0 {
                self.acceleration_loads(x, work);
            } else {
                self.acceleration_residual(system, x, work);
            }
            let size = relative(&self.rhs[..nv], scale[0].max(max_abs(&work.f)))
                + relative(&self.rhs[nv..states], scale[1])
                + max_abs(&self.rhs[states..]) / rate_scale(x, work);
            if size <= 1e-15 || (size < 1e-10 && size >= 0.3 * last) {
                return Ok(());
            }
            last = size;
            self.solve(system, x, work)?;
            x.a.iter_mut().zip(&self.solution[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&self.solution[nv..states]).for_each(|(l, d)| *l += d);
            x.x_dot.iter_mut().zip(&self.solution[states..]).for_each(|(x, d)| *x += d);
            if linear && self.is_regular() {
                return Ok(());
            }
            system.evaluate(x, work);
        }
        self.acceleration_residual(system, x, work);
        Err(worst_row(system, &self.rhs[nv..]))
    }

    /// rhs = (−(Gᵀλ − Q), −bias, −(ẋ − f)): the residual where a = 0.
    fn acceleration_loads(&mut self, x: &State, work: &Work) {
        let rates = work.rates.iter().zip(&x.x_dot).map(|(f, x_dot)| f - x_dot);
        let right = work.f.iter().chain(&self.bias).map(|y| -y).chain(rates);
        self.rhs.iter_mut().zip(right).for_each(|(r, y)| *r = y);
        self.ask_for_rows_kept();
    }

    /// rhs = (−(M a + Gᵀλ − Q), −(G a + bias), −(ẋ − f)); G a is what the matrix gives for (a, 0).
    fn acceleration_residual(&mut self, system: &System, x: &State, work: &Work) {
        let (nv, states) = (x.a.len(), x.a.len() + system.rows);
        self.acceleration_loads(x, work);
        self.right.copy_from_slice(&self.rhs);
        self.solution[..nv].copy_from_slice(&x.a);
        self.solution[nv..].fill(0.0);
        self.rows_in_use.jacobian(&mut self.complete).residual(&self.solution, &self.right, &mut self.rhs);
        if system.forces_feel_themselves() {
            self.rhs[..nv].copy_from_slice(&self.right[..nv]);
            system.add_mass_times(&x.q, &x.a, -1.0, &mut self.rhs[..nv]);
        }
        self.rhs[states..].copy_from_slice(&self.right[states..]);
    }
}

/// Largest entry against a scale; zero where both vanish.
fn relative(x: &[f64], scale: f64) -> f64 {
    let largest = max_abs(x);
    if largest == 0.0 { 0.0 } else { largest / scale.max(largest) }
}

/// The size of the terms that rates of differential states are made of; their round-off is a part of it.
fn rate_scale(x: &State, work: &Work) -> f64 {
    1.0 + max_abs(&work.rates) + max_abs(&x.x) + max_abs(&x.a)
}
