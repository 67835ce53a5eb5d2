//! The equations ẏ = f + A y + f_t t + w₃ t²/2 + w₄ t³/6 and their solution, with A as a dense matrix or by its products.

use crate::integrators::StepError;
use crate::integrators::advance::Site;
use crate::math::krylov::Krylov;
use crate::math::phi::Phi;
use crate::system::{KktError, Linearization, System, Variation, WHOLE};
use std::cell::RefCell;

/// Error of the action of φ-functions from products.
const ACCURACY: f64 = 1e-10;

/// The equations linearised at a state, with what a step of order 4 has found that they miss.
#[derive(Debug)]
pub(super) struct Flow {
    linearization: Linearization,
    solver: Solver,
    /// f.
    pub f: Vec<f64>,
    /// f_t.
    pub f_t: Vec<f64>,
    /// w₃ and w₄; zero in a step of order 2.
    pub bend: [Vec<f64>; 2],
    /// φ-functions go up to this one.
    functions: usize,
    zero: Vec<f64>,
}

#[derive(Debug)]
enum Solver {
    Dense { jacobian: Vec<f64>, phi: RefCell<Phi> },
    Products { krylov: Krylov },
}

impl Flow {
    /// For at most `dense` unknowns with a dense matrix, and for φ-functions up to φ_p.
    pub fn new(system: &System, dense: usize, functions: usize) -> Self {
        let n = 2 * system.nv() + system.nx();
        let solver = if n <= dense {
            Solver::Dense { jacobian: vec![0.0; n * n], phi: RefCell::new(Phi::new(n, functions)) }
        } else {
            Solver::Products { krylov: Krylov::new(n, functions) }
        };
        let zero = vec![0.0; n];
        let bend = [zero.clone(), zero.clone()];
        let (f, f_t) = (zero.clone(), zero.clone());
        Self { linearization: Linearization::new(system), solver, f, f_t, bend, functions, zero }
    }

    /// Linearises at `site.now`, whose accelerations are consistent.
    pub fn linearise(&mut self, site: &mut Site) -> Result<(), KktError> {
        let (system, x) = (site.system, &site.now.x);
        let nv = system.nv();
        self.linearization.update(system, x, &site.kkt)?;
        site.statistics.jacobians += 1;
        site.statistics.factorizations += 1;
        self.f[..nv].copy_from_slice(&x.v);
        self.f[nv..2 * nv].copy_from_slice(&x.a);
        self.f[2 * nv..].copy_from_slice(&x.x_dot);
        let (zero, still) = (&self.zero[..nv], &self.zero[2 * nv..]);
        let by_time = Variation { q: zero, v: zero, x: still, t: 1.0 };
        let (a, x_dot) = self.f_t[nv..].split_at_mut(nv);
        self.linearization.change(system, &by_time, [a, x_dot])?;
        let Solver::Dense { jacobian, .. } = &mut self.solver else { return Ok(()) };
        let mut unit = std::mem::take(&mut self.zero);
        for k in 0..unit.len() {
            unit[k] = 1.0;
            let column = &mut jacobian[k * unit.len()..][..unit.len()];
            product(&mut self.linearization, system, &unit, column)?;
            unit[k] = 0.0;
        }
        self.zero = unit;
        Ok(())
    }

    /// Linearises just inside a step that starts at a corner of the equations, such as a contact that begins or ends: at a state y′ the time
    /// `ahead` later, from where f(y_n) is f(y′) − A (y′ − y_n) − f_t `ahead`.
    pub fn linearise_ahead(&mut self, site: &mut Site, ahead: f64) -> Result<(), KktError> {
        let Solver::Dense { .. } = self.solver else { return self.linearise(site) };
        let (system, start, nv) = (site.system, site.now.x.clone(), site.system.nv());
        let rates = start.v.iter().chain(&start.a).chain(&start.x_dot);
        let y: Vec<f64> = rates.map(|rate| ahead * rate).collect();
        super::put(system, &start, ahead, &y, &mut site.now.x);
        let moved = site.kkt.accelerate(system, &mut site.now.x, &mut site.work).and_then(|_| self.linearise(site));
        site.now.x = start;
        moved?;
        let Solver::Dense { jacobian, .. } = &self.solver else { return Ok(()) };
        multiply(jacobian, &y, &mut self.zero);
        for ((f, change), f_t) in self.f.iter_mut().zip(&self.zero).zip(&self.f_t) {
            *f -= change + f_t * ahead;
        }
        self.f[..nv].copy_from_slice(&site.now.x.v);
        self.zero.fill(0.0);
        Ok(())
    }

    /// Equation 2, 4, 5, 7, 8 or 9 of the room: Σ h^k φ_k(hA) b_k.
    pub fn solve(&mut self, system: &System, h: f64, b: Terms, y: &mut [f64]) -> Result<(), StepError> {
        let Self { linearization, solver, f, f_t, bend, functions, zero } = self;
        let [w_3, w_4] = bend;
        let all: [&[f64]; 4] = match b {
            Terms::Linear => [f, f_t, zero, zero],
            Terms::Bent => [f, f_t, w_3, zero],
            Terms::Whole => [f, f_t, w_3, w_4],
            Terms::Error([linear, quadratic]) => [zero, linear, quadratic, zero],
            Terms::Last => [zero, zero, zero, w_4],
        };
        let own = &all[..*functions];
        match solver {
            Solver::Dense { jacobian, phi } => phi.borrow_mut().combine(h, jacobian, None, own, y),
            Solver::Products { krylov } => {
                let times = |v: &[f64], out: &mut [f64]| product(linearization, system, v, out);
                let solved = krylov.combine(h, own, ACCURACY, times, y)?;
                solved.ok_or_else(|| StepError::NotConverged {
                    element: WHOLE.into(),
                    equation: "the exponential of the linearised equations, whose step is far too long".into(),
                    residual: f64::NAN,
                })?;
            }
        }
        Ok(())
    }

    /// f + A y + f_t t.
    pub fn rate(&mut self, system: &System, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), StepError> {
        match &self.solver {
            Solver::Dense { jacobian, .. } => multiply(jacobian, y, out),
            Solver::Products { .. } => product(&mut self.linearization, system, y, out)?,
        }
        for (k, out) in out.iter_mut().enumerate() {
            *out += self.f[k] + t * self.f_t[k];
        }
        Ok(())
    }

    /// y and ẏ at t within the step; `None` without a dense matrix.
    pub fn between(&self, t: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let Solver::Dense { jacobian, phi } = &self.solver else { return None };
        let (mut y, mut rate) = (vec![0.0; self.f.len()], vec![0.0; self.f.len()]);
        let ([w_3, w_4], f, f_t) = (&self.bend, &self.f, &self.f_t);
        let all: [&[f64]; 4] = [f, f_t, w_3, w_4];
        phi.borrow_mut().combine(t, jacobian, None, &all[..self.functions], &mut y);
        multiply(jacobian, &y, &mut rate);
        for (k, rate) in rate.iter_mut().enumerate() {
            *rate += f[k] + t * (f_t[k] + t * (w_3[k] / 2.0 + t * w_4[k] / 6.0));
        }
        Some((y, rate))
    }
}

/// The vectors b that φ-functions act on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Terms<'a> {
    /// f and f_t: the linear equations.
    Linear,
    /// f, f_t and w₃: a stage of a step of order 4.
    Bent,
    /// f, f_t, w₃ and w₄: a step of order 4.
    Whole,
    /// The vectors of φ₂ and φ₃: the error of a step of order 2.
    Error([&'a [f64]; 2]),
    /// w₄: the error of a step of order 4.
    Last,
}

fn multiply(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (column, x) in matrix.chunks_exact(x.len()).zip(x) {
        out.iter_mut().zip(column).for_each(|(y, a)| *y += a * x);
    }
}

/// out = A y: accelerations and rates from the linearised equations; δ̇ = v + ½ δ × ω + … of attitudes from the chart.
fn product(linearization: &mut Linearization, system: &System, y: &[f64], out: &mut [f64]) -> Result<(), KktError> {
    let nv = system.nv();
    let (q, rest) = y.split_at(nv);
    let (v, states) = rest.split_at(nv);
    let (chart, rates) = out.split_at_mut(nv);
    let (a, x_dot) = rates.split_at_mut(nv);
    linearization.change(system, &Variation { q, v, x: states, t: 0.0 }, [a, x_dot])?;
    chart.copy_from_slice(v);
    for at in system.attitudes() {
        let bent = vector(&q[at..]).cross(&vector(&linearization.state().v[at..])) * 0.5;
        (0..3).for_each(|k| chart[at + k] += bent[k]);
    }
    Ok(())
}

/// Three numbers of a body.
pub(super) fn vector(x: &[f64]) -> crate::math::Vec3 {
    crate::math::Vec3::new(x[0], x[1], x[2])
}
