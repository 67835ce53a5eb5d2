//! The stages of a step. Their accelerations, multipliers and rates of differential states are the unknowns; the rest follows from
//!
//! ```text
//! v_i = v_n + h Σ a_ij v̇_j,     x_i = x_n + h Σ a_ij ẋ_j,     δ_i = h Σ a_ij δ̇_j,     q_i = q_n ⊕ δ_i               (1)
//! δ̇_i = T⁻¹(δ_i) (v_i + h Σ a_ij s_j)                                                                                (2)
//! ```
//!
//! with the position corrections s of the index-2 formulation, zero otherwise. (2) is solved by repetition, body by body: it contracts by
//! half the turn of a body in a step.

use super::super::Formulation;
use super::super::chart;
use super::tableau::{Each, STAGES, Tableau};
use crate::math::lagrange;
use crate::system::{State, System};

/// Most repetitions of (2), and the relative change at which they end.
const REPETITIONS: usize = 20;
const SETTLED: f64 = 2e-16;

/// The stages of a step.
#[derive(Debug, Clone)]
pub struct Stages {
    /// Size of the step.
    pub h: f64,
    /// States at the stages.
    pub x: Each<State>,
    /// s.
    pub shift: Each<Vec<f64>>,
    /// δ̇.
    pub rate: Each<Vec<f64>>,
    /// δ.
    pub increment: Each<Vec<f64>>,
    moving: Each<Vec<f64>>,
    attitudes: Vec<usize>,
}

impl Stages {
    /// Room for the stages of a system.
    pub fn new(system: &System) -> Self {
        let each = || std::array::from_fn(|_| vec![0.0; system.nv()]);
        let x = std::array::from_fn(|_| system.initial().clone());
        let attitudes = system.attitudes().collect();
        Self { h: 0.0, x, shift: each(), rate: each(), increment: each(), moving: each(), attitudes }
    }

    /// Prepares a step of size `h` from `now`.
    fn begin(&mut self, tableau: &Tableau, now: &State, h: f64) {
        self.h = h;
        for i in 0..STAGES {
            self.x[i].t = now.t + tableau.c[i] * h;
            self.x[i].memory.copy_from(&now.memory);
            self.x[i].inputs.copy_from_slice(&now.inputs);
            self.shift[i].fill(0.0);
            for ((d, r), v) in self.increment[i].iter_mut().zip(&mut self.rate[i]).zip(&now.v) {
                (*d, *r) = (tableau.c[i] * h * v, *v);
            }
        }
    }

    /// A first guess: the unknowns of `last`, the stages of the step that ended at `now`, continued as polynomials.
    pub fn extrapolate(&mut self, tableau: &Tableau, last: &Stages, now: &State, h: f64) {
        self.begin(tableau, now, h);
        for i in 0..STAGES {
            let l = lagrange::factors(&tableau.c, STAGES, 1.0 + tableau.c[i] * h / last.h);
            let [a, b, c] = &last.x;
            for (out, past) in unknowns(&mut self.x[i]).into_iter().zip(known([a, b, c])) {
                (0..out.len()).for_each(|k| out[k] = (0..STAGES).map(|j| l[j] * past[j][k]).sum());
            }
        }
    }

    /// Moves the reactions of all stages by what the accepted ones differ from those of the last stage.
    pub fn end_with_reactions(&mut self, lambda: &[f64]) {
        for (k, accepted) in lambda.iter().enumerate() {
            let change = accepted - self.x[STAGES - 1].lambda[k];
            self.x.iter_mut().for_each(|x| x.lambda[k] += change);
        }
    }

    /// A first guess: the unknowns as they are at `now`.
    pub fn hold(&mut self, tableau: &Tableau, now: &State, h: f64) {
        self.begin(tableau, now, h);
        for x in &mut self.x {
            x.a.copy_from_slice(&now.a);
            x.lambda.copy_from_slice(&now.lambda);
            x.x_dot.copy_from_slice(&now.x_dot);
        }
    }

    /// A first guess: uniform motion.
    pub fn coast(&mut self, tableau: &Tableau, now: &State, h: f64) {
        self.begin(tableau, now, h);
        self.x.iter_mut().flat_map(unknowns).for_each(|z| z.fill(0.0));
    }

    /// The largest sizes, at any stage, of what position corrections add to velocities, and of the velocities.
    pub fn shifted_and_moved(&self, weights: &[f64]) -> (f64, f64) {
        let mean = |sum: f64| (sum / weights.len().max(1) as f64).sqrt();
        let sizes = self.moving.iter().zip(&self.x).map(|(moving, x)| {
            let sums = moving.iter().zip(&x.v).zip(weights).map(|((m, v), w)| ((m - v) * w, v * w));
            sums.fold((0.0, 0.0), |(s, v), (a, b)| (s + a * a, v + b * b))
        });
        sizes.fold((0.0_f64, 0.0_f64), |(s, v), (a, b)| (s.max(mean(a)), v.max(mean(b))))
    }

    /// Equations (1) and (2).
    pub fn place(&mut self, system: &System, tableau: &Tableau, now: &State, formulation: Formulation) {
        let h = self.h;
        for i in 0..STAGES {
            let factors = tableau.a[i].map(|a| h * a);
            for k in 0..now.v.len() {
                self.moving[i][k] = now.v[k] + (0..STAGES).map(|j| factors[j] * self.x[j].a[k]).sum::<f64>();
            }
            for k in 0..now.x.len() {
                self.x[i].x[k] = now.x[k] + (0..STAGES).map(|j| factors[j] * self.x[j].x_dot[k]).sum::<f64>();
            }
            self.x[i].v.copy_from_slice(&self.moving[i]);
            if formulation == Formulation::Index2 {
                (0..now.v.len()).for_each(|k| self.moving[i][k] += (0..STAGES).map(|j| factors[j] * self.shift[j][k]).sum::<f64>());
            }
        }
        self.turn(tableau);
        for i in 0..STAGES {
            for k in 0..now.v.len() {
                self.increment[i][k] = h * (0..STAGES).map(|j| tableau.a[i][j] * self.rate[j][k]).sum::<f64>();
            }
            system.retract(&now.q, &self.increment[i], &mut self.x[i].q);
        }
    }

    /// The rates of increments (2), from the increments of the last time.
    fn turn(&mut self, tableau: &Tableau) {
        for i in 0..STAGES {
            self.rate[i].copy_from_slice(&self.moving[i]);
        }
        for k in &self.attitudes {
            for _ in 0..REPETITIONS {
                let (mut change, mut size) = (0.0_f64, 0.0_f64);
                for i in 0..STAGES {
                    let range = *k..*k + 3;
                    self.rate[i][range.clone()].copy_from_slice(&self.moving[i][range]);
                    chart::rates(&[*k], &self.increment[i], &mut self.rate[i]);
                }
                for i in 0..STAGES {
                    for r in *k..*k + 3 {
                        let new = self.h * (0..STAGES).map(|j| tableau.a[i][j] * self.rate[j][r]).sum::<f64>();
                        (change, size) = (change.max((new - self.increment[i][r]).abs()), size.max(new.abs()));
                        self.increment[i][r] = new;
                    }
                }
                if change <= SETTLED * size || !change.is_finite() {
                    break;
                }
            }
        }
    }
}

fn unknowns(x: &mut State) -> [&mut Vec<f64>; 3] {
    [&mut x.a, &mut x.lambda, &mut x.x_dot]
}

fn known(x: Each<&State>) -> [Each<&[f64]>; 3] {
    [x.map(|x| &x.a[..]), x.map(|x| &x.lambda[..]), x.map(|x| &x.x_dot[..])]
}
