//! Accelerations: equation (1) of `kkt` with r = Q and s = −bias.

use super::{Kkt, KktError, MAX_ITERATIONS, Matrix, worst_row};
use crate::math::max_abs;
use crate::system::{Evaluated, State, System, Work};

/// Solutions after which ε has left nothing in the smallest reactions.
const ROUNDS: usize = 2;

impl Kkt {
    /// a, λ and ẋ that satisfy the equations of motion, the acceleration-level constraints and the differential equations at
    /// (q, v, x, t).
    ///
    /// The residuals, not the multipliers, say when to stop: with redundant constraints λ is only known to about 1e-6 of
    /// its size along the null space of Gᵀ, where it moves nothing. Gives the largest violations of the constraints at q and v
    /// ([`Evaluated::violation`]).
    pub fn accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(f64, f64), KktError> {
        self.accelerate_with(system, x, work, Matrix::Missing)
    }

    /// The same at velocities projected on the constraints, with one factorisation for both where forces do not depend on
    /// accelerations and reactions.
    pub fn project_and_accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(f64, f64), KktError> {
        let (matrix, _) = self.projected_velocities(system, x, work, Matrix::Missing)?;
        self.accelerate_with(system, x, work, matrix)
    }

    /// The smallest λ that exerts the same forces on the bodies: [M Gᵀ; G −ε](z, λ) = (Gᵀλ, 0), z = 0. Newton's method decides nothing about
    /// reactions along the null space of Gᵀ, where round-off of many steps adds up.
    pub fn smallest_reactions(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        let mut at = system.evaluate(x, work);
        self.factor(&mut at)?;
        self.rows.copy_from_slice(&at.state().lambda);
        self.bias.fill(0.0);
        for _ in 0..ROUNDS {
            self.solution.fill(0.0);
            self.solution[nv..states].copy_from_slice(&self.rows);
            self.right.fill(0.0);
            self.rows_in_use.jacobian(&mut self.complete).residual(&self.solution, &self.right, &mut self.rhs);
            self.rhs[..nv].iter_mut().for_each(|r| *r = -*r);
            self.rhs[nv..].fill(0.0);
            self.solve(&mut at)?;
            for ((sum, left), found) in self.bias.iter_mut().zip(&mut self.rows).zip(&self.solution[nv..states]) {
                *sum += found;
                *left -= found;
            }
        }
        x.lambda.copy_from_slice(&self.bias);
        Ok(())
    }

    /// The same where the matrix may be factored already, by a projection of the velocities: it serves where forces do not depend on
    /// accelerations and reactions.
    pub(crate) fn accelerate_with(
        &mut self,
        system: &System,
        x: &mut State,
        work: &mut Work,
        matrix: Matrix,
    ) -> Result<(f64, f64), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        x.a.fill(0.0);
        x.lambda.fill(0.0);
        (0..x.x_dot.len()).filter(|k| !system.solves_for_rate(*k)).for_each(|k| x.x_dot[k] = 0.0);
        let mut at = system.evaluate(x, work);
        at.acceleration_bias(&mut self.bias);
        let (violation, linear) = (at.violation(), !system.forces_feel_themselves());
        let scale = [max_abs(at.f()), max_abs(&self.bias).max(system.free_acceleration(at.f()))];
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            let known = matrix == Matrix::Factored || (self.constant && self.factored);
            if (iteration == 0 && !known) || !linear {
                self.factor_accelerations(&mut at)?;
            }
            if iteration == 0 {
                self.acceleration_loads(&at);
            } else {
                self.acceleration_residual(&at);
            }
            let size = relative(&self.rhs[..nv], scale[0].max(max_abs(at.f())))
                + relative(&self.rhs[nv..states], scale[1])
                + max_abs(&self.rhs[states..]) / rate_scale(&at);
            if size <= 1e-15 || (size < 1e-10 && size >= 0.3 * last) {
                return Ok(violation);
            }
            last = size;
            self.solve(&mut at)?;
            x.a.iter_mut().zip(&self.solution[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&self.solution[nv..states]).for_each(|(l, d)| *l += d);
            x.x_dot.iter_mut().zip(&self.solution[states..]).for_each(|(x, d)| *x += d);
            if linear && self.is_regular() {
                return Ok(violation);
            }
            at = system.evaluate(x, work);
        }
        self.acceleration_residual(&at);
        Err(worst_row(system, &self.rhs[nv..]))
    }

    /// rhs = (−(Gᵀλ − Q), −bias, −(ẋ − f)): the residual where a = 0.
    fn acceleration_loads(&mut self, at: &Evaluated) {
        let rates = at.rates().iter().zip(&at.state().x_dot).map(|(f, x_dot)| f - x_dot);
        let right = at.f().iter().chain(&self.bias).map(|y| -y).chain(rates);
        self.rhs.iter_mut().zip(right).for_each(|(r, y)| *r = y);
        self.ask_for_rows_kept();
    }

    /// rhs = (−(M a + Gᵀλ − Q), −(G a + bias), −(ẋ − f)); G a is what the matrix gives for (a, 0).
    fn acceleration_residual(&mut self, at: &Evaluated) {
        let (system, x) = (at.system(), at.state());
        let (nv, states) = (x.a.len(), x.a.len() + system.rows);
        self.acceleration_loads(at);
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
fn rate_scale(at: &Evaluated) -> f64 {
    let x = at.state();
    1.0 + max_abs(at.rates()) + max_abs(&x.x) + max_abs(&x.a)
}
