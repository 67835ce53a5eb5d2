//! Projections onto the constraints: equation (1) of `kkt` with r = 0, by Newton's method for positions.

use super::{Kkt, KktError, MAX_ITERATIONS, Matrix, not_finite, worst_row};
use crate::constraints::Level;
use crate::math::{is_finite, max_abs};
use crate::system::{State, System, Work};

/// A projection whose corrections leave more than this part is worth a matrix of its own.
const SLOW: f64 = 0.1;

impl Kkt {
    /// Moves q, then v, to the nearest ones (in the mass metric) that satisfy the constraints. The matrix factored last will do, where it was
    /// one of accelerations close by; it is factored again where corrections with it fall too slowly.
    pub(crate) fn project_nearby(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let usable = self.is_regular() && !system.forces_feel_themselves() && self.jacobian().is_factored();
        let matrix = if usable { Matrix::Factored } else { Matrix::Missing };
        self.projected_positions(system, x, work, matrix)?;
        self.projected_velocities(system, x, work, matrix).map(|_| ())
    }

    /// Moves q to the nearest configuration (in the mass metric) that satisfies the position constraints.
    ///
    /// For small corrections, as between time steps; [`crate::analysis::assemble`] finds its way from far away.
    pub fn project_positions(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<usize, KktError> {
        self.projected_positions(system, x, work, Matrix::Missing)
    }

    fn projected_positions(&mut self, system: &System, x: &mut State, work: &mut Work, mut matrix: Matrix) -> Result<usize, KktError> {
        let mut last = f64::INFINITY;
        x.lambda.fill(0.0);
        for iteration in 0..MAX_ITERATIONS {
            let mut at = system.evaluate(x, work);
            let (violation, _) = at.violation();
            let scale = 1.0 + max_abs(&at.state().q);
            if !is_finite(at.phi()) {
                return Err(not_finite(&mut at));
            }
            if violation <= 1e-15 * scale || (violation < 1e-11 * scale && violation >= 0.3 * last) {
                return Ok(iteration);
            }
            if matrix == Matrix::Missing || violation > SLOW * last {
                self.factor(&mut at)?;
                matrix = Matrix::Factored;
            }
            last = violation;
            for (row, level) in system.levels.iter().enumerate() {
                self.rows[row] = if *level == Level::Position { -at.phi()[row] } else { 0.0 };
            }
            self.correct_again(&mut at)?;
            self.q.copy_from_slice(&x.q);
            system.retract(&self.q, &self.solution[..system.nv], &mut x.q);
        }
        Err(worst_row(system, system.evaluate(x, work).phi()))
    }

    /// Moves v to the nearest velocities (in the mass metric) that satisfy all constraints at velocity level.
    pub fn project_velocities(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        self.projected_velocities(system, x, work, Matrix::Missing).map(|_| ())
    }

    /// The same, with the matrix at hand for as long as that serves. Says whether the one at hand in the end is that of the state, and gives the
    /// largest violations that are left.
    pub(crate) fn projected_velocities(
        &mut self,
        system: &System,
        x: &mut State,
        work: &mut Work,
        matrix: Matrix,
    ) -> Result<(Matrix, (f64, f64)), KktError> {
        x.lambda.fill(0.0);
        let mut at = system.evaluate(x, work);
        if at.phi_dot().iter().all(|p| *p == 0.0) {
            return Ok((Matrix::Missing, at.violation()));
        }
        let (mut last, mut own) = (f64::INFINITY, Matrix::Missing);
        for _ in 0..MAX_ITERATIONS {
            let size = max_abs(at.phi_dot());
            if size <= 1e-15 * (1.0 + max_abs(&at.state().v)) || (size >= 0.9 * last && own == Matrix::Factored) {
                break;
            }
            if own == Matrix::Missing && (matrix == Matrix::Missing || size > SLOW * last) {
                self.factor(&mut at)?;
                own = Matrix::Factored;
            }
            last = size;
            self.rows.iter_mut().zip(at.phi_dot()).for_each(|(r, p)| *r = -p);
            self.correct_again(&mut at)?;
            x.v.iter_mut().zip(&self.solution).for_each(|(v, d)| *v += d);
            at = system.evaluate(x, work);
        }
        let allowed = 1e-9 * (1.0 + max_abs(&at.state().v));
        if max_abs(at.phi_dot()) <= allowed { Ok((own, at.violation())) } else { Err(worst_row(system, at.phi_dot())) }
    }

    /// The start-up correction: v += Δv with [M Gᵀ; G 0](Δv, ·) = (0, G l). Leaves λ at zero.
    pub fn shift(&mut self, system: &System, x: &mut State, l: &[f64], work: &mut Work) -> Result<(), KktError> {
        let nv = system.nv;
        x.lambda.fill(0.0);
        let mut at = system.evaluate(x, work);
        self.factor(&mut at)?;
        // G l is what the matrix gives for (l, 0).
        self.solution[..nv].copy_from_slice(l);
        self.solution[nv..].fill(0.0);
        let zero = vec![0.0; self.rhs.len()];
        self.rows_in_use.jacobian(&mut self.complete).residual(&self.solution, &zero, &mut self.rhs);
        self.rows.iter_mut().zip(&self.rhs[nv..]).for_each(|(r, p)| *r = -p);
        self.correct_again(&mut at)?;
        x.v.iter_mut().zip(&self.solution).for_each(|(v, d)| *v += d);
        Ok(())
    }
}
