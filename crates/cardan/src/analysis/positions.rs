//! From the configuration as given to one that satisfies the position constraints, also from far away.
//!
//! Each step solves [M Gᵀ; G −ε] (δ, μ) = (0, −Φ) and moves q ⊕ α δ, with no body turning by more than a fraction of a
//! radian. With ε = 0 this is Newton's method on Φ, the correction smallest in the mass metric. Near redundant or singular
//! constraints it is too bold, so ε is raised as in Levenberg's and Marquardt's method,
//!
//! ```text
//! ε_r = ε g_r M⁻¹ g_rᵀ,    ε = floor, then m² with m = |Φ| against the extent of the model, then 1e-4, 1e-2, 1,   (1)
//! ```
//!
//! until the step reduces |Φ| as promised (ε ~ |Φ|² keeps the convergence quadratic where the rank is deficient on the
//! constraint manifold itself; Yamashita and Fukushima 2001, doi:10.1007/978-3-7091-6217-0_18). Rows are measured by Φ_r/|g_r|,
//! the displacement that closes them. At an impossible model the iteration ends where |Φ| is smallest.

use super::redundancy::regularization;
use crate::constraints::Level;
use crate::system::{Kkt, KktError, State, System, Work};

/// Iterations of an assembly; turning by several turns takes many.
pub(super) const PATIENT: usize = 200;
/// No body turns by more than this in one step, rad.
const LARGEST_TURN: f64 = 0.6;
const LEVELS: [f64; 3] = [1e-4, 1e-2, 1.0];

/// Why positions did not converge.
pub(super) enum Stuck {
    /// Gap of every row (zero for satisfied rows and rows of velocity level), Φ itself.
    Apart { gaps: Vec<f64> },
    /// A solve failed.
    Failed(KktError),
}

/// The projection and its work arrays.
pub(super) struct Positions<'a> {
    system: &'a System,
    kkt: &'a mut Kkt,
    work: &'a mut Work,
    /// Smallest ε: zero where all rows are independent.
    floor: f64,
    iterations: usize,
    weights: Vec<f64>,
    inverse_masses: Vec<f64>,
}

struct Trial {
    merit: f64,
    q: Vec<f64>,
}

impl<'a> Positions<'a> {
    pub(super) fn new(system: &'a System, kkt: &'a mut Kkt, work: &'a mut Work, floor: f64, iterations: usize) -> Self {
        Self { system, kkt, work, floor, iterations, weights: vec![], inverse_masses: vec![] }
    }

    /// Moves x.q onto the constraints; on failure x.q is where the iteration ended.
    pub(super) fn project(&mut self, x: &mut State) -> Result<(), Stuck> {
        x.lambda.fill(0.0);
        let mut history: Vec<f64> = Vec::new();
        for iteration in 0..self.iterations {
            self.weigh(x);
            let merit = self.merit(x)?;
            let extent = self.system.extent(x, self.work);
            let last = history.last().copied().unwrap_or(f64::INFINITY);
            // At round-off |Φ| hardly falls any more; near a singular configuration it goes on falling, slowly.
            if merit <= 1e-16 * extent || (merit < 1e-14 * extent && merit >= 0.3 * last) || (merit < 1e-11 * extent && merit >= 0.9 * last)
            {
                return Ok(());
            }
            let crawling = iteration >= 20 && merit > 0.95 * history[iteration - 10];
            if crawling || !self.step(x, merit, extent)? {
                break;
            }
            history.push(merit);
            self.system.remember(x, self.work);
        }
        self.weigh(x);
        if self.merit(x)? < 1e-10 * self.system.extent(x, self.work) {
            return Ok(());
        }
        let at = self.system.evaluate(x, self.work);
        let gaps = at.phi().iter().zip(self.system.levels()).map(|(p, l)| if *l == Level::Position { p.abs() } else { 0.0 });
        Err(Stuck::Apart { gaps: gaps.collect() })
    }

    /// Weights of the rows at this configuration.
    fn weigh(&mut self, x: &State) {
        let rows = self.system.gradient(x, self.work);
        self.inverse_masses = self.system.inverse_masses(&rows, &x.q);
        let rows = self.system.without_units(rows);
        let weight = |row: &Vec<crate::linear::rank::Entry>| {
            let norm = row.iter().flat_map(|e| e.1).map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.0 { 1.0 / norm } else { 1.0 }
        };
        self.weights = rows.rows.iter().map(weight).collect();
        for (weight, level) in self.weights.iter_mut().zip(self.system.levels()) {
            if *level == Level::Velocity {
                *weight = 0.0;
            }
        }
    }

    /// Root mean square of the weighted rows, in metres.
    fn merit(&mut self, x: &State) -> Result<f64, Stuck> {
        let mut at = self.system.evaluate(x, self.work);
        let terms = at.phi().iter().zip(&self.weights).filter(|(_, w)| **w > 0.0).map(|(p, w)| (p * w).powi(2));
        let (count, sum) = terms.fold((0.0, 0.0), |(n, s), x| (n + 1.0, s + x));
        let merit = if count > 0.0 { (sum / count).sqrt() } else { 0.0 };
        if merit.is_finite() {
            return Ok(merit);
        }
        let fault = at.find_non_finite().unwrap_or_else(|| "the configuration is not finite".into());
        Err(Stuck::Failed(KktError::NotFinite { fault }))
    }

    /// One step (equation 1); false if nothing reduces |Φ|.
    fn step(&mut self, x: &mut State, merit: f64, extent: f64) -> Result<bool, Stuck> {
        let start = x.q.clone();
        let mut best = Trial { merit: f64::INFINITY, q: start.clone() };
        let first = [self.floor, (merit / extent).powi(2).max(1e3 * self.floor).min(LEVELS[0])];
        for epsilon in first.into_iter().chain(LEVELS) {
            x.q.copy_from_slice(&start);
            let Some((delta, fraction)) = self.direction(x, epsilon)? else { continue };
            if self.search(x, &start, &delta, fraction, merit, &mut best)? {
                return Ok(true);
            }
        }
        x.q.copy_from_slice(&best.q);
        Ok(best.merit < 0.999 * merit)
    }

    /// The step for this ε, shortened to the largest turn, and by how much; `None` if the matrix is singular.
    fn direction(&mut self, x: &State, epsilon: f64) -> Result<Option<(Vec<f64>, f64)>, Stuck> {
        let mut at = self.system.evaluate(x, self.work);
        let levels = self.system.levels();
        let rows: Vec<f64> = at.phi().iter().zip(levels).map(|(p, l)| if *l == Level::Position { -p } else { 0.0 }).collect();
        self.kkt.regularization = if epsilon > 0.0 { regularization(&self.inverse_masses, epsilon) } else { Vec::new() };
        match self.kkt.correction(&mut at, &rows) {
            Ok(delta) => {
                let mut delta = delta.to_vec();
                let fraction = (LARGEST_TURN / self.system.largest_turn(&delta)).min(1.0);
                delta.iter_mut().for_each(|d| *d *= fraction);
                Ok(Some((delta, fraction)))
            }
            Err(KktError::NotFinite { fault }) => Err(Stuck::Failed(KktError::NotFinite { fault })),
            Err(_) => Ok(None),
        }
    }

    /// Tries fractions of a step; true if one reduces |Φ| by half of what a linear problem would.
    fn search(&mut self, x: &mut State, q: &[f64], delta: &[f64], fraction: f64, merit: f64, best: &mut Trial) -> Result<bool, Stuck> {
        let mut part = vec![0.0; delta.len()];
        for alpha in [1.0, 0.5, 0.25] {
            part.iter_mut().zip(delta).for_each(|(p, d)| *p = alpha * d);
            self.system.retract(q, &part, &mut x.q);
            let reached = match self.merit(x) {
                Ok(reached) => reached,
                Err(_) => continue,
            };
            if reached < best.merit {
                best.merit = reached;
                best.q.copy_from_slice(&x.q);
            }
            if reached <= (1.0 - 0.5 * alpha * fraction) * merit {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
