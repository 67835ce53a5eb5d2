//! Corrections that go to and fro. Where a force saturates, as friction does beyond its transition speed, Newton's method may jump from one side
//! of the solution to the other and back. With d_k the corrections as they come from the linear equations, of which the parts α_k are made, and
//!
//! ```text
//! ρ = |d_k|/|d_{k−1}|,    c = d_k·d_{k−1}/(|d_k| |d_{k−1}|)
//! α_k = α_{k−1}/(1 + ρ)   where c < −½ and ρ > 0.3,   else  min(1, 2 α_{k−1})                                        (1)
//! ```
//!
//! the solution is looked for between the last two points, where the line through both corrections has its root: Aitken's and Irons' relaxation. An
//! iteration whose corrections change their sign and fall by ρ, linearly, is at the solution after one of them.
//!
//! Irons, Tuck, Int. J. Numer. Meth. Eng. 1 (1969), doi:10.1002/nme.1620010306.

use super::step::Step;

/// Corrections that fall faster need no help.
const SLOW: f64 = 0.3;
/// c of corrections against each other.
const AGAINST: f64 = -0.5;
/// α.
const SMALLEST: f64 = 0.05;

/// The last correction.
#[derive(Debug)]
pub struct Oscillation {
    last: Vec<f64>,
    size: f64,
    part: f64,
}

impl Oscillation {
    pub fn new(nv: usize) -> Self {
        Self { last: vec![0.0; nv], size: 0.0, part: 1.0 }
    }

    /// Shortens a correction by (1), after so many others in this step; gives α_k.
    pub fn damp(&mut self, iterations: usize, step: &Step, correction: &mut [f64]) -> f64 {
        let nv = self.last.len();
        let (mut square, mut product) = (0.0, 0.0);
        for ((d, last), weight) in correction[..nv].iter().zip(&mut self.last).zip(step.weights) {
            let own = d * weight;
            square += own * own;
            product += own * *last;
            *last = own;
        }
        let (size, before) = (square.sqrt(), std::mem::replace(&mut self.size, square.sqrt()));
        let to_and_fro = iterations > 0 && size > SLOW * before && product < AGAINST * size * before;
        self.part = match iterations {
            0 => 1.0,
            _ if to_and_fro => (self.part / (1.0 + size / before)).max(SMALLEST),
            _ => (2.0 * self.part).min(1.0),
        };
        if self.part < 1.0 {
            correction.iter_mut().for_each(|d| *d *= self.part);
        }
        self.part
    }
}
