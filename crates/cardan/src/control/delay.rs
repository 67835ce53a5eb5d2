//! A delay by Padé's approximation of order n,
//!
//! ```text
//! e^(−Ts) ≈ Σ c_k (−Ts)^k / Σ c_k (Ts)^k,     c_k = (2n − k)! n! / ((2n)! k! (n − k)!)        (1)
//! ```
//!
//! All frequencies pass with amplitude 1; the phase is right up to about ω T = 2n. A step comes out after a ripple.

use super::transfer_function::rational;
use super::{BlockKind, Sort, key};
use crate::units::Dimension;

pub const DELAY: BlockKind = BlockKind {
    name: "delay",
    summary: "a signal later, by Padé's approximation",
    keys: &[
        key("input", Sort::Signal, "the signal"),
        key("time", Sort::Number, "the delay, s").of(Dimension::TIME),
        key("order", Sort::Number, "1 to 6; default 3").optional(),
    ],
    write: |w| {
        let (time, order) = (w.positive("time")?, w.given("order").unwrap_or(3.0));
        if !(1.0..=6.0).contains(&order) || order.fract() != 0.0 {
            return Err(format!("'order' must be a whole number from 1 to 6, it is {order}"));
        }
        let den = pade(order as usize, time);
        let sign = |k: usize| if (den.len() - 1 - k).is_multiple_of(2) { 1.0 } else { -1.0 };
        let num: Vec<f64> = den.iter().enumerate().map(|(k, c)| sign(k) * c).collect();
        let y = rational(w, &num, &den, &w.signal("input"))?;
        w.output(y);
        Ok(())
    },
};

/// c_k T^k, highest power first.
fn pade(n: usize, time: f64) -> Vec<f64> {
    let mut c = vec![1.0];
    for k in 0..n {
        let last = c[k];
        c.push(last * (n - k) as f64 / (((2 * n - k) * (k + 1)) as f64) * time);
    }
    c.reverse();
    c
}
